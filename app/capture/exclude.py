"""What must not be kept: words between `<private>` marks, wherever an event carries text."""

from collections.abc import Iterator
from dataclasses import replace

from app.domain import redact
from app.domain.event import Event, FileTouch, TodoItem, ToolCall


def drop_private(event: Event) -> Event:
    """Replace every private passage of an event by a mark that says that something was there."""
    if not any("private" in text.lower() for text in _list_texts(event)):
        return event
    tool = _drop_from_tool(event.tool) if event.tool else None
    extra = tuple((name, redact.strip_private(value)) for name, value in event.extra)
    return replace(event, text=redact.strip_private(event.text), tool=tool, extra=extra)


def _list_texts(event: Event) -> Iterator[str]:
    yield event.text
    for _, value in event.extra:
        yield value
    tool = event.tool
    if tool is not None:
        yield from (tool.command, tool.input_text, tool.output_text)
        yield from (todo.text for todo in tool.todos)
        yield from (touch.path for touch in tool.files)


def _drop_from_tool(tool: ToolCall) -> ToolCall:
    return replace(
        tool,
        command=redact.strip_private(tool.command),
        input_text=redact.strip_private(tool.input_text),
        output_text=redact.strip_private(tool.output_text),
        todos=tuple(TodoItem(redact.strip_private(todo.text), is_done=todo.is_done) for todo in tool.todos),
        files=tuple(FileTouch(redact.strip_private(touch.path), touch.change) for touch in tool.files),
    )
