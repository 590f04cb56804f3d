"""What is done when an agent's process has ended: what its hooks missed is sent, and its sessions are ended."""

from collections.abc import Iterator, Mapping
from typing import Any, Final

from app.agents.agent import Agent
from app.domain import limits
from app.domain.errors import AppError
from app.entrypoints.cli import output, transcript_tail
from app.entrypoints.cli.remote import Remote, quote_id

_ENDED: Final = "ended"


def finish(agent: Agent, launch_id: str, url: str, *, is_expected: bool = True) -> None:
    """End the sessions of a run, and tell a person what they left; a server that is away ends them by their silence.

    Where it was away before, that was said already, so that it is not `is_expected`.
    """
    try:
        remote = Remote(url, seconds_max=limits.LAUNCH_REQUEST_SECONDS_MAX)
        told = [_finish_session(remote, agent, session) for session in _list_sessions(remote, agent, launch_id)]
    except AppError as error:
        if is_expected:
            output.print_note(f"the session could not be ended now, and ends by its silence: {error}")
        return
    if not output.is_error_watched():
        return
    if not told:
        output.print_note(f"nothing of this run was captured; see: memwiki doctor {agent.name}")
    for line in filter(None, told):
        output.print_note(line)


def _list_sessions(remote: Remote, agent: Agent, launch_id: str) -> Iterator[Mapping[str, Any]]:
    listed = remote.get("/api/v1/sessions", project="*", limit=limits.LAUNCH_SESSIONS_LISTED)["sessions"]
    return (each for each in listed if each["launch"] == launch_id and each["agent"] == agent.name)


def _finish_session(remote: Remote, agent: Agent, session: Mapping[str, Any]) -> str:
    """End one session; gives back what is to be said of it, nothing where it did nothing."""
    sent = 0 if session["is_opted_out"] else transcript_tail.send_missing(remote, agent, session)
    if session["state"] == _ENDED and not sent:
        return f"{session['page_path']} has this session" if session["page_path"] else ""
    made = remote.post(f"/api/v1/sessions/{quote_id(session['id'])}/finalize")
    told = f"{made['page_path']} has this session" if made["page_path"] else ""
    left = "; what is open waits for the next one (memwiki continue)" if made["handoff_id"] else ""
    return told + left
