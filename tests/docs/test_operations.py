"""No command is told to operators that no test types."""

from pathlib import Path

import yaml

from tests.docs import operations_commands
from tests.docs.operations_commands import COVERED, TYPED

TESTS = Path(__file__).parents[1]


def test_every_command_that_operators_are_told_is_typed_by_a_test() -> None:
    told = dict.fromkeys(operations_commands.list_commands())

    assert [command for command in told if command not in {**TYPED, **COVERED}] == []
    assert [command for command in {**TYPED, **COVERED} if command not in told] == []


def test_commands_that_others_try_are_tried_there() -> None:
    tests = "\n".join(path.read_text(encoding="utf-8") for path in TESTS.rglob("*.py"))

    assert [name for name in COVERED.values() if f"def {name}(" not in tests] == []


def test_the_runbooks_say_what_to_do_at_each_alert_and_at_eight_incidents() -> None:
    text = (operations_commands.DOCS / "operations.md").read_text(encoding="utf-8")
    rules = yaml.safe_load((operations_commands.DOCS.parent / "docker" / "alerts.yml").read_text(encoding="utf-8"))
    runbooks = text.partition("## Eight incidents")[2].partition("\n## ")[0]

    assert [rule["alert"] for rule in rules["groups"][0]["rules"] if f"`{rule['alert']}`" not in runbooks] == []
    assert sum(line.startswith("| ") for line in runbooks.splitlines()) == 1 + 8
