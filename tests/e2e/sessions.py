"""What the end-to-end tests send: recorded sessions, and small ones made for the purpose; and what they look up."""

import json
import sqlite3
from collections.abc import Mapping
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.server import Server

ROOT = Path(__file__).parents[2]
RECORDINGS = ROOT / "app" / "entrypoints" / "cli" / "recordings"
PAYLOADS = ROOT / "tests" / "data" / "hook-payloads"
CHECKOUT = {"cwd": "/home/dev/shop", "root": "/home/dev/shop", "remote": "https://github.com/example/shop.git"}


@dataclass(frozen=True, slots=True, eq=False)
class SentEvent:
    """One event as an agent's hook gives it to the client."""

    agent: str
    event: str
    payload: Mapping[str, Any]
    checkout: Mapping[str, Any]
    key: str = ""

    @property
    def session_id(self) -> str:
        """The agent's own id of the session."""
        return str(self.payload["session_id"])

    def send(self, server: Server) -> str:
        """Send it, and give back what the hook prints."""
        return server.post_event(self.agent, self.event, self.payload, key=self.key, checkout=self.checkout)


def load_recording(name: str) -> list[SentEvent]:
    """Read a recorded session."""
    lines = (RECORDINGS / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()
    events = [json.loads(line) for line in lines]
    return [
        SentEvent(each["agent"], each["event"], each["payload"], each["checkout"], f"{name}-{number}")
        for number, each in enumerate(events)
    ]


def build_event(session: str, event: str, **fields: object) -> SentEvent:
    """Build a Claude Code event of a small session."""
    payload = {"session_id": session, "cwd": CHECKOUT["cwd"], "hook_event_name": event, **fields}
    return SentEvent("claude-code", event, payload, CHECKOUT)


def build_start(session: str) -> SentEvent:
    """Build the start of a session."""
    return build_event(session, "SessionStart", source="startup")


def build_prompt(session: str, text: str) -> SentEvent:
    """Build a person's words."""
    return build_event(session, "UserPromptSubmit", prompt=text)


def build_command(session: str, command: str) -> SentEvent:
    """Build a command that an agent ran."""
    fields: dict[str, object] = {
        "tool_name": "Bash",
        "tool_input": {"command": command},
        "tool_response": {"stdout": "ok", "stderr": "", "interrupted": False},
        "tool_use_id": f"toolu-{session}-{command}",
    }
    return build_event(session, "PostToolUse", **fields)


def build_edit(session: str, path: str) -> SentEvent:
    """Build the writing of a file."""
    fields: dict[str, object] = {
        "tool_name": "Write",
        "tool_input": {"file_path": f"{CHECKOUT['root']}/{path}", "content": "x = 1\n"},
        "tool_response": {"filePath": f"{CHECKOUT['root']}/{path}", "success": True},
        "tool_use_id": f"toolu-{session}-{path}",
    }
    return build_event(session, "PostToolUse", **fields)


def build_end(session: str) -> SentEvent:
    """Build the end of a session."""
    return build_event(session, "SessionEnd", reason="other")


def build_session(session: str, *, goal: str = "Round prices to cents") -> list[SentEvent]:
    """Build a short session that did some work."""
    return [
        build_start(session),
        build_prompt(session, f"{goal} ({session})"),
        build_edit(session, f"{session}.py"),
        build_command(session, f"pytest {session}.py"),
        build_end(session),
    ]


def list_session_pages(server: Server) -> list[str]:
    """List the places of all sessions' pages on disk."""
    return sorted(str(path.relative_to(server.wiki)) for path in server.wiki.glob("*/*/sessions/*/*.md"))


def read_state(data_dir: Path, query: str) -> list[tuple[Any, ...]]:
    """Ask the store itself, on a connection that cannot write or checkpoint."""
    uri = f"file:{data_dir / 'state' / 'state.db'}?mode=ro"
    with closing(sqlite3.connect(uri, uri=True, timeout=10)) as connection:
        return connection.execute(query).fetchall()


def list_texts(data_dir: Path) -> list[str]:
    """List the prompts that are stored, in order of arrival."""
    rows = read_state(data_dir, "SELECT event FROM observations WHERE kind = 'prompt' ORDER BY id")
    return [json.loads(event)["text"] for (event,) in rows]
