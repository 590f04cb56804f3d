"""Why an event is not taken, as leaves of the tree in `errors.py`."""

from app.domain.errors import Busy, NotFound


class EventPurged(NotFound):
    """What the event belongs to was deleted; the client should drop it, not retry."""

    code = "refused_purged"

    def __init__(self, reason: str) -> None:
        self.reason = reason
        super().__init__(f"the event is refused: {reason}")


class RateLimited(Busy):
    """Events come faster than the settings allow."""

    code = "rate_limited"

    def __init__(self, retry_after_ms: int) -> None:
        self.retry_after_ms = retry_after_ms
        super().__init__(f"events come faster than this server takes them; try again in {retry_after_ms} ms")
