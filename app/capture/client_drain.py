"""Sends what waits in the spool, oldest first, by one process at a time.

The hook client carries a copy of this module, so that it speaks Python 3.8 and imports the standard library alone.
"""

from __future__ import annotations

import os
import time
from collections.abc import Sequence

from app.capture import client_files, client_http, client_spool
from app.capture.client_http import BATCH_TAKEN, Answer, Server
from app.capture.client_spool import Spool
from app.domain import limits
from app.domain.limits_client import SPOOL_SEGMENT_EVENTS_MAX

_DAY_SECONDS = 24 * 3600
_PAUSE_STEP_SECONDS = 0.1
# What a batch's answer says of events that will never be taken; the others are taken, or left out on purpose.
_LOST = "malformed"


def drain(spool: Spool, server: Server, until: float, *, is_asked: bool = False, is_patient: bool = False) -> None:
    """Send what waits until a moment of the monotonic clock, unless another process is at it.

    `is_asked` tries a server that was away a moment ago; `is_patient` tries it again until the time is over.
    """
    path = os.path.join(spool.folder, "drain.lock")
    is_more = not spool.is_empty()
    while is_more and time.monotonic() < until:
        lock = client_files.lock_file(path, 0)
        if lock is None:
            return
        try:
            _send_all(spool, server, until, is_asked=is_asked)
            while is_patient and spool.is_paused() and time.monotonic() < until:
                time.sleep(_PAUSE_STEP_SECONDS)
        finally:
            os.close(lock)
        # Whoever came while the lock was held left the sending to this process.
        is_more = not spool.is_empty() and not spool.is_paused(only_asked=is_asked)


def _send_all(spool: Spool, server: Server, until: float, *, is_asked: bool) -> None:
    while time.monotonic() < until and not spool.is_paused(only_asked=is_asked):
        sealed = spool.list_sealed() or spool.seal_open(until)
        if not sealed:
            return
        answer = _send_segment(spool, server, sealed[0], until)
        if answer.status == BATCH_TAKEN:
            spool.end_pause()
        elif answer.status or time.monotonic() < until:
            spool.leave_alone(answer.retry_seconds)
            return


def _send_segment(spool: Spool, server: Server, segment: tuple[str, int], until: float) -> Answer:
    path, count = segment
    try:
        lines = client_files.read_all(path).splitlines()
    except OSError:
        # What cannot be read is not empty: it stays for a person, out of the way of the rest.
        os.rename(path, path + ".corrupt")
        spool.count_lost(count, "a file of waiting events cannot be read and was set aside")
        return Answer(BATCH_TAKEN)
    fresh = _choose_fresh(spool, path, lines)
    answer, sent = Answer(BATCH_TAKEN), 0
    while sent < len(fresh) and answer.status == BATCH_TAKEN:
        opened = [line for _, line in fresh[sent : sent + SPOOL_SEGMENT_EVENTS_MAX]]
        answer, more = _send_lines(spool, server, opened, until)
        sent += more
    # What was sealed goes back as it was, sealed.
    spool.replace_segment(path, [kept for kept, _ in fresh[sent:]])
    return answer


def _choose_fresh(spool: Spool, path: str, lines: Sequence[bytes]) -> list[tuple[bytes, bytes]]:
    """Choose the lines that can be sent, each as it is kept and as it reads; the others are set aside or given up.

    They go in the order in which they happened: a hook that ran out of time left its line to a process that came later.
    """
    read = spool.open_lines(lines)
    locked = [kept for kept, line in read if line is None]
    if locked:
        spool.lock_away(path, locked)
    opened = [(kept, line) for kept, line in read if line is not None]
    good = [(kept, line) for kept, line in opened if client_spool.is_entry(line)]
    if len(good) < len(opened) or not lines:
        spool.set_aside(path, [kept for kept, line in opened if not client_spool.is_entry(line)])
    oldest = time.time() - limits.SPOOL_DAYS_MAX * _DAY_SECONDS
    fresh = [(kept, line) for kept, line in good if client_spool.read_time(line) >= oldest]
    if len(fresh) < len(good):
        spool.count_lost(len(good) - len(fresh), "events that waited for too long were given up")
    return sorted(fresh, key=lambda pair: client_spool.read_time(pair[1]))


def _send_lines(spool: Spool, server: Server, lines: Sequence[bytes], until: float) -> tuple[Answer, int]:
    """Send a batch, in halves if it is refused, so that only what the server will not have is dropped."""
    if time.monotonic() >= until:
        return Answer(0), 0
    depth, age, lost = spool.report()
    behind = max(0, depth - len(lines))
    answer = server.send_batch(lines, (behind, age if behind else 0, lost))
    if not answer.is_refusal:
        if answer.status != BATCH_TAKEN:
            return answer, 0
        malformed = [result for result in client_http.list_results(answer) if result["status"] == _LOST]
        if malformed:
            spool.count_lost(len(malformed), "waiting events were refused: %s" % malformed[0].get("reason"))
        return answer, len(lines)
    if len(lines) == 1:
        spool.count_lost(1, "a waiting event was refused with status %d" % answer.status)
        return Answer(BATCH_TAKEN), 1
    half = len(lines) // 2
    answer, sent = _send_lines(spool, server, lines[:half], until)
    if sent == half:
        answer, more = _send_lines(spool, server, lines[half:], until)
        sent += more
    return answer, sent
