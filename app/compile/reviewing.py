"""A person's word on a proposal: approved, it is carried out; rejected, it never comes back."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from app.compile import changing, index_page, knowledge, rule_candidates, settling
from app.compile import plan as plans
from app.compile.changing import Effect
from app.compile.parts import CompileParts
from app.compile.plan import PageChange
from app.domain import redact
from app.domain.errors import PageChanged, PageNotFound
from app.domain.knowledge_errors import ProposalDecided
from app.domain.lesson import Lesson, LessonKind, SeenLesson
from app.domain.limits import STATE_WRITE_SECONDS_MAX
from app.domain.page import ContentHash, PageKind, PagePath
from app.domain.pagepath import build_page_path, number_page_path
from app.domain.proposal import Ground, Proposal, ProposalKind, ProposalState
from app.domain.scope import Project
from app.state import audit, projects, proposals
from app.state.audit import AuditEntry
from app.state.engine import WriteConnection
from app.wiki.pages import NO_PAGE, Byline, PageDraft


def approve(parts: CompileParts, proposal_id: str, person: str) -> Proposal:
    """Carry a proposal out on a person's word.

    Raises:
        ProposalNotFound: there is none of this id.
        ProposalDecided: somebody has decided it already.
        PageNotFound: the page that was to be changed is gone.
        PageChanged: somebody else wrote the page this moment.
        DiskRefused: the disk is full, read-only or somebody else's.
    """
    proposal = _get_waiting(parts, proposal_id)
    project = parts.engine.read(projects.get_project, proposal.project_id)
    if proposal.kind is ProposalKind.RULE:
        path = _write_rule(parts, project, proposal, person)
    else:
        path = _write_plan(parts, project, proposal, person)
    index_page.save_pages(parts.engine, parts.wiki, project)
    return _decide(parts, proposal, ProposalState.APPROVED, person, path)


def reject(parts: CompileParts, proposal_id: str, person: str) -> Proposal:
    """Say no to a proposal; what it came from may be seen again and proposes nothing any more.

    Raises:
        ProposalNotFound: there is none of this id.
        ProposalDecided: somebody has decided it already.
    """
    proposal = _get_waiting(parts, proposal_id)
    return _decide(parts, proposal, ProposalState.REJECTED, person, PagePath(proposal.path))


def _get_waiting(parts: CompileParts, proposal_id: str) -> Proposal:
    proposal = parts.engine.read(proposals.get_proposal, proposal_id)
    if proposal.state is not ProposalState.WAITING:
        raise ProposalDecided(proposal.id, proposal.state.value)
    return proposal


def _decide(parts: CompileParts, proposal: Proposal, to_state: ProposalState, person: str, path: PagePath) -> Proposal:
    now = parts.clock.now()
    verb = "approve" if to_state is ProposalState.APPROVED else "reject"

    def decide(conn: WriteConnection) -> bool:
        done = proposals.decide_proposal(conn, proposal.id, to_state, path=path, decided_by=person, moment=now)
        if done:
            scope = projects.find_scope_name(conn, proposal.project_id)
            context = audit.build_context(scope=scope, before=proposal.state.value, after=to_state.value)
            audit.insert_audit(conn, AuditEntry(now, person, f"proposal.{verb}", proposal.id, path, context))
        return done

    if not parts.writer.submit(decide).result(STATE_WRITE_SECONDS_MAX):
        raise ProposalDecided(proposal.id, "decided")
    return parts.engine.read(proposals.get_proposal, proposal.id)


def _write_rule(parts: CompileParts, project: Project, proposal: Proposal, person: str) -> PagePath:
    """Write the page of a rule; a repetition after a crash finds it by the proposal's id."""
    path = wanted = build_page_path(PageKind.RULE, proposal.title)
    number = 1
    while (page := parts.wiki.find_page(project.scope, path)) is not None and page.id != proposal.id:
        number += 1
        path = number_page_path(wanted, number)
    if page is not None:
        return page.path
    now = knowledge.iso(parts.clock.now())
    seen = [_build_seen(ground, proposal) for ground in proposal.grounds]
    fields = {
        "type": PageKind.RULE.value,
        "id": proposal.id,
        "kind": PageKind.RULE.value,
        "title": redact.redact_text(proposal.title),
        "description": redact.redact_text(proposal.text),
        "tags": [PageKind.RULE.value],
        "author": person,
        "approved_by": person,
        "sources": knowledge.list_sources(seen) or None,
        "created": now,
        "verified_at": now,
    }
    body = redact.redact_text(rule_candidates.render_rule(proposal.text, seen))
    byline = Byline(person, f"Rule: {proposal.title}")
    return parts.wiki.save_page(project.scope, path, PageDraft(fields, body, NO_PAGE), byline).path


def _build_seen(ground: Ground, proposal: Proposal) -> SeenLesson:
    lesson = Lesson(LessonKind.RULE, proposal.key, proposal.title, proposal.created_at, ground.observations)
    return SeenLesson(ground.session_id, ground.page_path, ground.said_by, lesson)


def _write_plan(parts: CompileParts, project: Project, proposal: Proposal, person: str) -> PagePath:
    plan = plans.parse_plan(proposal.plan)
    path = plan.changes[0].path
    page = parts.wiki.read_page(project.scope, path)
    # The person looked at the change, not at the text that it was once based on.
    changes = [replace(change, expected=page.content_hash) for change in plan.changes]
    byline = Byline(person, proposal.title)
    done = changing.write_changes(parts, project, changes, byline, has_persons_word=True)
    if done.effect is Effect.STALE:
        raise PageChanged(path, page.content_hash, ContentHash(""))
    for target in _list_superseded(changes):
        _supersede(parts, project, PagePath(target), path, byline)
    return path


def _list_superseded(changes: Sequence[PageChange]) -> list[str]:
    """List the pages whose place a change takes."""
    found: list[str] = []
    for change in changes:
        relations = change.fields.get("relations")
        targets = relations.get("supersedes") if isinstance(relations, Mapping) else None
        found += [str(target) for target in targets] if isinstance(targets, list) else []
    return found


def _supersede(parts: CompileParts, project: Project, old: PagePath, new: PagePath, byline: Byline) -> None:
    try:
        page = parts.wiki.read_page(project.scope, old)
    except PageNotFound:
        return
    settling.set_fields(parts, project.scope, page, {"superseded_by": new}, byline)
