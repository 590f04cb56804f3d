"""File paths as agents give them, brought to one spelling relative to the checkout."""

import posixpath
import re

_DRIVE = re.compile(r"^[A-Za-z]:/")
# Scratch files and the agents' own notes are no part of the work.
_SCRATCH = re.compile(
    r"^(?:/private)?/(?:tmp|var/folders|var/tmp|dev/shm)/|/\.(?:claude|codex|gemini|cursor|git)/|/AppData/Local/Temp/"
)


def relate_path(path: str, cwd: str, roots: tuple[str, ...]) -> str:
    """Bring a path below the first root that holds it; empty for scratch files, absolute for foreign ones."""
    full = _normalise(path)
    if not full:
        return ""
    if not full.startswith("/") and not _DRIVE.match(full):
        full = posixpath.normpath(f"{_normalise(cwd) or _normalise(roots[0] if roots else '')}/{full}")
    # A worktree lies beside the checkout that the session began in; what is below neither is foreign.
    for root in map(_normalise, (*roots, cwd)):
        if root and full.startswith(f"{root.rstrip('/')}/"):
            return full[len(root.rstrip("/")) + 1 :]
    return "" if _SCRATCH.search(full) else full.lstrip("/") if not any(roots) else full


def _normalise(path: str) -> str:
    plain = path.strip().replace("\\", "/")
    return posixpath.normpath(plain) if plain else ""
