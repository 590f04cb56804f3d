"""The bounds of moving projects about and of taking a person's own along."""

from typing import Final

# Of one manifest; capture takes as many from a marker in one go, and names add up over the years.
ALIASES_MAX: Final = 500
# A move waits at most this long until whoever is saving a page in the project is done.
MOVE_WAIT_SECONDS_MAX: Final = 30
# Pages, rows and history of a large project are moved or deleted while a person waits.
LONG_REQUEST_SECONDS_MAX: Final = 3600
# While git is locked, a move goes on without its commits, which follow.
MOVE_COMMIT_SECONDS_MAX: Final = 20
CONFLICTS_SHOWN_MAX: Final = 100
PAGES_SHOWN_MAX: Final = 1000
# Distinct keys under which the sessions of one project teach something.
LESSON_KEYS_MAX: Final = 1_000_000

# Rows of a person that are read at a time, so that taking them along costs no memory.
EXPORT_ROWS_PER_READ: Final = 500
EXPORT_COMMITS_MAX: Final = 1_000_000
