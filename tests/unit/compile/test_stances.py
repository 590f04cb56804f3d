"""What sentences are for and against, and which of them say the opposite."""

import pytest

from app.compile import stances

BOTH = [
    ("Use Postgres instead of SQLite.", "Postgres", "SQLite", False),
    ("Use exceptions, not return codes.", "exceptions", "return codes", False),
    ("We switched from npm to pnpm.", "pnpm", "npm", True),
    ("Replace moment with dayjs.", "dayjs", "moment", True),
    ("We no longer use yarn, use pnpm.", "pnpm", "yarn", True),
    ("Instead of floats we should use integers", "integers", "floats", False),
    ("Use pnpm em vez de npm", "pnpm", "npm", False),
    ("使用 Postgres 而不是 SQLite", "Postgres", "SQLite", False),
]


@pytest.mark.parametrize(("text", "chosen", "refused", "replaces"), BOTH, ids=[case[0] for case in BOTH])
def test_a_choice_names_what_is_taken_and_what_is_not(text: str, chosen: str, refused: str, *, replaces: bool) -> None:
    found = stances.find_stance(text)

    assert (found.chosen, found.refused, found.replaces) == (chosen, refused, replaces)


@pytest.mark.parametrize("text", ["Run the tests.", "Why does it fail?", "It works.", ""], ids=repr)
def test_most_sentences_are_for_and_against_nothing(text: str) -> None:
    assert stances.find_stance(text) == stances.Stance()


OPPOSITES = [
    ("Always use pnpm.", "Never use pnpm.", True),
    ("Use Postgres instead of SQLite.", "We use SQLite.", True),
    ("Never use the mock server.", "Use the mock server for all tests.", True),
    ("Always use pnpm.", "Use pnpm instead of npm.", False),
    ("Never use npm.", "Never use yarn.", False),
    ("Always use tabs.", "Never use spaces.", False),
]


@pytest.mark.parametrize(("one", "other", "is_opposite"), OPPOSITES, ids=[" / ".join(case[:2]) for case in OPPOSITES])
def test_the_opposite_is_told_by_the_same_thing_for_and_against(one: str, other: str, *, is_opposite: bool) -> None:
    first, second = stances.find_stance(one), stances.find_stance(other)

    assert stances.is_opposite(first, second) is is_opposite
    assert stances.is_opposite(second, first) is is_opposite
