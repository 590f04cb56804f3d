"""Whatever sessions, persons, time and crashes do to handoffs, the store says what a plain model of them says."""

import shutil
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path

import pytest
import sqlalchemy as sa
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from app.domain.handoff import HandoffMove, HandoffOrigin, HandoffState
from app.state import audit, engine, handoff_moves, handoffs
from app.state.engine import WriteConnection
from app.state.handoff_moves import Claim, Mover
from tests.state import builders
from tests.state.builders import NOW

LEASE, RENEWED = timedelta(seconds=600), timedelta(seconds=7200)
OPEN = (HandoffState.OFFERED, HandoffState.CLAIMED, HandoffState.RELEASED)
SESSIONS = st.sampled_from(["s1", "s2", "s3"])
# What a crash may hit; each is a transaction of its own.
JOBS = ("claim", "end", "offer", "release", "sweep", "work")
PICKS = st.integers(min_value=0, max_value=5)


class Crash(BaseException):
    """The process dies: what is on the disk at that moment is all that is left."""


@dataclass
class Row:
    """What the model knows of one handoff."""

    id: str
    is_automatic: bool
    state: HandoffState = HandoffState.OFFERED
    holder: str = ""
    token: str = ""
    lease: datetime | None = None
    is_provisional: bool = False

    def free(self) -> None:
        self.state, self.holder, self.token, self.lease, self.is_provisional = HandoffState.OFFERED, "", "", None, False


class HandoffMachine(RuleBasedStateMachine):
    """A store and the model beside it."""

    template: Path

    def __init__(self) -> None:
        super().__init__()
        self.folder = Path(tempfile.mkdtemp(prefix="machine-"))
        shutil.copy(self.template, self.folder / "state.db")
        self.now, self.rows, self.count = NOW, list[Row](), 0
        self.open()

    def open(self) -> None:
        self.engine = engine.open_engine(engine.build_sqlite_url(self.folder / "state.db"))

    def teardown(self) -> None:
        self.engine.close()
        shutil.rmtree(self.folder)

    def write(self, job: Callable[[WriteConnection], object]) -> object:
        with self.engine.write_connection() as conn, conn.begin():
            return job(conn)

    def die_within(self, job: Callable[[WriteConnection], object], steps: int) -> None:
        """Die before the job's statement of this number, or before its commit, and come back to what is left."""
        left = tempfile.mkdtemp(prefix="machine-")

        def step(*_: object) -> None:
            nonlocal steps
            steps -= 1
            if steps < 0:
                shutil.copytree(self.folder, left, dirs_exist_ok=True)
                raise Crash

        def work() -> None:
            nonlocal steps
            with self.engine.write_connection() as conn, conn.begin():
                sa.event.listen(conn, "before_cursor_execute", step)
                job(conn)
                steps = 0
                step()

        with pytest.raises(Crash):
            work()
        self.come_back(Path(left))

    def come_back(self, left: Path) -> None:
        self.engine.close()
        shutil.rmtree(self.folder)
        self.folder = left
        self.open()

    def pick(self, number: int) -> Row:
        return self.rows[-1 - number % len(self.rows)]

    def is_takeable(self, row: Row) -> bool:
        is_overdue = row.state is HandoffState.CLAIMED and row.lease is not None and row.lease <= self.now
        return is_overdue or row.state in {HandoffState.OFFERED, HandoffState.RELEASED}

    def close_outdated(self, row: Row) -> None:
        newer = [each for each in self.rows if each.is_automatic and each.state in OPEN]
        if row.is_automatic and newer[-1] is not row:
            row.state = HandoffState.SUPERSEDED

    @initialize()
    def begin(self) -> None:
        self.write(builders.seed)

    @rule(session=SESSIONS, is_automatic=st.booleans())
    def offer(self, session: str, is_automatic: bool) -> None:  # noqa: FBT001 - hypothesis names its arguments
        self.count += 1
        self.now += timedelta(seconds=1)
        origin = HandoffOrigin.AUTOMATIC if is_automatic else HandoffOrigin.MANUAL
        made = builders.handoff(f"h{self.count:03}", origin=origin, cwd="/w", created_at=self.now)
        self.write(lambda conn: handoff_moves.offer_handoff(conn, made, Mover("ann", session, self.now)))
        for row in self.rows if is_automatic else ():
            if row.is_automatic and (self.is_takeable(row) or (row.state in OPEN and row.holder == session)):
                row.state = HandoffState.SUPERSEDED
        self.rows.append(Row(made.id, is_automatic))

    def build_claim(self, row: Row, session: str, *, is_provisional: bool) -> Claim:
        self.count += 1
        token = f"token-{self.count}"
        return Claim(row.id, session, "codex", token, self.now, self.now + LEASE, is_provisional, "ann")

    @precondition(lambda self: self.rows)
    @rule(number=PICKS, session=SESSIONS, is_provisional=st.booleans())
    def claim(self, number: int, session: str, is_provisional: bool) -> None:  # noqa: FBT001
        row = self.pick(number)
        wish = self.build_claim(row, session, is_provisional=is_provisional)
        is_own = row.holder == session and row.state in OPEN
        may_win = is_own or self.is_takeable(row)

        assert self.write(lambda conn: handoff_moves.claim_handoff(conn, wish)) is may_win
        if not may_win:
            return
        if is_own and row.state is HandoffState.CLAIMED and row.lease is not None:
            row.lease, row.is_provisional = max(row.lease, wish.lease_until), row.is_provisional and is_provisional
            return
        row.is_provisional = is_provisional and (row.is_provisional or not is_own)
        row.token = row.token if is_own else wish.token
        row.state, row.holder, row.lease = HandoffState.CLAIMED, session, wish.lease_until

    @precondition(lambda self: self.rows)
    @rule(number=PICKS, session=SESSIONS, job=st.sampled_from(JOBS), steps=st.integers(min_value=0, max_value=8))
    def crash_in_the_middle(self, number: int, session: str, job: str, steps: int) -> None:
        row = self.pick(number)
        wish = self.build_claim(row, session, is_provisional=True)
        made = builders.handoff("never", origin=HandoffOrigin.AUTOMATIC, cwd="/w", created_at=self.now)
        jobs: dict[str, Callable[[WriteConnection], object]] = {
            "offer": lambda conn: handoff_moves.offer_handoff(conn, made, Mover("ann", session, self.now)),
            "claim": lambda conn: handoff_moves.claim_handoff(conn, wish),
            "work": lambda conn: handoff_moves.confirm_leases(
                conn, [session], now=self.now, lease_until=self.now + RENEWED
            ),
            "end": lambda conn: handoff_moves.give_back_provisional(conn, [session], self.now),
            "release": lambda conn: handoff_moves.move_handoff(
                conn, handoffs.get_handoff(conn, row.id), HandoffMove.RELEASE, Mover("ann", "", self.now)
            ),
            "sweep": lambda conn: handoff_moves.lapse_leases(conn, self.now),
        }
        self.die_within(jobs[job], steps)

    @rule()
    def crash_between_two_jobs(self) -> None:
        left = Path(tempfile.mkdtemp(prefix="machine-"))
        shutil.copytree(self.folder, left, dirs_exist_ok=True)
        self.come_back(left)

    @rule(session=SESSIONS)
    def work(self, session: str) -> None:
        until = self.now + RENEWED
        self.write(lambda conn: handoff_moves.confirm_leases(conn, [session], now=self.now, lease_until=until))
        for row in self.rows:
            if row.holder == session and row.state in {HandoffState.CLAIMED, HandoffState.RELEASED}:
                is_due = row.lease is not None and row.lease + timedelta(seconds=30) <= until
                if row.state is HandoffState.RELEASED or row.is_provisional or is_due:
                    row.lease = until
                row.state, row.is_provisional = HandoffState.CLAIMED, False

    @rule(session=SESSIONS)
    def end_without_work(self, session: str) -> None:
        self.write(lambda conn: handoff_moves.give_back_provisional(conn, [session], self.now))
        for row in self.rows:
            if row.holder == session and row.is_provisional and row.state in OPEN:
                row.free()
                self.close_outdated(row)

    @precondition(lambda self: self.rows)
    @rule(number=PICKS, move=st.sampled_from([HandoffMove.RELEASE, HandoffMove.FINISH, HandoffMove.CANCEL]))
    def move(self, number: int, move: HandoffMove) -> None:
        row = self.pick(number)
        seen = self.engine.read(lambda conn: handoffs.get_handoff(conn, row.id))
        is_held = row.state in {HandoffState.CLAIMED, HandoffState.RELEASED}
        may_move = row.state in OPEN if move is HandoffMove.CANCEL else is_held

        by = Mover("ann", "", self.now)
        assert self.write(lambda conn: handoff_moves.move_handoff(conn, seen, move, by)) is may_move
        if may_move and move is HandoffMove.RELEASE:
            row.free()
            self.close_outdated(row)
        elif may_move:
            row.state = HandoffState.DONE if move is HandoffMove.FINISH else HandoffState.CANCELLED

    @rule(seconds=st.sampled_from([1, 59, 600, 7200]))
    def wait(self, seconds: int) -> None:
        self.now += timedelta(seconds=seconds)

    @rule()
    def sweep(self) -> None:
        self.write(lambda conn: handoff_moves.lapse_leases(conn, self.now))
        overdue = [row for row in self.rows if row.state is HandoffState.CLAIMED and self.is_takeable(row)]
        for row in sorted(overdue, key=lambda row: (row.lease, row.id)):
            row.state = HandoffState.RELEASED
            self.close_outdated(row)

    @invariant()
    def is_what_the_model_says(self) -> None:
        for row in self.rows:
            found = self.engine.read(lambda conn, wanted=row.id: handoffs.get_handoff(conn, wanted))
            assert (found.state, found.holder_session_id, found.claim_token) == (row.state, row.holder, row.token)
            assert (found.lease_until, found.is_provisional) == (row.lease, row.is_provisional)
        stored = self.engine.read(
            lambda conn: handoffs.list_handoffs(conn, project_id=None, states=set(HandoffState), owner=None, limit=100)
        )
        assert {each.id for each in stored} == {row.id for row in self.rows}
        waiting = [row for row in self.rows if row.is_automatic and self.is_takeable(row)]
        assert len([row for row in waiting if row.state is not HandoffState.CLAIMED]) <= 1
        assert self.engine.read(audit.verify_audit).broken_at is None


def test_no_mix_of_moves_and_crashes_breaks_the_life_of_handoffs(migrated_file: Path) -> None:
    HandoffMachine.template = migrated_file
    run_state_machine_as_test(
        HandoffMachine,
        settings=settings(
            max_examples=25, stateful_step_count=25, deadline=None, suppress_health_check=list(HealthCheck)
        ),
    )
