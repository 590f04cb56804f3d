"""Messages as text for a model; what somebody wrote stands inside the fence."""

from collections.abc import Iterable, Mapping, Sequence

from app.domain.message import Message
from app.entrypoints.mcp.texts import fence_recalled
from app.entrypoints.shapes import shape_moment


def list_project_ids(listed: Iterable[Message]) -> list[str]:
    """List the projects that these messages came from."""
    return [message.from_project_id for message in listed if message.from_project_id]


def render_inbox(listed: Sequence[Message], names: Mapping[str, str]) -> str:
    """Render what waits, one a line, without a word of the bodies."""
    if not listed:
        return "No message waits."
    return fence_recalled("\n".join(_render_line(message, names) for message in listed))


def render_message(message: Message, names: Mapping[str, str]) -> str:
    """Render a message that was taken, whole, and how to say that it was read."""
    head = (
        f"took {message.id}; acknowledge it with token {message.pop_token} before {shape_moment(message.lease_until)}"
    )
    told = fence_recalled(f"{_render_line(message, names)}\n\n{message.body}")
    return f"{head}\n{told}"


def _render_line(message: Message, names: Mapping[str, str]) -> str:
    place = names.get(message.from_project_id or "", "")
    by = " of ".join(part for part in (message.from_agent, message.owner) if part)
    source = f"from {by or 'a person'}{f' in {place}' if place else ''}"
    return f"{message.id} {message.created_at:%Y-%m-%d %H:%M}, {source}: {message.subject or '(no subject)'}"
