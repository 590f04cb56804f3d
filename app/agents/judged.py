"""Lets an answer's own word that a tool failed count before anything else of it is read."""

from collections.abc import Mapping
from dataclasses import replace

from app.agents import fields
from app.agents.tool_readers import ToolReader
from app.agents.tool_use import ToolUse
from app.domain.event import Outcome, ToolCall


def judge_all(readers: Mapping[str, ToolReader]) -> dict[str, ToolReader]:
    """Wrap each reader, for agents whose modules put `isError` into every answer."""
    return {name: _judge(read) for name, read in readers.items()}


def _judge(read: ToolReader) -> ToolReader:
    def read_judged(use: ToolUse) -> ToolCall:
        has_failed = fields.read_fields(use.result).get("isError") is True
        return read(replace(use, outcome=Outcome.FAILED) if has_failed else use)

    return read_judged
