"""What the hook client reads of a working copy without running git, compared with what git says."""

import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from app.capture import client_checkout

Read = Callable[[Path], dict[str, object]]


def git(folder: Path, *arguments: str) -> str:
    settings = [
        "-c",
        "user.name=A",
        "-c",
        "user.email=a@b",
        "-c",
        "commit.gpgsign=false",
        "-c",
        "protocol.file.allow=always",
    ]
    run = subprocess.run(["git", *settings, *arguments], cwd=folder, capture_output=True, text=True, check=True)
    return run.stdout.strip()


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    folder = tmp_path / "shop"
    folder.mkdir()
    git(folder, "init", "-q", "-b", "main")
    git(folder, "commit", "-q", "--allow-empty", "-m", "first")
    git(folder, "remote", "add", "origin", "https://bob:pw@host.example/team/shop.git")
    return folder


@pytest.fixture
def read(tmp_path: Path) -> Read:
    environ = {"HOME": str(tmp_path)}

    def read_facts(folder: Path) -> dict[str, object]:
        facts = client_checkout.read_checkout(str(folder), environ)
        assert facts.pop("machine") == os.uname().nodename
        return facts

    return read_facts


def test_a_working_copy_is_known_from_any_folder_in_it(repository: Path, read: Read) -> None:
    nested = repository / "src" / "deep"
    nested.mkdir(parents=True)

    facts = read(nested)

    assert facts == {
        "cwd": str(nested),
        "root": str(repository),
        "common_dir": str(repository / ".git"),
        "remote": "https://host.example/team/shop.git",
        "branch": "main",
        "revision": git(repository, "rev-parse", "HEAD"),
    }


def test_upstream_comes_before_origin(repository: Path, read: Read) -> None:
    git(repository, "remote", "add", "upstream", "git@host.example:main/shop.git")

    facts = read(repository)

    assert facts["remote"] == "git@host.example:main/shop.git"
    assert facts["origin"] == "https://host.example/team/shop.git"


def test_an_address_is_what_git_makes_of_it(repository: Path, tmp_path: Path, read: Read) -> None:
    (tmp_path / ".gitconfig").write_text(
        '[url "https://bob:pw@mirror.example/"]\n\tinsteadOf = gh:\n[url "git@host.example:"]\n  insteadof = "gh:t"\n',
        encoding="utf-8",
    )
    git(repository, "remote", "set-url", "origin", "gh:other/shop")
    git(repository, "remote", "add", "upstream", "gh:team/shop.git")

    facts = read(repository)

    assert facts["remote"] == "git@host.example:eam/shop.git"
    assert facts["origin"] == "https://mirror.example/other/shop"


def test_a_revision_is_found_among_packed_references(repository: Path, read: Read) -> None:
    git(repository, "checkout", "-q", "-b", "feature/long-name")
    git(repository, "pack-refs", "--all")

    facts = read(repository)

    assert facts["branch"] == "feature/long-name"
    assert facts["revision"] == git(repository, "rev-parse", "HEAD")


def test_a_detached_head_has_a_revision_and_no_branch(repository: Path, read: Read) -> None:
    git(repository, "checkout", "-q", "--detach")

    facts = read(repository)

    assert "branch" not in facts
    assert facts["revision"] == git(repository, "rev-parse", "HEAD")


def test_a_worktree_shares_the_common_folder_of_its_repository(repository: Path, tmp_path: Path, read: Read) -> None:
    git(repository, "worktree", "add", "-q", "-b", "side", str(tmp_path / "side"))

    facts = read(tmp_path / "side")

    assert facts["root"] == str(tmp_path / "side")
    assert facts["common_dir"] == str(repository / ".git")
    assert facts["branch"] == "side"
    assert facts["remote"] == "https://host.example/team/shop.git"


def test_a_submodule_belongs_to_the_project_that_it_is_a_part_of(repository: Path, tmp_path: Path, read: Read) -> None:
    outer = tmp_path / "outer"
    outer.mkdir()
    git(outer, "init", "-q", "-b", "main")
    git(outer, "submodule", "--quiet", "add", str(repository), "libs/shop")

    facts = read(outer / "libs" / "shop")

    assert facts["root"] == str(outer)
    assert facts["common_dir"] == str(outer / ".git")


def test_a_bare_repository_has_no_root(repository: Path, tmp_path: Path, read: Read) -> None:
    git(tmp_path, "clone", "-q", "--bare", str(repository), "bare.git")

    facts = read(tmp_path / "bare.git")

    assert "root" not in facts
    assert facts["common_dir"] == str(tmp_path / "bare.git")


def test_a_folder_outside_any_repository_is_only_itself(tmp_path: Path, read: Read) -> None:
    assert read(tmp_path) == {"cwd": str(tmp_path)}


def test_the_nearest_marker_names_workspace_and_project(repository: Path, read: Read) -> None:
    nested = repository / "tools"
    nested.mkdir()
    (repository / ".memwiki.toml").write_text('project = "outer"\n', encoding="utf-8")
    (nested / ".memwiki.toml").write_text(
        "\ufeff# where this belongs\nworkspace = 'team'\nproject = \"tools\" # ours\n"
        "aliases = ['a', \n 'b']\n[brief]\nproject = 'x'\n",
        encoding="utf-8",
    )

    facts = read(nested)

    assert facts["marker_aliases"] == ["a", "b"]
    assert (facts["marker_workspace"], facts["marker_project"]) == ("team", "tools")


@pytest.mark.parametrize("content", [b"", b"\xff\xfe", b"ref: refs/../../x", b"ref: ", b"gitdir: \x00", b"x" * 100_000])
def test_files_that_make_no_sense_are_no_fault(repository: Path, read: Read, content: bytes) -> None:
    (repository / ".git" / "HEAD").write_bytes(content)
    (repository / ".git" / "config").write_bytes(content)

    facts = read(repository)

    assert facts["root"] == str(repository)
    assert "branch" not in facts


def test_a_broken_pointer_to_a_repository_is_no_fault(tmp_path: Path, read: Read) -> None:
    (tmp_path / ".git").write_bytes(b"gitdir: \xff/nowhere")

    assert read(tmp_path)["cwd"] == str(tmp_path)
