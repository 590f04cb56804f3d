"""Takes single events past the application: what is to be done for each of thousands a second, and nothing else.

Whatever is not the plain case goes through the application as any other request does, with what became of it so far.
"""

import asyncio
import time
from collections.abc import Sequence
from functools import partial
from typing import Final

import msgspec

from app.agents import registry
from app.agents.agent import Agent
from app.capture import hook_request
from app.capture.arrival import Arrival, Dropped
from app.capture.hook_request import OWN_HEADERS, Caller, EventsJob, Told
from app.capture.outcome import IngestOutcome, IngestStatus
from app.domain.errand import Errand, Origin
from app.domain.errors import AppError
from app.domain.limits_reading import READING_GROUP_MAX, READING_GROUP_MIN
from app.domain.person import Principal, Right
from app.entrypoints import request_ids
from app.entrypoints.http import proxied, watched
from app.entrypoints.http.events import Settled
from app.entrypoints.http.guard import Guard
from app.entrypoints.http.hook_passing import Passing
from app.entrypoints.http.tally import Tally
from app.wiring import Runtime

_AREA: Final = "hook"
_KEPT: Final = frozenset({IngestStatus.STORED, IngestStatus.REPLAYED})


class HookLane:
    """Answers `POST /hook` where a 202 without a body is all that there is to say; runs on one event loop.

    While a second process reads, what comes in one turn of the loop goes there together, one group at a time.
    """

    def __init__(self, runtime: Runtime, guard: Guard, tally: Tally, numbers: request_ids.Numbers) -> None:
        self._runtime, self._guard, self._tally, self._numbers = runtime, guard, tally, numbers
        self._has_proxies = bool(runtime.trusted_proxies)
        self._waiting: list[_Journey] = []
        self._is_group_under_way = False

    def take(self, passing: Passing) -> bool:
        """Take an event on its way to the store; False if it is to be answered as any other request is."""
        headers = passing.headers
        if self._runtime.meter.spans is not None:
            # Traces are of requests, and this is none.
            return False
        if watched.HEADER in headers or (self._has_proxies and not proxied.MARKS.isdisjoint(headers)):
            return False
        try:
            principal = self._guard.recall_sender(headers)
            if principal is None or Right.CAPTURE not in principal.rights.uses:
                return False
            journey = self._begin(passing, principal)
        except Exception:  # noqa: BLE001 - the application meets the same fault, and answers it
            return False
        self._runtime.pulse.enter()
        if self._waiting or self._is_group_under_way:
            self._waiting.append(journey)
        elif self._runtime.reader.has_company:
            self._waiting.append(journey)
            asyncio.get_running_loop().call_soon(self._send_group)
        else:
            self._runtime.reader.note(1)
            self._read_here(journey)
        return True

    def _begin(self, passing: Passing, principal: Principal) -> "_Journey":
        begun, request_id = time.perf_counter(), self._numbers.take()
        agent_name, event_name = hook_request.parse_query(passing.query)
        headers: dict[bytes, bytes] = {n: passing.headers[n] for n in OWN_HEADERS if n in passing.headers}
        caller = Caller(headers, principal.person, principal.reach, self._runtime.clock.now())
        agent, told = registry.find_agent(agent_name), Told(agent_name, event_name, passing.body, caller)
        find_origin = partial(Origin, principal.token_id, principal.web_session_id, passing.address, request_id)
        return _Journey(self, passing, (agent, told), (request_id, begun), Errand(find_origin))

    def _read_here(self, journey: "_Journey") -> None:
        try:
            item = hook_request.read_event(journey.told, self._runtime.terms)
        except Exception:  # noqa: BLE001 - the application meets the same fault, and answers it
            self._leave(journey)
        else:
            self._store(journey, item)

    def _send_group(self) -> None:
        """Have what has come be read in the other process, or here where that would not pay."""
        if self._is_group_under_way or not self._waiting:
            return
        if len(self._waiting) < READING_GROUP_MIN:
            group, self._waiting = self._waiting, []
            self._runtime.reader.note(len(group))
            for journey in group:
                self._read_here(journey)
            return
        group, self._waiting = self._waiting[:READING_GROUP_MAX], self._waiting[READING_GROUP_MAX:]
        self._is_group_under_way = True
        job = EventsJob([journey.told for journey in group], self._runtime.terms)
        asyncio.wrap_future(self._runtime.reader.submit(job)).add_done_callback(partial(self._take_group, group))

    def _take_group(self, group: Sequence["_Journey"], done: "asyncio.Future[list[Arrival | Dropped | None]]") -> None:
        self._is_group_under_way = False
        if done.cancelled() or done.exception() is not None:
            for journey in group:
                self._leave(journey)
        else:
            for journey, item in zip(group, done.result(), strict=True):
                if item is None:
                    self._leave(journey)
                else:
                    self._store(journey, item)
        # While these are saved the next ones are read, which is worth more than one commit for both.
        self._runtime.writer.urge()
        self._send_group()

    def _store(self, journey: "_Journey", item: Arrival | Dropped) -> None:
        journey.item = item
        if isinstance(item, Dropped):
            self.pass_on(journey, None)
            return
        # It was read on nobody's behalf.
        msgspec.structs.force_setattr(item, "errand", journey.errand)
        try:
            self._runtime.pace.admit(journey.passing.headers.get(b"authorization", b""), [item])
            self._runtime.queue_arrival(item, journey)
        except AppError as error:
            self.pass_on(journey, error)

    def answer(self, journey: "_Journey", outcome: IngestOutcome) -> None:
        """Accept an event that is on the disk, or have the application say more about it."""
        self._runtime.note_stored(outcome)
        arrival = journey.item
        assert isinstance(arrival, Arrival), "nothing else is stored"
        if outcome.status not in _KEPT or (outcome.session_id and journey.agent.takes_brief_at(arrival.event)):
            self.pass_on(journey, outcome)
            return
        journey.passing.accept(journey.request_id)
        seconds = time.perf_counter() - journey.begun
        self._runtime.pulse.leave()
        self._tally.note(_AREA, 202, seconds)
        self._runtime.meter.tell_slow("request POST hook", seconds)

    def pass_on(self, journey: "_Journey", result: IngestOutcome | Exception | None) -> None:
        """Have the application answer what was done here."""
        assert journey.item is not None, "it was read"
        self._runtime.pulse.leave()
        journey.passing.pass_on(journey.request_id, Settled(journey.item, result))

    def _leave(self, journey: "_Journey") -> None:
        """Have the application do all of it."""
        self._runtime.pulse.leave()
        journey.passing.pass_on(journey.request_id, None)


class _Journey:
    """One event between its request and its answer; the writer's waiter."""

    __slots__ = ("_lane", "agent", "begun", "errand", "item", "passing", "request_id", "told")

    def __init__(
        self, lane: HookLane, passing: Passing, event: tuple[Agent, Told], mark: tuple[str, float], errand: Errand
    ) -> None:
        self._lane, self.passing, self.errand = lane, passing, errand
        self.agent, self.told = event
        self.request_id, self.begun = mark
        self.item: Arrival | Dropped | None = None

    def done(self) -> bool:
        """Tell that whatever comes is to be noted, also when the sender is gone."""
        return False

    def set_result(self, result: IngestOutcome, /) -> None:
        """Answer what is on the disk."""
        try:
            self._lane.answer(self, result)
        except Exception as error:  # noqa: BLE001 - whoever else was stored with it is still to be told
            self._lane.pass_on(self, error)

    def set_exception(self, exception: Exception, /) -> None:
        """Answer what could not be stored."""
        self._lane.pass_on(self, exception)
