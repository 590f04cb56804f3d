"""Keeps what this machine has noted of its own capture: what was muted, and policies that cannot be read.

The hook client carries a copy of this module, so that it speaks Python 3.8 and imports the standard library alone.
"""

from __future__ import annotations

import os
import time

from app.capture import client_checkout, client_files, client_spool, policy
from app.capture.policy import PolicyUnreadable
from app.domain import limits

_MUTED_NAME, _UNREADABLE_NAME = "muted", "unreadable"


def list_mutes(folder: str) -> list[tuple[str, str]]:
    """List what was muted: pairs of `session` or `folder` and which one."""
    lines = client_files.read_text(os.path.join(folder, _MUTED_NAME)).splitlines()
    found = [line.partition("\t") for line in lines]
    return [(kind, value) for kind, _, value in found if kind in {"session", "folder"} and value]


def write_mutes(folder: str, mutes: list[tuple[str, str]]) -> None:
    """Replace the list of what is muted."""
    path = os.path.join(folder, _MUTED_NAME)
    client_files.remove_file(path + ".part")
    if not mutes:
        client_files.remove_file(path)
    elif client_files.append_file(path + ".part", "".join("%s\t%s\n" % pair for pair in mutes).encode()):
        os.replace(path + ".part", path)


def list_unreadable(folder: str) -> list[str]:
    """List the policies that could not be read and still cannot, each with its reason."""
    lines = client_files.read_text(os.path.join(folder, _UNREADABLE_NAME)).splitlines()
    kept = []
    for line in lines:
        _, _, reason = line.partition(" ")
        place = reason.partition("/" + client_checkout.MARKER_NAME)[0]
        try:
            policy.find_policy(client_checkout.read_markers(place or os.sep)[:1])
        except PolicyUnreadable:
            kept.append(line)
    if len(kept) < len(lines):
        client_files.remove_file(os.path.join(folder, _UNREADABLE_NAME))
        client_files.append_file(os.path.join(folder, _UNREADABLE_NAME), "".join(line + "\n" for line in kept).encode())
    return kept


def note_unreadable(folder: str, reason: str) -> None:
    """Leave a report of a policy that cannot be read, once for each reason."""
    path = os.path.join(folder, _UNREADABLE_NAME)
    known = client_files.read_text(path)
    if reason.replace("\n", " ") not in known and len(known) < limits.CONSENT_LOG_BYTES_MAX:
        line = "%s %s\n" % (client_files.render_time(time.time()), reason.replace("\n", " "))
        client_files.append_file(path, line.encode("utf-8", "replace"))
        client_spool.Spool(folder).note("nothing is captured: %s" % reason)
