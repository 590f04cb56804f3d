"""Saves a page that a person or an agent wrote: redacted, with its title and tags, based on what its writer saw."""

from collections.abc import Mapping
from dataclasses import dataclass

from app.domain import redact
from app.domain.errors import UnsafePath
from app.domain.limits import TITLE_CHARS_MAX
from app.domain.page import ContentHash, Page, PagePath
from app.domain.redact import Redacted
from app.domain.scope import Scope
from app.wiki.pages import NO_PAGE, Byline, PageDraft, Wiki


@dataclass(frozen=True, slots=True)
class NewText:
    """What a page is to say; empty `title` and `tags` leave those of the page as they are."""

    scope: Scope
    path: PagePath
    body: str
    title: str = ""
    tags: tuple[str, ...] = ()
    fields: Mapping[str, object] | None = None


def save_text(wiki: Wiki, given: NewText, *, expected: ContentHash, author: str, session_id: str = "") -> Page:
    """Save a text; secrets in it are replaced before anything is written.

    Raises:
        UnsafePath: the path itself holds a secret.
        PageExists: `expected` is empty and there is a page.
        PageChanged: the page is not the one that the text is based on.
        FieldsUnreadable: the page's frontmatter is broken, so it must not be rewritten.
        DiskRefused: the disk is full, read-only or somebody else's.
    """
    # A key's file name is told, not the key, so it may name a page.
    if found := [kind for kind in redact.list_classes(given.path) if kind != "key-path"]:
        raise UnsafePath(redact.redact_text(given.path), f"it holds a secret ({', '.join(found)})")
    fields = {str(_clean(name)): _clean_value(value, name) for name, value in (given.fields or {}).items()}
    if given.title:
        fields["title"] = " ".join(_clean(given.title).split())[:TITLE_CHARS_MAX]
    if given.tags:
        fields["tags"] = [_clean(tag) for tag in given.tags]
    if expected == NO_PAGE:
        fields.setdefault("author", author)
    body = _clean(given.body)
    verb = "Add" if expected == NO_PAGE else "Change"
    byline = Byline(author, f"{verb} {given.path}", session_id)
    return wiki.save_page(given.scope, given.path, PageDraft(fields, body, expected), byline)


def _clean(text: str) -> Redacted:
    return redact.redact_text(redact.strip_private(text))


def _clean_value(value: object, name: str = "") -> object:
    """Clean the texts in a frontmatter value, however deep they lie; a field's name may say that it is a secret."""
    if isinstance(value, str):
        return redact.redact_named(name, redact.strip_private(value))
    if isinstance(value, Mapping):
        return {str(_clean(str(key))): _clean_value(item, str(key)) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_clean_value(item, name) for item in value]
    return value
