"""What `memwiki doctor` finds in agents' files: which hooks of ours they have, and what an install would write now."""

from collections.abc import Iterator
from pathlib import Path

from app.agents import hook_shapes
from app.agents.agent import Agent, HookCall, HttpHook
from app.domain.errors import AppError
from app.entrypoints.cli import config_files, config_text, entries, hook_client, install
from app.entrypoints.cli.config_files import FileChange
from app.entrypoints.cli.install import Options
from app.entrypoints.cli.machine import Machine
from app.entrypoints.cli.remote import TOKEN_VARIABLE, Remote
from app.entrypoints.cli.verdicts import Check, fail, tell, warn


def read_hooks(agent: Agent, machine: Machine, remote: Remote) -> dict[str, HookCall]:
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


def check_files(agent: Agent, hooks: dict[str, HookCall], machine: Machine, remote: Remote) -> Iterator[Check]:
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
