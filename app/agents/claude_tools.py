"""Claude Code's tools: what each was asked, what it did and to which files."""

import re
from collections.abc import Callable, Mapping
from dataclasses import replace

from app.agents import bounds, fields, outcome, own_tools, tool_use
from app.agents.tool_use import ToolUse
from app.domain.event import FileChange, FileTouch, Outcome, TodoItem, ToolCall, ToolPurpose
from app.domain.limits import READ_EXCERPT_BYTES_MAX, TODO_CHARS_MAX

_ANSWERED = re.compile(r'"([^"]+)"="([^"]+)"')
_OVER = frozenset({"completed", "deleted", "cancelled"})
_ENDS = frozenset({"PostToolUse", "PostToolUseFailure"})
_STARTS = frozenset({"PreToolUse", "PermissionRequest", "PermissionDenied"})


def read_tool(native: str, payload: Mapping[str, object]) -> ToolCall | None:
    """Read the tool call of an event; none where the event is about no tool."""
    if native not in _ENDS and native not in _STARTS:
        return None
    use = ToolUse(
        name=tool_use.read_tool_name(payload.get("tool_name")),
        given=payload.get("tool_input"),
        result=fields.read_first(payload, "tool_response", "tool_output", "error", "error_message"),
        outcome=Outcome.FAILED if native == "PostToolUseFailure" else Outcome.SUCCEEDED,
    )
    call = (
        tool_use.build_memory_call(use) if own_tools.is_own_tool(use.name) else _READERS.get(use.name, _read_other)(use)
    )
    return call if native in _ENDS else tool_use.keep_start(call)


def _read_shell(use: ToolUse) -> ToolCall:
    result = fields.read_fields(use.result)
    if "stdout" in result or "stderr" in result:
        output = "\n".join(filter(None, (fields.read_text(result.get(name)) for name in ("stdout", "stderr"))))
    else:
        output = tool_use.read_result(use.result)
    exit_code = fields.read_int(fields.read_first(result, "exitCode", "exit_code", "code"))
    if use.outcome is Outcome.FAILED:
        exit_code = outcome.find_exit_code(output) if exit_code is None else exit_code
    elif result.get("interrupted") is True or result.get("backgroundTaskId"):
        use = replace(use, outcome=Outcome.UNKNOWN)
    command = use.text_of("command") or fields.read_text(None if use.arguments else use.given)
    return tool_use.correct_outcome(tool_use.build_shell_call(use, command, output, exit_code=exit_code))


def _read_file(use: ToolUse) -> ToolCall:
    content = fields.read_fields(fields.read_fields(use.result).get("file")).get("content")
    shown = use if content is None else use.with_result(content)
    files = _touch(use, FileChange.READ)
    return tool_use.build_text_call(shown, ToolPurpose.READ, "", output_bytes_max=READ_EXCERPT_BYTES_MAX, files=files)


def _write_file(use: ToolUse) -> ToolCall:
    is_new = fields.read_fields(use.result).get("type") == "create"
    files = _touch(use, FileChange.ADDED if is_new else FileChange.MODIFIED)
    return tool_use.build_edit_call(use, files, use.text_of("content", "new_source"))


def _edit_file(use: ToolUse) -> ToolCall:
    edits = use.arguments.get("edits")
    pairs = [fields.read_fields(edit) for edit in edits] if isinstance(edits, list) else [use.arguments]
    text = "\n".join(filter(None, map(_render_replacement, pairs)))
    return tool_use.build_edit_call(use, _touch(use, FileChange.MODIFIED), text)


def _render_replacement(edit: Mapping[str, object]) -> str:
    removed = _mark_lines("-", fields.read_text(edit.get("old_string")))
    added = _mark_lines("+", fields.read_text(edit.get("new_string")))
    return f"{removed}\n{added}" if removed and added else removed or added


def _mark_lines(mark: str, text: str) -> str:
    return mark + f"\n{mark}".join(text.splitlines()) if text else ""


def _touch(use: ToolUse, change: FileChange) -> tuple[FileTouch, ...]:
    path = fields.read_path(fields.read_first(use.arguments, "file_path", "notebook_path", "path"))
    return (FileTouch(path, change),) if path else ()


def _search_files(use: ToolUse) -> ToolCall:
    given = " in ".join(filter(None, (use.text_of("pattern", "query"), use.text_of("path", "glob"))))
    result = fields.read_fields(use.result)
    found = fields.read_first(result, "content", "filenames")
    shown = use if found is None else use.with_result(found)
    return tool_use.build_text_call(shown, ToolPurpose.SEARCH, given)


def _ask_web(use: ToolUse) -> ToolCall:
    given = "\n".join(filter(None, (use.text_of("url", "query"), use.text_of("prompt"))))
    found = fields.read_first(fields.read_fields(use.result), "result", "results")
    shown = use if found is None else replace(use, result=found)
    return tool_use.build_text_call(shown, ToolPurpose.WEB, given)


def _start_subagent(use: ToolUse) -> ToolCall:
    head = ": ".join(filter(None, (use.text_of("subagent_type"), use.text_of("description"))))
    given = "\n".join(filter(None, (head, use.text_of("prompt"))))
    # A subagent in the background answers with its own orders and the file it will write to.
    is_background = fields.read_fields(use.result).get("isAsync") is True
    shown = replace(use, result=None, outcome=Outcome.UNKNOWN) if is_background else use
    return tool_use.build_text_call(shown, ToolPurpose.SUBAGENT, given)


def _ask_person(use: ToolUse) -> ToolCall:
    """Read what the person was asked and chose; older versions tell it in one sentence."""
    result = fields.read_fields(use.result)
    answers = [(asked, fields.read_text(chosen)) for asked, chosen in fields.read_fields(result.get("answers")).items()]
    if not answers:
        answers = _ANSWERED.findall(tool_use.read_result(use.result))
    told = "\n".join(tool_use.render_answer(asked, chosen) for asked, chosen in answers)
    return tool_use.build_text_call(replace(use, result=told), ToolPurpose.QUESTION, "")


def _write_todos(use: ToolUse) -> ToolCall:
    call = tool_use.build_text_call(replace(use, result=None), ToolPurpose.TODO, "")
    return replace(call, todos=tool_use.read_todos(use.arguments.get("todos"), "content"))


def _change_task(use: ToolUse) -> ToolCall:
    parts = (use.text_of("taskId"), use.text_of("status"), use.text_of("subject"), use.text_of("description"))
    call = tool_use.build_text_call(replace(use, result=None), ToolPurpose.TODO, " ".join(filter(None, parts)))
    made = fields.read_fields(fields.read_fields(use.result).get("task"))
    key = fields.read_name(fields.read_first({**made, **use.arguments}, "taskId", "id"))
    is_done = use.text_of("status") in _OVER
    subject = bounds.cut_line(use.text_of("subject").strip(), TODO_CHARS_MAX)
    return replace(call, todos=(TodoItem(subject, is_done, key),) if key else ())


def _read_other(use: ToolUse) -> ToolCall:
    return tool_use.build_text_call(use, ToolPurpose.OTHER, fields.read_text(use.given))


_READERS: dict[str, Callable[[ToolUse], ToolCall]] = {
    "Bash": _read_shell,
    "PowerShell": _read_shell,
    "Read": _read_file,
    "Write": _write_file,
    "Edit": _edit_file,
    "MultiEdit": _edit_file,
    "NotebookEdit": _write_file,
    "Grep": _search_files,
    "Glob": _search_files,
    "WebFetch": _ask_web,
    "WebSearch": _ask_web,
    "AskUserQuestion": _ask_person,
    "Task": _start_subagent,
    "Agent": _start_subagent,
    "TodoWrite": _write_todos,
    "TaskCreate": _change_task,
    "TaskUpdate": _change_task,
}
