"""Refuses to take more before the disk is full, so that what is stored stays usable and clients keep the rest."""

import shutil
import time
from collections.abc import Callable
from pathlib import Path

from app.domain.errors import DiskRefused
from app.domain.limits import DISK_FREE_PART, DISK_LOOK_SECONDS


class DiskGuard:
    """Looks at the disk of the data directory, seldom, since many ask.

    `floor_bytes` must stay free; of a small disk a share is enough.
    """

    def __init__(self, folder: Path, floor_bytes: int, now: Callable[[], float] = time.monotonic) -> None:
        self._folder, self.floor_bytes = folder, floor_bytes
        self._now = now
        self._looked_at = float("-inf")
        self._free = self._total = 0

    def measure_free(self) -> int:
        """Tell how many bytes are free, as of at most a moment ago; a disk that cannot be asked counts as empty."""
        now = self._now()
        if now - self._looked_at >= DISK_LOOK_SECONDS:
            self._looked_at = now
            try:
                usage = shutil.disk_usage(self._folder)
                self._free, self._total = usage.free, usage.total
            except OSError:
                self._free = 0
        return self._free

    def find_lack(self) -> str:
        """Say what is wrong where too little is free; empty otherwise."""
        if self.floor_bytes and self.measure_free() < min(self.floor_bytes, self._total // DISK_FREE_PART):
            return f"only {self._free // 2**20} MiB are free on the disk; see disk_free_mib_min"
        return ""

    def check(self) -> None:
        """Refuse to take more while too little is free.

        Raises:
            DiskRefused: too little is free.
        """
        lack = self.find_lack()
        if lack:
            raise DiskRefused("the event", lack)
