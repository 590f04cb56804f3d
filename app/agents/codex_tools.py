"""Codex CLI's tools: what it calls them, and what their input and output say."""

import re
import shlex
from collections.abc import Callable, Mapping
from dataclasses import replace
from json import loads

from app.agents import fields, outcome, own_tools, patch, tool_use
from app.agents.tool_use import ToolUse
from app.domain.event import FileChange, FileTouch, Outcome, ToolCall, ToolPurpose

_RUNNING = re.compile(r"^Process running with session ID ", re.MULTILINE)
_PATCHED = re.compile(r"^Success\. Updated the following files:", re.MULTILINE)
_PATCH_REFUSED = re.compile(r"apply_patch verification failed|^(?:error: )?patch (?:rejected|failed)", re.MULTILINE)


def read_tool(native: str, payload: Mapping[str, object]) -> ToolCall | None:
    """Read the tool call of an event; events that are of none have none."""
    if native not in {"PreToolUse", "PostToolUse", "PermissionRequest"}:
        return None
    use = ToolUse(
        name=tool_use.read_tool_name(payload.get("tool_name")),
        given=payload.get("tool_input"),
        result=payload.get("tool_response"),
    )
    call = (
        tool_use.build_memory_call(use) if own_tools.is_own_tool(use.name) else _READERS.get(use.name, _read_other)(use)
    )
    return call if native == "PostToolUse" else tool_use.keep_start(call)


def _read_shell(use: ToolUse) -> ToolCall:
    """Read a command; Codex sends no exit code, so the output's own words have to tell how it went."""
    command = _read_command(use)
    output, exit_code = _read_output(use.result)
    if patch.PATCH_MARK in command:
        return _build_patch_call(use, command, output)
    if exit_code is None:
        stated = Outcome.UNKNOWN if _RUNNING.search(output) else outcome.read_verdict(command, output)
    else:
        stated = Outcome.FAILED if exit_code else Outcome.SUCCEEDED
    call = tool_use.build_shell_call(replace(use, outcome=stated), command, output, exit_code=exit_code)
    return tool_use.correct_outcome(call)


def _read_command(use: ToolUse) -> str:
    given = fields.read_first(use.arguments, "command", "cmd")
    if isinstance(given, list):
        words = [fields.read_text(word) for word in given]
        # `bash -lc LINE` says nothing that LINE alone does not.
        is_wrapped = len(words) == 3 and words[1] in {"-c", "-lc"}  # noqa: PLR2004 — program, option, line
        return words[2] if is_wrapped else shlex.join(words)
    return fields.read_text(given if use.arguments else use.given)


def _read_output(result: object) -> tuple[str, int | None]:
    """Read a shell's output and, where some form of it states one, the exit code."""
    if isinstance(result, str) and result.startswith('{"'):
        try:
            result = loads(result)
        except (ValueError, RecursionError):
            return fields.read_text(result), None
    answer = fields.read_fields(result)
    output = fields.read_text(fields.read_first(answer, "output", "stdout", "aggregated_output") if answer else result)
    stated = fields.read_first({**fields.read_fields(answer.get("metadata")), **answer}, "exit_code", "exitCode")
    exit_code = fields.read_int(stated)
    return output, outcome.find_exit_code(output) if exit_code is None else exit_code


def _apply_patch(use: ToolUse) -> ToolCall:
    output, _exit_code = _read_output(use.result)
    text = use.text_of("command", "input", "patch") or fields.read_text(None if use.arguments else use.given)
    return _build_patch_call(use, text, output)


def _build_patch_call(use: ToolUse, text: str, output: str) -> ToolCall:
    exit_code = outcome.find_exit_code(output)
    if exit_code or _PATCH_REFUSED.search(output):
        stated = Outcome.FAILED
    else:
        stated = Outcome.SUCCEEDED if exit_code == 0 or _PATCHED.search(output) else Outcome.UNKNOWN
    edited = replace(use, outcome=stated, result=output)
    return replace(tool_use.build_edit_call(edited, patch.list_patched_files(text), text), exit_code=exit_code)


def _update_plan(use: ToolUse) -> ToolCall:
    call = tool_use.build_text_call(replace(use, result=None), ToolPurpose.TODO, use.text_of("explanation"))
    return replace(call, todos=tool_use.read_todos(use.arguments.get("plan"), "step"))


def _view_image(use: ToolUse) -> ToolCall:
    path = fields.read_path(use.arguments.get("path"))
    call = tool_use.build_text_call(replace(use, result=None), ToolPurpose.READ, "")
    return replace(call, files=(FileTouch(path, FileChange.READ),) if path else ())


def _search_web(use: ToolUse) -> ToolCall:
    return tool_use.build_text_call(use, ToolPurpose.WEB, use.text_of("query", "url"))


def _start_subagent(use: ToolUse) -> ToolCall:
    return tool_use.build_text_call(use, ToolPurpose.SUBAGENT, use.text_of("message", "prompt", "items"))


def _read_other(use: ToolUse) -> ToolCall:
    """Read a tool of an MCP server or one that is new; an MCP answer says itself whether it is an error."""
    is_error = fields.read_fields(use.result).get("isError")
    stated = {True: Outcome.FAILED, False: Outcome.SUCCEEDED}.get(is_error) if isinstance(is_error, bool) else None
    shown = replace(use, outcome=stated or Outcome.UNKNOWN)
    return tool_use.build_text_call(shown, ToolPurpose.OTHER, fields.read_text(use.given))


_READERS: dict[str, Callable[[ToolUse], ToolCall]] = {
    "Bash": _read_shell,
    "exec_command": _read_shell,
    "shell": _read_shell,
    "local_shell": _read_shell,
    "apply_patch": _apply_patch,
    "update_plan": _update_plan,
    "view_image": _view_image,
    "web_search": _search_web,
    "spawn_agent": _start_subagent,
}
