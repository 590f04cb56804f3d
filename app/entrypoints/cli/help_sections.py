"""In which order the commands stand in the help: by what a person is about to do, the commonest first."""

from typing import Any, Final

import typer
from typer.core import TyperGroup

SECTIONS: Final = {
    "Every day": (
        [
            "status",
            "search",
            "read",
            "recent",
            "timeline",
            "related",
            "where",
            "brief",
            "handoff",
            "message",
            "session",
            "run",
            "continue",
        ]
    ),
    "Agents": ["install", "uninstall", "doctor", "capture", "backfill", "mcp-stdio"],
    "Wiki": [
        "write",
        "page",
        "project",
        "projects",
        "bootstrap",
        "rule",
        "proposal",
        "confirm",
        "feedback",
        "lint",
        "curate",
        "export",
        "import",
    ],
    "People": ["login", "logout", "whoami", "user", "token", "group", "grant", "audit"],
    "Server": (
        [
            "serve",
            "demo",
            "service",
            "config",
            "backup",
            "restore",
            "restore-drill",
            "purge",
            "maintain",
            "reindex",
            "key",
            "upgrade",
            "bench",
        ]
    ),
}
_LINE_CHARS: Final = 200


class Sectioned(TyperGroup):
    """The program's commands in the sections above."""

    def format_commands(self, ctx: typer.Context, formatter: Any) -> None:  # type: ignore[override]  # noqa: ANN401, ARG002 - a class that typer keeps to itself
        """Write each section with what its commands are for."""
        for title, names in SECTIONS.items():
            rows = [(name, self.commands[name].get_short_help_str(_LINE_CHARS)) for name in names]
            with formatter.section(title):
                formatter.write_dl(rows)
