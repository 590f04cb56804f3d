"""Does what a plan says: writes the pages that may be written, and leaves a proposal for each that a person decides."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import partial

from app.compile import plan as plans
from app.compile.parts import CompileParts
from app.compile.plan import ChangeAction, PageChange, PagePlan
from app.domain import redact
from app.domain.errors import FieldsUnreadable, PageChanged, PageExists
from app.domain.limits import STATE_WRITE_SECONDS_MAX
from app.domain.limits_knowledge import PROPOSALS_WAITING_MAX
from app.domain.page import Page, PagePath
from app.domain.proposal import Ground, Proposal, ProposalKind, ProposalState
from app.domain.scope import Project
from app.state import proposals
from app.state.engine import WriteConnection
from app.wiki.pages import Byline, PageDraft

KEY_CHARS = 32


class Effect(StrEnum):
    """What became of the changes to one page; `STALE` is for whoever planned on a text that is no more."""

    WRITTEN = "written"
    UNCHANGED = "unchanged"
    PROPOSED = "proposed"
    STALE = "stale"


@dataclass(frozen=True, slots=True)
class Applied:
    """What became of one page; `page` is as it is now, None where it was not written."""

    path: PagePath
    effect: Effect
    page: Page | None = None


def apply_plan(
    parts: CompileParts,
    project: Project,
    plan: PagePlan,
    byline: Byline,
    grounds: Sequence[Ground] = (),
) -> list[Applied]:
    """Check a plan and do it, page by page.

    Raises:
        PlanRefused: the plan asks for something that no plan may do; nothing was done.
        DiskRefused: the disk is full, read-only or somebody else's.
    """
    plans.check_plan(plan)
    by_path: dict[PagePath, list[PageChange]] = {}
    for change in plan.changes:
        by_path.setdefault(change.path, []).append(change)
    applied: list[Applied] = []
    for changes in by_path.values():
        page = parts.wiki.find_page(project.scope, changes[0].path)
        held = [change for change in changes if page is not None and plans.explain_hold(page, change)]
        free = [change for change in changes if change not in held]
        done = write_changes(parts, project, free, byline) if free else Applied(changes[0].path, Effect.PROPOSED)
        if done.effect is Effect.PROPOSED:
            held = changes
        if held and done.effect is not Effect.STALE:
            _propose(parts, project, PagePlan(plan.reason, tuple(held)), tuple(grounds))
        applied.append(done)
    return applied


def write_changes(
    parts: CompileParts,
    project: Project,
    changes: Sequence[PageChange],
    byline: Byline,
    *,
    has_persons_word: bool = False,
) -> Applied:
    """Write the changes to one page if they may be written; with a person's word they may.

    Raises:
        DiskRefused: the disk is full, read-only or somebody else's.
    """
    path = changes[0].path
    page = parts.wiki.find_page(project.scope, path)
    is_new = changes[0].action is ChangeAction.CREATE
    if (page is not None) is is_new or (page is not None and page.content_hash != changes[0].expected):
        return Applied(path, Effect.STALE)
    # Before the sections are told by their hashes, which are those of what is written.
    clean = [_clean_change(change) for change in changes]
    decided = plans.decide_changes(page, clean, has_persons_word=has_persons_word)
    if decided.ask:
        return Applied(path, Effect.PROPOSED)
    draft = PageDraft(decided.fields, redact.redact_text(decided.body), changes[0].expected)
    try:
        saved = parts.wiki.save_page(project.scope, path, draft, byline)
    except (PageChanged, PageExists, FieldsUnreadable):
        return Applied(path, Effect.STALE)
    is_same = page is not None and saved.content_hash == page.content_hash
    return Applied(saved.path, Effect.UNCHANGED if is_same else Effect.WRITTEN, saved)


def put_proposal(conn: WriteConnection, wanted: Proposal) -> Proposal:
    """Store a proposal, or bring the one of its key up to date; one that a person decided stays decided."""
    known = proposals.find_by_key(conn, wanted.project_id, wanted.kind, wanted.key)
    if known is None:
        if proposals.count_waiting(conn, wanted.project_id) < PROPOSALS_WAITING_MAX:
            proposals.insert_proposal(conn, wanted)
        return wanted
    grounds = tuple(dict.fromkeys((*known.grounds, *wanted.grounds)))
    renewed = _renew(known, wanted, grounds)
    if known.state is ProposalState.WAITING and renewed != known:
        proposals.renew_proposal(conn, renewed)
    return renewed


def build_key(*texts: str) -> str:
    """Build the key under which repeats of a proposal meet."""
    return hashlib.sha256("\x00".join(texts).encode("utf-8", "replace")).hexdigest()[:KEY_CHARS]


def _propose(parts: CompileParts, project: Project, plan: PagePlan, grounds: tuple[Ground, ...]) -> None:
    change = plan.changes[0]
    page = parts.wiki.find_page(project.scope, change.path)
    ask = plans.explain_hold(page, change) if page else "the page is gone"
    named = ", ".join(change.heading or "the beginning" for change in plan.changes)
    title = page.title if page else change.path
    wanted = Proposal(
        id=parts.ids.new_id(),
        project_id=project.id,
        kind=ProposalKind.CHANGE,
        key=build_key(change.path, *sorted(change.heading for change in plan.changes)),
        title=f"Change {title}: {named}",
        text="\n\n".join(
            f"## {change.heading}\n\n{change.text}" if change.heading else change.text for change in plan.changes
        ),
        reason=f"{plan.reason}; {ask}" if plan.reason else ask,
        state=ProposalState.WAITING,
        created_at=parts.clock.now(),
        path=change.path,
        plan=plans.render_plan(plan),
        grounds=grounds,
    )
    parts.writer.submit(partial(put_proposal, wanted=wanted)).result(STATE_WRITE_SECONDS_MAX)


def _clean_change(change: PageChange) -> PageChange:
    fields = {name: _clean(name, value) for name, value in change.fields.items()}
    return replace(change, text=redact.redact_text(change.text), fields=fields)


def _renew(known: Proposal, wanted: Proposal, grounds: tuple[Ground, ...]) -> Proposal:
    return replace(known, text=wanted.text, reason=wanted.reason, plan=wanted.plan, grounds=grounds)


def _clean(name: str, value: object) -> object:
    """Redact the texts of a field, however deep they lie."""
    if isinstance(value, str):
        return redact.redact_named(name, value) if name else redact.redact_text(value)
    if isinstance(value, dict):
        return {str(key): _clean("", item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_clean("", item) for item in value]
    return value
