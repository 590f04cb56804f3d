"""OpenCode's tools: their callbacks' arguments, and the part of a message that a failed one leaves."""

from collections.abc import Mapping

from app.agents import fields, tool_readers, tool_use
from app.agents.tool_readers import ToolReader
from app.agents.tool_use import ToolUse
from app.domain.event import ToolCall, ToolPurpose


def read_use(given: Mapping[str, object], answer: Mapping[str, object]) -> dict[str, object]:
    """Name the fields of a tool's callback as those of all agents; before the tool runs its input is the answer."""
    use: dict[str, object] = {"tool_name": given.get("tool"), "tool_use_id": given.get("callID")}
    if "args" in answer:
        return {**use, "tool_input": answer["args"]}
    return {**use, "tool_input": given.get("args"), "tool_response": _read_answer(answer) if answer else None}


def read_failed_part(part: Mapping[str, object]) -> dict[str, object]:
    """Name the fields of the part of a message in which a tool failed."""
    state = fields.read_fields(part.get("state"))
    return {
        "tool_name": part.get("tool"),
        "tool_use_id": part.get("callID"),
        "tool_input": state.get("input"),
        "tool_response": {"content": state.get("error"), "isError": True},
    }


def _read_answer(answer: Mapping[str, object]) -> dict[str, object]:
    about = fields.read_fields(answer.get("metadata"))
    shaped: dict[str, object] = {"content": fields.read_first(answer, "output", "content")}
    if isinstance(answer.get("isError"), bool):
        shaped["isError"] = answer["isError"]
    if "exit" in about:
        shaped |= {"output": answer.get("output"), "exit_code": about["exit"]}
    if about.get("exists") is False:
        shaped["type"] = "create"
    return shaped


def _list_folder(use: ToolUse) -> ToolCall:
    return tool_use.build_text_call(use, ToolPurpose.SEARCH, use.text_of("path"))


READERS: Mapping[str, ToolReader] = {
    "bash": tool_readers.read_shell,
    "read": tool_readers.read_file,
    "write": tool_readers.write_file,
    "edit": tool_readers.edit_file,
    "multiedit": tool_readers.edit_file,
    "patch": tool_readers.apply_patch,
    "apply_patch": tool_readers.apply_patch,
    "glob": tool_readers.search_files,
    "grep": tool_readers.search_files,
    "list": _list_folder,
    "webfetch": tool_readers.ask_web,
    "websearch": tool_readers.ask_web,
    "task": tool_readers.start_subagent,
    "todowrite": tool_readers.write_todos,
}
