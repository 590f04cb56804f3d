"""What each sign of a good hit counts, learned on development questions by `python -m app.bench.learn_weights`."""

from collections.abc import Mapping
from typing import Final

# How much a stream says when lists are fused, and how slowly its say fades down its list.
STREAM_WEIGHTS: Final[Mapping[str, float]] = {
    "text": 1.0,
    "passages": 0.6,
    "observations": 0.8,
    "names": 0.6,
    "entities": 0.4,
    "links": 0.2,
}
RANK_OFFSET: Final = 10

PAGE_WEIGHTS: Final[Mapping[str, float]] = {
    "fused": 1.0,
    "text": 1.0,
    "observations": 0.5,
    "coverage": 1.0,
    "exact": 0.3,
    "title": 0.4,
    "neighbours": 0.3,
    "window": 0.3,
    "sequence": 0.3,
    "literal": 0.5,
    "time": 0.5,
}
OBSERVATION_WEIGHTS: Final[Mapping[str, float]] = {
    "coverage": 0.075,
    "exact": 0.1,
    "lead": 0.3,
    "near": 0.4,
    "neighbours": 0.11,
    "window": 0.3,
    "session": 0.2,
    "sequence": 0.1,
    "literal": 0.3,
    "time": 0.15,
}
