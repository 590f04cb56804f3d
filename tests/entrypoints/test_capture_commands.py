"""The commands that work on this machine's own files: explaining a decision, muting, sending what waits."""

import json
import os
import socket
import threading
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from typer.testing import CliRunner

from app.capture import client_consent, client_entry
from app.capture.client_spool import Spool
from app.domain.errors import ServerUnreachable, UnknownAgent
from app.entrypoints.cli.main import app
from app.entrypoints.cli.remote import Remote

ANSWER = b"HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: %d\r\n\r\n%s"


@pytest.fixture
def spool(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Spool:
    folder = tmp_path / "spool"
    monkeypatch.setenv("MEMWIKI_SPOOL_DIR", str(folder))
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    return Spool(str(folder))


@pytest.fixture
def taker() -> Iterator[tuple[str, list[bytes]]]:
    """Serve as a server that takes batches, and nothing else; tell its address and what it was sent."""
    taken: list[bytes] = []
    with ExitStack() as stack:
        listener = stack.enter_context(socket.create_server(("127.0.0.1", 0)))
        stack.callback(listener.shutdown, socket.SHUT_RDWR)

        def run() -> None:
            while True:
                try:
                    connection, _ = listener.accept()
                except OSError:
                    return
                with connection, connection.makefile("rb") as stream:
                    first = stream.readline()
                    headers = dict(line.split(b": ", 1) for line in iter(stream.readline, b"\r\n"))
                    lengths = {name.lower(): value for name, value in headers.items()}
                    taken.append(first + stream.read(int(lengths.get(b"content-length", 0))))
                    body = b'{"results": [{"status": "stored"}]}' if b"/hook/batch" in first else b'{"a": 1}'
                    connection.sendall(ANSWER % (len(body), body))

        threading.Thread(target=run, daemon=True).start()
        yield f"http://127.0.0.1:{listener.getsockname()[1]}", taken


def run(*arguments: str, stdin: str = "") -> dict[str, object]:
    done = CliRunner().invoke(app, [*arguments, "--json"], input=stdin, catch_exceptions=False)
    assert done.exit_code == 0
    answer = json.loads(done.stdout)
    assert isinstance(answer, dict)
    return answer


def keep_event(spool: Spool, url: str) -> None:
    facts = {"at": 1_800_000_000_000, "key": "k", "agent": "codex", "event": "Stop", "origin": "o"}
    spool.append(client_entry.build_entry(facts, {"cwd": "/x"}, b'{"session_id": "s"}'))
    spool.remember_server(url)


def test_a_decision_is_explained_and_nothing_is_sent_or_written(spool: Spool, tmp_path: Path) -> None:
    (tmp_path / ".memwiki.toml").write_text('[capture]\ndeny = ["secrets"]\n', encoding="utf-8")
    payload = json.dumps({"cwd": str(tmp_path), "tool_input": {"command": "cat secrets/key"}})

    answer = run("capture", "check", "--agent", "claude-code", "--event", "PostToolUse", stdin=payload)

    assert answer["decision"] == "drop"
    assert answer["reason"] == "secrets/key is denied by secrets"
    assert answer["kind"] == "tool_end"
    assert not Path(spool.folder).exists()


@pytest.mark.parametrize(("marker", "decision"), [("", "keep"), ("[capture]", "keep"), ("[captu", "drop")])
def test_a_check_says_what_a_hook_would_do(spool: Spool, tmp_path: Path, marker: str, decision: str) -> None:
    (tmp_path / ".memwiki.toml").write_text(marker, encoding="utf-8")

    answer = run("capture", "check", "--agent", "codex", "--event", "Stop", stdin="{}")

    assert answer["decision"] == decision
    assert not Path(spool.folder).exists()


def test_bytes_that_are_no_text_are_explained_too(spool: Spool, tmp_path: Path) -> None:
    (tmp_path / ".memwiki.toml").write_text("[capture]", encoding="utf-8")

    done = CliRunner().invoke(app, ["capture", "check", "--agent", "codex", "--event", "Stop"], input=b"\xff")

    assert done.stdout.startswith("drop the event cannot be read")
    assert spool.is_empty()


def test_an_agent_that_nobody_knows_is_named() -> None:
    with pytest.raises(UnknownAgent):
        CliRunner().invoke(app, ["capture", "check", "--agent", "x", "--event", "y"], catch_exceptions=False)


def test_muting_adds_and_unmuting_takes_away(spool: Spool, tmp_path: Path) -> None:
    run("session", "mute", "abc")
    muted = run("session", "mute")["muted"]

    assert muted == [{"kind": "session", "name": "abc"}, {"kind": "folder", "name": str(tmp_path)}]
    consent = client_consent.explain("codex", "Stop", b'{"session_id": "abc"}', "/", os.environ)
    assert not consent.is_given
    assert run("session", "unmute", "abc")["muted"] == [{"kind": "folder", "name": str(tmp_path)}]
    assert run("session", "unmute")["muted"] == []
    assert list(Path(spool.folder).iterdir()) == []


def test_a_command_sends_what_waits_for_its_server(spool: Spool, taker: tuple[str, list[bytes]]) -> None:
    url, taken = taker
    keep_event(spool, url)

    Remote(url).get("/api/v1/status")

    assert [line.split()[1] for line in taken] == [b"/hook/batch", b"/api/v1/status"]
    assert spool.is_empty()


def test_a_command_to_another_server_leaves_it_alone(spool: Spool, taker: tuple[str, list[bytes]]) -> None:
    url, taken = taker
    keep_event(spool, "http://127.0.0.1:1")

    Remote(url).get("/api/v1/status")

    assert [line.split()[1] for line in taken] == [b"/api/v1/status"]
    assert not spool.is_empty()


def test_a_command_whose_server_is_away_says_so_and_what_waits(spool: Spool) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        url = f"http://127.0.0.1:{listener.getsockname()[1]}"
    keep_event(spool, url)

    done = CliRunner().invoke(app, ["status", "--url", url])

    assert isinstance(done.exception, ServerUnreachable)
    assert "1 events wait" in done.stderr
    assert spool.report()[0] == 1
