"""What a session or a page is about, by kind and name: `file:app/x.py`, `error:ModuleNotFoundError app.x`."""

from dataclasses import dataclass
from enum import StrEnum

from app.domain.limits_knowledge import ENTITY_NAME_CHARS_MAX


class ThingKind(StrEnum):
    """The kinds of things that knowledge is kept about."""

    FILE = "file"
    SYMBOL = "symbol"
    PACKAGE = "package"
    COMMAND = "command"
    ERROR = "error"
    TICKET = "ticket"
    HOST = "host"
    COMMIT = "commit"


@dataclass(frozen=True, slots=True, order=True)
class Thing:
    """One thing, by the name that people call it."""

    kind: ThingKind
    name: str

    def __str__(self) -> str:
        return f"{self.kind.value}:{self.name}"


def build_thing(kind: ThingKind, name: str) -> Thing:
    """Name a thing on one line, within its bound."""
    return Thing(kind, " ".join(name.split())[:ENTITY_NAME_CHARS_MAX])


def parse_thing(text: str) -> Thing | None:
    """Read `kind:name`; None where it is not written so."""
    kind, colon, name = text.partition(":")
    if not colon or not name.strip() or kind not in frozenset(ThingKind):
        return None
    return build_thing(ThingKind(kind), name)
