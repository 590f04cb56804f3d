"""What edits changed, line by line, kept as far as it may explain how an error was fixed."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from difflib import SequenceMatcher

from app.compile import paths
from app.domain.event import EventKind, FileChange, Outcome, ToolPurpose
from app.domain.limits_knowledge import (
    EDIT_CHANGE_LINE_CHARS_MAX,
    EDIT_CHANGE_LINES_MAX,
    EDIT_LINES_MAX,
    EDITS_KEPT_MAX,
)
from app.domain.session import Observation, Session

_WORD = re.compile(r"[A-Za-z_]\w{3,}")


@dataclass(frozen=True, slots=True)
class Edit:
    """The lines that one edit took away (`-`) and put in (`+`), without those that it left as they were."""

    at: int
    path: str
    lines: tuple[str, ...]


@dataclass(slots=True)
class EditLog:
    """Collects the edits of one session while its observations pass by."""

    session: Session
    edits: list[Edit] = field(default_factory=list)

    def watch(self, observations: Iterator[Observation]) -> Iterator[Observation]:
        """Pass observations on and keep what edits among them say."""
        for observation in observations:
            self.add(observation)
            yield observation

    def add(self, observation: Observation) -> None:
        """Keep an edit of one file whose lines are told."""
        event = observation.event
        tool = event.tool
        if tool is None or event.kind is not EventKind.TOOL_END or tool.purpose is not ToolPurpose.EDIT:
            return
        changed = [file for file in tool.files if file.change is not FileChange.READ]
        if tool.outcome is Outcome.FAILED or len(changed) != 1 or len(self.edits) >= EDITS_KEPT_MAX:
            return
        roots = tuple(root for root in (self.session.checkout.root, self.session.cwd) if root)
        path = paths.relate_path(changed[0].path, event.cwd, roots)
        lines = reduce_change(tool.input_text)
        if path and lines:
            self.edits.append(Edit(observation.id, path, lines))


def reduce_change(text: str) -> tuple[str, ...]:
    """Reduce what an edit was given to the lines that differ; empty where it is no change of lines."""
    rows = text.split("\n")[:EDIT_LINES_MAX]
    old = [row[1:] for row in rows if row.startswith("-")]
    new = [row[1:] for row in rows if row.startswith("+")]
    if not old or not new:
        return ()
    lines: list[str] = []
    for step, i1, i2, j1, j2 in SequenceMatcher(a=old, b=new, autojunk=False).get_opcodes():
        if step != "equal":
            lines += [f"-{row}" for row in old[i1:i2]] + [f"+{row}" for row in new[j1:j2]]
    return tuple(line for line in lines if line[1:].strip())


def choose_change(edits: Sequence[Edit], files: Sequence[str], headline: str) -> str:
    """Choose the edit that explains a fix best: it touches the words of the error; among equals the last one."""
    words = {word.lower() for word in _WORD.findall(headline)}
    among = [edit for edit in edits if edit.path in files]
    if not among:
        return ""
    best = max(among, key=lambda edit: (_count_shared(edit, words), -len(edit.lines) // EDIT_CHANGE_LINES_MAX, edit.at))
    shown = [line[:EDIT_CHANGE_LINE_CHARS_MAX] for line in best.lines[:EDIT_CHANGE_LINES_MAX]]
    left = len(best.lines) - len(shown)
    return "\n".join([*shown, f"… {left} more lines"] if left else shown)


def _count_shared(edit: Edit, words: set[str]) -> int:
    told = {word.lower() for line in edit.lines for word in _WORD.findall(line)}
    return len(told & words)
