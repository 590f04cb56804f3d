"""Saves a page that a person or an agent wrote: redacted, with its title and tags, based on what its writer saw."""

from collections.abc import Mapping
from dataclasses import dataclass

from app.domain import redact
from app.domain.limits import TITLE_CHARS_MAX
from app.domain.page import ContentHash, Page, PagePath
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
        PageExists: `expected` is empty and there is a page.
        PageChanged: the page is not the one that the text is based on.
        FieldsUnreadable: the page's frontmatter is broken, so it must not be rewritten.
        DiskRefused: the disk is full, read-only or somebody else's.
    """
    fields = {name: _redact_value(value) for name, value in (given.fields or {}).items()}
    if given.title:
        fields["title"] = redact.redact_text(" ".join(given.title.split())[:TITLE_CHARS_MAX])
    if given.tags:
        fields["tags"] = [redact.redact_text(tag) for tag in given.tags]
    if expected == NO_PAGE:
        fields.setdefault("author", author)
    body = redact.redact_text(redact.strip_private(given.body))
    verb = "Add" if expected == NO_PAGE else "Change"
    byline = Byline(author, f"{verb} {given.path}", session_id)
    return wiki.save_page(given.scope, given.path, PageDraft(fields, body, expected), byline)


def _redact_value(value: object) -> object:
    """Clean the texts in a frontmatter value, however deep they lie."""
    if isinstance(value, str):
        return redact.redact_text(value)
    if isinstance(value, Mapping):
        return {str(redact.redact_text(str(key))): _redact_value(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_redact_value(item) for item in value]
    return value
