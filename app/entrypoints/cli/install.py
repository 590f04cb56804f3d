"""Sets up or removes one agent: its hooks, its MCP entry, and the copy of the hook client that its hooks run.

The client is copied to the user's data folder, so that removing a checkout or an environment breaks no agent; it
goes when the last agent is unwired. A plan is made first and changes nothing; `apply` writes it. What each file
was before is recorded, which is how an uninstall can give back the very bytes.
"""

import contextlib
import os
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import partial
from pathlib import Path
from urllib.parse import urlsplit

import platformdirs

from app import config
from app.agents import registry
from app.agents.agent import Agent, Link, Wiring
from app.agents.places import Site
from app.domain.errors import DiskRefused, ForeignEntry, InvalidValue
from app.entrypoints.cli import config_files, entries, hook_client, installed
from app.entrypoints.cli.config_files import FileChange
from app.entrypoints.cli.installed import InstalledFile

DEFAULT_URL = "http://127.0.0.1:7470"
CLIENT = "hook client"
_POSTS_NOTE = (
    "Claude Code posts events itself: what happens while the server is away is not kept, no [capture] rules are "
    "looked at before an event leaves this machine, and a failing post at the session's end shows in its output."
)

_VARIABLE = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_UNQUOTABLE = re.compile(r"[^!-~]|['\"`$\\;|&<>]")


@dataclass(frozen=True, slots=True)
class Machine:
    """Where things are on this machine: the person's home, our folder in it, and what hooks are run with.

    `shell_path` is empty where events cannot be sent by curl.
    """

    home: Path
    env: Mapping[str, str] = field(repr=False)
    folder: Path
    python: str
    client_source: Path
    shell_path: str = ""


@dataclass(frozen=True, slots=True)
class Plan:
    """What would be written for one agent; `notes` are for the person, to be shown with the changes."""

    agent: str
    is_install: bool
    changes: tuple[FileChange, ...]
    notes: tuple[str, ...]

    @property
    def is_changed(self) -> bool:
        """Tell whether there is anything to write."""
        return any(change.is_changed for change in self.changes)


@dataclass(frozen=True, slots=True)
class Written:
    """What was done to one file; `backup` is empty where none was needed or it was used up."""

    path: str
    purpose: str
    action: str
    backup: str = ""


def find_machine() -> Machine:
    """Look at the machine that the command runs on."""
    return Machine(
        home=Path.home(),
        env=os.environ,
        folder=Path(platformdirs.user_data_dir("memwiki", appauthor=False)),
        python=hook_client.find_python(os.environ.get("PATH")),
        client_source=config.find_bundled("hooks") / "send_event.py",
        shell_path=hook_client.find_shell(os.environ.get("PATH")),
    )


def plan_install(
    agent_name: str,
    machine: Machine,
    *,
    server_url: str = DEFAULT_URL,
    token_env: str = "",
    posts: bool = False,
) -> Plan:
    """Plan the files after which an agent reports to the server and asks it through MCP.

    With `posts` the agent sends events itself where it can, which costs no process and has neither spool nor policy.

    Raises:
        UnknownAgent: there is no such agent.
        InvalidValue: the address or the variable's name cannot be used, or the agent has no HTTP hooks.
        ForeignEntry: a file is not what its agent reads, or has something of another's in our place.
        DiskRefused: a file cannot be read.
    """
    agent = registry.find_agent(agent_name)
    url = _parse_url(server_url)
    if token_env and not _VARIABLE.fullmatch(token_env):
        raise InvalidValue("token_env", "give the name of an environment variable, not the token itself")
    if posts and not agent.traits.http_events:
        raise InvalidValue("http_hooks", f"{agent.title} runs commands alone")
    client = hook_client.locate_client(machine.folder)
    calls = hook_client.build_calls(
        agent, python=machine.python, shell_path=machine.shell_path, client=client, server_url=url
    ) | (hook_client.build_posts(agent, url, token_env) if posts else {})
    wiring = find_wiring(agent, machine)
    link = Link(url, calls, python=machine.python, client=str(client), token_env=token_env)
    notes = [f"Hooks and MCP take the access token from the environment variable {token_env}."] if token_env else []
    notes += [_POSTS_NOTE] if posts else []
    return Plan(
        agent=agent.name.value,
        is_install=True,
        changes=(
            *_plan_copies(machine),
            *(entries.plan_hook_file(agent, file, calls) for file in wiring.hooks),
            *(entries.plan_mcp_file(file, file.build(link)) for file in wiring.mcp),
        ),
        notes=(*agent.traits.install_notes, *notes),
    )


def find_wiring(agent: Agent, machine: Machine) -> Wiring:
    """Find what an agent's wiring touches on this machine."""
    return agent.list_wiring(Site(home=str(machine.home), env=machine.env))


def plan_uninstall(agent_name: str, machine: Machine) -> Plan:
    """Plan the files after which nothing of ours is left with an agent.

    A file that is still as we wrote it becomes what it was, to the byte; from any other, our entries are taken.

    Raises:
        UnknownAgent: there is no such agent.
        ForeignEntry: a file is not what its agent reads.
        DiskRefused: a file cannot be read.
    """
    agent = registry.find_agent(agent_name)
    wiring = find_wiring(agent, machine)
    known = installed.read_installed(machine.folder).get(agent.name.value, {})
    changes = [
        *(
            _plan_return(file.path, known, entries.HOOKS, partial(entries.plan_hook_file, agent, file, {}))
            for file in wiring.hooks
        ),
        *(_plan_return(file.path, known, entries.MCP, partial(entries.plan_mcp_file, file, {})) for file in wiring.mcp),
    ]
    if not any(_is_wired(other, machine) for other in registry.AGENTS if other.name is not agent.name):
        changes += [replace(change, after=None) for change in _plan_copies(machine)]
    return Plan(agent.name.value, is_install=False, changes=tuple(changes), notes=())


def apply(plan: Plan, machine: Machine, now: datetime) -> tuple[Written, ...]:
    """Write a plan's files, each in one step, after a backup of what others wrote.

    Raises:
        ForeignEntry: a file changed since the plan was made; nothing was written.
        DiskRefused: a file cannot be written; those before it are written and recorded.
    """
    changes = [change for change in plan.changes if change.is_changed]
    for change in changes:
        if config_files.read_file(change.path) != change.before:
            raise ForeignEntry(str(change.path), "it changed while this command was looking at it; run it again")
    record = {name: dict(files) for name, files in installed.read_installed(machine.folder).items()}
    if plan.is_install:
        _make_folder(machine.folder)
        return _apply_install(plan, changes, machine.folder, record, now)
    return _apply_uninstall(plan, changes, machine.folder, record)


def _apply_install(
    plan: Plan, changes: Sequence[FileChange], folder: Path, record: dict[str, dict[str, InstalledFile]], now: datetime
) -> tuple[Written, ...]:
    files = record.setdefault(plan.agent, {})
    backups: dict[Path, str] = {}
    for change in changes:
        if not change.is_copy:
            known = files.get(str(change.path))
            files[str(change.path)] = _record_change(known, change, now)
            backups[change.path] = files[str(change.path)].backup
    # The record comes first: after a crash an uninstall sees that the file is not what was meant, and looks.
    installed.write_installed(folder, record)
    return tuple(_write(change, backups.get(change.path, "")) for change in changes)


def _apply_uninstall(
    plan: Plan, changes: Sequence[FileChange], folder: Path, record: dict[str, dict[str, InstalledFile]]
) -> tuple[Written, ...]:
    files = record.pop(plan.agent, {})
    written: list[Written] = []
    for change in changes:
        known = files.get(str(change.path))
        is_exact = known is not None and config_files.hash_content(change.after) == known.before
        written.append(_write(change, "" if known is None or is_exact else known.backup))
        if known is not None and is_exact and known.backup:
            config_files.remove_file(Path(known.backup))
    installed.write_installed(folder, record)
    # Both stay where anything else is in them, such as the server's own stores.
    with contextlib.suppress(OSError):
        hook_client.locate_client(folder).parent.rmdir()
        folder.rmdir()
    return tuple(written)


def _plan_copies(machine: Machine) -> list[FileChange]:
    """Plan the client's files; the shell's stays where it once was, since another agent's hooks may run it."""
    client, changes = hook_client.locate_client(machine.folder), []
    for suffix in (".py", ".sh"):
        source, copy = machine.client_source.with_suffix(suffix), client.with_suffix(suffix)
        before, after = config_files.read_file(copy), config_files.read_file(source)
        if suffix == ".sh" and not machine.shell_path and before is None:
            continue
        if after is None:
            raise DiskRefused(str(source), "the hook client is missing from this installation")
        changes.append(FileChange(copy, CLIENT, before, after, is_copy=True))
    return changes


def _make_folder(folder: Path) -> None:
    """Make the folder that the server may later use as its own: nobody else's business."""
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise DiskRefused(str(folder), error.strerror or "it cannot be made") from error


def _parse_url(text: str) -> str:
    parts = urlsplit(text.strip())
    if parts.scheme not in {"http", "https"} or not parts.hostname or _UNQUOTABLE.search(text.strip()):
        raise InvalidValue("url", "give the server's address, like http://127.0.0.1:7470")
    if parts.username or parts.password or parts.query or parts.fragment:
        raise InvalidValue("url", "the address must have no user, password, query or fragment")
    path = parts.path.rstrip("/").removesuffix("/mcp").rstrip("/")
    return f"{parts.scheme}://{parts.netloc}{path}"


def _plan_return(
    place: str, known: Mapping[str, InstalledFile], purpose: str, plan_removal: Callable[[], FileChange]
) -> FileChange:
    """Give a file back as it was where it is still ours alone to judge; else take our entries out."""
    path = Path(place)
    file = known.get(place)
    current = config_files.read_file(path)
    if file is not None and file.is_restorable and config_files.hash_content(current) == file.after:
        backup = config_files.read_file(Path(file.backup)) if file.backup else None
        if config_files.hash_content(backup) == file.before:
            return FileChange(path, purpose, current, backup, has_own=True)
    change = plan_removal()
    if change.is_changed and file is not None and not file.before and file.is_restorable and entries.is_blank(change):
        return replace(change, after=None)
    return change


def _record_change(known: InstalledFile | None, change: FileChange, now: datetime) -> InstalledFile:
    """Record a change; a file that nobody else touched since ours keeps its first backup."""
    before, after = config_files.hash_content(change.before), config_files.hash_content(change.after)
    if known is not None and known.after == before:
        return replace(known, after=after)
    backup = "" if change.before is None else str(config_files.back_up(change.path, change.before, now))
    return InstalledFile(str(change.path), before, after, backup, is_restorable=not change.has_own)


def _write(change: FileChange, backup: str) -> Written:
    if change.after is None:
        config_files.remove_file(change.path)
        return Written(str(change.path), change.purpose, "removed", backup)
    config_files.write_file(change.path, change.after)
    return Written(str(change.path), change.purpose, "created" if change.before is None else "written", backup)


def _is_wired(agent: Agent, machine: Machine) -> bool:
    """Tell whether an agent's hooks run our client; a file that cannot be understood may do so."""
    try:
        return any(entries.plan_hook_file(agent, file, {}).has_own for file in find_wiring(agent, machine).hooks)
    except (ForeignEntry, DiskRefused):
        return True
