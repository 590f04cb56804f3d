"""A wiki of real parts: real files, real git, a real index."""

import threading
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
    if not any(thread.name == "wiki-committer" for thread in threading.enumerate()):
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
    assert wiki.committer.repository.run("fsck", "--strict") == b""


def wait_for(condition: Callable[[], bool], seconds: float = 15) -> None:
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, "it did not happen in time"
        time.sleep(0.01)


def page(text: str) -> PagePath:
    return PagePath(text)
