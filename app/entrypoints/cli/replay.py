"""Plays the recorded sessions through a server's hook endpoint and gathers what the server answers about them."""

import json
import time
from collections import Counter
from collections.abc import Callable, Mapping
from contextlib import closing
from dataclasses import dataclass, replace
from itertools import count
from pathlib import Path
from typing import Any, Final
from urllib.parse import quote

import httpx2

from app.domain import limits
from app.domain.errors import RemoteRejected, ServerUnreachable
from app.entrypoints.cli import kept_token
from app.entrypoints.cli.remote import Remote

# What somebody would ask who was not there.
QUERY: Final = "why Decimal for money, negative prices"

_RECORDINGS: Final = Path(__file__).parent / "recordings"
_POLL_S: Final = 0.05
_PLACEHOLDER: Final = "[redacted:"

# Told what is happening now, for a person who waits.
Note = Callable[[str], None]
Answer = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class RecordedEvent:
    """One line of a recording."""

    agent: str
    event: str
    checkout: Mapping[str, Any]
    payload: Mapping[str, Any]

    @property
    def session_id(self) -> str:
        """The agent's own id of the session."""
        return str(self.payload["session_id"])


@dataclass(frozen=True, slots=True)
class Captured:
    """What the server says it stored of one session."""

    agent: str
    session_id: str
    events_sent: int
    observations: int
    kinds: Mapping[str, int]
    redactions: int


@dataclass(frozen=True, slots=True)
class DemoFacts:
    """Everything that the demonstration shows; each value is the server's own answer.

    `brief` is what the second session's start printed, `third_brief` what the third's did; `handoffs_of_third` are
    the ids of the handoffs that the third session holds.
    """

    captured: tuple[Captured, ...]
    project: str
    page: Answer
    query: str
    hits: tuple[Answer, ...]
    handoff: Answer
    receiver_session_id: str
    brief: str
    third_session_id: str
    third_brief: str
    handoffs_of_third: tuple[str, ...]


def load_recording(name: str, suffix: str) -> list[RecordedEvent]:
    """Read a recording under ids of its own, so that a second run is a new session and no repeat."""
    text = (_RECORDINGS / f"{name}.jsonl").read_text(encoding="utf-8")
    recorded = json.loads(text.splitlines()[0])["payload"]["session_id"]
    fresh = text.replace(recorded, f"{recorded}-{suffix}")
    lines = [json.loads(line) for line in fresh.splitlines()]
    return [
        RecordedEvent(line["agent"], line["event"], line["checkout"], _renew(line["payload"], suffix)) for line in lines
    ]


def play(server: Remote, suffix: str, note: Note) -> DemoFacts:
    """Play both sessions and a third start, as three agents in one checkout would.

    Raises:
        RemoteRejected: the server refused an event, or its page or handoff did not appear in time.
    """
    first, second = load_recording("claude-code", suffix), load_recording("codex", suffix)
    with closing(HookSender(server.url, suffix)) as hooks:
        note("the first session (Claude Code) is working")
        hooks.send_all(first)
        note("the first session has ended; its page is being written")
        session = _wait_for_page(server, first[0].session_id)
        handoff = _wait_for_handoff(server, session)
        note("the second session (Codex) starts in the same checkout")
        brief = hooks.send(second[0])
        hooks.send_all(second[1:-1])
        note("a third session starts while the second is at work")
        third = _build_third(first[0], second[-2], suffix)
        third_brief = hooks.send(third)
        third_session = server.get(f"/api/v1/sessions/{third.session_id}")
        holders = _list_handoffs(server, session["project"])
        hooks.send(replace(third, event="SessionEnd", payload={**third.payload, "hook_event_name": "SessionEnd"}))
        hooks.send(second[-1])
        note("the second session has ended; its page is being written")
        receiver = _wait_for_page(server, second[0].session_id)
    return DemoFacts(
        captured=(_count(session, len(first)), _count(receiver, len(second))),
        project=session["project"],
        page=server.get(f"/api/v1/pages/{quote(session['page_path'])}", project=session["project"]),
        query=QUERY,
        hits=tuple(server.get("/api/v1/search", q=QUERY, project=session["project"], limit=20)["hits"]),
        handoff=next(each for each in holders if each["id"] == handoff["id"]),
        receiver_session_id=receiver["id"],
        brief=brief,
        third_session_id=third_session["id"],
        third_brief=third_brief,
        handoffs_of_third=tuple(each["id"] for each in holders if each["holder_session_id"] == third_session["id"]),
    )


def list_broken_promises(facts: DemoFacts) -> list[str]:
    """List what should have happened and, by the server's own answers, did not."""
    promises = {
        "every event of both sessions is stored": all(each.observations == each.events_sent for each in facts.captured),
        "the password in the first session is redacted": facts.captured[0].redactions > 0,
        "the first session has a page": bool(facts.page["body"].strip()),
        "the page is found by search": facts.page["path"] in {hit["path"] for hit in facts.hits},
        "the second session holds the handoff": facts.handoff["holder_session_id"] == facts.receiver_session_id,
        "the second session was told of it at its start": facts.handoff["id"] in facts.brief,
        "the third session holds no handoff": not facts.handoffs_of_third,
        "the third session was not told of it": facts.handoff["id"] not in facts.third_brief,
    }
    return [promise for promise, is_kept in promises.items() if not is_kept]


class HookSender:
    """Sends recorded events as the hook client does, one after the other on one connection."""

    def __init__(self, url: str, suffix: str) -> None:
        token = kept_token.find_token()
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        self._client = httpx2.Client(base_url=url, headers=headers, timeout=30.0, trust_env=False)
        self._suffix = suffix
        self._numbers = count()

    def send_all(self, events: list[RecordedEvent]) -> None:
        """Send events in order."""
        for event in events:
            self.send(event)

    def send(self, event: RecordedEvent) -> str:
        """Send one event and give back the text that reaches the agent's model, empty for none.

        Raises:
            ServerUnreachable: nothing answers.
            RemoteRejected: the event was refused.
        """
        headers = {
            "Idempotency-Key": f"demo-{self._suffix}-{next(self._numbers)}",
            "Memwiki-Checkout": quote(json.dumps({"cwd": event.payload["cwd"], **event.checkout})),
        }
        query = {"agent": event.agent, "event": event.event}
        try:
            answer = self._client.post("/hook", params=query, json=event.payload, headers=headers)
        except httpx2.HTTPError as error:
            raise ServerUnreachable(str(self._client.base_url), type(error).__name__) from error
        if answer.status_code != httpx2.codes.ACCEPTED:
            raise RemoteRejected(f"{self._client.base_url}/hook", answer.status_code, answer.text)
        return _read_context(answer.text)

    def close(self) -> None:
        """Close the connection."""
        self._client.close()


def _renew(payload: Mapping[str, Any], suffix: str) -> dict[str, Any]:
    """Give tool calls and prompts new ids too: the server knows a repeat by them."""
    ids = {name: f"{payload[name]}-{suffix}" for name in ("tool_use_id", "prompt_id", "turn_id") if name in payload}
    return {**payload, **ids}


def _build_third(start: RecordedEvent, latest: RecordedEvent, suffix: str) -> RecordedEvent:
    """Build the start of one more Claude Code session, in the checkout as it is by then."""
    payload = {**start.payload, "session_id": f"third-{suffix}", "transcript_path": ""}
    return replace(start, checkout=latest.checkout, payload=payload)


def _read_context(printed: str) -> str:
    """Take the text for the model out of what a hook prints, which is JSON for some agents."""
    try:
        return str(json.loads(printed)["hookSpecificOutput"]["additionalContext"])
    except (ValueError, KeyError, TypeError):
        return printed


def _wait_for_page(server: Remote, agent_session_id: str) -> Answer:
    def look() -> Answer | None:
        session = server.get(f"/api/v1/sessions/{agent_session_id}")
        return session if session["page_path"] else None

    return _wait(server, look, f"the page of session {agent_session_id}")


def _wait_for_handoff(server: Remote, session: Answer) -> Answer:
    def look() -> Answer | None:
        found = _list_handoffs(server, session["project"])
        return next((each for each in found if each["from_session_id"] == session["id"]), None)

    return _wait(server, look, f"the handoff of session {session['id']}")


def _wait(server: Remote, look: Callable[[], Answer | None], what: str) -> Answer:
    deadline = time.monotonic() + limits.DEMO_WAIT_SECONDS_MAX
    while time.monotonic() < deadline:
        found = look()
        if found is not None:
            return found
        time.sleep(_POLL_S)
    raise RemoteRejected(server.url, 0, f"{what} did not appear within {limits.DEMO_WAIT_SECONDS_MAX:.0f} s")


def _list_handoffs(server: Remote, project: str) -> list[Answer]:
    found: list[Answer] = server.get("/api/v1/handoffs", project=project, state="all")["handoffs"]
    return found


def _count(session: Answer, sent: int) -> Captured:
    """Count a session's observations by kind, and the placeholders that stand where secrets were."""
    rows = session["observations"]
    texts = [str(row[name]) for row in rows for name in ("text", "command", "output")]
    return Captured(
        agent=session["agent"],
        session_id=session["id"],
        events_sent=sent,
        observations=session["total"],
        kinds=dict(Counter(row["kind"] for row in rows)),
        redactions=sum(text.count(_PLACEHOLDER) for text in texts),
    )
