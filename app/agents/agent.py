"""The protocol that each agent's module meets, and the values that it speaks in.

A module under `app/agents/` is the only place that spells one agent's formats. Capture, the start brief, the
installer, the doctor and the support matrix reach it through `app.agents.registry`. To add an agent:

1. Write `app/agents/NAME.py`, pure, meeting `Agent`. Plain modules are agents; one that has MCP alone, and no hooks,
   is an `McpOnlyAgent` value named `AGENT` (see `mcp_only`).
2. Say what is known in `traits`; what is usual has a default. Say where things go in `list_wiring`:
   - `HookFile`: our entries among others' in a file of the agent; its `HookShape` says how entries look there;
   - `OwnFile`: a file that is ours alone (a hooks file of our own, a generated plug-in, an executable);
   - `McpFile`: our entry in its list of MCP servers; - `Snippet`: what a person has to paste.
   Folders come from `places` alone, so that a blank or relocated home means the same everywhere.
3. `parse_event` takes any JSON object without failing, and knows `{"session_id": "-"}` too: the table of kinds in
   the hook client is made with it (`make hooks` after each change of `known_events`).
4. Add the module to the table in `registry`, recorded payloads to `tests/data/hook-payloads/NAME/EVENT[.variant].json`,
   and renew goldens and the pages under `docs/agents/` with `--update-golden`.

Texts that reach the model are cut with `bounds.fit_lines`; prompts are read with `prompt.read_prompt`, tools with
`tool_use`, and our own tools are told by `own_tools`. `claude_code` is the fullest example.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Protocol

from app.agents.launch import PLAIN, Launch
from app.agents.places import Home, Site, WiringScope
from app.agents.trust import TrustQuestion
from app.domain.event import AgentName, Event
from app.domain.limits import BRIEF_CHARS_MAX

# The name under which our server stands in every agent's list of MCP servers.
MCP_ENTRY_NAME = "memwiki"
HOOK_SECONDS = 5


class ConfigFormat(StrEnum):
    """How a configuration file is written; plain JSON may have no comments."""

    JSON = "json"
    PLAIN_JSON = "plain json"
    TOML = "toml"
    YAML = "yaml"


class EditAction(StrEnum):
    """What one edit does at its keys: `SET` makes or replaces, `APPEND` adds to a list, `REMOVE` takes away."""

    SET = "set"
    APPEND = "append"
    REMOVE = "remove"


@dataclass(frozen=True, slots=True)
class ConfigEdit:
    """One change of a parsed configuration file; `keys` lead from its root to the place."""

    action: EditAction
    keys: tuple[str | int, ...]
    value: object = None


@dataclass(frozen=True, slots=True)
class HookEvent:
    """One native event that the installer registers; a missing `matcher` means every occurrence."""

    name: str
    timeout_seconds: int = HOOK_SECONDS
    matcher: str | None = None


@dataclass(frozen=True, slots=True)
class HttpHook:
    """A hook without a process: the agent itself posts the event; `token_env` names the variable with the token."""

    url: str
    token_env: str = ""


# What an agent does at an event: run a shell line, run a program with arguments (`Shell.NONE`), or post.
HookCall = str | tuple[str, ...] | HttpHook


class Shell(StrEnum):
    """What reads an agent's command: it decides how words are quoted; `NONE` takes a program and its arguments."""

    SH = "sh"
    CMD = "cmd"
    POWERSHELL = "powershell"
    # Words are split as a shell would, and no shell is run: neither `||` nor a variable means anything.
    WORDS = "words"
    NONE = "none"


class TokenUse(StrEnum):
    """How an agent's MCP entry can name the access token.

    `ENV`: it expands a variable. `LITERAL`: it knows nothing but the token itself. `BRIDGE`: it starts our stdio
    bridge, which reads the token where the hook client does, so that none stands in its file.
    """

    ENV = "env"
    LITERAL = "literal"
    BRIDGE = "bridge"


class EvidenceKind(StrEnum):
    """How far what a module says was seen; `ASSUMED` is documented but for the fields of its payloads."""

    VERIFIED = "verified"
    DOCUMENTED = "documented"
    ASSUMED = "assumed"
    MCP_ONLY = "mcp-only"


@dataclass(frozen=True, slots=True)
class Evidence:
    """What the support matrix says of an agent; `version` is the release that was run."""

    kind: EvidenceKind
    version: str = ""


class BriefPoint(StrEnum):
    """When a brief reaches the model: by itself, or only when the agent asks through MCP."""

    SESSION_START = "session-start"
    FIRST_PROMPT = "first-prompt"
    FIRST_TOOL_RESULT = "first-tool-result"
    PLUGIN = "plugin"
    ON_REQUEST = "on-request"


class SizeUnit(StrEnum):
    """What an agent counts when it cuts what a hook printed."""

    CHARACTERS = "characters"
    BYTES = "bytes"


@dataclass(frozen=True, slots=True)
class BriefWay:
    """Where and how a brief reaches the model, at most how long; `envelope` is for people.

    Events that come more than once brief a session at the first that `takes_brief_at` names, and only then.
    """

    point: BriefPoint
    events: tuple[str, ...] = ()
    envelope: str = ""
    size_max: int = BRIEF_CHARS_MAX
    unit: SizeUnit = SizeUnit.CHARACTERS


@dataclass(frozen=True, slots=True)
class OneShot:
    """How a run without a person (print and exec modes) is told, if it is.

    `payload` has fields of the hook's JSON with the values that mean it, `variables` the same of the environment, and
    `words` are arguments of the agent's own command line; `said` is for people.
    """

    said: str = ""
    payload: tuple[tuple[str, frozenset[str]], ...] = ()
    variables: tuple[tuple[str, frozenset[str]], ...] = ()
    words: frozenset[str] = frozenset()

    @property
    def is_known(self) -> bool:
        """Tell whether there is anything to tell it by."""
        return bool(self.payload or self.variables or self.words)


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentTraits:
    """What is known of an agent besides its formats; every text is one sentence for people.

    `binaries` are looked for on PATH and `homes` on disk to tell whether an agent is there, and `session_files` are
    patterns below its first home of the files that it leaves for each session. `http_events` are those of
    `hook_events` that the agent can post itself. `doctor_notes` say what no check of ours can see, `reads_hooks_of`
    names the agent whose hook files this one runs as well, `captures` and `misses` are for the support matrix.
    `instructions` is the file in a project's root that the agent reads as its instructions, `user_instructions` the
    same for all work, below its first home; `skills` is the folder, in a project and in the person's home, below which
    it looks for skills. `launch` says how the agent is started from a terminal, None for one that is not;
    without `names_sessions` its hooks may be told no session's id, and the hook client gives one.
    """

    evidence: Evidence
    binaries: tuple[str, ...] = ()
    homes: tuple[Home, ...] = ()
    session_files: tuple[str, ...] = ()
    scopes: frozenset[WiringScope] = frozenset({WiringScope.USER})
    hook_events: tuple[HookEvent, ...] = ()
    http_events: frozenset[str] = frozenset()
    shell: Shell = Shell.SH
    windows_shell: Shell = Shell.CMD
    token: TokenUse = TokenUse.ENV
    brief: BriefWay = BriefWay(BriefPoint.ON_REQUEST)
    one_shot: OneShot = OneShot()
    has_session_end: bool = True
    names_sessions: bool = True
    launch: Launch | None = PLAIN
    trust: TrustQuestion | None = None
    reads_hooks_of: tuple[AgentName, ...] = ()
    install_notes: tuple[str, ...] = ()
    doctor_notes: tuple[str, ...] = ()
    captures: str = "prompts, tool calls with their results, turns, compactions and the session's start and end"
    misses: tuple[str, ...] = ()
    instructions: str = "AGENTS.md"
    user_instructions: str = ""
    skills: str = ".agents"


@dataclass(frozen=True, slots=True)
class Link:
    """What our entries point to: the server, and the copy of the hook client on this machine.

    `calls` has what to run for each of the agent's `hook_events`, quoted for its shell and with success as its only
    end. The token is named by at most one of `token_env` (a variable), `token_file` (a file of this user alone, for
    our own programs) and, with `TokenUse.LITERAL`, `token` itself. `bridge` is the command of our stdio bridge.
    """

    server_url: str
    calls: Mapping[str, HookCall] = field(default_factory=dict)
    python: str = ""
    client: str = ""
    token_env: str = ""
    token_file: str = ""
    token: str = field(default="", repr=False)
    bridge: tuple[str, ...] = ()

    @property
    def mcp_url(self) -> str:
        """The address of the server's MCP end."""
        return f"{self.server_url}/mcp"

    def build_headers(self, reference: str = "${%s}") -> dict[str, str]:
        """Build the header with the token: `reference` is how the agent expands a variable; none without a token."""
        shown = reference.replace("%s", self.token_env) if self.token_env else self.token
        return {"Authorization": f"Bearer {shown}"} if shown else {}


class HookLayout(StrEnum):
    """How a hook file lists its hooks.

    `NESTED`: `{EVENT: [{"matcher"?: …, "hooks": [HOOK]}]}`. `FLAT`: `{EVENT: [HOOK]}`. `LISTED`: `[HOOK]`, each of
    which names its event itself.
    """

    NESTED = "nested"
    FLAT = "flat"
    LISTED = "listed"


def build_command_hook(event: HookEvent, call: HookCall) -> dict[str, object]:
    """Build Claude Code's form of a hook, with the limit in seconds."""
    if isinstance(call, HttpHook):
        hook: dict[str, object] = {"type": "http", "url": call.url, "timeout": event.timeout_seconds}
        if call.token_env:
            hook |= {"headers": {"Authorization": f"Bearer ${call.token_env}"}, "allowedEnvVars": [call.token_env]}
        return hook
    return {"type": "command", "command": call, "timeout": event.timeout_seconds}


@dataclass(frozen=True, slots=True)
class HookShape:
    """How hooks stand in a file: where, in which layout, and how one looks.

    `root` leads to the table (or, `LISTED`, the list) of hooks; empty means that the file itself is it. `build`
    writes one hook (seconds or milliseconds, further fields, a form of its own), in which the call must stand whole
    under `command`, `bash`, `action.command` or `command` and `args`: that is how it is recognised. `flat_events` are
    events without groups in an otherwise nested file, `event_field` names the event in a listed hook, `preset` has
    keys and values that the agent wants in the file besides, set where they are missing.
    """

    layout: HookLayout = HookLayout.NESTED
    root: tuple[str, ...] = ("hooks",)
    build: Callable[[HookEvent, HookCall], dict[str, object]] = build_command_hook
    flat_events: frozenset[str] = frozenset()
    event_field: str = "event"
    preset: tuple[tuple[tuple[str, ...], object], ...] = ()


@dataclass(frozen=True, slots=True)
class HookFile:
    """A file of the agent's in which our hooks stand among others'.

    With `is_pattern` the last part of the path is a pattern, and every file that is there is meant; none is made.
    """

    path: str
    format: ConfigFormat = ConfigFormat.JSON
    shape: HookShape = HookShape()
    is_pattern: bool = False


@dataclass(frozen=True, slots=True)
class OwnFile:
    """A file that is ours alone.

    `render` writes it whole; `is_own` must be certain, since a file that is ours is replaced and removed, and any
    other is refused (see `own_files`). `mode` has the permissions of a new file; `note` tells people what it is.
    """

    path: str
    render: Callable[[Link], str]
    is_own: Callable[[str], bool]
    mode: int = 0o600
    note: str = ""


@dataclass(frozen=True, slots=True)
class McpFile:
    """The file with the agent's MCP servers, and our entry in it.

    `keys` lead to our entry, whose name is the last; with `listed_by` the last key is that of a list, in which our
    entry is the one with our name in that field. `is_own` tells whether an entry under our name was made by us.
    `preset` as in `HookShape`.
    """

    path: str
    build: Callable[[Link], dict[str, object]]
    is_own: Callable[[object], bool]
    format: ConfigFormat = ConfigFormat.JSON
    keys: tuple[str, ...] = ("mcpServers", MCP_ENTRY_NAME)
    listed_by: str = ""
    preset: tuple[tuple[tuple[str, ...], object], ...] = ()


@dataclass(frozen=True, slots=True)
class Snippet:
    """What a person has to paste, since it is not ours to write."""

    path: str
    render: Callable[[Link], str]


@dataclass(frozen=True, slots=True)
class Wiring:
    """All that installing an agent at one site touches; the part for a scope that an agent has not is empty."""

    hooks: tuple[HookFile, ...] = ()
    files: tuple[OwnFile, ...] = ()
    mcp: tuple[McpFile, ...] = ()
    snippets: tuple[Snippet, ...] = ()


class Agent(Protocol):
    """What memwiki knows of one coding agent; the modules of this folder are its instances."""

    @property
    def name(self) -> AgentName:
        """The agent's name on the wire."""
        ...

    @property
    def title(self) -> str:
        """What people call it."""
        ...

    @property
    def traits(self) -> AgentTraits:
        """What is known of it besides its formats."""
        ...

    @property
    def known_events(self) -> frozenset[str]:
        """The native names that the module has heard of."""
        ...

    def parse_event(self, event_name: str, payload: Mapping[str, object]) -> Event:
        """Read what the agent's hook received; odd content never fails, unknown content is kept in `extra`.

        Raises:
            MalformedPayload: no session id can be found.
        """
        ...

    def takes_brief_at(self, event: Event) -> bool:
        """Tell whether text answered to this event reaches the model of a main session."""
        ...

    def render_brief(self, event: Event, text: str) -> str:
        """Write the exact standard output of the hook; empty where the event cannot carry a brief."""
        ...

    def list_wiring(self, site: Site) -> Wiring:
        """Tell what stands where at a site."""
        ...

    def sample_events(self, session_id: str, cwd: str, words: str) -> tuple[tuple[str, dict[str, object]], ...]:
        """Build a short session as the agent itself would tell it: native events and their payloads.

        The person says `words`; one command is run; the last ends the session or, without such an event, its turn.
        """
        ...
