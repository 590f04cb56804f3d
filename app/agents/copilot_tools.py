"""Copilot CLI's tools: its two spellings of each name, and its answers."""

import re
from collections.abc import Mapping
from dataclasses import replace

from app.agents import fields, judged, tool_readers, tool_use
from app.agents.tool_readers import ToolReader
from app.agents.tool_use import ToolUse
from app.domain.event import Outcome, ToolCall, ToolPurpose

_EXIT_LINE = re.compile(r"\n?<(?:shellId: \S+ completed|exited) with exit code (-?\d{1,10})>\s*\Z")
_FAILURES = frozenset({"failure", "error", "rejected", "denied", "timeout"})


def read_answer(answer: object) -> object:
    """Bring a tool's answer into the shape that all agents' tools share; another shape stays as it is."""
    given = fields.read_fields(answer)
    text = fields.read_first(given, "text_result_for_llm", "textResultForLlm")
    stated = fields.read_first(given, "result_type", "resultType")
    if text is None and stated is None:
        return answer
    content = fields.read_text(text)
    shaped: dict[str, object] = {"content": content, "isError": stated in _FAILURES}
    if ended := _EXIT_LINE.search(content):
        shaped |= {"output": content[: ended.start()], "exit_code": int(ended.group(1))}
    return shaped


def _run_shell(use: ToolUse) -> ToolCall:
    """Read a command; one that goes on in the background, or was cut off, has no exit code yet."""
    stated = fields.read_fields(use.result).get("exit_code")
    if use.outcome is Outcome.SUCCEEDED and stated is None:
        use = replace(use, outcome=Outcome.UNKNOWN)
    return tool_readers.read_shell(use)


def _query_store(use: ToolUse) -> ToolCall:
    return tool_use.build_text_call(use, ToolPurpose.OTHER, use.text_of("query", "description"))


_CAMEL: Mapping[str, ToolReader] = {
    "bash": _run_shell,
    "powershell": _run_shell,
    "view": tool_readers.read_file,
    "create": tool_readers.create_file,
    "edit": tool_readers.edit_file,
    "str_replace_editor": tool_readers.edit_file,
    "apply_patch": tool_readers.apply_patch,
    "glob": tool_readers.search_files,
    "grep": tool_readers.search_files,
    "web_fetch": tool_readers.ask_web,
    "web_search": tool_readers.ask_web,
    "task": tool_readers.start_subagent,
    "update_todo": tool_readers.write_todos,
    "sql": _query_store,
}
# The names under which hooks with capital names see the same tools.
_PASCAL: Mapping[str, ToolReader] = {
    "Bash": _run_shell,
    "PowerShell": _run_shell,
    "Read": tool_readers.read_file,
    "Write": tool_readers.create_file,
    "Edit": tool_readers.edit_file,
    "Glob": tool_readers.search_files,
    "Grep": tool_readers.search_files,
    "WebFetch": tool_readers.ask_web,
    "WebSearch": tool_readers.ask_web,
    "Agent": tool_readers.start_subagent,
    "Task": tool_readers.start_subagent,
    "TodoWrite": tool_readers.write_todos,
}
READERS: Mapping[str, ToolReader] = judged.judge_all({**_CAMEL, **_PASCAL})
