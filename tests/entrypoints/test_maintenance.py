"""Stores are looked after in quiet moments, make room at once, and by hand when somebody says so."""

import subprocess
from functools import partial
from pathlib import Path

from app.domain.limits_upkeep import GIT_NEVER_IDLE_TIMES, GIT_PACKS_MAX, IDLE_SECONDS, MERGE_PIECES_MIN
from app.index import tidying
from app.index.database import IndexDatabase
from app.upkeep.idle_work import IdleParts, IdleWork
from app.upkeep.pulse import Pulse
from app.upkeep.secret_renewal import SecretRenewal
from tests.entrypoints.serving import Server, new_name, serve, wait_for


class InterruptedPulse(Pulse):
    """Quiet for so many looks, and then somebody asks."""

    asks_left = 1

    def is_quiet(self, seconds: float) -> bool:
        del seconds
        self.asks_left -= 1
        return self.asks_left >= 0


def count_pieces(index: IndexDatabase) -> int:
    return max(index.read(partial(tidying.count_pieces, text=text)) for text in tidying.TEXTS)


def write_pages(server: Server, count: int) -> None:
    server.start(new_name())
    for number in range(count):
        server.put(f"notes/{number}.md", {"body": f"# Topic {number}\n\n" + "words of it " * 100}, project="shop")
    assert server.runtime.committer.flush(20)


def write_until_it_lies_in_pieces(server: Server) -> None:
    """Write one page after the other; four pieces of one size become one by themselves."""
    server.start(new_name())
    for number in range(200):
        server.put(f"notes/{number}.md", {"body": f"# Topic {number}\n\nwords of it\n"}, project="shop")
        if count_pieces(server.runtime.index) >= MERGE_PIECES_MIN:
            return
    raise AssertionError("it never lay in many pieces")


def make_quiet(server: Server) -> None:
    """Have it be quiet for long enough, as its clock of requests sees it."""
    server.runtime.pulse._last_at = float("-inf")


def test_full_text_in_many_pieces_becomes_one_in_a_quiet_moment(server: Server) -> None:
    write_until_it_lies_in_pieces(server)
    before = server.read("/search", q="topic 17")["hits"]

    busy = server.runtime.idle_work.look()
    make_quiet(server)
    quiet = server.runtime.idle_work.look()

    assert busy is None
    assert quiet is not None
    assert count_pieces(server.runtime.index) == 1
    assert server.read("/search", q="topic 17")["hits"] == before
    assert server.runtime.idle_work.look() is None


def test_a_request_in_the_middle_stops_it_at_the_next_step_and_it_goes_on_later(server: Server) -> None:
    write_until_it_lies_in_pieces(server)
    runtime, pulse = server.runtime, InterruptedPulse()
    packer, archive, renewal = runtime.committer.packer, runtime.compiling.archive, SecretRenewal(runtime.wiki)
    work = IdleWork(IdleParts(server.folder, archive, runtime.index, packer, pulse, runtime.clock, renewal))

    work.look()
    between = count_pieces(runtime.index)
    pulse.asks_left = 10_000
    work.look()

    assert between > count_pieces(runtime.index) == 1


def test_by_hand_space_is_given_back_and_told(server: Server) -> None:
    session = new_name()
    for number in range(40):
        server.run(session, f"make {number}", "x" * 8000)
    write_pages(server, 60)
    server.end(session)
    for path in ("notes/0.md", "notes/1.md"):
        server.client.delete(f"/api/v1/pages/{path}", params={"project": "shop"})
    server.post("/purge", {"kind": "session", "name": server.session(session)["id"], "apply": True})
    empty = server.read("/status", sizes="true")["sizes"]["empty_bytes"]

    assert server.post("/maintenance").status_code == 202
    wait_for(lambda: not server.read("/status")["maintenance"]["is_running"], "it is done")

    done = server.read("/status")["maintenance"]
    # A few empty pages are used for what is written meanwhile.
    assert done["freed_bytes"]["state"] > empty * 0.8 > 0
    assert done["freed_bytes"]["git"] > 0
    assert done["last_error"] == ""
    assert server.runtime.committer.packer.count().packs > 0
    left = server.runtime.index.read(tidying.measure_file)
    assert left.empty_bytes < left.size_bytes / 20


def test_what_was_done_last_is_known_after_the_next_start(tmp_path: Path, template: Path) -> None:
    with serve(tmp_path / "memwiki", template=template) as server:
        assert server.read("/status")["maintenance"]["last_at"] is None
        server.runtime.idle_work.look(is_by_hand=True)
        done = server.read("/status")["maintenance"]
    with serve(tmp_path / "memwiki") as again:
        assert again.read("/status")["maintenance"] == done


def test_git_is_packed_when_there_is_much_also_where_it_is_never_quiet(server: Server) -> None:
    write_pages(server, 3)
    work, repository = server.runtime.idle_work, server.runtime.repository
    for number in range(GIT_NEVER_IDLE_TIMES * GIT_PACKS_MAX):
        blobs = f"blob\ndata 5\n{number:05d}\nblob\ndata 6\n{number:06d}\n"
        command = ["git", "-c", "fastimport.unpackLimit=1", "fast-import", "--quiet"]
        subprocess.run(command, input=blobs.encode(), cwd=repository.root, check=True)

    server.runtime.pulse.enter()
    done = work.look()

    assert done is not None
    assert server.runtime.committer.packer.count().packs == 1


def test_quiet_is_when_nobody_asks_and_nobody_asked_a_moment_ago() -> None:
    moment = 100.0
    pulse = Pulse(lambda: moment)
    assert pulse.is_quiet(IDLE_SECONDS)

    pulse.enter()
    moment += 60
    assert not pulse.is_quiet(IDLE_SECONDS)
    pulse.leave()
    assert not pulse.is_quiet(IDLE_SECONDS)
    moment += IDLE_SECONDS

    assert pulse.is_quiet(IDLE_SECONDS)
