"""Counts requests as they come: plain numbers, which cost nothing until somebody asks for them."""

from app.domain.durations import Times


class Tally:
    """The counts of one server; written on its event loop alone, and read anywhere."""

    def __init__(self) -> None:
        self.requests: dict[tuple[str, int], int] = {}
        self.times: dict[str, Times] = {}

    def note(self, area: str, status: int, seconds: float) -> None:
        """Count one request."""
        self.requests[area, status] = self.requests.get((area, status), 0) + 1
        times = self.times.get(area)
        if times is None:
            times = self.times[area] = Times()
        times.note(seconds)
