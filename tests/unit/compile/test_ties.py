"""What sessions say depends on what, or causes it: only in so many words, and only of what they were about."""

import pytest

from app.compile import digest, gotchas, renames, ties
from app.compile.gotchas import Look
from app.compile.timeline import read_timeline
from tests.compile import builders
from tests.compile.builders import Script

MISSING = "ModuleNotFoundError: No module named 'app.tax'"


def list_tied(script: Script) -> list[str]:
    observed = script.observe()
    timeline = read_timeline(builders.session(), observed)
    told = digest.digest_timeline(builders.session(), timeline)
    assert told is not None
    fixes = list(gotchas.list_lessons(Look(timeline, told, ())))
    return [f"{lesson.key} {tied}" for lesson in ties.list_lessons(timeline, told, fixes) for tied in lesson.things]


def work(said: str) -> Script:
    return Script().ask("Mend the shop for SHOP-7.").edit("shop/tax.py", "shop/basket.py").report(said)


@pytest.mark.parametrize(
    ("said", "tied"),
    [
        ("`shop/basket.py` depends on `shop/tax.py` now.", "file:shop/basket.py depends_on thing file:shop/tax.py"),
        ("basket.py requires tax.py.", "file:shop/basket.py depends_on thing file:shop/tax.py"),
        ("SHOP-7 is blocked by `tax.py`.", "ticket:SHOP-7 depends_on thing file:shop/tax.py"),
        ("`basket.py` hängt ab von `tax.py`.", "file:shop/basket.py depends_on thing file:shop/tax.py"),
        ("`tax.py` causes SHOP-7.", "file:shop/tax.py causes thing ticket:SHOP-7"),
        ("SHOP-7 was caused by `tax.py`.", "file:shop/tax.py causes thing ticket:SHOP-7"),
    ],
    ids=["code", "names", "ticket", "german", "causes", "caused by"],
)
def test_what_is_said_in_so_many_words_is_a_tie(said: str, tied: str) -> None:
    assert list_tied(work(said)) == [tied]


@pytest.mark.parametrize(
    "said",
    [
        "`basket.py` does not depend on `tax.py`.",
        "Does `basket.py` depend on `tax.py`?",
        "`basket.py` depends on `elsewhere.py`.",
        "`basket.py` is next to `tax.py`, which depends on luck.",
        "`tax.py` requires `tax.py`.",
    ],
    ids=["denied", "asked", "unknown", "vague", "itself"],
)
def test_anything_vaguer_is_none(said: str) -> None:
    assert list_tied(work(said)) == []


def test_a_file_named_as_the_cause_of_an_error_and_changed_for_it_causes_it() -> None:
    script = Script().ask("Build it.").run("make build", MISSING, failed=True).edit("setup.cfg")
    script.run("make build", "done").report("The cause was that `app.tax` was missing in setup.cfg, so no module.")

    assert list_tied(script) == [f"file:setup.cfg causes error {gotchas.build_key(MISSING)}"]


@pytest.mark.parametrize(
    ("command", "line", "names"),
    [
        ("git commit -m x", " rename shop/{old.py => new.py} (97%)", ("shop/old.py", "shop/new.py")),
        ("git commit -m x", " rename a.py => b/a.py (100%)", ("a.py", "b/a.py")),
        ("git commit -m x", " rename {lib => src}/a.py (100%)", ("lib/a.py", "src/a.py")),
        ("git status", "\trenamed:    a.py -> b.py", ("a.py", "b.py")),
        ("git status -s", "R  a.py -> b.py", ("a.py", "b.py")),
        ("git diff --name-status HEAD", "R096\ta.py\tb.py", ("a.py", "b.py")),
    ],
    ids=["braces", "whole", "folder", "status", "short status", "name-status"],
)
def test_renames_that_git_reports_are_read(command: str, line: str, names: tuple[str, str]) -> None:
    timeline = read_timeline(builders.session(), Script().ask("Go.").run(command, f"some\n{line}\nmore").observe())

    assert [(found.old, found.new) for found in renames.list_renames(timeline.runs)] == [names]


@pytest.mark.parametrize(
    ("command", "failed"), [("git log --stat", False), ("git diff v1..v2", False), ("git commit -m x", True)]
)
def test_renames_of_another_time_or_that_failed_are_not(command: str, *, failed: bool) -> None:
    script = Script().ask("Go.").run(command, " rename a.py => b.py (100%)", failed=failed)

    assert list(renames.list_renames(read_timeline(builders.session(), script.observe()).runs)) == []


def test_a_word_without_an_end_is_read_once() -> None:
    assert list_tied(work("a/" * 100_000 + " requires `tax.py`.")) == []
