"""Feeds a set to a running server as an agent's hooks would, and tells which stored thing is which of the set's."""

import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Final

import httpx2
import msgspec

from app.bench.corpus import DrawnPage, write_page
from app.bench.retrieval_sets import Conversation, Corpus, Said
from app.domain.errors import RemoteRejected
from app.domain.page import PagePath
from app.domain.scope import DEFAULT_WORKSPACE, Scope

AGENT: Final = "claude-code"
_BATCH: Final = 64
_WAIT_SECONDS_MAX: Final = 600.0
_POLL_S: Final = 0.05
_JSON: Final = {"Content-Type": "application/json"}
_SPOKEN: Final = frozenset({"prompt", "turn_end"})
_TOOL_FIELDS: Final = {"Bash": "command", "Read": "file_path", "Edit": "file_path", "Write": "file_path"}
_TEXTS: Final = Scope(DEFAULT_WORKSPACE, "texts")


@dataclass(slots=True)
class Fed:
    """Where a corpus went: its project, and the set's ids by those of the server."""

    project: str = "*"
    sessions: dict[str, str] = field(default_factory=dict)
    turns: dict[int, str] = field(default_factory=dict)
    paths: dict[str, str] = field(default_factory=dict)


def write_texts(data_dir: Path, corpus: Corpus, *, is_new: bool = True) -> Fed:
    """Write a corpus of texts as pages, before a server is started on the folder; if it is not new, only name them."""
    fed = Fed()
    for number, text in enumerate(corpus.texts):
        path = PagePath(f"notes/{number // 500:03}/{number:06}.md")
        title = " ".join(text.title.split()) or f"Document {number}"
        page = f"---\ntype: note\ntitle: {msgspec.json.encode(title).decode()}\n---\n\n{text.text}\n"
        if is_new:
            write_page(data_dir / "wiki", DrawnPage(_TEXTS, path, page))
        fed.paths[path] = text.id
    return fed


def feed_conversations(client: httpx2.Client, corpus: Corpus, *, is_new: bool = True) -> Fed:
    """Send conversations as hook events, end them, and wait until each has its page; if not new, only find those."""
    for conversation in corpus.conversations if is_new else ():
        _send(client, list(_build_events(corpus.name, conversation)))
    fed = Fed()
    for conversation in corpus.conversations:
        _wait_for_page(client, corpus.name, conversation, fed)
    return fed


def _build_events(corpus: str, conversation: Conversation) -> Iterator[dict[str, Any]]:
    session = _name_session(corpus, conversation)
    at = conversation.begun_at or datetime(2025, 1, 1, tzinfo=UTC)
    moments = (at + timedelta(seconds=10 * number) for number in range(1_000_000))
    yield _build_event(corpus, session, "SessionStart", next(moments), source="startup")
    for number, turn in enumerate(conversation.turns):
        for place, tool in enumerate(turn.tools):
            yield _build_tool(corpus, session, f"{number}-{place}", next(moments), tool)
        if turn.text.strip():
            yield _build_words(corpus, session, number, next(moments), turn)
    yield _build_event(corpus, session, "SessionEnd", next(moments), reason="prompt_input_exit")


def _build_words(corpus: str, session: str, number: int, at: datetime, turn: Said) -> dict[str, Any]:
    if turn.is_person:
        own = {"prompt": turn.text, "prompt_id": f"{session}-{number}"}
        return _build_event(corpus, session, "UserPromptSubmit", at, key=f"{number}", **own)
    return _build_event(corpus, session, "Stop", at, key=f"{number}", last_assistant_message=turn.text)


def _build_tool(corpus: str, session: str, key: str, at: datetime, tool: tuple[str, str]) -> dict[str, Any]:
    name, argument = tool
    return _build_event(
        corpus,
        session,
        "PostToolUse",
        at,
        key=key,
        tool_name=name,
        tool_use_id=f"toolu_{session}_{key}",
        tool_input={_TOOL_FIELDS.get(name, "query"): argument},
        tool_response={"stdout": "", "stderr": "", "interrupted": False, "isImage": False},
    )


def _build_event(corpus: str, session: str, name: str, at: datetime, key: str = "", **own: object) -> dict[str, Any]:
    folder = f"/home/bench/{corpus}"
    return {
        "agent": AGENT,
        "event": name,
        "key": f"{session}:{name}:{key}",
        "occurred_at": at.isoformat(),
        "checkout": {
            "cwd": folder,
            "root": folder,
            "common_dir": f"{folder}/.git",
            "remote": f"https://github.com/bench/{corpus}.git",
        },
        "payload": {
            "session_id": session,
            "transcript_path": f"/home/bench/.claude/projects/{corpus}/{session}.jsonl",
            "cwd": folder,
            "permission_mode": "acceptEdits",
            "hook_event_name": name,
            **own,
        },
    }


def _send(client: httpx2.Client, events: list[dict[str, Any]]) -> None:
    for first in range(0, len(events), _BATCH):
        batch = {"events": events[first : first + _BATCH]}
        while True:
            answer = client.post("/hook/batch", content=msgspec.json.encode(batch), headers=_JSON)
            if answer.status_code != httpx2.codes.TOO_MANY_REQUESTS:
                break
            time.sleep(float(answer.headers.get("Retry-After", "1")))
        answer.raise_for_status()


def _wait_for_page(client: httpx2.Client, corpus: str, conversation: Conversation, fed: Fed) -> None:
    """Wait for a session's page, and note its words by the order in which they were said."""
    deadline = time.perf_counter() + _WAIT_SECONDS_MAX
    name = _name_session(corpus, conversation)
    while True:
        shown = client.get(f"/api/v1/sessions/{name}?limit=1").raise_for_status().json()
        if shown["page_path"]:
            break
        if time.perf_counter() > deadline:
            raise RemoteRejected(str(client.base_url), 0, f"session {name} got no page in time")
        time.sleep(_POLL_S)
    fed.project = shown["project"]
    fed.sessions[shown["id"]] = conversation.id
    spoken = [each["id"] for each in _list_observations(client, name) if each["kind"] in _SPOKEN]
    said = [turn.id for turn in conversation.turns if turn.text.strip()]
    if len(spoken) != len(said):
        fault = f"{len(said)} turns of {name} became {len(spoken)} observations"
        raise RemoteRejected(str(client.base_url), 0, fault)
    fed.turns.update(zip(spoken, said, strict=True))


def _list_observations(client: httpx2.Client, session: str) -> Iterator[Mapping[str, Any]]:
    after = 0
    while True:
        answer = client.get(f"/api/v1/sessions/{session}?after={after}&limit=500").raise_for_status()
        found = answer.json()["observations"]
        yield from found
        if not found:
            return
        after = found[-1]["id"]


def _name_session(corpus: str, conversation: Conversation) -> str:
    return f"{corpus}-{conversation.id}"
