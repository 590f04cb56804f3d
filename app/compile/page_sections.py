"""The sections of a session's page, each empty when it has nothing to say; what a cap leaves out is counted."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from app.compile import escape, messages, sentences
from app.compile.evidence import Footnotes
from app.compile.purposes import CHECKS, Purpose
from app.domain import legible
from app.domain.event import FileChange, Outcome
from app.domain.session import CommandWork, ErrorWork, FileWork, SessionDigest, Statement

_PURPOSE_TITLES = {
    Purpose.TEST: "Tests",
    Purpose.BUILD: "Builds",
    Purpose.LINT: "Linters",
    Purpose.RUN: "Runs",
    Purpose.INSTALL: "Installations",
    Purpose.GIT: "Git",
    Purpose.OTHER: "Other",
}
_FILES_NAMED_MAX = 4


@dataclass(frozen=True, slots=True)
class Caps:
    """How much of each part a page may show."""

    files: int = 60
    commands: int = 24
    errors: int = 12
    turns: int = 20
    statements: int = 12
    report_chars: int = 1200
    goal_chars: int = 1000
    excerpts: int = 4
    item_chars: int = 400


def render_goal(digest: SessionDigest, caps: Caps, notes: Footnotes) -> str:
    """Quote the goal, then list what else was asked and the gist of each answer."""
    if digest.goal is None:
        return ""
    quote = escape.quote_lines(_clip_lines(digest.goal.text, caps.goal_chars))
    parts = [f"{quote}{notes.mark(digest.goal.evidence)}"]
    more = [turn for turn in digest.turns if turn.asked.evidence != digest.goal.evidence]
    if more:
        lines: list[str] = []
        for turn in more[: caps.turns]:
            lines.append(f"- “{escape.escape_inline(turn.asked.text)}”{notes.mark(turn.asked.evidence)}")
            if turn.answered:
                lines.append(f"  → {escape.escape_inline(turn.answered.text)}{notes.mark(turn.answered.evidence)}")
        lines.extend(_left_out(len(more) - caps.turns, "request", "requests"))
        parts.append("Then asked:\n\n" + "\n".join(lines))
    return "\n\n".join(parts)


def render_outcome(digest: SessionDigest, caps: Caps, notes: Footnotes) -> str:
    """List commits and what was left uncommitted, then quote the last report."""
    lines = [
        f"- Committed {_render_commit(commit)}{notes.mark(commit.evidence)}"
        for commit in digest.commits[: caps.statements]
    ]
    lines.extend(_left_out(len(digest.commits) - caps.statements, "commit", "commits"))
    if digest.uncommitted:
        lines.append(f"- Changed and not committed at the end: {_name_files(digest.uncommitted)}")
    parts = ["\n".join(lines)] if lines else []
    report = _render_report(digest, caps)
    if report and digest.last_words:
        parts.append(f"The agent's last report{notes.mark(digest.last_words.evidence)}:\n\n{report}")
    return "\n\n".join(parts)


def render_files(digest: SessionDigest, caps: Caps, notes: Footnotes) -> str:
    """List changed files with what became of each."""
    shown = digest.files[: caps.files]
    lines = [f"- {escape.code_span(work.path)}{_describe_change(work)}{notes.mark(work.evidence)}" for work in shown]
    lines.extend(_left_out(len(digest.files) - caps.files, "file", "files"))
    return "\n".join(lines)


def render_commands(digest: SessionDigest, caps: Caps, notes: Footnotes) -> str:
    """List commands by purpose; those that still fail come first, with the lines that tell why."""
    groups: list[str] = []
    room, excerpts = caps.commands, caps.excerpts
    works = [work for work in digest.commands if not _is_told_by_commits(work, digest)]
    for purpose, title in _PURPOSE_TITLES.items():
        of_purpose = sorted((work for work in works if work.purpose == purpose), key=lambda work: not work.is_failing)
        lines: list[str] = []
        for work in of_purpose[: max(room, 0)]:
            lines.append(f"- {escape.code_span(work.command)}: {_describe_runs(work)}{notes.mark(work.evidence)}")
            if work.is_failing and work.excerpt and excerpts > 0:
                lines.append("\n" + escape.fence_block(work.excerpt, indent="  ") + "\n")
                excerpts -= 1
        room -= len(of_purpose)
        if lines:
            groups.append(f"**{title}**\n\n" + "\n".join(lines).replace("\n\n\n", "\n\n").rstrip("\n"))
    rest = list(_left_out(-room, "command", "commands"))
    if digest.lookups and groups:
        rest.append(f"- Not listed: {digest.lookups} that only looked")
    return "\n\n".join([*groups, *(["\n".join(rest)] if rest else [])])


def render_errors(digest: SessionDigest, caps: Caps, notes: Footnotes) -> str:
    """List errors with what was done about each."""
    lines = [
        f"- {escape.code_span(error.signature)} in {escape.code_span(error.command)}{_describe_fix(error)}"
        f"{notes.mark(error.evidence)}"
        for error in digest.errors[: caps.errors]
    ]
    lines.extend(_left_out(len(digest.errors) - caps.errors, "error", "errors"))
    return "\n".join(lines)


def render_decisions(digest: SessionDigest, caps: Caps, notes: Footnotes) -> str:
    """List decisions, a person's in quotation marks, then what was rejected or undone."""
    asked = {at for turn in digest.turns for at in turn.asked.evidence}
    parts: list[str] = []
    for intro, statements in (("", digest.decisions), ("Rejected or undone:\n\n", digest.rejected)):
        lines = [
            f"- {_by_whom(statement, asked, caps.item_chars)}{notes.mark(statement.evidence)}"
            for statement in statements[: caps.statements]
        ]
        lines.extend(_left_out(len(statements) - caps.statements, "statement", "statements"))
        if lines:
            parts.append(intro + "\n".join(lines))
    return "\n\n".join(parts)


def render_statements(statements: Sequence[Statement], caps: Caps, notes: Footnotes) -> str:
    """List plain statements."""
    lines = [
        f"- {escape.escape_inline(legible.clip(statement.text, caps.item_chars))}{notes.mark(statement.evidence)}"
        for statement in statements[: caps.statements]
    ]
    lines.extend(_left_out(len(statements) - caps.statements, "statement", "statements"))
    return "\n".join(lines)


def _left_out(number: int, one: str, many: str) -> Iterator[str]:
    if number > 0:
        yield f"- … and {number} more {one if number == 1 else many}"


def _clip_lines(text: str, chars_max: int) -> str:
    """Cut a text of several lines; how much is missing is said."""
    if len(text) <= chars_max:
        return text
    head = text[:chars_max]
    line_end = head.rfind("\n")
    kept = head[:line_end] if line_end > chars_max // 2 else head.rsplit(" ", 1)[0]
    return f"{kept.rstrip()} … ({len(text) - len(kept)} characters left out)"


def _render_commit(commit: Statement) -> str:
    revision, _, subject = commit.text.partition(" ")
    is_hash = len(revision) >= 7 and all(char in "0123456789abcdef" for char in revision)  # noqa: PLR2004
    if is_hash and subject:
        return f"{escape.code_span(revision)} {escape.escape_inline(subject)}"
    return escape.escape_inline(commit.text)


def _render_report(digest: SessionDigest, caps: Caps) -> str:
    """Quote the last report without the lines that other sections already have."""
    if digest.last_words is None or caps.report_chars <= 0:
        return ""
    told = {
        sentences.normalise_key(statement.text)
        for statements in (digest.next_steps, digest.open_questions, digest.decisions, digest.rejected)
        for statement in statements
    }
    kept = [line for line in digest.last_words.text.split("\n") if not _is_told(line, told)]
    return escape.quote_lines(_clip_lines("\n".join(kept).strip(), caps.report_chars))


def _is_told(line: str, told: set[str]) -> bool:
    parsed = messages.parse_message(line)
    return bool(parsed) and all(sentences.normalise_key(part.text) in told for part in parsed)


def _name_files(paths: Sequence[str]) -> str:
    named = ", ".join(escape.code_span(path) for path in paths[:_FILES_NAMED_MAX])
    more = len(paths) - _FILES_NAMED_MAX
    return f"{named} and {more} more" if more > 0 else named


def _describe_change(work: FileWork) -> str:
    times = f", {work.times} edits" if work.times > 1 else ""
    match work.change:
        case FileChange.ADDED:
            return f" (new{times})"
        case FileChange.DELETED:
            return " (removed)"
        case _:
            return f" ({work.times} edits)" if work.times > 1 else " (1 edit)"


def _is_told_by_commits(work: CommandWork, digest: SessionDigest) -> bool:
    is_commit = work.purpose == Purpose.GIT and "git commit" in work.command
    return bool(digest.commits) and is_commit and work.outcome is not Outcome.FAILED


def _describe_runs(work: CommandWork) -> str:
    passed = "passed" if work.purpose in CHECKS else "succeeded"
    ended = {Outcome.SUCCEEDED: passed, Outcome.FAILED: "failed", Outcome.UNKNOWN: "ran"}[work.outcome]
    if work.times == 1:
        return ended
    if work.failures in {0, work.times}:
        return f"{ended} {work.times} times"
    return f"ran {work.times} times, failed {work.failures}, {ended} at the end"


def _describe_fix(error: ErrorWork) -> str:
    times = f", {error.times} times" if error.times > 1 else ""
    if error.is_resolved and error.fixed_in:
        return f"{times}; it passed after edits in {_name_files(error.fixed_in)}"
    if error.is_resolved:
        return f"{times}; it passed later without a recorded edit"
    return f"{times}; not seen to pass afterwards"


def _by_whom(statement: Statement, asked: set[int], chars_max: int) -> str:
    text = escape.escape_inline(legible.clip(statement.text, chars_max))
    return f"“{text}” (the person)" if statement.evidence and statement.evidence[0] in asked else text
