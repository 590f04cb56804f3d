"""Send one event of a coding agent to memwiki: silent, never late, never failing the agent that runs it.

One file for any Python from 3.8 that needs nothing else. What `app.…` names in it are copies of modules of the
server's code, which stand in the block at the end as text and are compiled when they are needed.

When it is done, the server has said that the event is on its disk, or the spool has it; only where a machine is too
busy for both does another process finish after the agent went on.
"""

from __future__ import annotations

import _thread
import json
import os
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from importlib.machinery import ModuleSpec
from types import ModuleType

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from app.capture.client_http import Answer, Server
    from app.capture.client_spool import Spool

BODY_BYTES_MAX = 10 * 1024 * 1024

# Seconds since the process began: when to give up on the server, and when the process is gone whatever happens.
START_SECONDS = (0.75, 0.93)
OTHER_SECONDS = (0.095, 0.18)
# How often that long at most, for whom the server is far away.
PATIENCE_MAX = 20
# How long a process lives on its own: one that stores what was not stored in time, one that sends what waits, and one
# that does so after the last event of a turn or session, behind which nobody may come for long.
RESCUE_SECONDS, DRAIN_SECONDS, LAST_DRAIN_SECONDS = 10, 10, 20
# What writing to the spool may take beyond that once it has begun.
STORE_SECONDS = 0.1
REQUEST_SECONDS = 5
DESCRIPTORS_MAX = 4096
ORIGIN_CHARS_MAX = 200

# What git may take to say how a working copy was left.
GIT_SECONDS = 0.04

START_EVENTS = {"sessionstart", "sessioncreated", "taskstart", "agentspawn"}
LAST_EVENTS = {"stop", "agentstop", "afteragent", "subagentstop", "precompact", "postcompact", "sessionend"}
# What the payload of an agent that names its sessions has in it.
SESSION_MARKS = (b"session_id", b"sessionId", b"conversation_id", b"thread")
END_EVENTS = {"sessionend", "sessionshutdown", "sessiondeleted", "sessionended"}


def main(arguments: Sequence[str], environ: Mapping[str, str]) -> None:
    """Send the event on standard input, or keep it for later."""
    began = time.monotonic() - min(time.process_time(), 0.1)
    # An installer may have kept a token here, for programs that see no variables of a shell.
    kept = os.path.join(os.path.dirname(os.path.abspath(__file__)), "token")
    environ = {**environ, "MEMWIKI_ACCESS_TOKEN_FILE": environ.get("MEMWIKI_ACCESS_TOKEN_FILE") or kept}
    given = dict(zip(arguments[::2], arguments[1::2]))
    if "--drain" in given:
        _drain(given, environ, is_patient=given["--drain"] == "last")
        return
    is_off = environ.get("MEMWIKI_CAPTURE", "").lower() in {"off", "0", "false", "no"}
    if given.get("--agent") and given.get("--event") and not is_off and environ.get("MEMWIKI_OWN_RUN") != "1":
        Errand(given, environ, began).run()


class Errand:
    """One event on its way; `--key`, `--at` and `--status` tell what was tried with it before."""

    def __init__(self, given: Mapping[str, str], environ: Mapping[str, str], began: float) -> None:
        moment = float(given.get("--at") or time.time())
        self._given, self._environ = given, environ
        self._is_start = _normalise(given["--event"]) in START_EVENTS
        self._is_rescue = "--at" in given
        # A session that is told of its work later than at its start is waited for as long, once the server answers.
        seconds = START_SECONDS if self._is_start or "--brief" in given else OTHER_SECONDS
        factor = environ.get("MEMWIKI_HOOK_PATIENCE", "")
        times = min(int(factor), PATIENCE_MAX) if factor.isdigit() and int(factor) else 1
        self._patience = began + times * seconds[0]
        self._lifetime = began + (RESCUE_SECONDS if self._is_rescue else times * seconds[1])
        self._facts: dict[str, object] = {
            "at": int(moment * 1000),
            "key": given.get("--key") or "%013d-%s" % (moment * 1000, os.urandom(12).hex()),
            "agent": given["--agent"],
            "event": given["--event"],
            "origin": ("%s %s" % (given["--agent"], os.path.dirname(os.path.abspath(__file__))))[:ORIGIN_CHARS_MAX],
        }
        self._checkout: Mapping[str, object] = {}
        self._body = self._line = b""
        self._size = 0
        self._is_storing = self._is_settled = False

    def run(self) -> None:
        """See to it that the event is stored here or there, and that what waits is sent behind it."""
        _thread.start_new_thread(self._leave_in_time, ())
        self._body = self._read_input()
        from app.capture import client_files, client_spool

        spool = client_spool.Spool(client_files.find_spool_folder(self._environ))
        if len(self._body) > BODY_BYTES_MAX:
            spool.count_lost(1, "%s is larger than %d bytes" % (self._given["--event"], BODY_BYTES_MAX))
        elif self._ask_consent(spool.folder):
            self._deliver(spool)
        self._is_settled = True
        is_last = _normalise(self._given["--event"]) in LAST_EVENTS
        if not spool.is_empty() and (is_last or not spool.is_paused()):
            _detach(self._given, self._environ, is_last=is_last)

    def _read_input(self) -> bytes:
        pieces = [b"first"]
        while pieces[-1] and self._size <= BODY_BYTES_MAX:
            pieces.append(os.read(0, 1 << 16))
            self._size += len(pieces[-1])
        return b"".join(pieces[1:])

    def _count_unread(self) -> None:
        from app.capture import client_files, client_spool

        spool = client_spool.Spool(client_files.find_spool_folder(self._environ))
        spool.count_lost(1, "%s did not end in time" % self._given["--event"])

    def _ask_consent(self, folder: str) -> bool:
        """Gather what is known of the event, and tell whether what is then left of it may leave this machine."""
        from app.capture import client_checkout, client_files

        cwd = _find_cwd(self._body)
        if not any(mark in self._body for mark in SESSION_MARKS):
            from app.capture import client_sessions

            agent, event = self._given["--agent"], self._given["--event"]
            self._body = client_sessions.name_session(agent, event, self._body, cwd, folder)
        if os.path.exists(os.path.join(folder, "muted")) or client_checkout.read_markers(cwd):
            from app.capture import client_consent

            agent, event = self._given["--agent"], self._given["--event"]
            consent = client_consent.ask(agent, event, self._body, cwd, self._environ)
            if not consent.is_given:
                return False
            self._body = consent.body
            self._facts.update({"policy": consent.header} if consent.header else {})
        self._facts["occurred_at"] = client_files.render_time(float(str(self._facts["at"])) / 1000)
        self._checkout = client_checkout.read_checkout(cwd, self._environ)
        self._add_wishes(cwd)
        self._add_changes()
        return True

    def _add_wishes(self, cwd: str) -> None:
        """Say what a session is to be told, which the server asks at its start."""
        from app.capture import client_checkout

        markers = client_checkout.read_markers(cwd)
        if self._is_start or markers or "MEMWIKI_BRIEF" in self._environ:
            from app.capture import client_wishes

            wishes = client_wishes.read_wishes(self._given["--agent"], markers, self._environ)
            self._checkout = {**self._checkout, **wishes}

    def _add_changes(self) -> None:
        """Say what a session leaves in its working copy, which the next one wants to know."""
        root = str(self._checkout.get("root") or "")
        if root and not self._is_rescue and _normalise(self._given["--event"]) in END_EVENTS:
            from app.capture import client_git

            self._checkout = {**self._checkout, **client_git.read_changes(root, self._environ, GIT_SECONDS)}

    def _deliver(self, spool: Spool) -> None:
        from app.capture import client_http

        is_waiting, status = not spool.is_empty(), self._given.get("--status")
        is_tried = status is not None or self._is_start or not (is_waiting or spool.is_paused())
        answer = client_http.Answer(0)
        if status is not None:
            answer = client_http.Answer(int(status), b'"code"', int(self._given.get("--retry") or 0))
        elif is_tried:
            answer = self._send(spool)
        if answer.status == client_http.TAKEN:
            self._is_settled = True
            _write(1, answer.body)
            spool.end_pause()
        elif answer.is_refusal:
            spool.note("%s was refused with status %d" % (self._given["--event"], answer.status))
        else:
            self._store(spool)
            if is_tried and not self._is_rescue:
                spool.leave_alone(answer.retry_seconds)
                self._tell_silence(spool, answer.status)

    def _send(self, spool: Spool) -> Answer:
        """Send the event as the agent gave it, and make it ready for the spool while the server takes its time."""
        from app.capture import client_http

        server = _open_server(self._given, self._environ, self._lifetime - time.monotonic())
        try:
            waiting = spool.report()
        except OSError:
            waiting = (0, 0, 0)
        task = client_http.Task(lambda: server.send_live(self._facts, self._checkout, self._body, waiting))
        answer = task.wait((self._patience + time.monotonic()) / 2)
        if not task.is_done:
            self._line = self._build_line()
            answer = task.wait(self._patience)
        return answer

    def _tell_silence(self, spool: Spool, status: int) -> None:
        """Say at a session's start that it begins without its memory; whoever is not told believes that all is well."""
        if not self._is_start:
            return
        from app.capture import client_notice

        agent, event = self._given["--agent"], self._given["--event"]
        facts = {"agent": agent, "event": event, "url": _find_url(self._given, self._environ)}
        try:
            waiting = spool.report()[0]
        except OSError:
            waiting = 0
        _write(1, client_notice.render_notice(facts, self._checkout, status, waiting))

    def _build_line(self) -> bytes:
        from app.capture import client_entry

        return self._line or client_entry.build_entry(self._facts, self._checkout, self._body)

    def _store(self, spool: Spool) -> None:
        line = self._build_line()
        self._is_storing = True
        self._is_storing = self._is_settled = spool.append(line, self._lifetime)
        spool.remember_server(_find_url(self._given, self._environ))
        while not self._is_settled:
            # Others keep the spool locked, so that this is left to a process that can wait.
            time.sleep(1)

    def _leave_in_time(self) -> None:
        """Be gone in time; on a machine too busy to have stored the event by then, another process does that."""
        time.sleep(max(0.0, self._lifetime - time.monotonic()))
        if self._is_storing and not self._is_settled:
            time.sleep(STORE_SECONDS)
        if self._size and not self._body:
            self._count_unread()
        if self._body and not self._is_settled and not self._is_rescue and hasattr(os, "fork") and os.fork() == 0:
            self._start_again()
        os._exit(0)

    def _start_again(self) -> None:
        """Become a fresh client, since in a copy of this process another thread's locks stay closed for ever."""
        os.setsid()
        for number in range(3):
            os.dup2(os.open(os.devnull, os.O_RDWR), number)
        os.closerange(3, DESCRIPTORS_MAX)
        source, target = os.pipe()
        if os.fork() == 0:
            os.close(source)
            _write(target, self._body)
            os._exit(0)
        os.dup2(source, 0)
        os.closerange(3, DESCRIPTORS_MAX)
        words = [sys.executable, "-I", "-S", os.path.abspath(__file__), "--agent", self._given["--agent"]]
        words += ["--event", self._given["--event"], "--url", self._given.get("--url", ""), "--status", "0"]
        words += ["--key", str(self._facts["key"]), "--at", "%.3f" % (float(str(self._facts["at"])) / 1000)]
        os.execv(sys.executable, words)  # noqa: S606 - a shell would have to quote them


def _open_server(given: Mapping[str, str], environ: Mapping[str, str], seconds: float) -> Server:
    from app.capture import client_files, client_http

    url = _find_url(given, environ)
    return client_http.Server(url, client_files.find_token(environ), max(0.01, seconds))


def _find_url(given: Mapping[str, str], environ: Mapping[str, str]) -> str:
    return given.get("--url") or environ.get("MEMWIKI_URL") or "http://127.0.0.1:7470"


def _detach(given: Mapping[str, str], environ: Mapping[str, str], *, is_last: bool) -> None:
    """Have a process of its own send what waits, which holds no pipe of the agent's and outlives the hook."""
    if hasattr(os, "fork"):
        if os.fork() == 0:
            _run_alone(lambda: _drain(given, environ, is_patient=is_last), LAST_DRAIN_SECONDS + 2 * REQUEST_SECONDS)
    elif is_last:
        import subprocess

        # Detached, in a group of its own, and without a window: the numbers are Windows' own.
        flags = 0x00000008 | 0x00000200 | 0x08000000
        words = [sys.executable, "-I", "-S", os.path.abspath(__file__), "--drain", "last"]
        words += ["--url", given.get("--url", "")]
        silent = subprocess.DEVNULL
        subprocess.Popen(words, stdin=silent, stdout=silent, stderr=silent, close_fds=True, creationflags=flags)


def _drain(given: Mapping[str, str], environ: Mapping[str, str], *, is_patient: bool) -> None:
    from app.capture import client_drain, client_files, client_spool

    spool = client_spool.Spool(client_files.find_spool_folder(environ))
    until = time.monotonic() + (LAST_DRAIN_SECONDS if is_patient else DRAIN_SECONDS)
    client_drain.drain(spool, _open_server(given, environ, REQUEST_SECONDS), until, is_patient=is_patient)


def _run_alone(work: Callable[[], object], seconds: float) -> None:
    """Be a process of one's own from here on, and end with the work, or when the time is over."""
    try:
        os.setsid()
        os.closerange(0, DESCRIPTORS_MAX)
        for _ in range(3):
            os.open(os.devnull, os.O_RDWR)
        _thread.start_new_thread(_leave_late, (seconds,))
        work()
    except BaseException:
        pass  # Nobody is left to tell.
    os._exit(0)


def _leave_late(seconds: float) -> None:
    time.sleep(seconds)
    os._exit(0)


def _normalise(event: str) -> str:
    return "".join(filter(str.isalpha, event.lower()))


def _find_cwd(body: bytes) -> str:
    try:
        cwd = json.loads(body)["cwd"]
        return cwd if isinstance(cwd, str) and os.path.isabs(cwd) else os.getcwd()
    except Exception:
        return os.getcwd()


def _write(descriptor: int, text: bytes) -> None:
    while text:
        text = text[os.write(descriptor, text) :]


class PartFinder:
    """Imports the modules whose copies stand in the block below."""

    @classmethod
    def find_spec(cls, name: str, path: object = None, target: object = None) -> ModuleSpec | None:  # noqa: ARG003 - the importer's protocol
        """Find a part, or a package that has one."""
        is_package = any(part.startswith(name + ".") for part in PARTS)
        loader: Any = cls()
        return ModuleSpec(name, loader, is_package=is_package) if is_package or name in PARTS else None

    @staticmethod
    def create_module(spec: ModuleSpec) -> None:
        """Leave making the module to the importer."""

    @staticmethod
    def exec_module(module: ModuleType) -> None:
        """Run the part's text as its module."""
        exec(compile(PARTS.get(module.__name__, ""), module.__name__, "exec"), module.__dict__)  # noqa: S102 - our own code


# BEGIN GENERATED: copies of app/, made by `python -m app.capture.hook_parts`, never edited by hand
PARTS = {
    "app.capture.client_checkout": r'''
"""Reads what the files of a working copy tell of it, without running git.

The hook client carries a copy of this module, so that it speaks Python 3.8 and imports the standard library alone.
Includes in git's settings are not followed.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping, Sequence

from app.capture import client_files
from app.domain import limits, limits_client

MARKER_NAME = ".memwiki.toml"


def read_checkout(cwd: str, environ: Mapping[str, str]) -> dict[str, object]:
    """Read the facts of a folder; what is not seen is left out."""
    facts: dict[str, object] = {"cwd": cwd, "machine": _name_machine(environ)}
    facts["launch"] = environ.get("MEMWIKI_RUN", "")[: limits.NAME_CHARS_MAX]
    markers = read_markers(cwd)
    if markers:
        facts.update(_read_names(markers[0][1]))
    for folder in list_folders(cwd):
        git_dir = _find_git_dir(folder)
        if git_dir:
            facts.update(_read_repository("" if git_dir == folder else folder, git_dir, environ))
            break
    return {name: value for name, value in facts.items() if value}


def list_folders(cwd: str) -> list[str]:
    """List a folder and those above it."""
    folders = [os.path.abspath(cwd)]
    while os.path.dirname(folders[-1]) != folders[-1] and len(folders) < limits.PARENT_FOLDERS_MAX:
        folders.append(os.path.dirname(folders[-1]))
    return folders


def read_markers(cwd: str) -> list[tuple[str, str]]:
    """Read the marker files of a folder and those above it, nearest first, each with its folder.

    One that is there and cannot be read is given as a text that is no marker, so that it is not taken for absent.
    """
    found = []
    for folder in list_folders(cwd):
        try:
            raw = client_files.read_all(os.path.join(folder, MARKER_NAME), limits_client.CLIENT_READ_BYTES_MAX)
            found.append((folder, raw.decode("utf-8").lstrip("\ufeff")))
        except (FileNotFoundError, NotADirectoryError):
            continue
        except (OSError, ValueError):
            found.append((folder, "\0"))
    return found


def _read_names(marker: str) -> dict[str, object]:
    """Read the names from the part above the first table, also from a file with a fault further down."""
    head = re.split(r"(?m)^[ \t]*\[", marker)[0]
    names = re.findall(r"(?m)^[ \t]*(workspace|project)[ \t]*=[ \t]*[\"']([^\"'\r\n]+)", head)
    facts: dict[str, object] = {"marker_" + name: value for name, value in reversed(names)}
    aliases = re.search(r"(?m)^[ \t]*aliases[ \t]*=[ \t]*(\[[^\]]*\])", head)
    if aliases:
        facts["marker_aliases"] = re.findall(r"[\"']([^\"'\r\n]+)[\"']", aliases.group(1))
    return facts


def _name_machine(environ: Mapping[str, str]) -> str:
    """Name the computer; a distribution inside WSL has its Windows' name, and its own behind it."""
    name = os.uname().nodename if hasattr(os, "uname") else environ.get("COMPUTERNAME", "")
    name = name[: limits.MACHINE_NAME_CHARS_MAX]
    distribution = environ.get("WSL_DISTRO_NAME", "")
    return "%s+%s" % (name, distribution[: limits.MACHINE_NAME_CHARS_MAX]) if name and distribution else name


def _find_git_dir(folder: str) -> str:
    dot_git = os.path.join(folder, ".git")
    if os.path.isfile(dot_git):
        target = re.match(r"gitdir:\s*(.+)", client_files.read_text(dot_git))
        return os.path.normpath(os.path.join(folder, target.group(1).strip())) if target else ""
    is_bare = all(os.path.exists(os.path.join(folder, name)) for name in ("HEAD", "objects", "refs"))
    return dot_git if os.path.isdir(dot_git) else folder if is_bare else ""


def _read_repository(root: str, git_dir: str, environ: Mapping[str, str]) -> dict[str, str]:
    # A submodule keeps its repository inside that of the project that it is a part of, and belongs to it.
    outer = re.match(r"(.*[/\\]\.git)[/\\]modules[/\\]", git_dir)
    if outer:
        root, git_dir = os.path.dirname(outer.group(1)), outer.group(1)
    shared = client_files.read_text(os.path.join(git_dir, "commondir")).strip()
    common_dir = os.path.normpath(os.path.join(git_dir, shared))
    head = client_files.read_text(os.path.join(git_dir, "HEAD")).strip()
    ref = head[5:] if re.match(r"ref: refs/[^\0\\]+$", head) and ".." not in head else ""
    remotes = _read_remotes(client_files.read_text(os.path.join(common_dir, "config")), environ)
    remote, origin = remotes.get("upstream", ""), remotes.get("origin", "")
    return {
        "root": root,
        "common_dir": common_dir,
        "remote": remote or origin,
        "origin": origin if remote and origin != remote else "",
        "branch": ref[11:] if ref.startswith("refs/heads/") and not ref.endswith("/.invalid") else "",
        "revision": _find_revision(head, ref, (git_dir, common_dir)),
    }


def _find_revision(head: str, ref: str, folders: Sequence[str]) -> str:
    found = [client_files.read_text(os.path.join(folder, ref)).strip() for folder in folders] if ref else [head]
    packed = client_files.read_text(os.path.join(folders[1], "packed-refs")) if ref and not any(found) else ""
    found += re.findall(r"(?m)^([0-9a-f]{40,64}) %s$" % re.escape(ref), packed)
    return next((each for each in found if re.match(r"[0-9a-f]{40,64}$", each)), "")


def _read_remotes(settings: str, environ: Mapping[str, str]) -> dict[str, str]:
    """Read the addresses of the remotes, as git would use them and without their users and passwords."""
    pairs = list(_list_settings(settings))
    remotes: dict[str, str] = {}
    for section, name, value in pairs:
        if name == "url" and section.startswith('remote "'):
            remotes.setdefault(section[8:-1], value.partition(" ")[0])
    if not remotes:
        return {}
    for path in _list_global_settings(environ):
        pairs += _list_settings(client_files.read_text(path))
    instead = {value: section[5:-1] for section, name, value in pairs if name == "insteadof" and section[:5] == 'url "'}
    return {remote: _rewrite(url, instead) for remote, url in remotes.items()}


def _rewrite(url: str, instead: Mapping[str, str]) -> str:
    prefix = max(filter(url.startswith, instead), key=len, default="")
    return re.sub(r"(?<=://)[^/\s]*@", "", instead[prefix] + url[len(prefix) :] if prefix else url)


def _list_settings(text: str) -> Iterator[tuple[str, str, str]]:
    section = ""
    for line in text.splitlines():
        opening = re.match(r"\s*\[(.*)\]", line)
        section = opening.group(1) if opening else section
        pair = re.match(r"\s*([A-Za-z][A-Za-z0-9-]*)\s*=\s*\"?([^\"]*?)\"?\s*$", line)
        if pair:
            yield section, pair.group(1).lower(), pair.group(2)


def _list_global_settings(environ: Mapping[str, str]) -> list[str]:
    home = environ.get("HOME") or os.path.expanduser("~")
    folder = environ.get("XDG_CONFIG_HOME") or os.path.join(home, ".config")
    own = environ.get("GIT_CONFIG_GLOBAL")
    return [own] if own else [os.path.join(home, ".gitconfig"), os.path.join(folder, "git", "config")]
''',
    "app.capture.client_consent": r'''
"""Asks on this machine whether an event may leave it: the environment, muted sessions, the folder's policy.

The hook client carries a copy of this module, so that it speaks Python 3.8 and imports the standard library alone.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from typing import Any, NamedTuple

from app.capture import client_checkout, client_files, client_notes, native_kinds, policy, policy_facts
from app.capture.policy import Decision, PolicyUnreadable

_OFF = {"off", "0", "false", "no"}


class Consent(NamedTuple):
    """What was decided of an event, and with it the text of its policy header and its body as it may go."""

    decision: Decision
    header: str
    body: bytes

    @property
    def is_given(self) -> bool:
        """Tell whether the event may leave."""
        return self.decision.action != policy.DROP


def is_off(environ: Mapping[str, str]) -> bool:
    """Tell whether this session was opted out by its environment, or is memwiki's own."""
    return environ.get("MEMWIKI_CAPTURE", "").lower() in _OFF or environ.get("MEMWIKI_OWN_RUN") == "1"


def ask(agent: str, event: str, body: bytes, cwd: str, environ: Mapping[str, str]) -> Consent:
    """Decide about one event, and leave a report where a policy cannot be read."""
    consent = explain(agent, event, body, cwd, environ)
    if consent.header == policy.UNREADABLE:
        client_notes.note_unreadable(client_files.find_spool_folder(environ), consent.decision.reason)
    return consent


def explain(agent: str, event: str, body: bytes, cwd: str, environ: Mapping[str, str]) -> Consent:
    """Decide about one event, and do nothing else."""
    payload, is_read = _read_payload(body)
    mutes = client_notes.list_mutes(client_files.find_spool_folder(environ))
    refused = "capture is off in this environment" if is_off(environ) else _find_mute(mutes, payload, cwd)
    if refused:
        return _refuse(refused, "", body)
    try:
        stated = policy.find_policy(client_checkout.read_markers(cwd), os.path.expanduser("~"))
    except PolicyUnreadable as error:
        return _refuse(str(error), policy.UNREADABLE, body)
    header = policy.render_header(stated)
    if stated.is_stated and not is_read:
        return _refuse("the event cannot be read, so nobody knows whether it may go", header, body)
    decision = _decide(stated, find_kind(agent, event), payload, cwd)
    if decision.action == policy.STRIP:
        body = json.dumps(policy.strip_payload(payload)).encode()
    return Consent(decision, header, body)


def find_kind(agent: str, event: str) -> str:
    """Tell which kind of event an agent's own name for it stands for."""
    return native_kinds.KINDS.get(agent, {}).get(event, "other")


def find_cwd(body: bytes) -> str:
    """Find the folder of an event: what its payload says, else where this process is."""
    cwd = _read_payload(body)[0].get("cwd")
    return cwd if isinstance(cwd, str) and os.path.isabs(cwd) else os.getcwd()


def _refuse(reason: str, header: str, body: bytes) -> Consent:
    return Consent(Decision(policy.DROP, reason), header, body)


def _read_payload(body: bytes) -> tuple[dict[str, Any], bool]:
    try:
        payload = json.loads(body)
    except (ValueError, RecursionError):
        return {}, False
    return (payload, True) if isinstance(payload, dict) else ({}, False)


def _find_mute(mutes: list[tuple[str, str]], payload: Mapping[str, Any], cwd: str) -> str:
    named = {value for value in payload.values() if isinstance(value, str)}
    folders = client_checkout.list_folders(cwd)
    for kind, value in mutes:
        if (kind == "session" and value in named) or (kind == "folder" and value in folders):
            return "%s %s is muted" % (kind, value)
    return ""


def _decide(stated: policy.Policy, kind: str, payload: Mapping[str, Any], cwd: str) -> Decision:
    """Decide by the names as they are given, and again by the files that links lead to."""
    facts = policy_facts.read_facts(kind, payload, cwd)
    decision = policy.decide(stated, facts)
    if decision.action == policy.DROP or not (stated.deny or stated.is_allow_list):
        return decision
    real = tuple(os.path.realpath(os.path.join(facts.cwd, os.path.expanduser(path))) for path in facts.paths)
    again = policy.decide(stated._replace(root=os.path.realpath(stated.root)), facts._replace(paths=real))
    return again if again.action == policy.DROP else decision
''',
    "app.capture.client_drain": r'''
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
''',
    "app.capture.client_entry": r'''
"""Makes of one event the line in which it waits: redacted, without private blocks, and with bounded texts.

The hook client carries a copy of this module, so that it speaks Python 3.8 and imports the standard library alone.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping

from app.domain import limits, redact_rules
from app.domain.redact_engine import Engine, strip_private

_TEXT_CHARS_MIN = 64


def build_entry(facts: Mapping[str, object], checkout: Mapping[str, object], body: bytes) -> bytes:
    """Build the line of one event; an event that cannot be read has none."""
    try:
        payload = json.loads(body if len(body) <= limits.HOOK_BODY_BYTES_MAX else b"too large")
        room = limits.SPOOLED_TEXT_CHARS_MAX
        if len(body) > limits.SPOOLED_PAYLOAD_CHARS_MAX:
            room = min(room, max(_TEXT_CHARS_MIN, limits.SPOOLED_PAYLOAD_CHARS_MAX // body.count(b'"') * 2))
        cleaner = _Cleaner(room)
        entry = {**facts, "checkout": cleaner.clean({**checkout}), "payload": cleaner.clean({**payload})}
        return json.dumps(entry, ensure_ascii=False, allow_nan=False).encode("utf-8", "replace") + b"\n"
    except Exception:
        return b""


class _Cleaner:
    """Takes secrets and private blocks out of parsed JSON and bounds its texts."""

    def __init__(self, chars_max: int) -> None:
        self._chars_max = chars_max
        self._engine = Engine(redact_rules.MARKS, redact_rules.PLACEHOLDER, redact_rules.RULES, redact_rules.NAMED)

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
''',
    "app.capture.client_files": r'''
"""The small files of the hook client: where its folder is, and reading, appending and locking in it.

The hook client carries a copy of this module, so that it speaks Python 3.8 and imports the standard library alone.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Mapping

from app.domain.limits_client import CLIENT_READ_BYTES_MAX


def find_spool_folder(environ: Mapping[str, str]) -> str:
    """Find the folder in which events wait, and what else this machine's hooks have to remember."""
    state = environ.get("XDG_STATE_HOME") or os.path.join(os.path.expanduser("~"), ".local", "state")
    state = (environ.get("LOCALAPPDATA") if os.name == "nt" else "") or state
    if not os.path.isabs(state):
        # Nobody's home is known: the folder is made for this user alone, and one that is another's is refused.
        state = "/tmp/memwiki-%d" % os.getuid()  # noqa: S108
    return os.path.abspath(environ.get("MEMWIKI_SPOOL_DIR") or os.path.join(state, "memwiki", "spool"))


def find_key_file(environ: Mapping[str, str], folder: str) -> str:
    """Find the file with the keys that seal a spool; empty where none is named and none is beside its folder."""
    named = environ.get("MEMWIKI_SPOOL_KEY_FILE", "")
    usual = name_key_file(folder)
    return os.path.expanduser(named) if named else usual if os.path.exists(usual) else ""


def name_key_file(folder: str) -> str:
    """Name the file with a spool's keys where no other is named."""
    return os.path.join(os.path.dirname(folder), "spool.key")


def find_token(environ: Mapping[str, str]) -> str:
    """Find the access token as it is now; one that no header can carry counts as none."""
    token_file = environ.get("MEMWIKI_ACCESS_TOKEN_FILE", "")
    token = environ.get("MEMWIKI_ACCESS_TOKEN", "").strip()
    if not token and token_file:
        token = read_text(os.path.expanduser(token_file)).partition("\n")[0].strip()
    return token if token.isprintable() else ""


def read_bytes(path: str, size: int = CLIENT_READ_BYTES_MAX) -> bytes:
    """Read the beginning of a file; one that is missing or closed to us is empty."""
    try:
        return read_all(path, size)
    except OSError:
        return b""


def read_all(path: str, size: int = -1) -> bytes:
    """Read a file.

    Raises:
        OSError: it cannot be read, which is not the same as empty.
    """
    with open(path, "rb") as opened:
        return opened.read(size)


def read_text(path: str) -> str:
    """Read the beginning of a text file, without its byte order mark."""
    return read_bytes(path).decode("utf-8", "replace").lstrip("\ufeff")


def append_file(path: str, text: bytes) -> bool:
    """Append a text to a file that only this user may read, whole or not at all."""
    try:
        os.makedirs(os.path.dirname(path), 0o700, exist_ok=True)
        opened = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND | getattr(os, "O_BINARY", 0), 0o600)
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


def remove_file(path: str) -> None:
    """Remove a file; one that is gone already is no fault."""
    try:
        os.unlink(path)
    except OSError:
        pass


def lock_file(path: str, until: float) -> int | None:
    """Take the lock that a file stands for, and give up at a moment of the monotonic clock; closing it frees it.

    Raises:
        OSError: there is no such folder, or it is another's.
    """
    folder = os.path.dirname(path)
    os.makedirs(folder, 0o700, exist_ok=True)
    os.chmod(folder, 0o700)
    opened = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
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


def render_time(moment: float) -> str:
    """Write a moment as the ISO text that events carry."""
    return time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(moment)) + ".%06dZ" % (moment % 1 * 1_000_000)
''',
    "app.capture.client_git": r'''
"""Asks git what a working copy was left with, for a moment that nobody notices.

The hook client carries a copy of this module, so that it speaks Python 3.8 and imports the standard library alone.
"""

from __future__ import annotations

import re
import subprocess
from collections.abc import Mapping

from app.domain import limits
from app.domain.limits_client import CLIENT_DIRTY_PATHS_MAX

# How porcelain v2 begins a line about a file, and how many words stand before its path.
_WORDS_BEFORE_PATH = {"1": 8, "2": 9, "u": 10, "?": 1}


def read_changes(root: str, environ: Mapping[str, str], seconds: float) -> dict[str, object]:
    """Count what is not committed and how far the branch is from its upstream; nothing where git takes too long."""
    try:
        done = subprocess.run(
            ["git", "-C", root, "status", "--porcelain=v2", "--branch", "-z", "--untracked-files=normal"],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            # Another git that is at work here must not find the index locked.
            env={**environ, "GIT_OPTIONAL_LOCKS": "0"},
            timeout=seconds,
            check=False,
        )
    except (OSError, ValueError, subprocess.SubprocessError):
        return {}
    if done.returncode or len(done.stdout) > limits.GIT_OUTPUT_BYTES_MAX:
        return {}
    return parse_status(done.stdout.decode("utf-8", "replace"))


def parse_status(text: str) -> dict[str, object]:
    """Read what `git status --porcelain=v2 --branch -z` printed."""
    facts: dict[str, object] = {}
    paths = []
    parts = iter(text.split("\0"))
    for part in parts:
        words = _WORDS_BEFORE_PATH.get(part[:1], 0)
        if words:
            paths.append(part.split(" ", words)[-1])
        if part[:1] == "2":
            # The name before a rename stands in a part of its own.
            next(parts, "")
        counts = re.match(r"# branch\.ab \+(\d+) -(\d+)$", part)
        if counts:
            facts.update(ahead=int(counts.group(1)), behind=int(counts.group(2)))
    facts["dirty_count"] = len(paths)
    kept, size = [], 0
    for path in paths[:CLIENT_DIRTY_PATHS_MAX]:
        size += len(path.encode("utf-8", "replace"))
        if size <= limits.DIRTY_PATHS_BYTES_MAX:
            kept.append(path)
    return {**facts, "dirty": kept} if kept else facts
''',
    "app.capture.client_http": r'''
"""Sends events to a server by hand-written HTTP: one request on a connection of its own, answered whole or not at all.

The hook client carries a copy of this module, so that it speaks Python 3.8 and imports the standard library alone;
an HTTP library would take longer to import than the request takes.
"""

from __future__ import annotations

import _socket
import _thread
import json
import re
import time
from collections.abc import Callable, Mapping, Sequence

from app.domain import limits

TAKEN, BATCH_TAKEN, TOO_LARGE = 202, 200, 413
# Any other 4xx means that the event itself will never be taken; these are about the way to the server.
_NOT_THE_EVENT = {401, 403, 404, 407, 408, 421, 425, 429}
_CLIENT_FAULTS = range(400, 500)


class Answer:
    """What the server said; a status of 0 is no complete answer."""

    def __init__(self, status: int, body: bytes = b"", retry_seconds: int = 0) -> None:
        self.status, self.body, self.retry_seconds = status, body, retry_seconds
        # A proxy or another server may refuse what ours would take, so that a refusal has to be in our words.
        is_ours = status == TOO_LARGE or b'"code"' in body
        self.is_refusal = status in _CLIENT_FAULTS and status not in _NOT_THE_EVENT and is_ours


class Task:
    """A call on a thread of its own, since neither a name look-up nor a connection can be cut short."""

    def __init__(self, work: Callable[[], Answer]) -> None:
        self.is_done, self._answer = False, Answer(0)
        self._running = _thread.allocate_lock()
        self._running.acquire()
        _thread.start_new_thread(self._run, (work,))

    def wait(self, until: float) -> Answer:
        """Wait for the answer until a moment of the monotonic clock, and take silence for none."""
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
    """A server at an address."""

    def __init__(self, url: str, token: str, seconds_max: float) -> None:
        self._url, self._token, self._seconds_max = url, token, seconds_max

    def send_live(
        self, facts: Mapping[str, object], checkout: Mapping[str, object], body: bytes, waiting: tuple[int, int, int]
    ) -> Answer:
        """Send one event as the agent gave it; what is known of it travels in the headers."""
        agent, event, key, origin, moment = (str(facts[name]) for name in ("agent", "event", "key", "origin", "at"))
        seen = quote(json.dumps(checkout, separators=(",", ":")))
        if len(seen) > limits.CHECKOUT_HEADER_BYTES_MAX:
            seen = quote(json.dumps({"cwd": str(checkout["cwd"])[:2000]}))
        headers = ["Idempotency-Key: " + key, "Memwiki-Checkout: " + seen]
        headers.append("Memwiki-Origin: %s;%s" % (quote(origin), moment))
        headers += ["Memwiki-Policy: " + quote(str(facts["policy"]))] if facts.get("policy") else []
        return self._post("/hook?agent=%s&event=%s" % (quote(agent), quote(event)), headers, body, waiting)

    def send_batch(self, lines: Sequence[bytes], waiting: tuple[int, int, int]) -> Answer:
        """Send spooled events; an answer that does not speak of each of them counts as none."""
        answer = self._post("/hook/batch", [], b'{"events":[' + b",".join(lines) + b"]}", waiting)
        is_whole = answer.status != BATCH_TAKEN or len(list_results(answer)) == len(lines)
        return answer if is_whole else Answer(0)

    def _post(self, path: str, headers: Sequence[str], body: bytes, waiting: tuple[int, int, int]) -> Answer:
        parts = re.match(r"(https?)://(?:[^/@]*@)?(\[[^\]]+\]|[^:/?#]+)(?::(\d+))?([^?#\s]*)", self._url)
        if not parts:
            return Answer(0)
        scheme, host, port, prefix = parts.groups()
        head = ["POST %s%s HTTP/1.1" % (prefix.rstrip("/"), path), "Host: " + host + (":" + port if port else "")]
        head += ["Connection: close", "Content-Type: application/json", "Content-Length: %d" % len(body), *headers]
        head += ["Authorization: Bearer " + self._token] if self._token else []
        head += ["Memwiki-Spool: %d;%d;%d" % waiting] if any(waiting) else []
        address = (host.strip("[]"), int(port or (443 if scheme == "https" else 80)))
        connect = _connect_safely if scheme == "https" else _connect
        connection = connect(address, self._seconds_max)
        try:
            connection.sendall("\r\n".join([*head, "", ""]).encode("latin-1", "replace") + body)
            return _receive(connection)
        finally:
            connection.close()


def _connect(address: tuple[str, int], seconds_max: float) -> _socket.socket:
    """Open a plain connection; the full `socket` module takes as long to import as all the rest of a request."""
    fault = OSError("no address")
    for family, kind, protocol, _, place in _socket.getaddrinfo(*address, 0, _socket.SOCK_STREAM):
        connection = _socket.socket(family, kind, protocol)
        connection.settimeout(seconds_max)
        try:
            connection.connect(place)
        except OSError as error:
            connection.close()
            fault = error
        else:
            return connection
    raise fault


def _connect_safely(address: tuple[str, int], seconds_max: float) -> _socket.socket:
    import socket
    import ssl

    connection = socket.create_connection(address, timeout=seconds_max)
    return ssl.create_default_context().wrap_socket(connection, server_hostname=address[0])


def _receive(connection: _socket.socket) -> Answer:
    received = b""
    while len(received) <= limits.HOOK_ANSWER_BYTES_MAX:
        chunk = connection.recv(65536)
        received += chunk
        answer = parse_answer(received)
        if answer.status or not chunk:
            return answer
    return Answer(0)


def list_results(answer: Answer) -> list[Mapping[str, object]]:
    """List what a batch's answer says of each event; one that says something else is empty."""
    try:
        results = json.loads(answer.body)["results"]
        return [result for result in results if isinstance(result.get("status"), str)]
    except Exception:
        return []


def parse_answer(received: bytes) -> Answer:
    """Read an answer that is complete, which its length or its last chunk proves."""
    head, blank, body = received.partition(b"\r\n\r\n")
    status = re.match(rb"HTTP/1\.[01] (\d{3})", head)
    if not blank or not status:
        return Answer(0)
    if status.group(1).startswith(b"1"):
        return parse_answer(body)
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


def quote(text: str) -> str:
    """Escape a text for a header or an address."""
    raw = text.encode("utf-8", "replace")
    return "".join(chr(byte) if re.match(rb"[\w.-]", b"%c" % byte) else "%%%02X" % byte for byte in raw)
''',
    "app.capture.client_notes": r'''
"""Keeps what this machine has noted of its own capture: what was muted, and policies that cannot be read.

The hook client carries a copy of this module, so that it speaks Python 3.8 and imports the standard library alone.
"""

from __future__ import annotations

import os
import time

from app.capture import client_checkout, client_files, client_spool, policy
from app.capture.policy import PolicyUnreadable
from app.domain import limits

_MUTED_NAME, _UNREADABLE_NAME = "muted", "unreadable"


def list_mutes(folder: str) -> list[tuple[str, str]]:
    """List what was muted: pairs of `session` or `folder` and which one."""
    lines = client_files.read_text(os.path.join(folder, _MUTED_NAME)).splitlines()
    found = [line.partition("\t") for line in lines]
    return [(kind, value) for kind, _, value in found if kind in {"session", "folder"} and value]


def write_mutes(folder: str, mutes: list[tuple[str, str]]) -> None:
    """Replace the list of what is muted."""
    path = os.path.join(folder, _MUTED_NAME)
    client_files.remove_file(path + ".part")
    if not mutes:
        client_files.remove_file(path)
    elif client_files.append_file(path + ".part", "".join("%s\t%s\n" % pair for pair in mutes).encode()):
        os.replace(path + ".part", path)


def list_unreadable(folder: str) -> list[str]:
    """List the policies that could not be read and still cannot, each with its reason."""
    lines = client_files.read_text(os.path.join(folder, _UNREADABLE_NAME)).splitlines()
    kept = []
    for line in lines:
        _, _, reason = line.partition(" ")
        place = reason.partition("/" + client_checkout.MARKER_NAME)[0]
        try:
            policy.find_policy(client_checkout.read_markers(place or os.sep)[:1])
        except PolicyUnreadable:
            kept.append(line)
    if len(kept) < len(lines):
        client_files.remove_file(os.path.join(folder, _UNREADABLE_NAME))
        client_files.append_file(os.path.join(folder, _UNREADABLE_NAME), "".join(line + "\n" for line in kept).encode())
    return kept


def note_unreadable(folder: str, reason: str) -> None:
    """Leave a report of a policy that cannot be read, once for each reason."""
    path = os.path.join(folder, _UNREADABLE_NAME)
    known = client_files.read_text(path)
    if reason.replace("\n", " ") not in known and len(known) < limits.CONSENT_LOG_BYTES_MAX:
        line = "%s %s\n" % (client_files.render_time(time.time()), reason.replace("\n", " "))
        client_files.append_file(path, line.encode("utf-8", "replace"))
        client_spool.Spool(folder).note("nothing is captured: %s" % reason)
''',
    "app.capture.client_notice": r'''
"""Says at a session's start that it begins without its memory, in the form in which its agent takes a brief.

The hook client carries a copy of this module, so that it speaks Python 3.8 and imports the standard library alone.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping

from app.capture import native_kinds
from app.domain.limits_client import NOTICE_URL_CHARS_MAX

_REFUSED = {401, 403}
_BUSY = {429, 503}
_OTHERS = {*range(200, 400), 404}
_SILENT = {"off", "one-shot"}


def render_notice(facts: Mapping[str, str], wishes: Mapping[str, object], status: int, waiting: int) -> bytes:
    """Write what the hook prints: nothing for an agent that takes nothing at its start, or a person who wants nothing.

    `facts` name the `agent`, the `event` and the server's `url`; `wishes` are the `brief` and `run` of a start. A
    status of 0 is no answer at all, and `waiting` counts the events of this machine that are not sent yet.
    """
    form = native_kinds.NOTICES.get(facts["agent"], {}).get(facts["event"], "")
    if not form or wishes.get("brief") == "off" or wishes.get("run") in _SILENT:
        return b""
    text = "<memwiki-brief>\n%s %s\n</memwiki-brief>" % (_tell_fault(facts["url"], status), _tell_waiting(waiting))
    shown = json.dumps(text, ensure_ascii=False)[1:-1] if form.startswith("{") else text
    return form.replace(native_kinds.NOTICE_PLACE, shown).encode("utf-8", "replace")


def _tell_fault(url: str, status: int) -> str:
    place = re.sub(r"[\s<>]", "?", re.sub(r"://[^/@]*@", "://", url))[:NOTICE_URL_CHARS_MAX]
    if status in _REFUSED:
        fault = "refuses the access token of this machine (%d at %s)" % (status, place)
    elif status in _BUSY:
        fault = "is too busy to answer (%d at %s)" % (status, place)
    elif status in _OTHERS:
        fault = "is not what answers at %s (status %d)" % (place, status)
    elif status:
        fault = "answers with an error (%d at %s)" % (status, place)
    else:
        fault = "does not answer at %s" % place
    return "memwiki, where the memory of this work is kept, %s: this session starts without it." % fault


def _tell_waiting(waiting: int) -> str:
    if not waiting:
        return "What is said here may not be kept. The person sees why with `memwiki status`."
    events = "1 event waits" if waiting == 1 else "%d events wait" % waiting
    kept = "What is said here is kept on this machine, where %s, and sent when it answers." % events
    return kept + " `memwiki serve` starts it where it runs; `memwiki status` says what is wrong."
''',
    "app.capture.client_parents": r'''
"""Reads with which words the agent was started whose hook this is: few agents tell their hooks that nobody is there.

The hook client carries a copy of this module, so that it speaks Python 3.8 and imports the standard library alone.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence

from app.domain import limits

_ENDINGS = (".exe", ".cmd", ".js", ".mjs", ".cjs")
# What asking for the processes may take; a session's start waits for it.
_ASK_SECONDS = 0.25


def is_started_with(programs: Sequence[str], words: Sequence[str], lines: Iterable[Sequence[str]]) -> bool:
    """Tell whether one of the command lines is that of a program with one of the words behind it."""
    return any(_has_word(line, programs, words) for line in lines)


def read_command_lines() -> Iterator[list[str]]:
    """Read the command lines of this process's parent, its parent and so on, as far as an agent may be away.

    Windows tells them only at a cost that a hook cannot pay: there are none.
    """
    if os.name == "nt":
        return
    asked = None if os.path.exists("/proc/self/stat") else _ask_processes(_ASK_SECONDS)
    pid = os.getppid()
    for _ in range(limits.HOOK_PARENTS_MAX):
        if pid <= 1:
            return
        line, pid = _read_process(pid) if asked is None else asked.get(pid, ([], 0))
        yield line


def _has_word(line: Sequence[str], programs: Sequence[str], words: Sequence[str]) -> bool:
    """Look behind the program, before which an interpreter and its options may stand."""
    names = [_name_program(word) for word in line]
    found = [at for at, name in enumerate(names) if name in programs]
    return bool(found) and any(
        word in words or word.partition("=")[0] in words for word in line[found[0] + 1 :] if word
    )


def _name_program(word: str) -> str:
    name = word.replace("\\", "/").rpartition("/")[2]
    return next((name[: -len(ending)] for ending in _ENDINGS if name.endswith(ending)), name)


def _read_process(pid: int) -> tuple[list[str], int]:
    try:
        with open("/proc/%d/cmdline" % pid, "rb") as file:
            line = file.read(limits.HOOK_COMMAND_LINE_BYTES_MAX).decode("utf-8", "replace").split("\0")
        with open("/proc/%d/stat" % pid, "rb") as file:
            # The program's name stands in brackets, and may have blanks and brackets of its own.
            return line, int(file.read().rpartition(b")")[2].split()[1])
    except (OSError, ValueError, IndexError):
        return [], 0


def _ask_processes(seconds: float) -> dict[int, tuple[list[str], int]]:
    """Ask `ps` for the words and the parent of every process, once for all; the words are only parted by blanks."""
    import subprocess

    words = ["/bin/ps", "-A", "-ww", "-o", "pid=,ppid=,command="]
    try:
        done = subprocess.run(words, capture_output=True, timeout=seconds, check=False)
    except (OSError, subprocess.SubprocessError):
        return {}
    rows = [row.split() for row in done.stdout.decode("utf-8", "replace").splitlines()]
    return {int(row[0]): (row[2:], int(row[1])) for row in rows if len(row) > 1 and (row[0] + row[1]).isdigit()}
''',
    "app.capture.client_seal": r'''
"""Encrypts what waits in the spool, with AES-256-GCM of the libcrypto that Python's own hashlib is linked to.

It is on where a key file is: the one that `MEMWIKI_SPOOL_KEY_FILE` names, else `spool.key` beside the spool's folder.
Its first key seals, the ones behind it are older; a line `required` forbids to keep anything in clear.
The hook client carries a copy of this module, so that it speaks Python 3.8 and imports the standard library alone.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import os
import re
from collections.abc import Sequence

from app.capture import client_files
from app.domain import limits

TYPE_CHECKING = False
if TYPE_CHECKING:
    import ctypes

KEY_BYTES, NONCE_BYTES, TAG_BYTES = 32, 12, 16
REQUIRED = "required"
_GET_TAG, _SET_TAG = 0x10, 0x11
_SEALED = re.compile(rb'(\{"at": \d{1,15}, "sealed": "([0-9a-f]{16})\.)([A-Za-z0-9+/=]+)"\}$')
_AT = re.compile(rb'\{"at": (\d{1,15})[,}]')
# What NIST's test case 14 says that AES-256-GCM makes of sixteen zeros under a key and a nonce of zeros.
_KNOWN = binascii.unhexlify("cea7403d4d606b6e074ec5d3baf39d18d0d1c8a799996bf0265b98b5d48ab919")


class Keys:
    """What a key file holds; without a key in it nothing can be sealed, which `fault` explains."""

    def __init__(self, secrets: Sequence[bytes], *, is_required: bool, fault: str = "") -> None:
        self.secrets, self.is_required, self.fault = list(secrets), is_required, fault

    @property
    def current_id(self) -> str:
        """The id of the key that seals, empty for none."""
        return name_key(self.secrets[0]) if self.secrets else ""

    def find(self, key_id: str) -> bytes:
        """Find a key by its id; an unknown one is empty."""
        return next((secret for secret in self.secrets if name_key(secret) == key_id), b"")


class Cipher:
    """AES-256-GCM by the functions of one libcrypto."""

    def __init__(self, library: ctypes.CDLL) -> None:
        import ctypes

        self._new = library.EVP_CIPHER_CTX_new
        self._new.restype = ctypes.c_void_p
        self._gcm = library.EVP_aes_256_gcm
        self._gcm.restype = ctypes.c_void_p
        self._library, self._pointer, self._integer = library, ctypes.c_void_p, ctypes.c_int
        self._buffer, self._by_reference = ctypes.create_string_buffer, ctypes.byref

    def seal(self, secret: bytes, nonce: bytes, text: bytes, bound: bytes) -> bytes:
        """Encrypt a text; `bound` stays in clear and cannot be changed either. The tag comes last."""
        return self._run("Encrypt", (secret, nonce), text, bound, self._buffer(TAG_BYTES))

    def open(self, secret: bytes, nonce: bytes, sealed: bytes, bound: bytes) -> bytes:
        """Decrypt what `seal` made.

        Raises:
            ValueError: it is not what was sealed under this key.
        """
        if len(sealed) < TAG_BYTES:
            raise ValueError("too short")
        tag = self._buffer(sealed[-TAG_BYTES:], TAG_BYTES)
        return self._run("Decrypt", (secret, nonce), sealed[:-TAG_BYTES], bound, tag)

    def _run(
        self, way: str, key: tuple[bytes, bytes], text: bytes, bound: bytes, tag: ctypes.Array[ctypes.c_char]
    ) -> bytes:
        made, size = self._buffer(len(text) + TAG_BYTES), self._integer(0)
        context = self._pointer(self._new())
        if not context:
            raise ValueError("no memory")
        names = ("EVP_%sInit_ex", "EVP_%sUpdate", "EVP_%sFinal_ex")
        init, update, final = (getattr(self._library, name % way) for name in names)
        control, length = self._library.EVP_CIPHER_CTX_ctrl, self._by_reference(size)
        try:
            steps = [
                init(context, self._pointer(self._gcm()), None, *key),
                update(context, None, length, bound, len(bound)),
                update(context, made, length, text, len(text)),
            ]
            if way == "Decrypt":
                steps.append(control(context, _SET_TAG, TAG_BYTES, tag))
            steps.append(final(context, self._buffer(TAG_BYTES), length))
            if way == "Encrypt":
                steps.append(control(context, _GET_TAG, TAG_BYTES, tag))
            if steps != [1] * len(steps):
                raise ValueError("it is not what was sealed")
            return made.raw[: len(text)] + (tag.raw if way == "Encrypt" else b"")
        finally:
            self._library.EVP_CIPHER_CTX_free(context)


def read_keys(path: str) -> Keys:
    """Read a key file; what is wrong with it is its fault."""
    try:
        lines = client_files.read_all(path, limits.SPOOL_KEYS_BYTES_MAX).decode("ascii", "replace").split()
    except OSError as error:
        return Keys([], is_required=False, fault="%s cannot be read (%s)" % (path, error.strerror))
    secrets = []
    for line in lines:
        try:
            secret = base64.b64decode(line, validate=True)
        except ValueError:
            continue
        secrets += [secret] if len(secret) == KEY_BYTES else []
    fault = "" if secrets else "%s holds no key" % path
    return Keys(secrets, is_required=REQUIRED in lines, fault=fault)


def name_key(secret: bytes) -> str:
    """Name a key by a hash of it, which tells nothing of it."""
    return hashlib.sha256(b"memwiki spool key\n" + secret).hexdigest()[:16]


def load_cipher() -> Cipher | None:
    """Find the cipher and prove it on a known answer; None where this Python has none to lend."""
    try:
        import _hashlib
        import ctypes

        cipher = Cipher(ctypes.CDLL(getattr(_hashlib, "__file__", None)))
        proof = cipher.seal(bytes(KEY_BYTES), bytes(NONCE_BYTES), bytes(16), b"")
        is_proven = proof == _KNOWN and cipher.open(bytes(KEY_BYTES), bytes(NONCE_BYTES), proof, b"") == bytes(16)
    except Exception:
        return None
    return cipher if is_proven else None


def seal_line(cipher: Cipher, secret: bytes, line: bytes) -> bytes:
    """Seal a line whose head says when its event happened; that alone stays in clear."""
    told = _AT.match(line)
    bound = b'{"at": %s, "sealed": "%s.' % (told.group(1) if told else b"0", name_key(secret).encode())
    nonce = os.urandom(NONCE_BYTES)
    return b'%s%s"}\n' % (bound, base64.b64encode(nonce + cipher.seal(secret, nonce, line.rstrip(b"\n"), bound)))


def open_line(cipher: Cipher | None, keys: Keys, line: bytes) -> bytes | None:
    """Open a sealed line; None where its key or the cipher is not to be had, or where it was changed."""
    found = _SEALED.match(line)
    if not found or cipher is None:
        return None
    secret = keys.find(found.group(2).decode())
    try:
        packed = base64.b64decode(found.group(3))
        return cipher.open(secret, packed[:NONCE_BYTES], packed[NONCE_BYTES:], found.group(1)) if secret else None
    except ValueError:
        return None
''',
    "app.capture.client_sessions": r'''
"""Names the sessions of agents whose hooks are told no id: one for each agent and folder, from its start to its end.

The hook client carries a copy of this module, so that it speaks Python 3.8 and imports the standard library alone.
"""

from __future__ import annotations

import hashlib
import json
import os

from app.capture import client_checkout, client_files, native_kinds

_FOLDER_NAME = "sessions"


def name_session(agent: str, event: str, body: bytes, cwd: str, spool_folder: str) -> bytes:
    """Add to an event the id of its session, where its agent may tell none and tells none.

    A start begins a new session; whatever comes before one, or in a folder below, joins what is there.
    """
    if agent not in native_kinds.UNNAMED:
        return body
    try:
        payload = json.loads(body)
    except (ValueError, RecursionError):
        return body
    if not isinstance(payload, dict) or any(payload.get(name) for name in native_kinds.SESSION_FIELDS):
        return body
    kind = native_kinds.KINDS.get(agent, {}).get(event, "")
    slots = [_name_slot(agent, folder, spool_folder) for folder in client_checkout.list_folders(cwd)]
    known = [] if kind == "session_start" else [slot for slot in slots if client_files.read_text(slot)]
    slot = known[0] if known else slots[0]
    name = client_files.read_text(slot) if known else _begin(slot)
    if kind == "session_end":
        client_files.remove_file(slot)
    return json.dumps({**payload, "session_id": name}).encode() if name else body


def _name_slot(agent: str, folder: str, spool_folder: str) -> str:
    place = hashlib.sha256(os.path.normcase(folder).encode("utf-8", "replace")).hexdigest()[:16]
    return os.path.join(spool_folder, _FOLDER_NAME, "%s-%s" % (agent, place))


def _begin(slot: str) -> str:
    """Make a session's id and keep it; without a place to keep it there is none."""
    name = "memwiki-" + os.urandom(16).hex()
    client_files.remove_file(slot)
    return name if client_files.append_file(slot, name.encode()) else ""
''',
    "app.capture.client_spool": r'''
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
''',
    "app.capture.client_wishes": r'''
"""Reads what this machine's person wants a session to be told: nothing, so much, or as much as its agent takes.

The hook client carries a copy of this module, so that it speaks Python 3.8 and imports the standard library alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from app.capture import client_parents, marker, native_kinds

BRIEF_OFF, ONE_SHOT, TAKE = "off", "one-shot", "take"
_OFF = {"off", "0", "false", "no"}
_ON = {"on", "1", "true", "yes"}
_KEYS = {"enabled", "agents_off", "chars_max"}


def read_wishes(agent: str, markers: Sequence[tuple[str, str]], environ: Mapping[str, str]) -> dict[str, object]:
    """Read the environment and the nearest marker file that has a `[brief]`; `markers` are nearest first.

    What cannot be read lets nothing be told.
    """
    facts: dict[str, object] = {}
    if environ.get("MEMWIKI_TAKE", "").lower() in _ON:
        facts = {"run": TAKE}
    elif is_one_shot(agent, environ, client_parents.read_command_lines()):
        facts = {"run": ONE_SHOT}
    if environ.get("MEMWIKI_BRIEF", "").lower() in _OFF:
        return {**facts, "brief": BRIEF_OFF}
    for _, text in markers:
        try:
            table = marker.parse_marker(text).get("brief")
        except marker.MarkerUnreadable:
            return {**facts, "brief": BRIEF_OFF}
        if table is not None:
            wish = _read_table(table, agent)
            return {**facts, "brief": wish} if wish else facts
    return facts


def is_one_shot(agent: str, environ: Mapping[str, str], lines: Iterable[Sequence[str]]) -> bool:
    """Tell whether an agent runs without a person: by the environment, else by the words that it was started with."""
    named = native_kinds.ONE_SHOT.get(agent, {})
    if any(environ.get(name, "") in values for name, values in named.items()):
        return True
    programs, words = native_kinds.ONE_SHOT_WORDS.get(agent, ([], []))
    return bool(words) and client_parents.is_started_with(programs, words, lines)


def _read_table(table: object, agent: str) -> str:
    if not isinstance(table, dict) or set(table) - _KEYS:
        return BRIEF_OFF
    is_on, off, size = table.get("enabled", True), table.get("agents_off", []), table.get("chars_max", 0)
    is_sound = isinstance(is_on, bool) and isinstance(off, list) and isinstance(size, int) and size >= 0
    if not is_sound or not is_on or agent in off:
        return BRIEF_OFF
    return str(int(size)) if size else ""
''',
    "app.capture.marker": r'''
"""Read the TOML of a marker file, in the hook client on any Python as well as on the server.

The standard library reads TOML only from 3.11 on, and importing its reader costs more than a marker's few lines do.
Dates are kept as text. The hook client carries a copy of this module, so that it speaks Python 3.8.
"""

from __future__ import annotations

import re
import sys
from typing import Any

from app.domain import limits

_BLANK = re.compile(r"(?:[ \t]|#[^\n]*)*")
_SPACE = re.compile(r"(?:[ \t\n]|#[^\n]*)*")
_BARE_KEY = re.compile(r"[A-Za-z0-9_-]+")
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f]")
_ESCAPE = re.compile(r'\\(?:u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|([btnfr"\\])|[ \t]*\n[ \t\n]*)')
_ESCAPED = {"b": "\b", "t": "\t", "n": "\n", "f": "\f", "r": "\r", '"': '"', "\\": "\\"}
_STRINGS = (
    re.compile(r'"""\n?((?:[^"\\]|\\[^\0]|""?(?!"))*"{0,2})"""(?!")'),
    re.compile(r"'{3}\n?((?:[^']|''?(?!'))*'{0,2})'{3}(?!')"),
    re.compile(r'"((?:[^"\\\n]|\\.)*)"'),
    re.compile(r"'([^'\n]*)'"),
)
_NUMBER = re.compile(r"[+-]?(?:0x[0-9a-fA-F](?:_?[0-9a-fA-F])*|0o[0-7](?:_?[0-7])*|0b[01](?:_?[01])*)(?![\w.:-])")
_DECIMAL = re.compile(
    r"[+-]?(?:0|[1-9](?:_?\d)*)(?:\.\d(?:_?\d)*)?(?:[eE][+-]?\d(?:_?\d)*)?(?![\w.:-])|[+-]?(?:inf|nan)(?![\w.:-])"
)
_MOMENT = re.compile(r"\d{4}-\d\d-\d\d(?:[Tt ]\d\d:\d\d:\d\d[0-9.:+Zz-]*)?(?![\w.:-])|\d\d:\d\d:\d\d[0-9.]*(?![\w.:-])")


class MarkerUnreadable(ValueError):
    """The text is no TOML, or states a thing twice; the message names the line."""


def parse_marker(text: str) -> dict[str, Any]:
    """Read a marker file.

    Raises:
        MarkerUnreadable: the text cannot be read to its end.
    """
    return _Reader(text.lstrip("\ufeff").replace("\r\n", "\n")).read()


class _Reader:
    """A text and how far it has been read."""

    def __init__(self, text: str) -> None:
        self._text, self._at = text, 0
        # Tables that are complete as they stand: inline ones, and those that had a heading.
        self._closed: set[int] = set()

    def read(self) -> dict[str, Any]:
        root: dict[str, Any] = {}
        table = root
        if _CONTROL.search(self._text):
            raise MarkerUnreadable("a control character stands in it")
        self._skip(_SPACE)
        while self._at < len(self._text):
            if self._take("[["):
                table = self._open_list(root)
            elif self._take("["):
                table = self._open_table(root)
            else:
                self._read_pair(table, 0)
            self._skip(_BLANK)
            if self._at < len(self._text) and not self._take("\n"):
                raise self._fault("the line should end here")
            self._skip(_SPACE)
        return root

    def _open_table(self, root: dict[str, Any]) -> dict[str, Any]:
        keys = self._read_keys("]")
        parent = self._descend(root, keys[:-1], is_heading=True)
        table = parent.setdefault(keys[-1], {})
        if not isinstance(table, dict) or id(table) in self._closed:
            raise self._fault("this is stated twice")
        self._closed.add(id(table))
        return table

    def _open_list(self, root: dict[str, Any]) -> dict[str, Any]:
        keys = self._read_keys("]")
        if not self._take("]"):
            raise self._fault("two brackets should close")
        parent = self._descend(root, keys[:-1], is_heading=True)
        tables = parent.setdefault(keys[-1], [])
        if not isinstance(tables, list) or id(tables) in self._closed:
            raise self._fault("this is stated twice")
        table: dict[str, Any] = {}
        tables.append(table)
        return table

    def _read_pair(self, table: dict[str, Any], depth: int) -> None:
        keys = self._read_keys("=")
        self._skip(_BLANK)
        target = self._descend(table, keys[:-1], is_heading=False)
        if keys[-1] in target:
            raise self._fault("this is stated twice")
        target[keys[-1]] = self._read_value(depth)

    def _descend(self, table: dict[str, Any], keys: list[str], *, is_heading: bool) -> dict[str, Any]:
        for key in keys:
            found = table.setdefault(key, {})
            if is_heading and isinstance(found, list) and found and id(found) not in self._closed:
                found = found[-1]
            if not isinstance(found, dict) or (not is_heading and id(found) in self._closed):
                raise self._fault("this is stated twice")
            table = found
        return table

    def _read_keys(self, end: str) -> list[str]:
        keys = []
        while True:
            self._skip(_BLANK)
            bare = _BARE_KEY.match(self._text, self._at)
            if bare:
                self._at = bare.end()
                keys.append(bare.group(0))
            elif _STRINGS[2].match(self._text, self._at) or _STRINGS[3].match(self._text, self._at):
                keys.append(self._read_string())
            else:
                raise self._fault("a name should stand here")
            self._skip(_BLANK)
            if self._take(end):
                return keys
            if not self._take("."):
                raise self._fault("'%s' should stand here" % end)

    def _read_value(self, depth: int) -> object:
        if depth > limits.MARKER_DEPTH_MAX:
            raise self._fault("this is nested too deep")
        opening = self._text[self._at : self._at + 1]
        if opening and opening in "\"'":
            return self._read_string()
        if self._take("["):
            return self._read_list(depth + 1)
        if self._take("{"):
            return self._read_inline_table(depth + 1)
        for word, value in (("true", True), ("false", False)):
            if re.compile(word + r"(?![\w.:-])").match(self._text, self._at):
                self._at += len(word)
                return value
        for pattern, convert in ((_NUMBER, _to_integer), (_DECIMAL, _to_number), (_MOMENT, str)):
            found = pattern.match(self._text, self._at)
            if found:
                self._at = found.end()
                return convert(found.group(0))
        raise self._fault("no value stands here")

    def _read_string(self) -> str:
        for pattern in _STRINGS:
            found = pattern.match(self._text, self._at)
            if found:
                self._at = found.end()
                return found.group(1) if found.group(0).startswith("'") else self._unescape(found.group(1))
        raise self._fault("a string does not end")

    def _unescape(self, text: str) -> str:
        pieces: list[str] = []
        done = 0
        while True:
            start = text.find("\\", done)
            if start < 0:
                return "".join([*pieces, text[done:]])
            found = _ESCAPE.match(text, start)
            digits = (found.group(1) or found.group(2) or "") if found else ""
            if not found or int(digits or "0", 16) > sys.maxunicode or re.match("(?i)(?:0000)?d[89a-f]", digits):
                raise self._fault("a backslash escapes nothing that is known")
            pieces += [text[done:start], chr(int(digits, 16)) if digits else _ESCAPED.get(found.group(3), "")]
            done = found.end()

    def _read_list(self, depth: int) -> list[object]:
        values: list[object] = []
        while True:
            self._skip(_SPACE)
            if self._take("]"):
                self._closed.add(id(values))
                return values
            values.append(self._read_value(depth))
            self._skip(_SPACE)
            if not self._take(",") and not self._text.startswith("]", self._at):
                raise self._fault("a list does not end")

    def _read_inline_table(self, depth: int) -> dict[str, Any]:
        table: dict[str, Any] = {}
        self._skip(_BLANK)
        while not self._take("}"):
            self._read_pair(table, depth)
            self._skip(_BLANK)
            is_more = self._take(",")
            self._skip(_BLANK)
            if is_more == self._text.startswith("}", self._at):
                raise self._fault("a table does not end")
        self._close(table)
        return table

    def _close(self, value: object) -> None:
        self._closed.add(id(value))
        for item in value.values() if isinstance(value, dict) else ():
            self._close(item)

    def _take(self, mark: str) -> bool:
        is_there = self._text.startswith(mark, self._at)
        self._at += len(mark) if is_there else 0
        return is_there

    def _skip(self, pattern: re.Pattern[str]) -> None:
        found = pattern.match(self._text, self._at)
        self._at = found.end() if found else self._at

    def _fault(self, reason: str) -> MarkerUnreadable:
        return MarkerUnreadable("line %d: %s" % (self._text.count("\n", 0, self._at) + 1, reason))


def _to_integer(text: str) -> int:
    return int(text, 0)


def _to_number(text: str) -> float:
    return int(text) if re.match(r"[+-]?[\d_]+$", text) else float(text)
''',
    "app.capture.native_kinds": r"""
KINDS = {"claude-code": {"ConfigChange": "other", "CwdChanged": "other", "Elicitation": "other", "ElicitationResult": "other", "FileChanged": "other", "InstructionsLoaded": "other", "MessageDisplay": "other", "Notification": "other", "PermissionDenied": "other", "PermissionRequest": "other", "PostCompact": "compaction", "PostToolBatch": "other", "PostToolUse": "tool_end", "PostToolUseFailure": "tool_end", "PreCompact": "compaction", "PreToolUse": "tool_start", "SessionEnd": "session_end", "SessionStart": "session_start", "Setup": "other", "Stop": "turn_end", "StopFailure": "other", "SubagentStart": "subagent_start", "SubagentStop": "subagent_end", "TaskCompleted": "other", "TaskCreated": "other", "TeammateIdle": "other", "UserPromptExpansion": "other", "UserPromptSubmit": "prompt", "WorktreeCreate": "other", "WorktreeRemove": "other"}, "codex": {"Interrupt": "other", "PermissionRequest": "other", "PostCompact": "compaction", "PostToolUse": "tool_end", "PreCompact": "compaction", "PreToolUse": "tool_start", "SessionEnd": "session_end", "SessionStart": "session_start", "Stop": "turn_end", "SubagentStart": "subagent_start", "SubagentStop": "subagent_end", "UserPromptSubmit": "prompt", "agent-turn-complete": "turn_end"}, "gemini-cli": {"AfterAgent": "turn_end", "AfterModel": "other", "AfterTool": "tool_end", "BeforeAgent": "prompt", "BeforeModel": "other", "BeforeTool": "tool_start", "BeforeToolSelection": "other", "Notification": "other", "PreCompress": "other", "SessionEnd": "session_end", "SessionStart": "session_start"}, "copilot-cli": {"ErrorOccurred": "other", "Notification": "other", "PermissionRequest": "other", "PostToolUse": "tool_end", "PostToolUseFailure": "tool_end", "PreCompact": "compaction", "PreToolUse": "tool_start", "SessionEnd": "session_end", "SessionStart": "session_start", "Stop": "turn_end", "SubagentStart": "subagent_start", "SubagentStop": "subagent_end", "UserPromptSubmit": "prompt", "agentStop": "turn_end", "errorOccurred": "other", "notification": "other", "permissionRequest": "other", "postToolUse": "tool_end", "postToolUseFailure": "tool_end", "preCompact": "compaction", "preToolUse": "tool_start", "sessionEnd": "session_end", "sessionStart": "session_start", "subagentStart": "subagent_start", "subagentStop": "subagent_end", "userPromptSubmitted": "prompt"}, "opencode": {"chat.message": "prompt", "command.executed": "other", "file.edited": "other", "file.watcher.updated": "other", "message.part.removed": "other", "message.part.updated": "other", "message.removed": "other", "message.updated": "other", "permission.replied": "other", "permission.updated": "other", "plugin.init": "other", "session.compacted": "compaction", "session.created": "session_start", "session.deleted": "session_end", "session.diff": "other", "session.ended": "session_end", "session.error": "other", "session.idle": "turn_end", "session.resumed": "session_start", "session.status": "other", "session.updated": "other", "shell.env": "other", "todo.updated": "other", "tool.execute.after": "tool_end", "tool.execute.before": "tool_start", "tool.execute.error": "tool_end"}, "pi": {"agent_before_settle": "other", "agent_end": "other", "agent_settled": "turn_end", "agent_start": "other", "before_agent_start": "other", "input": "prompt", "message_end": "other", "message_start": "other", "message_update": "other", "model_select": "other", "session_before_compact": "other", "session_compact": "compaction", "session_compact_failed": "other", "session_shutdown": "session_end", "session_start": "session_start", "tool_call": "tool_start", "tool_execution_end": "other", "tool_execution_start": "other", "tool_execution_update": "other", "tool_result": "tool_end", "turn_end": "other", "turn_start": "other", "user_bash": "other"}, "qwen-code": {"InstructionsLoaded": "other", "MessageDisplay": "other", "Notification": "other", "PermissionDenied": "other", "PermissionRequest": "other", "PostCompact": "compaction", "PostToolBatch": "other", "PostToolUse": "tool_end", "PostToolUseFailure": "tool_end", "PreCompact": "compaction", "PreToolUse": "tool_start", "SessionDelete": "other", "SessionEnd": "session_end", "SessionStart": "session_start", "Stop": "turn_end", "StopFailure": "other", "SubagentStart": "subagent_start", "SubagentStop": "subagent_end", "TodoCompleted": "other", "TodoCreated": "other", "UserPromptExpansion": "other", "UserPromptSubmit": "prompt"}, "kimi-code": {"Interrupt": "other", "Notification": "other", "PermissionRequest": "other", "PermissionResult": "other", "PostCompact": "compaction", "PostToolUse": "tool_end", "PostToolUseFailure": "tool_end", "PreCompact": "compaction", "PreToolUse": "tool_start", "SessionEnd": "session_end", "SessionHeartbeat": "other", "SessionStart": "session_start", "Stop": "turn_end", "StopFailure": "other", "SubagentStart": "subagent_start", "SubagentStop": "subagent_end", "TaskStarted": "other", "TurnStarted": "other", "UserPromptQueued": "other", "UserPromptSubmit": "prompt"}, "droid": {"Notification": "other", "PostToolUse": "tool_end", "PreCompact": "compaction", "PreToolUse": "tool_start", "SessionEnd": "session_end", "SessionStart": "session_start", "Stop": "turn_end", "SubagentStop": "subagent_end", "UserPromptSubmit": "prompt"}, "cline": {"PostToolUse": "tool_end", "PreCompact": "compaction", "PreToolUse": "tool_start", "SessionShutdown": "session_end", "TaskCancel": "turn_end", "TaskComplete": "turn_end", "TaskError": "turn_end", "TaskResume": "session_start", "TaskStart": "session_start", "UserPromptSubmit": "prompt"}, "cursor": {"afterAgentResponse": "turn_end", "afterAgentThought": "other", "afterFileEdit": "other", "afterMCPExecution": "other", "afterShellExecution": "other", "afterTabFileEdit": "other", "beforeMCPExecution": "other", "beforeReadFile": "other", "beforeShellExecution": "other", "beforeSubmitPrompt": "prompt", "beforeTabFileRead": "other", "postToolUse": "tool_end", "postToolUseFailure": "tool_end", "preCompact": "compaction", "preToolUse": "tool_start", "sessionEnd": "session_end", "sessionStart": "session_start", "stop": "turn_end", "subagentStart": "subagent_start", "subagentStop": "subagent_end", "workspaceOpen": "other"}, "vscode-copilot": {"ErrorOccurred": "other", "Notification": "other", "PermissionRequest": "other", "PostToolUse": "tool_end", "PreCompact": "compaction", "PreToolUse": "tool_start", "SessionEnd": "other", "SessionStart": "session_start", "Stop": "turn_end", "SubagentStart": "subagent_start", "SubagentStop": "subagent_end", "UserPromptSubmit": "prompt"}, "windsurf": {"post_cascade_response": "turn_end", "post_cascade_response_with_transcript": "other", "post_mcp_tool_use": "tool_end", "post_read_code": "tool_end", "post_run_command": "tool_end", "post_setup_worktree": "other", "post_write_code": "tool_end", "pre_mcp_tool_use": "tool_start", "pre_read_code": "tool_start", "pre_run_command": "tool_start", "pre_user_prompt": "prompt", "pre_write_code": "tool_start"}, "kiro-cli": {"agentSpawn": "session_start", "postToolUse": "tool_end", "preToolUse": "tool_start", "sessionEnd": "other", "stop": "turn_end", "userPromptSubmit": "prompt"}, "kiro-cli-v3": {"Manual": "other", "PostFileCreate": "other", "PostFileDelete": "other", "PostFileSave": "other", "PostTaskExec": "other", "PostToolUse": "tool_end", "PreTaskExec": "other", "PreToolUse": "tool_start", "SessionEnd": "other", "SessionStart": "session_start", "Stop": "turn_end", "UserPromptSubmit": "prompt"}, "antigravity": {"PostInvocation": "other", "PostToolUse": "tool_end", "PreInvocation": "session_start", "PreToolUse": "tool_start", "SessionStart": "other", "Stop": "turn_end"}, "goose": {"AfterFileEdit": "other", "AfterShellExecution": "other", "BeforeReadFile": "other", "BeforeShellExecution": "other", "PostToolUse": "tool_end", "PostToolUseFailure": "tool_end", "PreToolUse": "tool_start", "PreToolUseResult": "other", "SessionEnd": "session_end", "SessionStart": "session_start", "Stop": "turn_end", "UserPromptSubmit": "prompt"}, "amp": {"agent.end": "turn_end", "agent.start": "prompt", "session.start": "session_start", "tool.call": "other", "tool.result": "tool_end"}, "devin": {"PermissionRequest": "other", "PostCompaction": "compaction", "PostToolUse": "tool_end", "PreToolUse": "tool_start", "SessionEnd": "session_end", "SessionStart": "session_start", "Stop": "turn_end", "UserPromptSubmit": "prompt"}, "grok": {"Notification": "other", "PermissionDenied": "other", "PostCompact": "compaction", "PostToolUse": "tool_end", "PostToolUseFailure": "tool_end", "PreCompact": "compaction", "PreToolUse": "tool_start", "SessionEnd": "session_end", "SessionStart": "session_start", "Stop": "turn_end", "StopFailure": "other", "SubagentStart": "subagent_start", "SubagentStop": "subagent_end", "UserPromptSubmit": "prompt"}, "omp": {"agent_before_settle": "other", "agent_end": "turn_end", "agent_settled": "turn_end", "agent_start": "other", "before_agent_start": "other", "input": "prompt", "message_end": "other", "message_start": "other", "message_update": "other", "model_select": "other", "session_before_compact": "other", "session_compact": "compaction", "session_compact_failed": "other", "session_shutdown": "session_end", "session_start": "session_start", "tool_call": "tool_start", "tool_execution_end": "other", "tool_execution_start": "other", "tool_execution_update": "other", "tool_result": "tool_end", "turn_end": "other", "turn_start": "other", "user_bash": "other"}, "openclaw": {"after_compaction": "compaction", "after_tool_call": "tool_end", "agent_end": "turn_end", "before_agent_start": "other", "before_compaction": "other", "before_prompt_build": "prompt", "before_reset": "other", "before_tool_call": "other", "session_end": "session_end", "session_start": "session_start"}, "command-code": {"PostToolUse": "tool_end", "PreToolUse": "tool_start", "SessionStart": "session_start", "Stop": "turn_end"}, "zcode": {"Notification": "other", "PermissionRequest": "other", "PostToolUse": "tool_end", "PostToolUseFailure": "tool_end", "PreToolUse": "tool_start", "SessionStart": "session_start", "Stop": "turn_end", "UserPromptSubmit": "prompt"}, "zero": {"afterTool": "tool_end", "beforeTool": "tool_start", "sessionEnd": "session_end", "sessionStart": "session_start", "specialistStart": "subagent_start", "specialistStop": "subagent_end"}, "hermes": {"api_request_error": "other", "on_session_end": "other", "on_session_finalize": "session_end", "on_session_reset": "other", "on_session_start": "session_start", "post_api_request": "other", "post_llm_call": "turn_end", "post_tool_call": "tool_end", "pre_api_request": "other", "pre_llm_call": "prompt", "pre_tool_call": "other", "pre_verify": "other", "subagent_start": "other", "subagent_stop": "other"}, "pool": {"PostToolUse": "tool_end", "PreToolUse": "tool_start", "SessionStart": "session_start", "Stop": "turn_end", "UserPromptSubmit": "prompt"}, "claude-desktop": {}, "zed": {}, "continue": {}, "mistral-vibe": {"post_agent": "turn_end", "post_tool": "tool_end", "pre_tool": "tool_start"}, "swival": {}, "muse": {}}
ONE_SHOT = {"claude-code": {"CLAUDE_CODE_ENTRYPOINT": ["sdk-cli"]}}
ONE_SHOT_WORDS = {"codex": [["codex"], ["exec"]], "gemini-cli": [["gemini"], ["--prompt", "-p"]], "copilot-cli": [["copilot"], ["--prompt", "-p"]], "qwen-code": [["qwen"], ["--prompt", "-p"]], "droid": [["droid"], ["exec"]], "cursor": [["cursor", "cursor-agent"], ["--print", "-p"]], "kiro-cli": [["kiro-cli"], ["--no-interactive"]], "kiro-cli-v3": [["kiro", "kiro-cli"], ["--no-interactive"]]}
UNNAMED = ["devin"]
SESSION_FIELDS = ["session_id", "sessionId", "conversation_id", "thread-id", "thread_id"]
NOTICE_PLACE = "MEMWIKI-NOTICE"
NOTICES = {"claude-code": {"SessionStart": "{\"hookSpecificOutput\": {\"hookEventName\": \"SessionStart\", \"additionalContext\": \"MEMWIKI-NOTICE\"}}"}, "codex": {"SessionStart": "{\"hookSpecificOutput\": {\"hookEventName\": \"SessionStart\", \"additionalContext\": \"MEMWIKI-NOTICE\"}}"}, "gemini-cli": {"SessionStart": "{\"hookSpecificOutput\": {\"hookEventName\": \"SessionStart\", \"additionalContext\": \"MEMWIKI-NOTICE\"}}"}, "copilot-cli": {"SessionStart": "{\"additionalContext\": \"MEMWIKI-NOTICE\"}", "sessionStart": "{\"additionalContext\": \"MEMWIKI-NOTICE\"}"}, "qwen-code": {"SessionStart": "{\"hookSpecificOutput\": {\"hookEventName\": \"SessionStart\", \"additionalContext\": \"MEMWIKI-NOTICE\"}}"}, "droid": {"SessionStart": "{\"hookSpecificOutput\": {\"hookEventName\": \"SessionStart\", \"additionalContext\": \"MEMWIKI-NOTICE\"}}"}, "cursor": {"sessionStart": "{\"additional_context\": \"MEMWIKI-NOTICE\"}"}, "vscode-copilot": {"SessionStart": "{\"hookSpecificOutput\": {\"hookEventName\": \"SessionStart\", \"additionalContext\": \"MEMWIKI-NOTICE\"}}"}, "kiro-cli": {"agentSpawn": "MEMWIKI-NOTICE"}, "kiro-cli-v3": {"SessionStart": "MEMWIKI-NOTICE"}, "antigravity": {}, "devin": {"SessionStart": "{\"hookSpecificOutput\": {\"hookEventName\": \"SessionStart\", \"additionalContext\": \"MEMWIKI-NOTICE\"}}"}, "command-code": {"SessionStart": "{\"hookSpecificOutput\": {\"hookEventName\": \"SessionStart\", \"additionalContext\": \"MEMWIKI-NOTICE\"}}"}, "zcode": {"SessionStart": "{\"hookSpecificOutput\": {\"hookEventName\": \"SessionStart\", \"additionalContext\": \"MEMWIKI-NOTICE\"}}"}}
""",  # noqa: E501
    "app.capture.policy": r'''
"""What a folder's owner lets be captured: reads `[capture]` of a marker file, and decides about one event.

The hook client carries a copy of this module and decides before anything is sent or kept; the server decides again
with the policy that the event brought along. So this speaks Python 3.8 and imports the standard library alone.
"""

from __future__ import annotations

import json
import re
from typing import Any, Iterable, Mapping, NamedTuple, Sequence

from app.capture import marker
from app.domain import limits

KINDS = (
    "session_start", "prompt", "tool_start", "tool_end", "turn_end",
    "subagent_start", "subagent_end", "compaction", "session_end", "other",
)  # fmt: skip
TOOL_KINDS = ("tool_start", "tool_end")
KEEP, DROP, STRIP = "keep", "drop", "strip"
# What the header says in the place of a policy that cannot be read.
UNREADABLE = "unreadable"
# Where the agents' payloads hold the words of the model, without case and underscores.
_ASSISTANT_FIELDS = {
    "lastassistantmessage", "assistantmessage", "summary", "compactsummary", "promptresponse", "delta",
    "messagetext", "response",
}  # fmt: skip

_KEYS = {"enabled", "mode", "allow", "deny", "kinds", "subagents", "assistant_text"}
_HEADER_KEYS = _KEYS | {"root", "home"}
_MODES = ("deny-list", "allow-list")


class PolicyUnreadable(ValueError):
    """A marker file or header does not say what may be captured in words that are known."""


class Policy(NamedTuple):
    """What may be captured below a folder; without a `[capture]` table everything is, and `is_stated` is false.

    `root` is the folder that globs are relative to, `home` that of the person, for globs that begin with `~/`.
    """

    is_stated: bool = False
    is_readable: bool = True
    is_enabled: bool = True
    is_allow_list: bool = False
    allow: tuple[str, ...] = ()
    deny: tuple[str, ...] = ()
    dropped_kinds: tuple[str, ...] = ()
    keeps_subagents: bool = True
    keeps_assistant_text: bool = True
    root: str = ""
    home: str = ""


class EventFacts(NamedTuple):
    """What a decision depends on: `paths` are fields that name files, `words` those of a command line.

    `cwd` is the folder that relative ones start from; `is_whole` says that nothing that it names was left out.
    """

    kind: str
    is_subagent: bool = False
    has_assistant_text: bool = False
    cwd: str = ""
    paths: tuple[str, ...] = ()
    words: tuple[str, ...] = ()
    is_whole: bool = True


class Decision(NamedTuple):
    """What becomes of an event: `keep`, `drop`, or `strip`, which takes the model's words out; and why."""

    action: str
    reason: str


def parse_policy(text: str, root: str = "", home: str = "") -> Policy:
    """Read the policy of one marker file.

    Raises:
        PolicyUnreadable: the file is no TOML, or its `[capture]` has an unknown key or value.
    """
    if len(text.encode("utf-8", "replace")) > limits.MARKER_BYTES_MAX:
        raise PolicyUnreadable("it is larger than %d bytes" % limits.MARKER_BYTES_MAX)
    try:
        table = marker.parse_marker(text).get("capture")
    except marker.MarkerUnreadable as error:
        raise PolicyUnreadable(str(error)) from error
    if table is None:
        return Policy()
    if not isinstance(table, dict):
        raise PolicyUnreadable("capture is no table")
    policy = _build_policy(table, root, home, _KEYS)
    render_header(policy)
    return policy


def find_policy(markers: Iterable[tuple[str, str]], home: str = "") -> Policy:
    """Choose the policy of a folder: that of the nearest marker file that states one; nearest first, with its folder.

    A file that cannot be read decides as well, since nobody knows what it should say.

    Raises:
        PolicyUnreadable: that file, named.
    """
    for folder, text in markers:
        try:
            policy = parse_policy(text, folder, home)
        except PolicyUnreadable as error:
            raise PolicyUnreadable("%s/.memwiki.toml: %s" % (folder.rstrip("/"), error)) from error
        if policy.is_stated:
            return policy
    return Policy()


def render_header(policy: Policy) -> str:
    """Write a policy as the compact JSON that travels with an event; empty where none is stated.

    Raises:
        PolicyUnreadable: it is too long to travel.
    """
    if not policy.is_readable:
        return UNREADABLE
    if not policy.is_stated:
        return ""
    table: dict[str, object] = {
        "enabled": policy.is_enabled,
        "mode": _MODES[policy.is_allow_list],
        "allow": list(policy.allow),
        "deny": list(policy.deny),
        "kinds": dict.fromkeys(policy.dropped_kinds, False),
        "subagents": "keep" if policy.keeps_subagents else "drop",
        "assistant_text": policy.keeps_assistant_text,
        "root": policy.root,
        "home": policy.home,
    }
    text = json.dumps(table, separators=(",", ":"))
    if len(text) > limits.POLICY_BYTES_MAX:
        raise PolicyUnreadable("its rules take more than %d bytes" % limits.POLICY_BYTES_MAX)
    return text


def parse_header(text: str) -> Policy:
    """Read back what `render_header` wrote.

    Raises:
        PolicyUnreadable: the text is something else.
    """
    if not text:
        return Policy()
    if text.strip() == UNREADABLE:
        return Policy(is_stated=True, is_readable=False)
    if len(text) > limits.POLICY_BYTES_MAX:
        raise PolicyUnreadable("it is larger than %d bytes" % limits.POLICY_BYTES_MAX)
    try:
        table = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise PolicyUnreadable("the header is no JSON") from error
    if not isinstance(table, dict):
        raise PolicyUnreadable("the header is no JSON object")
    root, home = table.get("root", ""), table.get("home", "")
    if not isinstance(root, str) or not isinstance(home, str):
        raise PolicyUnreadable("root and home are folders")
    return _build_policy(table, root, home, _HEADER_KEYS)


def decide(policy: Policy, facts: EventFacts) -> Decision:
    """Decide about one event; the first rule that applies says why."""
    refused = _find_switch(policy, facts)
    if not refused and not facts.is_whole and (policy.deny or policy.is_allow_list):
        refused = "it names too many files to be judged"
    refused = refused or _find_denied(policy, facts) or _find_unlisted(policy, facts)
    if refused:
        return Decision(DROP, refused)
    if facts.has_assistant_text and not policy.keeps_assistant_text:
        return Decision(STRIP, "the model's words are left out (assistant_text = false)")
    return Decision(KEEP, "nothing is against it" if policy.is_stated else "no policy is stated here")


def strip_payload(payload: Mapping[str, Any]) -> dict[str, Any]:
    """Take the model's words out of an agent's payload."""
    return {name: value for name, value in payload.items() if not is_assistant_field(name)}


def is_assistant_field(name: str) -> bool:
    """Tell whether a field of a payload holds the model's words."""
    return name.replace("_", "").lower() in _ASSISTANT_FIELDS


def _build_policy(table: Mapping[str, Any], root: str, home: str, known: set[str]) -> Policy:
    unknown = sorted(set(table) - known)
    if unknown:
        raise PolicyUnreadable("capture.%s is no setting" % unknown[0][:64])
    kinds = table.get("kinds", {})
    if not isinstance(kinds, dict) or not all(isinstance(value, bool) for value in kinds.values()):
        raise PolicyUnreadable("capture.kinds is a table of true and false")
    if set(kinds) - set(KINDS):
        raise PolicyUnreadable("capture.kinds.%s is no kind of event" % min(set(kinds) - set(KINDS))[:64])
    return Policy(
        is_stated=True,
        is_enabled=_read_switch(table, "enabled"),
        is_allow_list=_read_choice(table, "mode", _MODES) == _MODES[1],
        allow=_read_globs(table, "allow"),
        deny=_read_globs(table, "deny"),
        dropped_kinds=tuple(kind for kind in KINDS if kinds.get(kind) is False),
        keeps_subagents=_read_choice(table, "subagents", ("keep", "drop")) == "keep",
        keeps_assistant_text=_read_switch(table, "assistant_text"),
        root=root.replace("\\", "/"),
        home=home.replace("\\", "/"),
    )


def _read_switch(table: Mapping[str, Any], name: str) -> bool:
    value = table.get(name, True)
    if not isinstance(value, bool):
        raise PolicyUnreadable("capture.%s is true or false" % name)
    return value


def _read_choice(table: Mapping[str, Any], name: str, choices: Sequence[str]) -> str:
    value = table.get(name, choices[0])
    if value not in choices:
        raise PolicyUnreadable("capture.%s is one of %s" % (name, ", ".join(choices)))
    return str(value)


def _read_globs(table: Mapping[str, Any], name: str) -> tuple[str, ...]:
    globs = table.get(name, [])
    if not isinstance(globs, list) or len(globs) > limits.POLICY_GLOBS_MAX:
        raise PolicyUnreadable("capture.%s is a list of at most %d globs" % (name, limits.POLICY_GLOBS_MAX))
    for glob in globs:
        names = _split(glob.replace("\\", "/").strip()) if isinstance(glob, str) else []
        if not names or len(glob) > limits.POLICY_GLOB_CHARS_MAX:
            raise PolicyUnreadable("capture.%s has a glob that is empty, too long or no text" % name)
        # Taking these for plain letters could let through what they are meant to hold back.
        if glob[0] == "!" or set(glob) & set("[]{}") or ".." in re.split(r"[/\\]", glob):
            raise PolicyUnreadable("capture.%s: %s: only *, ** and ? are understood" % (name, glob))
    return tuple(globs)


def _find_switch(policy: Policy, facts: EventFacts) -> str:
    if not policy.is_readable:
        return "the policy cannot be read, so nothing is captured"
    if not policy.is_enabled:
        return "capture is off here (enabled = false)"
    if facts.kind in policy.dropped_kinds:
        return "events of the kind %s are off (kinds)" % facts.kind
    if facts.is_subagent and not policy.keeps_subagents:
        return 'subagents are left out (subagents = "drop")'
    return ""


def _find_denied(policy: Policy, facts: EventFacts) -> str:
    if not policy.deny:
        return ""
    # Many file systems take two spellings for one file, and a denied file stays denied under both.
    folded = policy._replace(root=policy.root.casefold(), home=policy.home.casefold())
    for path in (*facts.paths, *facts.words):
        readings = _read_path(path.casefold(), folded, facts.cwd.casefold())
        for glob in policy.deny:
            if _matches(glob.casefold(), readings, folded):
                return "%s is denied by %s" % (path, glob)
    return ""


def _find_unlisted(policy: Policy, facts: EventFacts) -> str:
    if not policy.is_allow_list or facts.kind not in TOOL_KINDS:
        return ""
    named = [*facts.paths, *(word for word in facts.words if _is_path(word))]
    if not named:
        return "the tool call names no file, and only listed files are captured (allow-list)"
    for path in named:
        readings = _read_path(path, policy, facts.cwd)
        if not any(_matches(glob, readings, policy) for glob in policy.allow):
            return "%s is not listed (allow-list)" % path
    return ""


def _is_path(word: str) -> bool:
    return "/" in word or "\\" in word or word[:1] in {".", "~"} or "." in word[1:-1]


def _read_path(path: str, policy: Policy, cwd: str) -> tuple[list[str], list[list[str]]]:
    """Read a path as a whole one, and as what it may be below the policy's folder."""
    path = _expand(path.replace("\\", "/"), policy.home)
    whole = _split(path if _is_absolute(path) else "%s/%s" % (cwd.replace("\\", "/"), path))
    root = _split(policy.root)
    inside = [whole[len(root) :]] if root and whole[: len(root)] == root else []
    return whole, inside + ([] if _is_absolute(path) else [_split(path)])


def _matches(glob: str, readings: tuple[list[str], list[list[str]]], policy: Policy) -> bool:
    """Tell whether a glob names a path or a folder above it.

    One without a slash inside means a name at any depth, one that begins with `/` or `~/` also the whole path.
    """
    whole, inside = readings
    glob = _expand(glob.replace("\\", "/").rstrip("/"), policy.home)
    if "/" not in glob:
        return any(_covers(["**", glob], each) for each in (whole, *inside))
    names = _split(glob)
    return (_is_absolute(glob) and _covers(names, whole)) or any(_covers(names, each) for each in inside)


def _expand(path: str, home: str) -> str:
    return "%s/%s" % (home.rstrip("/"), path[2:]) if home and path.startswith("~/") else path


def _is_absolute(path: str) -> bool:
    return path.startswith("/") or path[1:3] == ":/"


def _split(path: str) -> list[str]:
    names: list[str] = []
    for name in path.split("/")[: limits.POLICY_PATH_PARTS_MAX]:
        if name == ".." and names:
            names.pop()
        elif name not in {"", ".", ".."}:
            names.append(name)
    return names


def _covers(globs: Sequence[str], names: Sequence[str]) -> bool:
    """Follow all readings of the globs at once, so that no pattern takes long."""
    states = _widen({0}, globs)
    for name in names:
        if len(globs) in states:
            return True
        followed = {at + 1 for at in states if globs[at] != "**" and _matches_name(globs[at], name)}
        states = _widen(followed | {at for at in states if globs[at] == "**"}, globs)
    return bool(names) and len(globs) in states


def _widen(states: set[int], globs: Sequence[str]) -> set[int]:
    """Add what is reached by letting `**` stand for nothing."""
    widened = set(states)
    for at, glob in enumerate(globs):
        if at in widened and glob == "**":
            widened.add(at + 1)
    return widened


def _matches_name(glob: str, name: str) -> bool:
    """Match one part of a path; a star gives way only to the last one before it, which is enough."""
    at, back, star = 0, 0, -1
    rank = 0
    while rank < len(name):
        if at < len(glob) and glob[at] == "*":
            star, back = at, rank
            at += 1
        elif at < len(glob) and glob[at] in {"?", name[rank]}:
            at, rank = at + 1, rank + 1
        elif star >= 0:
            back += 1
            at, rank = star + 1, back
        else:
            return False
    return not glob[at:].strip("*")
''',
    "app.capture.policy_facts": r'''
"""Reads from an agent's payload what a policy decides by.

It looks for the spellings of all agents at once: the hook client, which carries a copy, knows no agent's module.
"""

from __future__ import annotations

import re
from typing import Any, Iterator, Mapping

from app.capture import policy
from app.domain import limits

_PATH_FIELDS = {
    "file_path", "filepath", "path", "paths", "notebook_path", "notebookpath", "file", "files", "filename", "filenames",
    "absolute_path", "dir_path", "directory", "target_file", "targetfile", "relative_workspace_path", "uri",
}  # fmt: skip
_COMMAND_FIELDS = {"command", "cmd", "script", "pattern", "glob"}
_TOOL_FIELDS = (
    "tool_input", "toolargs", "tool_args", "tool_response", "tool_output", "tool_result", "toolresult", "tool_call",
    "input", "args", "file_path", "path", "command", "edits",
)  # fmt: skip
_SUBAGENT_FIELDS = ("agent_id", "agentid", "parent_agent_id", "parentagentid")
_HOME = re.compile(r"\$HOME\b|\$\{HOME\}")
# Stands for what was not looked at.
_CUT = (False, "")
_WORD = re.compile(r"[^\s\"'`;|&<>()=,\[\]{}]+|\"[^\"]*\"|'[^']*'")
_PATCHED = re.compile(r"(?m)^\*\*\* (?:(?:Add|Update|Delete) File|Move to): (.+)$|^(?:---|\+\+\+) (?:[ab]/)?(\S+)")


def read_facts(kind: str, payload: Mapping[str, Any], cwd: str = "") -> policy.EventFacts:
    """Gather the facts of one event; `kind` is one of `policy.KINDS`."""
    fields = {str(name).lower(): value for name, value in payload.items()}
    given = fields.get("cwd")
    found = list(dict.fromkeys(pair for name in _TOOL_FIELDS for pair in _list_named(name, fields.get(name), 0)))
    return policy.EventFacts(
        kind=kind,
        is_subagent=kind.startswith("subagent") or any(fields.get(name) for name in _SUBAGENT_FIELDS),
        has_assistant_text=any(value and policy.is_assistant_field(str(name)) for name, value in payload.items()),
        cwd=given if isinstance(given, str) and given else cwd,
        paths=tuple(text for is_path, text in found if is_path),
        words=tuple(text for is_path, text in found if not is_path),
        is_whole=len(found) <= limits.POLICY_PATHS_MAX and _CUT not in found,
    )


def _list_named(name: str, value: object, depth: int) -> Iterator[tuple[bool, str]]:
    """List what a field names: file names with true, a command's words with false."""
    if depth > limits.POLICY_DEPTH_MAX or (isinstance(value, str) and len(value) > limits.POLICY_TEXT_CHARS_MAX):
        is_named = name in _PATH_FIELDS or name in _COMMAND_FIELDS or not isinstance(value, str)
        yield from [_CUT] if is_named else []
    elif isinstance(value, dict):
        for key, item in value.items():
            yield from _list_named(str(key).lower(), item, depth + 1)
    elif isinstance(value, list):
        if name in _COMMAND_FIELDS and all(isinstance(item, str) for item in value):
            yield from ((False, word) for item in value for word in _list_words(item))
        else:
            for item in value:
                yield from _list_named(name, item, depth + 1)
    elif isinstance(value, str) and name in _PATH_FIELDS:
        yield True, re.sub(r"^file://", "", value)
    elif isinstance(value, str) and name in _COMMAND_FIELDS:
        for patched in _PATCHED.finditer(value):
            yield True, next(filter(None, patched.groups())).strip()
        yield from ((False, word) for word in _list_words(value))


def _list_words(command: str) -> Iterator[str]:
    for found in _WORD.finditer(_HOME.sub("~", command)):
        word = found.group(0)
        if word[0] in "\"'":
            # A quoted text is one path, or a command of its own.
            yield word[1:-1]
            yield from _list_words(word[1:-1])
        else:
            yield word
            # A file after a prefix: `@body.json`, `HEAD:src/main.c`.
            yield from filter(None, re.split("[@:]", word) if re.search("[@:]", word) else ())
''',
    "app.domain.limits": r"""
CHECKOUT_HEADER_BYTES_MAX = 16384
CONSENT_LOG_BYTES_MAX = 65536
DIRTY_PATHS_BYTES_MAX = 3000
GIT_OUTPUT_BYTES_MAX = 4194304
HOOK_ANSWER_BYTES_MAX = 1048576
HOOK_BODY_BYTES_MAX = 10485760
HOOK_COMMAND_LINE_BYTES_MAX = 65536
HOOK_LOG_BYTES_MAX = 65536
HOOK_PARENTS_MAX = 4
MACHINE_NAME_CHARS_MAX = 64
MARKER_BYTES_MAX = 65536
MARKER_DEPTH_MAX = 32
NAME_CHARS_MAX = 64
PARENT_FOLDERS_MAX = 64
POLICY_BYTES_MAX = 4096
POLICY_DEPTH_MAX = 12
POLICY_GLOBS_MAX = 64
POLICY_GLOB_CHARS_MAX = 256
POLICY_PATHS_MAX = 400
POLICY_PATH_PARTS_MAX = 256
POLICY_TEXT_CHARS_MAX = 32768
SPOOLED_PAYLOAD_CHARS_MAX = 262144
SPOOLED_TEXT_CHARS_MAX = 32768
SPOOL_BYTES_MAX = 67108864
SPOOL_DAYS_MAX = 14
SPOOL_EVENTS_MAX = 10000
SPOOL_KEYS_BYTES_MAX = 4096
""",
    "app.domain.limits_client": r'''
"""The bounds of the hook client, which carries a copy of this module: named, with their units, as in `limits`."""

CLIENT_READ_BYTES_MAX = 2 * 1024 * 1024
CLIENT_DIRTY_PATHS_MAX = 50
SPOOL_SEGMENT_EVENTS_MAX = 256
SPOOL_SEGMENT_BYTES_MAX = 1024 * 1024

# A placeholder can open the way for another rule, so rules run until nothing changes; no real text needs more than two.
REDACTION_PASSES_MAX = 6
# Longer than any look-alike, so that a hostile text cannot have the same stretch judged again and again.
LOOKALIKE_CHARS_MAX = 1024

# How much of the server's address is named to a session that starts without its memory.
NOTICE_URL_CHARS_MAX = 200
''',
    "app.domain.redact_engine": r'''
"""Apply redaction rules to a text, whoever holds the rules and whatever tells which of them can match.

The hook client carries a generated copy of this module, so that it speaks Python 3.8 and imports the standard library
alone.
"""

from __future__ import annotations

import binascii
import re
from collections.abc import Callable, Iterator, Sequence

from app.domain.limits_client import LOOKALIKE_CHARS_MAX, REDACTION_PASSES_MAX

# No program folds shorter lines, and the ends of short ones are no reason to read on.
FOLD_COLUMNS_MIN = 50

# Twelve characters of ASCII in base64, whose high bits leave few letters at three of four places.
ENCODED_HINT = "(?:[CDI-Za-f][AC-HQS-Xgi-nwyz0-3][ABEFIJMNQRUVYZcdghklopstwx014589][A-Za-z0-9+/]){4}"
# All of what may be base64, over several lines where a program folds it.
_ENCODED = re.compile(
    r"(?:[A-Za-z0-9+/]{60,76}(?:\\+r)?(?:\\*\r?\n[ \t>+]{0,12}|\\+n))*"
    "(?:[A-Za-z0-9+/_-]{20,}={0,2}|[A-Za-z0-9+/_-]{1,19}={1,2})"
)
_PRINTABLE = re.compile(rb"[\t\n\r -~]{12,}")
# The end of a line, and what the next one begins with if a key goes on there.
_FOLD = re.compile(r"\n[ \t>+]{0,12}([\w+/.~-]{4,})(?:={1,2}(?![\w\"'$]))?(?![\w+/.~(:=-])", re.ASCII)
_NOT_FOLDED = " \t\"'`,;:()[]{}<>|"
# What every fold has, in a form that a linear matcher can look for: a word of four characters or more behind it that
# has a digit, or a capital after a small letter.
_W = "[0-9A-Za-z_+/.~-]"
FOLD_HINT = (
    "[^ \t\"'`,;:()\\[\\]{}<>|\r\n]\r?\n[ \t>+]{0,12}"
    f"(?:[0-9]{_W}{{3}}|{_W}[0-9]{_W}{{2}}|{_W}{{2}}[0-9]{_W}|{_W}{{3,}}[0-9]"
    f"|[a-z][A-Z]{_W}{{2}}|{_W}[a-z][A-Z]{_W}|{_W}{{2,}}[a-z][A-Z])"
)
_DRAWN = re.compile(
    r"(?=\S*[0-9])(?=\S*[A-Za-z])(?![a-z]+-?v?[0-9.]+\Z)\S+"
    "|(?=[A-Za-z]*[a-z][A-Z])(?!(?:[A-Z]{0,4}[a-z]{2,20})(?:[A-Z]{1,4}[a-z]{2,20})*[A-Z]{0,4}\\Z)[A-Za-z]{6,}"
    "|(?=[A-Za-z]*[a-z][A-Z]{2}[a-z])[A-Za-z]{8,}"
)


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
        """Replace every secret by a placeholder that names its class.

        `find_firing` lists the rules that can match; the next number stands for what may be base64, and the one after
        it for lines that may go on in the next.
        """
        for _ in range(REDACTION_PASSES_MAX):
            changed = self._redact_once(text, find_firing)
            if changed == text:
                break
            text = changed
        return text

    def find_hinted(self, text: str) -> list[int]:
        """List what can be in a text, as `redact` takes it: rules by their hints in it without its marks."""
        bare = self.strip_marks(text)
        lowered = bare.lower()
        ranks = [rank for rank, rule in enumerate(self._rules) if any(hint in lowered for hint in rule[1])]
        # Looking for the ends of lines themselves costs less here than for their hint.
        return [*ranks, *([len(self._rules)] if re.search(ENCODED_HINT, bare) else ()), len(self._rules) + 1]

    def classify_field(self, name: str, value: str) -> str:
        """Name the class of the secret that a field's name gives away, if its value is no look-alike."""
        for kind, whole_name, lookalikes in self._named:
            if value and self._compile(whole_name).fullmatch(name) and not self._placeholder.fullmatch(value):
                return "" if self._is_lookalike(value, lookalikes) else kind
        return ""

    def strip_marks(self, text: str) -> str:
        """Take out what does not show but breaks a value into pieces."""
        return self._marks.sub("", text)

    def _redact_once(self, text: str, find_firing: Callable[[str], Sequence[int]]) -> str:
        firing = find_firing(text)
        folds_rank = len(self._rules) + 1
        folds = list(list_folds(text)) if folds_rank in firing else []
        if not folds and all(rank == folds_rank for rank in firing):
            return text
        bare, origins = _cut_out(text, [mark.span() for mark in self._marks.finditer(text)])
        spans = self._find_all(bare, firing)
        if len(self._rules) in firing:
            spans += self._find_encoded(bare, find_firing)
        if folds or bare != text:
            spans += self._find_folded(bare, find_firing, spans)
        pieces, done = [], 0
        for start, end, rank in _merge_spans(spans):
            first, last = _find_origin(origins, start), _find_origin(origins, end - 1) + 1
            pieces += [text[done:first], f"[redacted:{self._rules[rank][0]}]"]
            done = last
        return "".join(pieces) + text[done:]

    def _find_all(self, text: str, firing: Sequence[int]) -> list[tuple[int, int, int]]:
        fixed = [found.span() for found in self._placeholder.finditer(text)]
        return [span for rank in firing if rank < len(self._rules) for span in self._find_secrets(text, rank, fixed)]

    def _find_encoded(self, text: str, find_firing: Callable[[str], Sequence[int]]) -> Iterator[tuple[int, int, int]]:
        """Find what is base64 of a text with a secret; the whole of it has to go."""
        runs: list[tuple[int, int]] = []
        starts: list[int] = []
        decoded = ""
        for run in _ENCODED.finditer(text):
            for part in _decode_run(run.group()):
                runs.append(run.span())
                starts.append(len(decoded))
                decoded += f"{part}\n\n"
        if decoded:
            for start, _, rank in self._find_all(decoded, find_firing(decoded)):
                yield (*runs[_find_last(starts, start)], rank)

    def _find_folded(
        self, text: str, find_firing: Callable[[str], Sequence[int]], known: Sequence[tuple[int, int, int]]
    ) -> Iterator[tuple[int, int, int]]:
        """Find secrets that go on in the next line, since a terminal or a mail program folded theirs."""
        folds = list(list_folds(text))
        joined, origins = _cut_out(text, folds)
        if not folds:
            return
        for start, end, rank in self._find_all(joined, find_firing(joined)):
            first, last = _find_origin(origins, start), _find_origin(origins, end - 1) + 1
            crossed = [fold for fold in folds if first < fold[0] and fold[1] < last]
            if crossed and not any(crossed[0][1] <= other[0] < last for other in known):
                yield first, last, rank

    def _find_secrets(self, text: str, rank: int, fixed: Sequence[tuple[int, int]]) -> Iterator[tuple[int, int, int]]:
        pattern, position = self._compile(self._rules[rank][2]), 0
        firsts = [first for first, _ in fixed]
        found = pattern.search(text)
        while found:
            start, end = found.span(found.lastindex or 0)
            if self._is_lookalike(text[start:end], self._rules[rank][3]):
                # A look-alike may have a secret in it, so the search goes on at its beginning, not after it.
                position = max(start, found.start() + 1)
            else:
                position = max(end, found.start() + 1)
                start, end = _widen_span(start, end, fixed, firsts)
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


def list_folds(text: str) -> Iterator[tuple[int, int]]:
    """List the ends of lines behind which a word goes on that nobody wrote."""
    # Few lines begin with such a word, so that looking for one first costs next to nothing.
    for found in _FOLD.finditer(text):
        if not _DRAWN.fullmatch(found.group(1)):
            continue
        at = found.start()
        begin = text.rfind("\n", 0, at) + 1
        end = at - text.endswith("\r", begin, at)
        if end - begin >= FOLD_COLUMNS_MIN and text[end - 1] not in _NOT_FOLDED:
            yield end, found.start(1)


def _decode_run(run: str) -> Iterator[str]:
    """Read a run as base64 that begins at any of its first four characters; what is no text is left out."""
    packed = re.sub(r"\\+[rn]|[\s>\\]", "", run).rstrip("=").replace("-", "+").replace("_", "/")
    for offset in range(4):
        size = (len(packed) - offset) // 4 * 4
        rest = packed[offset + size :]
        whole = packed[offset : offset + size] + (rest + "=" * (4 - len(rest)) if len(rest) > 1 else "")
        for part in _PRINTABLE.findall(binascii.a2b_base64(whole)):
            yield part.decode("ascii")


def _cut_out(text: str, marks: Sequence[tuple[int, int]]) -> tuple[str, tuple[list[int], list[int]]]:
    """Cut marks out of a text; the second value tells where each stretch of what is left begins, here and there."""
    pieces, here, there, done, length = [], [], [], 0, 0
    for start, end in marks:
        if start > done:
            pieces.append(text[done:start])
            here.append(length)
            there.append(done)
            length += start - done
        done = end
    return "".join([*pieces, text[done:]]), ([*here, length], [*there, done])


def _find_origin(origins: tuple[Sequence[int], Sequence[int]], position: int) -> int:
    rank = _find_last(origins[0], position)
    return origins[1][rank] + position - origins[0][rank]


def _find_last(starts: Sequence[int], position: int) -> int:
    """Find the last of ascending starts that is not behind a position."""
    low, high = 0, len(starts)
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if starts[middle] <= position else (low, middle)
    return low


def _widen_span(start: int, end: int, fixed: Sequence[tuple[int, int]], firsts: Sequence[int]) -> tuple[int, int]:
    """Widen a span to the whole of each placeholder that it touches."""
    rank = _find_last(firsts, end - 1)
    while fixed and rank >= 0 and start < fixed[rank][1] and fixed[rank][0] < end:
        start, end, rank = min(start, fixed[rank][0]), max(end, fixed[rank][1]), rank - 1
    return start, end


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
''',
    "app.domain.redact_rules": r'''
import json

(MARKS, PLACEHOLDER), _SHARED, *_TABLES = json.loads(r"""[[
"\\x1b\\[[0-9;:?]*[ -/]*[@-~]|\\x1b\\][^\\x07\\x1b\\n]*(?:\\x07|\\x1b\\\\)|\\x1b[@-Z^-~]|\\x9b[0-9;]*[@-~]|[\\x00-\\x08\\x0e-\\x1f\\x7f\u00ad\u034f\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufe00-\ufe0f\ufeff]|\\\\(?:u001[bB]|x1[bB]|033|e)\\[[0-9;]*[a-zA-Z]|\\\\u(?:200[b-fB-F]|202[a-eA-E]|206[0-9a-fA-F]|[fF][eE][fF][fF])|\\\\\\r?\\n|\\\\\\\\\\\\(?:r\\\\)?n","\\[redacted:[a-z][a-z-]{0,30}\\]"
], [
"-+ ?(?:BEGIN|END)[A-Za-z0-9 ]+-+","",".*\\.pub","(?i:.*(?:cert|crt|chain|bundle|ca|pub|root|trust|dhparam)[\\w.-]*\\.pem)","sk(?:-[a-z]+)+|sk-(?:ant|ecdsa|ssh)-.*","<[^<>]*>|\\$[({].*|\\{\\{?[^}]*\\}?\\}?|\\$[A-Z_][A-Z0-9_]*|\\$[a-z_]+|\\$[0-9@*]|%[A-Za-z_]+%|%\\(?\\w*\\)?[sdr]|#\\{.*|[*]{2}.{0,4}|[*xX._\u2022\u2026-]{3,}.{0,4}|(?i:your)[-_ ].*|(?i:redacted|hidden|masked)|!+[a-z]+|[^0-9A-Za-z]*|(?i:str|string|text|bool|boolean|int|integer|number|float|bytes|object|array|list|dict|any|none|null|nil|undefined|true|false|yes|no|required|optional|unknown|enabled|disabled|missing|invalid|incorrect|wrong|expired|empty|set|unset|is|was|must|the|a|an|not|and|or|if|for|to|in|on|of|with|from|as|by|include|omit|same-origin|inherit|default|auto|await|new|lambda|input|value|raw|self|this|req|request|args|params|config|password|passwd|secret|token|key|credentials?|when|that|it|you|we|option|flag|flags|argument|file|prompt|via|instead|field|here|can|should|will)[.,:!?*]*|(?i:auth\\w*|bearer|basic|token|digest|negotiate|realm.*|scheme|header)|[\\w.]*[(\\[].*","(?:[A-Z]{0,4}[a-z]{2,20}(?:[A-Z]{1,4}[a-z]{2,20}){0,6}[A-Z]{0,4}|[A-Z]{1,20}|[a-z])(?:[ _.,:'/-]+(?:[A-Z]{0,4}[a-z]{2,20}(?:[A-Z]{1,4}[a-z]{2,20}){0,6}[A-Z]{0,4}|[A-Z]{1,20}|[a-z]))*[.!?:]*|[0-9.,]{1,7}|.{1,5}|<[^<>]*>|\\$[({].*|\\{\\{?[^}]*\\}?\\}?|\\$[A-Z_][A-Z0-9_]*|\\$[a-z_]+|\\$[0-9@*]|%[A-Za-z_]+%|%\\(?\\w*\\)?[sdr]|#\\{.*|[*]{2}.{0,4}|[*xX._\u2022\u2026-]{3,}.{0,4}|(?i:your)[-_ ].*|(?i:redacted|hidden|masked)|!+[a-z]+|[^0-9A-Za-z]*|(?i:str|string|text|bool|boolean|int|integer|number|float|bytes|object|array|list|dict|any|none|null|nil|undefined|true|false|yes|no|required|optional|unknown|enabled|disabled|missing|invalid|incorrect|wrong|expired|empty|set|unset|is|was|must|the|a|an|not|and|or|if|for|to|in|on|of|with|from|as|by|include|omit|same-origin|inherit|default|auto|await|new|lambda|input|value|raw|self|this|req|request|args|params|config|password|passwd|secret|token|key|credentials?|when|that|it|you|we|option|flag|flags|argument|file|prompt|via|instead|field|here|can|should|will)[.,:!?*]*|(?i:auth\\w*|bearer|basic|token|digest|negotiate|realm.*|scheme|header)|[\\w.]*[(\\[].*","[A-Z]?[a-z]+(?:[A-Z][a-z]+)*[A-Z]*[0-9]*|[a-z/]+",
"<[^<>]*>|\\$[({].*|\\{\\{?[^}]*\\}?\\}?|\\$[A-Z_][A-Z0-9_]*|\\$[a-z_]+|\\$[0-9@*]|%[A-Za-z_]+%|%\\(?\\w*\\)?[sdr]|#\\{.*|[*]{2}.{0,4}|[*xX._\u2022\u2026-]{3,}.{0,4}|(?i:your)[-_ ].*|(?i:redacted|hidden|masked)|!+[a-z]+|[^0-9A-Za-z]*|(?i:str|string|text|bool|boolean|int|integer|number|float|bytes|object|array|list|dict|any|none|null|nil|undefined|true|false|yes|no|required|optional|unknown|enabled|disabled|missing|invalid|incorrect|wrong|expired|empty|set|unset|is|was|must|the|a|an|not|and|or|if|for|to|in|on|of|with|from|as|by|include|omit|same-origin|inherit|default|auto|await|new|lambda|input|value|raw|self|this|req|request|args|params|config|password|passwd|secret|token|key|credentials?|when|that|it|you|we|option|flag|flags|argument|file|prompt|via|instead|field|here|can|should|will)[.,:!?*]*|(?i:auth\\w*|bearer|basic|token|digest|negotiate|realm.*|scheme|header)|[\\w.]*[(\\[].*|(?:[A-Z]{0,4}[a-z]{2,20}(?:[A-Z]{1,4}[a-z]{2,20}){0,6}[A-Z]{0,4}|[A-Z]{1,20}|[a-z])(?:[ _.,:'/-]+(?:[A-Z]{0,4}[a-z]{2,20}(?:[A-Z]{1,4}[a-z]{2,20}){0,6}[A-Z]{0,4}|[A-Z]{1,20}|[a-z]))*[.!?:]*|[0-9.,]{1,7}|.{1,5}","(?:[A-Z]{0,4}[a-z]{2,20}(?:[A-Z]{1,4}[a-z]{2,20}){0,6}[A-Z]{0,4}|[A-Z]{1,20}|[a-z])(?:[ _.,:'/-]+(?:[A-Z]{0,4}[a-z]{2,20}(?:[A-Z]{1,4}[a-z]{2,20}){0,6}[A-Z]{0,4}|[A-Z]{1,20}|[a-z]))*[.!?:]*|[0-9.,]{1,7}|.{1,5}","<[^<>]*>|\\$[({].*|\\{\\{?[^}]*\\}?\\}?|\\$[A-Z_][A-Z0-9_]*|\\$[a-z_]+|\\$[0-9@*]|%[A-Za-z_]+%|%\\(?\\w*\\)?[sdr]|#\\{.*|[*]{2}.{0,4}|[*xX._\u2022\u2026-]{3,}.{0,4}|(?i:your)[-_ ].*|(?i:redacted|hidden|masked)|!+[a-z]+|[^0-9A-Za-z]*|(?i:str|string|text|bool|boolean|int|integer|number|float|bytes|object|array|list|dict|any|none|null|nil|undefined|true|false|yes|no|required|optional|unknown|enabled|disabled|missing|invalid|incorrect|wrong|expired|empty|set|unset|is|was|must|the|a|an|not|and|or|if|for|to|in|on|of|with|from|as|by|include|omit|same-origin|inherit|default|auto|await|new|lambda|input|value|raw|self|this|req|request|args|params|config|password|passwd|secret|token|key|credentials?|when|that|it|you|we|option|flag|flags|argument|file|prompt|via|instead|field|here|can|should|will)[.,:!?*]*|(?i:auth\\w*|bearer|basic|token|digest|negotiate|realm.*|scheme|header)|[\\w.]*[(\\[].*|[a-z_]+,?","<[^<>]*>|\\$[({].*|\\{\\{?[^}]*\\}?\\}?|\\$[A-Z_][A-Z0-9_]*|\\$[a-z_]+|\\$[0-9@*]|%[A-Za-z_]+%|%\\(?\\w*\\)?[sdr]|#\\{.*|[*]{2}.{0,4}|[*xX._\u2022\u2026-]{3,}.{0,4}|(?i:your)[-_ ].*|(?i:redacted|hidden|masked)|!+[a-z]+|[^0-9A-Za-z]*|\\{.*|\\[.*","[a-z.]+",
"<[^<>]*>|\\$[({].*|\\{\\{?[^}]*\\}?\\}?|\\$[A-Z_][A-Z0-9_]*|\\$[a-z_]+|\\$[0-9@*]|%[A-Za-z_]+%|%\\(?\\w*\\)?[sdr]|#\\{.*|[*]{2}.{0,4}|[*xX._\u2022\u2026-]{3,}.{0,4}|(?i:your)[-_ ].*|(?i:redacted|hidden|masked)|!+[a-z]+|[^0-9A-Za-z]*|[0-9]{1,6}","<[^<>]*>|\\$[({].*|\\{\\{?[^}]*\\}?\\}?|\\$[A-Z_][A-Z0-9_]*|\\$[a-z_]+|\\$[0-9@*]|%[A-Za-z_]+%|%\\(?\\w*\\)?[sdr]|#\\{.*|[*]{2}.{0,4}|[*xX._\u2022\u2026-]{3,}.{0,4}|(?i:your)[-_ ].*|(?i:redacted|hidden|masked)|!+[a-z]+|[^0-9A-Za-z]*","<[^<>]*>|\\$[({].*|\\{\\{?[^}]*\\}?\\}?|\\$[A-Z_][A-Z0-9_]*|\\$[a-z_]+|\\$[0-9@*]|%[A-Za-z_]+%|%\\(?\\w*\\)?[sdr]|#\\{.*|[*]{2}.{0,4}|[*xX._\u2022\u2026-]{3,}.{0,4}|(?i:your)[-_ ].*|(?i:redacted|hidden|masked)|!+[a-z]+|[^0-9A-Za-z]*|(?i:str|string|text|bool|boolean|int|integer|number|float|bytes|object|array|list|dict|any|none|null|nil|undefined|true|false|yes|no|required|optional|unknown|enabled|disabled|missing|invalid|incorrect|wrong|expired|empty|set|unset|is|was|must|the|a|an|not|and|or|if|for|to|in|on|of|with|from|as|by|include|omit|same-origin|inherit|default|auto|await|new|lambda|input|value|raw|self|this|req|request|args|params|config|password|passwd|secret|token|key|credentials?|when|that|it|you|we|option|flag|flags|argument|file|prompt|via|instead|field|here|can|should|will)[.,:!?*]*|.{1,2}|(?:required|nullable|sometimes|confirmed|string)(?:[|].*)?|[\\w.$?!:>-]*[(\\[{].*|[A-Za-z_]{1,24}[0-9]{0,2}(?:\\??\\.[A-Za-z_]{1,24}[0-9]{0,2})+|(?i:[a-z_]*_(?:password|passwd|secret|token|key|pass|pwd))|[a-z]+(?:Password|Secret|Token|Key)|\\w*auth|pwd|_[a-z_]+|Secret(?:Str|Bytes)|(?:[A-Z][a-z]+)+(?:Type|Types)","<[^<>]*>|\\$[({].*|\\{\\{?[^}]*\\}?\\}?|\\$[A-Z_][A-Z0-9_]*|\\$[a-z_]+|\\$[0-9@*]|%[A-Za-z_]+%|%\\(?\\w*\\)?[sdr]|#\\{.*|[*]{2}.{0,4}|[*xX._\u2022\u2026-]{3,}.{0,4}|(?i:your)[-_ ].*|(?i:redacted|hidden|masked)|!+[a-z]+|[^0-9A-Za-z]*|(?i:str|string|text|bool|boolean|int|integer|number|float|bytes|object|array|list|dict|any|none|null|nil|undefined|true|false|yes|no|required|optional|unknown|enabled|disabled|missing|invalid|incorrect|wrong|expired|empty|set|unset|is|was|must|the|a|an|not|and|or|if|for|to|in|on|of|with|from|as|by|include|omit|same-origin|inherit|default|auto|await|new|lambda|input|value|raw|self|this|req|request|args|params|config|password|passwd|secret|token|key|credentials?|when|that|it|you|we|option|flag|flags|argument|file|prompt|via|instead|field|here|can|should|will)[.,:!?*]*|[0-9.]+.{0,3}",
"<[^<>]*>|\\$[({].*|\\{\\{?[^}]*\\}?\\}?|\\$[A-Z_][A-Z0-9_]*|\\$[a-z_]+|\\$[0-9@*]|%[A-Za-z_]+%|%\\(?\\w*\\)?[sdr]|#\\{.*|[*]{2}.{0,4}|[*xX._\u2022\u2026-]{3,}.{0,4}|(?i:your)[-_ ].*|(?i:redacted|hidden|masked)|!+[a-z]+|[^0-9A-Za-z]*|=.*|(?i:true|false|none|null|yes|no)[,;)]*|[A-Za-z_][\\w.]*[(\\[].*|[A-Za-z_]+(?:\\.[A-Za-z_]+)+|[A-Z_]+|<[\\w-]*| +[+&.].*|[+] ?[A-Za-z_]+[ ,;)].*|(?:[A-Z]{0,4}[a-z]{2,20}(?:[A-Z]{1,4}[a-z]{2,20}){0,6}[A-Z]{0,4}|[A-Z]{1,20}|[a-z])(?:[ _.,:'/-]+(?:[A-Z]{0,4}[a-z]{2,20}(?:[A-Z]{1,4}[a-z]{2,20}){0,6}[A-Z]{0,4}|[A-Z]{1,20}|[a-z]))*[.!?:]*|[0-9.,]{1,7}|.{1,5}|(?:~|\\.{1,2}|[A-Za-z]:|\\$?[A-Za-z_]+)?[/\\\\][\\w.@{}$ /\\\\-]*|(?:sha[0-9]+[:-])?[0-9a-fA-F]{7,}|[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}|[a-z0-9]{1,12}(?:[-_.:/][a-z0-9]{1,12})+(?:[-_.:/][0-9a-f]{13,})?|[a-z]*(?:[A-Z][a-z]{2,14}){2,}|(?:[A-Z][a-z]{1,14}[0-9]{0,5}){1,6}(?:Key|Keys|Token|Secret|Type|Types|Provider|Config|Options|Store)[(\\[]?|[a-z]*(?:_[a-z]+)+[(\\[]?",
"<[^<>]*>|\\$[({].*|\\{\\{?[^}]*\\}?\\}?|\\$[A-Z_][A-Z0-9_]*|\\$[a-z_]+|\\$[0-9@*]|%[A-Za-z_]+%|%\\(?\\w*\\)?[sdr]|#\\{.*|[*]{2}.{0,4}|[*xX._\u2022\u2026-]{3,}.{0,4}|(?i:your)[-_ ].*|(?i:redacted|hidden|masked)|!+[a-z]+|[^0-9A-Za-z]*|(?i:str|string|text|bool|boolean|int|integer|number|float|bytes|object|array|list|dict|any|none|null|nil|undefined|true|false|yes|no|required|optional|unknown|enabled|disabled|missing|invalid|incorrect|wrong|expired|empty|set|unset|is|was|must|the|a|an|not|and|or|if|for|to|in|on|of|with|from|as|by|include|omit|same-origin|inherit|default|auto|await|new|lambda|input|value|raw|self|this|req|request|args|params|config|password|passwd|secret|token|key|credentials?|when|that|it|you|we|option|flag|flags|argument|file|prompt|via|instead|field|here|can|should|will)[.,:!?*]*|.{1,2}|(?:required|nullable|sometimes|confirmed|string)(?:[|].*)?|[\\[{(].*| +[+&.].*|[+] ?[A-Za-z_]+[ ,;)].*|[A-Za-z_$][\\w.$:]*\\((?:[^()]*\\))?|[A-Za-z_]{1,24}[0-9]{0,2}(?:\\??\\.[A-Za-z_]{1,24}[0-9]{0,2})+|(?i:[a-z_]*_(?:password|passwd|secret|token|key|pass|pwd))|[a-z]+(?:Password|Secret|Token|Key)|\\w*auth|pwd|_[a-z_]+|Secret(?:Str|Bytes)|(?:[A-Z][a-z]+)+(?:Type|Types)|[A-Za-z][\\w'-]*(?:[ ,]+[\\w'(-][\\w').-]*)+[!?:]?|(?:[A-Z]{0,4}[a-z]{2,20}(?:[A-Z]{1,4}[a-z]{2,20}){0,6}[A-Z]{0,4}|[A-Z]{1,20}|[a-z])(?:[ _.,:'/-]+(?:[A-Z]{0,4}[a-z]{2,20}(?:[A-Z]{1,4}[a-z]{2,20}){0,6}[A-Z]{0,4}|[A-Z]{1,20}|[a-z]))*[.!?:]*|[0-9.,]{1,7}|.{1,5}|(?:~|\\.{1,2}|[A-Za-z]:|\\$?[A-Za-z_]+)?[/\\\\][\\w.@{}$ /\\\\-]*|[a-z]*(?:[A-Z][a-z]{2,14}){2,}|(?:[A-Z][a-z]{1,14}[0-9]{0,5}){1,6}(?:Key|Keys|Token|Secret|Type|Types|Provider|Config|Options|Store)[(\\[]?|[a-z][a-z+]{1,12}://[^\\s@]*",
"<[^<>]*>|\\$[({].*|\\{\\{?[^}]*\\}?\\}?|\\$[A-Z_][A-Z0-9_]*|\\$[a-z_]+|\\$[0-9@*]|%[A-Za-z_]+%|%\\(?\\w*\\)?[sdr]|#\\{.*|[*]{2}.{0,4}|[*xX._\u2022\u2026-]{3,}.{0,4}|(?i:your)[-_ ].*|(?i:redacted|hidden|masked)|!+[a-z]+|[^0-9A-Za-z]*|(?i:str|string|text|bool|boolean|int|integer|number|float|bytes|object|array|list|dict|any|none|null|nil|undefined|true|false|yes|no|required|optional|unknown|enabled|disabled|missing|invalid|incorrect|wrong|expired|empty|set|unset|is|was|must|the|a|an|not|and|or|if|for|to|in|on|of|with|from|as|by|include|omit|same-origin|inherit|default|auto|await|new|lambda|input|value|raw|self|this|req|request|args|params|config|password|passwd|secret|token|key|credentials?|when|that|it|you|we|option|flag|flags|argument|file|prompt|via|instead|field|here|can|should|will)[.,:!?*]*|.{1,2}|(?:required|nullable|sometimes|confirmed|string)(?:[|].*)?|[\\[{(].*| +[+&.].*|[+] ?[A-Za-z_]+[ ,;)].*|[A-Za-z_$][\\w.$:]*\\((?:[^()]*\\))?|[A-Za-z_]{1,24}[0-9]{0,2}(?:\\??\\.[A-Za-z_]{1,24}[0-9]{0,2})+|(?i:[a-z_]*_(?:password|passwd|secret|token|key|pass|pwd))|[a-z]+(?:Password|Secret|Token|Key)|\\w*auth|pwd|_[a-z_]+|Secret(?:Str|Bytes)|(?:[A-Z][a-z]+)+(?:Type|Types)|[A-Z][\\w'-]*(?:[ ,]+[\\w'(-][\\w').-]*)+[!?:]?|[a-z][\\w'-]*(?:[ ,]+[\\w'(-][\\w').-]*){1,2}[!?:]?|(?:.* [(\\\"']?)?(?i:the|an?|is|are|was|must|to|of|for|in|on|not|your|my|our|be|or|and|with|from|this|that|no|at|by|if|it|can|has|have|will|should|when|as|per|does|please|via|too|least|required|passwords?|passphrase|token|secret|user|again|here|field|new|old|current|confirm|enter|change|forgot|reset|wrong|invalid)[,.!?:)]* .*|.* [(\\\"']?(?i:the|an?|is|are|was|must|to|of|for|in|on|not|your|my|our|be|or|and|with|from|this|that|no|at|by|if|it|can|has|have|will|should|when|as|per|does|please|via|too|least|required|passwords?|passphrase|token|secret|user|again|here|field|new|old|current|confirm|enter|change|forgot|reset|wrong|invalid)[,.!?:)]*|(?:~|\\.{1,2}|[A-Za-z]:|\\$?[A-Za-z_]+)?[/\\\\][\\w.@{}$ /\\\\-]*",
"<[^<>]*>|\\$[({].*|\\{\\{?[^}]*\\}?\\}?|\\$[A-Z_][A-Z0-9_]*|\\$[a-z_]+|\\$[0-9@*]|%[A-Za-z_]+%|%\\(?\\w*\\)?[sdr]|#\\{.*|[*]{2}.{0,4}|[*xX._\u2022\u2026-]{3,}.{0,4}|(?i:your)[-_ ].*|(?i:redacted|hidden|masked)|!+[a-z]+|[^0-9A-Za-z]*|(?i:str|string|text|bool|boolean|int|integer|number|float|bytes|object|array|list|dict|any|none|null|nil|undefined|true|false|yes|no|required|optional|unknown|enabled|disabled|missing|invalid|incorrect|wrong|expired|empty|set|unset|is|was|must|the|a|an|not|and|or|if|for|to|in|on|of|with|from|as|by|include|omit|same-origin|inherit|default|auto|await|new|lambda|input|value|raw|self|this|req|request|args|params|config|password|passwd|secret|token|key|credentials?|when|that|it|you|we|option|flag|flags|argument|file|prompt|via|instead|field|here|can|should|will)[.,:!?*]*|.{1,2}|(?:required|nullable|sometimes|confirmed|string)(?:[|].*)?|[\\[{(].*| +[+&.].*|[+] ?[A-Za-z_]+[ ,;)].*|[A-Za-z_$][\\w.$:]*\\((?:[^()]*\\))?|[A-Za-z_]{1,24}[0-9]{0,2}(?:\\??\\.[A-Za-z_]{1,24}[0-9]{0,2})+|(?i:[a-z_]*_(?:password|passwd|secret|token|key|pass|pwd))|[a-z]+(?:Password|Secret|Token|Key)|\\w*auth|pwd|_[a-z_]+|Secret(?:Str|Bytes)|(?:[A-Z][a-z]+)+(?:Type|Types)|[A-Z][\\w'-]*(?:[ ,]+[\\w'(-][\\w').-]*)+[!?:]?|[a-z][\\w'-]*(?:[ ,]+[\\w'(-][\\w').-]*){1,2}[!?:]?|(?:.* [(\\\"']?)?(?i:the|an?|is|are|was|must|to|of|for|in|on|not|your|my|our|be|or|and|with|from|this|that|no|at|by|if|it|can|has|have|will|should|when|as|per|does|please|via|too|least|required|passwords?|passphrase|token|secret|user|again|here|field|new|old|current|confirm|enter|change|forgot|reset|wrong|invalid)[,.!?:)]* .*|.* [(\\\"']?(?i:the|an?|is|are|was|must|to|of|for|in|on|not|your|my|our|be|or|and|with|from|this|that|no|at|by|if|it|can|has|have|will|should|when|as|per|does|please|via|too|least|required|passwords?|passphrase|token|secret|user|again|here|field|new|old|current|confirm|enter|change|forgot|reset|wrong|invalid)[,.!?:)]*","<[^<>]*>|\\$[({].*|\\{\\{?[^}]*\\}?\\}?|\\$[A-Z_][A-Z0-9_]*|\\$[a-z_]+|\\$[0-9@*]|%[A-Za-z_]+%|%\\(?\\w*\\)?[sdr]|#\\{.*|[*]{2}.{0,4}|[*xX._\u2022\u2026-]{3,}.{0,4}|(?i:your)[-_ ].*|(?i:redacted|hidden|masked)|!+[a-z]+|[^0-9A-Za-z]*|[^0-9]*|[^!@#$%^&*+~]*|[^A-Za-z]*|.*://.*|--.*",
"<[^<>]*>|\\$[({].*|\\{\\{?[^}]*\\}?\\}?|\\$[A-Z_][A-Z0-9_]*|\\$[a-z_]+|\\$[0-9@*]|%[A-Za-z_]+%|%\\(?\\w*\\)?[sdr]|#\\{.*|[*]{2}.{0,4}|[*xX._\u2022\u2026-]{3,}.{0,4}|(?i:your)[-_ ].*|(?i:redacted|hidden|masked)|!+[a-z]+|[^0-9A-Za-z]*|(?i:str|string|text|bool|boolean|int|integer|number|float|bytes|object|array|list|dict|any|none|null|nil|undefined|true|false|yes|no|required|optional|unknown|enabled|disabled|missing|invalid|incorrect|wrong|expired|empty|set|unset|is|was|must|the|a|an|not|and|or|if|for|to|in|on|of|with|from|as|by|include|omit|same-origin|inherit|default|auto|await|new|lambda|input|value|raw|self|this|req|request|args|params|config|password|passwd|secret|token|key|credentials?|when|that|it|you|we|option|flag|flags|argument|file|prompt|via|instead|field|here|can|should|will)[.,:!?*]*|.{1,2}|(?:required|nullable|sometimes|confirmed|string)(?:[|].*)?|[\\[{(].*| +[+&.].*|[+] ?[A-Za-z_]+[ ,;)].*|[A-Za-z_$][\\w.$:]*\\((?:[^()]*\\))?|[A-Za-z_]{1,24}[0-9]{0,2}(?:\\??\\.[A-Za-z_]{1,24}[0-9]{0,2})+|(?i:[a-z_]*_(?:password|passwd|secret|token|key|pass|pwd))|[a-z]+(?:Password|Secret|Token|Key)|\\w*auth|pwd|_[a-z_]+|Secret(?:Str|Bytes)|(?:[A-Z][a-z]+)+(?:Type|Types)|[A-Z][\\w'-]*(?:[ ,]+[\\w'(-][\\w').-]*)+[!?:]?|[a-z][\\w'-]*(?:[ ,]+[\\w'(-][\\w').-]*){1,2}[!?:]?|(?:.* [(\\\"']?)?(?i:the|an?|is|are|was|must|to|of|for|in|on|not|your|my|our|be|or|and|with|from|this|that|no|at|by|if|it|can|has|have|will|should|when|as|per|does|please|via|too|least|required|passwords?|passphrase|token|secret|user|again|here|field|new|old|current|confirm|enter|change|forgot|reset|wrong|invalid)[,.!?:)]* .*|.* [(\\\"']?(?i:the|an?|is|are|was|must|to|of|for|in|on|not|your|my|our|be|or|and|with|from|this|that|no|at|by|if|it|can|has|have|will|should|when|as|per|does|please|via|too|least|required|passwords?|passphrase|token|secret|user|again|here|field|new|old|current|confirm|enter|change|forgot|reset|wrong|invalid)[,.!?:)]*|[^0-9!@#$%^*+/~]*",
"<[^<>]*>|\\$[({].*|\\{\\{?[^}]*\\}?\\}?|\\$[A-Z_][A-Z0-9_]*|\\$[a-z_]+|\\$[0-9@*]|%[A-Za-z_]+%|%\\(?\\w*\\)?[sdr]|#\\{.*|[*]{2}.{0,4}|[*xX._\u2022\u2026-]{3,}.{0,4}|(?i:your)[-_ ].*|(?i:redacted|hidden|masked)|!+[a-z]+|[^0-9A-Za-z]*|[A-Z][\\w'-]*(?:[ ,]+[\\w'(-][\\w').-]*)+[!?:]?|[a-z][\\w'-]*(?:[ ,]+[\\w'(-][\\w').-]*){1,2}[!?:]?|(?:.* [(\\\"']?)?(?i:the|an?|is|are|was|must|to|of|for|in|on|not|your|my|our|be|or|and|with|from|this|that|no|at|by|if|it|can|has|have|will|should|when|as|per|does|please|via|too|least|required|passwords?|passphrase|token|secret|user|again|here|field|new|old|current|confirm|enter|change|forgot|reset|wrong|invalid)[,.!?:)]* .*|.* [(\\\"']?(?i:the|an?|is|are|was|must|to|of|for|in|on|not|your|my|our|be|or|and|with|from|this|that|no|at|by|if|it|can|has|have|will|should|when|as|per|does|please|via|too|least|required|passwords?|passphrase|token|secret|user|again|here|field|new|old|current|confirm|enter|change|forgot|reset|wrong|invalid)[,.!?:)]*","<[^<>]*>|\\$[({].*|\\{\\{?[^}]*\\}?\\}?|\\$[A-Z_][A-Z0-9_]*|\\$[a-z_]+|\\$[0-9@*]|%[A-Za-z_]+%|%\\(?\\w*\\)?[sdr]|#\\{.*|[*]{2}.{0,4}|[*xX._\u2022\u2026-]{3,}.{0,4}|(?i:your)[-_ ].*|(?i:redacted|hidden|masked)|!+[a-z]+|[^0-9A-Za-z]*|%s\\\\n","<[^<>]*>|\\$[({].*|\\{\\{?[^}]*\\}?\\}?|\\$[A-Z_][A-Z0-9_]*|\\$[a-z_]+|\\$[0-9@*]|%[A-Za-z_]+%|%\\(?\\w*\\)?[sdr]|#\\{.*|[*]{2}.{0,4}|[*xX._\u2022\u2026-]{3,}.{0,4}|(?i:your)[-_ ].*|(?i:redacted|hidden|masked)|!+[a-z]+|[^0-9A-Za-z]*|=.*|(?i:true|false|none|null|yes|no)[,;)]*|[A-Za-z_][\\w.]*[(\\[].*|[A-Za-z_]+(?:\\.[A-Za-z_]+)+|[A-Z_]+|<[\\w-]*| +[+&.].*|[+] ?[A-Za-z_]+[ ,;)].*","<[^<>]*>|\\$[({].*|\\{\\{?[^}]*\\}?\\}?|\\$[A-Z_][A-Z0-9_]*|\\$[a-z_]+|\\$[0-9@*]|%[A-Za-z_]+%|%\\(?\\w*\\)?[sdr]|#\\{.*|[*]{2}.{0,4}|[*xX._\u2022\u2026-]{3,}.{0,4}|(?i:your)[-_ ].*|(?i:redacted|hidden|masked)|!+[a-z]+|[^0-9A-Za-z]*|=.*|(?i:true|false|none|null|yes|no)[,;)]*|[A-Za-z_][\\w.]*[(\\[].*|[A-Za-z_]+(?:\\.[A-Za-z_]+)+|[A-Z_]+|<[\\w-]*| +[+&.].*|[+] ?[A-Za-z_]+[ ,;)].*|[0-9.,]{1,7}|(?:~|\\.{1,2}|[A-Za-z]:|\\$?[A-Za-z_]+)?[/\\\\][\\w.@{}$ /\\\\-]*",
"<[^<>]*>|\\$[({].*|\\{\\{?[^}]*\\}?\\}?|\\$[A-Z_][A-Z0-9_]*|\\$[a-z_]+|\\$[0-9@*]|%[A-Za-z_]+%|%\\(?\\w*\\)?[sdr]|#\\{.*|[*]{2}.{0,4}|[*xX._\u2022\u2026-]{3,}.{0,4}|(?i:your)[-_ ].*|(?i:redacted|hidden|masked)|!+[a-z]+|[^0-9A-Za-z]*|(?i:str|string|text|bool|boolean|int|integer|number|float|bytes|object|array|list|dict|any|none|null|nil|undefined|true|false|yes|no|required|optional|unknown|enabled|disabled|missing|invalid|incorrect|wrong|expired|empty|set|unset|is|was|must|the|a|an|not|and|or|if|for|to|in|on|of|with|from|as|by|include|omit|same-origin|inherit|default|auto|await|new|lambda|input|value|raw|self|this|req|request|args|params|config|password|passwd|secret|token|key|credentials?|when|that|it|you|we|option|flag|flags|argument|file|prompt|via|instead|field|here|can|should|will)[.,:!?*]*|.{1,2}|(?:required|nullable|sometimes|confirmed|string)(?:[|].*)?|[\\w.$?!:>-]*[(\\[{].*|[A-Za-z_]{1,24}[0-9]{0,2}(?:\\??\\.[A-Za-z_]{1,24}[0-9]{0,2})+|(?i:[a-z_]*_(?:password|passwd|secret|token|key|pass|pwd))|[a-z]+(?:Password|Secret|Token|Key)|\\w*auth|pwd|_[a-z_]+|Secret(?:Str|Bytes)|(?:[A-Z][a-z]+)+(?:Type|Types)|[^0-9!@#$%^*+/~]*","<[^<>]*>|\\$[({].*|\\{\\{?[^}]*\\}?\\}?|\\$[A-Z_][A-Z0-9_]*|\\$[a-z_]+|\\$[0-9@*]|%[A-Za-z_]+%|%\\(?\\w*\\)?[sdr]|#\\{.*|[*]{2}.{0,4}|[*xX._\u2022\u2026-]{3,}.{0,4}|(?i:your)[-_ ].*|(?i:redacted|hidden|masked)|!+[a-z]+|[^0-9A-Za-z]*|(?i:str|string|text|bool|boolean|int|integer|number|float|bytes|object|array|list|dict|any|none|null|nil|undefined|true|false|yes|no|required|optional|unknown|enabled|disabled|missing|invalid|incorrect|wrong|expired|empty|set|unset|is|was|must|the|a|an|not|and|or|if|for|to|in|on|of|with|from|as|by|include|omit|same-origin|inherit|default|auto|await|new|lambda|input|value|raw|self|this|req|request|args|params|config|password|passwd|secret|token|key|credentials?|when|that|it|you|we|option|flag|flags|argument|file|prompt|via|instead|field|here|can|should|will)[.,:!?*]*|.{1,2}|(?:required|nullable|sometimes|confirmed|string)(?:[|].*)?|[\\w.$?!:>-]*[(\\[{].*|[A-Za-z_]{1,24}[0-9]{0,2}(?:\\??\\.[A-Za-z_]{1,24}[0-9]{0,2})+|(?i:[a-z_]*_(?:password|passwd|secret|token|key|pass|pwd))|[a-z]+(?:Password|Secret|Token|Key)|\\w*auth|pwd|_[a-z_]+|Secret(?:Str|Bytes)|(?:[A-Z][a-z]+)+(?:Type|Types)|-.*|[a-z_]{2,12}=[A-Za-z_.]*[(\\[{]?",
"<[^<>]*>|\\$[({].*|\\{\\{?[^}]*\\}?\\}?|\\$[A-Z_][A-Z0-9_]*|\\$[a-z_]+|\\$[0-9@*]|%[A-Za-z_]+%|%\\(?\\w*\\)?[sdr]|#\\{.*|[*]{2}.{0,4}|[*xX._\u2022\u2026-]{3,}.{0,4}|(?i:your)[-_ ].*|(?i:redacted|hidden|masked)|!+[a-z]+|[^0-9A-Za-z]*|(?i:str|string|text|bool|boolean|int|integer|number|float|bytes|object|array|list|dict|any|none|null|nil|undefined|true|false|yes|no|required|optional|unknown|enabled|disabled|missing|invalid|incorrect|wrong|expired|empty|set|unset|is|was|must|the|a|an|not|and|or|if|for|to|in|on|of|with|from|as|by|include|omit|same-origin|inherit|default|auto|await|new|lambda|input|value|raw|self|this|req|request|args|params|config|password|passwd|secret|token|key|credentials?|when|that|it|you|we|option|flag|flags|argument|file|prompt|via|instead|field|here|can|should|will)[.,:!?*]*|.{1,2}|(?:required|nullable|sometimes|confirmed|string)(?:[|].*)?|[\\[{(].*| +[+&.].*|[+] ?[A-Za-z_]+[ ,;)].*|[A-Za-z_$][\\w.$:]*\\((?:[^()]*\\))?|[A-Za-z_]{1,24}[0-9]{0,2}(?:\\??\\.[A-Za-z_]{1,24}[0-9]{0,2})+|(?i:[a-z_]*_(?:password|passwd|secret|token|key|pass|pwd))|[a-z]+(?:Password|Secret|Token|Key)|\\w*auth|pwd|_[a-z_]+|Secret(?:Str|Bytes)|(?:[A-Z][a-z]+)+(?:Type|Types)|[A-Z][\\w'-]*(?:[ ,]+[\\w'(-][\\w').-]*)+[!?:]?|[a-z][\\w'-]*(?:[ ,]+[\\w'(-][\\w').-]*){1,2}[!?:]?|(?:.* [(\\\"']?)?(?i:the|an?|is|are|was|must|to|of|for|in|on|not|your|my|our|be|or|and|with|from|this|that|no|at|by|if|it|can|has|have|will|should|when|as|per|does|please|via|too|least|required|passwords?|passphrase|token|secret|user|again|here|field|new|old|current|confirm|enter|change|forgot|reset|wrong|invalid)[,.!?:)]* .*|.* [(\\\"']?(?i:the|an?|is|are|was|must|to|of|for|in|on|not|your|my|our|be|or|and|with|from|this|that|no|at|by|if|it|can|has|have|will|should|when|as|per|does|please|via|too|least|required|passwords?|passphrase|token|secret|user|again|here|field|new|old|current|confirm|enter|change|forgot|reset|wrong|invalid)[,.!?:)]*|-.*","<[^<>]*>|\\$[({].*|\\{\\{?[^}]*\\}?\\}?|\\$[A-Z_][A-Z0-9_]*|\\$[a-z_]+|\\$[0-9@*]|%[A-Za-z_]+%|%\\(?\\w*\\)?[sdr]|#\\{.*|[*]{2}.{0,4}|[*xX._\u2022\u2026-]{3,}.{0,4}|(?i:your)[-_ ].*|(?i:redacted|hidden|masked)|!+[a-z]+|[^0-9A-Za-z]*|[\\w.$!]*[(\\[{].*[)\\]}][;:]*|[A-Za-z_$][\\w.$]*\\([\\w.]*\\)[\\w.()+\\[\\]]*|[*&@].*",
"<[^<>]*>|\\$[({].*|\\{\\{?[^}]*\\}?\\}?|\\$[A-Z_][A-Z0-9_]*|\\$[a-z_]+|\\$[0-9@*]|%[A-Za-z_]+%|%\\(?\\w*\\)?[sdr]|#\\{.*|[*]{2}.{0,4}|[*xX._\u2022\u2026-]{3,}.{0,4}|(?i:your)[-_ ].*|(?i:redacted|hidden|masked)|!+[a-z]+|[^0-9A-Za-z]*|(?i:str|string|text|bool|boolean|int|integer|number|float|bytes|object|array|list|dict|any|none|null|nil|undefined|true|false|yes|no|required|optional|unknown|enabled|disabled|missing|invalid|incorrect|wrong|expired|empty|set|unset|is|was|must|the|a|an|not|and|or|if|for|to|in|on|of|with|from|as|by|include|omit|same-origin|inherit|default|auto|await|new|lambda|input|value|raw|self|this|req|request|args|params|config|password|passwd|secret|token|key|credentials?|when|that|it|you|we|option|flag|flags|argument|file|prompt|via|instead|field|here|can|should|will)[.,:!?*]*|.{1,2}|(?:required|nullable|sometimes|confirmed|string)(?:[|].*)?|[\\[{(].*| +[+&.].*|[+] ?[A-Za-z_]+[ ,;)].*|[A-Za-z_$][\\w.$:]*\\((?:[^()]*\\))?|[A-Za-z_]{1,24}[0-9]{0,2}(?:\\??\\.[A-Za-z_]{1,24}[0-9]{0,2})+|(?i:[a-z_]*_(?:password|passwd|secret|token|key|pass|pwd))|[a-z]+(?:Password|Secret|Token|Key)|\\w*auth|pwd|_[a-z_]+|Secret(?:Str|Bytes)|(?:[A-Z][a-z]+)+(?:Type|Types)|[A-Za-z][\\w'-]*(?:[ ,]+[\\w'(-][\\w').-]*)+[!?:]?|(?:~|\\.{1,2}|[A-Za-z]:|\\$?[A-Za-z_]+)?[/\\\\][\\w.@{}$ /\\\\-]*|[a-z]*(?:[A-Z][a-z]{2,14}){2,}|(?:[A-Z][a-z]{1,14}[0-9]{0,5}){1,6}(?:Key|Keys|Token|Secret|Type|Types|Provider|Config|Options|Store)[(\\[]?|[a-z][a-z+]{1,12}://[^\\s@]*|[0-9.,]{1,7}|(?:[A-Z]{0,4}[a-z]{2,20}(?:[A-Z]{1,4}[a-z]{2,20}){0,6}[A-Z]{0,4}|[A-Z]{1,20}|[a-z])(?:[ _.,:'/-]+(?:[A-Z]{0,4}[a-z]{2,20}(?:[A-Z]{1,4}[a-z]{2,20}){0,6}[A-Z]{0,4}|[A-Z]{1,20}|[a-z]))*[.!?:]*|[0-9.,]{1,7}|.{1,5}",
"<[^<>]*>|\\$[({].*|\\{\\{?[^}]*\\}?\\}?|\\$[A-Z_][A-Z0-9_]*|\\$[a-z_]+|\\$[0-9@*]|%[A-Za-z_]+%|%\\(?\\w*\\)?[sdr]|#\\{.*|[*]{2}.{0,4}|[*xX._\u2022\u2026-]{3,}.{0,4}|(?i:your)[-_ ].*|(?i:redacted|hidden|masked)|!+[a-z]+|[^0-9A-Za-z]*|(?i:str|string|text|bool|boolean|int|integer|number|float|bytes|object|array|list|dict|any|none|null|nil|undefined|true|false|yes|no|required|optional|unknown|enabled|disabled|missing|invalid|incorrect|wrong|expired|empty|set|unset|is|was|must|the|a|an|not|and|or|if|for|to|in|on|of|with|from|as|by|include|omit|same-origin|inherit|default|auto|await|new|lambda|input|value|raw|self|this|req|request|args|params|config|password|passwd|secret|token|key|credentials?|when|that|it|you|we|option|flag|flags|argument|file|prompt|via|instead|field|here|can|should|will)[.,:!?*]*|.{1,2}|(?:required|nullable|sometimes|confirmed|string)(?:[|].*)?|[\\w.$?!:>-]*[(\\[{].*|[A-Za-z_]{1,24}[0-9]{0,2}(?:\\??\\.[A-Za-z_]{1,24}[0-9]{0,2})+|(?i:[a-z_]*_(?:password|passwd|secret|token|key|pass|pwd))|[a-z]+(?:Password|Secret|Token|Key)|\\w*auth|pwd|_[a-z_]+|Secret(?:Str|Bytes)|(?:[A-Z][a-z]+)+(?:Type|Types)|[A-Za-z][\\w'-]*(?:[ ,]+[\\w'(-][\\w').-]*)+[!?:]?|(?:~|\\.{1,2}|[A-Za-z]:|\\$?[A-Za-z_]+)?[/\\\\][\\w.@{}$ /\\\\-]*|[a-z]*(?:[A-Z][a-z]{2,14}){2,}|(?:[A-Z][a-z]{1,14}[0-9]{0,5}){1,6}(?:Key|Keys|Token|Secret|Type|Types|Provider|Config|Options|Store)[(\\[]?|[a-z][a-z+]{1,12}://[^\\s@]*|[0-9.,]{1,7}",
"<[^<>]*>|\\$[({].*|\\{\\{?[^}]*\\}?\\}?|\\$[A-Z_][A-Z0-9_]*|\\$[a-z_]+|\\$[0-9@*]|%[A-Za-z_]+%|%\\(?\\w*\\)?[sdr]|#\\{.*|[*]{2}.{0,4}|[*xX._\u2022\u2026-]{3,}.{0,4}|(?i:your)[-_ ].*|(?i:redacted|hidden|masked)|!+[a-z]+|[^0-9A-Za-z]*|(?i:str|string|text|bool|boolean|int|integer|number|float|bytes|object|array|list|dict|any|none|null|nil|undefined|true|false|yes|no|required|optional|unknown|enabled|disabled|missing|invalid|incorrect|wrong|expired|empty|set|unset|is|was|must|the|a|an|not|and|or|if|for|to|in|on|of|with|from|as|by|include|omit|same-origin|inherit|default|auto|await|new|lambda|input|value|raw|self|this|req|request|args|params|config|password|passwd|secret|token|key|credentials?|when|that|it|you|we|option|flag|flags|argument|file|prompt|via|instead|field|here|can|should|will)[.,:!?*]*|.{1,2}|(?:required|nullable|sometimes|confirmed|string)(?:[|].*)?|[\\w.$?!:>-]*[(\\[{].*|[A-Za-z_]{1,24}[0-9]{0,2}(?:\\??\\.[A-Za-z_]{1,24}[0-9]{0,2})+|(?i:[a-z_]*_(?:password|passwd|secret|token|key|pass|pwd))|[a-z]+(?:Password|Secret|Token|Key)|\\w*auth|pwd|_[a-z_]+|Secret(?:Str|Bytes)|(?:[A-Z][a-z]+)+(?:Type|Types)|[A-Za-z][\\w'-]*(?:[ ,]+[\\w'(-][\\w').-]*)+[!?:]?|(?:~|\\.{1,2}|[A-Za-z]:|\\$?[A-Za-z_]+)?[/\\\\][\\w.@{}$ /\\\\-]*|[a-z]*(?:[A-Z][a-z]{2,14}){2,}|(?:[A-Z][a-z]{1,14}[0-9]{0,5}){1,6}(?:Key|Keys|Token|Secret|Type|Types|Provider|Config|Options|Store)[(\\[]?|[a-z][a-z+]{1,12}://[^\\s@]*|[0-9.,]{1,7}|[^0-9!@#$%^*+/~]*",
"<[^<>]*>|\\$[({].*|\\{\\{?[^}]*\\}?\\}?|\\$[A-Z_][A-Z0-9_]*|\\$[a-z_]+|\\$[0-9@*]|%[A-Za-z_]+%|%\\(?\\w*\\)?[sdr]|#\\{.*|[*]{2}.{0,4}|[*xX._\u2022\u2026-]{3,}.{0,4}|(?i:your)[-_ ].*|(?i:redacted|hidden|masked)|!+[a-z]+|[^0-9A-Za-z]*|(?i:str|string|text|bool|boolean|int|integer|number|float|bytes|object|array|list|dict|any|none|null|nil|undefined|true|false|yes|no|required|optional|unknown|enabled|disabled|missing|invalid|incorrect|wrong|expired|empty|set|unset|is|was|must|the|a|an|not|and|or|if|for|to|in|on|of|with|from|as|by|include|omit|same-origin|inherit|default|auto|await|new|lambda|input|value|raw|self|this|req|request|args|params|config|password|passwd|secret|token|key|credentials?|when|that|it|you|we|option|flag|flags|argument|file|prompt|via|instead|field|here|can|should|will)[.,:!?*]*|.{1,2}|(?:required|nullable|sometimes|confirmed|string)(?:[|].*)?|[\\w.$?!:>-]*[(\\[{].*|[A-Za-z_]{1,24}[0-9]{0,2}(?:\\??\\.[A-Za-z_]{1,24}[0-9]{0,2})+|(?i:[a-z_]*_(?:password|passwd|secret|token|key|pass|pwd))|[a-z]+(?:Password|Secret|Token|Key)|\\w*auth|pwd|_[a-z_]+|Secret(?:Str|Bytes)|(?:[A-Z][a-z]+)+(?:Type|Types)|[A-Za-z][\\w'-]*(?:[ ,]+[\\w'(-][\\w').-]*)+[!?:]?|(?:~|\\.{1,2}|[A-Za-z]:|\\$?[A-Za-z_]+)?[/\\\\][\\w.@{}$ /\\\\-]*|[a-z]*(?:[A-Z][a-z]{2,14}){2,}|(?:[A-Z][a-z]{1,14}[0-9]{0,5}){1,6}(?:Key|Keys|Token|Secret|Type|Types|Provider|Config|Options|Store)[(\\[]?|[a-z][a-z+]{1,12}://[^\\s@]*|[0-9.,]{1,7}|-.*|[a-z_]{2,12}=[A-Za-z_.]*[(\\[{]?",
"<[^<>]*>|\\$[({].*|\\{\\{?[^}]*\\}?\\}?|\\$[A-Z_][A-Z0-9_]*|\\$[a-z_]+|\\$[0-9@*]|%[A-Za-z_]+%|%\\(?\\w*\\)?[sdr]|#\\{.*|[*]{2}.{0,4}|[*xX._\u2022\u2026-]{3,}.{0,4}|(?i:your)[-_ ].*|(?i:redacted|hidden|masked)|!+[a-z]+|[^0-9A-Za-z]*|(?i:str|string|text|bool|boolean|int|integer|number|float|bytes|object|array|list|dict|any|none|null|nil|undefined|true|false|yes|no|required|optional|unknown|enabled|disabled|missing|invalid|incorrect|wrong|expired|empty|set|unset|is|was|must|the|a|an|not|and|or|if|for|to|in|on|of|with|from|as|by|include|omit|same-origin|inherit|default|auto|await|new|lambda|input|value|raw|self|this|req|request|args|params|config|password|passwd|secret|token|key|credentials?|when|that|it|you|we|option|flag|flags|argument|file|prompt|via|instead|field|here|can|should|will)[.,:!?*]*|.{1,2}|(?:required|nullable|sometimes|confirmed|string)(?:[|].*)?|[\\[{(].*| +[+&.].*|[+] ?[A-Za-z_]+[ ,;)].*|[A-Za-z_$][\\w.$:]*\\((?:[^()]*\\))?|[A-Za-z_]{1,24}[0-9]{0,2}(?:\\??\\.[A-Za-z_]{1,24}[0-9]{0,2})+|(?i:[a-z_]*_(?:password|passwd|secret|token|key|pass|pwd))|[a-z]+(?:Password|Secret|Token|Key)|\\w*auth|pwd|_[a-z_]+|Secret(?:Str|Bytes)|(?:[A-Z][a-z]+)+(?:Type|Types)|[A-Za-z][\\w'-]*(?:[ ,]+[\\w'(-][\\w').-]*)+[!?:]?|(?:~|\\.{1,2}|[A-Za-z]:|\\$?[A-Za-z_]+)?[/\\\\][\\w.@{}$ /\\\\-]*|[a-z]*(?:[A-Z][a-z]{2,14}){2,}|(?:[A-Z][a-z]{1,14}[0-9]{0,5}){1,6}(?:Key|Keys|Token|Secret|Type|Types|Provider|Config|Options|Store)[(\\[]?|[a-z][a-z+]{1,12}://[^\\s@]*|[0-9.,]{1,7}|(?:[A-Z]{0,4}[a-z]{2,20}(?:[A-Z]{1,4}[a-z]{2,20}){0,6}[A-Z]{0,4}|[A-Z]{1,20}|[a-z])(?:[ _.,:'/-]+(?:[A-Z]{0,4}[a-z]{2,20}(?:[A-Z]{1,4}[a-z]{2,20}){0,6}[A-Z]{0,4}|[A-Z]{1,20}|[a-z]))*[.!?:]*|[0-9.,]{1,7}|.{1,5}|-.*","<[^<>]*>|\\$[({].*|\\{\\{?[^}]*\\}?\\}?|\\$[A-Z_][A-Z0-9_]*|\\$[a-z_]+|\\$[0-9@*]|%[A-Za-z_]+%|%\\(?\\w*\\)?[sdr]|#\\{.*|[*]{2}.{0,4}|[*xX._\u2022\u2026-]{3,}.{0,4}|(?i:your)[-_ ].*|(?i:redacted|hidden|masked)|!+[a-z]+|[^0-9A-Za-z]*|[\\w.$!]*[(\\[{].*[)\\]}][;:]*|[A-Za-z_$][\\w.$]*\\([\\w.]*\\)[\\w.()+\\[\\]]*|[*&@].*|[A-Za-z_.]*[(\\[{][A-Za-z_.]*",
"<[^<>]*>|\\$[({].*|\\{\\{?[^}]*\\}?\\}?|\\$[A-Z_][A-Z0-9_]*|\\$[a-z_]+|\\$[0-9@*]|%[A-Za-z_]+%|%\\(?\\w*\\)?[sdr]|#\\{.*|[*]{2}.{0,4}|[*xX._\u2022\u2026-]{3,}.{0,4}|(?i:your)[-_ ].*|(?i:redacted|hidden|masked)|!+[a-z]+|[^0-9A-Za-z]*|(?i:str|string|text|bool|boolean|int|integer|number|float|bytes|object|array|list|dict|any|none|null|nil|undefined|true|false|yes|no|required|optional|unknown|enabled|disabled|missing|invalid|incorrect|wrong|expired|empty|set|unset|is|was|must|the|a|an|not|and|or|if|for|to|in|on|of|with|from|as|by|include|omit|same-origin|inherit|default|auto|await|new|lambda|input|value|raw|self|this|req|request|args|params|config|password|passwd|secret|token|key|credentials?|when|that|it|you|we|option|flag|flags|argument|file|prompt|via|instead|field|here|can|should|will)[.,:!?*]*|.{1,2}|(?:required|nullable|sometimes|confirmed|string)(?:[|].*)?|[\\w.$?!:>-]*[(\\[{].*|[A-Za-z_]{1,24}[0-9]{0,2}(?:\\??\\.[A-Za-z_]{1,24}[0-9]{0,2})+|(?i:[a-z_]*_(?:password|passwd|secret|token|key|pass|pwd))|[a-z]+(?:Password|Secret|Token|Key)|\\w*auth|pwd|_[a-z_]+|Secret(?:Str|Bytes)|(?:[A-Z][a-z]+)+(?:Type|Types)|[A-Za-z][\\w'-]*(?:[ ,]+[\\w'(-][\\w').-]*)+[!?:]?|(?:[A-Z]{0,4}[a-z]{2,20}(?:[A-Z]{1,4}[a-z]{2,20}){0,6}[A-Z]{0,4}|[A-Z]{1,20}|[a-z])(?:[ _.,:'/-]+(?:[A-Z]{0,4}[a-z]{2,20}(?:[A-Z]{1,4}[a-z]{2,20}){0,6}[A-Z]{0,4}|[A-Z]{1,20}|[a-z]))*[.!?:]*|[0-9.,]{1,7}|.{1,5}|(?:~|\\.{1,2}|[A-Za-z]:|\\$?[A-Za-z_]+)?[/\\\\][\\w.@{}$ /\\\\-]*|[a-z]*(?:[A-Z][a-z]{2,14}){2,}|(?:[A-Z][a-z]{1,14}[0-9]{0,5}){1,6}(?:Key|Keys|Token|Secret|Type|Types|Provider|Config|Options|Store)[(\\[]?|[a-z][a-z+]{1,12}://[^\\s@]*",
"<[^<>]*>|\\$[({].*|\\{\\{?[^}]*\\}?\\}?|\\$[A-Z_][A-Z0-9_]*|\\$[a-z_]+|\\$[0-9@*]|%[A-Za-z_]+%|%\\(?\\w*\\)?[sdr]|#\\{.*|[*]{2}.{0,4}|[*xX._\u2022\u2026-]{3,}.{0,4}|(?i:your)[-_ ].*|(?i:redacted|hidden|masked)|!+[a-z]+|[^0-9A-Za-z]*|(?i:str|string|text|bool|boolean|int|integer|number|float|bytes|object|array|list|dict|any|none|null|nil|undefined|true|false|yes|no|required|optional|unknown|enabled|disabled|missing|invalid|incorrect|wrong|expired|empty|set|unset|is|was|must|the|a|an|not|and|or|if|for|to|in|on|of|with|from|as|by|include|omit|same-origin|inherit|default|auto|await|new|lambda|input|value|raw|self|this|req|request|args|params|config|password|passwd|secret|token|key|credentials?|when|that|it|you|we|option|flag|flags|argument|file|prompt|via|instead|field|here|can|should|will)[.,:!?*]*|.{1,2}|(?:required|nullable|sometimes|confirmed|string)(?:[|].*)?|[\\w.$?!:>-]*[(\\[{].*|[A-Za-z_]{1,24}[0-9]{0,2}(?:\\??\\.[A-Za-z_]{1,24}[0-9]{0,2})+|(?i:[a-z_]*_(?:password|passwd|secret|token|key|pass|pwd))|[a-z]+(?:Password|Secret|Token|Key)|\\w*auth|pwd|_[a-z_]+|Secret(?:Str|Bytes)|(?:[A-Z][a-z]+)+(?:Type|Types)|[A-Za-z][\\w'-]*(?:[ ,]+[\\w'(-][\\w').-]*)+[!?:]?|(?:[A-Z]{0,4}[a-z]{2,20}(?:[A-Z]{1,4}[a-z]{2,20}){0,6}[A-Z]{0,4}|[A-Z]{1,20}|[a-z])(?:[ _.,:'/-]+(?:[A-Z]{0,4}[a-z]{2,20}(?:[A-Z]{1,4}[a-z]{2,20}){0,6}[A-Z]{0,4}|[A-Z]{1,20}|[a-z]))*[.!?:]*|[0-9.,]{1,7}|.{1,5}|(?:~|\\.{1,2}|[A-Za-z]:|\\$?[A-Za-z_]+)?[/\\\\][\\w.@{}$ /\\\\-]*|[a-z]*(?:[A-Z][a-z]{2,14}){2,}|(?:[A-Z][a-z]{1,14}[0-9]{0,5}){1,6}(?:Key|Keys|Token|Secret|Type|Types|Provider|Config|Options|Store)[(\\[]?|[a-z][a-z+]{1,12}://[^\\s@]*|[^0-9!@#$%^*+/~]*",
"<[^<>]*>|\\$[({].*|\\{\\{?[^}]*\\}?\\}?|\\$[A-Z_][A-Z0-9_]*|\\$[a-z_]+|\\$[0-9@*]|%[A-Za-z_]+%|%\\(?\\w*\\)?[sdr]|#\\{.*|[*]{2}.{0,4}|[*xX._\u2022\u2026-]{3,}.{0,4}|(?i:your)[-_ ].*|(?i:redacted|hidden|masked)|!+[a-z]+|[^0-9A-Za-z]*|(?i:str|string|text|bool|boolean|int|integer|number|float|bytes|object|array|list|dict|any|none|null|nil|undefined|true|false|yes|no|required|optional|unknown|enabled|disabled|missing|invalid|incorrect|wrong|expired|empty|set|unset|is|was|must|the|a|an|not|and|or|if|for|to|in|on|of|with|from|as|by|include|omit|same-origin|inherit|default|auto|await|new|lambda|input|value|raw|self|this|req|request|args|params|config|password|passwd|secret|token|key|credentials?|when|that|it|you|we|option|flag|flags|argument|file|prompt|via|instead|field|here|can|should|will)[.,:!?*]*|.{1,2}|(?:required|nullable|sometimes|confirmed|string)(?:[|].*)?|[\\w.$?!:>-]*[(\\[{].*|[A-Za-z_]{1,24}[0-9]{0,2}(?:\\??\\.[A-Za-z_]{1,24}[0-9]{0,2})+|(?i:[a-z_]*_(?:password|passwd|secret|token|key|pass|pwd))|[a-z]+(?:Password|Secret|Token|Key)|\\w*auth|pwd|_[a-z_]+|Secret(?:Str|Bytes)|(?:[A-Z][a-z]+)+(?:Type|Types)|[A-Za-z][\\w'-]*(?:[ ,]+[\\w'(-][\\w').-]*)+[!?:]?|(?:[A-Z]{0,4}[a-z]{2,20}(?:[A-Z]{1,4}[a-z]{2,20}){0,6}[A-Z]{0,4}|[A-Z]{1,20}|[a-z])(?:[ _.,:'/-]+(?:[A-Z]{0,4}[a-z]{2,20}(?:[A-Z]{1,4}[a-z]{2,20}){0,6}[A-Z]{0,4}|[A-Z]{1,20}|[a-z]))*[.!?:]*|[0-9.,]{1,7}|.{1,5}|(?:~|\\.{1,2}|[A-Za-z]:|\\$?[A-Za-z_]+)?[/\\\\][\\w.@{}$ /\\\\-]*|[a-z]*(?:[A-Z][a-z]{2,14}){2,}|(?:[A-Z][a-z]{1,14}[0-9]{0,5}){1,6}(?:Key|Keys|Token|Secret|Type|Types|Provider|Config|Options|Store)[(\\[]?|[a-z][a-z+]{1,12}://[^\\s@]*|-.*|[a-z_]{2,12}=[A-Za-z_.]*[(\\[{]?",
"<[^<>]*>|\\$[({].*|\\{\\{?[^}]*\\}?\\}?|\\$[A-Z_][A-Z0-9_]*|\\$[a-z_]+|\\$[0-9@*]|%[A-Za-z_]+%|%\\(?\\w*\\)?[sdr]|#\\{.*|[*]{2}.{0,4}|[*xX._\u2022\u2026-]{3,}.{0,4}|(?i:your)[-_ ].*|(?i:redacted|hidden|masked)|!+[a-z]+|[^0-9A-Za-z]*|(?i:str|string|text|bool|boolean|int|integer|number|float|bytes|object|array|list|dict|any|none|null|nil|undefined|true|false|yes|no|required|optional|unknown|enabled|disabled|missing|invalid|incorrect|wrong|expired|empty|set|unset|is|was|must|the|a|an|not|and|or|if|for|to|in|on|of|with|from|as|by|include|omit|same-origin|inherit|default|auto|await|new|lambda|input|value|raw|self|this|req|request|args|params|config|password|passwd|secret|token|key|credentials?|when|that|it|you|we|option|flag|flags|argument|file|prompt|via|instead|field|here|can|should|will)[.,:!?*]*|.{1,2}|(?:required|nullable|sometimes|confirmed|string)(?:[|].*)?|[\\[{(].*| +[+&.].*|[+] ?[A-Za-z_]+[ ,;)].*|[A-Za-z_$][\\w.$:]*\\((?:[^()]*\\))?|[A-Za-z_]{1,24}[0-9]{0,2}(?:\\??\\.[A-Za-z_]{1,24}[0-9]{0,2})+|(?i:[a-z_]*_(?:password|passwd|secret|token|key|pass|pwd))|[a-z]+(?:Password|Secret|Token|Key)|\\w*auth|pwd|_[a-z_]+|Secret(?:Str|Bytes)|(?:[A-Z][a-z]+)+(?:Type|Types)|[A-Za-z][\\w'-]*(?:[ ,]+[\\w'(-][\\w').-]*)+[!?:]?|(?:[A-Z]{0,4}[a-z]{2,20}(?:[A-Z]{1,4}[a-z]{2,20}){0,6}[A-Z]{0,4}|[A-Z]{1,20}|[a-z])(?:[ _.,:'/-]+(?:[A-Z]{0,4}[a-z]{2,20}(?:[A-Z]{1,4}[a-z]{2,20}){0,6}[A-Z]{0,4}|[A-Z]{1,20}|[a-z]))*[.!?:]*|[0-9.,]{1,7}|.{1,5}|(?:~|\\.{1,2}|[A-Za-z]:|\\$?[A-Za-z_]+)?[/\\\\][\\w.@{}$ /\\\\-]*|[a-z]*(?:[A-Z][a-z]{2,14}){2,}|(?:[A-Z][a-z]{1,14}[0-9]{0,5}){1,6}(?:Key|Keys|Token|Secret|Type|Types|Provider|Config|Options|Store)[(\\[]?|[a-z][a-z+]{1,12}://[^\\s@]*|-.*"
], [
["private-key", ["private key", "static key"], "(-{4,5} ?BEGIN (?:[A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?|OpenVPN Static key V1) ?-{4,5}(?:(?:\\s|\\\\+(?:[nrt]|\\r?\\n)|[\"'`,;|>-]|[0-9]{1,6}[\\t:|\u2192]){0,12}(?:Proc-Type|DEK-Info|Version|Comment|Hash|Charset|Subject):[^\\n\\\\]{0,200})*(?:(?:(?:\\s|\\\\+(?:[nrt]|\\r?\\n)|[\"'`,;|>-]|[0-9]{1,6}[\\t:|\u2192]){0,40}[A-Za-z0-9+/=]{16,})+(?:(?:\\r?\\n[ \\t>+]{0,12}(?:[0-9]{1,6}[\\t:|\u2192])?|\\\\+(?:r\\\\+)?n|[ ])[ \\t+]{0,40}[A-Za-z0-9+/=]{1,15})?)?(?:(?:\\s|\\\\+(?:[nrt]|\\r?\\n)|[\"'`,;|>-]|[0-9]{1,6}[\\t:|\u2192]){0,40}-{4,5} ?END (?:[A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?|OpenVPN Static key V1) ?-{4,5})?)", 0],["private-key", ["private key", "static key"], "(?:^|\\\\n|[^\\w+/=\\\\])((?:[A-Za-z0-9+/=]{1,15}(?:\\r?\\n[ \\t>+]{0,12}(?:[0-9]{1,6}[\\t:|\u2192])?|\\\\+(?:r\\\\+)?n|[ ]))?(?:[A-Za-z0-9+/=]{16,}(?:\\r?\\n[ \\t>+]{0,12}(?:[0-9]{1,6}[\\t:|\u2192])?|\\\\+(?:r\\\\+)?n|[ ])){0,52}(?:[A-Za-z0-9+/=]{1,15}(?:\\r?\\n[ \\t>+]{0,12}(?:[0-9]{1,6}[\\t:|\u2192])?|\\\\+(?:r\\\\+)?n|[ ]))?-{4,5} ?END (?:[A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?|OpenVPN Static key V1) ?-{4,5})", 0],["private-key", ["private-lines"], "Private-Lines: [0-9]+(?:\\s|\\\\+(?:[nrt]|\\r?\\n)|[\"'`,;|>-]|[0-9]{1,6}[\\t:|\u2192]){1,6}([A-Za-z0-9+/=]{16,}(?:(?:\\s|\\\\+(?:[nrt]|\\r?\\n)|[\"'`,;|>-]|[0-9]{1,6}[\\t:|\u2192]){1,6}[A-Za-z0-9+/=]{16,})*)", 1],["private-key", ["\"d", "\"k", "\"p", "\"q"], "\\\"(?:d|k|p|q|dp|dq|qi)\\\\*\\\"[ \\t]*:[ \\t]*\\\\*\\\"([\\w-]{40,})", 1],["key-path", ["id_"], "[/\\\\](id_(?:rsa|dsa|ecdsa|ed25519)(?:[._-][\\w.-]+|_sk)?)\\b", 2],["key-path", [".key"], "[/\\\\]([\\w.-]+\\.key)\\b", 1],["key-path", [".p12", ".pfx", ".ppk", ".jks", ".keystore", ".p8", ".pem"], "(?:^|[^\\w.-])([\\w.-]+\\.(?:p12|pfx|ppk|jks|keystore|p8|pem))\\b", 3],["anthropic-key", ["sk-ant-"], "(?:\\b|_|\\\\[nrtbf]|\\\\u[0-9A-Fa-f]{4}|%[0-9A-Fa-f]{2})(sk-ant-[\\w-]{16,})", 1],["github-token", ["ghp_", "gho_", "ghu_"], "(?:\\b|_|\\\\[nrtbf]|\\\\u[0-9A-Fa-f]{4}|%[0-9A-Fa-f]{2})(gh[pou]_[A-Za-z0-9]{20,}[\\w-]*)", 1],["github-token", ["ghs_", "ghr_"], "(?:\\b|_|\\\\[nrtbf]|\\\\u[0-9A-Fa-f]{4}|%[0-9A-Fa-f]{2})(gh[sr]_[A-Za-z0-9]{20,}[\\w-]*)", 1],["github-token", ["github_pat_"], "(?:\\b|_|\\\\[nrtbf]|\\\\u[0-9A-Fa-f]{4}|%[0-9A-Fa-f]{2})(github_pat_\\w{20,})", 1],["gitlab-token", ["gl"], "(?:\\b|_|\\\\[nrtbf]|\\\\u[0-9A-Fa-f]{4}|%[0-9A-Fa-f]{2})(gl(?:pat|ptt|[dfr]t|cbt)-[\\w-]{16,}(?:\\.[0-9a-z]{2}\\.[0-9a-z]{7,})?)", 1],
["gitlab-token", ["gl"], "(?:\\b|_|\\\\[nrtbf]|\\\\u[0-9A-Fa-f]{4}|%[0-9A-Fa-f]{2})(gl(?:soat|agent|imt|oas|ffct)-[\\w-]{16,})", 1],["gitlab-token", ["gr1348941"], "(?:\\b|_|\\\\[nrtbf]|\\\\u[0-9A-Fa-f]{4}|%[0-9A-Fa-f]{2})(GR1348941[\\w-]{16,})", 1],["aws-key", ["akia", "asia", "abia"], "(?:\\b|_|\\\\[nrtbf]|\\\\u[0-9A-Fa-f]{4}|%[0-9A-Fa-f]{2})(A(?:K|S|B)IA[A-Z0-9]{12,}[\\w-]*)", 1],["aws-key", ["acca", "aroa", "aida"], "(?:\\b|_|\\\\[nrtbf]|\\\\u[0-9A-Fa-f]{4}|%[0-9A-Fa-f]{2})(A(?:CC|RO|ID)A[A-Z0-9]{12,}[\\w-]*)", 1],["aws-token", ["iqojb3jpz2lu"], "(?:\\b|_|\\\\[nrtbf]|\\\\u[0-9A-Fa-f]{4}|%[0-9A-Fa-f]{2})(IQoJb3JpZ2lu[A-Za-z0-9/+=_-]{20,})", 1],["aws-token", ["gzxivyxdz"], "(?:\\b|_|\\\\[nrtbf]|\\\\u[0-9A-Fa-f]{4}|%[0-9A-Fa-f]{2})(F[wQ]oGZXIvYXdz[A-Za-z0-9/+=_-]{20,})", 1],["aws-token", ["abskqmvkcm9ja0"], "(?:\\b|_|\\\\[nrtbf]|\\\\u[0-9A-Fa-f]{4}|%[0-9A-Fa-f]{2})(ABSKQmVkcm9ja0[A-Za-z0-9/+=_-]{20,})", 1],["google-key", ["aiza"], "(?:\\b|_|\\\\[nrtbf]|\\\\u[0-9A-Fa-f]{4}|%[0-9A-Fa-f]{2})(AIza[\\w-]{30,})", 1],["google-key", ["ya29."], "(?:\\b|_|\\\\[nrtbf]|\\\\u[0-9A-Fa-f]{4}|%[0-9A-Fa-f]{2})(ya29\\.[\\w-]{20,}(?:\\.[\\w-]{8,})*)", 1],["google-key", ["gocspx-"], "(?:\\b|_|\\\\[nrtbf]|\\\\u[0-9A-Fa-f]{4}|%[0-9A-Fa-f]{2})(GOCSPX-[\\w-]{20,})", 1],["google-key", ["1//0"], "(?:\\b|_|\\\\[nrtbf]|\\\\u[0-9A-Fa-f]{4}|%[0-9A-Fa-f]{2})(1//0[\\w-]{30,})", 1],["slack-token", ["xox"], "(?:\\b|_|\\\\[nrtbf]|\\\\u[0-9A-Fa-f]{4}|%[0-9A-Fa-f]{2})(xox[a-z](?:\\.xox[a-z])?-[\\w-]{10,})", 1],["slack-token", ["xapp-"], "(?:\\b|_|\\\\[nrtbf]|\\\\u[0-9A-Fa-f]{4}|%[0-9A-Fa-f]{2})(xapp-[0-9]-[\\w-]{10,})", 1],["stripe-key", ["sk_", "rk_"], "(?:\\b|_|\\\\[nrtbf]|\\\\u[0-9A-Fa-f]{4}|%[0-9A-Fa-f]{2})([sr]k_(?:live|test|prod)_[A-Za-z0-9]{8,}[\\w-]*)", 1],["stripe-key", ["whsec_"], "(?:\\b|_|\\\\[nrtbf]|\\\\u[0-9A-Fa-f]{4}|%[0-9A-Fa-f]{2})(whsec_[A-Za-z0-9+/=]{20,})", 1],["npm-token", ["npm_"], "(?:\\b|_|\\\\[nrtbf]|\\\\u[0-9A-Fa-f]{4}|%[0-9A-Fa-f]{2})(npm_[A-Za-z0-9]{30,}[\\w-]*)", 1],["pypi-token", ["pypi-ag"], "(?:\\b|_|\\\\[nrtbf]|\\\\u[0-9A-Fa-f]{4}|%[0-9A-Fa-f]{2})(pypi-Ag[\\w-]{30,})", 1],["huggingface-token", ["hf_"], "(?:\\b|_|\\\\[nrtbf]|\\\\u[0-9A-Fa-f]{4}|%[0-9A-Fa-f]{2})(hf_[A-Za-z0-9]{20,}[\\w-]*)", 1],["huggingface-token", ["api_org_"], "(?:\\b|_|\\\\[nrtbf]|\\\\u[0-9A-Fa-f]{4}|%[0-9A-Fa-f]{2})(api_org_[A-Za-z0-9]{30,})", 1],["sendgrid-key", ["sg."], "(?:\\b|_|\\\\[nrtbf]|\\\\u[0-9A-Fa-f]{4}|%[0-9A-Fa-f]{2})(SG\\.[\\w-]{16,}\\.[\\w-]{16,})", 1],
["twilio-key", ["sk"], "(?:\\b|_|\\\\[nrtbf]|\\\\u[0-9A-Fa-f]{4}|%[0-9A-Fa-f]{2})(SK[0-9a-f]{32}\\b)", 1],["digitalocean-token", ["_v1_"], "(?:\\b|_|\\\\[nrtbf]|\\\\u[0-9A-Fa-f]{4}|%[0-9A-Fa-f]{2})(do[opr]_v1_[a-f0-9]{32,}\\w*)", 1],["telegram-token", [":aa"], "(?:\\b|_|\\\\[nrtbf]|\\\\u[0-9A-Fa-f]{4}|%[0-9A-Fa-f]{2})([0-9]{8,10}:AA[\\w-]{32,})", 1],["discord-token", ["."], "(?:\\b|_|\\\\[nrtbf]|\\\\u[0-9A-Fa-f]{4}|%[0-9A-Fa-f]{2})([MNO][\\w-]{22,27}\\.[\\w-]{6}\\.[\\w-]{25,})", 1],["shopify-token", ["shp"], "(?:\\b|_|\\\\[nrtbf]|\\\\u[0-9A-Fa-f]{4}|%[0-9A-Fa-f]{2})(shp(?:at|ca|pa|ss|tka)_[a-fA-F0-9]{24,}\\w*)", 1],["vault-token", ["hvs.", "hvb.", "hvr."], "(?:\\b|_|\\\\[nrtbf]|\\\\u[0-9A-Fa-f]{4}|%[0-9A-Fa-f]{2})(hv[sbr]\\.[\\w-]{20,})", 1],["databricks-token", ["dapi"], "(?:\\b|_|\\\\[nrtbf]|\\\\u[0-9A-Fa-f]{4}|%[0-9A-Fa-f]{2})(dapi[0-9a-f]{32}(?:-[0-9])?\\b)", 1],["linear-key", ["lin_"], "(?:\\b|_|\\\\[nrtbf]|\\\\u[0-9A-Fa-f]{4}|%[0-9A-Fa-f]{2})(lin_(?:api|oauth|wh)_[A-Za-z0-9]{20,}\\w*)", 1],["notion-token", ["ntn_"], "(?:\\b|_|\\\\[nrtbf]|\\\\u[0-9A-Fa-f]{4}|%[0-9A-Fa-f]{2})(ntn_[A-Za-z0-9]{30,}\\w*)", 1],["notion-token", ["secret_"], "(?:\\b|_|\\\\[nrtbf]|\\\\u[0-9A-Fa-f]{4}|%[0-9A-Fa-f]{2})(secret_[A-Za-z0-9]{40,}\\w*)", 1],["sentry-token", ["sntry"], "(?:\\b|_|\\\\[nrtbf]|\\\\u[0-9A-Fa-f]{4}|%[0-9A-Fa-f]{2})(sntry[su]_[\\w+/=-]{20,})", 1],["azure-secret", ["q~"], "(?:\\b|_|\\\\[nrtbf]|\\\\u[0-9A-Fa-f]{4}|%[0-9A-Fa-f]{2})([\\w~.-]{3}[0-9]Q~[\\w~.-]{31,})", 1],["atlassian-token", ["atatt", "atctt", "atbb"], "(?:\\b|_|\\\\[nrtbf]|\\\\u[0-9A-Fa-f]{4}|%[0-9A-Fa-f]{2})(AT(?:ATT|CTT|BB)[\\w=-]{24,})", 1],["mailgun-key", ["key-"], "(?:\\b|_|\\\\[nrtbf]|\\\\u[0-9A-Fa-f]{4}|%[0-9A-Fa-f]{2})(key-[0-9a-f]{32}\\b)", 1],["mailchimp-key", ["-us"], "(?:\\b|_|\\\\[nrtbf]|\\\\u[0-9A-Fa-f]{4}|%[0-9A-Fa-f]{2})([0-9a-f]{32}-us[0-9]{1,2}\\b)", 1],["brevo-key", ["xkeysib-"], "(?:\\b|_|\\\\[nrtbf]|\\\\u[0-9A-Fa-f]{4}|%[0-9A-Fa-f]{2})(xkeysib-[a-f0-9]{40,}[\\w-]*)", 1],["resend-key", ["re_"], "(?:\\b|_|\\\\[nrtbf]|\\\\u[0-9A-Fa-f]{4}|%[0-9A-Fa-f]{2})(re_[A-Za-z0-9]{8}_[A-Za-z0-9]{20,})", 1],["square-token", ["sq0"], "(?:\\b|_|\\\\[nrtbf]|\\\\u[0-9A-Fa-f]{4}|%[0-9A-Fa-f]{2})(sq0[a-z]{3}-[\\w-]{20,})", 1],["square-token", ["eaaa"], "(?:\\b|_|\\\\[nrtbf]|\\\\u[0-9A-Fa-f]{4}|%[0-9A-Fa-f]{2})(EAAA[\\w-]{50,})", 1],["postman-key", ["pmak-"], "(?:\\b|_|\\\\[nrtbf]|\\\\u[0-9A-Fa-f]{4}|%[0-9A-Fa-f]{2})(PMAK-[0-9a-f]{20,}-[0-9a-f]{30,})", 1],
["newrelic-key", ["nr"], "(?:\\b|_|\\\\[nrtbf]|\\\\u[0-9A-Fa-f]{4}|%[0-9A-Fa-f]{2})(NR(?:AK|II|JS|SP)-[\\w-]{20,})", 1],["grafana-token", ["glc_", "glsa_"], "(?:\\b|_|\\\\[nrtbf]|\\\\u[0-9A-Fa-f]{4}|%[0-9A-Fa-f]{2})(gl(?:c|sa)_[\\w+/=]{30,})", 1],["docker-token", ["dckr_"], "(?:\\b|_|\\\\[nrtbf]|\\\\u[0-9A-Fa-f]{4}|%[0-9A-Fa-f]{2})(dckr_(?:pat|oat)_[\\w-]{20,})", 1],["figma-token", ["fig"], "(?:\\b|_|\\\\[nrtbf]|\\\\u[0-9A-Fa-f]{4}|%[0-9A-Fa-f]{2})(fig[dou][a-z]?_[\\w-]{30,})", 1],["airtable-token", ["pat"], "(?:\\b|_|\\\\[nrtbf]|\\\\u[0-9A-Fa-f]{4}|%[0-9A-Fa-f]{2})(pat[A-Za-z0-9]{14}\\.[0-9a-f]{40,})", 1],["terraform-token", [".atlasv1."], "(?:\\b|_|\\\\[nrtbf]|\\\\u[0-9A-Fa-f]{4}|%[0-9A-Fa-f]{2})([A-Za-z0-9]{14}\\.atlasv1\\.[\\w-]{40,})", 1],["doppler-token", ["dp."], "(?:\\b|_|\\\\[nrtbf]|\\\\u[0-9A-Fa-f]{4}|%[0-9A-Fa-f]{2})(dp\\.(?:pt|st|ct|sa|scim|audit)\\.(?:[\\w-]{1,30}\\.)?[\\w-]{30,})", 1],["planetscale-token", ["pscale_"], "(?:\\b|_|\\\\[nrtbf]|\\\\u[0-9A-Fa-f]{4}|%[0-9A-Fa-f]{2})(pscale_(?:tkn|pw|oauth)_[\\w=-]{20,}(?:\\.[\\w=-]{8,})*)", 1],["supabase-key", ["sbp_"], "(?:\\b|_|\\\\[nrtbf]|\\\\u[0-9A-Fa-f]{4}|%[0-9A-Fa-f]{2})(sbp_[a-z0-9_]{40,})", 1],["supabase-key", ["sb_secret_"], "(?:\\b|_|\\\\[nrtbf]|\\\\u[0-9A-Fa-f]{4}|%[0-9A-Fa-f]{2})(sb_secret_[\\w-]{20,})", 1],["dynatrace-token", ["dt0"], "(?:\\b|_|\\\\[nrtbf]|\\\\u[0-9A-Fa-f]{4}|%[0-9A-Fa-f]{2})(dt0[a-z][0-9]{2}\\.[A-Z0-9]{20,}\\.[A-Z0-9]{40,})", 1],["cloudflare-key", ["v1.0-"], "(?:\\b|_|\\\\[nrtbf]|\\\\u[0-9A-Fa-f]{4}|%[0-9A-Fa-f]{2})(v1\\.0-[0-9a-f]{20,}-[0-9a-f]{100,})", 1],["alibaba-key", ["ltai"], "(?:\\b|_|\\\\[nrtbf]|\\\\u[0-9A-Fa-f]{4}|%[0-9A-Fa-f]{2})(LTAI[A-Za-z0-9]{12,})", 1],["tencent-key", ["akid"], "(?:\\b|_|\\\\[nrtbf]|\\\\u[0-9A-Fa-f]{4}|%[0-9A-Fa-f]{2})(AKID[A-Za-z0-9]{30,})", 1],["age-key", ["age-secret-key-"], "(?:\\b|_|\\\\[nrtbf]|\\\\u[0-9A-Fa-f]{4}|%[0-9A-Fa-f]{2})(AGE-SECRET-KEY-1[0-9A-Z]{40,})", 1],["rubygems-key", ["rubygems_"], "(?:\\b|_|\\\\[nrtbf]|\\\\u[0-9A-Fa-f]{4}|%[0-9A-Fa-f]{2})(rubygems_[0-9a-f]{40,})", 1],["nuget-key", ["oy2"], "(?:\\b|_|\\\\[nrtbf]|\\\\u[0-9A-Fa-f]{4}|%[0-9A-Fa-f]{2})(oy2[a-z0-9]{43}\\b)", 1],["cratesio-token", ["cio"], "(?:\\b|_|\\\\[nrtbf]|\\\\u[0-9A-Fa-f]{4}|%[0-9A-Fa-f]{2})(cio[A-Za-z0-9]{32}\\b)", 1],["clojars-token", ["clojars_"], "(?:\\b|_|\\\\[nrtbf]|\\\\u[0-9A-Fa-f]{4}|%[0-9A-Fa-f]{2})(CLOJARS_[a-z0-9]{50,})", 1],
["buildkite-token", ["bkua_"], "(?:\\b|_|\\\\[nrtbf]|\\\\u[0-9A-Fa-f]{4}|%[0-9A-Fa-f]{2})(bkua_[a-z0-9]{30,})", 1],["circleci-token", ["ccipat_"], "(?:\\b|_|\\\\[nrtbf]|\\\\u[0-9A-Fa-f]{4}|%[0-9A-Fa-f]{2})(CCIPAT_[\\w-]{30,})", 1],["heroku-key", ["hrku-"], "(?:\\b|_|\\\\[nrtbf]|\\\\u[0-9A-Fa-f]{4}|%[0-9A-Fa-f]{2})(HRKU-[\\w-]{30,})", 1],["netlify-token", ["nfp_"], "(?:\\b|_|\\\\[nrtbf]|\\\\u[0-9A-Fa-f]{4}|%[0-9A-Fa-f]{2})(nfp_[A-Za-z0-9]{30,})", 1],["pulumi-token", ["pul-"], "(?:\\b|_|\\\\[nrtbf]|\\\\u[0-9A-Fa-f]{4}|%[0-9A-Fa-f]{2})(pul-[0-9a-f]{40}\\b)", 1],["sourcegraph-token", ["sgp_"], "(?:\\b|_|\\\\[nrtbf]|\\\\u[0-9A-Fa-f]{4}|%[0-9A-Fa-f]{2})(sgp_\\w{30,})", 1],["groq-key", ["gsk_"], "(?:\\b|_|\\\\[nrtbf]|\\\\u[0-9A-Fa-f]{4}|%[0-9A-Fa-f]{2})(gsk_[A-Za-z0-9]{30,})", 1],["xai-key", ["xai-"], "(?:\\b|_|\\\\[nrtbf]|\\\\u[0-9A-Fa-f]{4}|%[0-9A-Fa-f]{2})(xai-[\\w-]{30,})", 1],["replicate-token", ["r8_"], "(?:\\b|_|\\\\[nrtbf]|\\\\u[0-9A-Fa-f]{4}|%[0-9A-Fa-f]{2})(r8_[A-Za-z0-9]{30,})", 1],["perplexity-key", ["pplx-"], "(?:\\b|_|\\\\[nrtbf]|\\\\u[0-9A-Fa-f]{4}|%[0-9A-Fa-f]{2})(pplx-[\\w-]{30,})", 1],["nvidia-key", ["nvapi-"], "(?:\\b|_|\\\\[nrtbf]|\\\\u[0-9A-Fa-f]{4}|%[0-9A-Fa-f]{2})(nvapi-[\\w-]{30,})", 1],["together-key", ["tgp_v1_"], "(?:\\b|_|\\\\[nrtbf]|\\\\u[0-9A-Fa-f]{4}|%[0-9A-Fa-f]{2})(tgp_v1_[\\w-]{20,})", 1],["langsmith-key", ["lsv2_"], "(?:\\b|_|\\\\[nrtbf]|\\\\u[0-9A-Fa-f]{4}|%[0-9A-Fa-f]{2})(lsv2_[a-z]{2}_\\w{30,})", 1],["tavily-key", ["tvly-"], "(?:\\b|_|\\\\[nrtbf]|\\\\u[0-9A-Fa-f]{4}|%[0-9A-Fa-f]{2})(tvly-[\\w-]{20,})", 1],["cerebras-key", ["csk-"], "(?:\\b|_|\\\\[nrtbf]|\\\\u[0-9A-Fa-f]{4}|%[0-9A-Fa-f]{2})(csk-[a-z0-9]{30,})", 1],["fireworks-key", ["fw_"], "(?:\\b|_|\\\\[nrtbf]|\\\\u[0-9A-Fa-f]{4}|%[0-9A-Fa-f]{2})(fw_[A-Za-z0-9]{20,})", 1],["elevenlabs-key", ["sk_"], "(?:\\b|_|\\\\[nrtbf]|\\\\u[0-9A-Fa-f]{4}|%[0-9A-Fa-f]{2})(sk_[0-9a-f]{40,})", 1],["razorpay-key", ["rzp_"], "(?:\\b|_|\\\\[nrtbf]|\\\\u[0-9A-Fa-f]{4}|%[0-9A-Fa-f]{2})(rzp_(?:live|test)_[A-Za-z0-9]{12,})", 1],["plaid-token", ["access-"], "(?:\\b|_|\\\\[nrtbf]|\\\\u[0-9A-Fa-f]{4}|%[0-9A-Fa-f]{2})(access-(?:sandbox|production|development)-[0-9a-f-]{30,})", 1],["onepassword-token", ["ops_eyj"], "(?:\\b|_|\\\\[nrtbf]|\\\\u[0-9A-Fa-f]{4}|%[0-9A-Fa-f]{2})(ops_eyJ[\\w=-]{40,})", 1],["onepassword-key", ["a3-"], "(?:\\b|_|\\\\[nrtbf]|\\\\u[0-9A-Fa-f]{4}|%[0-9A-Fa-f]{2})(A3-[A-Z0-9]{6}-(?:[A-Z0-9]{5,11}-){3,5}[A-Z0-9]{5}\\b)", 1],
["memwiki-token", ["mw_"], "(?:\\b|_|\\\\[nrtbf]|\\\\u[0-9A-Fa-f]{4}|%[0-9A-Fa-f]{2})(mw_[\\w-]{40,})", 1],["mapbox-token", ["sk.eyj"], "(?:\\b|_|\\\\[nrtbf]|\\\\u[0-9A-Fa-f]{4}|%[0-9A-Fa-f]{2})(sk\\.eyJ[\\w-]{30,}\\.[\\w-]{20,})", 1],["jwt", ["eyj"], "(?:\\b|_|\\\\[nrtbf]|\\\\u[0-9A-Fa-f]{4}|%[0-9A-Fa-f]{2})(eyJ[\\w-]{8,}\\.[\\w-]{6,}(?:\\.{1,2}[\\w-]{8,})*)", 1],["adafruit-key", ["aio_"], "(?:\\b|_|\\\\[nrtbf]|\\\\u[0-9A-Fa-f]{4}|%[0-9A-Fa-f]{2})(aio_[A-Za-z0-9]{28}\\b)", 1],["artifactory-key", ["akcp"], "(?:\\b|_|\\\\[nrtbf]|\\\\u[0-9A-Fa-f]{4}|%[0-9A-Fa-f]{2})(AKCp[A-Za-z0-9]{50,})", 1],["contentful-token", ["cfpat-"], "(?:\\b|_|\\\\[nrtbf]|\\\\u[0-9A-Fa-f]{4}|%[0-9A-Fa-f]{2})(CFPAT-[\\w-]{40,})", 1],["dnsimple-token", ["dnsimple_"], "(?:\\b|_|\\\\[nrtbf]|\\\\u[0-9A-Fa-f]{4}|%[0-9A-Fa-f]{2})(dnsimple_[au]_[A-Za-z0-9]{30,})", 1],["dropbox-token", ["sl.b"], "(?:\\b|_|\\\\[nrtbf]|\\\\u[0-9A-Fa-f]{4}|%[0-9A-Fa-f]{2})(sl\\.B[\\w-]{100,})", 1],["duffel-token", ["duffel_"], "(?:\\b|_|\\\\[nrtbf]|\\\\u[0-9A-Fa-f]{4}|%[0-9A-Fa-f]{2})(duffel_(?:live|test)_[\\w=-]{40,})", 1],["sandbox-key", ["e2b_"], "(?:\\b|_|\\\\[nrtbf]|\\\\u[0-9A-Fa-f]{4}|%[0-9A-Fa-f]{2})(e2b_[0-9a-f]{40}\\b)", 1],["easypost-key", ["ezak", "eztk"], "(?:\\b|_|\\\\[nrtbf]|\\\\u[0-9A-Fa-f]{4}|%[0-9A-Fa-f]{2})(EZ[AT]K[A-Za-z0-9]{50,})", 1],["facebook-token", ["eaa"], "(?:\\b|_|\\\\[nrtbf]|\\\\u[0-9A-Fa-f]{4}|%[0-9A-Fa-f]{2})(EAA[A-Za-z0-9]{90,})", 1],["firecrawl-key", ["fc-"], "(?:\\b|_|\\\\[nrtbf]|\\\\u[0-9A-Fa-f]{4}|%[0-9A-Fa-f]{2})(fc-[0-9a-f]{32}\\b)", 1],["flutterwave-key", ["flwseck"], "(?:\\b|_|\\\\[nrtbf]|\\\\u[0-9A-Fa-f]{4}|%[0-9A-Fa-f]{2})(FLWSECK(?:_TEST)?-[0-9a-zA-Z]{30,}(?:-X)?)", 1],["flyio-token", ["fm1", "fm2_", "fo1_"], "(?:\\b|_|\\\\[nrtbf]|\\\\u[0-9A-Fa-f]{4}|%[0-9A-Fa-f]{2})(f(?:m1[ar]|m2|o1)_[A-Za-z0-9+/_-]{40,}={0,2})", 1],["frameio-token", ["fio-u-"], "(?:\\b|_|\\\\[nrtbf]|\\\\u[0-9A-Fa-f]{4}|%[0-9A-Fa-f]{2})(fio-u-[\\w=-]{60,})", 1],["harness-token", ["pat.", "sat."], "(?:\\b|_|\\\\[nrtbf]|\\\\u[0-9A-Fa-f]{4}|%[0-9A-Fa-f]{2})([ps]at\\.[\\w-]{22}\\.[0-9a-zA-Z]{24}\\.[0-9a-zA-Z]{20})", 1],["hubspot-token", ["pat-na", "pat-eu"], "(?:\\b|_|\\\\[nrtbf]|\\\\u[0-9A-Fa-f]{4}|%[0-9A-Fa-f]{2})(pat-(?:na|eu)[0-9]-[0-9a-f]{8}-[0-9a-f-]{27})", 1],["infracost-key", ["ico-"], "(?:\\b|_|\\\\[nrtbf]|\\\\u[0-9A-Fa-f]{4}|%[0-9A-Fa-f]{2})(ico-[A-Za-z0-9]{32}\\b)", 1],["jina-key", ["jina_"], "(?:\\b|_|\\\\[nrtbf]|\\\\u[0-9A-Fa-f]{4}|%[0-9A-Fa-f]{2})(jina_[A-Za-z0-9]{40,})", 1],
["launchdarkly-key", ["sdk-", "api-"], "(?:\\b|_|\\\\[nrtbf]|\\\\u[0-9A-Fa-f]{4}|%[0-9A-Fa-f]{2})((?:sdk|api)-[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12})", 1],["llamacloud-key", ["llx-"], "(?:\\b|_|\\\\[nrtbf]|\\\\u[0-9A-Fa-f]{4}|%[0-9A-Fa-f]{2})(llx-[A-Za-z0-9]{40,})", 1],["neon-key", ["napi_"], "(?:\\b|_|\\\\[nrtbf]|\\\\u[0-9A-Fa-f]{4}|%[0-9A-Fa-f]{2})(napi_[a-z0-9]{40,})", 1],["openshift-token", ["sha256~"], "(?:\\b|_|\\\\[nrtbf]|\\\\u[0-9A-Fa-f]{4}|%[0-9A-Fa-f]{2})(sha256~[\\w-]{43})", 1],["pinecone-key", ["pcsk_"], "(?:\\b|_|\\\\[nrtbf]|\\\\u[0-9A-Fa-f]{4}|%[0-9A-Fa-f]{2})(pcsk_[A-Za-z0-9]{4,8}_[A-Za-z0-9]{40,})", 1],["posthog-key", ["phx_"], "(?:\\b|_|\\\\[nrtbf]|\\\\u[0-9A-Fa-f]{4}|%[0-9A-Fa-f]{2})(phx_[A-Za-z0-9]{40,})", 1],["prefect-key", ["pnu_", "pnb_"], "(?:\\b|_|\\\\[nrtbf]|\\\\u[0-9A-Fa-f]{4}|%[0-9A-Fa-f]{2})(pn[ub]_[A-Za-z0-9]{36}\\b)", 1],["readme-key", ["rdme_"], "(?:\\b|_|\\\\[nrtbf]|\\\\u[0-9A-Fa-f]{4}|%[0-9A-Fa-f]{2})(rdme_[a-z0-9]{60,})", 1],["runpod-key", ["rpa_"], "(?:\\b|_|\\\\[nrtbf]|\\\\u[0-9A-Fa-f]{4}|%[0-9A-Fa-f]{2})(rpa_[A-Z0-9]{38,}[a-z0-9]*)", 1],["scalingo-token", ["tk-us-"], "(?:\\b|_|\\\\[nrtbf]|\\\\u[0-9A-Fa-f]{4}|%[0-9A-Fa-f]{2})(tk-us-[\\w-]{48})", 1],["shippo-token", ["shippo_"], "(?:\\b|_|\\\\[nrtbf]|\\\\u[0-9A-Fa-f]{4}|%[0-9A-Fa-f]{2})(shippo_(?:live|test)_[a-f0-9]{40}\\b)", 1],["sonar-token", ["sqp_", "squ_", "sqa_"], "(?:\\b|_|\\\\[nrtbf]|\\\\u[0-9A-Fa-f]{4}|%[0-9A-Fa-f]{2})(sq[pua]_[0-9a-f]{40}\\b)", 1],["tailscale-key", ["tskey-"], "(?:\\b|_|\\\\[nrtbf]|\\\\u[0-9A-Fa-f]{4}|%[0-9A-Fa-f]{2})(tskey-[a-z]+-[\\w-]{20,})", 1],["twitter-token", ["aaaaaaaaaaaaaaaaaa"], "(?:\\b|_|\\\\[nrtbf]|\\\\u[0-9A-Fa-f]{4}|%[0-9A-Fa-f]{2})(A{20,}[A-Za-z0-9]{4,}%[0-9A-Fa-f]{2}[A-Za-z0-9%]{30,})", 1],["typeform-token", ["tfp_"], "(?:\\b|_|\\\\[nrtbf]|\\\\u[0-9A-Fa-f]{4}|%[0-9A-Fa-f]{2})(tfp_[\\w-]{40,})", 1],["wakatime-key", ["waka_"], "(?:\\b|_|\\\\[nrtbf]|\\\\u[0-9A-Fa-f]{4}|%[0-9A-Fa-f]{2})(waka_[0-9a-f]{8}-[0-9a-f-]{27})", 1],["wallet-key", ["prv"], "(?:\\b|_|\\\\[nrtbf]|\\\\u[0-9A-Fa-f]{4}|%[0-9A-Fa-f]{2})([xyz]prv[0-9A-Za-z]{100,})", 1],["openai-key", ["sk-"], "(?:\\b|_|\\\\[nrtbf]|\\\\u[0-9A-Fa-f]{4}|%[0-9A-Fa-f]{2})(sk-[A-Za-z0-9][\\w-]{18,})", 4],["aws-secret", ["akia", "asia"], "A[KS]IA[A-Z0-9]{12,28}[\\s,:;|\\\"']{1,8}([A-Za-z0-9/+]{40})\\b", 1],["slack-webhook", ["hooks.slack.com"], "hooks\\.slack\\.com/(?:services|workflows|triggers)/([\\w/-]{20,})", 1],
["discord-webhook", ["/api/webhooks/"], "discord(?:app)?\\.com/api/webhooks/([0-9]+/[\\w-]{30,})", 1],["teams-webhook", ["webhookb2/"], "webhook\\.office\\.com/webhookb2/([\\w@/.-]{40,})", 1],["zapier-webhook", ["hooks.zapier.com"], "hooks\\.zapier\\.com/hooks/catch/([0-9]+/[\\w/]{4,})", 1],["url-token", ["code="], "[?&]code=([\\w-]{40,}={0,2})", 1],["azure-key", ["key="], "(?i)(?:Account|SharedAccess|Primary|Secondary)Key=([A-Za-z0-9+/]{20,}={0,2})", 1],["signature", ["sig"], "[?&;, ](?:sig|[Ss]ignature|X-Amz-Signature)=([A-Za-z0-9%+/=_-]{20,})", 1],["bearer-token", ["bearer"], "(?i)authorization(?:\\\\*[\\\"'`])?\\]?[ \\t]*[:=,][ \\t]*[brfuBRFU]{0,2}(?:\\\\*[\\\"'`])?bearer[ \\t]+([^\\s\\\"'`,;<>{}()\\[\\]\\\\]+[(\\[]?)", 5],["bearer-token", ["bearer"], "(?i)\\bbearer[ \\t]+([\\w.~+/=-]{16,})", 6],["basic-auth", ["basic"], "(?i)authorization(?:\\\\*[\\\"'`])?\\]?[ \\t]*[:=,][ \\t]*[brfuBRFU]{0,2}(?:\\\\*[\\\"'`])?basic[ \\t]+([^\\s\\\"'`,;<>{}()\\[\\]\\\\]+[(\\[]?)", 5],["basic-auth", ["basic"], "(?i)\\bbasic[ \\t]+([A-Za-z0-9+/]{12,}={0,2})", 7],["authorization", ["authorization"], "(?i)authorization(?:\\\\*[\\\"'`])?\\]?[ \\t]*[:=,][ \\t]*[brfuBRFU]{0,2}(?:\\\\*[\\\"'`])?(?:(?:token|digest|negotiate|api-?key|key|splunk|bot|jwt|aws4-hmac-sha256)[ \\t]+)?([^\\s\\\"'`,;<>{}()\\[\\]\\\\]+[(\\[]?)", 8],["basic-auth", ["auth"], "[\\\"_]auth\\\\*[\\\"']?[ \\t]*[:=][ \\t]*\\\\*[\\\"']?([A-Za-z0-9+/]{12,}={0,2})", 9],["cookie", ["cookie"], "(?i)(?:^|[^\\w-])cookie(?:\\\\*[\\\"'])?[ \\t]*[:=][ \\t]*(?:\\\\*[\\\"'`])?([\\w.%-]+=[^\\s\\\"'`\\\\](?:[^\\r\\n\\\"'`\\\\])*)", 1],["cookie", ["cookie"], "(?i)set-cookie(?:\\\\*[\\\"'])?[ \\t]*[:=][ \\t]*(?:\\\\*[\\\"'`])?[\\w.%-]+=([^\\s;\\\"'`\\\\]+)", 1],["cookie", ["-b", "--cookie"], "(?:\\s-b|--cookie)[ \\t=]+(?:\\\"([^\\\"\\n=]+=[^\\\"\\n]+)|'([^'\\n=]+=[^'\\n]+)|([^\\s\\\"'=]+=[^\\s\\\"']+))", 1],["cookie", ["sess", "connect.sid", "csrftoken", "xsrf-token"], "(?:JSESSIONID|PHPSESSID|connect\\.sid|SessionId|_session|csrftoken|sessionid|XSRF-TOKEN)=([^\\s;\\\"'&\\\\]{8,})", 10],["url-password", ["://"], "://[^\\s/:@\\\"'`<>]*:([^\\s/\\\"'`<>]+)@", 11],["url-password", ["://"], "(?i)(?:postgres|postgresql|mysql|mariadb|mongodb|srv|redis|rediss|amqps?|mssql|sqlserver|oracle|psycopg2?|asyncpg|pymysql|ldaps?|smtps?|s?ftps?)://[^\\s:@/\\\"'`<>]*:([^\\s\\\"'`<>@]{1,200})@", 11],["url-token", ["://"], "://([\\w~.%+-]{20,}):?@", 12],
["url-password", [":"], ":([^\\s:@/\\\"'`<>{}(),]{3,})@[\\w-]+(?:\\.[\\w-]+)*:[0-9]{2,5}\\b", 11],["url-password", ["@tcp(", "@unix(", "@udp("], ":([^\\s:@\\\"'`<>]+)@(?:tcp|unix|udp)\\(", 11],["password", ["-u", "--user", "--proxy-user"], "[\\s\\\"'\\[](?:-u|--user|--proxy-user)[\\\"']?(?:[ \\t=]|,[ \\t]*)?[\\\"']?[^\\s:\\\"'/=-][^\\s:\\\"'/=]*:([^\\s\\\"'\\\\,/]+)", 13],["password", ["mysql", "mariadb"], "(?:mysql|mysqldump|mysqladmin|mariadb)(?:[ \\t]+[^\\s|;&]+){0,8}?[ \\t]+-p[\\\"']?([^\\s\\\"']+)", 14],["password", ["redis-cli"], "redis-cli(?:[ \\t]+[^\\s|;&]+){0,8}?[ \\t]+-a[ \\t]*[\\\"']?([^\\s\\\"']+)", 14],["password", [" login"], "(?:docker|podman|registry) login(?:[ \\t]+[^\\s|;&]+){0,8}?[ \\t]+-p[ \\t]*[\\\"']?([^\\s\\\"']+)", 14],["password", ["mongo", "az login", "mysqlsh"], "(?:mongosh|mongo|mongodump|mongorestore|mongoexport|mongoimport|az login|mysqlsh)(?:[ \\t]+[^\\s|;&]+){0,8}?[ \\t]+-p[ \\t=]+[\\\"']?([^\\s\\\"']+)", 14],["password", ["ldap"], "ldap[a-z]+(?:[ \\t]+[^\\s|;&]+){0,8}?[ \\t]+-w[ \\t]*[\\\"']?([^\\s\\\"']+)", 14],["password", ["zip ", "zip\t"], "\\b(?:un)?zip(?:[ \\t]+[^\\s|;&]+){0,8}?[ \\t]+-P[ \\t]*[\\\"']?([^\\s\\\"']+)", 14],["password", ["7z ", "unrar "], "(?:unrar|7z) [ax](?:[ \\t]+[^\\s|;&]+){0,8}?[ \\t]+-p[\\\"']?([^\\s\\\"']+)", 14],["password", ["ssh-keygen"], "ssh-keygen(?:[ \\t]+[^\\s|;&]+){0,8}?[ \\t]+-[NP][ \\t]+[\\\"']?([^\\s\\\"'-][^\\s\\\"']*)", 14],["password", ["storepass", "keypass"], "-\\w*(?:store|key)pass[ \\t]+[\\\"']?([^\\s\\\"':]+)", 14],["password", ["sshpass"], "sshpass[ \\t]+-p[ \\t]*[\\\"']?([^\\s\\\"']+)", 14],["password", ["-pass"], "-pass(?:in|out)?[ \\t]+[\\\"']?pass:([^\\s\\\"']+)", 14],["netrc-password", ["machine", "default"], "(?:machine\\s+\\S+|default)\\s+login\\s+\\S+\\s+password\\s+([^\\s\\\"'\\\\]+)", 14],["pgpass-password", [":"], ":(?:5432|5433|6432|\\*):[\\w*-]+:[\\w.*-]+:([^\\s:\\\"'\\\\]+)", 14],["password", ["passphrase"], "(?i)passphrase(?:\\\\*[\\\"'`])?\\]?\\*{0,2}(?: \\[[^\\]\\n]{0,24}\\])?(?::[ \\t]*&?(?:'[a-z]+[ \\t]+)?[A-Za-z][\\w.|\\[\\]<>]*[ \\t]*=[ \\t]*|[ \\t]*(?:=>|(?:[:?+!]|[|]{2}|[?]{2})?={1,3}|%3[Dd])[ \\t]*|[ \\t]*[:\uff1a\u662f\u4e3a\u306f\u2192][ \\t]*\\*{0,2}[ \\t]*)(?:\\\\?\\r?\\n[ \\t]*|[|>][+-]?\\r?\\n[ \\t]*)?[brfuBRFU@$]{0,2}(?:\\\\+\\\"((?:[^\\\"\\\\\\n]|\\\\[^\\\"\\n])+)|\\\"((?:[^\\\"\\\\\\n]|\\\\[^\\n])+)|\\\\*'((?:[^'\\\\\\n]|\\\\[^'\\n])+)|`([^`\\n]+))", 15],
["seed-phrase", ["mnemonic", "phrase"], "(?i)(?:mnemonic|(?:seed|recovery)[ _-]?phrase)(?:\\\\*[\\\"'`])?\\]?\\*{0,2}(?: \\[[^\\]\\n]{0,24}\\])?(?::[ \\t]*&?(?:'[a-z]+[ \\t]+)?[A-Za-z][\\w.|\\[\\]<>]*[ \\t]*=[ \\t]*|[ \\t]*(?:=>|(?:[:?+!]|[|]{2}|[?]{2})?={1,3}|%3[Dd])[ \\t]*|[ \\t]*[:\uff1a\u662f\u4e3a\u306f\u2192][ \\t]*\\*{0,2}[ \\t]*)(?:\\\\?\\r?\\n[ \\t]*|[|>][+-]?\\r?\\n[ \\t]*)?\\\\*[\\\"']?([a-z]{3,8}(?: [a-z]{3,8}){11,23})", 1],["password-hash", ["$"], "((?:\\$(?:apr1|2[abxy]|5|6|y|scrypt|argon2id?|argon2i)|pbkdf2_sha(?:1|256|512))\\$[\\w./$=,+-]{16,})", 1],["password", ["password", "passphrase", "passwd", "passcode", "passwort", "pw ", "pw\t"], "(?i)(?:password|passphrase|passwd|passcode|passwort|\\bpw)(?:[ \\t]+(?:for|of)[ \\t]+\\S+)?[ \\t]+(?:is|was|to|will be|lautet|ist)[ \\t:]+[\"'`\u201c]?([^\\s\"'`,<>(){}&\u201d]*[0-9!@#$%^*+][^\\s\"'`,<>(){}&\u201d]*)", 16],["token", ["token", "key", "secret"], "(?i)(?:token|key|secret)[ \\t]+(?:is|was)[ \\t:]+[\\\"'`]?([A-Za-z0-9+/_=.~-]{16,})", 17],
["password", ["pass", "pwd", "secret", "token", "key", "credential", "password", "passwrd", "passwd", "pass phrase", "passphrase", "passcode", "passwort", "contrase", "mnemonic", "senha", "de passe", "de_passe", "de-passe", "wachtwoord", "has\u0142o", "haslo", "seed", "_pass", "-pass", ".pass", "\"pass", "'pass", "dbpass", "userpass", "smtppass", "mailpass", "adminpass", "authpass", "\u5bc6\u7801", "\u5bc6\u78bc", "\u53e3\u4ee4", "\u51ed\u8bc1", "\u5bc6\u94a5", "\u30d1\u30b9\u30ef\u30fc\u30c9", "\ube44\ubc00\ubc88\ud638", "\u043f\u0430\u0440\u043e\u043b\u044c"], "\\w\\([ \\t]*[\\\"'][\\w.-]*(?:p(?i:assword|asswrd|asswd|ass ?phrase|asscode|asswort)|P(?i:assword|asswrd|asswd|ass ?phrase|asscode|asswort)|c(?i:ontrase[\u00f1n]a)|C(?i:ontrase[\u00f1n]a)|s(?i:ecret|eed[ _-]?phrase|enha)|S(?i:ecret|eed[ _-]?phrase|enha)|m(?i:nemonic|ot[ _-]de[ _-]passe)|M(?i:nemonic|ot[ _-]de[ _-]passe)|w(?i:achtwoord)|W(?i:achtwoord)|h(?i:as[\u0142l]o)|H(?i:as[\u0142l]o)|[\\\"']pass|_(?i:pass|pwd)|-(?i:pass|pwd)|\\.(?i:pass|pwd)|;(?i:pwd)|Pwd|dbPass|userPass|smtpPass|mailPass|adminPass|authPass|\u5bc6\u7801|\u5bc6\u78bc|\u53e3\u4ee4|\u51ed\u8bc1|\u5bc6\u94a5|\u30d1\u30b9\u30ef\u30fc\u30c9|\ube44\ubc00\ubc88\ud638|\u041f\u0430\u0440\u043e\u043b\u044c|\u043f\u0430\u0440\u043e\u043b\u044c|a(?i:pi[ _-]?key|pp[ _-]?key|pplication[ _-]?key|ccess[ _-]?key|uth[ _-]?key|dmin[ _-]?key|ccount[ _-]?key|es[ _-]?key|nthropic[ _-]?key)|A(?i:pi[ _-]?key|pp[ _-]?key|pplication[ _-]?key|ccess[ _-]?key|uth[ _-]?key|dmin[ _-]?key|ccount[ _-]?key|es[ _-]?key|nthropic[ _-]?key)|p(?i:rivate[ _-]?key|reshared[ _-]?key)|P(?i:rivate[ _-]?key|reshared[ _-]?key)|s(?i:ign[ _-]?key|igning[ _-]?key|ervice[ _-]?key|torage[ _-]?key|ession[ _-]?key|ecret[ _-]?key|hared[ _-]?key|ubscription[ _-]?key|sh[ _-]?key)|S(?i:ign[ _-]?key|igning[ _-]?key|ervice[ _-]?key|torage[ _-]?key|ession[ _-]?key|ecret[ _-]?key|hared[ _-]?key|ubscription[ _-]?key|sh[ _-]?key)|e(?i:ncrypt[ _-]?key|ncryption[ _-]?key)|E(?i:ncrypt[ _-]?key|ncryption[ _-]?key)|d(?i:ecryption[ _-]?key|eploy[ _-]?key)|D(?i:ecryption[ _-]?key|eploy[ _-]?key)|m(?i:aster[ _-]?key)|M(?i:aster[ _-]?key)|c(?i:lient[ _-]?key|onsumer[ _-]?key)|C(?i:lient[ _-]?key|onsumer[ _-]?key)|w(?i:ebhook[ _-]?key)|W(?i:ebhook[ _-]?key)|j(?i:wt[ _-]?key)|J(?i:wt[ _-]?key)|h(?i:mac[ _-]?key)|H(?i:mac[ _-]?key)|f(?i:ernet[ _-]?key|unctions[ _-]?key)|F(?i:ernet[ _-]?key|unctions[ _-]?key)|l(?i:icense[ _-]?key)|L(?i:icense[ _-]?key)|r(?i:oot[ _-]?key)|R(?i:oot[ _-]?key)|o(?i:penai[ _-]?key)|O(?i:penai[ _-]?key)|v(?i:ault[ _-]?key)|V(?i:ault[ _-]?key)|t(?i:oken)|T(?i:oken)|c(?i:redentials?)|C(?i:redentials?))(?i:[_-]?(?:[0-9]{1,2}|prod|production|dev|staging|live|value|base|b64|base64|plain))?[\\\"'],[ \\t]*\\\\*[\\\"']([^\\\"'\\n\\\\]+)", 18],
["password", ["pass", "pwd", "secret", "token", "key", "credential", "password", "passwrd", "passwd", "pass phrase", "passphrase", "passcode", "passwort", "contrase", "mnemonic", "senha", "de passe", "de_passe", "de-passe", "wachtwoord", "has\u0142o", "haslo", "seed", "_pass", "-pass", ".pass", "\"pass", "'pass", "dbpass", "userpass", "smtppass", "mailpass", "adminpass", "authpass", "\u5bc6\u7801", "\u5bc6\u78bc", "\u53e3\u4ee4", "\u51ed\u8bc1", "\u5bc6\u94a5", "\u30d1\u30b9\u30ef\u30fc\u30c9", "\ube44\ubc00\ubc88\ud638", "\u043f\u0430\u0440\u043e\u043b\u044c"], "(?:[sS]et_?|[wW]ith_?|\\.)(?:p(?i:assword|asswrd|asswd|ass ?phrase|asscode|asswort)|P(?i:assword|asswrd|asswd|ass ?phrase|asscode|asswort)|c(?i:ontrase[\u00f1n]a)|C(?i:ontrase[\u00f1n]a)|s(?i:ecret|eed[ _-]?phrase|enha)|S(?i:ecret|eed[ _-]?phrase|enha)|m(?i:nemonic|ot[ _-]de[ _-]passe)|M(?i:nemonic|ot[ _-]de[ _-]passe)|w(?i:achtwoord)|W(?i:achtwoord)|h(?i:as[\u0142l]o)|H(?i:as[\u0142l]o)|[\\\"']pass|_(?i:pass|pwd)|-(?i:pass|pwd)|\\.(?i:pass|pwd)|;(?i:pwd)|Pwd|dbPass|userPass|smtpPass|mailPass|adminPass|authPass|\u5bc6\u7801|\u5bc6\u78bc|\u53e3\u4ee4|\u51ed\u8bc1|\u5bc6\u94a5|\u30d1\u30b9\u30ef\u30fc\u30c9|\ube44\ubc00\ubc88\ud638|\u041f\u0430\u0440\u043e\u043b\u044c|\u043f\u0430\u0440\u043e\u043b\u044c|a(?i:pi[ _-]?key|pp[ _-]?key|pplication[ _-]?key|ccess[ _-]?key|uth[ _-]?key|dmin[ _-]?key|ccount[ _-]?key|es[ _-]?key|nthropic[ _-]?key)|A(?i:pi[ _-]?key|pp[ _-]?key|pplication[ _-]?key|ccess[ _-]?key|uth[ _-]?key|dmin[ _-]?key|ccount[ _-]?key|es[ _-]?key|nthropic[ _-]?key)|p(?i:rivate[ _-]?key|reshared[ _-]?key)|P(?i:rivate[ _-]?key|reshared[ _-]?key)|s(?i:ign[ _-]?key|igning[ _-]?key|ervice[ _-]?key|torage[ _-]?key|ession[ _-]?key|ecret[ _-]?key|hared[ _-]?key|ubscription[ _-]?key|sh[ _-]?key)|S(?i:ign[ _-]?key|igning[ _-]?key|ervice[ _-]?key|torage[ _-]?key|ession[ _-]?key|ecret[ _-]?key|hared[ _-]?key|ubscription[ _-]?key|sh[ _-]?key)|e(?i:ncrypt[ _-]?key|ncryption[ _-]?key)|E(?i:ncrypt[ _-]?key|ncryption[ _-]?key)|d(?i:ecryption[ _-]?key|eploy[ _-]?key)|D(?i:ecryption[ _-]?key|eploy[ _-]?key)|m(?i:aster[ _-]?key)|M(?i:aster[ _-]?key)|c(?i:lient[ _-]?key|onsumer[ _-]?key)|C(?i:lient[ _-]?key|onsumer[ _-]?key)|w(?i:ebhook[ _-]?key)|W(?i:ebhook[ _-]?key)|j(?i:wt[ _-]?key)|J(?i:wt[ _-]?key)|h(?i:mac[ _-]?key)|H(?i:mac[ _-]?key)|f(?i:ernet[ _-]?key|unctions[ _-]?key)|F(?i:ernet[ _-]?key|unctions[ _-]?key)|l(?i:icense[ _-]?key)|L(?i:icense[ _-]?key)|r(?i:oot[ _-]?key)|R(?i:oot[ _-]?key)|o(?i:penai[ _-]?key)|O(?i:penai[ _-]?key)|v(?i:ault[ _-]?key)|V(?i:ault[ _-]?key)|t(?i:oken)|T(?i:oken)|c(?i:redentials?)|C(?i:redentials?))(?i:[_-]?(?:[0-9]{1,2}|prod|production|dev|staging|live|value|base|b64|base64|plain))?\\([ \\t]*\\\\*[\\\"']([^\\\"'\\n\\\\]+)", 18],
["password", ["#define"], "#define[ \\t]+\\w*(?:p(?i:assword|asswrd|asswd|ass ?phrase|asscode|asswort)|P(?i:assword|asswrd|asswd|ass ?phrase|asscode|asswort)|c(?i:ontrase[\u00f1n]a)|C(?i:ontrase[\u00f1n]a)|s(?i:ecret|eed[ _-]?phrase|enha)|S(?i:ecret|eed[ _-]?phrase|enha)|m(?i:nemonic|ot[ _-]de[ _-]passe)|M(?i:nemonic|ot[ _-]de[ _-]passe)|w(?i:achtwoord)|W(?i:achtwoord)|h(?i:as[\u0142l]o)|H(?i:as[\u0142l]o)|[\\\"']pass|_(?i:pass|pwd)|-(?i:pass|pwd)|\\.(?i:pass|pwd)|;(?i:pwd)|Pwd|dbPass|userPass|smtpPass|mailPass|adminPass|authPass|\u5bc6\u7801|\u5bc6\u78bc|\u53e3\u4ee4|\u51ed\u8bc1|\u5bc6\u94a5|\u30d1\u30b9\u30ef\u30fc\u30c9|\ube44\ubc00\ubc88\ud638|\u041f\u0430\u0440\u043e\u043b\u044c|\u043f\u0430\u0440\u043e\u043b\u044c|a(?i:pi[ _-]?key|pp[ _-]?key|pplication[ _-]?key|ccess[ _-]?key|uth[ _-]?key|dmin[ _-]?key|ccount[ _-]?key|es[ _-]?key|nthropic[ _-]?key)|A(?i:pi[ _-]?key|pp[ _-]?key|pplication[ _-]?key|ccess[ _-]?key|uth[ _-]?key|dmin[ _-]?key|ccount[ _-]?key|es[ _-]?key|nthropic[ _-]?key)|p(?i:rivate[ _-]?key|reshared[ _-]?key)|P(?i:rivate[ _-]?key|reshared[ _-]?key)|s(?i:ign[ _-]?key|igning[ _-]?key|ervice[ _-]?key|torage[ _-]?key|ession[ _-]?key|ecret[ _-]?key|hared[ _-]?key|ubscription[ _-]?key|sh[ _-]?key)|S(?i:ign[ _-]?key|igning[ _-]?key|ervice[ _-]?key|torage[ _-]?key|ession[ _-]?key|ecret[ _-]?key|hared[ _-]?key|ubscription[ _-]?key|sh[ _-]?key)|e(?i:ncrypt[ _-]?key|ncryption[ _-]?key)|E(?i:ncrypt[ _-]?key|ncryption[ _-]?key)|d(?i:ecryption[ _-]?key|eploy[ _-]?key)|D(?i:ecryption[ _-]?key|eploy[ _-]?key)|m(?i:aster[ _-]?key)|M(?i:aster[ _-]?key)|c(?i:lient[ _-]?key|onsumer[ _-]?key)|C(?i:lient[ _-]?key|onsumer[ _-]?key)|w(?i:ebhook[ _-]?key)|W(?i:ebhook[ _-]?key)|j(?i:wt[ _-]?key)|J(?i:wt[ _-]?key)|h(?i:mac[ _-]?key)|H(?i:mac[ _-]?key)|f(?i:ernet[ _-]?key|unctions[ _-]?key)|F(?i:ernet[ _-]?key|unctions[ _-]?key)|l(?i:icense[ _-]?key)|L(?i:icense[ _-]?key)|r(?i:oot[ _-]?key)|R(?i:oot[ _-]?key)|o(?i:penai[ _-]?key)|O(?i:penai[ _-]?key)|v(?i:ault[ _-]?key)|V(?i:ault[ _-]?key)|t(?i:oken)|T(?i:oken)|c(?i:redentials?)|C(?i:redentials?))(?i:[_-]?(?:[0-9]{1,2}|prod|production|dev|staging|live|value|base|b64|base64|plain))?[ \\t]+\\\\*[\\\"']([^\\\"'\\n\\\\]+)", 18],
["password", ["default"], "\\\"\\w*(?:p(?i:assword|asswrd|asswd|ass ?phrase|asscode|asswort)|P(?i:assword|asswrd|asswd|ass ?phrase|asscode|asswort)|c(?i:ontrase[\u00f1n]a)|C(?i:ontrase[\u00f1n]a)|s(?i:ecret|eed[ _-]?phrase|enha)|S(?i:ecret|eed[ _-]?phrase|enha)|m(?i:nemonic|ot[ _-]de[ _-]passe)|M(?i:nemonic|ot[ _-]de[ _-]passe)|w(?i:achtwoord)|W(?i:achtwoord)|h(?i:as[\u0142l]o)|H(?i:as[\u0142l]o)|[\\\"']pass|_(?i:pass|pwd)|-(?i:pass|pwd)|\\.(?i:pass|pwd)|;(?i:pwd)|Pwd|dbPass|userPass|smtpPass|mailPass|adminPass|authPass|\u5bc6\u7801|\u5bc6\u78bc|\u53e3\u4ee4|\u51ed\u8bc1|\u5bc6\u94a5|\u30d1\u30b9\u30ef\u30fc\u30c9|\ube44\ubc00\ubc88\ud638|\u041f\u0430\u0440\u043e\u043b\u044c|\u043f\u0430\u0440\u043e\u043b\u044c|a(?i:pi[ _-]?key|pp[ _-]?key|pplication[ _-]?key|ccess[ _-]?key|uth[ _-]?key|dmin[ _-]?key|ccount[ _-]?key|es[ _-]?key|nthropic[ _-]?key)|A(?i:pi[ _-]?key|pp[ _-]?key|pplication[ _-]?key|ccess[ _-]?key|uth[ _-]?key|dmin[ _-]?key|ccount[ _-]?key|es[ _-]?key|nthropic[ _-]?key)|p(?i:rivate[ _-]?key|reshared[ _-]?key)|P(?i:rivate[ _-]?key|reshared[ _-]?key)|s(?i:ign[ _-]?key|igning[ _-]?key|ervice[ _-]?key|torage[ _-]?key|ession[ _-]?key|ecret[ _-]?key|hared[ _-]?key|ubscription[ _-]?key|sh[ _-]?key)|S(?i:ign[ _-]?key|igning[ _-]?key|ervice[ _-]?key|torage[ _-]?key|ession[ _-]?key|ecret[ _-]?key|hared[ _-]?key|ubscription[ _-]?key|sh[ _-]?key)|e(?i:ncrypt[ _-]?key|ncryption[ _-]?key)|E(?i:ncrypt[ _-]?key|ncryption[ _-]?key)|d(?i:ecryption[ _-]?key|eploy[ _-]?key)|D(?i:ecryption[ _-]?key|eploy[ _-]?key)|m(?i:aster[ _-]?key)|M(?i:aster[ _-]?key)|c(?i:lient[ _-]?key|onsumer[ _-]?key)|C(?i:lient[ _-]?key|onsumer[ _-]?key)|w(?i:ebhook[ _-]?key)|W(?i:ebhook[ _-]?key)|j(?i:wt[ _-]?key)|J(?i:wt[ _-]?key)|h(?i:mac[ _-]?key)|H(?i:mac[ _-]?key)|f(?i:ernet[ _-]?key|unctions[ _-]?key)|F(?i:ernet[ _-]?key|unctions[ _-]?key)|l(?i:icense[ _-]?key)|L(?i:icense[ _-]?key)|r(?i:oot[ _-]?key)|R(?i:oot[ _-]?key)|o(?i:penai[ _-]?key)|O(?i:penai[ _-]?key)|v(?i:ault[ _-]?key)|V(?i:ault[ _-]?key)|t(?i:oken)|T(?i:oken)|c(?i:redentials?)|C(?i:redentials?))(?i:[_-]?(?:[0-9]{1,2}|prod|production|dev|staging|live|value|base|b64|base64|plain))?\\\"[ \\t]*\\{[^{}]{0,200}?default[ \\t]*=[ \\t]*\\\\*[\\\"']([^\\\"'\\n\\\\]+)", 18],
["password", ["set ", "set\t"], "set[ \\t]+(?:-\\w+[ \\t]+)*\\w*(?:p(?i:assword|asswrd|asswd|ass ?phrase|asscode|asswort)|P(?i:assword|asswrd|asswd|ass ?phrase|asscode|asswort)|c(?i:ontrase[\u00f1n]a)|C(?i:ontrase[\u00f1n]a)|s(?i:ecret|eed[ _-]?phrase|enha)|S(?i:ecret|eed[ _-]?phrase|enha)|m(?i:nemonic|ot[ _-]de[ _-]passe)|M(?i:nemonic|ot[ _-]de[ _-]passe)|w(?i:achtwoord)|W(?i:achtwoord)|h(?i:as[\u0142l]o)|H(?i:as[\u0142l]o)|[\\\"']pass|_(?i:pass|pwd)|-(?i:pass|pwd)|\\.(?i:pass|pwd)|;(?i:pwd)|Pwd|dbPass|userPass|smtpPass|mailPass|adminPass|authPass|\u5bc6\u7801|\u5bc6\u78bc|\u53e3\u4ee4|\u51ed\u8bc1|\u5bc6\u94a5|\u30d1\u30b9\u30ef\u30fc\u30c9|\ube44\ubc00\ubc88\ud638|\u041f\u0430\u0440\u043e\u043b\u044c|\u043f\u0430\u0440\u043e\u043b\u044c|a(?i:pi[ _-]?key|pp[ _-]?key|pplication[ _-]?key|ccess[ _-]?key|uth[ _-]?key|dmin[ _-]?key|ccount[ _-]?key|es[ _-]?key|nthropic[ _-]?key)|A(?i:pi[ _-]?key|pp[ _-]?key|pplication[ _-]?key|ccess[ _-]?key|uth[ _-]?key|dmin[ _-]?key|ccount[ _-]?key|es[ _-]?key|nthropic[ _-]?key)|p(?i:rivate[ _-]?key|reshared[ _-]?key)|P(?i:rivate[ _-]?key|reshared[ _-]?key)|s(?i:ign[ _-]?key|igning[ _-]?key|ervice[ _-]?key|torage[ _-]?key|ession[ _-]?key|ecret[ _-]?key|hared[ _-]?key|ubscription[ _-]?key|sh[ _-]?key)|S(?i:ign[ _-]?key|igning[ _-]?key|ervice[ _-]?key|torage[ _-]?key|ession[ _-]?key|ecret[ _-]?key|hared[ _-]?key|ubscription[ _-]?key|sh[ _-]?key)|e(?i:ncrypt[ _-]?key|ncryption[ _-]?key)|E(?i:ncrypt[ _-]?key|ncryption[ _-]?key)|d(?i:ecryption[ _-]?key|eploy[ _-]?key)|D(?i:ecryption[ _-]?key|eploy[ _-]?key)|m(?i:aster[ _-]?key)|M(?i:aster[ _-]?key)|c(?i:lient[ _-]?key|onsumer[ _-]?key)|C(?i:lient[ _-]?key|onsumer[ _-]?key)|w(?i:ebhook[ _-]?key)|W(?i:ebhook[ _-]?key)|j(?i:wt[ _-]?key)|J(?i:wt[ _-]?key)|h(?i:mac[ _-]?key)|H(?i:mac[ _-]?key)|f(?i:ernet[ _-]?key|unctions[ _-]?key)|F(?i:ernet[ _-]?key|unctions[ _-]?key)|l(?i:icense[ _-]?key)|L(?i:icense[ _-]?key)|r(?i:oot[ _-]?key)|R(?i:oot[ _-]?key)|o(?i:penai[ _-]?key)|O(?i:penai[ _-]?key)|v(?i:ault[ _-]?key)|V(?i:ault[ _-]?key)|t(?i:oken)|T(?i:oken)|c(?i:redentials?)|C(?i:redentials?))(?i:[_-]?(?:[0-9]{1,2}|prod|production|dev|staging|live|value|base|b64|base64|plain))?[ \\t]+\\\\*[\\\"']([^\\\"'\\n\\\\]+)", 18],
["password", ["set ", "set\t"], "(?:config|configure)[ \\t]+set[ \\t]+(?:--?[\\w-]+[ \\t]+)*[\\w.:-]*(?:p(?i:assword|asswrd|asswd|ass ?phrase|asscode|asswort)|P(?i:assword|asswrd|asswd|ass ?phrase|asscode|asswort)|c(?i:ontrase[\u00f1n]a)|C(?i:ontrase[\u00f1n]a)|s(?i:ecret|eed[ _-]?phrase|enha)|S(?i:ecret|eed[ _-]?phrase|enha)|m(?i:nemonic|ot[ _-]de[ _-]passe)|M(?i:nemonic|ot[ _-]de[ _-]passe)|w(?i:achtwoord)|W(?i:achtwoord)|h(?i:as[\u0142l]o)|H(?i:as[\u0142l]o)|[\\\"']pass|_(?i:pass|pwd)|-(?i:pass|pwd)|\\.(?i:pass|pwd)|;(?i:pwd)|Pwd|dbPass|userPass|smtpPass|mailPass|adminPass|authPass|\u5bc6\u7801|\u5bc6\u78bc|\u53e3\u4ee4|\u51ed\u8bc1|\u5bc6\u94a5|\u30d1\u30b9\u30ef\u30fc\u30c9|\ube44\ubc00\ubc88\ud638|\u041f\u0430\u0440\u043e\u043b\u044c|\u043f\u0430\u0440\u043e\u043b\u044c|a(?i:pi[ _-]?key|pp[ _-]?key|pplication[ _-]?key|ccess[ _-]?key|uth[ _-]?key|dmin[ _-]?key|ccount[ _-]?key|es[ _-]?key|nthropic[ _-]?key)|A(?i:pi[ _-]?key|pp[ _-]?key|pplication[ _-]?key|ccess[ _-]?key|uth[ _-]?key|dmin[ _-]?key|ccount[ _-]?key|es[ _-]?key|nthropic[ _-]?key)|p(?i:rivate[ _-]?key|reshared[ _-]?key)|P(?i:rivate[ _-]?key|reshared[ _-]?key)|s(?i:ign[ _-]?key|igning[ _-]?key|ervice[ _-]?key|torage[ _-]?key|ession[ _-]?key|ecret[ _-]?key|hared[ _-]?key|ubscription[ _-]?key|sh[ _-]?key)|S(?i:ign[ _-]?key|igning[ _-]?key|ervice[ _-]?key|torage[ _-]?key|ession[ _-]?key|ecret[ _-]?key|hared[ _-]?key|ubscription[ _-]?key|sh[ _-]?key)|e(?i:ncrypt[ _-]?key|ncryption[ _-]?key)|E(?i:ncrypt[ _-]?key|ncryption[ _-]?key)|d(?i:ecryption[ _-]?key|eploy[ _-]?key)|D(?i:ecryption[ _-]?key|eploy[ _-]?key)|m(?i:aster[ _-]?key)|M(?i:aster[ _-]?key)|c(?i:lient[ _-]?key|onsumer[ _-]?key)|C(?i:lient[ _-]?key|onsumer[ _-]?key)|w(?i:ebhook[ _-]?key)|W(?i:ebhook[ _-]?key)|j(?i:wt[ _-]?key)|J(?i:wt[ _-]?key)|h(?i:mac[ _-]?key)|H(?i:mac[ _-]?key)|f(?i:ernet[ _-]?key|unctions[ _-]?key)|F(?i:ernet[ _-]?key|unctions[ _-]?key)|l(?i:icense[ _-]?key)|L(?i:icense[ _-]?key)|r(?i:oot[ _-]?key)|R(?i:oot[ _-]?key)|o(?i:penai[ _-]?key)|O(?i:penai[ _-]?key)|v(?i:ault[ _-]?key)|V(?i:ault[ _-]?key)|t(?i:oken)|T(?i:oken)|c(?i:redentials?)|C(?i:redentials?))(?i:[_-]?(?:[0-9]{1,2}|prod|production|dev|staging|live|value|base|b64|base64|plain))?[ \\t]+[\\\"']?([^\\s\\\"']+)", 14],["password", ["login", "auth"], "(?:login|[aA]uth)(?:[ \\t]*=[ \\t]*)?\\([ \\t]*[\\\"'][^\\\"'\\n]{1,80}[\\\"'],[ \\t]*[\\\"']([^\\\"'\\n]+)[\\\"'][ \\t]*\\)", 19],
["password", ["[["], "(?:p(?i:assword|asswrd|asswd|ass ?phrase|asscode|asswort)|P(?i:assword|asswrd|asswd|ass ?phrase|asscode|asswort)|c(?i:ontrase[\u00f1n]a)|C(?i:ontrase[\u00f1n]a)|s(?i:ecret|eed[ _-]?phrase|enha)|S(?i:ecret|eed[ _-]?phrase|enha)|m(?i:nemonic|ot[ _-]de[ _-]passe)|M(?i:nemonic|ot[ _-]de[ _-]passe)|w(?i:achtwoord)|W(?i:achtwoord)|h(?i:as[\u0142l]o)|H(?i:as[\u0142l]o)|[\\\"']pass|_(?i:pass|pwd)|-(?i:pass|pwd)|\\.(?i:pass|pwd)|;(?i:pwd)|Pwd|dbPass|userPass|smtpPass|mailPass|adminPass|authPass|\u5bc6\u7801|\u5bc6\u78bc|\u53e3\u4ee4|\u51ed\u8bc1|\u5bc6\u94a5|\u30d1\u30b9\u30ef\u30fc\u30c9|\ube44\ubc00\ubc88\ud638|\u041f\u0430\u0440\u043e\u043b\u044c|\u043f\u0430\u0440\u043e\u043b\u044c|a(?i:pi[ _-]?key|pp[ _-]?key|pplication[ _-]?key|ccess[ _-]?key|uth[ _-]?key|dmin[ _-]?key|ccount[ _-]?key|es[ _-]?key|nthropic[ _-]?key)|A(?i:pi[ _-]?key|pp[ _-]?key|pplication[ _-]?key|ccess[ _-]?key|uth[ _-]?key|dmin[ _-]?key|ccount[ _-]?key|es[ _-]?key|nthropic[ _-]?key)|p(?i:rivate[ _-]?key|reshared[ _-]?key)|P(?i:rivate[ _-]?key|reshared[ _-]?key)|s(?i:ign[ _-]?key|igning[ _-]?key|ervice[ _-]?key|torage[ _-]?key|ession[ _-]?key|ecret[ _-]?key|hared[ _-]?key|ubscription[ _-]?key|sh[ _-]?key)|S(?i:ign[ _-]?key|igning[ _-]?key|ervice[ _-]?key|torage[ _-]?key|ession[ _-]?key|ecret[ _-]?key|hared[ _-]?key|ubscription[ _-]?key|sh[ _-]?key)|e(?i:ncrypt[ _-]?key|ncryption[ _-]?key)|E(?i:ncrypt[ _-]?key|ncryption[ _-]?key)|d(?i:ecryption[ _-]?key|eploy[ _-]?key)|D(?i:ecryption[ _-]?key|eploy[ _-]?key)|m(?i:aster[ _-]?key)|M(?i:aster[ _-]?key)|c(?i:lient[ _-]?key|onsumer[ _-]?key)|C(?i:lient[ _-]?key|onsumer[ _-]?key)|w(?i:ebhook[ _-]?key)|W(?i:ebhook[ _-]?key)|j(?i:wt[ _-]?key)|J(?i:wt[ _-]?key)|h(?i:mac[ _-]?key)|H(?i:mac[ _-]?key)|f(?i:ernet[ _-]?key|unctions[ _-]?key)|F(?i:ernet[ _-]?key|unctions[ _-]?key)|l(?i:icense[ _-]?key)|L(?i:icense[ _-]?key)|r(?i:oot[ _-]?key)|R(?i:oot[ _-]?key)|o(?i:penai[ _-]?key)|O(?i:penai[ _-]?key)|v(?i:ault[ _-]?key)|V(?i:ault[ _-]?key)|t(?i:oken)|T(?i:oken)|c(?i:redentials?)|C(?i:redentials?))(?i:[_-]?(?:[0-9]{1,2}|prod|production|dev|staging|live|value|base|b64|base64|plain))?[ \\t]*=[ \\t]*\\[\\[([^\\]\\n]+)\\]\\]", 18],["password", ["getconnection(", "mysqli"], "(?:getConnection\\([^()\\n]{1,200}|mysqli(?:_connect)?\\([ \\t]*[\\\"'][^\\\"'\\n]*[\\\"']),[ \\t]*[\\\"'][^\\\"'\\n]*[\\\"'],[ \\t]*[\\\"']([^\\\"'\\n]+)[\\\"']", 14],
["password", ["requirepass", "masterauth"], "(?:requirepass|masterauth)[ \\t]+[\\\"']?([^\\s\\\"']+)", 14],["password", ["securestring"], "ConvertTo-SecureString[ \\t]+(?:-String[ \\t]+)?\\\\*[\\\"']([^\\\"'\\n\\\\]+)", 14],["password", ["pass", "pwd", "pw"], "(?:\\$|\\b(?:var|let|const|my|val|string)[ \\t]+\\$?)(?:pass|pwd|pw)[ \\t]*:?=[ \\t]*\\\\*[\\\"']([^\\\"'\\n\\\\]+)", 20],["password", ["password for"], "(?i)password for \\S+: ([^\\s\\\"'`]*[0-9!@#$%^*+][^\\s\\\"'`]*)", 14],["password", ["sqlcmd"], "sqlcmd(?:[ \\t]+[^\\s|;&]+){0,8}?[ \\t]+-P[ \\t]*[\\\"']?([^\\s\\\"']+)", 14],["password", ["password ", "password\t"], "password[ \\t]+([^\\s\\\"'`,;<>(){}\\[\\]]{8,})", 21],["token", ["--with-token"], "--with-token[ \\t]*<<<[ \\t]*[\\\"']?([^\\s\\\"']+)", 14],["password", ["password", "passwrd", "passwd", "pass phrase", "passphrase", "passcode", "passwort", "contrase", "secret", "mnemonic", "senha", "de passe", "de_passe", "de-passe", "wachtwoord", "has\u0142o", "haslo", "seed", "pwd", "_pass", "-pass", ".pass", "\"pass", "'pass", "dbpass", "userpass", "smtppass", "mailpass", "adminpass", "authpass", "\u5bc6\u7801", "\u5bc6\u78bc", "\u53e3\u4ee4", "\u51ed\u8bc1", "\u5bc6\u94a5", "\u30d1\u30b9\u30ef\u30fc\u30c9", "\ube44\ubc00\ubc88\ud638", "\u043f\u0430\u0440\u043e\u043b\u044c"], "\\|[ \\t*`]*(?:\\w+[ _-])?(?:p(?i:assword|asswrd|asswd|ass ?phrase|asscode|asswort)|P(?i:assword|asswrd|asswd|ass ?phrase|asscode|asswort)|c(?i:ontrase[\u00f1n]a)|C(?i:ontrase[\u00f1n]a)|s(?i:ecret|eed[ _-]?phrase|enha)|S(?i:ecret|eed[ _-]?phrase|enha)|m(?i:nemonic|ot[ _-]de[ _-]passe)|M(?i:nemonic|ot[ _-]de[ _-]passe)|w(?i:achtwoord)|W(?i:achtwoord)|h(?i:as[\u0142l]o)|H(?i:as[\u0142l]o)|[\\\"']pass|_(?i:pass|pwd)|-(?i:pass|pwd)|\\.(?i:pass|pwd)|;(?i:pwd)|Pwd|dbPass|userPass|smtpPass|mailPass|adminPass|authPass|\u5bc6\u7801|\u5bc6\u78bc|\u53e3\u4ee4|\u51ed\u8bc1|\u5bc6\u94a5|\u30d1\u30b9\u30ef\u30fc\u30c9|\ube44\ubc00\ubc88\ud638|\u041f\u0430\u0440\u043e\u043b\u044c|\u043f\u0430\u0440\u043e\u043b\u044c)[ \\t*`]*\\|[ \\t*`]*([^\\s|`*]+)[ \\t*`]*\\|", 22],["password", ["password", "identified"], "(?i)(?:password|identified[ \\t]+(?:with[ \\t]+\\w+[ \\t]+)?by)[ \\t]+(?:password[ \\t]+)?'([^'\\n]+)'", 23],
["password", ["pass", "pwd", "secret", "token", "key", "credential", "password", "passwrd", "passwd", "pass phrase", "passphrase", "passcode", "passwort", "contrase", "mnemonic", "senha", "de passe", "de_passe", "de-passe", "wachtwoord", "has\u0142o", "haslo", "seed", "_pass", "-pass", ".pass", "\"pass", "'pass", "dbpass", "userpass", "smtppass", "mailpass", "adminpass", "authpass", "\u5bc6\u7801", "\u5bc6\u78bc", "\u53e3\u4ee4", "\u51ed\u8bc1", "\u5bc6\u94a5", "\u30d1\u30b9\u30ef\u30fc\u30c9", "\ube44\ubc00\ubc88\ud638", "\u043f\u0430\u0440\u043e\u043b\u044c"], "name=\\\\*\\\"[\\w.-]*(?:(?:p(?i:assword|asswrd|asswd|ass ?phrase|asscode|asswort)|P(?i:assword|asswrd|asswd|ass ?phrase|asscode|asswort)|c(?i:ontrase[\u00f1n]a)|C(?i:ontrase[\u00f1n]a)|s(?i:ecret|eed[ _-]?phrase|enha)|S(?i:ecret|eed[ _-]?phrase|enha)|m(?i:nemonic|ot[ _-]de[ _-]passe)|M(?i:nemonic|ot[ _-]de[ _-]passe)|w(?i:achtwoord)|W(?i:achtwoord)|h(?i:as[\u0142l]o)|H(?i:as[\u0142l]o)|[\\\"']pass|_(?i:pass|pwd)|-(?i:pass|pwd)|\\.(?i:pass|pwd)|;(?i:pwd)|Pwd|dbPass|userPass|smtpPass|mailPass|adminPass|authPass|\u5bc6\u7801|\u5bc6\u78bc|\u53e3\u4ee4|\u51ed\u8bc1|\u5bc6\u94a5|\u30d1\u30b9\u30ef\u30fc\u30c9|\ube44\ubc00\ubc88\ud638|\u041f\u0430\u0440\u043e\u043b\u044c|\u043f\u0430\u0440\u043e\u043b\u044c|a(?i:pi[ _-]?key|pp[ _-]?key|pplication[ _-]?key|ccess[ _-]?key|uth[ _-]?key|dmin[ _-]?key|ccount[ _-]?key|es[ _-]?key|nthropic[ _-]?key)|A(?i:pi[ _-]?key|pp[ _-]?key|pplication[ _-]?key|ccess[ _-]?key|uth[ _-]?key|dmin[ _-]?key|ccount[ _-]?key|es[ _-]?key|nthropic[ _-]?key)|p(?i:rivate[ _-]?key|reshared[ _-]?key)|P(?i:rivate[ _-]?key|reshared[ _-]?key)|s(?i:ign[ _-]?key|igning[ _-]?key|ervice[ _-]?key|torage[ _-]?key|ession[ _-]?key|ecret[ _-]?key|hared[ _-]?key|ubscription[ _-]?key|sh[ _-]?key)|S(?i:ign[ _-]?key|igning[ _-]?key|ervice[ _-]?key|torage[ _-]?key|ession[ _-]?key|ecret[ _-]?key|hared[ _-]?key|ubscription[ _-]?key|sh[ _-]?key)|e(?i:ncrypt[ _-]?key|ncryption[ _-]?key)|E(?i:ncrypt[ _-]?key|ncryption[ _-]?key)|d(?i:ecryption[ _-]?key|eploy[ _-]?key)|D(?i:ecryption[ _-]?key|eploy[ _-]?key)|m(?i:aster[ _-]?key)|M(?i:aster[ _-]?key)|c(?i:lient[ _-]?key|onsumer[ _-]?key)|C(?i:lient[ _-]?key|onsumer[ _-]?key)|w(?i:ebhook[ _-]?key)|W(?i:ebhook[ _-]?key)|j(?i:wt[ _-]?key)|J(?i:wt[ _-]?key)|h(?i:mac[ _-]?key)|H(?i:mac[ _-]?key)|f(?i:ernet[ _-]?key|unctions[ _-]?key)|F(?i:ernet[ _-]?key|unctions[ _-]?key)|l(?i:icense[ _-]?key)|L(?i:icense[ _-]?key)|r(?i:oot[ _-]?key)|R(?i:oot[ _-]?key)|o(?i:penai[ _-]?key)|O(?i:penai[ _-]?key)|v(?i:ault[ _-]?key)|V(?i:ault[ _-]?key)|t(?i:oken)|T(?i:oken)|c(?i:redentials?)|C(?i:redentials?))(?i:[_-]?(?:[0-9]{1,2}|prod|production|dev|staging|live|value|base|b64|base64|plain))?)\\\\*\\\"(?:\\\\r\\\\n|\\r?\\n)(?:[A-Z][\\w-]+:[^\\n]*\\n)?(?:\\\\r\\\\n|\\r?\\n)([^\\s\\\\]+)", 14],
["password", ["psk"], "(?:^|[\\s_\\\"'{])[pP][sS][kK][\\\"']?[ \\t]*[=:][ \\t]*[\\\"']?([^\\s\\\"',}]{8,})", 14],["password", ["htpasswd"], "htpasswd(?:[ \\t]+-\\w+)*[ \\t]+-\\w*b\\w*(?:[ \\t]+-\\w+)*(?:[ \\t]+[^\\s-]\\S*){1,2}[ \\t]+[\\\"']?([^\\s\\\"'|;&>]+)", 14],["password", ["mysqladmin"], "mysqladmin(?:[ \\t]+-\\S+)*[ \\t]+password[ \\t]+[\\\"']?([^\\s\\\"'|;&]+)", 14],["password", ["chpasswd"], "[\\s\\\"'][\\w.-]+:([^\\s\\\"':]+)[\\\"']?[ \\t]*\\|[ \\t]*(?:sudo[ \\t]+)?chpasswd", 14],["password", ["--password-stdin", "--with-token", "--stdin", "sudo -s"], "(?:echo|printf)[ \\t]+(?:-\\w+[ \\t]+)?[\\\"']?([^\\s\\\"'|]+)[\\\"']?[ \\t]*\\|[^|;\\n]{0,80}(?:--password-stdin|--with-token|--stdin|sudo -S)", 24],["token", ["secret set"], "secret set[ \\t]+[^\\n|;&]{1,80}?(?:--body|-b)[ \\t=]+[\\\"']?([^\\s\\\"']+)", 14],["password", ["password", "passwd", "passphrase", "secret", "_pass", "_pwd", "_pw"], "(?:PASSWORD|PASSWD|PASSPHRASE|SECRET|_PASS|_PWD|_PW)(?:_(?:KEY|BASE|PROD|DEV|STAGING|LIVE|TEST|VALUE|OLD|NEW|B64|BASE64|[0-9]{1,2})){0,2}=(?:\\\"([^\\\"\\n]+)|'([^'\\n]+)|((?:[^\\s\\\"'`\\\\]|\\\\[^nrt\\s\\\"'])+))", 25],["token", ["token", "_key", "apikey", "credential", "_pat", "_auth"], "(?:TOKEN|APIKEY|CREDENTIALS?|_PAT|_AUTH|(?:API|APP|ACCESS|PRIVATE|SIGNING|ENCRYPTION|MASTER|AUTH|ADMIN|SERVICE|ACCOUNT|STORAGE|SESSION|CLIENT|WEBHOOK|DEPLOY|JWT|HMAC|FERNET)_KEY)(?:_(?:KEY|BASE|PROD|DEV|STAGING|LIVE|TEST|VALUE|OLD|NEW|B64|BASE64|[0-9]{1,2})){0,2}=(?:\\\"([^\\\"\\n]+)|'([^'\\n]+)|((?:[^\\s\\\"'`\\\\]|\\\\[^nrt\\s\\\"'])+))", 26],["key", ["_key"], "[A-Z0-9]_KEY=(?:\\\"([^\\\"\\n]+)|'([^'\\n]+)|((?:[^\\s\\\"'`\\\\]|\\\\[^nrt\\s\\\"'])+))", 17],["key", ["_key", "-key", "akey", "bkey", "ckey", "dkey", "ekey", "fkey", "gkey", "hkey", "ikey", "jkey", "kkey", "lkey", "mkey", "nkey", "okey", "pkey", "qkey", "rkey", "skey", "tkey", "ukey", "vkey", "wkey", "xkey", "ykey", "zkey", "0key", "1key", "2key", "3key", "4key", "5key", "6key", "7key", "8key", "9key"], "(?:[ABD-Zabd-z0-9][_-][Kk][Ee][Yy]|[abd-z0-9]Key)(?:\\\\*[\\\"'`])?\\]?\\*{0,2}(?: \\[[^\\]\\n]{0,24}\\])?(?::[ \\t]*&?(?:'[a-z]+[ \\t]+)?[A-Za-z][\\w.|\\[\\]<>]*[ \\t]*=[ \\t]*|[ \\t]*(?:=>|(?:[:?+!]|[|]{2}|[?]{2})?={1,3}|%3[Dd])[ \\t]*|[ \\t]*[:\uff1a\u662f\u4e3a\u306f\u2192][ \\t]*\\*{0,2}[ \\t]*)(?:\\\\?\\r?\\n[ \\t]*|[|>][+-]?\\r?\\n[ \\t]*)?\\\\*[\\\"'`]?([A-Za-z0-9+/_=.~-]{20,})", 17],["password", ["${"], "\\$\\{\\w*(?:PASS|SECRET|TOKEN|KEY|PWD)\\w*:?[-=]([^}\\s$]+)\\}", 14],
["password", ["password", "passwrd", "passwd", "pass phrase", "passphrase", "passcode", "passwort", "contrase", "secret", "mnemonic", "senha", "de passe", "de_passe", "de-passe", "wachtwoord", "has\u0142o", "haslo", "seed", "pwd", "_pass", "-pass", ".pass", "\"pass", "'pass", "dbpass", "userpass", "smtppass", "mailpass", "adminpass", "authpass", "\u5bc6\u7801", "\u5bc6\u78bc", "\u53e3\u4ee4", "\u51ed\u8bc1", "\u5bc6\u94a5", "\u30d1\u30b9\u30ef\u30fc\u30c9", "\ube44\ubc00\ubc88\ud638", "\u043f\u0430\u0440\u043e\u043b\u044c"], "(?:p(?i:assword|asswrd|asswd|ass ?phrase|asscode|asswort)|P(?i:assword|asswrd|asswd|ass ?phrase|asscode|asswort)|c(?i:ontrase[\u00f1n]a)|C(?i:ontrase[\u00f1n]a)|s(?i:ecret|eed[ _-]?phrase|enha)|S(?i:ecret|eed[ _-]?phrase|enha)|m(?i:nemonic|ot[ _-]de[ _-]passe)|M(?i:nemonic|ot[ _-]de[ _-]passe)|w(?i:achtwoord)|W(?i:achtwoord)|h(?i:as[\u0142l]o)|H(?i:as[\u0142l]o)|[\\\"']pass|_(?i:pass|pwd)|-(?i:pass|pwd)|\\.(?i:pass|pwd)|;(?i:pwd)|Pwd|dbPass|userPass|smtpPass|mailPass|adminPass|authPass|\u5bc6\u7801|\u5bc6\u78bc|\u53e3\u4ee4|\u51ed\u8bc1|\u5bc6\u94a5|\u30d1\u30b9\u30ef\u30fc\u30c9|\ube44\ubc00\ubc88\ud638|\u041f\u0430\u0440\u043e\u043b\u044c|\u043f\u0430\u0440\u043e\u043b\u044c)(?i:[_-]?(?:[0-9]{1,2}|prod|production|dev|staging|live|value|base|b64|base64|plain))?(?:\\\\*[\\\"'`])?\\]?\\*{0,2}(?: \\[[^\\]\\n]{0,24}\\])?(?::[ \\t]*&?(?:'[a-z]+[ \\t]+)?[A-Za-z][\\w.|\\[\\]<>]*[ \\t]*=[ \\t]*|[ \\t]*(?:=>|(?:[:?+!]|[|]{2}|[?]{2})?={1,3}|%3[Dd])[ \\t]*|[ \\t]*[:\uff1a\u662f\u4e3a\u306f\u2192][ \\t]*\\*{0,2}[ \\t]*)(?:\\\\?\\r?\\n[ \\t]*|[|>][+-]?\\r?\\n[ \\t]*)?[brfuBRFU@$]{0,2}(?:\\\\+\\\"((?:[^\\\"\\\\\\n]|\\\\[^\\\"\\n])+)|\\\"((?:[^\\\"\\\\\\n]|\\\\[^\\n])+)|\\\\*'((?:[^'\\\\\\n]|\\\\[^'\\n])+)|`([^`\\n]+))", 20],
["password", ["password", "passwrd", "passwd", "pass phrase", "passphrase", "passcode", "passwort", "contrase", "secret", "mnemonic", "senha", "de passe", "de_passe", "de-passe", "wachtwoord", "has\u0142o", "haslo", "seed", "pwd", "_pass", "-pass", ".pass", "\"pass", "'pass", "dbpass", "userpass", "smtppass", "mailpass", "adminpass", "authpass", "\u5bc6\u7801", "\u5bc6\u78bc", "\u53e3\u4ee4", "\u51ed\u8bc1", "\u5bc6\u94a5", "\u30d1\u30b9\u30ef\u30fc\u30c9", "\ube44\ubc00\ubc88\ud638", "\u043f\u0430\u0440\u043e\u043b\u044c"], "(?:p(?i:assword|asswrd|asswd|ass ?phrase|asscode|asswort)|P(?i:assword|asswrd|asswd|ass ?phrase|asscode|asswort)|c(?i:ontrase[\u00f1n]a)|C(?i:ontrase[\u00f1n]a)|s(?i:ecret|eed[ _-]?phrase|enha)|S(?i:ecret|eed[ _-]?phrase|enha)|m(?i:nemonic|ot[ _-]de[ _-]passe)|M(?i:nemonic|ot[ _-]de[ _-]passe)|w(?i:achtwoord)|W(?i:achtwoord)|h(?i:as[\u0142l]o)|H(?i:as[\u0142l]o)|[\\\"']pass|_(?i:pass|pwd)|-(?i:pass|pwd)|\\.(?i:pass|pwd)|;(?i:pwd)|Pwd|dbPass|userPass|smtpPass|mailPass|adminPass|authPass|\u5bc6\u7801|\u5bc6\u78bc|\u53e3\u4ee4|\u51ed\u8bc1|\u5bc6\u94a5|\u30d1\u30b9\u30ef\u30fc\u30c9|\ube44\ubc00\ubc88\ud638|\u041f\u0430\u0440\u043e\u043b\u044c|\u043f\u0430\u0440\u043e\u043b\u044c)(?i:[_-]?(?:[0-9]{1,2}|prod|production|dev|staging|live|value|base|b64|base64|plain))?(?:\\\\*[\\\"'`])?\\]?\\*{0,2}(?: \\[[^\\]\\n]{0,24}\\])?[ \\t]*(?:=>|(?:[:?+!]|[|]{2}|[?]{2})?={1,3}|%3[Dd])[ \\t]*([^\\s\"'`,;<>{}()\\[\\]\\\\&|\u3001\u3002\uff01\uff08\uff09\uff0c\uff1b\uff1f\u300c\u300d\u201c\u201d:=][^\\s\"'`,;<>{}()\\[\\]\\\\&|\u3001\u3002\uff01\uff08\uff09\uff0c\uff1b\uff1f\u300c\u300d\u201c\u201d]*[(\\[{]?)", 15],
["password", ["password", "passwrd", "passwd", "pass phrase", "passphrase", "passcode", "passwort", "contrase", "secret", "mnemonic", "senha", "de passe", "de_passe", "de-passe", "wachtwoord", "has\u0142o", "haslo", "seed", "pwd", "_pass", "-pass", ".pass", "\"pass", "'pass", "dbpass", "userpass", "smtppass", "mailpass", "adminpass", "authpass", "\u5bc6\u7801", "\u5bc6\u78bc", "\u53e3\u4ee4", "\u51ed\u8bc1", "\u5bc6\u94a5", "\u30d1\u30b9\u30ef\u30fc\u30c9", "\ube44\ubc00\ubc88\ud638", "\u043f\u0430\u0440\u043e\u043b\u044c"], "(?:p(?i:assword|asswrd|asswd|ass ?phrase|asscode|asswort)|P(?i:assword|asswrd|asswd|ass ?phrase|asscode|asswort)|c(?i:ontrase[\u00f1n]a)|C(?i:ontrase[\u00f1n]a)|s(?i:ecret|eed[ _-]?phrase|enha)|S(?i:ecret|eed[ _-]?phrase|enha)|m(?i:nemonic|ot[ _-]de[ _-]passe)|M(?i:nemonic|ot[ _-]de[ _-]passe)|w(?i:achtwoord)|W(?i:achtwoord)|h(?i:as[\u0142l]o)|H(?i:as[\u0142l]o)|[\\\"']pass|_(?i:pass|pwd)|-(?i:pass|pwd)|\\.(?i:pass|pwd)|;(?i:pwd)|Pwd|dbPass|userPass|smtpPass|mailPass|adminPass|authPass|\u5bc6\u7801|\u5bc6\u78bc|\u53e3\u4ee4|\u51ed\u8bc1|\u5bc6\u94a5|\u30d1\u30b9\u30ef\u30fc\u30c9|\ube44\ubc00\ubc88\ud638|\u041f\u0430\u0440\u043e\u043b\u044c|\u043f\u0430\u0440\u043e\u043b\u044c)(?i:[_-]?(?:[0-9]{1,2}|prod|production|dev|staging|live|value|base|b64|base64|plain))?(?:\\\\*[\\\"'`])?\\]?\\*{0,2}(?: \\[[^\\]\\n]{0,24}\\])?[ \\t]*[:\uff1a\u662f\u4e3a\u306f\u2192][ \\t]*\\*{0,2}[ \\t]*(?:[|>][+-]?\\r?\\n[ \\t]*)?-?([^\\s\"'`,;<>{}()\\[\\]\\\\&|\u3001\u3002\uff01\uff08\uff09\uff0c\uff1b\uff1f\u300c\u300d\u201c\u201d:=][^\\s\"'`,;<>{}()\\[\\]\\\\&|\u3001\u3002\uff01\uff08\uff09\uff0c\uff1b\uff1f\u300c\u300d\u201c\u201d]*[(\\[{]?)", 27],
["password", ["password", "passwrd", "passwd", "pass phrase", "passphrase", "passcode", "passwort", "contrase", "secret", "mnemonic", "senha", "de passe", "de_passe", "de-passe", "wachtwoord", "has\u0142o", "haslo", "seed", "pwd", "_pass", "-pass", ".pass", "\"pass", "'pass", "dbpass", "userpass", "smtppass", "mailpass", "adminpass", "authpass", "\u5bc6\u7801", "\u5bc6\u78bc", "\u53e3\u4ee4", "\u51ed\u8bc1", "\u5bc6\u94a5", "\u30d1\u30b9\u30ef\u30fc\u30c9", "\ube44\ubc00\ubc88\ud638", "\u043f\u0430\u0440\u043e\u043b\u044c"], "(?:p(?i:assword|asswrd|asswd|ass ?phrase|asscode|asswort)|P(?i:assword|asswrd|asswd|ass ?phrase|asscode|asswort)|c(?i:ontrase[\u00f1n]a)|C(?i:ontrase[\u00f1n]a)|s(?i:ecret|eed[ _-]?phrase|enha)|S(?i:ecret|eed[ _-]?phrase|enha)|m(?i:nemonic|ot[ _-]de[ _-]passe)|M(?i:nemonic|ot[ _-]de[ _-]passe)|w(?i:achtwoord)|W(?i:achtwoord)|h(?i:as[\u0142l]o)|H(?i:as[\u0142l]o)|[\\\"']pass|_(?i:pass|pwd)|-(?i:pass|pwd)|\\.(?i:pass|pwd)|;(?i:pwd)|Pwd|dbPass|userPass|smtpPass|mailPass|adminPass|authPass|\u5bc6\u7801|\u5bc6\u78bc|\u53e3\u4ee4|\u51ed\u8bc1|\u5bc6\u94a5|\u30d1\u30b9\u30ef\u30fc\u30c9|\ube44\ubc00\ubc88\ud638|\u041f\u0430\u0440\u043e\u043b\u044c|\u043f\u0430\u0440\u043e\u043b\u044c)(?i:[_-]?(?:[0-9]{1,2}|prod|production|dev|staging|live|value|base|b64|base64|plain))?(?:\\\\*[\\\"'`])?\\]?\\*{0,2}(?: \\[[^\\]\\n]{0,24}\\])?[ \\t]*[:\uff1a\u662f\u4e3a\u306f\u2192][ \\t]*\\*{0,2}[ \\t]*(?:[|>][+-]?\\r?\\n[ \\t]*)?([A-Za-z][A-Za-z._-]*)[ \\t]*\\r?(?m:$)", 15],
["password", ["password", "passwrd", "passwd", "pass phrase", "passphrase", "passcode", "passwort", "contrase", "secret", "mnemonic", "senha", "de passe", "de_passe", "de-passe", "wachtwoord", "has\u0142o", "haslo", "seed", "pwd", "_pass", "-pass", ".pass", "\"pass", "'pass", "dbpass", "userpass", "smtppass", "mailpass", "adminpass", "authpass", "\u5bc6\u7801", "\u5bc6\u78bc", "\u53e3\u4ee4", "\u51ed\u8bc1", "\u5bc6\u94a5", "\u30d1\u30b9\u30ef\u30fc\u30c9", "\ube44\ubc00\ubc88\ud638", "\u043f\u0430\u0440\u043e\u043b\u044c"], "--?(?:[A-Za-z0-9]+[-_]){0,4}(?:p(?i:assword|asswrd|asswd|ass ?phrase|asscode|asswort)|P(?i:assword|asswrd|asswd|ass ?phrase|asscode|asswort)|c(?i:ontrase[\u00f1n]a)|C(?i:ontrase[\u00f1n]a)|s(?i:ecret|eed[ _-]?phrase|enha)|S(?i:ecret|eed[ _-]?phrase|enha)|m(?i:nemonic|ot[ _-]de[ _-]passe)|M(?i:nemonic|ot[ _-]de[ _-]passe)|w(?i:achtwoord)|W(?i:achtwoord)|h(?i:as[\u0142l]o)|H(?i:as[\u0142l]o)|[\\\"']pass|_(?i:pass|pwd)|-(?i:pass|pwd)|\\.(?i:pass|pwd)|;(?i:pwd)|Pwd|dbPass|userPass|smtpPass|mailPass|adminPass|authPass|\u5bc6\u7801|\u5bc6\u78bc|\u53e3\u4ee4|\u51ed\u8bc1|\u5bc6\u94a5|\u30d1\u30b9\u30ef\u30fc\u30c9|\ube44\ubc00\ubc88\ud638|\u041f\u0430\u0440\u043e\u043b\u044c|\u043f\u0430\u0440\u043e\u043b\u044c)(?i:[_-]?(?:[0-9]{1,2}|prod|production|dev|staging|live|value|base|b64|base64|plain))?[\\\"']?(?:[ \\t]+|,[ \\t]*)[\\\"']?([^\\s\"'`,;<>{}()\\[\\]\\\\&|\u3001\u3002\uff01\uff08\uff09\uff0c\uff1b\uff1f\u300c\u300d\u201c\u201d:=][^\\s\"'`,;<>{}()\\[\\]\\\\&|\u3001\u3002\uff01\uff08\uff09\uff0c\uff1b\uff1f\u300c\u300d\u201c\u201d]*[(\\[{]?)", 28],
["password", ["password", "passwrd", "passwd", "pass phrase", "passphrase", "passcode", "passwort", "contrase", "secret", "mnemonic", "senha", "de passe", "de_passe", "de-passe", "wachtwoord", "has\u0142o", "haslo", "seed", "pwd", "_pass", "-pass", ".pass", "\"pass", "'pass", "dbpass", "userpass", "smtppass", "mailpass", "adminpass", "authpass", "\u5bc6\u7801", "\u5bc6\u78bc", "\u53e3\u4ee4", "\u51ed\u8bc1", "\u5bc6\u94a5", "\u30d1\u30b9\u30ef\u30fc\u30c9", "\ube44\ubc00\ubc88\ud638", "\u043f\u0430\u0440\u043e\u043b\u044c"], "--?(?:[A-Za-z0-9]+[-_]){0,4}(?:p(?i:assword|asswrd|asswd|ass ?phrase|asscode|asswort)|P(?i:assword|asswrd|asswd|ass ?phrase|asscode|asswort)|c(?i:ontrase[\u00f1n]a)|C(?i:ontrase[\u00f1n]a)|s(?i:ecret|eed[ _-]?phrase|enha)|S(?i:ecret|eed[ _-]?phrase|enha)|m(?i:nemonic|ot[ _-]de[ _-]passe)|M(?i:nemonic|ot[ _-]de[ _-]passe)|w(?i:achtwoord)|W(?i:achtwoord)|h(?i:as[\u0142l]o)|H(?i:as[\u0142l]o)|[\\\"']pass|_(?i:pass|pwd)|-(?i:pass|pwd)|\\.(?i:pass|pwd)|;(?i:pwd)|Pwd|dbPass|userPass|smtpPass|mailPass|adminPass|authPass|\u5bc6\u7801|\u5bc6\u78bc|\u53e3\u4ee4|\u51ed\u8bc1|\u5bc6\u94a5|\u30d1\u30b9\u30ef\u30fc\u30c9|\ube44\ubc00\ubc88\ud638|\u041f\u0430\u0440\u043e\u043b\u044c|\u043f\u0430\u0440\u043e\u043b\u044c)(?i:[_-]?(?:[0-9]{1,2}|prod|production|dev|staging|live|value|base|b64|base64|plain))?[\\\"']?(?:[ \\t]+|,[ \\t]*)[brfuBRFU@$]{0,2}(?:\\\\+\\\"((?:[^\\\"\\\\\\n]|\\\\[^\\\"\\n])+)|\\\"((?:[^\\\"\\\\\\n]|\\\\[^\\n])+)|\\\\*'((?:[^'\\\\\\n]|\\\\[^'\\n])+)|`([^`\\n]+))", 29],
["password", ["password", "passwrd", "passwd", "pass phrase", "passphrase", "passcode", "passwort", "contrase", "secret", "mnemonic", "senha", "de passe", "de_passe", "de-passe", "wachtwoord", "has\u0142o", "haslo", "seed", "pwd", "_pass", "-pass", ".pass", "\"pass", "'pass", "dbpass", "userpass", "smtppass", "mailpass", "adminpass", "authpass", "\u5bc6\u7801", "\u5bc6\u78bc", "\u53e3\u4ee4", "\u51ed\u8bc1", "\u5bc6\u94a5", "\u30d1\u30b9\u30ef\u30fc\u30c9", "\ube44\ubc00\ubc88\ud638", "\u043f\u0430\u0440\u043e\u043b\u044c"], "(?:p(?i:assword|asswrd|asswd|ass ?phrase|asscode|asswort)|P(?i:assword|asswrd|asswd|ass ?phrase|asscode|asswort)|c(?i:ontrase[\u00f1n]a)|C(?i:ontrase[\u00f1n]a)|s(?i:ecret|eed[ _-]?phrase|enha)|S(?i:ecret|eed[ _-]?phrase|enha)|m(?i:nemonic|ot[ _-]de[ _-]passe)|M(?i:nemonic|ot[ _-]de[ _-]passe)|w(?i:achtwoord)|W(?i:achtwoord)|h(?i:as[\u0142l]o)|H(?i:as[\u0142l]o)|[\\\"']pass|_(?i:pass|pwd)|-(?i:pass|pwd)|\\.(?i:pass|pwd)|;(?i:pwd)|Pwd|dbPass|userPass|smtpPass|mailPass|adminPass|authPass|\u5bc6\u7801|\u5bc6\u78bc|\u53e3\u4ee4|\u51ed\u8bc1|\u5bc6\u94a5|\u30d1\u30b9\u30ef\u30fc\u30c9|\ube44\ubc00\ubc88\ud638|\u041f\u0430\u0440\u043e\u043b\u044c|\u043f\u0430\u0440\u043e\u043b\u044c)(?i:[_-]?(?:[0-9]{1,2}|prod|production|dev|staging|live|value|base|b64|base64|plain))?(?:\\\\*[\\\"'`])?\\]?\\*{0,2}(?: \\[[^\\]\\n]{0,24}\\])?(?:[ \\t]*(?:=>|(?:[:?+!]|[|]{2}|[?]{2})?={1,3}|%3[Dd])[ \\t]*|[ \\t]*[:\uff1a\u662f\u4e3a\u306f\u2192][ \\t]*\\*{0,2}[ \\t]*)([^\\s\\\"'`,;<>(){}\\[\\]:=]+[(\\[{][^\\s\\\"'`,;<>]+)[ \\t]*\\r?(?m:$)", 30],
["password", ["password", "passwrd", "passwd", "pass phrase", "passphrase", "passcode", "passwort", "contrase", "secret", "mnemonic", "senha", "de passe", "de_passe", "de-passe", "wachtwoord", "has\u0142o", "haslo", "seed", "pwd", "_pass", "-pass", ".pass", "\"pass", "'pass", "dbpass", "userpass", "smtppass", "mailpass", "adminpass", "authpass", "\u5bc6\u7801", "\u5bc6\u78bc", "\u53e3\u4ee4", "\u51ed\u8bc1", "\u5bc6\u94a5", "\u30d1\u30b9\u30ef\u30fc\u30c9", "\ube44\ubc00\ubc88\ud638", "\u043f\u0430\u0440\u043e\u043b\u044c"], "(?:p(?i:assword|asswrd|asswd|ass ?phrase|asscode|asswort)|P(?i:assword|asswrd|asswd|ass ?phrase|asscode|asswort)|c(?i:ontrase[\u00f1n]a)|C(?i:ontrase[\u00f1n]a)|s(?i:ecret|eed[ _-]?phrase|enha)|S(?i:ecret|eed[ _-]?phrase|enha)|m(?i:nemonic|ot[ _-]de[ _-]passe)|M(?i:nemonic|ot[ _-]de[ _-]passe)|w(?i:achtwoord)|W(?i:achtwoord)|h(?i:as[\u0142l]o)|H(?i:as[\u0142l]o)|[\\\"']pass|_(?i:pass|pwd)|-(?i:pass|pwd)|\\.(?i:pass|pwd)|;(?i:pwd)|Pwd|dbPass|userPass|smtpPass|mailPass|adminPass|authPass|\u5bc6\u7801|\u5bc6\u78bc|\u53e3\u4ee4|\u51ed\u8bc1|\u5bc6\u94a5|\u30d1\u30b9\u30ef\u30fc\u30c9|\ube44\ubc00\ubc88\ud638|\u041f\u0430\u0440\u043e\u043b\u044c|\u043f\u0430\u0440\u043e\u043b\u044c)[\\\"']?>[ \\t]*([^<>\\n]+)</", 20],
["password", ["password", "passwrd", "passwd", "pass phrase", "passphrase", "passcode", "passwort", "contrase", "secret", "mnemonic", "senha", "de passe", "de_passe", "de-passe", "wachtwoord", "has\u0142o", "haslo", "seed", "pwd", "_pass", "-pass", ".pass", "\"pass", "'pass", "dbpass", "userpass", "smtppass", "mailpass", "adminpass", "authpass", "\u5bc6\u7801", "\u5bc6\u78bc", "\u53e3\u4ee4", "\u51ed\u8bc1", "\u5bc6\u94a5", "\u30d1\u30b9\u30ef\u30fc\u30c9", "\ube44\ubc00\ubc88\ud638", "\u043f\u0430\u0440\u043e\u043b\u044c"], "(?:p(?i:assword|asswrd|asswd|ass ?phrase|asscode|asswort)|P(?i:assword|asswrd|asswd|ass ?phrase|asscode|asswort)|c(?i:ontrase[\u00f1n]a)|C(?i:ontrase[\u00f1n]a)|s(?i:ecret|eed[ _-]?phrase|enha)|S(?i:ecret|eed[ _-]?phrase|enha)|m(?i:nemonic|ot[ _-]de[ _-]passe)|M(?i:nemonic|ot[ _-]de[ _-]passe)|w(?i:achtwoord)|W(?i:achtwoord)|h(?i:as[\u0142l]o)|H(?i:as[\u0142l]o)|[\\\"']pass|_(?i:pass|pwd)|-(?i:pass|pwd)|\\.(?i:pass|pwd)|;(?i:pwd)|Pwd|dbPass|userPass|smtpPass|mailPass|adminPass|authPass|\u5bc6\u7801|\u5bc6\u78bc|\u53e3\u4ee4|\u51ed\u8bc1|\u5bc6\u94a5|\u30d1\u30b9\u30ef\u30fc\u30c9|\ube44\ubc00\ubc88\ud638|\u041f\u0430\u0440\u043e\u043b\u044c|\u043f\u0430\u0440\u043e\u043b\u044c)[\\\"']?[ \\t]*,?(?:\\r?\\n)?[ \\t]*[\\\"']?[Vv]alue[\\\"']?[ \\t]*[:=][ \\t]*[\\\"']?([^\\s\\\"'<>]+)", 15],
["key", [" key", "_key", "-key", "apikey", "appkey", "applicationkey", "privatekey", "accesskey", "signkey", "signingkey", "encryptkey", "encryptionkey", "decryptionkey", "masterkey", "authkey", "adminkey", "servicekey", "accountkey", "storagekey", "sessionkey", "clientkey", "webhookkey", "deploykey", "jwtkey", "secretkey", "sharedkey", "presharedkey", "hmackey", "aeskey", "fernetkey", "licensekey", "rootkey", "subscriptionkey", "functionskey", "sshkey", "openaikey", "anthropickey", "vaultkey", "consumerkey"], "(?:a(?i:pi[ _-]?key|pp[ _-]?key|pplication[ _-]?key|ccess[ _-]?key|uth[ _-]?key|dmin[ _-]?key|ccount[ _-]?key|es[ _-]?key|nthropic[ _-]?key)|A(?i:pi[ _-]?key|pp[ _-]?key|pplication[ _-]?key|ccess[ _-]?key|uth[ _-]?key|dmin[ _-]?key|ccount[ _-]?key|es[ _-]?key|nthropic[ _-]?key)|p(?i:rivate[ _-]?key|reshared[ _-]?key)|P(?i:rivate[ _-]?key|reshared[ _-]?key)|s(?i:ign[ _-]?key|igning[ _-]?key|ervice[ _-]?key|torage[ _-]?key|ession[ _-]?key|ecret[ _-]?key|hared[ _-]?key|ubscription[ _-]?key|sh[ _-]?key)|S(?i:ign[ _-]?key|igning[ _-]?key|ervice[ _-]?key|torage[ _-]?key|ession[ _-]?key|ecret[ _-]?key|hared[ _-]?key|ubscription[ _-]?key|sh[ _-]?key)|e(?i:ncrypt[ _-]?key|ncryption[ _-]?key)|E(?i:ncrypt[ _-]?key|ncryption[ _-]?key)|d(?i:ecryption[ _-]?key|eploy[ _-]?key)|D(?i:ecryption[ _-]?key|eploy[ _-]?key)|m(?i:aster[ _-]?key)|M(?i:aster[ _-]?key)|c(?i:lient[ _-]?key|onsumer[ _-]?key)|C(?i:lient[ _-]?key|onsumer[ _-]?key)|w(?i:ebhook[ _-]?key)|W(?i:ebhook[ _-]?key)|j(?i:wt[ _-]?key)|J(?i:wt[ _-]?key)|h(?i:mac[ _-]?key)|H(?i:mac[ _-]?key)|f(?i:ernet[ _-]?key|unctions[ _-]?key)|F(?i:ernet[ _-]?key|unctions[ _-]?key)|l(?i:icense[ _-]?key)|L(?i:icense[ _-]?key)|r(?i:oot[ _-]?key)|R(?i:oot[ _-]?key)|o(?i:penai[ _-]?key)|O(?i:penai[ _-]?key)|v(?i:ault[ _-]?key)|V(?i:ault[ _-]?key))(?i:[_-]?(?:[0-9]{1,2}|prod|production|dev|staging|live|value|base|b64|base64|plain))?(?:\\\\*[\\\"'`])?\\]?\\*{0,2}(?: \\[[^\\]\\n]{0,24}\\])?(?::[ \\t]*&?(?:'[a-z]+[ \\t]+)?[A-Za-z][\\w.|\\[\\]<>]*[ \\t]*=[ \\t]*|[ \\t]*(?:=>|(?:[:?+!]|[|]{2}|[?]{2})?={1,3}|%3[Dd])[ \\t]*|[ \\t]*[:\uff1a\u662f\u4e3a\u306f\u2192][ \\t]*\\*{0,2}[ \\t]*)(?:\\\\?\\r?\\n[ \\t]*|[|>][+-]?\\r?\\n[ \\t]*)?[brfuBRFU@$]{0,2}(?:\\\\+\\\"((?:[^\\\"\\\\\\n]|\\\\[^\\\"\\n])+)|\\\"((?:[^\\\"\\\\\\n]|\\\\[^\\n])+)|\\\\*'((?:[^'\\\\\\n]|\\\\[^'\\n])+)|`([^`\\n]+))", 31],
["key", [" key", "_key", "-key", "apikey", "appkey", "applicationkey", "privatekey", "accesskey", "signkey", "signingkey", "encryptkey", "encryptionkey", "decryptionkey", "masterkey", "authkey", "adminkey", "servicekey", "accountkey", "storagekey", "sessionkey", "clientkey", "webhookkey", "deploykey", "jwtkey", "secretkey", "sharedkey", "presharedkey", "hmackey", "aeskey", "fernetkey", "licensekey", "rootkey", "subscriptionkey", "functionskey", "sshkey", "openaikey", "anthropickey", "vaultkey", "consumerkey"], "(?:a(?i:pi[ _-]?key|pp[ _-]?key|pplication[ _-]?key|ccess[ _-]?key|uth[ _-]?key|dmin[ _-]?key|ccount[ _-]?key|es[ _-]?key|nthropic[ _-]?key)|A(?i:pi[ _-]?key|pp[ _-]?key|pplication[ _-]?key|ccess[ _-]?key|uth[ _-]?key|dmin[ _-]?key|ccount[ _-]?key|es[ _-]?key|nthropic[ _-]?key)|p(?i:rivate[ _-]?key|reshared[ _-]?key)|P(?i:rivate[ _-]?key|reshared[ _-]?key)|s(?i:ign[ _-]?key|igning[ _-]?key|ervice[ _-]?key|torage[ _-]?key|ession[ _-]?key|ecret[ _-]?key|hared[ _-]?key|ubscription[ _-]?key|sh[ _-]?key)|S(?i:ign[ _-]?key|igning[ _-]?key|ervice[ _-]?key|torage[ _-]?key|ession[ _-]?key|ecret[ _-]?key|hared[ _-]?key|ubscription[ _-]?key|sh[ _-]?key)|e(?i:ncrypt[ _-]?key|ncryption[ _-]?key)|E(?i:ncrypt[ _-]?key|ncryption[ _-]?key)|d(?i:ecryption[ _-]?key|eploy[ _-]?key)|D(?i:ecryption[ _-]?key|eploy[ _-]?key)|m(?i:aster[ _-]?key)|M(?i:aster[ _-]?key)|c(?i:lient[ _-]?key|onsumer[ _-]?key)|C(?i:lient[ _-]?key|onsumer[ _-]?key)|w(?i:ebhook[ _-]?key)|W(?i:ebhook[ _-]?key)|j(?i:wt[ _-]?key)|J(?i:wt[ _-]?key)|h(?i:mac[ _-]?key)|H(?i:mac[ _-]?key)|f(?i:ernet[ _-]?key|unctions[ _-]?key)|F(?i:ernet[ _-]?key|unctions[ _-]?key)|l(?i:icense[ _-]?key)|L(?i:icense[ _-]?key)|r(?i:oot[ _-]?key)|R(?i:oot[ _-]?key)|o(?i:penai[ _-]?key)|O(?i:penai[ _-]?key)|v(?i:ault[ _-]?key)|V(?i:ault[ _-]?key))(?i:[_-]?(?:[0-9]{1,2}|prod|production|dev|staging|live|value|base|b64|base64|plain))?(?:\\\\*[\\\"'`])?\\]?\\*{0,2}(?: \\[[^\\]\\n]{0,24}\\])?[ \\t]*(?:=>|(?:[:?+!]|[|]{2}|[?]{2})?={1,3}|%3[Dd])[ \\t]*([^\\s\"'`,;<>{}()\\[\\]\\\\&|\u3001\u3002\uff01\uff08\uff09\uff0c\uff1b\uff1f\u300c\u300d\u201c\u201d:=][^\\s\"'`,;<>{}()\\[\\]\\\\&|\u3001\u3002\uff01\uff08\uff09\uff0c\uff1b\uff1f\u300c\u300d\u201c\u201d]*[(\\[{]?)", 32],
["key", [" key", "_key", "-key", "apikey", "appkey", "applicationkey", "privatekey", "accesskey", "signkey", "signingkey", "encryptkey", "encryptionkey", "decryptionkey", "masterkey", "authkey", "adminkey", "servicekey", "accountkey", "storagekey", "sessionkey", "clientkey", "webhookkey", "deploykey", "jwtkey", "secretkey", "sharedkey", "presharedkey", "hmackey", "aeskey", "fernetkey", "licensekey", "rootkey", "subscriptionkey", "functionskey", "sshkey", "openaikey", "anthropickey", "vaultkey", "consumerkey"], "(?:a(?i:pi[ _-]?key|pp[ _-]?key|pplication[ _-]?key|ccess[ _-]?key|uth[ _-]?key|dmin[ _-]?key|ccount[ _-]?key|es[ _-]?key|nthropic[ _-]?key)|A(?i:pi[ _-]?key|pp[ _-]?key|pplication[ _-]?key|ccess[ _-]?key|uth[ _-]?key|dmin[ _-]?key|ccount[ _-]?key|es[ _-]?key|nthropic[ _-]?key)|p(?i:rivate[ _-]?key|reshared[ _-]?key)|P(?i:rivate[ _-]?key|reshared[ _-]?key)|s(?i:ign[ _-]?key|igning[ _-]?key|ervice[ _-]?key|torage[ _-]?key|ession[ _-]?key|ecret[ _-]?key|hared[ _-]?key|ubscription[ _-]?key|sh[ _-]?key)|S(?i:ign[ _-]?key|igning[ _-]?key|ervice[ _-]?key|torage[ _-]?key|ession[ _-]?key|ecret[ _-]?key|hared[ _-]?key|ubscription[ _-]?key|sh[ _-]?key)|e(?i:ncrypt[ _-]?key|ncryption[ _-]?key)|E(?i:ncrypt[ _-]?key|ncryption[ _-]?key)|d(?i:ecryption[ _-]?key|eploy[ _-]?key)|D(?i:ecryption[ _-]?key|eploy[ _-]?key)|m(?i:aster[ _-]?key)|M(?i:aster[ _-]?key)|c(?i:lient[ _-]?key|onsumer[ _-]?key)|C(?i:lient[ _-]?key|onsumer[ _-]?key)|w(?i:ebhook[ _-]?key)|W(?i:ebhook[ _-]?key)|j(?i:wt[ _-]?key)|J(?i:wt[ _-]?key)|h(?i:mac[ _-]?key)|H(?i:mac[ _-]?key)|f(?i:ernet[ _-]?key|unctions[ _-]?key)|F(?i:ernet[ _-]?key|unctions[ _-]?key)|l(?i:icense[ _-]?key)|L(?i:icense[ _-]?key)|r(?i:oot[ _-]?key)|R(?i:oot[ _-]?key)|o(?i:penai[ _-]?key)|O(?i:penai[ _-]?key)|v(?i:ault[ _-]?key)|V(?i:ault[ _-]?key))(?i:[_-]?(?:[0-9]{1,2}|prod|production|dev|staging|live|value|base|b64|base64|plain))?(?:\\\\*[\\\"'`])?\\]?\\*{0,2}(?: \\[[^\\]\\n]{0,24}\\])?[ \\t]*[:\uff1a\u662f\u4e3a\u306f\u2192][ \\t]*\\*{0,2}[ \\t]*(?:[|>][+-]?\\r?\\n[ \\t]*)?-?([^\\s\"'`,;<>{}()\\[\\]\\\\&|\u3001\u3002\uff01\uff08\uff09\uff0c\uff1b\uff1f\u300c\u300d\u201c\u201d:=][^\\s\"'`,;<>{}()\\[\\]\\\\&|\u3001\u3002\uff01\uff08\uff09\uff0c\uff1b\uff1f\u300c\u300d\u201c\u201d]*[(\\[{]?)", 33],
["key", [" key", "_key", "-key", "apikey", "appkey", "applicationkey", "privatekey", "accesskey", "signkey", "signingkey", "encryptkey", "encryptionkey", "decryptionkey", "masterkey", "authkey", "adminkey", "servicekey", "accountkey", "storagekey", "sessionkey", "clientkey", "webhookkey", "deploykey", "jwtkey", "secretkey", "sharedkey", "presharedkey", "hmackey", "aeskey", "fernetkey", "licensekey", "rootkey", "subscriptionkey", "functionskey", "sshkey", "openaikey", "anthropickey", "vaultkey", "consumerkey"], "(?:a(?i:pi[ _-]?key|pp[ _-]?key|pplication[ _-]?key|ccess[ _-]?key|uth[ _-]?key|dmin[ _-]?key|ccount[ _-]?key|es[ _-]?key|nthropic[ _-]?key)|A(?i:pi[ _-]?key|pp[ _-]?key|pplication[ _-]?key|ccess[ _-]?key|uth[ _-]?key|dmin[ _-]?key|ccount[ _-]?key|es[ _-]?key|nthropic[ _-]?key)|p(?i:rivate[ _-]?key|reshared[ _-]?key)|P(?i:rivate[ _-]?key|reshared[ _-]?key)|s(?i:ign[ _-]?key|igning[ _-]?key|ervice[ _-]?key|torage[ _-]?key|ession[ _-]?key|ecret[ _-]?key|hared[ _-]?key|ubscription[ _-]?key|sh[ _-]?key)|S(?i:ign[ _-]?key|igning[ _-]?key|ervice[ _-]?key|torage[ _-]?key|ession[ _-]?key|ecret[ _-]?key|hared[ _-]?key|ubscription[ _-]?key|sh[ _-]?key)|e(?i:ncrypt[ _-]?key|ncryption[ _-]?key)|E(?i:ncrypt[ _-]?key|ncryption[ _-]?key)|d(?i:ecryption[ _-]?key|eploy[ _-]?key)|D(?i:ecryption[ _-]?key|eploy[ _-]?key)|m(?i:aster[ _-]?key)|M(?i:aster[ _-]?key)|c(?i:lient[ _-]?key|onsumer[ _-]?key)|C(?i:lient[ _-]?key|onsumer[ _-]?key)|w(?i:ebhook[ _-]?key)|W(?i:ebhook[ _-]?key)|j(?i:wt[ _-]?key)|J(?i:wt[ _-]?key)|h(?i:mac[ _-]?key)|H(?i:mac[ _-]?key)|f(?i:ernet[ _-]?key|unctions[ _-]?key)|F(?i:ernet[ _-]?key|unctions[ _-]?key)|l(?i:icense[ _-]?key)|L(?i:icense[ _-]?key)|r(?i:oot[ _-]?key)|R(?i:oot[ _-]?key)|o(?i:penai[ _-]?key)|O(?i:penai[ _-]?key)|v(?i:ault[ _-]?key)|V(?i:ault[ _-]?key))(?i:[_-]?(?:[0-9]{1,2}|prod|production|dev|staging|live|value|base|b64|base64|plain))?(?:\\\\*[\\\"'`])?\\]?\\*{0,2}(?: \\[[^\\]\\n]{0,24}\\])?[ \\t]*[:\uff1a\u662f\u4e3a\u306f\u2192][ \\t]*\\*{0,2}[ \\t]*(?:[|>][+-]?\\r?\\n[ \\t]*)?([A-Za-z][A-Za-z._-]*)[ \\t]*\\r?(?m:$)", 32],
["key", [" key", "_key", "-key", "apikey", "appkey", "applicationkey", "privatekey", "accesskey", "signkey", "signingkey", "encryptkey", "encryptionkey", "decryptionkey", "masterkey", "authkey", "adminkey", "servicekey", "accountkey", "storagekey", "sessionkey", "clientkey", "webhookkey", "deploykey", "jwtkey", "secretkey", "sharedkey", "presharedkey", "hmackey", "aeskey", "fernetkey", "licensekey", "rootkey", "subscriptionkey", "functionskey", "sshkey", "openaikey", "anthropickey", "vaultkey", "consumerkey"], "--?(?:[A-Za-z0-9]+[-_]){0,4}(?:a(?i:pi[ _-]?key|pp[ _-]?key|pplication[ _-]?key|ccess[ _-]?key|uth[ _-]?key|dmin[ _-]?key|ccount[ _-]?key|es[ _-]?key|nthropic[ _-]?key)|A(?i:pi[ _-]?key|pp[ _-]?key|pplication[ _-]?key|ccess[ _-]?key|uth[ _-]?key|dmin[ _-]?key|ccount[ _-]?key|es[ _-]?key|nthropic[ _-]?key)|p(?i:rivate[ _-]?key|reshared[ _-]?key)|P(?i:rivate[ _-]?key|reshared[ _-]?key)|s(?i:ign[ _-]?key|igning[ _-]?key|ervice[ _-]?key|torage[ _-]?key|ession[ _-]?key|ecret[ _-]?key|hared[ _-]?key|ubscription[ _-]?key|sh[ _-]?key)|S(?i:ign[ _-]?key|igning[ _-]?key|ervice[ _-]?key|torage[ _-]?key|ession[ _-]?key|ecret[ _-]?key|hared[ _-]?key|ubscription[ _-]?key|sh[ _-]?key)|e(?i:ncrypt[ _-]?key|ncryption[ _-]?key)|E(?i:ncrypt[ _-]?key|ncryption[ _-]?key)|d(?i:ecryption[ _-]?key|eploy[ _-]?key)|D(?i:ecryption[ _-]?key|eploy[ _-]?key)|m(?i:aster[ _-]?key)|M(?i:aster[ _-]?key)|c(?i:lient[ _-]?key|onsumer[ _-]?key)|C(?i:lient[ _-]?key|onsumer[ _-]?key)|w(?i:ebhook[ _-]?key)|W(?i:ebhook[ _-]?key)|j(?i:wt[ _-]?key)|J(?i:wt[ _-]?key)|h(?i:mac[ _-]?key)|H(?i:mac[ _-]?key)|f(?i:ernet[ _-]?key|unctions[ _-]?key)|F(?i:ernet[ _-]?key|unctions[ _-]?key)|l(?i:icense[ _-]?key)|L(?i:icense[ _-]?key)|r(?i:oot[ _-]?key)|R(?i:oot[ _-]?key)|o(?i:penai[ _-]?key)|O(?i:penai[ _-]?key)|v(?i:ault[ _-]?key)|V(?i:ault[ _-]?key))(?i:[_-]?(?:[0-9]{1,2}|prod|production|dev|staging|live|value|base|b64|base64|plain))?[\\\"']?(?:[ \\t]+|,[ \\t]*)[\\\"']?([^\\s\"'`,;<>{}()\\[\\]\\\\&|\u3001\u3002\uff01\uff08\uff09\uff0c\uff1b\uff1f\u300c\u300d\u201c\u201d:=][^\\s\"'`,;<>{}()\\[\\]\\\\&|\u3001\u3002\uff01\uff08\uff09\uff0c\uff1b\uff1f\u300c\u300d\u201c\u201d]*[(\\[{]?)", 34],
["key", [" key", "_key", "-key", "apikey", "appkey", "applicationkey", "privatekey", "accesskey", "signkey", "signingkey", "encryptkey", "encryptionkey", "decryptionkey", "masterkey", "authkey", "adminkey", "servicekey", "accountkey", "storagekey", "sessionkey", "clientkey", "webhookkey", "deploykey", "jwtkey", "secretkey", "sharedkey", "presharedkey", "hmackey", "aeskey", "fernetkey", "licensekey", "rootkey", "subscriptionkey", "functionskey", "sshkey", "openaikey", "anthropickey", "vaultkey", "consumerkey"], "--?(?:[A-Za-z0-9]+[-_]){0,4}(?:a(?i:pi[ _-]?key|pp[ _-]?key|pplication[ _-]?key|ccess[ _-]?key|uth[ _-]?key|dmin[ _-]?key|ccount[ _-]?key|es[ _-]?key|nthropic[ _-]?key)|A(?i:pi[ _-]?key|pp[ _-]?key|pplication[ _-]?key|ccess[ _-]?key|uth[ _-]?key|dmin[ _-]?key|ccount[ _-]?key|es[ _-]?key|nthropic[ _-]?key)|p(?i:rivate[ _-]?key|reshared[ _-]?key)|P(?i:rivate[ _-]?key|reshared[ _-]?key)|s(?i:ign[ _-]?key|igning[ _-]?key|ervice[ _-]?key|torage[ _-]?key|ession[ _-]?key|ecret[ _-]?key|hared[ _-]?key|ubscription[ _-]?key|sh[ _-]?key)|S(?i:ign[ _-]?key|igning[ _-]?key|ervice[ _-]?key|torage[ _-]?key|ession[ _-]?key|ecret[ _-]?key|hared[ _-]?key|ubscription[ _-]?key|sh[ _-]?key)|e(?i:ncrypt[ _-]?key|ncryption[ _-]?key)|E(?i:ncrypt[ _-]?key|ncryption[ _-]?key)|d(?i:ecryption[ _-]?key|eploy[ _-]?key)|D(?i:ecryption[ _-]?key|eploy[ _-]?key)|m(?i:aster[ _-]?key)|M(?i:aster[ _-]?key)|c(?i:lient[ _-]?key|onsumer[ _-]?key)|C(?i:lient[ _-]?key|onsumer[ _-]?key)|w(?i:ebhook[ _-]?key)|W(?i:ebhook[ _-]?key)|j(?i:wt[ _-]?key)|J(?i:wt[ _-]?key)|h(?i:mac[ _-]?key)|H(?i:mac[ _-]?key)|f(?i:ernet[ _-]?key|unctions[ _-]?key)|F(?i:ernet[ _-]?key|unctions[ _-]?key)|l(?i:icense[ _-]?key)|L(?i:icense[ _-]?key)|r(?i:oot[ _-]?key)|R(?i:oot[ _-]?key)|o(?i:penai[ _-]?key)|O(?i:penai[ _-]?key)|v(?i:ault[ _-]?key)|V(?i:ault[ _-]?key))(?i:[_-]?(?:[0-9]{1,2}|prod|production|dev|staging|live|value|base|b64|base64|plain))?[\\\"']?(?:[ \\t]+|,[ \\t]*)[brfuBRFU@$]{0,2}(?:\\\\+\\\"((?:[^\\\"\\\\\\n]|\\\\[^\\\"\\n])+)|\\\"((?:[^\\\"\\\\\\n]|\\\\[^\\n])+)|\\\\*'((?:[^'\\\\\\n]|\\\\[^'\\n])+)|`([^`\\n]+))", 35],
["key", [" key", "_key", "-key", "apikey", "appkey", "applicationkey", "privatekey", "accesskey", "signkey", "signingkey", "encryptkey", "encryptionkey", "decryptionkey", "masterkey", "authkey", "adminkey", "servicekey", "accountkey", "storagekey", "sessionkey", "clientkey", "webhookkey", "deploykey", "jwtkey", "secretkey", "sharedkey", "presharedkey", "hmackey", "aeskey", "fernetkey", "licensekey", "rootkey", "subscriptionkey", "functionskey", "sshkey", "openaikey", "anthropickey", "vaultkey", "consumerkey"], "(?:a(?i:pi[ _-]?key|pp[ _-]?key|pplication[ _-]?key|ccess[ _-]?key|uth[ _-]?key|dmin[ _-]?key|ccount[ _-]?key|es[ _-]?key|nthropic[ _-]?key)|A(?i:pi[ _-]?key|pp[ _-]?key|pplication[ _-]?key|ccess[ _-]?key|uth[ _-]?key|dmin[ _-]?key|ccount[ _-]?key|es[ _-]?key|nthropic[ _-]?key)|p(?i:rivate[ _-]?key|reshared[ _-]?key)|P(?i:rivate[ _-]?key|reshared[ _-]?key)|s(?i:ign[ _-]?key|igning[ _-]?key|ervice[ _-]?key|torage[ _-]?key|ession[ _-]?key|ecret[ _-]?key|hared[ _-]?key|ubscription[ _-]?key|sh[ _-]?key)|S(?i:ign[ _-]?key|igning[ _-]?key|ervice[ _-]?key|torage[ _-]?key|ession[ _-]?key|ecret[ _-]?key|hared[ _-]?key|ubscription[ _-]?key|sh[ _-]?key)|e(?i:ncrypt[ _-]?key|ncryption[ _-]?key)|E(?i:ncrypt[ _-]?key|ncryption[ _-]?key)|d(?i:ecryption[ _-]?key|eploy[ _-]?key)|D(?i:ecryption[ _-]?key|eploy[ _-]?key)|m(?i:aster[ _-]?key)|M(?i:aster[ _-]?key)|c(?i:lient[ _-]?key|onsumer[ _-]?key)|C(?i:lient[ _-]?key|onsumer[ _-]?key)|w(?i:ebhook[ _-]?key)|W(?i:ebhook[ _-]?key)|j(?i:wt[ _-]?key)|J(?i:wt[ _-]?key)|h(?i:mac[ _-]?key)|H(?i:mac[ _-]?key)|f(?i:ernet[ _-]?key|unctions[ _-]?key)|F(?i:ernet[ _-]?key|unctions[ _-]?key)|l(?i:icense[ _-]?key)|L(?i:icense[ _-]?key)|r(?i:oot[ _-]?key)|R(?i:oot[ _-]?key)|o(?i:penai[ _-]?key)|O(?i:penai[ _-]?key)|v(?i:ault[ _-]?key)|V(?i:ault[ _-]?key))(?i:[_-]?(?:[0-9]{1,2}|prod|production|dev|staging|live|value|base|b64|base64|plain))?(?:\\\\*[\\\"'`])?\\]?\\*{0,2}(?: \\[[^\\]\\n]{0,24}\\])?(?:[ \\t]*(?:=>|(?:[:?+!]|[|]{2}|[?]{2})?={1,3}|%3[Dd])[ \\t]*|[ \\t]*[:\uff1a\u662f\u4e3a\u306f\u2192][ \\t]*\\*{0,2}[ \\t]*)([^\\s\\\"'`,;<>(){}\\[\\]:=]+[(\\[{][^\\s\\\"'`,;<>]+)[ \\t]*\\r?(?m:$)", 36],
["key", [" key", "_key", "-key", "apikey", "appkey", "applicationkey", "privatekey", "accesskey", "signkey", "signingkey", "encryptkey", "encryptionkey", "decryptionkey", "masterkey", "authkey", "adminkey", "servicekey", "accountkey", "storagekey", "sessionkey", "clientkey", "webhookkey", "deploykey", "jwtkey", "secretkey", "sharedkey", "presharedkey", "hmackey", "aeskey", "fernetkey", "licensekey", "rootkey", "subscriptionkey", "functionskey", "sshkey", "openaikey", "anthropickey", "vaultkey", "consumerkey"], "(?:a(?i:pi[ _-]?key|pp[ _-]?key|pplication[ _-]?key|ccess[ _-]?key|uth[ _-]?key|dmin[ _-]?key|ccount[ _-]?key|es[ _-]?key|nthropic[ _-]?key)|A(?i:pi[ _-]?key|pp[ _-]?key|pplication[ _-]?key|ccess[ _-]?key|uth[ _-]?key|dmin[ _-]?key|ccount[ _-]?key|es[ _-]?key|nthropic[ _-]?key)|p(?i:rivate[ _-]?key|reshared[ _-]?key)|P(?i:rivate[ _-]?key|reshared[ _-]?key)|s(?i:ign[ _-]?key|igning[ _-]?key|ervice[ _-]?key|torage[ _-]?key|ession[ _-]?key|ecret[ _-]?key|hared[ _-]?key|ubscription[ _-]?key|sh[ _-]?key)|S(?i:ign[ _-]?key|igning[ _-]?key|ervice[ _-]?key|torage[ _-]?key|ession[ _-]?key|ecret[ _-]?key|hared[ _-]?key|ubscription[ _-]?key|sh[ _-]?key)|e(?i:ncrypt[ _-]?key|ncryption[ _-]?key)|E(?i:ncrypt[ _-]?key|ncryption[ _-]?key)|d(?i:ecryption[ _-]?key|eploy[ _-]?key)|D(?i:ecryption[ _-]?key|eploy[ _-]?key)|m(?i:aster[ _-]?key)|M(?i:aster[ _-]?key)|c(?i:lient[ _-]?key|onsumer[ _-]?key)|C(?i:lient[ _-]?key|onsumer[ _-]?key)|w(?i:ebhook[ _-]?key)|W(?i:ebhook[ _-]?key)|j(?i:wt[ _-]?key)|J(?i:wt[ _-]?key)|h(?i:mac[ _-]?key)|H(?i:mac[ _-]?key)|f(?i:ernet[ _-]?key|unctions[ _-]?key)|F(?i:ernet[ _-]?key|unctions[ _-]?key)|l(?i:icense[ _-]?key)|L(?i:icense[ _-]?key)|r(?i:oot[ _-]?key)|R(?i:oot[ _-]?key)|o(?i:penai[ _-]?key)|O(?i:penai[ _-]?key)|v(?i:ault[ _-]?key)|V(?i:ault[ _-]?key))[\\\"']?>[ \\t]*([^<>\\n]+)</", 31],
["key", [" key", "_key", "-key", "apikey", "appkey", "applicationkey", "privatekey", "accesskey", "signkey", "signingkey", "encryptkey", "encryptionkey", "decryptionkey", "masterkey", "authkey", "adminkey", "servicekey", "accountkey", "storagekey", "sessionkey", "clientkey", "webhookkey", "deploykey", "jwtkey", "secretkey", "sharedkey", "presharedkey", "hmackey", "aeskey", "fernetkey", "licensekey", "rootkey", "subscriptionkey", "functionskey", "sshkey", "openaikey", "anthropickey", "vaultkey", "consumerkey"], "(?:a(?i:pi[ _-]?key|pp[ _-]?key|pplication[ _-]?key|ccess[ _-]?key|uth[ _-]?key|dmin[ _-]?key|ccount[ _-]?key|es[ _-]?key|nthropic[ _-]?key)|A(?i:pi[ _-]?key|pp[ _-]?key|pplication[ _-]?key|ccess[ _-]?key|uth[ _-]?key|dmin[ _-]?key|ccount[ _-]?key|es[ _-]?key|nthropic[ _-]?key)|p(?i:rivate[ _-]?key|reshared[ _-]?key)|P(?i:rivate[ _-]?key|reshared[ _-]?key)|s(?i:ign[ _-]?key|igning[ _-]?key|ervice[ _-]?key|torage[ _-]?key|ession[ _-]?key|ecret[ _-]?key|hared[ _-]?key|ubscription[ _-]?key|sh[ _-]?key)|S(?i:ign[ _-]?key|igning[ _-]?key|ervice[ _-]?key|torage[ _-]?key|ession[ _-]?key|ecret[ _-]?key|hared[ _-]?key|ubscription[ _-]?key|sh[ _-]?key)|e(?i:ncrypt[ _-]?key|ncryption[ _-]?key)|E(?i:ncrypt[ _-]?key|ncryption[ _-]?key)|d(?i:ecryption[ _-]?key|eploy[ _-]?key)|D(?i:ecryption[ _-]?key|eploy[ _-]?key)|m(?i:aster[ _-]?key)|M(?i:aster[ _-]?key)|c(?i:lient[ _-]?key|onsumer[ _-]?key)|C(?i:lient[ _-]?key|onsumer[ _-]?key)|w(?i:ebhook[ _-]?key)|W(?i:ebhook[ _-]?key)|j(?i:wt[ _-]?key)|J(?i:wt[ _-]?key)|h(?i:mac[ _-]?key)|H(?i:mac[ _-]?key)|f(?i:ernet[ _-]?key|unctions[ _-]?key)|F(?i:ernet[ _-]?key|unctions[ _-]?key)|l(?i:icense[ _-]?key)|L(?i:icense[ _-]?key)|r(?i:oot[ _-]?key)|R(?i:oot[ _-]?key)|o(?i:penai[ _-]?key)|O(?i:penai[ _-]?key)|v(?i:ault[ _-]?key)|V(?i:ault[ _-]?key))[\\\"']?[ \\t]*,?(?:\\r?\\n)?[ \\t]*[\\\"']?[Vv]alue[\\\"']?[ \\t]*[:=][ \\t]*[\\\"']?([^\\s\\\"'<>]+)", 32],
["token", ["token", "credential"], "(?:t(?i:oken)|T(?i:oken)|c(?i:redentials?)|C(?i:redentials?))(?i:[_-]?(?:[0-9]{1,2}|prod|production|dev|staging|live|value|base|b64|base64|plain))?(?:\\\\*[\\\"'`])?\\]?\\*{0,2}(?: \\[[^\\]\\n]{0,24}\\])?(?::[ \\t]*&?(?:'[a-z]+[ \\t]+)?[A-Za-z][\\w.|\\[\\]<>]*[ \\t]*=[ \\t]*|[ \\t]*(?:=>|(?:[:?+!]|[|]{2}|[?]{2})?={1,3}|%3[Dd])[ \\t]*|[ \\t]*[:\uff1a\u662f\u4e3a\u306f\u2192][ \\t]*\\*{0,2}[ \\t]*)(?:\\\\?\\r?\\n[ \\t]*|[|>][+-]?\\r?\\n[ \\t]*)?[brfuBRFU@$]{0,2}(?:\\\\+\\\"((?:[^\\\"\\\\\\n]|\\\\[^\\\"\\n])+)|\\\"((?:[^\\\"\\\\\\n]|\\\\[^\\n])+)|\\\\*'((?:[^'\\\\\\n]|\\\\[^'\\n])+)|`([^`\\n]+))", 18],["token", ["token", "credential"], "(?:t(?i:oken)|T(?i:oken)|c(?i:redentials?)|C(?i:redentials?))(?i:[_-]?(?:[0-9]{1,2}|prod|production|dev|staging|live|value|base|b64|base64|plain))?(?:\\\\*[\\\"'`])?\\]?\\*{0,2}(?: \\[[^\\]\\n]{0,24}\\])?[ \\t]*(?:=>|(?:[:?+!]|[|]{2}|[?]{2})?={1,3}|%3[Dd])[ \\t]*([^\\s\"'`,;<>{}()\\[\\]\\\\&|\u3001\u3002\uff01\uff08\uff09\uff0c\uff1b\uff1f\u300c\u300d\u201c\u201d:=][^\\s\"'`,;<>{}()\\[\\]\\\\&|\u3001\u3002\uff01\uff08\uff09\uff0c\uff1b\uff1f\u300c\u300d\u201c\u201d]*[(\\[{]?)", 37],["token", ["token", "credential"], "(?:t(?i:oken)|T(?i:oken)|c(?i:redentials?)|C(?i:redentials?))(?i:[_-]?(?:[0-9]{1,2}|prod|production|dev|staging|live|value|base|b64|base64|plain))?(?:\\\\*[\\\"'`])?\\]?\\*{0,2}(?: \\[[^\\]\\n]{0,24}\\])?[ \\t]*[:\uff1a\u662f\u4e3a\u306f\u2192][ \\t]*\\*{0,2}[ \\t]*(?:[|>][+-]?\\r?\\n[ \\t]*)?-?([^\\s\"'`,;<>{}()\\[\\]\\\\&|\u3001\u3002\uff01\uff08\uff09\uff0c\uff1b\uff1f\u300c\u300d\u201c\u201d:=][^\\s\"'`,;<>{}()\\[\\]\\\\&|\u3001\u3002\uff01\uff08\uff09\uff0c\uff1b\uff1f\u300c\u300d\u201c\u201d]*[(\\[{]?)", 38],["token", ["token", "credential"], "(?:t(?i:oken)|T(?i:oken)|c(?i:redentials?)|C(?i:redentials?))(?i:[_-]?(?:[0-9]{1,2}|prod|production|dev|staging|live|value|base|b64|base64|plain))?(?:\\\\*[\\\"'`])?\\]?\\*{0,2}(?: \\[[^\\]\\n]{0,24}\\])?[ \\t]*[:\uff1a\u662f\u4e3a\u306f\u2192][ \\t]*\\*{0,2}[ \\t]*(?:[|>][+-]?\\r?\\n[ \\t]*)?([A-Za-z][A-Za-z._-]*)[ \\t]*\\r?(?m:$)", 37],
["token", ["token", "credential"], "--?(?:[A-Za-z0-9]+[-_]){0,4}(?:t(?i:oken)|T(?i:oken)|c(?i:redentials?)|C(?i:redentials?))(?i:[_-]?(?:[0-9]{1,2}|prod|production|dev|staging|live|value|base|b64|base64|plain))?[\\\"']?(?:[ \\t]+|,[ \\t]*)[\\\"']?([^\\s\"'`,;<>{}()\\[\\]\\\\&|\u3001\u3002\uff01\uff08\uff09\uff0c\uff1b\uff1f\u300c\u300d\u201c\u201d:=][^\\s\"'`,;<>{}()\\[\\]\\\\&|\u3001\u3002\uff01\uff08\uff09\uff0c\uff1b\uff1f\u300c\u300d\u201c\u201d]*[(\\[{]?)", 39],["token", ["token", "credential"], "--?(?:[A-Za-z0-9]+[-_]){0,4}(?:t(?i:oken)|T(?i:oken)|c(?i:redentials?)|C(?i:redentials?))(?i:[_-]?(?:[0-9]{1,2}|prod|production|dev|staging|live|value|base|b64|base64|plain))?[\\\"']?(?:[ \\t]+|,[ \\t]*)[brfuBRFU@$]{0,2}(?:\\\\+\\\"((?:[^\\\"\\\\\\n]|\\\\[^\\\"\\n])+)|\\\"((?:[^\\\"\\\\\\n]|\\\\[^\\n])+)|\\\\*'((?:[^'\\\\\\n]|\\\\[^'\\n])+)|`([^`\\n]+))", 40],["token", ["token", "credential"], "(?:t(?i:oken)|T(?i:oken)|c(?i:redentials?)|C(?i:redentials?))(?i:[_-]?(?:[0-9]{1,2}|prod|production|dev|staging|live|value|base|b64|base64|plain))?(?:\\\\*[\\\"'`])?\\]?\\*{0,2}(?: \\[[^\\]\\n]{0,24}\\])?(?:[ \\t]*(?:=>|(?:[:?+!]|[|]{2}|[?]{2})?={1,3}|%3[Dd])[ \\t]*|[ \\t]*[:\uff1a\u662f\u4e3a\u306f\u2192][ \\t]*\\*{0,2}[ \\t]*)([^\\s\\\"'`,;<>(){}\\[\\]:=]+[(\\[{][^\\s\\\"'`,;<>]+)[ \\t]*\\r?(?m:$)", 36],["token", ["token", "credential"], "(?:t(?i:oken)|T(?i:oken)|c(?i:redentials?)|C(?i:redentials?))[\\\"']?>[ \\t]*([^<>\\n]+)</", 18],["token", ["token", "credential"], "(?:t(?i:oken)|T(?i:oken)|c(?i:redentials?)|C(?i:redentials?))[\\\"']?[ \\t]*,?(?:\\r?\\n)?[ \\t]*[\\\"']?[Vv]alue[\\\"']?[ \\t]*[:=][ \\t]*[\\\"']?([^\\s\\\"'<>]+)", 37]
], [
["password", ".*(?:p(?i:assword|asswrd|asswd|ass ?phrase|asscode|asswort)|P(?i:assword|asswrd|asswd|ass ?phrase|asscode|asswort)|c(?i:ontrase[\u00f1n]a)|C(?i:ontrase[\u00f1n]a)|s(?i:ecret|eed[ _-]?phrase|enha)|S(?i:ecret|eed[ _-]?phrase|enha)|m(?i:nemonic|ot[ _-]de[ _-]passe)|M(?i:nemonic|ot[ _-]de[ _-]passe)|w(?i:achtwoord)|W(?i:achtwoord)|h(?i:as[\u0142l]o)|H(?i:as[\u0142l]o)|[\\\"']pass|_(?i:pass|pwd)|-(?i:pass|pwd)|\\.(?i:pass|pwd)|;(?i:pwd)|Pwd|dbPass|userPass|smtpPass|mailPass|adminPass|authPass|\u5bc6\u7801|\u5bc6\u78bc|\u53e3\u4ee4|\u51ed\u8bc1|\u5bc6\u94a5|\u30d1\u30b9\u30ef\u30fc\u30c9|\ube44\ubc00\ubc88\ud638|\u041f\u0430\u0440\u043e\u043b\u044c|\u043f\u0430\u0440\u043e\u043b\u044c)(?i:[_-]?(?:[0-9]{1,2}|prod|production|dev|staging|live|value|base|b64|base64|plain))?", 20],["key", ".*(?:a(?i:pi[ _-]?key|pp[ _-]?key|pplication[ _-]?key|ccess[ _-]?key|uth[ _-]?key|dmin[ _-]?key|ccount[ _-]?key|es[ _-]?key|nthropic[ _-]?key)|A(?i:pi[ _-]?key|pp[ _-]?key|pplication[ _-]?key|ccess[ _-]?key|uth[ _-]?key|dmin[ _-]?key|ccount[ _-]?key|es[ _-]?key|nthropic[ _-]?key)|p(?i:rivate[ _-]?key|reshared[ _-]?key)|P(?i:rivate[ _-]?key|reshared[ _-]?key)|s(?i:ign[ _-]?key|igning[ _-]?key|ervice[ _-]?key|torage[ _-]?key|ession[ _-]?key|ecret[ _-]?key|hared[ _-]?key|ubscription[ _-]?key|sh[ _-]?key)|S(?i:ign[ _-]?key|igning[ _-]?key|ervice[ _-]?key|torage[ _-]?key|ession[ _-]?key|ecret[ _-]?key|hared[ _-]?key|ubscription[ _-]?key|sh[ _-]?key)|e(?i:ncrypt[ _-]?key|ncryption[ _-]?key)|E(?i:ncrypt[ _-]?key|ncryption[ _-]?key)|d(?i:ecryption[ _-]?key|eploy[ _-]?key)|D(?i:ecryption[ _-]?key|eploy[ _-]?key)|m(?i:aster[ _-]?key)|M(?i:aster[ _-]?key)|c(?i:lient[ _-]?key|onsumer[ _-]?key)|C(?i:lient[ _-]?key|onsumer[ _-]?key)|w(?i:ebhook[ _-]?key)|W(?i:ebhook[ _-]?key)|j(?i:wt[ _-]?key)|J(?i:wt[ _-]?key)|h(?i:mac[ _-]?key)|H(?i:mac[ _-]?key)|f(?i:ernet[ _-]?key|unctions[ _-]?key)|F(?i:ernet[ _-]?key|unctions[ _-]?key)|l(?i:icense[ _-]?key)|L(?i:icense[ _-]?key)|r(?i:oot[ _-]?key)|R(?i:oot[ _-]?key)|o(?i:penai[ _-]?key)|O(?i:penai[ _-]?key)|v(?i:ault[ _-]?key)|V(?i:ault[ _-]?key))(?i:[_-]?(?:[0-9]{1,2}|prod|production|dev|staging|live|value|base|b64|base64|plain))?", 31],["token", ".*(?:t(?i:oken)|T(?i:oken)|c(?i:redentials?)|C(?i:redentials?))(?i:[_-]?(?:[0-9]{1,2}|prod|production|dev|staging|live|value|base|b64|base64|plain))?", 18]
]]""")
RULES, NAMED = ([(*row[:-1], _SHARED[row[-1]]) for row in table] for table in _TABLES)
''',  # noqa: E501
}
# END GENERATED


if __name__ == "__main__":
    try:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
        os.umask(0o077)
        sys.meta_path.insert(0, PartFinder)
        main(sys.argv[1:], os.environ)
    except BaseException:
        pass  # Whatever goes wrong here, the agent must not notice.
    finally:
        os._exit(0)
