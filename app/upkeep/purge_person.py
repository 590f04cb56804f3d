"""Deletes a person for good: what the person did and wrote, the account, and the name wherever it may leave.

First nobody can act under the name any more, last the account gives it up, so that after a crash the same call finds
the rest.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace

from app.access import accounts
from app.access.accounts import PeopleParts
from app.access.trail import Deed, build_entry
from app.domain.errors import FieldsUnreadable, PageChanged, PageNotFound, WikiUnreadable
from app.domain.limits import STATE_WRITE_SECONDS_MAX
from app.domain.moving import Place
from app.domain.page import Page, PageKind
from app.domain.person import Principal
from app.state import audit, audit_names, person_rows
from app.state import engine as engines
from app.state.audit import AuditEntry
from app.state.engine import WriteConnection
from app.state.person_rows import Whose
from app.state.refusals import Refusals
from app.upkeep import person_export, purge
from app.upkeep.purge import Purge, PurgeParts
from app.wiki import authorship, markdown
from app.wiki.pages import Byline
from app.wiki.rewriting import Removal

_OURS = frozenset({"memwiki", "outside edit"})
_NOT_THEIRS = frozenset({PageKind.SESSION, PageKind.PROJECT, PageKind.INDEX})
_REMAINS = (
    "what others wrote of this person, in pages, prompts and answers of theirs",
    "pages on which others worked too: they stay, and name a pseudonym instead",
    purge.NAME_IN_GIT,
)
_TRAIL = "the audit trail's rows: they name the pseudonym, and a row says of each that it does; the chain still holds"


@dataclass(frozen=True, slots=True)
class PersonParts:
    """What purging a person works with besides what purging does."""

    purging: PurgeParts
    people: PeopleParts
    refusals: Refusals


@dataclass(frozen=True, slots=True)
class _Theirs:
    """The pages that go, and those in which only the name does, with the fields that have it."""

    own: tuple[Place, ...]
    shared: Mapping[Place, tuple[str, ...]]


def plan_person(parts: PersonParts, name: str) -> Purge:
    """Look what purging a person would delete.

    Raises:
        NothingOfPerson: nobody of that name has or had an account or left anything.
    """
    compiling = parts.purging.compiling
    pseudonym = f"purged-{compiling.ids.new_id()[-10:]}"
    return _plan(parts, person_export.find_person(compiling, name), pseudonym)


def purge_person(parts: PersonParts, plan: Purge, by: Principal) -> Purge:
    """Delete a person as planned; what is theirs alone goes, and elsewhere a pseudonym takes the place of the name.

    Raises:
        NothingOfPerson: nobody of that name has or had an account or left anything.
        LastAdministrator: nobody else could administer the server.
        DiskRefused: a file cannot be removed; a later call goes on.
    """
    compiling = parts.purging.compiling
    whose = person_export.find_person(compiling, plan.name)
    pseudonym = plan.removal.names[whose.name]
    if _is_present(parts, whose):
        accounts.remove_person(parts.people, by, whose.name)
    for session_id in _list_sessions(parts, whose):
        parts.purging.worker.forget_session(session_id, by.person)
    parts.purging.worker.run_due_jobs()
    parts.purging.worker.run_between_jobs(lambda: _clean_pages(parts, whose, pseudonym))
    deed = Deed("person.purge", pseudonym, outcome="done")
    done = build_entry(by, deed, compiling.clock.now())
    parts.refusals.forget_person(whose.name)
    _write(parts, lambda conn: _erase(conn, whose, pseudonym, done))
    parts.people.changed()
    return purge.finish(parts.purging, plan)


def _plan(parts: PersonParts, whose: Whose, pseudonym: str) -> Purge:
    gone = parts.purging.compiling.engine.read(person_rows.count_rows, whose)
    theirs = _find_pages(parts, whose)
    sessions = [purge.plan_session(parts.purging, session_id) for session_id in _list_sessions(parts, whose)]
    places = [place for each in sessions for place in each.removal.places]
    places += [f"{place.scope}/{place.path}" for place in theirs.own]
    marks = [mark for each in sessions for mark in each.removal.marks]
    gone = {
        **gone,
        "observations": sum(each.gone["observations"] for each in sessions),
        "sealed files": sum(each.gone["sealed files"] for each in sessions),
        "pages": len(places),
        "pages in which only the name goes": len(theirs.shared),
    }
    remains = (*_REMAINS, *purge.list_remains(parts.purging, _TRAIL))
    names = {whose.name: pseudonym}
    shown = {what: count for what, count in gone.items() if count}
    return Purge("person", whose.name, shown, tuple(places), remains, Removal(places, marks, names))


def _find_pages(parts: PersonParts, whose: Whose) -> _Theirs:
    """Find the pages that name the person in a field, and of these the ones that nobody else worked on."""
    wiki = parts.purging.compiling.wiki
    own: list[Place] = []
    shared: dict[Place, tuple[str, ...]] = {}
    sign = whose.name.encode()
    for stamp in wiki.tree.list_files():
        place = Place(stamp.scope, stamp.path)
        page = _read_if_named(parts, place, sign)
        fields = tuple(name for name, value in page.fields.items() if value in whose.names) if page else ()
        if page is None or not fields or _is_of_session(page, whose):
            continue
        if _is_own(parts, page, whose):
            own.append(place)
        else:
            shared[place] = fields
    return _Theirs(tuple(own), shared)


def _read_if_named(parts: PersonParts, place: Place, sign: bytes) -> Page | None:
    try:
        raw = parts.purging.compiling.wiki.tree.read_page(place.scope, place.path)
    except WikiUnreadable:
        return None
    return markdown.parse_page(place.scope, place.path, raw) if raw and sign in raw else None


def _is_of_session(page: Page, whose: Whose) -> bool:
    """Tell whether a page goes with its session."""
    return page.kind is PageKind.SESSION and page.fields.get("author") == whose.name


def _is_own(parts: PersonParts, page: Page, whose: Whose) -> bool:
    if page.fields.get("author") not in whose.names or page.kind in _NOT_THEIRS:
        return False
    wiki = parts.purging.compiling.wiki
    place = wiki.tree.find_place(page.scope, page.path)
    theirs = {authorship.find_author(name) for name in whose.names}
    return authorship.list_authors(wiki.committer.repository, place) <= theirs | _OURS


def _clean_pages(parts: PersonParts, whose: Whose, pseudonym: str) -> None:
    wiki = parts.purging.compiling.wiki
    theirs = _find_pages(parts, whose)
    for place in theirs.own:
        page = wiki.read_page(place.scope, place.path)
        wiki.delete_page(place.scope, page.path, page.content_hash, Byline("memwiki", f"Purge {page.path}"))
    for place, fields in theirs.shared.items():
        page = wiki.read_page(place.scope, place.path)
        byline = Byline("memwiki", f"Name a pseudonym in {page.path}")
        try:
            changes = dict.fromkeys(fields, pseudonym)
            wiki.update_page_fields(place.scope, page.path, changes, page.content_hash, byline)
        except (FieldsUnreadable, PageChanged, PageNotFound):
            continue


def _list_sessions(parts: PersonParts, whose: Whose) -> Iterator[str]:
    after = ""
    while found := parts.purging.compiling.engine.read(person_rows.list_session_ids, whose.name, after):
        after = found[-1]
        yield from found


def _is_present(parts: PersonParts, whose: Whose) -> bool:
    return bool(whose.account_id) and parts.people.engine.read(person_rows.is_present, whose.account_id)


def _erase(conn: WriteConnection, whose: Whose, pseudonym: str, done: AuditEntry) -> None:
    with engines.overwriting(conn):
        person_rows.erase_person(conn, whose, pseudonym, done.at)
        audit.insert_audit(conn, done)
        for marks in audit_names.replace_name(conn, whose.name, pseudonym):
            row = replace(done, action=audit_names.RENAMED, subject=pseudonym, detail=marks)
            audit.insert_audit(conn, row)


def _write(parts: PersonParts, job: Callable[[WriteConnection], None]) -> None:
    parts.purging.compiling.writer.submit(job).result(STATE_WRITE_SECONDS_MAX)
