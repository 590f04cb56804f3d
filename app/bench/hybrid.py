"""How fast a wiki answers with vectors: the question is embedded by the real model, what it is held against is made up.

Embedding ten thousand pages takes an hour; comparing with their vectors takes as long whatever stands in them.
"""

import math
import random
import struct
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

from app.bench import figure, process
from app.bench.figure import Figure
from app.bench.load import LoadResult
from app.bench.process import RunningServer
from app.bench.scale import Note
from app.index import embed, vectors
from app.index.database import IndexDatabase

ON: Final[Mapping[str, str]] = {"MEMWIKI_VECTORS": "true"}
OFF: Final[Mapping[str, str]] = {"MEMWIKI_VECTORS": "false"}
_SEED: Final = 4244
_DIMENSIONS: Final = 384
_BYTES_TURNED: Final = 16
_TEXTS_PER_WRITE: Final = 5000

Ask = Callable[[RunningServer, Sequence[str]], LoadResult]


def measure(data_dir: Path, token: str, queries: Sequence[str], ask: Ask, note: Note) -> Iterator[Figure]:
    """Measure on a filled data directory, whose vectors are made up; where no model is installed, say so."""
    if not embed.is_installed():
        note("search with vectors is skipped: the extra `vectors` is not installed (make vectors)")
        return
    count = _make_up(data_dir / "index")
    note(f"{count:,} vectors are made up")
    with process.run_server(data_dir, token=token, settings=ON) as server, server.connect() as client:
        process.wait_until_ready(server, client)
        process.wait_until_embedded(server, client, note)
        note(f"{len(queries):,} searches with vectors, one at a time")
        ask(server, queries[: len(queries) // 4 + 1])
        found = ask(server, queries)
        yield from figure.build_percentiles(
            "search_hybrid",
            found.times_ms,
            p95=figure.at_most(40),
            detail=f"over HTTP, {found.answered:,} answers, questions embedded by the model, "
            f"{count:,} made-up vectors of texts",
            faults=found.failed,
        )
        yield Figure("memory_with_vectors", process.measure_memory_mib(server.pid), "MiB", detail="the model included")


def _make_up(folder: Path) -> int:
    """Keep a vector of length one, in no direction of its own, for each text of an index, as if a model had made it."""
    index, drawn = IndexDatabase(folder), _draw()
    index.open()
    try:
        texts = sorted(index.read(lambda connection: set(vectors.walk_texts(connection))))
        for first in range(0, len(texts), _TEXTS_PER_WRITE):
            index.kept.put(embed.MINILM, dict(zip(texts[first : first + _TEXTS_PER_WRITE], drawn, strict=False)))
    finally:
        index.close()
    return len(texts)


def _draw() -> Iterator[bytes]:
    """Draw vectors as the index stores them; each drawn one is turned place by place into others."""
    rng = random.Random(_SEED)
    while True:
        values = [rng.gauss(0, 1) for _ in range(_DIMENSIONS)]
        length = math.sqrt(sum(value * value for value in values))
        packed = struct.pack(f"<{_DIMENSIONS}e", *(value / length for value in values))
        yield from (packed[place:] + packed[:place] for place in range(0, len(packed), _BYTES_TURNED))
