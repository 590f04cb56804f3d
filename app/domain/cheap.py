"""Values of which many are made for each event: frozen to the type checker, and plain when they run.

A frozen dataclass sets each field past its own guard, at five times the cost of setting it; an eighth of all that
taking an event costs went there. Nothing that changes one of these passes the type checker, and so the guard has
nothing to do.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

__all__ = ["cheap_dataclass"]

T = TypeVar("T")

if TYPE_CHECKING:
    from dataclasses import dataclass as cheap_dataclass
else:

    def cheap_dataclass(*, frozen: bool, slots: bool) -> Callable[[type[T]], type[T]]:
        """Make a dataclass that is compared and hashed by its values, as a frozen one is."""
        return dataclass(slots=slots, unsafe_hash=frozen)
