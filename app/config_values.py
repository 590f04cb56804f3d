"""Turns settings into the values that parts of a server are built of, at its start and when they are read again."""

import importlib.util
import logging
import secrets
import time
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Final

from app.access.accounts import PeopleParts
from app.access.passwords import Cost
from app.access.provider_sign_in import ProviderParts
from app.access.provider_values import ProviderSettings
from app.capture.pace import Pace
from app.compile.retention import KeepingTimes
from app.compile.thresholds import Thresholds
from app.config import Settings
from app.state import raw_keys
from app.state.raw_keys import KeyRing
from app.upkeep import backup
from app.upkeep.backup_keeper import BackupPlan
from app.upkeep.rotation import KeptBackups

if TYPE_CHECKING:
    from app.state.spans import Spans

_LOG = logging.getLogger(__name__)
_TRACES_EXTRA: Final = "opentelemetry.exporter.otlp.proto.http"


def open_provider(settings: Settings, people: PeopleParts) -> ProviderParts | None:
    """Build what people sign in with by an identity provider; None where the settings name none."""
    if not settings.oidc_issuer:
        return None
    # Most servers have none, and what checks signatures takes long to import.
    from app.access.provider import Provider  # noqa: PLC0415

    secret = settings.oidc_client_secret.get_secret_value() if settings.oidc_client_secret else ""
    wanted = ProviderSettings(
        issuer=settings.oidc_issuer,
        client_id=settings.oidc_client_id,
        client_secret=secret,
        scopes=settings.oidc_scopes,
        audiences=frozenset(settings.oidc_audiences),
    )
    return ProviderParts(people, Provider(wanted, people.clock), settings.admission_rules)


def find_backup_folder(settings: Settings) -> Path:
    """Find where a schedule's backups go."""
    return settings.backup_folder or settings.data_dir / backup.BACKUPS


def open_ring(settings: Settings) -> KeyRing:
    """Open the keys of what is sealed."""
    return raw_keys.open_ring(settings.raw_key_file, settings.raw_old_key_files)


def build_pace(settings: Settings) -> Pace:
    """Build how fast events may come."""
    per_token, per_session = settings.rate_limit_per_token, settings.rate_limit_per_session
    return Pace(per_token=per_token, per_session=per_session, now=time.monotonic)


def build_cost(settings: Settings) -> Cost:
    """Build what a password costs."""
    return Cost(settings.password_rounds, settings.password_memory_kib, settings.password_threads)


def build_backup_plan(settings: Settings) -> BackupPlan:
    """Build the schedule of backups.

    Raises:
        BackupMisplaced: they would go into what is backed up.
    """
    kept = KeptBackups(settings.backup_keep_daily, settings.backup_keep_weekly, settings.backup_keep_monthly)
    folder, every = find_backup_folder(settings), timedelta(hours=settings.backup_every_hours)
    if every:
        backup.check_place(settings.data_dir, folder / "x")
    return BackupPlan(folder, every, kept, settings.backup_passphrase_file, timedelta(days=settings.drill_every_days))


def open_spans(settings: Settings, version: str) -> "Spans | None":
    """Open what tells a collector of traces; None where none is set, or where what it takes is not installed."""
    if not settings.traces_endpoint:
        return None
    if lack := find_traces_lack(settings):
        _LOG.warning("%s", lack)
        return None
    # An extra, which takes long to import, and of which most servers have no use.
    from app.state.spans import Spans, TracesWanted  # noqa: PLC0415

    given = settings.traces_headers.get_secret_value() if settings.traces_headers else ""
    pairs = (pair.partition("=") for pair in given.split(",") if "=" in pair)
    headers = {name.strip().lower(): value.strip() for name, _, value in pairs}
    return Spans(TracesWanted(settings.traces_endpoint, headers, settings.traces_share, version, secrets.token_hex(8)))


def find_traces_lack(settings: Settings) -> str:
    """Say what is missing where traces are wanted and cannot be told; empty otherwise."""
    if not settings.traces_endpoint or is_traces_extra_installed():
        return ""
    return (
        "traces_endpoint is set and the extra for it is not installed, so that no trace is told: make traces, or "
        "pip install 'memwiki[traces]'"
    )


def is_traces_extra_installed() -> bool:
    """Tell whether what tells traces is there."""
    try:
        return importlib.util.find_spec(_TRACES_EXTRA) is not None
    except ModuleNotFoundError:
        return False


def build_thresholds(settings: Settings) -> Thresholds:
    """Build how much must be seen before there is a page about it."""
    return Thresholds(
        gotcha_sessions=settings.gotcha_sessions,
        gotcha_fleeting_sessions=settings.gotcha_fleeting_sessions,
        procedure_sessions=settings.procedure_sessions,
        concept_sessions=settings.concept_sessions,
        curate_every_hours=settings.curate_every_hours,
    )


def build_times(settings: Settings) -> KeepingTimes:
    """Build for how long what is kept where."""
    return KeepingTimes(
        seal_after=timedelta(seconds=settings.seal_after_seconds),
        observations_kept=timedelta(days=settings.observations_retention_days),
        keys_kept=timedelta(days=settings.replay_keys_retention_days),
        lessons_kept=timedelta(days=settings.lessons_retention_days),
    )
