"""Plans how agents are unwired: what is as we left it becomes what it was, from the rest our entries are taken."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from app.agents import registry
from app.agents.agent import Agent
from app.domain.errors import AppError, DiskRefused, ForeignEntry
from app.entrypoints.cli import config_files, entries, guidance_files, hook_client, installed, plans
from app.entrypoints.cli.config_files import FileChange, Owner
from app.entrypoints.cli.drafts import Drafts
from app.entrypoints.cli.entries import Piece
from app.entrypoints.cli.installed import Installed, InstalledFile
from app.entrypoints.cli.machine import Machine
from app.entrypoints.cli.plans import Plan


def plan_uninstall(names: Sequence[str], machine: Machine, *, project: str = "", is_thorough: bool = False) -> Plan:
    """Plan the files after which nothing of ours is left with some agents, wherever they were wired.

    That is for all work, in every recorded project, and in the one that is named.

    A file that is still as we wrote it becomes what it was, to the byte; from any other, our entries are taken.

    Raises:
        UnknownAgent: there is no such agent.
        ForeignEntry: a file is not what its agent reads.
        DiskRefused: a file cannot be read.
    """
    agents = {name: registry.find_agent(name) for name in names}
    record = installed.read_installed(machine.folder)
    recorded = {owner for owner in installed.list_owners(record) if owner.agent in agents}
    undo = _Undoing(
        machine, record, frozenset({*map(Owner, agents), *(Owner(name, project) for name in agents), *recorded})
    )
    drafts, refused = Drafts(), []
    for name, agent in agents.items():
        tried = drafts.fork()
        try:
            undo.take_out(tried, agent)
        except AppError as error:
            if len(agents) == 1:
                raise
            refused.append((name, str(error)))
        else:
            drafts = tried
    undo.give_back_the_rest(drafts)
    if not undo.is_client_needed():
        for change in plans.plan_client_removal(machine):
            drafts.put(change)
    return Plan(
        tuple(names), is_install=False, changes=drafts.list_changes(), refused=tuple(refused), is_thorough=is_thorough
    )


@dataclass(frozen=True, slots=True)
class _Undoing:
    """What is undone: the record of what was written, and the owners who go."""

    machine: Machine
    record: Installed
    owners: frozenset[Owner]

    def take_out(self, drafts: Drafts, agent: Agent) -> None:
        """Draft the files of one agent, wherever it was wired."""
        for owner in sorted(owner for owner in self.owners if owner.agent == agent.name.value):
            for piece in _list_all_pieces(agent, self.machine, owner):
                self._take_piece(drafts, piece)

    def give_back_the_rest(self, drafts: Drafts) -> None:
        """Draft what was wired under a home that has moved since, where it is still as we left it."""
        for path, file in self.record.items():
            if Path(path).parent == hook_client.locate_client(self.machine.folder).parent:
                continue
            if self.owners.issuperset(file.owners) and drafts.find(Path(path)) is None:
                _give_back(drafts, Path(path), "earlier wiring", file)

    def is_client_needed(self) -> bool:
        """Tell whether an agent that stays runs the hook client, by the record or by its own files."""
        client = self.record.get(str(hook_client.locate_client(self.machine.folder)))
        if client is not None and not self.owners.issuperset(client.owners):
            return True
        going = {owner.agent for owner in self.owners}
        return any(
            _is_wired(agent, self.machine, self.record) for agent in registry.AGENTS if agent.name.value not in going
        )

    def _take_piece(self, drafts: Drafts, piece: Piece) -> None:
        known, file = drafts.find(piece.path), self.record.get(str(piece.path))
        if file is None:
            drafts.edit(piece, None, None)
            return
        is_last = self.owners.issuperset(file.owners)
        if not is_last and self._is_shared(piece, file):
            return
        if known is None and is_last and _give_back(drafts, piece.path, piece.purpose, file):
            return
        if known is not None and config_files.hash_content(known.after) == file.before:
            return
        drafts.edit(piece, None, None)
        change = drafts.find(piece.path)
        if change is None or not change.is_changed or file.before or not file.is_restorable or not is_last:
            return
        if entries.is_blank(change.after, piece.blanks):
            drafts.put(replace(change, after=None))

    def _is_shared(self, piece: Piece, file: InstalledFile) -> bool:
        """Tell whether an agent that stays reads the very same entry; hooks are each agent's own."""
        return piece.purpose != entries.HOOKS and any(
            other.path == piece.path and other.purpose == piece.purpose
            for owner in set(file.owners) - self.owners
            for other in _list_all_pieces(registry.find_agent(owner.agent), self.machine, owner)
        )


def _list_all_pieces(agent: Agent, machine: Machine, owner: Owner) -> Iterator[Piece]:
    site = machine.site(owner.project)
    yield from entries.list_pieces(agent, site)
    yield from guidance_files.list_pieces(agent, site, instructions=True, skills=True)


def _give_back(drafts: Drafts, path: Path, purpose: str, file: InstalledFile) -> bool:
    """Draft a file's first state, if nobody changed it since we did."""
    current = config_files.read_file(path)
    if not file.is_restorable or config_files.hash_content(current) != file.after:
        return False
    backup = config_files.read_file(Path(file.backups[0])) if file.backups else None
    if config_files.hash_content(backup) != file.before:
        return False
    drafts.put(FileChange(path, purpose, current, backup, has_own=True, mode=file.mode))
    return True


def _is_wired(agent: Agent, machine: Machine, record: installed.Installed) -> bool:
    """Tell whether an agent's hooks run our client; a file that cannot be understood may do so."""
    owners = {owner for owner in installed.list_owners(record) if owner.agent == agent.name.value}
    for owner in {Owner(agent.name.value), *owners}:
        for piece in entries.list_pieces(agent, machine.site(owner.project)):
            try:
                if piece.runs_client and piece.edit(config_files.read_file(piece.path), None).has_own:
                    return True
            except (ForeignEntry, DiskRefused):
                return True
    return False
