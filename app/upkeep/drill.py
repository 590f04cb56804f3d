"""Judges a drill: whether what was restored is what was backed up, and answers as the original does."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

Answers = Mapping[str, Sequence[str]]


@dataclass(frozen=True, slots=True)
class Comparison:
    """How many searches were asked and gave the same hits; `faults` are what a person must look into."""

    asked: int
    equal: int
    faults: tuple[str, ...]


def choose_queries(titles: Mapping[str, str], count: int) -> dict[str, str]:
    """Choose what to search for: titles of pages, spread over all of them; gives each with its page."""
    named = sorted((title, page) for page, title in titles.items() if title.strip())
    step = max(1, len(named) // count)
    return dict(named[::step][:count])


def compare_answers(
    queries: Mapping[str, str], restored: Answers, original: Answers | None, *, is_same_wiki: bool
) -> Comparison:
    """Compare what both found.

    Where the original's pages have changed since, ranks may have moved; each page must still be found by its title.
    """
    faults = [
        f"searching for {query!r} does not find {page}"
        for query, page in queries.items()
        if page not in restored[query]
    ]
    if original is None:
        return Comparison(len(queries), len(queries) - len(faults), tuple(faults))
    differing = [query for query in queries if list(restored[query]) != list(original[query])]
    if is_same_wiki:
        faults += [f"searching for {query!r} has other answers than the original" for query in differing]
    return Comparison(len(queries), len(queries) - len(differing), tuple(faults))


def compare_rows(expected: Mapping[str, int], found: Mapping[str, int]) -> list[str]:
    """List the tables that have another number of rows; those that a start itself changes are left out."""
    moving = {"jobs", "audit", "agent_activity", "web_sessions"}
    return [
        f"{table} has {found.get(table, 0)} rows instead of {count}"
        for table, count in expected.items()
        if table not in moving and found.get(table, 0) != count
    ]
