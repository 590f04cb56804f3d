"""Finds the sessions that agents themselves keep on this machine, the one that was active longest ago first."""

import hashlib
import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, Final

from app.agents import gemini_transcript, places, registry
from app.domain import limits_past
from app.domain.event import AgentName
from app.entrypoints.cli import opencode_store
from app.entrypoints.cli.machine import Machine
from app.entrypoints.cli.transcript_lines import FoundSession, Open, Tally, read_document, read_lines

_UUID: Final = re.compile(r"[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$")
_FOLDERS: Final = re.compile(r'"(?:file_path|path|dir_path|directory)"\s*:\s*"(/[^"\\]+)"')
_NO_PARENT: Final = "the session that sent this helper off is not here"
_NO_FOLDER: Final = "its folder cannot be told"


def find_sessions(machine: Machine, agents: Sequence[str]) -> list[FoundSession]:
    """Find the sessions of some agents, or of all whose transcripts can be read."""
    names = [AgentName(name) for name in agents] if agents else list(FINDERS)
    found = [session for name in names for session in FINDERS[name](machine)]
    return sorted(found, key=lambda session: (session.changed_at, session.path))


def _find_claude(machine: Machine) -> Iterator[FoundSession]:
    home = _find_home(AgentName.CLAUDE_CODE, machine)
    subagents: dict[str, list[Path]] = {}
    for path in (*home.glob("projects/*/agent-*.jsonl"), *home.glob("projects/*/*/subagents/*.jsonl")):
        parent = path.parent.parent.name if path.parent.name == "subagents" else _peek(path).get("sessionId", "")
        subagents.setdefault(str(parent), []).append(path)
    for path in sorted(home.glob("projects/*/*.jsonl")):
        if not path.name.startswith("agent-"):
            own = sorted(subagents.pop(path.stem, ()))
            is_named = bool(_UUID.match(path.stem))
            yield from _build(AgentName.CLAUDE_CODE, path, own, session_id=path.stem if is_named else "")
    yield from _build_orphans(AgentName.CLAUDE_CODE, subagents)


def _find_codex(machine: Machine) -> Iterator[FoundSession]:
    mains: list[tuple[str, Path]] = []
    subagents: dict[str, list[Path]] = {}
    for path in sorted(_find_home(AgentName.CODEX, machine).glob("sessions/*/*/*/rollout-*.jsonl")):
        about = _peek(path).get("payload")
        about = about if isinstance(about, dict) else {}
        own = str(about.get("id", ""))
        if about.get("thread_source") == "subagent" or isinstance(about.get("source"), dict):
            subagents.setdefault(str(about.get("session_id") or ""), []).append(path)
        else:
            mains.append((own, path))
    for own, path in mains:
        yield from _build(AgentName.CODEX, path, subagents.pop(own, ()))
    yield from _build_orphans(AgentName.CODEX, subagents)


def _find_gemini(machine: Machine) -> Iterator[FoundSession]:
    home = _find_home(AgentName.GEMINI_CLI, machine)
    known = _read_json(home / "projects.json").get("projects")
    roots = list(known) if isinstance(known, dict) else []
    hashes = {_hash(root): root for root in roots}
    for path in sorted((*home.glob("tmp/*/chats/*.json"), *home.glob("tmp/*/chats/*.jsonl"))):
        cwd = _find_gemini_root(path, hashes)
        opening: Open = partial(read_lines, path) if path.suffix == ".jsonl" else partial(_split_chat, path)
        yield from _build(AgentName.GEMINI_CLI, path, (), cwd=cwd, opening=opening, flaw="" if cwd else _NO_FOLDER)


def _find_pi(machine: Machine) -> Iterator[FoundSession]:
    for path in sorted(_find_home(AgentName.PI, machine).glob("sessions/*/*.jsonl")):
        yield from _build(AgentName.PI, path, ())


FINDERS: Final[Mapping[AgentName, Callable[[Machine], Iterator[FoundSession]]]] = {
    AgentName.CLAUDE_CODE: _find_claude,
    AgentName.CODEX: _find_codex,
    AgentName.GEMINI_CLI: _find_gemini,
    AgentName.OPENCODE: lambda machine: opencode_store.find_sessions(machine.home),
    AgentName.PI: _find_pi,
}


def _find_home(name: AgentName, machine: Machine) -> Path:
    return Path(places.find_home(machine.site(), registry.find_agent(name.value).traits.homes[0]))


def _build(
    agent: AgentName, path: Path, subagents: Sequence[Path], *, opening: Open | None = None, **more: str
) -> Iterator[FoundSession]:
    try:
        sizes = [file.stat() for file in (path, *subagents)]
    except OSError:
        return
    yield FoundSession(
        agent=agent,
        path=str(path),
        open=opening or partial(read_lines, path),
        changed_at=max(about.st_mtime for about in sizes),
        size=sum(about.st_size for about in sizes),
        subagents=tuple(partial(read_lines, helper) for helper in subagents),
        **more,
    )


def _build_orphans(agent: AgentName, subagents: Mapping[str, Sequence[Path]]) -> Iterator[FoundSession]:
    for path in sorted(path for paths in subagents.values() for path in paths):
        yield from _build(agent, path, (), flaw=_NO_PARENT)


def _peek(path: Path) -> dict[str, Any]:
    """Read a transcript's first record."""
    try:
        return _parse(next(read_lines(path, Tally()), ""))
    except OSError:
        return {}


def _find_gemini_root(path: Path, hashes: Mapping[str, str]) -> str:
    """Find the folder of a chat: a file beside it names it, else its hash is that of a folder which is known."""
    folder = path.parent.parent
    try:
        return (folder / ".project_root").read_text(encoding="utf-8").strip()
    except (OSError, ValueError):
        pass
    if folder.name in hashes:
        return hashes[folder.name]
    with path.open("rb") as file:
        begun = file.read(limits_past.TRANSCRIPT_PEEK_BYTES).decode("utf-8", "replace")
    named = {str(above) for text in _FOLDERS.findall(begun) for above in Path(text).parents}
    return next((root for root in sorted(named) if _hash(root) == folder.name), "")


def _split_chat(path: Path, tally: Tally) -> Iterator[str]:
    text = read_document(path, tally)
    lines = list(gemini_transcript.split_chat(text))
    tally.unreadable_lines += bool(text) and not lines
    yield from lines


def _hash(root: str) -> str:
    return hashlib.sha256(root.encode("utf-8", "replace")).hexdigest()


def _read_json(path: Path) -> dict[str, Any]:
    try:
        return _parse(read_document(path, Tally()))
    except OSError:
        return {}


def _parse(text: str) -> dict[str, Any]:
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}
