"""`Kept`: what was worked out of pages before, by their content, for as long as it is used."""

from collections import OrderedDict
from collections.abc import Hashable
from threading import Lock
from typing import Generic, TypeVar

T = TypeVar("T")


class Kept(Generic[T]):
    """Values by key, at most so many, the longest unused forgotten first; safe on any thread."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._known: OrderedDict[Hashable, T] = OrderedDict()
        self._lock = Lock()

    def find(self, key: Hashable) -> T | None:
        """Find a value; None where there is none any more."""
        with self._lock:
            if key in self._known:
                self._known.move_to_end(key)
            return self._known.get(key)

    def keep(self, key: Hashable, value: T) -> None:
        """Keep a value."""
        with self._lock:
            self._known[key] = value
            self._known.move_to_end(key)
            while len(self._known) > self._most:
                self._known.popitem(last=False)
