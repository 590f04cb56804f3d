"""Brings a page or a whole project back to what it was at a revision, as a new revision; nothing of history is lost."""

from collections.abc import Sequence
from dataclasses import dataclass

from app.domain.errors import FieldsUnreadable, PageNotFound
from app.domain.page import ContentHash, PagePath
from app.domain.pagepath import parse_page_path
from app.domain.redact import redact_text
from app.domain.scope import Scope
from app.wiki import history, markdown
from app.wiki.pages import NO_PAGE, Byline, Wiki


@dataclass(frozen=True, slots=True)
class BroughtBack:
    """Which pages are other now than before, and which stayed as they were; `later` came after that revision."""

    changed: tuple[PagePath, ...]
    unchanged: int
    later: tuple[PagePath, ...]


def restore_page(wiki: Wiki, scope: Scope, path: PagePath, revision: str, actor: str) -> BroughtBack:
    """Give a page the text that it had at a revision, also if it is gone now.

    Raises:
        PageNotFound: there was no such page then, or there is no such revision.
        PageChanged: somebody changed it this moment.
        DiskRefused: the disk is full, read-only or somebody else's.
    """
    text = history.show(wiki.committer.repository, revision, wiki.tree.find_place(scope, path))
    is_other = _put(wiki, scope, path, text, Byline(actor, f"Restore {path} as of {revision[:12]}"))
    return BroughtBack((path,) if is_other else (), 0 if is_other else 1, ())


def restore_project(wiki: Wiki, scopes: Sequence[Scope], revision: str, actor: str, *, is_dry: bool) -> BroughtBack:
    """Give all pages of a project the texts of a revision; pages that came later stay and are named.

    The first of `scopes` is its name now, the others are those that it had before.

    Raises:
        PageNotFound: the project had no page then, or there is no such revision.
        DiskRefused: the disk is full, read-only or somebody else's; asking again goes on.
    """
    scope = scopes[0]
    then, paths = _find_paths(wiki, scopes, revision)
    if not paths:
        raise PageNotFound(f"{scope}@{revision[:64]}")
    byline = Byline(actor, f"Restore {scope} as of {revision[:12]}")
    changed = []
    for path in paths:
        text = history.show(wiki.committer.repository, revision, f"{then}/{path}")
        if wiki.tree.read_page(scope, path) == text:
            continue
        changed.append(path)
        if not is_dry:
            _put(wiki, scope, path, text, byline)
    later = tuple(stamp.path for stamp in wiki.tree.list_files(scope) if stamp.path not in set(paths))
    return BroughtBack(tuple(changed), len(paths) - len(changed), later)


def _find_paths(wiki: Wiki, scopes: Sequence[Scope], revision: str) -> tuple[Scope, list[PagePath]]:
    """Find the pages of a revision under the name that the project had then."""
    for scope in scopes:
        places = history.list_places(wiki.committer.repository, revision, f"{scope}/")
        paths = [parse_page_path(place.removeprefix(f"{scope}/")) for place in places if place.endswith(".md")]
        if paths:
            return scope, paths
    return scopes[0], []


def _put(wiki: Wiki, scope: Scope, path: PagePath, text: bytes, byline: Byline) -> bool:
    now = wiki.tree.read_page(scope, path)
    if now == text:
        return False
    try:
        words = text.decode("utf-8")
    except UnicodeDecodeError as error:
        raise FieldsUnreadable(path) from error
    expected: ContentHash = NO_PAGE if now is None else markdown.hash_content(now)
    # What is a secret by today's rules may not have been one by those of then.
    wiki.save_raw(scope, path, redact_text(words), expected, byline)
    return True
