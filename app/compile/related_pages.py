"""Which pages of a project are about the files that a session changed: other sessions' and those with knowledge."""

from functools import partial

from app.compile.session_page import RelatedPage
from app.domain.errors import StoreUnreadable
from app.domain.limits import INDEX_PAGE_LINES_MAX, RELATED_KNOWLEDGE_PAGES_MAX, RELATED_SESSION_PAGES_MAX
from app.domain.page import PageKind
from app.domain.scope import Scope
from app.domain.session import Session, SessionDigest
from app.index import naming
from app.index.database import IndexDatabase
from app.index.filters import PageFilter
from app.index.naming import NamingPage

_NOT_LINKED = frozenset({PageKind.PROJECT, PageKind.INDEX, PageKind.SESSION})


def find_related(
    index: IndexDatabase, scope: Scope, session: Session, digest: SessionDigest
) -> tuple[RelatedPage, ...]:
    """Find what leads on from a session's files: pages with knowledge, then the sessions before it that share most.

    Sessions from after its start are not among them: they lead back to this one.
    """
    files = {work.path: work.evidence for work in digest.files if "/" in work.path or "." in work.path}
    if not files or index.progress is not None:
        return ()
    kinds = tuple(kind for kind in PageKind if kind not in _NOT_LINKED)
    knowledge = _list(index, files, PageFilter((scope,), kinds=kinds, include_superseded=False))
    sessions = PageFilter((scope,), kinds=(PageKind.SESSION,), until=session.started_at)
    earlier = [found for found in _list(index, files, sessions) if found.page.id != session.id]
    # Of many sessions the one that shares the most files tells the most; of these the last.
    earlier.sort(key=lambda found: len(found.files), reverse=True)
    chosen = [*knowledge[:RELATED_KNOWLEDGE_PAGES_MAX], *earlier[:RELATED_SESSION_PAGES_MAX]]
    return tuple(
        RelatedPage(found.page.path, found.page.title, found.files, tuple(files[file][-1] for file in found.files))
        for found in chosen
    )


def _list(index: IndexDatabase, files: dict[str, tuple[int, ...]], wanted: PageFilter) -> list[NamingPage]:
    try:
        return index.read(partial(naming.list_naming, files=tuple(files), wanted=wanted, limit=INDEX_PAGE_LINES_MAX))
    except StoreUnreadable:
        # The page is worth more than its links; the next change of the session finds them.
        return []
