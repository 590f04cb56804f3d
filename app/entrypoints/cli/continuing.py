"""Finds the newest work of a folder, and how an agent of one's choice goes on with it."""

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any, Final

from app.agents import launch, registry
from app.agents.agent import Agent
from app.capture import client_checkout
from app.domain import limits
from app.domain.errors import InvalidValue
from app.entrypoints.cli import starting, transcript_tail
from app.entrypoints.cli.remote import Remote, quote_id

_OPEN: Final = "open"
_OFFERED: Final = "offered"


class Way(StrEnum):
    """`RESUME`: the agent opens its session again; `HANDOFF`: a new one is given what was left; `START`: neither."""

    RESUME = "resume"
    HANDOFF = "handoff"
    START = "start"


@dataclass(frozen=True, slots=True)
class Continuation:
    """What is started, and why; `session` is what the server says of the session that it goes on with."""

    way: Way
    agent: Agent
    words: tuple[str, ...]
    reason: str
    session: Mapping[str, Any]
    handoff_id: str = ""

    @property
    def is_open(self) -> bool:
        """Tell whether the session was never ended, so that it has left nothing yet."""
        return bool(self.session["state"] == _OPEN)


def plan(remote: Remote, name: str | None, more: Sequence[str]) -> Continuation:
    """Plan how to go on; nothing is taken or started.

    Raises:
        InvalidValue: nothing was done here yet, or the agent is not here.
        UnknownAgent: there is no such agent.
    """
    session = _find_newest(remote)
    before = registry.find_agent(session["agent"])
    agent = starting.find_agent(name or session["agent"])
    program = starting.find_program(agent)
    resume = _build_resume(agent, session) if agent.name == before.name else ()
    if resume:
        return Continuation(
            Way.RESUME, agent, (program, *resume, *more), f"{agent.title} opens its session again", session
        )
    handoff = _find_handoff(remote, session)
    if handoff or session["state"] == _OPEN:
        is_own = not handoff or handoff["from_session_id"] == session["id"]
        left = f"what {before.title} left" if is_own else "the work that waits here"
        reason = f"{agent.title} starts, and is handed {left}"
        return Continuation(Way.HANDOFF, agent, (program, *more), reason, session, str(handoff.get("id", "")))
    reason = f"{agent.title} starts; what {before.title} left is closed, or in other hands, and the brief tells of it"
    return Continuation(Way.START, agent, (program, *more), reason, session)


def end_earlier(remote: Remote, found: Continuation) -> None:
    """End the session that was never ended, so that what it left can be handed over."""
    if found.way is Way.HANDOFF and found.is_open:
        remote.post(f"/api/v1/sessions/{quote_id(found.session['id'])}/finalize")


def _find_newest(remote: Remote) -> Mapping[str, Any]:
    """Find the session that last worked in this working copy, else the one that did in its project."""
    listed = remote.get("/api/v1/sessions", limit=limits.LAUNCH_SESSIONS_LISTED)["sessions"]
    worked = [each for each in listed if each["has_work"]]
    seen = client_checkout.read_checkout(os.getcwd(), os.environ)  # noqa: PTH109 - text is wanted
    here = {str(seen.get(fact, "")) for fact in ("root", "cwd")}
    near = [each for each in worked if each["cwd"] in here and each["machine"] in {"", seen.get("machine")}]
    if not worked:
        raise InvalidValue("folder", "no session has worked here yet: begin one with memwiki run AGENT")
    return next(iter(near or worked))


def _build_resume(agent: Agent, session: Mapping[str, Any]) -> tuple[str, ...]:
    """Build the words that open a session again, if it is one of this machine's and still there."""
    known = agent.traits.launch
    name = str(session["agent_session_id"])
    seen = client_checkout.read_checkout(os.getcwd(), os.environ)  # noqa: PTH109 - text is wanted
    is_here = session["machine"] in {"", seen.get("machine")} and Path(str(session["cwd"])).is_dir()
    if known is None or not known.resume or not is_here or name.startswith("-"):
        return ()
    is_kept = not known.sessions or transcript_tail.find_transcript(agent, name) is not None
    return launch.build_resume(known, name) if is_kept else ()


def _find_handoff(remote: Remote, session: Mapping[str, Any]) -> Mapping[str, Any]:
    """Find what waits here: what the session itself left, else whatever else is offered; empty for nothing."""
    listed = remote.get("/api/v1/handoffs", state="open")["handoffs"]
    offered = [each for each in listed if each["state"] == _OFFERED]
    own = [each for each in offered if each["from_session_id"] == session["id"]]
    return next(iter(own or offered), {})
