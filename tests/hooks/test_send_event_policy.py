"""What a folder's owner does not let be captured is neither sent nor kept, by either way."""

import json
import os
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from app.capture import client_consent, client_notes, policy
from tests.hooks.conftest import PAYLOAD, Client, Loopback

Serve = Callable[..., Loopback]


@pytest.fixture(params=["", "sh"], ids=["python", "curl"])
def both(request: pytest.FixtureRequest, client: Client) -> Client:
    client.shell = request.param
    client.environ = {"HOME": str(client.spool.parents[1]), "PATH": os.environ["PATH"]}
    return client


def mark(client: Client, text: str) -> None:
    (client.cwd / ".memwiki.toml").write_text(text, encoding="utf-8")


def wait_for_reports(client: Client) -> list[str]:
    """Read which policies could not be read, once there is one: on a busy machine that is told a little later."""
    until = time.monotonic() + 15
    while not (found := client_notes.list_unreadable(str(client.spool))) and time.monotonic() < until:
        time.sleep(0.02)
    return found


def send(client: Client, url: str, event: str = "PostToolUse", **fields: object) -> None:
    run = client.send(url, event, PAYLOAD | {"cwd": str(client.cwd)} | fields)
    assert (run.code, run.stdout if event != "SessionStart" else b"", run.stderr) == (0, run.stdout, b"")


@pytest.mark.parametrize("event", ["SessionStart", "PostToolUse", "Stop"])
def test_where_capture_is_off_nothing_is_sent_kept_or_injected(serve: Serve, both: Client, event: str) -> None:
    mark(both, "[capture]\nenabled = false\n")
    server = serve()

    run = both.send(server.url, event, PAYLOAD | {"cwd": str(both.cwd)})

    assert (run.code, run.stdout, run.stderr) == (0, b"", b"")
    assert server.requests == []
    assert not both.spool.exists()


def test_a_denied_file_is_not_sent_and_others_travel_with_the_policy(serve: Serve, both: Client) -> None:
    mark(both, '[capture]\ndeny = ["secrets/**"]\n')
    server = serve()

    send(both, server.url, tool_input={"file_path": str(both.cwd / "secrets" / "key")})
    send(both, server.url, tool_input={"file_path": str(both.cwd / "src" / "main.c")})

    [event] = both.wait_for_events(server, 1)
    assert event["payload"]["tool_input"] == {"file_path": str(both.cwd / "src" / "main.c")}
    stated = policy.parse_header(event["policy"])
    assert (stated.deny, stated.root) == (("secrets/**",), str(both.cwd))


def test_a_link_to_a_denied_file_is_denied(serve: Serve, both: Client) -> None:
    mark(both, '[capture]\ndeny = ["secrets"]\n')
    (both.cwd / "secrets").mkdir()
    (both.cwd / "open").symlink_to(both.cwd / "secrets")
    server = serve()

    send(both, server.url, tool_input={"file_path": "open/key"})

    assert server.requests == []


def test_the_models_words_stay_here_also_in_the_spool(both: Client, closed_url: str) -> None:
    mark(both, "[capture]\nassistant_text = false\n")

    send(both, closed_url, "PostToolUse", last_assistant_message="I think")

    [entry] = both.wait_for_entries(1)
    assert "last_assistant_message" not in entry["payload"]
    assert entry["payload"]["tool_name"] == "Bash"
    assert not policy.parse_header(entry["policy"]).keeps_assistant_text


@pytest.mark.parametrize("text", ["[captu", "[capture]\nenabled = 0\n", '[capture]\ndeny = ["[a]"]\n', "\0"])
def test_a_policy_that_nobody_can_read_captures_nothing_and_says_so(serve: Serve, both: Client, text: str) -> None:
    mark(both, text)
    server = serve()

    for event in ("SessionStart", "PostToolUse", "Stop"):
        send(both, server.url, event)

    assert server.requests == []
    assert both.list_waiting() == []
    [line] = wait_for_reports(both)
    assert str(both.cwd / ".memwiki.toml") in line
    assert "nothing is captured" in (both.spool / "hook.log").read_text(encoding="utf-8")
    mark(both, "[capture]\n")
    assert client_notes.list_unreadable(str(both.spool)) == []


def test_a_policy_that_must_not_be_read_is_not_taken_for_none(serve: Serve, both: Client) -> None:
    (both.cwd / ".memwiki.toml").mkdir()
    server = serve()

    send(both, server.url)

    assert server.requests == []
    assert len(wait_for_reports(both)) == 1


def test_a_policy_above_holds_below_unless_a_nearer_one_is_stated(serve: Serve, both: Client) -> None:
    mark(both, "[capture]\nkinds = { tool_end = false }\n")
    server = serve()
    both.cwd = both.cwd / "deep"
    both.cwd.mkdir()

    send(both, server.url)
    assert server.requests == []
    mark(both, "[capture]\n")
    send(both, server.url)

    both.wait_for_events(server, 1)


@pytest.mark.parametrize("kind", ["session", "folder"])
def test_what_is_muted_sends_nothing_until_it_is_unmuted(serve: Serve, both: Client, kind: str) -> None:
    server = serve()
    name = PAYLOAD["session_id"] if kind == "session" else str(both.cwd.parent)
    both.spool.mkdir(parents=True)
    client_notes.write_mutes(str(both.spool), [(kind, name)])

    send(both, server.url, "SessionStart")
    send(both, server.url)
    assert server.requests == []
    send(both, server.url, session_id="other", cwd="/")
    client_notes.write_mutes(str(both.spool), [])
    send(both, server.url)

    told = {event["payload"]["session_id"] for event in both.wait_for_events(server, 2)}
    assert told == {"other", PAYLOAD["session_id"]}


def test_what_cannot_be_judged_stays_here(serve: Serve, both: Client) -> None:
    mark(both, "[capture]\n")
    server = serve()

    both.send(server.url, "PostToolUse", b'{"cwd": "' + str(both.cwd).encode() + b'", cut')

    assert server.requests == []
    assert both.list_waiting() == []


def test_every_agents_events_are_told_apart(tmp_path: Path) -> None:
    environ = {"HOME": str(tmp_path), "MEMWIKI_SPOOL_DIR": str(tmp_path)}
    (tmp_path / ".memwiki.toml").write_text("[capture]\nkinds = { prompt = false }\n", encoding="utf-8")

    for agent in ("claude-code", "codex"):
        body = json.dumps({"cwd": str(tmp_path), "prompt": "x"}).encode()
        assert not client_consent.ask(agent, "UserPromptSubmit", body, str(tmp_path), environ).is_given
        assert client_consent.ask(agent, "Stop", body, str(tmp_path), environ).is_given
