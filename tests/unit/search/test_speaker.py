"""A speaker is known by the name before the colon."""

import pytest

from app.search import speaker


@pytest.mark.parametrize(
    ("text", "is_said"),
    [
        pytest.param("Melanie: I play the clarinet.", True, id="speaks"),
        pytest.param("Caroline: Thanks, Melanie!", False, id="is-spoken-to"),
        pytest.param("Thanks, Melanie: that helps.", False, id="within"),
        pytest.param("https://melanie.example/x", False, id="address"),
        pytest.param("Dr Melanie Moss: hello", True, id="full-name"),
        pytest.param("", False, id="empty"),
    ],
)
def test_a_speaker_is_known_by_the_name_before_the_colon(text: str, *, is_said: bool) -> None:
    assert speaker.is_among(text, {"what", "does", "melanie", "play"}) is is_said
