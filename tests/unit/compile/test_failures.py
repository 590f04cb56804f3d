"""Outputs: what failed although it said 0, which lines tell, and when two errors are one."""

import pytest

from app.compile import failures
from app.compile.commands import parse_command
from app.domain import limits_compile
from app.domain.event import Outcome, ToolCall, ToolPurpose
from tests.compile.builders import FAILED_TEST


def decide(command: str, output: str, outcome: Outcome = Outcome.SUCCEEDED) -> Outcome:
    tool = ToolCall("Bash", ToolPurpose.SHELL, outcome, command=command, output_text=output)
    return failures.decide_outcome(tool, parse_command(command))


@pytest.mark.parametrize(
    ("command", "output", "told", "expected"),
    [
        ("pytest -q | tail -3", "1 failed, 5 passed in 0.4s", Outcome.SUCCEEDED, Outcome.FAILED),
        ("pytest -q", "6 passed in 0.4s", Outcome.UNKNOWN, Outcome.SUCCEEDED),
        ("pytest -q", "0 failed, 6 passed", Outcome.UNKNOWN, Outcome.SUCCEEDED),
        ("go test ./... | head", "--- FAIL: TestBasket (0.00s)", Outcome.SUCCEEDED, Outcome.FAILED),
        ("mise run lint | tail -5", "basket.go:3: too long", Outcome.SUCCEEDED, Outcome.UNKNOWN),
        ("go build ./... | head", "", Outcome.SUCCEEDED, Outcome.SUCCEEDED),
        ("ruff check .", "All checks passed!", Outcome.UNKNOWN, Outcome.SUCCEEDED),
        ("grep -rn basket .", "", Outcome.FAILED, Outcome.UNKNOWN),
        ("./deploy.sh", "./deploy.sh: Permission denied", Outcome.UNKNOWN, Outcome.FAILED),
        ("cat build.log", "Traceback (most recent call last):", Outcome.UNKNOWN, Outcome.UNKNOWN),
    ],
)
def test_a_check_s_own_words_outweigh_its_exit_code(
    command: str, output: str, told: Outcome, expected: Outcome
) -> None:
    assert decide(command, output, told) is expected


def test_an_excerpt_has_the_lines_that_tell_and_not_the_first_ones() -> None:
    excerpt = failures.build_excerpt("\n".join(f"collecting {number}" for number in range(500)) + "\n" + FAILED_TEST)

    assert "collecting" not in excerpt
    assert "E       Failed: DID NOT RAISE" in excerpt
    assert "1 failed, 5 passed" in excerpt
    assert len(excerpt.split("\n")) <= limits_compile.EXCERPT_LINES_MAX + 1


@pytest.mark.parametrize(
    ("output", "headline"),
    [
        (FAILED_TEST, "Failed: DID NOT RAISE <class 'basket.EmptyBasket'>"),
        ("Traceback (most recent call last):\n  File \"a.py\", line 3\nKeyError: 'tax'", "KeyError: 'tax'"),
        ("compiling\nerror[E0308]: mismatched types\n --> src/lib.rs:3:5", "error[E0308]: mismatched types"),
        ("FAIL\n--- FAIL: TestBasket (0.01s)\nFAIL", "--- FAIL: TestBasket (0.01s)"),
        ("Exit code 127\nbash: frob: command not found", "bash: frob: command not found"),
        ("", ""),
    ],
    ids=["pytest", "traceback", "rust", "go", "shell", "silent"],
)
def test_the_headline_names_the_error(output: str, headline: str) -> None:
    assert failures.find_headline(output) == headline


def test_the_same_error_at_another_place_has_the_same_signature() -> None:
    first = failures.normalise_signature("basket.py:14: KeyError: 0x7f1a2b in /tmp/abc/x after 0.31s")
    second = failures.normalise_signature("basket.py:90: KeyError: 0x9931 in /tmp/def/y after 12.5s")

    assert first == second


def test_a_command_that_a_person_declined_never_ran() -> None:
    assert failures.was_declined("The user doesn't want to proceed with this tool use. The tool use was rejected")
    assert not failures.was_declined("1 failed")


def test_colours_are_no_part_of_an_error() -> None:
    assert failures.find_headline("\x1b[31mKeyError: 'a'\x1b[0m") == "KeyError: 'a'"
