"""Files that git itself says were renamed, in what its commands print; moves by commands stand with what changed."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from app.compile.timeline import Run
from app.domain import legible
from app.domain.event import Outcome
from app.domain.limits_knowledge import RENAMES_PER_SESSION_MAX

# What speaks of the present change; a log or another revision's difference tells of any time.
_TELLS = re.compile(
    r"^git(?: -[cC] \S+| --no-pager)* (?:commit|status|add|mv|merge|pull|rebase|cherry-pick|am|diff)\b(?!.*\.\.)"
)
_LINES = (
    re.compile(r"^ rename (?P<before>.*)\{(?P<old>.*) => (?P<new>.*)\}(?P<after>.*) \(\d{1,3}%\)$"),
    re.compile(r"^ rename (?P<old>.+) => (?P<new>.+) \(\d{1,3}%\)$"),
    re.compile(r"^\s+renamed:\s+(?P<old>.+?) -> (?P<new>.+)$"),
    re.compile(r"^R[ MD] (?P<old>.+?) -> (?P<new>.+)$"),
    re.compile(r"^R\d{2,3}\t(?P<old>[^\t]+)\t(?P<new>.+)$"),
)


@dataclass(frozen=True, slots=True)
class Rename:
    """One file's two names, from the repository's root, and the observation that shows it."""

    at: int
    old: str
    new: str


def list_renames(runs: Sequence[Run]) -> Iterator[Rename]:
    """List the renames that git reported, the latest word on each old name last."""
    told = 0
    for run in runs:
        if run.outcome is Outcome.FAILED or not any(map(_TELLS.match, run.line.segments)):
            continue
        for line in legible.clean_text(run.output).split("\n"):
            found = _read_line(line)
            if found and found[0] != found[1] and told < RENAMES_PER_SESSION_MAX:
                told += 1
                yield Rename(run.at, *found)


def _read_line(line: str) -> tuple[str, str] | None:
    match = next((found for pattern in _LINES if (found := pattern.match(line))), None)
    if match is None:
        return None
    around = match.groupdict()
    before, after = around.get("before", ""), around.get("after", "")
    old, new = (f"{before}{name}{after}".replace("//", "/").strip().strip('"') for name in (match["old"], match["new"]))
    return old, new
