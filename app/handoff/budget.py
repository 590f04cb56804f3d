"""`Budget`: what a brief may cost, in what its agent counts and in model tokens; it takes whole lines."""

import json
from collections.abc import Sequence
from dataclasses import dataclass

from app.agents.agent import SizeUnit
from app.domain import model_tokens

# What a line's end costs in the JSON that hooks print.
_LINE_END = 2


@dataclass(frozen=True, slots=True)
class Cost:
    """What a text costs."""

    size: int = 0
    tokens: int = 0

    def __add__(self, other: "Cost") -> "Cost":
        """Add up two texts."""
        return Cost(self.size + other.size, self.tokens + other.tokens)


@dataclass(frozen=True, slots=True)
class Budget:
    """What may be spent: `size_max` counts the text as it stands in JSON, in characters or bytes of UTF-8."""

    size_max: int
    tokens_max: int
    unit: SizeUnit = SizeUnit.CHARACTERS

    def measure(self, lines: Sequence[str]) -> Cost:
        """Tell what these lines cost."""
        return sum((self._measure_line(line) for line in lines), Cost())

    def is_over(self, cost: Cost) -> bool:
        """Tell whether a cost is more than may be spent."""
        return cost.size > self.size_max or cost.tokens > self.tokens_max

    def subtract(self, cost: Cost) -> "Budget":
        """Tell what is left after a cost."""
        return Budget(self.size_max - cost.size, self.tokens_max - cost.tokens, self.unit)

    def take_share(self, share: float) -> "Budget":
        """Take a part of it."""
        return Budget(int(self.size_max * share), int(self.tokens_max * share), self.unit)

    def bound(self, cost: Cost) -> Cost:
        """Bring a cost down to what may be spent, in each measure."""
        return Cost(min(cost.size, max(self.size_max, 0)), min(cost.tokens, max(self.tokens_max, 0)))

    def fit(self, lines: Sequence[str], where: str = "") -> list[str]:
        """Take whole lines while they fit; what is cut is said, and where to read it."""
        if not self.is_over(self.measure(lines)):
            return list(lines)
        source = f"; read {where}" if where else ""
        kept: list[str] = []
        spent = Cost()
        for line in lines:
            cut = f"[cut here: {len(lines) - len(kept)} more lines{source}]"
            own = self._measure_line(line)
            if self.is_over(spent + own + self._measure_line(cut)):
                return [*kept, cut] if not self.is_over(spent + self._measure_line(cut)) else kept
            kept.append(line)
            spent += own
        return kept

    def _measure_line(self, line: str) -> Cost:
        escaped = json.dumps(line, ensure_ascii=False)
        size = len(escaped) if self.unit is SizeUnit.CHARACTERS else len(escaped.encode("utf-8", "replace"))
        # The two quotes are not part of it, and its end is.
        return Cost(size - 2 + _LINE_END, model_tokens.estimate_tokens(line) + 1)
