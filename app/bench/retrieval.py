"""The family `retrieval`: public sets, taken in as any work is, and asked over HTTP, beside a plain floor."""

import hashlib
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

from app.bench import figure, retrieval_floor, retrieval_intake, retrieval_metrics, retrieval_sets
from app.bench.figure import Figure
from app.bench.retrieval_asking import Answers, Asker
from app.bench.retrieval_capture import Fed
from app.bench.retrieval_metrics import Ranking, Scores
from app.bench.retrieval_sets import Corpus, RetrievalSet
from app.bench.scale import Note, Scale
from app.domain.errors import InvalidValue, UnknownKind
from app.index import embed
from app.search.gather import STREAM_NAMES

_CHARS_PER_TOKEN: Final = 4
# A short run takes the sets that are quickly taken in, and asks every eighth question.
_QUICK_SETS: Final = ("scifact", "jsquad")
# Only to learn weights on; what is reported is the other half.
_LEARNED_ON: Final = frozenset({"cosqa-dev"})
_BARS: Final[Mapping[str, float]] = {
    "team-sessions session recall@10": 0.74,
    "locomo turn recall@10": 0.73,
    "locomo turn recall@10 multi-hop": 0.45,
    "locomo session recall@5": 0.90,
    "beam turn recall@10": 0.44,
    "scifact page ndcg@10": 0.69,
    "cosqa page recall@10": 0.60,
    "jsquad page recall@10": 0.98,
    "cmrc page recall@10": 0.98,
}
# The same where the extra `vectors` is installed.
_BARS_BY_MEANING: Final[Mapping[str, float]] = {
    **_BARS,
    "team-sessions session recall@10": 0.80,
    "locomo turn recall@10": 0.76,
    "locomo turn recall@10 multi-hop": 0.50,
    "locomo session recall@5": 0.91,
    "beam turn recall@10": 0.52,
    "scifact page ndcg@10": 0.73,
    "cosqa page recall@10": 0.78,
}


def measure(scale: Scale, note: Note) -> tuple[Figure, ...]:
    """Measure every chosen set on a server of its own.

    Raises:
        InvalidValue: no folder with public sets was named, or a set is not in it.
        UnknownKind: a chosen set does not exist.
    """
    if scale.sets_dir is None:
        raise InvalidValue("data", "nothing; name the folder that holds the public sets")
    figures: list[Figure] = []
    for chosen in _choose_sets(scale):
        figures += _measure_set(scale.sets_dir, chosen, scale, note)
    return tuple(figures)


def _choose_sets(scale: Scale) -> list[RetrievalSet]:
    known = {each.name: each for each in retrieval_sets.SETS}
    is_short = scale.effort < 1
    names = scale.sets or (_QUICK_SETS if is_short else tuple(name for name in known if name not in _LEARNED_ON))
    for name in names:
        if name not in known:
            raise UnknownKind("set", name, tuple(known))
    return [known[name] for name in names]


def _measure_set(sets_dir: Path, chosen: RetrievalSet, scale: Scale, note: Note) -> Iterator[Figure]:
    model = str(embed.MINILM) if embed.is_installed() else "no model"
    hashes = " and ".join(hash_files(sets_dir / folder) for folder in (chosen.folder, chosen.beside) if folder)
    source = f"data {hashes}, commit {find_commit()}, {model}"
    step = max(1, round(1 / scale.effort))
    with retrieval_intake.open_set(sets_dir, chosen, scale.keep_dir, note) as intake:
        note(f"{chosen.name}: asking")
        corpora = intake.corpora
        asker = Asker(intake.client, _open_all(intake.fed) if chosen.beside else intake.fed, step)
        answers = asker.ask_all(corpora, has_turn_gold=chosen.has_turn_gold)
        note(f"{chosen.name}: plain FTS5")
        yield from _build_figures(chosen, answers, _rank_floors(corpora, answers, step), source)
        for stream in STREAM_NAMES if scale.is_ablating else ():
            note(f"{chosen.name}: without {stream}")
            fewer = replace(asker, skipped=stream).ask_all(corpora, has_turn_gold=chosen.has_turn_gold)
            yield from _build_ablation(chosen, answers, fewer, stream)


def _open_all(fed: Mapping[str, Fed]) -> dict[str, Fed]:
    return {name: replace(each, project="*") for name, each in fed.items()}


def _rank_floors(corpora: Sequence[Corpus], answers: Answers, step: int) -> dict[str, list[Ranking]]:
    """Ask the floor at the same grains, each corpus alone; where gold are turns, a session's gold follows from them."""
    floors: dict[str, list[Ranking]] = {}
    for grain, rankings in answers.by_grain.items():
        found = [
            ranking
            for corpus in corpora
            if bool(corpus.texts) == (grain == "page")
            for ranking in list(retrieval_floor.rank_by_floor(corpus, by_turn=grain == "turn"))[::step]
        ]
        floors[grain] = [
            Ranking(ranking.found, ours.gold, ours.tags) for ranking, ours in zip(found, rankings, strict=True)
        ]
    return floors


def _build_figures(
    chosen: RetrievalSet, answers: Answers, floors: Mapping[str, Sequence[Ranking]], source: str
) -> Iterator[Figure]:
    for grain, rankings in answers.by_grain.items():
        name = f"{chosen.name} {grain}"
        floor = retrieval_metrics.score_rankings(floors[grain])
        yield from _build_scores(name, "", retrieval_metrics.score_rankings(rankings), floor, source)
        for tag in retrieval_metrics.list_tags(rankings):
            tagged = retrieval_metrics.score_rankings([each for each in rankings if tag in each.tags])
            least = retrieval_metrics.score_rankings([each for each in floors[grain] if tag in each.tags])
            yield from list(_build_scores(name, f" {tag}", tagged, least, ""))[1:2]
    detail = f"{len(answers.times_ms)} searches, one at a time"
    yield from figure.build_percentiles(f"{chosen.name} search", answers.times_ms, detail=detail)
    shown = sum(answers.chars) / max(1, len(answers.chars)) / _CHARS_PER_TOKEN
    detail = f"titles, paths and snippets of ten hits, at {_CHARS_PER_TOKEN} characters each"
    yield Figure(f"{chosen.name} tokens", shown, "tokens", bar=figure.at_most(1000), detail=detail)


def _build_scores(name: str, tag: str, ours: Scores, floor: Scores, source: str) -> Iterator[Figure]:
    """Build one figure a measure; the ratio's other side is the floor of the same run."""
    measures = {
        "recall@5": (ours.recall_5, floor.recall_5),
        "recall@10": (ours.recall_10, floor.recall_10),
        "hit@5": (ours.hit_5, floor.hit_5),
        "mrr": (ours.mrr, floor.mrr),
        "ndcg@10": (ours.ndcg_10, floor.ndcg_10),
    }
    for measure_name, (value, least) in measures.items():
        full_name = f"{name} {measure_name}{tag}"
        bars = _BARS_BY_MEANING if embed.is_installed() else _BARS
        bar = figure.at_least(bars[full_name]) if full_name in bars else None
        told = f"n {ours.count}; plain FTS5 {least:.3f}"
        yield Figure(full_name, value, "", bar=bar, ceiling=None, detail=f"{told}; {source}" if source else told)


def _build_ablation(chosen: RetrievalSet, whole: Answers, fewer: Answers, stream: str) -> Iterator[Figure]:
    for grain, rankings in fewer.by_grain.items():
        with_all = retrieval_metrics.score_rankings(whole.by_grain[grain]).recall_10
        without = retrieval_metrics.score_rankings(rankings).recall_10
        detail = f"{without - with_all:+.3f} against all streams"
        yield Figure(f"{chosen.name} {grain} recall@10 without {stream}", without, "", detail=detail)


def hash_files(folder: Path) -> str:
    """Hash the files of a set, so that figures name the texts that they speak of."""
    hashed = hashlib.sha256()
    for path in retrieval_sets.list_files(folder):
        hashed.update(path.name.encode())
        hashed.update(path.read_bytes())
    return hashed.hexdigest()[:12]


def find_commit() -> str:
    """Find the commit of the code that runs, where it runs from a checkout."""
    place = Path(__file__).parent
    asked = subprocess.run(["git", "-C", str(place), "rev-parse", "HEAD"], capture_output=True, text=True, check=False)
    return asked.stdout.strip()[:12] or "unknown"
