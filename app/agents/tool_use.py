"""One use of a tool as an agent reported it, and the parts of a `ToolCall` that all agents' tools share."""

from collections.abc import Mapping
from dataclasses import replace

from app.agents import bounds, fields, outcome, own_tools, shell_command
from app.domain import limits
from app.domain.cheap import cheap_dataclass
from app.domain.event import FileTouch, Outcome, TodoItem, ToolCall, ToolPurpose
from app.domain.limits import COMMAND_BYTES_MAX, NATIVE_ID_CHARS_MAX, TOOL_PATHS_MAX, TOOL_TEXT_BYTES_MAX

_DONE = frozenset({"completed", "complete", "done"})
# Between a question and the answer, in the output of a tool that asks the person.
ANSWER_ARROW = "→"


@cheap_dataclass(frozen=True, slots=True)
class ToolUse:
    """What an agent said about one use of a tool.

    `given` is the tool's input, `arguments` the same as an object, `result` what came back, still in the agent's
    shape; `outcome` is what the kind of event itself says.
    """

    name: str
    given: object
    result: object = None
    outcome: Outcome = Outcome.UNKNOWN

    def with_result(self, result: object) -> "ToolUse":
        """Put what a person would see of the answer in place of all of it."""
        return ToolUse(self.name, self.given, result, self.outcome)

    @property
    def arguments(self) -> Mapping[str, object]:
        """The input's fields; none where the input is no object."""
        return fields.read_fields(self.given)

    def text_of(self, *names: str) -> str:
        """Read the first of the input's fields that is there, as text."""
        return fields.read_text(fields.read_first(self.arguments, *names))


def build_shell_call(use: ToolUse, command: str, output: str, *, exit_code: int | None = None) -> ToolCall:
    """Build the call of a shell command; files that it plainly changes count unless it failed."""
    shown = fields.read_tool_text(command, COMMAND_BYTES_MAX)
    call = ToolCall(
        name=use.name,
        purpose=ToolPurpose.SHELL,
        outcome=use.outcome,
        command=shown,
        files=() if use.outcome is Outcome.FAILED else shell_command.list_changed_files(command),
        output_text=fields.read_tool_text(output, TOOL_TEXT_BYTES_MAX),
        exit_code=exit_code,
    )
    if own_tools.is_own_command(shown):
        return replace(call, purpose=ToolPurpose.MEMORY, output_text="")
    return call


def build_edit_call(use: ToolUse, files: tuple[FileTouch, ...], change_text: str) -> ToolCall:
    """Build the call of an editing tool; a failed one has changed nothing, so its files stand in its input."""
    has_failed = use.outcome is Outcome.FAILED
    tried = "\n".join([*(touch.path for touch in files), change_text]) if has_failed else change_text
    return ToolCall(
        name=use.name,
        purpose=ToolPurpose.EDIT,
        outcome=use.outcome,
        files=() if has_failed else files[:TOOL_PATHS_MAX],
        input_text=fields.read_tool_text(tried, TOOL_TEXT_BYTES_MAX),
        output_text=fields.read_tool_text(read_result(use.result), TOOL_TEXT_BYTES_MAX) if has_failed else "",
    )


def build_text_call(
    use: ToolUse,
    purpose: ToolPurpose,
    given: str,
    *,
    output_bytes_max: int = TOOL_TEXT_BYTES_MAX,
    files: tuple[FileTouch, ...] = (),
) -> ToolCall:
    """Build the call of any other tool from what it was given and what it answered."""
    return ToolCall(
        name=use.name,
        purpose=purpose,
        outcome=use.outcome,
        files=files,
        input_text=fields.read_tool_text(given, TOOL_TEXT_BYTES_MAX),
        output_text=fields.read_tool_text(read_result(use.result), output_bytes_max),
    )


def build_memory_call(use: ToolUse) -> ToolCall:
    """Build the call of our own tool: what it answered is old memory and is dropped."""
    return build_text_call(replace(use, result=None), ToolPurpose.MEMORY, fields.read_text(use.given))


def read_todos(items: object, text_field: str) -> tuple[TodoItem, ...]:
    """Read an agent's task list; lines without text are left out."""
    if not isinstance(items, list):
        return ()
    todos: list[TodoItem] = []
    for item in map(fields.read_fields, items[:TOOL_PATHS_MAX]):
        text = fields.read_tool_text(item.get(text_field), TOOL_TEXT_BYTES_MAX).strip()
        if text:
            todos.append(
                TodoItem(bounds.cut_line(text, limits.TODO_CHARS_MAX), fields.read_name(item.get("status")) in _DONE)
            )
    return tuple(todos)


def render_answer(asked: str, answered: str) -> str:
    """Write a question to the person and the answer as one line."""
    return f"{' '.join(asked.split())} {ANSWER_ARROW} {' '.join(answered.split())}"


def read_result(result: object) -> str:
    """Read a tool's answer: its content parts where it has such, else all of it."""
    content = fields.read_fields(result).get("content")
    return fields.read_text(result if content is None else content)


def keep_start(call: ToolCall) -> ToolCall:
    """Keep what tells which call has begun; the rest comes again when it ends."""
    return replace(call, outcome=Outcome.UNKNOWN, todos=(), input_text="", output_text="", exit_code=None)


def correct_outcome(call: ToolCall) -> ToolCall:
    """Let a command's own verdict overrule an exit code of 0, which a pipe's last part may have given."""
    if call.purpose is ToolPurpose.SHELL and call.outcome is not Outcome.FAILED:
        verdict = outcome.read_verdict(call.command, call.output_text)
        if verdict is Outcome.FAILED:
            return replace(call, outcome=verdict)
    return call


def read_tool_name(value: object) -> str:
    """Take a tool's name, bounded; a call without one is still a call."""
    return fields.read_name(value, NATIVE_ID_CHARS_MAX) or "unknown"
