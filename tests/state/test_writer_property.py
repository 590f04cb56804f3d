"""Whatever mix of jobs arrives, what was acknowledged is what is stored, in the order of acknowledgement."""

import asyncio
import shutil
import tempfile
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Literal

import sqlalchemy as sa
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from app.state import engine, observations
from app.state.engine import WriteConnection
from app.state.writer import Writer
from tests.state import builders
from tests.state.builders import WAIT_SECONDS

Step = Literal["store", "raise", "raise_odd", "item", "poison", "refuse"]
STEPS: tuple[Step, ...] = ("store", "store", "item", "item", "raise", "raise_odd", "poison", "refuse")


class Odd(BaseException):
    """Not an Exception."""


def store_alone(step: Step, text: str, conn: WriteConnection) -> str:
    if step == "refuse":
        conn.execute(sa.text("PRAGMA query_only = ON"))
    builders.store_text(conn, text)
    if step == "raise":
        raise ValueError
    if step == "raise_odd":
        raise Odd
    return text


def store_items(conn: WriteConnection, items: Sequence[tuple[Step, str]]) -> list[str]:
    observations.insert_observations(conn, [builders.observation(text) for _, text in items])
    if any(step == "poison" for step, _ in items):
        raise ValueError
    return [text for _, text in items]


async def send(writer: Writer, steps: Sequence[Step]) -> list[str]:
    """Send every step at once and tell what was acknowledged, in the order sent."""
    waits = [
        writer.write_item(store_items, (step, f"{number}"))
        if step in {"item", "poison"}
        else writer.write(partial(store_alone, step, f"{number}"))
        for number, step in enumerate(steps)
    ]
    answers = await asyncio.wait_for(asyncio.gather(*waits, return_exceptions=True), WAIT_SECONDS)
    return [answer for answer in answers if isinstance(answer, str)]


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    rounds=st.lists(st.lists(st.sampled_from(STEPS), max_size=12), min_size=1, max_size=3),
    batch_max=st.integers(1, 8),
)
def test_acknowledged_equals_stored(migrated_file: Path, rounds: list[list[Step]], batch_max: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = shutil.copy(migrated_file, Path(folder) / "state.db")
        opened = engine.open_engine(engine.build_sqlite_url(Path(path)))
        writer = Writer(opened, batch_max=batch_max, linger_ms=0)
        writer.start()
        writer.submit(builders.seed).result(WAIT_SECONDS)

        acknowledged = [asyncio.run(send(writer, steps)) for steps in rounds]
        writer.stop()
        stored = opened.read(builders.list_texts)
        opened.close()

    assert stored == [text for texts in acknowledged for text in texts]
