"""A program that writes until the kernel refuses to let files grow, is given room, and writes on.

Usage: limited_writer.py DATABASE; prints what was acknowledged and the errors' codes as JSON.
"""

import json
import resource
import sys
from functools import partial
from pathlib import Path

from app.domain.errors import AppError
from app.state import engine
from app.state.writer import Writer
from tests.state import builders

ROOM_BYTES = 400_000
ATTEMPTS = 400


def main() -> None:
    opened = engine.open_engine(engine.build_sqlite_url(Path(sys.argv[1])))
    writer = Writer(opened)
    writer.start()
    writer.submit(builders.seed).result(builders.WAIT_SECONDS)
    acknowledged: list[int] = []
    codes: list[str] = []
    hard = resource.getrlimit(resource.RLIMIT_FSIZE)[1]
    resource.setrlimit(resource.RLIMIT_FSIZE, (ROOM_BYTES, hard))
    for number in range(ATTEMPTS):
        if len(codes) == 3:
            resource.setrlimit(resource.RLIMIT_FSIZE, (hard, hard))
        text = f"{number} " + "x" * 4000
        try:
            writer.submit(partial(builders.store_text, text=text)).result(builders.WAIT_SECONDS)
        except AppError as error:
            codes.append(error.code)
        else:
            acknowledged.append(number)
    writer.stop()
    stored = [int(text.split()[0]) for text in opened.read(builders.list_texts)]
    opened.close()
    print(json.dumps({"acknowledged": acknowledged, "stored": stored, "codes": codes}))


main()
