"""The floor of retrieval: the same texts in plain FTS5 with its own stemmer, asked in the same run."""

import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from typing import Final

from app.bench.retrieval_metrics import Ranking
from app.bench.retrieval_sets import Corpus
from app.search.asking import ASKING_WORDS

_WORD: Final = re.compile(r"\w+")
_DEPTH: Final = 10
_FETCHED: Final = 200


def rank_by_floor(corpus: Corpus, *, by_turn: bool) -> Iterator[Ranking]:
    """Ask plain FTS5 for turns or for whole sessions or texts, question words left out and the rest joined by OR."""
    rows = list(_list_rows(corpus, by_turn=by_turn))
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as conn:
        conn.execute("CREATE VIRTUAL TABLE text USING fts5(body, tokenize='porter unicode61')")
        conn.executemany("INSERT INTO text (body) VALUES (?)", ((text,) for _, text in rows))
        for question in corpus.questions:
            words = [word.lower() for word in _WORD.findall(question.text)]
            told = [word for word in words if word not in ASKING_WORDS] or words
            match = " OR ".join(f'"{word}"' for word in dict.fromkeys(told))
            statement = "SELECT rowid FROM text WHERE text MATCH ? ORDER BY rank LIMIT ?"
            found = [rows[row - 1][0] for (row,) in conn.execute(statement, (match, _FETCHED))] if match else []
            yield Ranking(tuple(dict.fromkeys(found))[:_DEPTH], question.gold, question.tags)


def _list_rows(corpus: Corpus, *, by_turn: bool) -> Iterator[tuple[str, str]]:
    for text in corpus.texts:
        yield text.id, f"{text.title}\n{text.text}"
    for conversation in corpus.conversations:
        texts = ["\n".join((turn.text, *(" ".join(tool) for tool in turn.tools))) for turn in conversation.turns]
        if by_turn:
            yield from zip((turn.id for turn in conversation.turns), texts, strict=True)
        else:
            yield conversation.id, "\n".join(texts)
