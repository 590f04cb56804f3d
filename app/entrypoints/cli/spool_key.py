"""The key file of this machine's spool: made, put before older keys, and looked at."""

import base64
import os
import re
import stat
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from app.capture import client_files, client_seal
from app.domain import limits
from app.domain.errors import DiskRefused, InvalidValue

_OTHERS: Final = 0o077
_SEALED_BY: Final = re.compile(rb'"sealed": "([0-9a-f]{16})\.')
_PROBE: Final = (
    "import sys; sys.path.insert(0, sys.argv[1]); from app.capture import client_seal; "
    "sys.exit(0 if client_seal.load_cipher() else 1)"
)


@dataclass(frozen=True, slots=True)
class Sealing:
    """Whether what waits here is encrypted: the key file, empty where none is; by which key, and what is wrong."""

    file: str
    key_id: str
    is_required: bool
    is_private: bool
    fault: str
    unsealed: int


def look(spool_folder: str, unsealed: int) -> Sealing:
    """Look at the key file without telling anything of its keys."""
    path = client_files.find_key_file(os.environ, spool_folder)
    if not path:
        return Sealing("", "", is_required=False, is_private=True, fault="", unsealed=unsealed)
    keys = client_seal.read_keys(path)
    is_private = os.name != "posix" or not _read_mode(path) & _OTHERS
    return Sealing(path, keys.current_id, keys.is_required, is_private, keys.fault, unsealed)


def put_key(path: Path, secret: bytes, spool_folder: str, *, is_required: bool) -> str:
    """Let a new key seal from now on, and keep the older ones that something waits under; tells the new one's id.

    Raises:
        InvalidValue: the file holds something else than keys.
        DiskRefused: it cannot be written.
    """
    older = client_seal.read_keys(str(path)) if path.exists() else None
    if older is not None and not older.secrets:
        raise InvalidValue("file", f"{path} holds no key; it is left as it is")
    used = _list_used(spool_folder)
    # Hooks that run at this moment still seal by the key before.
    known = older.secrets if older else []
    kept = [key for rank, key in enumerate(known) if not rank or client_seal.name_key(key) in used]
    lines = [base64.b64encode(key).decode() for key in (secret, *kept)]
    lines += [client_seal.REQUIRED] if is_required or (older and older.is_required) else []
    _install(path, "\n".join([*lines, ""]))
    return client_seal.name_key(secret)


def lends_cipher(python: str) -> bool:
    """Tell whether the Python that runs the hooks can seal."""
    root = str(Path(client_seal.__file__).parents[2])
    command = [python or sys.executable, "-I", "-S", "-c", _PROBE, root]
    try:
        return (
            subprocess.run(
                command, capture_output=True, timeout=limits.CIPHER_PROBE_SECONDS_MAX, check=False
            ).returncode
            == 0
        )
    except (OSError, subprocess.SubprocessError):
        return False


def _read_mode(path: str) -> int:
    try:
        return stat.S_IMODE(Path(path).stat().st_mode)
    except OSError:
        return 0


def _list_used(spool_folder: str) -> set[str]:
    """List the ids of the keys that something waits under."""
    found: set[str] = set()
    for path in Path(spool_folder).glob("events*"):
        found |= {key_id.decode() for key_id in _SEALED_BY.findall(client_files.read_bytes(str(path)))}
    return found


def _install(path: Path, text: str) -> None:
    part = path.with_name(path.name + ".part")
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        part.unlink(missing_ok=True)
        with os.fdopen(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="ascii") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        part.replace(path)
    except OSError as error:
        raise DiskRefused(str(path), error.strerror or str(error)) from error
