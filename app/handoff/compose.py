"""The text that one session leaves for the next: where it stands, what is open, what not to try again."""

from collections.abc import Iterable

from app.domain import legible
from app.domain.event import FileChange
from app.domain.handoff import HandoffContent
from app.domain.limits import HANDOFF_ITEM_CHARS_MAX, HANDOFF_ITEMS_MAX, HANDOFF_SUMMARY_CHARS_MAX
from app.domain.session import CommandWork, FileWork, Session, SessionDigest, Statement, Turn

GOAL_CHARS_MAX = 1500
DONE_TURNS_MAX = 8
REVISION_CHARS_MIN = 7


def compose_handoff(session: Session, digest: SessionDigest, page_path: str, *, continues: str = "") -> HandoffContent:
    """Compose what the next session in the same folder is told; `continues` is the page that it took over from."""
    done = _bound([*map(_tell_commit, digest.commits), *_tell_answers(digest.turns)])
    has_changed = bool(digest.files or digest.commits)
    dirty = digest.uncommitted if has_changed else session.checkout.dirty
    content = HandoffContent(
        summary=_summarise(digest, continues),
        goal=legible.clip(digest.goal.text, GOAL_CHARS_MAX) if digest.goal else "",
        done=done,
        branch=session.checkout.branch,
        revision=_find_revision(session, digest.commits),
        dirty=_bound(dirty),
        page=page_path,
        open_questions=_bound(statement.text for statement in digest.open_questions),
        next_steps=_bound(statement.text for statement in digest.next_steps),
        files=_bound(_tell_file(work, digest.uncommitted) for work in digest.files),
        failing_commands=_bound(_tell_failure(work) for work in digest.commands if work.is_failing),
        decisions=_bound(statement.text for statement in digest.decisions),
        rejected=_bound(statement.text for statement in digest.rejected),
    )
    return cap_content(content)


def cap_content(content: HandoffContent) -> HandoffContent:
    """Bring a handoff to its bounds; texts show where they were cut and `omitted` counts the items left out."""
    omitted = content.omitted

    def cap(items: tuple[str, ...]) -> tuple[str, ...]:
        nonlocal omitted
        told = [item for item in map(_one_line, items) if item]
        omitted += max(len(told) - HANDOFF_ITEMS_MAX, 0)
        return tuple(told[:HANDOFF_ITEMS_MAX])

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
        omitted=omitted,
    )


def _summarise(digest: SessionDigest, continues: str) -> str:
    """Say where the work stands in a few lines."""
    lines = [digest.title, f"{digest.outcome_label}: {digest.outcome_reason}"]
    if len(digest.turns) > 1:
        lines.append(f"Last asked: {digest.turns[-1].asked.text}")
    answered = [turn.answered.text for turn in digest.turns if turn.answered]
    if answered:
        lines.append(f"Last report: {answered[-1]}")
    if continues:
        lines.append(f"It took over from page {continues}, where earlier open points stand.")
    return "\n".join(lines)


def _bound(texts: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(map(_one_line, texts)))


def _one_line(text: str) -> str:
    return legible.clip(legible.squeeze(legible.clean_text(text)), HANDOFF_ITEM_CHARS_MAX)


def _tell_commit(commit: Statement) -> str:
    return f"Committed {commit.text}"


def _tell_answers(turns: tuple[Turn, ...]) -> list[str]:
    told = [turn.answered.text for turn in turns if turn.answered]
    return told[-DONE_TURNS_MAX:]


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
