"""The bounds of signing in: what passwords cost, what is asked of identity providers, how long their word counts."""

from typing import Final

# What argon2id takes for one password, by default and at least.
PASSWORD_ROUNDS: Final = 3
PASSWORD_MEMORY_KIB: Final = 64 * 1024
PASSWORD_MEMORY_KIB_MIN: Final = 8 * 1024
PASSWORD_MEMORY_KIB_MAX: Final = 1024 * 1024
PASSWORD_ROUNDS_MAX: Final = 50
PASSWORD_THREADS: Final = 4
PASSWORD_THREADS_MAX: Final = 16
# So many sign-ins are checked at once, so that guessing takes neither all threads nor all memory.
PASSWORD_CHECKS_AT_ONCE: Final = 2
PASSWORD_WAIT_SECONDS: Final = 2.0

# After so long a browser is given another secret, and for so long the one before stays good beside it.
WEB_SECRET_SECONDS: Final = 3600
WEB_SECRET_OVERLAP_SECONDS: Final = 60

# Of one request to a provider.
PROVIDER_SECONDS_MAX: Final = 5.0
PROVIDER_ANSWER_BYTES_MAX: Final = 1024 * 1024
# How long what a provider says of itself, and its keys, are believed.
PROVIDER_METADATA_SECONDS: Final = 3600
PROVIDER_KEYS_SECONDS: Final = 3600
# An unknown key makes us look again at most this often, whoever sends how many of them.
PROVIDER_KEYS_PAUSE_SECONDS: Final = 15
PROVIDER_KEYS_MAX: Final = 50
PROVIDER_CLOCK_LEEWAY_SECONDS: Final = 60
PROVIDER_TOKEN_CHARS_MAX: Final = 16_384
PROVIDER_HEADER_BYTES_MAX: Final = 4096
PROVIDER_SUBJECT_CHARS_MAX: Final = 255
PROVIDER_GROUPS_MAX: Final = 1000
# How long somebody may take to sign in there, and how many may be at it at once.
PROVIDER_SIGN_IN_SECONDS: Final = 600
PROVIDER_SIGN_INS_MAX: Final = 5000
PROVIDER_DEVICES_MAX: Final = 200
NEXT_PATH_CHARS_MAX: Final = 1000
# Who leaves a group there is at most this long what it was here.
PROVIDER_SESSION_SECONDS_MAX: Final = 12 * 3600
PROVIDER_DEVICE_POLL_SECONDS: Final = 5
LOGIN_TOKEN_DAYS: Final = 30
NAME_TRIES_MAX: Final = 100
