"""The load generator, against the endpoint without a database and against servers that misbehave."""

import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from app.bench import ceiling, load, payloads, process, wire
from app.bench.load import LoadPlan
from app.state import lock
from tests.server import clean_environment, wait_for


@pytest.fixture
def lone_server() -> Iterator[tuple[str, int]]:
    """A server that answers the first request of each connection with 503, and closes it at the second."""
    listener = socket.create_server(("127.0.0.1", 0))
    stop = threading.Event()

    def answer(connection: socket.socket) -> None:
        with closing(connection):
            connection.recv(65536)
            connection.sendall(b"HTTP/1.1 503 Busy\r\ncontent-length: 4\r\n\r\nbusy")
            connection.recv(65536)

    def accept() -> None:
        while not stop.is_set():
            try:
                connection = listener.accept()[0]
            except OSError:
                return
            threading.Thread(target=answer, args=(connection,), daemon=True).start()

    thread = threading.Thread(target=accept, daemon=True)
    thread.start()
    yield listener.getsockname()
    stop.set()
    listener.shutdown(socket.SHUT_RDWR)
    listener.close()
    thread.join(5)


def build_requests(count: int) -> list[bytes]:
    events = payloads.draw_tool_events(9, count)
    return [payloads.build_hook_request({"Host": "127.0.0.1"}, event) for event in events]


def test_every_request_of_a_closed_loop_is_answered_once() -> None:
    result = ceiling.measure_bare_endpoint(build_requests(300), connections=8, seconds_max=20)

    assert (result.answered, result.failed) == (300, 0)
    assert len(result.times_ms) == 300
    assert result.per_second > 0


def test_a_steady_load_keeps_its_rate() -> None:
    with process.run_bare_endpoint() as url:
        host, port = wire.parse_address(url)
        result = load.run_load(LoadPlan(host, port, build_requests(200), 8, 202, 20, rate=400))

    assert (result.answered, result.failed) == (200, 0)
    assert result.seconds >= 199 / 400


def test_an_answer_with_another_status_is_a_fault(lone_server: tuple[str, int]) -> None:
    result = load.run_load(LoadPlan(*lone_server, build_requests(2), 2, 202, 10))

    assert (result.answered, result.failed) == (0, 2)
    assert result.first_fault.startswith("HTTP/1.1 503 Busy")


def test_a_lost_connection_ends_the_run_and_counts_what_was_not_sent(lone_server: tuple[str, int]) -> None:
    result = load.run_load(LoadPlan(*lone_server, build_requests(5), 1, 503, 10, marker=b"busy"))

    assert (result.answered, result.failed, result.marked) == (1, 4, 1)


def test_nothing_that_listens_is_an_error() -> None:
    with closing(socket.create_server(("127.0.0.1", 0))) as listener:
        port = listener.getsockname()[1]

    with pytest.raises(load.RemoteRejected):
        load.run_load(LoadPlan("127.0.0.1", port, build_requests(1), 1, 202, 5))


def test_a_folders_own_app_is_not_taken_for_the_bench(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "app").mkdir()
    (tmp_path / "app" / "__init__.py").write_text("raise SystemExit('not ours')", encoding="utf-8")
    monkeypatch.chdir(tmp_path)

    with process.run_bare_endpoint() as url:
        host, port = wire.parse_address(url)
        request = wire.build_request("POST", "/hook", wire.build_headers(url, ""), b"{}")
        result = load.run_load(LoadPlan(host, port, [request], 1, 202, 10))

    assert (result.answered, result.first_fault) == (1, "")


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL], ids=["told to end", "killed"])
def test_a_bench_that_ends_early_leaves_no_server(tmp_path: Path, number: signal.Signals) -> None:
    environment = {**clean_environment(), "TMPDIR": str(tmp_path)}
    command = [sys.executable, "-P", "-m", "app.entrypoints.cli.main", "bench", "soak", "--quick"]
    with (tmp_path / "told").open("wb") as told, subprocess.Popen(command, env=environment, stderr=told) as bench:
        try:
            begun = wait_for(lambda: list(tmp_path.glob(f"memwiki-bench-*/memwiki/{lock.LOCK_NAME}")), "a server runs")
            wait_for(lambda: b"day 1 of" in (tmp_path / "told").read_bytes(), "it has begun")
            bench.send_signal(number)
            bench.wait(30)
        finally:
            bench.kill()

    wait_for(lambda: not lock.is_held(begun[0].parent), "its server has ended")
    assert begun[0].parent.exists() is (number == signal.SIGKILL)
