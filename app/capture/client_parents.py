"""Reads with which words the agent was started whose hook this is: few agents tell their hooks that nobody is there.

The hook client carries a copy of this module, so that it speaks Python 3.8 and imports the standard library alone.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence

from app.domain import limits

_ENDINGS = (".exe", ".cmd", ".js", ".mjs", ".cjs")
# What asking for the processes may take; a session's start waits for it.
_ASK_SECONDS = 0.25


def is_started_with(programs: Sequence[str], words: Sequence[str], lines: Iterable[Sequence[str]]) -> bool:
    """Tell whether one of the command lines is that of a program with one of the words behind it."""
    return any(_has_word(line, programs, words) for line in lines)


def read_command_lines() -> Iterator[list[str]]:
    """Read the command lines of this process's parent, its parent and so on, as far as an agent may be away.

    Windows tells them only at a cost that a hook cannot pay: there are none.
    """
    if os.name == "nt":
        return
    asked = None if os.path.exists("/proc/self/stat") else _ask_processes(_ASK_SECONDS)
    pid = os.getppid()
    for _ in range(limits.HOOK_PARENTS_MAX):
        if pid <= 1:
            return
        line, pid = _read_process(pid) if asked is None else asked.get(pid, ([], 0))
        yield line


def _has_word(line: Sequence[str], programs: Sequence[str], words: Sequence[str]) -> bool:
    """Look behind the program, before which an interpreter and its options may stand."""
    names = [_name_program(word) for word in line]
    found = [at for at, name in enumerate(names) if name in programs]
    return bool(found) and any(
        word in words or word.partition("=")[0] in words for word in line[found[0] + 1 :] if word
    )


def _name_program(word: str) -> str:
    name = word.replace("\\", "/").rpartition("/")[2]
    return next((name[: -len(ending)] for ending in _ENDINGS if name.endswith(ending)), name)


def _read_process(pid: int) -> tuple[list[str], int]:
    try:
        with open("/proc/%d/cmdline" % pid, "rb") as file:
            line = file.read(limits.HOOK_COMMAND_LINE_BYTES_MAX).decode("utf-8", "replace").split("\0")
        with open("/proc/%d/stat" % pid, "rb") as file:
            # The program's name stands in brackets, and may have blanks and brackets of its own.
            return line, int(file.read().rpartition(b")")[2].split()[1])
    except (OSError, ValueError, IndexError):
        return [], 0


def _ask_processes(seconds: float) -> dict[int, tuple[list[str], int]]:
    """Ask `ps` for the words and the parent of every process, once for all; the words are only parted by blanks."""
    import subprocess

    words = ["/bin/ps", "-A", "-ww", "-o", "pid=,ppid=,command="]
    try:
        done = subprocess.run(words, capture_output=True, timeout=seconds, check=False)
    except (OSError, subprocess.SubprocessError):
        return {}
    rows = [row.split() for row in done.stdout.decode("utf-8", "replace").splitlines()]
    return {int(row[0]): (row[2:], int(row[1])) for row in rows if len(row) > 1 and (row[0] + row[1]).isdigit()}
