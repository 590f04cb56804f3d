"""History in few files: packed beside commits, stopped at once, and whole after a kill at any moment."""

import os
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from app.domain.errors import WikiUnreadable
from app.wiki import repository as repositories
from app.wiki.packing import Packer
from app.wiki.pages import Wiki
from tests.wiki.conftest import BYLINE, HERE, assert_git_agrees, commit_all, draft, log_lines, page, wait_for

_PACK = """
import sys
from pathlib import Path
from app.wiki.packing import Packer
from app.wiki.repository import open_repository
packer = Packer(open_repository(Path(sys.argv[1])))
print("ready", flush=True)
while packer.pack(lambda: False):
    pass
"""


def write_history(wiki: Wiki, count: int = 30) -> None:
    """Write in small batches, of which git keeps each object in a file of its own."""
    for number in range(count):
        wiki.save_page(HERE, page(f"notes/{number}.md"), draft(f"{number}\n" * 50), BYLINE)
        if number % 10 == 9:
            commit_all(wiki)
    commit_all(wiki)


def test_objects_are_put_together_and_nothing_is_lost(wiki: Wiki) -> None:
    write_history(wiki)
    packer = wiki.committer.packer
    before = packer.count()

    assert packer.pack(lambda: False)

    after = packer.count()
    assert before.loose > 50
    assert (after.loose, after.packs) == (0, 1)
    assert after.size_bytes < before.size_bytes
    assert len(log_lines(wiki)) == 30
    assert_git_agrees(wiki)


def test_no_command_that_somebody_waits_for_packs(wiki: Wiki) -> None:
    write_history(wiki, 3)
    repository = wiki.committer.repository
    before = wiki.committer.packer.count()

    repository.run("gc", "--auto", "--quiet")

    assert repository.run("config", "gc.auto").strip() == b"0"
    assert wiki.committer.packer.count() == before


def test_it_stops_when_told_to_and_goes_on_later(wiki: Wiki) -> None:
    write_history(wiki)

    assert not wiki.committer.packer.pack(lambda: True)
    assert wiki.committer.packer.count().loose > 50
    assert not wiki.committer.packer.pack(lambda: False, seconds_max=0)

    assert wiki.committer.packer.pack(lambda: False)
    assert_git_agrees(wiki)


def test_who_needs_the_history_alone_waits_for_no_run(wiki: Wiki) -> None:
    write_history(wiki)
    begun, results = threading.Event(), []

    def is_unwanted() -> bool:
        begun.set()
        return False

    def pack_on() -> None:
        while wiki.committer.packer.pack(is_unwanted):
            pass
        results.append("stopped")

    thread = threading.Thread(target=pack_on)
    thread.start()
    assert begun.wait(20)
    with wiki.committer.alone():
        assert_git_agrees(wiki)
    thread.join(20)

    assert results == ["stopped"]


def test_a_number_that_a_killed_run_left_stops_nobody(wiki: Wiki) -> None:
    write_history(wiki, 5)
    git_dir = wiki.committer.repository.git_dir
    name = subprocess.run(["hostname"], capture_output=True, text=True, check=True).stdout.strip()
    (git_dir / "gc.pid").write_text(f"{os.getpid()} {name}", encoding="ascii")

    assert wiki.committer.packer.pack(lambda: False)
    wiki.committer.repository.run("gc", "--quiet", "--prune=now", "--force")

    assert_git_agrees(wiki)


def test_a_kill_in_the_middle_leaves_history_whole_and_its_scraps_are_removed(wiki: Wiki) -> None:
    write_history(wiki)
    command = [sys.executable, "-c", _PACK, str(wiki.tree.root)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, start_new_session=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"ready\n"
        wait_for(lambda: bool(list_children(process.pid)))
        for child in list_children(process.pid):
            os.kill(child, signal.SIGKILL)
        os.killpg(process.pid, signal.SIGKILL)
    objects = wiki.committer.repository.git_dir / "objects"
    scraps = [objects / "pack" / "tmp_pack_killed", objects / "info" / "commit-graph.lock"]
    for scrap in scraps:
        scrap.write_bytes(b"half")
        os.utime(scrap, (0, 0))

    assert_git_agrees(wiki)
    assert Packer(repositories.open_repository(wiki.tree.root)).pack(lambda: False)

    assert not any(scrap.exists() for scrap in scraps)
    assert len(log_lines(wiki)) == 30
    assert_git_agrees(wiki)


def list_children(pid: int) -> list[int]:
    found = subprocess.run(["ps", "-o", "pid=", "--ppid", str(pid)], capture_output=True, text=True, check=False)
    return [int(line) for line in found.stdout.split()]


def damage(wiki: Wiki, revision: str) -> Path:
    """Spoil the file of one object; it is put back by its bytes."""
    repository = wiki.committer.repository
    name = repository.run("rev-parse", revision).decode().strip()
    path = repository.git_dir / "objects" / name[:2] / name[2:]
    path.chmod(0o600)
    path.write_bytes(b"x" * 20)
    return path


def test_a_damaged_object_of_the_past_is_named_and_stops_no_commit(wiki: Wiki) -> None:
    saved = wiki.save_page(HERE, page("notes/a.md"), draft("one\n"), BYLINE)
    commit_all(wiki)
    wiki.save_page(HERE, page("notes/a.md"), draft("two\n", saved.content_hash), BYLINE)
    commit_all(wiki)
    damaged = damage(wiki, "HEAD~1:main/app/notes/a.md")

    assert wiki.committer.packer.pack(lambda: False)
    wiki.save_page(HERE, page("notes/b.md"), draft("three\n"), BYLINE)
    commit_all(wiki)

    assert len(log_lines(wiki)) == 3
    assert wiki.read_page(HERE, page("notes/a.md")).body == "two\n"
    # It is left where it lies, for whoever has a copy of it.
    assert damaged.exists()
    with pytest.raises(WikiUnreadable):
        wiki.committer.repository.run("fsck", "--strict", "--no-dangling")


def test_a_damaged_object_that_commits_need_delays_them_until_it_is_mended(wiki: Wiki) -> None:
    wiki.save_page(HERE, page("notes/a.md"), draft("one\n"), BYLINE)
    commit_all(wiki)
    whole = {path: path.read_bytes() for path in wiki.committer.repository.git_dir.glob("objects/??/*")}
    damaged = damage(wiki, "HEAD^{tree}")

    wiki.save_page(HERE, page("notes/b.md"), draft("two\n"), BYLINE)
    wait_for(lambda: bool(wiki.committer.stats.last_error))
    assert wiki.read_page(HERE, page("notes/b.md")).body == "two\n"
    assert wiki.committer.stats.pending == 1
    damaged.write_bytes(whole[damaged])
    commit_all(wiki)

    assert len(log_lines(wiki)) == 2
    assert_git_agrees(wiki)
