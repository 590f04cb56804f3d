"""`Packer` puts what git has in many files into few, in a process of the lowest priority that stops when told to."""

import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import Final

from app.domain.errors import WikiUnreadable
from app.domain.limits import LEFTOVER_SECONDS
from app.domain.limits_upkeep import GIT_PACK_MEMORY_MIB, GIT_PACK_SECONDS_MAX, GIT_PACK_STOP_SECONDS_MAX
from app.wiki import aside
from app.wiki import repository as repositories
from app.wiki.aside import Program
from app.wiki.repository import Repository

_MODEST: Final = ("-c", "pack.threads=1", "-c", f"pack.windowMemory={GIT_PACK_MEMORY_MIB}m")
# Packs of like size become one, so that each object is written anew a few times in all, whatever the number of runs.
_REPACK: Final = ("repack", "-d", "-l", "--quiet", "--geometric=2")
# For a git from before 2.32, which does not know how: all packs become one.
_REPACK_ALL: Final = ("repack", "-d", "-l", "--quiet", "-A")
_USAGE_ERROR: Final = 129
_COMMIT_GRAPH: Final = ("commit-graph", "write", "--reachable", "--changed-paths", "--no-progress")


@dataclass(frozen=True, slots=True)
class ObjectCount:
    """What git's objects lie in: files of their own, and packs; and the bytes of both."""

    loose: int
    packs: int
    size_bytes: int


class Packer:
    """Packs one repository; one run at a time, and none while somebody holds it off."""

    def __init__(self, repository: Repository) -> None:
        self._repository = repository
        self._at_work = threading.Lock()
        self._held_off = threading.Event()

    def count(self) -> ObjectCount:
        """Count the objects.

        Raises:
            WikiUnreadable: git failed.
        """
        lines = self._repository.run("count-objects", "-v").decode().splitlines()
        found = dict(line.split(": ", 1) for line in lines if ": " in line)
        kib = int(found.get("size", 0)) + int(found.get("size-pack", 0))
        return ObjectCount(int(found.get("count", 0)), int(found.get("packs", 0)), kib * 1024)

    def pack(self, is_unwanted: Callable[[], bool], seconds_max: float = GIT_PACK_SECONDS_MAX) -> bool:
        """Pack, and renew the table of which commit touched what; False if it was stopped before the end.

        Commits go on meanwhile. Stopped or killed at any moment, git is as sound as before, and the next run goes on.

        Raises:
            WikiUnreadable: git failed.
        """

        def must_stop() -> bool:
            return is_unwanted() or self._held_off.is_set() or time.monotonic() > deadline

        deadline = time.monotonic() + seconds_max
        with self._at_work:
            self._remove_leftovers()
            code = _run(self._repository, _REPACK, must_stop)
            if code == _USAGE_ERROR:
                code = _run(self._repository, _REPACK_ALL, must_stop)
            return code == 0 and _run(self._repository, _COMMIT_GRAPH, must_stop) == 0

    @contextmanager
    def hold_off(self) -> Iterator[None]:
        """Stop a run, and let none begin meanwhile: what is removed from history must not be packed once more."""
        self._held_off.set()
        try:
            with self._at_work:
                yield
        finally:
            self._held_off.clear()

    def _remove_leftovers(self) -> None:
        """Remove what killed runs left half-written a while ago."""
        objects = self._repository.git_dir / "objects"
        oldest = time.time_ns() // 10**9 - LEFTOVER_SECONDS
        scraps = ("pack/tmp_*", "pack/.tmp-*", "??/tmp_obj_*", "info/commit-graph.lock", "info/commit-graphs/*.lock")
        for path in (path for scrap in scraps for path in objects.glob(scrap)):
            with suppress(OSError):
                if path.stat().st_mtime < oldest:
                    path.unlink()


def _run(repository: Repository, command: tuple[str, ...], must_stop: Callable[[], bool]) -> int | None:
    """Run git to its end, and give back its exit code where that is no failure; None if it was stopped."""
    env = repositories.build_environment(repository.root, repository.git_dir)
    program = Program(["git", *_MODEST, *command], repository.root, env, GIT_PACK_STOP_SECONDS_MAX)
    with tempfile.TemporaryFile() as complaint:
        try:
            code = aside.run_aside(program, must_stop, complaint=complaint)
        except OSError as error:
            raise WikiUnreadable(f"git cannot be started: {error.strerror}") from error
        if code not in {None, 0, _USAGE_ERROR}:
            complaint.seek(0)
            said = complaint.read(4000).decode("utf-8", "replace").replace(str(repository.root), "").strip()
            raise WikiUnreadable(f"git {command[0]} failed: {said[:300] or code}")
        return code
