"""Messages as people read them in a terminal."""

from collections.abc import Mapping, Sequence
from typing import Any

from rich.console import Console
from rich.markup import escape

Answer = Mapping[str, Any]


def draw_list(console: Console, rows: Sequence[Answer]) -> None:
    """Draw what waits, two lines each, so that ids can be copied."""
    for row in rows:
        source = f"from {row['from_agent'] or row['owner'] or 'a person'} in {row['from_project'] or 'no project'}"
        console.print(f"[bold]{row['id']}[/] {row['state']}  [dim]{escape(source)}, {row['created_at']}[/]")
        console.print(f"   {escape(row['subject'] or '(no subject)')}")
    if not rows:
        console.print("no messages")


def draw_message(console: Console, row: Answer | None) -> None:
    """Draw one message whole."""
    if row is None:
        console.print("no message waits")
        return
    draw_list(console, [row])
    console.print(escape(row["body"]))


def draw_thread(console: Console, rows: Sequence[Answer]) -> None:
    """Draw a conversation from its beginning."""
    for row in rows:
        draw_list(console, [row])
        console.print(escape(row.get("body", "(nobody has read it yet)")))
