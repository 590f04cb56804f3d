"""What must not be kept: words between `<private>` marks, wherever an event carries text."""

from dataclasses import replace

from app.domain import redact
from app.domain.event import Event, TodoItem, ToolCall


def drop_private(event: Event) -> Event:
    """Replace every private passage of an event by a mark that says that something was there."""
    tool = _drop_from_tool(event.tool) if event.tool else None
    text = redact.strip_private(event.text)
    extra = tuple((name, redact.strip_private(value)) for name, value in event.extra)
    return replace(event, text=text, tool=tool, extra=extra)


def has_private(body: bytes) -> bool:
    """Tell cheaply whether a payload may hold a private mark, in any case or escaped spelling."""
    lowered = body.lower()
    return b"private" in lowered


def _drop_from_tool(tool: ToolCall) -> ToolCall:
    return replace(
        tool,
        command=redact.strip_private(tool.command),
        input_text=redact.strip_private(tool.input_text),
        output_text=redact.strip_private(tool.output_text),
        todos=tuple(TodoItem(redact.strip_private(todo.text), todo.is_done) for todo in tool.todos),
    )
