"""Learns what signs count on one half of each development set, and writes down what that and what ships are worth.

`python -m app.bench.learn_weights SETS KEEP`: the folder of public sets, and the one where they stay once they are
taken in. Candidates are taken down once, beside them, and learning goes on from there; with vectors where a model is
installed.
"""

import sys
from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Final

import msgspec

from app.bench import learning, learning_cases, replay, retrieval, retrieval_intake, retrieval_metrics, retrieval_sets
from app.bench.learning import Groups, Knob
from app.bench.learning_cases import Case
from app.bench.replay import Prepared, Weights
from app.index import embed
from app.index.database import IndexDatabase
from app.index.meaning import Meaning
from app.search import rank
from app.search.answer import Grain
from app.search.opinions import Aids

LEARNED_FILE: Final = Path(__file__).parent / "learned_weights.json"
_PAGE_SETS: Final = ("team-sessions", "scifact", "cosqa-dev", "locomo")
_HEARD_SETS: Final = ("locomo", "beam")
# To embed SciFact and BEAM takes an hour, so that what likeness counts is learned without them.
_NEAR_SETS: Final = ("locomo", "team-sessions", "cosqa-dev", "cosqa")
# Only to be reported: nothing of it is learned on.
_REPORTED_SETS: Final = ("cosqa",)
_MULTI_HOP: Final = "multi-hop"
# Those questions hardly ask for them, and their texts have no links: they are set by hand, and bounded.
_SET_BY_HAND: Final = ("literal", "sequence", "time", "recent", "links")
# Signs that would have to be looked for, at a cost, and that brought nothing wherever they were tried.
_NOT_TRIED: Final = ("window", "bm25", "fused")
_WRITTEN_SIGNS: Final = ("bm25", "coverage", "exact", "headings", "lead", "neighbours", "passages", "text", "title")
_PAGE_SIGNS: Final = (*_WRITTEN_SIGNS, "heard", "heard_coverage", "heard_more", "observations", "sessions")
_WRITTEN_SUM: Final = 2.0
# Which say more or less when lists are fused makes no difference that those questions could tell: what is set by hand
# stays, and the file tells of the others.
_STREAMS: Final = (rank.TEXT, rank.PASSAGES, rank.OBSERVATIONS, rank.SESSIONS)
_BY_MEANING: Final = (
    Knob("pages", rank.VECTORS), Knob("pages", rank.ALIKE), Knob("observations", rank.VECTORS),
)  # fmt: skip
# Learning begins with what is set by hand, and nothing else.
_BY_HAND: Final = Weights(
    {name: weight for name, weight in replay.SHIPPED.pages.items() if name in _SET_BY_HAND},
    {name: weight for name, weight in replay.SHIPPED.observations.items() if name in _SET_BY_HAND},
    replay.SHIPPED.streams,
    replay.SHIPPED.offset,
)
_DIGITS: Final = 4
_ARGUMENTS: Final = 2


def main() -> None:
    """Take down candidates, learn, and write `learned_weights.json`."""
    sets_dir, keep_dir = (Path(argument) for argument in sys.argv[1 : _ARGUMENTS + 1])
    plain = _prepare(sets_dir, keep_dir, is_by_meaning=False)
    near = _prepare(sets_dir, keep_dir, is_by_meaning=True) if embed.is_installed() else {}
    learned = learn_by_words(_choose_half(plain, is_learned_on=True))
    if near:
        learned = learning.set_up(_choose_half(near, is_learned_on=True)).try_knobs(learned, _BY_MEANING)
    LEARNED_FILE.write_text(render_result(sets_dir, learned, plain, near), encoding="utf-8")


def learn_by_words(groups: Groups) -> Weights:
    """Learn what counts without a model: what was said, then pages."""
    heard = {name: group for name, group in groups.items() if group[0].is_heard}
    pages = {name: group for name, group in groups.items() if name not in heard}
    said, written = learning.set_up(heard), learning.set_up(pages)
    names = [name for name in learning.list_heard_signs(heard) if name not in (*_SET_BY_HAND, *_NOT_TRIED)]
    weights = learning.fit_pages(pages, learning.fit_observations(heard, _BY_HAND, names), _PAGE_SIGNS)
    weights = learning.fit_observations(heard, weights, names)
    weights = said.try_knobs(weights, [Knob("observations", name) for name in (*names, "session")])
    _say(f"what was said: {said.judge(weights):.4f}")
    weights = written.try_signs(learning.fit_pages(pages, weights, _PAGE_SIGNS), _PAGE_SIGNS)
    weights = _scale(weights)
    _say(f"pages: {written.judge(weights):.4f}")
    return weights


def _scale(weights: Weights) -> Weights:
    """Bring what signs of a written page count to a fixed sum, beside which those that are set by hand are bounded."""
    factor = _WRITTEN_SUM / sum(weights.pages.get(sign, 0.0) for sign in _WRITTEN_SIGNS)
    scaled = {
        sign: weight if sign in _SET_BY_HAND else round(weight * factor, 3) for sign, weight in weights.pages.items()
    }
    return replace(weights, pages=scaled)


def _prepare(sets_dir: Path, keep_dir: Path, *, is_by_meaning: bool) -> dict[str, list[Prepared]]:
    """Take down every set's candidates, or read what was kept; grouped as questions are judged."""
    groups: dict[str, list[Prepared]] = {}
    for name in _NEAR_SETS if is_by_meaning else dict.fromkeys((*_PAGE_SETS, *_HEARD_SETS, *_REPORTED_SETS)):
        for case in _read_set(sets_dir, name, keep_dir, is_by_meaning=is_by_meaning):
            is_heard = case.grain == Grain.OBSERVATIONS
            if name in (_HEARD_SETS if is_heard else (*_PAGE_SETS, *_REPORTED_SETS)):
                prepared = replay.prepare(case)
                groups.setdefault(f"{name} {case.grain}", []).append(prepared)
                if is_heard and _MULTI_HOP in case.tags:
                    # Questions that need several places are few and hard, so that they count as a set of their own.
                    groups.setdefault(f"{name} {case.grain} {_MULTI_HOP}", []).append(prepared)
    return groups


def _read_set(sets_dir: Path, name: str, keep_dir: Path, *, is_by_meaning: bool) -> list[Case]:
    chosen = next(each for each in retrieval_sets.SETS if each.name == name)
    way = embed.MINILM.model if is_by_meaning else "words"
    kept = keep_dir / "candidates" / f"{name}-{retrieval.hash_files(sets_dir / chosen.folder)}-{way}.json"
    if not kept.exists():
        _say(f"{name}: taking down candidates, {way}")
        with retrieval_intake.open_set(sets_dir, chosen, keep_dir, _say) as intake:
            index = IndexDatabase(intake.server.data_dir / "index")
            index.open()
            try:
                aids = Aids(Meaning(index) if is_by_meaning else None)
                cases = [
                    case
                    for corpus in intake.corpora
                    for case in learning_cases.gather_cases(name, corpus, intake.fed[corpus.name], index, aids)
                ]
                learning_cases.write_cases(kept, cases)
            finally:
                index.close()
    return learning_cases.read_cases(kept)


def _choose_half(groups: Groups, *, is_learned_on: bool) -> dict[str, list[Prepared]]:
    halves = {
        name: [each for each in group if each.case.is_learned_on == is_learned_on] for name, group in groups.items()
    }
    return {name: half for name, half in halves.items() if half}


def _report(groups: Groups, weights: Weights) -> dict[str, dict[str, dict[str, float]]]:
    """Tell by group what the weights are worth on the half that they were learned on, and on the other."""
    told: dict[str, dict[str, dict[str, float]]] = {}
    for half, is_learned_on in (("learned on", True), ("other half", False)):
        for name, group in _choose_half(groups, is_learned_on=is_learned_on).items():
            told.setdefault(name, {})[half] = _score(group, weights)
    return told


def _score(group: Sequence[Prepared], weights: Weights) -> dict[str, float]:
    scores = retrieval_metrics.score_rankings([replay.rank_case(each, weights) for each in group])
    return {name: round(value, _DIGITS) for name, value in asdict(scores).items()}


def render_result(sets_dir: Path, learned: Weights, plain: Groups, near: Groups) -> str:
    """Write what ships and what was learned, each with what it is worth on both halves."""
    folders = {each.name: sets_dir / each.folder for each in retrieval_sets.SETS}
    used = dict.fromkeys((*_PAGE_SETS, *_HEARD_SETS, *_REPORTED_SETS))
    pages = {name: group for name, group in plain.items() if not group[0].is_heard}
    held = {
        "made_by": "python -m app.bench.learn_weights",
        "commit": retrieval.find_commit(),
        "model": str(embed.MINILM) if embed.is_installed() else "no model",
        "data": {name: retrieval.hash_files(folders[name]) for name in used},
        "halves": "the first byte of the sha256 of SET:CORPUS:QUESTION is even: learned on; cosqa-dev is, cosqa is not",
        "set_by_hand": [*_SET_BY_HAND, "streams", "offset"],
        "shipped": _tell(replay.SHIPPED, plain, near),
        "learned": _tell(learned, plain, near),
        "fusion": learning.judge_fusion(_choose_half(pages, is_learned_on=True), replay.SHIPPED, _STREAMS),
    }
    return msgspec.json.format(msgspec.json.encode(held), indent=2).decode() + "\n"


def _tell(weights: Weights, plain: Groups, near: Groups) -> dict[str, object]:
    counted = {"pages": _list_counted(weights.pages), "observations": _list_counted(weights.observations)}
    figures = {"without": _report(plain, weights), "with vectors": _report(near, weights)}
    return {"weights": {**asdict(weights), **counted}, "figures": figures}


def _list_counted(counted: Mapping[str, float]) -> dict[str, float]:
    return {name: round(weight, 3) for name, weight in sorted(counted.items()) if weight}


def _say(text: str) -> None:
    sys.stderr.write(f"{text}\n")


if __name__ == "__main__":
    main()
