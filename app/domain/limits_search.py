"""The bounds of what is indexed and gathered for a search: named, with their units, as in `limits`."""

DEFINITIONS_PER_PAGE_MAX = 100

# How many entries of the full-text index observations may be gathered by; pages are shorter lists.
OBSERVATION_POSTINGS_MAX = 8000

# Beside those that have the words, so many of the nearest in meaning are ranked again.
NEAR_RERANKED_MAX = 30

# Where a hit shows both its page and what was said in its session, so much of each; alone, `SNIPPET_CHARS_MAX`.
PAGE_SNIPPET_CHARS_MAX = 120
HEARD_SNIPPET_CHARS_MAX = 150
# An answer that exceeds its budget keeps what was said beside so many hits, the first ones, and then leaves out hits.
HITS_WITH_HEARD_MIN = 3
