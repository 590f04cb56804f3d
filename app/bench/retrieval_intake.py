"""Takes a set in on a server of its own, or goes on from where an earlier run kept it: embedding is done once."""

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import httpx2
import msgspec

from app.bench import process, retrieval_capture
from app.bench.process import RunningServer
from app.bench.retrieval_capture import Fed
from app.bench.retrieval_sets import Corpus, RetrievalSet
from app.bench.scale import Note

_TOKEN: Final = "mw_bench-token-of-a-server-that-lives-for-a-minute"  # noqa: S105 - of a throwaway server
_MARK: Final = "taken-in"


@dataclass(frozen=True, slots=True)
class Intake:
    """A set that is taken in, indexed and, where a model is installed, embedded; and the server that holds it."""

    corpora: Sequence[Corpus]
    fed: Mapping[str, Fed]
    server: RunningServer
    client: httpx2.Client


@contextmanager
def open_set(sets_dir: Path, chosen: RetrievalSet, keep_dir: Path | None, note: Note) -> Iterator[Intake]:
    """Take a set in on a server that lives as long as the block; what `keep_dir` holds of it is not made again."""
    corpora = list(chosen.read(sets_dir / chosen.folder))
    with _open_folder(chosen, corpora, keep_dir) as data_dir:
        mark = data_dir / _MARK
        is_new = not mark.exists()
        fed = {
            corpus.name: retrieval_capture.write_texts(data_dir, corpus, is_new=is_new)
            for corpus in corpora
            if corpus.texts
        }
        with process.run_server(data_dir, token=_TOKEN) as server, server.connect() as client:
            process.wait_until_ready(server, client, pages=sum(len(corpus.texts) for corpus in corpora))
            for number, corpus in enumerate(corpora, start=1):
                if corpus.conversations:
                    note(f"{chosen.name}: taking in {corpus.name}, {number} of {len(corpora)}")
                    fed[corpus.name] = retrieval_capture.feed_conversations(client, corpus, is_new=is_new)
            mark.touch()
            process.wait_until_embedded(server, client, lambda text: note(f"{chosen.name}: {text}"))
            yield Intake(corpora, fed, server, client)


@contextmanager
def _open_folder(chosen: RetrievalSet, corpora: Sequence[Corpus], keep_dir: Path | None) -> Iterator[Path]:
    """Open a set's data directory; a kept one is named by what is taken in, so that other texts never meet it."""
    if keep_dir is None:
        with process.make_folder() as folder:
            yield folder
        return
    held = msgspec.json.encode([(corpus.name, corpus.conversations, corpus.texts) for corpus in corpora])
    kept = keep_dir / f"{chosen.folder}-{hashlib.sha256(held).hexdigest()[:8]}"
    kept.mkdir(parents=True, exist_ok=True)
    yield kept
