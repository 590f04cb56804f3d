"""What a hook's request becomes before it reaches state: parsed, excluded from, dated, redacted, and with its keys."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import fields, replace
from datetime import UTC, datetime, timedelta
from functools import lru_cache, partial
from typing import Any

import msgspec

from app.agents.agent import Agent
from app.capture import exclude, policy, repeats
from app.capture.exclude import NO_POLICY, ServerRules
from app.capture.policy import Decision, Policy
from app.capture.repeats import RepeatKeys
from app.domain import errand, limits, redact
from app.domain.checkout import Checkout
from app.domain.errand import Errand
from app.domain.errors import MalformedPayload
from app.domain.event import AgentName, Event
from app.domain.person import Reach
from app.domain.redact import RedactedEvent
from app.state import stored_event

_PAST_SECONDS_MAX = limits.CLIENT_CLOCK_PAST_DAYS_MAX * 24 * 3600
_LOGIN = re.compile(r"(?<=:)//[^/\s]*@")


class SpoolReport(msgspec.Struct, frozen=True):
    """What a client says of its spool; all zero when it is empty."""

    depth: int = 0
    oldest_seconds: int = 0
    lost: int = 0


# Structs: one of each is made for every event, and a frozen dataclass costs ten times what they do.
class Sender(msgspec.Struct, frozen=True):
    """Who sent an event, and what came along with it.

    `key` is the client's own for the event, `registration` names the entry that ran the hook, `sent_at` is when it ran
    by the client's clock in seconds since 1970, `occurred_at` the same moment of an event that waited, `policy` what
    the folder's owner lets be captured; each is empty where the client did not say. `workspace` is where new projects
    appear.
    """

    owner: str
    workspace: str
    received_at: datetime
    key: str = ""
    registration: str = ""
    sent_at: float = 0
    occurred_at: datetime | None = None
    policy: Policy = NO_POLICY
    checkout: Checkout = Checkout()
    spool: SpoolReport = SpoolReport()
    reach: Reach = Reach()


class Arrival(msgspec.Struct, frozen=True):
    """One event on its way into state, already excluded from and redacted.

    `reason` says why it may be kept, and `is_stripped` whether the model's words were taken out; `stored` is the event
    as state stores it.
    """

    event: RedactedEvent
    stored: str
    keys: RepeatKeys
    checkout: Checkout
    owner: str
    workspace: str
    received_at: datetime
    spool: SpoolReport = SpoolReport()
    reason: str = ""
    is_stripped: bool = False
    reach: Reach = Reach()
    errand: Errand | None = None


class Dropped(msgspec.Struct, frozen=True):
    """An event that may not be kept: nothing of it is left but whose it was, and why it was dropped."""

    agent: AgentName
    machine: str
    reason: str
    is_unreadable: bool = False


def parse_body(body: bytes | msgspec.Raw) -> Mapping[str, object]:
    """Read a hook's JSON object and take out what must not be kept.

    Raises:
        MalformedPayload: the body is not UTF-8 JSON, nests too deeply, or is no object.
    """
    try:
        payload = msgspec.json.decode(body)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise MalformedPayload(f"not JSON: {str(error)[:200]}") from error
    if not isinstance(payload, dict):
        raise MalformedPayload(f"an object was expected, not {type(payload).__name__}")
    text = bytes(body)
    # What opens too few brackets cannot nest too deeply; counting them costs a tenth of looking.
    brackets = text.count(b"{") + text.count(b"[")
    if brackets > limits.HOOK_JSON_DEPTH_MAX and _is_deeper(payload, limits.HOOK_JSON_DEPTH_MAX):
        raise MalformedPayload(f"it nests deeper than {limits.HOOK_JSON_DEPTH_MAX} levels")
    if exclude.may_have_private(text):
        payload = {str(exclude.drop_private(name)): exclude.drop_private(value) for name, value in payload.items()}
    return payload


def parse_moment(text: str) -> datetime | None:
    """Read a client's ISO time as UTC; anything else is None."""
    if not text:
        return None
    try:
        moment = datetime.fromisoformat(text)
        return moment.astimezone(UTC) if moment.tzinfo else moment.replace(tzinfo=UTC)
    except (ValueError, OverflowError):
        return None


def receive_event(
    agent: Agent, event_name: str, payload: Mapping[str, object], sender: Sender, rules: ServerRules
) -> Arrival | Dropped:
    """Take one event as far as it may be kept.

    Raises:
        MalformedPayload: no session id can be found in it.
    """
    event = agent.parse_event(event_name, payload)
    decision = exclude.decide_event(event, payload, sender.policy, rules, sender.checkout)
    if decision.action == policy.DROP:
        is_unreadable = not sender.policy.is_readable
        return Dropped(event.agent, sender.checkout.machine, decision.reason, is_unreadable=is_unreadable)
    if decision.action == policy.STRIP:
        event = agent.parse_event(event_name, policy.strip_payload(payload))
    signs = agent.traits.one_shot.payload
    if signs and sender.checkout.run != "take" and any(payload.get(name) in values for name, values in signs):
        sender = msgspec.structs.replace(sender, checkout=replace(sender.checkout, run="one-shot"))
    return build_arrival(event, sender, decision)


def build_arrival(event: Event, sender: Sender, decision: Decision) -> Arrival:
    """Date and redact an event that may be kept, and give it the keys by which a repeat is known."""
    received_at = sender.received_at
    told_at = event.occurred_at or sender.occurred_at
    if told_at:
        event = replace(event, occurred_at=clamp_moment(told_at, received_at))
    checkout, redacted = sender.checkout, redact.redact_event(event)
    return Arrival(
        event=redacted,
        stored=stored_event.write_event(redacted),
        keys=repeats.build_keys(event, sender.key, sender.registration, partial(_choose_seconds, event, sender)),
        checkout=clean_checkout(checkout if checkout.cwd else replace(checkout, cwd=event.cwd)),
        owner=sender.owner,
        workspace=sender.workspace,
        received_at=received_at,
        spool=sender.spool,
        reason=decision.reason,
        is_stripped=decision.action == policy.STRIP,
        reach=sender.reach,
        errand=errand.find_current(),
    )


def clamp_moment(moment: datetime, received_at: datetime) -> datetime:
    """Believe a client's clock within bounds: the future is now, and what lies absurdly far back is too."""
    latest = received_at + timedelta(seconds=limits.CLIENT_CLOCK_SKEW_SECONDS_MAX)
    earliest = received_at - timedelta(days=limits.CLIENT_CLOCK_PAST_DAYS_MAX)
    return moment if earliest <= moment <= latest else received_at


@lru_cache(maxsize=1024)
def clean_checkout(checkout: Checkout) -> Checkout:
    """Take secrets out of every fact that was seen of a folder."""
    facts: dict[str, Any] = {field.name: _redact_fact(getattr(checkout, field.name)) for field in fields(Checkout)}
    return Checkout(**facts)


def _choose_seconds(event: Event, sender: Sender) -> float:
    """Choose the time by which two registrations are compared: the client's, which is the same for both."""
    received = sender.received_at.timestamp()
    if sender.sent_at:
        is_sensible = _PAST_SECONDS_MAX > received - sender.sent_at > -limits.CLIENT_CLOCK_SKEW_SECONDS_MAX
        return sender.sent_at if is_sensible else received
    return event.occurred_at.timestamp() if event.occurred_at else received


def _is_deeper(payload: Mapping[str, object], levels: int) -> bool:
    layer: list[Iterable[object]] = [payload.values()]
    for _ in range(levels):
        # What was read from JSON has these types themselves, which is told at a quarter of the cost of `isinstance`.
        children = [child for found in layer for child in found if type(child) is dict or type(child) is list]
        if not children:
            return False
        layer = [child.values() if isinstance(child, dict) else child for child in children]
    return True


def _redact_fact(fact: str | tuple[str, ...] | int | None) -> str | tuple[str, ...] | int | None:
    """Redact a text or each of several; the login in a URL tells nothing of a project, and may be a password."""
    if fact is None or isinstance(fact, int):
        return fact
    if isinstance(fact, tuple):
        return tuple(redact.redact_text(item) for item in fact)
    return redact.redact_text(_LOGIN.sub("//", fact))
