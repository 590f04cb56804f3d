"""Many claimers of one handoff at the same moment, over HTTP, MCP and at a session's start; who won is then counted."""

import json
import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from threading import Barrier, local
from typing import Final
from urllib.parse import quote

import httpx2

CHECKOUT: Final = {"cwd": "/bench/relay", "root": "/bench/relay", "remote": "https://example.org/bench/relay.git"}
AGENT: Final = "codex"
# Claims a handoff for a session: has it won, and does it know who has?
Claim = Callable[[str, str], tuple[bool, bool]]
_HEADERS: Final = {"memwiki-checkout": quote(json.dumps(CHECKOUT))}
_MCP_HEADERS: Final = {
    "accept": "application/json, text/event-stream",
    "mcp-protocol-version": "2025-06-18",
}
_WAIT_SECONDS: Final = 180.0
# An answer that takes longer counts as lost, and is asked for again.
_ANSWER_SECONDS: Final = 20.0
_RETRY_SECONDS: Final = 0.05
_CONFLICT: Final = 409


@dataclass(frozen=True, slots=True)
class Attempt:
    """What one claimer came to: whether it won, whether it was told who else did, and how long it took."""

    way: str
    session: str
    has_won: bool
    knows_holder: bool
    took_ms: float


@dataclass(frozen=True, slots=True)
class Round:
    """What a round came to; `holder` is who the server says has it, empty for nobody."""

    attempts: tuple[Attempt, ...]
    holder: str

    @property
    def faults(self) -> int:
        """Count what should not be: not exactly one winner, another holder than that, losers who were not told."""
        winners = [attempt.session for attempt in self.attempts if attempt.has_won]
        untold = [each for each in self.attempts if not each.has_won and not each.knows_holder]
        return abs(len(winners) - 1) + (winners != [self.holder]) + len(untold)


@dataclass(frozen=True, slots=True)
class Running:
    """A round that is not over."""

    handoff_id: str
    attempts: tuple[Future[Attempt], ...]


class Contest:
    """So many claimers that all want what is offered on a server, which may be killed and come back meanwhile."""

    def __init__(self, claimers: int) -> None:
        self._count = claimers
        self._pool = ThreadPoolExecutor(claimers)
        self._local = local()
        self._url = ""
        self._round = 0

    def open_project(self, url: str) -> None:
        """Go to a server, and have the project come into being there."""
        self._url = url
        payload = {"session_id": "first", "cwd": CHECKOUT["cwd"], "prompt": "Begin the relay, please."}
        self._call("POST", f"/hook?agent={AGENT}&event=UserPromptSubmit", payload)

    def begin(self, *, rebuilds: bool) -> Running:
        """Offer work and let everybody run for it at once; with `rebuilds` the index is dropped meanwhile."""
        self._round += 1
        handoff_id = str(self._call("POST", "/api/v1/handoffs", {"summary": f"Leg {self._round}"}).json()["id"])
        if rebuilds:
            self._call("POST", "/api/v1/reindex", {})
        gate = Barrier(self._count)
        ways = (self._claim_by_http, self._claim_by_mcp, self._claim_by_start)
        return Running(
            handoff_id,
            tuple(
                self._pool.submit(self._try, gate, ways[number % len(ways)], handoff_id, f"{self._round}-{number}")
                for number in range(self._count)
            ),
        )

    def finish(self, running: Running) -> Round:
        """Wait for everybody, ask who holds it, and take it out of the way of the next round."""
        attempts = tuple(future.result(_WAIT_SECONDS * 2) for future in running.attempts)
        shown = self._call("GET", f"/api/v1/handoffs/{running.handoff_id}").json()
        holder = str(shown["holder_session_id"]) if shown["state"] == "claimed" else ""
        self._call("POST", f"/api/v1/handoffs/{running.handoff_id}/cancel", {})
        return Round(attempts, self._name_session(holder))

    def close(self) -> None:
        """Send everybody home."""
        self._pool.shutdown()

    def _try(self, gate: Barrier, claim: Claim, handoff_id: str, session: str) -> Attempt:
        gate.wait(_WAIT_SECONDS)
        begun = time.perf_counter()
        has_won, knows_holder = claim(handoff_id, session)
        took_ms = (time.perf_counter() - begun) * 1000
        return Attempt(claim.__name__.rpartition("_")[2], session, has_won, knows_holder, took_ms)

    def _claim_by_http(self, handoff_id: str, session: str) -> tuple[bool, bool]:
        answer = self._call("POST", f"/api/v1/handoffs/{handoff_id}/claim", {"session_id": session, "agent": AGENT})
        return answer.is_success, answer.status_code == _CONFLICT and "is held by" in answer.text

    def _claim_by_mcp(self, handoff_id: str, session: str) -> tuple[bool, bool]:
        arguments = {"handoff_id": handoff_id, "session_id": session}
        call = {"name": "memory_handoff_claim", "arguments": arguments}
        body = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": call}
        answer = self._call("POST", "/mcp", body, **_MCP_HEADERS)
        is_refused = '"isError":true' in answer.text.replace(" ", "")
        return answer.is_success and not is_refused, "is held by" in answer.text

    def _claim_by_start(self, handoff_id: str, session: str) -> tuple[bool, bool]:
        payload = {"session_id": session, "cwd": CHECKOUT["cwd"], "source": "startup"}
        answer = self._call("POST", f"/hook?agent={AGENT}&event=SessionStart", payload)
        # Whoever starts and finds nothing has asked for nothing, and needs no name.
        return f"Handoff id: {handoff_id}. Claim token" in answer.text, True

    def _name_session(self, holder: str) -> str:
        """Bring the server's own id of a session back to the one that its agent gave it."""
        answer = self._call("GET", f"/api/v1/sessions/{holder or '-'}")
        return str(answer.json()["agent_session_id"]) if answer.is_success else holder

    def _call(self, method: str, path: str, body: object = None, **headers: str) -> httpx2.Response:
        """Ask until there is an answer: the server may be killed at any moment, and comes back."""
        deadline = time.monotonic() + _WAIT_SECONDS
        while True:
            try:
                answer = self._client.request(method, path, json=body, headers=_HEADERS | headers)
                if answer.status_code < httpx2.codes.INTERNAL_SERVER_ERROR or time.monotonic() > deadline:
                    return answer
            except httpx2.HTTPError:
                if time.monotonic() > deadline:
                    raise
            time.sleep(_RETRY_SECONDS)

    @property
    def _client(self) -> httpx2.Client:
        if not hasattr(self._local, "client"):
            self._local.client = httpx2.Client(base_url=self._url, timeout=_ANSWER_SECONDS, trust_env=False)
        client: httpx2.Client = self._local.client
        return client
