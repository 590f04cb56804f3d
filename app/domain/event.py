"""`Event` and the closed `EventKind`: one thing an agent did, as its adapter understood it."""

from datetime import datetime
from enum import StrEnum

from app.domain.cheap import cheap_dataclass


class AgentName(StrEnum):
    """The agents that have a module in `app/agents/`, spelled once."""

    CLAUDE_CODE = "claude-code"
    CODEX = "codex"
    GEMINI_CLI = "gemini-cli"
    COPILOT_CLI = "copilot-cli"
    OPENCODE = "opencode"
    PI = "pi"
    QWEN_CODE = "qwen-code"
    KIMI_CODE = "kimi-code"
    DROID = "droid"
    CLINE = "cline"
    CURSOR = "cursor"
    VSCODE_COPILOT = "vscode-copilot"
    WINDSURF = "windsurf"
    KIRO_CLI = "kiro-cli"
    KIRO_CLI_V3 = "kiro-cli-v3"
    ANTIGRAVITY = "antigravity"
    GOOSE = "goose"
    AMP = "amp"
    DEVIN = "devin"
    GROK = "grok"
    OMP = "omp"
    OPENCLAW = "openclaw"
    COMMAND_CODE = "command-code"
    ZCODE = "zcode"
    ZERO = "zero"
    HERMES = "hermes"
    POOL = "pool"
    CLAUDE_DESKTOP = "claude-desktop"
    ZED = "zed"
    CONTINUE = "continue"
    MISTRAL_VIBE = "mistral-vibe"
    SWIVAL = "swival"
    MUSE = "muse"


class EventKind(StrEnum):
    """What happened; `OTHER` keeps what no adapter knows yet."""

    SESSION_START = "session_start"
    PROMPT = "prompt"
    TOOL_START = "tool_start"
    TOOL_END = "tool_end"
    TURN_END = "turn_end"
    SUBAGENT_START = "subagent_start"
    SUBAGENT_END = "subagent_end"
    COMPACTION = "compaction"
    SESSION_END = "session_end"
    OTHER = "other"


class Actor(StrEnum):
    """Whose words or deed an event is: `MACHINE` covers recaps, notifications and injected text."""

    PERSON = "person"
    AGENT = "agent"
    SUBAGENT = "subagent"
    MACHINE = "machine"


class ToolPurpose(StrEnum):
    """What a tool is for; `MEMORY` is our own server's tool, whose results are old memory.

    `QUESTION` asks the person: each line of its output is a question, an arrow and the person's answer.
    """

    SHELL = "shell"
    READ = "read"
    EDIT = "edit"
    SEARCH = "search"
    WEB = "web"
    TODO = "todo"
    SUBAGENT = "subagent"
    MEMORY = "memory"
    QUESTION = "question"
    OTHER = "other"


class Outcome(StrEnum):
    """How a tool call or command went; `UNKNOWN` where the agent does not say."""

    SUCCEEDED = "succeeded"
    FAILED = "failed"
    UNKNOWN = "unknown"


class FileChange(StrEnum):
    """What a tool call did to a file."""

    READ = "read"
    ADDED = "added"
    MODIFIED = "modified"
    DELETED = "deleted"


@cheap_dataclass(frozen=True, slots=True)
class FileTouch:
    """One file in one tool call; `path` as the agent gave it."""

    path: str
    change: FileChange


@cheap_dataclass(frozen=True, slots=True)
class TodoItem:
    """One line of an agent's own task list.

    `key` names a line of a list that is told line by line, empty where the whole list is told at once; such a line
    without text is one that was told before.
    """

    text: str
    is_done: bool
    key: str = ""


@cheap_dataclass(frozen=True, slots=True)
class ToolCall:
    """One use of a tool. Texts are bounded by `domain/limits.py`, cut with a visible mark."""

    name: str
    purpose: ToolPurpose
    outcome: Outcome = Outcome.UNKNOWN
    command: str = ""
    files: tuple[FileTouch, ...] = ()
    todos: tuple[TodoItem, ...] = ()
    input_text: str = ""
    output_text: str = ""
    exit_code: int | None = None


@cheap_dataclass(frozen=True, slots=True)
class Event:
    """One thing an agent did.

    `native_id` is the agent's own id of the tool call or prompt (empty where it has none); `reason` is why a
    session started or ended or was compacted, in the agent's word; `continues` is the agent's id of the session that
    this one goes on with, and `helper_id` its id of the subagent that the event is of; `extra` holds fields that no
    adapter knows, as name and JSON text.
    """

    agent: AgentName
    kind: EventKind
    native_name: str
    agent_session_id: str
    actor: Actor
    cwd: str = ""
    text: str = ""
    reason: str = ""
    native_id: str = ""
    tool: ToolCall | None = None
    occurred_at: datetime | None = None
    extra: tuple[tuple[str, str], ...] = ()
    continues: str = ""
    helper_id: str = ""
