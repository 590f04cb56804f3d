"""Learns the reranker's weights on development sets and prints them: `python -m app.bench.learn_weights FOLDER`.

Sets are taken in as `memwiki bench retrieval` does; candidates and their signs are then read from the index itself.
"""

import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from app.bench import learning, process, retrieval_capture, retrieval_sets
from app.bench.learning import Case
from app.bench.retrieval_capture import Fed
from app.bench.retrieval_sets import Corpus, Question
from app.domain.scope import Scope
from app.index.database import IndexDatabase
from app.search import pages
from app.search.answer import Grain, SearchRequest
from app.search.rank import Ranked
from app.search.weights import OBSERVATION_WEIGHTS, PAGE_WEIGHTS

_TOKEN: Final = "mw_bench-token-of-a-server-that-lives-for-a-minute"  # noqa: S105 - of a throwaway server
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
    """Learn both sets of weights and print them."""
    sets_dir = Path(sys.argv[1])
    cases: dict[Grain, list[Case]] = {Grain.PAGES: [], Grain.OBSERVATIONS: []}
    for name in dict.fromkeys((*_PAGE_SETS, *_OBSERVATION_SETS)):
        grains = [grain for grain, sets in _list_plans() if name in sets]
        for grain, case in _collect(sets_dir, name, grains):
            cases[grain].append(case)
    for grain, start in ((Grain.PAGES, PAGE_WEIGHTS), (Grain.OBSERVATIONS, OBSERVATION_WEIGHTS)):
        names = sorted({name for case in cases[grain] for _, signs, _ in case.candidates for name in signs})
        free = [name for name in names if name not in _SET_BY_HAND]
        learned = learning.learn_weights(cases[grain], start, free)
        sys.stdout.write(f"{grain}: {learned}, good for {learning.judge(cases[grain], learned):.4f}\n")


def _list_plans() -> Sequence[tuple[Grain, Sequence[str]]]:
    return ((Grain.PAGES, _PAGE_SETS), (Grain.OBSERVATIONS, _OBSERVATION_SETS))


def _collect(sets_dir: Path, name: str, grains: Sequence[Grain]) -> Iterator[tuple[Grain, Case]]:
    chosen = next(each for each in retrieval_sets.SETS if each.name == name)
    corpora = list(chosen.read(sets_dir / chosen.folder))
    with process.make_folder() as data_dir:
        fed = {corpus.name: retrieval_capture.write_texts(data_dir, corpus) for corpus in corpora if corpus.texts}
        with process.run_server(data_dir, token=_TOKEN) as server, server.connect() as client:
            process.wait_until_ready(server, client, pages=sum(len(corpus.texts) for corpus in corpora))
            for corpus in corpora:
                if corpus.conversations:
                    fed[corpus.name] = retrieval_capture.feed_conversations(client, corpus)
        index = IndexDatabase(data_dir / "index")
        index.open()
        try:
            for subject in [_Subject(name, corpus, fed[corpus.name]) for corpus in corpora]:
                for question in subject.corpus.questions:
                    for grain in grains:
                        yield grain, _build_case(index, subject, question, grain)
        finally:
            index.close()


def _build_case(index: IndexDatabase, subject: _Subject, question: Question, grain: Grain) -> Case:
    fed = subject.fed
    scopes = None if fed.project == "*" else frozenset({Scope(*fed.project.split("/"))})
    asked = pages.parse_question(SearchRequest(question.text, scopes=scopes, grain=grain, with_why=True))
    found = index.read_counted(lambda connection, known: pages.find(connection, known, asked))
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
