"""A wiki of real parts: real files, real git, a real index."""

import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from app.domain.page import ContentHash, PagePath
from app.domain.redact import redact_text
from app.domain.scope import Scope
from app.index.database import IndexDatabase
from app.wiki.committer import Committer
from app.wiki.pages import NO_PAGE, Byline, PageDraft, Wiki
from app.wiki.repository import open_repository
from app.wiki.tree import Tree
from tests.fakes import FakeIds

HERE = Scope("main", "app")
BYLINE = Byline("Ann", "Write a page")


class WallClock:
    """The real time, because file times are real."""

    def now(self) -> datetime:
        return datetime.now(UTC)


def open_wiki(folder: Path) -> Wiki:
    repository = open_repository(folder / "wiki")
    tree = Tree(folder / "wiki")
    index = IndexDatabase(folder / "index")
    index.open()
    clock = WallClock()
    return Wiki(tree, index, Committer(repository, tree, clock, linger_ms=5), clock, FakeIds())


@pytest.fixture
def wiki(tmp_path: Path) -> Iterator[Wiki]:
    opened = open_wiki(tmp_path)
    yield opened
    opened.committer.stop(10)
    opened.index.close()


def draft(text: str = "text\n", expected: ContentHash = NO_PAGE, **fields: object) -> PageDraft:
    return PageDraft(fields, redact_text(text), expected)


def put_file(wiki: Wiki, place: str, content: bytes | str) -> Path:
    path = wiki.tree.root / place
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content.encode("utf-8") if isinstance(content, str) else content)
    return path


def commit_all(wiki: Wiki) -> None:
    """Commit what is queued, on this thread or on the committer's own."""
    if wiki.committer._thread is None:
        wiki.committer.start()
    assert wiki.committer.flush(20), wiki.committer.stats


def log_lines(wiki: Wiki) -> list[str]:
    """List the commits, newest first, as `author: subject`."""
    if not wiki.committer.repository.read_head(()).revision:
        return []
    return wiki.committer.repository.run("log", "--format=%an: %s").decode("utf-8").splitlines()


def assert_git_agrees(wiki: Wiki) -> None:
    """Disk, staging and HEAD are equal and the repository is sound."""
    assert wiki.committer.repository.run("status", "--porcelain") == b""
    assert wiki.committer.repository.run("fsck", "--strict", "--no-dangling") == b""


def wait_for(condition: Callable[[], bool], seconds: float = 15) -> None:
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, "it did not happen in time"
        time.sleep(0.01)


def page(text: str) -> PagePath:
    return PagePath(text)


_PARTS = {
    "pages": "p.path_key, p.stem_key, p.kind, p.title, p.page_id, p.description, p.session_id, p.agent, p.author,"
    " p.updated_us, p.verified_us, p.superseded_by, p.is_pinned, p.content_hash, p.is_generated, p.stale_after,"
    " p.secrets FROM pages p",
    "bodies": "t.body FROM page_bodies t JOIN pages p ON p.id = t.id",
    "terms": "t.title, t.headings, t.names, t.body, t.forms FROM page_terms t JOIN pages p ON p.id = t.id",
    "tags": "t.tag FROM tags t JOIN pages p ON p.id = t.page",
    "names": "t.term FROM name_terms t JOIN pages p ON p.id = t.page",
    "findings": "t.position, t.code, t.detail FROM findings t JOIN pages p ON p.id = t.page",
    "links": "t.position, t.relation, t.target, t.to_workspace, t.to_project, t.to_key, t.is_bare, t.is_lost"
    " FROM links t JOIN pages p ON p.id = t.page",
}
_COUNTS = "SELECT term, doc, cnt FROM page_text_counts WHERE term NOT GLOB 's[0-9]*'"


def dump_index(wiki: Wiki) -> dict[str, list[tuple[object, ...]]]:
    """Read everything that the index holds about pages, without row numbers and without what only saves reading."""
    begin, end = "SELECT s.workspace, s.project, p.path, ", " JOIN scopes s ON s.id = p.scope_id"
    queries = {table: begin + part + end for table, part in _PARTS.items()} | {"text": _COUNTS}
    return {
        table: sorted(wiki.index.read(lambda connection, query=query: connection.execute(query).fetchall()), key=repr)
        for table, query in queries.items()
    }
