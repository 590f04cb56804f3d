"""The generated plug-ins in a JavaScript engine without their agents: what they tell, hand on, and never do."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from app.agents import opencode, pi
from app.agents.agent import Agent, Link
from app.agents.places import Site
from tests.hooks.conftest import SCRIPT, Loopback

pytestmark = pytest.mark.skipif(shutil.which("node") is None, reason="node is not there to run plug-ins")

Serve = Callable[..., Loopback]
BRIEF = "the brief: é"
# Plays events to pi's extension, and tells what each was answered with.
PI_HOST = """
import extension from "./plug-in.mjs";
const handlers = {};
extension({ on: (name, work) => { handlers[name] = work; } });
const sessionManager = { getSessionId: () => "s1", getSessionFile: () => undefined };
const context = { cwd: process.cwd(), mode: "print", sessionManager };
const answers = [];
for (const event of STEPS) answers.push((await handlers[event.type](event, context)) ?? null);
console.log(JSON.stringify(answers));
process.exit(0);
"""
# Plays callbacks to OpenCode's plug-in, and tells what became of their second argument.
OPENCODE_HOST = """
import { Memwiki } from "./plug-in.mjs";
const sessions = { new: { id: "new", directory: process.cwd(), time: { created: Date.now() + 1000 } } };
const client = { session: { get: async ({ path }) => ({ data: sessions[path.id] }) } };
const hooks = await Memwiki({ client, directory: process.cwd() });
const answers = [];
for (const [name, input, output] of STEPS) {
  await hooks[name]?.(input, output);
  answers.push(output ?? null);
}
console.log(JSON.stringify(answers));
process.exit(0);
"""
START = {"type": "session_start", "reason": "startup"}
ASK = {"type": "before_agent_start", "prompt": "Go on."}
TYPED = {"type": "input", "text": "Go on.", "source": "interactive"}
USED = {"type": "tool_result", "toolName": "bash", "toolCallId": "c1", "input": {"command": "ls"}, "content": []}
QUIT = {"type": "session_shutdown", "reason": "quit"}


@dataclass
class Host:
    """Runs a plug-in whose events go to a server by the real client."""

    folder: Path

    def play(
        self, host: str, agent: Agent, url: str, steps: Sequence[object], program: str = sys.executable
    ) -> list[Any]:
        calls = {
            event.name: (program, "-I", "-S", str(SCRIPT), "--agent", agent.name, "--event", event.name, "--url", url)
            for event in agent.traits.hook_events
        }
        [plug_in] = agent.list_wiring(Site(str(self.folder), {})).files
        text = plug_in.render(Link(url, calls))
        assert plug_in.is_own(text)
        (self.folder / "plug-in.mjs").write_text(text, encoding="utf-8")
        (self.folder / "host.mjs").write_text(host.replace("STEPS", json.dumps(steps)), encoding="utf-8")
        env = {"PATH": os.environ["PATH"], "HOME": str(self.folder), "MEMWIKI_SPOOL_DIR": str(self.folder / "spool")}
        done = subprocess.run(
            ["node", "host.mjs"], cwd=self.folder, env=env | {"MEMWIKI_HOOK_PATIENCE": "20"},
            capture_output=True, text=True, encoding="utf-8", timeout=60, check=True,
        )  # fmt: skip
        assert done.stderr == ""
        return list(json.loads(done.stdout))

    def list_spooled(self) -> list[dict[str, Any]]:
        files = sorted((self.folder / "spool").glob("events*.jsonl"))
        return [json.loads(line) for file in files for line in file.read_text(encoding="utf-8").splitlines()]


@pytest.fixture
def host(tmp_path: Path) -> Host:
    return Host(tmp_path)


def list_names(events: Sequence[dict[str, Any]]) -> list[str]:
    return [event["payload"]["hook_event_name"] for event in events]


def test_events_arrive_in_order_and_the_brief_is_handed_on_once(host: Host, serve: Serve) -> None:
    server = serve()

    answers = host.play(PI_HOST, pi, server.url, [START, TYPED, ASK, USED, ASK, QUIT])

    assert list_names(server.list_events()) == ["session_start", "input", "tool_result", "session_shutdown"]
    message = {"customType": "memwiki-brief", "content": f"{BRIEF}\n", "display": False}
    assert answers == [None, None, {"message": message}, None, None, None]
    assert {event["payload"]["session_id"] for event in server.list_events()} == {"s1"}


def test_what_a_server_that_is_away_misses_waits_in_the_spool(host: Host, closed_url: str) -> None:
    answers = host.play(PI_HOST, pi, closed_url, [START, TYPED, ASK, USED, QUIT])

    assert answers == [None] * 5
    assert list_names(host.list_spooled()) == ["session_start", "input", "tool_result", "session_shutdown"]


def test_what_is_left_when_the_agent_goes_is_handed_over(host: Host, serve: Serve) -> None:
    server = serve()

    host.play(PI_HOST, pi, server.url, [START, TYPED, USED])

    assert sorted(list_names(server.list_events())) == ["input", "session_start", "tool_result"]


def test_a_client_that_is_gone_disturbs_nobody(host: Host, closed_url: str) -> None:
    steps = [START, TYPED, ASK, USED, {"type": "tool_call"}, {"type": "message_end"}, QUIT]

    assert host.play(PI_HOST, pi, closed_url, steps, program="/nowhere/python3") == [None] * 7


def told(session_id: str, *system: str) -> list[object]:
    return ["experimental.chat.system.transform", {"sessionID": session_id}, {"system": list(system)}]


def test_opencodes_model_is_told_in_every_request_but_that_for_a_title(host: Host, serve: Serve) -> None:
    server = serve()
    message = {"message": {"id": "m1"}, "parts": [{"type": "text", "text": "Go on."}]}
    steps = [["chat.message", {"sessionID": "new"}, message], told("new"), told("new")]

    _, *answers = host.play(OPENCODE_HOST, opencode, server.url, [*steps, told("new", "You are a title generator. x")])

    assert answers == [{"system": [f"{BRIEF}\n"]}] * 2 + [{"system": ["You are a title generator. x"]}]
    # The callback came before the event of the session's creation.
    assert list_names(server.list_events()) == ["session.created", "chat.message"]


def test_opencodes_helper_is_a_helper_of_its_parent_and_is_told_nothing(host: Host, serve: Serve) -> None:
    server = serve()
    about = {"id": "sub", "parentID": "new", "directory": "/x"}
    created = {"event": {"type": "session.created", "properties": {"info": about}}}
    used = ["tool.execute.before", {"tool": "bash", "sessionID": "sub", "callID": "c"}, {"args": {"command": "ls"}}]

    answers = host.play(OPENCODE_HOST, opencode, server.url, [["event", created], used, told("sub"), ["dispose"]])

    assert answers[2] == {"system": []}
    payloads = [event["payload"] for event in server.list_events()]
    assert [payload["hook_event_name"] for payload in payloads] == ["session.created", "tool.execute.before"]
    assert {(payload["agent_id"], payload["parent_session_id"]) for payload in payloads} == {("sub", "new")}
    # A policy looks for arguments there.
    assert payloads[1]["input"]["args"] == {"command": "ls"}
