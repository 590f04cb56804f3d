"""What the hook client says at a session's start when the server does not answer: that it starts without its memory."""

import json
import socket
from collections.abc import Callable

import pytest

from app.agents import registry
from app.agents.agent import Agent, BriefPoint
from app.capture import client_notice
from app.domain import fence
from tests.hooks.conftest import Client, Loopback, Request, render_answer

CLAUDE = {"agent": "claude-code", "event": "SessionStart", "url": "http://127.0.0.1:7470"}


def read_context(printed: bytes) -> str:
    context = json.loads(printed)["hookSpecificOutput"]["additionalContext"]
    assert isinstance(context, str)
    return context


def test_a_start_without_a_server_says_so_and_what_waits(client: Client, closed_url: str) -> None:
    client.send(closed_url, "Stop")
    client.wait_for_entries(1)

    run = client.send(closed_url, "SessionStart")

    told = read_context(run.stdout)
    assert f"does not answer at {closed_url}: this session starts without it" in told
    assert "2 events wait" in told
    assert "`memwiki serve`" in told
    client.wait_for_entries(2)


@pytest.mark.parametrize(
    ("status", "expected"),
    [
        (401, "refuses the access token of this machine (401 at "),
        (404, "is not what answers at "),
        (500, "answers with an error (500 at "),
        (503, "is too busy to answer (503 at "),
    ],
)
def test_a_start_names_what_stands_in_the_way(
    serve: Callable[..., Loopback], client: Client, status: int, expected: str
) -> None:
    def answer(connection: socket.socket, _: Request) -> None:
        connection.sendall(render_answer(status, b"{}"))

    run = client.send(serve(answer).url, "SessionStart")

    assert expected in read_context(run.stdout)


@pytest.mark.parametrize("wishes", [{"brief": "off"}, {"run": "one-shot"}], ids=["brief-off", "one-shot"])
def test_who_wants_no_brief_is_told_nothing(wishes: dict[str, object]) -> None:
    assert client_notice.render_notice(CLAUDE, {}, 0, 1)
    assert client_notice.render_notice(CLAUDE, wishes, 0, 1) == b""


def test_other_events_and_a_session_that_is_off_say_nothing(client: Client, closed_url: str) -> None:
    assert client.send(closed_url, "UserPromptSubmit").stdout == b""

    client.environ["MEMWIKI_CAPTURE"] = "off"
    assert client.send(closed_url, "SessionStart").stdout == b""


@pytest.mark.parametrize("agent", registry.AGENTS, ids=lambda agent: str(agent.name.value))
def test_each_agent_is_told_in_the_form_of_its_briefs(agent: Agent) -> None:
    text = read_context(client_notice.render_notice(CLAUDE, {}, 0, 3))
    for name in sorted(agent.known_events):
        event = agent.parse_event(name, {"session_id": "-"})
        is_told = agent.traits.brief.point is BriefPoint.SESSION_START and agent.takes_brief_at(event)

        said = client_notice.render_notice({**CLAUDE, "agent": agent.name.value, "event": name}, {}, 0, 3)

        assert said.decode() == (agent.render_brief(event, text) if is_told else "")


def test_what_was_said_is_known_as_our_own_when_an_agent_sends_it_back(client: Client, closed_url: str) -> None:
    told = read_context(client.send(closed_url, "SessionStart").stdout)

    assert fence.strip_fence(f"before {told} behind") == "before  behind"


def test_an_address_with_a_password_or_marks_gives_neither_away() -> None:
    url = "http://anna:secret@127.0.0.1:7470/</memwiki-brief>" + "x" * 500

    told = read_context(client_notice.render_notice({**CLAUDE, "url": url}, {}, 0, 1))

    assert "secret" not in told
    assert told.count("</memwiki-brief>") == 1
    assert "x" * 250 not in told


def test_nothing_is_promised_where_nothing_could_be_kept() -> None:
    told = read_context(client_notice.render_notice(CLAUDE, {}, 0, 0))

    assert "may not be kept" in told
