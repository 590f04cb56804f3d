"""Every error has its place in each edge's table."""

import inspect
import json
from collections.abc import Iterator

import pytest

from app.domain import errors
from app.domain.errors import AppError, HandoffClaimed, IndexRebuilding, QueueFull, StoreLocked, TokenRejected
from app.entrypoints.cli import errors as cli_errors
from app.entrypoints.http import errors as http_errors
from app.entrypoints.mcp import errors as mcp_errors


def list_leaves() -> Iterator[type[AppError]]:
    for kind in vars(errors).values():
        if isinstance(kind, type) and issubclass(kind, AppError) and "code" in vars(kind) and kind is not AppError:
            yield kind


def build(kind: type[AppError]) -> AppError:
    """Build an error with something for each fact."""
    values: dict[type, object] = {str: "x", int: 1, tuple: ("x",), range: range(1, 2)}
    names = [
        parameter for parameter in inspect.signature(kind.__init__).parameters.values() if parameter.name != "self"
    ]
    given = [values.get(getattr(parameter.annotation, "__origin__", parameter.annotation), "x") for parameter in names]
    return kind(*given)


LEAVES = list(list_leaves())


@pytest.mark.parametrize("kind", LEAVES)
def test_every_error_has_a_status_an_exit_code_and_a_text(kind: type[AppError]) -> None:
    error = build(kind)

    assert 400 <= http_errors.find_status(error) < 600
    assert 2 <= cli_errors.find_exit_code(error) <= 8
    assert mcp_errors.build_text(error).startswith(f"{kind.code}: ")


@pytest.mark.parametrize("kind", LEAVES)
def test_every_answer_is_a_whole_problem_document(kind: type[AppError]) -> None:
    answer = http_errors.build_answer(build(kind))

    problem = json.loads(bytes(answer.body))
    assert answer.headers["content-type"] == http_errors.PROBLEM_TYPE
    assert problem.keys() >= {"type", "title", "status", "code", "detail"}
    assert (problem["status"], problem["code"]) == (answer.status_code, kind.code)


def test_codes_are_unique() -> None:
    codes = [kind.code for kind in LEAVES]

    assert len(set(codes)) == len(codes)


@pytest.mark.parametrize(
    ("error", "status"), [(QueueFull(1500), 429), (StoreLocked("state", 200), 503), (IndexRebuilding(1, 2), 503)]
)
def test_what_may_be_tried_again_says_when(error: AppError, status: int) -> None:
    answer = http_errors.build_answer(error)

    assert answer.status_code == status
    assert int(answer.headers["retry-after"]) >= 1
    assert mcp_errors.build_text(error).endswith("Try again in a moment.")


def test_waiting_times_are_rounded_up_to_seconds() -> None:
    assert http_errors.list_headers(QueueFull(1001)) == {"Retry-After": "2"}


def test_a_missing_token_says_how_to_send_one() -> None:
    assert http_errors.list_headers(TokenRejected()) == {"WWW-Authenticate": 'Bearer realm="memwiki"'}


def test_an_error_that_cannot_be_helped_by_waiting_does_not_ask_for_it() -> None:
    error = HandoffClaimed("h1", "codex session s1", "2026-11-30T12:00:00Z")

    assert http_errors.list_headers(error) == {}
    assert "Try again" not in mcp_errors.build_text(error)
