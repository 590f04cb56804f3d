"""What must not be kept."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.capture import exclude

HIDDEN = "zyxgranny"


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        (f"a <private>{HIDDEN}</private> b", "a [private] b"),
        (f"a <PRIVATE>{HIDDEN}</Private> b", "a [private] b"),
        (f"a <private>\n{HIDDEN}\n</private> b", "a [private] b"),
        (f"a <private>{HIDDEN}", "a [private]"),
        (f"a <private>x<private>{HIDDEN}</private>y</private> b", "a [private] b"),
        (f"<private>{HIDDEN}</private><private>{HIDDEN}</private>", "[private][private]"),
        (f"{HIDDEN}</private> b", "[private] b"),
        ("a private matter", "a private matter"),
        ("", ""),
    ],
    ids=["closed", "case", "lines", "open", "nested", "twice", "closing alone", "prose", "empty"],
)
def test_what_stands_between_the_marks_is_replaced(text: str, kept: str) -> None:
    assert exclude.drop_private(text) == kept


@pytest.mark.parametrize(
    "value",
    [
        [f"<private>{HIDDEN}</private>"],
        {"a": {"b": [f"<private>{HIDDEN}"]}},
        {f"<private>{HIDDEN}</private>": 1},
        [f"<private>{HIDDEN}", f"{HIDDEN}</private>"],
    ],
    ids=["list", "deep", "name", "parts"],
)
def test_it_is_replaced_however_deep_it_lies(value: object) -> None:
    assert HIDDEN not in json.dumps(exclude.drop_private(value))


@pytest.mark.parametrize("value", [None, True, 5, 1.5, [], {}])
def test_what_is_no_text_stays(value: object) -> None:
    assert exclude.drop_private(value) == value


@given(st.recursive(st.none() | st.booleans() | st.integers() | st.text(), st.lists, max_leaves=10))
def test_values_without_a_mark_stay_as_they_are(value: object) -> None:
    if not exclude.may_have_private(json.dumps(value).encode()):
        assert exclude.drop_private(value) == value


@given(st.text(), st.text(), st.text())
def test_private_words_never_stay(before: str, hidden: str, after: str) -> None:
    kept = exclude.drop_private(f"{before}<private>{HIDDEN}{hidden}</private>{after}")

    assert HIDDEN not in str(kept) or HIDDEN in before + after


@given(st.text())
def test_dropping_twice_is_dropping_once(text: str) -> None:
    once = exclude.drop_private(f"{text}<private>x{text}")

    assert exclude.drop_private(once) == once


@pytest.mark.parametrize("body", [b'"<private>"', b'"<PRIVATE>"', b'"\\u003cprivate\\u003e"', b'"</Private>"'])
def test_a_mark_is_suspected_in_any_spelling(body: bytes) -> None:
    assert exclude.may_have_private(body)


def test_a_hostile_text_is_done_in_time() -> None:
    text = "<private>" * 20_000 + "</private>" * 19_999

    assert exclude.drop_private(text) == "[private]"
