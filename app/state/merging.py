"""Puts the rows of one project under another; where both have the same, one rule says which stays."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import msgspec
import sqlalchemy as sa

from app.domain.person import Access
from app.domain.proposal import ProposalState
from app.domain.scope import Project
from app.state import handoffs as handoff_rows
from app.state import projects as project_rows
from app.state.engine import WriteConnection
from app.state.tables import handoffs, jobs, project_aliases, project_identities, projects, sessions
from app.state.tables_feedback import feedback
from app.state.tables_knowledge import knowledge_pages, lessons, proposals
from app.state.tables_messages import messages
from app.state.tables_moves import moved_pages
from app.state.tables_people import access_tokens, grants, group_grants

_RANKS = {access.value: rank for rank, access in enumerate(Access)}


def merge_project(
    conn: WriteConnection, gone: Project, into: Project, paths: Mapping[str, str], page_ids: Mapping[str, str]
) -> None:
    """Give all that one project has to another and delete it; its names and repositories lead to the other.

    `paths` are the files that got other paths, and `page_ids` how the pages of lessons are called in the other one.
    """
    _move_paths(conn, gone.id, paths)
    _move_knowledge(conn, gone, into, page_ids)
    _settle_proposals(conn, gone, into)
    _settle_feedback(conn, gone, into)
    for table, key in ((grants, grants.c.account_id), (group_grants, group_grants.c.group_id)):
        _join_grants(conn, table, key, gone.id, into.id)
    _join_token_lists(conn, gone.id, into.id)
    columns = (
        sessions.c.project_id, handoffs.c.project_id, messages.c.project_id, messages.c.from_project_id,
        lessons.c.project_id, proposals.c.project_id, feedback.c.project_id, project_identities.c.project_id,
        project_aliases.c.project_id, moved_pages.c.project_id,
    )  # fmt: skip
    for column in columns:
        conn.execute(sa.update(column.table).where(column == gone.id).values({column: into.id}))
    conn.execute(sa.delete(jobs).where(jobs.c.key == gone.id))
    conn.execute(sa.delete(projects).where(projects.c.id == gone.id))
    project_rows.insert_alias(conn, into.id, gone.scope)


def _move_paths(conn: WriteConnection, project_id: str, paths: Mapping[str, str]) -> None:
    for old, new in paths.items():
        if not new:
            conn.execute(sa.delete(feedback).where(feedback.c.project_id == project_id, feedback.c.path == old))
            continue
        for column in (sessions.c.page_path, knowledge_pages.c.path, feedback.c.path, proposals.c.path):
            table = column.table
            of_project = sa.and_(table.c.project_id == project_id, column == old)
            conn.execute(sa.update(table).where(of_project).values({column: new}))
    moved = {old: new for old, new in paths.items() if new}
    if moved:
        _move_plans(conn, project_id, moved)
        _move_handoffs(conn, project_id, moved)


def _move_plans(conn: WriteConnection, project_id: str, moved: Mapping[str, str]) -> None:
    waiting = sa.and_(proposals.c.project_id == project_id, proposals.c.state == ProposalState.WAITING.value)
    for row in conn.execute(sa.select(proposals.c.id, proposals.c.plan).where(waiting)).all():
        plan: Any = msgspec.json.decode(row.plan) if row.plan else {}
        changes = plan.get("changes", []) if isinstance(plan, dict) else []
        concerned = [change for change in changes if change.get("path") in moved]
        for change in concerned:
            change["path"] = moved[change["path"]]
        if concerned:
            text = msgspec.json.encode(plan).decode()
            conn.execute(sa.update(proposals).where(proposals.c.id == row.id).values(plan=text))


def _move_handoffs(conn: WriteConnection, project_id: str, moved: Mapping[str, str]) -> None:
    rows = conn.execute(sa.select(handoffs.c.id).where(handoffs.c.project_id == project_id)).scalars().all()
    for handoff in (handoff_rows.get_handoff(conn, handoff_id) for handoff_id in rows):
        content = handoff.content
        if content.page in moved:
            page = moved[content.page]
            summary = content.summary.replace(content.page, page)
            handoff_rows.update_content(conn, handoff.id, replace(content, page=page, summary=summary))


def _move_knowledge(conn: WriteConnection, gone: Project, into: Project, page_ids: Mapping[str, str]) -> None:
    """Have pages of lessons go on under their new ids; where the other project has one of its own, that goes on."""
    ids = sa.select(knowledge_pages.c.page_id)
    known = set(conn.execute(ids.where(knowledge_pages.c.project_id == into.id)).scalars())
    for old in conn.execute(ids.where(knowledge_pages.c.project_id == gone.id)).scalars().all():
        is_it = knowledge_pages.c.page_id == old
        new = page_ids.get(old, "")
        if not new or new in known:
            conn.execute(sa.delete(knowledge_pages).where(is_it))
        else:
            conn.execute(sa.update(knowledge_pages).where(is_it).values(page_id=new, project_id=into.id))


def _settle_proposals(conn: WriteConnection, gone: Project, into: Project) -> None:
    """Keep one of two proposals of one key: what a person decided counts, else the one that was there."""
    kept = proposals.alias("kept")
    same = sa.and_(kept.c.kind == proposals.c.kind, kept.c.key == proposals.c.key)
    pairs = (
        sa.select(proposals.c.id, proposals.c.state, kept.c.id.label("kept_id"), kept.c.state.label("kept_state"))
        .join_from(proposals, kept, same)
        .where(proposals.c.project_id == gone.id, kept.c.project_id == into.id)
    )
    for row in conn.execute(pairs).all():
        waiting = ProposalState.WAITING.value
        doomed = row.kept_id if row.kept_state == waiting and row.state != waiting else row.id
        conn.execute(sa.delete(proposals).where(proposals.c.id == doomed))


def _settle_feedback(conn: WriteConnection, gone: Project, into: Project) -> None:
    """Forget what was said of pages that are not there any more and whose paths are taken by others now."""
    said = sa.select(feedback.c.path, feedback.c.said_by).where(feedback.c.project_id == gone.id)
    for path, by in conn.execute(said).all():
        same = (feedback.c.project_id == into.id, feedback.c.path == path, feedback.c.said_by == by)
        conn.execute(sa.delete(feedback).where(*same))


def _join_grants(conn: WriteConnection, table: sa.Table, key: sa.Column[str], gone: str, into: str) -> None:
    """Give whoever was granted something in both the more of it."""
    had: dict[str, str] = dict(conn.execute(sa.select(key, table.c.access).where(table.c.project_id == into)).all())
    for holder, access in conn.execute(sa.select(key, table.c.access).where(table.c.project_id == gone)).all():
        is_it = sa.and_(key == holder, table.c.project_id == gone)
        if holder not in had:
            conn.execute(sa.update(table).where(is_it).values(project_id=into))
            continue
        conn.execute(sa.delete(table).where(is_it))
        if _RANKS[access] > _RANKS[had[holder]]:
            conn.execute(sa.update(table).where(key == holder, table.c.project_id == into).values(access=access))


def _join_token_lists(conn: WriteConnection, gone: str, into: str) -> None:
    limited = access_tokens.c.projects.contains(gone, autoescape=True)
    for row in conn.execute(sa.select(access_tokens.c.id, access_tokens.c.projects).where(limited)).all():
        listed = sorted({into if each == gone else each for each in msgspec.json.decode(row.projects, type=list[str])})
        text = msgspec.json.encode(listed).decode()
        conn.execute(sa.update(access_tokens).where(access_tokens.c.id == row.id).values(projects=text))
