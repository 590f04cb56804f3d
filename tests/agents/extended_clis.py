"""The command lines of the extended run that tell less than the others: what each leaves out is stated with it."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from tests.agents.clis import SEARCH, Cli, write_json
from tests.agents.fake_model import Call


@dataclass(frozen=True)
class Extended:
    """One command line, and what its hooks do not tell.

    `read` shows the file that is to be edited, where an agent edits no other; `before_search` is what the model has to
    ask for before it is offered the memory's tool. With `is_told_late` the brief comes with a tool's result.
    """

    cli: Cli
    read: Callable[[Path], Call] | None = None
    before_search: tuple[Call, ...] = ()
    tells_prompts: bool = True
    tells_failures: bool = True
    tells_last_call: bool = True
    is_told_late: bool = False


def prepare_qwen(home: Path, _model: str) -> None:
    write_json(
        home / ".qwen" / "settings.json",
        {
            "security": {"auth": {"selectedType": "openai"}, "folderTrust": {"enabled": False}},
            "general": {"enableAutoUpdate": False},
            "privacy": {"usageStatisticsEnabled": False},
            "telemetry": {"enabled": False},
            # Otherwise it writes this line into the file itself.
            "$version": 4,
        },
    )


def prepare_kimi(home: Path, model: str) -> None:
    (home / ".kimi-code").mkdir(parents=True)
    (home / ".kimi-code" / "config.toml").write_text(
        f"""# A person's own settings.
default_model = "fake"

[providers.fake]
type = "openai"
base_url = "{model}/v1"
api_key = "dummy"

[models.fake]
provider = "fake"
model = "fake-model"
max_context_size = 100000
""",
        encoding="utf-8",
    )


def prepare_droid(home: Path, model: str) -> None:
    served = {"baseUrl": f"{model}/v1", "apiKey": "dummy", "provider": "generic-chat-completion-api"}
    named = {"model": "fake-model", "id": "custom:fake-0", "index": 0, "displayName": "fake", "maxOutputTokens": 4000}
    write_json(home / ".factory" / "settings.json", {"customModels": [{**named, **served}]})


def prepare_cline(home: Path, model: str) -> None:
    name = "openai-compatible"
    settings = {"provider": name, "apiKey": "dummy", "model": "fake-model", "baseUrl": f"{model}/v1"}
    provider = {"settings": settings, "updatedAt": "2026-11-30T12:00:00.000Z", "tokenSource": "manual"}
    write_json(
        home / ".cline" / "data" / "settings" / "providers.json",
        {"version": 1, "lastUsedProvider": name, "modes": {}, "providers": {name: provider}},
    )


def run_droid(line: str) -> Call:
    return Call(
        "Execute",
        {"command": line, "summary": "Run it", "riskLevel": "low", "riskLevelReason": "harmless", "timeout": 10},
    )


EXTENDED = (
    Extended(
        Cli(
            agent="qwen-code",
            package="@qwen-code/qwen-code@0.24.4",
            words=("qwen", "--yolo", "-p"),
            env={"OPENAI_API_KEY": "dummy", "OPENAI_BASE_URL": "{model}/v1", "OPENAI_MODEL": "fake-model"},
            prepare=prepare_qwen,
            run=lambda line: Call("run_shell_command", {"command": line, "description": "Run it"}),
            edit=lambda path, old, new: Call("edit", {"file_path": str(path), "old_string": old, "new_string": new}),
            search=Call("tool_call", {"name": "mcp__memwiki__memory_search", "arguments": SEARCH}),
            is_extended=True,
        ),
        read=lambda path: Call("read_file", {"file_path": str(path)}),
    ),
    Extended(
        Cli(
            agent="kimi-code",
            package="@moonshot-ai/kimi-code@2.1.0",
            words=("kimi", "-p"),
            env={"KIMI_CODE_NO_AUTO_UPDATE": "1"},
            prepare=prepare_kimi,
            run=lambda line: Call("Bash", {"command": line}),
            edit=lambda path, old, new: Call("Edit", {"path": str(path), "old_string": old, "new_string": new}),
            search=Call("mcp__memwiki__memory_search", SEARCH),
            is_extended=True,
        ),
        # It does not wait for what it sends after a call, and ends when the model has answered.
        tells_last_call=False,
    ),
    Extended(
        Cli(
            agent="droid",
            package="droid@0.215.0",
            words=("droid", "exec", "--model", "custom:fake-0", "--skip-permissions-unsafe"),
            env={"FACTORY_API_KEY": "fk-dummy"},
            prepare=prepare_droid,
            run=run_droid,
            edit=lambda path, old, new: Call("Edit", {"file_path": str(path), "old_str": old, "new_str": new}),
            search=Call("memwiki___memory_search", SEARCH),
            is_extended=True,
        ),
        before_search=(Call("ToolSearch", {"query": "select:memwiki___memory_search"}),),
        tells_prompts=False,
        tells_failures=False,
    ),
    Extended(
        Cli(
            agent="cline",
            package="cline@3.0.65",
            words=("cline", "-P", "openai-compatible", "-m", "fake-model"),
            env={},
            prepare=prepare_cline,
            run=lambda line: Call("run_commands", {"commands": [line]}),
            edit=lambda path, old, new: Call("editor", {"path": str(path), "old_text": old, "new_text": new}),
            search=Call("memwiki__memory_search", SEARCH),
            # Each turn leaves a hub behind, which the next one would talk to.
            stop=("hub", "stop"),
            rewrites=(".cline/data/settings/providers.json",),
            is_extended=True,
        ),
        tells_prompts=False,
        is_told_late=True,
    ),
)
