"""Lists of candidates: however few the filter lets through, the best of those, as if all had been looked at."""

import sqlite3
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.domain.scope import Scope
from app.index import filters, phrases, standing, streams
from app.index.database import IndexDatabase
from app.index.entries import Sighting
from app.index.filters import Conditions, PageFilter
from app.search.query import (
    build_observation_match,
    build_passage_match,
    build_phrase_match,
    build_session_match,
    parse_query,
)
from tests.index import builders
from tests.index.builders import HOME, OTHER
from tests.index.test_observations import hear, say

ALL = 10_000
LONG = "padding words of a page so long that it is cut into pieces\n" * 100
ASKED = parse_query("zebra")

Listing = Callable[[sqlite3.Connection, Conditions, int], list[object]]

LISTINGS: dict[str, Listing] = {
    "pages": lambda connection, conditions, limit: list(
        streams.list_lexical(connection, '"zebra"', conditions, limit),
    ),
    "passages": lambda connection, conditions, limit: list(
        streams.list_passages(connection, build_passage_match(ASKED.terms, None), conditions, limit),
    ),
    "observations": lambda connection, conditions, limit: list(
        streams.list_observations(connection, build_observation_match(ASKED, ASKED.terms, None), conditions, limit),
    ),
    "sessions": lambda connection, conditions, limit: list(
        streams.list_sessions(connection, build_session_match(ASKED.terms, None), conditions, limit),
    ),
}


@pytest.fixture(scope="module")
def herd(open_index: Callable[[], IndexDatabase]) -> IndexDatabase:
    """Sixty long session pages and their words in two projects; many are equally good, one in seven is tagged."""
    opened = open_index()
    for number in range(60):
        scope = HOME if number % 4 == 0 else OTHER
        words = " ".join(["zebra"] * (1 + number % 3))
        page = builders.make_page(
            f"sessions/s{number}.md",
            f"{words}\n{LONG}",
            scope=scope,
            kind="session",
            session_id=f"s{number}",
            tags=("rare",) if number % 7 == 0 else (),
        )
        builders.put(opened, page)
        hear(opened, f"s{number}", say(number + 1, f"{words} and what {number} said"), scope=scope, with_page=False)
    return opened


@pytest.mark.parametrize(
    "wanted", [{}, {"scopes": frozenset({HOME})}, {"tags": ("rare",)}, {"tags": ("absent",)}], ids=str
)
@pytest.mark.parametrize("limit", [1, 3, 10])
@pytest.mark.parametrize("stream", LISTINGS)
def test_a_short_list_is_the_beginning_of_the_whole_one(
    herd: IndexDatabase, stream: str, limit: int, wanted: dict[str, frozenset[Scope]]
) -> None:
    ask = LISTINGS[stream]

    def list_both(connection: sqlite3.Connection) -> tuple[list[object], list[object]]:
        conditions = filters.build_conditions(connection, PageFilter(**wanted))  # type: ignore[arg-type]
        return ask(connection, conditions, limit), ask(connection, conditions, ALL)

    short, whole = herd.read(list_both)

    assert short == whole[:limit]
    assert bool(whole) == (wanted != {"tags": ("absent",)})


STARTS = {
    "rules": lambda connection: standing.list_rules(connection, HOME, 10),
    "pinned": lambda connection: standing.list_pinned(connection, HOME, 10),
    "contradictions": lambda connection: standing.list_contradictions(connection, HOME, 10),
}


@pytest.mark.parametrize("asked", STARTS)
def test_what_a_start_asks_is_found_by_index_whatever_the_number_of_pages(filled: IndexDatabase, asked: str) -> None:
    plans = filled.read(lambda connection: list_plans(connection, STARTS[asked]))

    assert plans
    assert [step for step in plans if step.startswith("SCAN") and step.split()[1] in {"p", "q", "r", "pages"}] == []


def list_plans(connection: sqlite3.Connection, ask: Callable[[sqlite3.Connection], object]) -> list[str]:
    """List how SQLite goes about each statement that is asked."""
    asked: list[str] = []
    connection.set_trace_callback(asked.append)
    try:
        ask(connection)
    finally:
        connection.set_trace_callback(None)
    explained = [connection.execute(f"EXPLAIN QUERY PLAN {each}").fetchall() for each in asked if "pages" in each]
    return [str(row[3]) for rows in explained for row in rows]


@pytest.fixture(scope="module")
def prose(open_index: Callable[[], IndexDatabase]) -> IndexDatabase:
    opened = open_index()
    builders.fill(opened, 150, extra="na-tri-bra na_tri_bra, Größe 设备清单 of the use")
    builders.fill(opened, 30, scope=OTHER, seed=2)
    return opened


@settings(max_examples=200, deadline=None)
@given(
    st.lists(
        st.sampled_from([*builders.COMMON[:6], "na", "tri", "bra", "grosse", "设备", "清单", "use"]),
        min_size=2,
        max_size=6,
    ),
    st.integers(1, 300),
    st.sampled_from([PageFilter(), PageFilter(scopes=frozenset({OTHER}))]),
)
def test_a_phrase_that_few_pages_may_hold_is_ranked_as_full_text_ranks_it(
    prose: IndexDatabase, words: list[str], limit: int, wanted: PageFilter
) -> None:
    def look(connection: sqlite3.Connection) -> tuple[list[Sighting] | None, list[Sighting]]:
        counts = streams.count_term_pages(connection, [(word, False) for word in words], {})
        conditions = filters.build_conditions(connection, wanted)
        asked = streams.list_lexical(connection, build_phrase_match([" ".join(words)], None), conditions, limit)
        return phrases.list_phrase(connection, words, counts, conditions, limit), asked

    found, expected = prose.read(look)

    assert found is None or [each.row_id for each in found] == [each.row_id for each in expected]
    assert found is None or [each.score for each in found] == pytest.approx([each.score for each in expected])
