"""The server with an immediate acknowledgement in place of its store: what `memwiki bench ingest` holds ingest against.

It parses, adapts, routes, excludes and redacts as ever, and keeps nothing; only the bench starts it.
"""

import asyncio
import json
import sys
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Final

from app import wiring
from app.capture.arrival import Arrival
from app.capture.outcome import IngestOutcome, IngestStatus
from app.config import load_settings
from app.entrypoints.cli import serve
from app.state.writer import Waiter
from app.wiring import Runtime

_STORED: Final = IngestOutcome(IngestStatus.STORED)


class StorelessRuntime(Runtime):
    """A runtime that says of every event that it is stored."""

    async def store_arrival(self, arrival: Arrival) -> IngestOutcome:
        """Acknowledge one event."""
        del arrival
        return _STORED

    def queue_arrival(self, arrival: Arrival, waiter: Waiter[IngestOutcome]) -> None:
        """Acknowledge one event."""
        del arrival
        asyncio.get_running_loop().call_soon(waiter.set_result, _STORED)

    async def store_arrivals(self, arrivals: Sequence[Arrival]) -> list[IngestOutcome]:
        """Acknowledge a batch."""
        return [_STORED] * len(arrivals)


def main() -> None:
    """Serve the data directory that the first argument names, on a free port, and say which in one line of JSON."""
    read = partial(load_settings, data_dir=Path(sys.argv[1]), port=0)
    serve.run_server(read, _announce, build=partial(wiring.build_runtime, make=StorelessRuntime))


def _announce(url: str) -> None:
    sys.stdout.write(json.dumps({"url": url}) + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
