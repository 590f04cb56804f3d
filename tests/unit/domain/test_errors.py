"""Every error has a place in the tree, a code of its own, and an answer at each edge."""

import inspect

import pytest

from app.domain import errors, segment
from app.domain.errors import AppError
from app.entrypoints.cli import errors as cli_errors
from app.entrypoints.http import errors as http_errors
from app.entrypoints.mcp import errors as mcp_errors

LEAVES = [
    kind
    for kind in [*vars(errors).values(), segment.SegmentUnreadable, segment.SegmentLocked]
    if inspect.isclass(kind) and issubclass(kind, AppError) and "code" in vars(kind) and kind is not AppError
]


def build(kind: type[AppError]) -> AppError:
    names = list(inspect.signature(kind.__init__).parameters)[1:]
    values: dict[str, object] = {name: 7 if name in {"bytes_max", "items", "status"} else "x" for name in names}
    numbers = {"items_max", "chars", "chars_max", "retry_after_ms", "done", "total"}
    return kind(**{name: 7 if name in numbers else ("a", "b") if name == "known" else values[name] for name in names})


@pytest.mark.parametrize("kind", LEAVES, ids=lambda kind: kind.__name__)
def test_every_leaf_lands_in_each_edges_table(kind: type[AppError]) -> None:
    error = build(kind)

    assert 400 <= http_errors.find_status(error) <= 599
    assert cli_errors.find_exit_code(error) in range(2, 9)
    assert mcp_errors.build_text(error)


def test_codes_are_unique_and_drawn_in_the_tree() -> None:
    codes = [kind.code for kind in LEAVES]

    assert len(codes) == len(set(codes))
    assert [kind.__name__ for kind in LEAVES if kind.__name__ not in (errors.__doc__ or "")] == []
