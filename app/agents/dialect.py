"""Parses the payloads of agents whose hooks speak as Claude Code's do, each in a dialect of its own.

An agent's module states its dialect as a table. One whose payloads have another shape first brings them into this one.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from app.agents import fields, prompt, tool_readers, tool_use
from app.agents.tool_readers import ToolReader
from app.agents.tool_use import ToolUse
from app.domain.event import Actor, AgentName, Event, EventKind, Outcome, ToolCall
from app.domain.limits import PROMPT_BYTES_MAX, RECAP_BYTES_MAX, TOOL_TEXT_BYTES_MAX

_SAID = (
    "last_assistant_message",
    "assistant_message",
    "prompt_response",
    "response",
    "summary",
    "task_result",
    "task_error",
)
_ORDERS = ("task_description", "task", "prompt")
_RECAPS = ("compact_summary", "summary", "custom_instructions")
_NOTICES = ("message", "error_message", "error", "displayed_text", "text")
_RESULTS = ("tool_response", "tool_output", "tool_result", "error", "error_message")
_TOOL_IDS = ("tool_use_id", "tool_call_id")
_HELPER_NAMES = ("agent_type", "agent_name", "task_name")
_KNOWN_TO_ALL = fields.SHARED_FIELDS | {"agent_id", "agent_type"}
_OF_HELPERS = frozenset({EventKind.SUBAGENT_START, EventKind.SUBAGENT_END})
_OF_TOOLS = frozenset({EventKind.TOOL_START, EventKind.TOOL_END})


@dataclass(frozen=True, slots=True)
class Dialect:
    """How one agent names its events, their fields and its tools.

    `beside` are events that are known and of which nothing is needed; `shared_fields` stand in any payload, `fields`
    in those of one event. `failures` are the events by which the agent says that a tool failed; `tool_outcome` is
    what any other end of a tool call says by itself.
    """

    agent: AgentName
    kinds: Mapping[str, EventKind]
    beside: frozenset[str]
    shared_fields: frozenset[str]
    fields: Mapping[str, frozenset[str]]
    marks: prompt.MachineMarks
    tools: Mapping[str, ToolReader]
    failures: frozenset[str] = frozenset()
    tool_outcome: Outcome = Outcome.UNKNOWN

    @property
    def known_events(self) -> frozenset[str]:
        """Name every event that the agent's module has heard of."""
        return self.beside | self.kinds.keys()


def parse_event(dialect: Dialect, event_name: str, payload: Mapping[str, object]) -> Event:
    """Read one hook's payload in an agent's dialect.

    Raises:
        MalformedPayload: no session id can be found.
    """
    session_id = fields.read_session_id(payload)
    native = fields.choose_event_name(event_name, payload, dialect.known_events)
    is_beside = native in dialect.beside
    kind = dialect.kinds.get(native, EventKind.OTHER)
    words = _read_words(dialect, kind, payload, is_beside=is_beside)
    kind = EventKind.COMPACTION if words.is_recap else kind
    is_helper = kind in _OF_HELPERS or fields.is_helper(payload)
    known = dialect.shared_fields | _KNOWN_TO_ALL | dialect.fields.get(native, frozenset())
    return Event(
        agent=dialect.agent,
        kind=kind,
        native_name=native,
        agent_session_id=session_id,
        actor=Actor.SUBAGENT if is_helper else words.actor,
        cwd=fields.read_cwd(payload),
        text=words.text,
        reason=_read_reason(kind, payload),
        native_id=_read_native_id(kind, payload),
        tool=_read_tool(dialect, native, kind, payload),
        occurred_at=fields.read_time(payload.get("timestamp")),
        continues=fields.read_earlier_session(payload, session_id) if kind is EventKind.SESSION_START else "",
        helper_id=fields.read_helper_id(payload),
        extra=() if is_beside else fields.collect_extra(payload, known),
    )


def _read_words(
    dialect: Dialect, kind: EventKind, payload: Mapping[str, object], *, is_beside: bool
) -> prompt.PromptWords:
    match kind:
        case EventKind.PROMPT:
            return prompt.read_prompt(fields.read_text(fields.read_first(payload, "prompt", "message")), dialect.marks)
        case EventKind.TURN_END | EventKind.SUBAGENT_END:
            said = fields.read_first(payload, *_SAID)
            return prompt.PromptWords(fields.read_tool_text(said, PROMPT_BYTES_MAX), Actor.AGENT)
        case EventKind.SUBAGENT_START:
            orders = fields.read_first(payload, *_ORDERS)
            return prompt.PromptWords(fields.read_tool_text(orders, TOOL_TEXT_BYTES_MAX), Actor.AGENT)
        case EventKind.COMPACTION:
            recap = fields.read_first(payload, *_RECAPS)
            return prompt.PromptWords(fields.read_tool_text(recap, RECAP_BYTES_MAX), Actor.MACHINE)
        case EventKind.OTHER if is_beside:
            notice = fields.read_first(payload, *_NOTICES)
            return prompt.PromptWords(fields.read_tool_text(notice, TOOL_TEXT_BYTES_MAX), Actor.MACHINE)
        case _:
            return prompt.PromptWords("", Actor.AGENT)


def _read_reason(kind: EventKind, payload: Mapping[str, object]) -> str:
    match kind:
        case EventKind.SESSION_START:
            return fields.read_name(payload.get("source"))
        case EventKind.SESSION_END | EventKind.TURN_END:
            return fields.read_name(payload.get("reason"))
        case EventKind.COMPACTION:
            return fields.read_name(payload.get("trigger"))
        case EventKind.SUBAGENT_START | EventKind.SUBAGENT_END:
            return fields.read_name(fields.read_first(payload, *_HELPER_NAMES))
        case _:
            return fields.read_name(fields.read_first(payload, "error_type", "notification_type"))


def _read_native_id(kind: EventKind, payload: Mapping[str, object]) -> str:
    match kind:
        case EventKind.PROMPT:
            return fields.read_name(payload.get("prompt_id"))
        case EventKind.TOOL_START | EventKind.TOOL_END:
            return fields.read_name(fields.read_first(payload, *_TOOL_IDS))
        case EventKind.SUBAGENT_START | EventKind.SUBAGENT_END:
            return fields.read_name(payload.get("agent_id"))
        case _:
            return ""


def _read_tool(dialect: Dialect, native: str, kind: EventKind, payload: Mapping[str, object]) -> ToolCall | None:
    if kind not in _OF_TOOLS and not (native in dialect.beside and "tool_name" in payload):
        return None
    use = ToolUse(
        name=tool_use.read_tool_name(payload.get("tool_name")),
        given=payload.get("tool_input"),
        result=_read_result(payload),
        outcome=_read_outcome(dialect, native, payload),
    )
    call = tool_readers.read_call(use, dialect.tools)
    if kind is EventKind.TOOL_END:
        return call
    return replace(tool_use.keep_start(call), outcome=Outcome.UNKNOWN)


def _read_outcome(dialect: Dialect, native: str, payload: Mapping[str, object]) -> Outcome:
    stated = payload.get("success")
    if native in dialect.failures or stated is False:
        return Outcome.FAILED
    return Outcome.SUCCEEDED if stated is True else dialect.tool_outcome


def _read_result(payload: Mapping[str, object]) -> object:
    """Take what a tool answered; an error that is an object says in its message what went wrong."""
    result = fields.read_first(payload, *_RESULTS)
    message = fields.read_fields(result).get("message")
    return message if isinstance(message, str) and "code" in fields.read_fields(result) else result
