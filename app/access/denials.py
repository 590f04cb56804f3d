"""Which refused requests get a row of their own in the trail: the first of each caller; the rest is counted."""

import threading
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from app.domain.limits_trail import (
    DENIALS_NOTED_PER_ADDRESS,
    DENIALS_WINDOW_SECONDS,
    DENIED_ADDRESSES_TRACKED_MAX,
)

_WINDOW: Final = timedelta(seconds=DENIALS_WINDOW_SECONDS)


@dataclass(slots=True)
class _Window:
    begun_at: datetime
    noted: int = 0
    passed_over: int = 0


@dataclass(frozen=True, slots=True)
class PassedOver:
    """How many refusals of one caller have no row of their own, because there were too many."""

    caller: str
    count: int


class Denials:
    """Anybody may send what is refused, so that nobody must be able to fill the disk with it."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._windows: dict[str, _Window] = {}
        self._over: list[PassedOver] = []

    def admit(self, caller: str, now: datetime) -> bool:
        """Tell whether a refusal gets a row of its own; one that does not is counted."""
        with self._lock:
            window = self._windows.get(caller)
            if window is None or window.begun_at <= now - _WINDOW:
                self._close(caller)
                self._make_room()
                window = self._windows[caller] = _Window(now)
            if window.noted < DENIALS_NOTED_PER_ADDRESS:
                window.noted += 1
                return True
            window.passed_over += 1
            return False

    def take_over(self, before: datetime | None) -> list[PassedOver]:
        """Take the counts of callers whose window has ended at a moment; None takes all."""
        with self._lock:
            for caller in list(self._windows):
                if before is None or self._windows[caller].begun_at <= before - _WINDOW:
                    self._close(caller)
            over, self._over = self._over, []
            return over

    def _make_room(self) -> None:
        while len(self._windows) >= DENIED_ADDRESSES_TRACKED_MAX:
            self._close(next(iter(self._windows)))

    def _close(self, caller: str) -> None:
        window = self._windows.pop(caller, None)
        if window is not None and window.passed_over:
            self._over.append(PassedOver(caller, window.passed_over))
