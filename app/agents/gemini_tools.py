"""Gemini CLI's tools: its answers say in prose how a command went, and in a field of their own that a tool failed."""

import re
from collections.abc import Mapping

from app.agents import fields, judged, tool_readers, tool_use
from app.agents.tool_readers import ToolReader
from app.agents.tool_use import ToolUse
from app.domain.event import ToolCall, ToolPurpose

# Gemini wraps what comes from outside, so that its model takes it for data.
_WRAPPER = re.compile(r"\A\s*<untrusted_context>\n?(.*?)\n?</untrusted_context>\s*\Z", re.DOTALL)
# What follows the output of a command, in this order, each only where there is something to say.
_FOOTER = re.compile(
    r"(?:\nError: (?P<error>[^\n]*))?(?:\nExit Code: (?P<code>-?\d{1,10}))?(?:\nSignal: (?P<signal>\S+))?"
    r"(?:\nBackground PIDs: [^\n]*)?(?:\nProcess Group PGID: \d+)?\s*\Z"
)
_OUTPUT = "Output: "
_CANCELLED = ("Command was cancelled", "Command was automatically cancelled")


def read_answer(tool_name: object, answer: object) -> object:
    """Bring a tool's answer into the shape that all agents' tools share; another shape stays as it is."""
    given = fields.read_fields(answer)
    if not given:
        return answer
    text = _unwrap(fields.read_text(given.get("llmContent")))
    error = fields.read_fields(given.get("error"))
    shown = fields.read_fields(given.get("returnDisplay"))
    shaped: dict[str, object] = {"content": text, "isError": bool(error)}
    if message := fields.read_text(error.get("message")):
        shaped["content"] = message if not text else f"{text}\n{message}"
    if shown.get("isNewFile") is True:
        shaped["type"] = "create"
    return shaped | _read_command(text) if tool_name == "run_shell_command" else shaped


def _unwrap(text: str) -> str:
    wrapped = _WRAPPER.match(text)
    return wrapped.group(1) if wrapped else text


def _read_command(text: str) -> dict[str, object]:
    """Take the output of a command apart; Gemini states an exit code only when it is not 0."""
    if not text.startswith(_OUTPUT):
        return {"output": text, "isError": text.startswith(_CANCELLED)}
    footer = _FOOTER.search(text)
    if footer is None or not footer.group(0).strip():
        return {"output": text.removeprefix(_OUTPUT)}
    output = text[len(_OUTPUT) : footer.start()]
    output = "" if output == "(empty)" else output
    is_killed = bool(footer.group("error") or footer.group("signal"))
    if is_killed:
        output = f"{output}\n{footer.group('error') or footer.group('signal')}".strip()
    stated = int(footer.group("code")) if footer.group("code") else None
    return {"output": output, "isError": is_killed} | (
        {"exit_code": 0 if stated is None else stated} if stated is not None or not is_killed else {}
    )


def _list_folder(use: ToolUse) -> ToolCall:
    return tool_use.build_text_call(use, ToolPurpose.SEARCH, use.text_of("dir_path", "path"))


def _read_many(use: ToolUse) -> ToolCall:
    return tool_use.build_text_call(use, ToolPurpose.READ, use.text_of("include", "paths"))


def _remember(use: ToolUse) -> ToolCall:
    return tool_use.build_text_call(use, ToolPurpose.OTHER, use.text_of("fact"))


def _send_off(use: ToolUse) -> ToolCall:
    given = "\n".join(filter(None, (use.text_of("agent_name"), use.text_of("prompt", "task", "objective"))))
    return tool_use.build_text_call(use, ToolPurpose.SUBAGENT, given)


READERS: Mapping[str, ToolReader] = judged.judge_all(
    {
        "run_shell_command": tool_readers.read_shell,
        "read_file": tool_readers.read_file,
        "read_many_files": _read_many,
        "write_file": tool_readers.write_file,
        "replace": tool_readers.edit_file,
        "glob": tool_readers.search_files,
        "grep_search": tool_readers.search_files,
        "search_file_content": tool_readers.search_files,
        "list_directory": _list_folder,
        "web_fetch": tool_readers.ask_web,
        "google_web_search": tool_readers.ask_web,
        "write_todos": tool_readers.write_todos,
        "save_memory": _remember,
        "invoke_agent": _send_off,
        "delegate_to_agent": _send_off,
    }
)
