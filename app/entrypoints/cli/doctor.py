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
    doctor_agents,
    doctor_machine,
    doctor_server,
    entries,
    hook_client,
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
# In place of names: whatever is here, wired or not.
ALL_AGENTS = "agents"


def run(names: Sequence[str], *, url: str | None, as_json: bool) -> None:
    """Run all checks and print each as it is done; exit code 1 if one failed.

    Raises:
        UnknownAgent: a name is no agent's.
    """
    for name in names:
        if name != ALL_AGENTS:
            registry.find_agent(name)
    console, checks = output.open_console(), []
    for check in list_checks(names, Remote(url)):
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


def list_checks(names: Sequence[str], remote: Remote) -> Iterator[Check]:
    """Check the machine, the server, and of each agent the files; then rehearse those that are wired."""
    machine = machines.find_machine()
    is_hopeless = False
    for check in (*doctor_machine.check_machine(machine), *doctor_server.check_server(remote)):
        is_hopeless |= check.verdict is Verdict.FAIL and check.name in _NEEDED
        yield check
    activity = {} if is_hopeless else doctor_agents.read_activity(remote)
    chosen = _choose(names, machine)
    wired = [agent for agent in chosen if entries.find_own(agent, machine.site())]
    if not wired and not names:
        yield warn("agents", "none is wired", "memwiki install --detected --apply")
    ready: list[tuple[Agent, dict[str, HookCall]]] = []
    for agent in chosen:
        if agent not in wired:
            yield from _tell_unwired(agent, is_asked_for=agent.name.value in names)
        else:
            hooks = _read_hooks(agent, machine, remote)
            found = list(_check_files(agent, hooks, machine, remote))
            yield from found
            if hooks and all(check.verdict is not Verdict.FAIL for check in found):
                ready.append((agent, hooks))
        yield from doctor_agents.check_agent(agent, machine, activity)
    if ready and not is_hopeless:
        yield from _rehearse(ready, remote)


def _choose(names: Sequence[str], machine: Machine) -> list[Agent]:
    """Choose the agents: those that are named; all that are here or wired by `agents`; else all that are wired."""
    if names and list(names) != [ALL_AGENTS]:
        return [registry.find_agent(name) for name in names]
    return [
        agent
        for agent in registry.AGENTS
        if entries.find_own(agent, machine.site()) or (names and machines.is_detected(agent, machine))
    ]


def _tell_unwired(agent: Agent, *, is_asked_for: bool) -> Iterator[Check]:
    advice = f"memwiki install {agent.name} --apply"
    if is_asked_for:
        yield fail(f"{agent.name} hooks", "none of ours are in its settings", advice)
    else:
        yield warn(f"{agent.name} hooks", "it is here, and nothing of ours is in its settings", advice)


def _rehearse(ready: Sequence[tuple[Agent, dict[str, HookCall]]], remote: Remote) -> Iterator[Check]:
    rehearsal.remove_leftovers(remote)
    for agent, hooks in ready:
        yield from rehearsal.rehearse(agent, hooks, remote)


def _read_hooks(agent: Agent, machine: Machine, remote: Remote) -> dict[str, HookCall]:
    """Read which of our hooks an agent has; a file that cannot be understood has none, and is told of as a fault.

    Where they stand in files that are ours alone, they are what an install would write: the files are compared.
    """
    if any(piece.purpose == entries.PLUGIN for piece in entries.find_own(agent, machine.site())):
        client = hook_client.locate_client(machine.folder)
        paths = {"python": machine.python, "shell_path": machine.shell_path}
        return hook_client.build_calls(agent, **paths, client=client, server_url=remote.url)
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
