"""Commits that a session made and what it left uncommitted, as its own commands and their output show it."""

import re
from collections.abc import Sequence

from app.compile.timeline import Run, Touch
from app.domain import legible
from app.domain.event import Outcome
from app.domain.limits_compile import COMMIT_SUBJECT_CHARS_MAX
from app.domain.session import Statement

_COMMITS = re.compile(r"^git(?: -[cC] \S+| --no-pager)* commit\b(?!.*--dry-run)")
# What else takes changes in, or throws them away.
_SETTLES = re.compile(
    r"^git(?: -[cC] \S+| --no-pager)* (?:(?:rebase|merge|cherry-pick|am) --continue\b|reset --hard\b)"
)
# A repository made on the way is a try-out, not the project's.
_TRY_OUT = re.compile(r"^git(?: -[cC] \S+)* init\b")
_ANNOUNCED = re.compile(
    r"^\[(?P<branch>[^\]\n]*?) ?(?:\(root-commit\) )?(?P<hash>[0-9a-f]{7,40})\] (?P<subject>.+)$", re.MULTILINE
)
_MESSAGE = re.compile(r"\s(?:-[a-zA-Z]*m|--message)[= ]?(?:\"((?:\\.|[^\"\\])*)\"|'([^']*)'|(\S+))")
_LOG_LINE = re.compile(r"^(?P<hash>[0-9a-f]{7,40}) (?:\([^)]*\) )?(?P<subject>.+)$", re.MULTILINE)
_STATUS = re.compile(r"^git(?: -[cC] \S+| --no-pager)* status\b.*(?:-s\b|--short|--porcelain)")
_STATUS_LINE = re.compile(r"^(?:[ MADRCU?!]{2}) (?:.* -> )?\"?([^\"\n]+?)\"?$", re.MULTILINE)


def list_commits(runs: Sequence[Run]) -> tuple[Statement, ...]:
    """List commits as `hash subject`, from git's own lines, or from the message where git was told to be quiet."""
    commits: dict[str, Statement] = {}
    for run in runs:
        if not _is_commit(run):
            continue
        for text in _read_commits(run):
            commits.setdefault(text, Statement(text, (run.at,)))
    return tuple(commits.values())


def list_uncommitted(runs: Sequence[Run], touches: Sequence[Touch]) -> tuple[Statement, ...]:
    """List files that changed after the last commit; git's own status, where later than all edits, decides."""
    last_commit = max((run.at for run in runs if _is_commit(run) or _settles(run)), default=0)
    last_touch = max((touch.at for touch in touches), default=0)
    for run in reversed(runs):
        is_late = run.at > max(last_touch, last_commit - 1)
        if is_late and run.outcome is not Outcome.FAILED and any(map(_STATUS.match, run.line.segments)):
            listed = dict.fromkeys(_STATUS_LINE.findall(legible.clean_text(run.output)))
            return tuple(Statement(path, (run.at,)) for path in listed)
    late = {touch.path: touch.at for touch in touches if touch.at > last_commit and not touch.path.startswith("/")}
    return tuple(Statement(path, (at,)) for path, at in late.items())


def _is_commit(run: Run) -> bool:
    steps = run.line.segments
    is_tried_out = any(map(_TRY_OUT.match, steps))
    return run.outcome is not Outcome.FAILED and any(map(_COMMITS.match, steps)) and not is_tried_out


def _settles(run: Run) -> bool:
    return run.outcome is not Outcome.FAILED and any(map(_SETTLES.match, run.line.segments))


def _read_commits(run: Run) -> list[str]:
    output = legible.clean_text(run.output)
    announced = [f"{match['hash']} {_bound(match['subject'])}" for match in _ANNOUNCED.finditer(output)]
    if announced:
        return announced
    texts: list[str] = []
    for segment in filter(_COMMITS.match, run.line.segments):
        message = _MESSAGE.search(segment)
        subject = _bound(next((group for group in message.groups() if group), "")) if message else ""
        logged = next((match["hash"] for match in _LOG_LINE.finditer(output) if match["subject"] == subject), "")
        if subject:
            texts.append(f"{logged} {subject}".strip())
    return texts


def _bound(subject: str) -> str:
    first = subject.replace("\\n", "\n").strip().split("\n", 1)[0]
    return legible.clip(legible.squeeze(first), COMMIT_SUBJECT_CHARS_MAX)
