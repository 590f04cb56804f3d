"""Bounds of the process that reads events while many come."""

# So many events read within the window start it, and a time in which no window had a part of that ends it.
READING_LOAD_EVENTS_MIN = 2000
READING_QUIET_PART = 10
READING_WINDOW_SECONDS = 2.0
READING_QUIET_SECONDS = 60.0
READING_LOOK_SECONDS = 1.0
READING_START_SECONDS_MAX = 20.0
# So long an answer may take, before what was asked is read in the server's own process.
READING_ANSWER_SECONDS_MAX = 2.0
READING_RETRY_SECONDS = 60.0
READING_STOP_SECONDS_MAX = 2.0
READING_FRAME_BYTES_MAX = 256 * 1024 * 1024
# Fewer single events than these are read where they arrive.
READING_GROUP_MIN = 4
READING_GROUP_MAX = 256
