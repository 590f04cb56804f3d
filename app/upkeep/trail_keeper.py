"""Keeps the audit trail while the server runs: checkpoints, old rows that leave, what was only counted or left."""

import logging
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import TypeVar

from app.access.denials import Denials
from app.domain import errand
from app.domain.clock import Clock, has_passed
from app.domain.errors import AppError
from app.domain.limits import SHUTDOWN_SECONDS_MAX, STATE_WRITE_SECONDS_MAX
from app.domain.limits_trail import CHECKPOINT_SECONDS, LEFT_DEEDS_KNOWN_ROWS, TRAIL_LOOK_SECONDS
from app.state import audit
from app.state.audit import AuditEntry, TrailCheck
from app.state.engine import StateEngine, WriteConnection
from app.state.writer import Writer
from app.upkeep import checkpoints, left_deeds
from app.wiki.committer import Committer

Moment = TypeVar("Moment", datetime, None)

_LOG = logging.getLogger(__name__)
_PASSED_OVER = "audit.passed-over"


@dataclass(frozen=True, slots=True)
class TrailParts:
    """What the trail is kept with; `kept` is for how long its rows stay at first, zero for ever.

    In `data_dir` commands leave what they did themselves.
    """

    engine: StateEngine
    writer: Writer
    committer: Committer
    denials: Denials
    clock: Clock
    data_dir: Path
    kept: timedelta = timedelta(0)


class TrailKeeper:
    """The thread that looks after the trail now and then."""

    def __init__(self, parts: TrailParts) -> None:
        self._parts, self.kept = parts, parts.kept
        self._is_stopping = threading.Event()
        self._thread = threading.Thread(target=self._run, name="trail-keeper", daemon=True)

    def start(self) -> None:
        """Begin to look."""
        self._thread.start()

    def stop(self) -> None:
        """Write what was only counted, and end the thread; the writer must still work."""
        self._is_stopping.set()
        if self._thread.ident is not None:
            self._thread.join(SHUTDOWN_SECONDS_MAX)
            self._tell_failure(lambda _: self.take_left(), None)
            self._tell_failure(self._note_passed_over, None)

    def close(self) -> None:
        """Leave a last checkpoint, once nothing is written any more and while git still commits."""
        self._tell_failure(self.mark, self._parts.clock.now())

    def look(self, now: datetime) -> None:
        """Do what is due."""
        self.take_left()
        self._note_passed_over(now)
        self._retire(now)
        last = checkpoints.find_checkpoint(self._parts.committer)
        if has_passed(last.at if last else None, now, timedelta(seconds=CHECKPOINT_SECONDS)):
            self.mark(now)

    def take_left(self) -> None:
        """Write what commands did beside the server, and left for the trail."""
        left = list(left_deeds.list_deeds(self._parts.data_dir))
        if not left:
            return
        taking = self._parts.writer.submit(lambda conn: _insert_unknown(conn, [entry for _, entry in left]))
        taking.result(STATE_WRITE_SECONDS_MAX)
        for path, _ in left:
            path.unlink(missing_ok=True)

    def mark(self, now: datetime) -> None:
        """Write a checkpoint, if the trail has grown since the last one."""
        end = self._parts.engine.read(audit.find_end)
        last = checkpoints.find_checkpoint(self._parts.committer)
        if end is not None and (last is None or last.end != end):
            checkpoints.write_checkpoint(self._parts.committer, end, now)

    def verify(self) -> TrailCheck:
        """Walk the whole trail, and compare it with what the wiki's history knows of it.

        Raises:
            WikiUnreadable: git failed.
        """
        # The checkpoints are read first: rows that come meanwhile are no fault.
        known = checkpoints.list_checkpoints(self._parts.committer)
        return self._parts.engine.read(audit.verify_audit, known)

    def _retire(self, now: datetime) -> None:
        parts, kept = self._parts, self.kept
        if not kept:
            return
        retiring = parts.writer.submit(lambda conn: audit.retire_audit(conn, now - kept, now))
        retiring.result(STATE_WRITE_SECONDS_MAX)

    def _note_passed_over(self, before: datetime | None) -> None:
        now, parts = self._parts.clock.now(), self._parts
        over = parts.denials.take_over(before)
        rows = [AuditEntry(now, each.caller or "-", _PASSED_OVER, f"{each.count} refused requests") for each in over]
        if rows:
            noting = parts.writer.submit(lambda conn: [audit.insert_audit(conn, row) for row in rows])
            noting.result(STATE_WRITE_SECONDS_MAX)

    def _run(self) -> None:
        self._tell_failure(lambda _: self.take_left(), None)
        while not self._is_stopping.wait(TRAIL_LOOK_SECONDS):
            self._tell_failure(self.look, self._parts.clock.now())

    def _tell_failure(self, work: Callable[[Moment], None], moment: Moment) -> None:
        try:
            work(moment)
        except AppError as error:
            _LOG.warning("the audit trail could not be looked after: %s", error)
        except Exception:  # noqa: BLE001 - the thread's boundary: the next look tries again
            _LOG.warning("the audit trail could not be looked after", exc_info=True)


def _insert_unknown(conn: WriteConnection, entries: Sequence[AuditEntry]) -> None:
    """Insert what the trail does not have yet: a server may have been killed before it removed what it had taken."""
    known = {(row.at, row.context) for row in audit.list_audit(conn, LEFT_DEEDS_KNOWN_ROWS)}
    # Writing is on nobody's errand here, since what the row says is where the command came from.
    with errand.resume(None):
        for entry in entries:
            if (entry.at, entry.context) not in known:
                audit.insert_audit(conn, entry)
