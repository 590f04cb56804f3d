"""Writes out all that one person authored, piece by piece: a zip of JSON lines with a manifest of hashes."""

import hashlib
import io
import zipfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import IO, Any, Final

import msgspec

from app.compile import log_page
from app.compile.parts import CompileParts
from app.domain.errors import AppError, PageNotFound
from app.domain.limits import SESSION_READ_BATCH
from app.domain.moving_errors import NothingOfPerson
from app.domain.page import Revision
from app.domain.pagepath import INDEX_PATH, PROJECT_PATH
from app.state import audit, person_rows, projects, sessions, verbatim
from app.state.engine import ReadConnection
from app.state.person_rows import Whose
from app.wiki import authorship, history

FORMAT: Final = "memwiki-person-1"
MANIFEST: Final = "manifest.json"
_PIECE_BYTES: Final = 256 * 1024
# Equal contents make equal archives, whenever they are written.
_DATE: Final = (1980, 1, 1, 0, 0, 0)
_README: Final = "What each file holds: one JSON object a line; times are UTC; secrets are left out."


class Member(msgspec.Struct, frozen=True):
    """One file of an export: its name, its size, how many lines it has, and its SHA-256."""

    name: str
    size: int
    lines: int
    sha256: str


class Manifest(msgspec.Struct, frozen=True, kw_only=True):
    """What an export holds; `faults` name what could not be read."""

    format: str
    person: str
    made_at: str
    about: str
    members: list[Member]
    faults: list[str]


@dataclass(frozen=True, slots=True)
class _Source:
    parts: CompileParts
    whose: Whose
    faults: list[str]


def find_person(parts: CompileParts, name: str) -> Whose:
    """Find whose things are wanted.

    Raises:
        NothingOfPerson: nobody of that name has or had an account or left anything.
    """
    found = parts.engine.read(person_rows.find_whose, name)
    if found is None:
        raise NothingOfPerson(name)
    return found


def stream_export(parts: CompileParts, whose: Whose) -> Iterator[bytes]:
    """Give the archive in pieces; what is in memory at a time is one piece and one batch of rows."""
    source = _Source(parts, whose, [])
    pipe, members = _Pipe(), []
    with zipfile.ZipFile(pipe, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, lines in _list_members(source):
            written = _Written(name)
            with archive.open(_build_entry(name), "w", force_zip64=True) as member:
                for line in lines:
                    member.write(written.add(line))
                    if pipe.size >= _PIECE_BYTES:
                        yield pipe.take()
            members.append(written.close())
        archive.writestr(_build_entry(MANIFEST), _build_manifest(source, members))
    yield pipe.take()


def parse_manifest(content: bytes) -> Manifest:
    """Read a manifest back; raises a ValueError for what is none."""
    return msgspec.json.decode(content, type=Manifest)


def hash_member(member: IO[bytes]) -> str:
    """Hash a member as it is read."""
    return hashlib.file_digest(member, "sha256").hexdigest()  # type: ignore[arg-type]


def _list_members(source: _Source) -> Iterator[tuple[str, Iterable[bytes]]]:
    yield "sessions.jsonl", _encode(_list_sessions(source))
    yield "observations.jsonl", _list_observations(source)
    yield "commits.jsonl", _encode(_list_commits(source))
    for part in person_rows.list_parts():
        yield f"{part}.jsonl", _encode(_list_rows(source, part))
    yield "audit.jsonl", _encode(_list_trail(source))


def _list_sessions(source: _Source) -> Iterator[dict[str, Any]]:
    for session_id in _list_session_ids(source):
        session, project = source.parts.engine.read(_read_session, session_id)
        yield {**msgspec.to_builtins(session), "project": project}


def _list_observations(source: _Source) -> Iterator[bytes]:
    places = source.parts.archive.verbatim
    for session_id in _list_session_ids(source):
        after = 0
        try:
            while batch := verbatim.read_session_observations(
                places, session_id, after_id=after, limit=SESSION_READ_BATCH
            ):
                after = batch[-1].id
                yield from (msgspec.json.encode(observation) + b"\n" for observation in batch)
        except AppError as error:
            # The rest is worth having; what is missing is said.
            source.faults.append(f"session {session_id}: {error}")


def _list_commits(source: _Source) -> Iterator[dict[str, Any]]:
    repository = source.parts.wiki.committer.repository
    for revision, places in authorship.list_commits(repository, source.whose.name):
        pages = [_read_change(source, revision, place) for place in places if not _is_ours(place)]
        yield {"id": revision.id, "at": revision.at, "message": revision.message, "pages": pages}


def _is_ours(place: str) -> bool:
    """Tell whether memwiki writes a page for the whole project, in the same commit as what somebody did."""
    path = place.split("/", 2)[-1]
    return path in {INDEX_PATH, PROJECT_PATH} or log_page.read_month(path) is not None


def _read_change(source: _Source, revision: Revision, place: str) -> dict[str, str | None]:
    """Read what a commit left of a page; nothing where it deleted it."""
    try:
        raw = history.show(source.parts.wiki.committer.repository, revision.id, place)
    except PageNotFound:
        return {"place": place, "text": None}
    return {"place": place, "text": raw.decode("utf-8", "replace")}


def _list_rows(source: _Source, part: str) -> Iterator[dict[str, Any]]:
    offset = 0
    while rows := source.parts.engine.read(person_rows.list_rows, part, source.whose, offset):
        offset += len(rows)
        yield from rows


def _list_trail(source: _Source) -> Iterator[dict[str, Any]]:
    pattern, after = person_rows.build_name_pattern(source.whose.name), 0
    while entries := source.parts.engine.read(audit.list_audit_after, after):
        after = entries[-1].id
        for entry in entries:
            if any(pattern.search(said) for said in (entry.actor, entry.subject, entry.detail)):
                yield msgspec.to_builtins(entry)


def _list_session_ids(source: _Source) -> Iterator[str]:
    after = ""
    while found := source.parts.engine.read(person_rows.list_session_ids, source.whose.name, after):
        after = found[-1]
        yield from found


def _read_session(conn: ReadConnection, session_id: str) -> tuple[object, str]:
    session = sessions.get_session(conn, session_id)
    return session, str(projects.get_project(conn, session.project_id).scope)


def _encode(rows: Iterable[object]) -> Iterator[bytes]:
    return (msgspec.json.encode(row) + b"\n" for row in rows)


def _build_entry(name: str) -> zipfile.ZipInfo:
    entry = zipfile.ZipInfo(name, _DATE)
    entry.compress_type, entry.external_attr = zipfile.ZIP_DEFLATED, 0o600 << 16
    return entry


def _build_manifest(source: _Source, members: list[Member]) -> bytes:
    made_at = source.parts.clock.now().isoformat()
    manifest = Manifest(
        format=FORMAT, person=source.whose.name, made_at=made_at, about=_README, members=members, faults=source.faults
    )
    return msgspec.json.format(msgspec.json.encode(manifest), indent=1)


class _Written:
    """What was written of one member so far."""

    def __init__(self, name: str) -> None:
        self._name, self._size, self._lines = name, 0, 0
        self._digest = hashlib.sha256()

    def add(self, line: bytes) -> bytes:
        self._size, self._lines = self._size + len(line), self._lines + 1
        self._digest.update(line)
        return line

    def close(self) -> Member:
        return Member(self._name, self._size, self._lines, self._digest.hexdigest())


class _Pipe(io.RawIOBase):
    """Takes what the archive writes, and hands it on; nothing can be sought in it."""

    def __init__(self) -> None:
        self._pieces: list[bytes] = []
        self.size = 0

    def writable(self) -> bool:
        return True

    def write(self, content: Any) -> int:  # noqa: ANN401 - whatever has bytes
        piece = bytes(content)
        self._pieces.append(piece)
        self.size += len(piece)
        return len(piece)

    def take(self) -> bytes:
        taken, self._pieces, self.size = b"".join(self._pieces), [], 0
        return taken
