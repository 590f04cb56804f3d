"""Keeps links leading to the same pages when pages move: which links have to be written anew, and how."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from urllib.parse import quote

from app.domain import link as links
from app.domain.link import LinkTarget
from app.domain.moving import Place
from app.domain.page import Link, PagePath
from app.domain.pagepath import PAGE_SUFFIX
from app.domain.scope import Scope


@dataclass(frozen=True, slots=True)
class Shelf:
    """The pages of one project by what links may call them: their path, or the last part of it alone."""

    paths: Mapping[str, PagePath] = field(default_factory=dict)
    names: Mapping[str, PagePath] = field(default_factory=dict)

    def find(self, target: LinkTarget) -> PagePath:
        """Find the page that a link leads to; one that is not there yet has the path that the link says."""
        key = _fold(target.path)
        found = self.names.get(key) if target.is_bare else self.paths.get(key)
        return found or target.path


def build_shelf(paths: Iterable[PagePath]) -> Shelf:
    """Put pages on a shelf; of those with one name, the one nearest the root is meant by it."""
    ordered = sorted(paths, key=lambda path: (len(path), path), reverse=True)
    return Shelf({_fold(path): path for path in ordered}, {_fold(path).rpartition("/")[2]: path for path in ordered})


@dataclass(frozen=True, slots=True)
class Relinking:
    """The pages of the projects that are concerned, before and after, and by which former names they are known.

    `paths` are the pages of `source` that have another path in `target`.
    """

    source: Scope
    target: Scope
    before: Mapping[Scope, Shelf]
    after: Mapping[Scope, Shelf]
    aliases: Mapping[Scope, Scope]
    paths: Mapping[str, str] = field(default_factory=dict)

    def find_now(self, place: Place) -> Place:
        """Tell where a page is after the move."""
        if place.scope != self.source:
            return place
        path = self.paths.get(place.path, place.path)
        # What leads to a page that is dropped leads to the one that stands at its place.
        return Place(self.target, PagePath(path or place.path))


def relink_text(how: Relinking, text: str, was: Place, now: Place) -> str:
    """Write the links of a page's text anew that would lead elsewhere after the move."""
    return links.respell_links(text, lambda link: _respell(how, link, was, now))


def relink_value(how: Relinking, value: object, was: Place, now: Place) -> object:
    """Write the links in a value of the frontmatter anew, however deep they lie; a path stands for a link there."""
    if isinstance(value, str):
        inner = value.strip().removeprefix("[[").removesuffix("]]")
        target = inner.partition("|")[0].partition("#")[0]
        new = _respell(how, links.parse_wikilink(inner), was, now) if target.strip() else None
        return value if new is None else value.replace(target, new, 1)
    if isinstance(value, Mapping):
        return {name: relink_value(how, item, was, now) for name, item in value.items()}
    if isinstance(value, list):
        return [relink_value(how, item, was, now) for item in value]
    return value


def _respell(how: Relinking, link: Link, was: Place, now: Place) -> str | None:
    """Spell a link's target as it has to be from now on; None where it may stay as it is, or leads to no page."""
    before = links.resolve_link(link, was.scope, was.path)
    if before is None:
        return None
    meant = how.find_now(_find_place(before, how.before, how.aliases))
    after = links.resolve_link(link, now.scope, now.path)
    if after is not None and _find_place(after, how.after, how.aliases) == meant:
        return None
    return _spell_wikilink(link, now, meant) if link.is_wiki else _spell_relative(now, meant)


def _find_place(target: LinkTarget, shelves: Mapping[Scope, Shelf], aliases: Mapping[Scope, Scope]) -> Place:
    scope = target.scope if target.scope in shelves else aliases.get(target.scope, target.scope)
    shelf = shelves.get(scope)
    return Place(scope, target.path if shelf is None else shelf.find(target))


def _spell_wikilink(link: Link, now: Place, meant: Place) -> str:
    path = meant.path if link.target.endswith(PAGE_SUFFIX) else meant.path.removesuffix(PAGE_SUFFIX)
    return path if meant.scope == now.scope else f"{meant.scope}:{path}"


def _spell_relative(now: Place, meant: Place) -> str:
    here = [now.scope.workspace, now.scope.project, *now.path.split("/")[:-1]]
    there = [meant.scope.workspace, meant.scope.project, *meant.path.split("/")]
    shared = 0
    while shared < min(len(here), len(there) - 1) and here[shared] == there[shared]:
        shared += 1
    return quote("/".join([*[".."] * (len(here) - shared), *there[shared:]]), safe="/")


def _fold(path: str) -> str:
    return path.removesuffix(PAGE_SUFFIX).casefold()
