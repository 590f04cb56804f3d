"""Reads what hooks send: their headers, and the items of a batch; what is odd in them never costs the event itself.

What is to be read is a value of its own, since it may be read in another process.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from typing import Final, Protocol, TypeVar
from urllib.parse import parse_qs, unquote, unquote_to_bytes

import msgspec

from app.agents import registry
from app.capture import arrival, policy
from app.capture.arrival import Arrival, Dropped, Sender, SpoolReport
from app.capture.exclude import NO_POLICY, UNREADABLE_POLICY, ServerRules
from app.capture.policy import Policy
from app.domain import limits
from app.domain.checkout import Checkout
from app.domain.errors import AppError, BatchTooLong, InvalidValue, MalformedPayload
from app.domain.person import Reach

T = TypeVar("T")

# Each byte of a header's text may take three in its encoded form.
_ENCODED_BYTES = 3

NO_SPOOL = SpoolReport()
# All that reading takes from a request's headers.
OWN_HEADERS: Final[tuple[bytes, ...]] = (
    b"idempotency-key",
    b"memwiki-checkout",
    b"memwiki-origin",
    b"memwiki-policy",
    b"memwiki-spool",
)


class Terms(msgspec.Struct, frozen=True):
    """By what a server reads: what its settings keep out, and where new projects appear."""

    rules: ServerRules
    workspace: str


class Caller(msgspec.Struct, frozen=True):
    """Who makes a request, when, and with which headers."""

    headers: Mapping[bytes, bytes]
    owner: str
    reach: Reach
    received_at: datetime


class Told(msgspec.Struct, frozen=True):
    """A single event as it came; `agent` is the name of one that is known."""

    agent: str
    event_name: str
    body: bytes
    caller: Caller


class Unread(msgspec.Struct, frozen=True):
    """An item of a batch that could not be read, and why."""

    reason: str


class ReadingJob(Protocol[T]):
    """Something to be read, in this process or another."""

    def read(self) -> list[T]:
        """Read it; raises a named error if that cannot be done."""
        ...


class BatchItem(msgspec.Struct):
    """One event of a batch, as the client's spool kept it."""

    agent: str
    event: str
    payload: msgspec.Raw
    key: str = ""
    occurred_at: str = ""
    origin: str = ""
    policy: str = ""
    checkout: msgspec.Raw = msgspec.Raw(b"{}")


@dataclass(frozen=True, slots=True)
class Batch:
    """Events in the order in which they happened; one that could not be read is its error, and costs only itself."""

    events: Sequence[BatchItem | AppError]


class _Frame(msgspec.Struct):
    events: list[BatchItem]


class _RawFrame(msgspec.Struct):
    events: list[msgspec.Raw]


_ITEM = msgspec.json.Decoder(BatchItem)
_FRAME = msgspec.json.Decoder(_Frame)
_RAW_FRAME = msgspec.json.Decoder(_RawFrame)


def parse_batch(body: bytes) -> Batch:
    """Read the frame of a batch.

    Raises:
        MalformedPayload: the body has another form.
        BatchTooLong: it has too many items.
    """
    try:
        items: list[BatchItem | AppError] = [*_FRAME.decode(body).events]
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        # Something in it has another form: either all of it, or some items, which are then read one by one.
        items = _parse_apart(body)
    if len(items) > limits.HOOK_BATCH_ITEMS_MAX:
        raise BatchTooLong(len(items), limits.HOOK_BATCH_ITEMS_MAX)
    return Batch(items)


def read_event(told: Told, terms: Terms) -> Arrival | Dropped:
    """Read one event with its headers.

    Raises:
        MalformedPayload: the body is no payload of an agent.
    """
    payload = arrival.parse_body(told.body)
    sender = build_sender(told.caller, terms.workspace)
    return arrival.receive_event(registry.find_agent(told.agent), told.event_name, payload, sender, terms.rules)


def build_sender(caller: Caller, workspace: str) -> Sender:
    """Read from a request's headers who sends."""
    headers = caller.headers
    registration, sent_at = parse_origin(headers.get(b"memwiki-origin", b""))
    return Sender(
        owner=caller.owner,
        reach=caller.reach,
        workspace=workspace,
        received_at=caller.received_at,
        key=headers.get(b"idempotency-key", b"").decode("latin-1"),
        registration=registration,
        sent_at=sent_at,
        policy=parse_policy_header(headers.get(b"memwiki-policy", b"")),
        checkout=parse_checkout_header(headers.get(b"memwiki-checkout", b"")),
        spool=parse_spool(headers.get(b"memwiki-spool", b"")),
    )


class BatchJob(msgspec.Struct, frozen=True):
    """A batch that is to be read: its items, all received at one moment; one that cannot be read costs only itself."""

    body: bytes
    caller: Caller
    terms: Terms

    def read(self) -> list[Arrival | Dropped | Unread]:
        """Read it; raises what `parse_batch` does."""
        batch = parse_batch(self.body)
        caller = self.caller
        shared = Sender(
            owner=caller.owner,
            reach=caller.reach,
            workspace=self.terms.workspace,
            received_at=caller.received_at,
            spool=parse_spool(caller.headers.get(b"memwiki-spool", b"")),
        )
        rules = self.terms.rules
        return [
            Unread(str(item)) if isinstance(item, AppError) else _read_item(rules, item, shared)
            for item in batch.events
        ]


class EventsJob(msgspec.Struct, frozen=True):
    """Single events that are to be read together; None stands for what cannot be read."""

    events: Sequence[Told]
    terms: Terms

    def read(self) -> list[Arrival | Dropped | None]:
        """Read them."""
        return [_read_told(told, self.terms) for told in self.events]


def build_checkout(facts: Mapping[str, object]) -> Checkout:
    """Take the known facts of a checkout as text, within their bounds; unknown ones are ignored."""

    def text(name: str, chars_max: int = limits.CHECKOUT_FACT_CHARS_MAX) -> str:
        value = facts.get(name)
        return value[:chars_max].replace("\0", "") if isinstance(value, str) else ""

    def texts(name: str, items_max: int) -> tuple[str, ...]:
        value = facts.get(name)
        return tuple(str(item) for item in value[:items_max]) if isinstance(value, list) else ()

    def number(name: str) -> int | None:
        value = facts.get(name)
        if not isinstance(value, int) or isinstance(value, bool):
            return None
        return value if 0 <= value <= limits.SPOOL_REPORT_MAX else None

    return Checkout(
        cwd=text("cwd"),
        root=text("root"),
        common_dir=text("common_dir"),
        remote=text("remote"),
        origin=text("origin"),
        branch=text("branch"),
        revision=text("revision"),
        dirty=texts("dirty", limits.DIRTY_PATHS_MAX),
        marker_workspace=text("marker_workspace"),
        marker_project=text("marker_project"),
        marker_aliases=texts("marker_aliases", limits.MARKER_ALIASES_MAX),
        machine=text("machine", limits.MACHINE_CHARS_MAX),
        dirty_count=number("dirty_count"),
        ahead=number("ahead"),
        behind=number("behind"),
        brief=text("brief", limits.NAME_CHARS_MAX),
        run=text("run", limits.NAME_CHARS_MAX),
        launch=text("launch", limits.NAME_CHARS_MAX),
    )


@lru_cache(maxsize=1024)
def parse_checkout_header(value: bytes) -> Checkout:
    """Read the `Memwiki-Checkout` header; an unreadable one counts as absent, so that the event itself is kept."""
    if not value or len(value) > limits.CHECKOUT_HEADER_BYTES_MAX:
        return Checkout()
    return _decode_checkout(unquote_to_bytes(value))


@lru_cache(maxsize=256)
def parse_policy_header(value: bytes) -> Policy:
    """Read the `Memwiki-Policy` header; an unreadable one lets nothing be captured."""
    if len(value) > limits.POLICY_BYTES_MAX * _ENCODED_BYTES:
        return UNREADABLE_POLICY
    return _parse_policy(unquote(value.decode("latin-1"))) if value else NO_POLICY


def parse_origin(value: bytes) -> tuple[str, float]:
    """Read the `Memwiki-Origin` header: which registration ran the hook, and when in seconds since 1970."""
    name, _, moment = value.partition(b";")
    return _name_registration(name), int(moment) / 1000 if moment.isdigit() and len(
        moment
    ) <= limits.MOMENT_DIGITS_MAX else 0


@lru_cache(maxsize=1024)
def parse_query(query: bytes) -> tuple[str, str]:
    """Read which agent's event it is and how the agent calls it.

    Raises:
        InvalidValue: no agent is named.
    """
    given = parse_qs(query.decode("latin-1"))
    agent, event = given.get("agent", [""])[0], given.get("event", [""])[0]
    if not agent:
        raise InvalidValue("agent", "name the agent in the address: /hook?agent=claude-code&event=Stop")
    return agent, event[: limits.NATIVE_ID_CHARS_MAX]


def parse_spool(value: bytes) -> SpoolReport:
    """Read the `Memwiki-Spool` header; an impossible one counts as absent."""
    if not value:
        return NO_SPOOL
    try:
        depth, oldest, lost = (min(max(0, int(part)), limits.SPOOL_REPORT_MAX) for part in value.split(b";"))
    except ValueError:
        return NO_SPOOL
    return SpoolReport(depth, oldest, lost)


def _parse_apart(body: bytes) -> list[BatchItem | AppError]:
    try:
        frame = _RAW_FRAME.decode(body)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise MalformedPayload(str(error)[:200]) from error
    return [_parse_item(raw) for raw in frame.events]


def _parse_item(raw: msgspec.Raw) -> BatchItem | AppError:
    try:
        return _ITEM.decode(raw)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        return MalformedPayload(str(error)[:200])


def _read_told(told: Told, terms: Terms) -> Arrival | Dropped | None:
    try:
        return read_event(told, terms)
    except Exception:  # noqa: BLE001 - the application meets the same fault, and answers it
        return None


def _read_item(rules: ServerRules, item: BatchItem, shared: Sender) -> Arrival | Dropped | Unread:
    try:
        checkout = bytes(item.checkout)
        if not checkout.startswith(b"{"):
            return Unread(str(MalformedPayload("checkout: an object was expected")))
        moment = arrival.parse_moment(item.occurred_at)
        sender = msgspec.structs.replace(
            shared,
            key=item.key,
            registration=item.origin[: limits.NATIVE_ID_CHARS_MAX],
            sent_at=moment.timestamp() if moment else 0,
            occurred_at=moment,
            policy=_parse_policy(item.policy),
            checkout=_decode_checkout(checkout),
        )
        event_name = item.event[: limits.NATIVE_ID_CHARS_MAX]
        payload = arrival.parse_body(item.payload)
        return arrival.receive_event(registry.find_agent(item.agent), event_name, payload, sender, rules)
    except AppError as error:
        return Unread(str(error))


@lru_cache(maxsize=1024)
def _name_registration(name: bytes) -> str:
    return unquote(name.decode("latin-1"))[: limits.NATIVE_ID_CHARS_MAX]


@lru_cache(maxsize=1024)
def _decode_checkout(raw: bytes) -> Checkout:
    try:
        facts = msgspec.json.decode(raw)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return Checkout()
    return build_checkout(facts) if isinstance(facts, dict) else Checkout()


@lru_cache(maxsize=256)
def _parse_policy(text: str) -> Policy:
    try:
        return policy.parse_header(text)
    except policy.PolicyUnreadable:
        return UNREADABLE_POLICY
