"""The hook client against servers of every kind: it succeeds in time and prints the server's words or nothing."""

import json
import os
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import ExitStack, suppress

import pytest

from tests.hooks.conftest import PAYLOAD, PAYLOADS, SCRIPT, Client, Loopback, Request, Run, answer_well, render_answer

Serve = Callable[..., Loopback]
# What an interpreter may take to start on a machine that is busy with other tests.
START_MARGIN_SECONDS = 1.5
BRIEF = "the brief: é\n".encode()


def answer_with_gateway_error(connection: socket.socket, _: Request) -> None:
    connection.sendall(render_answer(502, b"<html>bad gateway</html>"))


def answer_never(connection: socket.socket, _: Request) -> None:
    connection.recv(1)


def answer_by_the_byte(connection: socket.socket, _: Request) -> None:
    for byte in render_answer(202, b"slow " * 100):
        connection.sendall(bytes([byte]))
        time.sleep(0.01)


def answer_in_part(connection: socket.socket, _: Request) -> None:
    connection.sendall(b"HTTP/1.1 202 Accepted\r\nContent-Length: 100\r\n\r\nhalf a bri")


def answer_elsewhere(connection: socket.socket, _: Request) -> None:
    connection.sendall(render_answer(302, b"moved", "Location: http://127.0.0.1:1/"))


def answer_as_another_server(connection: socket.socket, _: Request) -> None:
    connection.sendall(render_answer(200, b"<html>It works!</html>"))


def answer_noise(connection: socket.socket, _: Request) -> None:
    connection.sendall(b"\x00\x01SSH-2.0-nonsense\r\n\r\n\r\n")


def answer_busy(connection: socket.socket, _: Request) -> None:
    connection.sendall(render_answer(429, b"{}", "Retry-After: 60"))


def half_close(connection: socket.socket, _: Request) -> None:
    connection.shutdown(socket.SHUT_WR)
    connection.recv(1)


def hang_up(connection: socket.socket, _: Request) -> None:
    connection.close()


BAD = [
    answer_with_gateway_error,
    answer_never,
    answer_by_the_byte,
    answer_in_part,
    answer_elsewhere,
    answer_as_another_server,
    answer_noise,
    answer_busy,
    half_close,
    hang_up,
]


def assert_silent_but_at_the_start(run: Run, event: str) -> None:
    """A start says that it begins without its memory; on a machine too busy for that it says nothing."""
    if event == "SessionStart" and run.stdout:
        told = json.loads(run.stdout)["hookSpecificOutput"]
        assert told["hookEventName"] == "SessionStart"
        assert "this session starts without it" in told["additionalContext"]
    else:
        assert run.stdout == b""


def test_an_event_arrives_as_the_agent_gave_it(serve: Serve, client: Client) -> None:
    server = serve()
    body = (PAYLOADS / "SessionStart.startup.json").read_bytes()
    client.environ["MEMWIKI_ACCESS_TOKEN"] = "mw_told"

    run = client.send(server.url, "SessionStart", body)

    assert (run.code, run.stdout, run.stderr) == (0, BRIEF, b"")
    [request] = server.requests
    assert request.path == "/hook?agent=claude-code&event=SessionStart"
    assert request.body == body
    assert request.headers["authorization"] == "Bearer mw_told"
    assert request.headers["content-type"] == "application/json"
    assert len(request.headers["idempotency-key"]) > 20
    assert "memwiki-spool" not in request.headers
    assert not client.spool.exists()


@pytest.mark.parametrize("event", ["SessionStart", "PostToolUse"])
@pytest.mark.parametrize("answer", BAD)
def test_a_server_that_fails_costs_no_event_and_no_time(
    serve: Serve, client: Client, answer: Callable[..., None], event: str
) -> None:
    client.patience = 1

    run = client.send(serve(answer).url, event)

    assert (run.code, run.stderr) == (0, b"")
    assert_silent_but_at_the_start(run, event)
    assert run.seconds < (1.0 if event == "SessionStart" else 0.2) + START_MARGIN_SECONDS
    assert [entry["payload"] for entry in client.wait_for_entries(1)] == [PAYLOAD]


@pytest.mark.parametrize("url", ["http://a..b:1", "not an address", "ftp://127.0.0.1", "http://127.0.0.1:99999"])
def test_an_address_that_leads_nowhere_costs_no_event(client: Client, url: str) -> None:
    run = client.send(url, "SessionStart")

    assert (run.code, run.stderr) == (0, b"")
    assert_silent_but_at_the_start(run, "SessionStart")
    client.wait_for_entries(1)


@pytest.mark.parametrize("shell", ["", "sh"], ids=["python", "curl"])
def test_a_server_that_speaks_no_tls_costs_no_event(serve: Serve, client: Client, shell: str) -> None:
    server = serve(answer_noise)
    client.shell, client.environ = shell, {"PATH": os.environ["PATH"], "HOME": str(client.cwd)}

    run = client.send(server.url.replace("http:", "https:"), "Stop", PAYLOAD | {"cwd": str(client.cwd)})

    assert (run.code, run.stdout, run.stderr) == (0, b"", b"")
    client.wait_for_entries(1)


def test_a_closed_port_costs_no_event(client: Client, closed_url: str) -> None:
    run = client.send(closed_url)

    assert (run.code, run.stdout, run.stderr) == (0, b"", b"")
    client.wait_for_entries(1)


@pytest.mark.parametrize("event", ["SessionStart", "Stop"])
def test_a_connection_that_is_never_made_is_given_up_in_time(client: Client, event: str) -> None:
    client.patience = 1
    with ExitStack() as stack:
        # A full queue of connections that nobody accepts swallows the next one, as a black hole would.
        listener = stack.enter_context(socket.create_server(("127.0.0.1", 0), backlog=0))
        for _ in range(4):
            caller = stack.enter_context(socket.socket())
            caller.setblocking(False)
            caller.connect_ex(listener.getsockname())
        run = client.send(f"http://127.0.0.1:{listener.getsockname()[1]}", event)

    assert (run.code, run.stderr) == (0, b"")
    assert_silent_but_at_the_start(run, event)
    assert run.seconds < (1.0 if event == "SessionStart" else 0.2) + START_MARGIN_SECONDS
    client.wait_for_entries(1)


@pytest.mark.parametrize(("more", "printed"), [((), b""), (("--brief", "first-prompt"), b"the brief")])
def test_a_brief_that_comes_after_the_start_is_waited_for(
    serve: Serve, client: Client, more: tuple[str, ...], printed: bytes
) -> None:
    def answer_late(connection: socket.socket, _request: Request) -> None:
        connection.settimeout(1.5)
        with suppress(TimeoutError):
            connection.recv(1)
        connection.sendall(render_answer(202, b"the brief"))

    client.patience, client.more = 4, more

    run = client.send(serve(answer_late).url, "UserPromptSubmit")

    assert (run.code, run.stdout, run.stderr) == (0, printed, b"")


def test_an_agent_that_never_closes_its_pipe_is_left_in_time(serve: Serve, client: Client) -> None:
    client.patience = 1
    began = time.monotonic()

    with client.start(serve().url) as process:
        code = process.wait(timeout=10)

    assert code == 0
    assert time.monotonic() - began < 0.2 + START_MARGIN_SECONDS


@pytest.mark.parametrize("status", [400, 413, 422])
def test_an_event_that_the_server_refuses_is_dropped(serve: Serve, client: Client, status: int) -> None:
    server = serve(lambda connection, _: connection.sendall(render_answer(status, b'{"code": "malformed"}')))

    run = client.send(server.url, "SessionStart", b"no JSON")

    assert (run.code, run.stdout, run.stderr) == (0, b"", b"")
    assert client.list_waiting() == []
    assert str(status) in (client.spool / "hook.log").read_text(encoding="utf-8")


@pytest.mark.parametrize("status", [401, 403, 404, 429, 500, 503])
def test_an_event_waits_while_the_way_to_the_server_is_barred(serve: Serve, client: Client, status: int) -> None:
    server = serve(lambda connection, _: connection.sendall(render_answer(status)))

    client.send(server.url)

    client.wait_for_entries(1)


def test_an_answer_in_chunks_is_printed_whole(serve: Serve, client: Client) -> None:
    chunked = b"HTTP/1.1 202 A\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n"

    run = client.send(serve(lambda connection, _: connection.sendall(chunked)).url, "SessionStart")

    assert run.stdout == b"abcde"


@pytest.mark.parametrize("name", ["MEMWIKI_CAPTURE", "MEMWIKI_OWN_RUN"])
def test_nothing_is_sent_or_kept_when_capture_is_off_or_the_run_is_our_own(
    serve: Serve, client: Client, name: str
) -> None:
    server = serve()
    client.environ[name] = "off" if name == "MEMWIKI_CAPTURE" else "1"

    run = client.send(server.url)

    assert (run.code, run.stdout, run.stderr) == (0, b"", b"")
    assert server.requests == []
    assert not client.spool.exists()


def test_a_body_beyond_ten_megabytes_is_not_read_on_and_counts_as_lost(serve: Serve, client: Client) -> None:
    server = serve()

    run = client.send(server.url, payload=b'{"a": "' + b"x" * (10 * 1024 * 1024) + b'"}')

    assert run.code == 0
    assert server.requests == []
    assert client.count_lost() == 1


def test_twenty_compactions_in_noisy_surroundings_print_nothing_but_the_answer(serve: Serve, client: Client) -> None:
    server = serve(lambda connection, _: connection.sendall(render_answer(202)))
    client.flags = ()
    client.environ = {"PYTHONWARNINGS": "always", "PYTHONDEVMODE": "1", "XDG_STATE_HOME": str(client.spool.parent)}

    runs = [client.send(server.url, "PreCompact") for _ in range(20)]

    assert {(run.code, run.stdout, run.stderr) for run in runs} == {(0, b"", b"")}


def test_without_a_home_the_spool_is_found_by_the_user(client: Client, closed_url: str) -> None:
    client.environ = {"MEMWIKI_SPOOL_DIR": "", "XDG_STATE_HOME": str(client.spool.parent)}

    run = client.send(closed_url)

    client.spool = client.spool.parent / "memwiki" / "spool"
    client.wait_for_entries(1)
    assert (run.code, run.stdout, run.stderr) == (0, b"", b"")
    assert list(client.cwd.iterdir()) == []


@pytest.mark.parametrize("arguments", [[], ["--agent"], ["--event", "Stop"], ["--help"]])
def test_a_wrong_call_is_silent(arguments: list[str]) -> None:
    run = subprocess.run(
        [sys.executable, "-I", "-S", str(SCRIPT), *arguments],
        input=b"{}",
        capture_output=True,
        timeout=20,
        check=False,
    )

    assert (run.returncode, run.stdout, run.stderr) == (0, b"", b"")


def test_the_token_is_read_from_its_file_and_shows_nowhere(serve: Serve, client: Client) -> None:
    token_file = client.cwd / "token"
    token_file.write_text("mw_from-a-file\n", encoding="utf-8")
    client.environ["MEMWIKI_ACCESS_TOKEN_FILE"] = str(token_file)
    server = serve(answer_with_gateway_error)

    client.send(server.url, "SessionStart")

    client.wait_for_entries(1)
    assert server.requests[0].headers["authorization"] == "Bearer mw_from-a-file"
    assert all(b"mw_from" not in path.read_bytes() for path in client.spool.iterdir())


def test_a_good_server_after_a_bad_one_gets_the_start_first_and_the_rest_behind_it(
    serve: Serve, client: Client
) -> None:
    client.send(serve(answer_with_gateway_error).url)
    client.wait_for_entries(1)
    server = serve(answer_well)

    run = client.send(server.url, "SessionStart")

    assert run.stdout == BRIEF
    assert client.wait_until_empty()
    assert [request.path.partition("?")[0] for request in server.requests] == ["/hook", "/hook/batch"]
    assert client.list_waiting() == []
