"""Reads which files a patch in the `*** Begin Patch` form adds, changes, moves and deletes."""

import re

from app.agents import fields
from app.domain.event import FileChange, FileTouch
from app.domain.limits import TOOL_PATHS_MAX

PATCH_MARK = "*** Begin Patch"

_FILE_LINE = re.compile(r"^\*\*\* (Add File|Update File|Delete File|Move to): (.+?)\s*$", re.MULTILINE)
_CHANGES = {
    "Add File": FileChange.ADDED,
    "Update File": FileChange.MODIFIED,
    "Delete File": FileChange.DELETED,
}


def list_patched_files(text: str) -> tuple[FileTouch, ...]:
    """List the files of a patch in its order; a moved file is deleted at the old path and added at the new."""
    touches: list[FileTouch] = []
    for verb, raw_path in _FILE_LINE.findall(text):
        path = fields.read_path(raw_path)
        if verb in _CHANGES:
            touches.append(FileTouch(path, _CHANGES[verb]))
            continue
        if touches and touches[-1].change is FileChange.MODIFIED:
            touches[-1] = FileTouch(touches[-1].path, FileChange.DELETED)
        touches.append(FileTouch(path, FileChange.ADDED))
    return tuple(touches[:TOOL_PATHS_MAX])
