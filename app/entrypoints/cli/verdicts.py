"""What a check of `memwiki doctor` found, and how it looks to a person."""

from dataclasses import dataclass
from enum import StrEnum

from rich.console import Console
from rich.markup import escape


class Verdict(StrEnum):
    """How a check went: only `FAIL` makes the command fail."""

    OK = "ok"
    WARN = "warn"
    FAIL = "fail"


_COLORS = {Verdict.OK: "green", Verdict.WARN: "yellow", Verdict.FAIL: "bold red"}


@dataclass(frozen=True, slots=True)
class Check:
    """One result: what was looked at, what was seen, and what to do about it where that is not well."""

    name: str
    verdict: Verdict
    seen: str
    advice: str = ""


def tell(name: str, seen: str) -> Check:
    """Tell that something is well."""
    return Check(name, Verdict.OK, seen)


def warn(name: str, seen: str, advice: str) -> Check:
    """Tell that something may become a fault."""
    return Check(name, Verdict.WARN, seen, advice)


def fail(name: str, seen: str, advice: str) -> Check:
    """Tell that something keeps work from being recorded or found."""
    return Check(name, Verdict.FAIL, seen, advice)


def draw(console: Console, check: Check) -> None:
    """Draw one result on a line, and what to do on the next."""
    color = _COLORS[check.verdict]
    console.print(f"[{color}]{check.verdict:<4}[/] {escape(check.name)}: {escape(check.seen)}")
    if check.advice:
        console.print(f"     [dim]→[/] {escape(check.advice)}")
