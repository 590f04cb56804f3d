"""The real command lines of coding agents: where to get them, how a headless turn is run, what their tools are called.

Each entry is a fact of one release; another release may want something else, so that the versions are pinned.
"""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from tests.agents import fetch
from tests.agents.fake_model import Call

NODE = ("node22", "node@22.23.3")
# Of a turn that takes seconds where nothing else runs.
TURN_SECONDS_MAX = 240
TOKEN = "mw_" + "5e" * 16
SEARCH = {"query": "rounding"}

# Writes what a person had before memwiki came: the settings that lead the agent to the model.
Prepare = Callable[[Path, str], None]
# Names the tools as the agent offers them.
Run = Callable[[str], Call]
Edit = Callable[[Path, str, str], Call]


@dataclass(frozen=True)
class Cli:
    """One agent's command line.

    `env` names its variables, in which `{model}` is the model's address; `words` come before the prompt.
    `tells_answers` says that its hooks are given what the model said; `stop` are the words that end what a turn leaves
    running, `rewrites` the files that the agent itself writes anew.
    """

    agent: str
    package: str
    words: tuple[str, ...]
    env: Mapping[str, str]
    prepare: Prepare
    run: Run
    edit: Edit
    search: Call
    tells_answers: bool = True
    stop: tuple[str, ...] = ()
    rewrites: tuple[str, ...] = ()
    is_extended: bool = False

    @property
    def folder(self) -> str:
        """The folder below the cache that it is installed in."""
        return self.words[0]


def write_json(path: Path, value: object) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    # An odd form, so that giving back the very bytes is told from writing the same settings anew.
    path.write_text(json.dumps(value, indent=3) + "\n\n", encoding="utf-8")


def prepare_claude(home: Path, _model: str) -> None:
    write_json(home / ".claude" / "settings.json", {"cleanupPeriodDays": 30, "hooks": {}})


def prepare_codex(home: Path, model: str) -> None:
    (home / ".codex").mkdir(parents=True)
    (home / ".codex" / "config.toml").write_text(
        f"""# A person's own settings.
model = "fake-model"
model_provider = "fake"
approval_policy = "never"
sandbox_mode = "danger-full-access"
check_for_update_on_startup = false
[analytics]
enabled = false
[model_providers.fake]
name = "fake"
base_url = "{model}/v1"
env_key = "FAKE_KEY"
wire_api = "responses"
request_max_retries = 0
""",
        encoding="utf-8",
    )


def prepare_gemini(home: Path, _model: str) -> None:
    write_json(
        home / ".gemini" / "settings.json",
        {
            "security": {"auth": {"selectedType": "gemini-api-key"}, "folderTrust": {"enabled": False}},
            "general": {"enableAutoUpdate": False},
            "privacy": {"usageStatisticsEnabled": False},
            "telemetry": {"enabled": False},
        },
    )


def prepare_copilot(home: Path, _model: str) -> None:
    write_json(home / ".copilot" / "mcp-config.json", {"mcpServers": {}})
    # Otherwise it unpacks itself anew in each home.
    unpacked = fetch.find_cache() / "copilot-unpacked"
    unpacked.mkdir(exist_ok=True)
    (home / ".cache").mkdir(exist_ok=True)
    (home / ".cache" / "copilot").symlink_to(unpacked)


def prepare_opencode(home: Path, model: str) -> None:
    folder = home / ".config" / "opencode"
    options = {"baseURL": f"{model}/v1", "apiKey": "{env:FAKE_KEY}"}
    models = {"fake-model": {"tool_call": True, "limit": {"context": 100_000, "output": 8000}}}
    provider = {"npm": "@ai-sdk/openai-compatible", "options": options, "models": models}
    write_json(
        folder / "opencode.json",
        {
            # Otherwise it writes this line into the file itself.
            "$schema": "https://opencode.ai/config.json",
            "autoupdate": False,
            "share": "disabled",
            "model": "fake/fake-model",
            "small_model": "fake/fake-model",
            "permission": {"*": "allow"},
            "provider": {"fake": provider},
        },
    )
    link_library(folder)


def link_library(folder: Path) -> None:
    """Lay beside a plug-in what OpenCode would fetch at its start, for which it waits a minute where it is offline."""
    folder.mkdir(exist_ok=True)
    for name in ("node_modules", "package.json", "package-lock.json"):
        (folder / name).symlink_to(fetch.find_cache() / "opencode-plugin" / name)


def prepare_pi(home: Path, model: str) -> None:
    provider = {"baseUrl": f"{model}/v1", "api": "openai-completions", "apiKey": "dummy", "models": [{"id": "fake"}]}
    write_json(home / ".pi" / "agent" / "models.json", {"providers": {"fake": provider}})


CLIS = (
    Cli(
        agent="claude-code",
        package="@anthropic-ai/claude-code@2.1.332",
        words=("claude", "--dangerously-skip-permissions", "-p"),
        env={
            "ANTHROPIC_BASE_URL": "{model}",
            "ANTHROPIC_API_KEY": "dummy",
            "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
            "DISABLE_AUTOUPDATER": "1",
            "DISABLE_TELEMETRY": "1",
            "DISABLE_ERROR_REPORTING": "1",
            # Tools of MCP servers are offered at once, and root may do without questions.
            "ENABLE_TOOL_SEARCH": "false",
            "IS_SANDBOX": "1",
        },
        prepare=prepare_claude,
        run=lambda line: Call("Bash", {"command": line, "description": "Run it"}),
        edit=lambda path, old, new: Call("Edit", {"file_path": str(path), "old_string": old, "new_string": new}),
        search=Call("mcp__memwiki__memory_search", SEARCH),
    ),
    Cli(
        agent="codex",
        package="@openai/codex@0.171.0",
        # Only the person at the keyboard can trust hooks.
        words=("codex", "exec", "--skip-git-repo-check", "--dangerously-bypass-hook-trust"),
        env={"FAKE_KEY": "dummy"},
        prepare=prepare_codex,
        run=lambda line: Call("exec_command", {"cmd": line}),
        # For a model that it does not know it offers no tool to edit with.
        edit=lambda path, old, new: Call("exec_command", {"cmd": f"sed -i 's/{old}/{new}/' {path}"}),
        search=Call("memory_search", SEARCH, namespace="mcp__memwiki"),
    ),
    Cli(
        agent="gemini-cli",
        package="@google/gemini-cli@0.61.0",
        words=("gemini", "--yolo", "-m", "gemini-2.5-pro", "-p"),
        env={"GEMINI_API_KEY": "dummy", "GOOGLE_GEMINI_BASE_URL": "{model}", "GEMINI_CLI_TRUST_WORKSPACE": "true"},
        prepare=prepare_gemini,
        run=lambda line: Call("run_shell_command", {"command": line}),
        edit=lambda path, old, new: Call(
            "replace", {"file_path": str(path), "old_string": old, "new_string": new, "instruction": "Round half up."}
        ),
        search=Call("mcp_memwiki_memory_search", SEARCH),
    ),
    Cli(
        agent="copilot-cli",
        package="@github/copilot@1.0.102",
        words=("copilot", "--allow-all", "-s", "-p"),
        env={
            "COPILOT_OFFLINE": "true",
            "COPILOT_PROVIDER_BASE_URL": "{model}/v1",
            "COPILOT_PROVIDER_API_KEY": "dummy",
            "COPILOT_MODEL": "fake-model",
            "COPILOT_AUTO_UPDATE": "false",
        },
        prepare=prepare_copilot,
        run=lambda line: Call("bash", {"command": line, "description": "Run it"}),
        edit=lambda path, old, new: Call("edit", {"path": str(path), "old_str": old, "new_str": new}),
        search=Call("memwiki-memory_search", SEARCH),
        tells_answers=False,
    ),
    Cli(
        agent="opencode",
        package="opencode-ai@1.18.33",
        words=("opencode", "run"),
        env={
            "FAKE_KEY": "dummy",
            "OPENCODE_DISABLE_AUTOUPDATE": "1",
            "OPENCODE_DISABLE_MODELS_FETCH": "1",
            "OPENCODE_DISABLE_LSP_DOWNLOAD": "1",
        },
        prepare=prepare_opencode,
        run=lambda line: Call("bash", {"command": line, "description": "Run it"}),
        edit=lambda path, old, new: Call("edit", {"filePath": str(path), "oldString": old, "newString": new}),
        search=Call("memwiki_memory_search", SEARCH),
    ),
    Cli(
        agent="pi",
        package="@earendil-works/pi-coding-agent@1.6.0",
        words=("pi", "--provider", "fake", "--model", "fake", "-p"),
        env={"PI_OFFLINE": "1", "PI_TELEMETRY": "0"},
        prepare=prepare_pi,
        run=lambda line: Call("bash", {"command": line}),
        edit=lambda path, old, new: Call("edit", {"path": str(path), "edits": [{"oldText": old, "newText": new}]}),
        search=Call("mcp__memwiki__memory_search", SEARCH),
        is_extended=True,
    ),
)
# What is needed besides the agents themselves.
BESIDES = (NODE, ("opencode-plugin", "@opencode-ai/plugin@1.18.33"))
