"""Asks on this machine whether an event may leave it: the environment, muted sessions, the folder's policy.

The hook client carries a copy of this module, so that it speaks Python 3.8 and imports the standard library alone.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from typing import Any, NamedTuple

from app.capture import client_checkout, client_files, client_notes, native_kinds, policy, policy_facts
from app.capture.policy import Decision, PolicyUnreadable

_OFF = {"off", "0", "false", "no"}


class Consent(NamedTuple):
    """What was decided of an event, and with it the text of its policy header and its body as it may go."""

    decision: Decision
    header: str
    body: bytes

    @property
    def is_given(self) -> bool:
        """Tell whether the event may leave."""
        return self.decision.action != policy.DROP


def is_off(environ: Mapping[str, str]) -> bool:
    """Tell whether this session was opted out by its environment, or is memwiki's own."""
    return environ.get("MEMWIKI_CAPTURE", "").lower() in _OFF or environ.get("MEMWIKI_OWN_RUN") == "1"


def ask(agent: str, event: str, body: bytes, cwd: str, environ: Mapping[str, str]) -> Consent:
    """Decide about one event, and leave a report where a policy cannot be read."""
    consent = explain(agent, event, body, cwd, environ)
    if consent.header == policy.UNREADABLE:
        client_notes.note_unreadable(client_files.find_spool_folder(environ), consent.decision.reason)
    return consent


def explain(agent: str, event: str, body: bytes, cwd: str, environ: Mapping[str, str]) -> Consent:
    """Decide about one event, and do nothing else."""
    payload, is_read = _read_payload(body)
    mutes = client_notes.list_mutes(client_files.find_spool_folder(environ))
    refused = "capture is off in this environment" if is_off(environ) else _find_mute(mutes, payload, cwd)
    if refused:
        return _refuse(refused, "", body)
    try:
        stated = policy.find_policy(client_checkout.read_markers(cwd), os.path.expanduser("~"))
    except PolicyUnreadable as error:
        return _refuse(str(error), policy.UNREADABLE, body)
    header = policy.render_header(stated)
    if stated.is_stated and not is_read:
        return _refuse("the event cannot be read, so nobody knows whether it may go", header, body)
    decision = _decide(stated, find_kind(agent, event), payload, cwd)
    if decision.action == policy.STRIP:
        body = json.dumps(policy.strip_payload(payload)).encode()
    return Consent(decision, header, body)


def find_kind(agent: str, event: str) -> str:
    """Tell which kind of event an agent's own name for it stands for."""
    return native_kinds.KINDS.get(agent, {}).get(event, "other")


def find_cwd(body: bytes) -> str:
    """Find the folder of an event: what its payload says, else where this process is."""
    cwd = _read_payload(body)[0].get("cwd")
    return cwd if isinstance(cwd, str) and os.path.isabs(cwd) else os.getcwd()


def _refuse(reason: str, header: str, body: bytes) -> Consent:
    return Consent(Decision(policy.DROP, reason), header, body)


def _read_payload(body: bytes) -> tuple[dict[str, Any], bool]:
    try:
        payload = json.loads(body)
    except (ValueError, RecursionError):
        return {}, False
    return (payload, True) if isinstance(payload, dict) else ({}, False)


def _find_mute(mutes: list[tuple[str, str]], payload: Mapping[str, Any], cwd: str) -> str:
    named = {value for value in payload.values() if isinstance(value, str)}
    folders = client_checkout.list_folders(cwd)
    for kind, value in mutes:
        if (kind == "session" and value in named) or (kind == "folder" and value in folders):
            return "%s %s is muted" % (kind, value)
    return ""


def _decide(stated: policy.Policy, kind: str, payload: Mapping[str, Any], cwd: str) -> Decision:
    """Decide by the names as they are given, and again by the files that links lead to."""
    facts = policy_facts.read_facts(kind, payload, cwd)
    decision = policy.decide(stated, facts)
    if decision.action == policy.DROP or not (stated.deny or stated.is_allow_list):
        return decision
    real = tuple(os.path.realpath(os.path.join(facts.cwd, os.path.expanduser(path))) for path in facts.paths)
    again = policy.decide(stated._replace(root=os.path.realpath(stated.root)), facts._replace(paths=real))
    return again if again.action == policy.DROP else decision
