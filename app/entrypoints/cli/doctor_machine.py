"""What `memwiki doctor` looks at on this machine: programs, and what hooks left behind."""

import os
import platform
import subprocess
from collections.abc import Iterator

from app.capture import client_consent
from app.domain import limits
from app.entrypoints.cli import here, spool_key
from app.entrypoints.cli.machine import Machine
from app.entrypoints.cli.spool_key import Sealing
from app.entrypoints.cli.verdicts import Check, fail, skip, tell, warn


def check_machine(machine: Machine) -> Iterator[Check]:
    """Check all that needs no server."""
    yield tell("python", f"{platform.python_version()}; hooks run {machine.python}")
    yield _check_git()


def check_capture(machine: Machine) -> Iterator[Check]:
    """Check what hooks on this machine leave behind, and whether they may send."""
    yield from _check_spool(machine.python)
    if client_consent.is_off(os.environ):
        advice = "unset MEMWIKI_CAPTURE where the agent is started"
        yield fail("capture", "it is switched off in this environment", advice)
    else:
        yield tell("capture", "on, as far as this environment says")


def check_sealing(sealing: Sealing, python: str) -> Check:
    """Check whether what waits in the spool is encrypted, where it should be."""
    name = "spool encryption"
    if not sealing.file:
        return tell(name, "off; `memwiki key spool` turns it on")
    else_kept = "events are lost" if sealing.is_required else "events are kept in clear"
    if sealing.fault:
        return fail(name, f"{sealing.fault}, so that {else_kept}", "put the file back, or: memwiki key spool")
    if not spool_key.lends_cipher(python):
        advice = "run hooks with a Python whose hashlib uses a shared OpenSSL, such as the system's"
        return fail(name, f"{python} lends no cipher, so that {else_kept}", advice)
    if not sealing.is_private:
        return fail(name, f"others can read {sealing.file}", f"chmod 600 {sealing.file}; then: memwiki key spool")
    if sealing.unsealed:
        return warn(name, f"{sealing.unsealed} events were kept in clear", "the spool's hook.log says why")
    return tell(name, f"on, key {sealing.key_id} in {sealing.file}; whoever loses it loses what waits")


def _check_git() -> Check:
    advice = "install git: the server keeps the wiki's history with it"
    try:
        done = subprocess.run(
            ["git", "--version"], capture_output=True, text=True, timeout=limits.DOCTOR_GIT_SECONDS_MAX, check=True
        )
    except (OSError, subprocess.SubprocessError):
        return warn("git", "it is not to be found here", advice)
    return tell("git", done.stdout.strip().removeprefix("git version "))


def _check_spool(python: str) -> Iterator[Check]:
    found = here.look()
    if not found.is_readable:
        yield fail("spool", f"{found.spool} cannot be read", "give the folder back to the user who runs the agents")
        yield skip("spool encryption", "the spool cannot be read")
        return
    for fault in found.faults:
        yield fail("capture here", fault.text, fault.advice)
    said = f"{found.spooled} events wait in {found.spool}"
    if found.lost:
        yield warn("spool", f"{said}; {found.lost} were lost since it was made", "its hook.log says when and why")
    elif found.spooled:
        yield warn("spool", said, "they are sent with the next event once the server answers")
    else:
        yield tell("spool", "empty")
    yield check_sealing(found.sealing, python)
