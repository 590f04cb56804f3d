"""The spool: events of all agents of a machine that wait for the server, as JSON lines that only this user may read.

`events.jsonl` grows; a full one is sealed under a number and its count, and a sealed one is sent as one batch. What
waits has been given to the operating system, which keeps it when this process is killed; it is not forced to the disk.
The hook client carries a copy of this module, so that it speaks Python 3.8 and imports the standard library alone.
"""

from __future__ import annotations

import json
import os
import re
import time
from collections.abc import Sequence

from app.capture import client_files
from app.domain import limits
from app.domain.limits_client import SPOOL_SEGMENT_BYTES_MAX, SPOOL_SEGMENT_EVENTS_MAX

# How long the server is left alone: as long as it asked, else twice as long after each time that it was away.
_ASKED_SECONDS_MAX, _AWAY_SECONDS_MAX = 300, 30
_DAY_SECONDS = 24 * 3600
_ASKED = b"asked"
_IS_SEALED = re.compile(rb'\{"at": \d{1,15}, "sealed": "')
_SEALED = re.compile(r"events-\d{12}-(\d+)\.jsonl$")


class Spool:
    """The events that wait in a folder; nothing is made there before something has to be kept."""

    def __init__(self, folder: str) -> None:
        self.folder = folder
        self._open, self._pause = os.path.join(folder, "events.jsonl"), os.path.join(folder, "pause")

    def is_empty(self) -> bool:
        """Tell cheaply whether nothing waits; a folder that cannot be read has nothing that could be sent."""
        try:
            return not any(name == "events.jsonl" or _SEALED.match(name) for name in os.listdir(self.folder))
        except OSError:
            return True

    def report(self) -> tuple[int, int, int]:
        """Tell how many events wait, for how many seconds the first has, and how many were ever lost.

        Raises:
            OSError: the folder cannot be read, so that nobody knows.
        """
        sealed = self.list_sealed()
        waiting = client_files.read_all(self._open) if os.path.exists(self._open) else b""
        first = read_time(client_files.read_all(sealed[0][0], 64) if sealed else waiting[:64])
        lost = sum(map(int, re.findall(r"\d{1,6}", client_files.read_text(os.path.join(self.folder, "lost")))))
        depth = sum(count for _, count in sealed) + waiting.count(b"\n")
        return depth, max(0, int(time.time() - first)) if first else 0, lost

    def append(self, entry: bytes, until: float = float("inf")) -> bool:
        """Add one event, at the price of the oldest ones if there is no room left; without a form it is lost.

        The answer is false if others kept the spool locked until a moment of the monotonic clock.
        """
        if not entry:
            self.count_lost(1, "an event could not be read")
            return True
        entry = self._seal_entry(entry)
        if not entry:
            return True
        lock = client_files.lock_file(os.path.join(self.folder, "spool.lock"), until)
        if lock is None:
            return False
        try:
            waiting = client_files.read_bytes(self._open)
            if waiting and (
                waiting.count(b"\n") >= SPOOL_SEGMENT_EVENTS_MAX or len(waiting + entry) > SPOOL_SEGMENT_BYTES_MAX
            ):
                self._seal()
                waiting = b""
            self._make_room(len(entry))
            # A line that a crash left without its end spoils itself alone.
            if not client_files.append_file(self._open, entry if waiting[-1:] in {b"", b"\n"} else b"\n" + entry):
                self.count_lost(1, "the disk took no more")
            return True
        finally:
            os.close(lock)

    def list_sealed(self) -> list[tuple[str, int]]:
        """List the files that are ready to be sent, oldest first, each with the number of its events.

        Raises:
            OSError: the folder cannot be read.
        """
        names = sorted(os.listdir(self.folder)) if os.path.isdir(self.folder) else []
        found = [_SEALED.match(name) for name in names]
        return [(os.path.join(self.folder, each.group(0)), int(each.group(1))) for each in found if each]

    def seal_open(self, until: float) -> list[tuple[str, int]]:
        """Seal the file that grows, and list what is ready."""
        lock = client_files.lock_file(os.path.join(self.folder, "spool.lock"), until)
        if lock is None:
            return []
        try:
            if os.path.exists(self._open):
                self._seal()
        finally:
            os.close(lock)
        return self.list_sealed()

    def open_lines(self, lines: Sequence[bytes]) -> list[tuple[bytes, bytes | None]]:
        """Pair each line with what it reads as; None stands for one whose key or cipher is not to be had."""
        if not any(map(is_sealed, lines)):
            return [(line, line) for line in lines]
        from app.capture import client_seal

        keys = client_seal.read_keys(client_files.find_key_file(os.environ, self.folder))
        cipher = client_seal.load_cipher()
        return [(line, client_seal.open_line(cipher, keys, line) if is_sealed(line) else line) for line in lines]

    def set_aside(self, path: str, lines: Sequence[bytes]) -> None:
        """Keep lines that cannot be read where a person can look at them, and count them as lost."""
        self._put_aside(path + ".corrupt", lines)
        self.count_lost(max(1, len(lines)), "entries that cannot be read were set aside")

    def lock_away(self, path: str, lines: Sequence[bytes]) -> None:
        """Keep lines whose key is not here where it may open them one day, and count them as lost."""
        self._put_aside(path + ".locked", lines)
        self.count_lost(len(lines), "entries whose key is not here were set aside")

    def _put_aside(self, path: str, lines: Sequence[bytes]) -> None:
        """Keep lines beside the spool as long as events may wait in it; what lies there for longer goes."""
        for name in os.listdir(self.folder):
            old = os.path.join(self.folder, name)
            oldest = time.time() - limits.SPOOL_DAYS_MAX * _DAY_SECONDS
            if name.endswith((".corrupt", ".locked")) and os.path.isfile(old) and os.path.getmtime(old) < oldest:
                client_files.remove_file(old)
        client_files.append_file(path, b"\n".join([*lines, b""]))

    def replace_segment(self, path: str, rest: Sequence[bytes]) -> None:
        """Leave of a sealed file what was not sent; a crash in between has it sent again under the same keys."""
        left = re.sub(r"-\d+\.jsonl$", "-%d.jsonl" % len(rest), path)
        if rest and left != path:
            if not client_files.append_file(left + ".part", b"\n".join([*rest, b""])):
                client_files.remove_file(left + ".part")
                return
            os.replace(left + ".part", left)
        if not rest or left != path:
            os.unlink(path)

    def leave_alone(self, seconds: int = 0) -> None:
        """Leave the server alone: for as long as it asked, else for longer each time."""
        known = client_files.read_bytes(self._pause, 16)
        delay = min(seconds, _ASKED_SECONDS_MAX)
        if not seconds:
            delay = min(_AWAY_SECONDS_MAX, 2 * int(known)) if known.isdigit() else 1
        client_files.remove_file(self._pause)
        if client_files.append_file(self._pause, _ASKED if seconds else b"%d" % delay):
            until = time.time() + delay
            os.utime(self._pause, (until, until))

    def end_pause(self) -> None:
        """Forget that the server was away."""
        client_files.remove_file(self._pause)

    def is_paused(self, *, only_asked: bool = False) -> bool:
        """Tell whether the server is to be left alone; `only_asked` looks past its being away."""
        try:
            left = os.path.getmtime(self._pause) - time.time()
        except OSError:
            return False
        is_asked = client_files.read_bytes(self._pause, 16) == _ASKED
        return 0 < left <= _ASKED_SECONDS_MAX and (is_asked or not only_asked)

    def remember_server(self, url: str) -> None:
        """Remember whom the events are for, so that a command that speaks to another server does not send them."""
        if self.read_server() != url.rstrip("/"):
            client_files.remove_file(os.path.join(self.folder, "server"))
            client_files.append_file(os.path.join(self.folder, "server"), url.rstrip("/").encode("utf-8", "replace"))

    def read_server(self) -> str:
        """Tell which server hooks last kept an event for."""
        return client_files.read_text(os.path.join(self.folder, "server"))

    def count_lost(self, count: int, reason: str) -> None:
        """Remember for the server's status that events are gone, and why."""
        self.note(reason)
        client_files.append_file(os.path.join(self.folder, "lost"), b"%d\n" % count)

    def note(self, text: str) -> None:
        """Write one line to the log, which never grows past twice its bound."""
        path = os.path.join(self.folder, "hook.log")
        if len(client_files.read_bytes(path)) > limits.HOOK_LOG_BYTES_MAX:
            os.replace(path, path + ".1")
        line = "%s %s\n" % (client_files.render_time(time.time()), re.sub(r"[^ -~]", "?", text)[:300])
        client_files.append_file(path, line.encode())

    def count_unsealed(self) -> int:
        """Count the events that were kept in clear, although they should be sealed, since one last was."""
        return client_files.read_bytes(os.path.join(self.folder, "unsealed")).count(b"\n")

    def _seal_entry(self, entry: bytes) -> bytes:
        """Seal an event where a key file says so; what cannot be is kept in clear and told, or given up and told."""
        path = client_files.find_key_file(os.environ, self.folder)
        if not path:
            return entry
        from app.capture import client_seal

        keys = client_seal.read_keys(path)
        cipher = client_seal.load_cipher() if keys.secrets else None
        told = os.path.join(self.folder, "unsealed")
        if cipher:
            client_files.remove_file(told)
            return client_seal.seal_line(cipher, keys.secrets[0], entry)
        reason = keys.fault or "this Python lends no cipher"
        if keys.is_required:
            self.count_lost(1, "an event could not be sealed and may not be kept in clear: " + reason)
            return b""
        self.note("an event is kept in clear: " + reason)
        client_files.append_file(told, b"1\n")
        return entry

    def _seal(self) -> None:
        sealed = self.list_sealed()
        number = int(os.path.basename(sealed[-1][0])[7:19]) + 1 if sealed else 1
        count = client_files.read_bytes(self._open).count(b"\n")
        os.rename(self._open, os.path.join(self.folder, "events-%012d-%d.jsonl" % (number, count)))

    def _make_room(self, size: int) -> None:
        sealed = self.list_sealed()
        events = sum(count for _, count in sealed) + SPOOL_SEGMENT_EVENTS_MAX
        size += sum(os.path.getsize(path) for path, _ in sealed) + SPOOL_SEGMENT_BYTES_MAX
        for path, count in sealed:
            is_old = os.path.getmtime(path) < time.time() - limits.SPOOL_DAYS_MAX * _DAY_SECONDS
            if not is_old and events <= limits.SPOOL_EVENTS_MAX and size <= limits.SPOOL_BYTES_MAX:
                break
            events, size = events - count, size - os.path.getsize(path)
            os.unlink(path)
            self.count_lost(count, "the oldest waiting events made room")


def is_sealed(line: bytes) -> bool:
    """Tell whether a line is sealed, under whatever key."""
    return _IS_SEALED.match(line) is not None


def is_entry(line: bytes) -> bool:
    """Tell whether a line is an event that waits, whole and in its form."""
    try:
        entry = json.loads(line)
        texts = [entry[name] for name in ("key", "agent", "event")]
        return all(isinstance(text, str) for text in texts) and isinstance(entry["payload"], dict)
    except Exception:
        return False


def read_time(line: bytes) -> float:
    """Read from the head of a line when its event happened, in seconds; 0 if it does not say."""
    found = re.match(rb'\{"at": (\d{1,15})[,}]', line)
    return int(found.group(1)) / 1000 if found else 0
