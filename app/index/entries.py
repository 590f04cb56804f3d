"""What the index tells of a page: to a listing or a hit, and to ranking."""

from dataclasses import dataclass
from datetime import datetime

from app.domain.page import PageKind, PagePath
from app.domain.scope import Scope


@dataclass(frozen=True, slots=True)
class PageRow:
    """A page without its text; `row_id` is the index's own number and means nothing after a rebuild."""

    row_id: int
    scope: Scope
    path: PagePath
    kind: PageKind
    title: str
    id: str
    description: str
    session_id: str
    agent: str
    author: str
    updated_at: datetime
    verified_at: datetime | None
    superseded_by: str
    is_pinned: bool


@dataclass(frozen=True, slots=True)
class CandidateRow:
    """A page with its terms as texts joined by blanks; `has_literal` if the query stands in it as typed."""

    page: PageRow
    title: str
    names: str
    text: str
    has_literal: bool
