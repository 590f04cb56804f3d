"""Sends what an agent wrote into its own transcript and its hooks did not tell, such as a turn that was cut short."""

import glob
import hashlib
import os
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any, Final

from app.agents import launch, places
from app.agents.agent import Agent
from app.agents.transcript import TranscriptEvent
from app.capture import client_checkout, client_consent, client_files
from app.domain import limits, redact
from app.domain.errors import MalformedPayload, RemoteRejected
from app.domain.event import Event, EventKind
from app.entrypoints.cli import backfill_events, kept_token, machine
from app.entrypoints.cli.event_sender import Sender
from app.entrypoints.cli.remote import Remote, quote_id

_PAGE: Final = 500
_ORIGIN: Final = "transcript"


def find_transcript(agent: Agent, session_id: str) -> Path | None:
    """Find the file that an agent keeps of a session; none where there is no such, or nothing is known of it."""
    known = agent.traits.launch
    if known is None or not agent.traits.homes or not session_id:
        return None
    folder = Path(places.find_home(machine.find_site(Path.home(), os.environ), agent.traits.homes[0]))
    patterns = launch.build_patterns(known, glob.escape(session_id))
    found = [path for pattern in patterns for path in folder.glob(pattern)]
    # A session that was opened again may have another file, which begins with what the first one has.
    return max(found, key=lambda path: path.stat().st_mtime, default=None)


def send_missing(remote: Remote, agent: Agent, session: Mapping[str, Any]) -> int:
    """Send what the server has not of a session; gives back how many events it took.

    Tools are known by their ids, where hooks and transcript tell the same ones. All else is sent only if it came behind
    everything that the server has, and nothing there is like it.

    Raises:
        AppError: the server does not answer, or refuses to.
    """
    known = agent.traits.launch
    path = find_transcript(agent, str(session["agent_session_id"]))
    if path is None or known is None or known.read is None:
        return 0
    stored = _sum_up(_list_observations(remote, str(session["id"])))
    found = [(told, event) for told in known.read(_read_tail(path)) if (event := _find_event(agent, told))]
    has_ids = any(event.native_id in stored.uses for _, event in found if event.kind is EventKind.TOOL_END)
    missing = [told for told, event in found if _is_missing(event, told, stored, has_ids=has_ids)]
    return _send(remote.url, agent, missing) if missing else 0


@dataclass(frozen=True, slots=True)
class _Stored:
    """What the server has of a session: the ids of its tools' calls, what was said and run, and when the last came."""

    uses: frozenset[str]
    told: frozenset[tuple[str, ...]]
    last: datetime | None


def _sum_up(observations: Iterator[Mapping[str, Any]]) -> _Stored:
    seen = list(observations)
    ends = [each for each in seen if each["kind"] == EventKind.TOOL_END]
    return _Stored(
        uses=frozenset(str(each["native_id"]) for each in ends if each["native_id"]),
        told=frozenset((str(each["kind"]), each["text"], each["tool"], each["command"]) for each in seen),
        last=max((datetime.fromisoformat(each["received_at"]) for each in seen), default=None),
    )


def _list_observations(remote: Remote, session_id: str) -> Iterator[Mapping[str, Any]]:
    after = 0
    for _ in range(limits.TRANSCRIPT_OBSERVATIONS_MAX // _PAGE):
        found = remote.get(f"/api/v1/sessions/{quote_id(session_id)}", after=after, limit=_PAGE)["observations"]
        yield from found
        if len(found) < _PAGE:
            return
        after = found[-1]["id"]


def _read_tail(path: Path) -> Iterator[str]:
    """Read a file's lines; of a very long one the last, of which the first may be cut."""
    with path.open("rb") as file:
        file.seek(max(0, path.stat().st_size - limits.TRANSCRIPT_TAIL_BYTES_MAX))
        for line in file:
            yield line.decode("utf-8", "replace")


def _find_event(agent: Agent, told: TranscriptEvent) -> Event | None:
    """Read an event as the server would, if it is one that a cut session may lack."""
    try:
        event = redact.redact_event(agent.parse_event(told.name, told.payload))
    except MalformedPayload:
        return None
    is_said = event.kind in {EventKind.PROMPT, EventKind.TURN_END} and bool(event.text)
    return event if is_said or (event.kind is EventKind.TOOL_END and event.tool) else None


def _is_missing(event: Event, told: TranscriptEvent, stored: _Stored, *, has_ids: bool) -> bool:
    if event.kind is EventKind.TOOL_END and has_ids:
        return bool(event.native_id) and event.native_id not in stored.uses
    if told.at is None or stored.last is None or told.at <= stored.last:
        return False
    name, command = (event.tool.name, event.tool.command) if event.tool else ("", "")
    return (event.kind.value, event.text, name, command) not in stored.told


def _send(url: str, agent: Agent, missing: list[TranscriptEvent]) -> int:
    sender = Sender(url, kept_token.find_token(), limits.LAUNCH_REQUEST_SECONDS_MAX, wait_seconds=0)
    lines = [line for told in missing if (line := _build_line(agent, told))]
    # The session ends with what was taken of it.
    with suppress(RemoteRejected):
        for start in range(0, len(lines), limits.TRANSCRIPT_BATCH_ITEMS):
            sender.send(lines[start : start + limits.TRANSCRIPT_BATCH_ITEMS])
    return sender.statuses["stored"]


def _build_line(agent: Agent, told: TranscriptEvent) -> bytes:
    """Build the line of one event as a hook would have kept it; nothing where the folder's policy keeps it here."""
    body = backfill_events.render_payload(told)
    cwd = client_consent.find_cwd(body)
    consent = client_consent.ask(agent.name.value, told.name, body, cwd, os.environ)
    if not consent.is_given:
        return b""
    facts: dict[str, object] = {
        "key": f"{_ORIGIN}-{hashlib.sha256(body).hexdigest()[:32]}",
        "agent": agent.name.value,
        "event": told.name,
        "origin": _ORIGIN,
    }
    if told.at is not None:
        facts["occurred_at"] = client_files.render_time(told.at.timestamp())
    if consent.header:
        facts["policy"] = consent.header
    return backfill_events.render_line(facts, client_checkout.read_checkout(cwd, os.environ), consent.body)
