"""`Opinion`: what somebody said of a page as it stood; it moves the page a little in answers, and never deletes it."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Final

from app.domain.page import Finding, PagePath
from app.domain.redact import Redacted


class Verdict(StrEnum):
    """What a page was to its reader."""

    HELPFUL = "helpful"
    NOT_HELPFUL = "not_helpful"
    WRONG = "wrong"
    STALE = "stale"


# How much one word moves a page; all words together never more than the bounds.
_WEIGHTS: Final[Mapping[Verdict, float]] = {
    Verdict.HELPFUL: 0.03,
    Verdict.NOT_HELPFUL: -0.03,
    Verdict.WRONG: -0.1,
    Verdict.STALE: -0.06,
}
PRIOR_LEAST: Final = 0.8
PRIOR_MOST: Final = 1.1


@dataclass(frozen=True, slots=True)
class Opinion:
    """One person's or session's word on a page, which holds for the content that it had then."""

    project_id: str
    path: PagePath
    said_by: str
    verdict: Verdict
    content_hash: str
    note: Redacted
    said_at: datetime


def decide_prior(verdicts: Iterable[Verdict]) -> float:
    """Decide by what a page's score is multiplied; within bounds, so that a better answer stays the better one."""
    return round(min(PRIOR_MOST, max(PRIOR_LEAST, 1 + sum(_WEIGHTS[verdict] for verdict in verdicts))), 6)


def list_findings(opinions: Iterable[Opinion]) -> tuple[Finding, ...]:
    """List what a person should look into: each word that a page is wrong or stale."""
    doubted = (opinion for opinion in opinions if opinion.verdict in {Verdict.WRONG, Verdict.STALE})
    return tuple(
        Finding(
            f"said_{opinion.verdict}", f"{opinion.said_by} on {opinion.said_at:%Y-%m-%d}: {opinion.note}".rstrip(": ")
        )
        for opinion in doubted
    )
