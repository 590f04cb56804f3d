"""Purges what was named, written down first: what a killed server had begun, its next start finishes.

Every step of a purge may be repeated; what is not there any more is gone, and the rest goes.
"""

import logging
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from typing import Final, Literal

import msgspec

from app.domain import scope as scopes
from app.domain.errors import AppError, Conflict, DiskRefused, InvalidInput, InvalidValue, NotFound
from app.domain.page import PagePath
from app.domain.pagepath import parse_page_path
from app.domain.person import Principal, Rights
from app.domain.scope import Scope
from app.upkeep import backup, purge, purge_person
from app.upkeep.purge import Purge
from app.upkeep.purge_person import PersonParts
from app.wiki import reconcile
from app.wiki.rewriting import Removal

_LOG = logging.getLogger(__name__)
_ORDERS: Final = "purge-*.json"

Kind = Literal["session", "project", "page", "person"]


class Wish(msgspec.Struct, frozen=True):
    """What somebody wants gone; the workspace is that of names without one."""

    kind: Kind
    name: str
    workspace: str
    is_rewriting: bool = False


class _Order(msgspec.Struct, frozen=True):
    """A wish that was begun, by whom, and what it takes out of git's history."""

    wish: Wish
    by: str
    removal: Removal


def plan(parts: PersonParts, wish: Wish) -> Purge:
    """Look what would be deleted; raises as the planning of its kind does."""
    match wish.kind:
        case "session":
            return purge.plan_session(parts.purging, wish.name)
        case "project":
            return purge.plan_project(parts.purging, scopes.parse_scope(wish.name, wish.workspace))
        case "page":
            return purge.plan_page(parts.purging, *_parse_place(wish))
        case "person":
            return purge_person.plan_person(parts, wish.name)


def apply(parts: PersonParts, wish: Wish, by: Principal) -> Purge:
    """Delete what is wished for; raises as its kind does.

    Raises:
        DiskRefused: it cannot be written down, and nothing is deleted; or not all could be, and the next start goes on.
    """
    planned = plan(parts, wish)
    with _written_down(parts, _Order(wish, by.person, planned.removal)):
        return _carry_out(parts, wish, planned, by)


def finish_purges(parts: PersonParts) -> int:
    """Finish what a killed server had begun, and tell how much that was; what cannot be finished stays written down."""
    begun = sorted((parts.purging.data_dir / "state").glob(_ORDERS))
    if begun:
        parts.purging.worker.resume()
        # Of a page whose file had gone, the index may know still, and lists of pages are made from that.
        reconcile.reconcile(parts.purging.compiling.wiki)
    for path in begun:
        try:
            _finish(parts, path)
        except AppError as error:
            _LOG.exception("a purge that had begun is not over: %s", error.code)
    return len(begun)


def _carry_out(parts: PersonParts, wish: Wish, planned: Purge, by: Principal) -> Purge:
    if not wish.is_rewriting:
        return _delete(parts, wish, planned, by)
    with purge.announced(parts.purging, planned.removal):
        gone = _delete(parts, wish, planned, by)
    return purge.rewrite_history(parts.purging, gone)


def _delete(parts: PersonParts, wish: Wish, planned: Purge, by: Principal) -> Purge:
    match wish.kind:
        case "session":
            return purge.purge_session(parts.purging, wish.name, by.person)
        case "project":
            return purge.purge_project(parts.purging, scopes.parse_scope(wish.name, wish.workspace), by.person)
        case "page":
            return purge.purge_page(parts.purging, *_parse_place(wish), by.person)
        case "person":
            return purge_person.purge_person(parts, planned, by)


def _parse_place(wish: Wish) -> tuple[Scope, PagePath]:
    project, separator, path = wish.name.partition(":")
    if not separator:
        raise InvalidValue("name", "write a page as workspace/project:path")
    return scopes.parse_scope(project, wish.workspace), parse_page_path(path)


def _finish(parts: PersonParts, path: Path) -> None:
    try:
        order = msgspec.json.decode(path.read_bytes(), type=_Order)
    except (OSError, msgspec.DecodeError):
        # Cut off before anything was deleted.
        path.unlink(missing_ok=True)
        return
    wish, by = order.wish, Principal(order.by, Rights(is_admin=True))
    gone = Purge(wish.kind, wish.name, {}, (), (), order.removal)
    if wish.kind == "page":
        purge.erase_about_page(parts.purging, *_parse_place(wish))
    with suppress(NotFound):
        # It goes by what was written down: of a person the same pseudonym takes the place.
        gone = _delete(parts, wish, gone, by)
    # A page whose file had gone is not known any more, but it was when this was written down.
    gone = replace(gone, removal=_join(order.removal, gone.removal))
    # What the killed server had called for when the rows were gone.
    parts.purging.worker.run_due_jobs()
    gone = purge.finish(parts.purging, gone)
    # What the killed server had written, and not committed any more, is the present that history is left with.
    parts.purging.compiling.wiki.committer.queue_differences("Finish what was begun")
    if wish.is_rewriting:
        purge.rewrite_history(parts.purging, gone)
    path.unlink(missing_ok=True)
    _LOG.warning("a purge of a %s that a killed server had begun is over", wish.kind)


def _join(first: Removal, second: Removal) -> Removal:
    places = dict.fromkeys([*first.places, *second.places])
    marks = dict.fromkeys([*first.marks, *second.marks])
    return Removal(list(places), list(marks), {**second.names, **first.names})


@contextmanager
def _written_down(parts: PersonParts, order: _Order) -> Iterator[None]:
    folder = parts.purging.data_dir / "state"
    path = folder / f"purge-{parts.purging.compiling.ids.new_id()}.json"
    _install(path, msgspec.json.encode(order))
    try:
        yield
    except (NotFound, InvalidInput, Conflict):
        # It was refused before it began.
        path.unlink(missing_ok=True)
        raise
    path.unlink(missing_ok=True)


def _install(path: Path, content: bytes) -> None:
    try:
        with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        backup.sync_folder(path.parent)
    except OSError as error:
        path.unlink(missing_ok=True)
        raise DiskRefused(path.name, error.strerror or str(error)) from error
