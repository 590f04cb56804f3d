"""A page as it is after a move: its links lead where they led, and memwiki knows its own sections again."""

from typing import Final

from app.compile import plan as plans
from app.compile import session_page
from app.domain import relink
from app.domain.errors import FieldsUnreadable
from app.domain.moving import Place
from app.domain.page import Page, PageKind
from app.domain.pagepath import PROJECT_PATH
from app.domain.relink import Relinking
from app.wiki import fields as yaml_fields
from app.wiki import markdown

_LINKING: Final = ("relations", "supersedes", "superseded_by")
_OF_MANIFEST: Final = ("id", "workspace", "aliases", "repositories", "created_at")
_SIGNS: Final = (b"]]", b"](", b"relations", b"supersede")


def may_link(raw: bytes) -> bool:
    """Tell cheaply whether a page can have a link at all."""
    return any(sign in raw for sign in _SIGNS)


def relink_page(how: Relinking, raw: bytes, was: Place, now: Place) -> bytes:
    """Write a page's links anew where they would lead elsewhere; of a manifest only its text is kept, as a note."""
    page = markdown.parse_page(was.scope, was.path, raw)
    body = relink.relink_text(how, page.body, was, now)
    changes = _list_changes(how, page, was, now)
    if body != page.body:
        changes |= _renew_marks(page, body)
    if was.path == PROJECT_PATH and now.path != PROJECT_PATH:
        changes |= dict.fromkeys(_OF_MANIFEST) | {"type": PageKind.NOTE.value, "kind": PageKind.NOTE.value}
    try:
        if changes:
            raw = yaml_fields.update_fields(raw, changes)
        return raw if body == page.body else markdown.replace_body(raw, body)
    except FieldsUnreadable:
        # What does not parse is never rewritten; its links are told by lint.
        return raw


def _list_changes(how: Relinking, page: Page, was: Place, now: Place) -> dict[str, object]:
    present = {name: page.fields[name] for name in _LINKING if name in page.fields}
    renewed = {name: relink.relink_value(how, value, was, now) for name, value in present.items()}
    return {name: value for name, value in renewed.items() if value != present[name]}


def _renew_marks(page: Page, body: str) -> dict[str, object]:
    """Mark what memwiki wrote as its own again, so that it is not taken for a person's work."""
    changes: dict[str, object] = {}
    if session_page.HASH_FIELD in page.fields and not session_page.was_edited(page.fields, page.body):
        changes[session_page.HASH_FIELD] = session_page.hash_body(body)
    if plans.is_ours(page):
        changes[plans.SECTIONS_FIELD] = plans.renew_marks(page, body)
    return changes
