"""How an agent is started from a terminal, and how it goes on with a session of its own."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from app.agents.transcript import TranscriptEvent

ReadTranscript = Callable[[Iterable[str]], Iterator[TranscriptEvent]]

_ID, _ID_START = "{id}", "{start}"
_START_CHARS = 8


@dataclass(frozen=True, slots=True)
class Launch:
    """What runs an agent, and what it keeps of a session.

    `program` is needed where the first of the agent's binaries is another one. `resume` are the words that open a
    session again, empty where that cannot be done; `sessions` are patterns below the agent's first home of the file
    that it keeps of one, by which it is told whether it is still there. In all of them `{id}` stands for the
    session's id and `{start}` for its beginning. `read` reads such a file as the agent's hooks would have told it.
    """

    program: str = ""
    resume: tuple[str, ...] = ()
    sessions: tuple[str, ...] = ()
    read: ReadTranscript | None = None


# Started by the first of its binaries; nothing is known of its sessions.
PLAIN: Final = Launch()


def build_resume(launch: Launch, session_id: str) -> tuple[str, ...]:
    """Build the words that open a session again; none where that cannot be done."""
    return tuple(_fill(word, session_id) for word in launch.resume)


def build_patterns(launch: Launch, session_id: str) -> tuple[str, ...]:
    """Build the patterns of the files that are kept of a session."""
    return tuple(_fill(pattern, session_id) for pattern in launch.sessions)


def _fill(text: str, session_id: str) -> str:
    return text.replace(_ID, session_id).replace(_ID_START, session_id[:_START_CHARS])
