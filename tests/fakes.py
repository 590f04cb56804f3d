"""Fakes for what tests must control: the clock and new ids."""

from datetime import UTC, datetime, timedelta


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
