"""What git remembers of a page: its revisions and its text at each; makes no commit."""

import re
from collections.abc import Collection, Sequence
from datetime import datetime

from app.domain.errors import PageNotFound, WikiUnreadable
from app.domain.limits import MOVES_FOLLOWED_MAX, REVISIONS_MAX
from app.domain.page import BlamedLine, Revision
from app.wiki.kept import Kept
from app.wiki.repository import Repository, build_environment

_REVISION = re.compile(r"[0-9a-f]{7,64}")
_FORMAT = "%H%x1f%aI%x1f%an%x1f%s%x1f%(trailers:key=Memwiki-Session,valueonly,separator=%x2C)"
_FIELDS = 5
_BLAMED = re.compile(r"([0-9a-f]{40,64}) \d+ \d+")


def log(repository: Repository, place: str, limit: int = REVISIONS_MAX) -> tuple[Revision, ...]:
    """List the commits that touched a place, newest first, through moves that left the text as it was.

    A looser likeness would take the small pages of other projects for earlier forms of this one.
    """
    found: list[Revision] = []
    start, most = "HEAD", min(limit, REVISIONS_MAX)
    for _ in range(MOVES_FOLLOWED_MAX + 1):
        touched = _list_touched(repository, start, place, most - len(found))
        moved = None
        for revision, is_new in touched:
            found.append(revision)
            moved = _find_moves(repository, revision.id).get(place) if is_new else None
            if moved:
                break
        if not moved or len(found) >= most:
            break
        # Git's own --follow compares whole trees at each commit, and knows nothing of which touched what.
        start, place = f"{found[-1].id}^", moved
    return tuple(found)


def log_folders(
    repository: Repository, folders: Sequence[str], limit: int = REVISIONS_MAX, *, skip: int = 0
) -> tuple[Revision, ...]:
    """List the commits that touched anything below one of some folders, newest first, after the first `skip`."""
    count = f"--max-count={min(limit, REVISIONS_MAX)}"
    start = f"--skip={max(0, skip)}"
    return _parse_log(_ask_head(repository, "log", count, start, f"--format={_FORMAT}", "-z", "HEAD", "--", *folders))


def blame(repository: Repository, place: str) -> tuple[BlamedLine, ...]:
    """Tell of each line of a page as it is committed now which commit it is from.

    Raises:
        PageNotFound: git has no such page.
    """
    try:
        told = _ask(repository, "blame", "--porcelain", "-M", "HEAD", "--", place)
    except WikiUnreadable as error:
        raise PageNotFound(place) from error
    revision, lines, count = "", [], 0
    for line in told.decode("utf-8", "replace").split("\n"):
        if line.startswith("\t"):
            count += 1
            lines.append(BlamedLine(count, line[1:].rstrip("\r"), revision))
        elif match := _BLAMED.match(line):
            revision = match[1]
    return tuple(lines)


def describe(repository: Repository, revisions: Collection[str]) -> dict[str, Revision]:
    """Read what is known of commits, by their full ids; what is none is left out."""
    wanted = sorted({revision for revision in revisions if _REVISION.fullmatch(revision)})[:REVISIONS_MAX]
    if not wanted:
        return {}
    listed = _ask(repository, "log", "--no-walk=unsorted", f"--format={_FORMAT}", "-z", *wanted, "--")
    return {revision.id: revision for revision in _parse_log(listed)}


def show(repository: Repository, revision: str, place: str) -> bytes:
    """Read a page as it was at a commit, also where it had another name then.

    Raises:
        PageNotFound: there is no such commit, or no such page in it.
    """
    if not _REVISION.fullmatch(revision):
        raise PageNotFound(f"{place}@{revision[:64]}")
    found = _read_blob(repository, revision, place)
    if found is None:
        former = _list_former_places(repository, place)
        found = next((text for each in former if (text := _read_blob(repository, revision, each)) is not None), None)
    if found is None:
        raise PageNotFound(f"{place}@{revision}")
    return found


def list_places(repository: Repository, revision: str, folder: str) -> tuple[str, ...]:
    """List the files below a folder as they were at a commit; none where there is no such commit."""
    if not _REVISION.fullmatch(revision):
        return ()
    try:
        listed = _ask(repository, "ls-tree", "-r", "-z", "--name-only", revision, "--", folder)
    except WikiUnreadable:
        return ()
    return tuple(place.decode("utf-8", "surrogateescape") for place in listed.split(b"\x00") if place)


def _list_touched(repository: Repository, start: str, place: str, limit: int) -> list[tuple[Revision, bool]]:
    """List the commits that touched a place under this very name, and whether each made it."""
    asked = ("log", "--no-renames", "--name-status", f"--max-count={limit}", f"--format={_FORMAT}", "-z", start)
    listed = _ask_head(repository, *asked, "--", place)
    touched: list[tuple[Revision, bool]] = []
    for entry in listed.split(b"\x00"):
        if revisions := _parse_log(entry):
            touched.append((revisions[0], False))
        elif touched and entry.strip() == b"A":
            touched[-1] = (touched[-1][0], True)
    return touched


# The moves of a commit never change, and most have none.
_MOVES: Kept[dict[str, str]] = Kept(REVISIONS_MAX)


def _find_moves(repository: Repository, revision: str) -> dict[str, str]:
    """Find from where a commit moved files whose text it left as it was, by the places to which it moved them."""
    known = _MOVES.find(revision)
    if known is not None:
        return known
    asked = ("diff-tree", "-r", "-z", "--no-commit-id", "--name-status", "-M100%", "-l0", "--diff-filter=R")
    parts = _ask(repository, *asked, revision).decode("utf-8", "surrogateescape").split("\x00")
    moves = {parts[at + 2]: parts[at + 1] for at in range(0, len(parts) - 2, 3)}
    _MOVES.keep(revision, moves)
    return moves


def _read_blob(repository: Repository, revision: str, place: str) -> bytes | None:
    try:
        return _ask(repository, "cat-file", "blob", f"{revision}:{place}")
    except WikiUnreadable:
        return None


def _list_former_places(repository: Repository, place: str) -> list[str]:
    """List the names that a page had before, the latest first."""
    try:
        listed = _ask(repository, "log", "--follow", "-M100%", "--format=", "--name-status", "-z", "HEAD", "--", place)
    except WikiUnreadable:
        return []
    parts = listed.decode("utf-8", "surrogateescape").replace("\n", "").split("\x00")
    # A rename stands as its sign, the old name and the new one.
    return [parts[at + 1] for at, part in enumerate(parts[:-1]) if part.startswith("R") and part[1:].isdecimal()]


def _parse_log(listed: bytes) -> tuple[Revision, ...]:
    revisions = []
    for entry in listed.decode("utf-8", "replace").split("\x00"):
        values = entry.strip("\n").split("\x1f")
        if len(values) == _FIELDS:
            revisions.append(Revision(values[0], datetime.fromisoformat(values[1]), *values[2:]))
    return tuple(revisions)


def _ask_head(repository: Repository, *arguments: str) -> bytes:
    """Ask of what HEAD leads to; nothing in an empty repository, which has none and makes git fail."""
    try:
        return _ask(repository, *arguments)
    except WikiUnreadable:
        if not repository.read_head(()).revision:
            return b""
        # The first commit may have come since; what failed for another reason fails again.
        return _ask(repository, *arguments)


def _ask(repository: Repository, *arguments: str) -> bytes:
    # Imported when first asked: it takes 0.2 s, and most servers start without anyone looking at history.
    import git  # noqa: PLC0415

    command = git.Git(str(repository.root))
    try:
        answer = command.execute(
            ["git", *arguments],
            env=build_environment(repository.root, repository.git_dir),
            stdout_as_string=False,
            strip_newline_in_stdout=False,
        )
    except git.GitCommandError as error:
        raise WikiUnreadable(f"git {arguments[0]} failed") from error
    assert isinstance(answer, bytes)
    return answer
