"""The way by curl: it sends what the Python client would send, and leaves to it whatever is not the plain case."""

import json
import os
import shutil
import socket
import stat
import sys
import time
from collections.abc import Callable
from pathlib import Path
from urllib.parse import unquote

import pytest

from tests.hooks.conftest import PAYLOAD, SCRIPT, Client, Loopback, Request, Run, answer_well, render_answer
from tests.hooks.test_send_event import BAD, START_MARGIN_SECONDS
from tests.hooks.test_send_event_checkout import git

Serve = Callable[..., Loopback]
SHELLS = [path for path in map(shutil.which, ("dash", "bash", "busybox")) if path]
# What curl is told, and what is asked of Python after it.
RECORDER = """#!{python}
import json, pathlib, sys
pathlib.Path({place!r}).write_text(json.dumps([sys.argv[1:], sys.stdin.read()]))
"""


@pytest.fixture
def curl_client(client: Client) -> Client:
    client.shell = "sh"
    client.environ = {"HOME": str(client.spool.parents[1]), "PATH": os.environ["PATH"]}
    return client


@pytest.fixture
def recorded(curl_client: Client, tmp_path: Path) -> Callable[[], tuple[list[str], str] | None]:
    """Have a recorder in the place of Python, which tells its arguments after the script, and its input."""
    place = tmp_path / "recorded.json"
    recorder = tmp_path / "recorder"
    recorder.write_text(RECORDER.format(python=sys.executable, place=str(place)), encoding="utf-8")
    recorder.chmod(0o700)
    curl_client.python = str(recorder)

    def read() -> tuple[list[str], str] | None:
        if not place.exists():
            return None
        arguments, body = json.loads(place.read_text(encoding="utf-8"))
        assert arguments[:3] == ["-I", "-S", str(SCRIPT)]
        return arguments[9:], body

    return read


def send(client: Client, url: str, event: str = "PostToolUse", **fields: object) -> bytes:
    """Send an event as agents write it, and tell its body."""
    payload = {"session_id": "s", "transcript_path": "/t", "cwd": str(client.cwd), **PAYLOAD, **fields}
    body = json.dumps(payload, ensure_ascii=False, separators=(",", ":")).encode()
    run = client.send(url, event, body)
    assert (run.code, run.stderr) == (0, b"")
    return body


def send_by_curl(client: Client, server: Loopback, body: bytes, event: str = "Stop") -> tuple[Run, Request]:
    """Send an event until curl sent it in time, which on a busy machine is not always the first time."""
    for _ in range(20):
        run = client.send(server.url, event, body)
        assert (run.code, run.stderr) == (0, b"")
        taken = [request for request in server.requests if request.headers.get("user-agent", "").startswith("curl")]
        if taken and not client.spool.exists():
            return run, taken[-1]
        shutil.rmtree(client.spool, ignore_errors=True)
    pytest.fail("curl sent nothing")


@pytest.mark.parametrize("shell", SHELLS)
def test_an_event_arrives_as_the_agent_gave_it_without_python(serve: Serve, curl_client: Client, shell: str) -> None:
    server = serve()
    curl_client.shell = shell
    curl_client.environ["MEMWIKI_ACCESS_TOKEN"] = "mw_told"
    body = json.dumps({"session_id": "s", "cwd": str(curl_client.cwd), "text": "é \\n %s"}, indent=1).encode() + b"\n\n"

    run, request = send_by_curl(curl_client, server, body)

    assert run.stdout == "the brief: é\n".encode()
    assert request.path == "/hook?agent=claude-code&event=Stop"
    assert request.body == body
    assert request.headers["authorization"] == "Bearer mw_told"
    assert request.headers["content-type"] == "application/json"
    assert len(request.headers["idempotency-key"]) > 20
    assert "memwiki-spool" not in request.headers
    assert not curl_client.spool.exists()


@pytest.mark.parametrize("event", ["tool.execute.after", "tool_result", "post-tool"])
def test_an_event_is_sent_under_any_agents_name_for_it(serve: Serve, curl_client: Client, event: str) -> None:
    body = json.dumps({"session_id": "s", "cwd": str(curl_client.cwd)}).encode()

    _, request = send_by_curl(curl_client, serve(), body, event)

    assert request.path == f"/hook?agent=claude-code&event={event}"


def make_plain(folder: Path) -> Path:
    git(folder, "init", "-q", "-b", "main")
    git(folder, "commit", "-q", "--allow-empty", "-m", "first")
    git(folder, "remote", "add", "origin", "https://bob:pw@host.example/team/shop.git")
    return folder


def make_nested(folder: Path) -> Path:
    nested = make_plain(folder) / "src" / "a b"
    nested.mkdir(parents=True)
    git(folder, "remote", "add", "upstream", "git@host.example:main/shop.git")
    git(folder, "checkout", "-q", "-b", "fix/a.b-c")
    return nested


def make_worktree(folder: Path) -> Path:
    git(make_plain(folder), "worktree", "add", "-q", "-b", "side", str(folder.parent / "side"))
    return folder.parent / "side"


def make_packed(folder: Path) -> Path:
    git(make_plain(folder), "pack-refs", "--all")
    return folder


def make_detached(folder: Path) -> Path:
    git(make_plain(folder), "checkout", "-q", "--detach")
    return folder


def make_unborn(folder: Path) -> Path:
    git(folder, "init", "-q", "-b", "main")
    return folder


def make_marked(folder: Path) -> Path:
    text = '# ours\nworkspace = "team"\n\n project = "billing"\n'
    (make_plain(folder) / ".memwiki.toml").write_text(text, encoding="utf-8")
    (folder / "deep").mkdir()
    return folder / "deep"


def make_folder(folder: Path) -> Path:
    return folder


PLAIN = [make_plain, make_nested, make_worktree, make_packed, make_detached, make_unborn, make_marked, make_folder]


@pytest.mark.parametrize("shell", SHELLS[:2])
@pytest.mark.parametrize("make", PLAIN, ids=lambda make: make.__name__)
def test_both_ways_see_the_same_of_a_working_copy(
    serve: Serve, curl_client: Client, make: Callable[[Path], Path], shell: str
) -> None:
    server = serve()
    curl_client.cwd = make(curl_client.cwd)
    body = json.dumps({"session_id": "s", "cwd": str(curl_client.cwd)}).encode()

    curl_client.shell = shell
    headers = send_by_curl(curl_client, server, body)[1].headers

    server.requests.clear()
    curl_client.shell = ""
    curl_client.send(server.url, "Stop", body)
    [event] = curl_client.wait_for_events(server, 1)
    assert json.loads(unquote(headers["memwiki-checkout"])) == event["checkout"]
    assert unquote(headers["memwiki-origin"]) == event["origin"]


def add_policy(folder: Path) -> None:
    (folder / ".memwiki.toml").write_text("[capture]\n", encoding="utf-8")


def add_cut_marker(folder: Path) -> None:
    (folder / ".memwiki.toml").write_text('project = "a"\nproject = "b"\n', encoding="utf-8")


def add_submodule_pointer(folder: Path) -> None:
    (folder / ".git").write_text("gitdir: /x/.git/modules/y\n", encoding="utf-8")


def add_rewriting(folder: Path) -> None:
    make_plain(folder)
    git(folder, "config", "url.https://mirror.example/.insteadOf", "https://host.example/")


def add_global_rewriting(folder: Path) -> None:
    make_plain(folder)
    text = '[url "https://mirror.example/"]\n\tINSTEADOF = https://host.example/\n'
    (folder.parent / ".gitconfig").write_text(text, encoding="utf-8")


def add_bare(folder: Path) -> None:
    git(folder, "init", "-q", "--bare")


def add_odd_branch(folder: Path) -> None:
    git(make_plain(folder), "checkout", "-q", "-b", "größer")


ODD = [add_policy, add_cut_marker, add_submodule_pointer, add_rewriting, add_global_rewriting, add_bare, add_odd_branch]


@pytest.mark.parametrize("add", ODD, ids=lambda add: add.__name__)
def test_an_odd_folder_is_left_to_python(
    serve: Serve, curl_client: Client, recorded: Callable[[], tuple[list[str], str]], add: Callable[[Path], None]
) -> None:
    add(curl_client.cwd)
    server = serve()

    body = send(curl_client, server.url)

    assert recorded() == ([], body.decode())
    assert server.requests == []


@pytest.mark.parametrize("name", ["events.jsonl", "events-000000000001-3.jsonl", "muted", "pause"])
def test_what_the_spool_holds_is_left_to_python(
    serve: Serve, curl_client: Client, recorded: Callable[[], tuple[list[str], str]], name: str
) -> None:
    curl_client.spool.mkdir(parents=True)
    (curl_client.spool / name).touch()
    server = serve()

    body = send(curl_client, server.url)

    assert recorded() == ([], body.decode())
    assert server.requests == []


@pytest.mark.parametrize("url", ["https://bob@h", "http://h/%41", "ftp://h", "http://[::1]:1", "http://h x"])
def test_an_odd_address_is_left_to_python(
    curl_client: Client, recorded: Callable[[], tuple[list[str], str]], url: str
) -> None:
    assert recorded() is None

    send(curl_client, url)

    assert recorded()[0] == []


@pytest.mark.parametrize(
    "event", ["SessionStart", "session.created", "SessionEnd", "session_shutdown", "session.ended"]
)
def test_the_start_and_the_end_of_a_session_are_left_to_python(
    curl_client: Client, closed_url: str, recorded: Callable[[], tuple[list[str], str]], event: str
) -> None:
    body = send(curl_client, closed_url, event)

    assert recorded() == ([], body.decode())


def test_without_curl_all_is_left_to_python(
    serve: Serve, curl_client: Client, recorded: Callable[[], tuple[list[str], str]], tmp_path: Path
) -> None:
    for name in ("cat", "sh", "od"):
        (tmp_path / "bin").mkdir(exist_ok=True)
        (tmp_path / "bin" / name).symlink_to(str(shutil.which(name)))
    curl_client.environ["PATH"] = str(tmp_path / "bin")
    curl_client.shell = str(shutil.which("sh"))

    body = send(curl_client, serve().url)

    assert recorded()[0][0] == "--key"
    assert recorded()[1] == body.decode()


NO_SERVER = b"SSH-2.0\r\n\r\n"
REFUSED = {
    "away": (None, "0", "0"),
    "busy": (render_answer(429, b"{}", "Retry-After: 60"), "429", "60"),
    "failing": (render_answer(503), "503", "0"),
    "too large": (render_answer(413, b"<html>"), "413", "0"),
    "malformed": (render_answer(422, b'{"code": "malformed_payload"}'), "422", "0"),
    "another server": (render_answer(400, b"<html>"), "0", "0"),
    "no server": (NO_SERVER, "0", "0"),
}


@pytest.mark.parametrize(("answer", "status", "retry"), REFUSED.values(), ids=REFUSED)
def test_python_is_told_what_came_of_it(
    serve: Serve,
    curl_client: Client,
    recorded: Callable[[], tuple[list[str], str]],
    answer: bytes | None,
    status: str,
    retry: str,
) -> None:
    server = serve(lambda connection, _: connection.sendall(answer) if answer else connection.close())

    body = send(curl_client, server.url)

    told, given = recorded()
    assert "--status" in told or answer == NO_SERVER
    assert given == body.decode()
    assert told[:2] == ["--key", server.requests[0].headers["idempotency-key"]]
    assert told[2:] in ([], ["--status", status], ["--status", status, "--retry", retry])


@pytest.mark.parametrize("answer", BAD)
def test_a_server_that_fails_costs_no_event_and_no_time(
    serve: Serve, curl_client: Client, answer: Callable[..., None]
) -> None:
    server = serve(answer)
    curl_client.patience = 1

    run = curl_client.send(server.url, "PostToolUse", PAYLOAD | {"cwd": str(curl_client.cwd)})

    assert (run.code, run.stdout, run.stderr) == (0, b"", b"")
    assert run.seconds < 0.3 + START_MARGIN_SECONDS
    [entry] = curl_client.wait_for_entries(1)
    # Whoever tried it first, it is the same event.
    assert {request.headers.get("idempotency-key") for request in server.requests} <= {entry["key"], None}


def test_an_event_that_the_server_refuses_is_dropped(serve: Serve, curl_client: Client) -> None:
    server = serve(lambda connection, _: connection.sendall(render_answer(422, b'{"code": "malformed_payload"}')))

    send(curl_client, server.url)

    assert curl_client.list_waiting() == []
    assert "422" in (curl_client.spool / "hook.log").read_text(encoding="utf-8")


def test_the_server_hears_of_what_was_lost(serve: Serve, curl_client: Client) -> None:
    curl_client.spool.mkdir(parents=True)
    (curl_client.spool / "lost").write_text("2\n5\n", encoding="utf-8")
    server = serve()

    send(curl_client, server.url)

    curl_client.wait_for_events(server, 1)
    assert server.requests[0].headers["memwiki-spool"].endswith(";7")


@pytest.mark.parametrize("name", ["MEMWIKI_CAPTURE", "MEMWIKI_OWN_RUN"])
def test_nothing_is_sent_when_capture_is_off_or_the_run_is_our_own(
    serve: Serve, curl_client: Client, name: str
) -> None:
    server = serve()
    curl_client.environ[name] = "off" if name == "MEMWIKI_CAPTURE" else "1"

    send(curl_client, server.url)

    assert server.requests == []
    assert not curl_client.spool.exists()


def test_the_token_is_on_no_command_line_and_in_no_file(serve: Serve, curl_client: Client) -> None:
    curl_client.environ["MEMWIKI_ACCESS_TOKEN"] = "mw_planted"
    lines: list[bytes] = []

    def look(connection: socket.socket, request: Request) -> None:
        for path in Path("/proc").glob("[0-9]*/cmdline"):
            try:
                lines.append(path.read_bytes())
            except OSError:
                continue
        answer_well(connection, request)

    server = serve(look)

    send(curl_client, server.url)

    assert server.requests[0].headers["authorization"] == "Bearer mw_planted"
    assert any(b"--data-binary" in line for line in lines)
    assert not [line for line in lines if b"mw_planted" in line]


def test_a_token_in_a_file_is_sent(serve: Serve, curl_client: Client) -> None:
    (curl_client.cwd / "token").write_text("mw_from-a-file\n", encoding="utf-8")
    server = serve()

    for path in (str(curl_client.cwd / "token"), "~/shop/token"):
        curl_client.environ["MEMWIKI_ACCESS_TOKEN_FILE"] = path
        send(curl_client, server.url)

    assert [request.headers["authorization"] for request in server.requests] == ["Bearer mw_from-a-file"] * 2


def test_what_becomes_of_an_event_that_waits_is_private(curl_client: Client, closed_url: str) -> None:
    send(curl_client, closed_url)

    curl_client.wait_for_entries(1)
    assert {stat.S_IMODE(path.stat().st_mode) for path in curl_client.spool.iterdir()} == {0o600}
    assert stat.S_IMODE(curl_client.spool.stat().st_mode) == 0o700


def test_a_crowd_of_hooks_sends_each_event_once(serve: Serve, curl_client: Client) -> None:
    server = serve()
    body = json.dumps(PAYLOAD | {"cwd": str(curl_client.cwd)}).encode()

    processes = [curl_client.start(server.url) for _ in range(6)]
    for process in processes:
        with process:
            process.communicate(body, timeout=20)
    assert curl_client.wait_until_empty()

    until = time.monotonic() + 10
    while len(set(server.list_keys())) < len(processes) and time.monotonic() < until:
        time.sleep(0.02)
    assert len(set(server.list_keys())) == len(processes)
