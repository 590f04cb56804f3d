"""The protocol that each agent's module meets, and the values that it speaks in.

A module under `app/agents/` is the only place that spells one agent's formats; capture, the start brief and the
installer reach it through `app.agents.registry`.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

from app.domain.event import AgentName, Event

# The name under which our server stands in every agent's list of MCP servers.
MCP_ENTRY_NAME = "memwiki"


class ConfigFormat(StrEnum):
    """How a configuration file is written."""

    JSON = "json"
    TOML = "toml"


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
class ConfigPlace:
    """A configuration file and where in it something of ours stands."""

    path: str
    format: ConfigFormat
    keys: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class HookEvent:
    """One native event that the installer registers; a missing `matcher` means every occurrence."""

    name: str
    timeout_seconds: int
    matcher: str | None = None


@dataclass(frozen=True, slots=True)
class HttpHook:
    """A hook without a process: the agent itself posts the event; `token_env` names the variable with the token."""

    url: str
    token_env: str = ""


# What an agent does at an event: run a shell line, or post.
HookCall = str | HttpHook


class Agent(Protocol):
    """What memwiki knows of one coding agent; the modules of this folder are its instances."""

    name: AgentName
    title: str
    hook_events: tuple[HookEvent, ...]
    known_events: frozenset[str]
    # Those of `hook_events` that the agent can post itself.
    http_events: frozenset[str]
    install_notes: tuple[str, ...]
    # What no check of ours can see.
    doctor_notes: tuple[str, ...]

    def parse_event(self, event_name: str, payload: Mapping[str, object]) -> Event:
        """Read what the agent's hook received; odd content never fails, unknown content is kept in `extra`.

        Raises:
            MalformedPayload: no session id can be found.
        """
        ...

    def takes_brief_at(self, event: Event) -> bool:
        """Tell whether text printed by the hook at this event reaches the model of a main session."""
        ...

    def render_brief(self, event: Event, text: str) -> str:
        """Write the exact standard output of the hook; empty where the event cannot carry a brief."""
        ...

    def hook_place(self, home: str, env: Mapping[str, str]) -> ConfigPlace:
        """Find the file that lists the agent's hooks."""
        ...

    def plan_hooks(self, settings: object, calls: Mapping[str, HookCall], path: str) -> tuple[ConfigEdit, ...]:
        """Plan the edits after which exactly `calls` (by native event) are our hooks in the parsed file.

        No calls means that ours are removed. The edits are to be applied in order.

        Raises:
            ForeignEntry: something of another shape stands where our hooks go.
        """
        ...

    def list_hooks(self, settings: object) -> tuple[tuple[str, HookCall], ...]:
        """List our hooks in the parsed file: native event and call of each, in the file's order."""
        ...

    def sample_events(self, session_id: str, cwd: str, words: str) -> tuple[tuple[str, dict[str, object]], ...]:
        """Build a short session as the agent itself would tell it: native events and their payloads.

        The person says `words`; one command is run; the last event ends the session, and the first begins it.
        """
        ...

    def mcp_place(self, home: str, env: Mapping[str, str]) -> ConfigPlace:
        """Find the file and keys of our entry among the agent's MCP servers."""
        ...

    def build_mcp_entry(self, url: str, token_env: str) -> dict[str, object]:
        """Build our MCP entry; `token_env` names the variable with the access token, empty for none."""
        ...

    def is_own_mcp_entry(self, entry: object) -> bool:
        """Tell whether an entry that stands under our name was made by us."""
        ...
