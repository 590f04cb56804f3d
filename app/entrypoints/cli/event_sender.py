"""Sends told events to the server in batches, waits where it asks for that, and counts what became of them."""

import hashlib
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from app.capture import client_http
from app.capture.client_http import BATCH_TAKEN, TOO_LARGE, Answer, Server
from app.domain import backfill, limits_past
from app.domain.errors import RemoteRejected, ServerUnreachable

_BUSY: Final = frozenset({0, 429, 503})
_PAUSE_S: Final = 1.0


@dataclass(slots=True)
class Sender:
    """One server, and the counts of events by what it said of them; `reasons` are those of events it did not keep.

    A server that is busy or away is asked again until so many seconds were waited for it.
    """

    url: str
    token: str
    request_seconds: float = limits_past.BACKFILL_REQUEST_SECONDS_MAX
    wait_seconds: float = limits_past.BACKFILL_WAIT_SECONDS_MAX
    statuses: Counter[str] = field(default_factory=Counter)
    reasons: Counter[str] = field(default_factory=Counter)

    def send(self, lines: Sequence[bytes]) -> list[Mapping[str, object]]:
        """Send some events; the answer says of each what became of it.

        Raises:
            ServerUnreachable: nothing answers, or it stays too busy for too long.
            RemoteRejected: the server refuses the batch.
        """
        answer = self._send_patiently(lines)
        if answer.status == TOO_LARGE and len(lines) > 1:
            half = len(lines) // 2
            return [*self.send(lines[:half]), *self.send(lines[half:])]
        if answer.status != BATCH_TAKEN:
            raise RemoteRejected(f"{self.url}/hook/batch", answer.status, answer.body.decode("utf-8", "replace"))
        results = client_http.list_results(answer)
        for result in results:
            self.statuses[str(result["status"])] += 1
            if result.get("reason") and result["status"] != "replayed":
                self.reasons[str(result["reason"])] += 1
        return results

    def _send_patiently(self, lines: Sequence[bytes]) -> Answer:
        server = Server(self.url, self.token, self.request_seconds)
        waited = 0.0
        while True:
            try:
                answer = server.send_batch(lines, (0, 0, 0))
            except OSError:
                answer = Answer(0)
            if answer.status not in _BUSY:
                return answer
            pause = max(_PAUSE_S, float(answer.retry_seconds))
            if waited + pause > self.wait_seconds:
                raise ServerUnreachable(self.url, f"it was busy or away for {waited:.0f} s")
            time.sleep(pause)
            waited += pause


def is_told_already(results: Sequence[Mapping[str, object]]) -> bool:
    """Tell whether the server knows the session from its hooks, so that nothing more of it need be sent."""
    return any(result.get("reason") == backfill.CAPTURED_REASON for result in results)


def build_key(name: str, body: bytes, seen: Counter[bytes]) -> str:
    """Name an event by its content and, among equal ones of its session, its number: the same each time it is told."""
    digest = hashlib.blake2b(name.encode() + b"\0" + body, digest_size=16)
    seen[digest.digest()] += 1
    number = seen[digest.digest()]
    return f"{backfill.RUN}:{digest.hexdigest()}" + (f":{number}" if number > 1 else "")
