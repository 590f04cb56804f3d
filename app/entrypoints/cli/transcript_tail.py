"""Sends what an agent wrote into its own transcript and its hooks did not tell, such as a turn that was cut short."""

import glob
import hashlib
import json
import os
import time
from collections.abc import Iterator, Mapping
from datetime import datetime
from pathlib import Path
from typing import Any, Final

from app.agents import launch, places
from app.agents.agent import Agent
from app.agents.transcript import TranscriptEvent
from app.capture import client_checkout, client_consent, client_entry, client_files, client_http
from app.domain import limits
from app.domain.errors import MalformedPayload
from app.domain.event import Event, EventKind
from app.entrypoints.cli import kept_token, machine
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

    Tools are known by their own ids. Words have none that hooks and transcripts share, so that only those are sent
    that came behind everything that the server has.

    Raises:
        AppError: the server does not answer, or refuses to.
    """
    known = agent.traits.launch
    path = find_transcript(agent, str(session["agent_session_id"]))
    if path is None or known is None or known.read is None:
        return 0
    stored = list(_list_observations(remote, str(session["id"])))
    uses = {str(seen["native_id"]) for seen in stored if seen["kind"] == EventKind.TOOL_END}
    last = max((str(seen["received_at"]) for seen in stored), default="")
    missing = [told for told in known.read(_read_tail(path)) if _is_missing(agent, told, uses, last)]
    return _send(remote.url, agent, missing) if missing else 0


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


def _is_missing(agent: Agent, told: TranscriptEvent, uses: set[str], last: str) -> bool:
    try:
        event = agent.parse_event(told.name, told.payload)
    except MalformedPayload:
        return False
    if event.kind is EventKind.TOOL_END:
        return bool(event.native_id) and event.native_id not in uses
    return _is_said(event) and bool(last) and told.at is not None and told.at > datetime.fromisoformat(last)


def _is_said(event: Event) -> bool:
    return event.kind in {EventKind.PROMPT, EventKind.TURN_END} and bool(event.text)


def _send(url: str, agent: Agent, missing: list[TranscriptEvent]) -> int:
    server = client_http.Server(url, kept_token.find_token(), limits.LAUNCH_REQUEST_SECONDS_MAX)
    lines = [line for told in missing if (line := _build_line(agent, told))]
    taken = 0
    for start in range(0, len(lines), limits.TRANSCRIPT_BATCH_ITEMS):
        batch = lines[start : start + limits.TRANSCRIPT_BATCH_ITEMS]
        task = client_http.Task(lambda batch=batch: server.send_batch(batch, (0, 0, 0)))  # type: ignore[misc]
        answer = task.wait(time.monotonic() + limits.LAUNCH_REQUEST_SECONDS_MAX)
        taken += sum(result.get("status") == "stored" for result in client_http.list_results(answer))
    return taken


def _build_line(agent: Agent, told: TranscriptEvent) -> bytes:
    """Build the line of one event as a hook would have kept it; nothing where the folder's policy keeps it here."""
    body = json.dumps(told.payload, default=str).encode()
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
    return client_entry.build_entry(facts, client_checkout.read_checkout(cwd, os.environ), consent.body)
