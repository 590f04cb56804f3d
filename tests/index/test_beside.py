"""Where sessions and written pages may both answer, neither stands first for being what it is."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from app.domain.session import Observation
from app.index.database import IndexDatabase
from tests.index import builders
from tests.index.test_observations import hear, say


@pytest.fixture
def index(tmp_path: Path) -> Iterator[IndexDatabase]:
    opened = IndexDatabase(tmp_path / "index")
    opened.open()
    yield opened
    opened.close()


@pytest.fixture
def mixed(index: IndexDatabase) -> IndexDatabase:
    """Sessions of much talk, one of which has a word of each question here, beside pages that answer them."""
    builders.fill(index, 40)
    builders.put(
        index,
        builders.make_page("notes/helper.md", "See src/db/_fts_helper.py for how the query is written."),
        builders.make_page("notes/hook.md", "Run the pre-commit-hook before each push."),
        builders.make_page("decisions/cache.md", "Sessions are kept in Redis, because the database was too slow."),
    )
    talk(index, "s1", say(1, "Fix the rounding bug in src/cart/total.py"), say(2, "Then commit it, and push."))
    talk(index, "s2", say(3, "The database is slow today."), say(4, "Look at the query of the cart."))
    return index


def talk(index: IndexDatabase, session: str, *said: Observation) -> None:
    body = " ".join(each.event.text for each in said)
    builders.put(index, builders.make_page(f"sessions/{session}.md", body, kind="session", session_id=session))
    hear(index, session, *said, with_page=False)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("_fts_helper.py", "notes/helper.md"),
        ("src/db/_fts_helper.py", "notes/helper.md"),
        ("pre-commit-hook", "notes/hook.md"),
        ("why are sessions kept in Redis and not in the database?", "decisions/cache.md"),
        ("rounding bug of the cart", "sessions/s1.md"),
        ("what did we say of a slow database today", "sessions/s2.md"),
    ],
)
def test_what_has_most_of_a_question_stands_first_whether_it_was_said_or_written(
    mixed: IndexDatabase, text: str, expected: str
) -> None:
    assert builders.paths(mixed, text)[0] == expected


def test_what_is_left_out_may_be_a_phrase_and_stays_where_all_stands_as_typed(index: IndexDatabase) -> None:
    builders.put(
        index,
        builders.make_page("a.md", "zebra with no cache at all"),
        builders.make_page("b.md", "zebra with a cache and no lid"),
        builders.make_page("c.md", "type zebra run -quiet to start"),
        builders.make_page("d.md", "zebra run is quiet"),
    )

    assert set(builders.paths(index, 'zebra -"no cache"')) == {"b.md", "c.md", "d.md"}
    assert set(builders.paths(index, "zebra run -quiet")) == {"a.md", "b.md", "c.md"}
    assert builders.ask(index, '"run -quiet"').understood.without == ()
