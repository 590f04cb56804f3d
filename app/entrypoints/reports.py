"""How the server is, for people and programs: what is recorded, what waits, and what is wrong; and projects' names."""

from collections.abc import Collection, Iterable
from datetime import timedelta

from app.domain import limits
from app.domain.checkout import Checkout
from app.domain.limits_upkeep import DRILL_FAULTS_TOLD_MAX
from app.entrypoints import capture_report, shapes
from app.entrypoints.shapes import Shape
from app.handoff import offers
from app.handoff.offers import Caller
from app.index import catalog
from app.state import handoffs, jobs, moves, projects, schema_copies, segments, sessions, verbatim
from app.state.engine import ReadConnection
from app.upkeep import records
from app.wiring import Runtime


def report_ready(runtime: Runtime) -> Shape:
    """Tell whether events are taken, how far the index is, what git has still to commit, and what waits on clients."""
    writer, lack = runtime.writer.stats, runtime.disk.find_lack()
    return {
        "status": "failing" if writer.is_failing or lack else "ready",
        "version": runtime.version,
        "writer": {
            "depth": writer.depth,
            "last_error": writer.last_error if writer.is_failing else lack,
            "commit_ms_max": round(writer.commit_ms_max, 1),
            "lock_wait_ms_max": round(writer.lock_wait_ms_max, 1),
        },
        "index": _report_index(runtime),
        "git": _report_git(runtime),
        "backup": report_backup(runtime),
        "settings": _report_settings(runtime),
        "warnings": _list_warnings(runtime),
        **capture_report.report_brief(runtime),
    }


def report_status(runtime: Runtime) -> Shape:
    """Tell everything that a person may want to know of a server."""
    counts, waiting = runtime.engine.read(_read_counts)
    capture = capture_report.report_health(runtime)
    faults = runtime.engine.read(_list_faults, runtime.verbatim.raw.keys.readable_ids)
    ready = report_ready(runtime)
    return {
        **ready,
        "url": runtime.url,
        "started_at": shapes.shape_moment(runtime.started_at),
        "sqlite": runtime.engine.sqlite_version(),
        "counts": counts,
        "capture": capture["agents"],
        "capture_status": capture["status"],
        "faults": capture["faults"],
        "dropped": [shapes.shape_drop(count) for count in runtime.drops.list_counts()],
        "jobs": waiting,
        "maintenance": report_idle_work(runtime),
        "reader": _report_reader(runtime),
        "problems": [
            *capture_report.list_lines(capture),
            *_list_problems(runtime),
            *faults,
        ],
    }


def report_sizes(runtime: Runtime) -> Shape:
    """Tell how much each table and folder takes, as it was measured at most a minute ago."""
    sizes = runtime.sizes.measure()
    copies = schema_copies.list_copies(runtime.backups.source.data_dir / "state")
    return {
        "measured_at": shapes.shape_moment(sizes.measured_at),
        "is_estimate": sizes.is_estimate,
        "empty_bytes": sizes.empty_bytes,
        "copies_bytes": sum(path.stat().st_size for path in copies),
        "copies": [path.name for path in copies],
        "tables": [{"name": table.name, "rows": table.rows, "bytes": table.size_bytes} for table in sizes.tables],
        "folders": [
            {"name": folder.name, "files": folder.files, "bytes": folder.size_bytes, "is_cut": folder.is_cut}
            for folder in sizes.folders
        ],
    }


def report_backup(runtime: Runtime) -> Shape:
    """Tell of the last good backup and of the last drill, and what keeps the schedule from its work."""
    source = runtime.backups.source
    made, drill = records.read_backup_record(source.data_dir), records.read_drill_record(source.data_dir)
    return {
        "every_hours": runtime.backups.plan.every // timedelta(hours=1),
        "last_at": shapes.shape_moment(made.at) if made else None,
        "bytes": made.size if made else 0,
        "is_encrypted": bool(made and made.is_encrypted),
        "faults": len(made.faults) if made else 0,
        "last_error": runtime.backups.last_error,
        "drill_at": shapes.shape_moment(drill.at) if drill else None,
        "drill_passed": drill.passed if drill else None,
        "drill_every_days": runtime.backups.plan.drilled_every.days,
        "drill_faults": drill.faults[:DRILL_FAULTS_TOLD_MAX] if drill else [],
        "drill_error": runtime.drills.last_error,
    }


def report_idle_work(runtime: Runtime) -> Shape:
    """Tell when the stores were last looked after, what that freed, and whether it goes on now."""
    stats, last = runtime.idle_work.stats, runtime.idle_work.last
    return {
        "is_running": stats.is_running,
        "last_at": shapes.shape_moment(last.at) if last else None,
        "seconds": round(last.seconds, 1) if last else 0.0,
        "freed_bytes": last.freed if last else {},
        "last_error": stats.last_error,
    }


async def name_projects(runtime: Runtime, project_ids: Iterable[str]) -> dict[str, str]:
    """Look up the names of projects by their ids."""
    return await runtime.read(_read_names, frozenset(project_ids))


async def find_caller(runtime: Runtime, person: str, session_id: str, agent: str = "") -> Caller:
    """Tell who asks: a session of this person by our id or the agent's own, any other name as it is, or the person."""
    if not session_id:
        return Caller(person)
    found = await runtime.read(sessions.find_session_by_any_id, session_id)
    if found is None:
        return Caller(person, session_id, agent)
    if found.owner != person:
        # To name another's session is not to be it.
        return Caller(person, f"{person}:{session_id}", agent)
    return Caller(person, found.id, str(found.agent))


async def find_checkout(runtime: Runtime, caller: Caller) -> Checkout:
    """Find what the session of a caller saw last of its working copy; nothing where it has none."""
    found = await runtime.read(sessions.find_session, caller.session_id)
    return found.checkout if found and found.owner == caller.owner else Checkout()


def _read_names(conn: ReadConnection, project_ids: Collection[str]) -> dict[str, str]:
    return {project_id: str(projects.get_project(conn, project_id).scope) for project_id in project_ids}


def _read_counts(conn: ReadConnection) -> tuple[Shape, dict[str, int]]:
    open_handoffs = handoffs.list_handoffs(
        conn, project_id=None, states=offers.OPEN_STATES, owner=None, limit=limits.LIST_LIMIT_MAX
    )
    counts: Shape = {
        "projects": len(projects.list_projects(conn, limits.PROJECT_NAMES_MAX)),
        "sessions": sessions.count_sessions(conn),
        "observations": verbatim.count_session_observations(conn),
        "handoffs_open": len(open_handoffs),
    }
    waiting = {str(state): count for state, count in jobs.count_jobs(conn).items()}
    return counts, waiting


def _report_index(runtime: Runtime) -> Shape:
    progress = runtime.index.progress
    vectors = _report_vectors(runtime)
    if progress is not None:
        told = {"done": progress.done, "total": progress.total, "seconds_left": progress.seconds_left}
        return {"state": "rebuilding", "pages": progress.done, **told, "vectors": vectors}
    pages = runtime.index.read(catalog.count_pages)
    return {"state": "ready", "pages": pages, "done": pages, "total": pages, "seconds_left": None, "vectors": vectors}


def _report_vectors(runtime: Runtime) -> Shape:
    """Tell which model embeds, and how many texts have their vector; without the model, that it is off."""
    if runtime.meaning is None:
        return {"state": "off", "model": "", "revision": "", "done": 0, "total": 0, "last_error": ""}
    stats = runtime.meaning.stats
    state = "failing" if stats.last_error else "ready" if stats.done >= stats.total else "embedding"
    return {
        "state": state,
        "model": stats.name.model,
        "revision": stats.name.revision,
        "done": stats.done,
        "total": stats.total,
        "last_error": stats.last_error,
    }


def _report_reader(runtime: Runtime) -> Shape:
    stats = runtime.reader.stats
    return {
        "is_running": stats.is_running,
        "pid": stats.pid,
        "starts": stats.starts,
        "faults": stats.faults,
        "last_error": stats.last_fault,
        "read_here": stats.read_here,
        "read_beside": stats.read_beside,
    }


def _report_settings(runtime: Runtime) -> Shape:
    changes = runtime.setting_changes
    return {
        "read_again_at": shapes.shape_moment(changes.at) if changes.at else None,
        "times_read_again": changes.count,
        "changed": list(changes.applied),
        "need_restart": list(changes.waiting),
        "fault": changes.fault,
    }


def _report_git(runtime: Runtime) -> Shape:
    stats = runtime.committer.stats
    return {
        "pending": stats.pending,
        "commits": stats.commits,
        "lag_seconds": round(stats.lag_seconds, 1),
        "last_error": stats.last_error,
    }


def _list_warnings(runtime: Runtime) -> list[str]:
    """List what keeps nothing from being recorded today, and will be missed on the day that the data is lost."""
    warnings: list[str] = []
    if runtime.backups.last_error:
        warnings.append(f"the scheduled backup fails: {runtime.backups.last_error}")
    drill = records.read_drill_record(runtime.backups.source.data_dir)
    if drill is not None and not drill.passed:
        told = drill.faults[0] if drill.faults else "it is not as it was"
        warnings.append(
            f"THE LAST BACKUP THAT WAS TRIED DOES NOT WORK: {told}; make another, then: memwiki restore-drill"
        )
    if runtime.traces_lack:
        warnings.append(runtime.traces_lack)
    elif runtime.meter.spans is not None and runtime.meter.spans.last_error:
        warnings.append(f"traces are lost: {runtime.meter.spans.last_error}")
    if runtime.drills.last_error:
        warnings.append(f"the last backup could not be tried: {runtime.drills.last_error}")
    elif runtime.drills.is_overdue():
        warnings.append("the last backups were not tried for long: memwiki restore-drill")
    return warnings


def _list_faults(conn: ReadConnection, readable_keys: Collection[str]) -> list[str]:
    failing = jobs.list_failing_jobs(conn, limits.JOBS_TOLD_MAX)
    locked = {key: count for key, count in segments.count_by_key(conn).items() if key not in readable_keys}
    return [
        *(f"{job.kind.replace('_', ' ')} {job.key} fails: {job.last_error}" for job in failing),
        *(
            f"{count} sealed segments need key {key}: name its file in raw_key_file or raw_old_key_files"
            for key, count in locked.items()
        ),
        *(
            f"{move.source} has not become {move.target} yet: if that stays so, the log says why, and a restart goes on"
            for move in moves.list_moves(conn)
        ),
    ]


def _list_problems(runtime: Runtime) -> list[str]:
    """List in plain words what a person should look into; empty when all is well."""
    writer, git = runtime.writer.stats, runtime.committer.stats
    problems: list[str] = []
    if writer.is_failing:
        problems.append(f"events cannot be saved: {writer.last_error}")
    elif lack := runtime.disk.find_lack():
        problems.append(f"events are refused: {lack}")
    if git.last_error:
        problems.append(f"{git.pending} changes of the wiki are not committed: {git.last_error}")
    problems += _list_warnings(runtime)
    if fault := runtime.reader.stats.last_fault:
        problems.append(f"the process that reads events under load: {fault}; the server reads them itself")
    if runtime.setting_changes.fault:
        problems.append(f"the settings that were read again are not good: {runtime.setting_changes.fault}")
    if runtime.setting_changes.waiting:
        problems.append(f"changed settings need a restart: {', '.join(runtime.setting_changes.waiting)}")
    if runtime.idle_work.stats.last_error:
        problems.append(f"stores cannot be looked after: {runtime.idle_work.stats.last_error}")
    if runtime.meaning is not None and runtime.meaning.stats.last_error:
        problems.append(f"search goes by words alone: {runtime.meaning.stats.last_error}")
    return problems
