"""What a request did or was refused, as the parts that answer it say, for its row in the audit trail."""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass

from app.domain.errors import Busy
from app.domain.scope import Scope


@dataclass(slots=True)
class Trace:
    """Filled while a request is answered: which page changed from what to what, and what was kept from the caller.

    `tool` is the tool of MCP that was called; of those it is known only here whether they changed something.
    """

    scope: str = ""
    subject: str = ""
    before: str = ""
    after: str = ""
    missed: str = ""
    is_hidden: bool = False
    is_trial: bool = False
    tool: str = ""
    is_done: bool = False
    is_denied: bool = False


# Whatever answers runs below, also in tasks of its own, and has the same object.
_CURRENT: ContextVar[Trace] = ContextVar("memwiki_trace")


def begin() -> Trace:
    """Begin to answer a request."""
    trace = Trace()
    _CURRENT.set(trace)
    return trace


def find_current() -> Trace:
    """Tell what the present request has done so far."""
    return _CURRENT.get(None) or begin()


@contextmanager
def note_throttled() -> Iterator[None]:
    """Say that an attempt to come in was turned away unchecked, which has no row of its own."""
    try:
        yield
    except Busy:
        find_current().is_denied = True
        raise


def note_scope(scope: Scope) -> None:
    """Say which project the request is about."""
    find_current().scope = str(scope)


def note_trial() -> None:
    """Say that the request only wants to know what would be done."""
    find_current().is_trial = True


def note_change(subject: str, before: str, after: str) -> None:
    """Say what changed from what to what, each in a word."""
    trace = find_current()
    trace.subject, trace.before, trace.after = subject, before, after


def note_page(scope: Scope, path: str, before: str, after: str) -> None:
    """Say that a page changed; both are content hashes, empty where there was or is no page."""
    trace = find_current()
    trace.scope, trace.subject, trace.before, trace.after = str(scope), path, before, after


def note_missed(name: str, *, is_hidden: bool) -> None:
    """Say that the caller asked for something that it was told is not there.

    Also what truly is not there is said, so that the one takes as long as the other.
    """
    trace = find_current()
    trace.missed, trace.is_hidden = name, is_hidden
