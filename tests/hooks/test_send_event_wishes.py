"""What the hook client says of a session's wishes, and of what it leaves in its working copy."""

import os
import subprocess
from pathlib import Path

import pytest

from app.capture import client_git, client_wishes
from app.domain import limits_client

OFF = {"brief": "off"}


@pytest.mark.parametrize(
    ("text", "environ", "expected"),
    [
        ("", {}, {}),
        ('project = "x"\n', {}, {}),
        ("[brief]\n", {}, {}),
        ("[brief]\nenabled = false\n", {}, OFF),
        ('[brief]\nagents_off = ["codex"]\n', {}, OFF),
        ('[brief]\nagents_off = ["claude-code"]\n', {}, {}),
        ("[brief]\nchars_max = 4000\n", {}, {"brief": "4000"}),
        ("[brief]\nchars_max = -1\n", {}, OFF),
        ("[brief]\nenable = false\n", {}, OFF),
        ("[brief\n", {}, OFF),
        ("", {"MEMWIKI_BRIEF": "off"}, OFF),
        ("", {"MEMWIKI_BRIEF": "on"}, {}),
    ],
    ids=["none", "no-table", "empty", "off", "agent-off", "other-agent", "size", "no-size", "unknown-key",
         "unreadable", "session-off", "session-on"],
)  # fmt: skip
def test_a_folder_a_session_or_an_agent_can_be_left_out(
    text: str, environ: dict[str, str], expected: dict[str, str]
) -> None:
    assert client_wishes.read_wishes("codex", [("/w", text)], environ) == expected


def test_the_nearest_file_that_speaks_of_briefs_decides() -> None:
    markers = [("/w/a", 'project = "x"\n'), ("/w", "[brief]\nenabled = false\n"), ("/", "[brief]\n")]

    assert client_wishes.read_wishes("codex", markers, {}) == OFF


def test_a_run_without_a_person_is_told_by_its_environment() -> None:
    assert client_wishes.read_wishes("claude-code", [], {"CLAUDE_CODE_ENTRYPOINT": "sdk-cli"}) == {"run": "one-shot"}
    assert client_wishes.read_wishes("claude-code", [], {"CLAUDE_CODE_ENTRYPOINT": "cli"}) == {}


def test_a_run_without_a_person_can_ask_for_open_work() -> None:
    environ = {"CLAUDE_CODE_ENTRYPOINT": "sdk-cli", "MEMWIKI_TAKE": "1"}

    assert client_wishes.read_wishes("claude-code", [], environ) == {"run": "take"}


def git(folder: Path, *arguments: str) -> None:
    names = ["-c", "user.name=A", "-c", "user.email=a@b", "-c", "commit.gpgsign=false"]
    subprocess.run(["git", *names, *arguments], cwd=folder, capture_output=True, check=True)


def test_git_is_asked_what_is_not_committed_and_how_far_the_branch_is(tmp_path: Path) -> None:
    origin, copy = tmp_path / "origin", tmp_path / "copy"
    origin.mkdir()
    git(origin, "init", "-q", "-b", "main")
    (origin / "a b.txt").write_text("1", encoding="utf-8")
    git(origin, "add", ".")
    git(origin, "commit", "-q", "-m", "one")
    git(tmp_path, "clone", "-q", str(origin), str(copy))
    git(copy, "commit", "-q", "--allow-empty", "-m", "two")
    git(copy, "mv", "a b.txt", "c d.txt")
    (copy / "ü.txt").write_text("2", encoding="utf-8")

    facts = client_git.read_changes(str(copy), os.environ, 30)

    assert facts == {"ahead": 1, "behind": 0, "dirty_count": 2, "dirty": ["c d.txt", "ü.txt"]}


def test_a_clean_copy_a_folder_without_git_and_a_git_that_takes_too_long(tmp_path: Path) -> None:
    git(tmp_path, "init", "-q")

    assert client_git.read_changes(str(tmp_path), os.environ, 30) == {"dirty_count": 0}
    assert client_git.read_changes(str(tmp_path), os.environ, 0) == {}
    assert client_git.read_changes("/proc/none", os.environ, 30) == {}


def test_a_long_list_is_cut_and_counted_whole() -> None:
    text = "".join(f"? file-{number:04}\0" for number in range(500))

    facts = client_git.parse_status(text)

    assert facts["dirty_count"] == 500
    assert len(list(facts["dirty"])) <= limits_client.CLIENT_DIRTY_PATHS_MAX
