"""Proposals: what waits for a person's word, and what a person said; rows and reads."""

from collections.abc import Collection
from dataclasses import replace
from datetime import datetime
from typing import Any

import msgspec
import sqlalchemy as sa

from app.domain.knowledge_errors import ProposalNotFound
from app.domain.proposal import Ground, Proposal, ProposalKind, ProposalState
from app.state.engine import ReadConnection, WriteConnection
from app.state.tables import UtcMicros
from app.state.tables_knowledge import proposals

_GROUNDS = msgspec.json.Decoder(tuple[Ground, ...])
_ALL = sa.select(proposals)
_BY_ID = _ALL.where(proposals.c.id == sa.bindparam("proposal"))
_BY_KEY = _ALL.where(
    proposals.c.project_id == sa.bindparam("project"),
    proposals.c.kind == sa.bindparam("of_kind"),
    proposals.c.key == sa.bindparam("of_key"),
)
_DECIDE = (
    sa.update(proposals)
    .where(proposals.c.id == sa.bindparam("proposal"), proposals.c.state == ProposalState.WAITING.value)
    .values(
        state=sa.bindparam("new_state"),
        path=sa.bindparam("new_path"),
        decided_by=sa.bindparam("by"),
        decided_at=sa.bindparam("moment", type_=UtcMicros()),
    )
)
_RENEW = (
    sa.update(proposals)
    .where(proposals.c.id == sa.bindparam("proposal"), proposals.c.state == ProposalState.WAITING.value)
    .values(
        text=sa.bindparam("new_text"),
        reason=sa.bindparam("new_reason"),
        plan=sa.bindparam("new_plan"),
        grounds=sa.bindparam("new_grounds"),
    )
)
_COUNT = sa.select(sa.func.count()).select_from(proposals)
# What stays of a decided one whose words have to go.
_EMPTIED = {"title": "", "text": "", "reason": "", "plan": "", "grounds": "[]"}


def find_by_key(conn: ReadConnection, project_id: str, kind: ProposalKind, key: str) -> Proposal | None:
    """Find the proposal of a key, decided or not."""
    row = conn.execute(_BY_KEY, {"project": project_id, "of_kind": kind.value, "of_key": key}).one_or_none()
    return None if row is None else _to_proposal(row)


def get_proposal(conn: ReadConnection, proposal_id: str) -> Proposal:
    """Get a proposal by its id.

    Raises:
        ProposalNotFound: there is none.
    """
    row = conn.execute(_BY_ID, {"proposal": proposal_id}).one_or_none()
    if row is None:
        raise ProposalNotFound(proposal_id)
    return _to_proposal(row)


def list_proposals(
    conn: ReadConnection,
    project_id: str | None,
    limit: int,
    *,
    kind: ProposalKind | None = None,
    state: ProposalState | None = ProposalState.WAITING,
    project_ids: Collection[str] | None = None,
) -> list[Proposal]:
    """List proposals, the newest first; None asks for all projects, kinds or states.

    `project_ids` are those whose proposals may be told at all, None for every one.
    """
    wanted = _narrow(_ALL, project_id, kind, state)
    if project_ids is not None:
        wanted = wanted.where(proposals.c.project_id.in_(sorted(project_ids)))
    newest = wanted.order_by(proposals.c.created_at.desc(), proposals.c.id.desc()).limit(limit)
    return [_to_proposal(row) for row in conn.execute(newest)]


def count_waiting(conn: ReadConnection, project_id: str, kind: ProposalKind | None = None) -> int:
    """Count what waits for a person in a project."""
    return int(conn.execute(_narrow(_COUNT, project_id, kind, ProposalState.WAITING)).scalar_one())


def insert_proposal(conn: WriteConnection, proposal: Proposal) -> None:
    """Store a new proposal."""
    row = {column.name: getattr(proposal, column.name) for column in proposals.c}
    coded = {"kind": proposal.kind.value, "state": proposal.state.value, "grounds": _encode(proposal.grounds)}
    conn.execute(sa.insert(proposals), row | coded)


def renew_proposal(conn: WriteConnection, proposal: Proposal) -> bool:
    """Bring a waiting proposal's text, plan and grounds up to date; one that was decided stays as it is."""
    values = {
        "proposal": proposal.id,
        "new_text": proposal.text,
        "new_reason": proposal.reason,
        "new_plan": proposal.plan,
        "new_grounds": _encode(proposal.grounds),
    }
    return conn.execute(_RENEW, values).rowcount == 1


def decide_proposal(
    conn: WriteConnection, proposal_id: str, to_state: ProposalState, *, path: str, decided_by: str, moment: datetime
) -> bool:
    """Note a person's word; False if somebody was first."""
    values = {
        "proposal": proposal_id,
        "new_state": to_state.value,
        "new_path": path,
        "by": decided_by,
        "moment": moment,
    }
    return conn.execute(_DECIDE, values).rowcount == 1


def delete_proposal(conn: WriteConnection, proposal_id: str) -> None:
    """Delete a proposal, as when the session that it came from is forgotten."""
    conn.execute(sa.delete(proposals).where(proposals.c.id == proposal_id))


def drop_grounds(conn: WriteConnection, project_id: str, session_ids: Collection[str]) -> None:
    """Take what some sessions said out of the proposals of a project; one that rests on nothing else goes.

    Of one that was decided only the decision stays, so that it does not come back. The caller has what leaves
    overwritten in the file.
    """
    named = [proposals.c.grounds.contains(session_id, autoescape=True) for session_id in sorted(session_ids)]
    concerned = _ALL.where(proposals.c.project_id == project_id, sa.or_(sa.false(), *named))
    for known in [_to_proposal(row) for row in conn.execute(concerned).all()]:
        kept = tuple(ground for ground in known.grounds if ground.session_id not in session_ids)
        if kept:
            renew_proposal(conn, replace(known, grounds=kept))
        elif known.state is ProposalState.WAITING:
            delete_proposal(conn, known.id)
        else:
            conn.execute(sa.update(proposals).where(proposals.c.id == known.id).values(_EMPTIED))


def delete_on_page(conn: WriteConnection, project_id: str, path: str) -> int:
    """Delete what would change a page; tells how many proposals that were."""
    on_page = (proposals.c.project_id == project_id, proposals.c.path == path)
    return conn.execute(sa.delete(proposals).where(*on_page)).rowcount


def _narrow(
    statement: sa.Select[Any], project_id: str | None, kind: ProposalKind | None, state: ProposalState | None
) -> sa.Select[Any]:
    if project_id is not None:
        statement = statement.where(proposals.c.project_id == project_id)
    if kind is not None:
        statement = statement.where(proposals.c.kind == kind.value)
    return statement if state is None else statement.where(proposals.c.state == state.value)


def _encode(grounds: tuple[Ground, ...]) -> str:
    return msgspec.json.encode(grounds).decode()


def _to_proposal(row: sa.Row[*tuple[Any, ...]]) -> Proposal:
    facts = {column.name: getattr(row, column.name) for column in proposals.c}
    coded = {
        "kind": ProposalKind(row.kind),
        "state": ProposalState(row.state),
        "grounds": _GROUNDS.decode(row.grounds),
    }
    return Proposal(**{**facts, **coded})
