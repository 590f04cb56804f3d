"""Writes the last row of the audit trail into the wiki's history, from which it cannot be taken without that showing.

A file of one line in a hidden folder of the wiki is committed again and again, so that every clone of the wiki knows
what the trail was at many moments. Whoever cuts rows off the trail would have to rewrite the history of every clone.
"""

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from app.domain.errors import DiskRefused
from app.domain.limits_trail import CHECKPOINT_COMMITS_READ_MAX
from app.state.audit import TrailEnd
from app.wiki.commit_plan import CommitRequest
from app.wiki.committer import Committer

PLACE: Final = ".memwiki/audit-trail"
_AUTHOR: Final = "memwiki"
_LINE: Final = re.compile(r"\+?row (\d{1,18}) sha256 ([0-9a-f]{64}) at (\S{1,40})")


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """The trail's last row as it was at a moment."""

    end: TrailEnd
    at: datetime


def find_checkpoint(committer: Committer) -> Checkpoint | None:
    """Find the checkpoint that was written last; none where its file is not what we write."""
    try:
        text = (committer.repository.root / PLACE).read_text(encoding="ascii")
    except (OSError, UnicodeDecodeError):
        return None
    return next(_parse([text]), None)


def write_checkpoint(committer: Committer, end: TrailEnd, now: datetime) -> None:
    """Write a checkpoint and queue its commit.

    Raises:
        DiskRefused: the disk is full, read-only or somebody else's.
    """
    line = f"row {end.id} sha256 {end.row_hash} at {now.isoformat()}\n"
    path = committer.repository.root / PLACE
    part = path.with_name(f".memwiki-{path.name}.tmp")
    try:
        path.parent.mkdir(exist_ok=True)
        with part.open("w", encoding="ascii") as file:
            file.write(line)
            file.flush()
            os.fsync(file.fileno())
        part.replace(path)
    except OSError as error:
        raise DiskRefused(PLACE, error.strerror or "it cannot be written") from error
    committer.queue(CommitRequest((PLACE,), f"Audit trail: checkpoint at row {end.id}", _AUTHOR, now))


def list_checkpoints(committer: Committer) -> list[TrailEnd]:
    """List all checkpoints that the wiki's history knows, and the one on disk; no order.

    Raises:
        WikiUnreadable: git failed.
    """
    told = ""
    if committer.repository.read_head(()).revision:
        count = f"--max-count={CHECKPOINT_COMMITS_READ_MAX}"
        listed = committer.repository.run("log", count, "--format=", "-p", "--unified=0", "HEAD", "--", PLACE)
        told = listed.decode("ascii", "replace")
    found = {checkpoint.end for checkpoint in _parse(told.splitlines())}
    last = find_checkpoint(committer)
    return list(found | ({last.end} if last else set()))


def _parse(lines: list[str]) -> Iterator[Checkpoint]:
    for line in lines:
        match = _LINE.fullmatch(line.strip())
        at = _parse_moment(match[3]) if match else None
        if match and at is not None:
            yield Checkpoint(TrailEnd(int(match[1]), match[2]), at)


def _parse_moment(text: str) -> datetime | None:
    """Read a moment with its zone; what anybody else wrote into the file may be none."""
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        return None
    return moment if moment.tzinfo else None
