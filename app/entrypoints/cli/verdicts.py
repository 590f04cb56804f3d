"""What a check of `memwiki doctor` found, and how it looks to a person."""

from collections.abc import Callable
from dataclasses import dataclass, field
from enum import StrEnum

from rich.console import Console
from rich.markup import escape


class Verdict(StrEnum):
    """How a check went: only `FAIL` makes the command fail; `SKIP` could not be told, and says why."""

    PASS = "pass"  # noqa: S105 - a verdict, not a password
    WARN = "warn"
    FAIL = "fail"
    SKIP = "skip"


_COLORS = {Verdict.PASS: "green", Verdict.WARN: "yellow", Verdict.FAIL: "bold red", Verdict.SKIP: "dim"}


@dataclass(frozen=True, slots=True)
class Check:
    """One result: what was looked at, what was seen, and what to do about it where that is not well.

    `mend` does what can be done without asking, and tells what it did.
    """

    name: str
    verdict: Verdict
    seen: str
    advice: str = ""
    group: str = ""
    mend: Callable[[], str] | None = field(default=None, repr=False, compare=False)


def tell(name: str, seen: str) -> Check:
    """Tell that something is well."""
    return Check(name, Verdict.PASS, seen)


def skip(name: str, why: str) -> Check:
    """Tell that something could not be looked at."""
    return Check(name, Verdict.SKIP, why)


def warn(name: str, seen: str, advice: str, mend: Callable[[], str] | None = None) -> Check:
    """Tell that something may become a fault."""
    return Check(name, Verdict.WARN, seen, advice, mend=mend)


def fail(name: str, seen: str, advice: str, mend: Callable[[], str] | None = None) -> Check:
    """Tell that something keeps work from being recorded or found."""
    return Check(name, Verdict.FAIL, seen, advice, mend=mend)


def shape(check: Check) -> dict[str, object]:
    """Shape one result for programs."""
    return {
        "group": check.group,
        "name": check.name,
        "verdict": check.verdict,
        "seen": check.seen,
        "advice": check.advice,
        "can_fix": check.mend is not None,
    }


def draw(console: Console, check: Check) -> None:
    """Draw one result on a line, and what to do on the next."""
    color = _COLORS[check.verdict]
    console.print(f"[{color}]{check.verdict:<4}[/] {escape(check.name)}: {escape(check.seen)}")
    if check.advice:
        way = f"{check.advice}; or: memwiki doctor --fix" if check.mend else check.advice
        console.print(f"     [dim]→[/] {escape(way)}")
