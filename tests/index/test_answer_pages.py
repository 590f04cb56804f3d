"""Budgets and cursors: no answer exceeds what it may take, and its pages are the whole answer in its order."""

from collections.abc import Callable, Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.domain.errors import InvalidValue
from app.domain.limits import TEXT_CANDIDATES_MIN
from app.domain.model_tokens import estimate_tokens
from app.domain.search_errors import CursorRejected
from app.index.database import IndexDatabase
from app.search import answer
from app.search.answer import Budget, Grain, Hit
from tests.index import builders
from tests.index.test_observations import hear, say


@pytest.fixture(scope="module")
def shelf(open_index: Callable[[], IndexDatabase]) -> IndexDatabase:
    opened = open_index()
    builders.fill(opened, 200)
    return opened


@settings(max_examples=100, deadline=None)
@given(
    words=st.lists(st.sampled_from([*builders.COMMON, "ka", "lo", "mire", "zz"]), min_size=1, max_size=6),
    size=st.integers(150, 3000),
    is_tokens=st.booleans(),
)
def test_an_answer_never_exceeds_its_budget_and_counts_what_it_left_out(
    shelf: IndexDatabase, words: list[str], size: int, *, is_tokens: bool
) -> None:
    whole = builders.ask(shelf, " ".join(words))
    budget = Budget(tokens=size) if is_tokens else Budget(chars=size)

    written = answer.fit_budget(whole, budget, answer.render_answer)

    fitted, text = written.answer, written.text
    assert text == answer.render_answer(fitted)
    assert (estimate_tokens(text) if is_tokens else len(text)) <= size
    assert [hit.key for hit in fitted.hits] == [hit.key for hit in whole.hits[: len(fitted.hits)]]
    assert fitted.omitted == whole.omitted + len(whole.hits) - len(fitted.hits)


@pytest.mark.parametrize("fits", [True, False])
def test_a_budget_is_kept_at_its_bound_and_one_below_it(shelf: IndexDatabase, *, fits: bool) -> None:
    whole = builders.ask(shelf, "ka lo mire")
    text = answer.render_answer(whole)

    fitted = answer.fit_budget(whole, Budget(chars=len(text) - (not fits)), answer.render_answer)

    assert (fitted.answer == whole) is fits


def test_what_was_said_beside_later_hits_goes_before_any_hit(index: IndexDatabase) -> None:
    for number in range(6):
        hear(index, f"s{number}", say(number + 1, f"a zebra crosses, number {number}"))
    whole = builders.ask(index, "zebra")
    chars = len(answer.render_answer(whole)) - 1

    fitted = answer.fit_budget(whole, Budget(chars=chars), answer.render_answer).answer

    assert [bool(hit.observations) for hit in whole.hits] == [True] * 6
    assert [bool(hit.observations) for hit in fitted.hits] == [True] * 5 + [False]


@pytest.mark.parametrize("grain", Grain)
def test_a_budget_too_small_for_what_a_hit_shows_still_leads_to_it(index: IndexDatabase, grain: Grain) -> None:
    hear(index, "s1", say(1, f"a zebra crosses the road, {'and ' * 40}on it goes"))
    whole = builders.ask(index, "zebra", grain=grain)
    chars = len(answer.render_answer(whole)) - 100

    written = answer.fit_budget(whole, Budget(chars=chars), answer.render_answer)

    assert [hit.path for hit in written.answer.hits] == ["sessions/s1.md"]
    assert "sessions/s1.md" in written.text


def test_a_budget_that_not_even_an_empty_answer_fits_is_refused(shelf: IndexDatabase) -> None:
    with pytest.raises(InvalidValue):
        answer.fit_budget(builders.ask(shelf, "ka lo mire"), Budget(chars=1), answer.render_answer)


@settings(max_examples=30, deadline=None)
@given(
    st.lists(st.sampled_from([*builders.COMMON, "ka", "lo", "mire"]), min_size=1, max_size=4),
    st.integers(1, 20),
)
def test_pages_of_an_answer_are_the_whole_answer_in_its_order(
    shelf: IndexDatabase, words: list[str], size: int
) -> None:
    text = " ".join(words)
    whole = builders.ask(shelf, text, limit=TEXT_CANDIDATES_MIN)

    found = list(walk(shelf, text, size))

    paths = [hit.path for hit in found]
    assert paths[: len(whole.hits)] == [hit.path for hit in whole.hits]
    assert len(paths) == len(set(paths)) == len(whole.hits) + whole.omitted


def test_a_cursor_goes_on_behind_its_hit_when_a_better_page_came_in_between(index: IndexDatabase) -> None:
    for number in range(6):
        builders.put(index, builders.make_page(f"notes/{number}.md", f"lexer {'and more ' * number}"))
    first = builders.ask(index, "lexer", limit=3)
    builders.put(index, builders.make_page("notes/lexer.md", "lexer", title="lexer"))

    second = builders.ask(index, "lexer", limit=10, cursor=first.next_cursor)

    assert not {hit.path for hit in first.hits} & {hit.path for hit in second.hits}


@pytest.mark.parametrize("cursor", ["x", "é", "e30", "a" * 5000, "WzEsMiwzXQ"])
def test_a_cursor_that_is_none_of_ours_is_refused(shelf: IndexDatabase, cursor: str) -> None:
    with pytest.raises(CursorRejected):
        builders.ask(shelf, "ka lo", cursor=cursor)


def test_a_cursor_of_another_question_is_refused(shelf: IndexDatabase) -> None:
    cursor = builders.ask(shelf, "the of to", limit=1).next_cursor

    with pytest.raises(CursorRejected):
        builders.ask(shelf, "and a in", limit=1, cursor=cursor)


def walk(index: IndexDatabase, text: str, size: int) -> Iterator[Hit]:
    cursor = ""
    while True:
        found = builders.ask(index, text, limit=size, cursor=cursor)
        yield from found.hits
        cursor = found.next_cursor
        if not cursor:
            return
