"""Where the passphrase of a backup comes from: a file or a prompt, never the command line, which others can read."""

import getpass
import sys
from pathlib import Path

from app.domain.upkeep_errors import PassphraseRefused
from app.upkeep import archive, backup_keeper


def choose_new(file: Path | None, *, is_wanted: bool) -> str:
    """Choose the passphrase of a backup to be made; empty for none.

    Raises:
        PassphraseRefused: it was typed in two ways, or nobody is there to ask.
    """
    if file is not None:
        return backup_keeper.read_passphrase(file)
    if not is_wanted:
        return ""
    _check_terminal("the new backup")
    passphrase = getpass.getpass("passphrase: ")
    if not passphrase or getpass.getpass("once more: ") != passphrase:
        raise PassphraseRefused("the new backup", "the passphrase is empty, or not the same twice")
    return passphrase


def choose_known(backup: Path, file: Path | None) -> str:
    """Choose the passphrase of a backup that is there; nobody is asked for that of a plain one."""
    if not archive.is_sealed(backup):
        return ""
    if file is not None:
        return backup_keeper.read_passphrase(file)
    _check_terminal(backup.name)
    return getpass.getpass(f"passphrase of {backup.name}: ")


def _check_terminal(name: str) -> None:
    if not sys.stdin.isatty():
        raise PassphraseRefused(name, "name a file with its passphrase by --passphrase-file")
