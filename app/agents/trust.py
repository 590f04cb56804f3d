"""How an agent is asked whether it runs our hooks."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class TrustQuestion:
    """How an agent is asked whether it runs our hooks, over the standard streams of a program of its own.

    `build` makes the JSON lines to send for a folder; `read` finds in one line of the answers what it thinks of each
    hook of ours, by the hook's event, and none in any other line; `trusted` are the words that are well.
    """

    program: tuple[str, ...]
    build: Callable[[str], tuple[Mapping[str, object], ...]]
    read: Callable[[Mapping[str, object]], Mapping[str, str] | None]
    trusted: frozenset[str]
    fix: str
