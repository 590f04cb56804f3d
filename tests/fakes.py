"""Fakes for what tests must control: the clock, new ids, and the model that turns text into vectors."""

import array
import math
import zlib
from datetime import UTC, datetime, timedelta

from app.index.embed import EmbedderName


class FakeClock:
    """A clock that moves only when told to."""

    def __init__(self, start: datetime = datetime(2026, 11, 30, 12, 0, tzinfo=UTC)) -> None:
        self.moment = start

    def now(self) -> datetime:
        return self.moment

    def advance(self, seconds: float) -> None:
        self.moment += timedelta(seconds=seconds)


class FakeIds:
    """Ids in counting order, so that stored values are predictable."""

    def __init__(self) -> None:
        self.count = 0

    def new_id(self) -> str:
        self.count += 1
        return f"id{self.count:024d}"

    def new_secret(self) -> str:
        self.count += 1
        return f"secret-{self.count:032d}"


class FakeEmbedder:
    """A model that knows a few things by several words; all others are only themselves, and count little."""

    THINGS = (
        frozenset({"postgres", "database", "tables", "relational"}),
        frozenset({"deploy", "release", "ship", "rollout"}),
        frozenset({"car", "vehicle", "automobile"}),
    )

    def __init__(self, model: str = "fake", revision: str = "1", *, turn: int = 0) -> None:
        self.name = EmbedderName(model, revision)
        self.turn = turn
        self.texts: list[str] = []

    def embed(self, text: str) -> bytes:
        self.texts.append(text)
        values = [0.0] * 16
        for word in text.lower().replace(".", " ").replace("?", " ").split():
            known = [number for number, thing in enumerate(self.THINGS) if word in thing]
            place = known[0] if known else 3 + zlib.crc32(word.encode()) % 13
            values[(place + self.turn) % 16] += 1.0 if known else 0.1
        length = math.sqrt(sum(value * value for value in values)) or 1.0
        return array.array("f", [value / length for value in values]).tobytes()
