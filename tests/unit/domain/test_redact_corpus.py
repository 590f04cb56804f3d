"""The corpus that the bench measures on: every planted secret goes and nothing else, every look-alike stays."""

from collections import Counter

import pytest

from app.bench import redaction_corpus
from app.bench.redaction_corpus import Lookalike, Planted
from app.domain.redact import redact_text

PLANTED = redaction_corpus.list_planted()
LOOKALIKES = redaction_corpus.list_lookalikes()


def name_planted(each: Planted) -> str:
    return f"{each.kind}, {each.carrier}"


def test_the_corpus_is_as_large_as_its_bars_ask_for() -> None:
    assert len({each.text for each in PLANTED}) >= 300
    assert len({each.kind for each in PLANTED}) >= 60
    assert len({each.carrier for each in PLANTED}) >= 15
    assert len({each.text for each in LOOKALIKES}) >= 300


@pytest.mark.parametrize("carrier", Counter(each.carrier for each in PLANTED))
def test_planted_secrets_go_and_nothing_else(carrier: str) -> None:
    planted = [each for each in PLANTED if each.carrier == carrier]

    redacted = [(each, redact_text(each.text)) for each in planted]

    assert [name_planted(each) for each, text in redacted if not each.is_found(text)] == []
    assert [(name_planted(each), text) for each, text in redacted if not each.is_exact(text)] == []
    assert [name_planted(each) for each, text in redacted if redact_text(text) != text] == []


@pytest.mark.parametrize("group", Counter(each.group for each in LOOKALIKES))
def test_look_alikes_stay_byte_for_byte(group: str) -> None:
    lookalikes: list[Lookalike] = [each for each in LOOKALIKES if each.group == group]

    assert [each.text for each in lookalikes if redact_text(each.text) != each.text] == []


@pytest.mark.parametrize(
    "left",
    ["x = {}", "x = {head}", "x = {head}[redacted:key]", "x = [redacted:key]{tail}", "x = {half}[redacted:key]{rest}"],
)
def test_a_part_that_is_left_is_a_miss(left: str) -> None:
    secret = "q1W2e3R4t5Y6u7I8"
    planted = Planted("key", "x", "x = ", secret, "")

    shown = left.format(secret, head=secret[:8], tail=secret[8:], half=secret[:4], rest=secret[4:8])

    assert not planted.is_found(shown)
    assert planted.is_found("x = [redacted:key]")


def test_what_goes_with_a_secret_is_seen() -> None:
    planted = Planted("key", "x", "a = 1; b = ", "q1W2e3R4t5Y6u7I8", "; c = 2")

    assert planted.is_exact("a = 1; b = [redacted:key]; c = 2")
    assert not planted.is_exact("a = 1; [redacted:key]; c = 2")
    assert not planted.is_exact("a = 1; b = [redacted:key] = 2")
