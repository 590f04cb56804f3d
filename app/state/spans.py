"""`Spans` tells an OpenTelemetry collector what the server did and for how long: names, times and ids, never content.

It needs the extra `traces` and is imported only where a collector is set. The official SDK sends on a thread of its own
with a bounded queue: no request waits for a collector, and one that is away costs spans, not memory.
"""

import logging
import os
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Final

from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor, SpanExporter, SpanExportResult
from opentelemetry.sdk.trace.sampling import ParentBasedTraceIdRatio
from opentelemetry.trace import Span, StatusCode
from requests import Session

from app.domain.limits_traces import (
    SPAN_SECONDS_BETWEEN_SENDS,
    SPANS_PER_SEND,
    SPANS_SEND_SECONDS_MAX,
    SPANS_STOP_SECONDS_MAX,
    SPANS_WAITING_MAX,
)

_LOG = logging.getLogger(__name__)
_PATH: Final = "/v1/traces"
_NS: Final = 1_000_000_000
_FAILED_STATUS: Final = 500
# How long something waited is a figure, and no work.
_UNTOLD: Final = frozenset({"page"})


@dataclass(frozen=True, slots=True)
class TracesWanted:
    """Where spans go, with which headers, of which share of the work there are any, and who sends them."""

    endpoint: str
    headers: Mapping[str, str]
    share: float
    version: str
    instance: str


@dataclass(frozen=True, slots=True)
class _Opened:
    """Work under way; what is noted of the same work goes to its span, and of other work below it."""

    work: str
    span: Span


_OPENED: ContextVar[_Opened | None] = ContextVar("memwiki_span", default=None)


class Sender(SpanExporter):
    """Sends batches, and says once that a collector is away, and once that it is back."""

    def __init__(self, wanted: TracesWanted) -> None:
        session = Session()
        # As everything else here: no proxy and no password of the environment, and certificates by SSL_CERT_FILE.
        session.trust_env = False
        self.url = wanted.endpoint.rstrip("/") + _PATH
        self._inner = OTLPSpanExporter(
            endpoint=self.url,
            headers=dict(wanted.headers),
            certificate_file=os.environ.get("SSL_CERT_FILE"),
            timeout=SPANS_SEND_SECONDS_MAX,
            session=session,
        )
        self.last_error = ""

    def export(self, spans: Sequence[ReadableSpan]) -> SpanExportResult:
        """Send a batch."""
        result = self._inner.export(spans)
        if result is SpanExportResult.SUCCESS:
            if self.last_error:
                _LOG.warning("traces are sent to %s again", self.url)
            self.last_error = ""
        elif not self.last_error:
            self.last_error = f"{self.url} does not take them"
            _LOG.warning("traces are lost for now: %s", self.last_error)
        return result

    def shutdown(self) -> None:
        """Give up what is being sent."""
        self._inner.shutdown()  # type: ignore[no-untyped-call]


class Spans:
    """The spans of one server; safe on any thread."""

    def __init__(self, wanted: TracesWanted) -> None:
        # What the SDK says itself would fill the log for as long as a collector is away.
        logging.getLogger("opentelemetry").setLevel(logging.CRITICAL + 1)
        self.sender = Sender(wanted)
        about = {"service.name": "memwiki", "service.version": wanted.version, "service.instance.id": wanted.instance}
        self._provider = TracerProvider(
            sampler=ParentBasedTraceIdRatio(wanted.share), resource=Resource.create(about), shutdown_on_exit=False
        )
        batching = BatchSpanProcessor(
            self.sender,
            max_queue_size=SPANS_WAITING_MAX,
            max_export_batch_size=SPANS_PER_SEND,
            schedule_delay_millis=SPAN_SECONDS_BETWEEN_SENDS * 1000,
        )
        self._provider.add_span_processor(batching)
        self._tracer = self._provider.get_tracer("memwiki", wanted.version)

    @property
    def last_error(self) -> str:
        """Say why nothing can be sent at present; empty otherwise."""
        return self.sender.last_error

    def note(self, work: str, sort: str, seconds: float, *, subject: str = "", is_failed: bool = False) -> None:
        """Tell of a piece of work that is done: of the one under way, or of one below it."""
        if work in _UNTOLD:
            return
        opened = _OPENED.get()
        known = {"memwiki.sort": sort, "memwiki.id": subject}
        about = {name: value for name, value in known.items() if value}
        if opened is not None and opened.work == work:
            _mark(opened.span, about, is_failed=is_failed)
            return
        now = time.time_ns()
        span = self._tracer.start_span(work, start_time=now - round(seconds * _NS), attributes=about)
        _mark(span, {}, is_failed=is_failed)
        span.end(now)

    @contextmanager
    def cover(self, work: str) -> Iterator[None]:
        """Have a span for as long as work goes on; what is noted meanwhile of other work stands below it."""
        with self._tracer.start_as_current_span(work, record_exception=False, set_status_on_exception=False) as span:
            mark = _OPENED.set(_Opened(work, span))
            try:
                yield
            except BaseException:
                span.set_status(StatusCode.ERROR)
                raise
            finally:
                _OPENED.reset(mark)

    def name_request(self, method: str, route: str, status: int, request_id: str) -> None:
        """Say of the request under way what it asked for, by its route alone, and what became of it."""
        opened = _OPENED.get()
        assert opened is not None, "the request is covered"
        opened.span.update_name(f"{method} {route}")
        about: dict[str, str | int] = {
            "http.request.method": method,
            "http.route": route,
            "http.response.status_code": status,
            "memwiki.request_id": request_id,
        }
        _mark(opened.span, about, is_failed=status >= _FAILED_STATUS)

    def close(self) -> None:
        """Send what waits, for a moment; a collector that is away holds up no stop."""
        closing = threading.Thread(target=self._provider.shutdown, name="spans-closing", daemon=True)
        closing.start()
        closing.join(SPANS_STOP_SECONDS_MAX)


def _mark(span: Span, about: Mapping[str, str | int], *, is_failed: bool) -> None:
    span.set_attributes(dict(about))
    if is_failed:
        span.set_status(StatusCode.ERROR)
