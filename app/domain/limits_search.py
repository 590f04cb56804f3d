"""The bounds of what is indexed and gathered for a search: named, with their units, as in `limits`."""

DEFINITIONS_PER_PAGE_MAX = 100

# How many entries of the full-text index observations may be gathered by; pages are shorter lists.
OBSERVATION_POSTINGS_MAX = 8000
