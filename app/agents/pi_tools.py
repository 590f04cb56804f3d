"""pi's tools: what each was asked, what it did and to which files."""

from collections.abc import Mapping

from app.agents import fields, judged, tool_readers, tool_use
from app.agents.tool_readers import ToolReader
from app.agents.tool_use import ToolUse
from app.domain.event import ToolCall, ToolPurpose


def read_answer(payload: Mapping[str, object]) -> dict[str, object] | None:
    """Bring a result into the shape that all agents' tools share."""
    content = fields.read_first(payload, "content")
    if content is None and payload.get("isError") is None:
        return None
    shaped: dict[str, object] = {"content": content, "isError": payload.get("isError") is True}
    measured = fields.read_fields(payload.get("structuredContent"))
    if "exit_code" in measured:
        shaped |= {"output": measured.get("output"), "exit_code": measured["exit_code"]}
    return shaped


def _list_folder(use: ToolUse) -> ToolCall:
    return tool_use.build_text_call(use, ToolPurpose.SEARCH, use.text_of("path"))


READERS: Mapping[str, ToolReader] = judged.judge_all(
    {
        "bash": tool_readers.read_shell,
        "read": tool_readers.read_file,
        "write": tool_readers.write_file,
        "edit": tool_readers.edit_file,
        "find": tool_readers.search_files,
        "grep": tool_readers.search_files,
        "ls": _list_folder,
    }
)
