"""What lint makes of what was found: each fault with its severity, in an order that says first what matters most."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Final

from app.domain.limits_knowledge import PAGE_BYTES_ADVISED
from app.domain.page import Finding, PagePath
from app.index.flaws import BrokenLink, Twins, Unchecked
from app.index.standing import Contradiction


class Severity(StrEnum):
    """`ERROR`: something is lost or leaks; `WARNING`: a reader is misled; `INFO`: worth a look."""

    ERROR = "error"
    WARNING = "warning"
    INFO = "info"


@dataclass(frozen=True, slots=True)
class LintFinding:
    """One fault of one page; `code` is stable, `detail` is for people."""

    severity: Severity
    code: str
    path: PagePath
    detail: str


@dataclass(frozen=True, slots=True)
class Found:
    """What the index shows of a project."""

    flaws: Sequence[tuple[PagePath, Finding]] = ()
    broken: Sequence[BrokenLink] = ()
    orphans: Sequence[PagePath] = ()
    contradictions: Sequence[Contradiction] = ()
    twins: Sequence[Twins] = ()
    large: Sequence[tuple[PagePath, int]] = ()
    secrets: Sequence[tuple[PagePath, str]] = ()
    expired: Sequence[tuple[PagePath, str]] = ()
    unchecked: Sequence[Unchecked] = ()


ORDER: Final = tuple(Severity)
_UNREADABLE: Final = frozenset({"frontmatter_unclosed", "frontmatter_unreadable", "merge_conflict"})
# What a reader does not notice, and other tools may.
_SLIGHT: Final = frozenset({"byte_order_mark", "line_ends"})


def build_findings(found: Found) -> list[LintFinding]:
    """Turn what was found into findings, the gravest first and then by path."""
    findings = [
        *_list_flaws(found.flaws),
        *(
            LintFinding(Severity.ERROR, "secret", path, f"it holds what looks like {classes}")
            for path, classes in found.secrets
        ),
        *map(_tell_broken, found.broken),
        *(
            LintFinding(Severity.WARNING, "contradiction", clash.path, f"it says the opposite of {clash.other}")
            for clash in found.contradictions
        ),
        *map(_tell_twins, found.twins),
        *(
            LintFinding(Severity.WARNING, "oversize", path, f"{size:,} bytes; {PAGE_BYTES_ADVISED:,} are enough")
            for path, size in found.large
        ),
        *(LintFinding(Severity.WARNING, "stale", path, f"its stale_after was {day}") for path, day in found.expired),
        *(LintFinding(Severity.INFO, "orphan", path, "no page leads here") for path in found.orphans),
        *map(_tell_unchecked, found.unchecked),
    ]
    return sorted(set(findings), key=lambda each: (ORDER.index(each.severity), each.path, each.code, each.detail))


def is_at_least(severity: Severity, least: Severity) -> bool:
    """Tell whether a severity is as grave as another or graver."""
    return ORDER.index(severity) <= ORDER.index(least)


def is_past(day: str, now: datetime) -> bool:
    """Tell whether a day such as 2026-05-31 is over; an empty one is not."""
    return bool(day) and day < f"{now:%Y-%m-%d}"


def _list_flaws(flaws: Iterable[tuple[PagePath, Finding]]) -> Iterable[LintFinding]:
    for path, flaw in flaws:
        if flaw.code in _UNREADABLE:
            severity = Severity.ERROR
        else:
            severity = Severity.INFO if flaw.code in _SLIGHT else Severity.WARNING
        yield LintFinding(severity, flaw.code, path, flaw.detail)


def _tell_broken(link: BrokenLink) -> LintFinding:
    how = "links to" if link.relation == "link" else link.relation.replace("_", " ")
    return LintFinding(Severity.WARNING, "broken_link", link.path, f"it {how} {link.target}, which is no page")


def _tell_twins(twins: Twins) -> LintFinding:
    severity = Severity.ERROR if twins.of == "id" else Severity.WARNING
    return LintFinding(severity, "duplicate", twins.path, f"{twins.other} has the same {twins.of}")


def _tell_unchecked(page: Unchecked) -> LintFinding:
    word = "verified" if page.was_verified else "changed"
    return LintFinding(Severity.INFO, "stale", page.path, f"last {word} on {page.checked_at:%Y-%m-%d}")
