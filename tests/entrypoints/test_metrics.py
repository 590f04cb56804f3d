"""What Prometheus is told, the ids of requests, and the log's lines."""

import json
import logging
import re
import shutil
from pathlib import Path

import pytest
import yaml
from prometheus_client.parser import text_string_to_metric_families as parse

from app.domain.limits import SLOW_REQUEST_MS
from app.entrypoints import request_ids
from app.entrypoints.cli import log_lines
from app.entrypoints.http.watched import find_area
from tests.e2e.disks import small_disk
from tests.entrypoints.serving import Server, new_name, read_payload, serve

DOCKER = Path(__file__).parents[2] / "docker"


def read_samples(server: Server) -> dict[tuple[str, tuple[tuple[str, str], ...]], float]:
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


def test_every_query_of_dashboard_and_alerts_asks_for_what_there_is(server: Server) -> None:
    work(server)
    (server.folder / "backups").mkdir()
    at = '"at": "2026-11-30T12:00:00Z", "file": "x", "faults": []'
    (server.folder / "backups" / "last-backup.json").write_text(
        f'{{{at}, "size": 1, "is_encrypted": false}}', encoding="utf-8"
    )
    (server.folder / "backups" / "last-drill.json").write_text(f'{{{at}, "passed": true}}', encoding="utf-8")
    found = read_samples(server)
    names = {name for name, _ in found}
    labels = {name: {label for key, pairs in found if key == name for label, _ in pairs} for name in names}

    for query in list_queries():
        for name, given in re.findall(r"\b(memwiki_\w+)(?:\{([^}]*)\})?", query):
            assert name in names, query
            assert {label.split("=")[0].strip() for label in given.split(",") if label} <= labels[name], query


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
    assert SLOW_REQUEST_MS > 0


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
