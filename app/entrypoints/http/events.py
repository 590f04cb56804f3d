"""What hooks send: plain ASGI endpoints for one event and for a batch, past FastAPI's routing and validation."""

from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache
from typing import Final
from urllib.parse import parse_qs, unquote_to_bytes

import msgspec
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from app.agents import registry
from app.agents.agent import Agent
from app.capture import ingest
from app.capture.ingest import Arrival, IngestOutcome, IngestStatus, SpoolReport
from app.domain import limits
from app.domain.checkout import Checkout
from app.domain.errors import AppError, BatchTooLong, BodyTooLarge, Busy, InvalidValue, MalformedPayload
from app.domain.event import Event
from app.entrypoints.http import errors
from app.handoff import start
from app.wiring import Runtime

# Bodies above this are decoded and redacted on a thread, so that one of them does not hold up the others.
_INLINE_BYTES_MAX: Final = 256 * 1024
# What the agents' JSON around a brief takes; they cut what is still too long themselves.
_WRAPPER_CHARS: Final = 500
_TEXT_HEADERS: Final = [(b"content-type", b"text/plain; charset=utf-8")]
_JSON_HEADERS: Final = [(b"content-type", b"application/json")]


class BatchItem(msgspec.Struct):
    """One event of a batch, as the client's spool kept it."""

    agent: str
    event: str
    payload: msgspec.Raw
    key: str = ""
    occurred_at: str = ""
    checkout: msgspec.Raw = msgspec.Raw(b"{}")


class Batch(msgspec.Struct):
    """Events in the order in which they happened; each item is read on its own, so a bad one costs only itself."""

    events: list[msgspec.Raw]


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
        agent_name, event_name = _parse_query(scope["query_string"])
        agent = registry.find_agent(agent_name)
        body = await _read_body(receive, limits.HOOK_BODY_BYTES_MAX)
        headers = dict(scope["headers"])
        if len(body) <= _INLINE_BYTES_MAX:
            arrival = self._build(agent, event_name, body, headers)
        else:
            arrival = await self._runtime.run(self._build, agent, event_name, body, headers)
        outcome = await self._runtime.store_arrival(arrival)
        text = await self._find_text(agent, arrival, outcome)
        await _answer(send, 202, text.encode(), _TEXT_HEADERS)

    def _build(self, agent: Agent, event_name: str, body: bytes, headers: Mapping[bytes, bytes]) -> Arrival:
        event = agent.parse_event(event_name, ingest.parse_body(body))
        return ingest.build_arrival(
            event,
            key=headers.get(b"idempotency-key", b"").decode("latin-1"),
            checkout=parse_checkout_header(headers.get(b"memwiki-checkout", b"")),
            owner=self._runtime.owner,
            workspace=self._runtime.workspace,
            received_at=self._runtime.clock.now(),
            spool=_parse_spool(headers.get(b"memwiki-spool", b"")),
        )

    async def _find_text(self, agent: Agent, arrival: Arrival, outcome: IngestOutcome) -> str:
        """Compose what the hook prints: a brief where the agent takes one at this event, else nothing."""
        # A repeat under another session's key belongs to no session of its own.
        if not outcome.session_id or not agent.takes_brief_at(arrival.event):
            return ""
        starts, budget = self._runtime.starts, limits.BRIEF_CHARS_MAX - _WRAPPER_CHARS
        try:
            text = await self._runtime.run(start.brief_session, starts, outcome.session_id, arrival.event, budget)
        except Busy:
            # The event is on the disk, so that an answer which asks to send it again would be wrong.
            return ""
        return agent.render_brief(arrival.event, text) if text else ""

    async def _take_batch(self, scope: Scope, receive: Receive, send: Send) -> None:
        body = await _read_body(receive, limits.HOOK_BATCH_BYTES_MAX)
        try:
            batch = msgspec.json.decode(body, type=Batch)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
            raise MalformedPayload(str(error)[:200]) from error
        if len(batch.events) > limits.HOOK_BATCH_ITEMS_MAX:
            raise BatchTooLong(len(batch.events), limits.HOOK_BATCH_ITEMS_MAX)
        spool = _parse_spool(dict(scope["headers"]).get(b"memwiki-spool", b""))
        read = await self._runtime.run(self._read_items, batch.events, spool)
        outcomes = await self._runtime.store_arrivals([item for item in read if isinstance(item, Arrival)])
        stored = iter(outcomes)
        results = [_shape(next(stored) if isinstance(item, Arrival) else item) for item in read]
        await _answer(send, 200, msgspec.json.encode({"results": results}), _JSON_HEADERS)

    def _read_items(self, items: list[msgspec.Raw], spool: SpoolReport) -> list[Arrival | AppError]:
        return [self._read_item(raw, spool) for raw in items]

    def _read_item(self, raw: msgspec.Raw, spool: SpoolReport) -> Arrival | AppError:
        try:
            item = msgspec.json.decode(raw, type=BatchItem)
            checkout = bytes(item.checkout)
            if not checkout.startswith(b"{"):
                return MalformedPayload("checkout: an object was expected")
            agent = registry.find_agent(item.agent)
            event = agent.parse_event(item.event[: limits.NATIVE_ID_CHARS_MAX], ingest.parse_body(item.payload))
            return ingest.build_arrival(
                _date_event(event, item.occurred_at),
                key=item.key,
                checkout=_decode_checkout(checkout),
                owner=self._runtime.owner,
                workspace=self._runtime.workspace,
                received_at=self._runtime.clock.now(),
                spool=spool,
            )
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
            return MalformedPayload(str(error)[:200])
        except AppError as error:
            return error


def build_checkout(facts: Mapping[str, object]) -> Checkout:
    """Take the known facts of a checkout as text, within their bounds; unknown ones are ignored."""

    def text(name: str) -> str:
        value = facts.get(name)
        return value[: limits.COMMAND_CHARS_MAX].replace("\0", "") if isinstance(value, str) else ""

    dirty = facts.get("dirty")
    return Checkout(
        cwd=text("cwd"),
        root=text("root"),
        common_dir=text("common_dir"),
        remote=text("remote"),
        branch=text("branch"),
        revision=text("revision"),
        dirty=tuple(str(path) for path in dirty[: limits.DIRTY_PATHS_MAX]) if isinstance(dirty, list) else (),
        marker_workspace=text("marker_workspace"),
        marker_project=text("marker_project"),
        machine=text("machine"),
    )


@lru_cache(maxsize=1024)
def parse_checkout_header(value: bytes) -> Checkout:
    """Read the `Memwiki-Checkout` header; an unreadable one counts as absent, so that the event itself is kept."""
    if not value or len(value) > limits.CHECKOUT_HEADER_BYTES_MAX:
        return Checkout()
    return _decode_checkout(unquote_to_bytes(value))


@lru_cache(maxsize=1024)
def _decode_checkout(raw: bytes) -> Checkout:
    try:
        facts = msgspec.json.decode(raw)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return Checkout()
    return build_checkout(facts) if isinstance(facts, dict) else Checkout()


@lru_cache(maxsize=1024)
def _parse_query(query: bytes) -> tuple[str, str]:
    given = parse_qs(query.decode("latin-1"))
    agent, event = given.get("agent", [""])[0], given.get("event", [""])[0]
    if not agent:
        raise InvalidValue("agent", "name the agent in the address: /hook?agent=claude-code&event=Stop")
    return agent, event[: limits.NATIVE_ID_CHARS_MAX]


def _parse_spool(value: bytes) -> SpoolReport:
    try:
        depth, oldest, lost = (min(max(0, int(part)), limits.SPOOL_REPORT_MAX) for part in value.split(b";"))
    except ValueError:
        return SpoolReport()
    return SpoolReport(depth, oldest, lost)


def _date_event(event: Event, occurred_at: str) -> Event:
    moment = ingest.parse_moment(occurred_at)
    if moment is None or event.occurred_at is not None:
        return event
    return replace(event, occurred_at=moment)


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


async def _answer(send: Send, status: int, body: bytes, headers: list[tuple[bytes, bytes]]) -> None:
    length = (b"content-length", str(len(body)).encode())
    await send({"type": "http.response.start", "status": status, "headers": [*headers, length]})
    await send({"type": "http.response.body", "body": body})


def _shape(result: IngestOutcome | AppError) -> dict[str, str]:
    if isinstance(result, IngestOutcome):
        return {"status": str(result.status)}
    return {"status": str(IngestStatus.MALFORMED), "reason": str(result)}
