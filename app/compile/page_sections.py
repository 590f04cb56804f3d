"""The sections of a session's page, each empty when it has nothing to say; what a cap leaves out is counted."""

import posixpath
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TypeVar

from app.compile import conversation, escape, messages, prompts, sentences
from app.compile.evidence import Footnotes
from app.compile.purposes import CHECKS, Purpose
from app.domain import legible, limits
from app.domain.event import FileChange, Outcome
from app.domain.session import CommandWork, ErrorWork, FileWork, SessionDigest, Statement, Turn

T = TypeVar("T")

_PURPOSE_TITLES = {
    Purpose.TEST: "Tests",
    Purpose.BUILD: "Builds",
    Purpose.LINT: "Linters",
    Purpose.RUN: "Runs",
    Purpose.INSTALL: "Installations",
    Purpose.GIT: "Git",
    Purpose.OTHER: "Other",
}
# Of what is too much to show, the last is worth more to whoever goes on than the first.
_HEAD_SHARE = 4
_CONTEXT = re.compile(rf"^(?P<words>.+) \((?P<link>(?:{conversation.IN_ANSWER_TO}|{conversation.WHEN_STOPPING}).+)\)$")


@dataclass(frozen=True, slots=True)
class Caps:
    """How much of each part a page may show."""

    files: int = 60
    commands: int = 20
    errors: int = 12
    turns: int = 16
    statements: int = 12
    commits: int = 40
    report_chars: int = 1200
    goal_chars: int = 1000
    excerpts: int = 4
    item_chars: int = 400


def render_goal(digest: SessionDigest, caps: Caps, notes: Footnotes) -> str:
    """Quote the goal, then list what else was asked and the gist of each answer."""
    if digest.goal is None:
        return ""
    quote = _quote(digest.goal.text, caps.goal_chars)
    intro = "" if digest.goal.is_persons else "Taken over from an earlier session:\n\n"
    parts = [f"{intro}{quote}{notes.mark(digest.goal.evidence)}"]
    own = digest.goal.evidence if digest.goal.is_persons else ()
    others = [turn for turn in digest.turns if turn.asked.evidence != own]
    more = [turn for turn in others if not prompts.is_filler(turn.asked.text)]
    if more:
        head, tail = _split_shown(more, caps.turns)
        lines = [line for turn in head for line in _render_turn(turn, caps, notes)]
        lines.extend(_left_out(len(more) - len(head) - len(tail), "request", "requests"))
        lines.extend(line for turn in tail for line in _render_turn(turn, caps, notes))
        parts.append("Then asked:\n\n" + "\n".join(lines))
    return "\n\n".join(parts)


def _render_turn(turn: Turn, caps: Caps, notes: Footnotes) -> Iterator[str]:
    yield f"- “{_inline(turn.asked.text, caps)}”{notes.mark(turn.asked.evidence)}"
    if turn.answered:
        yield f"  → {_inline(turn.answered.text, caps)}{notes.mark(turn.answered.evidence)}"


def render_outcome(digest: SessionDigest, caps: Caps, notes: Footnotes) -> str:
    """List commits and what was left uncommitted, then quote the last report."""
    head, tail = _split_shown(digest.commits, caps.commits)
    lines = [_render_commit(commit, notes) for commit in head]
    lines.extend(_left_out(len(digest.commits) - len(head) - len(tail), "commit", "commits"))
    lines.extend(_render_commit(commit, notes) for commit in tail)
    if digest.uncommitted:
        mark = notes.mark(digest.uncommitted_evidence)
        lines.append(f"- Changed and not committed at the end: {name_files(digest.uncommitted)}{mark}")
    parts = ["\n".join(lines)] if lines else []
    report = _render_report(digest, caps)
    if report and digest.last_words:
        parts.append(f"The agent's last report{notes.mark(digest.last_words.evidence)}:\n\n{report}")
    return "\n\n".join(parts)


def render_files(digest: SessionDigest, caps: Caps, notes: Footnotes) -> str:
    """List changed files with what became of each, then which checks hold for them."""
    # The most worked on are shown, in the order in which they were first touched.
    order = sorted(range(len(digest.files)), key=lambda at: (-digest.files[at].times, at))
    shown = [digest.files[at] for at in sorted(order[: caps.files])]
    lines = [f"- {escape.code_span(work.path)}{_describe_change(work)}{notes.mark(work.evidence)}" for work in shown]
    hidden = [digest.files[at] for at in sorted(order[caps.files :])]
    if hidden:
        lines.append(f"- … and {len(hidden)} more {'file' if len(hidden) == 1 else 'files'}{_count_folders(hidden)}")
    checked = _render_checks(digest.files, notes)
    return "\n".join(lines) + (f"\n\n{checked}" if checked else "")


def _count_folders(files: Sequence[FileWork]) -> str:
    counts = Counter(posixpath.dirname(work.path) or "." for work in files)
    named = sorted(counts.items(), key=lambda item: (-item[1], item[0]))[: limits.FOLDERS_NAMED_MAX]
    return ": " + ", ".join(f"{count} in {escape.code_span(folder)}" for folder, count in named)


def _render_checks(files: Sequence[FileWork], notes: Footnotes) -> str:
    """Tell the last check that passed after each file's last change, once for all that share it."""
    changed = [work for work in files if work.change is not FileChange.DELETED]
    checks: dict[tuple[str, int], list[str]] = {}
    for work in changed:
        if work.verified_by:
            checks.setdefault((work.verified_by, work.verified_at), []).append(work.path)
    unchecked = [work for work in changed if not work.verified_by]
    told: list[str] = []
    for (command, at), paths in checks.items():
        whose = "" if len(paths) == len(changed) else f" for {name_files(paths)}"
        told.append(f"{escape.code_span(command)} passed after the last change{whose}.{notes.mark((at,))}")
    if checks and unchecked:
        mark = notes.mark(tuple(work.evidence[-1] for work in unchecked))
        told.append(f"No check passed after the last change of {name_files([work.path for work in unchecked])}.{mark}")
    return " ".join(told)


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
            if work.is_failing and work.first_failure and excerpts > 0:
                lines.append(f"  At first it failed with {escape.code_span(work.first_failure)}, at last with:")
            if work.is_failing and work.excerpt and excerpts > 0:
                lines.append("\n" + escape.fence_block(work.excerpt, indent="  ") + "\n")
                excerpts -= 1
        room -= len(of_purpose)
        if lines:
            groups.append(f"**{title}**\n\n" + "\n".join(lines).replace("\n\n\n", "\n\n").rstrip("\n"))
    rest = list(_left_out(-room, "command", "commands"))
    if digest.lookups and groups:
        rest.append(f"- Not listed: {digest.lookups} that only looked or put files into form")
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
    parts: list[str] = []
    for intro, statements in (("", digest.decisions), ("Rejected, stopped or undone:\n\n", digest.rejected)):
        lines = [
            f"- {_by_whom(statement, caps)}{notes.mark(statement.evidence)}"
            for statement in statements[: caps.statements]
        ]
        lines.extend(_left_out(len(statements) - caps.statements, "statement", "statements"))
        if lines:
            parts.append(intro + "\n".join(lines))
    return "\n\n".join(parts)


def render_statements(statements: Sequence[Statement], caps: Caps, notes: Footnotes) -> str:
    """List plain statements."""
    lines = [
        f"- {_inline(statement.text, caps)}{notes.mark(statement.evidence)}"
        for statement in statements[: caps.statements]
    ]
    lines.extend(_left_out(len(statements) - caps.statements, "statement", "statements"))
    return "\n".join(lines)


def name_files(paths: Sequence[str]) -> str:
    """Name the first of some files, and say how many more there are."""
    named = ", ".join(escape.code_span(path) for path in paths[: limits.FILES_NAMED_MAX])
    more = len(paths) - limits.FILES_NAMED_MAX
    return f"{named} and {more} more" if more > 0 else named


def _left_out(number: int, one: str, many: str) -> Iterator[str]:
    if number > 0:
        yield f"- … and {number} more {one if number == 1 else many}"


def _split_shown(items: Sequence[T], shown_max: int) -> tuple[Sequence[T], Sequence[T]]:
    """Choose what of a long list is shown: some of its head and more of its tail."""
    if len(items) <= shown_max:
        return items, ()
    head = shown_max // _HEAD_SHARE
    return items[:head], items[len(items) - (shown_max - head) :]


def _inline(text: str, caps: Caps) -> str:
    return escape.escape_inline(legible.clip(text, caps.item_chars))


def _quote(text: str, chars_max: int) -> str:
    """Quote a text of several lines up to a bound; how much is missing is said."""
    if len(text) <= chars_max:
        return escape.quote_lines(text)
    head = text[:chars_max]
    line_end = head.rfind("\n")
    kept = (head[:line_end] if line_end > chars_max // 2 else head.rsplit(" ", 1)[0]).rstrip()
    return f"{escape.quote_lines(kept)}\n>\n> … ({len(text) - len(kept)} characters left out)"


def _render_commit(commit: Statement, notes: Footnotes) -> str:
    revision, _, subject = commit.text.partition(" ")
    is_hash = len(revision) >= 7 and all(char in "0123456789abcdef" for char in revision)  # noqa: PLR2004
    named = f"{escape.code_span(revision)} {escape.escape_inline(subject)}" if is_hash and subject else ""
    return f"- Committed {named or escape.escape_inline(commit.text)}{notes.mark(commit.evidence)}"


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
    return _quote("\n".join(kept).strip(), caps.report_chars)


def _is_told(line: str, told: set[str]) -> bool:
    parsed = messages.parse_message(line)
    return bool(parsed) and all(sentences.normalise_key(part.text) in told for part in parsed)


def _describe_change(work: FileWork) -> str:
    edits = f"{work.times} edits" if work.times > 1 else "1 edit"
    if work.moved_from:
        return f" (renamed from {escape.code_span(work.moved_from)}{f', {edits}' if work.times else ''})"
    match work.change:
        case FileChange.ADDED:
            return f" (new, {edits})" if work.times > 1 else " (new)"
        case FileChange.DELETED:
            return " (removed)"
        case _:
            return f" ({edits})"


def _is_told_by_commits(work: CommandWork, digest: SessionDigest) -> bool:
    is_commit = work.purpose == Purpose.GIT and "git commit" in work.command
    return bool(digest.commits) and is_commit and work.outcome is not Outcome.FAILED


def _describe_runs(work: CommandWork) -> str:
    passed = "passed" if work.purpose in CHECKS else "succeeded"
    ended = {Outcome.SUCCEEDED: passed, Outcome.FAILED: "failed", Outcome.UNKNOWN: "ran"}[work.outcome]
    if work.outcome is Outcome.FAILED and not work.is_failing:
        # Its own last run failed, and yet it is not what is left failing.
        ran = "failed" if work.times == 1 else f"ran {work.times} times, failed {work.failures}"
        return f"{ran}; a later run that covers it did not"
    if work.times == 1:
        return ended
    if work.failures in {0, work.times}:
        return f"{ended} {work.times} times"
    return f"ran {work.times} times, failed {work.failures}, {ended} at the end"


def _describe_fix(error: ErrorWork) -> str:
    times = f", {error.times} times" if error.times > 1 else ""
    if error.is_resolved and error.fixed_in:
        return f"{times}; it passed after edits in {name_files(error.fixed_in)}"
    if error.is_resolved:
        return f"{times}; it passed later without a recorded edit"
    return f"{times}; not seen to pass afterwards"


def _by_whom(statement: Statement, caps: Caps) -> str:
    if not statement.is_persons:
        return _inline(statement.text, caps)
    context = _CONTEXT.match(statement.text)
    words, link = (context["words"], f", {_inline(context['link'], caps)}") if context else (statement.text, "")
    return f"“{_inline(words, caps)}” (the person{link})"
