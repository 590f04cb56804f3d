"""What compiling works with: state, wiki, clock and thresholds, bound together by the wiring."""

from collections.abc import Callable
from dataclasses import dataclass

from app.compile.sealing import ArchiveParts
from app.compile.thresholds import STANDARD, Thresholds
from app.domain.clock import Clock, IdSource
from app.domain.session import Session
from app.state.engine import StateEngine
from app.state.raw import RawStore
from app.state.verbatim import Verbatim
from app.state.writer import Writer
from app.wiki.pages import Wiki


@dataclass(frozen=True, slots=True)
class CompileParts:
    """What compiling works with."""

    engine: StateEngine
    writer: Writer
    wiki: Wiki
    clock: Clock
    ids: IdSource
    raw: RawStore
    thresholds: Thresholds = STANDARD
    # Called between the steps of a long job, so that a page that somebody waits for need not.
    breathe: Callable[[], None] = lambda: None
    # Whether others will write the project's own pages soon, so that one of many need not.
    awaits_others: Callable[[Session], bool] = lambda _: False

    @property
    def archive(self) -> ArchiveParts:
        """What of it sealing works with."""
        return ArchiveParts(Verbatim(self.engine, self.raw), self.writer, self.clock)
