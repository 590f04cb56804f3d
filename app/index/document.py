"""`Document`: what a page becomes in the index; built once, outside the index's lock."""

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta

from app.domain import link as links
from app.domain.entity import Thing, parse_thing
from app.domain.errors import InvalidName
from app.domain.limits import ENTITIES_PER_PAGE_MAX, INDEXED_TEXT_CHARS_MAX, NEAR_WORDS_MAX
from app.domain.limits_projects import ALIASES_MAX
from app.domain.page import ContentHash, Finding, Link, Page, PageKind, PagePath
from app.domain.pagepath import PROJECT_PATH
from app.domain.scope import Scope, parse_scope
from app.index import chunks, code, entities, stems, tally, tokens
from app.index.entities import Entity, EntityKind

PLAIN_LINK = "link"
SUPERSEDES = "supersedes"

_RELATIONS = frozenset({"causes", "fixes", "contradicts", SUPERSEDES, "depends_on"})
_UPDATE_FIELDS = ("updated_at", "updated", "ended_at", "generated", "date")
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Stamp:
    """What tells cheaply whether a file is still the one that was indexed; the hash decides when it is not."""

    mtime_ns: int
    size: int
    content_hash: ContentHash


@dataclass(frozen=True, slots=True)
class DocumentLink:
    """A link with what it says (`relation`), as written, and the key of the page it leads to (empty for none).

    `is_bare` keys name a file without its folder.
    """

    relation: str
    target: str
    label: str
    to_scope: Scope
    to_key: str
    is_bare: bool = False


@dataclass(frozen=True, slots=True)
class DocumentTerms:
    """The terms of each field, joined by blanks; `forms` are the body's, the other fields carry their own.

    `stems` are those of all fields that differ from their words; `tally` counts the terms of all fields.
    """

    title: str
    headings: str
    names: str
    body: str
    forms: str
    stems: str
    name_terms: tuple[str, ...]
    tally: str


@dataclass(frozen=True, slots=True)
class Passage:
    """The terms of one piece of a long page, which begins at `start` of the body."""

    start: int
    own: str
    stems: str
    forms: str
    near: str


@dataclass(frozen=True, slots=True)
class Document:
    """One page as the index stores it; empty text means that the page does not say."""

    scope: Scope
    path: PagePath
    kind: PageKind
    title: str
    body: str
    stamp: Stamp
    updated_at: datetime
    terms: DocumentTerms
    id: str = ""
    description: str = ""
    tags: tuple[str, ...] = ()
    links: tuple[DocumentLink, ...] = ()
    findings: tuple[Finding, ...] = ()
    passages: tuple[Passage, ...] = ()
    entities: tuple[Entity, ...] = ()
    things: tuple[Thing, ...] = ()
    session_id: str = ""
    agent: str = ""
    revision: str = ""
    author: str = ""
    verified_at: datetime | None = None
    superseded_by: str = ""
    is_pinned: bool = False
    is_generated: bool = False
    stale_after: str = ""
    secrets: tuple[str, ...] = ()
    aliases: tuple[Scope, ...] = ()


def build_document(page: Page, stamp: Stamp, secrets: tuple[str, ...] = ()) -> Document:
    """Read out of a page what search and lint need; `secrets` are the classes of those found in its file.

    A page's age is what its frontmatter says, else its file's time; nothing here depends on who reads it.
    """
    fields = page.fields
    return Document(
        scope=page.scope,
        path=page.path,
        kind=page.kind,
        title=page.title,
        body=page.body[:INDEXED_TEXT_CHARS_MAX],
        stamp=stamp,
        updated_at=_read_first_time(fields, _UPDATE_FIELDS) or _EPOCH + timedelta(microseconds=stamp.mtime_ns // 1000),
        terms=_build_document_terms(page),
        id=page.id,
        description=page.description,
        tags=tuple(dict.fromkeys(page.tags)),
        links=_list_document_links(page),
        findings=page.findings,
        passages=_build_passages(page.body[:INDEXED_TEXT_CHARS_MAX]),
        entities=_list_page_entities(page),
        things=_list_things(page),
        session_id=_read_text(fields, "session_id"),
        agent=_read_text(fields, "agent"),
        revision=_read_text(fields, "revision"),
        author=_read_text(fields, "author"),
        verified_at=_read_first_time(fields, ("verified_at",)),
        superseded_by=_read_text(fields, "superseded_by"),
        is_pinned=fields.get("pinned") is True,
        is_generated=is_generated(page),
        stale_after=find_stale_after(fields),
        secrets=secrets,
        aliases=_list_aliases(page) if page.path == PROJECT_PATH else (),
    )


def is_generated(page: Page) -> bool:
    """Tell whether a page says that memwiki made it."""
    return bool(page.fields.get("generated"))


def find_stale_after(fields: Mapping[str, object]) -> str:
    """Find the day after which a page says itself that it is stale; empty where it says none."""
    told = fields.get("stale_after")
    return told[:10] if isinstance(told, str) else ""


def build_path_key(path: str) -> str:
    """Bring a page's path to the key that links are compared by."""
    return path.removesuffix(".md").casefold()


def build_stem_key(path: str) -> str:
    """Bring a page's path to the key of a link that names no folder."""
    return build_path_key(path).rpartition("/")[2]


def _list_aliases(page: Page) -> tuple[Scope, ...]:
    """List the names that a manifest says its project had; one alone is of the same workspace."""
    found = []
    for name in _list_texts(page.fields.get("aliases"))[:ALIASES_MAX]:
        with suppress(InvalidName):
            found.append(parse_scope(name, page.scope.workspace))
    return tuple(dict.fromkeys(found))


def _build_document_terms(page: Page) -> DocumentTerms:
    folder, _, stem = page.path.removesuffix(".md").rpartition("/")
    title = tokens.build_terms(page.title)
    named = tokens.build_terms(stem)
    known_as = tokens.build_terms(" ".join((page.id, _read_text(page.fields, "session_id"), *page.tags)))
    # Folders are shared by many pages, so their words count as little as any in the text.
    folders = tokens.build_terms(folder)
    paths = (*tokens.build_terms(page.path).forms, *tokens.build_terms(f"{folder}/{stem}" if folder else stem).forms)
    text = page.body[:INDEXED_TEXT_CHARS_MAX]
    body = tokens.build_terms(text)
    headings = tokens.build_terms(" ".join((*page.headings, page.description, *code.list_definitions(text))))
    fields = (
        _join(title),
        _join(headings),
        " ".join(dict.fromkeys((*_join(named).split(), *_join(known_as).split(), *paths))),
        body.words,
        " ".join(dict.fromkeys((*body.forms, *folders.words.split(), *code.list_languages(text)))),
        " ".join(stem for part in (title, headings, named, body) for stem in stems.list_new_stems(part)),
    )
    name_terms = tuple(dict.fromkeys((*_join(title).split(), *_join(named).split())))
    return DocumentTerms(*fields, name_terms, tally.build_tally(join_fields(fields)))


def join_fields(fields: Iterable[str]) -> str:
    """Join all fields of a page to the text that ranking looks through, each term between blanks."""
    return f" {' '.join(fields)} "


def _build_passages(body: str) -> tuple[Passage, ...]:
    pieces = chunks.build_chunks(body)
    terms = [tokens.build_terms(piece.text) for piece in pieces]
    words = [each.words.split() for each in terms]
    return tuple(
        Passage(
            start=piece.start,
            own=own.words,
            stems=" ".join(stems.list_new_stems(own)),
            forms=" ".join(own.forms),
            near=build_near(words, place),
        )
        for place, (piece, own) in enumerate(zip(pieces, terms, strict=True))
    )


def build_near(words: Sequence[Sequence[str]], place: int) -> str:
    """Join the stems of what stands just before and just behind one of several texts, given as their words."""
    before = words[place - 1][-NEAR_WORDS_MAX:] if place > 0 else ()
    behind = words[place + 1][:NEAR_WORDS_MAX] if place + 1 < len(words) else ()
    return " ".join(stems.find_stem(word) for word in (*before, *behind))


def _list_things(page: Page) -> tuple[Thing, ...]:
    found = map(parse_thing, _list_texts(page.fields.get("entities")))
    return tuple(dict.fromkeys(thing for thing in found if thing))[:ENTITIES_PER_PAGE_MAX]


def _list_page_entities(page: Page) -> tuple[Entity, ...]:
    listed = _list_texts(page.fields.get("entities"))
    # `file:app/x.py` is found by the name that it has in a question.
    names = [thing.name if (thing := parse_thing(text)) else text for text in listed]
    named = entities.build_named(EntityKind.NAMED, names)
    # Every page of a kind or of an agent has these, so that they name nothing.
    own = {page.kind.value, _read_text(page.fields, "agent")}
    tagged = entities.build_named(EntityKind.TAG, [tag for tag in page.tags if tag not in own])
    met = entities.list_entities(f"{page.title}\n{page.body}")
    return tuple(dict.fromkeys((*named, *tagged, *met)))[:ENTITIES_PER_PAGE_MAX]


def _join(terms: tokens.Terms) -> str:
    return " ".join((terms.words, *terms.forms))


def _list_document_links(page: Page) -> tuple[DocumentLink, ...]:
    related = [(SUPERSEDES, target) for target in _list_texts(page.fields.get(SUPERSEDES))]
    related += _list_relations(page.fields.get("relations"))
    found = [(relation, _parse_related(target)) for relation, target in related]
    found += [(PLAIN_LINK, link) for link in page.links]
    return tuple(dict.fromkeys(_build_link(page, relation, link) for relation, link in found))


def _list_relations(value: object) -> list[tuple[str, str]]:
    """Read `relations` as a mapping of relation to targets, or as a list of mappings."""
    if isinstance(value, Mapping):
        return [(str(name), target) for name, targets in value.items() for target in _list_texts(targets)]
    found: list[tuple[str, str]] = []
    for item in value if isinstance(value, list) else ():
        if isinstance(item, Mapping):
            name = item.get("relation") or item.get("type")
            found += [(str(name), target) for target in _list_texts(item.get("target"))]
            found += [(str(key), target) for key in item if key in _RELATIONS for target in _list_texts(item[key])]
    return found


def _parse_related(target: str) -> Link:
    return links.parse_wikilink(target.strip().removeprefix("[[").removesuffix("]]"))


def _build_link(page: Page, relation: str, link: Link) -> DocumentLink:
    target = links.resolve_link(link, page.scope, page.path)
    if target is None:
        return DocumentLink(relation, link.target, link.label, page.scope, "")
    key = build_stem_key(target.path) if target.is_bare else build_path_key(target.path)
    return DocumentLink(relation, link.target, link.label, target.scope, key, target.is_bare)


def _list_texts(value: object) -> list[str]:
    items: Iterable[object] = value if isinstance(value, list | tuple) else (value,)
    return [item for item in items if isinstance(item, str) and item.strip()]


def _read_text(fields: Mapping[str, object], name: str) -> str:
    value = fields.get(name)
    if isinstance(value, list) and value:
        value = value[0]
    return str(value).strip() if isinstance(value, str | int | float) and not isinstance(value, bool) else ""


def _read_first_time(fields: Mapping[str, object], names: tuple[str, ...]) -> datetime | None:
    for name in names:
        value = fields.get(name)
        if isinstance(value, Mapping):
            value = value.get("at")
        moment = _read_time(value)
        if moment:
            return moment
    return None


def _read_time(value: object) -> datetime | None:
    if isinstance(value, datetime):
        moment = value
    elif isinstance(value, date):
        moment = datetime(value.year, value.month, value.day, tzinfo=UTC)
    elif isinstance(value, str):
        try:
            moment = datetime.fromisoformat(value.strip())
        except ValueError:
            return None
    else:
        return None
    moment = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    try:
        return moment.astimezone(UTC)
    except OverflowError:
        return None
