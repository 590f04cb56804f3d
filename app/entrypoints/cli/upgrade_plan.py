"""What a start of this release would do to a data directory, and what on this machine is of another release."""

import platform
import shutil
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from app import config, system
from app.agents import registry
from app.config import Settings
from app.domain import limits
from app.domain.errors import AppError
from app.entrypoints.cli import doctor_files, entries, hook_client, output
from app.entrypoints.cli import machine as machines
from app.entrypoints.cli.machine import Machine
from app.entrypoints.cli.remote import Remote
from app.entrypoints.cli.verdicts import Verdict
from app.index import checking
from app.index.database import INDEX_VERSION
from app.state import engine as state_engine
from app.state import lock, schema


@dataclass(frozen=True, slots=True)
class _State:
    """The database as it is: its schema, those between it and this release, and its bytes with those of its log."""

    found: str
    known: str
    missing: list[str]
    size: int
    fault: str = ""

    @property
    def is_newer(self) -> bool:
        """Whether another release wrote it that this one does not know."""
        return bool(self.found) and not self.fault and self.found != self.known and not self.missing


def look_ahead(settings: Settings, url: str | None) -> dict[str, Any]:
    """Look at everything that has a version; changes nothing and asks nobody but this machine."""
    folder, machine = settings.data_dir, machines.find_machine()
    state, versions = _look_at_state(folder), checking.list_versions(folder / "index")
    free, needed = shutil.disk_usage(_find_present(folder)).free, _measure_need(folder, state, versions)
    agents = _list_agents(machine, Remote(url))
    client = _look_at_client(machine)
    return {
        "version": system.find_version(),
        "python": platform.python_version(),
        "data_dir": str(folder),
        "running": _find_running(folder),
        "state": {"found": state.found or None, "known": state.known, "missing": state.missing, "bytes": state.size},
        "index": {"found": versions, "known": INDEX_VERSION},
        "hook_client": client,
        "agents": agents,
        "start": _list_steps(state, versions, has_pages=any((folder / "wiki").glob("*/*"))),
        "space": {"needed_bytes": needed, "free_bytes": free},
        "advice": _list_advice(folder, agents, client),
        "refusals": _list_refusals(state, needed, free),
    }


def _look_at_state(folder: Path) -> _State:
    known, path = schema.list_revisions(config.find_bundled("migrations")), folder / "state" / "state.db"
    if not path.exists() or not path.stat().st_size:
        return _State("", known[-1], known, 0)
    size = sum(each.stat().st_size for each in (path, path.with_name(f"{path.name}-wal")) if each.exists())
    try:
        with closing(state_engine.open_engine(state_engine.build_sqlite_url(path))) as engine:
            found = engine.read(schema.find_revision) or ""
    except AppError as error:
        return _State("", known[-1], [], size, str(error))
    if not found:
        return _State("", known[-1], [], size, f"{path.name} has tables that memwiki did not make")
    missing = known[known.index(found) + 1 :] if found in known else []
    return _State(found, known[-1], missing, size)


def _list_steps(state: _State, versions: list[int], *, has_pages: bool) -> list[str]:
    steps = []
    if not state.size:
        steps.append("make the database")
    elif state.missing:
        copy = f"state.db.before-{state.known}"
        steps.append(f"copy the database to state/{copy} ({output.tell_size(state.size)}), which you may delete later")
        steps.append(f"change its schema from {state.found} to {state.known} in one step, all or nothing")
    if INDEX_VERSION not in versions and has_pages:
        steps.append(
            "build the index anew in the background; searches answer from what is there already, and say that more is "
            "to come"
        )
    return steps or ["change nothing"]


def _measure_need(folder: Path, state: _State, versions: list[int]) -> int:
    """Estimate the room for a copy of the database, its changed pages, and a new index beside the old one."""
    copy = 2 * state.size if state.missing and state.size else 0
    if INDEX_VERSION in versions:
        return copy + limits.DISK_FREE_BYTES_MIN
    largest = max((path.stat().st_size for path in (folder / "index").glob("index-v*.db")), default=0)
    return copy + largest + limits.DISK_FREE_BYTES_MIN


def _find_present(folder: Path) -> Path:
    return next(parent for parent in (folder, *folder.parents) if parent.is_dir())


def _find_running(folder: Path) -> dict[str, str] | None:
    if not lock.is_held(folder):
        return None
    holder = lock.read_holder(folder)
    return {"version": str(holder.get("version", "?")), "url": str(holder.get("url", ""))}


def _look_at_client(machine: Machine) -> str:
    """Compare the copy of the hook client that agents run with the one that this release brings."""
    installed = hook_client.locate_client(machine.folder)
    try:
        is_same = installed.read_bytes() == machine.client_source.read_bytes()
    except OSError:
        return "not installed"
    return "as this release brings it" if is_same else "another release's"


def _list_agents(machine: Machine, remote: Remote) -> list[dict[str, Any]]:
    """Tell of each wired agent whether its files are what this release would write."""
    wired = [agent for agent in registry.AGENTS if entries.find_own(agent, machine.site())]
    found = []
    for agent in wired:
        hooks = doctor_files.read_hooks(agent, machine, remote)
        checks = list(doctor_files.check_files(agent, hooks, machine, remote))
        is_current = all(check.verdict is Verdict.PASS for check in checks)
        found.append({"name": agent.name.value, "is_current": is_current})
    return found


def _list_advice(folder: Path, agents: list[dict[str, Any]], client: str) -> list[str]:
    running, own = _find_running(folder), system.find_version()
    advice = []
    if running and running["version"] != own:
        advice.append(f"restart the server: {running['version']} runs, {own} is installed")
    dated = [agent["name"] for agent in agents if not agent["is_current"]]
    if dated or client == "another release's":
        advice.append(f"memwiki install {' '.join(dated) or '--detected'}, look at the difference, and --apply")
    return advice


def _list_refusals(state: _State, needed: int, free: int) -> list[str]:
    refusals = []
    if state.fault:
        refusals.append(state.fault)
    if state.is_newer:
        refusals.append(f"the state has schema {state.found}, this release knows up to {state.known}: run a newer one")
    if needed > free:
        refusals.append(f"{output.tell_size(needed)} are needed and {output.tell_size(free)} are free")
    return refusals
