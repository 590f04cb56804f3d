"""The face of `memwiki where`: which project a folder is, by which rule, and what a first capture would make."""

from collections.abc import Mapping
from typing import Any

from rich.console import Console
from rich.markup import escape

_RULES = {
    "marker": "by the marker file .memwiki.toml",
    "remote": "by the repository's remote",
    "git": "by the repository's folder on this machine",
    "folder": "by the folder on this machine",
    "name": "by its name",
}


def draw_where(console: Console, folder: str, answer: Mapping[str, Any]) -> None:
    """Draw the server's explanation."""
    project = answer["project"]
    if project:
        console.print(f"{escape(folder)} is [bold]{escape(project['name'])}[/], {_RULES.get(answer['rule'], '')}")
    else:
        made = answer.get("would_create")
        console.print(f"{escape(folder)} has not been captured")
        if made:
            console.print(f"a first capture would make the project [bold]{escape(made)}[/]")
    for name in answer.get("told_apart", ()):
        console.print(
            f"[yellow]note[/] {escape(name)} lay here before, under another remote; to go on in it, name it in a"
            " .memwiki.toml"
        )
    for identity in answer.get("identities", ()):
        mark = "[green]*[/]" if identity == answer["identity"] else " "
        console.print(f" {mark} {escape(identity)}")
