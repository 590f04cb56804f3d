"""Sending what waits: everything once and in order, whatever the server, the disk and the clock make of it."""

import json
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from app.capture import client_drain
from app.capture.client_http import Server
from app.capture.client_spool import Spool
from tests.hooks.conftest import PAYLOAD, SCRIPT, Client, Loopback, Request, answer_well, render_answer

Serve = Callable[..., Loopback]
DAY = 24 * 3600


def make_line(rank: int, *, aged_seconds: float = 0, agent: str = "codex") -> bytes:
    moment = int((time.time() - aged_seconds) * 1000)
    entry = {"at": moment, "key": f"key-{rank:06}", "agent": agent, "event": "Stop", "payload": {"rank": rank}}
    return json.dumps(entry).encode() + b"\n"


def drain(spool: Spool, server: Loopback, token: str = "", seconds: float = 20) -> None:
    client_drain.drain(spool, Server(server.url, token, 5), time.monotonic() + seconds, is_patient=True)


@pytest.fixture
def spool(tmp_path: Path) -> Spool:
    return Spool(str(tmp_path / "spool"))


def list_ranks(server: Loopback, *, taken: Callable[[Request], bool] = lambda _: True) -> list[int]:
    return [
        event["payload"]["rank"] for request in server.requests if taken(request) for event in request.payload["events"]
    ]


def test_what_three_agents_left_in_two_hours_arrives_once_and_in_order_under_a_rate_limit(
    serve: Serve, spool: Spool
) -> None:
    for rank in range(1_500):
        spool.append(make_line(rank, agent=("codex", "claude-code", "other")[rank % 3]))
    waiting_bytes = sum(path.stat().st_size for path in Path(spool.folder).glob("events*"))
    refusals = iter([False, True, False, False, True])

    def answer(connection: socket.socket, request: Request) -> None:
        if next(refusals, False):
            request.headers["refused"] = "yes"
            connection.sendall(render_answer(429, b"{}", "Retry-After: 1"))
        else:
            answer_well(connection, request)

    server = serve(answer)

    drain(spool, server)

    assert list_ranks(server, taken=lambda request: "refused" not in request.headers) == list(range(1_500))
    assert spool.report() == (0, 0, 0)
    # Two batches went twice; nothing else was sent again.
    assert sum(len(request.body) for request in server.requests) < waiting_bytes * 1.6


def test_a_line_that_came_late_is_sent_where_it_belongs(serve: Serve, spool: Spool) -> None:
    for rank, aged_seconds in ((1, 30), (3, 10), (2, 20), (4, 10)):
        spool.append(make_line(rank, aged_seconds=aged_seconds))
    server = serve(answer_well)

    drain(spool, server)

    assert list_ranks(server) == [1, 2, 3, 4]


def test_a_drain_stops_for_as_long_as_the_server_asked(serve: Serve, spool: Spool) -> None:
    spool.append(make_line(1))
    server = serve(lambda connection, _: connection.sendall(render_answer(503, b"", "Retry-After: 60")))

    drain(spool, server, seconds=1)

    assert len(server.requests) == 1
    assert spool.report()[0] == 1
    assert spool.is_paused(only_asked=True)


def test_a_new_token_takes_what_the_old_one_could_not_send(serve: Serve, spool: Spool) -> None:
    spool.append(make_line(1))

    def answer(connection: socket.socket, request: Request) -> None:
        if request.headers["authorization"] == "Bearer new":
            answer_well(connection, request)
        else:
            connection.sendall(render_answer(401, b'{"code": "token_rejected"}'))

    server = serve(answer)

    drain(spool, server, token="old", seconds=0.5)
    assert spool.report()[0] == 1
    client_drain.drain(spool, Server(server.url, "new", 5), time.monotonic() + 5, is_asked=True)

    assert spool.report() == (0, 0, 0)


def test_an_event_that_the_server_calls_malformed_is_counted(serve: Serve, spool: Spool) -> None:
    spool.append(make_line(1))
    spool.append(make_line(2))
    results = {"results": [{"status": "dropped_by_policy"}, {"status": "malformed", "reason": "no session"}]}
    server = serve(lambda connection, _: connection.sendall(render_answer(200, json.dumps(results).encode())))

    drain(spool, server)

    assert spool.report() == (0, 0, 1)
    assert "no session" in (Path(spool.folder) / "hook.log").read_text(encoding="utf-8")


def test_what_waited_for_too_long_is_given_up_one_by_one(serve: Serve, spool: Spool) -> None:
    spool.append(make_line(1, aged_seconds=15 * DAY))
    spool.append(make_line(2, aged_seconds=13 * DAY))
    server = serve()

    drain(spool, server)

    assert list_ranks(server) == [2]
    assert spool.report() == (0, 0, 1)


def test_a_file_that_cannot_be_read_is_set_aside_and_counted_not_taken_for_empty(serve: Serve, spool: Spool) -> None:
    # A folder in its place cannot be read by anybody, root included.
    (Path(spool.folder) / "events-000000000001-7.jsonl").mkdir(parents=True)
    spool.append(make_line(1))
    server = serve()

    drain(spool, server)

    assert list_ranks(server) == [1]
    assert (Path(spool.folder) / "events-000000000001-7.jsonl.corrupt").is_dir()
    assert spool.report() == (0, 0, 7)


def test_a_line_that_a_crash_cut_spoils_no_other(serve: Serve, spool: Spool) -> None:
    spool.append(make_line(1))
    with (Path(spool.folder) / "events.jsonl").open("ab") as opened:
        opened.write(make_line(2)[:30])
    spool.append(make_line(3))
    server = serve()

    drain(spool, server)

    assert list_ranks(server) == [1, 3]
    assert spool.report() == (0, 0, 1)


def test_a_segment_larger_than_a_batch_goes_in_several(serve: Serve, spool: Spool) -> None:
    Path(spool.folder).mkdir()
    lines = b"".join(make_line(rank) for rank in range(600))
    (Path(spool.folder) / "events-000000000001-600.jsonl").write_bytes(lines)
    server = serve()

    drain(spool, server)

    assert [len(request.payload["events"]) for request in server.requests] == [256, 256, 88]
    assert list_ranks(server) == list(range(600))


def test_a_server_that_fails_in_the_middle_has_only_the_rest_sent_again(serve: Serve, spool: Spool) -> None:
    for rank in range(20):
        spool.append(make_line(rank))
    (Path(spool.folder) / "events.jsonl").rename(Path(spool.folder) / "events-000000000001-20.jsonl")
    spool.append(make_line(20))
    answers = iter([answer_well])
    server = serve(lambda connection, request: next(answers, lambda *_: connection.close())(connection, request))

    drain(spool, server, seconds=0.5)
    assert spool.report()[0] == 1
    second = serve()
    client_drain.drain(spool, Server(second.url, "", 5), time.monotonic() + 5, is_asked=True)

    assert list_ranks(second) == [20]


def test_while_one_process_sends_another_leaves_it_to_that(serve: Serve, spool: Spool) -> None:
    spool.append(make_line(1))
    inner: list[int] = []

    def answer(connection: socket.socket, request: Request) -> None:
        drain(spool, server, seconds=1)
        inner.append(len(server.requests))
        answer_well(connection, request)

    server = serve(answer)

    drain(spool, server)

    assert inner == [1]
    assert len(server.requests) == 1


def test_what_comes_while_a_drain_ends_is_sent_by_it(serve: Serve, spool: Spool) -> None:
    spool.append(make_line(1))

    def answer(connection: socket.socket, request: Request) -> None:
        if len(server.requests) == 1:
            spool.append(make_line(2))
        answer_well(connection, request)

    server = serve(answer)

    drain(spool, server)

    assert list_ranks(server) == [1, 2]


def test_after_the_last_event_somebody_stays_until_the_server_is_back(serve: Serve, client: Client) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
    client.send(f"http://127.0.0.1:{port}", "SessionEnd")
    client.wait_for_entries(1)

    server = serve(port=port)

    assert client.wait_until_empty(20)
    assert [event["payload"] for event in server.list_events()] == [PAYLOAD]


def test_a_process_of_its_own_sends_what_waits_where_processes_cannot_be_copied(serve: Serve, client: Client) -> None:
    spool = Spool(str(client.spool))
    spool.append(make_line(1))
    server = serve()

    # As it is started on Windows.
    command = [sys.executable, "-I", "-S", str(SCRIPT), "--drain", "last", "--url", server.url]
    subprocess.run(command, env={"MEMWIKI_SPOOL_DIR": spool.folder}, timeout=30, check=True)

    assert list_ranks(server) == [1]
    assert spool.is_empty()
