"""Bounds of the audit trail and of administration: how much is read, kept and said at a time."""

from typing import Final

PEOPLE_NAMED_MAX: Final = 100_000

# Anybody may send what is refused, so that each address is written down so often and then counted.
DENIALS_NOTED_PER_ADDRESS: Final = 20
DENIALS_WINDOW_SECONDS: Final = 600
DENIED_ADDRESSES_TRACKED_MAX: Final = 10_000

# A checkpoint is a commit, so that there is at most one an hour, and one more at a stop.
CHECKPOINT_SECONDS: Final = 3600
TRAIL_LOOK_SECONDS: Final = 60
CHECKPOINT_COMMITS_READ_MAX: Final = 20_000
# As much leaves the trail in one transaction.
TRAIL_ROWS_RETIRED_PER_WRITE: Final = 10_000
TRAIL_FILTER_CHARS_MAX: Final = 200
TRAIL_ROWS_ON_A_PAGE: Final = 50
# What commands left beside the server, which writes it into the trail.
LEFT_DEEDS_PER_LOOK: Final = 1000
LEFT_DEED_BYTES_MAX: Final = 64 * 1024
# So many of the last rows are looked at to know a deed that a killed server had taken over already.
LEFT_DEEDS_KNOWN_ROWS: Final = 2000
