"""What Prometheus is told: counts of requests as they came, and the state of each part as it is when asked."""

from collections.abc import Iterable, Iterator, Mapping

from prometheus_client import CollectorRegistry, ProcessCollector, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily, Metric
from prometheus_client.registry import Collector

from app.capture.outcome import IngestStatus
from app.compile.worker import JOB_KINDS
from app.domain.capture_health import FaultKind
from app.domain.durations import BOUNDS, Times
from app.entrypoints import capture_report
from app.entrypoints.http.tally import Tally
from app.search.answer import Grain
from app.search.gather import STREAM_NAMES
from app.state import jobs, sessions, verbatim
from app.state.engine import ReadConnection
from app.upkeep import records
from app.wiring import Runtime

_DENIED = {401: "unauthenticated", 403: "forbidden"}


def render(runtime: Runtime, tally: Tally) -> bytes:
    """Write all figures in Prometheus' text format; reads state, so not on the loop."""
    registry = CollectorRegistry(auto_describe=False)
    registry.register(_Requests(tally))
    registry.register(_Parts(runtime))
    registry.register(_Works(runtime))
    # What the process takes: memory, processor time, open files; where the system tells.
    ProcessCollector(registry=registry)
    return generate_latest(registry)


class _Requests(Collector):
    """Tells what was counted as it came."""

    def __init__(self, tally: Tally) -> None:
        self._tally = tally

    def collect(self) -> Iterator[Metric]:
        """Tell what stands now."""
        requests = CounterMetricFamily("memwiki_requests", "Requests by area and status.", labels=("area", "status"))
        denied = dict.fromkeys(_DENIED.values(), 0)
        for (area, status), count in sorted(self._tally.requests.items()):
            requests.add_metric((area, str(status)), count)
            if status in _DENIED:
                denied[_DENIED[status]] += count
        yield requests
        refused = CounterMetricFamily("memwiki_denied", "Requests that were refused.", labels=("reason",))
        for reason, count in denied.items():
            refused.add_metric((reason,), count)
        yield refused
        yield _seconds("memwiki_request_seconds", "How long answers took.", "area", self._tally.times)


class _Works(Collector):
    """Tells how long the server's own work took, and what came to nothing."""

    def __init__(self, runtime: Runtime) -> None:
        self._runtime, self._meter = runtime, runtime.meter

    def collect(self) -> Iterator[Metric]:
        """Tell what stands now."""
        events = CounterMetricFamily(
            "memwiki_events", "Events that came, and what became of them.", labels=("outcome",)
        )
        for status in IngestStatus:
            events.add_metric((status,), self._runtime.events[status])
        yield events
        yield from self._tell_stage("state-commit", "memwiki_state_commit", "Commits of state with their fsync.", None)
        yield from self._tell_stage("git-commit", "memwiki_git_commit", "Batches of commits of the wiki.", None)
        told = "From what called for a session's page, such as its end, until search finds it."
        yield from self._tell_stage("page", "memwiki_page_wait", told, None)
        yield from self._tell_stage("job", "memwiki_job", "Jobs: making pages, learning, sealing.", ("kind", JOB_KINDS))
        yield from self._tell_stage("search", "memwiki_search", "Searches by any face.", ("grain", Grain))
        yield from self._tell_stage("stream", "memwiki_search_stream", "Each stream's part.", ("stream", STREAM_NAMES))

    def _tell_stage(self, work: str, name: str, told: str, label: tuple[str, Iterable[str]] | None) -> Iterator[Metric]:
        """Tell the times of one kind of work, and how many failed; each sort is there from the start."""
        found = self._meter.list_times(work)
        if label is None:
            yield _seconds(f"{name}_seconds", told, "", found or {"": Times()})
            return
        by_sort = {str(sort): found.get(str(sort), Times()) for sort in label[1]}
        yield _seconds(f"{name}_seconds", told, label[0], by_sort)
        failed = CounterMetricFamily(f"{name}_failed", f"{told} Those that failed.", labels=(label[0],))
        for sort, times in by_sort.items():
            failed.add_metric((sort,), times.failed)
        yield failed


class _Parts(Collector):
    """Asks each part how it is."""

    def __init__(self, runtime: Runtime) -> None:
        self._runtime = runtime

    def collect(self) -> Iterator[Metric]:
        """Ask now."""
        yield from self._collect_flow()
        yield from self._collect_stores()
        yield from self._collect_backups()
        yield from self._collect_upkeep()
        yield from self._collect_capture()

    def _collect_flow(self) -> Iterator[Metric]:
        runtime = self._runtime
        writer, worker = runtime.writer.stats, runtime.worker.stats
        yield _gauge("memwiki_writer_queue", "Writes that wait for the disk.", writer.depth)
        yield _gauge("memwiki_writer_failing", "1 while events cannot be saved.", float(writer.is_failing))
        yield _count("memwiki_writer_commits", "Group commits of state.", writer.commits)
        yield _gauge(
            "memwiki_writer_fsync_max_seconds", "The slowest commit since the start.", writer.commit_ms_max / 1000
        )
        yield from self._collect_reading()
        yield _count("memwiki_jobs_done", "Jobs that came to their end.", worker.done)
        yield _count("memwiki_jobs_failed", "Tries of jobs that failed.", worker.failed)
        yield _gauge(
            "memwiki_writer_lock_wait_max_seconds", "The longest wait for state's lock.", writer.lock_wait_ms_max / 1000
        )
        waiting = GaugeMetricFamily("memwiki_jobs", "Jobs by their state.", labels=("state",))
        stored, heard, observed = runtime.engine.read(_read_counts)
        for state, count in stored.items():
            waiting.add_metric((state,), count)
        yield waiting
        yield _gauge("memwiki_sessions", "Sessions in state.", heard)
        yield _gauge("memwiki_observations", "Observations, sealed ones included.", observed)
        dropped = CounterMetricFamily("memwiki_events_dropped", "Events not kept, and why.", labels=("reason",))
        counts = runtime.drops.list_counts()
        dropped.add_metric(("policy",), sum(count.by_policy for count in counts))
        dropped.add_metric(("purged",), sum(count.purged for count in counts))
        yield dropped

    def _collect_reading(self) -> Iterator[Metric]:
        reader = self._runtime.reader.stats
        yield _gauge("memwiki_reader_running", "1 while a second process reads events.", float(reader.is_running))
        yield _count("memwiki_reader_starts", "How often it was started.", reader.starts)
        yield _count("memwiki_reader_faults", "How often it did not start, or answer.", reader.faults)
        read = CounterMetricFamily("memwiki_events_read", "Events read, by which process.", labels=("process",))
        read.add_metric(("server",), reader.read_here)
        read.add_metric(("reader",), reader.read_beside)
        yield read

    def _collect_stores(self) -> Iterator[Metric]:
        runtime = self._runtime
        git, progress = runtime.committer.stats, runtime.index.progress
        yield _gauge("memwiki_index_rebuilding", "1 while the index is made anew.", float(progress is not None))
        left = 0 if progress is None else max(0, progress.total - progress.done)
        yield _gauge("memwiki_index_lag_pages", "Pages that a rebuild has still to index.", left)
        yield _gauge("memwiki_index_waiting_pages", "Pages that the index could not take yet.", _count_waiting(runtime))
        yield _gauge("memwiki_git_pending", "Changes of the wiki that are not committed.", git.pending)
        yield _gauge("memwiki_git_lag_seconds", "How long the oldest of them waits.", git.lag_seconds)
        yield _count("memwiki_git_commits", "Commits of the wiki since the start.", git.commits)
        sizes = runtime.sizes.measure()
        folders = GaugeMetricFamily("memwiki_folder_bytes", "What each folder takes.", labels=("folder",))
        for folder in sizes.folders:
            folders.add_metric((folder.name,), folder.size_bytes)
        yield folders
        tables = GaugeMetricFamily("memwiki_table_rows", "Rows of each table.", labels=("table",))
        for table in sizes.tables:
            tables.add_metric((table.name,), table.rows)
        yield tables
        space = GaugeMetricFamily("memwiki_table_bytes", "What each table takes with its indexes.", labels=("table",))
        for table in sizes.tables:
            space.add_metric((table.name,), table.size_bytes)
        yield space
        yield _gauge("memwiki_disk_free_bytes", "What the data directory's disk has left.", runtime.disk.measure_free())

    def _collect_backups(self) -> Iterator[Metric]:
        runtime = self._runtime
        data_dir, now = runtime.backups.source.data_dir, runtime.clock.now()
        made, drill = records.read_backup_record(data_dir), records.read_drill_record(data_dir)
        if made is not None:
            yield _gauge("memwiki_backup_age_seconds", "Since the last good backup.", (now - made.at).total_seconds())
            yield _gauge("memwiki_backup_bytes", "What the last good backup takes.", made.size)
        if drill is not None:
            yield _gauge("memwiki_drill_age_seconds", "Since the last drill.", (now - drill.at).total_seconds())
            yield _gauge("memwiki_drill_passed", "1 if the last drill found no fault.", float(drill.passed))
        yield _gauge(
            "memwiki_backup_failing", "1 while the scheduled backup fails.", float(bool(runtime.backups.last_error))
        )
        drills = runtime.drills
        yield _gauge(
            "memwiki_drill_failing", "1 while the schedule cannot try a backup.", float(bool(drills.last_error))
        )
        yield _gauge("memwiki_drill_overdue", "1 while the last drill is too old.", float(drills.is_overdue()))
        yield _gauge("memwiki_up_seconds", "Since the server's start.", (now - runtime.started_at).total_seconds())
        told = GaugeMetricFamily("memwiki_build", "Always 1; the release is a label.", labels=("version",))
        told.add_metric((runtime.version,), 1)
        yield told

    def _collect_upkeep(self) -> Iterator[Metric]:
        stats, last = self._runtime.idle_work.stats, self._runtime.idle_work.last
        if last is not None:
            age = (self._runtime.clock.now() - last.at).total_seconds()
            yield _gauge("memwiki_maintenance_age_seconds", "Since stores were last looked after.", age)
        freed = CounterMetricFamily("memwiki_maintenance_freed_bytes", "What that freed.", labels=("store",))
        for store, size in stats.freed.items():
            freed.add_metric((store,), size)
        yield freed
        yield _gauge("memwiki_maintenance_failing", "1 while it fails.", float(bool(stats.last_error)))
        if stats.objects is not None:
            yield _gauge("memwiki_git_loose_objects", "Git's objects in files of their own.", stats.objects.loose)
            yield _gauge("memwiki_git_packs", "Git's packs.", stats.objects.packs)

    def _collect_capture(self) -> Iterator[Metric]:
        capture = capture_report.summarise(self._runtime)
        faults = GaugeMetricFamily("memwiki_capture_faults", "What keeps work from being recorded.", labels=("fault",))
        for kind in FaultKind:
            faults.add_metric((kind,), capture.faults[kind])
        yield faults
        yield _gauge("memwiki_spooled_events", "Events that wait on clients, as they last said.", capture.spooled)
        yield _count("memwiki_lost_events", "Events that clients had to give up.", capture.lost)
        if capture.last_event_at is not None:
            age = (self._runtime.clock.now() - capture.last_event_at).total_seconds()
            yield _gauge("memwiki_last_event_age_seconds", "Since any agent was last heard of.", age)


def _count_waiting(runtime: Runtime) -> int:
    return runtime.wiki.unindexed.count()


def _seconds(name: str, told: str, label: str, found: Mapping[str, Times]) -> HistogramMetricFamily:
    family = HistogramMetricFamily(name, told, labels=(label,) if label else ())
    bounds = [*(str(bound) for bound in BOUNDS), "+Inf"]
    for sort, times in sorted(found.items()):
        family.add_metric((sort,) if label else (), list(zip(bounds, times.list_below(), strict=True)), times.total)
    return family


def _read_counts(conn: ReadConnection) -> tuple[dict[str, int], int, int]:
    stored = {str(state): count for state, count in jobs.count_jobs(conn).items()}
    return stored, sessions.count_sessions(conn), verbatim.count_session_observations(conn)


def _gauge(name: str, told: str, value: float) -> GaugeMetricFamily:
    return GaugeMetricFamily(name, told, value=value)


def _count(name: str, told: str, value: float) -> CounterMetricFamily:
    return CounterMetricFamily(name, told, value=value)
