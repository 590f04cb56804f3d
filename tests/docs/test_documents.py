"""Documents are complete: tables are generated from the code, and nothing that a user meets is missing."""

import importlib
import pkgutil
import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import typer
from fastapi.routing import APIRoute

from app import domain
from app.config import BOUND_AT_START, ENV_PREFIX, Settings
from app.domain import errors, redact_rules, segment
from app.domain.errors import AppError
from app.entrypoints.cli import errors as cli_errors
from app.entrypoints.cli import main as cli
from app.entrypoints.http import app as http_app
from app.entrypoints.http import errors as http_errors
from app.entrypoints.mcp import server as mcp_server

DOCS = Path(__file__).parents[2] / "docs"
SHOWN_HINTS_MAX = 6


def list_leaves() -> Iterator[type[AppError]]:
    families = [
        importlib.import_module(f"app.domain.{found.name}")
        for found in pkgutil.iter_modules(domain.__path__)
        if found.name.endswith("_errors")
    ]
    named = [kind for module in (errors, *families) for kind in vars(module).values()]
    for kind in dict.fromkeys([*filter(callable, named), segment.SegmentUnreadable, segment.SegmentLocked]):
        if isinstance(kind, type) and issubclass(kind, AppError) and "code" in vars(kind) and kind is not AppError:
            yield kind


def build_settings_table() -> str:
    rows = ["| Setting | Environment | Default | Change | Meaning |", "|---|---|---|---|---|"]
    for name, field in Settings.model_fields.items():
        default = (
            "the user's data folder"
            if name == "data_dir"
            else "none"
            if field.default is None
            else f"`{field.default}`"
        )
        shown = "none" if field.default_factory is not None and name != "data_dir" else default
        change = "restart" if name in BOUND_AT_START else "reload"
        rows.append(f"| `{name}` | `{ENV_PREFIX}{name.upper()}` | {shown} | {change} | {field.description} |")
    return "\n".join(rows)


def build_routes_table() -> str:
    rows = ["| Route | What it does |", "|---|---|"]
    hooks = [("POST /hook", "Take one event of an agent."), ("POST /hook/batch", "Take up to 256 events.")]
    rows += [f"| `{route}` | {line} |" for route, line in hooks]
    closed = ((router, http_app.API_PREFIX) for router in http_app.list_routers())
    for router, prefix in [*http_app.list_open_routers(), *closed]:
        for route in router.routes:
            if isinstance(route, APIRoute):
                method = ", ".join(sorted(route.methods))
                line = (route.endpoint.__doc__ or "").strip().splitlines()[0]
                rows.append(f"| `{method} {prefix}{route.path}` | {line} |")
    return "\n".join(rows)


def build_errors_table() -> str:
    rows = ["| Code | HTTP | Exit code | Meaning |", "|---|---|---|---|"]
    for kind in sorted(list_leaves(), key=lambda kind: kind.code):
        status = next(status for family, status in http_errors.STATUSES if issubclass(kind, family))
        exit_code = next(code for family, code in cli_errors.EXIT_CODES if issubclass(kind, family))
        meaning = (kind.__doc__ or "").strip().splitlines()[0]
        rows.append(f"| `{kind.code}` | {status} | {exit_code} | {meaning} |")
    return "\n".join(rows)


def list_commands(command: object, prefix: str) -> Iterator[tuple[str, str]]:
    children = getattr(command, "commands", None)
    for name, child in (children or {}).items():
        yield from list_commands(child, f"{prefix} {name}")
    if children is None:
        yield prefix, (getattr(command, "help", "") or "").strip().splitlines()[0]


def build_commands_table() -> str:
    rows = ["| Command | What it does |", "|---|---|"]
    rows += [f"| `{name}` | {line} |" for name, line in list_commands(typer.main.get_command(cli.app), "memwiki")]
    return "\n".join(rows)


def build_tools_table() -> str:
    rows = ["| Tool | What it does |", "|---|---|"]
    rows += [f"| `{tool.name}` | {tool.line} |" for tool in mcp_server.list_tool_lines()]
    return "\n".join(rows)


def build_secrets_table() -> str:
    hints: dict[str, dict[str, None]] = {}
    for rule in redact_rules.RULES:
        hints.setdefault(rule.name, {}).update(dict.fromkeys(rule.hints))
    rows = ["| Class | Looked for where a text has |", "|---|---|"]
    for name, known in sorted(hints.items()):
        shown = ", ".join(f"`{hint.strip()}`" for hint in list(known)[:SHOWN_HINTS_MAX])
        rows.append(f"| `{name}` | {shown}{', …' if len(known) > SHOWN_HINTS_MAX else ''} |")
    return "\n".join(rows)


TABLES: dict[tuple[str, str], Callable[[], str]] = {
    ("configuration.md", "settings"): build_settings_table,
    ("configuration.md", "secrets"): build_secrets_table,
    ("http-api.md", "routes"): build_routes_table,
    ("http-api.md", "errors"): build_errors_table,
    ("operations.md", "commands"): build_commands_table,
    ("mcp-tools.md", "tools"): build_tools_table,
}


@pytest.mark.parametrize(("name", "mark"), TABLES, ids=lambda value: value)
def test_generated_tables_say_what_the_code_says(name: str, mark: str, request: pytest.FixtureRequest) -> None:
    path = DOCS / name
    text = path.read_text(encoding="utf-8")
    pattern = re.compile(rf"(<!-- {mark}: generated -->\n).*?(\n<!-- /{mark} -->)", re.DOTALL)
    table = TABLES[(name, mark)]()
    expected = pattern.sub(lambda match: f"{match[1]}{table}{match[2]}", text)

    if request.config.getoption("--update-golden"):
        path.write_text(expected, encoding="utf-8")

    assert pattern.search(text), f"{name} has no place for {mark}"
    assert path.read_text(encoding="utf-8") == expected


def test_links_between_documents_lead_somewhere() -> None:
    broken = []
    for path in [*DOCS.rglob("*.md"), DOCS.parent / "README.md"]:
        targets = re.findall(r"\]\((?!https?://|#)([^)#]+)", path.read_text(encoding="utf-8"))
        broken += [f"{path.name}: {target}" for target in targets if not (path.parent / target).exists()]

    assert broken == []
