"""What `memwiki doctor` finds out about an agent: trust, last event, its own sessions, and whose hooks it reads."""

import json
import os
import select
import subprocess
import time
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Final

from app.agents import places, registry
from app.agents.agent import Agent
from app.agents.trust import TrustQuestion
from app.domain import limits
from app.domain.errors import AppError
from app.entrypoints.cli import entries
from app.entrypoints.cli import machine as machines
from app.entrypoints.cli.machine import Machine
from app.entrypoints.cli.remote import Remote
from app.entrypoints.cli.verdicts import Check, fail, tell, warn

_READ_BYTES: Final = 1 << 16
# An agent writes its own session's file a little after its last event.
_BEHIND: Final = timedelta(minutes=10)


def check_agent(agent: Agent, machine: Machine, activity: Mapping[str, Mapping[str, Any]]) -> Iterator[Check]:
    """Check what can be seen of an agent besides its files and a rehearsal."""
    is_wired = any(piece.runs_client for piece in entries.find_own(agent, machine.site()))
    if is_wired and agent.traits.trust is not None:
        yield _check_trust(agent, agent.traits.trust)
    yield from _check_sessions(agent, machine, activity.get(agent.name.value), is_wired=is_wired)
    yield from _check_readers(agent, machine, is_wired=is_wired)
    if is_wired:
        yield from (warn(f"{agent.name} review", note, "") for note in agent.traits.doctor_notes)


def read_activity(remote: Remote) -> dict[str, dict[str, Any]]:
    """Ask the server what each agent last sent; nothing where it does not answer."""
    try:
        rows = remote.get("/api/v1/status")["capture"]
    except (AppError, KeyError):
        return {}
    latest: dict[str, dict[str, Any]] = {}
    for row in sorted(rows, key=lambda row: str(row.get("last_event_at") or "")):
        latest[str(row.get("agent"))] = row
    return latest


def _check_trust(agent: Agent, question: TrustQuestion) -> Check:
    name = f"{agent.name} trust"
    try:
        found = _ask(question, str(Path.cwd()))
    except (OSError, ValueError, subprocess.SubprocessError) as error:
        return warn(name, f"{question.program[0]} could not be asked ({error})", question.fix)
    if not found:
        return fail(name, f"{agent.title} knows no hooks of ours", f"memwiki install {agent.name} --apply")
    waiting = sorted(event for event, status in found.items() if status not in question.trusted)
    if waiting:
        said = f"{agent.title} skips {len(waiting)} of {len(found)} hooks that nobody has reviewed"
        return fail(name, f"{said}: {', '.join(waiting)}", question.fix)
    return tell(name, f"{agent.title} trusts all {len(found)} hooks")


def _ask(question: TrustQuestion, cwd: str) -> Mapping[str, str]:
    """Put the questions to the agent's own program, and wait for the answer that tells.

    Raises:
        OSError: the program cannot be run.
        ValueError: it ends or says nothing in time.
    """
    asked = "".join(json.dumps(line) + "\n" for line in question.build(cwd)).encode()
    with subprocess.Popen(
        question.program, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, cwd=cwd
    ) as program:
        try:
            assert program.stdin is not None
            assert program.stdout is not None
            program.stdin.write(asked)
            program.stdin.flush()
            return _await_answer(question, program.stdout.fileno())
        finally:
            program.kill()


def _await_answer(question: TrustQuestion, handle: int) -> Mapping[str, str]:
    deadline, received = time.monotonic() + limits.DOCTOR_TRUST_SECONDS_MAX, b""
    while time.monotonic() < deadline:
        if not select.select([handle], [], [], max(0.0, deadline - time.monotonic()))[0]:
            break
        piece = os.read(handle, _READ_BYTES)
        if not piece:
            raise ValueError("it ended without an answer")
        *lines, received = (received + piece).split(b"\n")
        for line in filter(None, lines):
            answer = json.loads(line)
            found = question.read(answer) if isinstance(answer, dict) else None
            if found is not None:
                return found
    raise ValueError("it did not answer in time")


def _check_sessions(
    agent: Agent, machine: Machine, activity: Mapping[str, Any] | None, *, is_wired: bool
) -> Iterator[Check]:
    """Compare what the server last heard with the files that the agent itself leaves for its sessions."""
    name = f"{agent.name} sessions"
    ran = _find_sessions(agent, machine)
    heard = datetime.fromisoformat(activity["last_event_at"]) if activity and activity.get("last_event_at") else None
    if heard is None and ran is None:
        if is_wired:
            yield tell(name, "wired; nothing of it has been heard yet")
        return
    if ran is None:
        yield tell(name, f"last event at {heard:%Y-%m-%d %H:%M} UTC")
        return
    count, latest = ran
    said = f"{count} sessions of its own here, the last at {latest:%Y-%m-%d %H:%M} UTC"
    if heard is None:
        advice = "start a new session" if is_wired else f"memwiki install {agent.name} --apply"
        yield warn(name, f"{said}, and none was ever captured", advice)
    elif latest - heard > _BEHIND:
        yield warn(name, f"{said}, and the last event heard at {heard:%Y-%m-%d %H:%M}", f"memwiki doctor {agent.name}")
    else:
        yield tell(name, f"last event at {heard:%Y-%m-%d %H:%M} UTC")


def _find_sessions(agent: Agent, machine: Machine) -> tuple[int, datetime] | None:
    """Count an agent's own session files, and tell when the last was written; only their names and times are read."""
    if not agent.traits.homes or not agent.traits.session_files:
        return None
    folder = Path(places.find_home(machine.site(), agent.traits.homes[0]))
    times: list[float] = []
    for pattern in agent.traits.session_files:
        for path in folder.glob(pattern):
            try:
                times.append(path.stat().st_mtime)
            except OSError:
                continue
    return (len(times), datetime.fromtimestamp(max(times), UTC)) if times else None


def _check_readers(agent: Agent, machine: Machine, *, is_wired: bool) -> Iterator[Check]:
    """Say whose hook files this agent runs as well."""
    for other in registry.AGENTS:
        if other.name not in agent.traits.reads_hooks_of:
            continue
        if not machines.is_detected(agent, machine) or not entries.find_own(other, machine.site()):
            continue
        said = f"{agent.title} runs the hooks of {other.title} as well"
        if is_wired:
            yield tell(f"{agent.name} hooks of others", f"{said}; what comes twice is stored once")
        else:
            yield tell(f"{agent.name} hooks of others", f"{said}, so that its sessions are recorded through them")
