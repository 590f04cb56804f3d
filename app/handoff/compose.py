"""The text that one session leaves for the next: where it stands, what is open, what not to try again."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from app.domain import legible
from app.domain.event import FileChange, Outcome
from app.domain.handoff import HandoffContent
from app.domain.limits import (
    HANDOFF_CARRIED_MAX,
    HANDOFF_ITEM_CHARS_MAX,
    HANDOFF_ITEMS_MAX,
    HANDOFF_LOOKED_MAX,
    HANDOFF_SUMMARY_CHARS_MAX,
)
from app.domain.limits_handoff import HANDOFF_DONE_TURNS_MAX, HANDOFF_GOAL_CHARS_MAX, HANDOFF_LINE_CHARS_MAX
from app.domain.session import CommandWork, FileWork, Session, SessionDigest, Statement, Turn

REVISION_CHARS_MIN = 7
# An earlier point counts as dealt with when so much of its words comes back in what was done.
SETTLED_SHARE_MIN = 0.75
WORD_CHARS_MIN = 4

_FAILED_BEFORE = "Failed before: "
_INHERITED_TITLE = "Work that was taken over"
_WORD = re.compile(r"\w+")


@dataclass(frozen=True, slots=True)
class Handover:
    """What a handoff says besides the session's digest: the last goal in the person's words, and what was taken over.

    `taken` are the handoffs that the session held, `looked_at` the files that it read last, `page_path` its own page.
    """

    page_path: str
    goal: str = ""
    title: str = ""
    taken: tuple[HandoffContent, ...] = ()
    looked_at: tuple[str, ...] = ()


def compose_handoff(session: Session, digest: SessionDigest, told: Handover) -> HandoffContent:
    """Compose what the next session in the same folder is told."""
    checkout = session.checkout
    has_changed = bool(digest.files or digest.commits)
    changed = {work.path for work in digest.files}
    is_seen = checkout.dirty_count is not None
    content = HandoffContent(
        summary=_summarise(digest, told),
        goal=legible.clip(told.goal or (digest.goal.text if digest.goal else ""), HANDOFF_GOAL_CHARS_MAX),
        done=_bound([*map(_tell_commit, digest.commits), *_tell_answers(digest.turns)]),
        branch=checkout.branch,
        revision=_find_revision(session, digest.commits),
        dirty=_bound(digest.uncommitted if has_changed and not is_seen else checkout.dirty),
        page=told.page_path,
        open_questions=_bound(statement.text for statement in digest.open_questions),
        next_steps=_bound(statement.text for statement in digest.next_steps),
        files=_bound(_tell_file(work, digest.uncommitted) for work in digest.files),
        failing_commands=_bound(_tell_failure(work) for work in digest.commands if work.is_failing),
        decisions=_bound(statement.text for statement in digest.decisions),
        rejected=_bound(statement.text for statement in digest.rejected),
        looked_at=_bound(path for path in told.looked_at if path not in changed)[:HANDOFF_LOOKED_MAX],
        dirty_count=checkout.dirty_count,
        ahead=checkout.ahead,
        behind=checkout.behind,
    )
    return cap_content(replace(content, carried=_carry_over(content, digest, told.taken)))


def cap_content(content: HandoffContent) -> HandoffContent:
    """Bring a handoff to its bounds; texts show where they were cut and `omitted` counts the items left out."""
    omitted = content.omitted

    def cap(items: tuple[str, ...], items_max: int = HANDOFF_ITEMS_MAX) -> tuple[str, ...]:
        nonlocal omitted
        told = [item for item in map(_one_line, items) if item]
        omitted += max(len(told) - items_max, 0)
        return tuple(told[:items_max])

    return HandoffContent(
        summary=legible.clip(legible.clean_text(content.summary).strip(), HANDOFF_SUMMARY_CHARS_MAX),
        goal=legible.clip(legible.clean_text(content.goal).strip(), HANDOFF_SUMMARY_CHARS_MAX),
        done=cap(content.done),
        open_questions=cap(content.open_questions),
        next_steps=cap(content.next_steps),
        files=cap(content.files),
        failing_commands=cap(content.failing_commands),
        branch=_one_line(content.branch),
        revision=_one_line(content.revision),
        dirty=cap(content.dirty),
        page=_one_line(content.page),
        decisions=cap(content.decisions),
        rejected=cap(content.rejected),
        carried=cap(content.carried, HANDOFF_CARRIED_MAX),
        looked_at=cap(content.looked_at),
        omitted=omitted,
        dirty_count=content.dirty_count,
        ahead=content.ahead,
        behind=content.behind,
    )


def drop_inherited(content: HandoffContent, gone: Sequence[HandoffContent]) -> HandoffContent:
    """Take out of a handoff what its session was told by others that are to be forgotten."""
    points = {_one_line(point) for earlier in gone for point in _list_points(earlier)}
    titles = {earlier.summary.partition("\n")[0] for earlier in gone} - {""}
    summary = "\n".join(_INHERITED_TITLE if line in titles else line for line in content.summary.split("\n"))
    for page in {earlier.page for earlier in gone} - {""}:
        summary = summary.replace(_tell_source(page), "").rstrip()
    goals = {earlier.goal for earlier in gone}
    return replace(
        content,
        summary=summary,
        goal="" if content.goal in goals else content.goal,
        carried=tuple(point for point in content.carried if point not in points),
    )


def rename_pages(content: HandoffContent, moved: Mapping[str, str]) -> HandoffContent:
    """Name the pages by their new paths that a handoff says to read, or to have come from."""
    summary = content.summary
    for old, new in moved.items():
        summary = summary.replace(_tell_source(old), _tell_source(new))
    return replace(content, summary=summary, page=moved.get(content.page, content.page))


def _summarise(digest: SessionDigest, told: Handover) -> str:
    """Say in three lines where the work stands: what it is, how it went, what was said last."""
    lines = [told.title or digest.title, f"{digest.outcome_label}: {digest.outcome_reason}"]
    answered = [turn.answered.text for turn in digest.turns if turn.answered]
    pages = [content.page for content in told.taken if content.page]
    said = [f"Last report: {answered[-1]}"] if answered else []
    said += [_tell_source(pages[0])] if pages else []
    return "\n".join(
        legible.clip(line, HANDOFF_LINE_CHARS_MAX) for line in [*lines, *([" ".join(said)] if said else [])]
    )


def _carry_over(new: HandoffContent, digest: SessionDigest, taken: Sequence[HandoffContent]) -> tuple[str, ...]:
    """List the open points of what was taken over that this session neither settled nor tells itself."""
    ran = {work.command for work in digest.commands}
    passed = {work.command for work in digest.commands if work.outcome is Outcome.SUCCEEDED and not work.is_failing}
    told = _list_words(" ".join((*new.next_steps, *new.open_questions, *new.failing_commands)))
    done = _list_words(" ".join(_list_deeds(digest)))
    points = [point for content in taken for point in _list_points(content)]
    open_points = (
        point
        for point in dict.fromkeys(points)
        if not any(f"`{command}`" in point for command in passed)
        and not any(point.startswith(f"{_FAILED_BEFORE}{command}") for command in ran)
        and not _is_covered(point, done)
        and not _is_covered(point, told)
    )
    return tuple(open_points)


def _list_points(content: HandoffContent) -> list[str]:
    """List what a handoff leaves open."""
    failing = (f"{_FAILED_BEFORE}{item}" for item in content.failing_commands)
    return [*content.next_steps, *content.open_questions, *content.carried, *failing]


def _tell_source(page: str) -> str:
    return f"It took over from page {page}."


def _list_deeds(digest: SessionDigest) -> list[str]:
    return [
        *(commit.text for commit in digest.commits),
        *(turn.answered.text for turn in digest.turns if turn.answered),
        *(statement.text for statement in digest.decisions),
        *(work.path for work in digest.files),
    ]


def _is_covered(point: str, words: frozenset[str]) -> bool:
    wanted = _list_words(point)
    return bool(wanted) and len(wanted & words) >= SETTLED_SHARE_MIN * len(wanted)


def _list_words(text: str) -> frozenset[str]:
    return frozenset(word for word in _WORD.findall(text.casefold()) if len(word) >= WORD_CHARS_MIN)


def _bound(texts: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(map(_one_line, texts)))


def _one_line(text: str) -> str:
    return legible.clip(legible.squeeze(legible.clean_text(text)), HANDOFF_ITEM_CHARS_MAX)


def _tell_commit(commit: Statement) -> str:
    return f"Committed {commit.text}"


def _tell_answers(turns: tuple[Turn, ...]) -> list[str]:
    """List what the person was told, but for the last word, which stands with where the work is."""
    told = [turn.answered.text for turn in turns if turn.answered]
    return told[-HANDOFF_DONE_TURNS_MAX - 1 : -1]


def _tell_file(work: FileWork, uncommitted: tuple[str, ...]) -> str:
    words = {FileChange.ADDED: "new", FileChange.DELETED: "removed"}
    notes = [words[work.change]] if work.change in words else []
    if work.path in uncommitted:
        notes.append("not committed")
    return f"{work.path} ({', '.join(notes)})" if notes else work.path


def _tell_failure(work: CommandWork) -> str:
    excerpt = legible.squeeze(work.excerpt.replace("\n", " | "))
    return f"{work.command}: {excerpt}" if excerpt else work.command


def _find_revision(session: Session, commits: tuple[Statement, ...]) -> str:
    """Find the revision that the session left: its own last commit where git named it, else where it began."""
    for commit in reversed(commits):
        first = commit.text.partition(" ")[0]
        if len(first) >= REVISION_CHARS_MIN and all(char in "0123456789abcdef" for char in first):
            return first
    return session.checkout.revision
