"""Whatever is typed: no search fails, and a text that stands on a page finds that page."""

import itertools
from collections.abc import Callable

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from app.domain.limits import QUERY_CHARS_MAX, SNIPPET_CHARS_MAX
from app.index import tokens
from app.index.database import IndexDatabase
from tests.index import builders

GRAMMAR = [
    "AND",
    "OR",
    "NOT",
    "NEAR(",
    ")",
    "(",
    '"',
    "'",
    "*",
    "^",
    ":",
    "-",
    "+",
    "{",
    "}",
    "title:",
    "\\",
    "--",
    ";",
]
UNICODE = ["é", "e\u0301", "用户", "備", "สวัสดี", "क्षि", "צ\u05f3", "ß", "İ", "ﬁ", "\u200d", "\u202e", "\x00", "Ω"]
WORDS = ["lexer", "getUserByID", "src/db/_fts.py", "C++", ".NET", "20.04", "don't", "s1", "10%", "a_b"]

hostile = st.lists(
    st.one_of(st.sampled_from(GRAMMAR), st.sampled_from(UNICODE), st.sampled_from(WORDS), st.text(max_size=8)),
    min_size=1,
    max_size=12,
).flatmap(lambda parts: st.sampled_from(["", " "]).map(lambda glue: glue.join(parts)))

numbers = itertools.count()


@pytest.fixture(scope="module")
def shelf(open_index: Callable[[], IndexDatabase]) -> IndexDatabase:
    opened = open_index()
    builders.fill(opened, 200)
    return opened


def is_telling(text: str) -> bool:
    """Tell whether a text has more to look for than the words that stand on every page of the shelf."""
    terms = tokens.build_terms(text)
    return bool({*terms.words.split(), *terms.forms} - {*builders.COMMON, "notes"})


@settings(max_examples=300, deadline=None)
@given(hostile)
@example('"' * 9)
@example('a"b"c')
@example("\ud800 lexer")
@example("( " * 5000)
@example("x" * (QUERY_CHARS_MAX + 5))
def test_a_text_finds_the_page_that_holds_it_in_the_first_three(shelf: IndexDatabase, text: str) -> None:
    path = f"literal/{next(numbers)}.md"
    body = f"We saw {text} there.".encode("utf-8", "replace").decode()
    builders.put(shelf, builders.make_page(path, body, title="a case"))

    answered = builders.ask(shelf, text)

    builders.remove(shelf, path)
    assert not answered.degraded
    assert not is_telling(text) or path in [hit.path for hit in answered.hits][:3]
    assert all(len(hit.snippet.text) <= SNIPPET_CHARS_MAX for hit in answered.hits)


@settings(max_examples=50, deadline=None)
@given(st.lists(st.sampled_from([*builders.COMMON, "ka", "lo", "mire"]), min_size=1, max_size=6))
def test_the_same_question_has_the_same_answer_in_a_total_order(shelf: IndexDatabase, words: list[str]) -> None:
    text = " ".join(words)

    once, again = builders.ask(shelf, text, limit=100), builders.ask(shelf, text, limit=100)

    assert once == again
    places = [(-hit.score, hit.scope, hit.path) for hit in once.hits]
    assert places == sorted(places)
    assert len(set(places)) == len(places)
