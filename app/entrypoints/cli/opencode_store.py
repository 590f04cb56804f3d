"""Finds OpenCode's sessions, in its database or in the files of earlier releases, and reads them as lines."""

import json
import os
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any

from app.domain.event import AgentName
from app.entrypoints.cli.transcript_lines import FoundSession, Open, Tally, read_document

_SESSIONS = "SELECT id, parent_id, directory, time_created, time_updated FROM session ORDER BY time_updated, id"
_MESSAGES = "SELECT id, data FROM message WHERE session_id = ? ORDER BY time_created, id"
_PARTS = "SELECT data FROM part WHERE message_id = ? ORDER BY id"
_SIZES = "SELECT session_id, sum(length(data)) FROM part GROUP BY session_id"


def find_sessions(home: Path) -> Iterator[FoundSession]:
    """Find the sessions of all projects; those of subagents belong to their parents."""
    named = os.environ.get("XDG_DATA_HOME", "").strip()
    folder = (Path(named) if named and Path(named).is_absolute() else home / ".local" / "share") / "opencode"
    database = folder / "opencode.db"
    if database.is_file():
        yield from _group(database, _list_rows(database))
    yield from _group(folder / "storage", _list_files(folder / "storage"))


# A session's record, how it is read, when it changed last, and its size.
_Row = tuple[Mapping[str, Any], Open, float, int]


def _group(place: Path, rows: list[_Row]) -> Iterator[FoundSession]:
    subagents: dict[str, list[Open]] = {}
    parents = {head["id"]: head.get("parentID") for head, _, _, _ in rows}
    for head, opening, _, _ in rows:
        if root := _find_root(head.get("parentID"), parents):
            subagents.setdefault(root, []).append(opening)
    for head, opening, changed_at, size in rows:
        if not head.get("parentID"):
            yield FoundSession(
                agent=AgentName.OPENCODE,
                path=f"{place} {head['id']}",
                open=opening,
                changed_at=changed_at,
                size=size,
                subagents=tuple(subagents.get(head["id"], ())),
            )


def _find_root(parent: str | None, parents: Mapping[str, str | None]) -> str:
    """Find the session that a person began; a helper may have sent off subagents itself."""
    seen: set[str] = set()
    while parent and (above := parents.get(parent)) and parent not in seen:
        seen.add(parent)
        parent = above
    return parent or ""


def _open_database(path: Path) -> sqlite3.Connection:
    return sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)


def _list_rows(path: Path) -> list[_Row]:
    try:
        with closing(_open_database(path)) as connection:
            sizes = dict(connection.execute(_SIZES))
            found = connection.execute(_SESSIONS).fetchall()
    except sqlite3.Error:
        # A release that keeps its sessions otherwise; its files may be there still.
        return []
    rows: list[_Row] = []
    for own, parent, directory, created, updated in found:
        head = {"id": own, "parentID": parent, "directory": directory, "time": {"created": created}}
        rows.append((head, partial(_read_rows, path, head), (updated or 0) / 1000, sizes.get(own, 0)))
    return rows


def _read_rows(path: Path, head: Mapping[str, Any], tally: Tally) -> Iterator[str]:
    yield json.dumps({"info": head})
    try:
        with closing(_open_database(path)) as connection:
            for message_id, told in connection.execute(_MESSAGES, (head["id"],)):
                parts = [part for (part,) in connection.execute(_PARTS, (message_id,))]
                yield _join_message(message_id, told, parts, tally)
    except sqlite3.Error:
        tally.unreadable_lines += 1


def _join_message(message_id: str, told: str, parts: list[str], tally: Tally) -> str:
    about = {**_parse(told, tally), "id": message_id}
    return json.dumps({"info": about, "parts": [_parse(part, tally) for part in parts]})


def _list_files(folder: Path) -> list[_Row]:
    rows: list[_Row] = []
    for path in sorted(folder.glob("session/*/*.json")):
        head = _parse(read_document(path, Tally()), Tally())
        if isinstance(head.get("id"), str):
            about = path.stat()
            rows.append((head, partial(_read_files, folder, head), about.st_mtime, about.st_size))
    return rows


def _read_files(folder: Path, head: Mapping[str, Any], tally: Tally) -> Iterator[str]:
    yield json.dumps({"info": head})
    # Ids rise with time, so that the names are in the order of the messages.
    for path in sorted((folder / "message" / head["id"]).glob("*.json")):
        parts = [read_document(part, tally) for part in sorted((folder / "part" / path.stem).glob("*.json"))]
        yield _join_message(path.stem, read_document(path, tally), parts, tally)


def _parse(text: str, tally: Tally) -> dict[str, Any]:
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        tally.unreadable_lines += 1
        return {}
    return found if isinstance(found, dict) else {}
