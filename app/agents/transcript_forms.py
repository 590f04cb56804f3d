"""The agents whose own transcripts can be read, each with its reader and the kinds of records that it knows."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from app.agents import (
    claude_transcript,
    codex_transcript,
    gemini_transcript,
    opencode_transcript,
    pi_transcript,
)
from app.agents.transcript import TranscriptEvent
from app.domain.event import AgentName


@dataclass(frozen=True, slots=True)
class TranscriptForm:
    """How an agent's transcripts are read.

    `known_records` are the kinds of records that it tells or leaves out on purpose; `ends` names a session's end.
    """

    read: Callable[[Iterable[str]], Iterator[TranscriptEvent]]
    known_records: frozenset[str]
    ends: frozenset[str]


FORMS: Final[Mapping[AgentName, TranscriptForm]] = {
    AgentName.CLAUDE_CODE: TranscriptForm(
        claude_transcript.read_transcript,
        frozenset({
            "agent-name", "ai-title", "api-request", "api-request-blob", "api-request-shape", "assistant", "atis-latch",
            "attachment", "cost-state", "custom-title", "file-history-snapshot", "last-prompt", "mode",
            "permission-mode", "pr-link", "progress", "queue-operation", "summary", "system", "tools-used", "user",
        }),
        frozenset({"SessionEnd"}),
    ),
    AgentName.CODEX: TranscriptForm(
        codex_transcript.read_transcript,
        frozenset({
            "compacted", "event_msg", "response_item", "session_meta", "token_usage_record", "turn_context",
            "world_state",
        }),
        frozenset({"SessionEnd"}),
    ),
    AgentName.GEMINI_CLI: TranscriptForm(
        gemini_transcript.read_transcript,
        frozenset({"error", "gemini", "info", "user", "warning"}),
        frozenset({"SessionEnd"}),
    ),
    AgentName.OPENCODE: TranscriptForm(opencode_transcript.read_transcript, frozenset(), frozenset({"session.ended"})),
    AgentName.PI: TranscriptForm(
        pi_transcript.read_transcript,
        frozenset({
            "branch_summary", "compaction", "custom", "custom_message", "label", "message", "model_change", "session",
            "session_info", "thinking_level_change",
        }),
        frozenset({"session_shutdown"}),
    ),
}  # fmt: skip
