"""What Prometheus is told, the ids of requests, and the log's lines."""

import json
import logging
import re
import shutil
import subprocess
from datetime import UTC, datetime
from pathlib import Path

import pytest
import yaml
from prometheus_client.parser import text_string_to_metric_families as parse

from app.domain.limits import LOG_BYTES_MAX
from app.entrypoints import request_ids
from app.entrypoints.cli import log_lines
from app.entrypoints.http.watched import find_area
from app.state.meter import Meter
from app.upkeep import records
from app.upkeep.records import BackupRecord, DrillRecord
from tests.e2e.disks import small_disk
from tests.entrypoints import promql
from tests.entrypoints.serving import Server, new_name, read_payload, serve

DOCKER = Path(__file__).parents[2] / "docker"

NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)
Samples = dict[tuple[str, tuple[tuple[str, str], ...]], float]


def read_samples(server: Server) -> Samples:
    answer = server.client.get("/metrics")
    assert answer.status_code == 200, answer.text
    families = parse(answer.text)
    return {
        (sample.name, tuple(sorted(sample.labels.items()))): sample.value
        for each in families
        for sample in each.samples
    }


def list_queries() -> list[str]:
    rules = yaml.safe_load((DOCKER / "alerts.yml").read_text(encoding="utf-8"))["groups"][0]["rules"]
    panels = json.loads((DOCKER / "grafana-dashboard.json").read_text(encoding="utf-8"))["panels"]
    return [rule["expr"] for rule in rules] + [target["expr"] for panel in panels for target in panel["targets"]]


def matches(sign: str, value: str, found: str) -> bool:
    is_equal = re.fullmatch(value, found) is not None if sign.endswith("~") else value == found
    return is_equal != sign.startswith("!")


def work(server: Server) -> str:
    session = new_name()
    server.start(session)
    server.ask(session, "Fix the lexer.")
    server.end(session)
    server.read("/search", q="lexer")
    return session


def test_requests_are_counted_by_area_and_status(server: Server) -> None:
    work(server)
    server.get("/sessions/nobody")

    found = read_samples(server)

    assert found["memwiki_requests_total", (("area", "hook"), ("status", "202"))] == 3
    assert found["memwiki_requests_total", (("area", "search"), ("status", "200"))] == 1
    assert found["memwiki_requests_total", (("area", "api"), ("status", "404"))] == 1
    assert found["memwiki_request_seconds_count", (("area", "hook"),)] == 3
    assert found["memwiki_sessions", ()] == 1


def test_no_figure_names_a_project_a_person_or_a_session(server: Server) -> None:
    session = work(server)

    text = server.client.get("/metrics").text

    for name in ("shop", session, "local", str(server.folder)):
        assert name not in text


def test_who_was_denied_is_counted(tmp_path: Path, template: Path) -> None:
    with serve(tmp_path / "memwiki", template=template, access_token="mw_secret") as server:
        server.client.get("/api/v1/status", headers={"authorization": "Bearer wrong"})

        assert read_samples(server)["memwiki_denied_total", (("reason", "unauthenticated"),)] == 1
        assert server.client.get("/metrics", headers={"authorization": ""}).status_code == 401


@pytest.fixture(scope="module")
def samples(tmp_path_factory: pytest.TempPathFactory, template: Path) -> Samples:
    """What a server tells that has worked, was backed up, tried and looked after."""
    folder = tmp_path_factory.mktemp("metrics") / "memwiki"
    with serve(folder, template=template) as server:
        work(server)
        backup_at = BackupRecord(NOW, "x", 1, is_encrypted=False, faults=[])
        for record in (backup_at, DrillRecord(NOW, "x", passed=True, faults=[])):
            records.install_record(folder, record)
        server.runtime.idle_work.look(is_by_hand=True)
        return read_samples(server)


@pytest.mark.parametrize("query", list_queries())
def test_every_query_of_dashboard_and_alerts_asks_for_what_there_is(samples: Samples, query: str) -> None:
    for selector in promql.parse(query):
        if selector.name == "up":
            # Prometheus' own, for each thing that it asks.
            continue
        found = [dict(pairs) for name, pairs in samples if name == selector.name]
        assert found, f"there is no {selector.name}"
        # A job's name is given by Prometheus, too.
        known = set(found[0]) | {"job"}
        assert {label for label, _, _ in selector.matchers} | set(selector.kept) <= known
        for label, sign, value in selector.matchers:
            if label not in {"job", "status"}:
                assert any(matches(sign, value, pairs[label]) for pairs in found), (label, value)
        assert selector.has_range == ("rate" in selector.functions)
        if "rate" in selector.functions:
            assert selector.name.endswith(("_total", "_bucket"))
        if "histogram_quantile" in selector.functions:
            assert selector.name.endswith("_bucket")
            assert "le" in selector.kept


def test_prometheus_own_tool_takes_the_alert_rules() -> None:
    tool = shutil.which("promtool")
    if tool is None:
        print("skipped: promtool is not installed")
        pytest.skip("promtool is not installed")
    done = subprocess.run([tool, "check", "rules", str(DOCKER / "alerts.yml")], capture_output=True, check=False)
    assert done.returncode == 0, done.stderr


def test_the_work_of_each_part_is_timed(samples: Samples) -> None:
    assert samples["memwiki_events_total", (("outcome", "stored"),)] == 3
    assert samples["memwiki_state_commit_seconds_count", ()] > 0
    assert samples["memwiki_git_commit_seconds_count", ()] > 0
    assert samples["memwiki_job_seconds_count", (("kind", "compile_session"),)] == 1
    assert samples["memwiki_page_wait_seconds_count", ()] == 1
    assert samples["memwiki_search_seconds_count", (("grain", "pages"),)] == 1
    assert samples["memwiki_search_stream_seconds_count", (("stream", "text"),)] == 1
    assert samples["memwiki_search_stream_failed_total", (("stream", "text"),)] == 0
    assert samples["memwiki_table_bytes", (("table", "observations"),)] > 0
    assert samples["memwiki_capture_faults", (("fault", "refused"),)] == 0
    assert samples["process_resident_memory_bytes", ()] > 0


def test_what_takes_too_long_is_told_with_what_it_was_done_to() -> None:
    told: list[str] = []
    meter = Meter(2000, told.append)

    meter.note("job", "compile_session", 2.5, subject="s1")
    meter.note("job", "compile_session", 1.9)
    meter.tell_slow("request GET search", 2.0)
    meter.slow_ms = 0
    meter.note("stream", "text", 60.0, is_failed=True)

    assert told == ["slow: job compile_session s1 took 2500 ms", "slow: request GET search took 2000 ms"]
    assert [
        sum(meter.list_times(work)[sort].counts) for work, sort in (("job", "compile_session"), ("stream", "text"))
    ] == [
        2,
        1,
    ]
    assert meter.list_times("stream")["text"].failed == 1


def test_a_slow_request_is_noted_by_its_area_alone(
    tmp_path: Path, template: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with serve(tmp_path / "memwiki", template=template, slow_ms=1) as server:
        server.read("/search", q="confidential words")

    lines = [record.getMessage() for record in caplog.records if record.getMessage().startswith("slow: ")]
    assert any(line.startswith("slow: request GET search took ") for line in lines)
    assert not any("confidential" in line for line in lines)


def test_a_request_keeps_the_id_that_it_came_with_and_gets_one_otherwise(server: Server) -> None:
    given = server.client.get("/healthz", headers={"x-request-id": "trace-1.2:3"})
    odd = server.client.get("/healthz", headers={"x-request-id": "a b\tc"})
    problem = server.client.get("/api/v1/sessions/nobody", headers={"x-request-id": "trace-9"})

    assert given.headers["x-request-id"] == "trace-1.2:3"
    assert re.fullmatch(r"[0-9a-z]{26}", odd.headers["x-request-id"])
    assert problem.json()["request_id"] == problem.headers["x-request-id"] == "trace-9"


@pytest.mark.parametrize("form", ["json", "console"])
def test_a_line_of_the_log_has_the_requests_id_and_no_secret(form: str) -> None:
    secret = "ghp_" + "a1B2" * 9
    record = logging.LogRecord("app.x", logging.WARNING, __file__, 1, "lost %s\nnext", (secret,), None)
    token = request_ids.enter("trace-1")

    line = log_lines.build_formatter(form).format(record)  # type: ignore[arg-type]

    request_ids.leave(token)
    assert secret not in line
    assert "trace-1" in line
    if form == "json":
        told = json.loads(line)
        assert (told["level"], told["logger"], told["request_id"]) == ("warning", "app.x", "trace-1")
        assert "\n" not in line


def test_areas_say_nothing_of_what_was_asked_for() -> None:
    paths = ["/hook", "/hook/batch", "/mcp", "/api/v1/search", "/api/v1/pages/secret.md", "/main/secret", "/readyz"]

    assert [find_area(path) for path in paths] == ["hook", "batch", "mcp", "search", "api", "web", "probe"]


def test_events_are_refused_before_the_disk_is_full_and_taken_again(tmp_path: Path, template: Path) -> None:
    with small_disk(tmp_path / "small", size="60m") as disk, serve(disk / "memwiki", template=template) as server:
        payload = read_payload("claude-code", "Stop", session_id="s1")
        ballast = disk / "ballast"
        ballast.write_bytes(bytes(shutil.disk_usage(disk).free - 2 * 2**20))
        server.runtime.disk._looked_at = float("-inf")
        refused = server.hook("Stop", payload)
        ready = server.client.get("/readyz")
        ballast.unlink()
        server.runtime.disk._looked_at = float("-inf")

        assert (refused.status_code, refused.json()["code"], ready.status_code) == (507, "disk_refused", 503)
        assert server.hook("Stop", payload).status_code == 202


def test_the_log_is_kept_in_a_few_files_of_a_bounded_size_for_its_owner_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = logging.getLogger()
    monkeypatch.setattr(root, "handlers", [])
    monkeypatch.setattr(root, "level", root.level)
    log_lines.open_log(tmp_path / "logs", "json", "info")
    line = "x" * 100_000

    for _ in range(300):
        logging.getLogger("app.x").info(line)
    for opened in root.handlers:
        opened.close()

    files = list((tmp_path / "logs").iterdir())
    assert len(files) == 4
    assert all(file.stat().st_size <= LOG_BYTES_MAX for file in files)
    assert all(file.stat().st_mode & 0o077 == 0 for file in files)
