"""One thread commits; nobody waits for it and nothing is dropped."""

import os
import shutil
import subprocess
from datetime import UTC, datetime
from pathlib import Path

import pytest

from app.domain.errors import WikiUnreadable
from app.wiki import commit_plan
from app.wiki.commit_plan import CommitRequest
from app.wiki.pages import Byline, Wiki
from app.wiki.repository import build_environment, open_repository
from tests.wiki.conftest import BYLINE, HERE, assert_git_agrees, commit_all, draft, log_lines, page, put_file, wait_for


def request(*places: str, author: str = "Ann") -> CommitRequest:
    return CommitRequest(places, "Write", author, datetime.now(UTC))


def git(wiki: Wiki, *arguments: str) -> str:
    """Run git the way a person does, with an identity of their own."""
    identity = ["-c", "user.name=Person", "-c", "user.email=p@example.org"]
    return subprocess.run(
        ["git", *identity, *arguments], cwd=wiki.tree.root, check=True, capture_output=True, text=True
    ).stdout


def test_page_is_committed_with_author_message_and_session(wiki: Wiki) -> None:
    wiki.save_page(HERE, page("notes/a.md"), draft(), Byline("Ann", "Write a page", "s1"))

    commit_all(wiki)

    shown = wiki.committer.repository.run("log", "--format=%an <%ae>|%cn|%B").decode().strip()
    assert shown == "Ann <ann@memwiki>|memwiki|Write a page\n\nMemwiki-Session: s1"
    assert_git_agrees(wiki)
    assert wiki.committer.stats.commits == 1


def test_batch_gives_one_commit_per_change(wiki: Wiki) -> None:
    for number in range(20):
        wiki.save_page(HERE, page(f"notes/{number}.md"), draft(f"text {number}\n"), BYLINE)

    commit_all(wiki)

    assert len(log_lines(wiki)) == 20
    assert_git_agrees(wiki)


def test_what_a_session_changes_while_it_is_held_together_is_one_commit(wiki: Wiki) -> None:
    wiki.committer.start()
    wiki.save_page(HERE, page("notes/before.md"), draft(), BYLINE)

    with wiki.committer.together("s1"):
        wiki.save_page(HERE, page("notes/a.md"), draft(), Byline("Ann", "One", "s1"))
        # What came before the session's changes is committed, so the linger of these has passed as well.
        wait_for(lambda: wiki.committer.stats.commits == 1)
        wait_for(lambda: wiki.committer.stats.pending == 1)
        wiki.save_page(HERE, page("notes/b.md"), draft(), Byline("memwiki", "Two", "s1"))
    commit_all(wiki)

    assert len(log_lines(wiki)) == 2
    assert_git_agrees(wiki)


def test_every_version_of_a_page_is_kept_with_its_author(wiki: Wiki) -> None:
    saved = wiki.save_page(HERE, page("notes/a.md"), draft("one\n"), BYLINE)
    put_file(wiki, "main/app/notes/a.md", "by hand\n")
    seen = wiki.read_page(HERE, page("notes/a.md"))

    wiki.save_raw(HERE, page("notes/a.md"), draft("two\n").body, seen.content_hash, BYLINE)
    commit_all(wiki)

    texts = [
        wiki.committer.repository.run("show", f"{line}:main/app/notes/a.md")
        for line in wiki.committer.repository.run("rev-list", "HEAD").decode().split()
    ]
    assert texts[:2] == [b"two\n", b"by hand\n"]
    assert saved.content_hash != seen.content_hash


def test_what_is_on_disk_when_the_commit_is_made_is_committed(wiki: Wiki) -> None:
    put_file(wiki, "main/app/a.md", "one")
    wiki.committer.queue(request("main/app/a.md"))
    put_file(wiki, "main/app/a.md", "two")

    commit_all(wiki)

    assert git(wiki, "show", "HEAD:main/app/a.md") == "two"
    assert_git_agrees(wiki)


def test_deleted_page_is_deleted_in_git_and_an_unchanged_one_gives_no_commit(wiki: Wiki) -> None:
    kept, gone = put_file(wiki, "main/app/a.md", "a"), put_file(wiki, "main/app/b.md", "b")
    wiki.committer.commit_batch([request("main/app/a.md", "main/app/b.md")])
    gone.unlink()

    assert wiki.committer.commit_batch([request("main/app/b.md", "main/app/a.md")]) == 1
    assert wiki.committer.commit_batch([request("main/app/b.md", "main/app/a.md")]) == 0
    assert git(wiki, "ls-files") == "main/app/a.md\n"
    assert kept.exists()
    assert_git_agrees(wiki)


def test_folder_may_take_the_place_of_a_page(wiki: Wiki) -> None:
    put_file(wiki, "main/app/a.md", "a")
    wiki.committer.commit_batch([request("main/app/a.md")])
    (wiki.tree.root / "main/app/a.md").unlink()
    put_file(wiki, "main/app/a.md/b.md", "b")

    wiki.committer.commit_batch([request("main/app/a.md", "main/app/a.md/b.md")])

    assert git(wiki, "ls-files") == "main/app/a.md/b.md\n"
    assert_git_agrees(wiki)


def test_only_the_paths_of_the_change_are_staged(wiki: Wiki) -> None:
    put_file(wiki, "main/app/a.md", "a")
    put_file(wiki, "main/app/other.md", "other")

    wiki.committer.commit_batch([request("main/app/a.md")])

    assert git(wiki, "ls-files") == "main/app/a.md\n"


@pytest.mark.parametrize(
    "place", ["main/app/Jānis 太郎 🚀.md", 'main/app/"q".md', "main/app/a:b*?.md", "main/app/-x.md"]
)
def test_odd_names_are_committed(wiki: Wiki, place: str) -> None:
    put_file(wiki, place, "x")

    wiki.committer.commit_batch([request(place)])

    assert_git_agrees(wiki)
    assert len(log_lines(wiki)) == 1


def test_held_lock_delays_commits_with_a_message_and_loses_nothing(wiki: Wiki) -> None:
    lock = wiki.committer.repository.git_dir / "index.lock"
    lock.write_bytes(b"")
    wiki.committer.start()

    for number in range(5):
        wiki.save_page(HERE, page(f"notes/{number}.md"), draft(), BYLINE)
    wait_for(lambda: bool(wiki.committer.stats.last_error))

    assert ".git/index.lock" in wiki.committer.stats.last_error
    assert wiki.committer.stats.pending == 5
    assert not wiki.committer.flush(0.01)
    lock.unlink()
    commit_all(wiki)
    assert len(log_lines(wiki)) == 5
    assert wiki.committer.stats.last_error == ""
    assert_git_agrees(wiki)


def test_flush_does_not_wait_for_the_next_retry(wiki: Wiki) -> None:
    lock = wiki.committer.repository.git_dir / "index.lock"
    lock.write_bytes(b"")
    wiki.committer.start()
    wiki.save_page(HERE, page("notes/a.md"), draft(), BYLINE)
    wait_for(lambda: wiki.committer._failures >= 4)
    lock.unlink()

    assert wiki.committer.flush(5)


@pytest.mark.parametrize("command", ["fast-import", "update-ref", "update-index"])
def test_git_killed_in_the_middle_of_a_commit_is_run_again(
    wiki: Wiki, command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = shutil.which("git")
    wrapper = tmp_path / "bin" / "git"
    wrapper.parent.mkdir()
    once = f'[ "$1" = {command} ] && mkdir {tmp_path}/once 2>/dev/null'
    wrapper.write_text(f'#!/bin/sh\nif {once}; then kill -9 $$; fi\nexec {real} "$@"\n', encoding="utf-8")
    wrapper.chmod(0o755)
    monkeypatch.setenv("PATH", f"{wrapper.parent}:{os.environ['PATH']}")

    wiki.save_page(HERE, page("notes/a.md"), draft(), BYLINE)
    commit_all(wiki)

    assert (tmp_path / "once").is_dir()
    assert len(log_lines(wiki)) == 1
    assert_git_agrees(wiki)


def test_commits_go_on_while_somebody_packs_the_repository(wiki: Wiki) -> None:
    wiki.committer.start()
    for number in range(30):
        wiki.save_page(HERE, page(f"notes/{number}.md"), draft(f"{number}\n"), BYLINE)
        if number % 10 == 5:
            git(wiki, "gc", "-q")

    commit_all(wiki)

    assert len(log_lines(wiki)) == 30
    assert_git_agrees(wiki)


def test_commits_wait_while_a_person_is_in_the_middle_of_a_merge(wiki: Wiki) -> None:
    put_file(wiki, "main/app/a.md", "base\n")
    wiki.committer.commit_batch([request("main/app/a.md")])
    git(wiki, "checkout", "-q", "-b", "side")
    put_file(wiki, "main/app/a.md", "side\n")
    git(wiki, "commit", "-qam", "side")
    git(wiki, "checkout", "-q", "main")
    put_file(wiki, "main/app/a.md", "main\n")
    git(wiki, "commit", "-qam", "main")
    with pytest.raises(subprocess.CalledProcessError):
        git(wiki, "merge", "side")

    with pytest.raises(WikiUnreadable):
        wiki.committer.commit_batch([request("main/app/a.md")])
    git(wiki, "merge", "--abort")
    assert wiki.committer.commit_batch([request("main/app/a.md")]) == 0


def test_commit_by_a_person_and_a_switched_branch_are_built_upon(wiki: Wiki) -> None:
    put_file(wiki, "main/app/a.md", "one")
    wiki.committer.commit_batch([request("main/app/a.md")])
    put_file(wiki, "main/app/b.md", "by hand")
    git(wiki, "add", "-A")
    git(wiki, "commit", "-qm", "by hand")
    git(wiki, "checkout", "-q", "-b", "other")
    put_file(wiki, "main/app/a.md", "two")

    assert wiki.committer.commit_batch([request("main/app/a.md", "main/app/b.md")]) == 1

    assert git(wiki, "log", "--format=%s", "refs/heads/other").split("\n")[:3] == ["Write", "by hand", "Write"]
    assert git(wiki, "log", "--format=%s", "refs/heads/main").split("\n")[:1] == ["by hand"]
    assert_git_agrees(wiki)


def test_head_that_moves_in_between_is_noticed_and_the_batch_tried_again(wiki: Wiki) -> None:
    put_file(wiki, "main/app/a.md", "one")
    wiki.committer.commit_batch([request("main/app/a.md")])
    old = wiki.committer.repository.read_head(()).revision
    git(wiki, "commit", "-q", "--allow-empty", "-m", "meanwhile")
    put_file(wiki, "main/app/a.md", "two")
    wiki.committer.commit_batch([request("main/app/a.md")])
    wiki.committer.repository.run("update-ref", "refs/memwiki/next", old)

    with pytest.raises(WikiUnreadable):
        wiki.committer.repository.move_head(old)
    put_file(wiki, "main/app/a.md", "three")
    wiki.committer.commit_batch([request("main/app/a.md")])
    assert_git_agrees(wiki)


def test_detached_head_moves_with_its_commits(wiki: Wiki) -> None:
    put_file(wiki, "main/app/a.md", "one")
    wiki.committer.commit_batch([request("main/app/a.md")])
    git(wiki, "checkout", "-q", "--detach")
    put_file(wiki, "main/app/a.md", "two")

    wiki.committer.commit_batch([request("main/app/a.md")])

    assert git(wiki, "rev-list", "--count", "HEAD") == "2\n"
    assert git(wiki, "rev-list", "--count", "refs/heads/main") == "1\n"
    assert_git_agrees(wiki)


def test_commit_stopped_between_its_steps_is_healed_at_the_next_start(wiki: Wiki) -> None:
    place = "main/app/a.md"
    repository, committer = wiki.committer.repository, wiki.committer
    put_file(wiki, place, "one")
    committer.commit_batch([request(place)])
    (wiki.tree.root / place).write_bytes(b"two")
    head = repository.read_head([place])
    planned = commit_plan.plan_commits([request(place)], head.copies, {place: b"two"})
    repository.import_commits(commit_plan.render_stream(planned, head.revision))
    assert git(wiki, "log", "--format=%s") == "Write\n"
    repository.move_head(head.revision)
    assert repository.run("status", "--porcelain") != b""

    committer.queue_differences()
    commit_all(wiki)

    assert len(log_lines(wiki)) == 2
    assert_git_agrees(wiki)


def test_edits_made_while_nothing_was_running_are_committed_once(wiki: Wiki) -> None:
    put_file(wiki, "main/app/a.md", "a")
    put_file(wiki, "main/app/b.md", "b")
    put_file(wiki, "main/app/picture.png", "p")
    put_file(wiki, "main/app/.obsidian/workspace.json", "{}")
    put_file(wiki, "readme.md", "top")

    assert wiki.committer.queue_differences() == 2
    commit_all(wiki)

    assert log_lines(wiki) == ["outside edit: Edit 2 pages outside memwiki"]
    assert wiki.committer.queue_differences() == 0


def test_settings_hooks_and_attributes_of_others_have_no_say(
    wiki: Wiki, monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory
) -> None:
    home = tmp_path_factory.mktemp("home")
    trap = home / "trap"
    (home / ".gitconfig").write_text(
        '[commit]\n\tgpgSign = true\n[core]\n\tautocrlf = true\n[filter "x"]\n\tclean = touch trap\n', encoding="utf-8"
    )
    hook = wiki.committer.repository.git_dir / "hooks" / "reference-transaction"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text(f"#!/bin/sh\ntouch {trap}\nexit 1\n", encoding="utf-8")
    hook.chmod(0o755)
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("GIT_DIR", str(home / "elsewhere"))
    monkeypatch.setenv("GIT_INDEX_FILE", str(home / "index"))
    put_file(wiki, ".gitattributes", "* text=auto eol=crlf filter=x\n")
    put_file(wiki, "main/app/a.md", b"one\r\ntwo\n")

    wiki.committer.commit_batch([request("main/app/a.md")])

    assert wiki.committer.repository.run("show", "HEAD:main/app/a.md") == b"one\r\ntwo\n"
    assert not trap.exists()
    assert wiki.committer.repository.run("status", "--porcelain", "main") == b""


def test_symlink_is_never_committed(wiki: Wiki) -> None:
    real = put_file(wiki, "main/app/a.md", "inside")
    wiki.committer.commit_batch([request("main/app/a.md")])
    real.unlink()
    real.symlink_to("/etc/hosts")

    assert wiki.committer.commit_batch([request("main/app/a.md")]) == 0
    assert wiki.committer.repository.run("show", "HEAD:main/app/a.md") == b"inside"


def test_many_places_are_committed_in_bounded_batches(wiki: Wiki) -> None:
    for number in range(1201):
        put_file(wiki, f"main/app/{number % 7}/{number}.md", str(number))

    wiki.committer.queue_differences()
    commit_all(wiki)

    assert len(log_lines(wiki)) == 3
    assert_git_agrees(wiki)


def test_history_is_tidied_without_losing_anything(wiki: Wiki) -> None:
    put_file(wiki, "main/app/a.md", "one")
    wiki.committer.commit_batch([request("main/app/a.md")])

    assert wiki.committer.packer.pack(lambda: False)

    assert (wiki.committer.repository.git_dir / "objects/info/commit-graph").exists()
    assert_git_agrees(wiki)


def test_repository_inside_another_one_is_its_own(wiki: Wiki) -> None:
    inner = wiki.tree.root / "main" / "data" / "wiki"

    repository = open_repository(inner)

    assert repository.git_dir == inner / ".git"
    assert open_repository(inner) == repository


def test_environment_of_git_has_no_variable_of_ours(monkeypatch: pytest.MonkeyPatch, wiki: Wiki) -> None:
    monkeypatch.setenv("GIT_AUTHOR_NAME", "x")
    monkeypatch.setenv("SECRET_TOKEN", "x")

    environment = build_environment(wiki.tree.root, None)

    assert not {"GIT_AUTHOR_NAME", "SECRET_TOKEN", "HOME"} & environment.keys()
    assert environment["PATH"] == os.environ["PATH"]
