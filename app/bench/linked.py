"""Ties drawn pages together as sessions and what is learned of them are: evidence, relations, entities, entry pages."""

import random
from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Final

from app.bench.corpus import DrawnPage
from app.domain.page import PagePath
from app.domain.scope import Scope

_EVIDENCE, _TIES = 4, 2
_FILES: Final = 400
_INDEXED, _LOGGED = 40, 40
_RELATIONS: Final = ("depends_on", "causes", "fixes")
_CONTRADICTING, _SUPERSEDING = 97, 53


def link_pages(pages: Sequence[DrawnPage], seed: int) -> list[DrawnPage]:
    """Give every page what it leads to in its project, and every project its entry page and its log."""
    rng = random.Random(seed)
    linked: list[DrawnPage] = []
    for scope, own in groupby(sorted(pages, key=lambda page: str(page.scope)), key=lambda page: page.scope):
        linked += _link_project(scope, list(own), rng)
    return linked


def _link_project(scope: Scope, pages: Sequence[DrawnPage], rng: random.Random) -> Iterator[DrawnPage]:
    sessions = [page for page in pages if page.path.startswith("sessions/")]
    learned = [page for page in pages if not page.path.startswith("sessions/")]
    for place, page in enumerate(sessions):
        yield _extend(page, (), [f"Goes on from [[{sessions[max(0, place - 1)].path}]]."], rng)
    for place, page in enumerate(learned):
        # Squared, so that few pages are what many lead to.
        ties = [learned[int(rng.random() ** 2 * len(learned))].path for _ in range(_TIES)]
        told = [
            f"- 2026-11-{day + 1:02}, [[{_choose(sessions or pages, rng)}]]: `make build`" for day in range(_EVIDENCE)
        ]
        yield _extend(page, _relate(place, ties), ["## Evidence", "", *told, "", f"See [[{ties[0]}]]."], rng)
    listed = [*sessions[-_INDEXED:], *learned[:_INDEXED]]
    yield DrawnPage(scope, PagePath("index.md"), _list("index", scope, listed))
    yield DrawnPage(scope, PagePath("log/2026-11.md"), _list("index", scope, pages[-_LOGGED:]))


def _relate(place: int, ties: Sequence[PagePath]) -> list[str]:
    lines = ["relations:"]
    lines += [f"  {_RELATIONS[(place + number) % len(_RELATIONS)]}: ['{tie}']" for number, tie in enumerate(ties)]
    if place % _CONTRADICTING == 1:
        lines.append(f"  contradicts: ['{ties[0]}']")
    if place % _SUPERSEDING == 1:
        lines.append(f"supersedes: ['{ties[1]}']")
    return lines


def _extend(page: DrawnPage, fields: Sequence[str], text: Sequence[str], rng: random.Random) -> DrawnPage:
    """Put fields and entities before the end of the frontmatter, and text behind the page's own."""
    named = [f"'file:app/part{int(rng.random() ** 2 * _FILES)}.py'" for _ in range(3)]
    head, _, body = page.text.removeprefix("---\n").partition("---\n")
    lines = [f"entities: [{', '.join(named)}]", "generated: true", *fields]
    return DrawnPage(page.scope, page.path, f"---\n{head}{chr(10).join(lines)}\n---\n{body}\n{chr(10).join(text)}\n")


def _list(kind: str, scope: Scope, pages: Sequence[DrawnPage]) -> str:
    lines = [f"- [{page.path.rpartition('/')[2]}]({page.path})" for page in pages]
    head = f"---\ntype: {kind}\nkind: {kind}\ntitle: {scope.project}\ngenerated: true\n---\n"
    return f"{head}\n# {scope.project}\n\n{chr(10).join(lines)}\n"


def _choose(pages: Sequence[DrawnPage], rng: random.Random) -> PagePath:
    return rng.choice(pages).path
