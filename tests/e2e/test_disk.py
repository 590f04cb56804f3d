"""A disk that is full, read-only or somebody else's: said clearly, nothing half-written, back without a restart."""

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import httpx2
import pytest

from tests.e2e import disks, sessions
from tests.server import SERVE, Server, build_headers, clean_environment, run_git, run_server, wait_for

pytestmark = pytest.mark.slow

MIB = 1024 * 1024
# What is freed again must hold a page of all that was taken, its index and its commit.
BALLAST_BYTES = 11 * MIB
NOBODY = 65534
REFUSALS = 20
EVENTS_MAX = 20_000
START_SECONDS = 60


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Path]:
    """A disk of 20 MiB."""
    with disks.small_disk(tmp_path / "disk") as mounted:
        yield mounted


def post(client: httpx2.Client, session: str, number: int) -> httpx2.Response:
    """Send a prompt of 20 KB that says which one it is."""
    event = sessions.build_prompt(session, f"prompt {number} " + f"{number:08d}" * 2500)
    params = {"agent": event.agent, "event": event.event}
    headers = build_headers(f"{session}-{number}", event.checkout)
    return client.post("/hook", params=params, json=event.payload, headers=headers)


def fill(server: Server, session: str) -> tuple[list[int], httpx2.Response]:
    """Send until the disk refuses some in a row; gives those that were taken and the last answer."""
    taken: list[int] = []
    refused = 0
    for number in range(EVENTS_MAX):
        answer = post(server.client, session, number)
        assert answer.status_code in {202, 507}, answer.text
        if answer.status_code == httpx2.codes.ACCEPTED:
            taken.append(number)
            refused = 0
        else:
            refused += 1
        if refused == REFUSALS:
            return taken, answer
    raise AssertionError("the disk never filled up")


def list_stored(server: Server) -> list[int]:
    return [int(text.split()[1]) for text in sessions.list_texts(server.data_dir)]


def run_start(data_dir: Path, *prefix: str) -> subprocess.CompletedProcess[str]:
    """Start a server that is expected to refuse."""
    return subprocess.run(
        [*prefix, *SERVE, "serve", "--data-dir", str(data_dir), "--port", "0"],
        capture_output=True,
        text=True,
        encoding="utf-8",
        env=clean_environment(),
        cwd="/",
        timeout=START_SECONDS,
        check=False,
    )


def start_or_refuse(data_dir: Path, number: int) -> tuple[str, int, int]:
    """Start a server, and one that starts gets an event; tells what both said, its exit code, and what the event got.

    What stands empty in its own files may be enough to start with.
    """
    starting = subprocess.Popen(
        [*SERVE, "serve", "--data-dir", str(data_dir), "--port", "0", "--json"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        encoding="utf-8",
        env=clean_environment(),
        cwd="/",
    )
    assert starting.stdout is not None
    late, answered = 0, ""
    if line := starting.stdout.readline():
        with httpx2.Client(base_url=json.loads(line)["url"], trust_env=False, timeout=START_SECONDS) as client:
            answer = post(client, "late", number)
            late, answered = answer.status_code, answer.text
        starting.terminate()
    said = starting.communicate(timeout=START_SECONDS)[1]
    return said + answered, starting.returncode, late


def test_a_full_disk_is_refused_clearly_and_taken_up_again_without_a_restart(disk: Path) -> None:
    disks.put_ballast(disk, BALLAST_BYTES)
    with run_server(disk / "memwiki") as server:
        taken, refusal = fill(server, "full")
        assert refusal.status_code == 507
        assert refusal.json()["code"] == "disk_refused"
        assert server.client.get("/healthz").status_code == 200
        assert server.client.get("/readyz").status_code == 503
        assert server.get("/api/v1/sessions/full")["total"] == len(taken)

        disks.drop_ballast(disk)
        wait_for(lambda: post(server.client, "full", EVENTS_MAX).status_code == 202, "events are taken again")
        server.post_event(*as_arguments(sessions.build_end("full")))
        page = server.wait_for_page("full")
        server.wait_until_committed()

        assert server.client.get("/readyz").status_code == 200
        assert list_stored(server) == [*taken, EVENTS_MAX]
        assert server.get(f"/api/v1/pages/{page['page_path']}", project="shop")["body"]
        assert disks.list_leftovers(server.data_dir) == []
        run_git(server.wiki, "fsck", "--strict")


def test_what_was_taken_before_the_disk_was_full_outlives_a_kill(disk: Path) -> None:
    disks.put_ballast(disk, BALLAST_BYTES)
    with run_server(disk / "memwiki") as server:
        taken, _ = fill(server, "full")
        server.kill()
        disks.drop_ballast(disk)
        server.start()

        assert list_stored(server) == taken


def test_a_server_starts_on_a_full_disk_or_says_why_not(disk: Path) -> None:
    disks.put_ballast(disk, BALLAST_BYTES)
    with run_server(disk / "memwiki") as server:
        taken, _ = fill(server, "full")
        server.kill()
    disks.take_the_rest(disk)

    said, code, late = start_or_refuse(disk / "memwiki", len(taken) + REFUSALS)

    assert "Traceback" not in said
    assert code == 3 or late in {202, 507}, said
    assert "full" in said or "No space" in said or late == httpx2.codes.ACCEPTED
    taken += [len(taken) + REFUSALS] if late == httpx2.codes.ACCEPTED else []
    disks.give_the_rest(disk)
    disks.drop_ballast(disk)
    with run_server(disk / "memwiki") as again:
        assert list_stored(again) == taken


def test_a_page_that_does_not_fit_is_refused_whole(disk: Path) -> None:
    disks.put_ballast(disk, BALLAST_BYTES)
    with run_server(disk / "memwiki") as server:
        server.post_event(*as_arguments(sessions.build_prompt("pages", "prompt 0")))
        small = save(server, "notes/kept.md", "# Kept\n\nThe first text.\n")
        assert small.status_code == 200, small.text
        server.wait_until_committed()
        disks.take_the_rest(disk)

        new = save(server, "notes/new.md", "x" * MIB)
        changed = save(server, "notes/kept.md", "y" * MIB, expected=small.json()["content_hash"])

        assert (new.status_code, new.json()["code"]) == (507, "disk_refused")
        assert (changed.status_code, changed.json()["code"]) == (507, "disk_refused")
        assert not list(server.wiki.rglob("new.md"))
        assert "The first text." in server.get("/api/v1/pages/notes/kept.md", project="shop")["body"]
        disks.give_the_rest(disk)
        again = save(server, "notes/kept.md", "# Kept\n\nThe second text.\n", expected=small.json()["content_hash"])
        assert again.status_code == 200, again.text
        server.wait_until_committed()
        assert disks.list_leftovers(server.data_dir) == []


@pytest.mark.parametrize("name", ["wiki", "raw"])
def test_a_store_that_is_read_only_for_a_while_costs_nothing(disk: Path, name: str) -> None:
    at_once = {"MEMWIKI_SEAL_AFTER_SECONDS": "0", "MEMWIKI_OBSERVATIONS_RETENTION_DAYS": "0"}
    with run_server(disk / "memwiki", **at_once) as server:
        with disks.write_protected(server.data_dir / name):
            for event in sessions.build_session("protected"):
                event.send(server)
            wait_for(lambda: server.get("/api/v1/status")["problems"], "the status tells of it")
            assert server.get("/api/v1/sessions/protected")["total"] == 5

        server.wait_for_page("protected")
        wait_for(lambda: list((server.data_dir / "raw").rglob("*.jsonl.zst")), "the session is sealed")
        wait_for(lambda: not server.get("/api/v1/status")["problems"], "the status is well again")
        assert server.get("/api/v1/sessions/protected")["total"] == 5
        assert disks.list_leftovers(server.data_dir) == []


def test_a_disk_that_goes_read_only_refuses_events_and_loses_none(tmp_path: Path) -> None:
    with disks.failing_disk(tmp_path / "disk") as disk, run_server(disk / "memwiki") as server:
        taken = [number for number in range(50) if post(server.client, "failing", number).status_code == 202]
        disks.fail_disk(disk)
        answers = [post(server.client, "failing", number) for number in range(100, 110)]
        assert {answer.status_code for answer in answers} == {507}
        assert {answer.json()["code"] for answer in answers} == {"disk_refused"}
        assert server.client.get("/readyz").status_code == 503
        assert server.client.get("/healthz").status_code == 200
        server.kill()
        disks.repair_disk(disk)
        server.start()

        assert taken == list(range(50))
        assert list_stored(server) == taken
        assert post(server.client, "failing", 200).status_code == 202


def test_a_read_only_data_directory_is_refused_at_the_start_by_its_path(disk: Path) -> None:
    with run_server(disk / "memwiki"):
        pass
    with disks.write_protected(disk):
        refused = run_start(disk / "memwiki")

    assert refused.returncode == 3, refused.stderr
    assert str(disk / "memwiki") in refused.stderr
    assert "read-only" in refused.stderr
    assert f"uid {os.geteuid()}" in refused.stderr
    assert "Traceback" not in refused.stderr


@pytest.fixture
def open_disk() -> Iterator[Path]:
    """A disk that other users can reach, unlike the folders that pytest makes."""
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)
        with disks.small_disk(Path(folder) / "disk") as mounted:
            yield mounted


@pytest.mark.parametrize("place", [".", "state", "state/state.db", "raw", "wiki", "server.lock"])
def test_what_belongs_to_somebody_else_is_refused_at_the_start_by_path_and_uid(open_disk: Path, place: str) -> None:
    as_nobody = ("setpriv", "--reuid", str(NOBODY), "--regid", str(NOBODY), "--clear-groups")
    data_dir = open_disk / "memwiki"
    with run_server(data_dir):
        pass
    for path in [data_dir, *data_dir.rglob("*")]:
        os.chown(path, NOBODY, NOBODY)
    os.chown(data_dir / place, 0, 0)
    (data_dir / place).chmod(0o700 if (data_dir / place).is_dir() else 0o600)
    if subprocess.run([*as_nobody, sys.executable, "-c", "import app.wiring"], cwd="/", check=False).returncode:
        disks.skip("another user cannot run this Python")

    refused = run_start(data_dir, *as_nobody)

    assert refused.returncode == 3, refused.stderr
    assert str((data_dir / place).resolve()) in refused.stderr
    assert f"uid {NOBODY}" in refused.stderr
    assert "uid 0" in refused.stderr
    assert "Traceback" not in refused.stderr


def save(server: Server, path: str, text: str, *, expected: str | None = None) -> httpx2.Response:
    body = {"body": text, "title": "A page", "expected_hash": expected}
    return server.client.put(f"/api/v1/pages/{path}", params={"project": "shop"}, json=body)


def as_arguments(event: sessions.SentEvent) -> tuple[str, str, dict[str, object]]:
    return event.agent, event.event, json.loads(json.dumps(event.payload))
