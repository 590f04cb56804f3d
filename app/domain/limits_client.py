"""The bounds of the hook client, which carries a copy of this module: named, with their units, as in `limits`."""

CLIENT_READ_BYTES_MAX = 2 * 1024 * 1024
CLIENT_DIRTY_PATHS_MAX = 50
SPOOL_SEGMENT_EVENTS_MAX = 256
SPOOL_SEGMENT_BYTES_MAX = 1024 * 1024

# A placeholder can open the way for another rule, so rules run until nothing changes; no real text needs more than two.
REDACTION_PASSES_MAX = 6
# Longer than any look-alike, so that a hostile text cannot have the same stretch judged again and again.
LOOKALIKE_CHARS_MAX = 1024

# How much of the server's address is named to a session that starts without its memory.
NOTICE_URL_CHARS_MAX = 200
