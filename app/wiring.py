"""Builds `Runtime`: the real clock, ids, state, index and wiki; the only place where parts meet."""

import asyncio
import logging
import os
import secrets
import threading
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from contextvars import copy_context
from datetime import timedelta
from functools import partial
from typing import Concatenate, Final, ParamSpec, TypeVar

from app import config_values, system
from app.access import provider_sign_in
from app.access.accounts import PeopleParts
from app.access.denials import Denials
from app.access.gate import Gate, GateParts
from app.access.passwords import Passwords
from app.access.provider_sign_in import ProviderParts
from app.access.signing_in import Throttle
from app.capture import exclude, ingest
from app.capture.arrival import Arrival
from app.capture.count_keeper import CountKeeper
from app.capture.drops import Drops
from app.capture.exclude import ServerRules
from app.capture.hook_request import Terms
from app.capture.outcome import IngestOutcome
from app.capture.reader import Reader
from app.compile.parts import CompileParts
from app.compile.sealing import ArchiveParts
from app.compile.worker import Worker
from app.config import Settings, find_bundled, read_kept_text
from app.domain import limits
from app.domain.clock import Clock
from app.domain.errors import AppError
from app.domain.person import LOCAL_PERSON
from app.domain.setting_changes import SettingChanges
from app.handoff.offers import OfferParts
from app.handoff.start import StartParts
from app.index import embed
from app.index.database import IndexDatabase
from app.index.meaning import Meaning
from app.search import opinions
from app.search.opinions import Aids
from app.state import directory, schema, token_key, unkept
from app.state import engine as state_engine
from app.state.disk_guard import DiskGuard
from app.state.engine import ReadConnection, StateEngine
from app.state.lock import DirectoryLock
from app.state.meter import Meter
from app.state.raw import RawStore
from app.state.refusals import Refusals
from app.state.sizes import SizeGauge
from app.state.verbatim import Verbatim
from app.state.writer import Waiter, Writer
from app.upkeep import moving, purging
from app.upkeep.backup import BackupSource
from app.upkeep.backup_keeper import BackupKeeper
from app.upkeep.drill_keeper import DrillKeeper, DrillParts
from app.upkeep.idle_work import IdleParts, IdleWork
from app.upkeep.moving_look import MoveParts
from app.upkeep.pulse import Pulse
from app.upkeep.purge import PurgeParts
from app.upkeep.purge_person import PersonParts
from app.upkeep.secret_renewal import SecretRenewal
from app.upkeep.trail_keeper import TrailKeeper, TrailParts
from app.wiki import rewriting
from app.wiki.committer import Committer
from app.wiki.pages import Wiki
from app.wiki.repository import open_repository
from app.wiki.tree import Tree
from app.wiki.watch import Watcher

P = ParamSpec("P")
T = TypeVar("T")

_LOG = logging.getLogger(__name__)
_THREADS: Final = 8


class Runtime:
    """Everything a running server has, started and stopped in order."""

    def __init__(self, settings: Settings, lock: DirectoryLock, clock: Clock | None = None) -> None:
        self.clock, self.ids = clock or system.SystemClock(), system.RandomIds()
        self.version, self.url = system.find_version(), ""
        self.traces_lack = config_values.find_traces_lack(settings)
        self.started_at = self.clock.now()
        self.owner, self.workspace = LOCAL_PERSON, settings.workspace
        self.allowed_hosts = settings.list_hosts()
        self.url_prefix, self.form_key = settings.url_prefix, secrets.token_bytes(32)
        self.draws_diagrams = settings.diagrams
        self._lock = lock
        self._pool = ThreadPoolExecutor(_THREADS, thread_name_prefix="runtime")
        self.engine = _open_state(settings)
        self.meter = Meter(settings.slow_ms, _LOG.warning, config_values.open_spans(settings, self.version))
        self.writer = Writer(self.engine, meter=self.meter)
        self.events: Counter[str] = Counter()
        self.gate, self.people = open_gate(settings, self.engine, self.writer)
        self.throttle, self.denials = Throttle(), Denials()
        self._public_url, self.trusted_proxies = settings.public_url, tuple(settings.proxies)
        self.setup_secret = settings.setup_secret.get_secret_value().encode() if settings.setup_secret else b""
        self.trust(config_values.open_provider(settings, self.people))
        self.index = IndexDatabase(settings.data_dir / "index", partial(self.meter.note, "index-write", ""))
        self.meaning = Meaning(self.index) if settings.vectors and embed.is_installed() else None
        self.aids = Aids(self.meaning, partial(opinions.find_priors, self.engine), self.meter)
        tree = Tree(settings.data_dir / "wiki")
        self.repository = open_repository(tree.root)
        self.committer = Committer(self.repository, tree, self.clock, meter=self.meter)
        kept = timedelta(days=settings.audit_retention_days)
        self.trail = TrailKeeper(
            TrailParts(self.engine, self.writer, self.committer, self.denials, self.clock, settings.data_dir, kept)
        )
        self.wiki = Wiki(tree, self.index, self.committer, self.clock, self.ids)
        self.offers = OfferParts(self.engine, self.writer, self.clock, self.ids)
        changed = threading.Event()
        self.drops, self.refusals = _open_counts(self.engine, changed)
        self._counts = CountKeeper(self.writer, self.drops, self.refusals, changed)
        self.starts = StartParts(self.offers, self.index, self.refusals)
        self.watcher = Watcher(self.wiki)
        folders = {name: settings.data_dir / name for name in directory.FOLDERS}
        self.disk = DiskGuard(settings.data_dir, settings.disk_free_mib_min * 2**20)
        self.sizes = SizeGauge(self.engine, folders, self.clock)
        raw = RawStore(settings.data_dir / "raw", config_values.open_ring(settings))
        self.verbatim = Verbatim(self.engine, raw)
        self.compiling = CompileParts(
            self.engine, self.writer, self.wiki, self.clock, self.ids, raw, config_values.build_thresholds(settings)
        )
        self.worker = _build_worker(settings, self.compiling, self.meter)
        plan, self.pulse = config_values.build_backup_plan(settings), Pulse()
        self.backups = BackupKeeper(build_backup_source(settings), plan, self.clock, self.meter)
        self.drills = DrillKeeper(DrillParts(self.backups, self.sizes, self.disk, self.pulse, self.clock))
        packer, archive, renewal = self.committer.packer, self.compiling.archive, SecretRenewal(self.wiki)
        idle = IdleParts(settings.data_dir, archive, self.index, packer, self.pulse, self.clock, renewal)
        self.idle_work = IdleWork(idle)
        self.pace = config_values.build_pace(settings)
        self.setting_changes, self.reader = SettingChanges(), Reader()
        self.exclude(exclude.build_rules(settings.exclude_projects, settings.exclude_folders))

    @property
    def moving(self) -> MoveParts:
        """What projects are moved with."""
        return MoveParts(self.compiling, self.worker, self.people, self.rules)

    @property
    def purging(self) -> PersonParts:
        """What is purged with."""
        parts = PurgeParts(self.compiling, self.worker, self.backups.source.data_dir)
        return PersonParts(parts, self.people, self.refusals)

    def exclude(self, rules: ServerRules) -> None:
        """Leave out from now on what these rules name, and nothing else."""
        self.rules, self._store = rules, ingest.bind_store(self.ids, rules)
        self.terms = Terms(rules, self.workspace)

    def trust(self, provider: ProviderParts | None) -> None:
        """Let people come in by this identity provider from now on, or by none."""
        if provider is not None and self.url:
            provider.provider.serve_at(self.find_address())
        self.gate.trust(partial(provider_sign_in.prove_token, provider) if provider else None)
        self.provider = provider

    def announce(self, url: str) -> None:
        """Remember the address, and tell it to whoever finds the data directory in use."""
        self.url = url
        self._lock.update(url=url)
        if self.provider is not None:
            self.provider.provider.serve_at(self.find_address())

    def find_address(self) -> str:
        """Find the address at which browsers and clients reach the server."""
        return (self._public_url or self.url) + self.url_prefix

    async def start(self) -> None:
        """Start the threads; what may take long goes on after the server answers."""
        self.writer.start()
        await self.run(self._finish_removal)
        self.committer.start()
        is_new = self.index.open()
        await self.run(moving.finish_moves, self.moving)
        # Before anything else is compiled or committed, and before anybody can ask for what is to be gone.
        await self.run(purging.finish_purges, self.purging)
        if is_new:
            self.watcher.request_filling()
        self.watcher.start()
        self.worker.start()
        self._counts.start()
        self.trail.start()
        self.backups.start()
        self.idle_work.start()
        self.drills.start()
        if self.meaning is not None:
            self.meaning.start()

    async def stop(self) -> None:
        """Stop in the order of the data: no new work, then the writer, then git."""
        await self.run(self._stop_threads)

    def _finish_removal(self) -> None:
        """Finish what a killed run had begun to remove: from state's log, which keeps it, and from git's history."""
        try:
            self.engine.truncate_log()
        except AppError as error:
            _LOG.warning("the log of state could not be emptied at the start: %s", error)
        order = rewriting.find_order(self.repository)
        if order is not None:
            rewriting.remove_from_history(self.repository, order)

    def _stop_threads(self) -> None:
        if self.meaning is not None:
            self.meaning.stop(limits.SHUTDOWN_SECONDS_MAX)
        self.drills.stop()
        self.idle_work.stop()
        self.backups.stop()
        self.worker.stop()
        self.watcher.stop(limits.SHUTDOWN_SECONDS_MAX)
        self._counts.stop()
        self.trail.stop()
        self.writer.stop()
        self.trail.close()
        self.committer.stop(limits.SHUTDOWN_SECONDS_MAX)
        if self.meter.spans is not None:
            self.meter.spans.close()

    def close(self) -> None:
        """Close files and give the data directory back; threads must have stopped."""
        self.reader.stop()
        self._pool.shutdown()
        self.index.close()
        self.engine.close()
        self._lock.release()

    async def read(self, query: Callable[Concatenate[ReadConnection, P], T], /, *args: P.args, **kwargs: P.kwargs) -> T:
        """Ask state on a thread."""
        return await self.run(self.engine.read, query, *args, **kwargs)

    async def run(self, call: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> T:
        """Call something that waits for disk or git, on a thread, for whoever asks."""
        return await _run_on(self._pool, partial(call, *args, **kwargs))

    async def run_reading(self, call: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> T:
        """Call what takes apart much that a hook sent, on one of the few threads for that, in the order of coming."""
        return await _run_on(self.reader.pool, partial(call, *args, **kwargs))

    async def store_arrival(self, arrival: Arrival) -> IngestOutcome:
        """Store one event; returns when it is on the disk."""
        self.disk.check()
        outcome = await self.writer.write_item(self._store, arrival)
        self.note_stored(outcome)
        return outcome

    def queue_arrival(self, arrival: Arrival, waiter: Waiter[IngestOutcome]) -> None:
        """Have one event stored, and a waiter told on the running loop when it is on the disk, which then notes it."""
        self.disk.check()
        self.writer.queue_item(self._store, arrival, waiter)

    def note_stored(self, outcome: IngestOutcome) -> None:
        """Count what became of an event, and have done what is due with it."""
        self.events[outcome.status] += 1
        if outcome.is_compile_due:
            self.worker.wake()

    async def store_arrivals(self, arrivals: Sequence[Arrival]) -> list[IngestOutcome]:
        """Store a batch in order; returns when all of it is on the disk."""
        self.disk.check()
        outcomes = await self.writer.write(lambda conn: self._store(conn, arrivals))
        self.events.update(outcome.status for outcome in outcomes)
        if any(outcome.is_compile_due for outcome in outcomes):
            self.worker.wake()
        return outcomes


async def _run_on(pool: ThreadPoolExecutor, call: Callable[[], T]) -> T:
    """Call on a thread what is done for whoever asks."""
    return await asyncio.get_running_loop().run_in_executor(pool, copy_context().run, call)


def build_runtime(settings: Settings, make: Callable[[Settings, DirectoryLock], Runtime] = Runtime) -> Runtime:
    """Take the data directory and build what runs on it.

    Raises:
        DirectoryInUse: another server holds the directory.
        DiskRefused: the directory cannot be made or written.
        SchemaTooNew: the data is a newer release's.
    """
    directory.prepare_directory(settings.data_dir)
    lock = _build_lock(settings).acquire()
    try:
        return make(settings, lock)
    except BaseException:
        lock.release()
        raise


@contextmanager
def open_archive(settings: Settings) -> Iterator[ArchiveParts]:
    """Open what sealing works with and nothing else, with no server running; raises as `build_runtime` does."""
    directory.prepare_directory(settings.data_dir)
    with _build_lock(settings), closing(_open_state(settings)) as engine:
        writer = Writer(engine)
        writer.start()
        try:
            raw = RawStore(settings.data_dir / "raw", config_values.open_ring(settings))
            yield ArchiveParts(Verbatim(engine, raw), writer, system.SystemClock())
        finally:
            writer.stop()


@contextmanager
def open_people(settings: Settings) -> Iterator[PeopleParts]:
    """Open what people are administered with and nothing else, with no server running; raises as `build_runtime`."""
    directory.prepare_directory(settings.data_dir)
    with _build_lock(settings), closing(_open_state(settings)) as engine:
        writer = Writer(engine)
        writer.start()
        try:
            yield open_gate(settings, engine, writer)[1]
        finally:
            writer.stop()


def open_gate(settings: Settings, engine: StateEngine, writer: Writer) -> tuple[Gate, PeopleParts]:
    """Build what tells who calls, and what changes that."""
    key, clock = token_key.open_key(settings.data_dir / "state"), system.SystemClock()
    gate = Gate(GateParts(engine, writer, clock, key, settings.find_token(), is_closed=settings.is_closed))
    return gate, PeopleParts(
        engine, writer, clock, system.RandomIds(), key, gate.forget, Passwords(config_values.build_cost(settings))
    )


def build_backup_source(settings: Settings, *, with_secrets: bool = False) -> BackupSource:
    """Say what a backup of a data directory holds; secrets among the settings only if they are wanted."""
    kept = read_kept_text(settings.data_dir, with_secrets=with_secrets)
    return BackupSource(settings.data_dir, system.find_version(), kept, has_secrets=with_secrets)


def _build_lock(settings: Settings) -> DirectoryLock:
    return DirectoryLock(settings.data_dir, {"pid": os.getpid(), "version": system.find_version()})


def _open_state(settings: Settings) -> StateEngine:
    engine = state_engine.open_engine(state_engine.build_sqlite_url(settings.data_dir / "state" / "state.db"))
    schema.upgrade_schema(engine, find_bundled("migrations"))
    return engine


def _build_worker(settings: Settings, parts: CompileParts, meter: Meter) -> Worker:
    return Worker(
        parts,
        idle_seconds=settings.session_idle_seconds,
        idle_after_stop_seconds=settings.session_idle_after_stop_seconds,
        times=config_values.build_times(settings),
        meter=meter,
    )


def _open_counts(engine: StateEngine, changed: threading.Event) -> tuple[Drops, Refusals]:
    """Go on counting where the last server stopped."""
    dropped = engine.read(unkept.list_dropped, limits.DROPPED_SENDERS_MAX)
    refused = engine.read(unkept.list_refused, limits.REFUSED_AGENTS_MAX + 1)
    return Drops(dropped, changed.set), Refusals(refused, changed.set)
