"""Protocols for the time of day and for new ids; both are passed in, never called globally."""

from datetime import datetime, timedelta
from typing import Protocol


class Clock(Protocol):
    """Tells the time."""

    def now(self) -> datetime:
        """Tell the moment, aware and in UTC."""
        ...


class IdSource(Protocol):
    """Makes ids that sort by the time they were made and secrets that nobody can guess."""

    def new_id(self) -> str:
        """Make an id of 26 lower-case letters and digits, greater than any made a millisecond earlier."""
        ...

    def new_secret(self) -> str:
        """Make a URL-safe secret of 256 random bits."""
        ...


def has_passed(since: datetime | None, now: datetime, pause: timedelta) -> bool:
    """Tell whether a pause is over; it is, too, if it never began or if the clock was set back meanwhile.

    What is done now and then would otherwise stop for as long as the clock had been wrong.
    """
    return since is None or not timedelta(0) <= now - since < pause
