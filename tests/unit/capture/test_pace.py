"""How fast events may come."""

import pytest

from app.capture import arrival, exclude, policy
from app.capture.arrival import Arrival, Sender
from app.capture.pace import Pace
from app.domain.capture_errors import RateLimited
from app.domain.event import Actor, AgentName, Event, EventKind
from tests.fakes import FakeClock


class Seconds:
    """A clock of plain seconds."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


def build_arrivals(count: int, session: str = "s") -> list[Arrival]:
    event = Event(AgentName.CODEX, EventKind.TURN_END, "Stop", session, Actor.AGENT)
    sender = Sender(owner="local", workspace="main", received_at=FakeClock().now())
    kept = policy.decide(exclude.NO_POLICY, policy.EventFacts(kind="turn_end"))
    return [arrival.build_arrival(event, sender, kept)] * count


def find_wait(pace: Pace, arrivals: list[Arrival], token: bytes = b"") -> int:
    """Tell how many milliseconds a sender is asked to wait; 0 if it passed."""
    try:
        pace.admit(token, arrivals)
    except RateLimited as error:
        return error.retry_after_ms
    return 0


def test_no_limit_is_set_by_itself() -> None:
    pace = Pace(per_token=0, per_session=0, now=Seconds())

    assert find_wait(pace, build_arrivals(1_000_000)) == 0


def test_a_burst_passes_and_one_past_it_waits() -> None:
    seconds = Seconds()
    pace = Pace(per_token=0, per_session=5, now=seconds)

    assert [find_wait(pace, build_arrivals(1)) for _ in range(10)] == [0] * 10
    wait = find_wait(pace, build_arrivals(1))
    seconds.now += wait / 1000

    assert 200 <= wait <= 201
    assert find_wait(pace, build_arrivals(1)) == 0
    assert find_wait(pace, build_arrivals(1)) > 0


def test_sessions_and_tokens_have_their_own_limits() -> None:
    per_session = Pace(per_token=0, per_session=1, now=Seconds())
    per_token = Pace(per_token=1, per_session=0, now=Seconds())

    assert find_wait(per_session, build_arrivals(2)) == 0
    assert find_wait(per_session, build_arrivals(2, "other")) == 0
    assert find_wait(per_session, build_arrivals(1)) > 0
    assert find_wait(per_token, build_arrivals(2), b"one") == 0
    assert find_wait(per_token, build_arrivals(1, "other"), b"one") > 0
    assert find_wait(per_token, build_arrivals(1), b"other") == 0


def test_a_batch_larger_than_the_burst_passes_once_and_is_paid_for_by_time() -> None:
    seconds = Seconds()
    pace = Pace(per_token=0, per_session=10, now=seconds)

    assert find_wait(pace, build_arrivals(256)) == 0
    wait = find_wait(pace, build_arrivals(256))

    assert 25_600 <= wait <= 25_601
    seconds.now += wait / 1000
    assert find_wait(pace, build_arrivals(256)) == 0


def test_a_batch_passes_whole_or_not_at_all() -> None:
    pace = Pace(per_token=0, per_session=1, now=Seconds())
    pace.admit(b"", build_arrivals(2, "tired"))

    assert find_wait(pace, [*build_arrivals(2, "fresh"), *build_arrivals(1, "tired")]) > 0
    assert find_wait(pace, build_arrivals(2, "fresh")) == 0


@pytest.mark.parametrize("rate", [0.01, 0.5])
def test_a_rate_below_one_lets_single_events_pass(rate: float) -> None:
    seconds = Seconds()
    pace = Pace(per_token=rate, per_session=0, now=seconds)

    assert find_wait(pace, build_arrivals(1)) == 0
    wait = find_wait(pace, build_arrivals(1))
    seconds.now += wait / 1000

    assert wait == pytest.approx(1000 / rate, abs=2)
    assert find_wait(pace, build_arrivals(1)) == 0
