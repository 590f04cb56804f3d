"""Small disks that tests may fill, damage or write-protect; where mounting is not permitted, a test says so."""

import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

BALLAST, REST = "ballast", "rest"


def mount(*arguments: str) -> None:
    """Mount something, or skip the test with the system's own reason."""
    if shutil.which("mount") is None or not hasattr(os, "geteuid") or os.geteuid() != 0:
        skip("only root can mount a small disk, and only where there is a mount command")
    done = subprocess.run(["mount", *arguments], capture_output=True, text=True, timeout=30, check=False)
    if done.returncode != 0:
        skip(f"mounting is not permitted here: {done.stderr.strip()}")


def skip(reason: str) -> None:
    print(f"skipped: {reason}")
    pytest.skip(reason)


def unmount(folder: Path) -> None:
    subprocess.run(["umount", str(folder)], capture_output=True, timeout=30, check=True)


@contextmanager
def small_disk(folder: Path, *, size: str = "20m") -> Iterator[Path]:
    """A disk in memory of so many bytes."""
    folder.mkdir()
    mount("-t", "tmpfs", "-o", f"size={size},mode=0755", "tmpfs", str(folder))
    try:
        yield folder
    finally:
        unmount(folder)


@contextmanager
def write_protected(folder: Path) -> Iterator[None]:
    """Protect a folder against writing, also by root and by those who run already."""
    mount("--bind", "-o", "ro", str(folder), str(folder))
    try:
        # Older mount commands take the flag only the second time.
        mount("-o", "remount,bind,ro", str(folder))
        yield
    finally:
        unmount(folder)


@contextmanager
def failing_disk(folder: Path) -> Iterator[Path]:
    """A disk of its own file system, which makes itself read-only when it finds a fault."""
    image = folder.with_suffix(".img")
    folder.mkdir()
    image.write_bytes(b"")
    os.truncate(image, 64 * 1024 * 1024)
    if shutil.which("mkfs.ext4") is None:
        skip("there is no mkfs.ext4")
    subprocess.run(["mkfs.ext4", "-q", str(image)], capture_output=True, timeout=30, check=True)
    mount("-o", "loop,errors=remount-ro", str(image), str(folder))
    try:
        yield folder
    finally:
        unmount(folder)


def fail_disk(folder: Path) -> None:
    """Make the disk find a fault."""
    mounted = [line.split() for line in Path("/proc/mounts").read_text(encoding="utf-8").splitlines()]
    device = next(Path(fields[0]).name for fields in mounted if fields[1] == str(folder))
    switch = Path("/sys/fs/ext4") / device / "trigger_fs_error"
    if not switch.exists():
        skip("this kernel has no way to make a file system fail")
    switch.write_text("1", encoding="ascii")


def repair_disk(folder: Path) -> None:
    """Take the disk off, have it checked, and put it back."""
    unmount(folder)
    image = folder.with_suffix(".img")
    checked = subprocess.run(["e2fsck", "-fy", str(image)], capture_output=True, timeout=60, check=False)
    assert checked.returncode in {0, 1}, checked.stdout
    mount("-o", "loop,errors=remount-ro", str(image), str(folder))


def put_ballast(disk: Path, size_bytes: int) -> None:
    """Take up space that can be given back later."""
    (disk / BALLAST).write_bytes(b"\0" * size_bytes)


def drop_ballast(disk: Path) -> None:
    (disk / BALLAST).unlink()


def take_the_rest(disk: Path) -> None:
    """Fill the disk to its last block."""
    with suppress(OSError), (disk / REST).open("wb", buffering=0) as rest:
        while True:
            rest.write(b"\0" * 4096)


def give_the_rest(disk: Path) -> None:
    (disk / REST).unlink()


def list_leftovers(data_dir: Path) -> list[str]:
    """List files that were never finished; git's own pack folder is git's business."""
    return [
        str(path.relative_to(data_dir))
        for path in data_dir.rglob("*")
        if path.name.endswith((".part", ".tmp", ".lock")) and path.name != "server.lock"
    ]
