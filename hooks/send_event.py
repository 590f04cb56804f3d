"""Send one event of a coding agent to memwiki: silent, never late, never failing the agent that runs it.

Standard library only, any Python from 3.8, one file. What the server cannot take now is redacted and kept in the
spool; whichever hook runs next sends it, in order. What costs start-up time is imported where it is needed.
"""

from __future__ import annotations

import _thread
import json
import os
import re
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence

BODY_BYTES_MAX = 10 * 1024 * 1024
SPOOLED_BODY_BYTES_MAX = 4 * 1024 * 1024
ANSWER_BYTES_MAX = 1024 * 1024
CHECKOUT_BYTES_MAX = 16 * 1024
FOLDERS_MAX = 64
TEXT_CHARS_MAX = 32 * 1024
PAYLOAD_CHARS_MAX = 256 * 1024
SPOOL_EVENTS_MAX = 10_000
SPOOL_BYTES_MAX = 64 * 1024 * 1024
SPOOL_SECONDS_MAX = 14 * 24 * 3600
SEGMENT_EVENTS_MAX = 256
SEGMENT_BYTES_MAX = 1024 * 1024
LOG_BYTES_MAX = 64 * 1024
PAUSE_SECONDS_MAX = 300

# Seconds since the process began: when to give up on the server, and when the process is gone whatever happens.
START_SECONDS = (0.75, 0.93)
OTHER_SECONDS = (0.095, 0.18)
RESCUE_SECONDS = 10
DESCRIPTORS_MAX = 64

START_EVENTS = {"sessionstart", "sessioncreated", "taskstart", "agentspawn"}
TAKEN, BATCH_TAKEN = 202, 200
# Any other 4xx means that the event itself will never be taken; these are about the way to the server.
NOT_THE_EVENT = {401, 403, 404, 407, 408, 421, 425, 429}


def main(arguments: Sequence[str], environ: Mapping[str, str]) -> None:
    """Send the event on standard input, or keep it for later."""
    began = time.monotonic() - min(time.process_time(), 0.1)
    moment = time.time()
    key = "%013d-%s" % (moment * 1000, os.urandom(12).hex())
    given = dict(zip(arguments[::2], arguments[1::2]))
    agent, event = given.get("--agent", ""), given.get("--event", "")
    is_off = environ.get("MEMWIKI_CAPTURE", "").lower() in {"off", "0", "false", "no"}
    if not agent or not event or is_off or environ.get("MEMWIKI_OWN_RUN") == "1":
        return
    is_start = re.sub("[^a-z]", "", event.lower()) in START_EVENTS
    patience, lifetime = START_SECONDS if is_start else OTHER_SECONDS
    os.umask(0o077)
    spool = Spool(_find_spool_folder(environ))
    _thread.start_new_thread(_leave_at, (began + lifetime, spool))
    body = _read_input()
    if len(body) > BODY_BYTES_MAX:
        spool.count_lost(1, "%s %s is larger than %d bytes" % (agent, event, BODY_BYTES_MAX))
        spool.is_settled = True
        return
    server = Server(given.get("--url") or environ.get("MEMWIKI_URL") or "http://127.0.0.1:7470", environ)
    facts = {"key": key, "agent": agent, "event": event, "occurred_at": _render_time(moment)}
    checkout = read_checkout(_find_cwd(body))
    spool.unsettled = lambda: spool.build_entry(facts, checkout, body)
    waiting = spool.report()
    answer, entry = Answer(0), None
    if is_start or not waiting[0]:
        task = Task(lambda: server.send_live(facts, checkout, body, waiting))
        answer = task.wait(began + patience / 2)
        if not task.is_done:
            # While the server takes its time, all is made ready for the case that it stays silent.
            entry = spool.build_entry(facts, checkout, body)
            answer = task.wait(began + patience)
    if answer.status == TAKEN:
        spool.is_settled = True
        _print(answer.body)
    elif answer.is_refusal:
        spool.note("%s %s was refused with status %d" % (agent, event, answer.status))
    else:
        spool.append(spool.build_entry(facts, checkout, body) if entry is None else entry)
        spool.pause(answer)
    spool.is_settled = True
    if waiting[0] and (answer.status == TAKEN or not is_start):
        Task(lambda: spool.drain(server, began + patience)).wait(began + lifetime)


def read_checkout(cwd: str) -> dict[str, str]:
    """Read what the files of a working copy tell of it, without running git; what is not seen is left out."""
    facts = {"cwd": cwd}
    folders = [os.path.abspath(cwd)]
    while os.path.dirname(folders[-1]) != folders[-1] and len(folders) < FOLDERS_MAX:
        folders.append(os.path.dirname(folders[-1]))
    for marker in filter(None, (_read_file(os.path.join(folder, ".memwiki.toml")) for folder in folders)):
        names = re.findall(r"(?m)^[ \t]*(workspace|project)[ \t]*=[ \t]*[\"']([^\"'\r\n]+)", marker)
        facts.update(("marker_" + name, value) for name, value in reversed(names))
        break
    for folder in folders:
        git_dir = _find_git_dir(folder)
        if git_dir:
            facts.update(_read_repository("" if git_dir == folder else folder, git_dir))
            break
    return {name: value for name, value in facts.items() if value}


def _find_git_dir(folder: str) -> str:
    dot_git = os.path.join(folder, ".git")
    if os.path.isfile(dot_git):
        target = re.match(r"gitdir:\s*(.+)", _read_file(dot_git))
        return os.path.normpath(os.path.join(folder, target.group(1).strip())) if target else ""
    is_bare = all(os.path.exists(os.path.join(folder, name)) for name in ("HEAD", "objects", "refs"))
    return dot_git if os.path.isdir(dot_git) else folder if is_bare else ""


def _read_repository(root: str, git_dir: str) -> dict[str, str]:
    # A submodule keeps its repository inside that of the project that it is a part of, and belongs to it.
    outer = re.match(r"(.*[/\\]\.git)[/\\]modules[/\\]", git_dir)
    if outer:
        root, git_dir = os.path.dirname(outer.group(1)), outer.group(1)
    common_dir = os.path.normpath(os.path.join(git_dir, _read_file(os.path.join(git_dir, "commondir")).strip()))
    head = _read_file(os.path.join(git_dir, "HEAD")).strip()
    ref = head[5:] if re.match(r"ref: refs/[^\0\\]+$", head) and ".." not in head else ""
    found = [_read_file(os.path.join(folder, ref)).strip() for folder in (git_dir, common_dir)] if ref else [head]
    packed = _read_file(os.path.join(common_dir, "packed-refs")) if ref and not any(found) else ""
    found += re.findall(r"(?m)^([0-9a-f]{40,64}) %s$" % re.escape(ref), packed)
    remotes: dict[str, str] = {}
    section = ""
    for line in _read_file(os.path.join(common_dir, "config")).splitlines():
        opening = re.match(r"\s*\[(.*)\]", line)
        url = re.match(r"\s*url\s*=\s*\"?([^\"\s]+)", line)
        section = opening.group(1) if opening else section
        if url and section.startswith('remote "'):
            # A password in the address is nobody's business.
            remotes.setdefault(section[8:-1], re.sub(r"(?<=://)[^/\s]*@", "", url.group(1)))
    return {
        "root": root,
        "common_dir": common_dir,
        "remote": remotes.get("upstream") or remotes.get("origin", ""),
        "branch": ref[11:] if ref.startswith("refs/heads/") and not ref.endswith("/.invalid") else "",
        "revision": next((each for each in found if re.match(r"[0-9a-f]{40,64}$", each)), ""),
    }


class Answer:
    """What the server said; a status of 0 is no complete answer."""

    def __init__(self, status: int, body: bytes = b"", retry_seconds: int = 0) -> None:
        self.status, self.body, self.retry_seconds = status, body, retry_seconds
        self.is_refusal = 400 <= status < 500 and status not in NOT_THE_EVENT


class Task:
    """A call on a thread of its own, since neither a name look-up nor a connection can be cut short."""

    def __init__(self, work: Callable[[], Answer]) -> None:
        self.is_done, self._answer = False, Answer(0)
        self._running = _thread.allocate_lock()
        self._running.acquire()
        _thread.start_new_thread(self._run, (work,))

    def wait(self, until: float) -> Answer:
        """Wait for the answer, and take silence for none."""
        if self._running.acquire(timeout=max(0.0, until - time.monotonic())):
            self._running.release()
        return self._answer

    def _run(self, work: Callable[[], Answer]) -> None:
        try:
            self._answer = work()
        except Exception:
            pass  # The server counts as away, whatever the fault is.
        self.is_done = True
        self._running.release()


class Server:
    """The one place that speaks HTTP: one request on a connection of its own, answered to the end or not at all."""

    def __init__(self, url: str, environ: Mapping[str, str]) -> None:
        self._url = url
        token_file = environ.get("MEMWIKI_ACCESS_TOKEN_FILE", "")
        self._token = (environ.get("MEMWIKI_ACCESS_TOKEN", "") or (token_file and _read_file(token_file))).strip()

    def send_live(
        self, facts: Mapping[str, str], checkout: Mapping[str, str], body: bytes, waiting: tuple[int, int, int]
    ) -> Answer:
        """Send one event as the agent gave it."""
        path = "/hook?agent=%s&event=%s" % (_quote(facts["agent"]), _quote(facts["event"]))
        seen = _quote(json.dumps(checkout))
        seen = seen if len(seen) <= CHECKOUT_BYTES_MAX else _quote(json.dumps({"cwd": checkout["cwd"][:2000]}))
        return self._post(path, ["Idempotency-Key: " + facts["key"], "Memwiki-Checkout: " + seen], body, waiting)

    def send_batch(self, lines: Sequence[bytes], waiting: tuple[int, int, int]) -> Answer:
        """Send spooled events; an answer that does not speak of each of them counts as none."""
        answer = self._post("/hook/batch", [], b'{"events":[' + b",".join(lines) + b"]}", waiting)
        is_whole = answer.status != BATCH_TAKEN or len(json.loads(answer.body)["results"]) == len(lines)
        return answer if is_whole else Answer(0)

    def _post(self, path: str, headers: Sequence[str], body: bytes, waiting: tuple[int, int, int]) -> Answer:
        import socket

        parts = re.match(r"(https?)://(?:[^/@]*@)?(\[[^\]]+\]|[^:/?#]+)(?::(\d+))?([^?#\s]*)", self._url)
        if not parts:
            return Answer(0)
        scheme, host, port, prefix = parts.groups()
        head = ["POST %s%s HTTP/1.1" % (prefix.rstrip("/"), path), "Host: " + host + (":" + port if port else "")]
        head += ["Connection: close", "Content-Type: application/json", "Content-Length: %d" % len(body), *headers]
        head += ["Authorization: Bearer " + self._token] if self._token.isprintable() and self._token else []
        head += ["Memwiki-Spool: %d;%d;%d" % waiting] if any(waiting) else []
        address = (host.strip("[]"), int(port or (443 if scheme == "https" else 80)))
        connection = socket.create_connection(address, timeout=START_SECONDS[1])
        if scheme == "https":
            import ssl

            connection = ssl.create_default_context().wrap_socket(connection, server_hostname=address[0])
        received = b""
        with connection:
            connection.sendall("\r\n".join([*head, "", ""]).encode("latin-1", "replace") + body)
            while len(received) <= ANSWER_BYTES_MAX:
                chunk = connection.recv(65536)
                received += chunk
                answer = _parse_answer(received)
                if answer.status or not chunk:
                    return answer
        return Answer(0)


def _parse_answer(received: bytes) -> Answer:
    """Read an answer that is complete, which its length or its last chunk proves."""
    head, blank, body = received.partition(b"\r\n\r\n")
    status = re.match(rb"HTTP/1\.[01] (\d{3})", head)
    if not blank or not status:
        return Answer(0)
    if status.group(1).startswith(b"1"):
        return _parse_answer(body)
    length = re.search(rb"(?i)\r\ncontent-length:[ \t]*(\d+)", head)
    pieces: list[bytes] = []
    while not length:
        size, line_end, body = body.partition(b"\r\n")
        if not line_end or not re.match(rb"[0-9a-fA-F]{1,6}$", size) or len(body) < int(size, 16):
            return Answer(0)
        if not int(size, 16):
            body = b"".join(pieces)
            break
        pieces.append(body[: int(size, 16)])
        body = body[int(size, 16) + 2 :]
    if length and len(body) < int(length.group(1)):
        return Answer(0)
    retry = re.search(rb"(?i)\r\nretry-after:[ \t]*(\d{1,9})", head)
    return Answer(int(status.group(1)), body, int(retry.group(1)) if retry else 0)


class Spool:
    """Events that wait for the server: JSON lines in files that only this user may read.

    `events.jsonl` grows; a full one is sealed under a number and its count, and a sealed one is sent as one batch.
    """

    def __init__(self, folder: str) -> None:
        self._folder, self.is_settled = folder, False
        self.unsettled: Callable[[], bytes] = bytes
        self._open, self._pause = os.path.join(folder, "events.jsonl"), os.path.join(folder, "pause")

    def report(self) -> tuple[int, int, int]:
        """Tell how many events wait, for how many seconds the first has, and how many were ever lost."""
        sealed = self._list_sealed()
        first = re.match(rb'\{"key": "(\d{13})-', _read_bytes(sealed[0][0] if sealed else self._open, 64))
        age = int(time.time() - int(first.group(1)) / 1000) if first else 0
        lost = sum(map(int, re.findall(r"\d{1,6}", _read_file(os.path.join(self._folder, "lost")))))
        return sum(count for _, count in sealed) + _read_bytes(self._open).count(b"\n"), max(0, age), lost

    def build_entry(self, facts: Mapping[str, str], checkout: Mapping[str, str], body: bytes) -> bytes:
        """Redact one event into the form in which it waits; an event that cannot be read has none."""
        try:
            payload = json.loads(body if len(body) <= SPOOLED_BODY_BYTES_MAX else b"too large")
            room = TEXT_CHARS_MAX
            if len(body) > PAYLOAD_CHARS_MAX:
                room = min(room, max(64, PAYLOAD_CHARS_MAX // body.count(b'"') * 2))
            cleaner = Cleaner(room)
            entry = {**facts, "checkout": cleaner.clean({**checkout}), "payload": cleaner.clean({**payload})}
            return json.dumps(entry, ensure_ascii=False, allow_nan=False).encode("utf-8", "replace") + b"\n"
        except Exception:
            return b""

    def append(self, entry: bytes) -> None:
        """Add one event, at the price of the oldest ones if there is no room left; without a form it is lost."""
        lock = self._lock("spool.lock", float("inf")) if entry else None
        if lock is None:
            self.count_lost(1, "an event could not be read")
            return
        try:
            waiting = _read_bytes(self._open)
            if waiting and (waiting.count(b"\n") >= SEGMENT_EVENTS_MAX or len(waiting + entry) > SEGMENT_BYTES_MAX):
                self._seal()
            self._make_room(len(entry))
            if not _append_file(self._open, entry):
                self.count_lost(1, "the disk took no more")
        finally:
            os.close(lock)

    def pause(self, answer: Answer) -> None:
        """Leave the server alone for as long as it asked."""
        if answer.retry_seconds and _append_file(self._pause, b""):
            until = time.time() + min(answer.retry_seconds, PAUSE_SECONDS_MAX)
            os.utime(self._pause, (until, until))

    def drain(self, server: Server, until: float) -> Answer:
        """Send what waits, oldest first, unless another hook is at it; the answer is the last one."""
        answer = Answer(0)
        lock = self._lock("drain.lock", 0)
        if lock is None:
            return answer
        try:
            while time.monotonic() < until and not self._is_paused():
                sealed = self._list_sealed() or self._seal_open(until)
                answer = self._send_segment(sealed[0][0], server, until) if sealed else Answer(0)
                self.pause(answer)
                if answer.status != BATCH_TAKEN:
                    break
        finally:
            os.close(lock)
        return answer

    def count_lost(self, count: int, reason: str) -> None:
        """Remember for the server's status that events are gone, and why."""
        self.note(reason)
        _append_file(os.path.join(self._folder, "lost"), b"%d\n" % count)

    def note(self, text: str) -> None:
        """Write one line to the log, which never grows past twice its bound."""
        path = os.path.join(self._folder, "hook.log")
        if len(_read_bytes(path)) > LOG_BYTES_MAX:
            os.replace(path, path + ".1")
        _append_file(path, ("%s %s\n" % (_render_time(time.time()), re.sub(r"[^ -~]", "?", text)[:300])).encode())

    def _send_segment(self, path: str, server: Server, until: float) -> Answer:
        lines = _read_bytes(path).splitlines()
        good = [line for line in lines if _is_entry(line)]
        if len(good) < len(lines) or not lines:
            _append_file(path + ".corrupt", b"\n".join([*(line for line in lines if not _is_entry(line)), b""]))
            self.count_lost(max(1, len(lines) - len(good)), "entries that cannot be read were set aside")
        answer, sent = self._send_lines(good, server, until)
        rest = re.sub(r"-\d+\.jsonl$", "-%d.jsonl" % (len(good) - sent), path)
        if sent < len(good) and rest != path and _append_file(rest + ".part", b"\n".join([*good[sent:], b""])):
            os.replace(rest + ".part", rest)
        if sent == len(good) or rest != path:
            os.unlink(path)
        return answer

    def _send_lines(self, lines: Sequence[bytes], server: Server, until: float) -> tuple[Answer, int]:
        """Send a batch, in halves if it is refused, so that only what the server will not have is dropped."""
        if time.monotonic() >= until:
            return Answer(0), 0
        depth, age, lost = self.report()
        behind = max(0, depth - len(lines))
        answer = server.send_batch(lines, (behind, age if behind else 0, lost)) if lines else Answer(BATCH_TAKEN)
        if not answer.is_refusal:
            return answer, len(lines) if answer.status == BATCH_TAKEN else 0
        if len(lines) == 1:
            self.count_lost(1, "a waiting event was refused with status %d" % answer.status)
            return Answer(BATCH_TAKEN), 1
        half = len(lines) // 2
        answer, sent = self._send_lines(lines[:half], server, until)
        if sent == half:
            answer, more = self._send_lines(lines[half:], server, until)
            sent += more
        return answer, sent

    def _list_sealed(self) -> list[tuple[str, int]]:
        names = sorted(os.listdir(self._folder)) if os.path.isdir(self._folder) else []
        found = [re.match(r"events-\d{12}-(\d+)\.jsonl$", name) for name in names]
        return [(os.path.join(self._folder, each.group(0)), int(each.group(1))) for each in found if each]

    def _seal_open(self, until: float) -> list[tuple[str, int]]:
        lock = self._lock("spool.lock", until)
        if lock is None:
            return []
        try:
            if os.path.exists(self._open):
                self._seal()
        finally:
            os.close(lock)
        return self._list_sealed()

    def _seal(self) -> None:
        sealed = self._list_sealed()
        number = int(os.path.basename(sealed[-1][0])[7:19]) + 1 if sealed else 1
        count = _read_bytes(self._open).count(b"\n")
        os.rename(self._open, os.path.join(self._folder, "events-%012d-%d.jsonl" % (number, count)))

    def _make_room(self, size: int) -> None:
        sealed = self._list_sealed()
        events = sum(count for _, count in sealed) + SEGMENT_EVENTS_MAX
        size += sum(os.path.getsize(path) for path, _ in sealed) + SEGMENT_BYTES_MAX
        for path, count in sealed:
            is_old = os.path.getmtime(path) < time.time() - SPOOL_SECONDS_MAX
            if not is_old and events <= SPOOL_EVENTS_MAX and size <= SPOOL_BYTES_MAX:
                break
            events, size = events - count, size - os.path.getsize(path)
            os.unlink(path)
            self.count_lost(count, "the oldest waiting events made room")

    def _is_paused(self) -> bool:
        return os.path.exists(self._pause) and 0 < os.path.getmtime(self._pause) - time.time() <= PAUSE_SECONDS_MAX

    def _lock(self, name: str, until: float) -> int | None:
        os.makedirs(self._folder, 0o700, exist_ok=True)
        os.chmod(self._folder, 0o700)
        opened = os.open(os.path.join(self._folder, name), os.O_RDWR | os.O_CREAT, 0o600)
        while True:
            try:
                if sys.platform == "win32":
                    import msvcrt

                    msvcrt.locking(opened, msvcrt.LK_NBLCK, 1)
                else:
                    import fcntl

                    fcntl.flock(opened, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
                if time.monotonic() >= until:
                    os.close(opened)
                    return None
                time.sleep(0.002)
            else:
                return opened


class Cleaner:
    """Takes secrets and private blocks out of parsed JSON and bounds its texts."""

    def __init__(self, chars_max: int) -> None:
        self._chars_max = chars_max
        self._engine = Engine(*json.loads(RULES_JSON))

    def clean(self, value: object, name: str = "") -> object:
        """Clean a value; its name alone may say that it is a secret."""
        if isinstance(value, dict):
            return {self._redact(str(key)): self.clean(item, str(key)) for key, item in value.items()}
        if isinstance(value, list):
            return [self.clean(item, name) for item in value]
        if not isinstance(value, str):
            return value
        text = self._cut(strip_private(value))
        kind = self._engine.classify_field(name, text)
        return "[redacted:%s]" % kind if kind else self._redact(text)

    def _redact(self, text: str) -> str:
        return self._engine.redact(text, self._engine.find_hinted)

    def _cut(self, text: str) -> str:
        """Keep the head and the tail of a long text, cut at blanks so that no token is halved."""
        if len(text) <= self._chars_max:
            return text
        half = self._chars_max // 2
        head = re.sub(r"\S{1,256}$", "", text[:half])
        tail = re.sub(r"^\S{1,256}", "", text[-half:])
        return "%s[%d characters cut]%s" % (head, len(text) - len(head) - len(tail), tail)


# BEGIN GENERATED: made by app/capture/hook_rules.py from app/domain, never edited by hand
RULES_JSON = r"""
["\\x1b\\[[0-9;:?]*[ -/]*[@-~]|\\x1b\\][^\\x07\\x1b\\n]*(?:\\x07|\\x1b\\\\)|\\x1b[@-Z^-~]|\\x9b[0-9;]*[@-~]|[\\x00-\\x08\\x0e-\\x1f\\x7f\u00ad\u034f\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufe00-\ufe0f\ufeff]|\\\\(?:u001[bB]|x1[bB]|033|e)\\[[0-9;]*[a-zA-Z]|\\\\u(?:200[b-fB-F]|202[a-eA-E]|206[0-9a-fA-F]|[fF][eE][fF][fF])|\\\\\\r?\\n", "\\[redacted:[a-z][a-z-]{0,30}\\]", [
["private-key", ["private key", "static key"], "(-{4,5} ?BEGIN (?:[A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?|OpenVPN Static key V1) ?-{4,5}(?:(?:\\s|\\\\+(?:[nrt]|\\r?\\n)|[\"'`,;|>-]|[0-9]{1,6}[\\t:|\u2192]){0,12}(?:Proc-Type|DEK-Info|Version|Comment|Hash|Charset|Subject):[^\\n\\\\]{0,200})*(?:(?:\\s|\\\\+(?:[nrt]|\\r?\\n)|[\"'`,;|>-]|[0-9]{1,6}[\\t:|\u2192]){0,40}[A-Za-z0-9+/=]{16,})*(?:(?:\\s|\\\\+(?:[nrt]|\\r?\\n)|[\"'`,;|>-]|[0-9]{1,6}[\\t:|\u2192]){0,40}-{4,5} ?END (?:[A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?|OpenVPN Static key V1) ?-{4,5}|(?:(?:\\r?\\n[ \\t>+]{0,12}(?:[0-9]{1,6}[\\t:|\u2192])?|\\\\+r?\\\\*n|[ ])[ \\t+]{0,40}[A-Za-z0-9+/=]{1,15})?(?:(?:\\s|\\\\+(?:[nrt]|\\r?\\n)|[\"'`,;|>-]|[0-9]{1,6}[\\t:|\u2192]){0,40}-{4,5} ?END (?:[A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?|OpenVPN Static key V1) ?-{4,5})?))", "-+ ?(?:BEGIN|END)[A-Za-z0-9 ]+-+"],["private-key", ["private key", "static key"], "(?:^|\\n|\\\\n)[ \\t>+]{0,8}((?:[A-Za-z0-9+/=]{1,15}(?:\\r?\\n[ \\t>+]{0,12}(?:[0-9]{1,6}[\\t:|\u2192])?|\\\\+r?\\\\*n|[ ]))?(?:[A-Za-z0-9+/=]{16,}(?:\\r?\\n[ \\t>+]{0,12}(?:[0-9]{1,6}[\\t:|\u2192])?|\\\\+r?\\\\*n|[ ])){0,60}(?:[A-Za-z0-9+/=]{1,15}(?:\\r?\\n[ \\t>+]{0,12}(?:[0-9]{1,6}[\\t:|\u2192])?|\\\\+r?\\\\*n|[ ]))?-{4,5} ?END (?:[A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?|OpenVPN Static key V1) ?-{4,5})", "-+ ?(?:BEGIN|END)[A-Za-z0-9 ]+-+"],["private-key", ["private-lines"], "Private-Lines: [0-9]+((?:(?:\\s|\\\\+(?:[nrt]|\\r?\\n)|[\"'`,;|>-]|[0-9]{1,6}[\\t:|\u2192]){1,6}[A-Za-z0-9+/=]{16,})+)", ""],["private-key", ["\"d", "\"k", "\"p", "\"q"], "\\\"(?:d|k|p|q|dp|dq|qi)\\\\*\\\"[ \\t]*:[ \\t]*\\\\*\\\"([\\w-]{40,})", ""],["key-path", ["id_"], "[/\\\\](id_(?:rsa|dsa|ecdsa|ed25519)(?:[._-][\\w.-]+|_sk)?)\\b", ".*\\.pub"],["key-path", [".key"], "[/\\\\]([\\w.-]+\\.key)\\b", ""],["key-path", [".p12", ".pfx", ".ppk", ".jks", ".keystore", ".p8", ".pem"], "(?:^|[^\\w.-])([\\w.-]+\\.(?:p12|pfx|ppk|jks|keystore|p8|pem))\\b", "(?i:.*(?:cert|crt|chain|bundle|ca|pub|root|trust|dhparam)[\\w.-]*\\.pem)"],["anthropic-key", ["sk-ant-"], "(?:\\b|_|\\\\[nrtbf]|\\\\u[0-9A-Fa-f]{4}|%[0-9A-Fa-f]{2})(sk-ant-[\\w-]{16,})", ""],["github-token", ["ghp_", "gho_", "ghu_"], "(?:\\b|_|\\\\[nrtbf]|\\\\u[0-9A-Fa-f]{4}|%[0-9A-Fa-f]{2})(gh[pou]_[A-Za-z0-9]{20,}[\\w-]*)", ""],["github-token", ["ghs_", "ghr_"], "(?:\\b|_|\\\\[nrtbf]|\\\\u[0-9A-Fa-f]{4}|%[0-9A-Fa-f]{2})(gh[sr]_[A-Za-z0-9]{20,}[\\w-]*)", ""],
["github-token", ["github_pat_"], "(?:\\b|_|\\\\[nrtbf]|\\\\u[0-9A-Fa-f]{4}|%[0-9A-Fa-f]{2})(github_pat_\\w{20,})", ""],["gitlab-token", ["gl"], "(?:\\b|_|\\\\[nrtbf]|\\\\u[0-9A-Fa-f]{4}|%[0-9A-Fa-f]{2})(gl(?:pat|ptt|dt|rt|cbt|ft|soat|agent|imt|oas|ffct)-[\\w.-]{16,})", ""],["gitlab-token", ["gr1348941"], "(?:\\b|_|\\\\[nrtbf]|\\\\u[0-9A-Fa-f]{4}|%[0-9A-Fa-f]{2})(GR1348941[\\w-]{16,})", ""],["aws-key", ["akia", "asia", "abia"], "(?:\\b|_|\\\\[nrtbf]|\\\\u[0-9A-Fa-f]{4}|%[0-9A-Fa-f]{2})(A(?:K|S|B)IA[A-Z0-9]{12,}[\\w-]*)", ""],["aws-key", ["acca", "aroa", "aida"], "(?:\\b|_|\\\\[nrtbf]|\\\\u[0-9A-Fa-f]{4}|%[0-9A-Fa-f]{2})(A(?:CC|RO|ID)A[A-Z0-9]{12,}[\\w-]*)", ""],["aws-token", ["iqojb3jpz2lu"], "(?:\\b|_|\\\\[nrtbf]|\\\\u[0-9A-Fa-f]{4}|%[0-9A-Fa-f]{2})(IQoJb3JpZ2lu[A-Za-z0-9/+=_-]{20,})", ""],["aws-token", ["gzxivyxdz"], "(?:\\b|_|\\\\[nrtbf]|\\\\u[0-9A-Fa-f]{4}|%[0-9A-Fa-f]{2})(F[wQ]oGZXIvYXdz[A-Za-z0-9/+=_-]{20,})", ""],["aws-token", ["abskqmvkcm9ja0"], "(?:\\b|_|\\\\[nrtbf]|\\\\u[0-9A-Fa-f]{4}|%[0-9A-Fa-f]{2})(ABSKQmVkcm9ja0[A-Za-z0-9/+=_-]{20,})", ""],["google-key", ["aiza"], "(?:\\b|_|\\\\[nrtbf]|\\\\u[0-9A-Fa-f]{4}|%[0-9A-Fa-f]{2})(AIza[\\w-]{30,})", ""],["google-key", ["ya29."], "(?:\\b|_|\\\\[nrtbf]|\\\\u[0-9A-Fa-f]{4}|%[0-9A-Fa-f]{2})(ya29\\.[\\w.-]{20,})", ""],["google-key", ["gocspx-"], "(?:\\b|_|\\\\[nrtbf]|\\\\u[0-9A-Fa-f]{4}|%[0-9A-Fa-f]{2})(GOCSPX-[\\w-]{20,})", ""],["google-key", ["1//0"], "(?:\\b|_|\\\\[nrtbf]|\\\\u[0-9A-Fa-f]{4}|%[0-9A-Fa-f]{2})(1//0[\\w-]{30,})", ""],["slack-token", ["xox"], "(?:\\b|_|\\\\[nrtbf]|\\\\u[0-9A-Fa-f]{4}|%[0-9A-Fa-f]{2})(xox[a-z](?:\\.xox[a-z])?-[\\w-]{10,})", ""],["slack-token", ["xapp-"], "(?:\\b|_|\\\\[nrtbf]|\\\\u[0-9A-Fa-f]{4}|%[0-9A-Fa-f]{2})(xapp-[0-9]-[\\w-]{10,})", ""],["stripe-key", ["sk_", "rk_"], "(?:\\b|_|\\\\[nrtbf]|\\\\u[0-9A-Fa-f]{4}|%[0-9A-Fa-f]{2})([sr]k_(?:live|test|prod)_[A-Za-z0-9]{8,}[\\w-]*)", ""],["stripe-key", ["whsec_"], "(?:\\b|_|\\\\[nrtbf]|\\\\u[0-9A-Fa-f]{4}|%[0-9A-Fa-f]{2})(whsec_[A-Za-z0-9+/=]{20,})", ""],["npm-token", ["npm_"], "(?:\\b|_|\\\\[nrtbf]|\\\\u[0-9A-Fa-f]{4}|%[0-9A-Fa-f]{2})(npm_[A-Za-z0-9]{30,}[\\w-]*)", ""],["pypi-token", ["pypi-ag"], "(?:\\b|_|\\\\[nrtbf]|\\\\u[0-9A-Fa-f]{4}|%[0-9A-Fa-f]{2})(pypi-Ag[\\w-]{30,})", ""],["huggingface-token", ["hf_"], "(?:\\b|_|\\\\[nrtbf]|\\\\u[0-9A-Fa-f]{4}|%[0-9A-Fa-f]{2})(hf_[A-Za-z0-9]{20,}[\\w-]*)", ""],["huggingface-token", ["api_org_"], "(?:\\b|_|\\\\[nrtbf]|\\\\u[0-9A-Fa-f]{4}|%[0-9A-Fa-f]{2})(api_org_[A-Za-z0-9]{30,})", ""],
["sendgrid-key", ["sg."], "(?:\\b|_|\\\\[nrtbf]|\\\\u[0-9A-Fa-f]{4}|%[0-9A-Fa-f]{2})(SG\\.[\\w-]{16,}\\.[\\w-]{16,})", ""],["twilio-key", ["sk"], "(?:\\b|_|\\\\[nrtbf]|\\\\u[0-9A-Fa-f]{4}|%[0-9A-Fa-f]{2})(SK[0-9a-f]{32}\\b)", ""],["digitalocean-token", ["_v1_"], "(?:\\b|_|\\\\[nrtbf]|\\\\u[0-9A-Fa-f]{4}|%[0-9A-Fa-f]{2})(do[opr]_v1_[a-f0-9]{32,}\\w*)", ""],["telegram-token", [":aa"], "(?:\\b|_|\\\\[nrtbf]|\\\\u[0-9A-Fa-f]{4}|%[0-9A-Fa-f]{2})([0-9]{8,10}:AA[\\w-]{32,})", ""],["discord-token", ["."], "(?:\\b|_|\\\\[nrtbf]|\\\\u[0-9A-Fa-f]{4}|%[0-9A-Fa-f]{2})([MNO][\\w-]{22,27}\\.[\\w-]{6}\\.[\\w-]{25,})", ""],["shopify-token", ["shp"], "(?:\\b|_|\\\\[nrtbf]|\\\\u[0-9A-Fa-f]{4}|%[0-9A-Fa-f]{2})(shp(?:at|ca|pa|ss|tka)_[a-fA-F0-9]{24,}\\w*)", ""],["vault-token", ["hvs.", "hvb.", "hvr."], "(?:\\b|_|\\\\[nrtbf]|\\\\u[0-9A-Fa-f]{4}|%[0-9A-Fa-f]{2})(hv[sbr]\\.[\\w-]{20,})", ""],["databricks-token", ["dapi"], "(?:\\b|_|\\\\[nrtbf]|\\\\u[0-9A-Fa-f]{4}|%[0-9A-Fa-f]{2})(dapi[0-9a-f]{32}(?:-[0-9])?\\b)", ""],["linear-key", ["lin_"], "(?:\\b|_|\\\\[nrtbf]|\\\\u[0-9A-Fa-f]{4}|%[0-9A-Fa-f]{2})(lin_(?:api|oauth|wh)_[A-Za-z0-9]{20,}\\w*)", ""],["notion-token", ["ntn_"], "(?:\\b|_|\\\\[nrtbf]|\\\\u[0-9A-Fa-f]{4}|%[0-9A-Fa-f]{2})(ntn_[A-Za-z0-9]{30,}\\w*)", ""],["notion-token", ["secret_"], "(?:\\b|_|\\\\[nrtbf]|\\\\u[0-9A-Fa-f]{4}|%[0-9A-Fa-f]{2})(secret_[A-Za-z0-9]{40,}\\w*)", ""],["sentry-token", ["sntry"], "(?:\\b|_|\\\\[nrtbf]|\\\\u[0-9A-Fa-f]{4}|%[0-9A-Fa-f]{2})(sntry[su]_[\\w+/=-]{20,})", ""],["azure-secret", ["q~"], "(?:\\b|_|\\\\[nrtbf]|\\\\u[0-9A-Fa-f]{4}|%[0-9A-Fa-f]{2})([\\w~.-]{3}[0-9]Q~[\\w~.-]{31,})", ""],["atlassian-token", ["atatt", "atctt", "atbb"], "(?:\\b|_|\\\\[nrtbf]|\\\\u[0-9A-Fa-f]{4}|%[0-9A-Fa-f]{2})(AT(?:ATT|CTT|BB)[\\w=-]{24,})", ""],["mailgun-key", ["key-"], "(?:\\b|_|\\\\[nrtbf]|\\\\u[0-9A-Fa-f]{4}|%[0-9A-Fa-f]{2})(key-[0-9a-f]{32}\\b)", ""],["mailchimp-key", ["-us"], "(?:\\b|_|\\\\[nrtbf]|\\\\u[0-9A-Fa-f]{4}|%[0-9A-Fa-f]{2})([0-9a-f]{32}-us[0-9]{1,2}\\b)", ""],["brevo-key", ["xkeysib-"], "(?:\\b|_|\\\\[nrtbf]|\\\\u[0-9A-Fa-f]{4}|%[0-9A-Fa-f]{2})(xkeysib-[a-f0-9]{40,}[\\w-]*)", ""],["resend-key", ["re_"], "(?:\\b|_|\\\\[nrtbf]|\\\\u[0-9A-Fa-f]{4}|%[0-9A-Fa-f]{2})(re_[A-Za-z0-9]{8}_[A-Za-z0-9]{20,})", ""],["square-token", ["sq0"], "(?:\\b|_|\\\\[nrtbf]|\\\\u[0-9A-Fa-f]{4}|%[0-9A-Fa-f]{2})(sq0[a-z]{3}-[\\w-]{20,})", ""],["square-token", ["eaaa"], "(?:\\b|_|\\\\[nrtbf]|\\\\u[0-9A-Fa-f]{4}|%[0-9A-Fa-f]{2})(EAAA[\\w-]{50,})", ""],
["postman-key", ["pmak-"], "(?:\\b|_|\\\\[nrtbf]|\\\\u[0-9A-Fa-f]{4}|%[0-9A-Fa-f]{2})(PMAK-[0-9a-f]{20,}-[0-9a-f]{30,})", ""],["newrelic-key", ["nr"], "(?:\\b|_|\\\\[nrtbf]|\\\\u[0-9A-Fa-f]{4}|%[0-9A-Fa-f]{2})(NR(?:AK|II|JS|SP)-[\\w-]{20,})", ""],["grafana-token", ["glc_", "glsa_"], "(?:\\b|_|\\\\[nrtbf]|\\\\u[0-9A-Fa-f]{4}|%[0-9A-Fa-f]{2})(gl(?:c|sa)_[\\w+/=]{30,})", ""],["docker-token", ["dckr_"], "(?:\\b|_|\\\\[nrtbf]|\\\\u[0-9A-Fa-f]{4}|%[0-9A-Fa-f]{2})(dckr_(?:pat|oat)_[\\w-]{20,})", ""],["figma-token", ["fig"], "(?:\\b|_|\\\\[nrtbf]|\\\\u[0-9A-Fa-f]{4}|%[0-9A-Fa-f]{2})(fig[dou][a-z]?_[\\w-]{30,})", ""],["airtable-token", ["pat"], "(?:\\b|_|\\\\[nrtbf]|\\\\u[0-9A-Fa-f]{4}|%[0-9A-Fa-f]{2})(pat[A-Za-z0-9]{14}\\.[0-9a-f]{40,})", ""],["terraform-token", [".atlasv1."], "(?:\\b|_|\\\\[nrtbf]|\\\\u[0-9A-Fa-f]{4}|%[0-9A-Fa-f]{2})([A-Za-z0-9]{14}\\.atlasv1\\.[\\w-]{40,})", ""],["doppler-token", ["dp."], "(?:\\b|_|\\\\[nrtbf]|\\\\u[0-9A-Fa-f]{4}|%[0-9A-Fa-f]{2})(dp\\.(?:pt|st|ct|sa|scim|audit)\\.[\\w.-]{30,})", ""],["planetscale-token", ["pscale_"], "(?:\\b|_|\\\\[nrtbf]|\\\\u[0-9A-Fa-f]{4}|%[0-9A-Fa-f]{2})(pscale_(?:tkn|pw|oauth)_[\\w.=-]{20,})", ""],["supabase-key", ["sbp_"], "(?:\\b|_|\\\\[nrtbf]|\\\\u[0-9A-Fa-f]{4}|%[0-9A-Fa-f]{2})(sbp_[a-z0-9_]{40,})", ""],["supabase-key", ["sb_secret_"], "(?:\\b|_|\\\\[nrtbf]|\\\\u[0-9A-Fa-f]{4}|%[0-9A-Fa-f]{2})(sb_secret_[\\w-]{20,})", ""],["dynatrace-token", ["dt0"], "(?:\\b|_|\\\\[nrtbf]|\\\\u[0-9A-Fa-f]{4}|%[0-9A-Fa-f]{2})(dt0[a-z][0-9]{2}\\.[A-Z0-9]{20,}\\.[A-Z0-9]{40,})", ""],["cloudflare-key", ["v1.0-"], "(?:\\b|_|\\\\[nrtbf]|\\\\u[0-9A-Fa-f]{4}|%[0-9A-Fa-f]{2})(v1\\.0-[0-9a-f]{20,}-[0-9a-f]{100,})", ""],["alibaba-key", ["ltai"], "(?:\\b|_|\\\\[nrtbf]|\\\\u[0-9A-Fa-f]{4}|%[0-9A-Fa-f]{2})(LTAI[A-Za-z0-9]{12,})", ""],["tencent-key", ["akid"], "(?:\\b|_|\\\\[nrtbf]|\\\\u[0-9A-Fa-f]{4}|%[0-9A-Fa-f]{2})(AKID[A-Za-z0-9]{30,})", ""],["age-key", ["age-secret-key-"], "(?:\\b|_|\\\\[nrtbf]|\\\\u[0-9A-Fa-f]{4}|%[0-9A-Fa-f]{2})(AGE-SECRET-KEY-1[0-9A-Z]{40,})", ""],["rubygems-key", ["rubygems_"], "(?:\\b|_|\\\\[nrtbf]|\\\\u[0-9A-Fa-f]{4}|%[0-9A-Fa-f]{2})(rubygems_[0-9a-f]{40,})", ""],["nuget-key", ["oy2"], "(?:\\b|_|\\\\[nrtbf]|\\\\u[0-9A-Fa-f]{4}|%[0-9A-Fa-f]{2})(oy2[a-z0-9]{43}\\b)", ""],["cratesio-token", ["cio"], "(?:\\b|_|\\\\[nrtbf]|\\\\u[0-9A-Fa-f]{4}|%[0-9A-Fa-f]{2})(cio[A-Za-z0-9]{32}\\b)", ""],["clojars-token", ["clojars_"], "(?:\\b|_|\\\\[nrtbf]|\\\\u[0-9A-Fa-f]{4}|%[0-9A-Fa-f]{2})(CLOJARS_[a-z0-9]{50,})", ""],
["buildkite-token", ["bkua_"], "(?:\\b|_|\\\\[nrtbf]|\\\\u[0-9A-Fa-f]{4}|%[0-9A-Fa-f]{2})(bkua_[a-z0-9]{30,})", ""],["circleci-token", ["ccipat_"], "(?:\\b|_|\\\\[nrtbf]|\\\\u[0-9A-Fa-f]{4}|%[0-9A-Fa-f]{2})(CCIPAT_[\\w-]{30,})", ""],["heroku-key", ["hrku-"], "(?:\\b|_|\\\\[nrtbf]|\\\\u[0-9A-Fa-f]{4}|%[0-9A-Fa-f]{2})(HRKU-[\\w-]{30,})", ""],["netlify-token", ["nfp_"], "(?:\\b|_|\\\\[nrtbf]|\\\\u[0-9A-Fa-f]{4}|%[0-9A-Fa-f]{2})(nfp_[A-Za-z0-9]{30,})", ""],["pulumi-token", ["pul-"], "(?:\\b|_|\\\\[nrtbf]|\\\\u[0-9A-Fa-f]{4}|%[0-9A-Fa-f]{2})(pul-[0-9a-f]{40}\\b)", ""],["sourcegraph-token", ["sgp_"], "(?:\\b|_|\\\\[nrtbf]|\\\\u[0-9A-Fa-f]{4}|%[0-9A-Fa-f]{2})(sgp_\\w{30,})", ""],["groq-key", ["gsk_"], "(?:\\b|_|\\\\[nrtbf]|\\\\u[0-9A-Fa-f]{4}|%[0-9A-Fa-f]{2})(gsk_[A-Za-z0-9]{30,})", ""],["xai-key", ["xai-"], "(?:\\b|_|\\\\[nrtbf]|\\\\u[0-9A-Fa-f]{4}|%[0-9A-Fa-f]{2})(xai-[\\w-]{30,})", ""],["replicate-token", ["r8_"], "(?:\\b|_|\\\\[nrtbf]|\\\\u[0-9A-Fa-f]{4}|%[0-9A-Fa-f]{2})(r8_[A-Za-z0-9]{30,})", ""],["perplexity-key", ["pplx-"], "(?:\\b|_|\\\\[nrtbf]|\\\\u[0-9A-Fa-f]{4}|%[0-9A-Fa-f]{2})(pplx-[\\w-]{30,})", ""],["nvidia-key", ["nvapi-"], "(?:\\b|_|\\\\[nrtbf]|\\\\u[0-9A-Fa-f]{4}|%[0-9A-Fa-f]{2})(nvapi-[\\w-]{30,})", ""],["together-key", ["tgp_v1_"], "(?:\\b|_|\\\\[nrtbf]|\\\\u[0-9A-Fa-f]{4}|%[0-9A-Fa-f]{2})(tgp_v1_[\\w-]{20,})", ""],["langsmith-key", ["lsv2_"], "(?:\\b|_|\\\\[nrtbf]|\\\\u[0-9A-Fa-f]{4}|%[0-9A-Fa-f]{2})(lsv2_[a-z]{2}_\\w{30,})", ""],["tavily-key", ["tvly-"], "(?:\\b|_|\\\\[nrtbf]|\\\\u[0-9A-Fa-f]{4}|%[0-9A-Fa-f]{2})(tvly-[\\w-]{20,})", ""],["cerebras-key", ["csk-"], "(?:\\b|_|\\\\[nrtbf]|\\\\u[0-9A-Fa-f]{4}|%[0-9A-Fa-f]{2})(csk-[a-z0-9]{30,})", ""],["fireworks-key", ["fw_"], "(?:\\b|_|\\\\[nrtbf]|\\\\u[0-9A-Fa-f]{4}|%[0-9A-Fa-f]{2})(fw_[A-Za-z0-9]{20,})", ""],["elevenlabs-key", ["sk_"], "(?:\\b|_|\\\\[nrtbf]|\\\\u[0-9A-Fa-f]{4}|%[0-9A-Fa-f]{2})(sk_[0-9a-f]{40,})", ""],["razorpay-key", ["rzp_"], "(?:\\b|_|\\\\[nrtbf]|\\\\u[0-9A-Fa-f]{4}|%[0-9A-Fa-f]{2})(rzp_(?:live|test)_[A-Za-z0-9]{12,})", ""],["plaid-token", ["access-"], "(?:\\b|_|\\\\[nrtbf]|\\\\u[0-9A-Fa-f]{4}|%[0-9A-Fa-f]{2})(access-(?:sandbox|production|development)-[0-9a-f-]{30,})", ""],["onepassword-token", ["ops_eyj"], "(?:\\b|_|\\\\[nrtbf]|\\\\u[0-9A-Fa-f]{4}|%[0-9A-Fa-f]{2})(ops_eyJ[\\w=-]{40,})", ""],["onepassword-key", ["a3-"], "(?:\\b|_|\\\\[nrtbf]|\\\\u[0-9A-Fa-f]{4}|%[0-9A-Fa-f]{2})(A3-[A-Z0-9]{6}-(?:[A-Z0-9]{5,11}-){3,5}[A-Z0-9]{5}\\b)", ""],
["memwiki-token", ["mw_"], "(?:\\b|_|\\\\[nrtbf]|\\\\u[0-9A-Fa-f]{4}|%[0-9A-Fa-f]{2})(mw_[\\w-]{40,})", ""],["jwt", ["eyj"], "(?:\\b|_|\\\\[nrtbf]|\\\\u[0-9A-Fa-f]{4}|%[0-9A-Fa-f]{2})(eyJ[\\w-]{8,}\\.[\\w-]{6,}(?:\\.[\\w-]*)*)", ""],["openai-key", ["sk-"], "(?:\\b|_|\\\\[nrtbf]|\\\\u[0-9A-Fa-f]{4}|%[0-9A-Fa-f]{2})(sk-[A-Za-z0-9][\\w-]{18,})", "sk(?:-[a-z]+)+|sk-(?:ant|ecdsa|ssh)-.*"],["aws-secret", ["akia", "asia"], "A[KS]IA[A-Z0-9]{12,28}[\\s,:;|\\\"']{1,8}([A-Za-z0-9/+]{40})\\b", ""],["slack-webhook", ["hooks.slack.com"], "hooks\\.slack\\.com/(?:services|workflows|triggers)/([\\w/-]{20,})", ""],["discord-webhook", ["/api/webhooks/"], "discord(?:app)?\\.com/api/webhooks/([0-9]+/[\\w-]{30,})", ""],["azure-key", ["key="], "(?i)(?:Account|SharedAccess|Primary|Secondary)Key=([A-Za-z0-9+/]{20,}={0,2})", ""],["signature", ["sig"], "[?&;, ](?:sig|Signature|X-Amz-Signature)=([A-Za-z0-9%+/=_-]{20,})", ""],["bearer-token", ["bearer"], "(?i)authorization(?:\\\\*[\\\"'`])?\\]?[ \\t]*[:=,][ \\t]*[brfuBRFU]{0,2}(?:\\\\*[\\\"'`])?bearer[ \\t]+([^\\s\\\"'`,;<>{}()\\[\\]\\\\]+[(\\[]?)", "<[^<>]*>|\\$[({].*|\\{\\{?[^}]*\\}?\\}?|\\$[A-Z_][A-Z0-9_]*|\\$[a-z_]+|\\$[0-9@*]|%[A-Za-z_]+%|%\\(?\\w*\\)?[sdr]|#\\{.*|[*]{2}.{0,4}|[*xX._\u2022\u2026-]{3,}.{0,4}|(?i:your)[-_ ].*|(?i:redacted|hidden|masked)|!+[a-z]+|[^0-9A-Za-z]*|(?i:str|string|text|bool|boolean|int|integer|number|float|bytes|object|array|list|dict|any|none|null|nil|undefined|true|false|yes|no|required|optional|unknown|enabled|disabled|missing|invalid|incorrect|wrong|expired|empty|set|unset|is|was|must|the|a|an|not|and|or|if|for|to|in|on|of|with|from|as|by|include|omit|same-origin|inherit|default|auto|await|new|lambda|input|value|raw|self|this|req|request|args|params|config|password|passwd|secret|token|key|credentials?|when|that|it|you|we|option|flag|flags|argument|file|prompt|via|instead|field|here|can|should|will)[.,:!?*]*|(?i:auth\\w*|bearer|basic|token|digest|negotiate|realm.*|scheme|header)|[\\w.]*[(\\[].*"],
["bearer-token", ["bearer"], "(?i)\\bbearer[ \\t]+([\\w.~+/=-]{16,})", "[A-Za-z]{1,20}(?:[ _.,:'/-]+[A-Za-z]{1,20})*[.!?:]*|[0-9.,]{1,7}|.{1,5}|<[^<>]*>|\\$[({].*|\\{\\{?[^}]*\\}?\\}?|\\$[A-Z_][A-Z0-9_]*|\\$[a-z_]+|\\$[0-9@*]|%[A-Za-z_]+%|%\\(?\\w*\\)?[sdr]|#\\{.*|[*]{2}.{0,4}|[*xX._\u2022\u2026-]{3,}.{0,4}|(?i:your)[-_ ].*|(?i:redacted|hidden|masked)|!+[a-z]+|[^0-9A-Za-z]*|(?i:str|string|text|bool|boolean|int|integer|number|float|bytes|object|array|list|dict|any|none|null|nil|undefined|true|false|yes|no|required|optional|unknown|enabled|disabled|missing|invalid|incorrect|wrong|expired|empty|set|unset|is|was|must|the|a|an|not|and|or|if|for|to|in|on|of|with|from|as|by|include|omit|same-origin|inherit|default|auto|await|new|lambda|input|value|raw|self|this|req|request|args|params|config|password|passwd|secret|token|key|credentials?|when|that|it|you|we|option|flag|flags|argument|file|prompt|via|instead|field|here|can|should|will)[.,:!?*]*|(?i:auth\\w*|bearer|basic|token|digest|negotiate|realm.*|scheme|header)|[\\w.]*[(\\[].*"],["basic-auth", ["basic"], "(?i)authorization(?:\\\\*[\\\"'`])?\\]?[ \\t]*[:=,][ \\t]*[brfuBRFU]{0,2}(?:\\\\*[\\\"'`])?basic[ \\t]+([^\\s\\\"'`,;<>{}()\\[\\]\\\\]+[(\\[]?)", "<[^<>]*>|\\$[({].*|\\{\\{?[^}]*\\}?\\}?|\\$[A-Z_][A-Z0-9_]*|\\$[a-z_]+|\\$[0-9@*]|%[A-Za-z_]+%|%\\(?\\w*\\)?[sdr]|#\\{.*|[*]{2}.{0,4}|[*xX._\u2022\u2026-]{3,}.{0,4}|(?i:your)[-_ ].*|(?i:redacted|hidden|masked)|!+[a-z]+|[^0-9A-Za-z]*|(?i:str|string|text|bool|boolean|int|integer|number|float|bytes|object|array|list|dict|any|none|null|nil|undefined|true|false|yes|no|required|optional|unknown|enabled|disabled|missing|invalid|incorrect|wrong|expired|empty|set|unset|is|was|must|the|a|an|not|and|or|if|for|to|in|on|of|with|from|as|by|include|omit|same-origin|inherit|default|auto|await|new|lambda|input|value|raw|self|this|req|request|args|params|config|password|passwd|secret|token|key|credentials?|when|that|it|you|we|option|flag|flags|argument|file|prompt|via|instead|field|here|can|should|will)[.,:!?*]*|(?i:auth\\w*|bearer|basic|token|digest|negotiate|realm.*|scheme|header)|[\\w.]*[(\\[].*"],["basic-auth", ["basic"], "(?i)\\bbasic[ \\t]+([A-Za-z0-9+/]{12,}={0,2})", "[A-Z]?[a-z]+(?:[A-Z][a-z]+)*[A-Z]*[0-9]*|[a-z/]+"],
["authorization", ["authorization"], "(?i)authorization(?:\\\\*[\\\"'`])?\\]?[ \\t]*[:=,][ \\t]*[brfuBRFU]{0,2}(?:\\\\*[\\\"'`])?(?:(?:token|digest|negotiate|api-?key|key|splunk|bot|jwt|aws4-hmac-sha256)[ \\t]+)?([^\\s\\\"'`,;<>{}()\\[\\]\\\\]+[(\\[]?)", "<[^<>]*>|\\$[({].*|\\{\\{?[^}]*\\}?\\}?|\\$[A-Z_][A-Z0-9_]*|\\$[a-z_]+|\\$[0-9@*]|%[A-Za-z_]+%|%\\(?\\w*\\)?[sdr]|#\\{.*|[*]{2}.{0,4}|[*xX._\u2022\u2026-]{3,}.{0,4}|(?i:your)[-_ ].*|(?i:redacted|hidden|masked)|!+[a-z]+|[^0-9A-Za-z]*|(?i:str|string|text|bool|boolean|int|integer|number|float|bytes|object|array|list|dict|any|none|null|nil|undefined|true|false|yes|no|required|optional|unknown|enabled|disabled|missing|invalid|incorrect|wrong|expired|empty|set|unset|is|was|must|the|a|an|not|and|or|if|for|to|in|on|of|with|from|as|by|include|omit|same-origin|inherit|default|auto|await|new|lambda|input|value|raw|self|this|req|request|args|params|config|password|passwd|secret|token|key|credentials?|when|that|it|you|we|option|flag|flags|argument|file|prompt|via|instead|field|here|can|should|will)[.,:!?*]*|(?i:auth\\w*|bearer|basic|token|digest|negotiate|realm.*|scheme|header)|[\\w.]*[(\\[].*|[A-Za-z]{1,20}(?:[ _.,:'/-]+[A-Za-z]{1,20})*[.!?:]*|[0-9.,]{1,7}|.{1,5}"],["basic-auth", ["auth"], "[\\\"_]auth\\\\*[\\\"']?[ \\t]*[:=][ \\t]*\\\\*[\\\"']?([A-Za-z0-9+/]{12,}={0,2})", "[A-Za-z]{1,20}(?:[ _.,:'/-]+[A-Za-z]{1,20})*[.!?:]*|[0-9.,]{1,7}|.{1,5}"],["cookie", ["cookie"], "(?i)(?:^|[^\\w-])cookie(?:\\\\*[\\\"'])?[ \\t]*[:=][ \\t]*(?:\\\\*[\\\"'`])?([\\w.%-]+=[^\\s\\\"'`\\\\](?:[^\\r\\n\\\"'`\\\\])*)", ""],["cookie", ["cookie"], "(?i)set-cookie(?:\\\\*[\\\"'])?[ \\t]*[:=][ \\t]*(?:\\\\*[\\\"'`])?[\\w.%-]+=([^\\s;\\\"'`\\\\]+)", ""],["cookie", ["-b", "--cookie"], "(?:\\s-b|--cookie)[ \\t=]+(?:\\\"([^\\\"\\n=]+=[^\\\"\\n]+)|'([^'\\n=]+=[^'\\n]+)|([^\\s\\\"'=]+=[^\\s\\\"']+))", ""],
["cookie", ["sess", "connect.sid", "csrftoken", "xsrf-token"], "(?:JSESSIONID|PHPSESSID|connect\\.sid|SessionId|_session|csrftoken|sessionid|XSRF-TOKEN)=([^\\s;\\\"'&\\\\]{8,})", "<[^<>]*>|\\$[({].*|\\{\\{?[^}]*\\}?\\}?|\\$[A-Z_][A-Z0-9_]*|\\$[a-z_]+|\\$[0-9@*]|%[A-Za-z_]+%|%\\(?\\w*\\)?[sdr]|#\\{.*|[*]{2}.{0,4}|[*xX._\u2022\u2026-]{3,}.{0,4}|(?i:your)[-_ ].*|(?i:redacted|hidden|masked)|!+[a-z]+|[^0-9A-Za-z]*|(?i:str|string|text|bool|boolean|int|integer|number|float|bytes|object|array|list|dict|any|none|null|nil|undefined|true|false|yes|no|required|optional|unknown|enabled|disabled|missing|invalid|incorrect|wrong|expired|empty|set|unset|is|was|must|the|a|an|not|and|or|if|for|to|in|on|of|with|from|as|by|include|omit|same-origin|inherit|default|auto|await|new|lambda|input|value|raw|self|this|req|request|args|params|config|password|passwd|secret|token|key|credentials?|when|that|it|you|we|option|flag|flags|argument|file|prompt|via|instead|field|here|can|should|will)[.,:!?*]*|(?i:auth\\w*|bearer|basic|token|digest|negotiate|realm.*|scheme|header)|[\\w.]*[(\\[].*|[a-z_]+,?"],["url-password", ["://"], "://[^\\s/:@\\\"'`<>]*:([^\\s/\\\"'`<>]+)@", "<[^<>]*>|\\$[({].*|\\{\\{?[^}]*\\}?\\}?|\\$[A-Z_][A-Z0-9_]*|\\$[a-z_]+|\\$[0-9@*]|%[A-Za-z_]+%|%\\(?\\w*\\)?[sdr]|#\\{.*|[*]{2}.{0,4}|[*xX._\u2022\u2026-]{3,}.{0,4}|(?i:your)[-_ ].*|(?i:redacted|hidden|masked)|!+[a-z]+|[^0-9A-Za-z]*|\\{.*|\\[.*"],["url-password", ["://"], "(?i)(?:postgres|postgresql|mysql|mariadb|mongodb|srv|redis|rediss|amqps?|mssql|sqlserver|oracle|psycopg2?|asyncpg|pymysql|ldaps?|smtps?|s?ftps?)://[^\\s:@/\\\"'`<>]*:([^\\s\\\"'`<>@]{1,200})@", "<[^<>]*>|\\$[({].*|\\{\\{?[^}]*\\}?\\}?|\\$[A-Z_][A-Z0-9_]*|\\$[a-z_]+|\\$[0-9@*]|%[A-Za-z_]+%|%\\(?\\w*\\)?[sdr]|#\\{.*|[*]{2}.{0,4}|[*xX._\u2022\u2026-]{3,}.{0,4}|(?i:your)[-_ ].*|(?i:redacted|hidden|masked)|!+[a-z]+|[^0-9A-Za-z]*|\\{.*|\\[.*"],["url-token", ["://"], "://([\\w~.%+-]{20,}):?@", "[a-z.]+"],["url-password", [":"], ":([^\\s:@/\\\"'`<>{}(),]{3,})@[\\w-]+(?:\\.[\\w-]+)*:[0-9]{2,5}\\b", "<[^<>]*>|\\$[({].*|\\{\\{?[^}]*\\}?\\}?|\\$[A-Z_][A-Z0-9_]*|\\$[a-z_]+|\\$[0-9@*]|%[A-Za-z_]+%|%\\(?\\w*\\)?[sdr]|#\\{.*|[*]{2}.{0,4}|[*xX._\u2022\u2026-]{3,}.{0,4}|(?i:your)[-_ ].*|(?i:redacted|hidden|masked)|!+[a-z]+|[^0-9A-Za-z]*|\\{.*|\\[.*"],
["url-password", ["@tcp(", "@unix(", "@udp("], ":([^\\s:@\\\"'`<>]+)@(?:tcp|unix|udp)\\(", "<[^<>]*>|\\$[({].*|\\{\\{?[^}]*\\}?\\}?|\\$[A-Z_][A-Z0-9_]*|\\$[a-z_]+|\\$[0-9@*]|%[A-Za-z_]+%|%\\(?\\w*\\)?[sdr]|#\\{.*|[*]{2}.{0,4}|[*xX._\u2022\u2026-]{3,}.{0,4}|(?i:your)[-_ ].*|(?i:redacted|hidden|masked)|!+[a-z]+|[^0-9A-Za-z]*|\\{.*|\\[.*"],["password", ["-u", "--user", "--proxy-user"], "[\\s\\\"'\\[](?:-u|--user|--proxy-user)[\\\"']?(?:[ \\t=]|,[ \\t]*)?[\\\"']?[^\\s:\\\"'/=-][^\\s:\\\"'/=]*:([^\\s\\\"'\\\\,/]+)", "<[^<>]*>|\\$[({].*|\\{\\{?[^}]*\\}?\\}?|\\$[A-Z_][A-Z0-9_]*|\\$[a-z_]+|\\$[0-9@*]|%[A-Za-z_]+%|%\\(?\\w*\\)?[sdr]|#\\{.*|[*]{2}.{0,4}|[*xX._\u2022\u2026-]{3,}.{0,4}|(?i:your)[-_ ].*|(?i:redacted|hidden|masked)|!+[a-z]+|[^0-9A-Za-z]*|[0-9]{1,6}"],["password", ["mysql", "mariadb"], "(?:mysql|mysqldump|mysqladmin|mariadb)(?:[ \\t]+[^\\s|;&]+){0,8}?[ \\t]+-p[\\\"']?([^\\s\\\"']+)", "<[^<>]*>|\\$[({].*|\\{\\{?[^}]*\\}?\\}?|\\$[A-Z_][A-Z0-9_]*|\\$[a-z_]+|\\$[0-9@*]|%[A-Za-z_]+%|%\\(?\\w*\\)?[sdr]|#\\{.*|[*]{2}.{0,4}|[*xX._\u2022\u2026-]{3,}.{0,4}|(?i:your)[-_ ].*|(?i:redacted|hidden|masked)|!+[a-z]+|[^0-9A-Za-z]*"],["password", ["redis-cli"], "redis-cli(?:[ \\t]+[^\\s|;&]+){0,8}?[ \\t]+-a[ \\t]*[\\\"']?([^\\s\\\"']+)", "<[^<>]*>|\\$[({].*|\\{\\{?[^}]*\\}?\\}?|\\$[A-Z_][A-Z0-9_]*|\\$[a-z_]+|\\$[0-9@*]|%[A-Za-z_]+%|%\\(?\\w*\\)?[sdr]|#\\{.*|[*]{2}.{0,4}|[*xX._\u2022\u2026-]{3,}.{0,4}|(?i:your)[-_ ].*|(?i:redacted|hidden|masked)|!+[a-z]+|[^0-9A-Za-z]*"],["password", [" login"], "(?:docker|podman|registry) login(?:[ \\t]+[^\\s|;&]+){0,8}?[ \\t]+-p[ \\t]*[\\\"']?([^\\s\\\"']+)", "<[^<>]*>|\\$[({].*|\\{\\{?[^}]*\\}?\\}?|\\$[A-Z_][A-Z0-9_]*|\\$[a-z_]+|\\$[0-9@*]|%[A-Za-z_]+%|%\\(?\\w*\\)?[sdr]|#\\{.*|[*]{2}.{0,4}|[*xX._\u2022\u2026-]{3,}.{0,4}|(?i:your)[-_ ].*|(?i:redacted|hidden|masked)|!+[a-z]+|[^0-9A-Za-z]*"],["password", ["sshpass"], "sshpass[ \\t]+-p[ \\t]*[\\\"']?([^\\s\\\"']+)", "<[^<>]*>|\\$[({].*|\\{\\{?[^}]*\\}?\\}?|\\$[A-Z_][A-Z0-9_]*|\\$[a-z_]+|\\$[0-9@*]|%[A-Za-z_]+%|%\\(?\\w*\\)?[sdr]|#\\{.*|[*]{2}.{0,4}|[*xX._\u2022\u2026-]{3,}.{0,4}|(?i:your)[-_ ].*|(?i:redacted|hidden|masked)|!+[a-z]+|[^0-9A-Za-z]*"],["password", ["-pass"], "-pass(?:in|out)?[ \\t]+[\\\"']?pass:([^\\s\\\"']+)", "<[^<>]*>|\\$[({].*|\\{\\{?[^}]*\\}?\\}?|\\$[A-Z_][A-Z0-9_]*|\\$[a-z_]+|\\$[0-9@*]|%[A-Za-z_]+%|%\\(?\\w*\\)?[sdr]|#\\{.*|[*]{2}.{0,4}|[*xX._\u2022\u2026-]{3,}.{0,4}|(?i:your)[-_ ].*|(?i:redacted|hidden|masked)|!+[a-z]+|[^0-9A-Za-z]*"],
["netrc-password", ["machine", "default"], "(?:machine\\s+\\S+|default)\\s+login\\s+\\S+\\s+password\\s+([^\\s\\\"'\\\\]+)", "<[^<>]*>|\\$[({].*|\\{\\{?[^}]*\\}?\\}?|\\$[A-Z_][A-Z0-9_]*|\\$[a-z_]+|\\$[0-9@*]|%[A-Za-z_]+%|%\\(?\\w*\\)?[sdr]|#\\{.*|[*]{2}.{0,4}|[*xX._\u2022\u2026-]{3,}.{0,4}|(?i:your)[-_ ].*|(?i:redacted|hidden|masked)|!+[a-z]+|[^0-9A-Za-z]*"],["pgpass-password", [":"], ":(?:5432|5433|6432|\\*):[\\w*-]+:[\\w.*-]+:([^\\s:\\\"'\\\\]+)", "<[^<>]*>|\\$[({].*|\\{\\{?[^}]*\\}?\\}?|\\$[A-Z_][A-Z0-9_]*|\\$[a-z_]+|\\$[0-9@*]|%[A-Za-z_]+%|%\\(?\\w*\\)?[sdr]|#\\{.*|[*]{2}.{0,4}|[*xX._\u2022\u2026-]{3,}.{0,4}|(?i:your)[-_ ].*|(?i:redacted|hidden|masked)|!+[a-z]+|[^0-9A-Za-z]*"],["password", ["passphrase"], "(?i)passphrase(?:\\\\*[\\\"'`])?\\]?\\*{0,2}(?: \\[[^\\]\\n]{0,24}\\])?(?::[ \\t]*[A-Za-z][\\w.|\\[\\]<>]*[ \\t]*=[ \\t]*|[ \\t]*(?:=>|[:?+!]?={1,3}|%3[Dd])[ \\t]*|[ \\t]*[:\uff1a\u662f\u4e3a\u306f][ \\t]*\\*{0,2}[ \\t]*)(?:\\\\?\\r?\\n[ \\t]*|[|>][+-]?\\r?\\n[ \\t]*)?[brfuBRFU@$]{0,2}(?:\\\\+\\\"((?:[^\\\"\\\\\\n]|\\\\[^\\\"\\n])+)|\\\"((?:[^\\\"\\\\\\n]|\\\\[^\\n])+)|\\\\*'((?:[^'\\\\\\n]|\\\\[^'\\n])+)|`([^`\\n]+))", "<[^<>]*>|\\$[({].*|\\{\\{?[^}]*\\}?\\}?|\\$[A-Z_][A-Z0-9_]*|\\$[a-z_]+|\\$[0-9@*]|%[A-Za-z_]+%|%\\(?\\w*\\)?[sdr]|#\\{.*|[*]{2}.{0,4}|[*xX._\u2022\u2026-]{3,}.{0,4}|(?i:your)[-_ ].*|(?i:redacted|hidden|masked)|!+[a-z]+|[^0-9A-Za-z]*|(?i:str|string|text|bool|boolean|int|integer|number|float|bytes|object|array|list|dict|any|none|null|nil|undefined|true|false|yes|no|required|optional|unknown|enabled|disabled|missing|invalid|incorrect|wrong|expired|empty|set|unset|is|was|must|the|a|an|not|and|or|if|for|to|in|on|of|with|from|as|by|include|omit|same-origin|inherit|default|auto|await|new|lambda|input|value|raw|self|this|req|request|args|params|config|password|passwd|secret|token|key|credentials?|when|that|it|you|we|option|flag|flags|argument|file|prompt|via|instead|field|here|can|should|will)[.,:!?*]*|[\\w.$?!:>-]*[(\\[{].*|[A-Za-z_]{1,24}[0-9]{0,2}(?:\\??\\.[A-Za-z_]{1,24}[0-9]{0,2})+|(?i:[a-z_]*_(?:password|passwd|secret|token|key|pass|pwd))|[a-z]+(?:Password|Secret|Token|Key)|\\w*auth|pwd|_[a-z_]+|Secret(?:Str|Bytes)|(?:[A-Z][a-z]+)+(?:Type|Types)|.{1,2}"],
["seed-phrase", ["mnemonic", "phrase"], "(?i)(?:mnemonic|(?:seed|recovery)[ _-]?phrase)(?:\\\\*[\\\"'`])?\\]?\\*{0,2}(?: \\[[^\\]\\n]{0,24}\\])?(?::[ \\t]*[A-Za-z][\\w.|\\[\\]<>]*[ \\t]*=[ \\t]*|[ \\t]*(?:=>|[:?+!]?={1,3}|%3[Dd])[ \\t]*|[ \\t]*[:\uff1a\u662f\u4e3a\u306f][ \\t]*\\*{0,2}[ \\t]*)(?:\\\\?\\r?\\n[ \\t]*|[|>][+-]?\\r?\\n[ \\t]*)?\\\\*[\\\"']?([a-z]{3,8}(?: [a-z]{3,8}){11,23})", ""],["password-hash", ["$"], "(\\$(?:apr1|2[abxy]|5|6|y|scrypt|argon2id?|argon2i)\\$[\\w./$=,+-]{16,})", ""],["password", ["password ", "passphrase ", "passwd ", "passcode ", "password\t", "passphrase\t", "passwd\t", "passcode\t"], "(?i)(?:password|passphrase|passwd|passcode)[ \\t]+(?:is|was|to|will be)[ \\t:]+[\"'`\u201c]?([^\\s\"'`,<>(){}&\u201d]*[0-9!@#$%^*+][^\\s\"'`,<>(){}&\u201d]*)", "<[^<>]*>|\\$[({].*|\\{\\{?[^}]*\\}?\\}?|\\$[A-Z_][A-Z0-9_]*|\\$[a-z_]+|\\$[0-9@*]|%[A-Za-z_]+%|%\\(?\\w*\\)?[sdr]|#\\{.*|[*]{2}.{0,4}|[*xX._\u2022\u2026-]{3,}.{0,4}|(?i:your)[-_ ].*|(?i:redacted|hidden|masked)|!+[a-z]+|[^0-9A-Za-z]*|(?i:str|string|text|bool|boolean|int|integer|number|float|bytes|object|array|list|dict|any|none|null|nil|undefined|true|false|yes|no|required|optional|unknown|enabled|disabled|missing|invalid|incorrect|wrong|expired|empty|set|unset|is|was|must|the|a|an|not|and|or|if|for|to|in|on|of|with|from|as|by|include|omit|same-origin|inherit|default|auto|await|new|lambda|input|value|raw|self|this|req|request|args|params|config|password|passwd|secret|token|key|credentials?|when|that|it|you|we|option|flag|flags|argument|file|prompt|via|instead|field|here|can|should|will)[.,:!?*]*|[0-9.]+.{0,3}"],
["token", ["token", "key", "secret"], "(?i)(?:token|key|secret)[ \\t]+(?:is|was)[ \\t:]+[\\\"'`]?([A-Za-z0-9+/_=.~-]{16,})", "<[^<>]*>|\\$[({].*|\\{\\{?[^}]*\\}?\\}?|\\$[A-Z_][A-Z0-9_]*|\\$[a-z_]+|\\$[0-9@*]|%[A-Za-z_]+%|%\\(?\\w*\\)?[sdr]|#\\{.*|[*]{2}.{0,4}|[*xX._\u2022\u2026-]{3,}.{0,4}|(?i:your)[-_ ].*|(?i:redacted|hidden|masked)|!+[a-z]+|[^0-9A-Za-z]*|=.*|(?i:true|false|none|null|yes|no)[,;)]*|[A-Za-z_][\\w.]*[(\\[].*|[A-Za-z_]+(?:\\.[A-Za-z_]+)+|[A-Z_]+|[A-Za-z]{1,20}(?:[ _.,:'/-]+[A-Za-z]{1,20})*[.!?:]*|[0-9.,]{1,7}|.{1,5}|(?:~|\\.{1,2}|[A-Za-z]:|\\$?[A-Za-z_]+)?[/\\\\][\\w.@{}$ /\\\\-]*|(?:sha[0-9]+[:-])?[0-9a-fA-F]{7,}|[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}|[a-z0-9]{1,12}(?:[-_.:/][a-z0-9]{1,12})+|[a-z]*(?:[A-Z][a-z]{2,14}){2,}|(?:[A-Z][a-z]{1,14}[0-9]{0,5}){1,6}(?:Key|Keys|Token|Secret|Type|Types|Provider|Config|Options|Store)[(\\[]?|[a-z]*(?:_[a-z]+)+[(\\[]?"],["password", ["password", "passwd", "passphrase", "secret", "_pass", "_pwd", "_pw"], "(?:PASSWORD|PASSWD|PASSPHRASE|SECRET|_PASS|_PWD|_PW)(?:_(?:KEY|BASE|PROD|DEV|STAGING|LIVE|TEST|VALUE|OLD|NEW|B64|BASE64|[0-9]{1,2})){0,2}=(?:\\\"([^\\\"\\n]+)|'([^'\\n]+)|((?:[^\\s\\\"'`\\\\]|\\\\[^nrt\\s\\\"'])+))", "<[^<>]*>|\\$[({].*|\\{\\{?[^}]*\\}?\\}?|\\$[A-Z_][A-Z0-9_]*|\\$[a-z_]+|\\$[0-9@*]|%[A-Za-z_]+%|%\\(?\\w*\\)?[sdr]|#\\{.*|[*]{2}.{0,4}|[*xX._\u2022\u2026-]{3,}.{0,4}|(?i:your)[-_ ].*|(?i:redacted|hidden|masked)|!+[a-z]+|[^0-9A-Za-z]*|=.*|(?i:true|false|none|null|yes|no)[,;)]*|[A-Za-z_][\\w.]*[(\\[].*|[A-Za-z_]+(?:\\.[A-Za-z_]+)+|[A-Z_]+"],["token", ["token", "_key", "apikey", "credential", "_pat", "_auth"], "(?:TOKEN|APIKEY|CREDENTIALS?|_PAT|_AUTH|(?:API|APP|ACCESS|PRIVATE|SIGNING|ENCRYPTION|MASTER|AUTH|ADMIN|SERVICE|ACCOUNT|STORAGE|SESSION|CLIENT|WEBHOOK|DEPLOY|JWT|HMAC|FERNET)_KEY)(?:_(?:KEY|BASE|PROD|DEV|STAGING|LIVE|TEST|VALUE|OLD|NEW|B64|BASE64|[0-9]{1,2})){0,2}=(?:\\\"([^\\\"\\n]+)|'([^'\\n]+)|((?:[^\\s\\\"'`\\\\]|\\\\[^nrt\\s\\\"'])+))", "<[^<>]*>|\\$[({].*|\\{\\{?[^}]*\\}?\\}?|\\$[A-Z_][A-Z0-9_]*|\\$[a-z_]+|\\$[0-9@*]|%[A-Za-z_]+%|%\\(?\\w*\\)?[sdr]|#\\{.*|[*]{2}.{0,4}|[*xX._\u2022\u2026-]{3,}.{0,4}|(?i:your)[-_ ].*|(?i:redacted|hidden|masked)|!+[a-z]+|[^0-9A-Za-z]*|=.*|(?i:true|false|none|null|yes|no)[,;)]*|[A-Za-z_][\\w.]*[(\\[].*|[A-Za-z_]+(?:\\.[A-Za-z_]+)+|[A-Z_]+|[0-9.,]{1,7}|(?:~|\\.{1,2}|[A-Za-z]:|\\$?[A-Za-z_]+)?[/\\\\][\\w.@{}$ /\\\\-]*"],
["key", ["_key"], "[A-Z0-9]_KEY=(?:\\\"([^\\\"\\n]+)|'([^'\\n]+)|((?:[^\\s\\\"'`\\\\]|\\\\[^nrt\\s\\\"'])+))", "<[^<>]*>|\\$[({].*|\\{\\{?[^}]*\\}?\\}?|\\$[A-Z_][A-Z0-9_]*|\\$[a-z_]+|\\$[0-9@*]|%[A-Za-z_]+%|%\\(?\\w*\\)?[sdr]|#\\{.*|[*]{2}.{0,4}|[*xX._\u2022\u2026-]{3,}.{0,4}|(?i:your)[-_ ].*|(?i:redacted|hidden|masked)|!+[a-z]+|[^0-9A-Za-z]*|=.*|(?i:true|false|none|null|yes|no)[,;)]*|[A-Za-z_][\\w.]*[(\\[].*|[A-Za-z_]+(?:\\.[A-Za-z_]+)+|[A-Z_]+|[A-Za-z]{1,20}(?:[ _.,:'/-]+[A-Za-z]{1,20})*[.!?:]*|[0-9.,]{1,7}|.{1,5}|(?:~|\\.{1,2}|[A-Za-z]:|\\$?[A-Za-z_]+)?[/\\\\][\\w.@{}$ /\\\\-]*|(?:sha[0-9]+[:-])?[0-9a-fA-F]{7,}|[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}|[a-z0-9]{1,12}(?:[-_.:/][a-z0-9]{1,12})+|[a-z]*(?:[A-Z][a-z]{2,14}){2,}|(?:[A-Z][a-z]{1,14}[0-9]{0,5}){1,6}(?:Key|Keys|Token|Secret|Type|Types|Provider|Config|Options|Store)[(\\[]?|[a-z]*(?:_[a-z]+)+[(\\[]?"],["key", ["_key", "-key", "akey", "bkey", "ckey", "dkey", "ekey", "fkey", "gkey", "hkey", "ikey", "jkey", "kkey", "lkey", "mkey", "nkey", "okey", "pkey", "qkey", "rkey", "skey", "tkey", "ukey", "vkey", "wkey", "xkey", "ykey", "zkey", "0key", "1key", "2key", "3key", "4key", "5key", "6key", "7key", "8key", "9key"], "(?:[A-Za-z0-9][_-][Kk][Ee][Yy]|[a-z0-9]Key)(?:\\\\*[\\\"'`])?\\]?\\*{0,2}(?: \\[[^\\]\\n]{0,24}\\])?(?::[ \\t]*[A-Za-z][\\w.|\\[\\]<>]*[ \\t]*=[ \\t]*|[ \\t]*(?:=>|[:?+!]?={1,3}|%3[Dd])[ \\t]*|[ \\t]*[:\uff1a\u662f\u4e3a\u306f][ \\t]*\\*{0,2}[ \\t]*)(?:\\\\?\\r?\\n[ \\t]*|[|>][+-]?\\r?\\n[ \\t]*)?\\\\*[\\\"'`]?([A-Za-z0-9+/_=.~-]{20,})", "<[^<>]*>|\\$[({].*|\\{\\{?[^}]*\\}?\\}?|\\$[A-Z_][A-Z0-9_]*|\\$[a-z_]+|\\$[0-9@*]|%[A-Za-z_]+%|%\\(?\\w*\\)?[sdr]|#\\{.*|[*]{2}.{0,4}|[*xX._\u2022\u2026-]{3,}.{0,4}|(?i:your)[-_ ].*|(?i:redacted|hidden|masked)|!+[a-z]+|[^0-9A-Za-z]*|=.*|(?i:true|false|none|null|yes|no)[,;)]*|[A-Za-z_][\\w.]*[(\\[].*|[A-Za-z_]+(?:\\.[A-Za-z_]+)+|[A-Z_]+|[A-Za-z]{1,20}(?:[ _.,:'/-]+[A-Za-z]{1,20})*[.!?:]*|[0-9.,]{1,7}|.{1,5}|(?:~|\\.{1,2}|[A-Za-z]:|\\$?[A-Za-z_]+)?[/\\\\][\\w.@{}$ /\\\\-]*|(?:sha[0-9]+[:-])?[0-9a-fA-F]{7,}|[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}|[a-z0-9]{1,12}(?:[-_.:/][a-z0-9]{1,12})+|[a-z]*(?:[A-Z][a-z]{2,14}){2,}|(?:[A-Z][a-z]{1,14}[0-9]{0,5}){1,6}(?:Key|Keys|Token|Secret|Type|Types|Provider|Config|Options|Store)[(\\[]?|[a-z]*(?:_[a-z]+)+[(\\[]?"],
["password", ["${"], "\\$\\{\\w*(?:PASS|SECRET|TOKEN|KEY|PWD)\\w*:?[-=]([^}\\s$]+)\\}", "<[^<>]*>|\\$[({].*|\\{\\{?[^}]*\\}?\\}?|\\$[A-Z_][A-Z0-9_]*|\\$[a-z_]+|\\$[0-9@*]|%[A-Za-z_]+%|%\\(?\\w*\\)?[sdr]|#\\{.*|[*]{2}.{0,4}|[*xX._\u2022\u2026-]{3,}.{0,4}|(?i:your)[-_ ].*|(?i:redacted|hidden|masked)|!+[a-z]+|[^0-9A-Za-z]*"],
["password", ["password", "passwrd", "passwd", "passphrase", "passcode", "passwort", "contrase", "secret", "mnemonic", "seed", "pwd", "_pass", "-pass", ".pass", "dbpass", "userpass", "smtppass", "mailpass", "adminpass", "authpass", "\u5bc6\u7801", "\u5bc6\u78bc", "\u53e3\u4ee4", "\u51ed\u8bc1", "\u5bc6\u94a5", "\u30d1\u30b9\u30ef\u30fc\u30c9", "\ube44\ubc00\ubc88\ud638", "\u043f\u0430\u0440\u043e\u043b\u044c"], "(?:p(?i:assword|asswrd|asswd|assphrase|asscode|asswort)|P(?i:assword|asswrd|asswd|assphrase|asscode|asswort)|c(?i:ontrase[\u00f1n]a)|C(?i:ontrase[\u00f1n]a)|s(?i:ecret|eed[ _-]?phrase)|S(?i:ecret|eed[ _-]?phrase)|m(?i:nemonic)|M(?i:nemonic)|_(?i:pass|pwd)|-(?i:pass|pwd)|\\.(?i:pass|pwd)|;(?i:pwd)|Pwd|dbPass|userPass|smtpPass|mailPass|adminPass|authPass|\u5bc6\u7801|\u5bc6\u78bc|\u53e3\u4ee4|\u51ed\u8bc1|\u5bc6\u94a5|\u30d1\u30b9\u30ef\u30fc\u30c9|\ube44\ubc00\ubc88\ud638|\u041f\u0430\u0440\u043e\u043b\u044c|\u043f\u0430\u0440\u043e\u043b\u044c)(?i:[_-]?(?:[0-9]{1,2}|prod|production|dev|staging|live|value|base|b64|base64|plain))?(?:\\\\*[\\\"'`])?\\]?\\*{0,2}(?: \\[[^\\]\\n]{0,24}\\])?(?::[ \\t]*[A-Za-z][\\w.|\\[\\]<>]*[ \\t]*=[ \\t]*|[ \\t]*(?:=>|[:?+!]?={1,3}|%3[Dd])[ \\t]*|[ \\t]*[:\uff1a\u662f\u4e3a\u306f][ \\t]*\\*{0,2}[ \\t]*)(?:\\\\?\\r?\\n[ \\t]*|[|>][+-]?\\r?\\n[ \\t]*)?[brfuBRFU@$]{0,2}(?:\\\\+\\\"((?:[^\\\"\\\\\\n]|\\\\[^\\\"\\n])+)|\\\"((?:[^\\\"\\\\\\n]|\\\\[^\\n])+)|\\\\*'((?:[^'\\\\\\n]|\\\\[^'\\n])+)|`([^`\\n]+))", "<[^<>]*>|\\$[({].*|\\{\\{?[^}]*\\}?\\}?|\\$[A-Z_][A-Z0-9_]*|\\$[a-z_]+|\\$[0-9@*]|%[A-Za-z_]+%|%\\(?\\w*\\)?[sdr]|#\\{.*|[*]{2}.{0,4}|[*xX._\u2022\u2026-]{3,}.{0,4}|(?i:your)[-_ ].*|(?i:redacted|hidden|masked)|!+[a-z]+|[^0-9A-Za-z]*|(?i:str|string|text|bool|boolean|int|integer|number|float|bytes|object|array|list|dict|any|none|null|nil|undefined|true|false|yes|no|required|optional|unknown|enabled|disabled|missing|invalid|incorrect|wrong|expired|empty|set|unset|is|was|must|the|a|an|not|and|or|if|for|to|in|on|of|with|from|as|by|include|omit|same-origin|inherit|default|auto|await|new|lambda|input|value|raw|self|this|req|request|args|params|config|password|passwd|secret|token|key|credentials?|when|that|it|you|we|option|flag|flags|argument|file|prompt|via|instead|field|here|can|should|will)[.,:!?*]*|[\\w.$?!:>-]*[(\\[{].*|[A-Za-z_]{1,24}[0-9]{0,2}(?:\\??\\.[A-Za-z_]{1,24}[0-9]{0,2})+|(?i:[a-z_]*_(?:password|passwd|secret|token|key|pass|pwd))|[a-z]+(?:Password|Secret|Token|Key)|\\w*auth|pwd|_[a-z_]+|Secret(?:Str|Bytes)|(?:[A-Z][a-z]+)+(?:Type|Types)|.{1,2}|[A-Za-z][\\w'-]*(?:[ ,]+[\\w'(-][\\w').-]*)+[!?:]?"],
["password", ["password", "passwrd", "passwd", "passphrase", "passcode", "passwort", "contrase", "secret", "mnemonic", "seed", "pwd", "_pass", "-pass", ".pass", "dbpass", "userpass", "smtppass", "mailpass", "adminpass", "authpass", "\u5bc6\u7801", "\u5bc6\u78bc", "\u53e3\u4ee4", "\u51ed\u8bc1", "\u5bc6\u94a5", "\u30d1\u30b9\u30ef\u30fc\u30c9", "\ube44\ubc00\ubc88\ud638", "\u043f\u0430\u0440\u043e\u043b\u044c"], "(?:p(?i:assword|asswrd|asswd|assphrase|asscode|asswort)|P(?i:assword|asswrd|asswd|assphrase|asscode|asswort)|c(?i:ontrase[\u00f1n]a)|C(?i:ontrase[\u00f1n]a)|s(?i:ecret|eed[ _-]?phrase)|S(?i:ecret|eed[ _-]?phrase)|m(?i:nemonic)|M(?i:nemonic)|_(?i:pass|pwd)|-(?i:pass|pwd)|\\.(?i:pass|pwd)|;(?i:pwd)|Pwd|dbPass|userPass|smtpPass|mailPass|adminPass|authPass|\u5bc6\u7801|\u5bc6\u78bc|\u53e3\u4ee4|\u51ed\u8bc1|\u5bc6\u94a5|\u30d1\u30b9\u30ef\u30fc\u30c9|\ube44\ubc00\ubc88\ud638|\u041f\u0430\u0440\u043e\u043b\u044c|\u043f\u0430\u0440\u043e\u043b\u044c)(?i:[_-]?(?:[0-9]{1,2}|prod|production|dev|staging|live|value|base|b64|base64|plain))?(?:\\\\*[\\\"'`])?\\]?\\*{0,2}(?: \\[[^\\]\\n]{0,24}\\])?[ \\t]*(?:=>|[:?+!]?={1,3}|%3[Dd])[ \\t]*([^\\s\"'`,;<>{}()\\[\\]\\\\&|\u3001\u3002\uff01\uff08\uff09\uff0c\uff1b\uff1f\u300c\u300d\u201c\u201d:=][^\\s\"'`,;<>{}()\\[\\]\\\\&|\u3001\u3002\uff01\uff08\uff09\uff0c\uff1b\uff1f\u300c\u300d\u201c\u201d]*[(\\[{]?)", "<[^<>]*>|\\$[({].*|\\{\\{?[^}]*\\}?\\}?|\\$[A-Z_][A-Z0-9_]*|\\$[a-z_]+|\\$[0-9@*]|%[A-Za-z_]+%|%\\(?\\w*\\)?[sdr]|#\\{.*|[*]{2}.{0,4}|[*xX._\u2022\u2026-]{3,}.{0,4}|(?i:your)[-_ ].*|(?i:redacted|hidden|masked)|!+[a-z]+|[^0-9A-Za-z]*|(?i:str|string|text|bool|boolean|int|integer|number|float|bytes|object|array|list|dict|any|none|null|nil|undefined|true|false|yes|no|required|optional|unknown|enabled|disabled|missing|invalid|incorrect|wrong|expired|empty|set|unset|is|was|must|the|a|an|not|and|or|if|for|to|in|on|of|with|from|as|by|include|omit|same-origin|inherit|default|auto|await|new|lambda|input|value|raw|self|this|req|request|args|params|config|password|passwd|secret|token|key|credentials?|when|that|it|you|we|option|flag|flags|argument|file|prompt|via|instead|field|here|can|should|will)[.,:!?*]*|[\\w.$?!:>-]*[(\\[{].*|[A-Za-z_]{1,24}[0-9]{0,2}(?:\\??\\.[A-Za-z_]{1,24}[0-9]{0,2})+|(?i:[a-z_]*_(?:password|passwd|secret|token|key|pass|pwd))|[a-z]+(?:Password|Secret|Token|Key)|\\w*auth|pwd|_[a-z_]+|Secret(?:Str|Bytes)|(?:[A-Z][a-z]+)+(?:Type|Types)|.{1,2}"],
["password", ["password", "passwrd", "passwd", "passphrase", "passcode", "passwort", "contrase", "secret", "mnemonic", "seed", "pwd", "_pass", "-pass", ".pass", "dbpass", "userpass", "smtppass", "mailpass", "adminpass", "authpass", "\u5bc6\u7801", "\u5bc6\u78bc", "\u53e3\u4ee4", "\u51ed\u8bc1", "\u5bc6\u94a5", "\u30d1\u30b9\u30ef\u30fc\u30c9", "\ube44\ubc00\ubc88\ud638", "\u043f\u0430\u0440\u043e\u043b\u044c"], "(?:p(?i:assword|asswrd|asswd|assphrase|asscode|asswort)|P(?i:assword|asswrd|asswd|assphrase|asscode|asswort)|c(?i:ontrase[\u00f1n]a)|C(?i:ontrase[\u00f1n]a)|s(?i:ecret|eed[ _-]?phrase)|S(?i:ecret|eed[ _-]?phrase)|m(?i:nemonic)|M(?i:nemonic)|_(?i:pass|pwd)|-(?i:pass|pwd)|\\.(?i:pass|pwd)|;(?i:pwd)|Pwd|dbPass|userPass|smtpPass|mailPass|adminPass|authPass|\u5bc6\u7801|\u5bc6\u78bc|\u53e3\u4ee4|\u51ed\u8bc1|\u5bc6\u94a5|\u30d1\u30b9\u30ef\u30fc\u30c9|\ube44\ubc00\ubc88\ud638|\u041f\u0430\u0440\u043e\u043b\u044c|\u043f\u0430\u0440\u043e\u043b\u044c)(?i:[_-]?(?:[0-9]{1,2}|prod|production|dev|staging|live|value|base|b64|base64|plain))?(?:\\\\*[\\\"'`])?\\]?\\*{0,2}(?: \\[[^\\]\\n]{0,24}\\])?[ \\t]*[:\uff1a\u662f\u4e3a\u306f][ \\t]*\\*{0,2}[ \\t]*(?:[|>][+-]?\\r?\\n[ \\t]*)?([^\\s\"'`,;<>{}()\\[\\]\\\\&|\u3001\u3002\uff01\uff08\uff09\uff0c\uff1b\uff1f\u300c\u300d\u201c\u201d:=][^\\s\"'`,;<>{}()\\[\\]\\\\&|\u3001\u3002\uff01\uff08\uff09\uff0c\uff1b\uff1f\u300c\u300d\u201c\u201d]*[(\\[{]?)", "<[^<>]*>|\\$[({].*|\\{\\{?[^}]*\\}?\\}?|\\$[A-Z_][A-Z0-9_]*|\\$[a-z_]+|\\$[0-9@*]|%[A-Za-z_]+%|%\\(?\\w*\\)?[sdr]|#\\{.*|[*]{2}.{0,4}|[*xX._\u2022\u2026-]{3,}.{0,4}|(?i:your)[-_ ].*|(?i:redacted|hidden|masked)|!+[a-z]+|[^0-9A-Za-z]*|(?i:str|string|text|bool|boolean|int|integer|number|float|bytes|object|array|list|dict|any|none|null|nil|undefined|true|false|yes|no|required|optional|unknown|enabled|disabled|missing|invalid|incorrect|wrong|expired|empty|set|unset|is|was|must|the|a|an|not|and|or|if|for|to|in|on|of|with|from|as|by|include|omit|same-origin|inherit|default|auto|await|new|lambda|input|value|raw|self|this|req|request|args|params|config|password|passwd|secret|token|key|credentials?|when|that|it|you|we|option|flag|flags|argument|file|prompt|via|instead|field|here|can|should|will)[.,:!?*]*|[\\w.$?!:>-]*[(\\[{].*|[A-Za-z_]{1,24}[0-9]{0,2}(?:\\??\\.[A-Za-z_]{1,24}[0-9]{0,2})+|(?i:[a-z_]*_(?:password|passwd|secret|token|key|pass|pwd))|[a-z]+(?:Password|Secret|Token|Key)|\\w*auth|pwd|_[a-z_]+|Secret(?:Str|Bytes)|(?:[A-Z][a-z]+)+(?:Type|Types)|.{1,2}|[^0-9!@#$%^*+/~]*"],
["password", ["password", "passwrd", "passwd", "passphrase", "passcode", "passwort", "contrase", "secret", "mnemonic", "seed", "pwd", "_pass", "-pass", ".pass", "dbpass", "userpass", "smtppass", "mailpass", "adminpass", "authpass", "\u5bc6\u7801", "\u5bc6\u78bc", "\u53e3\u4ee4", "\u51ed\u8bc1", "\u5bc6\u94a5", "\u30d1\u30b9\u30ef\u30fc\u30c9", "\ube44\ubc00\ubc88\ud638", "\u043f\u0430\u0440\u043e\u043b\u044c"], "(?:p(?i:assword|asswrd|asswd|assphrase|asscode|asswort)|P(?i:assword|asswrd|asswd|assphrase|asscode|asswort)|c(?i:ontrase[\u00f1n]a)|C(?i:ontrase[\u00f1n]a)|s(?i:ecret|eed[ _-]?phrase)|S(?i:ecret|eed[ _-]?phrase)|m(?i:nemonic)|M(?i:nemonic)|_(?i:pass|pwd)|-(?i:pass|pwd)|\\.(?i:pass|pwd)|;(?i:pwd)|Pwd|dbPass|userPass|smtpPass|mailPass|adminPass|authPass|\u5bc6\u7801|\u5bc6\u78bc|\u53e3\u4ee4|\u51ed\u8bc1|\u5bc6\u94a5|\u30d1\u30b9\u30ef\u30fc\u30c9|\ube44\ubc00\ubc88\ud638|\u041f\u0430\u0440\u043e\u043b\u044c|\u043f\u0430\u0440\u043e\u043b\u044c)(?i:[_-]?(?:[0-9]{1,2}|prod|production|dev|staging|live|value|base|b64|base64|plain))?(?:\\\\*[\\\"'`])?\\]?\\*{0,2}(?: \\[[^\\]\\n]{0,24}\\])?[ \\t]*[:\uff1a\u662f\u4e3a\u306f][ \\t]*\\*{0,2}[ \\t]*(?:[|>][+-]?\\r?\\n[ \\t]*)?([A-Za-z][A-Za-z._-]*)[ \\t]*\\r?(?m:$)", "<[^<>]*>|\\$[({].*|\\{\\{?[^}]*\\}?\\}?|\\$[A-Z_][A-Z0-9_]*|\\$[a-z_]+|\\$[0-9@*]|%[A-Za-z_]+%|%\\(?\\w*\\)?[sdr]|#\\{.*|[*]{2}.{0,4}|[*xX._\u2022\u2026-]{3,}.{0,4}|(?i:your)[-_ ].*|(?i:redacted|hidden|masked)|!+[a-z]+|[^0-9A-Za-z]*|(?i:str|string|text|bool|boolean|int|integer|number|float|bytes|object|array|list|dict|any|none|null|nil|undefined|true|false|yes|no|required|optional|unknown|enabled|disabled|missing|invalid|incorrect|wrong|expired|empty|set|unset|is|was|must|the|a|an|not|and|or|if|for|to|in|on|of|with|from|as|by|include|omit|same-origin|inherit|default|auto|await|new|lambda|input|value|raw|self|this|req|request|args|params|config|password|passwd|secret|token|key|credentials?|when|that|it|you|we|option|flag|flags|argument|file|prompt|via|instead|field|here|can|should|will)[.,:!?*]*|[\\w.$?!:>-]*[(\\[{].*|[A-Za-z_]{1,24}[0-9]{0,2}(?:\\??\\.[A-Za-z_]{1,24}[0-9]{0,2})+|(?i:[a-z_]*_(?:password|passwd|secret|token|key|pass|pwd))|[a-z]+(?:Password|Secret|Token|Key)|\\w*auth|pwd|_[a-z_]+|Secret(?:Str|Bytes)|(?:[A-Z][a-z]+)+(?:Type|Types)|.{1,2}"],
["password", ["password", "passwrd", "passwd", "passphrase", "passcode", "passwort", "contrase", "secret", "mnemonic", "seed", "pwd", "_pass", "-pass", ".pass", "dbpass", "userpass", "smtppass", "mailpass", "adminpass", "authpass", "\u5bc6\u7801", "\u5bc6\u78bc", "\u53e3\u4ee4", "\u51ed\u8bc1", "\u5bc6\u94a5", "\u30d1\u30b9\u30ef\u30fc\u30c9", "\ube44\ubc00\ubc88\ud638", "\u043f\u0430\u0440\u043e\u043b\u044c"], "--?(?:[A-Za-z0-9]+[-_]){0,4}(?:p(?i:assword|asswrd|asswd|assphrase|asscode|asswort)|P(?i:assword|asswrd|asswd|assphrase|asscode|asswort)|c(?i:ontrase[\u00f1n]a)|C(?i:ontrase[\u00f1n]a)|s(?i:ecret|eed[ _-]?phrase)|S(?i:ecret|eed[ _-]?phrase)|m(?i:nemonic)|M(?i:nemonic)|_(?i:pass|pwd)|-(?i:pass|pwd)|\\.(?i:pass|pwd)|;(?i:pwd)|Pwd|dbPass|userPass|smtpPass|mailPass|adminPass|authPass|\u5bc6\u7801|\u5bc6\u78bc|\u53e3\u4ee4|\u51ed\u8bc1|\u5bc6\u94a5|\u30d1\u30b9\u30ef\u30fc\u30c9|\ube44\ubc00\ubc88\ud638|\u041f\u0430\u0440\u043e\u043b\u044c|\u043f\u0430\u0440\u043e\u043b\u044c)(?i:[_-]?(?:[0-9]{1,2}|prod|production|dev|staging|live|value|base|b64|base64|plain))?[\\\"']?(?:[ \\t]+|,[ \\t]*)[\\\"']?([^\\s\"'`,;<>{}()\\[\\]\\\\&|\u3001\u3002\uff01\uff08\uff09\uff0c\uff1b\uff1f\u300c\u300d\u201c\u201d:=][^\\s\"'`,;<>{}()\\[\\]\\\\&|\u3001\u3002\uff01\uff08\uff09\uff0c\uff1b\uff1f\u300c\u300d\u201c\u201d]*[(\\[{]?)", "<[^<>]*>|\\$[({].*|\\{\\{?[^}]*\\}?\\}?|\\$[A-Z_][A-Z0-9_]*|\\$[a-z_]+|\\$[0-9@*]|%[A-Za-z_]+%|%\\(?\\w*\\)?[sdr]|#\\{.*|[*]{2}.{0,4}|[*xX._\u2022\u2026-]{3,}.{0,4}|(?i:your)[-_ ].*|(?i:redacted|hidden|masked)|!+[a-z]+|[^0-9A-Za-z]*|(?i:str|string|text|bool|boolean|int|integer|number|float|bytes|object|array|list|dict|any|none|null|nil|undefined|true|false|yes|no|required|optional|unknown|enabled|disabled|missing|invalid|incorrect|wrong|expired|empty|set|unset|is|was|must|the|a|an|not|and|or|if|for|to|in|on|of|with|from|as|by|include|omit|same-origin|inherit|default|auto|await|new|lambda|input|value|raw|self|this|req|request|args|params|config|password|passwd|secret|token|key|credentials?|when|that|it|you|we|option|flag|flags|argument|file|prompt|via|instead|field|here|can|should|will)[.,:!?*]*|[\\w.$?!:>-]*[(\\[{].*|[A-Za-z_]{1,24}[0-9]{0,2}(?:\\??\\.[A-Za-z_]{1,24}[0-9]{0,2})+|(?i:[a-z_]*_(?:password|passwd|secret|token|key|pass|pwd))|[a-z]+(?:Password|Secret|Token|Key)|\\w*auth|pwd|_[a-z_]+|Secret(?:Str|Bytes)|(?:[A-Z][a-z]+)+(?:Type|Types)|.{1,2}|-.*"],
["password", ["password", "passwrd", "passwd", "passphrase", "passcode", "passwort", "contrase", "secret", "mnemonic", "seed", "pwd", "_pass", "-pass", ".pass", "dbpass", "userpass", "smtppass", "mailpass", "adminpass", "authpass", "\u5bc6\u7801", "\u5bc6\u78bc", "\u53e3\u4ee4", "\u51ed\u8bc1", "\u5bc6\u94a5", "\u30d1\u30b9\u30ef\u30fc\u30c9", "\ube44\ubc00\ubc88\ud638", "\u043f\u0430\u0440\u043e\u043b\u044c"], "(?:p(?i:assword|asswrd|asswd|assphrase|asscode|asswort)|P(?i:assword|asswrd|asswd|assphrase|asscode|asswort)|c(?i:ontrase[\u00f1n]a)|C(?i:ontrase[\u00f1n]a)|s(?i:ecret|eed[ _-]?phrase)|S(?i:ecret|eed[ _-]?phrase)|m(?i:nemonic)|M(?i:nemonic)|_(?i:pass|pwd)|-(?i:pass|pwd)|\\.(?i:pass|pwd)|;(?i:pwd)|Pwd|dbPass|userPass|smtpPass|mailPass|adminPass|authPass|\u5bc6\u7801|\u5bc6\u78bc|\u53e3\u4ee4|\u51ed\u8bc1|\u5bc6\u94a5|\u30d1\u30b9\u30ef\u30fc\u30c9|\ube44\ubc00\ubc88\ud638|\u041f\u0430\u0440\u043e\u043b\u044c|\u043f\u0430\u0440\u043e\u043b\u044c)[\\\"']?>[ \\t]*([^<>\\s]+)</", "<[^<>]*>|\\$[({].*|\\{\\{?[^}]*\\}?\\}?|\\$[A-Z_][A-Z0-9_]*|\\$[a-z_]+|\\$[0-9@*]|%[A-Za-z_]+%|%\\(?\\w*\\)?[sdr]|#\\{.*|[*]{2}.{0,4}|[*xX._\u2022\u2026-]{3,}.{0,4}|(?i:your)[-_ ].*|(?i:redacted|hidden|masked)|!+[a-z]+|[^0-9A-Za-z]*|(?i:str|string|text|bool|boolean|int|integer|number|float|bytes|object|array|list|dict|any|none|null|nil|undefined|true|false|yes|no|required|optional|unknown|enabled|disabled|missing|invalid|incorrect|wrong|expired|empty|set|unset|is|was|must|the|a|an|not|and|or|if|for|to|in|on|of|with|from|as|by|include|omit|same-origin|inherit|default|auto|await|new|lambda|input|value|raw|self|this|req|request|args|params|config|password|passwd|secret|token|key|credentials?|when|that|it|you|we|option|flag|flags|argument|file|prompt|via|instead|field|here|can|should|will)[.,:!?*]*|[\\w.$?!:>-]*[(\\[{].*|[A-Za-z_]{1,24}[0-9]{0,2}(?:\\??\\.[A-Za-z_]{1,24}[0-9]{0,2})+|(?i:[a-z_]*_(?:password|passwd|secret|token|key|pass|pwd))|[a-z]+(?:Password|Secret|Token|Key)|\\w*auth|pwd|_[a-z_]+|Secret(?:Str|Bytes)|(?:[A-Z][a-z]+)+(?:Type|Types)|.{1,2}"],
["password", ["password", "passwrd", "passwd", "passphrase", "passcode", "passwort", "contrase", "secret", "mnemonic", "seed", "pwd", "_pass", "-pass", ".pass", "dbpass", "userpass", "smtppass", "mailpass", "adminpass", "authpass", "\u5bc6\u7801", "\u5bc6\u78bc", "\u53e3\u4ee4", "\u51ed\u8bc1", "\u5bc6\u94a5", "\u30d1\u30b9\u30ef\u30fc\u30c9", "\ube44\ubc00\ubc88\ud638", "\u043f\u0430\u0440\u043e\u043b\u044c"], "(?:p(?i:assword|asswrd|asswd|assphrase|asscode|asswort)|P(?i:assword|asswrd|asswd|assphrase|asscode|asswort)|c(?i:ontrase[\u00f1n]a)|C(?i:ontrase[\u00f1n]a)|s(?i:ecret|eed[ _-]?phrase)|S(?i:ecret|eed[ _-]?phrase)|m(?i:nemonic)|M(?i:nemonic)|_(?i:pass|pwd)|-(?i:pass|pwd)|\\.(?i:pass|pwd)|;(?i:pwd)|Pwd|dbPass|userPass|smtpPass|mailPass|adminPass|authPass|\u5bc6\u7801|\u5bc6\u78bc|\u53e3\u4ee4|\u51ed\u8bc1|\u5bc6\u94a5|\u30d1\u30b9\u30ef\u30fc\u30c9|\ube44\ubc00\ubc88\ud638|\u041f\u0430\u0440\u043e\u043b\u044c|\u043f\u0430\u0440\u043e\u043b\u044c)[\\\"']?[ \\t]*,?(?:\\r?\\n)?[ \\t]*[\\\"']?[Vv]alue[\\\"']?[ \\t]*[:=][ \\t]*[\\\"']?([^\\s\\\"'<>]+)", "<[^<>]*>|\\$[({].*|\\{\\{?[^}]*\\}?\\}?|\\$[A-Z_][A-Z0-9_]*|\\$[a-z_]+|\\$[0-9@*]|%[A-Za-z_]+%|%\\(?\\w*\\)?[sdr]|#\\{.*|[*]{2}.{0,4}|[*xX._\u2022\u2026-]{3,}.{0,4}|(?i:your)[-_ ].*|(?i:redacted|hidden|masked)|!+[a-z]+|[^0-9A-Za-z]*|(?i:str|string|text|bool|boolean|int|integer|number|float|bytes|object|array|list|dict|any|none|null|nil|undefined|true|false|yes|no|required|optional|unknown|enabled|disabled|missing|invalid|incorrect|wrong|expired|empty|set|unset|is|was|must|the|a|an|not|and|or|if|for|to|in|on|of|with|from|as|by|include|omit|same-origin|inherit|default|auto|await|new|lambda|input|value|raw|self|this|req|request|args|params|config|password|passwd|secret|token|key|credentials?|when|that|it|you|we|option|flag|flags|argument|file|prompt|via|instead|field|here|can|should|will)[.,:!?*]*|[\\w.$?!:>-]*[(\\[{].*|[A-Za-z_]{1,24}[0-9]{0,2}(?:\\??\\.[A-Za-z_]{1,24}[0-9]{0,2})+|(?i:[a-z_]*_(?:password|passwd|secret|token|key|pass|pwd))|[a-z]+(?:Password|Secret|Token|Key)|\\w*auth|pwd|_[a-z_]+|Secret(?:Str|Bytes)|(?:[A-Z][a-z]+)+(?:Type|Types)|.{1,2}"],
["key", [" key", "_key", "-key", "apikey", "appkey", "applicationkey", "privatekey", "accesskey", "signkey", "signingkey", "encryptkey", "encryptionkey", "decryptionkey", "masterkey", "authkey", "adminkey", "servicekey", "accountkey", "storagekey", "sessionkey", "clientkey", "webhookkey", "deploykey", "jwtkey", "secretkey", "sharedkey", "presharedkey", "hmackey", "aeskey", "fernetkey", "licensekey", "rootkey", "subscriptionkey", "functionskey", "sshkey", "openaikey", "anthropickey", "vaultkey", "consumerkey"], "(?:a(?i:pi[ _-]?key|pp[ _-]?key|pplication[ _-]?key|ccess[ _-]?key|uth[ _-]?key|dmin[ _-]?key|ccount[ _-]?key|es[ _-]?key|nthropic[ _-]?key)|A(?i:pi[ _-]?key|pp[ _-]?key|pplication[ _-]?key|ccess[ _-]?key|uth[ _-]?key|dmin[ _-]?key|ccount[ _-]?key|es[ _-]?key|nthropic[ _-]?key)|p(?i:rivate[ _-]?key|reshared[ _-]?key)|P(?i:rivate[ _-]?key|reshared[ _-]?key)|s(?i:ign[ _-]?key|igning[ _-]?key|ervice[ _-]?key|torage[ _-]?key|ession[ _-]?key|ecret[ _-]?key|hared[ _-]?key|ubscription[ _-]?key|sh[ _-]?key)|S(?i:ign[ _-]?key|igning[ _-]?key|ervice[ _-]?key|torage[ _-]?key|ession[ _-]?key|ecret[ _-]?key|hared[ _-]?key|ubscription[ _-]?key|sh[ _-]?key)|e(?i:ncrypt[ _-]?key|ncryption[ _-]?key)|E(?i:ncrypt[ _-]?key|ncryption[ _-]?key)|d(?i:ecryption[ _-]?key|eploy[ _-]?key)|D(?i:ecryption[ _-]?key|eploy[ _-]?key)|m(?i:aster[ _-]?key)|M(?i:aster[ _-]?key)|c(?i:lient[ _-]?key|onsumer[ _-]?key)|C(?i:lient[ _-]?key|onsumer[ _-]?key)|w(?i:ebhook[ _-]?key)|W(?i:ebhook[ _-]?key)|j(?i:wt[ _-]?key)|J(?i:wt[ _-]?key)|h(?i:mac[ _-]?key)|H(?i:mac[ _-]?key)|f(?i:ernet[ _-]?key|unctions[ _-]?key)|F(?i:ernet[ _-]?key|unctions[ _-]?key)|l(?i:icense[ _-]?key)|L(?i:icense[ _-]?key)|r(?i:oot[ _-]?key)|R(?i:oot[ _-]?key)|o(?i:penai[ _-]?key)|O(?i:penai[ _-]?key)|v(?i:ault[ _-]?key)|V(?i:ault[ _-]?key))(?i:[_-]?(?:[0-9]{1,2}|prod|production|dev|staging|live|value|base|b64|base64|plain))?(?:\\\\*[\\\"'`])?\\]?\\*{0,2}(?: \\[[^\\]\\n]{0,24}\\])?(?::[ \\t]*[A-Za-z][\\w.|\\[\\]<>]*[ \\t]*=[ \\t]*|[ \\t]*(?:=>|[:?+!]?={1,3}|%3[Dd])[ \\t]*|[ \\t]*[:\uff1a\u662f\u4e3a\u306f][ \\t]*\\*{0,2}[ \\t]*)(?:\\\\?\\r?\\n[ \\t]*|[|>][+-]?\\r?\\n[ \\t]*)?[brfuBRFU@$]{0,2}(?:\\\\+\\\"((?:[^\\\"\\\\\\n]|\\\\[^\\\"\\n])+)|\\\"((?:[^\\\"\\\\\\n]|\\\\[^\\n])+)|\\\\*'((?:[^'\\\\\\n]|\\\\[^'\\n])+)|`([^`\\n]+))", "<[^<>]*>|\\$[({].*|\\{\\{?[^}]*\\}?\\}?|\\$[A-Z_][A-Z0-9_]*|\\$[a-z_]+|\\$[0-9@*]|%[A-Za-z_]+%|%\\(?\\w*\\)?[sdr]|#\\{.*|[*]{2}.{0,4}|[*xX._\u2022\u2026-]{3,}.{0,4}|(?i:your)[-_ ].*|(?i:redacted|hidden|masked)|!+[a-z]+|[^0-9A-Za-z]*|(?i:str|string|text|bool|boolean|int|integer|number|float|bytes|object|array|list|dict|any|none|null|nil|undefined|true|false|yes|no|required|optional|unknown|enabled|disabled|missing|invalid|incorrect|wrong|expired|empty|set|unset|is|was|must|the|a|an|not|and|or|if|for|to|in|on|of|with|from|as|by|include|omit|same-origin|inherit|default|auto|await|new|lambda|input|value|raw|self|this|req|request|args|params|config|password|passwd|secret|token|key|credentials?|when|that|it|you|we|option|flag|flags|argument|file|prompt|via|instead|field|here|can|should|will)[.,:!?*]*|[\\w.$?!:>-]*[(\\[{].*|[A-Za-z_]{1,24}[0-9]{0,2}(?:\\??\\.[A-Za-z_]{1,24}[0-9]{0,2})+|(?i:[a-z_]*_(?:password|passwd|secret|token|key|pass|pwd))|[a-z]+(?:Password|Secret|Token|Key)|\\w*auth|pwd|_[a-z_]+|Secret(?:Str|Bytes)|(?:[A-Z][a-z]+)+(?:Type|Types)|.{1,2}|[A-Za-z][\\w'-]*(?:[ ,]+[\\w'(-][\\w').-]*)+[!?:]?|(?:~|\\.{1,2}|[A-Za-z]:|\\$?[A-Za-z_]+)?[/\\\\][\\w.@{}$ /\\\\-]*|[a-z]*(?:[A-Z][a-z]{2,14}){2,}|(?:[A-Z][a-z]{1,14}[0-9]{0,5}){1,6}(?:Key|Keys|Token|Secret|Type|Types|Provider|Config|Options|Store)[(\\[]?|[0-9.,]{1,7}|[A-Za-z][\\w'-]*(?:[ ,]+[\\w'(-][\\w').-]*)+[!?:]?"],
["key", [" key", "_key", "-key", "apikey", "appkey", "applicationkey", "privatekey", "accesskey", "signkey", "signingkey", "encryptkey", "encryptionkey", "decryptionkey", "masterkey", "authkey", "adminkey", "servicekey", "accountkey", "storagekey", "sessionkey", "clientkey", "webhookkey", "deploykey", "jwtkey", "secretkey", "sharedkey", "presharedkey", "hmackey", "aeskey", "fernetkey", "licensekey", "rootkey", "subscriptionkey", "functionskey", "sshkey", "openaikey", "anthropickey", "vaultkey", "consumerkey"], "(?:a(?i:pi[ _-]?key|pp[ _-]?key|pplication[ _-]?key|ccess[ _-]?key|uth[ _-]?key|dmin[ _-]?key|ccount[ _-]?key|es[ _-]?key|nthropic[ _-]?key)|A(?i:pi[ _-]?key|pp[ _-]?key|pplication[ _-]?key|ccess[ _-]?key|uth[ _-]?key|dmin[ _-]?key|ccount[ _-]?key|es[ _-]?key|nthropic[ _-]?key)|p(?i:rivate[ _-]?key|reshared[ _-]?key)|P(?i:rivate[ _-]?key|reshared[ _-]?key)|s(?i:ign[ _-]?key|igning[ _-]?key|ervice[ _-]?key|torage[ _-]?key|ession[ _-]?key|ecret[ _-]?key|hared[ _-]?key|ubscription[ _-]?key|sh[ _-]?key)|S(?i:ign[ _-]?key|igning[ _-]?key|ervice[ _-]?key|torage[ _-]?key|ession[ _-]?key|ecret[ _-]?key|hared[ _-]?key|ubscription[ _-]?key|sh[ _-]?key)|e(?i:ncrypt[ _-]?key|ncryption[ _-]?key)|E(?i:ncrypt[ _-]?key|ncryption[ _-]?key)|d(?i:ecryption[ _-]?key|eploy[ _-]?key)|D(?i:ecryption[ _-]?key|eploy[ _-]?key)|m(?i:aster[ _-]?key)|M(?i:aster[ _-]?key)|c(?i:lient[ _-]?key|onsumer[ _-]?key)|C(?i:lient[ _-]?key|onsumer[ _-]?key)|w(?i:ebhook[ _-]?key)|W(?i:ebhook[ _-]?key)|j(?i:wt[ _-]?key)|J(?i:wt[ _-]?key)|h(?i:mac[ _-]?key)|H(?i:mac[ _-]?key)|f(?i:ernet[ _-]?key|unctions[ _-]?key)|F(?i:ernet[ _-]?key|unctions[ _-]?key)|l(?i:icense[ _-]?key)|L(?i:icense[ _-]?key)|r(?i:oot[ _-]?key)|R(?i:oot[ _-]?key)|o(?i:penai[ _-]?key)|O(?i:penai[ _-]?key)|v(?i:ault[ _-]?key)|V(?i:ault[ _-]?key))(?i:[_-]?(?:[0-9]{1,2}|prod|production|dev|staging|live|value|base|b64|base64|plain))?(?:\\\\*[\\\"'`])?\\]?\\*{0,2}(?: \\[[^\\]\\n]{0,24}\\])?[ \\t]*(?:=>|[:?+!]?={1,3}|%3[Dd])[ \\t]*([^\\s\"'`,;<>{}()\\[\\]\\\\&|\u3001\u3002\uff01\uff08\uff09\uff0c\uff1b\uff1f\u300c\u300d\u201c\u201d:=][^\\s\"'`,;<>{}()\\[\\]\\\\&|\u3001\u3002\uff01\uff08\uff09\uff0c\uff1b\uff1f\u300c\u300d\u201c\u201d]*[(\\[{]?)", "<[^<>]*>|\\$[({].*|\\{\\{?[^}]*\\}?\\}?|\\$[A-Z_][A-Z0-9_]*|\\$[a-z_]+|\\$[0-9@*]|%[A-Za-z_]+%|%\\(?\\w*\\)?[sdr]|#\\{.*|[*]{2}.{0,4}|[*xX._\u2022\u2026-]{3,}.{0,4}|(?i:your)[-_ ].*|(?i:redacted|hidden|masked)|!+[a-z]+|[^0-9A-Za-z]*|(?i:str|string|text|bool|boolean|int|integer|number|float|bytes|object|array|list|dict|any|none|null|nil|undefined|true|false|yes|no|required|optional|unknown|enabled|disabled|missing|invalid|incorrect|wrong|expired|empty|set|unset|is|was|must|the|a|an|not|and|or|if|for|to|in|on|of|with|from|as|by|include|omit|same-origin|inherit|default|auto|await|new|lambda|input|value|raw|self|this|req|request|args|params|config|password|passwd|secret|token|key|credentials?|when|that|it|you|we|option|flag|flags|argument|file|prompt|via|instead|field|here|can|should|will)[.,:!?*]*|[\\w.$?!:>-]*[(\\[{].*|[A-Za-z_]{1,24}[0-9]{0,2}(?:\\??\\.[A-Za-z_]{1,24}[0-9]{0,2})+|(?i:[a-z_]*_(?:password|passwd|secret|token|key|pass|pwd))|[a-z]+(?:Password|Secret|Token|Key)|\\w*auth|pwd|_[a-z_]+|Secret(?:Str|Bytes)|(?:[A-Z][a-z]+)+(?:Type|Types)|.{1,2}|[A-Za-z][\\w'-]*(?:[ ,]+[\\w'(-][\\w').-]*)+[!?:]?|(?:~|\\.{1,2}|[A-Za-z]:|\\$?[A-Za-z_]+)?[/\\\\][\\w.@{}$ /\\\\-]*|[a-z]*(?:[A-Z][a-z]{2,14}){2,}|(?:[A-Z][a-z]{1,14}[0-9]{0,5}){1,6}(?:Key|Keys|Token|Secret|Type|Types|Provider|Config|Options|Store)[(\\[]?|[0-9.,]{1,7}"],
["key", [" key", "_key", "-key", "apikey", "appkey", "applicationkey", "privatekey", "accesskey", "signkey", "signingkey", "encryptkey", "encryptionkey", "decryptionkey", "masterkey", "authkey", "adminkey", "servicekey", "accountkey", "storagekey", "sessionkey", "clientkey", "webhookkey", "deploykey", "jwtkey", "secretkey", "sharedkey", "presharedkey", "hmackey", "aeskey", "fernetkey", "licensekey", "rootkey", "subscriptionkey", "functionskey", "sshkey", "openaikey", "anthropickey", "vaultkey", "consumerkey"], "(?:a(?i:pi[ _-]?key|pp[ _-]?key|pplication[ _-]?key|ccess[ _-]?key|uth[ _-]?key|dmin[ _-]?key|ccount[ _-]?key|es[ _-]?key|nthropic[ _-]?key)|A(?i:pi[ _-]?key|pp[ _-]?key|pplication[ _-]?key|ccess[ _-]?key|uth[ _-]?key|dmin[ _-]?key|ccount[ _-]?key|es[ _-]?key|nthropic[ _-]?key)|p(?i:rivate[ _-]?key|reshared[ _-]?key)|P(?i:rivate[ _-]?key|reshared[ _-]?key)|s(?i:ign[ _-]?key|igning[ _-]?key|ervice[ _-]?key|torage[ _-]?key|ession[ _-]?key|ecret[ _-]?key|hared[ _-]?key|ubscription[ _-]?key|sh[ _-]?key)|S(?i:ign[ _-]?key|igning[ _-]?key|ervice[ _-]?key|torage[ _-]?key|ession[ _-]?key|ecret[ _-]?key|hared[ _-]?key|ubscription[ _-]?key|sh[ _-]?key)|e(?i:ncrypt[ _-]?key|ncryption[ _-]?key)|E(?i:ncrypt[ _-]?key|ncryption[ _-]?key)|d(?i:ecryption[ _-]?key|eploy[ _-]?key)|D(?i:ecryption[ _-]?key|eploy[ _-]?key)|m(?i:aster[ _-]?key)|M(?i:aster[ _-]?key)|c(?i:lient[ _-]?key|onsumer[ _-]?key)|C(?i:lient[ _-]?key|onsumer[ _-]?key)|w(?i:ebhook[ _-]?key)|W(?i:ebhook[ _-]?key)|j(?i:wt[ _-]?key)|J(?i:wt[ _-]?key)|h(?i:mac[ _-]?key)|H(?i:mac[ _-]?key)|f(?i:ernet[ _-]?key|unctions[ _-]?key)|F(?i:ernet[ _-]?key|unctions[ _-]?key)|l(?i:icense[ _-]?key)|L(?i:icense[ _-]?key)|r(?i:oot[ _-]?key)|R(?i:oot[ _-]?key)|o(?i:penai[ _-]?key)|O(?i:penai[ _-]?key)|v(?i:ault[ _-]?key)|V(?i:ault[ _-]?key))(?i:[_-]?(?:[0-9]{1,2}|prod|production|dev|staging|live|value|base|b64|base64|plain))?(?:\\\\*[\\\"'`])?\\]?\\*{0,2}(?: \\[[^\\]\\n]{0,24}\\])?[ \\t]*[:\uff1a\u662f\u4e3a\u306f][ \\t]*\\*{0,2}[ \\t]*(?:[|>][+-]?\\r?\\n[ \\t]*)?([^\\s\"'`,;<>{}()\\[\\]\\\\&|\u3001\u3002\uff01\uff08\uff09\uff0c\uff1b\uff1f\u300c\u300d\u201c\u201d:=][^\\s\"'`,;<>{}()\\[\\]\\\\&|\u3001\u3002\uff01\uff08\uff09\uff0c\uff1b\uff1f\u300c\u300d\u201c\u201d]*[(\\[{]?)", "<[^<>]*>|\\$[({].*|\\{\\{?[^}]*\\}?\\}?|\\$[A-Z_][A-Z0-9_]*|\\$[a-z_]+|\\$[0-9@*]|%[A-Za-z_]+%|%\\(?\\w*\\)?[sdr]|#\\{.*|[*]{2}.{0,4}|[*xX._\u2022\u2026-]{3,}.{0,4}|(?i:your)[-_ ].*|(?i:redacted|hidden|masked)|!+[a-z]+|[^0-9A-Za-z]*|(?i:str|string|text|bool|boolean|int|integer|number|float|bytes|object|array|list|dict|any|none|null|nil|undefined|true|false|yes|no|required|optional|unknown|enabled|disabled|missing|invalid|incorrect|wrong|expired|empty|set|unset|is|was|must|the|a|an|not|and|or|if|for|to|in|on|of|with|from|as|by|include|omit|same-origin|inherit|default|auto|await|new|lambda|input|value|raw|self|this|req|request|args|params|config|password|passwd|secret|token|key|credentials?|when|that|it|you|we|option|flag|flags|argument|file|prompt|via|instead|field|here|can|should|will)[.,:!?*]*|[\\w.$?!:>-]*[(\\[{].*|[A-Za-z_]{1,24}[0-9]{0,2}(?:\\??\\.[A-Za-z_]{1,24}[0-9]{0,2})+|(?i:[a-z_]*_(?:password|passwd|secret|token|key|pass|pwd))|[a-z]+(?:Password|Secret|Token|Key)|\\w*auth|pwd|_[a-z_]+|Secret(?:Str|Bytes)|(?:[A-Z][a-z]+)+(?:Type|Types)|.{1,2}|[A-Za-z][\\w'-]*(?:[ ,]+[\\w'(-][\\w').-]*)+[!?:]?|(?:~|\\.{1,2}|[A-Za-z]:|\\$?[A-Za-z_]+)?[/\\\\][\\w.@{}$ /\\\\-]*|[a-z]*(?:[A-Z][a-z]{2,14}){2,}|(?:[A-Z][a-z]{1,14}[0-9]{0,5}){1,6}(?:Key|Keys|Token|Secret|Type|Types|Provider|Config|Options|Store)[(\\[]?|[0-9.,]{1,7}|[^0-9!@#$%^*+/~]*"],
["key", [" key", "_key", "-key", "apikey", "appkey", "applicationkey", "privatekey", "accesskey", "signkey", "signingkey", "encryptkey", "encryptionkey", "decryptionkey", "masterkey", "authkey", "adminkey", "servicekey", "accountkey", "storagekey", "sessionkey", "clientkey", "webhookkey", "deploykey", "jwtkey", "secretkey", "sharedkey", "presharedkey", "hmackey", "aeskey", "fernetkey", "licensekey", "rootkey", "subscriptionkey", "functionskey", "sshkey", "openaikey", "anthropickey", "vaultkey", "consumerkey"], "(?:a(?i:pi[ _-]?key|pp[ _-]?key|pplication[ _-]?key|ccess[ _-]?key|uth[ _-]?key|dmin[ _-]?key|ccount[ _-]?key|es[ _-]?key|nthropic[ _-]?key)|A(?i:pi[ _-]?key|pp[ _-]?key|pplication[ _-]?key|ccess[ _-]?key|uth[ _-]?key|dmin[ _-]?key|ccount[ _-]?key|es[ _-]?key|nthropic[ _-]?key)|p(?i:rivate[ _-]?key|reshared[ _-]?key)|P(?i:rivate[ _-]?key|reshared[ _-]?key)|s(?i:ign[ _-]?key|igning[ _-]?key|ervice[ _-]?key|torage[ _-]?key|ession[ _-]?key|ecret[ _-]?key|hared[ _-]?key|ubscription[ _-]?key|sh[ _-]?key)|S(?i:ign[ _-]?key|igning[ _-]?key|ervice[ _-]?key|torage[ _-]?key|ession[ _-]?key|ecret[ _-]?key|hared[ _-]?key|ubscription[ _-]?key|sh[ _-]?key)|e(?i:ncrypt[ _-]?key|ncryption[ _-]?key)|E(?i:ncrypt[ _-]?key|ncryption[ _-]?key)|d(?i:ecryption[ _-]?key|eploy[ _-]?key)|D(?i:ecryption[ _-]?key|eploy[ _-]?key)|m(?i:aster[ _-]?key)|M(?i:aster[ _-]?key)|c(?i:lient[ _-]?key|onsumer[ _-]?key)|C(?i:lient[ _-]?key|onsumer[ _-]?key)|w(?i:ebhook[ _-]?key)|W(?i:ebhook[ _-]?key)|j(?i:wt[ _-]?key)|J(?i:wt[ _-]?key)|h(?i:mac[ _-]?key)|H(?i:mac[ _-]?key)|f(?i:ernet[ _-]?key|unctions[ _-]?key)|F(?i:ernet[ _-]?key|unctions[ _-]?key)|l(?i:icense[ _-]?key)|L(?i:icense[ _-]?key)|r(?i:oot[ _-]?key)|R(?i:oot[ _-]?key)|o(?i:penai[ _-]?key)|O(?i:penai[ _-]?key)|v(?i:ault[ _-]?key)|V(?i:ault[ _-]?key))(?i:[_-]?(?:[0-9]{1,2}|prod|production|dev|staging|live|value|base|b64|base64|plain))?(?:\\\\*[\\\"'`])?\\]?\\*{0,2}(?: \\[[^\\]\\n]{0,24}\\])?[ \\t]*[:\uff1a\u662f\u4e3a\u306f][ \\t]*\\*{0,2}[ \\t]*(?:[|>][+-]?\\r?\\n[ \\t]*)?([A-Za-z][A-Za-z._-]*)[ \\t]*\\r?(?m:$)", "<[^<>]*>|\\$[({].*|\\{\\{?[^}]*\\}?\\}?|\\$[A-Z_][A-Z0-9_]*|\\$[a-z_]+|\\$[0-9@*]|%[A-Za-z_]+%|%\\(?\\w*\\)?[sdr]|#\\{.*|[*]{2}.{0,4}|[*xX._\u2022\u2026-]{3,}.{0,4}|(?i:your)[-_ ].*|(?i:redacted|hidden|masked)|!+[a-z]+|[^0-9A-Za-z]*|(?i:str|string|text|bool|boolean|int|integer|number|float|bytes|object|array|list|dict|any|none|null|nil|undefined|true|false|yes|no|required|optional|unknown|enabled|disabled|missing|invalid|incorrect|wrong|expired|empty|set|unset|is|was|must|the|a|an|not|and|or|if|for|to|in|on|of|with|from|as|by|include|omit|same-origin|inherit|default|auto|await|new|lambda|input|value|raw|self|this|req|request|args|params|config|password|passwd|secret|token|key|credentials?|when|that|it|you|we|option|flag|flags|argument|file|prompt|via|instead|field|here|can|should|will)[.,:!?*]*|[\\w.$?!:>-]*[(\\[{].*|[A-Za-z_]{1,24}[0-9]{0,2}(?:\\??\\.[A-Za-z_]{1,24}[0-9]{0,2})+|(?i:[a-z_]*_(?:password|passwd|secret|token|key|pass|pwd))|[a-z]+(?:Password|Secret|Token|Key)|\\w*auth|pwd|_[a-z_]+|Secret(?:Str|Bytes)|(?:[A-Z][a-z]+)+(?:Type|Types)|.{1,2}|[A-Za-z][\\w'-]*(?:[ ,]+[\\w'(-][\\w').-]*)+[!?:]?|(?:~|\\.{1,2}|[A-Za-z]:|\\$?[A-Za-z_]+)?[/\\\\][\\w.@{}$ /\\\\-]*|[a-z]*(?:[A-Z][a-z]{2,14}){2,}|(?:[A-Z][a-z]{1,14}[0-9]{0,5}){1,6}(?:Key|Keys|Token|Secret|Type|Types|Provider|Config|Options|Store)[(\\[]?|[0-9.,]{1,7}"],
["key", [" key", "_key", "-key", "apikey", "appkey", "applicationkey", "privatekey", "accesskey", "signkey", "signingkey", "encryptkey", "encryptionkey", "decryptionkey", "masterkey", "authkey", "adminkey", "servicekey", "accountkey", "storagekey", "sessionkey", "clientkey", "webhookkey", "deploykey", "jwtkey", "secretkey", "sharedkey", "presharedkey", "hmackey", "aeskey", "fernetkey", "licensekey", "rootkey", "subscriptionkey", "functionskey", "sshkey", "openaikey", "anthropickey", "vaultkey", "consumerkey"], "--?(?:[A-Za-z0-9]+[-_]){0,4}(?:a(?i:pi[ _-]?key|pp[ _-]?key|pplication[ _-]?key|ccess[ _-]?key|uth[ _-]?key|dmin[ _-]?key|ccount[ _-]?key|es[ _-]?key|nthropic[ _-]?key)|A(?i:pi[ _-]?key|pp[ _-]?key|pplication[ _-]?key|ccess[ _-]?key|uth[ _-]?key|dmin[ _-]?key|ccount[ _-]?key|es[ _-]?key|nthropic[ _-]?key)|p(?i:rivate[ _-]?key|reshared[ _-]?key)|P(?i:rivate[ _-]?key|reshared[ _-]?key)|s(?i:ign[ _-]?key|igning[ _-]?key|ervice[ _-]?key|torage[ _-]?key|ession[ _-]?key|ecret[ _-]?key|hared[ _-]?key|ubscription[ _-]?key|sh[ _-]?key)|S(?i:ign[ _-]?key|igning[ _-]?key|ervice[ _-]?key|torage[ _-]?key|ession[ _-]?key|ecret[ _-]?key|hared[ _-]?key|ubscription[ _-]?key|sh[ _-]?key)|e(?i:ncrypt[ _-]?key|ncryption[ _-]?key)|E(?i:ncrypt[ _-]?key|ncryption[ _-]?key)|d(?i:ecryption[ _-]?key|eploy[ _-]?key)|D(?i:ecryption[ _-]?key|eploy[ _-]?key)|m(?i:aster[ _-]?key)|M(?i:aster[ _-]?key)|c(?i:lient[ _-]?key|onsumer[ _-]?key)|C(?i:lient[ _-]?key|onsumer[ _-]?key)|w(?i:ebhook[ _-]?key)|W(?i:ebhook[ _-]?key)|j(?i:wt[ _-]?key)|J(?i:wt[ _-]?key)|h(?i:mac[ _-]?key)|H(?i:mac[ _-]?key)|f(?i:ernet[ _-]?key|unctions[ _-]?key)|F(?i:ernet[ _-]?key|unctions[ _-]?key)|l(?i:icense[ _-]?key)|L(?i:icense[ _-]?key)|r(?i:oot[ _-]?key)|R(?i:oot[ _-]?key)|o(?i:penai[ _-]?key)|O(?i:penai[ _-]?key)|v(?i:ault[ _-]?key)|V(?i:ault[ _-]?key))(?i:[_-]?(?:[0-9]{1,2}|prod|production|dev|staging|live|value|base|b64|base64|plain))?[\\\"']?(?:[ \\t]+|,[ \\t]*)[\\\"']?([^\\s\"'`,;<>{}()\\[\\]\\\\&|\u3001\u3002\uff01\uff08\uff09\uff0c\uff1b\uff1f\u300c\u300d\u201c\u201d:=][^\\s\"'`,;<>{}()\\[\\]\\\\&|\u3001\u3002\uff01\uff08\uff09\uff0c\uff1b\uff1f\u300c\u300d\u201c\u201d]*[(\\[{]?)", "<[^<>]*>|\\$[({].*|\\{\\{?[^}]*\\}?\\}?|\\$[A-Z_][A-Z0-9_]*|\\$[a-z_]+|\\$[0-9@*]|%[A-Za-z_]+%|%\\(?\\w*\\)?[sdr]|#\\{.*|[*]{2}.{0,4}|[*xX._\u2022\u2026-]{3,}.{0,4}|(?i:your)[-_ ].*|(?i:redacted|hidden|masked)|!+[a-z]+|[^0-9A-Za-z]*|(?i:str|string|text|bool|boolean|int|integer|number|float|bytes|object|array|list|dict|any|none|null|nil|undefined|true|false|yes|no|required|optional|unknown|enabled|disabled|missing|invalid|incorrect|wrong|expired|empty|set|unset|is|was|must|the|a|an|not|and|or|if|for|to|in|on|of|with|from|as|by|include|omit|same-origin|inherit|default|auto|await|new|lambda|input|value|raw|self|this|req|request|args|params|config|password|passwd|secret|token|key|credentials?|when|that|it|you|we|option|flag|flags|argument|file|prompt|via|instead|field|here|can|should|will)[.,:!?*]*|[\\w.$?!:>-]*[(\\[{].*|[A-Za-z_]{1,24}[0-9]{0,2}(?:\\??\\.[A-Za-z_]{1,24}[0-9]{0,2})+|(?i:[a-z_]*_(?:password|passwd|secret|token|key|pass|pwd))|[a-z]+(?:Password|Secret|Token|Key)|\\w*auth|pwd|_[a-z_]+|Secret(?:Str|Bytes)|(?:[A-Z][a-z]+)+(?:Type|Types)|.{1,2}|[A-Za-z][\\w'-]*(?:[ ,]+[\\w'(-][\\w').-]*)+[!?:]?|(?:~|\\.{1,2}|[A-Za-z]:|\\$?[A-Za-z_]+)?[/\\\\][\\w.@{}$ /\\\\-]*|[a-z]*(?:[A-Z][a-z]{2,14}){2,}|(?:[A-Z][a-z]{1,14}[0-9]{0,5}){1,6}(?:Key|Keys|Token|Secret|Type|Types|Provider|Config|Options|Store)[(\\[]?|[0-9.,]{1,7}|-.*"],
["key", [" key", "_key", "-key", "apikey", "appkey", "applicationkey", "privatekey", "accesskey", "signkey", "signingkey", "encryptkey", "encryptionkey", "decryptionkey", "masterkey", "authkey", "adminkey", "servicekey", "accountkey", "storagekey", "sessionkey", "clientkey", "webhookkey", "deploykey", "jwtkey", "secretkey", "sharedkey", "presharedkey", "hmackey", "aeskey", "fernetkey", "licensekey", "rootkey", "subscriptionkey", "functionskey", "sshkey", "openaikey", "anthropickey", "vaultkey", "consumerkey"], "(?:a(?i:pi[ _-]?key|pp[ _-]?key|pplication[ _-]?key|ccess[ _-]?key|uth[ _-]?key|dmin[ _-]?key|ccount[ _-]?key|es[ _-]?key|nthropic[ _-]?key)|A(?i:pi[ _-]?key|pp[ _-]?key|pplication[ _-]?key|ccess[ _-]?key|uth[ _-]?key|dmin[ _-]?key|ccount[ _-]?key|es[ _-]?key|nthropic[ _-]?key)|p(?i:rivate[ _-]?key|reshared[ _-]?key)|P(?i:rivate[ _-]?key|reshared[ _-]?key)|s(?i:ign[ _-]?key|igning[ _-]?key|ervice[ _-]?key|torage[ _-]?key|ession[ _-]?key|ecret[ _-]?key|hared[ _-]?key|ubscription[ _-]?key|sh[ _-]?key)|S(?i:ign[ _-]?key|igning[ _-]?key|ervice[ _-]?key|torage[ _-]?key|ession[ _-]?key|ecret[ _-]?key|hared[ _-]?key|ubscription[ _-]?key|sh[ _-]?key)|e(?i:ncrypt[ _-]?key|ncryption[ _-]?key)|E(?i:ncrypt[ _-]?key|ncryption[ _-]?key)|d(?i:ecryption[ _-]?key|eploy[ _-]?key)|D(?i:ecryption[ _-]?key|eploy[ _-]?key)|m(?i:aster[ _-]?key)|M(?i:aster[ _-]?key)|c(?i:lient[ _-]?key|onsumer[ _-]?key)|C(?i:lient[ _-]?key|onsumer[ _-]?key)|w(?i:ebhook[ _-]?key)|W(?i:ebhook[ _-]?key)|j(?i:wt[ _-]?key)|J(?i:wt[ _-]?key)|h(?i:mac[ _-]?key)|H(?i:mac[ _-]?key)|f(?i:ernet[ _-]?key|unctions[ _-]?key)|F(?i:ernet[ _-]?key|unctions[ _-]?key)|l(?i:icense[ _-]?key)|L(?i:icense[ _-]?key)|r(?i:oot[ _-]?key)|R(?i:oot[ _-]?key)|o(?i:penai[ _-]?key)|O(?i:penai[ _-]?key)|v(?i:ault[ _-]?key)|V(?i:ault[ _-]?key))[\\\"']?>[ \\t]*([^<>\\s]+)</", "<[^<>]*>|\\$[({].*|\\{\\{?[^}]*\\}?\\}?|\\$[A-Z_][A-Z0-9_]*|\\$[a-z_]+|\\$[0-9@*]|%[A-Za-z_]+%|%\\(?\\w*\\)?[sdr]|#\\{.*|[*]{2}.{0,4}|[*xX._\u2022\u2026-]{3,}.{0,4}|(?i:your)[-_ ].*|(?i:redacted|hidden|masked)|!+[a-z]+|[^0-9A-Za-z]*|(?i:str|string|text|bool|boolean|int|integer|number|float|bytes|object|array|list|dict|any|none|null|nil|undefined|true|false|yes|no|required|optional|unknown|enabled|disabled|missing|invalid|incorrect|wrong|expired|empty|set|unset|is|was|must|the|a|an|not|and|or|if|for|to|in|on|of|with|from|as|by|include|omit|same-origin|inherit|default|auto|await|new|lambda|input|value|raw|self|this|req|request|args|params|config|password|passwd|secret|token|key|credentials?|when|that|it|you|we|option|flag|flags|argument|file|prompt|via|instead|field|here|can|should|will)[.,:!?*]*|[\\w.$?!:>-]*[(\\[{].*|[A-Za-z_]{1,24}[0-9]{0,2}(?:\\??\\.[A-Za-z_]{1,24}[0-9]{0,2})+|(?i:[a-z_]*_(?:password|passwd|secret|token|key|pass|pwd))|[a-z]+(?:Password|Secret|Token|Key)|\\w*auth|pwd|_[a-z_]+|Secret(?:Str|Bytes)|(?:[A-Z][a-z]+)+(?:Type|Types)|.{1,2}|[A-Za-z][\\w'-]*(?:[ ,]+[\\w'(-][\\w').-]*)+[!?:]?|(?:~|\\.{1,2}|[A-Za-z]:|\\$?[A-Za-z_]+)?[/\\\\][\\w.@{}$ /\\\\-]*|[a-z]*(?:[A-Z][a-z]{2,14}){2,}|(?:[A-Z][a-z]{1,14}[0-9]{0,5}){1,6}(?:Key|Keys|Token|Secret|Type|Types|Provider|Config|Options|Store)[(\\[]?|[0-9.,]{1,7}"],
["key", [" key", "_key", "-key", "apikey", "appkey", "applicationkey", "privatekey", "accesskey", "signkey", "signingkey", "encryptkey", "encryptionkey", "decryptionkey", "masterkey", "authkey", "adminkey", "servicekey", "accountkey", "storagekey", "sessionkey", "clientkey", "webhookkey", "deploykey", "jwtkey", "secretkey", "sharedkey", "presharedkey", "hmackey", "aeskey", "fernetkey", "licensekey", "rootkey", "subscriptionkey", "functionskey", "sshkey", "openaikey", "anthropickey", "vaultkey", "consumerkey"], "(?:a(?i:pi[ _-]?key|pp[ _-]?key|pplication[ _-]?key|ccess[ _-]?key|uth[ _-]?key|dmin[ _-]?key|ccount[ _-]?key|es[ _-]?key|nthropic[ _-]?key)|A(?i:pi[ _-]?key|pp[ _-]?key|pplication[ _-]?key|ccess[ _-]?key|uth[ _-]?key|dmin[ _-]?key|ccount[ _-]?key|es[ _-]?key|nthropic[ _-]?key)|p(?i:rivate[ _-]?key|reshared[ _-]?key)|P(?i:rivate[ _-]?key|reshared[ _-]?key)|s(?i:ign[ _-]?key|igning[ _-]?key|ervice[ _-]?key|torage[ _-]?key|ession[ _-]?key|ecret[ _-]?key|hared[ _-]?key|ubscription[ _-]?key|sh[ _-]?key)|S(?i:ign[ _-]?key|igning[ _-]?key|ervice[ _-]?key|torage[ _-]?key|ession[ _-]?key|ecret[ _-]?key|hared[ _-]?key|ubscription[ _-]?key|sh[ _-]?key)|e(?i:ncrypt[ _-]?key|ncryption[ _-]?key)|E(?i:ncrypt[ _-]?key|ncryption[ _-]?key)|d(?i:ecryption[ _-]?key|eploy[ _-]?key)|D(?i:ecryption[ _-]?key|eploy[ _-]?key)|m(?i:aster[ _-]?key)|M(?i:aster[ _-]?key)|c(?i:lient[ _-]?key|onsumer[ _-]?key)|C(?i:lient[ _-]?key|onsumer[ _-]?key)|w(?i:ebhook[ _-]?key)|W(?i:ebhook[ _-]?key)|j(?i:wt[ _-]?key)|J(?i:wt[ _-]?key)|h(?i:mac[ _-]?key)|H(?i:mac[ _-]?key)|f(?i:ernet[ _-]?key|unctions[ _-]?key)|F(?i:ernet[ _-]?key|unctions[ _-]?key)|l(?i:icense[ _-]?key)|L(?i:icense[ _-]?key)|r(?i:oot[ _-]?key)|R(?i:oot[ _-]?key)|o(?i:penai[ _-]?key)|O(?i:penai[ _-]?key)|v(?i:ault[ _-]?key)|V(?i:ault[ _-]?key))[\\\"']?[ \\t]*,?(?:\\r?\\n)?[ \\t]*[\\\"']?[Vv]alue[\\\"']?[ \\t]*[:=][ \\t]*[\\\"']?([^\\s\\\"'<>]+)", "<[^<>]*>|\\$[({].*|\\{\\{?[^}]*\\}?\\}?|\\$[A-Z_][A-Z0-9_]*|\\$[a-z_]+|\\$[0-9@*]|%[A-Za-z_]+%|%\\(?\\w*\\)?[sdr]|#\\{.*|[*]{2}.{0,4}|[*xX._\u2022\u2026-]{3,}.{0,4}|(?i:your)[-_ ].*|(?i:redacted|hidden|masked)|!+[a-z]+|[^0-9A-Za-z]*|(?i:str|string|text|bool|boolean|int|integer|number|float|bytes|object|array|list|dict|any|none|null|nil|undefined|true|false|yes|no|required|optional|unknown|enabled|disabled|missing|invalid|incorrect|wrong|expired|empty|set|unset|is|was|must|the|a|an|not|and|or|if|for|to|in|on|of|with|from|as|by|include|omit|same-origin|inherit|default|auto|await|new|lambda|input|value|raw|self|this|req|request|args|params|config|password|passwd|secret|token|key|credentials?|when|that|it|you|we|option|flag|flags|argument|file|prompt|via|instead|field|here|can|should|will)[.,:!?*]*|[\\w.$?!:>-]*[(\\[{].*|[A-Za-z_]{1,24}[0-9]{0,2}(?:\\??\\.[A-Za-z_]{1,24}[0-9]{0,2})+|(?i:[a-z_]*_(?:password|passwd|secret|token|key|pass|pwd))|[a-z]+(?:Password|Secret|Token|Key)|\\w*auth|pwd|_[a-z_]+|Secret(?:Str|Bytes)|(?:[A-Z][a-z]+)+(?:Type|Types)|.{1,2}|[A-Za-z][\\w'-]*(?:[ ,]+[\\w'(-][\\w').-]*)+[!?:]?|(?:~|\\.{1,2}|[A-Za-z]:|\\$?[A-Za-z_]+)?[/\\\\][\\w.@{}$ /\\\\-]*|[a-z]*(?:[A-Z][a-z]{2,14}){2,}|(?:[A-Z][a-z]{1,14}[0-9]{0,5}){1,6}(?:Key|Keys|Token|Secret|Type|Types|Provider|Config|Options|Store)[(\\[]?|[0-9.,]{1,7}"],
["token", ["token", "credential"], "(?:t(?i:oken)|T(?i:oken)|c(?i:redentials?)|C(?i:redentials?))(?i:[_-]?(?:[0-9]{1,2}|prod|production|dev|staging|live|value|base|b64|base64|plain))?(?:\\\\*[\\\"'`])?\\]?\\*{0,2}(?: \\[[^\\]\\n]{0,24}\\])?(?::[ \\t]*[A-Za-z][\\w.|\\[\\]<>]*[ \\t]*=[ \\t]*|[ \\t]*(?:=>|[:?+!]?={1,3}|%3[Dd])[ \\t]*|[ \\t]*[:\uff1a\u662f\u4e3a\u306f][ \\t]*\\*{0,2}[ \\t]*)(?:\\\\?\\r?\\n[ \\t]*|[|>][+-]?\\r?\\n[ \\t]*)?[brfuBRFU@$]{0,2}(?:\\\\+\\\"((?:[^\\\"\\\\\\n]|\\\\[^\\\"\\n])+)|\\\"((?:[^\\\"\\\\\\n]|\\\\[^\\n])+)|\\\\*'((?:[^'\\\\\\n]|\\\\[^'\\n])+)|`([^`\\n]+))", "<[^<>]*>|\\$[({].*|\\{\\{?[^}]*\\}?\\}?|\\$[A-Z_][A-Z0-9_]*|\\$[a-z_]+|\\$[0-9@*]|%[A-Za-z_]+%|%\\(?\\w*\\)?[sdr]|#\\{.*|[*]{2}.{0,4}|[*xX._\u2022\u2026-]{3,}.{0,4}|(?i:your)[-_ ].*|(?i:redacted|hidden|masked)|!+[a-z]+|[^0-9A-Za-z]*|(?i:str|string|text|bool|boolean|int|integer|number|float|bytes|object|array|list|dict|any|none|null|nil|undefined|true|false|yes|no|required|optional|unknown|enabled|disabled|missing|invalid|incorrect|wrong|expired|empty|set|unset|is|was|must|the|a|an|not|and|or|if|for|to|in|on|of|with|from|as|by|include|omit|same-origin|inherit|default|auto|await|new|lambda|input|value|raw|self|this|req|request|args|params|config|password|passwd|secret|token|key|credentials?|when|that|it|you|we|option|flag|flags|argument|file|prompt|via|instead|field|here|can|should|will)[.,:!?*]*|[\\w.$?!:>-]*[(\\[{].*|[A-Za-z_]{1,24}[0-9]{0,2}(?:\\??\\.[A-Za-z_]{1,24}[0-9]{0,2})+|(?i:[a-z_]*_(?:password|passwd|secret|token|key|pass|pwd))|[a-z]+(?:Password|Secret|Token|Key)|\\w*auth|pwd|_[a-z_]+|Secret(?:Str|Bytes)|(?:[A-Z][a-z]+)+(?:Type|Types)|.{1,2}|[A-Za-z][\\w'-]*(?:[ ,]+[\\w'(-][\\w').-]*)+[!?:]?|[A-Za-z]{1,20}(?:[ _.,:'/-]+[A-Za-z]{1,20})*[.!?:]*|[0-9.,]{1,7}|.{1,5}|(?:~|\\.{1,2}|[A-Za-z]:|\\$?[A-Za-z_]+)?[/\\\\][\\w.@{}$ /\\\\-]*|[a-z]*(?:[A-Z][a-z]{2,14}){2,}|(?:[A-Z][a-z]{1,14}[0-9]{0,5}){1,6}(?:Key|Keys|Token|Secret|Type|Types|Provider|Config|Options|Store)[(\\[]?|[A-Za-z][\\w'-]*(?:[ ,]+[\\w'(-][\\w').-]*)+[!?:]?"],
["token", ["token", "credential"], "(?:t(?i:oken)|T(?i:oken)|c(?i:redentials?)|C(?i:redentials?))(?i:[_-]?(?:[0-9]{1,2}|prod|production|dev|staging|live|value|base|b64|base64|plain))?(?:\\\\*[\\\"'`])?\\]?\\*{0,2}(?: \\[[^\\]\\n]{0,24}\\])?[ \\t]*(?:=>|[:?+!]?={1,3}|%3[Dd])[ \\t]*([^\\s\"'`,;<>{}()\\[\\]\\\\&|\u3001\u3002\uff01\uff08\uff09\uff0c\uff1b\uff1f\u300c\u300d\u201c\u201d:=][^\\s\"'`,;<>{}()\\[\\]\\\\&|\u3001\u3002\uff01\uff08\uff09\uff0c\uff1b\uff1f\u300c\u300d\u201c\u201d]*[(\\[{]?)", "<[^<>]*>|\\$[({].*|\\{\\{?[^}]*\\}?\\}?|\\$[A-Z_][A-Z0-9_]*|\\$[a-z_]+|\\$[0-9@*]|%[A-Za-z_]+%|%\\(?\\w*\\)?[sdr]|#\\{.*|[*]{2}.{0,4}|[*xX._\u2022\u2026-]{3,}.{0,4}|(?i:your)[-_ ].*|(?i:redacted|hidden|masked)|!+[a-z]+|[^0-9A-Za-z]*|(?i:str|string|text|bool|boolean|int|integer|number|float|bytes|object|array|list|dict|any|none|null|nil|undefined|true|false|yes|no|required|optional|unknown|enabled|disabled|missing|invalid|incorrect|wrong|expired|empty|set|unset|is|was|must|the|a|an|not|and|or|if|for|to|in|on|of|with|from|as|by|include|omit|same-origin|inherit|default|auto|await|new|lambda|input|value|raw|self|this|req|request|args|params|config|password|passwd|secret|token|key|credentials?|when|that|it|you|we|option|flag|flags|argument|file|prompt|via|instead|field|here|can|should|will)[.,:!?*]*|[\\w.$?!:>-]*[(\\[{].*|[A-Za-z_]{1,24}[0-9]{0,2}(?:\\??\\.[A-Za-z_]{1,24}[0-9]{0,2})+|(?i:[a-z_]*_(?:password|passwd|secret|token|key|pass|pwd))|[a-z]+(?:Password|Secret|Token|Key)|\\w*auth|pwd|_[a-z_]+|Secret(?:Str|Bytes)|(?:[A-Z][a-z]+)+(?:Type|Types)|.{1,2}|[A-Za-z][\\w'-]*(?:[ ,]+[\\w'(-][\\w').-]*)+[!?:]?|[A-Za-z]{1,20}(?:[ _.,:'/-]+[A-Za-z]{1,20})*[.!?:]*|[0-9.,]{1,7}|.{1,5}|(?:~|\\.{1,2}|[A-Za-z]:|\\$?[A-Za-z_]+)?[/\\\\][\\w.@{}$ /\\\\-]*|[a-z]*(?:[A-Z][a-z]{2,14}){2,}|(?:[A-Z][a-z]{1,14}[0-9]{0,5}){1,6}(?:Key|Keys|Token|Secret|Type|Types|Provider|Config|Options|Store)[(\\[]?"],
["token", ["token", "credential"], "(?:t(?i:oken)|T(?i:oken)|c(?i:redentials?)|C(?i:redentials?))(?i:[_-]?(?:[0-9]{1,2}|prod|production|dev|staging|live|value|base|b64|base64|plain))?(?:\\\\*[\\\"'`])?\\]?\\*{0,2}(?: \\[[^\\]\\n]{0,24}\\])?[ \\t]*[:\uff1a\u662f\u4e3a\u306f][ \\t]*\\*{0,2}[ \\t]*(?:[|>][+-]?\\r?\\n[ \\t]*)?([^\\s\"'`,;<>{}()\\[\\]\\\\&|\u3001\u3002\uff01\uff08\uff09\uff0c\uff1b\uff1f\u300c\u300d\u201c\u201d:=][^\\s\"'`,;<>{}()\\[\\]\\\\&|\u3001\u3002\uff01\uff08\uff09\uff0c\uff1b\uff1f\u300c\u300d\u201c\u201d]*[(\\[{]?)", "<[^<>]*>|\\$[({].*|\\{\\{?[^}]*\\}?\\}?|\\$[A-Z_][A-Z0-9_]*|\\$[a-z_]+|\\$[0-9@*]|%[A-Za-z_]+%|%\\(?\\w*\\)?[sdr]|#\\{.*|[*]{2}.{0,4}|[*xX._\u2022\u2026-]{3,}.{0,4}|(?i:your)[-_ ].*|(?i:redacted|hidden|masked)|!+[a-z]+|[^0-9A-Za-z]*|(?i:str|string|text|bool|boolean|int|integer|number|float|bytes|object|array|list|dict|any|none|null|nil|undefined|true|false|yes|no|required|optional|unknown|enabled|disabled|missing|invalid|incorrect|wrong|expired|empty|set|unset|is|was|must|the|a|an|not|and|or|if|for|to|in|on|of|with|from|as|by|include|omit|same-origin|inherit|default|auto|await|new|lambda|input|value|raw|self|this|req|request|args|params|config|password|passwd|secret|token|key|credentials?|when|that|it|you|we|option|flag|flags|argument|file|prompt|via|instead|field|here|can|should|will)[.,:!?*]*|[\\w.$?!:>-]*[(\\[{].*|[A-Za-z_]{1,24}[0-9]{0,2}(?:\\??\\.[A-Za-z_]{1,24}[0-9]{0,2})+|(?i:[a-z_]*_(?:password|passwd|secret|token|key|pass|pwd))|[a-z]+(?:Password|Secret|Token|Key)|\\w*auth|pwd|_[a-z_]+|Secret(?:Str|Bytes)|(?:[A-Z][a-z]+)+(?:Type|Types)|.{1,2}|[A-Za-z][\\w'-]*(?:[ ,]+[\\w'(-][\\w').-]*)+[!?:]?|[A-Za-z]{1,20}(?:[ _.,:'/-]+[A-Za-z]{1,20})*[.!?:]*|[0-9.,]{1,7}|.{1,5}|(?:~|\\.{1,2}|[A-Za-z]:|\\$?[A-Za-z_]+)?[/\\\\][\\w.@{}$ /\\\\-]*|[a-z]*(?:[A-Z][a-z]{2,14}){2,}|(?:[A-Z][a-z]{1,14}[0-9]{0,5}){1,6}(?:Key|Keys|Token|Secret|Type|Types|Provider|Config|Options|Store)[(\\[]?|[^0-9!@#$%^*+/~]*"],
["token", ["token", "credential"], "(?:t(?i:oken)|T(?i:oken)|c(?i:redentials?)|C(?i:redentials?))(?i:[_-]?(?:[0-9]{1,2}|prod|production|dev|staging|live|value|base|b64|base64|plain))?(?:\\\\*[\\\"'`])?\\]?\\*{0,2}(?: \\[[^\\]\\n]{0,24}\\])?[ \\t]*[:\uff1a\u662f\u4e3a\u306f][ \\t]*\\*{0,2}[ \\t]*(?:[|>][+-]?\\r?\\n[ \\t]*)?([A-Za-z][A-Za-z._-]*)[ \\t]*\\r?(?m:$)", "<[^<>]*>|\\$[({].*|\\{\\{?[^}]*\\}?\\}?|\\$[A-Z_][A-Z0-9_]*|\\$[a-z_]+|\\$[0-9@*]|%[A-Za-z_]+%|%\\(?\\w*\\)?[sdr]|#\\{.*|[*]{2}.{0,4}|[*xX._\u2022\u2026-]{3,}.{0,4}|(?i:your)[-_ ].*|(?i:redacted|hidden|masked)|!+[a-z]+|[^0-9A-Za-z]*|(?i:str|string|text|bool|boolean|int|integer|number|float|bytes|object|array|list|dict|any|none|null|nil|undefined|true|false|yes|no|required|optional|unknown|enabled|disabled|missing|invalid|incorrect|wrong|expired|empty|set|unset|is|was|must|the|a|an|not|and|or|if|for|to|in|on|of|with|from|as|by|include|omit|same-origin|inherit|default|auto|await|new|lambda|input|value|raw|self|this|req|request|args|params|config|password|passwd|secret|token|key|credentials?|when|that|it|you|we|option|flag|flags|argument|file|prompt|via|instead|field|here|can|should|will)[.,:!?*]*|[\\w.$?!:>-]*[(\\[{].*|[A-Za-z_]{1,24}[0-9]{0,2}(?:\\??\\.[A-Za-z_]{1,24}[0-9]{0,2})+|(?i:[a-z_]*_(?:password|passwd|secret|token|key|pass|pwd))|[a-z]+(?:Password|Secret|Token|Key)|\\w*auth|pwd|_[a-z_]+|Secret(?:Str|Bytes)|(?:[A-Z][a-z]+)+(?:Type|Types)|.{1,2}|[A-Za-z][\\w'-]*(?:[ ,]+[\\w'(-][\\w').-]*)+[!?:]?|[A-Za-z]{1,20}(?:[ _.,:'/-]+[A-Za-z]{1,20})*[.!?:]*|[0-9.,]{1,7}|.{1,5}|(?:~|\\.{1,2}|[A-Za-z]:|\\$?[A-Za-z_]+)?[/\\\\][\\w.@{}$ /\\\\-]*|[a-z]*(?:[A-Z][a-z]{2,14}){2,}|(?:[A-Z][a-z]{1,14}[0-9]{0,5}){1,6}(?:Key|Keys|Token|Secret|Type|Types|Provider|Config|Options|Store)[(\\[]?"],
["token", ["token", "credential"], "--?(?:[A-Za-z0-9]+[-_]){0,4}(?:t(?i:oken)|T(?i:oken)|c(?i:redentials?)|C(?i:redentials?))(?i:[_-]?(?:[0-9]{1,2}|prod|production|dev|staging|live|value|base|b64|base64|plain))?[\\\"']?(?:[ \\t]+|,[ \\t]*)[\\\"']?([^\\s\"'`,;<>{}()\\[\\]\\\\&|\u3001\u3002\uff01\uff08\uff09\uff0c\uff1b\uff1f\u300c\u300d\u201c\u201d:=][^\\s\"'`,;<>{}()\\[\\]\\\\&|\u3001\u3002\uff01\uff08\uff09\uff0c\uff1b\uff1f\u300c\u300d\u201c\u201d]*[(\\[{]?)", "<[^<>]*>|\\$[({].*|\\{\\{?[^}]*\\}?\\}?|\\$[A-Z_][A-Z0-9_]*|\\$[a-z_]+|\\$[0-9@*]|%[A-Za-z_]+%|%\\(?\\w*\\)?[sdr]|#\\{.*|[*]{2}.{0,4}|[*xX._\u2022\u2026-]{3,}.{0,4}|(?i:your)[-_ ].*|(?i:redacted|hidden|masked)|!+[a-z]+|[^0-9A-Za-z]*|(?i:str|string|text|bool|boolean|int|integer|number|float|bytes|object|array|list|dict|any|none|null|nil|undefined|true|false|yes|no|required|optional|unknown|enabled|disabled|missing|invalid|incorrect|wrong|expired|empty|set|unset|is|was|must|the|a|an|not|and|or|if|for|to|in|on|of|with|from|as|by|include|omit|same-origin|inherit|default|auto|await|new|lambda|input|value|raw|self|this|req|request|args|params|config|password|passwd|secret|token|key|credentials?|when|that|it|you|we|option|flag|flags|argument|file|prompt|via|instead|field|here|can|should|will)[.,:!?*]*|[\\w.$?!:>-]*[(\\[{].*|[A-Za-z_]{1,24}[0-9]{0,2}(?:\\??\\.[A-Za-z_]{1,24}[0-9]{0,2})+|(?i:[a-z_]*_(?:password|passwd|secret|token|key|pass|pwd))|[a-z]+(?:Password|Secret|Token|Key)|\\w*auth|pwd|_[a-z_]+|Secret(?:Str|Bytes)|(?:[A-Z][a-z]+)+(?:Type|Types)|.{1,2}|[A-Za-z][\\w'-]*(?:[ ,]+[\\w'(-][\\w').-]*)+[!?:]?|[A-Za-z]{1,20}(?:[ _.,:'/-]+[A-Za-z]{1,20})*[.!?:]*|[0-9.,]{1,7}|.{1,5}|(?:~|\\.{1,2}|[A-Za-z]:|\\$?[A-Za-z_]+)?[/\\\\][\\w.@{}$ /\\\\-]*|[a-z]*(?:[A-Z][a-z]{2,14}){2,}|(?:[A-Z][a-z]{1,14}[0-9]{0,5}){1,6}(?:Key|Keys|Token|Secret|Type|Types|Provider|Config|Options|Store)[(\\[]?|-.*"],
["token", ["token", "credential"], "(?:t(?i:oken)|T(?i:oken)|c(?i:redentials?)|C(?i:redentials?))[\\\"']?>[ \\t]*([^<>\\s]+)</", "<[^<>]*>|\\$[({].*|\\{\\{?[^}]*\\}?\\}?|\\$[A-Z_][A-Z0-9_]*|\\$[a-z_]+|\\$[0-9@*]|%[A-Za-z_]+%|%\\(?\\w*\\)?[sdr]|#\\{.*|[*]{2}.{0,4}|[*xX._\u2022\u2026-]{3,}.{0,4}|(?i:your)[-_ ].*|(?i:redacted|hidden|masked)|!+[a-z]+|[^0-9A-Za-z]*|(?i:str|string|text|bool|boolean|int|integer|number|float|bytes|object|array|list|dict|any|none|null|nil|undefined|true|false|yes|no|required|optional|unknown|enabled|disabled|missing|invalid|incorrect|wrong|expired|empty|set|unset|is|was|must|the|a|an|not|and|or|if|for|to|in|on|of|with|from|as|by|include|omit|same-origin|inherit|default|auto|await|new|lambda|input|value|raw|self|this|req|request|args|params|config|password|passwd|secret|token|key|credentials?|when|that|it|you|we|option|flag|flags|argument|file|prompt|via|instead|field|here|can|should|will)[.,:!?*]*|[\\w.$?!:>-]*[(\\[{].*|[A-Za-z_]{1,24}[0-9]{0,2}(?:\\??\\.[A-Za-z_]{1,24}[0-9]{0,2})+|(?i:[a-z_]*_(?:password|passwd|secret|token|key|pass|pwd))|[a-z]+(?:Password|Secret|Token|Key)|\\w*auth|pwd|_[a-z_]+|Secret(?:Str|Bytes)|(?:[A-Z][a-z]+)+(?:Type|Types)|.{1,2}|[A-Za-z][\\w'-]*(?:[ ,]+[\\w'(-][\\w').-]*)+[!?:]?|[A-Za-z]{1,20}(?:[ _.,:'/-]+[A-Za-z]{1,20})*[.!?:]*|[0-9.,]{1,7}|.{1,5}|(?:~|\\.{1,2}|[A-Za-z]:|\\$?[A-Za-z_]+)?[/\\\\][\\w.@{}$ /\\\\-]*|[a-z]*(?:[A-Z][a-z]{2,14}){2,}|(?:[A-Z][a-z]{1,14}[0-9]{0,5}){1,6}(?:Key|Keys|Token|Secret|Type|Types|Provider|Config|Options|Store)[(\\[]?"],
["token", ["token", "credential"], "(?:t(?i:oken)|T(?i:oken)|c(?i:redentials?)|C(?i:redentials?))[\\\"']?[ \\t]*,?(?:\\r?\\n)?[ \\t]*[\\\"']?[Vv]alue[\\\"']?[ \\t]*[:=][ \\t]*[\\\"']?([^\\s\\\"'<>]+)", "<[^<>]*>|\\$[({].*|\\{\\{?[^}]*\\}?\\}?|\\$[A-Z_][A-Z0-9_]*|\\$[a-z_]+|\\$[0-9@*]|%[A-Za-z_]+%|%\\(?\\w*\\)?[sdr]|#\\{.*|[*]{2}.{0,4}|[*xX._\u2022\u2026-]{3,}.{0,4}|(?i:your)[-_ ].*|(?i:redacted|hidden|masked)|!+[a-z]+|[^0-9A-Za-z]*|(?i:str|string|text|bool|boolean|int|integer|number|float|bytes|object|array|list|dict|any|none|null|nil|undefined|true|false|yes|no|required|optional|unknown|enabled|disabled|missing|invalid|incorrect|wrong|expired|empty|set|unset|is|was|must|the|a|an|not|and|or|if|for|to|in|on|of|with|from|as|by|include|omit|same-origin|inherit|default|auto|await|new|lambda|input|value|raw|self|this|req|request|args|params|config|password|passwd|secret|token|key|credentials?|when|that|it|you|we|option|flag|flags|argument|file|prompt|via|instead|field|here|can|should|will)[.,:!?*]*|[\\w.$?!:>-]*[(\\[{].*|[A-Za-z_]{1,24}[0-9]{0,2}(?:\\??\\.[A-Za-z_]{1,24}[0-9]{0,2})+|(?i:[a-z_]*_(?:password|passwd|secret|token|key|pass|pwd))|[a-z]+(?:Password|Secret|Token|Key)|\\w*auth|pwd|_[a-z_]+|Secret(?:Str|Bytes)|(?:[A-Z][a-z]+)+(?:Type|Types)|.{1,2}|[A-Za-z][\\w'-]*(?:[ ,]+[\\w'(-][\\w').-]*)+[!?:]?|[A-Za-z]{1,20}(?:[ _.,:'/-]+[A-Za-z]{1,20})*[.!?:]*|[0-9.,]{1,7}|.{1,5}|(?:~|\\.{1,2}|[A-Za-z]:|\\$?[A-Za-z_]+)?[/\\\\][\\w.@{}$ /\\\\-]*|[a-z]*(?:[A-Z][a-z]{2,14}){2,}|(?:[A-Z][a-z]{1,14}[0-9]{0,5}){1,6}(?:Key|Keys|Token|Secret|Type|Types|Provider|Config|Options|Store)[(\\[]?"]
], [
["password", ".*(?:p(?i:assword|asswrd|asswd|assphrase|asscode|asswort)|P(?i:assword|asswrd|asswd|assphrase|asscode|asswort)|c(?i:ontrase[\u00f1n]a)|C(?i:ontrase[\u00f1n]a)|s(?i:ecret|eed[ _-]?phrase)|S(?i:ecret|eed[ _-]?phrase)|m(?i:nemonic)|M(?i:nemonic)|_(?i:pass|pwd)|-(?i:pass|pwd)|\\.(?i:pass|pwd)|;(?i:pwd)|Pwd|dbPass|userPass|smtpPass|mailPass|adminPass|authPass|\u5bc6\u7801|\u5bc6\u78bc|\u53e3\u4ee4|\u51ed\u8bc1|\u5bc6\u94a5|\u30d1\u30b9\u30ef\u30fc\u30c9|\ube44\ubc00\ubc88\ud638|\u041f\u0430\u0440\u043e\u043b\u044c|\u043f\u0430\u0440\u043e\u043b\u044c)(?i:[_-]?(?:[0-9]{1,2}|prod|production|dev|staging|live|value|base|b64|base64|plain))?", "<[^<>]*>|\\$[({].*|\\{\\{?[^}]*\\}?\\}?|\\$[A-Z_][A-Z0-9_]*|\\$[a-z_]+|\\$[0-9@*]|%[A-Za-z_]+%|%\\(?\\w*\\)?[sdr]|#\\{.*|[*]{2}.{0,4}|[*xX._\u2022\u2026-]{3,}.{0,4}|(?i:your)[-_ ].*|(?i:redacted|hidden|masked)|!+[a-z]+|[^0-9A-Za-z]*|(?i:str|string|text|bool|boolean|int|integer|number|float|bytes|object|array|list|dict|any|none|null|nil|undefined|true|false|yes|no|required|optional|unknown|enabled|disabled|missing|invalid|incorrect|wrong|expired|empty|set|unset|is|was|must|the|a|an|not|and|or|if|for|to|in|on|of|with|from|as|by|include|omit|same-origin|inherit|default|auto|await|new|lambda|input|value|raw|self|this|req|request|args|params|config|password|passwd|secret|token|key|credentials?|when|that|it|you|we|option|flag|flags|argument|file|prompt|via|instead|field|here|can|should|will)[.,:!?*]*|[\\w.$?!:>-]*[(\\[{].*|[A-Za-z_]{1,24}[0-9]{0,2}(?:\\??\\.[A-Za-z_]{1,24}[0-9]{0,2})+|(?i:[a-z_]*_(?:password|passwd|secret|token|key|pass|pwd))|[a-z]+(?:Password|Secret|Token|Key)|\\w*auth|pwd|_[a-z_]+|Secret(?:Str|Bytes)|(?:[A-Z][a-z]+)+(?:Type|Types)|.{1,2}|[A-Za-z][\\w'-]*(?:[ ,]+[\\w'(-][\\w').-]*)+[!?:]?"],
["key", ".*(?:a(?i:pi[ _-]?key|pp[ _-]?key|pplication[ _-]?key|ccess[ _-]?key|uth[ _-]?key|dmin[ _-]?key|ccount[ _-]?key|es[ _-]?key|nthropic[ _-]?key)|A(?i:pi[ _-]?key|pp[ _-]?key|pplication[ _-]?key|ccess[ _-]?key|uth[ _-]?key|dmin[ _-]?key|ccount[ _-]?key|es[ _-]?key|nthropic[ _-]?key)|p(?i:rivate[ _-]?key|reshared[ _-]?key)|P(?i:rivate[ _-]?key|reshared[ _-]?key)|s(?i:ign[ _-]?key|igning[ _-]?key|ervice[ _-]?key|torage[ _-]?key|ession[ _-]?key|ecret[ _-]?key|hared[ _-]?key|ubscription[ _-]?key|sh[ _-]?key)|S(?i:ign[ _-]?key|igning[ _-]?key|ervice[ _-]?key|torage[ _-]?key|ession[ _-]?key|ecret[ _-]?key|hared[ _-]?key|ubscription[ _-]?key|sh[ _-]?key)|e(?i:ncrypt[ _-]?key|ncryption[ _-]?key)|E(?i:ncrypt[ _-]?key|ncryption[ _-]?key)|d(?i:ecryption[ _-]?key|eploy[ _-]?key)|D(?i:ecryption[ _-]?key|eploy[ _-]?key)|m(?i:aster[ _-]?key)|M(?i:aster[ _-]?key)|c(?i:lient[ _-]?key|onsumer[ _-]?key)|C(?i:lient[ _-]?key|onsumer[ _-]?key)|w(?i:ebhook[ _-]?key)|W(?i:ebhook[ _-]?key)|j(?i:wt[ _-]?key)|J(?i:wt[ _-]?key)|h(?i:mac[ _-]?key)|H(?i:mac[ _-]?key)|f(?i:ernet[ _-]?key|unctions[ _-]?key)|F(?i:ernet[ _-]?key|unctions[ _-]?key)|l(?i:icense[ _-]?key)|L(?i:icense[ _-]?key)|r(?i:oot[ _-]?key)|R(?i:oot[ _-]?key)|o(?i:penai[ _-]?key)|O(?i:penai[ _-]?key)|v(?i:ault[ _-]?key)|V(?i:ault[ _-]?key))(?i:[_-]?(?:[0-9]{1,2}|prod|production|dev|staging|live|value|base|b64|base64|plain))?", "<[^<>]*>|\\$[({].*|\\{\\{?[^}]*\\}?\\}?|\\$[A-Z_][A-Z0-9_]*|\\$[a-z_]+|\\$[0-9@*]|%[A-Za-z_]+%|%\\(?\\w*\\)?[sdr]|#\\{.*|[*]{2}.{0,4}|[*xX._\u2022\u2026-]{3,}.{0,4}|(?i:your)[-_ ].*|(?i:redacted|hidden|masked)|!+[a-z]+|[^0-9A-Za-z]*|(?i:str|string|text|bool|boolean|int|integer|number|float|bytes|object|array|list|dict|any|none|null|nil|undefined|true|false|yes|no|required|optional|unknown|enabled|disabled|missing|invalid|incorrect|wrong|expired|empty|set|unset|is|was|must|the|a|an|not|and|or|if|for|to|in|on|of|with|from|as|by|include|omit|same-origin|inherit|default|auto|await|new|lambda|input|value|raw|self|this|req|request|args|params|config|password|passwd|secret|token|key|credentials?|when|that|it|you|we|option|flag|flags|argument|file|prompt|via|instead|field|here|can|should|will)[.,:!?*]*|[\\w.$?!:>-]*[(\\[{].*|[A-Za-z_]{1,24}[0-9]{0,2}(?:\\??\\.[A-Za-z_]{1,24}[0-9]{0,2})+|(?i:[a-z_]*_(?:password|passwd|secret|token|key|pass|pwd))|[a-z]+(?:Password|Secret|Token|Key)|\\w*auth|pwd|_[a-z_]+|Secret(?:Str|Bytes)|(?:[A-Z][a-z]+)+(?:Type|Types)|.{1,2}|[A-Za-z][\\w'-]*(?:[ ,]+[\\w'(-][\\w').-]*)+[!?:]?|(?:~|\\.{1,2}|[A-Za-z]:|\\$?[A-Za-z_]+)?[/\\\\][\\w.@{}$ /\\\\-]*|[a-z]*(?:[A-Z][a-z]{2,14}){2,}|(?:[A-Z][a-z]{1,14}[0-9]{0,5}){1,6}(?:Key|Keys|Token|Secret|Type|Types|Provider|Config|Options|Store)[(\\[]?|[0-9.,]{1,7}"],
["token", ".*(?:t(?i:oken)|T(?i:oken)|c(?i:redentials?)|C(?i:redentials?))(?i:[_-]?(?:[0-9]{1,2}|prod|production|dev|staging|live|value|base|b64|base64|plain))?", "<[^<>]*>|\\$[({].*|\\{\\{?[^}]*\\}?\\}?|\\$[A-Z_][A-Z0-9_]*|\\$[a-z_]+|\\$[0-9@*]|%[A-Za-z_]+%|%\\(?\\w*\\)?[sdr]|#\\{.*|[*]{2}.{0,4}|[*xX._\u2022\u2026-]{3,}.{0,4}|(?i:your)[-_ ].*|(?i:redacted|hidden|masked)|!+[a-z]+|[^0-9A-Za-z]*|(?i:str|string|text|bool|boolean|int|integer|number|float|bytes|object|array|list|dict|any|none|null|nil|undefined|true|false|yes|no|required|optional|unknown|enabled|disabled|missing|invalid|incorrect|wrong|expired|empty|set|unset|is|was|must|the|a|an|not|and|or|if|for|to|in|on|of|with|from|as|by|include|omit|same-origin|inherit|default|auto|await|new|lambda|input|value|raw|self|this|req|request|args|params|config|password|passwd|secret|token|key|credentials?|when|that|it|you|we|option|flag|flags|argument|file|prompt|via|instead|field|here|can|should|will)[.,:!?*]*|[\\w.$?!:>-]*[(\\[{].*|[A-Za-z_]{1,24}[0-9]{0,2}(?:\\??\\.[A-Za-z_]{1,24}[0-9]{0,2})+|(?i:[a-z_]*_(?:password|passwd|secret|token|key|pass|pwd))|[a-z]+(?:Password|Secret|Token|Key)|\\w*auth|pwd|_[a-z_]+|Secret(?:Str|Bytes)|(?:[A-Z][a-z]+)+(?:Type|Types)|.{1,2}|[A-Za-z][\\w'-]*(?:[ ,]+[\\w'(-][\\w').-]*)+[!?:]?|[A-Za-z]{1,20}(?:[ _.,:'/-]+[A-Za-z]{1,20})*[.!?:]*|[0-9.,]{1,7}|.{1,5}|(?:~|\\.{1,2}|[A-Za-z]:|\\$?[A-Za-z_]+)?[/\\\\][\\w.@{}$ /\\\\-]*|[a-z]*(?:[A-Z][a-z]{2,14}){2,}|(?:[A-Z][a-z]{1,14}[0-9]{0,5}){1,6}(?:Key|Keys|Token|Secret|Type|Types|Provider|Config|Options|Store)[(\\[]?"]
]]
"""  # noqa: E501

# A placeholder can open the way for another rule, so rules run until nothing changes; no real text needs more than two.
PASSES_MAX = 6
# Longer than any look-alike, so that a hostile text cannot have the same stretch judged again and again.
LOOKALIKE_CHARS_MAX = 1024


class Engine:
    """Rules with their patterns compiled when first needed.

    A rule is its class, hints, pattern and look-alikes; a named field is its class, name and look-alikes.
    """

    def __init__(
        self,
        marks: str,
        placeholder: str,
        rules: Sequence[tuple[str, Sequence[str], str, str]],
        named: Sequence[tuple[str, str, str]],
    ) -> None:
        self._marks, self._placeholder = re.compile(marks), re.compile(placeholder)
        self._rules, self._named = rules, named
        self._compiled: dict[str, re.Pattern[str]] = {}

    def redact(self, text: str, find_firing: Callable[[str], Sequence[int]]) -> str:
        """Replace every secret by a placeholder that names its class; `find_firing` lists the rules that can match."""
        for _ in range(PASSES_MAX):
            firing = find_firing(text)
            changed = self._apply_rules(text, firing) if firing else text
            if changed == text:
                break
            text = changed
        return text

    def find_hinted(self, text: str) -> list[int]:
        """List the rules that have a hint in the text, without its marks."""
        lowered = self.strip_marks(text).lower()
        return [rank for rank, rule in enumerate(self._rules) if any(hint in lowered for hint in rule[1])]

    def classify_field(self, name: str, value: str) -> str:
        """Name the class of the secret that a field's name gives away, if its value is no look-alike."""
        for kind, whole_name, lookalikes in self._named:
            if value and self._compile(whole_name).fullmatch(name) and not self._placeholder.fullmatch(value):
                return "" if self._is_lookalike(value, lookalikes) else kind
        return ""

    def strip_marks(self, text: str) -> str:
        """Take out what does not show but breaks a value into pieces."""
        return self._marks.sub("", text)

    def _apply_rules(self, text: str, firing: Sequence[int]) -> str:
        bare, origins = self._map_marks(text)
        fixed = [found.span() for found in self._placeholder.finditer(bare)]
        spans = [span for rank in firing for span in self._find_secrets(bare, rank, fixed)]
        pieces, done = [], 0
        for start, end, rank in _merge_spans(spans):
            first, last = _find_origin(origins, start), _find_origin(origins, end - 1) + 1
            pieces += [text[done:first], f"[redacted:{self._rules[rank][0]}]"]
            done = last
        return "".join(pieces) + text[done:]

    def _map_marks(self, text: str) -> tuple[str, list[tuple[int, int]]]:
        """Strip the marks; the second value tells where each stretch of what is left begins, there and here."""
        pieces, origins, done, length = [], [], 0, 0
        for mark in self._marks.finditer(text):
            if mark.start() > done:
                pieces.append(text[done : mark.start()])
                origins.append((length, done))
                length += mark.start() - done
            done = mark.end()
        return "".join([*pieces, text[done:]]), [*origins, (length, done)]

    def _find_secrets(self, text: str, rank: int, fixed: Sequence[tuple[int, int]]) -> Iterator[tuple[int, int, int]]:
        pattern, position = self._compile(self._rules[rank][2]), 0
        found = pattern.search(text)
        while found:
            start, end = found.span(found.lastindex or 0)
            if self._is_lookalike(text[start:end], self._rules[rank][3]):
                # A look-alike may have a secret in it, so the search goes on at its beginning, not after it.
                position = max(start, found.start() + 1)
            else:
                position = max(end, found.start() + 1)
                start, end = _widen_span(start, end, fixed)
                if re.search(r"[^\W_]", self._placeholder.sub("", text[start:end])):
                    yield start, end, rank
            found = pattern.search(text, position)

    def _is_lookalike(self, text: str, lookalikes: str) -> bool:
        return len(text) <= LOOKALIKE_CHARS_MAX and bool(lookalikes and self._compile(lookalikes).fullmatch(text))

    def _compile(self, pattern: str) -> re.Pattern[str]:
        if pattern not in self._compiled:
            self._compiled[pattern] = re.compile(pattern, re.ASCII)
        return self._compiled[pattern]


def strip_private(text: str) -> str:
    """Put `[private]` in place of every `<private>` block; one that is never closed reaches to the end."""
    kept, depth, start = [], 0, 0
    for tag in re.finditer(r"(?i)<(/?)\s*private\s*>", text):
        if tag.group(1) and depth:
            depth, start = depth - 1, tag.end()
        elif not tag.group(1):
            kept += [] if depth else [text[start : tag.start()], "[private]"]
            depth += 1
    return "".join(kept) + ("" if depth else text[start:])


def _find_origin(origins: Sequence[tuple[int, int]], position: int) -> int:
    low, high = 0, len(origins)
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if origins[middle][0] <= position else (low, middle)
    return origins[low][1] + position - origins[low][0]


def _widen_span(start: int, end: int, fixed: Sequence[tuple[int, int]]) -> tuple[int, int]:
    """Widen a span to the whole of each placeholder that it touches."""
    touched = [span for span in fixed if span[0] < end and span[1] > start]
    return (min(start, touched[0][0]), max(end, touched[-1][1])) if touched else (start, end)


def _merge_spans(spans: Sequence[tuple[int, int, int]]) -> list[tuple[int, int, int]]:
    """Join spans that overlap; the rule of the lowest rank, which is the most telling one, names the whole."""
    merged: list[tuple[int, int, int]] = []
    for start, end, rank in sorted(spans):
        if merged and start < merged[-1][1]:
            first, last, other = merged.pop()
            merged.append((first, max(last, end), min(other, rank)))
        else:
            merged.append((start, end, rank))
    return merged


# END GENERATED


def _is_entry(line: bytes) -> bool:
    try:
        entry = json.loads(line)
        texts = [entry[name] for name in ("key", "agent", "event")]
        return all(isinstance(text, str) for text in texts) and isinstance(entry["payload"], dict)
    except Exception:
        return False


def _find_cwd(body: bytes) -> str:
    try:
        cwd = json.loads(body)["cwd"] if len(body) <= SEGMENT_BYTES_MAX else ""
        return cwd if isinstance(cwd, str) and os.path.isabs(cwd) else os.getcwd()
    except Exception:
        return os.getcwd()


def _find_spool_folder(environ: Mapping[str, str]) -> str:
    state = environ.get("XDG_STATE_HOME") or os.path.join(os.path.expanduser("~"), ".local", "state")
    state = (environ.get("LOCALAPPDATA") if os.name == "nt" else "") or state
    if not os.path.isabs(state):
        # Nobody's home is known: the folder is made for this user alone, and one that is another's is refused.
        state = "/tmp/memwiki-%d" % os.getuid()  # noqa: S108
    return os.path.abspath(environ.get("MEMWIKI_SPOOL_DIR") or os.path.join(state, "memwiki", "spool"))


def _read_bytes(path: str, size: int = 2 * SEGMENT_BYTES_MAX) -> bytes:
    try:
        with open(path, "rb") as opened:
            return opened.read(size)
    except OSError:
        return b""


def _read_file(path: str) -> str:
    return _read_bytes(path).decode("utf-8", "replace").lstrip("\ufeff")


def _append_file(path: str, text: bytes) -> bool:
    try:
        os.makedirs(os.path.dirname(path), 0o700, exist_ok=True)
        opened = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        try:
            size = os.fstat(opened).st_size
            is_whole = os.write(opened, text) == len(text)
            if not is_whole:
                os.ftruncate(opened, size)
        finally:
            os.close(opened)
    except OSError:
        return False
    return is_whole


def _read_input() -> bytes:
    pieces, size = [b"first"], 0
    while pieces[-1] and size <= BODY_BYTES_MAX:
        pieces.append(os.read(0, 1 << 16))
        size += len(pieces[-1])
    return b"".join(pieces[1:])


def _print(text: bytes) -> None:
    while text:
        text = text[os.write(1, text) :]


def _quote(text: str) -> str:
    return "".join(chr(byte) if re.match(rb"[\w.-]", b"%c" % byte) else "%%%02X" % byte for byte in text.encode())


def _render_time(moment: float) -> str:
    return time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(moment)) + ".%06dZ" % (moment % 1 * 1_000_000)


def _leave_at(moment: float, spool: Spool) -> None:
    """Be gone in time; on a machine too busy to have stored the event by then, a copy of this process does that.

    The copy holds no pipe of the agent's, and does not outlive a fault either.
    """
    time.sleep(max(0.0, moment - time.monotonic()))
    if not spool.is_settled and hasattr(os, "fork") and os.fork() == 0:
        try:
            os.closerange(0, DESCRIPTORS_MAX)
            os.setsid()
            _thread.start_new_thread(_leave_late, ())
            spool.append(spool.unsettled())
        except BaseException:
            pass  # The event is lost.
    os._exit(0)


def _leave_late() -> None:
    time.sleep(RESCUE_SECONDS)
    os._exit(0)


if __name__ == "__main__":
    try:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
        main(sys.argv[1:], os.environ)
    except BaseException:
        pass  # Whatever goes wrong here, the agent must not notice.
    finally:
        os._exit(0)
