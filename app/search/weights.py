"""What each sign of a good hit counts.

These were found on all development questions: those of pages by trying one after the other, those of observations all
at once on every other question; what vectors, `heard_more`, what is asked word for word, times and what is newer
count, and how lists are fused, was set by hand. CoSQA's test half was not looked at. What they are worth on the half of
the questions that `app/bench/learn_weights.py` learns on, and on the other, stands in `app/bench/learned_weights.json`,
which a test holds to these numbers; what it learned from one half alone was no better (decision 33).
"""

from collections.abc import Mapping
from typing import Final

# How much a stream says when lists are fused, and how slowly its say fades down its list.
STREAM_WEIGHTS: Final[Mapping[str, float]] = {
    "text": 1.0,
    "passages": 0.6,
    "observations": 0.8,
    "sessions": 0.8,
    "names": 0.6,
    "entities": 0.4,
    "links": 0.2,
    "vectors": 0.6,
}
RANK_OFFSET: Final = 10

# `literal`, `sequence`, `time` and `recent` hardly occur in those questions; theirs are bounded. `vectors` is the
# likeness of a page, `alike` that of a session's page or of something that was said in it.
PAGE_WEIGHTS: Final[Mapping[str, float]] = {
    "sessions": 1.9,
    "heard": 1.1,
    "heard_more": 1.0,
    "bm25": 0.6,
    "heard_coverage": 0.399,
    "exact": 0.3,
    "headings": 0.3,
    "lead": 0.3,
    "neighbours": 0.266,
    "title": 0.2,
    "links": 0.075,
    "fused": 0.03,
    "passages": 0.015,
    "sequence": 0.3,
    "literal": 0.6,
    "time": 0.3,
    "recent": 0.1,
    "vectors": 1.0,
    "alike": 0.3,
}
OBSERVATION_WEIGHTS: Final[Mapping[str, float]] = {
    "session": 0.6,
    "lead": 0.65,
    "observations": 0.38,
    "speaker": 0.25,
    "near": 0.22,
    "neighbours": 0.14,
    "sequence": 0.1,
    "literal": 0.3,
    "time": 0.15,
    "recent": 0.2,
    "vectors": 0.25,
}
