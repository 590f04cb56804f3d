"""What commands did beside a running server, which alone writes the trail: left as files, and taken over by it.

Whoever can leave a file here could as well write to state itself.
"""

import logging
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import msgspec

from app.domain.errors import DiskRefused
from app.domain.limits_trail import LEFT_DEED_BYTES_MAX, LEFT_DEEDS_PER_LOOK
from app.state.audit import AuditEntry

_LOG = logging.getLogger(__name__)
_PLACE: Final = "state/deeds"
_SUFFIX: Final = ".json"


def leave_deed(data_dir: Path, name: str, entry: AuditEntry) -> None:
    """Leave a row for the trail, under a name that no other deed has.

    Raises:
        DiskRefused: it cannot be written.
    """
    path = data_dir / _PLACE / f"{name}{_SUFFIX}"
    part = path.with_name(f".{path.name}.part")
    try:
        path.parent.mkdir(mode=0o700, exist_ok=True)
        with os.fdopen(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:
            file.write(msgspec.json.encode(entry))
            file.flush()
            os.fsync(file.fileno())
        part.replace(path)
    except OSError as error:
        part.unlink(missing_ok=True)
        raise DiskRefused(str(path), error.strerror or str(error)) from error


def list_deeds(data_dir: Path) -> Iterator[tuple[Path, AuditEntry]]:
    """List what was left, the oldest first; what is no row is told in the log and removed."""
    found = sorted((data_dir / _PLACE).glob(f"*{_SUFFIX}"))
    for path in found[:LEFT_DEEDS_PER_LOOK]:
        try:
            with path.open("rb") as file:
                entry = msgspec.json.decode(file.read(LEFT_DEED_BYTES_MAX), type=AuditEntry)
        except FileNotFoundError:
            continue
        except (OSError, msgspec.DecodeError):
            _LOG.warning("what a command left for the trail cannot be read, and is removed: %s", path.name)
            path.unlink(missing_ok=True)
            continue
        yield path, entry
