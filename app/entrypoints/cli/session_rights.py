"""The faces of forgetting a session and of opting one out: what goes, what stays, and what remains elsewhere."""

from collections.abc import Mapping
from typing import Any

from rich.console import Console
from rich.markup import escape


def draw_forgetting(console: Console, answer: Mapping[str, Any]) -> None:
    """Draw what went, or would go, and what remains in any case."""
    verb = "deleted" if answer["applied"] else "would delete"
    console.print(f"{verb} session [bold]{answer['session']}[/] of {escape(answer['project'])}:")
    console.print(f"  {answer['observations']} observations ({answer['segments']} sealed files)")
    console.print(f"  {answer['handoffs']} handoffs that it left, {answer['messages']} messages that it sent")
    for page in answer["pages"]:
        console.print(f"  page {escape(page)}")
    console.print("remains:" if answer["applied"] else "would remain:")
    for line in answer["remains"]:
        console.print(f"  {escape(line)}")
    if not answer["applied"]:
        console.print(f"Nothing was deleted. To delete it: memwiki session forget {answer['session']} --apply")


def draw_switch(console: Console, answer: Mapping[str, Any]) -> None:
    """Draw whether a session's events are taken."""
    state = "captured again" if answer["enabled"] else "no longer captured; what was before stays (session forget)"
    console.print(f"session {escape(answer['session'])} is {state}")
