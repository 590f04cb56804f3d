"""What a session is about: files, errors, packages, commands, tickets, hosts, commits, by normalised names."""

import pytest

from app.compile import commands, digest, entities, timeline
from tests.compile import builders
from tests.compile.builders import Script


def list_names(script: Script) -> set[str]:
    session = builders.session()
    observed = script.observe()
    told = digest.build_digest(session, observed)
    assert told is not None
    return set(map(str, entities.list_things(session, timeline.read_timeline(session, observed), told)))


def test_a_session_names_what_it_was_about() -> None:
    script = (
        Script()
        .ask("Fix SHOP-142, see https://github.com/acme/shop/issues/7. `parse_total` is wrong, not UTF-8.")
        .run("pip install requests==2.32 rich", "ok")
        .run("pytest -q tests/test_tax.py", "ModuleNotFoundError: No module named 'stripe'\n1 error", failed=True)
        .edit("app/tax.py")
        .run("pytest -q", "6 passed")
        .run("git commit -m 'Fix the tax'", "[main abc1234] Fix the tax")
        .end()
    )

    assert list_names(script) == {
        "file:app/tax.py",
        "error:ModuleNotFoundError stripe",
        "package:stripe",
        "package:requests",
        "package:rich",
        "command:pytest",
        "commit:abc1234",
        "ticket:SHOP-142",
        "ticket:#7",
        "host:github.com",
        "symbol:parse_total",
    }


ERRORS = {
    "ModuleNotFoundError: No module named 'app.x'": "ModuleNotFoundError app.x",
    "src/a.ts(6,33): error TS2307: Cannot find module 'left-pad'": "TS2307 left-pad",
    "cmd/x.go:148:21: os/exec.Command must not be called (noctx)": "noctx",
    "app/a.py:3: ValueError: bad day": "ValueError",
}


@pytest.mark.parametrize(("headline", "name"), ERRORS.items(), ids=ERRORS.values())
def test_an_error_has_the_same_name_wherever_it_comes_up(headline: str, name: str) -> None:
    assert entities.name_error(headline) == name


@pytest.mark.parametrize(
    ("line", "name"),
    [("cd app && mise run test -- -run X", "mise run test"), ("npm test", "npm test"), ("go vet ./...", "go vet")],
)
def test_a_check_is_named_by_its_program(line: str, name: str) -> None:
    assert entities.name_command(commands.parse_command(line)) == name
