"""A tally counts what stands in a text between blanks, as looking through the text does."""

from hypothesis import given
from hypothesis import strategies as st

from app.index import tally

WORDS = st.sampled_from(["na", "tri", "na_tri", "n", "a=1", "用户", "é", "c++", "2", "na2"])


@given(st.lists(WORDS), WORDS)
def test_a_term_is_counted_as_it_stands_in_the_text(words: list[str], asked: str) -> None:
    text = f" {' '.join(words)} "

    parts = tally.split_tally(tally.build_tally(text))

    assert tally.find_count(parts, tally.build_entry(asked)) == text.count(f" {asked} ")


def test_a_text_without_terms_has_none() -> None:
    parts = tally.split_tally(tally.build_tally("   "))

    assert tally.find_count(parts, tally.build_entry("na")) == 0
