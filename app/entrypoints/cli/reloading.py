"""Takes changed settings into a running server when it is told to read them again: all that can be, or none."""

import logging
import os
import signal
import sys
import threading
from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import timedelta
from types import FrameType
from typing import Final

from app import config, config_values, wiring
from app.capture import exclude
from app.config import Settings
from app.domain.errors import AppError
from app.domain.limits import SHUTDOWN_SECONDS_MAX
from app.domain.setting_changes import SettingChanges
from app.wiring import Runtime

Prepare = Callable[[Runtime, Settings], Callable[[], None]]

_LOG = logging.getLogger(__name__)


class Reloader:
    """The thread that reads the settings again whenever it is told to; between two it does nothing."""

    def __init__(
        self, read: Callable[[], Settings], settings: Settings, check: Callable[[Settings, Runtime], None]
    ) -> None:
        self._read, self._check = read, check
        self._settings = settings
        self._runtime: Runtime | None = None
        self._terminals = _list_terminals()
        self._told = threading.Event()
        self._is_stopping = False
        self._thread = threading.Thread(target=self._run, name="reloader", daemon=True)

    def listen(self) -> None:
        """Take SIGHUP from now on, which would end the process otherwise."""
        if hasattr(signal, "SIGHUP"):
            signal.signal(signal.SIGHUP, self._take)

    def start(self, runtime: Runtime) -> None:
        """Begin to do what is told; an order that came before is carried out now."""
        self._runtime = runtime
        self._thread.start()

    def stop(self) -> None:
        """End the thread."""
        self._is_stopping = True
        self._told.set()
        if self._thread.ident is not None:
            self._thread.join(SHUTDOWN_SECONDS_MAX)

    def reload(self, runtime: Runtime) -> SettingChanges:
        """Read the settings and take over what has changed; what is not good leaves all as it was, and is told."""
        now = runtime.clock.now()
        try:
            changes = self._take_over(runtime)
        except AppError as error:
            changes = replace(runtime.setting_changes, applied=(), fault=str(error))
        _tell(changes)
        runtime.setting_changes = replace(changes, at=now, count=runtime.setting_changes.count + 1)
        return runtime.setting_changes

    def _take_over(self, runtime: Runtime) -> SettingChanges:
        wanted = self._read()
        changed = _list_changed(self._settings, wanted)
        taken = {name: getattr(wanted, name) for name in _list_names() if name not in config.BOUND_AT_START}
        effective = self._settings.model_copy(update=taken)
        # What is new must also be good beside what stays as it was at the start.
        config.load_settings(**effective.model_dump())
        self._check(effective, runtime)
        applied = tuple(name for name in changed if name not in config.BOUND_AT_START)
        chosen = [prepare for names, prepare in RELOADED.items() if names & set(applied)]
        for take_over in [prepare(runtime, effective) for prepare in chosen]:
            take_over()
        self._settings = effective
        return SettingChanges(applied=applied, waiting=tuple(name for name in changed if name not in applied))

    def _take(self, _number: int, _frame: FrameType | None) -> None:
        """Take the signal; a terminal that was closed means the end, as for any program in it."""
        if any(not os.isatty(handle) for handle in self._terminals):
            os.kill(os.getpid(), signal.SIGTERM)
        else:
            self._told.set()

    def _run(self) -> None:
        assert self._runtime is not None, "started with a runtime"
        while self._told.wait() and not self._is_stopping:
            self._told.clear()
            try:
                self.reload(self._runtime)
            except Exception as error:  # noqa: BLE001 - the thread's boundary: the next order finds it alive
                _LOG.warning("the settings could not be read again", exc_info=True)
                self._runtime.setting_changes = SettingChanges(fault=type(error).__name__)


def _prepare_log(_runtime: Runtime, settings: Settings) -> Callable[[], None]:
    from app.entrypoints.cli import log_lines

    return lambda: log_lines.change_log(settings.log_format, settings.log_level)


def _prepare_worker(runtime: Runtime, settings: Settings) -> Callable[[], None]:
    thresholds, times = config_values.build_thresholds(settings), config_values.build_times(settings)

    def take_over() -> None:
        runtime.compiling = replace(runtime.compiling, thresholds=thresholds)
        runtime.worker.change(
            thresholds,
            times,
            idle_seconds=settings.session_idle_seconds,
            idle_after_stop_seconds=settings.session_idle_after_stop_seconds,
        )

    return take_over


def _prepare_trail(runtime: Runtime, settings: Settings) -> Callable[[], None]:
    return lambda: setattr(runtime.trail, "kept", timedelta(days=settings.audit_retention_days))


def _prepare_pace(runtime: Runtime, settings: Settings) -> Callable[[], None]:
    pace = config_values.build_pace(settings)
    return lambda: setattr(runtime, "pace", pace)


def _prepare_rules(runtime: Runtime, settings: Settings) -> Callable[[], None]:
    rules = exclude.build_rules(settings.exclude_projects, settings.exclude_folders)
    return lambda: runtime.exclude(rules)


def _prepare_backups(runtime: Runtime, settings: Settings) -> Callable[[], None]:
    source, plan = wiring.build_backup_source(settings), config_values.build_backup_plan(settings)
    return lambda: runtime.backups.change(source, plan)


def _prepare_disk(runtime: Runtime, settings: Settings) -> Callable[[], None]:
    return lambda: setattr(runtime.disk, "floor_bytes", settings.disk_free_mib_min * 2**20)


def _prepare_meter(runtime: Runtime, settings: Settings) -> Callable[[], None]:
    return lambda: setattr(runtime.meter, "slow_ms", settings.slow_ms)


def _prepare_diagrams(runtime: Runtime, settings: Settings) -> Callable[[], None]:
    return lambda: setattr(runtime, "draws_diagrams", settings.diagrams)


def _prepare_passwords(runtime: Runtime, settings: Settings) -> Callable[[], None]:
    cost = config_values.build_cost(settings)
    return lambda: runtime.people.passwords.change(cost)


def _prepare_gate(runtime: Runtime, settings: Settings) -> Callable[[], None]:
    return lambda: runtime.gate.change(settings.find_token(), is_closed=settings.is_closed)


def _prepare_provider(runtime: Runtime, settings: Settings) -> Callable[[], None]:
    provider = config_values.open_provider(settings, runtime.people)
    return lambda: runtime.trust(provider)


# Which settings are taken over how: first all that changed is made, which may fail, then all of it is put in place.
RELOADED: Final[Mapping[frozenset[str], Prepare]] = {
    frozenset({"log_format", "log_level"}): _prepare_log,
    frozenset({"slow_ms"}): _prepare_meter,
    frozenset({"diagrams"}): _prepare_diagrams,
    frozenset(
        {
            "session_idle_seconds",
            "session_idle_after_stop_seconds",
            "seal_after_seconds",
            "observations_retention_days",
            "replay_keys_retention_days",
            "lessons_retention_days",
            "gotcha_sessions",
            "gotcha_fleeting_sessions",
            "procedure_sessions",
            "concept_sessions",
            "curate_every_hours",
        }
    ): _prepare_worker,
    frozenset({"audit_retention_days"}): _prepare_trail,
    frozenset({"rate_limit_per_token", "rate_limit_per_session"}): _prepare_pace,
    frozenset({"exclude_projects", "exclude_folders"}): _prepare_rules,
    frozenset(
        {
            "backup_every_hours",
            "backup_folder",
            "backup_keep_daily",
            "backup_keep_weekly",
            "backup_keep_monthly",
            "backup_passphrase_file",
            "drill_every_days",
        }
    ): _prepare_backups,
    frozenset({"disk_free_mib_min"}): _prepare_disk,
    frozenset({"password_rounds", "password_memory_kib", "password_threads"}): _prepare_passwords,
    frozenset({"access_token", "oidc_issuer"}): _prepare_gate,
    frozenset(
        {
            "oidc_issuer",
            "oidc_client_id",
            "oidc_client_secret",
            "oidc_scopes",
            "oidc_audiences",
            "oidc_domains",
            "oidc_groups_claim",
            "oidc_member_groups",
            "oidc_admin_groups",
            "oidc_groups",
        }
    ): _prepare_provider,
}


def _list_names() -> list[str]:
    """List the settings that have an effect of their own; where a secret is read from has none."""
    files = set(config.list_kept_files())
    return [name for name in Settings.model_fields if name not in files]


def _list_changed(present: Settings, wanted: Settings) -> list[str]:
    return [name for name in _list_names() if getattr(present, name) != getattr(wanted, name)]


def _list_terminals() -> list[int]:
    """List which of the standard streams are a terminal now."""
    found = []
    for stream in (sys.__stdin__, sys.__stdout__, sys.__stderr__):
        try:
            if stream is not None and stream.isatty():
                found.append(stream.fileno())
        except (OSError, ValueError):
            continue
    return found


def _tell(changes: SettingChanges) -> None:
    if changes.fault:
        _LOG.error("the settings are not good, so the earlier ones stay: %s", changes.fault)
        return
    _LOG.info("settings read again; changed: %s", ", ".join(changes.applied) or "nothing")
    if changes.waiting:
        _LOG.warning("changed settings need a restart: %s", ", ".join(changes.waiting))
