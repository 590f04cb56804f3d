"""Refusals are counted by agent, person and machine, forgotten by the hour, and bounded."""

from app.domain import limits
from app.state.refusals import OTHERS, Refusals
from tests.state.builders import NOW, at

CODEX = ("codex", "ann", "desk")


def test_refusals_of_the_last_hour_are_counted_apart_from_all() -> None:
    refusals = Refusals()
    for seconds in (0, 1800, 3700):
        refusals.note(CODEX, "token_rejected", "no", at(seconds))

    (seen,) = refusals.list_refusals(at(3700))

    assert (seen.count_in_hour, seen.count, seen.last_at) == (2, 3, at(3700))
    assert refusals.list_refusals(at(9000))[0].count_in_hour == 0


def test_the_last_reason_stands_and_is_bounded() -> None:
    refusals = Refusals()
    refusals.note(CODEX, "a", "first", NOW)
    refusals.note(CODEX, "b", "x" * 5000, at(1))

    (seen,) = refusals.list_refusals(at(1))

    assert (seen.last_code, len(seen.last_reason)) == ("b", limits.REFUSAL_REASON_CHARS_MAX)


def test_names_beyond_the_bound_are_counted_together() -> None:
    refusals = Refusals()
    for number in range(limits.REFUSED_AGENTS_MAX + 10):
        refusals.note(("codex", "ann", f"m{number}"), "a", "", NOW)

    seen = refusals.list_refusals(NOW)

    assert len(seen) == limits.REFUSED_AGENTS_MAX + 1
    assert {refusal.agent: refusal.count for refusal in seen}[OTHERS] == 10


def test_the_last_refused_comes_first() -> None:
    refusals = Refusals()
    refusals.note(CODEX, "a", "", NOW)
    refusals.note(("claude-code", "ann", "desk"), "a", "", at(1))

    assert [refusal.agent for refusal in refusals.list_refusals(at(1))] == ["claude-code", "codex"]
