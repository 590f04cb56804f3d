"""The spool: what waits is clean and private, is sent once and in order, and gives way when there is too much of it."""

import fcntl
import json
import os
import socket
import stat
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.hooks.conftest import PAYLOAD, SCRIPT, Client, Loopback, Request, answer_well, render_answer
from tests.unit.domain import planted

Serve = Callable[..., Loopback]
WORD = planted.make_letters(14, "spool") + "7"
KEY = next(key for kind, key in planted.KEYS if kind == "github-token")


def wait_for_file(path: Path) -> bool:
    until = time.monotonic() + 15
    while not path.exists() and time.monotonic() < until:
        time.sleep(0.02)
    return path.exists()


def write_spool(client: Client, count: int, *, number: int = 1, aged_seconds: float = 0) -> None:
    """Write a sealed file of the spool as an earlier run would have left it."""
    client.spool.mkdir(parents=True, exist_ok=True, mode=0o700)
    moment = int((time.time() - aged_seconds) * 1000)
    entries = [
        {
            "at": moment,
            "key": f"{moment:013}-{number:04}{rank:06}",
            "agent": "claude-code",
            "event": "Stop",
            "payload": PAYLOAD,
        }
        for rank in range(count)
    ]
    path = client.spool / f"events-{number:012}-{count}.jsonl"
    path.write_text("".join(json.dumps(entry) + "\n" for entry in entries), encoding="utf-8")
    os.utime(path, (time.time() - aged_seconds,) * 2)


def test_what_waits_is_redacted_and_only_this_user_may_read_it(client: Client, closed_url: str) -> None:
    payload = PAYLOAD | {
        "prompt": f"use {KEY} <private>our plan</private> ok",
        "tool_input": {"db_password": WORD, "command": f"curl -u bob:{WORD} https://h", "env": {"API_TOKEN": WORD}},
        f"odd {KEY}": [{"note": f"密码是{WORD}。"}],
    }

    client.send(closed_url, payload=payload)

    [entry] = client.wait_for_entries(1)
    assert entry["payload"]["prompt"] == "use [redacted:github-token] [private] ok"
    assert entry["payload"]["tool_input"]["db_password"] == "[redacted:password]"
    assert entry["payload"]["tool_input"]["env"] == {"API_TOKEN": "[redacted:token]"}
    kept = b"".join(path.read_bytes() for path in client.spool.iterdir())
    assert not [word for word in (KEY, WORD, "our plan") if word.encode() in kept]
    assert stat.S_IMODE(client.spool.stat().st_mode) == 0o700
    assert {stat.S_IMODE(path.stat().st_mode) for path in client.spool.iterdir()} == {0o600}


def test_an_entry_says_when_and_where_it_happened(client: Client, closed_url: str) -> None:
    before = time.time()

    client.send(closed_url)

    [entry] = client.wait_for_entries(1)
    assert entry["checkout"] == {"cwd": str(client.cwd), "machine": os.uname().nodename}
    assert entry["origin"] == f"claude-code {SCRIPT.parent}"
    assert entry["occurred_at"].endswith("Z")
    assert before - 1 < int(entry["key"][:13]) / 1000 < time.time() + 1
    assert (entry["agent"], entry["event"], entry["payload"]) == ("claude-code", "PostToolUse", PAYLOAD)


def test_events_go_behind_those_that_wait_and_arrive_once_in_order(
    serve: Serve, client: Client, closed_url: str
) -> None:
    for rank in range(5):
        client.send(closed_url, payload=PAYLOAD | {"rank": rank})
        client.wait_for_entries(rank + 1)
    server = serve()

    run = client.send(server.url, payload=PAYLOAD | {"rank": 5})
    client.drain(server.url)

    assert run.stdout == b""
    batches = [request.payload["events"] for request in server.requests if request.path == "/hook/batch"]
    ranks = {event["key"]: event["payload"]["rank"] for batch in batches for event in batch}
    assert list(ranks.values()) == [0, 1, 2, 3, 4, 5]


def test_the_server_hears_of_what_waits_and_what_was_lost(serve: Serve, client: Client) -> None:
    write_spool(client, 3, aged_seconds=100)
    (client.spool / "lost").write_text("2\n5\n", encoding="utf-8")
    server = serve()

    client.send(server.url, "SessionStart")
    assert client.wait_until_empty()

    depth, oldest, lost = server.requests[0].headers["memwiki-spool"].split(";")
    assert (depth, lost) == ("3", "7")
    assert 100 <= int(oldest) < 160
    assert [request.headers["memwiki-spool"] for request in server.requests[1:]] == ["0;0;7"]


@pytest.mark.parametrize("answer", [b"", b"{}", b"[]", b'{"results": []}', b'{"results": 3}', b"\xff"])
def test_an_answer_that_is_no_report_leaves_the_spool_alone(serve: Serve, client: Client, answer: bytes) -> None:
    write_spool(client, 2)
    server = serve(lambda connection, _: connection.sendall(render_answer(200, answer)))

    run = client.send(server.url, "PostToolUse")

    assert (run.code, run.stdout, run.stderr) == (0, b"", b"")
    client.wait_for_entries(3)
    assert wait_for_file(client.spool / "pause")
    assert client.count_lost() == 0


def test_entries_that_cannot_be_read_are_set_aside_and_the_rest_is_sent(serve: Serve, client: Client) -> None:
    write_spool(client, 2)
    [path] = client.spool.glob("events-*.jsonl")
    good = path.read_bytes().splitlines()
    path.write_bytes(b"\n".join([b'{"key": "cut', good[0], b"\x00\xff", b'{"key": 1}', good[1], b""]))
    server = serve()

    client.drain(server.url)

    keys = [json.loads(line)["key"] for line in good]
    assert [key for key in server.list_keys() if key in keys][:2] == keys
    assert client.list_waiting() == []
    [corrupt] = client.spool.glob("*.corrupt")
    assert corrupt.read_bytes().splitlines() == [b'{"key": "cut', b"\x00\xff", b'{"key": 1}']
    assert client.count_lost() == 3


@pytest.mark.parametrize(("days", "stays"), [(13, True), (15, False)])
def test_what_was_set_aside_goes_when_no_event_would_wait_so_long(
    serve: Serve, client: Client, days: int, *, stays: bool
) -> None:
    write_spool(client, 1)
    [path] = client.spool.glob("events-*.jsonl")
    path.write_bytes(b'{"key": "cut\n' + path.read_bytes())
    aside = [client.spool / f"events-000000000000-1.jsonl.{ending}" for ending in ("corrupt", "locked")]
    for file in aside:
        file.write_bytes(b"{\n")
        os.utime(file, (time.time() - days * 86_400,) * 2)

    client.drain(serve().url)

    assert [file.exists() for file in aside] == [stays, stays]
    assert len(list(client.spool.glob("*.corrupt"))) == 1 + stays


def test_an_entry_that_the_server_refuses_is_dropped_alone(serve: Serve, client: Client) -> None:
    write_spool(client, 3)

    taken = set()

    def refuse_the_second(connection: socket.socket, request: Request) -> None:
        if request.path != "/hook/batch":
            return answer_well(connection, request)
        endings = {event["key"][-4:] for event in request.payload["events"]}
        if "0001" in endings:
            return connection.sendall(render_answer(422, b'{"code": "malformed_payload"}'))
        taken.update(endings)
        return answer_well(connection, request)

    server = serve(refuse_the_second)

    client.drain(server.url)

    assert client.list_waiting() == []
    assert client.count_lost() == 1
    assert taken == {"0000", "0002"}


def test_a_server_that_asks_for_time_gets_it(serve: Serve, client: Client) -> None:
    busy = serve(lambda connection, _: connection.sendall(render_answer(429, b"{}", "Retry-After: 60")))
    client.send(busy.url, "SessionStart")
    client.wait_for_entries(1)
    server = serve()

    client.send(server.url)

    client.wait_for_entries(2)
    assert server.requests == []


def test_two_hooks_at_once_send_each_event_once(serve: Serve, client: Client) -> None:
    for number in range(1, 4):
        write_spool(client, 50, number=number)
    server = serve()

    processes = [client.start(server.url) for _ in range(2)]
    for process in processes:
        with process:
            process.communicate(json.dumps(PAYLOAD).encode(), timeout=20)
    client.drain(server.url)

    keys = {key for key in server.list_keys() if len(key) == 24}
    assert [process.returncode for process in processes] == [0, 0]
    assert client.list_waiting() == []
    assert len(keys) == 150


def test_nothing_is_lost_when_many_hooks_write_at_once(client: Client, closed_url: str) -> None:
    processes = []
    for _ in range(6):
        processes.append(client.start(closed_url))
        processes[-1].stdin.write(json.dumps(PAYLOAD).encode())
        processes[-1].stdin.close()
    for process in processes:
        with process:
            process.wait(timeout=20)

    keys = {entry["key"] for entry in client.wait_for_entries(len(processes))}
    assert len(keys) == len(processes)


def test_an_event_that_cannot_be_stored_in_time_is_stored_after_the_agent_went_on(
    client: Client, closed_url: str
) -> None:
    client.patience = 1
    client.spool.mkdir(parents=True)
    with (client.spool / "spool.lock").open("w", encoding="utf-8") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        run = client.send(closed_url)
        assert client.list_waiting() == []

    assert (run.code, run.stdout, run.stderr) == (0, b"", b"")
    assert run.seconds < 0.2 + 1.5
    client.wait_for_entries(1)


def test_who_is_far_from_the_server_gives_it_more_time(serve: Serve, client: Client) -> None:
    def answer_late(connection: socket.socket, request: Request) -> None:
        time.sleep(0.4)
        answer_well(connection, request)

    run = client.send(serve(answer_late).url)

    assert run.stdout == "the brief: é\n".encode()
    assert client.list_waiting() == []


def test_the_oldest_give_way_when_the_spool_is_full(client: Client, closed_url: str) -> None:
    for number in range(1, 41):
        write_spool(client, 250, number=number)

    client.send(closed_url)

    client.wait_for_entries(9_501)
    assert not (client.spool / "events-000000000001-250.jsonl").exists()
    assert client.count_lost() == 500


def test_what_has_waited_for_two_weeks_is_given_up(client: Client, closed_url: str) -> None:
    write_spool(client, 4, aged_seconds=15 * 24 * 3600)
    write_spool(client, 2, number=2, aged_seconds=13 * 24 * 3600)

    client.send(closed_url)

    client.wait_for_entries(3)
    assert client.count_lost() == 4


def test_a_spool_that_cannot_be_written_is_no_reason_to_fail(client: Client, closed_url: str) -> None:
    client.spool.parent.mkdir(parents=True)
    client.spool.write_text("a file in the place of the folder", encoding="utf-8")

    run = client.send(closed_url)

    assert (run.code, run.stdout, run.stderr) == (0, b"", b"")


@pytest.mark.parametrize("shell", ["", "sh"], ids=["python", "curl"])
def test_a_spool_that_cannot_be_written_is_no_reason_not_to_send(serve: Serve, client: Client, shell: str) -> None:
    client.spool.parent.mkdir(parents=True)
    client.spool.write_text("a file in the place of the folder", encoding="utf-8")
    client.shell, client.environ = shell, {"PATH": os.environ["PATH"], "HOME": str(client.cwd)}
    server = serve()

    run = client.send(server.url, payload=PAYLOAD | {"cwd": str(client.cwd)})

    assert (run.code, run.stderr) == (0, b"")
    assert [event["payload"]["tool_name"] for event in server.list_events()] == ["Bash"]


def test_long_texts_wait_with_their_head_and_tail(client: Client, closed_url: str) -> None:
    text = "first words " + "filler " * 30_000 + " last words"

    client.send(closed_url, payload=PAYLOAD | {"prompt": text})

    kept = client.wait_for_entries(1)[0]["payload"]["prompt"]
    assert kept.startswith("first words")
    assert kept.endswith("last words")
    assert "characters cut]" in kept
    assert len(kept) < 33_000


def test_a_prompt_of_megabytes_waits_with_its_head_and_tail(client: Client, closed_url: str) -> None:
    client.send(closed_url, payload=PAYLOAD | {"prompt": "first " + "filler " * 900_000 + " last"})

    kept = client.wait_for_entries(1)[0]["payload"]["prompt"]
    assert kept.startswith("first")
    assert kept.endswith("last")
    assert len(kept) < 33_000


def test_the_log_stays_bounded(client: Client, closed_url: str) -> None:
    client.spool.mkdir(parents=True)
    (client.spool / "hook.log").write_bytes(b"x" * 70_000)

    client.send(closed_url, payload=b"no JSON")

    assert (client.spool / "hook.log").stat().st_size < 1000
    assert client.count_lost() == 1
