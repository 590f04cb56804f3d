"""Each family at its smallest, on real servers, through the function that the command calls."""

import json

import pytest

from app.bench import rights, soak
from app.bench.figure import Figure, Report, at_least, at_most
from app.bench.machine import Machine
from app.bench.scale import FULL, QUICK, Scale
from app.domain.errors import UnknownKind
from app.entrypoints.cli import bench
from app.index import embed

TINY = Scale(effort=0.002, size=0.004)
MACHINE = Machine("cpu", 2, 1024, "Linux 6", "3.11.7", "3.40.1", "3.53.4", "ext4", 0.1, 0.0)
MET = Figure("rate", 7000, "events/s", bar=at_least(6000), ceiling=59_000.0)
MISSED = Figure("time", 60, "ms", bar=at_most(50), detail="[1/2] of them")


@pytest.mark.slow
def test_the_ingest_family_measures_every_figure_without_a_fault() -> None:
    report = bench.measure("ingest", TINY)

    names = {figure.name for figure in report.figures}
    assert {
        "bare_endpoint",
        "bare_group_commit",
        "storeless_endpoint",
        "ingest_share_of_storeless",
        "ingest_single",
        "ingest_steady_latency_p99",
        "ingest_batch",
        "session_end_to_searchable_p95",
        "session_end_to_commit_p95",
        "commit_at_20_pages_p95",
        "commit_at_80_pages_p95",
        "memory_idle",
    } <= names
    assert {figure.name: figure.faults for figure in report.figures if figure.faults} == {}
    assert all(figure.value > 0 for figure in report.figures)


@pytest.mark.slow
def test_the_search_family_measures_every_figure_without_a_fault() -> None:
    report = bench.measure("search", TINY)

    names = {figure.name for figure in report.figures}
    assert {
        "bare_fts5_p95",
        "search_lexical_p50",
        "search_lexical_p95",
        "search_lexical_p99",
        "search_throughput",
        "search_beside_sessions_p95",
        "search_in_process_p95",
        "index_rebuild",
        "start_to_ready",
        "memory_with_pages",
    } <= names
    assert ({"search_hybrid_p95", "memory_with_vectors"} <= names) is embed.is_installed()
    assert {figure.name: figure.faults for figure in report.figures if figure.faults} == {}
    assert all(figure.value > 0 for figure in report.figures)


@pytest.mark.slow
def test_the_web_family_measures_every_kind_of_page_without_a_fault() -> None:
    report = bench.measure("web", TINY)

    names = {figure.name for figure in report.figures}
    assert {"web_page_p95", "web_blame_p95", "web_graph_p95", "web_search_p95", "web_lint_after_change_p95"} <= names
    assert {figure.name: figure.faults for figure in report.figures if figure.faults} == {}
    assert next(figure for figure in report.figures if figure.name == "web_first_look").is_ok


def test_the_redaction_family_meets_the_bars_of_what_is_found() -> None:
    report = bench.measure("redaction", TINY)

    figures = {figure.name: figure for figure in report.figures}
    assert {
        "clean_text",
        "text_with_a_secret",
        "varied_text",
        "hostile_16_kb",
        "hostile_64_kb",
        "recall of jwt",
    } <= set(figures)
    assert [figures[name].is_ok for name in ("recall", "precision", "idempotence_violations")] == [True] * 3
    assert "kept of prose" in figures


def test_two_series_of_one_distribution_are_told_from_two_of_two() -> None:
    low, high = [float(number % 97) for number in range(400)], [float(number % 97 + 12) for number in range(400)]

    assert rights.find_chance(low, low[::-1]) > 0.99
    assert rights.find_chance(low, high) < 0.001


@pytest.mark.slow
def test_the_rights_family_measures_every_figure_without_a_fault() -> None:
    report = bench.measure("rights", TINY)

    names = {figure.name for figure in report.figures}
    assert {"rights_add_p95", "search_of_what_may_be_read_p95", "hidden_less_absent_p50", "hidden_like_absent"} <= names
    assert {figure.name: figure.faults for figure in report.figures if figure.faults} == {}


@pytest.mark.slow
def test_the_hooks_family_measures_every_way_of_sending() -> None:
    report = bench.measure("hooks", TINY)

    ways = {figure.name for figure in report.figures if figure.name.endswith("_p95") and figure.bar}
    assert {f"hook_{way}_{place}_p95" for way in ("curl", "python") for place in ("up", "down", "black_hole")} == ways
    assert {figure.name for figure in report.figures} >= {"bare_curl_p95", "bare_python_p95"}
    assert all(figure.value > 0 for figure in report.figures)


def test_a_family_that_does_not_exist_is_named_with_those_that_do() -> None:
    with pytest.raises(UnknownKind) as caught:
        bench.measure("speed", TINY)

    assert {"ingest", "search", "redaction", "hooks", "handoff"} <= set(caught.value.known)


def test_json_is_one_document_with_family_figures_and_machine(capsys: pytest.CaptureFixture[str]) -> None:
    bench.show(Report("ingest", (MET, MISSED), MACHINE, 1.0), check=False, as_json=True)

    document = json.loads(capsys.readouterr().out)
    assert document["family"] == "ingest"
    assert [figure["ok"] for figure in document["figures"]] == [True, False]
    assert document["figures"][0]["ceiling"] == 59_000
    assert document["machine"]["sqlite_of_state"] == "3.53.4"


def test_a_missed_bar_ends_a_checked_run_with_1(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        bench.show(Report("ingest", (MET, MISSED), MACHINE, 1.0), check=True, as_json=False)

    assert caught.value.code == 1
    assert "missed" in capsys.readouterr().out


def test_met_bars_end_a_checked_run_well(capsys: pytest.CaptureFixture[str]) -> None:
    bench.show(Report("ingest", (MET,), MACHINE, 1.0), check=True, as_json=False)

    shown = capsys.readouterr().out
    assert "7,000 events/s" in shown
    assert "no bar was missed" in shown


@pytest.mark.slow
def test_the_soak_family_lives_through_its_days_and_nothing_grows_without_end() -> None:
    report = bench.measure("soak", TINY)

    figures = {figure.name: figure for figure in report.figures}
    timed = {"soak_hook_p95", "soak_search_p95"}
    assert {name for name, figure in figures.items() if figure.is_ok is False} <= timed
    assert figures["soak_events"].value == 12 * (2 * 20 + 5)
    assert figures["soak_days_in_state"].value >= 3
    assert "day 12: " in figures["soak_events"].detail


def test_a_soak_in_full_is_a_million_events_in_thirty_days() -> None:
    plan = soak.build_plan(FULL)

    assert plan.days == 30
    assert plan.days * plan.sessions * plan.events >= 1_000_000
    assert plan.is_settled
    assert soak.build_plan(QUICK).days < plan.days
