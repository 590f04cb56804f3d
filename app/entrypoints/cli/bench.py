"""The command `bench`: runs one family of measurements and shows each figure beside its bar and its ceiling."""

import signal
import sys
from dataclasses import replace
from pathlib import Path
from types import FrameType
from typing import NoReturn

from rich.console import Console
from rich.markup import escape
from rich.table import Column, Table

from app.bench import figure, registry
from app.bench.figure import Better, Figure, Report
from app.bench.scale import FULL, QUICK, Scale
from app.entrypoints.cli import output

_THOUSAND, _HUNDRED = 1000, 100


def choose_scale(
    *,
    quick: bool,
    sets_dir: Path | None,
    sets: tuple[str, ...] = (),
    is_ablating: bool = False,
    keep_dir: Path | None = None,
) -> Scale:
    """Choose how much of a family is measured, and of what."""
    return replace(QUICK if quick else FULL, sets_dir=sets_dir, sets=sets, is_ablating=is_ablating, keep_dir=keep_dir)


def run(family: str, scale: Scale, *, check: bool, as_json: bool) -> None:
    """Measure a family and print its figures.

    Raises:
        UnknownKind: there is no family of that name.
        SystemExit: with code 1: `check` was asked for and a bar is missed.
    """
    show(measure(family, scale), check=check, as_json=as_json)


def measure(family: str, scale: Scale) -> Report:
    """Measure a family at a scale, telling a person who waits what is being done.

    What is told to end, by `kill` too, stops its servers and deletes their folders.
    """
    before = signal.signal(signal.SIGTERM, _end)
    try:
        return _measure(family, scale)
    finally:
        signal.signal(signal.SIGTERM, before)


def show(report: Report, *, check: bool, as_json: bool) -> None:
    """Print a report.

    Raises:
        SystemExit: with code 1: `check` was asked for and a bar is missed.
    """
    output.emit(figure.shape_report(report), as_json=as_json, render=lambda console: draw_report(console, report))
    if check and report.missed:
        sys.exit(1)


def draw_report(console: Console, report: Report) -> None:
    """Draw the figures as a table, with the machine they were measured on."""
    machine = report.machine
    console.print(
        f"[bold]{report.family}[/] on {escape(machine.cpu)}, {machine.cores} cores, {machine.memory_mib:,} MiB, "
        f"{machine.system}, Python {machine.python}, SQLite {machine.sqlite_of_state} (index {machine.sqlite}), "
        f"{machine.file_system} with fsync {machine.fsync_p50_ms} ms, load {machine.load_1m}"
    )
    # A name is typed into other programs, so it is never cut.
    names = Column("figure", min_width=max(len(each.name) for each in report.figures))
    table = Table(names, "value", "bar", "", "ceiling", "ratio", box=None, pad_edge=False)
    for each in report.figures:
        table.add_row(*_draw_figure(each))
    console.print(table)
    for each in report.figures:
        if each.detail:
            console.print(f"[dim]{each.name}: {escape(each.detail)}[/]")
    missed = ", ".join(each.name for each in report.missed)
    console.print(f"[bold red]missed[/] {missed}" if missed else "[green]no bar was missed[/]")
    console.print(f"took {report.took_s:.0f} s")


def _draw_figure(each: Figure) -> tuple[str, ...]:
    sign = "≥" if each.bar and each.bar.better is Better.HIGHER else "≤"
    mark = {True: "[green]ok[/]", False: "[bold red]missed[/]", None: ""}[each.is_ok]
    return (
        each.name,
        f"{_write_number(each.value)} {each.unit}",
        f"{sign} {_write_number(each.bar.limit)}" if each.bar else "",
        mark,
        _write_number(each.ceiling) if each.ceiling else "",
        f"{each.value / each.ceiling:.2f}" if each.ceiling else "",
    )


def _write_number(value: float) -> str:
    if value >= _THOUSAND:
        return f"{value:,.0f}"
    return f"{value:.0f}" if value >= _HUNDRED else f"{value:.3g}"


def _measure(family: str, scale: Scale) -> Report:
    console = output.open_console(is_error=True)
    if not console.is_terminal:
        # Who looks at a file, hours later too, sees how far it came.
        return registry.run_family(family, scale, lambda text: console.print(escape(text), highlight=False))
    with console.status("looking at the machine") as status:
        return registry.run_family(family, scale, lambda text: status.update(f"{text} …"))


def _end(number: int, frame: FrameType | None) -> NoReturn:
    del frame
    sys.exit(128 + number)
