"""`memwiki backfill`: tells the server the sessions that agents kept on this machine before hooks told them."""

import os
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import lru_cache
from pathlib import Path
from typing import Final

from rich.console import Console
from rich.markup import escape

from app.agents.transcript import TranscriptEvent
from app.agents.transcript_forms import FORMS
from app.capture import client_checkout, client_consent, client_files
from app.domain import backfill, limits, limits_past
from app.domain.errors import Forbidden, InvalidValue, NotFound
from app.entrypoints.cli import backfill_events, event_sender, machine, output, transcripts_found
from app.entrypoints.cli.event_sender import Sender
from app.entrypoints.cli.remote import Remote, quote_id
from app.entrypoints.cli.transcript_lines import FoundSession, Tally

_WORK: Final = frozenset({"prompt", "tool_start", "tool_end"})
# What git says today is nothing about a session of the past.
_OF_TODAY: Final = ("branch", "revision", "launch")


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which sessions are to be told; `takes_gone` also those whose folder is not there any more."""

    agents: tuple[str, ...] = ()
    since: datetime | None = None
    project: str = ""
    takes_gone: bool = False
    is_dry: bool = False


@dataclass(slots=True)
class Report:
    """What was found, what was told, and why the rest was not."""

    is_dry: bool
    found: Counter[str] = field(default_factory=Counter)
    told: Counter[str] = field(default_factory=Counter)
    projects: Counter[str] = field(default_factory=Counter)
    skipped: Counter[str] = field(default_factory=Counter)
    events: Counter[str] = field(default_factory=Counter)
    unkept: Counter[str] = field(default_factory=Counter)
    tally: Tally = field(default_factory=Tally)


def parse_since(text: str | None) -> datetime | None:
    """Read the day from which on sessions are wanted.

    Raises:
        InvalidValue: it is no date.
    """
    if not text:
        return None
    try:
        moment = datetime.fromisoformat(text)
    except ValueError as error:
        raise InvalidValue("since", "give a date such as 2026-01-31") from error
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


def run(wanted: Wanted, *, url: str | None, as_json: bool) -> None:
    """Tell what is wanted and print what became of it.

    Raises:
        InvalidValue: an agent is named whose transcripts cannot be read.
        ServerUnreachable: the server is away.
    """
    for name in wanted.agents:
        if name not in transcripts_found.FINDERS:
            known = ", ".join(agent.value for agent in transcripts_found.FINDERS)
            raise InvalidValue("agent", f"{name}: transcripts are read of {known}")
    # A first question, so that a server which is away is told at once.
    remote = Remote(url)
    remote.get("/readyz")
    report = Report(wanted.is_dry)
    found = transcripts_found.find_sessions(machine.find_machine(), wanted.agents)
    telling = _Telling(wanted, remote.url, report)
    left = sum(session.size for session in found)
    with output.Countdown("reading transcripts") as countdown:
        for session in found:
            countdown.tell_left(left)
            report.found[session.agent.value] += 1
            telling.tell(session)
            left -= session.size
    report.events.update(telling.sender.statuses)
    report.unkept.update(telling.sender.reasons)
    output.emit(_shape(report), as_json=as_json, render=lambda console: _draw(console, report))


class _Telling:
    """Tells one session after the other."""

    def __init__(self, wanted: Wanted, url: str, report: Report) -> None:
        self._wanted, self._url, self._report = wanted, url, report
        self.sender = Sender(url, client_files.find_token(os.environ))
        self._place = lru_cache(maxsize=1024)(self._find_project)

    def tell(self, session: FoundSession) -> None:
        """Tell a session, or count why not."""
        reason = session.flaw or self._refuse_early(session)
        if not reason:
            try:
                reason = self._tell_events(session)
            except OSError as error:
                reason = f"it cannot be read ({error.strerror or type(error).__name__})"
        if reason:
            self._report.skipped[reason] += 1
        else:
            self._report.told[session.agent.value] += 1

    def _refuse_early(self, session: FoundSession) -> str:
        since = self._wanted.since
        return "it was not active since then" if since and session.changed_at < since.timestamp() else ""

    def _tell_events(self, session: FoundSession) -> str:
        """Tell what a session did; the answer is why nothing was told, empty where something was."""
        events = backfill_events.list_events(session, FORMS[session.agent], self._report.tally)
        begun: list[TranscriptEvent] = []
        for event in events:
            begun.append(event)
            if client_consent.find_kind(session.agent, event.name) in _WORK:
                break
        else:
            return "nothing was said or done in it"
        cwd = str(begun[0].payload.get("cwd") or "")
        if reason := self._refuse_place(cwd):
            return reason
        batches = _batch(session, _chain(begun, events), self._report)
        if self._wanted.is_dry:
            if self._is_captured(str(begun[0].payload["session_id"])):
                return backfill.CAPTURED_REASON
            self._report.events["would be sent"] += sum(map(len, batches))
        elif reason := self._send(batches):
            return reason
        self._report.projects[self._place(cwd)] += 1
        return ""

    def _send(self, batches: Iterator[list[bytes]]) -> str:
        is_new = False
        for batch in batches:
            results = self.sender.send(batch)
            if event_sender.is_told_already(results):
                return backfill.CAPTURED_REASON
            is_new = is_new or any(result["status"] == "stored" for result in results)
        return "" if is_new else "nothing of it is new, or may be kept"

    def _refuse_place(self, cwd: str) -> str:
        if not cwd:
            return "its folder cannot be told"
        if not self._wanted.takes_gone and not Path(cwd).is_dir():
            return "its folder is gone (take such sessions with --gone)"
        wanted = self._wanted.project
        if wanted and wanted not in {self._place(cwd), self._place(cwd).partition("/")[2]}:
            return "it is of another project"
        return ""

    def _find_project(self, cwd: str) -> str:
        # A token that may only capture is told no names.
        with suppress(Forbidden):
            found = Remote(self._url, cwd=cwd).get("/api/v1/where")
            return str(found["project"]["name"] if found["project"] else found.get("would_create") or "")
        return ""

    def _is_captured(self, session_id: str) -> bool:
        with suppress(NotFound):
            known = Remote(self._url).get(f"/api/v1/sessions/{quote_id(session_id)}", limit=1)
            return bool(known["run"] != backfill.RUN)
        return False


def _chain(begun: Sequence[TranscriptEvent], others: Iterator[TranscriptEvent]) -> Iterator[TranscriptEvent]:
    yield from begun
    yield from others


def _batch(session: FoundSession, events: Iterator[TranscriptEvent], report: Report) -> Iterator[list[bytes]]:
    """Make the lines of events that may leave this machine, in batches that the server takes at once."""
    seen: Counter[bytes] = Counter()
    batch: list[bytes] = []
    size = 0
    for event in events:
        line = _build_line(session, event, seen, report)
        if not line:
            continue
        if len(batch) == limits.HOOK_BATCH_ITEMS_MAX or size + len(line) > limits_past.BACKFILL_BATCH_BYTES_MAX:
            yield batch
            batch, size = [], 0
        batch.append(line)
        size += len(line)
    if batch:
        yield batch


def _build_line(session: FoundSession, event: TranscriptEvent, seen: Counter[bytes], report: Report) -> bytes:
    """Ask the folder's policy about an event, and make its line: redacted, as one that waited for the server."""
    body = backfill_events.render_payload(event)
    cwd = str(event.payload.get("cwd") or "")
    consent = client_consent.explain(session.agent.value, event.name, body, cwd, os.environ)
    if not consent.is_given:
        report.unkept[consent.decision.reason] += 1
        return b""
    moment = event.at.timestamp() if event.at else session.changed_at
    facts = {
        "agent": session.agent.value,
        "event": event.name,
        "key": event_sender.build_key(event.name, body, seen),
        "occurred_at": datetime.fromtimestamp(moment, UTC).isoformat(),
        "policy": consent.header,
    }
    line = backfill_events.render_line(facts, _read_place(cwd), consent.body)
    if len(line) > limits_past.BACKFILL_BATCH_BYTES_MAX:
        report.unkept["it is larger than the server takes"] += 1
        return b""
    return line


@lru_cache(maxsize=1024)
def _read_place(cwd: str) -> dict[str, object]:
    facts = client_checkout.read_checkout(cwd, os.environ)
    return {**{name: value for name, value in facts.items() if name not in _OF_TODAY}, "run": backfill.RUN}


def _shape(report: Report) -> dict[str, object]:
    return {
        "is_dry": report.is_dry,
        "sessions": {"found": dict(report.found), "told": dict(report.told), "left_out": dict(report.skipped)},
        "projects": dict(report.projects),
        "events": dict(report.events),
        "events_not_kept": dict(report.unkept),
        "unreadable_lines": report.tally.unreadable_lines,
        "long_lines": report.tally.long_lines,
        "unknown_records": dict(report.tally.unknown_records),
    }


def _draw(console: Console, report: Report) -> None:
    verb = "would be told" if report.is_dry else "told"
    for agent, count in sorted(report.found.items()):
        console.print(f"{agent}: {count} sessions found, {report.told[agent]} {verb}")
    if not report.found:
        console.print("no agent's sessions were found on this machine")
    for project, count in sorted(report.projects.items()):
        console.print(f"  {escape(project)}: {count} sessions")
    for reason, count in report.skipped.most_common():
        console.print(f"[yellow]left out[/] {count} sessions: {escape(reason)}")
    for status, count in sorted(report.events.items()):
        console.print(f"events {status.replace('_', ' ')}: {count}")
    for reason, count in report.unkept.most_common():
        console.print(f"[yellow]not kept[/] {count} events: {escape(reason)}")
    _draw_tally(console, report.tally)
    if report.told and not report.is_dry:
        console.print("Their pages are being written; see: memwiki status")


def _draw_tally(console: Console, tally: Tally) -> None:
    if tally.unreadable_lines:
        console.print(f"[yellow]passed over[/] {tally.unreadable_lines} lines that are no JSON, as a cut last one is")
    if tally.long_lines:
        console.print(f"[yellow]passed over[/] {tally.long_lines} lines of more than {_show_mib()} MiB")
    for kind, count in tally.unknown_records.most_common():
        console.print(f"[yellow]passed over[/] {count} records of a kind that is not known: {escape(kind)}")


def _show_mib() -> int:
    return limits_past.TRANSCRIPT_LINE_BYTES_MAX // (1024 * 1024)
