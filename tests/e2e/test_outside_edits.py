"""The wiki is a folder that people edit: found by search soon, committed once, never written back, in any company."""

import subprocess
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.e2e import pages, sessions
from tests.server import Server, run_git, wait_for

pytestmark = pytest.mark.slow

# Two seconds are promised; a machine that runs other tests as well gets twice that.
FOUND_SECONDS_MAX = 4.0
IDLE_SECONDS = 3.0
NOTES = "main/shop/notes"
HAND = ("-c", "user.name=Ann", "-c", "user.email=ann@example.org")


@pytest.fixture
def edited(server: Server) -> Server:
    """Run a server on a few pages, all of them committed."""
    texts = {f"{NOTES}/{name}.md": f"# {name}\n\nThe {name} nests here.\n" for name in ("heron", "stork", "crane")}
    pages.WikiText(texts).write(server.wiki)
    pages.wait_for_pages(server, 3)
    server.wait_until_committed()
    return server


def count_commits(server: Server) -> int:
    return int(run_git(server.wiki, "rev-list", "--count", "HEAD"))


def wait_for_paths(server: Server, words: str, paths: list[str]) -> None:
    wait_for(lambda: pages.list_paths(server, words) == paths, f"{paths} for {words}", FOUND_SECONDS_MAX)


def wait_for_commits(server: Server, count: int) -> None:
    wait_for(lambda: count_commits(server) >= count, f"{count} commits")
    server.wait_until_committed()


def read_head(server: Server, place: str) -> bytes:
    shown = subprocess.run(
        ["git", "show", f"HEAD:{place}"], cwd=server.wiki, capture_output=True, timeout=30, check=True
    )
    return shown.stdout


def test_edits_of_every_kind_are_found_and_committed_together(edited: Server) -> None:
    folder, before = edited.wiki / NOTES, count_commits(edited)

    (folder / "heron.md").write_text("# heron\n\nNow a kingfisher.\n", encoding="utf-8")
    (folder / "added.md").write_text("# Added\n\nA pelican.\n", encoding="utf-8")
    (folder / "stork.md").rename(folder / "moved.md")
    (folder / "crane.md").unlink()

    wait_for_paths(edited, "kingfisher", ["notes/heron.md"])
    wait_for_paths(edited, "pelican", ["notes/added.md"])
    wait_for_paths(edited, "stork nests", ["notes/moved.md"])
    wait_for_paths(edited, "crane", [])
    wait_for_commits(edited, before + 1)
    assert count_commits(edited) == before + 1
    named = run_git(edited.wiki, "show", "--format=", "--name-only", "--no-renames", "HEAD").split()
    assert sorted(named) == sorted(f"{NOTES}/{name}.md" for name in ("heron", "added", "stork", "moved", "crane"))


@pytest.mark.parametrize(
    "content",
    [b"plain\r\ntext without a heading", b"---\ntitle: [broken\n---\n# Osprey\n", b"\xef\xbb\xbf# BOM\n", b"caf\xe9\n"],
    ids=["windows lines", "broken frontmatter", "byte order mark", "not UTF-8"],
)
def test_what_a_person_wrote_is_kept_to_the_byte(edited: Server, content: bytes) -> None:
    path, before = edited.wiki / NOTES / "mine.md", count_commits(edited)

    path.write_bytes(content)
    written_at = path.stat().st_mtime_ns
    wait_for_commits(edited, before + 1)
    edited.client.post("/api/v1/reindex")
    pages.wait_for_pages(edited, 4)

    assert (path.read_bytes(), path.stat().st_mtime_ns) == (content, written_at)
    assert read_head(edited, f"{NOTES}/mine.md") == content


def test_an_editor_that_saves_all_the_time_makes_one_commit_and_then_there_is_rest(edited: Server) -> None:
    path, before = edited.wiki / NOTES / "draft.md", count_commits(edited)

    for number in range(14):
        path.write_text(f"# Draft\n\nWord {'wren ' * (number + 1)}\n", encoding="utf-8")
        time.sleep(0.3)
    written = path.stat()
    wait_for_commits(edited, before + 1)
    rested_until = time.monotonic() + IDLE_SECONDS
    wait_for(lambda: time.monotonic() > rested_until or count_commits(edited) > before + 1, "rest")

    assert count_commits(edited) == before + 1
    assert read_head(edited, f"{NOTES}/draft.md") == path.read_bytes()
    assert (path.stat().st_mtime_ns, path.stat().st_ino) == (written.st_mtime_ns, written.st_ino)


def test_commits_by_hand_and_by_the_server_stand_side_by_side(edited: Server) -> None:
    made, writer = 0, threading.Thread(target=save_pages, args=(edited, 20))

    writer.start()
    while writer.is_alive() or made < 3:
        (edited.wiki / "by-hand.txt").write_text(f"{made}\n", encoding="utf-8")
        made += commit_by_hand(edited.wiki)
    writer.join()
    edited.wait_until_committed()

    history = run_git(edited.wiki, "log", "--format=%s").splitlines()
    assert history.count("by-hand") == made
    assert sorted(line for line in history if "saved-" in line) == sorted(f"Add notes/saved-{n}.md" for n in range(20))
    assert [read_head(edited, f"{NOTES}/saved-{n}.md") for n in range(20)] == [
        (edited.wiki / NOTES / f"saved-{n}.md").read_bytes() for n in range(20)
    ]
    assert run_git(edited.wiki, "fsck", "--no-dangling") == ""


def save_pages(server: Server, count: int) -> None:
    for event in sessions.build_session("known"):
        event.send(server)
    for number in range(count):
        body = {"body": f"# Saved {number}\n\nText."}
        server.client.put(f"/api/v1/pages/notes/saved-{number}.md", params={"project": "main/shop"}, json=body)


def commit_by_hand(wiki: Path) -> bool:
    """Commit as a person does; git refuses where another git is at work just then."""
    for arguments in (("add", "by-hand.txt"), ("commit", "-q", "-m", "by-hand", "by-hand.txt")):
        done = subprocess.run(["git", *HAND, *arguments], cwd=wiki, capture_output=True, timeout=30, check=False)
        if done.returncode != 0:
            return False
    return True


def test_a_lock_on_git_delays_commits_and_nothing_else(edited: Server) -> None:
    before, slowest = count_commits(edited), 0.0

    with hold_lock(edited.wiki):
        for event in sessions.build_session("locked"):
            began = time.monotonic()
            event.send(edited)
            slowest = max(slowest, time.monotonic() - began)
        edited.wait_for_page("locked")
        problems = wait_for(lambda: edited.get("/api/v1/status")["problems"], "a message about the lock")
        assert count_commits(edited) == before
    wait_for_commits(edited, before + 1)

    assert "index.lock" in problems[0]
    assert edited.get("/api/v1/status")["problems"] == []
    assert slowest < 1.0


@contextmanager
def hold_lock(wiki: Path) -> Iterator[None]:
    lock = wiki / ".git" / "index.lock"
    lock.touch(exist_ok=False)
    try:
        yield
    finally:
        lock.unlink()
