"""How close a question's words stand: the stretch of a text, as long as a few sentences, that holds most of them."""

from collections.abc import Sequence

from app.domain import limits

_WINDOW_CHARS = 240


def find_weight(terms: Sequence[tuple[str, float]], words: str) -> float:
    """Find the greatest weight of distinct terms, given with how they begin, that stand within one stretch."""
    find = words.find
    firsts = [(place, number) for number, (begin, _) in enumerate(terms) if (place := find(begin)) >= 0]
    if not firsts:
        return 0.0
    firsts.sort()
    if firsts[-1][0] <= firsts[0][0] + _WINDOW_CHARS:
        # No other stretch can hold more.
        return sum(terms[number][1] for _, number in firsts)
    spots = list(firsts)
    for place, number in firsts:
        begin, found = terms[number][0], place
        for _ in range(limits.WINDOW_OCCURRENCES_MAX - 1):
            found = find(begin, found + 1)
            if found < 0:
                break
            spots.append((found, number))
    spots.sort()
    return _slide(spots, [weight for _, weight in terms])


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
