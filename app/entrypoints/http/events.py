"""What hooks send: plain ASGI endpoints for one event and for a batch, past FastAPI's routing and validation."""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import msgspec
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from app.access import grants
from app.agents import registry
from app.agents.agent import Agent
from app.capture import hook_request
from app.capture.arrival import Arrival, Dropped
from app.capture.hook_request import BatchJob, Caller, Told, Unread
from app.capture.outcome import IngestOutcome, IngestStatus
from app.domain import backfill, limits
from app.domain.capture_errors import EventPurged
from app.domain.capture_health import FaultKind
from app.domain.errors import AppError, BodyTooLarge, Busy, MalformedPayload
from app.domain.event import EventKind
from app.domain.person import Act, Principal, Right
from app.domain.person_errors import ActDenied
from app.entrypoints import principals
from app.entrypoints.http import errors
from app.handoff import start
from app.handoff.start import StartParts
from app.wiring import Runtime

_TEXT_HEADERS: Final = [(b"content-type", b"text/plain; charset=utf-8")]
_EMPTY_HEADERS: Final = [*_TEXT_HEADERS, (b"content-length", b"0")]
_JSON_HEADERS: Final = [(b"content-type", b"application/json")]
_SETTLED: Final = "memwiki.settled"
_UNKEPT: Final = frozenset({IngestStatus.DROPPED_BY_POLICY, IngestStatus.REFUSED_PURGED})


@dataclass(frozen=True, slots=True)
class Settled:
    """An event that was read, and what came of it; nothing of one that may not be kept."""

    item: Arrival | Dropped
    result: IngestOutcome | Exception | None = None


def place_settled(scope: Scope, settled: Settled) -> None:
    """Say what became of a request's event before the request came here."""
    scope[_SETTLED] = settled


@dataclass(frozen=True, slots=True)
class _Request:
    """A request's headers, and who makes it."""

    headers: Mapping[bytes, bytes]
    principal: Principal


class HookEndpoints:
    """Answers `POST /hook` and `POST /hook/batch`."""

    def __init__(self, runtime: Runtime) -> None:
        self._runtime = runtime

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Store what arrived and say so only when it is durable."""
        try:
            if scope["method"] != "POST":
                await _answer_method(scope, receive, send)
            elif scope["path"] == "/hook":
                await self._take_one(scope, receive, send)
            else:
                await self._take_batch(scope, receive, send)
        except AppError as error:
            await errors.build_answer(error)(scope, receive, send)

    async def _take_one(self, scope: Scope, receive: Receive, send: Send) -> None:
        agent_name, event_name = hook_request.parse_query(scope["query_string"])
        agent = registry.find_agent(agent_name)
        body = await _read_body(receive, limits.HOOK_BODY_BYTES_MAX)
        request = _read_request(scope)
        settled: Settled | None = scope.get(_SETTLED)
        if settled is None:
            settled = await self._settle(Told(agent_name, event_name, body, self._build_caller(request)), request)
        item, outcome = settled.item, settled.result
        if isinstance(outcome, Exception):
            raise outcome
        if isinstance(item, Dropped):
            self._note_drop(item, request.principal)
            await _accept(send)
            return
        assert outcome is not None, "what may be kept has an outcome"
        self._note_outcome(item, outcome)
        if outcome.status is IngestStatus.REFUSED_PURGED:
            raise EventPurged(outcome.reason)
        # What was dropped belongs to no session, and its session is told nothing.
        is_asking = outcome.session_id and agent.takes_brief_at(item.event)
        if is_asking and grants.decide(request.principal.rights, Act.READ, outcome.project_id):
            await self._answer_brief(agent, item, outcome.session_id, receive, send)
        else:
            await _accept(send)

    async def _settle(self, told: Told, request: "_Request") -> Settled:
        if len(told.body) <= limits.INLINE_BODY_BYTES_MAX:
            item = hook_request.read_event(told, self._runtime.terms)
        else:
            item = await self._runtime.run_reading(hook_request.read_event, told, self._runtime.terms)
        self._runtime.reader.note(1)
        if isinstance(item, Dropped):
            return Settled(item)
        self._runtime.pace.admit(request.headers.get(b"authorization", b""), [item])
        return Settled(item, await self._runtime.store_arrival(item))

    async def _answer_brief(self, agent: Agent, item: Arrival, session_id: str, receive: Receive, send: Send) -> None:
        """Answer with what the hook prints, and note whether that can have arrived."""
        starts, run = self._runtime.starts, self._runtime.run
        try:
            printed = await run(_compose_brief, starts, agent, item, session_id)
        except Busy:
            # The event is on the disk, so that an answer which asks to send it again would be wrong.
            printed = ""
        if not printed:
            await _accept(send)
            return
        if await _is_gone(receive):
            await run(start.note_untold, starts, session_id)
            return
        # An agent that posts events itself takes an answer for JSON only where it says that it is.
        headers = _JSON_HEADERS if printed.startswith("{") else _TEXT_HEADERS
        await _answer(send, 202, printed.encode(), headers)
        await run(start.note_told, starts, session_id)

    async def _take_batch(self, scope: Scope, receive: Receive, send: Send) -> None:
        body = await _read_body(receive, limits.HOOK_BATCH_BYTES_MAX)
        request = _read_request(scope)
        job = BatchJob(body, self._build_caller(request), self._runtime.terms)
        read = await self._runtime.run_reading(self._runtime.reader.read, job)
        arrivals = [item for item in read if isinstance(item, Arrival)]
        self._runtime.pace.admit(request.headers.get(b"authorization", b""), arrivals)
        outcomes = await self._runtime.store_arrivals(arrivals)
        for item, outcome in zip(arrivals, outcomes, strict=True):
            self._note_outcome(item, outcome)
            if outcome.status is IngestStatus.REPLAYED:
                await self._note_unheard(item, outcome)
        stored = iter(outcomes)
        by = request.principal
        results = [
            _shape(next(stored)) if isinstance(item, Arrival) else self._shape_unstored(item, by) for item in read
        ]
        await _answer(send, 200, msgspec.json.encode({"results": results}), _JSON_HEADERS)

    async def _note_unheard(self, item: Arrival, outcome: IngestOutcome) -> None:
        """Take back what a session was told with an event that comes again: its answer was never heard."""
        agent = registry.find_agent(str(item.event.agent))
        if agent.takes_brief_at(item.event) and not backfill.is_backfilled(item.checkout):
            await self._runtime.run(_take_back, self._runtime.starts, item, outcome.session_id)

    def _build_caller(self, request: "_Request") -> Caller:
        headers = {name: request.headers[name] for name in hook_request.OWN_HEADERS if name in request.headers}
        return Caller(headers, request.principal.person, request.principal.reach, self._runtime.clock.now())

    def _shape_unstored(self, item: Dropped | Unread, by: Principal) -> dict[str, str]:
        if isinstance(item, Unread):
            return {"status": str(IngestStatus.MALFORMED), "reason": item.reason}
        self._note_drop(item, by)
        return {"status": str(IngestStatus.DROPPED_BY_POLICY), "reason": item.reason}

    def _note_drop(self, item: Dropped, by: Principal) -> None:
        now = self._runtime.clock.now() if item.is_unreadable else None
        self._runtime.drops.note(str(item.agent), item.machine, IngestStatus.DROPPED_BY_POLICY, unreadable_at=now)
        if now is not None:
            # Unlike another drop, nobody wanted this one.
            sender = (str(item.agent), by.person, item.machine)
            self._runtime.refusals.note(sender, str(FaultKind.POLICY_UNREADABLE), item.reason, now)

    def _note_outcome(self, item: Arrival, outcome: IngestOutcome) -> None:
        if outcome.status in _UNKEPT:
            self._runtime.drops.note(str(item.event.agent), item.checkout.machine, outcome.status)


def _read_request(scope: Scope) -> _Request:
    """Read who sends events.

    Raises:
        ActDenied: the token is not good for that.
    """
    principal = principals.find(scope)
    if Right.CAPTURE not in principal.rights.uses:
        raise ActDenied(Act.CAPTURE.value)
    return _Request(dict(scope["headers"]), principal)


def _compose_brief(starts: StartParts, agent: Agent, item: Arrival, session_id: str) -> str:
    """Compose what the hook prints; empty where nothing is to be told, or was told at an earlier event."""
    event = item.event
    if event.kind is not EventKind.SESSION_START and not (
        start.is_untold(starts, session_id) or start.was_told_with(starts, session_id, item.keys.client)
    ):
        return ""
    brief = start.brief_session(starts, session_id, event, agent.traits.brief)
    printed = agent.render_brief(event, brief.text) if brief.text else ""
    if brief.handoff_id and brief.handoff_id not in printed:
        # The agent's own bound cut the handoff away, so the session has not heard of it.
        start.note_untold(starts, session_id)
    return printed


def _take_back(starts: StartParts, item: Arrival, session_id: str) -> None:
    if item.event.kind is EventKind.SESSION_START or start.was_told_with(starts, session_id, item.keys.client):
        start.note_untold(starts, session_id)


async def _is_gone(receive: Receive) -> bool:
    """Tell whether the sender has closed the connection while its answer was being made."""
    listening = asyncio.ensure_future(receive())
    done, _ = await asyncio.wait({listening}, timeout=0)
    if not done:
        listening.cancel()
        return False
    return bool(listening.result()["type"] == "http.disconnect")


async def _read_body(receive: Receive, bytes_max: int) -> bytes:
    chunks: list[bytes] = []
    size = 0
    while True:
        message = await receive()
        if message["type"] == "http.disconnect":
            raise MalformedPayload("the connection was closed before the body was complete")
        chunk = message.get("body", b"")
        size += len(chunk)
        if size > bytes_max:
            raise BodyTooLarge(bytes_max)
        chunks.append(chunk)
        if not message.get("more_body", False):
            return chunks[0] if len(chunks) == 1 else b"".join(chunks)


async def _answer_method(scope: Scope, receive: Receive, send: Send) -> None:
    detail = f"{scope['method']} {scope['path']}: events are sent by POST"
    body = errors.build_problem(405, "method_not_allowed", detail)
    answer = Response(body, status_code=405, media_type=errors.PROBLEM_TYPE, headers={"Allow": "POST"})
    await answer(scope, receive, send)


async def _accept(send: Send) -> None:
    await send({"type": "http.response.start", "status": 202, "headers": _EMPTY_HEADERS})
    await send({"type": "http.response.body", "body": b""})


async def _answer(send: Send, status: int, body: bytes, headers: list[tuple[bytes, bytes]]) -> None:
    length = (b"content-length", str(len(body)).encode())
    await send({"type": "http.response.start", "status": status, "headers": [*headers, length]})
    await send({"type": "http.response.body", "body": body})


def _shape(outcome: IngestOutcome) -> dict[str, str]:
    shaped = {"status": str(outcome.status)}
    return {**shaped, "reason": outcome.reason} if outcome.reason else shaped
