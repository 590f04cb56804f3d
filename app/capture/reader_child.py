"""The process that reads events for a server under load; `app/capture/reader.py` starts it and speaks with it.

It keeps nothing, opens nothing, and ends with the server: when the other end of its only socket is closed, however
that came about.
"""

import gc
import os
import pickle
import signal
import socket
from contextlib import suppress
from typing import Final

from app.capture import hook_request, reader_frames

_ORDERS: Final = ("SIGINT", "SIGTERM", "SIGHUP")
_GC_THRESHOLDS: Final = (100_000, 20, 50)


def main() -> None:
    """Answer what the server sends over standard input, until it has gone."""
    # A terminal and a service manager signal the server's children as well; the server still has use for this one.
    for name in _ORDERS:
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), signal.SIG_IGN)
    with socket.socket(fileno=os.dup(0)) as channel, suppress(OSError):
        _close_standard_files()
        gc.collect()
        gc.freeze()
        gc.set_threshold(*_GC_THRESHOLDS)
        reader_frames.send_frame(channel, reader_frames.READY)
        while (frame := reader_frames.receive_frame(channel)) is not None:
            reader_frames.send_frame(channel, _answer(frame))


def _answer(frame: bytes) -> bytes:
    """Read what a frame holds; of what cannot be read the server makes the answer itself."""
    try:
        job: hook_request.ReadingJob[object] = pickle.loads(frame)  # noqa: S301 - from the server that started this process
        return pickle.dumps(job.read(), pickle.HIGHEST_PROTOCOL)
    except Exception:  # noqa: BLE001 - the process's boundary: the server meets the same fault, and answers it
        return reader_frames.NO_ANSWER


def _close_standard_files() -> None:
    nothing = os.open(os.devnull, os.O_RDWR)
    for number in (0, 1):
        os.dup2(nothing, number)
    os.close(nothing)


if __name__ == "__main__":
    main()
