"""`Proposal`: what memwiki would do and may not do alone; it waits until a person approves or rejects it."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum


class ProposalKind(StrEnum):
    """`RULE` would become a rule, `CHANGE` a change of a page that is a person's, `MERGE` one page out of two."""

    RULE = "rule"
    CHANGE = "change"
    MERGE = "merge"


class ProposalState(StrEnum):
    """Nothing but a person moves a proposal out of `WAITING`."""

    WAITING = "waiting"
    APPROVED = "approved"
    REJECTED = "rejected"


@dataclass(frozen=True, slots=True)
class Ground:
    """One thing that speaks for a proposal: a session's observations, or a page."""

    session_id: str = ""
    page_path: str = ""
    observations: tuple[int, ...] = ()
    said_by: str = ""


@dataclass(frozen=True, slots=True)
class Proposal:
    """One proposal; the same `key` in a project is the same proposal, whether decided or not.

    `text` is the sentence of a rule, or what is to change in words; `plan` is the change itself as JSON. `path` is the
    page that is concerned, and after an approval the one that was written.
    """

    id: str
    project_id: str
    kind: ProposalKind
    key: str
    title: str
    text: str
    reason: str
    state: ProposalState
    created_at: datetime
    path: str = ""
    plan: str = ""
    grounds: tuple[Ground, ...] = ()
    decided_by: str = ""
    decided_at: datetime | None = None
