"""The faces of install and uninstall: show a plan as a diff, or write it and say what was written."""

from collections.abc import Sequence

from rich.console import Console
from rich.markup import escape

from app.domain.redact import redact_text
from app.entrypoints.cli import config_files, output, remote
from app.entrypoints.cli import install as installer
from app.entrypoints.cli.install import Machine, Plan, Written
from app.wiring import SystemClock


def install(agent: str, *, apply: bool, url: str | None, with_token: bool, posts: bool, as_json: bool) -> None:
    """Wire an agent, or show what that would change."""
    machine = installer.find_machine()
    token_env = remote.TOKEN_VARIABLE if with_token else ""
    server_url = remote.find_server_url(url)
    plan = installer.plan_install(agent, machine, server_url=server_url, token_env=token_env, posts=posts)
    _carry_out(plan, machine, apply=apply, as_json=as_json)


def uninstall(agent: str, *, apply: bool, as_json: bool) -> None:
    """Unwire an agent, or show what that would change."""
    machine = installer.find_machine()
    _carry_out(installer.plan_uninstall(agent, machine), machine, apply=apply, as_json=as_json)


def _carry_out(plan: Plan, machine: Machine, *, apply: bool, as_json: bool) -> None:
    written = installer.apply(plan, machine, SystemClock().now()) if apply else ()
    facts = {
        "agent": plan.agent,
        "applied": apply,
        "changed": plan.is_changed,
        "files": [
            {"path": str(change.path), "purpose": change.purpose, "diff": redact_text(config_files.render_diff(change))}
            for change in plan.changes
            if change.is_changed
        ],
        "written": list(written),
        "notes": list(plan.notes),
    }
    output.emit(facts, as_json=as_json, render=lambda console: _draw(console, plan, written, applied=apply))


def _draw(console: Console, plan: Plan, written: Sequence[Written], *, applied: bool) -> None:
    if not plan.is_changed:
        console.print(f"{plan.agent}: nothing to change")
    elif not applied:
        _draw_plan(console, plan)
    for done in written:
        backup = f"  [dim](before: {done.backup})[/]" if done.backup else ""
        console.print(f"{done.action} {done.path}{backup}")
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
    console.print(f"Nothing was written. To write it: memwiki {verb} {plan.agent} --apply")
