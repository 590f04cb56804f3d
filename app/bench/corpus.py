"""Draws a wiki of many pages and the queries that people would ask of it; the same seed gives the same wiki."""

import random
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import accumulate
from pathlib import Path
from typing import Final

from app.domain.page import PagePath
from app.domain.scope import DEFAULT_WORKSPACE, Scope

_PROJECTS: Final = 5
_VOCABULARY: Final = 20_000
_BODY_WORDS: Final = 260
_PROMPT_WORDS, _ANSWER_WORDS = 15, 120
_MONTHS: Final = tuple(f"{year}-{month:02}" for year in (2024, 2025, 2026) for month in range(1, 12))
_SYLLABLES: Final = "ba ce di fo gu ha je ki lo mu na pe ri so tu va we xi yo zu bra cle dri flo gru pla ste tri"
_FOLDERS: Final = (("concepts", "concept"), ("decisions", "decision"), ("gotchas", "gotcha"), ("notes", "note"))


@dataclass(frozen=True, slots=True)
class DrawnPage:
    """One page of the wiki and where it goes."""

    scope: Scope
    path: PagePath
    text: str


class Corpus:
    """A vocabulary whose words are as unevenly common as those of real text, and the pages written in it."""

    def __init__(self, seed: int) -> None:
        self._rng = random.Random(seed)
        self._words = _draw_words()
        self._weights = list(accumulate(1 / rank for rank in range(1, len(self._words) + 1)))

    def draw_pages(self, count: int) -> Iterator[DrawnPage]:
        """Draw pages of about 2.5 KB, most of them session pages; no folder holds more than a few hundred."""
        for number in range(count):
            scope = Scope(DEFAULT_WORKSPACE, f"project{number % _PROJECTS}")
            yield self._draw_page(scope, number)

    def draw_queries(self, count: int) -> list[str]:
        """Draw queries: one rare word, one code name, three words, or five as they come to mind."""
        shapes = (1, 1, 3, 5)
        return [self._draw_query(shapes[number % len(shapes)], number) for number in range(count)]

    def draw_turns(self, count: int) -> list[str]:
        """Draw what is said in turn: short words of a person, long ones of an agent."""
        return [" ".join(self._pick(_ANSWER_WORDS if number % 2 else _PROMPT_WORDS)) for number in range(count)]

    def _draw_query(self, words: int, number: int) -> str:
        if words > 1:
            return " ".join(self._pick(words))
        # Every tenth word of the vocabulary is written as code names are.
        rank = self._rng.randrange(100, len(self._words) // 10) * 10
        return self._words[rank if number % 2 else rank + 2]

    def _draw_page(self, scope: Scope, number: int) -> DrawnPage:
        title = " ".join(self._pick(5))
        folder, kind = _FOLDERS[number // _PROJECTS % len(_FOLDERS)]
        if number // _PROJECTS % 10 < 7:  # noqa: PLR2004 - seven of ten are session pages
            folder, kind = f"sessions/{_MONTHS[number // 10 % len(_MONTHS)]}", "session"
        lines = [
            "---",
            f"id: bench{number:021}",
            f"type: {kind}",
            f"kind: {kind}",
            f"title: {title}",
            f"tags: [{', '.join(self._pick(2))}]",
            "---",
            "",
            f"# {title}",
            "",
        ]
        for section in ("Goal", "Changes", "Errors", "Next steps"):
            words = self._pick(_BODY_WORDS // 4)
            lines += [f"## {section}", ""]
            lines += [f"- {' '.join(words[first : first + 13])}" for first in range(0, len(words), 13)]
            lines.append("")
        return DrawnPage(scope, PagePath(f"{folder}/{number % 28 + 1:02}-page-{number:06}.md"), "\n".join(lines))

    def _pick(self, count: int) -> list[str]:
        return self._rng.choices(self._words, cum_weights=self._weights, k=count)


def _draw_words() -> list[str]:
    """Draw the vocabulary, the same for every seed, so that queries ask for words that pages hold."""
    rng = random.Random(_VOCABULARY)
    drawn: dict[str, None] = {}
    syllables = _SYLLABLES.split()
    while len(drawn) < _VOCABULARY:
        parts = rng.choices(syllables, k=rng.randint(2, 4))
        shape = len(drawn) % 10
        snake, camel, plain = "_".join(parts), "".join(map(str.title, parts)), "".join(parts)
        drawn[snake if shape == 0 else camel if shape == 1 else plain] = None
    return list(drawn)


def write_page(root: Path, page: DrawnPage) -> Path:
    """Write a page's file under the wiki's root."""
    path = root / page.scope.workspace / page.scope.project / page.path
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(page.text, encoding="utf-8")
    return path
