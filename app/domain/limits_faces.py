"""The bounds of what is shown and asked at once: named, with their units, as in `limits`."""

REQUEST_SECONDS_MAX = 60.0

STRETCH_CHARS_MAX = 20_000

PAGE_SHOWN_CHARS_MAX = 20_000

# What an agent's start prints is cut at 10 KiB unless its hook says otherwise.
KIRO_OUTPUT_BYTES_MAX = 65_536

# What is longer is a code name or noise, and a stem of it means nothing.
STEMMED_WORD_CHARS_MAX = 32
# Who is asked for the latest release has so long, and so many bytes; indexes list every file of a project.
INDEX_SECONDS_MAX = 10.0
INDEX_ANSWER_BYTES_MAX = 8 * 1024 * 1024
