"""Asks a running server the questions of a set over HTTP, at the grain of the set's labels, and what that costs."""

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import httpx2

from app.bench.retrieval_capture import Fed
from app.bench.retrieval_metrics import Ranking
from app.bench.retrieval_sets import Corpus, Question

LIMIT: Final = 10


@dataclass(slots=True)
class Answers:
    """Rankings by grain (`page`, `session`, `turn`), and of each search its time and the characters it shows."""

    by_grain: dict[str, list[Ranking]] = field(default_factory=dict)
    times_ms: list[float] = field(default_factory=list)
    chars: list[int] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Asker:
    """Asks every `step`-th question of each corpus, without the streams of `skipped`."""

    client: httpx2.Client
    fed: Mapping[str, Fed]
    step: int = 1
    skipped: str = ""

    def ask_all(self, corpora: Sequence[Corpus], *, has_turn_gold: bool) -> Answers:
        """Ask the questions of all corpora."""
        answers = Answers()
        for corpus in corpora:
            sessions = {turn.id: found.id for found in corpus.conversations for turn in found.turns}
            for question in corpus.questions[:: self.step]:
                self._ask(answers, corpus, question, sessions if has_turn_gold else {})
        return answers

    def _ask(self, answers: Answers, corpus: Corpus, question: Question, sessions: Mapping[str, str]) -> None:
        fed = self.fed[corpus.name]
        hits = self._search(answers, fed.project, question.text, "pages")
        if corpus.texts:
            found = tuple(fed.paths.get(hit["path"], hit["path"]) for hit in hits)
            _add(answers, "page", Ranking(found, question.gold, question.tags))
            return
        gold = frozenset(sessions.get(each, each) for each in question.gold)
        found = tuple(fed.sessions.get(hit["session_id"], hit["path"]) for hit in hits)
        _add(answers, "session", Ranking(found, gold, question.tags))
        if sessions:
            hits = self._search(answers, fed.project, question.text, "observations")
            heard = [hit["observations"][0]["id"] for hit in hits]
            turns = tuple(fed.turns.get(each, str(each)) for each in heard)
            _add(answers, "turn", Ranking(turns, question.gold, question.tags))

    def _search(self, answers: Answers, project: str, text: str, grain: str) -> list[dict[str, Any]]:
        asked: dict[str, str | int] = {
            "q": text,
            "project": project,
            "limit": LIMIT,
            "grain": grain,
            "skip": self.skipped,
        }
        begun = time.perf_counter()
        answer = self.client.get("/api/v1/search", params=asked).raise_for_status()
        answers.times_ms.append((time.perf_counter() - begun) * 1000)
        hits: list[dict[str, Any]] = answer.json()["hits"]
        answers.chars.append(sum(_count_shown(hit) for hit in hits))
        return hits


def _add(answers: Answers, grain: str, ranking: Ranking) -> None:
    answers.by_grain.setdefault(grain, []).append(ranking)


def _count_shown(hit: Mapping[str, Any]) -> int:
    heard = sum(len(each["snippet"]) for each in hit["observations"] if each["snippet"] != hit["snippet"])
    return len(hit["title"]) + len(hit["path"]) + len(hit["snippet"]) + heard
