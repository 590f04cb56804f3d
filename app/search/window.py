"""How close a question's words stand: the stretch of a text, as long as a few sentences, that holds most of them."""

from collections.abc import Sequence

from app.domain import limits

_WINDOW_CHARS = 240


def find_weight(terms: Sequence[tuple[str, float]], words: str) -> float:
    """Find the greatest weight of distinct terms, given with how they begin, that stand within one stretch."""
    spots: list[tuple[int, int]] = []
    for number, (begin, _) in enumerate(terms):
        place = words.find(begin)
        for _ in range(limits.WINDOW_OCCURRENCES_MAX):
            if place < 0:
                break
            spots.append((place, number))
            place = words.find(begin, place + 1)
    if not spots:
        return 0.0
    return terms[0][1] if len(terms) == 1 else _slide(sorted(spots), [weight for _, weight in terms])


def _slide(spots: Sequence[tuple[int, int]], weights: Sequence[float]) -> float:
    best = current = 0.0
    inside = [0] * len(weights)
    first = 0
    for place, number in spots:
        if not inside[number]:
            current += weights[number]
        inside[number] += 1
        while spots[first][0] < place - _WINDOW_CHARS:
            gone = spots[first][1]
            inside[gone] -= 1
            if not inside[gone]:
                current -= weights[gone]
            first += 1
        best = max(best, current)
    return best
