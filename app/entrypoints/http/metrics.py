"""What Prometheus is told: counts of requests as they came, and the state of each part as it is when asked."""

from collections.abc import Iterator

from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily, Metric
from prometheus_client.registry import Collector

from app.entrypoints.http.tally import BOUNDS, Tally
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
        seconds = HistogramMetricFamily("memwiki_request_seconds", "How long answers took.", labels=("area",))
        for area, times in sorted(self._tally.times.items()):
            bounds = [*(str(bound) for bound in BOUNDS), "+Inf"]
            seconds.add_metric((area,), list(zip(bounds, times.list_below(), strict=True)), times.total)
        yield seconds


class _Parts(Collector):
    """Asks each part how it is."""

    def __init__(self, runtime: Runtime) -> None:
        self._runtime = runtime

    def collect(self) -> Iterator[Metric]:
        """Ask now."""
        yield from self._collect_flow()
        yield from self._collect_stores()
        yield from self._collect_backups()

    def _collect_flow(self) -> Iterator[Metric]:
        runtime = self._runtime
        writer, worker = runtime.writer.stats, runtime.worker.stats
        yield _gauge("memwiki_writer_queue", "Writes that wait for the disk.", writer.depth)
        yield _gauge("memwiki_writer_failing", "1 while events cannot be saved.", float(writer.is_failing))
        yield _count("memwiki_writer_commits", "Group commits of state.", writer.commits)
        yield _gauge(
            "memwiki_writer_fsync_max_seconds", "The slowest commit since the start.", writer.commit_ms_max / 1000
        )
        yield _count("memwiki_jobs_done", "Jobs that came to their end.", worker.done)
        yield _count("memwiki_jobs_failed", "Tries of jobs that failed.", worker.failed)
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

    def _collect_stores(self) -> Iterator[Metric]:
        runtime = self._runtime
        git, progress = runtime.committer.stats, runtime.index.progress
        yield _gauge("memwiki_index_rebuilding", "1 while the index is made anew.", float(progress is not None))
        left = 0 if progress is None else max(0, progress.total - progress.done)
        yield _gauge("memwiki_index_lag_pages", "Pages that a rebuild has still to index.", left)
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
        yield _gauge("memwiki_up_seconds", "Since the server's start.", (now - runtime.started_at).total_seconds())
        told = GaugeMetricFamily("memwiki_build", "Always 1; the release is a label.", labels=("version",))
        told.add_metric((runtime.version,), 1)
        yield told


def _read_counts(conn: ReadConnection) -> tuple[dict[str, int], int, int]:
    stored = {str(state): count for state, count in jobs.count_jobs(conn).items()}
    return stored, sessions.count_sessions(conn), verbatim.count_session_observations(conn)


def _gauge(name: str, told: str, value: float) -> GaugeMetricFamily:
    return GaugeMetricFamily(name, told, value=value)


def _count(name: str, told: str, value: float) -> CounterMetricFamily:
    return CounterMetricFamily(name, told, value=value)
