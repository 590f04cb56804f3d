"""The bounds of handoffs and briefs: named, with their units, as in `limits`."""

BRIEF_DESCRIPTION_CHARS_MAX = 200

CLAIM_CANDIDATES_MAX = 8

HANDOFF_GOAL_CHARS_MAX = 1500
HANDOFF_LINE_CHARS_MAX = 600
HANDOFF_DONE_TURNS_MAX = 8
