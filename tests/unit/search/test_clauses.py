"""Clauses are understood where they mean something, and stay text where they do not."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.domain.page import PageKind
from app.search import clauses
from app.search.clauses import PageState

NOW = datetime(2026, 5, 8, 12, tzinfo=UTC)


def test_each_clause_is_taken_out_of_the_text() -> None:
    found = clauses.parse_clauses(
        'lexer path:src/db kind:decision tag:"two words" agent:codex by:ann project:shop is:pinned', NOW
    )

    assert found.text.split() == ["lexer"]
    assert (found.paths, found.kinds, found.tags) == (("src/db",), (PageKind.DECISION,), ("two words",))
    assert (found.agents, found.authors, found.projects) == (("codex",), ("ann",), ("shop",))
    assert found.states == (PageState.PINNED,)
    assert len(found.said) == 7


@pytest.mark.parametrize(
    ("text", "since", "until"),
    [
        ("since:2026-05-01", datetime(2026, 5, 1, tzinfo=UTC), None),
        ("until:2026-05-01", None, datetime(2026, 5, 2, tzinfo=UTC)),
        ("since:2026-04 until:2026-12", datetime(2026, 4, 1, tzinfo=UTC), datetime(2027, 1, 1, tzinfo=UTC)),
        ("since:2025 until:2025", datetime(2025, 1, 1, tzinfo=UTC), datetime(2026, 1, 1, tzinfo=UTC)),
        ("since:7d", NOW - timedelta(days=7), None),
        ("since:2026-05-01T10:00:00+02:00", datetime(2026, 5, 1, 8, tzinfo=UTC), None),
    ],
)
def test_moments_are_days_months_years_or_time_that_passed(
    text: str, since: datetime | None, until: datetime | None
) -> None:
    found = clauses.parse_clauses(text, NOW)

    assert (found.since, found.until) == (since, until)


@pytest.mark.parametrize(
    "text",
    [
        "kind:nonsense", "is:odd", "since:soon", "until:2026-13", "memory:safe", "grammar::fa", "NOTE: retry", "a:b:c",
        "kind:", "rm -rf build", "--error-on-warnings", "-draft", "pre-edit", "x -1", "since:9999-12-31T23:59:59-14:00",
        "since:9999y", "until:9999y", '"see kind:note here"', '"git commit -message"', "\u201crun it -quiet\u201d now",
    ],
)  # fmt: skip
def test_what_means_nothing_stays_text(text: str) -> None:
    found = clauses.parse_clauses(text, NOW)

    assert found.text == text
    assert found.said == found.without == ()


def test_a_word_behind_a_hyphen_is_left_out_only_beside_others() -> None:
    found = clauses.parse_clauses("lexer -draft -notes", NOW)

    assert (found.text, found.without) == ("lexer", ("draft", "notes"))


@pytest.mark.parametrize(
    ("text", "without"), [("kind:note -draft", ("draft",)), ('is:pinned -"no cache"', ("no cache",))]
)
def test_an_exclusion_beside_a_filter_alone_is_one_more(text: str, without: tuple[str, ...]) -> None:
    found = clauses.parse_clauses(text, NOW)

    assert (found.text.strip(), found.without, len(found.said)) == ("", without, 1)


def test_a_phrase_and_a_word_of_a_script_without_blanks_are_left_out_too() -> None:
    found = clauses.parse_clauses('kind:note -draft lexer -"no cache" -\u7f13\u5b58 "x -here y"', NOW)

    assert (found.text, found.without) == (' lexer "x -here y"', ("draft", "no cache", "\u7f13\u5b58"))
    assert found.typed == ' -draft lexer -"no cache" -\u7f13\u5b58 "x -here y"'


@given(st.text(max_size=60))
def test_no_text_is_an_error(text: str) -> None:
    clauses.parse_clauses(text, NOW)
    clauses.parse_clauses(f"since:{text} kind:{text} -{text}", None)


@given(st.integers(0, 99_999), st.sampled_from("dwmy"))
def test_no_time_that_passed_is_an_error(count: int, unit: str) -> None:
    clauses.parse_clauses(f"since:{count}{unit} until:{count}{unit} as-of:{count}{unit}", NOW)
