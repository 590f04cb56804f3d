"""How much must be seen before there is a page about it, and how often pages are laid beside each other."""

from dataclasses import dataclass
from typing import Final

from app.domain import limits_knowledge


@dataclass(frozen=True, slots=True)
class Thresholds:
    """In how many sessions something must be seen; below, nothing is written. Curation of 0 hours is none."""

    gotcha_sessions: int = limits_knowledge.GOTCHA_SESSIONS
    gotcha_fleeting_sessions: int = limits_knowledge.GOTCHA_FLEETING_SESSIONS
    procedure_sessions: int = limits_knowledge.PROCEDURE_SESSIONS
    concept_sessions: int = limits_knowledge.CONCEPT_SESSIONS
    curate_every_hours: int = limits_knowledge.CURATE_HOURS


STANDARD: Final = Thresholds()
