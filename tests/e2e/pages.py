"""A wiki of generated pages, written as an editor writes them, and what searches say about it."""

import random
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.server import Server, wait_for

WORDS = re.findall(
    r"\w+",
    "invoice parser decimal rounding currency retry socket timeout migration schema cursor lexer token cache eviction "
    "shard replica lease handoff session wiki commit branch rebase worker queue backlog latency budget snippet index "
    "vacuum checkpoint journal fsync rename watcher symlink unicode accent locale header cookie origin digest cipher",
)
NAMES = ("parse_price", "UserStore.load", "retry-after", "fts5_query", "README.md", "C++", "v1.2.3", "E1101", "naïve")
SHOP, BANK = "main/shop", "main/bank"


@dataclass(frozen=True, slots=True)
class WikiText:
    """Pages by their place below the wiki's root."""

    pages: dict[str, str]

    def write(self, wiki: Path) -> None:
        """Write all of them."""
        for place, text in self.pages.items():
            path = wiki / place
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")


def build_wiki(count: int, seed: int = 7) -> WikiText:
    """Build pages of two projects with links, tags, headings and code."""
    chance = random.Random(seed)  # noqa: S311 - words, not secrets
    pages = {}
    for number in range(count):
        project = SHOP if number % 3 else BANK
        folder = ("notes", "decisions", "gotchas", "sessions/2026-11")[number % 4]
        pages[f"{project}/{folder}/page-{number:03d}.md"] = _build_text(number, chance)
    return WikiText(pages)


def list_queries(count: int, seed: int = 11) -> list[str]:
    """List queries of one to four words, with code, quotes and other signs among them."""
    chance = random.Random(seed)  # noqa: S311 - words, not secrets
    queries = []
    for number in range(count):
        words = chance.sample(WORDS, chance.randint(1, 3))
        if number % 3 == 0:
            words.append(chance.choice(NAMES))
        queries.append(f'"{" ".join(words)}"' if number % 11 == 0 else " ".join(words))
    return queries


def ask_all(server: Server, queries: list[str]) -> dict[str, Any]:
    """Ask every query and keep the whole answer."""
    return {query: server.get("/api/v1/search", q=query, limit=20, why=True) for query in queries}


def list_paths(server: Server, words: str, project: str = "*") -> list[str]:
    """List the paths of the pages that a search finds."""
    return [hit["path"] for hit in server.get("/api/v1/search", q=words, project=project, limit=50)["hits"]]


def wait_for_pages(server: Server, count: int) -> None:
    """Wait until the index is complete and has so many pages."""

    def is_there() -> bool:
        found = server.get("/readyz")["index"]
        return bool(found["state"] == "ready" and found["pages"] == count)

    wait_for(is_there, f"{count} pages in the index")


def find_index_files(server: Server) -> list[Path]:
    """Find the files of the index that are there."""
    return sorted((server.data_dir / "index").glob("index-*"))


def delete_index(server: Server) -> None:
    """Delete the index under a running server, and wait until there is another."""
    for path in find_index_files(server):
        path.unlink()
    wait_for(lambda: find_index_files(server), "a new index file")


def list_progress(server: Server) -> Iterator[dict[str, Any]]:
    """Look at the index as fast as it can be asked for, until it is complete."""
    found: dict[str, Any] = {"state": ""}
    while found["state"] != "ready":
        found = server.get("/readyz")["index"]
        yield found


def _build_text(number: int, chance: random.Random) -> str:
    title = " ".join(chance.sample(WORDS, 3))
    lines = [f"---\ntitle: {title}\ntags: [{chance.choice(WORDS)}, t{number % 5}]\n---", f"# {title}"]
    for heading in chance.sample(WORDS, 2):
        lines += [f"## {heading}", " ".join(chance.choices(WORDS, k=40)), f"See `{chance.choice(NAMES)}`."]
    lines.append(f"Compare [[notes/page-{chance.randrange(number + 1):03d}.md]].")
    return "\n\n".join(lines) + "\n"
