"""Scores are what the sets' own tools would say, and the family asks a real server about a small set of our own."""

import gzip
import json
from dataclasses import replace
from pathlib import Path

import pytest

from app.bench import retrieval_metrics
from app.bench.retrieval_metrics import Ranking
from app.bench.scale import Scale
from app.domain.errors import InvalidValue, UnknownKind
from app.entrypoints.cli import bench

TINY = Scale(effort=1, size=0.3)


def write_lines(path: Path, lines: list[dict[str, object]]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(gzip.compress("\n".join(json.dumps(line) for line in lines).encode()))


def test_scores_are_means_over_the_questions_that_have_gold() -> None:
    scores = retrieval_metrics.score_rankings(
        [
            Ranking(("a", "b", "c"), frozenset({"a", "x"})),
            Ranking(("b", "b", "a"), frozenset({"a"})),
            Ranking(("a",), frozenset()),
        ]
    )

    assert scores.count == 2
    assert scores.recall_5 == pytest.approx(0.75)
    assert scores.hit_5 == 1
    assert scores.mrr == pytest.approx(0.75)
    assert scores.ndcg_10 == pytest.approx((1 / (1 + 1 / 1.5849625) + 1 / 1.5849625) / 2)


def test_the_retrieval_family_needs_to_know_where_its_sets_are(tmp_path: Path) -> None:
    with pytest.raises(InvalidValue):
        bench.measure("retrieval", TINY)
    with pytest.raises(UnknownKind):
        bench.measure("retrieval", replace(TINY, sets_dir=tmp_path, sets=("nonsense",)))


@pytest.mark.slow
def test_the_retrieval_family_asks_a_set_of_pages(tmp_path: Path) -> None:
    texts = [{"id": f"d{n}", "title": f"About item{n}", "text": f"The word{n} is explained."} for n in range(12)]
    asked = [{"id": f"q{n}", "query": f"what is word{n}?", "gold": [f"d{n}"]} for n in range(12)]
    write_lines(tmp_path / "scifact" / "corpus.jsonl.gz", texts)
    write_lines(tmp_path / "scifact" / "queries.jsonl.gz", asked)

    report = bench.measure("retrieval", replace(TINY, sets_dir=tmp_path, sets=("scifact",), is_ablating=True))

    figures = {each.name: each for each in report.figures}
    assert figures["scifact page recall@10"].value == 1
    assert "plain FTS5 1.000" in figures["scifact page recall@10"].detail
    assert "scifact page recall@10 without text" in figures


def write_conversation(folder: Path) -> None:
    turns = [{"id": f"D1:{n}", "speaker": "ab"[n % 2], "text": f"I like word{n} a lot."} for n in range(1, 6)]
    held = {
        "sample_id": "conv-1",
        "speakers": ["a", "b"],
        "sessions": [{"session_id": "D1", "date_time": "1:56 pm on 8 May, 2023", "turns": turns}],
        "qa": [{"id": "q", "question": "who likes word3?", "category": 1, "evidence": ["D1:3"]}],
    }
    folder.mkdir()
    (folder / "conv-1.json.gz").write_bytes(gzip.compress(json.dumps(held).encode()))


@pytest.mark.slow
def test_the_retrieval_family_asks_conversations_that_came_through_the_hooks_and_keeps_them(tmp_path: Path) -> None:
    write_conversation(tmp_path / "locomo")
    scale = replace(TINY, sets_dir=tmp_path, sets=("locomo",), keep_dir=tmp_path / "kept")

    once, again = (bench.measure("retrieval", scale) for _ in range(2))

    figures = {each.name: each.value for each in once.figures}
    assert figures["locomo turn mrr"] == 1
    assert figures["locomo session recall@5"] == 1
    # Were it taken in twice, each turn would be there twice.
    (folder,) = sorted((tmp_path / "kept").glob("locomo-*"))
    assert (folder / "taken-in").exists()
    assert {each.name: each.value for each in again.figures if not each.unit} == {
        name: figures[name] for name in (each.name for each in once.figures if not each.unit)
    }


@pytest.mark.slow
def test_the_retrieval_family_asks_for_pages_and_sessions_that_are_in_one_wiki(tmp_path: Path) -> None:
    texts = [{"id": f"d{n}", "title": f"About item{n}", "text": f"The word{n} is explained."} for n in range(6)]
    asked = [{"id": f"q{n}", "query": f"what is word{n}?", "gold": [f"d{n}"]} for n in range(6)]
    turns = [
        {"i": 0, "role": "user", "text": "Explain it."},
        {"i": 1, "role": "assistant", "text": "The kestrel flies."},
    ]
    session = {"session_id": "s0", "started": "2026-01-05T10:00:00", "turns": turns}
    write_lines(tmp_path / "cosqa" / "corpus.jsonl.gz", texts)
    write_lines(tmp_path / "cosqa" / "queries-test.jsonl.gz", asked)
    write_lines(tmp_path / "team-sessions" / "sessions.jsonl.gz", [session])
    question = {"id": "q", "query": "who said that a kestrel flies?", "gold": ["s0"]}
    (tmp_path / "team-sessions" / "queries.jsonl").write_text(json.dumps(question), encoding="utf-8")

    report = bench.measure("retrieval", replace(TINY, sets_dir=tmp_path, sets=("mixed",)))

    figures = {each.name: each.value for each in report.figures}
    assert figures["mixed page mrr"] == 1
    assert figures["mixed session mrr"] == 1


@pytest.mark.slow
def test_the_contradiction_family_finds_what_holds_first() -> None:
    report = bench.measure("contradiction", Scale(effort=1, size=0.2))

    figures = {each.name: each for each in report.figures}
    assert figures["explicit current at rank 1"].value == 1
    assert figures["explicit stale at rank 1"].value == 0
    assert {each.name: each.faults for each in report.figures if each.faults} == {}
