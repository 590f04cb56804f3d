"""Marks that tie a page's statements to observations, as footnotes that GitHub, Obsidian and our web show alike."""

from app.compile import escape
from app.domain.limits_compile import EVIDENCE_GAP_MAX, EVIDENCE_MARKS_MAX
from app.domain.session import Sighting


class Footnotes:
    """Collects the marks of one page in the order of their first use and writes their definitions."""

    def __init__(self, sightings: tuple[Sighting, ...]) -> None:
        self._sightings = {sighting.id: sighting for sighting in sightings}
        self._ranges: dict[tuple[int, int], None] = {}

    def mark(self, ids: tuple[int, ...]) -> str:
        """Render the mark for some observations, with a blank before it; few close ones become one range."""
        ranges = _list_ranges(sorted(set(ids)))
        if len(ranges) > EVIDENCE_MARKS_MAX:
            ranges = [(ranges[0][0], ranges[-1][1])]
        for found in ranges:
            self._ranges.setdefault(found)
        return "".join(f" [^{_label(found)}]" for found in ranges)

    def render_definitions(self) -> str:
        """Write one definition for each mark that was used, in the order of the observations."""
        return "\n".join(f"[^{_label(found)}]: {self._describe(found)}" for found in sorted(self._ranges))

    def _describe(self, found: tuple[int, int]) -> str:
        first, last = (self._sightings.get(end) for end in found)
        if first is None or last is None:
            return f"observations {found[0]} to {found[1]}"
        if first == last:
            return f"{first.at:%H:%M:%S}, {escape.escape_inline(first.shows)}"
        return f"{first.at:%H:%M:%S} to {last.at:%H:%M:%S}, {escape.escape_inline(first.shows)} and what followed"


def _list_ranges(ids: list[int]) -> list[tuple[int, int]]:
    ranges: list[tuple[int, int]] = []
    for found in ids:
        if ranges and found - ranges[-1][1] <= EVIDENCE_GAP_MAX:
            ranges[-1] = (ranges[-1][0], found)
        else:
            ranges.append((found, found))
    return ranges


def _label(found: tuple[int, int]) -> str:
    first, last = found
    return f"o{first}" if first == last else f"o{first}-{last}"
