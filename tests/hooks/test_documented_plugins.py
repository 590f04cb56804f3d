"""The generated plug-ins of agents that are known from documents, in a host that behaves as those documents say."""

import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from app.agents import registry
from app.agents.agent import Link
from app.agents.places import Site

NODE = shutil.which("node")
BRIEF = "<memwiki-brief>Round half up.</memwiki-brief>"

# What stands in for the hook client: it keeps what it is given, and answers a session's start.
CLIENT = """
import json, sys
payload = json.load(sys.stdin)
with open(sys.argv[1], "a", encoding="utf-8") as told:
    told.write(json.dumps([sys.argv[2], payload]) + "\\n")
if sys.argv[2] in ("session.start", "session_start"):
    print(sys.argv[3], end="")
"""

# Registers what the plug-in listens to, then plays a session; what the plug-in answers is printed.
HOST = """
const listening = new Map();
const on = (name, work) => listening.set(name, work);
const plugin = (await import(process.argv[2])).default;
const steps = JSON.parse(process.argv[3]);
if (typeof plugin === "function") plugin({ on, system: { workspaceRoot: null }, helpers: {} });
else plugin.register({ on });
const answers = [];
for (const [name, event, context] of steps) answers.push((await listening.get(name)?.(event, context)) ?? null);
console.log(JSON.stringify(answers));
"""

MESSAGES = [{"role": "user", "content": [{"type": "text", "text": "Fix it."}]},
            {"role": "assistant", "content": [{"type": "text", "text": "Done."}]}]  # fmt: skip
THREAD = {"thread": {"id": "T-1"}}
CONTEXT = {"sessionId": "S-1", "sessionKey": "agent:main:main", "workspaceDir": "/home/dev/shop"}

Step = tuple[str, dict[str, Any], dict[str, Any]]
SESSIONS: dict[str, list[Step]] = {
    "amp": [
        ("session.start", THREAD, {}),
        ("agent.start", {**THREAD, "message": "Fix it.", "id": 1}, {}),
        ("tool.result", {**THREAD, "tool": "Bash", "toolUseID": "t1", "input": {"cmd": "true"}, "status": "done"}, {}),
        ("agent.end", {**THREAD, "message": "Fix it.", "id": 1, "status": "done", "messages": MESSAGES}, {}),
        ("agent.start", {**THREAD, "message": "And now?", "id": 2}, {}),
    ],
    "openclaw": [
        ("session_start", {"sessionId": "S-1"}, CONTEXT),
        ("before_prompt_build", {"prompt": "Fix it.", "messages": MESSAGES}, CONTEXT),
        ("after_tool_call", {"toolName": "exec", "params": {"command": "true"}, "result": "ok"}, CONTEXT),
        ("agent_end", {"messages": MESSAGES, "success": True}, CONTEXT),
        ("session_end", {"sessionId": "S-1", "reason": "compaction"}, CONTEXT),
        ("before_prompt_build", {"prompt": "And now?"}, CONTEXT),
        ("session_end", {"sessionId": "S-1", "messageCount": 4}, CONTEXT),
    ],
}
ANSWERS: dict[str, list[object]] = {
    "amp": [None, {"message": {"content": BRIEF, "display": False}}, None, None, {}],
    "openclaw": [None, {"prependContext": BRIEF}, None, None, None, None, None],
}
TOLD = {
    "amp": ["session.start", "agent.start", "tool.result", "agent.end", "agent.start"],
    "openclaw": [
        "session_start", "before_prompt_build", "after_tool_call", "agent_end", "before_prompt_build", "session_end",
    ],
}  # fmt: skip


def play(name: str, folder: Path) -> tuple[list[object], list[tuple[str, dict[str, Any]]]]:
    """Play a session; gives what the plug-in answered and what it told of."""
    assert NODE is not None, "checked before"
    agent = registry.find_agent(name)
    client, told = folder / "client.py", folder / "told.jsonl"
    client.write_text(CLIENT, encoding="utf-8")
    events = [event.name for event in agent.traits.hook_events]
    calls = {event: (sys.executable, str(client), str(told), event, BRIEF) for event in events}
    files = agent.list_wiring(Site(str(folder), {})).files
    source = next(file for file in files if file.path.endswith((".js", ".ts")))
    (folder / "plugin.mjs").write_text(source.render(Link("http://memory:7470", calls)), encoding="utf-8")
    (folder / "host.mjs").write_text(HOST, encoding="utf-8")
    command = [NODE, str(folder / "host.mjs"), str(folder / "plugin.mjs"), json.dumps(SESSIONS[name])]
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=60)
    return json.loads(done.stdout), [tuple(json.loads(line)) for line in told.read_text(encoding="utf-8").splitlines()]


@pytest.mark.skipif(NODE is None, reason="there is no node here to run plug-ins")
@pytest.mark.parametrize("name", SESSIONS)
def test_a_plug_in_tells_all_in_order_and_hands_the_brief_over_once(name: str, tmp_path: Path) -> None:
    answers, told = play(name, tmp_path)

    assert answers == ANSWERS[name]
    assert [event for event, _ in told] == TOLD[name]


@pytest.mark.skipif(NODE is None, reason="there is no node here to run plug-ins")
@pytest.mark.parametrize("name", SESSIONS)
def test_what_a_plug_in_sends_is_what_its_module_understands(name: str, tmp_path: Path) -> None:
    agent = registry.find_agent(name)

    events = [agent.parse_event(event, payload) for event, payload in play(name, tmp_path)[1]]

    assert all(event.extra == () for event in events), [event.extra for event in events]
    assert {event.agent_session_id for event in events} == {"T-1" if name == "amp" else "S-1"}
    assert [event.text for event in events if event.kind == "prompt"] == ["Fix it.", "And now?"]
    assert [event.text for event in events if event.kind == "turn_end"] == ["Done."]
    assert [event.tool.command for event in events if event.tool] == ["true"]
