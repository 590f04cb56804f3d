"""The gate in front of the rules: it may let through what none of them matches, and never keep back what one does."""

import re

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from app.domain.redact import redact_text
from app.domain.redact_gate import Gate
from app.domain.redact_rules import MARKS, RULES

_GATE = Gate(RULES, MARKS)
_RANKS = range(len(RULES))


@st.composite
def draw_match(draw: st.DrawFn) -> tuple[int, str]:
    rank = draw(st.sampled_from(_RANKS))
    return rank, draw(st.from_regex(re.compile(RULES[rank].pattern, re.ASCII)))


@settings(max_examples=20, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(draw_match())
def test_a_rule_has_a_hint_and_is_let_through_wherever_it_matches(found: tuple[int, str]) -> None:
    rank, text = found
    match = re.search(RULES[rank].pattern, text, re.ASCII)

    assert rank in _GATE.look(text).ranks
    assert match
    assert any(hint in match.group().lower() for hint in RULES[rank].hints)


@pytest.mark.parametrize(
    "line",
    [
        "zip\t-P {secret} all.zip",
        "the pw\tis {secret}",
        'set\tDB_PASSWORD "{secret}"',
        "aws configure\tset aws_secret_access_key {secret}",
        "password\t{secret}",
        "default login 0 password\v{secret}",
        'login = ("someone", "{secret}")',
    ],
)
def test_another_blank_in_place_of_a_blank_hides_nothing(line: str) -> None:
    secret = "Zr7!kPq2#vLm9"

    assert secret not in redact_text(line.format(secret=secret))


@pytest.mark.parametrize("text", ["", "nothing here at all", "the key to it is that a token was never set"])
def test_prose_goes_past_every_rule(text: str) -> None:
    assert list(_GATE.look(text).ranks) == []


def test_marks_and_lines_that_may_go_on_are_told_apart() -> None:
    folded = "x" * 60 + "\n" + "ab12cdef"

    assert _GATE.look("pass\u200bword").has_marks
    assert _GATE.look(folded).has_folds
    assert not _GATE.look(folded).has_marks
