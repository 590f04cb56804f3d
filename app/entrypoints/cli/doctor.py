"""`memwiki doctor`: checks everything that capture needs, in order, and ends with a rehearsal of each wired agent."""

from collections.abc import Iterator, Sequence
from pathlib import Path

import typer

from app.agents import hook_shapes, registry
from app.agents.agent import Agent, HookCall, HttpHook
from app.domain.errors import AppError
from app.entrypoints.cli import (
    config_files,
    config_text,
    doctor_machine,
    doctor_server,
    install,
    output,
    rehearsal,
    verdicts,
)
from app.entrypoints.cli import machine as machines
from app.entrypoints.cli.config_files import FileChange
from app.entrypoints.cli.install import Options
from app.entrypoints.cli.machine import Machine
from app.entrypoints.cli.remote import TOKEN_VARIABLE, Remote
from app.entrypoints.cli.verdicts import Check, Verdict, fail, tell, warn

# Without these, a rehearsal would only say the same again.
_NEEDED = frozenset({"server", "capture"})


def run(names: Sequence[str], *, url: str | None, as_json: bool) -> None:
    """Run all checks and print each as it is done; exit code 1 if one failed.

    Raises:
        UnknownAgent: a name is no agent's.
    """
    agents = [registry.find_agent(name) for name in names]
    console, checks = output.open_console(), []
    for check in list_checks(agents, Remote(url)):
        checks.append(check)
        if not as_json:
            verdicts.draw(console, check)
    failed = sum(check.verdict is Verdict.FAIL for check in checks)
    if as_json:
        output.print_json({"ok": not failed, "checks": checks})
    elif failed:
        console.print(f"[bold red]{failed} of {len(checks)} checks failed[/]")
    else:
        console.print(f"[green]{len(checks)} checks done, none failed[/]")
    if failed:
        raise typer.Exit(1)


def list_checks(agents: Sequence[Agent], remote: Remote) -> Iterator[Check]:
    """Check the machine, the server, and of each agent the files; then rehearse those that are wired."""
    machine = machines.find_machine()
    is_hopeless = False
    for check in (*doctor_machine.check_machine(machine), *doctor_server.check_server(remote)):
        is_hopeless |= check.verdict is Verdict.FAIL and check.name in _NEEDED
        yield check
    wired = [(agent, hooks) for agent in registry.AGENTS if (hooks := _read_hooks(agent, machine))]
    for agent in agents:
        if all(agent is not other for other, _ in wired):
            advice = f"memwiki install {agent.name} --apply"
            yield fail(f"{agent.name} hooks", "none of ours are in its settings", advice)
    chosen = [(agent, hooks) for agent, hooks in wired if not agents or agent in agents]
    if not wired and not agents:
        yield warn("agents", "none is wired", "memwiki install claude-code --apply, or codex")
    ready: list[tuple[Agent, dict[str, HookCall]]] = []
    for agent, hooks in chosen:
        found = list(_check_files(agent, hooks, machine, remote))
        yield from found
        if all(check.verdict is not Verdict.FAIL for check in found):
            ready.append((agent, hooks))
    if ready and not is_hopeless:
        yield from _rehearse(ready, remote)


def _rehearse(ready: Sequence[tuple[Agent, dict[str, HookCall]]], remote: Remote) -> Iterator[Check]:
    rehearsal.remove_leftovers(remote)
    for agent, hooks in ready:
        yield from rehearsal.rehearse(agent, hooks, remote)
        yield from (warn(f"{agent.name} review", note, "") for note in agent.traits.doctor_notes)


def _read_hooks(agent: Agent, machine: Machine) -> dict[str, HookCall]:
    """Read which of our hooks an agent has; a file that cannot be understood has none, and is told of as a fault.

    Where they stand in files that are ours alone, they are what an install would write: the files are compared.
    """
    found: dict[str, HookCall] = {}
    for file in agent.list_wiring(machine.site()).hooks:
        try:
            content = config_files.read_file(Path(file.path))
            settings = config_text.parse(file.path, file.format, content, "")
        except AppError:
            continue
        found |= hook_shapes.list_hooks(settings, file.shape, agent.name)
    return found


def _check_files(agent: Agent, hooks: dict[str, HookCall], machine: Machine, remote: Remote) -> Iterator[Check]:
    """Compare the agent's files with what an install would write now."""
    posts = any(isinstance(call, HttpHook) for call in hooks.values())
    tokens = {call.token_env for call in hooks.values() if isinstance(call, HttpHook) and call.token_env}
    options = Options(server_url=remote.url, token_env=TOKEN_VARIABLE if tokens else "", posts=posts)
    try:
        plan = install.plan_install([agent.name.value], machine, options)
    except AppError as error:
        yield fail(f"{agent.name} files", str(error), "mend the file that is named, then run this again")
        return
    for change in plan.changes:
        yield _check_change(agent, change, remote)


def _check_change(agent: Agent, change: FileChange, remote: Remote) -> Check:
    name = f"{agent.name} {change.purpose}"
    if not change.is_changed:
        return tell(name, f"{change.path} is as it should be")
    advice = f"look at the difference and write it: memwiki install {agent.name} --url {remote.url} [--apply]"
    if change.before is None:
        return fail(name, f"{change.path} is missing", advice)
    return warn(name, f"{change.path} differs from what this release would write for {remote.url}", advice)
