"""Pages for the index, with defaults, and prose that looks like a wiki's: few common words, many rare ones."""

import hashlib
import itertools
import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from app.domain import link
from app.domain.page import ContentHash, Finding, Page, PageKind, PagePath
from app.domain.scope import Scope
from app.index import build, document
from app.index.database import IndexDatabase
from app.index.document import Document, Stamp
from app.search import pages
from app.search.answer import SearchAnswer, SearchRequest

HOME = Scope("main", "home")
OTHER = Scope("main", "other")

COMMON = (
    "the",
    "of",
    "to",
    "and",
    "a",
    "in",
    "is",
    "it",
    "for",
    "that",
    "on",
    "with",
    "as",
    "was",
    "be",
    "this",
    "are",
    "by",
    "not",
    "or",
    "at",
    "from",
    "have",
    "which",
    "use",
)
SYLLABLES = ("ka", "lo", "mi", "re", "tu", "an", "so", "pe", "vi", "dor", "est", "in", "gra", "ul")


def make_page(path: str, body: str = "", *, title: str = "", scope: Scope = HOME, **others: object) -> Page:
    fields = {name: value for name, value in others.items() if name not in {"kind", "tags", "id", "findings"}}
    findings = others.get("findings", ())
    assert isinstance(findings, tuple)
    return Page(
        scope=scope,
        path=PagePath(path),
        kind=PageKind(str(others.get("kind", PageKind.NOTE))),
        title=title or path.removesuffix(".md").rpartition("/")[2],
        body=body,
        content_hash=ContentHash(hashlib.sha256(body.encode()).hexdigest()),
        id=str(others.get("id", "")),
        tags=tuple(others.get("tags", ())),  # type: ignore[arg-type]
        fields=fields,
        headings=tuple(line.lstrip("# ") for line in body.splitlines() if line.startswith("#")),
        links=link.list_links(body),
        findings=tuple(item for item in findings if isinstance(item, Finding)),
    )


def make_document(page: Page, *, mtime_ns: int = 1_760_000_000_000_000_000) -> Document:
    return document.build_document(page, Stamp(mtime_ns, len(page.body), page.content_hash))


def put(index: IndexDatabase, *put_pages: Page) -> None:
    documents = [make_document(page) for page in put_pages]
    index.write(lambda connection: build.put_documents(connection, documents))


def remove(index: IndexDatabase, path: str, scope: Scope = HOME) -> int:
    return index.write(lambda connection: build.remove_documents(connection, [(scope, PagePath(path))]))


def ask(index: IndexDatabase, text: str, **others: object) -> SearchAnswer:
    return pages.search(index, SearchRequest(text, **others))  # type: ignore[arg-type]


def paths(index: IndexDatabase, text: str, **others: object) -> list[str]:
    return [hit.path for hit in ask(index, text, **others).hits]


@dataclass
class Prose:
    """Draws text in which a few words are everywhere and most are rare, as in any language."""

    seed: int = 1
    words: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.draw = random.Random(self.seed)  # noqa: S311 - repeatable prose, no secret
        made = ("".join(self.draw.choices(SYLLABLES, k=self.draw.randint(2, 4))) for _ in itertools.count())
        self.words = list(itertools.islice(dict.fromkeys(itertools.chain(COMMON, itertools.islice(made, 9000))), 4000))
        self.weights = list(itertools.accumulate(1 / place for place in range(1, len(self.words) + 1)))

    def pick(self, count: int) -> list[str]:
        return self.draw.choices(self.words, cum_weights=self.weights, k=count)

    def write(self, count: int, *, extra: str = "") -> str:
        words = self.pick(count)
        words.insert(self.draw.randint(0, count), extra)
        return " ".join(words).capitalize() + "."


def fill(index: IndexDatabase, count: int, *, scope: Scope = HOME, seed: int = 1, extra: str = "") -> list[Page]:
    prose = Prose(seed)
    made = [
        make_page(
            f"notes/{number:05d}-{'-'.join(prose.pick(2))}.md",
            prose.write(60, extra=extra),
            title=" ".join(prose.pick(4)),
            scope=scope,
            updated_at=f"2026-0{1 + number % 9}-01T00:00:00+00:00",
        )
        for number in range(count)
    ]
    for batch in batches(made, 500):
        put(index, *batch)
    return made


def batches(items: Sequence[Page], size: int) -> Iterable[Sequence[Page]]:
    return (items[start : start + size] for start in range(0, len(items), size))
