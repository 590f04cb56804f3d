"""Words of time are read as the time they speak of, from a given day."""

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.search import times

NOW = datetime(2026, 5, 8, 12, tzinfo=UTC)


def day(year: int, month: int, number: int) -> datetime:
    return datetime(year, month, number, tzinfo=UTC)


@pytest.mark.parametrize(
    ("text", "since", "until"),
    [
        ("what did we do yesterday", day(2026, 5, 7), day(2026, 5, 8)),
        ("errors of last week", day(2026, 4, 27), day(2026, 5, 4)),
        ("what broke in March", day(2026, 3, 1), day(2026, 4, 1)),
        ("what broke in September", day(2025, 9, 1), day(2025, 10, 1)),
        ("what broke in May 2024", day(2024, 5, 1), day(2024, 6, 1)),
        ("on 8 May, 2023", day(2023, 5, 8), day(2023, 5, 9)),
        ("on May 8th", day(2026, 5, 8), day(2026, 5, 9)),
        ("on 2026-02-03", day(2026, 2, 3), day(2026, 2, 4)),
        ("in 2022", day(2022, 1, 1), day(2023, 1, 1)),
        ("what we fixed 3 days ago", day(2026, 5, 5), day(2026, 5, 6)),
        ("what broke two weeks ago", day(2026, 4, 20), day(2026, 4, 27)),
        ("a month ago", day(2026, 4, 1), day(2026, 5, 1)),
        ("14 months ago", day(2025, 3, 1), day(2025, 4, 1)),
        ("one year ago", day(2025, 1, 1), day(2026, 1, 1)),
        ("what did Ann say last Monday", day(2026, 5, 4), day(2026, 5, 5)),
        ("deployed on Friday", day(2026, 5, 1), day(2026, 5, 2)),
    ],
)
def test_words_of_time_name_a_period(text: str, since: datetime, until: datetime) -> None:
    found = times.find_period(text, NOW)

    assert found is not None
    assert (found.since, found.until) == (since, until)
    assert found.words in text


@pytest.mark.parametrize(
    "text", ["may I ask", "march on", "version 2026", "today's", "on 2026-02-31", "9999 years ago", "5 hours ago", ""]
)
def test_other_words_name_none(text: str) -> None:
    found = times.find_period(text, NOW)

    assert found is None or found.words == "today"


def test_words_that_count_from_today_need_to_know_it() -> None:
    assert times.find_period("yesterday", None) is None


@given(st.text(max_size=40))
def test_no_text_is_an_error(text: str) -> None:
    times.find_period(text, NOW)
    times.find_period(f"{text} 9999 days ago", NOW)
    times.find_period(f"in may {text} 31 february {text} 9999-99-99", NOW)
