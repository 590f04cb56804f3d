"""The faces of install and uninstall: choose agents, show a plan as a diff, or write it and say what was written."""

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import typer
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from app.agents import registry
from app.agents.places import WiringScope
from app.capture import client_checkout, client_files
from app.capture.client_spool import Spool
from app.domain.errors import InvalidValue
from app.domain.redact import redact_text
from app.entrypoints.cli import config_files, install_files, installed, output, uninstall
from app.entrypoints.cli import install as installer
from app.entrypoints.cli import machine as machines
from app.entrypoints.cli.install import Options
from app.entrypoints.cli.install_files import Written
from app.entrypoints.cli.machine import Machine
from app.entrypoints.cli.plans import Plan
from app.system import SystemClock


@dataclass(frozen=True, slots=True)
class Choice:
    """Which agents a person means: those that are named, all, or all that seem to be here."""

    names: Sequence[str]
    takes_all: bool = False
    takes_detected: bool = False


def run_install(choice: Choice, options: Options, scope: WiringScope, *, apply: bool, as_json: bool) -> None:
    """Wire agents, or show what that would change; without any choice, say which there are.

    Raises:
        InvalidValue: agents are named and chosen by kind at once.
    """
    machine = machines.find_machine()
    names = _choose(choice, machine)
    if not names and not (choice.takes_all or choice.takes_detected):
        if not (options.instructions or options.skills):
            _list_agents(machine, as_json=as_json)
            return
        names = _list_detected(machine)
        options = replace(options, wires=False)
    if scope is WiringScope.PROJECT:
        folder = machines.find_project_folder(os.getcwd(), os.environ)  # noqa: PTH109 — text is wanted
        options = replace(options, project=folder)
    _carry_out(installer.plan_install(names, machine, options), machine, apply=apply, as_json=as_json)


def run_uninstall(choice: Choice, *, apply: bool, as_json: bool) -> None:
    """Unwire agents, or show what that would change.

    Raises:
        InvalidValue: no agent is chosen.
    """
    machine = machines.find_machine()
    names = _choose(choice, machine)
    if not names:
        raise InvalidValue("agent", "name the agents to unwire, or say --all")
    checkout = client_checkout.read_checkout(os.getcwd(), os.environ)  # noqa: PTH109 — text is wanted
    project = str(checkout.get("root", ""))
    plan = uninstall.plan_uninstall(names, machine, project=project, is_thorough=choice.takes_all)
    if choice.takes_all:
        plan = replace(plan, notes=(*plan.notes, *_list_left(client_files.find_spool_folder(machine.env))))
    _carry_out(plan, machine, apply=apply, as_json=as_json)


def _list_left(folder: str) -> Iterator[str]:
    """Say what the hook client keeps of its own, which no agent's unwiring takes away."""
    try:
        names = sorted(os.listdir(folder))  # noqa: PTH208 — text is wanted
        waiting, _, _ = Spool(folder).report()
    except OSError:
        return
    if waiting:
        yield f"{waiting} events wait in {folder} for the server: any memwiki command sends them once it answers"
    if names:
        yield f"{folder} stays, with {', '.join(names)}: remove it when nothing in it is wanted any more"


def _choose(choice: Choice, machine: Machine) -> list[str]:
    if choice.names and (choice.takes_all or choice.takes_detected):
        raise InvalidValue("agent", "either name agents, or choose them by --all or --detected")
    if choice.takes_all:
        return [agent.name.value for agent in registry.AGENTS]
    if choice.takes_detected:
        return _list_detected(machine)
    return list(dict.fromkeys(choice.names))


def _list_detected(machine: Machine) -> list[str]:
    return [agent.name.value for agent in registry.AGENTS if machines.is_detected(agent, machine)]


def _list_agents(machine: Machine, *, as_json: bool) -> None:
    """Show every agent: whether it seems to be here, and whether it is wired."""
    wired = {owner.agent for owner in installed.list_owners(installed.read_installed(machine.folder))}
    rows: list[dict[str, object]] = [
        {
            "name": agent.name.value,
            "title": agent.title,
            "detected": machines.is_detected(agent, machine),
            "wired": agent.name.value in wired,
            "evidence": agent.traits.evidence.kind.value,
        }
        for agent in registry.AGENTS
    ]
    output.emit({"agents": rows}, as_json=as_json, render=lambda console: _draw_agents(console, rows))


def _draw_agents(console: Console, rows: Sequence[dict[str, object]]) -> None:
    table = Table("name", "agent", "here", "wired", "wiring is", box=None)
    for row in rows:
        marks = ["yes" if row[key] else "" for key in ("detected", "wired")]
        table.add_row(str(row["name"]), str(row["title"]), *marks, str(row["evidence"]))
    console.print(table)
    console.print("Wire one: memwiki install NAME; all that are here: memwiki install --detected. Nothing is written")
    console.print("without --apply.")


def _carry_out(plan: Plan, machine: Machine, *, apply: bool, as_json: bool) -> None:
    written = install_files.apply(plan, machine, SystemClock().now()) if apply else ()
    facts = {
        "agents": list(plan.agents),
        "applied": apply,
        "changed": plan.is_changed,
        "files": [
            {"path": str(change.path), "purpose": change.purpose, "diff": redact_text(config_files.render_diff(change))}
            for change in plan.changes
            if change.is_changed
        ],
        "written": list(written),
        "refused": [{"agent": agent, "reason": reason} for agent, reason in plan.refused],
        "notes": list(plan.notes),
    }
    output.emit(facts, as_json=as_json, render=lambda console: _draw(console, plan, written, applied=apply))
    if plan.refused:
        raise typer.Exit(1)


def _draw(console: Console, plan: Plan, written: Sequence[Written], *, applied: bool) -> None:
    if not plan.is_changed:
        console.print(f"{', '.join(plan.agents) or 'no agent'}: nothing to change")
    elif not applied:
        _draw_plan(console, plan)
    for done in written:
        backup = f"  [dim](before: {escape(done.backup)})[/]" if done.backup else ""
        console.print(f"{done.action} {escape(done.path)}{backup}")
    for agent, reason in plan.refused:
        console.print(f"[red]left out[/] {agent}: {escape(reason)}")
    for note in plan.notes:
        console.print(f"[yellow]note[/] {escape(note)}")


def _draw_plan(console: Console, plan: Plan) -> None:
    for change in plan.changes:
        if not change.is_changed:
            continue
        console.print(f"[bold]{change.purpose}[/] {change.path}")
        for line in redact_text(config_files.render_diff(change)).splitlines():
            color = {"+": "green", "-": "red"}.get(line[:1], "dim")
            console.print(f"  [{color}]{escape(line)}[/]")
    verb = "install" if plan.is_install else "uninstall"
    console.print(f"Nothing was written. To write it: memwiki {verb} … --apply")
