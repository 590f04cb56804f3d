"""`Pulse` knows when somebody last asked the server for something, so that idle work can make room at once."""

import time
from collections.abc import Callable


class Pulse:
    """Counts the requests under way; written on the event loop alone, and read anywhere."""

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        self._now = now
        self._under_way = 0
        self._last_at = float("-inf")

    def enter(self) -> None:
        """Note that a request has come."""
        self._under_way += 1

    def leave(self) -> None:
        """Note that it is answered."""
        self._under_way -= 1
        self._last_at = self._now()

    def is_quiet(self, seconds: float) -> bool:
        """Tell whether nobody asks, nor has asked for so long."""
        return not self._under_way and self._now() - self._last_at >= seconds
