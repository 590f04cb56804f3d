"""Who works on a data directory itself, with no server between, and what the trail says of that."""

import os
from typing import TYPE_CHECKING

from app.domain.clock import IdSource
from app.domain.person import Principal, Rights

if TYPE_CHECKING:
    from pathlib import Path

    from app.access.trail import Deed
    from app.domain.clock import Clock
    from app.state.writer import Writer


def find_operator(ids: IdSource) -> Principal:
    """Name whoever runs the command; whoever can write to the folder may do everything to it anyhow."""
    user = f", uid {os.getuid()}" if hasattr(os, "getuid") else ""
    return Principal("operator", Rights(is_admin=True), address=f"this machine{user}", request_id=ids.new_id())


def note(writer: "Writer", clock: "Clock", by: Principal, deed: "Deed") -> None:
    """Leave a row of what a command did to the folder."""
    from app.access import trail
    from app.domain.limits import STATE_WRITE_SECONDS_MAX
    from app.state import audit

    entry = trail.build_entry(by, deed, clock.now())
    writer.submit(lambda conn: audit.insert_audit(conn, entry)).result(STATE_WRITE_SECONDS_MAX)


def leave(data_dir: "Path", deed: "Deed") -> None:
    """Leave a row of what a command did beside a server that may be running; what the server has done is its own."""
    if os.environ.get("MEMWIKI_OWN_RUN") == "1":
        return
    from app import system
    from app.access import trail
    from app.upkeep import left_deeds

    by = find_operator(system.RandomIds())
    left_deeds.leave_deed(data_dir, by.request_id, trail.build_entry(by, deed, system.SystemClock().now()))
