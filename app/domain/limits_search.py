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

# What is asked of the kept vectors at once, and how many of the texts that they belong to are in memory.
KEPT_OWNERS_PER_READ = 64
KEPT_TEXTS_PER_STEP = 5000
# Kept vectors whose texts are gone: tidied in idle time once they are as many as the others and so many more.
KEPT_UNUSED_MAX = 2000
KEPT_VECTOR_BYTES = 1024

# Before a phrase, stretches of so many of its words are looked for; where so few pages hold one, their texts tell.
STRETCH_WORDS_MAX = 3
STRETCH_PAGES_MAX = 20
# Where a stretch is the whole phrase, so many pages are ranked by their texts.
PHRASE_PAGES_MAX = 50
