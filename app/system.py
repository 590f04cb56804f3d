"""What the machine itself says: its clock, new ids and the release; wiring and the command line hand it in."""

import secrets
import time
from datetime import UTC, datetime
from importlib.metadata import version
from typing import Final

_CROCKFORD: Final = "0123456789abcdefghjkmnpqrstvwxyz"
# Two characters at once: each request takes an id.
_PAIRS: Final = tuple(first + second for first in _CROCKFORD for second in _CROCKFORD)
_PAIR_SHIFTS: Final = tuple(range(120, -1, -10))


class SystemClock:
    """The machine's clock."""

    def now(self) -> datetime:
        """Tell the moment."""
        return datetime.now(UTC)  # noqa: TID251 - this is the clock that others are given


class RandomIds:
    """Ids of 48 bits of time and 80 random bits, as 26 characters that sort by time; secrets of 256 random bits."""

    def new_id(self) -> str:
        """Make an id."""
        value = (time.time_ns() // 1_000_000) << 80 | int.from_bytes(secrets.token_bytes(10))
        return "".join([_PAIRS[(value >> shift) & 1023] for shift in _PAIR_SHIFTS])

    def new_secret(self) -> str:
        """Make a secret."""
        return secrets.token_urlsafe(32)


def find_version() -> str:
    """Find the version of the installed release."""
    return version("memwiki")
