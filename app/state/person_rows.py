"""What state holds of one person: rows to be taken along, counts, and how all of it leaves."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

import msgspec
import sqlalchemy as sa

from app.domain.limits_projects import EXPORT_ROWS_PER_READ
from app.state.engine import ReadConnection, WriteConnection
from app.state.tables import agent_activity, handoffs, sessions
from app.state.tables_feedback import feedback
from app.state.tables_knowledge import proposals
from app.state.tables_messages import messages
from app.state.tables_people import (
    access_tokens,
    accounts,
    grants,
    group_members,
    groups,
    provider_subjects,
    web_sessions,
)

# What proves who calls, and what takes work: secrets of the server, and nothing that a person wrote.
_SECRET_ENDINGS: Final = ("_hash", "_token")
_NO_SECRET: Final = frozenset({"content_hash"})
_JSON: Final = frozenset({"content", "plan", "grounds", "checkout", "projects"})
# An agent that speaks for somebody is named after that person.
_AGENT: Final = " (agent)"


@dataclass(frozen=True, slots=True)
class Whose:
    """A person: the name under which rows are, and the account's id, empty where there is none."""

    name: str
    account_id: str = ""

    @property
    def names(self) -> tuple[str, ...]:
        """The names that stand in rows for this person."""
        return (self.name, self.name + _AGENT)


def find_whose(conn: ReadConnection, name: str) -> Whose | None:
    """Find a person of this name: by an account, also a removed one, or by what somebody of that name left."""
    account = conn.execute(sa.select(accounts.c.id).where(accounts.c.name == name)).scalar()
    if account is not None:
        return Whose(name, account)
    found = Whose(name)
    owned = (sessions.c.owner, handoffs.c.owner, messages.c.owner, feedback.c.said_by, agent_activity.c.owner)
    is_known = any(
        conn.execute(sa.select(sa.literal(1)).where(each.in_(found.names)).limit(1)).scalar() for each in owned
    )
    return found if is_known else None


def is_present(conn: ReadConnection, account_id: str) -> bool:
    """Tell whether an account was not removed yet."""
    found = sa.select(accounts.c.id).where(accounts.c.id == account_id, accounts.c.removed_at.is_(None))
    return conn.execute(found).scalar() is not None


def list_parts() -> tuple[str, ...]:
    """List the kinds of rows that a person has, besides sessions and the trail."""
    return tuple(_STATEMENTS)


def list_rows(conn: ReadConnection, part: str, whose: Whose, offset: int) -> list[dict[str, Any]]:
    """List the next rows of a kind, in a stable order, without what is secret."""
    statement = _STATEMENTS[part](whose).offset(offset).limit(EXPORT_ROWS_PER_READ)
    return [_to_plain(row._asdict()) for row in conn.execute(statement)]


def list_session_ids(conn: ReadConnection, name: str, after: str) -> list[str]:
    """List the next of a person's sessions by their ids."""
    found = sa.select(sessions.c.id).where(sessions.c.owner == name, sessions.c.id > after)
    return list(conn.execute(found.order_by(sessions.c.id).limit(EXPORT_ROWS_PER_READ)).scalars())


def count_rows(conn: ReadConnection, whose: Whose) -> dict[str, int]:
    """Count what a person has, kind by kind."""
    owned = sa.select(sa.func.count()).select_from(sessions).where(sessions.c.owner == whose.name)
    found = {"sessions": conn.execute(owned).scalar_one()}
    for part, build in _STATEMENTS.items():
        counted = sa.select(sa.func.count()).select_from(build(whose).order_by(None).subquery())
        found[part] = conn.execute(counted).scalar_one()
    return found


def erase_person(conn: WriteConnection, whose: Whose, pseudonym: str, now: datetime) -> None:
    """Delete a person's rows, and put a pseudonym where other people's rows name them; sessions went before."""
    for column in (messages.c.owner, handoffs.c.owner, feedback.c.said_by, agent_activity.c.owner):
        conn.execute(sa.delete(column.table).where(column.in_(whose.names)))
    for column in (messages.c.to_user, handoffs.c.to_user, proposals.c.decided_by, provider_subjects.c.linked_by):
        conn.execute(sa.update(column.table).where(column.in_(whose.names)).values({column: pseudonym}))
    _rename_grounds(conn, whose, pseudonym)
    if not whose.account_id:
        return
    for column in (
        access_tokens.c.account_id, web_sessions.c.account_id, provider_subjects.c.account_id,
        grants.c.account_id, group_members.c.account_id,
    ):  # fmt: skip
        conn.execute(sa.delete(column.table).where(column == whose.account_id))
    gone = {"name": pseudonym, "password_hash": "", "removed_at": now}
    conn.execute(sa.update(accounts).where(accounts.c.id == whose.account_id).values(gone))


def build_name_pattern(name: str) -> re.Pattern[str]:
    """Build what finds a name as a word of its own."""
    return re.compile(rf"(?<![\w.\-]){re.escape(name)}(?![\w\-])")


def _rename_grounds(conn: WriteConnection, whose: Whose, pseudonym: str) -> None:
    named = sa.or_(
        proposals.c.grounds.contains(whose.name, autoescape=True),
        proposals.c.reason.contains(whose.name, autoescape=True),
    )
    pattern = build_name_pattern(whose.name)
    for row in conn.execute(sa.select(proposals.c.id, proposals.c.grounds, proposals.c.reason).where(named)).all():
        renamed = {"grounds": pattern.sub(pseudonym, row.grounds), "reason": pattern.sub(pseudonym, row.reason)}
        conn.execute(sa.update(proposals).where(proposals.c.id == row.id).values(renamed))


def _to_plain(row: Mapping[str, Any]) -> dict[str, Any]:
    shown = {name: value for name, value in row.items() if not _is_secret(name)}
    return {name: _read_json(value) if name in _JSON else value for name, value in shown.items()}


def _is_secret(name: str) -> bool:
    return name == "hint" or (name.endswith(_SECRET_ENDINGS) and name not in _NO_SECRET)


def _read_json(value: object) -> object:
    try:
        return msgspec.json.decode(value) if isinstance(value, str) and value else value
    except msgspec.DecodeError:
        return value


def _of(column: sa.Column[str], *order: sa.Column[Any]) -> Any:  # noqa: ANN401 - a function of a statement
    return lambda whose: sa.select(column.table).where(column.in_(whose.names)).order_by(*order)


def _of_account(column: sa.Column[str], *order: sa.Column[Any]) -> Any:  # noqa: ANN401 - a function of a statement
    return lambda whose: sa.select(column.table).where(column == whose.account_id).order_by(*order)


_STATEMENTS: Final[Mapping[str, Any]] = {
    "account": _of_account(accounts.c.id, accounts.c.id),
    "handoffs": _of(handoffs.c.owner, handoffs.c.created_at, handoffs.c.id),
    "messages": _of(messages.c.owner, messages.c.created_at, messages.c.id),
    "feedback": _of(feedback.c.said_by, feedback.c.project_id, feedback.c.path, feedback.c.said_by),
    "decisions": _of(proposals.c.decided_by, proposals.c.created_at, proposals.c.id),
    "activity": _of(agent_activity.c.owner, agent_activity.c.agent, agent_activity.c.machine),
    "tokens": _of_account(access_tokens.c.account_id, access_tokens.c.created_at, access_tokens.c.id),
    "sign_ins": _of_account(web_sessions.c.account_id, web_sessions.c.created_at, web_sessions.c.id),
    "grants": _of_account(grants.c.account_id, grants.c.project_id),
    "providers": _of_account(provider_subjects.c.account_id, provider_subjects.c.issuer, provider_subjects.c.subject),
    "groups": lambda whose: (
        sa.select(groups.c.name, groups.c.created_at)
        .join_from(groups, group_members, group_members.c.group_id == groups.c.id)
        .where(group_members.c.account_id == whose.account_id)
        .order_by(groups.c.name)
    ),
}
