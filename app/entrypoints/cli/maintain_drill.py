"""The drill: restores a backup aside, runs a server on it, asks both servers the same, and notes what came of it."""

import hashlib
import json
import os
import time
from collections.abc import Iterator, Mapping
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from rich.console import Console
from rich.markup import escape

from app import config, system, wiring
from app.config import Settings
from app.domain.errors import AppError, Forbidden, SchemaTooNew, ServerUnreachable, Unauthenticated
from app.domain.limits import DRILL_HITS_MAX, DRILL_READY_SECONDS_MAX, DRILL_SEARCHES_MAX
from app.domain.upkeep_errors import BackupUnreadable
from app.entrypoints.cli import maintain_passphrase, output, own_server
from app.entrypoints.cli.remote import TOKEN_VARIABLE, Remote
from app.state import engine as state_engine
from app.state import lock, schema, snapshot
from app.upkeep import backup, drill, records, restore
from app.upkeep.archive import Manifest
from app.upkeep.records import DrillRecord

_POLL_S = 0.1
# What is told of a backup that cannot even be put back.
_NOTHING: Final = {"asked": 0, "equal": 0, "compared_with": "", "files": 0, "rows": 0, "tables": 0, "made_at": ""}


def run_drill(settings: Settings, file: Path | None, passphrase_file: Path | None, url: str | None) -> dict[str, Any]:
    """Restore, start, compare, and note the result; what does not fit is told in the report's `faults`."""
    clock = system.SystemClock()
    with TemporaryDirectory(prefix="memwiki-drill-") as folder, output.Countdown("drill"):
        chosen = file or Path(folder) / "now.tar.zst"
        if file is None:
            backup.make_backup(wiring.build_backup_source(settings), chosen, clock.now())
        passphrase = maintain_passphrase.choose_known(chosen, passphrase_file)
        revisions = schema.list_revisions(config.find_bundled("migrations"))
        restored = Path(folder) / "restored"
        began = time.monotonic()
        try:
            manifest = restore.restore_backup(chosen, restored, revisions, passphrase=passphrase)
            report = {**_examine(settings, restored, manifest, url), "made_at": manifest.made_at}
        except (BackupUnreadable, SchemaTooNew) as error:
            report = {**_NOTHING, "faults": [str(error)]}
    report |= {"file": str(file.absolute()) if file else "made for this drill"}
    report |= {"passed": not report["faults"], "seconds": round(time.monotonic() - began, 1)}
    if settings.data_dir.is_dir():
        record = DrillRecord(clock.now(), report["file"], passed=report["passed"], faults=report["faults"])
        records.install_record(settings.data_dir, record)
    return report


def draw_report(console: Console, report: Mapping[str, Any]) -> None:
    """Draw what was compared and what does not fit."""
    verdict = "[bold green]the backup works[/]" if report["passed"] else "[bold red]the backup does NOT work[/]"
    console.print(
        f"{verdict}: {escape(report['file'])}, as of {report['made_at'] or 'an unknown day'}, in {report['seconds']} s"
    )
    console.print(f"  files     {report['files']} with the hashes of the manifest")
    console.print(f"  rows      {report['rows']} in {report['tables']} tables")
    against = report["compared_with"] or "the original was not asked, so each page was searched by its title"
    console.print(f"  searches  {report['equal']} of {report['asked']} with equal answers ({against})")
    for fault in report["faults"]:
        console.print(f"  [red]fault[/] {escape(fault)}")


def _examine(settings: Settings, restored: Path, manifest: Manifest, url: str | None) -> dict[str, Any]:
    faults = [*manifest.faults, *_compare_files(restored, manifest)]
    found: dict[str, Any] = {"asked": 0, "equal": 0, "compared_with": ""}
    try:
        env = _isolate(settings, restored)
        with own_server.run_own_server(restored, env) as own:
            copy = Remote(own, token=env[TOKEN_VARIABLE])
            _wait_until_ready(copy)
            found |= _ask_both(copy, _find_original(settings, url), settings, manifest)
    except AppError as error:
        faults.append(f"a server on the restored data: {error}")
    faults += found.pop("faults", [])
    with closing(state_engine.open_engine(state_engine.build_sqlite_url(restored / backup.STATE_NAME))) as engine:
        after = engine.read(snapshot.take_snapshot)
    faults += drill.compare_rows(manifest.rows, after.rows)
    rows = sum(manifest.rows.values())
    return {**found, "files": len(manifest.members), "rows": rows, "tables": len(manifest.rows), "faults": faults}


def _isolate(settings: Settings, restored: Path) -> dict[str, str]:
    """Build the environment of a server that opens what was restored, and touches nothing else.

    By the settings as they are it would make backups among the real ones, and let nobody in without an account's token.

    Raises:
        InvalidValue: the settings in the backup are not good.
    """
    kept = config.load_settings(data_dir=restored)
    (restored / config.CONFIG_NAME).unlink(missing_ok=True)
    ours = (config.ENV_PREFIX, config.ENV_PREFIX.lower())
    env = {name: value for name, value in os.environ.items() if not name.startswith(ours)}
    env |= {TOKEN_VARIABLE: system.RandomIds().new_secret(), f"{config.ENV_PREFIX}WORKSPACE": settings.workspace}
    env[f"{config.ENV_PREFIX}VECTORS"] = str(settings.vectors)
    if kept.raw_key_file:
        env[f"{config.ENV_PREFIX}RAW_KEY_FILE"] = str(kept.raw_key_file.expanduser().absolute())
    old_keys = [str(path.expanduser().absolute()) for path in kept.raw_old_key_files]
    return env | {f"{config.ENV_PREFIX}RAW_OLD_KEY_FILES": json.dumps(old_keys)}


def _ask_both(copy: Remote, original: Remote | None, settings: Settings, manifest: Manifest) -> dict[str, Any]:
    recent = copy.get("/api/v1/recent", project="*", limit=100)["pages"]
    titles = {f"{page['project']}:{page['path']}": page["title"] for page in recent}
    queries = drill.choose_queries(titles, DRILL_SEARCHES_MAX)
    answers = {query: _search(copy, query) for query in queries}
    others = {query: _search(original, query) for query in queries} if original else None
    is_same = _hash_wiki(settings.data_dir) == _list_wiki(manifest)
    compared = drill.compare_answers(queries, answers, others, is_same_wiki=is_same)
    told = original.url + ("" if is_same else ", whose pages have changed since") if original else ""
    return {"asked": compared.asked, "equal": compared.equal, "faults": list(compared.faults), "compared_with": told}


def _search(remote: Remote, query: str) -> list[str]:
    # Quoted, since a title may read like a clause of a question.
    words = '"' + query.replace('"', " ") + '"'
    hits = remote.get("/api/v1/search", q=words, project="*", limit=DRILL_HITS_MAX)["hits"]
    return [f"{hit['project']}:{hit['path']}" for hit in hits]


def _find_original(settings: Settings, url: str | None) -> Remote | None:
    """Find the server that holds the original data; None if none answers, or not to everything that we ask."""
    known = url or str(lock.read_holder(settings.data_dir).get("url", ""))
    if not known:
        return None
    remote = Remote(known, token=settings.find_token().decode() or None)
    try:
        # Whoever does not see all of it would take what is hidden for lost.
        who = remote.get("/api/v1/whoami")
    except (ServerUnreachable, Unauthenticated, Forbidden):
        return None
    sees_all = who["role"] == "admin" and "read" in who["rights"] and not who["is_limited_to_projects"]
    return remote if sees_all else None


def _wait_until_ready(remote: Remote) -> None:
    deadline = time.monotonic() + DRILL_READY_SECONDS_MAX
    while (state := remote.get("/readyz"))["index"]["state"] != "ready":
        if time.monotonic() > deadline:
            raise ServerUnreachable(remote.url, f"its index is not ready: {state['index']}")
        time.sleep(_POLL_S)


def _compare_files(restored: Path, manifest: Manifest) -> list[str]:
    """Hash what lies on the disk now, before a server touches it."""
    wanted = {member.name: member.sha256 for member in manifest.members if member.name.startswith(("raw/", "wiki/"))}
    found = {f"wiki/{place}": _hash(restored / "wiki" / place) for place in backup.list_wiki_files(restored / "wiki")}
    raw = ((f"raw/{path.relative_to(restored / 'raw').as_posix()}", path) for path in _list_raw(restored))
    found |= {name: _hash(path) for name, path in raw}
    return [f"{name} is not what was backed up" for name in sorted(wanted) if found.get(name) != wanted[name]]


def _list_raw(data_dir: Path) -> Iterator[Path]:
    return (path for path in (data_dir / "raw").rglob("*") if path.is_file())


def _hash_wiki(data_dir: Path) -> dict[str, str]:
    root = data_dir / "wiki"
    return {f"wiki/{place}": _hash(root / place) for place in backup.list_wiki_files(root)}


def _list_wiki(manifest: Manifest) -> dict[str, str]:
    return {member.name: member.sha256 for member in manifest.members if member.name.startswith("wiki/")}


def _hash(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()
