"""Plays a made-up session through the installed hooks of an agent, as that agent would, and follows it to the end."""

import json
import os
import secrets
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Final, TypeVar
from urllib.parse import quote

import httpx2

from app.agents.agent import Agent, BriefPoint, BriefWay, HookCall, HttpHook, SizeUnit
from app.capture.client_checkout import MARKER_NAME
from app.domain import limits
from app.domain.errors import AppError, NotFound
from app.domain.rehearsal import WORKSPACE
from app.entrypoints.cli.remote import Remote, build_trust
from app.entrypoints.cli.verdicts import Check, fail, tell
from app.system import SystemClock

T = TypeVar("T")

_SHELL: Final = ("sh", "-c") if os.name == "posix" else ("cmd", "/c")
_POLL_S: Final = 0.1


class _Missed(Exception):
    """A step of a rehearsal that did not come to pass; `args` are what was seen and the advice."""


@dataclass(slots=True)
class _Rehearsal:
    agent: Agent
    hooks: Mapping[str, HookCall]
    remote: Remote
    name: str
    folder: str
    slowest_ms: float = 0.0

    def play(self, session_id: str, *, only_start: bool = False) -> tuple[int, str]:
        """Run the hooks of a session's events; tells how many there were, and what was printed for the model.

        With `only_start` it goes as far as the first event whose answer reaches the model.
        """
        words = f"Check that what {session_id} says is recorded"
        told, count = "", 0
        for event, payload in self.agent.sample_events(session_id, self.folder, words):
            text, count = self._run_hook(event, payload), count + 1
            is_heard = event in self.agent.traits.brief.events
            if text and not is_heard and not _is_plain_consent(text):
                said = f"a hook printed what its agent does not expect: {text[: limits.REHEARSED_OUTPUT_CHARS_MAX]}"
                raise _Missed(said, _REINSTALL)
            told = told or (text if is_heard else "")
            if only_start and is_heard:
                break
        return count, told

    def _run_hook(self, event: str, payload: Mapping[str, object]) -> str:
        call = self.hooks.get(event)
        if call is None:
            raise _Missed(f"no hook of ours is registered for {event}", f"memwiki install {self.agent.name} --apply")
        body = json.dumps(payload)
        began = time.perf_counter()
        text = _post(call, body) if isinstance(call, HttpHook) else _run_line(call, body, self.folder)
        self.slowest_ms = max(self.slowest_ms, (time.perf_counter() - began) * 1000)
        return text


_REINSTALL: Final = "install the hooks again, and look whether the shell's start-up files print something"


def rehearse(agent: Agent, hooks: Mapping[str, HookCall], remote: Remote) -> Iterator[Check]:
    """Play a session and the start of a second one; follow it to its page, search and brief; then remove it."""
    label = f"{agent.name} rehearsal"
    name = f"rehearsal{secrets.token_hex(6)}"
    with tempfile.TemporaryDirectory(prefix="memwiki-rehearsal-") as folder:
        marker = f'workspace = "{WORKSPACE}"\nproject = "{name}"\n'
        (Path(folder) / MARKER_NAME).write_text(marker, encoding="utf-8")
        rehearsal = _Rehearsal(agent, hooks, remote, name, folder)
        try:
            for seen in _list_steps(rehearsal):
                yield tell(label, seen)
        except _Missed as missed:
            seen, advice = missed.args
            yield fail(label, seen, advice)
        except AppError as error:
            yield fail(label, str(error), "see logs/memwiki.log on the server")
        finally:
            gone = _remove(remote, name)
        if gone:
            yield gone


def remove_leftovers(remote: Remote) -> None:
    """Remove what rehearsals left that were cut short long ago; those under way are somebody's."""
    oldest = SystemClock().now() - timedelta(seconds=limits.REHEARSAL_LEFT_SECONDS)
    for project in remote.get("/api/v1/projects")["projects"]:
        workspace, _, name = project["name"].partition("/")
        made_at = datetime.fromisoformat(project["created_at"]).astimezone(UTC)
        if workspace == WORKSPACE and made_at < oldest:
            remote.delete(f"/api/v1/rehearsals/{quote(name, safe='')}")


def _list_steps(rehearsal: _Rehearsal) -> Iterator[str]:
    session_id = f"{rehearsal.name}a"
    count, _ = rehearsal.play(session_id)
    # On a busy machine a hook keeps its event, and not every agent has a last one that sends what waits.
    rehearsal.remote.send_waiting()
    session = _wait(lambda: _find_stored(rehearsal.remote, session_id, count), _NOT_ARRIVED)
    yield f"{count} events of a made-up session arrived; the slowest hook took {rehearsal.slowest_ms:.0f} ms"

    if not rehearsal.agent.traits.has_session_end:
        rehearsal.remote.post(f"/api/v1/sessions/{session_id}/end")
    session = _wait(lambda: _find_compiled(rehearsal.remote, session_id), _NO_PAGE)
    page = session["page_path"]
    yield f"it became the page {page}"

    _wait(lambda: _is_found(rehearsal.remote, session["project"], session_id, page), _NOT_FOUND)
    yield "search finds it"

    way = rehearsal.agent.traits.brief
    if way.point is BriefPoint.ON_REQUEST:
        return
    _, printed = rehearsal.play(f"{rehearsal.name}b", only_start=True)
    if session_id not in printed:
        said = printed[: limits.REHEARSED_OUTPUT_CHARS_MAX] or "nothing"
        raise _Missed(f"the next session was told {said}", "the server may be slow: see memwiki status")
    yield f"the next session is told of it in {_measure(printed, way)}"


def _measure(printed: str, way: BriefWay) -> str:
    """Tell how long an answer is, once it has the form and the size that its agent takes."""
    if printed.startswith("{"):
        try:
            json.loads(printed)
        except ValueError as error:
            raise _Missed(f"what the next session is told is no JSON: {error}", _REINSTALL) from error
    size = len(printed.encode()) if way.unit is SizeUnit.BYTES else len(printed)
    said = f"{size} {way.unit.value}"
    if size > way.size_max:
        raise _Missed(f"the next session is told {said}, more than its agent takes", "bring the server up to date")
    return said


def _is_plain_consent(text: str) -> bool:
    """Tell whether an answer only lets the agent go on, as some want to hear."""
    return text.strip() in {"{}", '{"decision":"allow"}', '{"decision": "allow"}', '{"continue":true}'}


_NOT_ARRIVED: Final = (
    "events that the hooks took did not arrive at this server",
    "see hook.log in the spool's folder; do the hooks name this server (--url) and its token?",
)
_NO_PAGE: Final = ("the session has no page", "see the jobs in memwiki status, and logs/memwiki.log on the server")
_NOT_FOUND: Final = ("search does not find the page", "see the index in memwiki status; memwiki reindex builds it anew")


def _find_stored(remote: Remote, session_id: str, count: int) -> dict[str, Any] | None:
    session = _find_session(remote, session_id)
    return session if session and session["total"] >= count else None


def _find_compiled(remote: Remote, session_id: str) -> dict[str, Any] | None:
    session = _find_session(remote, session_id)
    return session if session and session["page_path"] else None


def _find_session(remote: Remote, session_id: str) -> dict[str, Any] | None:
    try:
        found: dict[str, Any] = remote.get(f"/api/v1/sessions/{session_id}")
    except NotFound:
        return None
    return found


def _is_found(remote: Remote, project: str, words: str, page: str) -> bool:
    hits = remote.get("/api/v1/search", q=words, project=project)["hits"]
    return any(hit["path"] == page for hit in hits)


def _remove(remote: Remote, name: str) -> Check | None:
    """Remove the rehearsal; says so only if there was anything."""
    label = "rehearsal"
    try:
        remote.delete(f"/api/v1/rehearsals/{name}")
    except NotFound:
        return None
    except AppError as error:
        return fail(label, f"{WORKSPACE}/{name} could not be removed: {error}", "run memwiki doctor again in an hour")
    with suppress(NotFound):
        remote.get(f"/api/v1/sessions/{name}a")
        return fail(label, f"{WORKSPACE}/{name} is still there", "run memwiki doctor again in an hour")
    return tell(label, "removed again from state, wiki and index; git never had it")


def _run_line(line: str | tuple[str, ...], body: str, folder: str) -> str:
    """Run a hook's line or program as agents do: in the project's folder, with the event on standard input."""
    try:
        done = subprocess.run(
            [*_SHELL, line] if isinstance(line, str) else line,
            input=body,
            cwd=folder,
            capture_output=True,
            text=True,
            encoding="utf-8",
            timeout=limits.REHEARSED_HOOK_SECONDS_MAX,
            check=False,
        )
    except subprocess.TimeoutExpired as error:
        raise _Missed(f"a hook took more than {limits.REHEARSED_HOOK_SECONDS_MAX:.0f} s", _REINSTALL) from error
    except (OSError, UnicodeDecodeError) as error:
        raise _Missed(f"a hook cannot be run: {error}", _REINSTALL) from error
    if done.returncode or done.stderr:
        said = f"a hook ended with code {done.returncode}: {done.stderr.strip()[: limits.REHEARSED_OUTPUT_CHARS_MAX]}"
        raise _Missed(said, _REINSTALL)
    return done.stdout


def _post(hook: HttpHook, body: str) -> str:
    """Send an event as an agent does that posts itself."""
    headers = {"Content-Type": "application/json"}
    if hook.token_env:
        headers["Authorization"] = f"Bearer {os.environ.get(hook.token_env, '')}"
    try:
        answer = httpx2.post(
            hook.url,
            content=body,
            headers=headers,
            timeout=limits.REHEARSED_HOOK_SECONDS_MAX,
            trust_env=False,
            verify=build_trust(hook.url),
        )
        return answer.raise_for_status().text
    except httpx2.HTTPError as error:
        raise _Missed(f"an event could not be posted: {error}", "see the server's line above") from error


def _wait(look: Callable[[], T | None], missed: tuple[str, str]) -> T:
    """Look again until there is something to see."""
    deadline = time.monotonic() + limits.REHEARSAL_SECONDS_MAX
    while True:
        found = look()
        if found:
            return found
        if time.monotonic() >= deadline:
            raise _Missed(*missed)
        time.sleep(_POLL_S)
