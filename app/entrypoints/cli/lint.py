"""The command that tells what is wrong in a project's pages."""

from enum import StrEnum
from typing import Annotated, Any

import typer
from rich.console import Console

from app.entrypoints.cli import output
from app.entrypoints.cli.options import AsJson, Project, Url

# Not an error's family: the command worked, and what it looked at has faults.
FAULTS_EXIT_CODE = 1
_ORDER = ("error", "warning", "info")
_COLOURS = {"error": "red", "warning": "yellow", "info": "dim"}


class Least(StrEnum):
    """From which severity on the command fails."""

    ERROR = "error"
    WARNING = "warning"
    INFO = "info"


def lint(
    project: Project = None,
    fail_on: Annotated[Least, typer.Option(help="Exit with 1 if a finding is as grave or graver.")] = Least.ERROR,
    url: Url = None,
    as_json: AsJson = False,
) -> None:
    """Look for broken links, orphans, contradictions, stale and double pages, unreadable files, and secrets."""
    from app.entrypoints.cli.remote import Remote

    answer = Remote(url).get("/api/v1/lint", project=project)
    output.emit(answer, as_json=as_json, render=lambda console: _draw(console, answer))
    grave = _ORDER[: _ORDER.index(fail_on.value) + 1]
    if any(answer["counts"][severity] for severity in grave):
        raise typer.Exit(FAULTS_EXIT_CODE)


def _draw(console: Console, answer: dict[str, Any]) -> None:
    for finding in answer["findings"]:
        severity = finding["severity"]
        console.print(f"{severity:<8}", style=_COLOURS[severity], end="")
        console.print(f"{finding['path']}: {finding['detail']} ({finding['code']})", markup=False)
    counts = ", ".join(f"{answer['counts'][severity]} {severity}" for severity in _ORDER)
    console.print(f"{answer['project']}: {counts}", markup=False)
