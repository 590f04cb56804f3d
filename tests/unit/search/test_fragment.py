"""Of two texts of a hit both are shown where each says more, shortened around what matched."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.domain.limits_search import HEARD_SNIPPET_CHARS_MAX, PAGE_SNIPPET_CHARS_MAX
from app.search import fragment, query, snippet
from app.search.snippet import Snippet

PADDING = "and so it went on for a while with nothing of note "


def show(body: str, asked: str) -> Snippet:
    return snippet.build_snippet(body, {term.text: term.weight for term in query.parse_query(asked).terms})


def list_marked(found: Snippet) -> list[str]:
    return [found.text[begin:end] for begin, end in found.marks]


@pytest.mark.parametrize("said", ["the lexer broke", "nothing of it", "Lexer, LEXER"])
def test_what_was_said_is_left_out_where_it_adds_no_word(said: str) -> None:
    page = show("a vet error in the lexer", "vet lexer")

    assert fragment.share_room(page, show(said, "vet lexer")) == (page, Snippet(""))


def test_both_are_shown_shortened_where_what_was_said_adds_a_word() -> None:
    page, heard = (
        show(f"{PADDING * 2}vet {PADDING * 3}", "vet lexer"),
        show(f"{PADDING * 3}lexer {PADDING}", "vet lexer"),
    )

    shown, said = fragment.share_room(page, heard)

    assert (len(shown.text) <= PAGE_SNIPPET_CHARS_MAX, len(said.text) <= HEARD_SNIPPET_CHARS_MAX) == (True, True)
    assert (list_marked(shown), list_marked(said)) == (["vet"], ["lexer"])


def test_what_is_alike_without_a_word_in_common_is_shown_beside_the_page() -> None:
    shown, said = fragment.share_room(Snippet("We chose Postgres."), Snippet("which database then"))

    assert (shown.text, said.text) == ("We chose Postgres.", "which database then")


def test_the_stretch_with_most_of_the_words_is_kept() -> None:
    found = Snippet(f"vet {PADDING * 3}the lexer error", ((0, 3), (161, 166), (167, 172)))

    assert list_marked(fragment.shorten(found, 60)) == ["lexer", "error"]


@given(
    st.lists(st.sampled_from(["lexer", "vet", "用户身份", "naïve", "x" * 70, "and", "so"]), max_size=60).map(" ".join),
    st.integers(20, 240),
)
def test_a_shortened_snippet_is_within_its_bound_and_marks_what_it_marked(body: str, chars_max: int) -> None:
    found = show(body, "lexer vet 用户 naïve")

    shortened = fragment.shorten(found, chars_max)

    assert len(shortened.text) <= max(chars_max, 0)
    assert set(list_marked(shortened)) <= set(list_marked(found))
    assert all(0 <= begin < end <= len(shortened.text) for begin, end in shortened.marks)
