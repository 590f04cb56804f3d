"""Learns the reranker's weights on development sets: `python -m app.bench.learn_weights FOLDER [KEEP]`.

Sets are taken in as `memwiki bench retrieval` does, or found where it kept them; candidates and their signs are then
read from the index itself. Vectors take part where a model is installed.
"""

import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from app.bench import fitting, learning, retrieval_intake, retrieval_sets
from app.bench.learning import Case
from app.bench.retrieval_capture import Fed
from app.bench.retrieval_sets import Corpus, Question
from app.domain.scope import Scope
from app.index import embed
from app.index.database import IndexDatabase
from app.index.meaning import Meaning
from app.search import pages
from app.search.answer import Grain, SearchRequest
from app.search.opinions import Aids
from app.search.rank import Ranked
from app.search.weights import OBSERVATION_WEIGHTS, PAGE_WEIGHTS

_WITHOUT_KEEPING: Final = 2
# Development sets only; CoSQA's other half is what the bench reports.
_PAGE_SETS: Final = ("team-sessions", "scifact", "cosqa-dev", "locomo")
_OBSERVATION_SETS: Final = ("locomo", "beam")
_SET_BY_HAND: Final = frozenset({"literal", "sequence", "time", "recent"})


@dataclass(frozen=True, slots=True)
class _Subject:
    """One corpus of a set, taken in."""

    name: str
    corpus: Corpus
    fed: Fed


def main() -> None:
    """Learn the weights of both grains on every other question, and print them with what they are worth on the rest."""
    sets_dir, keep_dir = Path(sys.argv[1]), Path(sys.argv[2]) if len(sys.argv) > _WITHOUT_KEEPING else None
    cases: dict[Grain, list[Case]] = {Grain.PAGES: [], Grain.OBSERVATIONS: []}
    for name in dict.fromkeys((*_PAGE_SETS, *_OBSERVATION_SETS)):
        grains = [grain for grain, sets in _list_plans() if name in sets]
        for grain, case in _collect(sets_dir, name, grains, keep_dir):
            cases[grain].append(case)
    for grain, start in ((Grain.PAGES, PAGE_WEIGHTS), (Grain.OBSERVATIONS, OBSERVATION_WEIGHTS)):
        learned_on, held_out = cases[grain][::2], cases[grain][1::2]
        names = sorted({name for case in learned_on for _, signs, _ in case.candidates for name in signs})
        free = [name for name in names if name not in _SET_BY_HAND]
        by_hand = {name: weight for name, weight in start.items() if name in _SET_BY_HAND}
        found = {
            "as they are": dict(start),
            "fitted": by_hand | fitting.fit_weights(learned_on, free),
            "tried one by one": learning.learn_weights(learned_on, start, free),
        }
        for way, weights in found.items():
            judged = (learning.judge(cases_, weights) for cases_ in (learned_on, held_out))
            sys.stdout.write(
                f"{grain}, {way}: {weights}\n  {next(judged):.4f}, on the other questions {next(judged):.4f}\n"
            )


def _list_plans() -> Sequence[tuple[Grain, Sequence[str]]]:
    return ((Grain.PAGES, _PAGE_SETS), (Grain.OBSERVATIONS, _OBSERVATION_SETS))


def _collect(sets_dir: Path, name: str, grains: Sequence[Grain], keep_dir: Path | None) -> Iterator[tuple[Grain, Case]]:
    chosen = next(each for each in retrieval_sets.SETS if each.name == name)
    with retrieval_intake.open_set(sets_dir, chosen, keep_dir, _skip_note) as intake:
        index = IndexDatabase(intake.server.data_dir / "index")
        index.open()
        aids = Aids(Meaning(index) if embed.is_installed() else None)
        try:
            for subject in [_Subject(name, corpus, intake.fed[corpus.name]) for corpus in intake.corpora]:
                for grain in grains:
                    for question in subject.corpus.questions:
                        yield grain, _build_case(index, aids, subject, question, grain)
        finally:
            index.close()


def _skip_note(text: str) -> None:
    """Nobody waits for this script at a terminal."""


def _build_case(index: IndexDatabase, aids: Aids, subject: _Subject, question: Question, grain: Grain) -> Case:
    fed = subject.fed
    scopes = None if fed.project == "*" else frozenset({Scope(*fed.project.split("/"))})
    asked = pages.parse_question(SearchRequest(question.text, scopes=scopes, grain=grain, with_why=True))
    found = index.read_counted(lambda connection, known: pages.find(connection, known, asked, aids))
    sessions = {turn.id: each.id for each in subject.corpus.conversations for turn in each.turns}
    is_heard = grain is Grain.OBSERVATIONS
    gold = question.gold if is_heard else frozenset(sessions.get(each, each) for each in question.gold)
    candidates = tuple(
        (_name(ranked, fed, is_heard=is_heard), dict(ranked.why.features), ranked.why.authority)
        for ranked in found.ranked
    )
    # Questions that need several places are few and hard, so that they count as a set of their own.
    group = f"{subject.name} multi-hop" if is_heard and "multi-hop" in question.tags else subject.name
    return Case(group, gold, candidates)


def _name(ranked: Ranked, fed: Fed, *, is_heard: bool) -> str:
    page = ranked.row.page
    if is_heard:
        return fed.turns.get(ranked.row.key, str(ranked.row.key))
    return fed.paths.get(page.path) or fed.sessions.get(page.session_id) or str(page.path)


if __name__ == "__main__":
    main()
