"""What this machine itself knows of its capture: its spool and its policies, with or without a server."""

import os
import platform
from dataclasses import dataclass
from typing import Any

from app.capture import client_files, client_notes
from app.capture.client_spool import Spool
from app.domain import capture_health
from app.domain.capture_health import Fault
from app.domain.errors import ServerUnreachable
from app.entrypoints.cli import output, spool_key
from app.entrypoints.cli.remote import Remote
from app.entrypoints.cli.spool_key import Sealing


@dataclass(frozen=True, slots=True)
class Here:
    """The spool of this machine, and what is wrong with it; `is_readable` is false for a folder of somebody else."""

    spool: str
    is_readable: bool
    spooled: int
    spooled_oldest_seconds: int
    lost: int
    faults: tuple[Fault, ...]
    sealing: Sealing


def look() -> Here:
    """Look at the spool folder and at the policies that hooks could not read."""
    folder = client_files.find_spool_folder(os.environ)
    try:
        depth, age, lost = Spool(folder).report()
    except OSError:
        sealing = spool_key.look(folder, 0)
        return Here(folder, is_readable=False, spooled=0, spooled_oldest_seconds=0, lost=0, faults=(), sealing=sealing)
    unreadable = [line.partition(" ")[2] for line in client_notes.list_unreadable(folder)]
    faults = capture_health.find_local_faults(platform.node(), waiting_s=age, depth=depth, unreadable=unreadable)
    return Here(
        folder,
        is_readable=True,
        spooled=depth,
        spooled_oldest_seconds=age,
        lost=lost,
        faults=faults,
        sealing=spool_key.look(folder, Spool(folder).count_unsealed()),
    )


def ask_status(url: str | None, *, sizes: bool) -> dict[str, Any]:
    """Ask the server how it is and add what this machine knows, which is said even where no server answers.

    Raises:
        ServerUnreachable: nothing answers.
    """
    here = look()
    try:
        answer = Remote(url).get("/api/v1/status", sizes=sizes or None)
    except ServerUnreachable:
        if here.spooled:
            output.print_error(f"{here.spooled} events wait in {here.spool} for the server to come back")
        raise
    return {**answer, "here": _shape(here)}


def _shape(here: Here) -> dict[str, object]:
    faults = [{"kind": fault.kind, "text": fault.text, "advice": fault.advice} for fault in here.faults]
    return {
        "spool": here.spool,
        "is_readable": here.is_readable,
        "spooled": here.spooled,
        "spooled_oldest_seconds": here.spooled_oldest_seconds,
        "lost": here.lost,
        "faults": faults,
        "sealing": _shape_sealing(here.sealing),
    }


def _shape_sealing(sealing: Sealing) -> dict[str, object]:
    return {
        "file": sealing.file,
        "key_id": sealing.key_id,
        "is_required": sealing.is_required,
        "is_private": sealing.is_private,
        "fault": sealing.fault,
        "unsealed": sealing.unsealed,
    }
