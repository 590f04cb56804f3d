"""A program that writes from many threads and prints each text once it is acknowledged, until it is killed.

Usage: acknowledging_writer.py DATABASE
"""

import sys
import threading
from functools import partial
from pathlib import Path

from app.state import engine
from app.state.writer import Writer
from tests.state import builders

THREADS = 8


def write_on(writer: Writer, thread: int, output: threading.Lock) -> None:
    number = 0
    while True:
        text = f"{thread}-{number}"
        writer.submit(partial(builders.store_text, text=text)).result(builders.WAIT_SECONDS)
        with output:
            print(text, flush=True)
        number += 1


def main() -> None:
    writer = Writer(engine.open_engine(engine.build_sqlite_url(Path(sys.argv[1]))))
    writer.start()
    writer.submit(builders.seed).result(builders.WAIT_SECONDS)
    output = threading.Lock()
    for thread in range(THREADS):
        threading.Thread(target=write_on, args=(writer, thread, output)).start()


main()
