"""Single events over a real connection: what the lane past the application takes is answered and stored as ever."""

import json
import socket
import threading
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from pathlib import Path
from urllib.parse import quote

import pytest
import uvicorn

from app.domain import limits
from app.entrypoints.http import app as http_app
from app.entrypoints.http.hook_protocol import HookProtocol
from tests.entrypoints import serving
from tests.entrypoints.serving import SHOP, Server, new_name, read_payload

Answer = tuple[int, dict[str, str], bytes]
PLAIN = {"content-type": "application/json", "memwiki-checkout": quote(json.dumps(SHOP))}


@contextmanager
def listen(server: Server) -> Iterator[int]:
    """Serve a running runtime on a port of this machine as `memwiki serve` does."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port: int = listener.getsockname()[1]
        app = http_app.build_app(server.runtime)
        config = uvicorn.Config(app, http=HookProtocol, ws="none", lifespan="off", access_log=False, log_config=None)
        served = uvicorn.Server(config)
        thread = threading.Thread(target=served.run, kwargs={"sockets": [listener]}, daemon=True)
        thread.start()
        serving.wait_for(lambda: served.started, "the server listens")
        yield port
        served.should_exit = True
        thread.join(serving.WAIT_SECONDS)


@pytest.fixture(scope="module")
def port(shared: Server) -> Iterator[int]:
    with listen(shared) as port:
        yield port


def write_request(port: int, target: str, body: bytes, headers: Mapping[str, str] | None = None) -> bytes:
    told = {"host": f"127.0.0.1:{port}", **PLAIN, "content-length": str(len(body)), **(headers or {})}
    head = [f"POST {target} HTTP/1.1", *(f"{name}: {value}" for name, value in told.items() if value)]
    return "\r\n".join([*head, "", ""]).encode("latin-1") + body


def read_answers(port: int, sent: bytes, count: int) -> list[Answer]:
    """Send bytes over one connection and read so many answers."""
    answers: list[Answer] = []
    with closing(socket.create_connection(("127.0.0.1", port), timeout=serving.WAIT_SECONDS)) as connection:
        connection.sendall(sent)
        stream = connection.makefile("rb")
        for _ in range(count):
            status = int(stream.readline().split()[1])
            lines = [line.decode("latin-1").rstrip() for line in iter(stream.readline, b"\r\n")]
            headers = {name.lower(): value for name, _, value in (line.partition(": ") for line in lines)}
            answers.append((status, headers, stream.read(int(headers["content-length"]))))
    return answers


def post(port: int, event: str, body: object, agent: str = "claude-code", **headers: str) -> Answer:
    raw = body if isinstance(body, bytes) else json.dumps(body).encode()
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return read_answers(port, write_request(port, f"/hook?agent={agent}&event={event}", raw, named), 1)[0]


def count_answers(port: int, status: int) -> float:
    """Count what this listener answered, by its own metrics."""
    request = f"GET /metrics HTTP/1.1\r\nhost: 127.0.0.1:{port}\r\n\r\n".encode()
    text = read_answers(port, request, 1)[0][2].decode()
    wanted = f'memwiki_requests_total{{area="hook",status="{status}"}} '
    return next((float(line.rpartition(" ")[2]) for line in text.splitlines() if line.startswith(wanted)), 0.0)


def test_an_event_is_stored_once_and_its_answer_says_nothing(shared: Server, port: int) -> None:
    session = new_name()
    payload = read_payload("claude-code", "PostToolUse.shell", session_id=session)

    first = post(port, "PostToolUse", payload, idempotency_key="k1")
    again = post(port, "PostToolUse", payload, idempotency_key="k1")

    assert [first[0], again[0]] == [202, 202]
    assert first[2] == b""
    assert first[1]["x-request-id"] != again[1]["x-request-id"]
    assert len(shared.observations(session)) == 1


ODD: dict[str, tuple[str, object, dict[str, str]]] = {
    "no JSON": ("Stop", b"not json", {}),
    "no session": ("Stop", {}, {}),
    "foreign host": ("Stop", {"session_id": "s"}, {"host": "evil.example"}),
    "foreign origin": ("Stop", {"session_id": "s"}, {"origin": "https://evil.example"}),
    "another type": ("Stop", {"session_id": "s"}, {"content_type": "text/plain"}),
    "forwarded": ("Stop", {"session_id": "s"}, {"x_forwarded_for": "10.1.2.3"}),
}


@pytest.mark.parametrize("case", ODD)
def test_what_is_refused_is_refused_with_the_same_words(shared: Server, port: int, case: str) -> None:
    event, body, headers = ODD[case]
    raw = body if isinstance(body, bytes) else json.dumps(body).encode()
    named = {name.replace("_", "-"): value for name, value in headers.items()}

    told = shared.client.post(f"/hook?agent=claude-code&event={event}", content=raw, headers=PLAIN | named)
    status, answered, problem = post(port, event, raw, **headers)

    assert (status, json.loads(problem)["code"]) == (told.status_code, told.json()["code"])
    assert json.loads(problem)["request_id"] == answered["x-request-id"]


def test_an_unknown_agent_is_refused_by_name(port: int) -> None:
    assert json.loads(post(port, "Stop", {"session_id": "s"}, agent="netscape")[2])["code"] == "unknown_agent"


def test_a_session_that_starts_is_told_its_brief(shared: Server, port: int) -> None:
    shared.offer("Half of the parser is done.")
    payload = read_payload("claude-code", "SessionStart.startup", session_id=new_name(), source="startup")

    status, headers, body = post(port, "SessionStart", payload)

    assert status == 202
    assert b"Half of the parser" in body
    assert headers["x-request-id"]


def test_what_a_policy_keeps_out_is_counted_once(server: Server) -> None:
    session = new_name()
    policy = quote(json.dumps({"root": "/home/dev/shop", "enabled": False}))
    payload = read_payload("claude-code", "PostToolUse.shell", session_id=session)

    with listen(server) as port:
        status, _, body = post(port, "PostToolUse", payload, memwiki_policy=policy)

    assert (status, body) == (202, b"")
    assert server.read("/status")["dropped"][0]["by_policy"] == 1
    assert server.observations(session) == []


def test_requests_that_follow_each_other_unasked_are_answered_in_their_order(shared: Server, port: int) -> None:
    session = new_name()
    payloads = [
        read_payload(
            "claude-code",
            "PostToolUse.shell",
            session_id=session,
            tool_use_id=f"t{n}",
            tool_input={"command": f"step {n}"},
        )
        for n in range(4)
    ]
    target = "/hook?agent=claude-code&event=PostToolUse"
    bodies = [json.dumps(payload).encode() for payload in payloads]
    sent = b"".join(write_request(port, target, body) for body in [*bodies[:2], b"odd", *bodies[2:]])

    answers = read_answers(port, sent, 5)
    stored = shared.observations(session)

    assert [status for status, _, _ in answers] == [202, 202, 400, 202, 202]
    assert [seen["id"] for seen in stored] == sorted(seen["id"] for seen in stored)
    assert [seen["native_id"] for seen in stored] == ["t0", "t1", "t2", "t3"]


def test_a_body_in_pieces_or_over_the_lanes_bound_is_taken_by_the_application(shared: Server, port: int) -> None:
    session = new_name()
    small = read_payload("claude-code", "PostToolUse.shell", session_id=session, tool_use_id="t1")
    body, big = json.dumps(small).encode(), small | {"tool_use_id": "t2", "odd": "x" * limits.INLINE_BODY_BYTES_MAX}
    chunked = write_request(
        port, "/hook?agent=claude-code&event=PostToolUse", b"", {"content-length": "", "transfer-encoding": "chunked"}
    )
    pieces = b"".join(b"%x\r\n%b\r\n" % (len(part), part) for part in (body[:40], body[40:])) + b"0\r\n\r\n"

    assert post(port, "PostToolUse", big)[0] == 202
    assert read_answers(port, chunked + pieces, 1)[0][0] == 202
    assert len(shared.observations(session)) == 2


def test_the_lanes_answers_are_counted_with_the_others(port: int) -> None:
    before = count_answers(port, 202)

    post(port, "Stop", read_payload("claude-code", "Stop", session_id=new_name()))

    assert count_answers(port, 202) == before + 1


def test_a_server_that_stops_asks_to_come_again(server: Server) -> None:
    with listen(server) as port:
        server.runtime.writer.stop()
        status, headers, problem = post(port, "Stop", read_payload("claude-code", "Stop", session_id=new_name()))

    assert (status, json.loads(problem)["code"]) == (503, "server_stopping")
    assert int(headers["retry-after"]) >= 1


def test_too_fast_a_session_is_asked_to_come_again(tmp_path: Path, template: Path) -> None:
    session = new_name()
    folder = tmp_path / "memwiki"
    with serving.serve(folder, template=template, rate_limit_per_session=1.0) as server, listen(server) as port:
        statuses = [
            post(
                port,
                "PostToolUse",
                read_payload("claude-code", "PostToolUse.shell", session_id=session),
                idempotency_key=str(n),
            )
            for n in range(4)
        ]

    assert {status for status, _, _ in statuses} == {202, 429}
    assert all("retry-after" in headers for status, headers, _ in statuses if status == 429)
