"""One server per data directory."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from app.domain.errors import DirectoryInUse, DiskRefused
from app.state.lock import LOCK_NAME, DirectoryLock, read_holder

HOLDER = """
import sys
from pathlib import Path
from app.state.lock import DirectoryLock
lock = DirectoryLock(Path(sys.argv[1]), {"pid": 1, "version": "9.9"}).acquire()
lock.update(url="http://127.0.0.1:1")
print("held", flush=True)
sys.stdin.read()
"""


def hold(folder: Path) -> subprocess.Popen[str]:
    """Hold a directory in another process, which says that it is process 1."""
    command = [sys.executable, "-c", HOLDER, str(folder)]
    holder = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert holder.stdout is not None
    assert holder.stdout.readline() == "held\n"
    return holder


def end(holder: "subprocess.Popen[str]", number: int) -> None:
    holder.send_signal(number)
    holder.communicate(timeout=20)


def test_a_held_directory_is_refused_and_its_holder_named(tmp_path: Path) -> None:
    holder = hold(tmp_path)

    with pytest.raises(DirectoryInUse) as refused:
        DirectoryLock(tmp_path, {"pid": 2, "version": "1"}).acquire()
    end(holder, signal.SIGTERM)

    assert "memwiki 9.9, process 1, http://127.0.0.1:1" in str(refused.value)
    assert str(tmp_path) in str(refused.value)


def test_a_refusal_leaves_what_the_holder_said(tmp_path: Path) -> None:
    holder = hold(tmp_path)

    for _ in range(3):
        with pytest.raises(DirectoryInUse):
            DirectoryLock(tmp_path, {"pid": 2, "version": "1"}).acquire()
    said = read_holder(tmp_path)
    end(holder, signal.SIGTERM)

    assert said == {"pid": 1, "version": "9.9", "url": "http://127.0.0.1:1"}


def test_a_killed_holder_blocks_nobody_though_its_file_names_a_living_process(tmp_path: Path) -> None:
    end(hold(tmp_path), signal.SIGKILL)
    assert read_holder(tmp_path)["pid"] == 1

    with DirectoryLock(tmp_path, {"pid": os.getpid(), "version": "1"}):
        assert read_holder(tmp_path)["pid"] == os.getpid()


def test_a_process_that_forked_keeps_nothing_after_its_parent_released(tmp_path: Path) -> None:
    lock = DirectoryLock(tmp_path, {"pid": 2, "version": "1"}).acquire()
    child = subprocess.Popen([sys.executable, "-c", "import sys; sys.stdin.read()"], stdin=subprocess.PIPE)
    lock.release()

    with DirectoryLock(tmp_path, {"pid": 3, "version": "1"}):
        assert read_holder(tmp_path)["pid"] == 3
    child.communicate(timeout=20)


def test_one_process_cannot_take_a_directory_twice(tmp_path: Path) -> None:
    with DirectoryLock(tmp_path, {"pid": 2, "version": "1"}), pytest.raises(DirectoryInUse):
        DirectoryLock(tmp_path, {"pid": 2, "version": "1"}).acquire()


def test_a_released_directory_is_free_and_names_nobody(tmp_path: Path) -> None:
    DirectoryLock(tmp_path, {"pid": 2, "version": "1"}).acquire().release()

    assert read_holder(tmp_path) == {}
    DirectoryLock(tmp_path, {"pid": 2, "version": "1"}).acquire().release()


def test_releasing_twice_is_no_fault(tmp_path: Path) -> None:
    lock = DirectoryLock(tmp_path, {"pid": 2, "version": "1"}).acquire()

    lock.release()
    lock.release()

    assert read_holder(tmp_path) == {}


@pytest.mark.parametrize("content", [b"", b"not json", b"[1]", b"\xff\xfe", b'{"pid": 1}', b"5"])
def test_a_damaged_lock_file_is_no_obstacle(tmp_path: Path, content: bytes) -> None:
    (tmp_path / LOCK_NAME).write_bytes(content)
    assert isinstance(read_holder(tmp_path), dict)

    with DirectoryLock(tmp_path, {"pid": 2, "version": "1"}):
        assert read_holder(tmp_path) == {"pid": 2, "version": "1"}


@pytest.mark.parametrize("content", ["", "not json", "[1]", "{}"])
def test_a_holder_that_says_nothing_useful_is_still_refused(tmp_path: Path, content: str) -> None:
    with DirectoryLock(tmp_path, {"pid": 2, "version": "1"}):
        (tmp_path / LOCK_NAME).write_text(content, encoding="utf-8")
        with pytest.raises(DirectoryInUse):
            DirectoryLock(tmp_path, {"pid": 3, "version": "1"}).acquire()


def test_what_is_told_later_replaces_the_whole_file(tmp_path: Path) -> None:
    with DirectoryLock(tmp_path, {"pid": 2, "version": "1", "url": "x" * 200}) as lock:
        lock.update(url="y")

        assert json.loads((tmp_path / LOCK_NAME).read_text(encoding="utf-8")) == {"pid": 2, "version": "1", "url": "y"}


def test_only_its_owner_can_read_the_lock_file(tmp_path: Path) -> None:
    with DirectoryLock(tmp_path, {"pid": 2, "version": "1"}):
        assert (tmp_path / LOCK_NAME).stat().st_mode & 0o777 == 0o600


def test_a_directory_that_cannot_be_written_is_named_with_the_user(tmp_path: Path) -> None:
    (tmp_path / LOCK_NAME).mkdir()

    with pytest.raises(DiskRefused) as refused:
        DirectoryLock(tmp_path, {"pid": 2, "version": "1"}).acquire()

    assert str(os.getuid()) in str(refused.value)
