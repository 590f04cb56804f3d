"""How fast events may come: a token bucket for each access token and for each session, in memory."""

from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from app.capture.arrival import Arrival
from app.domain.capture_errors import RateLimited
from app.domain.limits import RATE_BUCKETS_MAX, RATE_BURST_SECONDS


@dataclass(slots=True)
class _Bucket:
    level: float
    filled_at: float


class Buckets:
    """Buckets that fill at one rate, one per key; a rate of 0 sets no limit.

    A whole batch passes a bucket that is full, however many events it has, and leaves a debt that time pays; so the
    rate holds on average, and no batch is too long to ever pass.
    """

    def __init__(self, events_per_second: float, now: Callable[[], float]) -> None:
        self._rate, self._now = events_per_second, now
        self._room = max(1.0, events_per_second * RATE_BURST_SECONDS)
        self._buckets: OrderedDict[bytes | str, _Bucket] = OrderedDict()

    def find_wait(self, key: bytes | str, events: int) -> float:
        """Tell in how many seconds so many events may pass; 0 if they may now."""
        if not self._rate or not events:
            return 0.0
        lacking = min(events, self._room) - self._fill(key).level
        return max(0.0, lacking / self._rate)

    def take(self, key: bytes | str, events: int) -> None:
        """Let events pass."""
        if self._rate and events:
            self._fill(key).level -= events

    def _fill(self, key: bytes | str) -> _Bucket:
        now = self._now()
        bucket = self._buckets.get(key)
        if bucket is None:
            bucket = self._buckets[key] = _Bucket(self._room, now)
            if len(self._buckets) > RATE_BUCKETS_MAX:
                # The one that was used least lately is full again in all likelihood.
                self._buckets.popitem(last=False)
        bucket.level = min(self._room, bucket.level + (now - bucket.filled_at) * self._rate)
        bucket.filled_at = now
        self._buckets.move_to_end(key)
        return bucket


class Pace:
    """The limits of one server; used by its event loop alone."""

    def __init__(self, *, per_token: float, per_session: float, now: Callable[[], float]) -> None:
        self._is_limited = bool(per_token or per_session)
        self._tokens, self._sessions = Buckets(per_token, now), Buckets(per_session, now)

    def admit(self, token: bytes, arrivals: Sequence[Arrival]) -> None:
        """Let all of a request's events pass or none, so that the order within a session holds.

        Raises:
            RateLimited: they come too fast; it says when to try again.
        """
        if not self._is_limited:
            return
        counts: dict[str, int] = {}
        for arrival in arrivals:
            name = arrival.event.agent_session_id
            counts[name] = counts.get(name, 0) + 1
        waits = [self._sessions.find_wait(name, count) for name, count in counts.items()]
        wait = max([self._tokens.find_wait(token, len(arrivals)), *waits])
        if wait:
            raise RateLimited(int(wait * 1000) + 1)
        self._tokens.take(token, len(arrivals))
        for name, count in counts.items():
            self._sessions.take(name, count)
