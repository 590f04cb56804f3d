"""What the index tells of a page: to a listing or a hit, and to ranking."""

from datetime import datetime

from app.domain.cheap import cheap_dataclass
from app.domain.page import PageKind, PagePath
from app.domain.scope import Scope


@cheap_dataclass(frozen=True, slots=True)
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
    content_hash: str
    revision: str


@cheap_dataclass(frozen=True, slots=True)
class ObservationRow:
    """One observation of a session, as its text was indexed."""

    id: int
    session_id: str
    shows: str
    at: datetime
    text: str


@cheap_dataclass(frozen=True, slots=True)
class CandidateRow:
    """What ranking looks at, as terms joined by blanks, of a page or of one observation on its session's page.

    `text` is all of it, `words` the running text, `near` what stands around it; `has_literal` if the query stands in
    it as typed. `tally` counts the terms of `text`, where that was done when it was indexed.
    """

    page: PageRow
    title: str
    names: str
    text: str
    has_literal: bool
    words: str = ""
    headings: str = ""
    near: str = ""
    tally: str = ""
    observation: ObservationRow | None = None

    @property
    def key(self) -> int:
        """Tell what streams call it by."""
        return self.observation.id if self.observation else self.page.row_id


@cheap_dataclass(frozen=True, slots=True)
class Sighting:
    """What a stream found and how well it fits, by the stream's own measure; `start` is where in the page's text."""

    row_id: int
    score: float
    start: int = 0


@cheap_dataclass(frozen=True, slots=True)
class Heard:
    """An observation that a stream found, and the page of its session."""

    observation: int
    page: int
    score: float


@cheap_dataclass(frozen=True, slots=True)
class Place:
    """Where a listing goes on: behind this page as it was then, or behind this observation of it."""

    updated_at: datetime
    scope: Scope
    path: str
    observation: int = 0
