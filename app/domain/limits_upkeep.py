"""Bounds of what the server does for its own stores while nobody asks for anything, drills among it."""

from typing import Final

# Nobody must have asked for anything for so long before idle work goes on, and it looks again before each step.
IDLE_SECONDS: Final = 5.0
IDLE_LOOK_SECONDS: Final = 60.0
# Full text is merged into one piece at most so often, and only when it lies in so many.
MERGE_PAUSE_SECONDS: Final = 24 * 3600
MERGE_PIECES_MIN: Final = 8
MERGE_PAGES_PER_STEP: Final = 64
INDEX_PAGES_GIVEN_BACK_PER_STEP: Final = 100
# Of the wiki's git: objects in files of their own, and packs, that are put together when there are so many. A server
# that never rests does it at four times as many.
GIT_LOOK_SECONDS: Final = 600
GIT_LOOSE_OBJECTS_MAX: Final = 2000
GIT_PACKS_MAX: Final = 20
GIT_NEVER_IDLE_TIMES: Final = 4
GIT_PACK_SECONDS_MAX: Final = 1800.0
GIT_PACK_STOP_SECONDS_MAX: Final = 5.0
MAINTAIN_SECONDS_MAX: Final = 3600.0
GIT_PACK_MEMORY_MIB: Final = 64
# A drill by the schedule: for how long it may go on, after how long one that could not be run is tried again, and how
# long it waits for a quiet moment.
DRILL_DAYS: Final = 7
DRILL_DAYS_MAX: Final = 366
DRILL_SECONDS_MAX: Final = 3600.0
DRILL_STOP_SECONDS_MAX: Final = 5.0
DRILL_RETRY_SECONDS: Final = 3600
DRILL_PATIENCE_SECONDS: Final = 24 * 3600
# What is restored takes the room of the original, and a bundle of git beside it.
DRILL_ROOM_TIMES: Final = 2
DRILL_FAULTS_TOLD_MAX: Final = 10
# Copies of the database that upgrades leave beside it; a good backup lets older ones go.
STATE_COPIES_KEPT_MAX: Final = 2
# Pages in which secrets are looked for again, at one look.
SECRETS_RENEWED_AT_ONCE: Final = 50
