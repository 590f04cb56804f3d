"""What `memwiki doctor` says of a server that is not well, of this machine's capture, and of its programs."""

import json
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from app import system
from app.capture.client_spool import Spool
from app.entrypoints.cli import doctor_machine, doctor_server
from app.entrypoints.cli import machine as machines
from app.entrypoints.cli.remote import Remote
from app.entrypoints.cli.verdicts import Check, Verdict

WELL = {Verdict.PASS, Verdict.SKIP}
MODEL = {"state": "ready", "model": "m", "done": 1, "total": 1, "last_error": ""}


def list_loud(checks: Iterator[Check]) -> dict[str, Verdict]:
    return {check.name: check.verdict for check in checks if check.verdict not in WELL}


@dataclass
class Answers:
    """What the server at `url` says, and by which clock."""

    url: str
    status: dict[str, Any] = field(default_factory=dict)
    who: dict[str, Any] = field(default_factory=lambda: {"person": "mia", "token_id": "t1", "expires_at": None})
    code: int = 200
    date: str = ""
    tools: list[str] = field(default_factory=lambda: ["memory_search"])


@pytest.fixture
def answers() -> Iterator[Answers]:
    """A server on loopback in which all is well, until a test says otherwise."""
    index = {"vectors": dict(MODEL)}
    status = {"version": system.find_version(), "sqlite": "3.53.4", "index": index, "problems": []}
    found = Answers("", status)

    class Answer(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.reply(found.who if "whoami" in self.path else found.status if self.path.startswith("/api") else {})

        def do_POST(self) -> None:
            asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            tools = [{"name": name} for name in found.tools]
            listed = {"tools": tools} if asked["method"] == "tools/list" else {"serverInfo": {"name": "memwiki"}}
            self.reply({"jsonrpc": "2.0", "id": 1, "result": listed})

        def date_time_string(self, timestamp: float | None = None) -> str:
            return found.date or super().date_time_string(timestamp)

        def reply(self, document: dict[str, Any]) -> None:
            body = json.dumps(document).encode()
            self.send_response(found.code)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Answer) as server:
        found.url = f"http://127.0.0.1:{server.server_port}"
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield found
        server.shutdown()
        thread.join()


@dataclass(frozen=True)
class Case:
    """What is wrong, and what the one check says that must see it."""

    name: str
    verdict: Verdict
    breaking: Callable[[Answers], object]


SERVERS = (
    Case("server", Verdict.WARN, lambda found: found.status.update(version="0.0.9")),
    Case("sqlite", Verdict.WARN, lambda found: found.status.update(sqlite="3.40.1")),
    Case("vectors", Verdict.WARN, lambda found: found.status["index"]["vectors"].update(last_error="no model")),
    Case("server's own word", Verdict.WARN, lambda found: found.status.update(problems=["the disk is full"])),
    Case("clock", Verdict.FAIL, lambda found: setattr(found, "date", "Tue, 01 Jan 2019 00:00:00 GMT")),
    Case("access token here", Verdict.WARN, lambda found: found.who.update(expires_at="2026-12-05T00:00:00Z")),
    Case("mcp", Verdict.FAIL, lambda found: setattr(found, "tools", ["other"])),
    Case("server", Verdict.FAIL, lambda found: setattr(found, "code", 401)),
)


@pytest.mark.usefixtures("capture")
def test_a_server_that_is_well_has_nothing_to_tell(answers: Answers) -> None:
    assert list_loud(doctor_server.check_server(Remote(answers.url))) == {}


@pytest.mark.usefixtures("capture")
@pytest.mark.parametrize("case", SERVERS, ids=lambda case: case.name)
def test_what_is_wrong_with_a_server_is_seen_by_its_own_check(answers: Answers, case: Case) -> None:
    case.breaking(answers)

    checks = list(doctor_server.check_server(Remote(answers.url)))

    assert list_loud(iter(checks)) == {case.name: case.verdict}


@pytest.fixture
def capture(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A spool of one's own, which is empty."""
    folder = tmp_path / "spool"
    monkeypatch.setenv("MEMWIKI_SPOOL_DIR", str(folder))
    for name in ("MEMWIKI_CAPTURE", "MEMWIKI_SPOOL_KEY_FILE", "MEMWIKI_ACCESS_TOKEN"):
        monkeypatch.delenv(name, raising=False)
    return folder


def check_capture() -> dict[str, Verdict]:
    return list_loud(doctor_machine.check_capture(machines.find_machine()))


def test_nothing_is_said_of_a_spool_that_is_empty(capture: Path) -> None:
    assert check_capture() == {}
    assert not list(capture.glob("*"))


def test_events_that_wait_and_those_that_were_lost_are_told(capture: Path) -> None:
    spool = Spool(str(capture))
    spool.append(b'{"event": "Stop"}\n')
    waiting = check_capture()
    spool.count_lost(3, "the disk is full")

    assert waiting == {"spool": Verdict.WARN}
    assert check_capture() == {"spool": Verdict.WARN}


def test_a_key_of_the_spool_that_is_gone_is_found(capture: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MEMWIKI_SPOOL_KEY_FILE", str(capture.parent / "missing"))

    assert check_capture() == {"spool encryption": Verdict.FAIL}


@pytest.mark.usefixtures("capture")
def test_capture_that_is_switched_off_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MEMWIKI_CAPTURE", "off")

    assert check_capture() == {"capture": Verdict.FAIL}


def test_a_machine_without_git_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    machine = machines.find_machine()
    assert list_loud(doctor_machine.check_machine(machine)) == {}

    monkeypatch.setenv("PATH", str(tmp_path))

    assert list_loud(doctor_machine.check_machine(machine)) == {"git": Verdict.WARN}
