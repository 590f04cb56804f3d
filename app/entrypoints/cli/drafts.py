"""Files as they would be after the edits planned so far: several agents and entries may share one file."""

import os
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from app.agents.agent import Link
from app.entrypoints.cli import config_files
from app.entrypoints.cli.config_files import FileChange, Owner
from app.entrypoints.cli.entries import Piece


class Drafts:
    """Collects the changes of a plan, one for each file; a file that has two names is one."""

    def __init__(self, changes: Iterable[FileChange] = ()) -> None:
        self._changes = {os.path.realpath(change.path): change for change in changes}

    def fork(self) -> "Drafts":
        """Copy the drafts, so that an agent that is refused leaves none."""
        return Drafts(self._changes.values())

    def edit(self, piece: Piece, link: Link | None, owner: Owner | None) -> None:
        """Edit a piece's file as it would be by now.

        Raises:
            ForeignEntry: the file is not what its reader takes.
            DiskRefused: it cannot be read.
        """
        known = self.find(piece.path) or _read(piece)
        edited = piece.edit(known.after, link)
        # An earlier piece of this plan may be what is ours in the draft.
        had_own = edited.has_own if known.after == known.before else piece.edit(known.before, None).has_own
        purposes = dict.fromkeys([*known.purpose.split(" and "), piece.purpose])
        self.put(
            replace(
                known,
                purpose=" and ".join(purposes),
                after=edited.content,
                has_own=known.has_own or had_own,
                mode=known.mode if piece.mode is None else piece.mode,
                owners=known.owners | ({owner} if owner else set()),
            )
        )

    def put(self, change: FileChange) -> None:
        """Take the change of a file in place of an earlier one."""
        self._changes[os.path.realpath(change.path)] = change

    def find(self, path: Path) -> FileChange | None:
        """Find a file's change."""
        return self._changes.get(os.path.realpath(path))

    def list_changes(self) -> tuple[FileChange, ...]:
        """List all changes in the order in which their files came up."""
        return tuple(self._changes.values())


def _read(piece: Piece) -> FileChange:
    content = config_files.read_file(piece.path)
    return FileChange(piece.path, piece.purpose, content, content)
