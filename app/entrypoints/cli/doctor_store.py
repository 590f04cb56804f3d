"""What `memwiki doctor` finds in a data directory, whether a server runs on it or not."""

import os
import shutil
import stat
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, Final

import httpx2

from app import config, config_values, system
from app.config import Settings
from app.domain import limits, limits_doctor
from app.entrypoints.cli import doctor_state, doctor_wiki, output
from app.entrypoints.cli.remote import build_trust
from app.entrypoints.cli.verdicts import Check, Verdict, fail, skip, tell, warn
from app.state import directory, lock, schema_copies
from app.upkeep import records

_GIBI: Final = 1024**3
_OPEN: Final = 0o077
_OF_OWNER: Final = "of this user alone"


@dataclass(frozen=True, slots=True)
class Store:
    """A data directory with the settings for it, and who has it now: nothing of a holder where no server runs."""

    settings: Settings
    now: datetime
    is_served: bool
    holder: dict[str, Any]

    @property
    def folder(self) -> Path:
        """Where it is."""
        return self.settings.data_dir


def find_store(settings: Settings, now: datetime) -> Store:
    """Look who has a data directory."""
    is_served = lock.is_held(settings.data_dir)
    holder = lock.read_holder(settings.data_dir) if is_served else {}
    return Store(settings, now, is_served=is_served, holder=holder)


def check_store(store: Store) -> Iterator[Check]:
    """Check a data directory; what cannot be looked at because of an earlier fault is skipped and says so."""
    folder = _check_folder(store.folder)
    yield folder
    yield _check_disk("disk", store.folder)
    if folder.verdict in {Verdict.FAIL, Verdict.SKIP}:
        return
    yield _check_permissions(store)
    yield _check_lock(store)
    yield _check_version(store)
    yield from doctor_state.check_state(store.settings, store.now)
    yield from doctor_wiki.check_wiki(store.folder, is_served=store.is_served, now=store.now)
    yield _check_posture(store.settings, has_admin=doctor_state.has_admin(store.folder))
    if store.settings.traces_endpoint:
        yield _check_traces(store.settings)
    yield _check_backup(store)
    yield _check_drill(store)
    yield _check_copies(store.folder)


def check_disks(folders: Sequence[Path]) -> Iterator[Check]:
    """Check how much is free where folders are, of each disk once."""
    seen: set[int] = set()
    for folder in folders:
        device = _find_present(folder).stat().st_dev
        if device not in seen:
            seen.add(device)
            yield _check_disk("disk of the spool", folder)


def _find_present(folder: Path) -> Path:
    return next(parent for parent in (folder, *folder.parents) if parent.is_dir())


def _check_folder(folder: Path) -> Check:
    name = "data directory"
    try:
        found = folder.stat()
    except FileNotFoundError:
        return skip(name, f"none at {folder}: no server has run on it; --data-dir names another")
    except OSError as error:
        return fail(name, f"{folder}: {error.strerror}", "give it to the user who runs the server")
    if hasattr(os, "getuid") and found.st_uid != os.getuid():
        advice = f"run this as uid {found.st_uid}, or: chown -R {os.getuid()} {folder}"
        return fail(name, f"{folder} belongs to uid {found.st_uid}, this is uid {os.getuid()}", advice)
    if not os.access(folder, os.R_OK | os.W_OK | os.X_OK):
        return fail(name, f"{folder} cannot be written", f"chmod u+rwx {folder}; or the disk is read-only")
    return _check_parts(name, folder)


def _check_parts(name: str, folder: Path) -> Check:
    missing = [part for part in directory.FOLDERS if not (folder / part).is_dir()]
    if len(missing) == len(directory.FOLDERS):
        # The hook client is installed beside where a person's server keeps its data.
        return skip(name, f"{folder} has no server's data; --data-dir names another")
    if missing:
        return warn(name, f"{folder} lacks {', '.join(missing)}", "a start makes them; restore what was in them")
    return tell(name, str(folder))


def _check_disk(name: str, folder: Path) -> Check:
    place = _find_present(folder)
    free = shutil.disk_usage(place).free
    said, advice = f"{free / _GIBI:.1f} GiB free at {place}", "free some space; capture needs little but not none"
    if free < limits.DISK_FREE_BYTES_MIN:
        return fail(name, said, advice)
    return warn(name, said, advice) if free < limits.DISK_FREE_BYTES_LOW else tell(name, said)


def _check_permissions(store: Store) -> Check:
    """Check who may look into what is private, and whose what the server writes is."""
    name, folder = "permissions", store.folder
    parts = [folder, *(folder / part for part in directory.FOLDERS)]
    secrets = [folder / "state" / "token.key", *_list_secret_files(store.settings), *_list_backups(folder)]
    present = [path for path in (*parts, *secrets) if path.exists()]
    if hasattr(os, "getuid"):
        foreign = [path for path in (folder / "state").glob("*") if path.stat().st_uid != os.getuid()]
        if foreign:
            advice = f"chown -R {os.getuid()} {folder}"
            return fail(name, f"{foreign[0]} belongs to uid {foreign[0].stat().st_uid}", advice)
    opened = [path for path in present if os.name == "posix" and stat.S_IMODE(path.stat().st_mode) & _OPEN]
    if not opened:
        return tell(name, _OF_OWNER)
    told = ", ".join(map(str, opened[: limits_doctor.NAMED_MAX]))
    return warn(name, f"others on this machine can look into {told}", "chmod go= on each", _build_closing(opened))


def _build_closing(opened: Sequence[Path]) -> Callable[[], str]:
    def close() -> str:
        for path in opened:
            path.chmod(stat.S_IMODE(path.stat().st_mode) & ~_OPEN)
        return f"took others' rights to {', '.join(map(str, opened))}"

    return close


def _list_secret_files(settings: Settings) -> list[Path]:
    names = [*config.list_kept_files(), "raw_key_file", "backup_passphrase_file"]
    return [Path(path).expanduser() for name in names if (path := getattr(settings, name)) is not None]


def _list_backups(folder: Path) -> list[Path]:
    return sorted((folder / records.FOLDER).glob("memwiki-*.tar.zst*"))


def _check_lock(store: Store) -> Check:
    name = "lock"
    if not store.is_served:
        return tell(name, "free: no server runs on it")
    said = f"held by process {store.holder.get('pid', '?')} at {store.holder.get('url', 'no address yet')}"
    if _answers(str(store.holder.get("url", ""))):
        return tell(name, said)
    advice = "wait if it is starting; else see logs/memwiki.log, and stop that process"
    return fail(name, f"{said}, which does not answer", advice)


def _answers(url: str) -> bool:
    try:
        seconds = limits.DOCTOR_REQUEST_SECONDS_MAX
        return httpx2.get(f"{url}/healthz", timeout=seconds, trust_env=False, verify=build_trust(url)).is_success
    except (httpx2.HTTPError, httpx2.InvalidURL):
        return False


def _check_version(store: Store) -> Check:
    own, found = system.find_version(), store.holder.get("version")
    if found is None or found == own:
        return tell("version", f"{own}{'' if found is None else ', as the server'}")
    return warn("version", f"the server is {found}, this is {own}", "restart the server; see: memwiki upgrade check")


def _check_posture(settings: Settings, *, has_admin: bool | None) -> Check:
    """Check who can reach the server by the settings, and what they would have to prove.

    `has_admin` is None where the accounts cannot be read.
    """
    name, exposure = "rights posture", settings.find_exposure()
    if any(network.prefixlen == 0 for network in settings.proxies):
        return fail(name, "trusted_proxies names everybody, who can then say who asks", "name the proxy's own address")
    if not exposure:
        return tell(name, "only this machine reaches it")
    if has_admin is None:
        return skip(name, f"{exposure}; the accounts cannot be read")
    if not (has_admin or settings.is_closed or settings.find_token()):
        advice = "memwiki user add NAME --admin --data-dir DIR"
        return fail(name, f"{exposure}, and nobody has to prove anything", advice)
    return _check_proof(name, exposure, settings)


def _check_proof(name: str, exposure: str, settings: Settings) -> Check:
    token = settings.find_token()
    if token and len(token) < limits_doctor.TOKEN_CHARS_MIN:
        said = f"{exposure}, and the access_token is short enough to be guessed"
        return warn(name, said, "set a longer one, or: memwiki token create NAME")
    if not settings.public_url.startswith("https://"):
        return warn(name, f"{exposure}, and public_url names no https address", "put a proxy with TLS in front of it")
    return tell(name, f"{exposure}; who comes has to prove who it is")


def _check_traces(settings: Settings) -> Check:
    name, lack = "traces", config_values.find_traces_lack(settings)
    if lack:
        return warn(name, "traces_endpoint is set, and the extra is not installed", "pip install 'memwiki[traces]'")
    return tell(name, f"sent to {settings.traces_endpoint}")


def _check_backup(store: Store) -> Check:
    name, made = "backup", records.read_backup_record(store.folder)
    every = timedelta(hours=store.settings.backup_every_hours)
    if made is None:
        return warn(name, "there is none yet", "memwiki backup; or set backup_every_hours")
    age, said = store.now - made.at, f"the last one was made {_tell_age(store.now - made.at)} ago: {made.file}"
    if not Path(made.file).exists():
        return warn(name, f"the last one is gone from {made.file}", "memwiki backup")
    if every and age > 2 * every + timedelta(seconds=limits.BACKUP_RETRY_SECONDS):
        return fail(name, f"{said}, though one is due every {every}", "memwiki status says why; memwiki backup")
    if made.faults:
        return warn(name, f"{said}; it lacks {made.faults[0]}", "mend what is named, then: memwiki backup")
    if age > timedelta(days=limits_doctor.BACKUP_DAYS_MAX):
        return warn(name, said, "memwiki backup; or set backup_every_hours")
    return tell(name, said)


def _check_drill(store: Store) -> Check:
    name, drill = "restore drill", records.read_drill_record(store.folder)
    if drill is None:
        return warn(name, "no backup was ever put back to see whether it works", "memwiki restore-drill")
    said = f"the last one was {_tell_age(store.now - drill.at)} ago"
    if not drill.passed:
        return fail(
            name,
            f"{said} and did not work: {drill.faults[0] if drill.faults else ''}",
            "memwiki backup; memwiki restore-drill",
        )
    every = timedelta(days=store.settings.drill_every_days if store.settings.backup_every_hours else 0)
    if every and store.now - drill.at > 2 * every:
        return warn(name, f"{said}, though one is due every {every.days} days", "memwiki status; memwiki restore-drill")
    if store.now - drill.at > timedelta(days=limits_doctor.DRILL_DAYS_MAX):
        return warn(name, said, "memwiki restore-drill; or set backup_every_hours")
    return tell(name, f"{said} and worked")


def _tell_age(age: timedelta) -> str:
    return f"{age.days} days" if age.days > 0 else f"{max(0, int(age.total_seconds() // 3600))} hours"


def _check_copies(folder: Path) -> Check:
    name, copies = "copies of state", schema_copies.list_copies(folder / "state")
    said = f"{len(copies)} of past upgrades, {output.tell_size(sum(path.stat().st_size for path in copies))}"
    surplus = schema_copies.list_surplus(folder / "state")
    if surplus:
        return warn(name, f"{said}; a good backup lets {len(surplus)} of them go", "memwiki backup")
    return tell(name, said if copies else "no upgrade left one")
