"""Agents that are known from documents: where their files are, what stands in them, and where a brief gets in."""

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from app.agents import registry
from app.agents.agent import ConfigFormat, Link, TokenUse
from app.agents.places import Site, System, WiringScope
from app.domain.event import Actor, Event, EventKind, FileChange, Outcome, ToolCall
from tests.unit.agents import natives

DOCUMENTED = [
    "goose", "amp", "devin", "grok", "omp", "openclaw", "command-code", "zcode", "zero", "hermes", "pool",
    "claude-desktop", "zed", "continue", "mistral-vibe", "swival", "muse",
]  # fmt: skip
DESKTOP = "claude_desktop_config.json"
HOME = Site("/home/dev", {})
BRIDGE = ("/usr/bin/memwiki", "mcp-stdio", "--url", "http://memory:7470")
SECRET = "mw_" + "never-in-a-file-" + "1234567890"


def build_link(name: str, *, token_env: str = "", token: str = "") -> Link:
    events = registry.find_agent(name).traits.hook_events
    client = "/home/dev/.local/share/memwiki/hooks/send_event.py"
    calls = {event.name: ("python3", client, "--agent", name, "--event", event.name) for event in events}
    lines = {event: " ".join(words) for event, words in calls.items()}
    is_plain = registry.find_agent(name).traits.shell.value == "none"
    return Link("http://memory:7470", calls if is_plain else lines, bridge=BRIDGE, token_env=token_env, token=token)


def list_paths(name: str, site: Site) -> list[str]:
    wiring = registry.find_agent(name).list_wiring(site)
    parts = (*wiring.hooks, *wiring.files, *wiring.mcp, *wiring.snippets)
    return sorted({part.path for part in parts})


PLACES: dict[str, list[str]] = {
    "goose": [
        "/home/dev/.agents/plugins/memwiki/hooks/hooks.json",
        "/home/dev/.agents/plugins/memwiki/plugin.json",
        "/home/dev/.config/goose/config.yaml",
    ],
    "amp": ["/home/dev/.config/amp/plugins/memwiki.ts", "/home/dev/.config/amp/settings.json"],
    "devin": ["/home/dev/.config/devin/config.json"],
    "grok": ["/home/dev/.grok/config.toml", "/home/dev/.grok/hooks/memwiki.json"],
    "omp": ["/home/dev/.omp/agent/extensions/memwiki-omp.js", "/home/dev/.omp/agent/mcp.json"],
    "openclaw": [
        "/home/dev/.openclaw/extensions/memwiki/index.js",
        "/home/dev/.openclaw/extensions/memwiki/openclaw.plugin.json",
        "/home/dev/.openclaw/extensions/memwiki/package.json",
        "/home/dev/.openclaw/openclaw.json",
    ],
    "command-code": ["/home/dev/.commandcode/mcp.json", "/home/dev/.commandcode/settings.json"],
    "zcode": ["/home/dev/.zcode/cli/config.json"],
    "zero": ["/home/dev/.config/zero/config.json", "/home/dev/.config/zero/hooks.json"],
    "hermes": ["/home/dev/.hermes/config.yaml"],
    "pool": [".poolside/settings.yaml", "/home/dev/.config/poolside/settings.yaml"],
    "claude-desktop": ["/home/dev/.config/Claude/claude_desktop_config.json"],
    "zed": ["/home/dev/.config/zed/settings.json"],
    "continue": ["/home/dev/.continue/config.yaml"],
    "mistral-vibe": ["/home/dev/.vibe/config.toml", "/home/dev/.vibe/hooks.toml"],
    "swival": [],
    "muse": ["/home/dev/.config/muse/settings.json"],
}


@pytest.mark.parametrize("name", DOCUMENTED)
def test_files_stand_where_the_agent_looks(name: str) -> None:
    assert list_paths(name, HOME) == PLACES[name]


@pytest.mark.parametrize(
    ("name", "site", "path"),
    [
        ("grok", Site("/h", {"GROK_HOME": "/g"}), "/g/config.toml"),
        ("grok", Site("/h", {"GROK_HOME": "  "}), "/h/.grok/config.toml"),
        ("hermes", Site("/h", {"HERMES_HOME": "/g"}), "/g/config.yaml"),
        ("omp", Site("/h", {"OMP_PROFILE": "work"}), "/h/.omp/profiles/work/agent/mcp.json"),
        ("omp", Site("/h", {"OMP_PROFILE": "work", "PI_CODING_AGENT_DIR": "/g"}), "/g/mcp.json"),
        ("zed", Site("/h", {"XDG_CONFIG_HOME": "/x"}), "/x/zed/settings.json"),
        ("claude-desktop", Site("/h", {}, System.MACOS), f"/h/Library/Application Support/Claude/{DESKTOP}"),
        ("claude-desktop", Site("C:\\h", {"APPDATA": "C:\\a"}, System.WINDOWS), f"C:\\a\\Claude\\{DESKTOP}"),
        ("goose", Site("C:\\h", {"APPDATA": "C:\\a"}, System.WINDOWS), "C:\\a\\Block\\goose\\config\\config.yaml"),
        ("swival", Site("/h", {}, scope=WiringScope.PROJECT, project="/p"), "/p/.swival/mcp.json"),
        ("devin", Site("/h", {}, scope=WiringScope.PROJECT, project="/p"), "/p/.devin/hooks.v1.json"),
        ("pool", Site("/h", {}, scope=WiringScope.PROJECT, project="/p"), "/p/.poolside/settings.yaml"),
    ],
)  # fmt: skip
def test_relocated_homes_other_systems_and_projects_are_honoured(name: str, site: Site, path: str) -> None:
    assert path in list_paths(name, site)


@pytest.mark.parametrize("name", DOCUMENTED)
def test_no_entry_holds_the_token_where_the_agent_can_do_without(name: str) -> None:
    agent = registry.find_agent(name)
    wiring = agent.list_wiring(Site("/h", {}, scope=max(agent.traits.scopes), project="/p"))
    entries = [file.build(build_link(name, token_env="MEM_TOKEN")) for file in wiring.mcp]
    literal = [file.build(build_link(name, token=SECRET)) for file in wiring.mcp]

    assert SECRET not in repr(entries)
    assert (SECRET in repr(literal)) is (agent.traits.token is not TokenUse.BRIDGE and name != "mistral-vibe")
    assert ("mcp-stdio" in repr(entries)) is (agent.traits.token is TokenUse.BRIDGE)
    assert all(file.is_own(entry) for file, entry in zip(wiring.mcp, entries, strict=True))
    assert not any(file.is_own({"command": "npx", "args": ["other"]}) for file in wiring.mcp)


@pytest.mark.parametrize("name", DOCUMENTED)
def test_every_file_of_ours_is_known_again_and_no_other(name: str) -> None:
    for file in registry.find_agent(name).list_wiring(HOME).files:
        text = file.render(build_link(name))

        assert file.is_own(text), file.path
        assert not file.is_own('{"name": "memwiki"}'), file.path
        assert not file.is_own("// something else\n"), file.path


@pytest.mark.parametrize("name", ["amp", "omp", "openclaw"])
def test_a_plug_in_is_a_program_that_parses(name: str, tmp_path: Path) -> None:
    node = shutil.which("node")
    if node is None:
        pytest.skip("there is no node here")
    source = next(
        file for file in registry.find_agent(name).list_wiring(HOME).files if file.path.endswith(("js", "ts"))
    )
    program = tmp_path / "plugin.mjs"
    program.write_text(source.render(build_link(name)), encoding="utf-8")

    done = subprocess.run([node, "--check", str(program)], capture_output=True, text=True, check=False, timeout=60)

    assert done.returncode == 0, done.stderr


def test_omps_extension_has_its_own_names() -> None:
    extension = registry.find_agent("omp").list_wiring(HOME).files[0].render(build_link("omp"))

    assert '"agent_end"' in extension
    assert "agent_settled" not in extension
    assert 'context?.agent?.kind === "sub"' in extension


@pytest.mark.parametrize("name", ["hermes", "pool"])
def test_what_is_to_be_pasted_names_every_event(name: str) -> None:
    agent = registry.find_agent(name)
    text = agent.list_wiring(HOME).snippets[0].render(build_link(name))

    assert text.startswith("hooks:\n")
    assert all(f"  {event.name}:\n" in text for event in agent.traits.hook_events)
    assert text.count(f"--agent {name} --event") == len(agent.traits.hook_events)


BRIEFS: dict[str, dict[str, Any]] = {
    "devin": {"hookSpecificOutput": {"hookEventName": "SessionStart", "additionalContext": "Look."}},
    "command-code": {"hookSpecificOutput": {"hookEventName": "SessionStart", "additionalContext": "Look."}},
    "zcode": {"hookSpecificOutput": {"hookEventName": "SessionStart", "additionalContext": "Look."}},
    "grok": {"hookSpecificOutput": {"hookEventName": "PostToolUse", "additionalContext": "Look."}},
    "hermes": {"context": "Look."},
}


@pytest.mark.parametrize("name", [agent.name.value for agent in natives.CAPTURED if agent.name.value in DOCUMENTED])
def test_a_brief_is_written_at_its_moment_and_never_else(name: str) -> None:
    agent = registry.find_agent(name)
    written = {}
    for event_name, payload in agent.sample_events("s1", "/tmp/x", "Look at s1"):
        event = agent.parse_event(event_name, payload)
        if text := agent.render_brief(event, "Look."):
            written[event_name] = json.loads(text) if text.startswith("{") else text

    is_plugin = name in {"amp", "omp", "openclaw"}
    wanted = "Look." if is_plugin else BRIEFS.get(name)
    assert written == (dict.fromkeys(agent.traits.brief.events, wanted) if wanted else {})


def parse(path: str) -> Event:
    file = natives.DATA / "hook-payloads" / f"{path}.json"
    name, payload = natives.read_recorded(file)
    return natives.find_agent_of(file).parse_event(name, payload)


def parse_tool(path: str) -> ToolCall:
    event = parse(path)
    assert event.kind is EventKind.TOOL_END
    assert event.tool is not None
    return event.tool


@pytest.mark.parametrize(
    ("path", "outcome", "command"),
    [
        ("goose/PostToolUse.shell", Outcome.SUCCEEDED, "go test ./cmd/vet"),
        ("goose/PostToolUseFailure.shell", Outcome.FAILED, "go test ./cmd/vet"),
        ("devin/PostToolUse.shell", Outcome.SUCCEEDED, "go test ./cmd/vet"),
        ("devin/PostToolUse.shell-failed", Outcome.FAILED, "go vet ./..."),
        ("grok/PostToolUse.shell", Outcome.SUCCEEDED, "go test ./cmd/vet"),
        ("grok/PostToolUseFailure.shell", Outcome.FAILED, "go vet ./..."),
        ("zcode/PostToolUseFailure.shell", Outcome.FAILED, "go test ./cmd/vet"),
        ("zero/afterTool.shell-failed", Outcome.FAILED, "go vet ./..."),
        ("hermes/post_tool_call.terminal", Outcome.SUCCEEDED, "go test ./cmd/vet"),
        ("hermes/post_tool_call.terminal-failed", Outcome.FAILED, "go vet ./..."),
        ("amp/tool.result.shell", Outcome.SUCCEEDED, "go test ./cmd/vet"),
        ("amp/tool.result.shell-failed", Outcome.FAILED, "go vet ./..."),
        ("openclaw/after_tool_call.failed", Outcome.FAILED, "go vet ./..."),
        ("mistral-vibe/post_tool.shell", Outcome.SUCCEEDED, "./deploy.sh staging"),
    ],
)
def test_a_command_and_how_it_went_are_understood(path: str, outcome: Outcome, command: str) -> None:
    tool = parse_tool(path)

    assert (tool.command, tool.outcome) == (command, outcome)


@pytest.mark.parametrize(
    ("path", "change"),
    [
        ("goose/PostToolUse.edit", FileChange.MODIFIED),
        ("goose/PostToolUse.write", FileChange.MODIFIED),
        ("devin/PostToolUse.edit", FileChange.MODIFIED),
        ("grok/PostToolUse.edit", FileChange.MODIFIED),
        ("command-code/PostToolUse.write", FileChange.MODIFIED),
        ("hermes/post_tool_call.write", FileChange.MODIFIED),
        ("amp/tool.result.edit", FileChange.MODIFIED),
        ("openclaw/after_tool_call.write", FileChange.MODIFIED),
    ],
)
def test_a_changed_file_is_understood(path: str, change: FileChange) -> None:
    [touch] = parse_tool(path).files

    assert touch.path.startswith(("cmd/vet/", "/home/dev/shop/cmd/vet/"))
    assert touch.change is change


@pytest.mark.parametrize("path", ["grok/PostToolUse.helper", "omp/tool_result.helper"])
def test_what_a_helper_does_is_not_the_main_agents(path: str) -> None:
    assert parse(path).actor is Actor.SUBAGENT


def test_a_configuration_is_edited_in_the_form_that_it_has() -> None:
    forms = {
        "goose": ConfigFormat.YAML,
        "grok": ConfigFormat.TOML,
        "continue": ConfigFormat.YAML,
        "zed": ConfigFormat.JSON,
    }

    for name, form in forms.items():
        assert [file.format for file in registry.find_agent(name).list_wiring(HOME).mcp] == [form]
