"""Domain values as JSON-ready dictionaries, the same for HTTP and MCP; the names are the interface's."""

from collections.abc import Mapping
from dataclasses import fields
from datetime import datetime

from app.domain import limits
from app.domain.activity import DropCount
from app.domain.checkout import Checkout
from app.domain.event import Event
from app.domain.handoff import Handoff
from app.domain.page import Page, Revision
from app.domain.scope import Project
from app.domain.session import Forgetting, Observation, Session
from app.index.entries import PageRow
from app.wiki.parts import Part

Shape = dict[str, object]


def shape_moment(moment: datetime | None) -> str | None:
    """Write a moment as RFC 3339 in UTC, to the second."""
    return moment.strftime("%Y-%m-%dT%H:%M:%SZ") if moment else None


def shape_project(project: Project) -> Shape:
    """Shape a project."""
    return {
        "id": project.id,
        "name": str(project.scope),
        "aliases": list(project.aliases),
        "identities": list(project.identities),
        "created_at": shape_moment(project.created_at),
        "archived_at": shape_moment(project.archived_at),
        "is_restricted": project.is_restricted,
    }


def list_facts(checkout: Checkout) -> list[tuple[str, object]]:
    """List what was seen of a folder, by the names that clients send it under."""
    facts = [(field.name, getattr(checkout, field.name)) for field in fields(checkout)]
    return [(name, list(value) if isinstance(value, tuple) else value) for name, value in facts]


def shape_drop(count: DropCount) -> Shape:
    """Shape what a sender's events were not kept for."""
    return {
        "agent": count.agent,
        "machine": count.machine,
        "by_policy": count.by_policy,
        "purged": count.purged,
        "unreadable": count.unreadable,
        "unreadable_at": shape_moment(count.unreadable_at),
    }


def shape_forgetting(forgetting: Forgetting) -> Shape:
    """Shape what of a session goes or went, and what remains elsewhere."""
    return {
        "session": forgetting.session_id,
        "agent_session_id": forgetting.agent_session_id,
        "project": forgetting.project,
        "applied": forgetting.is_done,
        "observations": forgetting.observations,
        "segments": forgetting.segments,
        "pages": list(forgetting.pages),
        "handoffs": forgetting.handoffs,
        "messages": forgetting.messages,
        "remains": list(forgetting.remains),
    }


def shape_revision(revision: Revision) -> Shape:
    """Shape one revision of a page."""
    return {
        "id": revision.id,
        "at": shape_moment(revision.at),
        "author": revision.author,
        "message": revision.message,
        "session_id": revision.session_id,
    }


def shape_page(page: Page, text: str) -> Shape:
    """Shape a page with its file's text; `content_hash` is what a later save states as expected."""
    return {
        "project": str(page.scope),
        "path": page.path,
        "id": page.id,
        "title": page.title,
        "kind": str(page.kind),
        "tags": list(page.tags),
        "content_hash": page.content_hash,
        "fields": dict(page.fields),
        "body": page.body,
        "text": text,
        "findings": [{"code": finding.code, "detail": finding.detail} for finding in page.findings],
    }


def shape_part(page: Page, part: Part) -> Shape:
    """Shape a part of a page like the page, with its lines; `body` and `text` are the part's alone."""
    lines = {"first": part.first, "last": part.last, "total": part.total}
    return {**shape_page(page, part.text), "body": part.text, "lines": lines}


def shape_row(row: PageRow) -> Shape:
    """Shape a page as lists show it."""
    return {
        "project": str(row.scope),
        "path": row.path,
        "title": row.title,
        "kind": str(row.kind),
        "description": row.description,
        "updated_at": shape_moment(row.updated_at),
        "verified_at": shape_moment(row.verified_at),
        "superseded_by": row.superseded_by,
        "session_id": row.session_id,
        "agent": row.agent,
        "author": row.author,
    }


def shape_session(session: Session, names: Mapping[str, str]) -> Shape:
    """Shape a session; `names` are the projects' by id."""
    return {
        "id": session.id,
        "agent": str(session.agent),
        "agent_session_id": session.agent_session_id,
        "project": names.get(session.project_id, ""),
        "owner": session.owner,
        "state": str(session.state),
        "has_work": session.has_work,
        "started_at": shape_moment(session.started_at),
        "last_event_at": shape_moment(session.last_event_at),
        "ended_at": shape_moment(session.ended_at),
        "page_path": session.page_path,
        "continues": session.continues,
        "is_opted_out": session.opted_out_at is not None,
        "cwd": session.cwd,
        "machine": session.checkout.machine,
        "launch": session.checkout.launch,
        "run": session.checkout.run,
    }


def shape_observation(observation: Observation) -> Shape:
    """Shape an observation with its redacted texts."""
    event = observation.event
    tool = event.tool
    return {
        "id": observation.id,
        "received_at": shape_moment(observation.received_at),
        "kind": str(event.kind),
        "native_name": event.native_name,
        "actor": str(event.actor),
        "native_id": event.native_id,
        "summary": summarise_event(event),
        "text": event.text,
        "reason": event.reason,
        "tool": tool.name if tool else "",
        "outcome": str(tool.outcome) if tool else "",
        "command": tool.command if tool else "",
        "files": [{"path": touch.path, "change": str(touch.change)} for touch in tool.files] if tool else [],
        "output": tool.output_text if tool else "",
    }


def shape_handoff(handoff: Handoff, names: Mapping[str, str]) -> Shape:
    """Shape a handoff; `holder` says in words who has it."""
    content = handoff.content
    holder = f"{handoff.holder_agent or 'somebody'} (session {handoff.holder_session_id})"
    return {
        "id": handoff.id,
        "project": names.get(handoff.project_id, ""),
        "owner": handoff.owner,
        "origin": str(handoff.origin),
        "state": str(handoff.state),
        "from_agent": handoff.from_agent,
        "from_session_id": handoff.from_session_id,
        "to_agent": handoff.to_agent,
        "to_user": handoff.to_user,
        "cwd": handoff.cwd,
        "machine": handoff.machine,
        "holder": holder if handoff.holder_session_id else "",
        "holder_session_id": handoff.holder_session_id,
        "holder_agent": handoff.holder_agent,
        "is_provisional": handoff.is_provisional,
        "lease_until": shape_moment(handoff.lease_until),
        "created_at": shape_moment(handoff.created_at),
        "closed_at": shape_moment(handoff.closed_at),
        "superseded_by": handoff.superseded_by,
        "content": {
            "summary": content.summary,
            "goal": content.goal,
            "done": list(content.done),
            "open_questions": list(content.open_questions),
            "next_steps": list(content.next_steps),
            "files": list(content.files),
            "failing_commands": list(content.failing_commands),
            "branch": content.branch,
            "revision": content.revision,
            "dirty": list(content.dirty),
            "dirty_count": content.dirty_count,
            "ahead": content.ahead,
            "behind": content.behind,
            "decisions": list(content.decisions),
            "rejected": list(content.rejected),
            "carried": list(content.carried),
            "looked_at": list(content.looked_at),
            "page": content.page,
            "omitted": content.omitted,
        },
    }


def summarise_event(event: Event) -> str:
    """Say in one line what an event was."""
    tool = event.tool
    if tool is not None:
        subject = tool.command or ", ".join(touch.path for touch in tool.files) or tool.input_text
        text = f"{tool.name} {subject} ({tool.outcome})"
    else:
        text = event.text or event.reason or event.native_name
    line = " ".join(text.split())
    return (
        line
        if len(line) <= limits.OBSERVATION_SUMMARY_CHARS_MAX
        else f"{line[: limits.OBSERVATION_SUMMARY_CHARS_MAX - 1]}…"
    )
