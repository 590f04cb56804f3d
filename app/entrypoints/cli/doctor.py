"""`memwiki doctor`: checks everything that memory needs, in groups, and ends with a rehearsal of each wired agent."""

import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import typer
from rich.markup import escape

from app import config
from app.access import trail
from app.agents import registry
from app.agents.agent import Agent, HookCall
from app.capture import client_files
from app.config import Settings
from app.domain.errors import AppError
from app.entrypoints.cli import (
    doctor_agents,
    doctor_files,
    doctor_machine,
    doctor_server,
    doctor_store,
    entries,
    maintain_config,
    on_site,
    output,
    rehearsal,
    verdicts,
)
from app.entrypoints.cli import machine as machines
from app.entrypoints.cli.machine import Machine
from app.entrypoints.cli.remote import Remote
from app.entrypoints.cli.verdicts import Check, Verdict, fail, skip, tell, warn
from app.state import lock
from app.system import SystemClock

# Without these, a rehearsal would only say the same again.
_NEEDED = frozenset({"server", "capture"})
# In place of names: whatever is here, wired or not.
ALL_AGENTS = "agents"


@dataclass(frozen=True, slots=True)
class Examination:
    """What to look at: agents by their names, a server, a data directory; and whether to mend what can be."""

    names: Sequence[str]
    url: str | None
    data_dir: Path | None
    is_mending: bool


def run(wanted: Examination, *, as_json: bool) -> None:
    """Run all checks and print each as it is done; exit code 1 if one failed.

    Raises:
        UnknownAgent: a name is no agent's.
    """
    for name in wanted.names:
        if name != ALL_AGENTS:
            registry.find_agent(name)
    console, checks, mended = output.open_console(), list[Check](), list[str]()
    for found in list_checks(wanted, mended):
        if not as_json:
            if not checks or checks[-1].group != found.group:
                console.print(f"[bold]{found.group}[/]")
            verdicts.draw(console, found)
        checks.append(found)
    failed = sum(check.verdict is Verdict.FAIL for check in checks)
    if as_json:
        output.print_json({"ok": not failed, "checks": [*map(verdicts.shape, checks)], "fixed": mended})
    else:
        for what in mended:
            console.print(f"[bold]fixed[/]: {escape(what)}")
        said = f"{failed} of {len(checks)} checks failed" if failed else f"{len(checks)} checks done, none failed"
        console.print(f"[bold red]{said}[/]" if failed else f"[green]{said}[/]")
    if failed:
        raise typer.Exit(1)


def list_checks(wanted: Examination, mended: list[str]) -> Iterator[Check]:
    """Check the machine, its data directory, the server, and of each agent the files; then rehearse those wired."""
    machine = machines.find_machine()
    yield from _group("machine", doctor_machine.check_machine(machine))
    settings = _read_settings(wanted.data_dir)
    if isinstance(settings, Check):
        yield from _group("data", [settings])
        remote = Remote(wanted.url)
    else:
        yield from _group("data", _check_own_store(settings, mended if wanted.is_mending else None))
        remote = Remote(wanted.url or _find_url(settings, is_chosen=wanted.data_dir is not None))
    is_hopeless = False
    for check in (
        *_group("capture", doctor_machine.check_capture(machine)),
        *_group("server", doctor_server.check_server(remote)),
    ):
        is_hopeless |= check.verdict is Verdict.FAIL and check.name in _NEEDED
        yield check
    yield from _group("agents", _check_agents(wanted.names, machine, remote, is_hopeless=is_hopeless))


def _group(name: str, checks: Iterable[Check]) -> Iterator[Check]:
    return (replace(check, group=name) for check in checks)


def _read_settings(data_dir: Path | None) -> Settings | Check:
    try:
        return config.load_settings(data_dir=data_dir)
    except AppError as error:
        return fail("settings", str(error), "correct the setting that is named")


def _check_own_store(settings: Settings, mended: list[str] | None) -> Iterator[Check]:
    """Check the data directory; what is mended is looked at again, with everything that depends on it."""
    yield _check_settings()
    checks = list(_look(settings))
    if mended is not None:
        mending = [check for check in checks if check.mend is not None]
        done = [check.mend() for check in mending if check.mend is not None]
        for check in mending:
            on_site.leave(settings.data_dir, trail.Deed("doctor.fix", check.name))
        mended += done
        checks = list(_look(settings)) if done else checks
    yield from checks
    yield from doctor_store.check_disks([Path(client_files.find_spool_folder(os.environ))])


def _look(settings: Settings) -> Iterator[Check]:
    return doctor_store.check_store(doctor_store.find_store(settings, SystemClock().now()))


def _check_settings() -> Check:
    unknown = maintain_config.find_unknown(os.environ)
    if unknown:
        told = ", ".join(each["name"] for each in unknown)
        meant = "".join(f"; {each['name']}: did you mean {each['meant']}?" for each in unknown if each["meant"])
        return warn("settings", f"variables that do nothing: {told}", f"take them out of the environment{meant}")
    return tell("settings", "all are understood; memwiki config show")


def _find_url(settings: Settings, *, is_chosen: bool) -> str | None:
    """Find the address of the server that has a data directory which was asked for by name."""
    return str(lock.read_holder(settings.data_dir).get("url", "")) or None if is_chosen else None


def _check_agents(names: Sequence[str], machine: Machine, remote: Remote, *, is_hopeless: bool) -> Iterator[Check]:
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
            hooks = doctor_files.read_hooks(agent, machine, remote)
            found = list(doctor_files.check_files(agent, hooks, machine, remote))
            yield from found
            if hooks and all(check.verdict is not Verdict.FAIL for check in found):
                ready.append((agent, hooks))
        yield from doctor_agents.check_agent(agent, machine, activity)
    if ready and is_hopeless:
        yield skip("rehearsal", "without a server, or with capture switched off, nothing would arrive")
    elif ready:
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
