"""What one commit of one changed page costs, in a small wiki and in a large one: it should be the same."""

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path
from time import perf_counter
from typing import Final

from app.bench import ceiling, corpus, figure
from app.bench.corpus import Corpus, DrawnPage
from app.bench.figure import Figure
from app.bench.scale import Note, Scale
from app.wiki import repository
from app.wiki.commit_plan import CommitRequest
from app.wiki.committer import Committer
from app.wiki.tree import Tree

_SEED: Final = 77
_SIZES: Final = (1_000, 20_000)
_REPEATS: Final = 60
_BAR_MS: Final = 100
# Larger than a server's batches: the first commits are not what is measured.
_PAGES_PER_BATCH: Final = 5_000


class WallClock:
    """The machine's clock."""

    def now(self) -> datetime:
        """Tell the moment."""
        return datetime.now(UTC)


def measure(folder: Path, scale: Scale, note: Note) -> Iterator[Figure]:
    """Measure commits at each size, and the processes of git that any such commit has to start."""
    idle_ms = ceiling.measure_git_process_ms(repeats=scale.repeats(40, least=5))
    floor = figure.find_percentile(idle_ms, 0.95)
    yield Figure("bare_git_process_p95", floor, "ms", detail="git --version")
    medians = []
    for full in _SIZES:
        size = scale.items(full, least=20)
        note(f"a wiki of {size:,} pages to commit to")
        committer, pages = build_committed_wiki(folder / f"wiki-{size}", size)
        note(f"commits at {size:,} pages")
        times = [_commit_one(committer, pages, number) for number in scale.repeat(_REPEATS, least=3)]
        medians.append(figure.find_percentile(times, 0.5))
        yield from figure.build_percentiles(
            f"commit_at_{size}_pages",
            times,
            p95=figure.at_most(_BAR_MS),
            ceiling=floor,
            detail=f"{len(times)} commits of one changed page",
        )
    yield Figure(
        "commit_growth", medians[-1] / medians[0], "times", detail="p50 in the large wiki over p50 in the small one"
    )


def build_committed_wiki(root: Path, size: int) -> tuple[Committer, list[DrawnPage]]:
    """Write a wiki of many pages and commit all of them by our own committer."""
    pages = list(Corpus(_SEED).draw_pages(size))
    return commit_pages(root, pages), pages


def commit_pages(root: Path, pages: Sequence[DrawnPage]) -> Committer:
    """Write pages and commit all of them by our own committer."""
    committer = Committer(repository.open_repository(root), Tree(root), WallClock())
    places = [corpus.write_page(root, page).relative_to(root).as_posix() for page in pages]
    rest = iter(places)
    while batch := list(islice(rest, _PAGES_PER_BATCH)):
        committer.commit_batch([_build_request(batch)])
    return committer


def _commit_one(committer: Committer, pages: Sequence[DrawnPage], number: int) -> float:
    """Change one page, somewhere else in the tree each time, and commit it."""
    root = committer.repository.root
    path = corpus.write_page(root, pages[number * 7919 % len(pages)])
    with path.open("a", encoding="utf-8") as file:
        file.write(f"\nChanged {number}.\n")
    begun = perf_counter()
    committer.commit_batch([_build_request([path.relative_to(root).as_posix()])])
    return (perf_counter() - begun) * 1000


def _build_request(places: Sequence[str]) -> CommitRequest:
    return CommitRequest(tuple(places), "Change a page", "bench", WallClock().now())
