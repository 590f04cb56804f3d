"""Bounds of what `memwiki doctor` looks at, and from when on it warns."""

# Of a long list of places, so many are named.
NAMED_MAX = 5
# A secret of fewer characters can be guessed by trying.
TOKEN_CHARS_MIN = 20
# A backup or a drill that is older is warned of.
BACKUP_DAYS_MAX = 7
DRILL_DAYS_MAX = 90
# An access token that ends within so many days is named.
TOKEN_DAYS_LEFT = 14
TOKENS_LOOKED_AT_MAX = 1000
# Of sealed files, so many of the newest are read whole.
SEGMENTS_READ_MAX = 50
# Of a wiki with more pages, so many are read, spread over all of it.
PAGES_READ_MAX = 2000
# An index.lock of git that is older, with no server running, is nobody's.
GIT_LOCK_SECONDS = 600
# How long a running server may take to index what has just changed.
INDEX_LAG_SECONDS_MAX = 5.0
# State that was written later than this after now was written under another clock.
CLOCK_AHEAD_SECONDS = 300
