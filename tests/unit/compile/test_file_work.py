"""Files over a session: moves, folders, what came and went, and the check that holds for each."""

import pytest

from app.agents import claude_code
from app.compile.digest import build_digest
from app.domain.event import Event, FileChange
from app.domain.session import FileWork, SessionDigest
from tests.compile import builders
from tests.compile.builders import ROOT, Script


def run_for_real(command: str) -> Event:
    """Take a shell command through Claude Code's adapter, which finds the files that it changes."""
    used = {"tool_name": "Bash", "tool_input": {"command": command}, "tool_response": {"stdout": ""}}
    return claude_code.parse_event("PostToolUse", {"session_id": "s", "cwd": ROOT, **used})


def digest(*steps: str | Script) -> SessionDigest:
    """Digest a session of shell commands."""
    script = Script().ask("Tidy the shop up, please.")
    for step in steps:
        event = run_for_real(step) if isinstance(step, str) else None
        if event is not None:
            script.run(event.tool.command if event.tool else "", tool=event.tool)
        elif isinstance(step, Script):
            script.events.extend(step.events)
    made = build_digest(builders.session(), script.observe())
    assert made is not None
    return made


def tell(work: FileWork) -> tuple[str, FileChange, str]:
    return work.path, work.change, work.moved_from


@pytest.mark.parametrize(
    ("steps", "expected"),
    [
        (("git mv a.py b.py",), [("b.py", FileChange.MODIFIED, "a.py")]),
        (("mv a.py b.py", "mv b.py c.py"), [("c.py", FileChange.MODIFIED, "a.py")]),
        (("mv a.py b.py", "mv b.py a.py"), [("a.py", FileChange.MODIFIED, "")]),
        (("touch a.py", "mv a.py b.py"), [("b.py", FileChange.ADDED, "")]),
        (("touch a.py", "rm a.py"), []),
        (("touch a.py", "mv a.py b.py", "rm b.py"), []),
        (("rm a.py", "touch b.py"), [("a.py", FileChange.DELETED, ""), ("b.py", FileChange.ADDED, "")]),
        (("sed -i s/a/b/ lib/x.py", "mv lib core"), [("core/x.py", FileChange.MODIFIED, "lib/x.py")]),
        (("touch lib/x.py lib/y.py", "rm -r lib"), []),
        (("sed -i s/a/b/ lib/x.py", "rm -r lib"), [("lib/x.py", FileChange.DELETED, "")]),
        (("mv x.py y.py lib/",), [(f"lib/{name}", FileChange.MODIFIED, name) for name in ("x.py", "y.py")]),
    ],
    ids=["move", "twice", "there and back", "new and moved", "new and removed", "new, moved, removed", "no move",
         "folder moved", "new folder removed", "folder removed", "into a folder"],
)  # fmt: skip
def test_moves_and_removals_are_told_by_their_net_effect(
    steps: tuple[str, ...], expected: list[tuple[str, FileChange, str]]
) -> None:
    assert [tell(work) for work in digest(*steps).files] == expected


def test_a_file_is_verified_by_the_last_check_that_passed_after_it() -> None:
    made = digest(
        Script().edit("a.py").run("pytest -q", "1 passed in 0.1s").run("ruff check .", "All checks passed!"),
        Script().edit("b.py").run("ruff check .", "All checks passed!"),
        Script().edit("c.py"),
    )

    assert {work.path: work.verified_by for work in made.files} == {
        "a.py": "pytest -q",
        "b.py": "ruff check .",
        "c.py": "",
    }


def test_a_check_that_fails_at_the_end_verifies_nothing() -> None:
    made = digest(
        Script().edit("a.py").run("pytest -q", "1 passed in 0.1s").run("pytest -q", "1 failed in 0.1s", failed=True)
    )

    assert [work.verified_by for work in made.files] == [""]


def test_what_came_and_went_is_not_left_uncommitted() -> None:
    made = digest("touch try.py", "sed -i s/a/b/ basket.py", "rm try.py")

    assert made.uncommitted == ("basket.py",)
