"""On whose behalf something is done: by which proof, from where, in which request, and which pages change by it.

It goes along with a request through threads and to the writer, so that no row of the trail can be left without it.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Final, TypeVar

from app.domain.scope import Scope

A = TypeVar("A")
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Origin:
    """By which proof somebody acts, and from where; what is not known is empty."""

    token_id: str = ""
    web_session_id: str = ""
    address: str = ""
    request_id: str = ""


_SERVER: Final = Origin(address="this server")


@dataclass(frozen=True, slots=True)
class PageChange:
    """A page that changed; both are content hashes, empty where there was or is no page."""

    scope: Scope
    path: str
    before: str
    after: str


@dataclass(slots=True)
class Errand:
    """One request, or one command on the server's machine, while it is carried out."""

    find_origin: Callable[[], Origin]
    pages: list[PageChange] = field(default_factory=list)


_CURRENT: Final[ContextVar[Errand | None]] = ContextVar("memwiki_errand", default=None)


def begin(find_origin: Callable[[], Origin]) -> Errand:
    """Begin an errand; its origin is asked for when a row of the trail needs it."""
    errand = Errand(find_origin)
    _CURRENT.set(errand)
    return errand


def find_current() -> Errand | None:
    """Tell on which errand the caller is; None where the server does something by itself."""
    return _CURRENT.get()


def find_origin() -> Origin:
    """Tell by which proof and from where the present work was asked for; what nobody asked for the server does."""
    errand = _CURRENT.get()
    return _SERVER if errand is None else errand.find_origin()


def note_page(change: PageChange) -> None:
    """Say that a page changed, for the trail of whoever wanted that."""
    errand = _CURRENT.get()
    if errand is not None:
        errand.pages.append(change)


def carry(work: Callable[[A], T]) -> Callable[[A], T]:
    """Have work that another thread does be done on the errand of whoever hands it over."""
    errand = _CURRENT.get()
    if errand is None:
        return work

    def work_for(given: A) -> T:
        with resume(errand):
            return work(given)

    return work_for


@contextmanager
def resume(errand: Errand | None) -> Iterator[None]:
    """Work on an errand that was begun elsewhere."""
    mark = _CURRENT.set(errand)
    try:
        yield
    finally:
        _CURRENT.reset(mark)
