"""Asks git what a working copy was left with, for a moment that nobody notices.

The hook client carries a copy of this module, so that it speaks Python 3.8 and imports the standard library alone.
"""

from __future__ import annotations

import re
import subprocess
from collections.abc import Mapping

from app.domain import limits
from app.domain.limits_client import CLIENT_DIRTY_PATHS_MAX

# How porcelain v2 begins a line about a file, and how many words stand before its path.
_WORDS_BEFORE_PATH = {"1": 8, "2": 9, "u": 10, "?": 1}


def read_changes(root: str, environ: Mapping[str, str], seconds: float) -> dict[str, object]:
    """Count what is not committed and how far the branch is from its upstream; nothing where git takes too long."""
    try:
        done = subprocess.run(
            ["git", "-C", root, "status", "--porcelain=v2", "--branch", "-z", "--untracked-files=normal"],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            # Another git that is at work here must not find the index locked.
            env={**environ, "GIT_OPTIONAL_LOCKS": "0"},
            timeout=seconds,
            check=False,
        )
    except (OSError, ValueError, subprocess.SubprocessError):
        return {}
    if done.returncode or len(done.stdout) > limits.GIT_OUTPUT_BYTES_MAX:
        return {}
    return parse_status(done.stdout.decode("utf-8", "replace"))


def parse_status(text: str) -> dict[str, object]:
    """Read what `git status --porcelain=v2 --branch -z` printed."""
    facts: dict[str, object] = {}
    paths = []
    parts = iter(text.split("\0"))
    for part in parts:
        words = _WORDS_BEFORE_PATH.get(part[:1], 0)
        if words:
            paths.append(part.split(" ", words)[-1])
        if part[:1] == "2":
            # The name before a rename stands in a part of its own.
            next(parts, "")
        counts = re.match(r"# branch\.ab \+(\d+) -(\d+)$", part)
        if counts:
            facts.update(ahead=int(counts.group(1)), behind=int(counts.group(2)))
    facts["dirty_count"] = len(paths)
    kept, size = [], 0
    for path in paths[:CLIENT_DIRTY_PATHS_MAX]:
        size += len(path.encode("utf-8", "replace"))
        if size <= limits.DIRTY_PATHS_BYTES_MAX:
            kept.append(path)
    return {**facts, "dirty": kept} if kept else facts
