"""Describes the machine that a figure was measured on, and finds a folder on it whose disk is a disk."""

import importlib
import os
import platform
import sqlite3
import statistics
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Final

_SYNCS: Final = 40
_SYNC_BYTES: Final = 4096
_MEMORY_FILE_SYSTEMS: Final = frozenset({"tmpfs", "ramfs"})


@dataclass(frozen=True, slots=True)
class Machine:
    """What a figure depends on beside the code; `load_1m` above zero means that others were at work."""

    cpu: str
    cores: int
    memory_mib: int
    system: str
    python: str
    sqlite: str
    sqlite_of_state: str
    file_system: str
    fsync_p50_ms: float
    load_1m: float


def describe_machine(folder: Path) -> Machine:
    """Look at the machine, and measure how long an fsync takes in a folder."""
    return Machine(
        cpu=_find_cpu(),
        cores=os.cpu_count() or 1,
        memory_mib=_find_memory_mib(),
        system=f"{platform.system()} {platform.release()}",
        python=platform.python_version(),
        sqlite=sqlite3.sqlite_version,
        sqlite_of_state=_find_state_sqlite(),
        file_system=_find_file_system(folder),
        fsync_p50_ms=round(_measure_fsync_ms(folder), 3),
        load_1m=round(os.getloadavg()[0], 2) if hasattr(os, "getloadavg") else 0.0,
    )


def choose_folder() -> Path:
    """Choose where measurements keep their files: the temporary folder, unless that is memory and another is not."""
    first, second = Path(tempfile.gettempdir()), Path("/var/tmp")  # noqa: S108 - mkdtemp makes the folder inside
    if _find_file_system(first) in _MEMORY_FILE_SYSTEMS and second.is_dir():
        return second
    return first


def _find_cpu() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return platform.processor() or platform.machine()
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.machine()


def _find_memory_mib() -> int:
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") // 1024**2
    except (AttributeError, ValueError, OSError):
        return 0


def _find_state_sqlite() -> str:
    try:
        return str(importlib.import_module("pysqlite3.dbapi2").sqlite_version)
    except ModuleNotFoundError:
        return sqlite3.sqlite_version


def _find_file_system(folder: Path) -> str:
    """Name the file system of a folder: the type of the longest mount point above it."""
    try:
        lines = Path("/proc/mounts").read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return "unknown"
    resolved = folder.resolve()
    mounts = [(Path(parts[1]), parts[2]) for parts in map(str.split, lines) if len(parts) > 2]  # noqa: PLR2004 - device, point, type
    above = [(len(point.parts), kind) for point, kind in mounts if resolved.is_relative_to(point)]
    return max(above)[1] if above else "unknown"


def _measure_fsync_ms(folder: Path) -> float:
    times = []
    with tempfile.TemporaryFile(dir=folder, buffering=0) as file:
        for _ in range(_SYNCS):
            file.write(b"\0" * _SYNC_BYTES)
            begun = time.perf_counter()
            os.fsync(file.fileno())
            times.append(time.perf_counter() - begun)
    return statistics.median(times) * 1000
