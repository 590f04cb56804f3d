"""The key under which access tokens are hashed: a file beside the database, which alone says nothing of a token."""

import os
import secrets
from pathlib import Path
from typing import Final

from app.domain.errors import DiskRefused

_NAME: Final = "token.key"
_KEY_BYTES: Final = 32


def open_key(state_folder: Path) -> bytes:
    """Read the key, made at the first start; without it every token would be refused.

    Raises:
        DiskRefused: it cannot be read or written, or is not whole.
    """
    path = state_folder / _NAME
    try:
        if not path.exists():
            _make(path)
        key = path.read_bytes()
    except OSError as error:
        raise DiskRefused(str(path), str(error)) from error
    if len(key) != _KEY_BYTES:
        raise DiskRefused(str(path), "it is damaged; restore it from a backup, or remove it and make new tokens")
    return key


def _make(path: Path) -> None:
    part = path.with_name(path.name + ".part")
    part.unlink(missing_ok=True)
    number = os.open(part, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
    with os.fdopen(number, "wb") as file:
        file.write(secrets.token_bytes(_KEY_BYTES))
        file.flush()
        os.fsync(file.fileno())
    part.replace(path)
