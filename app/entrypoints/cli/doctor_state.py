"""What `memwiki doctor` finds in state: is the file sound, of this release, and what in it needs somebody."""

from collections.abc import Iterator
from contextlib import closing
from datetime import datetime, timedelta
from pathlib import Path
from typing import Final

from app import config, config_values
from app.config import Settings
from app.domain import limits, limits_doctor
from app.domain.errors import AppError
from app.domain.segment import SegmentLocked, SegmentUnreadable
from app.entrypoints.cli.verdicts import Check, fail, skip, tell, warn
from app.state import accounts, health, jobs, schema, segments, tokens
from app.state import engine as state_engine
from app.state.engine import StateEngine
from app.state.jobs import JobState
from app.state.raw import RawStore

_RESTORE: Final = "stop the server and restore the last good backup: memwiki restore FILE --data-dir NEW"
_DEPENDENT: Final = ("clock of state", "jobs", "sealed files", "access tokens")


def check_state(settings: Settings, now: datetime) -> Iterator[Check]:
    """Check the database; without it, or where it is of another release, what it holds is skipped."""
    path = _locate(settings.data_dir)
    if not path.exists():
        yield skip("state file", "there is none yet")
        yield from _skip_all(("state schema", *_DEPENDENT), "there is no state")
        return
    with closing(_open(path)) as engine:
        try:
            fault = engine.read(health.find_fault)
        except AppError as error:
            fault = str(error)
        if fault:
            yield fail("state file", fault, _RESTORE)
            yield from _skip_all(("state schema", *_DEPENDENT), "state is damaged")
            return
        yield tell("state file", "every page of it is sound")
        of_release = _check_schema(engine)
        yield of_release
        if of_release.advice:
            yield from _skip_all(_DEPENDENT, "state is of another release")
            return
        yield _check_clock(engine, now)
        yield _check_jobs(engine)
        yield _check_sealed(engine, settings)
        yield _check_tokens(engine, now)


def has_admin(data_dir: Path) -> bool | None:
    """Tell whether somebody can let others in; None where that cannot be read."""
    path = _locate(data_dir)
    if not path.exists():
        return False
    try:
        with closing(_open(path)) as engine:
            is_ours = engine.read(schema.find_revision) == _list_known()[-1]
            return engine.read(accounts.count_active_admins) > 0 if is_ours else None
    except AppError:
        return None


def _locate(data_dir: Path) -> Path:
    return data_dir / "state" / "state.db"


def _open(path: Path) -> StateEngine:
    return state_engine.open_engine(state_engine.build_sqlite_url(path))


def _list_known() -> list[str]:
    return schema.list_revisions(config.find_bundled("migrations"))


def _skip_all(names: tuple[str, ...], why: str) -> Iterator[Check]:
    return (skip(name, why) for name in names)


def _check_schema(engine: StateEngine) -> Check:
    name, known = "state schema", _list_known()
    found = engine.read(schema.find_revision)
    if found == known[-1]:
        return tell(name, found)
    if found in known:
        return warn(
            name, f"{found}, this release has {known[-1]}", "a start copies and upgrades it: memwiki upgrade check"
        )
    if found is None:
        return fail(name, "the tables are not memwiki's", _RESTORE)
    return fail(name, f"{found} is a newer release's; this one knows {known[-1]}", "run that release")


def _check_clock(engine: StateEngine, now: datetime) -> Check:
    name, newest = "clock of state", engine.read(health.find_newest_moment)
    if newest is not None and newest - now > timedelta(seconds=limits_doctor.CLOCK_AHEAD_SECONDS):
        said = f"the newest event is of {newest:%Y-%m-%d %H:%M} UTC, which is yet to come"
        return warn(name, said, "set this machine's clock by the network (NTP); it was set back")
    return tell(name, "nothing in it is from the future")


def _check_jobs(engine: StateEngine) -> Check:
    name, counts = "jobs", engine.read(jobs.count_jobs)
    failing = engine.read(jobs.list_failing_jobs, limits.JOBS_TOLD_MAX)
    if failing:
        job = failing[0]
        said = f"{len(failing)} fail, such as {job.kind.replace('_', ' ')} {job.key}: {job.last_error}"
        return warn(name, said, f"mend what it names, then: memwiki session compile {job.key}")
    return tell(name, f"{counts[JobState.PENDING]} wait, none fails")


def _check_sealed(engine: StateEngine, settings: Settings) -> Check:
    """Read some of the sealed files whole, which proves them by their hashes."""
    name = "sealed files"
    try:
        raw = RawStore(settings.data_dir / "raw", config_values.open_ring(settings))
        found = engine.read(segments.list_newest, limits_doctor.SEGMENTS_READ_MAX)
        for segment in found:
            for _ in raw.read_lines(segment):
                pass
    except SegmentUnreadable as error:
        return fail(name, str(error), "memwiki backup verify FILE, then take the file from it")
    except SegmentLocked as error:
        return fail(name, str(error), "name the key's file in raw_key_file or raw_old_key_files")
    except AppError as error:
        return fail(name, str(error), "put the key's file back, or mend the setting that names it")
    return tell(name, f"the {len(found)} newest are whole" if found else "there are none yet")


def _check_tokens(engine: StateEngine, now: datetime) -> Check:
    name = "access tokens"
    known = engine.read(tokens.list_tokens, None, limits_doctor.TOKENS_LOOKED_AT_MAX)
    good = [
        token for token in known if token.revoked_at is None and (token.expires_at is None or token.expires_at > now)
    ]
    soon = now + timedelta(days=limits_doctor.TOKEN_DAYS_LEFT)
    ending = [token for token in good if token.expires_at is not None and token.expires_at <= soon]
    if ending:
        first = min(ending, key=lambda token: token.expires_at or soon)
        said = f"{len(ending)} end within {limits_doctor.TOKEN_DAYS_LEFT} days, first {first.name} ({first.hint}…)"
        return warn(name, f"{said} on {first.expires_at:%Y-%m-%d}", f"memwiki token rotate {first.name}")
    return tell(name, f"{len(good)} are good, none ends within {limits_doctor.TOKEN_DAYS_LEFT} days")
