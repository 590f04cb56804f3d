"""Finds real transcripts in a folder and tells each as the events that an agent's hooks would have sent."""

import gzip
import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final

from app.agents import claude_code, claude_transcript, fields
from app.agents.transcript import TranscriptEvent
from app.bench import told_formats
from app.bench.told import Telling
from app.domain import redact
from app.domain.checkout import Checkout
from app.domain.event import AgentName
from app.domain.session import Observation, Session, SessionState

_START: Final = datetime(2026, 1, 1, 9, 0, tzinfo=UTC)
_CLAUDE_FOLDERS: Final = ("claude-code/", "claude-code-demo/")
_READERS: Final[Mapping[str, Callable[[str, Telling], None]]] = {
    "gemini-cli/": told_formats.tell_gemini,
    "pi/": told_formats.tell_pi,
    "swe-agent/": told_formats.tell_swe_agent,
    "aider/": told_formats.tell_aider,
    "specstory/": told_formats.tell_specstory,
}
_FOLDER: Final = re.compile(r'\\?"(?:cwd|working_dir)\\?": ?\\?"(/[^"\\]+)')
_TOLD_NAMES: Final = {"Edit": "Edit", "MultiEdit": "Edit", "NotebookEdit": "Edit", "Write": "Write"}


@dataclass(frozen=True, slots=True)
class Recording:
    """One session ready to be compiled."""

    session: Session
    observations: tuple[Observation, ...]


@dataclass(frozen=True, slots=True)
class TeamSession:
    """A session of which only words and tool calls are known, with the files that its commits touched."""

    recording: Recording
    files: tuple[str, ...]
    calls: tuple[tuple[str, str], ...]


def read_text(folder: Path, file: str) -> bytes:
    """Read one transcript, packed or not."""
    packed = folder / f"{file}.gz"
    return gzip.decompress(packed.read_bytes()) if packed.exists() else (folder / file).read_bytes()


def read_recording(file: str, text: bytes) -> Recording:
    """Read a transcript by the form that its folder has."""
    plain = text.decode("utf-8", "replace")
    if file.startswith(_CLAUDE_FOLDERS):
        return observe(tuple(claude_transcript.read_transcript(plain.splitlines())))
    telling = Telling(Path(file).stem, _find_folder(plain))
    telling.begin()
    next(reader for folder, reader in _READERS.items() if file.startswith(folder))(plain, telling)
    telling.end()
    return observe(tuple(telling.events))


def read_team_sessions(path: Path) -> Iterator[TeamSession]:
    """Read the sessions of a team, one a line."""
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            yield _read_team_session(json.loads(line))


def observe(events: Sequence[TranscriptEvent]) -> Recording:
    """Take events through the adapter and redaction, as ingest does; one without a time follows a second later."""
    observations: list[Observation] = []
    at = next((event.at for event in events if event.at), _START)
    for number, event in enumerate(events, 1):
        at = event.at or at + timedelta(seconds=1)
        parsed = claude_code.parse_event(event.name, event.payload)
        observations.append(Observation(number, "recording", at, redact.redact_event(parsed)))
    first = events[0]
    cwd = fields.read_text(first.payload.get("cwd"))
    session = Session(
        id="01kb8f3v9q5w2m7r4t6y8x0zab",
        project_id="recorded",
        agent=AgentName.CLAUDE_CODE,
        agent_session_id=fields.read_text(first.payload.get("session_id")),
        owner="",
        cwd=cwd,
        state=SessionState.ENDED,
        started_at=observations[0].received_at,
        last_event_at=at,
        checkout=Checkout(cwd=cwd, root=cwd),
    )
    return Recording(session, tuple(observations))


def _find_folder(text: str) -> str:
    """Find the folder that a session worked in, for forms that name it only along the way."""
    found = _FOLDER.search(text)
    return found.group(1) if found else ""


def _read_team_session(row: dict[str, object]) -> TeamSession:
    turns = [fields.read_fields(turn) for turn in _list(row["turns"])]
    files = tuple(map(str, _list(row["files_touched"])))
    calls = tuple((str(name), str(given)) for turn in turns for name, given in map(_list, _list(turn.get("tools"))))
    telling = Telling(str(row["session_id"]), _guess_root(calls, files))
    telling.begin()
    said = ""
    for turn in turns:
        if turn["role"] == "user":
            telling.report(said)
            telling.ask(str(turn["text"]))
            said = ""
            continue
        said = str(turn["text"]) or said
        for name, given in map(_list, _list(turn.get("tools"))):
            if name in _TOLD_NAMES:
                telling.edit(str(given), is_new=_TOLD_NAMES[str(name)] == "Write")
            elif name == "Bash":
                telling.run(str(given), "")
    telling.report(said)
    return TeamSession(observe(tuple(telling.events)), files, calls)


def _list(value: object) -> list[object]:
    return value if isinstance(value, list) else []


def _guess_root(calls: Sequence[tuple[str, str]], files: Sequence[str]) -> str:
    """Guess the checkout's root, which the set does not tell: what stands before a file of the repository."""
    counts: dict[str, int] = {}
    for _, given in calls:
        for file in (*files, "cmd/entire/", "docs/"):
            head, found, _ = given.partition(f"/{file}")
            if found and head.startswith("/") and " " not in head:
                counts[head] = counts.get(head, 0) + 1
    return max(sorted(counts), key=counts.__getitem__, default="/repository")
