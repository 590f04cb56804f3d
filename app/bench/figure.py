"""`Figure` and `Report`: one measured number with its bar and its ceiling, and what a family of them says in all."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from app.bench.machine import Machine


class Better(StrEnum):
    """Which way a figure should move."""

    HIGHER = "higher"
    LOWER = "lower"


@dataclass(frozen=True, slots=True)
class Bar:
    """What a figure is held to: at least `limit` where higher is better, at most where lower is."""

    limit: float
    better: Better

    def is_met(self, value: float) -> bool:
        """Tell whether a value is on the right side."""
        return value >= self.limit if self.better is Better.HIGHER else value <= self.limit


@dataclass(frozen=True, slots=True)
class Figure:
    """One number; `ceiling` is what the machine allows at best, measured in the same run.

    `faults` counts answers that were missing or wrong: a figure with faults misses its bar whatever its value.
    """

    name: str
    value: float
    unit: str
    bar: Bar | None = None
    ceiling: float | None = None
    detail: str = ""
    faults: int = 0

    @property
    def is_ok(self) -> bool | None:
        """Whether the bar is met; None where there is neither a bar nor a fault."""
        if self.faults:
            return False
        return self.bar.is_met(self.value) if self.bar else None


@dataclass(frozen=True, slots=True)
class Report:
    """All figures of one family's run."""

    family: str
    figures: tuple[Figure, ...]
    machine: Machine
    took_s: float

    @property
    def missed(self) -> tuple[Figure, ...]:
        """The figures that miss their bars."""
        return tuple(figure for figure in self.figures if figure.is_ok is False)


def at_least(limit: float) -> Bar:
    """Build the bar of a figure that should be high."""
    return Bar(limit, Better.HIGHER)


def at_most(limit: float) -> Bar:
    """Build the bar of a figure that should be low."""
    return Bar(limit, Better.LOWER)


def find_percentile(values: Sequence[float], share: float) -> float:
    """Find the smallest value that at least `share` of all values do not exceed; 0 for none at all."""
    if not values:
        return 0.0
    ordered = sorted(values)
    rank = -(-len(ordered) * round(share * 1000) // 1000)
    return ordered[max(0, min(len(ordered), rank) - 1)]


def build_percentiles(
    name: str,
    values_ms: Sequence[float],
    *,
    p95: Bar | None = None,
    p99: Bar | None = None,
    ceiling: float | None = None,
    detail: str = "",
    faults: int = 0,
) -> tuple[Figure, ...]:
    """Build p50, p95 and p99 of measured times in milliseconds; faults and ceiling stand at the one with the bar."""
    bars = {"p50": None, "p95": p95, "p99": p99}
    barred = "p99" if p99 else "p95"
    return tuple(
        Figure(
            name=f"{name}_{which}",
            value=find_percentile(values_ms, int(which[1:]) / 100),
            unit="ms",
            bar=bar,
            ceiling=ceiling if which == barred else None,
            detail=detail if which == barred else "",
            faults=faults if which == barred else 0,
        )
        for which, bar in bars.items()
    )


def shape_report(report: Report) -> dict[str, object]:
    """Shape a report as the JSON document that programs read."""
    return {
        "family": report.family,
        "figures": [_shape_figure(figure) for figure in report.figures],
        "machine": report.machine,
        "took_s": round(report.took_s, 1),
    }


def _shape_figure(figure: Figure) -> dict[str, object]:
    return {
        "name": figure.name,
        "value": round(figure.value, 3),
        "unit": figure.unit,
        "bar": figure.bar.limit if figure.bar else None,
        "better": figure.bar.better if figure.bar else None,
        "ok": figure.is_ok,
        "ceiling": None if figure.ceiling is None else round(figure.ceiling, 3),
        "faults": figure.faults,
        "detail": figure.detail,
    }
