"""What people read out of real sessions by hand: the facts that their pages are held to."""

import hashlib
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

_LABELS: Final = Path(__file__).with_name("compile_labels.toml")
_HASH_CHARS: Final = 16


@dataclass(frozen=True, slots=True)
class Fact:
    """Words that one statement of a page must hold together; `kind` names where it may stand."""

    kind: str
    words: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SessionLabels:
    """What one session comes down to.

    `outcomes` are the words for it that are right; `files`, `commits` and `failing` (checks that fail at the end) are
    complete, or None where nobody listed them all; `files_among` are some of the files; `never` is what nobody said.
    """

    file: str
    hash: str
    outcomes: tuple[str, ...]
    files: tuple[str, ...] | None
    files_among: tuple[str, ...]
    commits: tuple[str, ...]
    failing: tuple[str, ...] | None
    facts: tuple[Fact, ...]
    never: tuple[str, ...] = ()


def read_labels() -> tuple[SessionLabels, ...]:
    """Read all labels."""
    whole = tomllib.loads(_LABELS.read_text(encoding="utf-8"))
    return tuple(_read_session(session) for session in whole["session"])


def is_of(labels: SessionLabels, text: bytes) -> bool:
    """Tell whether labels were written for exactly this transcript."""
    return hashlib.sha256(text).hexdigest()[:_HASH_CHARS] == labels.hash


def list_facts(labels: SessionLabels) -> Iterator[Fact]:
    """List every fact of a session: those written out, and one for its outcome, each file and each commit."""
    yield from labels.facts
    yield from (Fact("file", (path,)) for path in labels.files or labels.files_among)
    yield from (Fact("commit", (commit,)) for commit in labels.commits)


def _read_session(session: dict[str, list[str]]) -> SessionLabels:
    def listed(name: str) -> tuple[str, ...] | None:
        return tuple(session[name]) if name in session else None

    return SessionLabels(
        file=str(session["file"]),
        hash=str(session["hash"]),
        outcomes=tuple(session["outcome"]),
        files=listed("files"),
        files_among=listed("files_among") or (),
        commits=listed("commits") or (),
        failing=listed("failing"),
        facts=tuple(Fact(fact[0], tuple(fact[1:])) for fact in session["facts"]),
        never=listed("never") or (),
    )
