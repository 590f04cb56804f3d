"""A plan of what is written when agents are wired or unwired, and its part that all agents share: the hook client."""

from collections.abc import Iterator
from dataclasses import dataclass

from app.domain.errors import DiskRefused
from app.entrypoints.cli import config_files, hook_client
from app.entrypoints.cli.config_files import FileChange
from app.entrypoints.cli.machine import Machine

CLIENT, TOKEN = "hook client", "access token"


@dataclass(frozen=True, slots=True)
class Plan:
    """What would be written for some agents; `notes` are for the person, to be shown with the changes.

    `refused` has the agents that were left out and why. An uninstall that is `thorough` leaves no backups either.
    """

    agents: tuple[str, ...]
    is_install: bool
    changes: tuple[FileChange, ...]
    notes: tuple[str, ...] = ()
    refused: tuple[tuple[str, str], ...] = ()
    is_thorough: bool = False

    @property
    def is_changed(self) -> bool:
        """Tell whether there is anything to write."""
        return any(change.is_changed for change in self.changes)


def plan_client(machine: Machine) -> Iterator[FileChange]:
    """Plan the client's files; the shell's stays where it once was, since another agent's hooks may run it.

    Raises:
        DiskRefused: the client is missing from this installation.
    """
    client = hook_client.locate_client(machine.folder)
    for suffix in (".py", ".sh"):
        source, copy = machine.client_source.with_suffix(suffix), client.with_suffix(suffix)
        before, after = config_files.read_file(copy), config_files.read_file(source)
        if suffix == ".sh" and not machine.shell_path and before is None:
            continue
        if after is None:
            raise DiskRefused(str(source), "the hook client is missing from this installation")
        yield FileChange(copy, CLIENT, before, after, is_copy=True)


def plan_token(machine: Machine, token: str) -> FileChange:
    """Plan the file from which hooks read the access token."""
    path = hook_client.locate_token(machine.folder)
    return FileChange(path, TOKEN, config_files.read_file(path), f"{token}\n".encode(), is_copy=True, mode=0o600)


def plan_client_removal(machine: Machine) -> Iterator[FileChange]:
    """Plan the removal of the client's files and of the token that was kept for them."""
    client = hook_client.locate_client(machine.folder)
    copies = dict.fromkeys((client, client.with_suffix(".sh")), CLIENT)
    for path, purpose in {**copies, hook_client.locate_token(machine.folder): TOKEN}.items():
        before = config_files.read_file(path)
        if before is not None:
            yield FileChange(path, purpose, before, None, is_copy=True)
