"""`Meter` counts how long the parts of a server took for their work, and tells of what took too long."""

import threading
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from typing import TYPE_CHECKING, Final

from app.domain.durations import Times

if TYPE_CHECKING:
    from app.state.spans import Spans


_NOTHING: Final[AbstractContextManager[None]] = nullcontext()


class Meter:
    """The times of one server's work, by what was done and of which sort; safe on any thread.

    What took `slow_ms` or longer is told, with what it was done to; 0 tells of nothing. A collector of traces is
    told of all of it, where there is one.
    """

    def __init__(
        self, slow_ms: int = 0, tell: Callable[[str], None] = lambda _: None, spans: "Spans | None" = None
    ) -> None:
        self.slow_ms, self.spans = slow_ms, spans
        self._tell = tell
        self._guard = threading.Lock()
        self._times: dict[tuple[str, str], Times] = {}

    def note(self, work: str, sort: str, seconds: float, *, subject: str = "", is_failed: bool = False) -> None:
        """Count a piece of work."""
        with self._guard:
            times = self._times.get((work, sort))
            if times is None:
                times = self._times[work, sort] = Times()
            times.note(seconds)
            times.failed += is_failed
        self.tell_slow(" ".join(filter(None, (work, sort, subject))), seconds)
        if self.spans is not None:
            self.spans.note(work, sort, seconds, subject=subject, is_failed=is_failed)

    def cover(self, work: str) -> AbstractContextManager[None]:
        """Have what is noted meanwhile stand below this work, where it is told to a collector of traces."""
        return _NOTHING if self.spans is None else self.spans.cover(work)

    def tell_slow(self, what: str, seconds: float) -> None:
        """Tell of something if it took too long."""
        if self.slow_ms and seconds * 1000 >= self.slow_ms:
            self._tell(f"slow: {what} took {seconds * 1000:.0f} ms")

    def list_times(self, work: str) -> dict[str, Times]:
        """List what was counted of one kind of work, by its sort."""
        with self._guard:
            found = [(sort, each) for (name, sort), each in self._times.items() if name == work]
            return {sort: Times(list(each.counts), each.total, each.failed) for sort, each in found}
