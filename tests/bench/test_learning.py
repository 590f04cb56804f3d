"""Figures by halves are those of the weights that ship, and learning ranks as the search does."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from app.bench import learn_weights, learning, learning_cases, replay, retrieval_metrics
from app.bench.learning import Knob
from app.bench.learning_cases import Candidate, Case
from app.bench.replay import SHIPPED, Prepared, Weights
from app.bench.retrieval_capture import Fed
from app.bench.retrieval_sets import Conversation, Corpus, Question, Said, Text
from app.index.database import IndexDatabase
from app.search.answer import Grain
from app.search.opinions import Aids
from app.search.weights import OBSERVATION_WEIGHTS, PAGE_WEIGHTS, RANK_OFFSET, STREAM_WEIGHTS
from tests.index import builders
from tests.index.test_observations import hear, say

WEIGHTS = Weights({"noise": 0.2}, {"noise": 0.2}, {"text": 1.0}, 10.0)


@pytest.fixture
def index(tmp_path: Path) -> Iterator[IndexDatabase]:
    opened = IndexDatabase(tmp_path / "index")
    opened.open()
    yield opened
    opened.close()


def make_case(grain: Grain, *, gold: str = "gold") -> Prepared:
    others = tuple(
        Candidate(f"d{number}", number, 1.0, {"sign": 0.1, "noise": 1.0}, {"text": number + 1}) for number in range(12)
    )
    found = (*others, Candidate("gold", 12, 1.0, {"sign": 1.0}, {"text": 13}))
    return replay.prepare(Case("set", str(grain), True, frozenset({gold}), (), found, found))


def test_the_figures_that_were_written_down_are_those_of_the_weights_that_ship() -> None:
    written = json.loads(learn_weights.LEARNED_FILE.read_text(encoding="utf-8"))

    assert written["shipped"]["weights"] == {
        "pages": PAGE_WEIGHTS,
        "observations": OBSERVATION_WEIGHTS,
        "streams": STREAM_WEIGHTS,
        "offset": RANK_OFFSET,
    }


def test_what_was_learned_names_its_texts_and_tells_of_both_halves() -> None:
    written = json.loads(learn_weights.LEARNED_FILE.read_text(encoding="utf-8"))

    assert set(written["data"]) >= {"team-sessions", "locomo", "beam", "scifact", "cosqa", "cosqa-dev"}
    assert all(len(number) == 12 for number in (written["commit"], *written["data"].values()))
    for weights in ("shipped", "learned"):
        for group, halves in written[weights]["figures"]["without"].items():
            assert set(halves) == {"other half"} if group == "cosqa pages" else "learned on" in halves


def test_the_half_of_a_question_never_changes_and_published_parts_stay_apart() -> None:
    halves = [learning_cases.is_learned_on("locomo", "conv-1", f"q{number}") for number in range(8)]

    assert halves == [True, True, False, False, True, True, False, True]
    assert learning_cases.is_learned_on("cosqa-dev", "texts", "any")
    assert not learning_cases.is_learned_on("cosqa", "texts", "any")


def test_a_number_is_kept_that_puts_the_gold_among_the_first() -> None:
    groups = {"set": [make_case(Grain.PAGES)]}

    bench = learning.set_up(groups)
    by_signs = bench.try_signs(WEIGHTS, ["noise", "sign"])
    by_knobs = bench.try_knobs(WEIGHTS, [Knob("pages", "noise"), Knob("pages", "sign")])

    for learned in (by_signs, by_knobs):
        assert replay.rank_case(groups["set"][0], learned).found[0] == "gold"
        assert learned.observations == WEIGHTS.observations
        assert bench.judge(learned) == 1.0


def test_many_questions_are_judged_at_once_as_one_by_one(index: IndexDatabase) -> None:
    made = builders.fill(index, 120, extra="kestrel")
    fed = Fed(paths={page.path: page.path[:-6] for page in made})
    asked = [
        Question(str(number), " ".join(page.body.split()[:3]), frozenset({page.path[:-6], "absent"}))
        for number, page in enumerate(made[::6])
    ]
    corpus = Corpus("texts", tuple(asked), texts=tuple(Text(page.path, page.title, page.body) for page in made))
    cases = [replay.prepare(case) for case in gather(index, corpus, fed)]

    scores = retrieval_metrics.score_rankings([replay.rank_case(each, SHIPPED) for each in cases])

    mean = (scores.recall_5 + scores.recall_10 + scores.ndcg_10) / 3
    assert learning.set_up({"set": cases}).judge(SHIPPED) == pytest.approx(mean)


def test_weights_are_fitted_that_put_the_gold_first_in_every_group() -> None:
    groups = {"one": [make_case(Grain.OBSERVATIONS), make_case(Grain.OBSERVATIONS, gold="absent")]}
    groups["other"] = [make_case(Grain.OBSERVATIONS)]

    fitted = learning.fit_observations(groups, WEIGHTS, ["noise", "sign"])

    assert fitted.observations["sign"] > fitted.observations.get("noise", 0.0)
    assert [replay.rank_case(group[0], fitted).found[0] for group in groups.values()] == ["gold", "gold"]


def test_pages_that_were_taken_down_are_ranked_as_the_search_ranks_them(index: IndexDatabase) -> None:
    made = builders.fill(index, 120, extra="kestrel")
    texts = tuple(Text(page.path, page.title, page.body) for page in made)
    asked = [Question(str(number), " ".join(page.body.split()[:7]), frozenset({page.path})) for number, page in
             enumerate(made[::10])]  # fmt: skip
    corpus = Corpus("texts", tuple(asked), texts=texts)
    fed = Fed(paths={page.path: page.path for page in made})

    for question, case in zip(asked, gather(index, corpus, fed), strict=True):
        replayed = replay.rank_case(replay.prepare(case), SHIPPED)
        assert list(replayed.found) == [hit.path for hit in builders.ask(index, question.text, limit=10).hits]


def test_what_was_said_is_ranked_as_the_search_ranks_it_once_taken_down(index: IndexDatabase) -> None:
    subjects = ("the heron by the lake", "a kestrel over the barn", "the owl in the old barn", "a lake in winter")
    numbers = range(1, 41)
    said = {number: say(number, f"word{number} speaks of {subjects[number % 4]} again") for number in numbers}
    for session in range(8):
        hear(index, f"s{session}", *(said[number] for number in numbers if number % 8 == session))
    talks = (Conversation("s0", None, tuple(Said(str(number), True, "") for number in numbers)),)
    asked = ("who saw a kestrel over the barn?", "word7 and the owl", "winter on the lake", "what of word12?")
    corpus = Corpus("talks", tuple(Question(text, text, frozenset({"1"})) for text in asked), talks)
    fed = Fed(turns={number: str(number) for number in numbers}, sessions={f"s{n}": f"s{n}" for n in range(8)})

    cases = gather(index, corpus, fed)
    assert [case.grain for case in cases] == [Grain.PAGES, Grain.OBSERVATIONS] * len(asked)
    for number, case in enumerate(cases):
        found = builders.ask(index, asked[number // 2], grain=Grain(case.grain), limit=10).hits
        shown = [str(hit.observations[0].id) if number % 2 else hit.session_id for hit in found]
        assert list(replay.rank_case(replay.prepare(case), SHIPPED).found) == shown


def gather(index: IndexDatabase, corpus: Corpus, fed: Fed) -> list[Case]:
    return list(learning_cases.gather_cases("set", corpus, fed, index, Aids()))
