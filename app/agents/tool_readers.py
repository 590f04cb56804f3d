"""Reads the tools that most agents have under names of their own; each agent's module says which name is which.

An argument or a result is looked for under every spelling that is known, since agents rename them between releases.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from json import loads

from app.agents import fields, outcome, own_tools, patch, tool_use
from app.agents.tool_use import ToolUse
from app.domain.event import FileChange, FileTouch, Outcome, ToolCall, ToolPurpose
from app.domain.limits import READ_EXCERPT_BYTES_MAX, TOOL_PATHS_MAX

# Reads one use of a tool.
ToolReader = Callable[[ToolUse], ToolCall]

_COMMANDS = ("command", "cmd", "CommandLine", "commandLine", "command_line", "commands")
_PATHS = (
    "file_path", "filePath", "path", "notebook_path", "absolute_path", "TargetFile", "AbsolutePath", "target_file",
    "file",
)  # fmt: skip
_OLD_TEXTS = ("old_string", "oldString", "old_str", "oldStr", "old_text", "oldText", "old")
_NEW_TEXTS = ("new_string", "newString", "new_str", "newStr", "new_text", "newText", "new")
_CONTENTS = ("content", "contents", "file_text", "new_source", "new_text", "CodeContent", "text")
_PARTS = ("edits", "edit", "replacements", "ReplacementChunks")


def read_call(use: ToolUse, readers: Mapping[str, ToolReader]) -> ToolCall:
    """Read a tool by an agent's table; our own server's tools bring back old memory, whatever the table says."""
    if own_tools.is_own_tool(use.name):
        return tool_use.build_memory_call(use)
    return readers.get(use.name, read_other)(use)


def read_shell(use: ToolUse) -> ToolCall:
    """Read a command: a stated exit code decides, then the kind of event, then the output's own words."""
    command = _join_commands(fields.read_first(use.arguments, *_COMMANDS) if use.arguments else use.given)
    output, exit_code = read_output(use.result)
    if exit_code is None and use.outcome is not Outcome.SUCCEEDED:
        exit_code = outcome.find_exit_code(output)
    if exit_code is not None:
        stated = Outcome.FAILED if exit_code else Outcome.SUCCEEDED
    else:
        stated = use.outcome if use.outcome is not Outcome.UNKNOWN else outcome.read_verdict(command, output)
    if patch.PATCH_MARK in command:
        touches = patch.list_patched_files(command)
        return replace(tool_use.build_edit_call(replace(use, outcome=stated), touches, command), exit_code=exit_code)
    if _is_unfinished(use.result):
        stated = Outcome.UNKNOWN
    call = tool_use.build_shell_call(replace(use, outcome=stated), command, output, exit_code=exit_code)
    return tool_use.correct_outcome(call)


def read_output(result: object) -> tuple[str, int | None]:
    """Read a command's output, and its exit code where a field of the result states it."""
    answer = fields.read_fields(result)
    streams = [fields.read_text(answer.get(name)) for name in ("stdout", "stderr") if name in answer]
    shown = fields.read_first(answer, "output", "aggregated_output", "message", "text")
    output = "\n".join(filter(None, streams)) if streams else fields.read_text(shown)
    stated = fields.read_first({**fields.read_fields(answer.get("metadata")), **answer}, "exit_code", "exitCode")
    return output or tool_use.read_result(result), fields.read_int(stated)


def parse_json(value: object) -> object:
    """Read an answer that is JSON in a text; anything else stays as it is."""
    if not isinstance(value, str) or not value.startswith(("{", "[")):
        return value
    try:
        return loads(value)
    except (ValueError, RecursionError):
        return value


def read_file(use: ToolUse) -> ToolCall:
    """Read a tool that shows a file."""
    content = fields.read_fields(fields.read_fields(use.result).get("file")).get("content")
    shown = use if content is None else replace(use, result=content)
    call = tool_use.build_text_call(shown, ToolPurpose.READ, "", output_bytes_max=READ_EXCERPT_BYTES_MAX)
    return replace(call, files=_touch(use, FileChange.READ))


def write_file(use: ToolUse) -> ToolCall:
    """Read a tool that writes a whole file; that the file is new counts only where the answer says so."""
    answer = fields.read_fields(use.result)
    is_new = answer.get("type") == "create" or answer.get("is_new") is True
    return _build_write(use, FileChange.ADDED if is_new else FileChange.MODIFIED)


def create_file(use: ToolUse) -> ToolCall:
    """Read a tool that makes new files alone."""
    return _build_write(use, FileChange.ADDED)


def edit_file(use: ToolUse) -> ToolCall:
    """Read a tool that replaces parts of a file."""
    parts = fields.read_first(use.arguments, *_PARTS)
    pairs = [fields.read_fields(part) for part in parts] if isinstance(parts, list) else [use.arguments]
    text = "\n".join(filter(None, map(_render_replacement, pairs))) or use.text_of("patch", "diff", "instructions")
    return tool_use.build_edit_call(use, _touch(use, FileChange.MODIFIED), text)


def delete_file(use: ToolUse) -> ToolCall:
    """Read a tool that removes files."""
    return tool_use.build_edit_call(use, _touch(use, FileChange.DELETED), "")


def apply_patch(use: ToolUse) -> ToolCall:
    """Read a tool that takes a patch in the `*** Begin Patch` form."""
    text = use.text_of("input", "patch", "command", "patchText") or fields.read_text(use.given)
    return tool_use.build_edit_call(use, patch.list_patched_files(text), text)


def search_files(use: ToolUse) -> ToolCall:
    """Read a tool that looks for files or text in them."""
    wanted = use.text_of("pattern", "query", "queries", "patterns", "regex")
    where = use.text_of("path", "glob", "directory_path", "folder", "include")
    found = fields.read_first(fields.read_fields(use.result), "content", "filenames")
    shown = use if found is None else replace(use, result=found)
    return tool_use.build_text_call(shown, ToolPurpose.SEARCH, " in ".join(filter(None, (wanted, where))))


def ask_web(use: ToolUse) -> ToolCall:
    """Read a tool that fetches or searches the web."""
    given = "\n".join(filter(None, (use.text_of("url", "query", "requests", "queries"), use.text_of("prompt"))))
    found = fields.read_first(fields.read_fields(use.result), "result", "results")
    shown = use if found is None else replace(use, result=found)
    return tool_use.build_text_call(shown, ToolPurpose.WEB, given)


def start_subagent(use: ToolUse) -> ToolCall:
    """Read a tool that sends a helper off; one in the background answers with nothing that it found."""
    head = ": ".join(filter(None, (use.text_of("subagent_type", "agent_type"), use.text_of("description"))))
    given = "\n".join(filter(None, (head, use.text_of("prompt", "task", "message", "items"))))
    shown = replace(use, result=None, outcome=Outcome.UNKNOWN) if _is_unfinished(use.result) else use
    return tool_use.build_text_call(shown, ToolPurpose.SUBAGENT, given)


def write_todos(use: ToolUse) -> ToolCall:
    """Read an agent's own task list."""
    call = tool_use.build_text_call(replace(use, result=None), ToolPurpose.TODO, "")
    items = fields.read_first(use.arguments, "todos", "items", "tasks", "plan")
    by_field = (tool_use.read_todos(items, name) for name in ("content", "title", "text", "description", "step"))
    return replace(call, todos=next(filter(None, by_field), ()))


def read_other(use: ToolUse) -> ToolCall:
    """Read a tool of an MCP server or one that is new; an MCP answer says itself whether it is an error."""
    is_error = fields.read_fields(use.result).get("isError")
    stated = use.outcome
    if isinstance(is_error, bool):
        stated = Outcome.FAILED if is_error else Outcome.SUCCEEDED
    return tool_use.build_text_call(replace(use, outcome=stated), ToolPurpose.OTHER, fields.read_text(use.given))


def _join_commands(given: object) -> str:
    """Make one text of a command line, or of the list of lines that some agents run in one call."""
    if not isinstance(given, list):
        return fields.read_text(given)
    return "\n".join(filter(None, (fields.read_text(_read_command(item)) for item in given)))


def _read_command(item: object) -> object:
    return fields.read_first(item, *_COMMANDS) if isinstance(item, dict) else item


def _is_unfinished(result: object) -> bool:
    answer = fields.read_fields(result)
    return answer.get("interrupted") is True or bool(answer.get("backgroundTaskId")) or answer.get("isAsync") is True


def _build_write(use: ToolUse, change: FileChange) -> ToolCall:
    return tool_use.build_edit_call(use, _touch(use, change), use.text_of(*_CONTENTS))


def _touch(use: ToolUse, change: FileChange) -> tuple[FileTouch, ...]:
    paths = [fields.read_first(use.arguments, *_PATHS)]
    for name in ("paths", "files", "file_paths"):
        listed = use.arguments.get(name)
        paths += listed if isinstance(listed, list) else []
    named = (fields.read_path(fields.read_first(path, *_PATHS) if isinstance(path, dict) else path) for path in paths)
    return tuple(FileTouch(path, change) for path in dict.fromkeys(filter(None, named)))[:TOOL_PATHS_MAX]


def _render_replacement(edit: Mapping[str, object]) -> str:
    removed = fields.read_text(fields.read_first(edit, *_OLD_TEXTS)).splitlines()
    added = fields.read_text(fields.read_first(edit, *_NEW_TEXTS)).splitlines()
    return "\n".join([*(f"-{line}" for line in removed), *(f"+{line}" for line in added)])
