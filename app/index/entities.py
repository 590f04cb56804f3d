"""What a text names: files, code names, versions, tags; each with its kind and the key that it is compared by.

A key keeps letters and digits alone, so that `getUserByID`, `get_user_by_id` and `get-user-by-id` are one name.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum

from app.domain.limits import ENTITIES_PER_PAGE_MAX, ENTITY_SCAN_CHARS, TERM_CHARS_MAX
from app.index import folding

_NAME = re.compile(r"[\w.~@][\w./\\:@~+#-]*[\w+#]", re.ASCII)
_VERSION = re.compile(r"v?\d+(?:\.\d+)+[\w.-]*", re.IGNORECASE)
_FILE = re.compile(r"(?:[\w.~@-]*[/\\])+[\w.@-]+|[\w@-]+\.[A-Za-z][A-Za-z0-9]{0,5}")
# A moment, or a place in a session as footnotes name it (`o12-15`): found where asked for, but nothing to be about.
_MOMENT = re.compile(r"\d{4}-?\d\d-?\d\d[Tt_]\d\d:?\d\d(?::?\d\d(?:\.\d+)?)?(?:[Zz]|[+-]\d\d:?\d\d)?")
_STRETCH = re.compile(r"o\d+-\d+")
_HUMP = re.compile(r"[a-z0-9][A-Z]|[A-Z]{2}[a-z]")
_APART = re.compile(r"[^\W_]+")
_KEY_CHARS_MIN = 3


class EntityKind(StrEnum):
    """What sort of thing a name names; `NAMED` are those that a page lists itself.

    A `MARK` only says where or when: pages that have one in common share nothing.
    """

    FILE = "file"
    CODE = "code"
    VERSION = "version"
    TAG = "tag"
    NAMED = "named"
    MARK = "mark"


@dataclass(frozen=True, slots=True, order=True)
class Entity:
    """One thing that a text names."""

    kind: EntityKind
    key: str


def list_entities(text: str) -> tuple[Entity, ...]:
    """List what a text names by the form of its names, each once, in the order in which they are met."""
    found: dict[Entity, None] = {}
    for match in _NAME.finditer(text[:ENTITY_SCAN_CHARS]):
        for entity in _classify(match[0]):
            found[entity] = None
        if len(found) >= ENTITIES_PER_PAGE_MAX:
            break
    return tuple(found)


def build_named(kind: EntityKind, names: Iterable[str]) -> tuple[Entity, ...]:
    """Build the things that a page lists by name."""
    keys = (build_key(name) for name in names)
    return tuple(dict.fromkeys(Entity(kind, key) for key in keys if len(key) > 1))


def build_key(name: str) -> str:
    """Bring a name to the key that names are compared by."""
    return "".join(_APART.findall(folding.fold(name)))[:TERM_CHARS_MAX]


def _classify(name: str) -> Iterator[Entity]:
    if _VERSION.fullmatch(name):
        yield Entity(EntityKind.VERSION, build_key(name))
        return
    key = build_key(name)
    if len(key) < _KEY_CHARS_MIN or key.isdigit():
        return
    if _MOMENT.fullmatch(name) or _STRETCH.fullmatch(name):
        yield Entity(EntityKind.MARK, key)
    elif _FILE.fullmatch(name):
        yield Entity(EntityKind.FILE, key)
        last = re.split(r"[/\\]", name)[-1]
        if last != name and len(build_key(last)) >= _KEY_CHARS_MIN:
            yield Entity(EntityKind.FILE, build_key(last))
    elif "_" in name.strip("_") or "::" in name or _HUMP.search(name) or re.search(r"\w[.-]\w", name):
        yield Entity(EntityKind.CODE, key)
