"""The server on a clock that can be set forward: what `memwiki bench soak` lives through weeks with in minutes.

All else is as ever; only the bench starts it. Each line on standard input says by how many seconds the clock differs
from the machine's; when there is no one left to write any, the server stops.
"""

import json
import os
import signal
import sys
import threading
from collections.abc import Iterable
from datetime import datetime, timedelta
from functools import partial
from pathlib import Path

from app import wiring
from app.config import load_settings
from app.entrypoints.cli import serve
from app.system import SystemClock
from app.wiring import Runtime


class ShiftedClock:
    """The machine's clock, shifted."""

    def __init__(self) -> None:
        self._real = SystemClock()
        self._shift = timedelta(0)

    def now(self) -> datetime:
        """Tell the moment."""
        return self._real.now() + self._shift

    def follow(self, lines: Iterable[str]) -> None:
        """Take each line as the new difference, until there are none any more."""
        for line in lines:
            self._shift = timedelta(seconds=int(line))


def main() -> None:
    """Serve the data directory that the first argument names, on a free port, and say which in one line of JSON."""
    clock = ShiftedClock()
    # What stands in the second argument holds from the start on, before anything is written.
    clock.follow(sys.argv[2:3])
    threading.Thread(target=_follow, args=(clock,), name="shifts", daemon=True).start()
    read = partial(load_settings, data_dir=Path(sys.argv[1]), port=0)
    serve.run_server(read, _announce, build=partial(wiring.build_runtime, make=partial(Runtime, clock=clock)))


def _follow(clock: ShiftedClock) -> None:
    clock.follow(sys.stdin)
    # A bench that was killed cannot stop what it started.
    os.kill(os.getpid(), signal.SIGTERM)


def _announce(url: str) -> None:
    sys.stdout.write(json.dumps({"url": url}) + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
