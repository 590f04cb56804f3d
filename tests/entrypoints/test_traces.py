"""Traces: a collector is told of the work that was done, by names, times and ids; without one nothing is loaded."""

import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from app import config, config_values
from app.domain.errors import InvalidValue
from app.upkeep.backup_keeper import BackupKeeper
from tests.entrypoints import serving
from tests.entrypoints.serving import Server

SECRET_WORDS = "zyxgranny"


def need_extra() -> None:
    if not config_values.is_traces_extra_installed():
        print("skipped: the extra `traces` is not installed")
        pytest.skip("the extra `traces` is not installed")


@dataclass
class Collector:
    """What takes spans by OTLP over HTTP, as a collector does; `is_away` has it answer that it cannot."""

    url: str = ""
    is_away: bool = False
    asked: int = 0
    headers: dict[str, str] = field(default_factory=dict)
    bodies: list[bytes] = field(default_factory=list)

    def list_spans(self) -> list[Any]:
        # The extra may be missing, with which what uses this is skipped.
        from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import (  # noqa: PLC0415
            ExportTraceServiceRequest,
        )

        found = [ExportTraceServiceRequest.FromString(body) for body in self.bodies]
        return [span for each in found for of in each.resource_spans for one in of.scope_spans for span in one.spans]

    def find(self, name: str) -> Any:  # noqa: ANN401 - what protobuf makes
        return next(span for span in self.list_spans() if span.name == name)


@contextmanager
def collect() -> Iterator[Collector]:
    found = Collector()

    class Taker(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["content-length"]))
            found.asked += 1
            found.headers = {name.lower(): value for name, value in self.headers.items()} | {"path": self.path}
            if not found.is_away:
                found.bodies.append(body)
            self.send_response(403 if found.is_away else 200)
            self.send_header("content-length", "0")
            self.end_headers()

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Taker) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        found.url = f"http://127.0.0.1:{server.server_address[1]}"
        yield found
        server.shutdown()


def read_attributes(span: Any) -> dict[str, str]:  # noqa: ANN401 - what protobuf makes
    return {each.key: each.value.string_value or str(each.value.int_value) for each in span.attributes}


def work(server: Server) -> None:
    server.start("s1")
    server.ask("s1", f"Fix the {SECRET_WORDS} lexer.")
    server.end("s1")
    server.put(f"notes/{SECRET_WORDS}.md", {"body": "# One"}, project="shop")
    server.client.get("/api/v1/search", params={"q": SECRET_WORDS, "project": "shop"}, headers={"x-request-id": "r-1"})
    server.client.get(f"/p/main/shop/page/notes/{SECRET_WORDS}.md")
    server.client.get("/api/v1/sessions/nobody")
    server.client.get("/readyz")


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory, template: Path) -> Collector:
    """What a collector was told by a server that has worked, and was stopped."""
    need_extra()
    folder = tmp_path_factory.mktemp("traces") / "memwiki"
    with collect() as collector:
        given = {"traces_endpoint": f"{collector.url}/", "traces_headers": "Authorization=Bearer x, x-tenant=a=b"}
        with serving.serve(folder, template=template, **given) as server:
            work(server)
            runtime = server.runtime
            plan = config_values.build_backup_plan(config.load_settings(data_dir=folder, backup_every_hours=1))
            BackupKeeper(runtime.backups.source, plan, runtime.clock, runtime.meter).make_if_due()
        return collector


def test_each_kind_of_work_is_told(told: Collector) -> None:
    names = {span.name for span in told.list_spans()}

    assert {
        "POST /hook",
        "PUT /api/v1/pages/{path:path}",
        "GET /api/v1/search",
        "GET /api/v1/sessions/{session_id}",
    } <= names
    assert {"state-write", "state-commit", "job", "index-write", "search", "stream", "git-commit", "backup"} <= names
    assert not [name for name in names if "readyz" in name]
    assert (told.headers["path"], told.headers["authorization"]) == ("/v1/traces", "Bearer x")
    assert told.headers["x-tenant"] == "a=b"


def test_a_request_says_by_which_id_it_is_known_and_what_was_done_for_it_stands_below(told: Collector) -> None:
    request, search = told.find("GET /api/v1/search"), told.find("search")
    streams = [span for span in told.list_spans() if span.parent_span_id == search.span_id]
    said = read_attributes(request)

    assert (said["memwiki.request_id"], said["http.response.status_code"], said["http.route"]) == (
        "r-1",
        "200",
        "/api/v1/search",
    )
    assert (search.parent_span_id, search.trace_id) == (request.span_id, request.trace_id)
    assert "text" in {read_attributes(span)["memwiki.sort"] for span in streams}
    assert request.start_time_unix_nano <= search.start_time_unix_nano <= search.end_time_unix_nano


def test_what_a_job_writes_stands_below_it(told: Collector) -> None:
    job = next(s for s in told.list_spans() if read_attributes(s).get("memwiki.sort") == "compile_session")

    below = {span.name for span in told.list_spans() if span.parent_span_id == job.span_id}

    assert "index-write" in below
    assert len(read_attributes(job)["memwiki.id"]) == 26


def test_no_span_has_anything_of_what_is_remembered(told: Collector) -> None:
    assert not [body for body in told.bodies if SECRET_WORDS.encode() in body]
    assert not [body for body in told.bodies if b"shop" in body]


def test_a_collector_that_is_away_costs_no_request_anything_and_is_told_of_once(
    tmp_path: Path, template: Path, caplog: pytest.LogCaptureFixture
) -> None:
    need_extra()
    with (
        collect() as collector,
        serving.serve(tmp_path / "memwiki", template=template, traces_endpoint=collector.url) as server,
    ):
        collector.is_away = True
        runtime = server.runtime
        assert runtime.meter.spans is not None
        sender = runtime.meter.spans.sender
        for _ in range(3):
            assert server.get("/status").status_code == 200
            sender.export(())
        lines = [record.getMessage() for record in caplog.records if "traces are" in record.getMessage()]
        warned = server.client.get("/readyz").json()["warnings"]
        collector.is_away = False
        sender.export(())

        assert len(lines) == 1
        assert "traces are lost" in warned[0]
        assert server.client.get("/readyz").json()["warnings"] == []


def test_configured_without_the_extra_is_said_wherever_one_looks_and_serves_all_the_same(
    tmp_path: Path, template: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(config_values, "_TRACES_EXTRA", "opentelemetry_is_not_here.exporter")
    with serving.serve(tmp_path / "memwiki", template=template, traces_endpoint="http://127.0.0.1:9") as server:
        warned = server.client.get("/readyz").json()["warnings"]

    assert "pip install 'memwiki[traces]'" in warned[0]
    assert [record for record in caplog.records if "make traces" in record.getMessage()]


def test_without_a_collector_nothing_of_it_is_loaded(tmp_path: Path) -> None:
    code = (
        "import sys; from pathlib import Path; from app import config, wiring; from app.entrypoints.http import app;"
        "runtime = wiring.build_runtime(config.load_settings(data_dir=Path(sys.argv[1]))); app.build_app(runtime);"
        "runtime.close(); print([name for name in sys.modules if name.startswith(('opentelemetry.sdk', 'requests'))])"
    )

    done = subprocess.run([sys.executable, "-c", code, str(tmp_path / "m")], capture_output=True, text=True, check=True)

    assert done.stdout.strip() == "[]"


@pytest.mark.parametrize("address", ["127.0.0.1:4318", "ftp://x", "http://", "http://x/?a=b"])
def test_an_address_that_is_none_stops_the_start(tmp_path: Path, address: str) -> None:
    with pytest.raises(InvalidValue, match="traces_endpoint"):
        config.load_settings(data_dir=tmp_path, traces_endpoint=address)
