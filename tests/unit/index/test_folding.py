"""Folded text and where it came from: each of its characters from the one that became it."""

from hypothesis import example, given, settings
from hypothesis import strategies as st

from app.index import folding

TEXTS = st.text(
    st.one_of(
        st.sampled_from("abXYZ .-\u2026\u2192\u2713éÉßẞœİ\u03a3\u03c3\u03c2½™設体あไทำ\u0301\u200d😀"), st.characters()
    ),
    max_size=20,
)


@settings(max_examples=300, deadline=None)
@given(TEXTS)
@example("Was soll… das ✓ hier? Größe, ÉTÉ, \u039f\u0394\u039f\u03a3.")
def test_every_folded_character_comes_from_the_one_that_became_it(text: str) -> None:
    expected = [(folded, place) for place, char in enumerate(text) for folded in folding.fold(char)]

    folded, offsets = folding.fold_with_offsets(text)

    places = [place if offsets is None else offsets.find(place) for place in range(len(folded))]
    assert list(zip(folded, places, strict=True)) == expected
