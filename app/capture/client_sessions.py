"""Names the sessions of agents whose hooks are told no id: one for each agent and folder, from its start to its end.

The hook client carries a copy of this module, so that it speaks Python 3.8 and imports the standard library alone.
"""

from __future__ import annotations

import hashlib
import json
import os

from app.capture import client_checkout, client_files, native_kinds

_FOLDER_NAME = "sessions"


def name_session(agent: str, event: str, body: bytes, cwd: str, spool_folder: str) -> bytes:
    """Add to an event the id of its session, where its agent may tell none and tells none.

    A start begins a new session; whatever comes before one, or in a folder below, joins what is there.
    """
    if agent not in native_kinds.UNNAMED:
        return body
    try:
        payload = json.loads(body)
    except (ValueError, RecursionError):
        return body
    if not isinstance(payload, dict) or any(payload.get(name) for name in native_kinds.SESSION_FIELDS):
        return body
    kind = native_kinds.KINDS.get(agent, {}).get(event, "")
    slots = [_name_slot(agent, folder, spool_folder) for folder in client_checkout.list_folders(cwd)]
    known = [] if kind == "session_start" else [slot for slot in slots if client_files.read_text(slot)]
    slot = known[0] if known else slots[0]
    name = client_files.read_text(slot) if known else _begin(slot)
    if kind == "session_end":
        client_files.remove_file(slot)
    return json.dumps({**payload, "session_id": name}).encode() if name else body


def _name_slot(agent: str, folder: str, spool_folder: str) -> str:
    place = hashlib.sha256(os.path.normcase(folder).encode("utf-8", "replace")).hexdigest()[:16]
    return os.path.join(spool_folder, _FOLDER_NAME, "%s-%s" % (agent, place))


def _begin(slot: str) -> str:
    """Make a session's id and keep it; without a place to keep it there is none."""
    name = "memwiki-" + os.urandom(16).hex()
    client_files.remove_file(slot)
    return name if client_files.append_file(slot, name.encode()) else ""
