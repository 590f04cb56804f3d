"""The published description of the API, and what it allows to be sent: never a fault of the server."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis.strategies import SearchStrategy
from schemathesis import Case, GenerationMode
from schemathesis.core import NOT_SET

from tests.entrypoints import serving
from tests.entrypoints.serving import Server, new_name

ROUTES = {
    "DELETE /api/v1/pages/{path}",
    "DELETE /api/v1/rehearsals/{name}",
    "GET /api/v1/backlinks/{path}",
    "GET /api/v1/capture/health",
    "GET /api/v1/handoffs",
    "GET /api/v1/handoffs/{handoff_id}",
    "GET /api/v1/history/{path}",
    "GET /api/v1/pages/{path}",
    "GET /api/v1/projects",
    "GET /api/v1/recent",
    "GET /api/v1/search",
    "GET /api/v1/sessions",
    "GET /api/v1/sessions/{session_id}",
    "GET /api/v1/status",
    "GET /api/v1/where",
    "POST /api/v1/capture/check",
    "GET /healthz",
    "GET /readyz",
    "POST /api/v1/handoffs",
    "POST /api/v1/handoffs/{handoff_id}/cancel",
    "POST /api/v1/handoffs/{handoff_id}/claim",
    "POST /api/v1/handoffs/{handoff_id}/done",
    "POST /api/v1/handoffs/{handoff_id}/release",
    "POST /api/v1/reindex",
    "POST /api/v1/sessions/{session_id}/capture",
    "POST /api/v1/sessions/{session_id}/end",
    "POST /api/v1/sessions/{session_id}/forget",
    "PUT /api/v1/pages/{path}",
}
# Routes that take nothing, or a text that cannot be wrong, leave nothing that is not allowed.
NEVER_WRONG = {
    "DELETE /api/v1/rehearsals/{name}",
    "GET /api/v1/capture/health",
    "GET /api/v1/handoffs/{handoff_id}",
    "GET /api/v1/projects",
    "GET /api/v1/status",
    "GET /healthz",
    "GET /readyz",
    "POST /api/v1/reindex",
    "POST /api/v1/sessions/{session_id}/capture",
    "POST /api/v1/sessions/{session_id}/end",
    "POST /api/v1/sessions/{session_id}/forget",
}
BOUNDED = settings(
    max_examples=15,
    deadline=None,
    derandomize=True,
    database=None,
    phases=[Phase.generate],
    suppress_health_check=list(HealthCheck),
)


@pytest.fixture(scope="module")
def described(tmp_path_factory: pytest.TempPathFactory, template: Path) -> Iterator[Server]:
    """A server with one project, which is the one that a request without a name means."""
    with serving.serve(tmp_path_factory.mktemp("described") / "memwiki", template=template) as running:
        running.ask(new_name(), "Look around.")
        yield running


@pytest.fixture(scope="module")
def description(described: Server) -> dict[str, Any]:
    found: dict[str, Any] = described.client.get("/api/openapi.json").json()
    return found


def send(server: Server, case: Case, **more: str) -> int:
    """Send a generated request; a fault of the server is raised by the client."""
    query = {**(case.query or {}), **more}
    headers = {name: value for name, value in (case.headers or {}).items() if value.isascii()}
    headers["content-type"] = "application/json"
    body = (
        case.body if isinstance(case.body, bytes) else b"" if case.body is NOT_SET else json.dumps(case.body).encode()
    )
    answer = server.client.request(case.method, case.formatted_path, params=query, headers=headers, content=body)
    return answer.status_code


def test_the_description_names_every_route(description: dict[str, Any]) -> None:
    named = {f"{method.upper()} {path}" for path, methods in description["paths"].items() for method in methods}

    assert named == ROUTES


def list_cases(description: dict[str, Any], route: str, mode: GenerationMode) -> SearchStrategy[Case]:
    method, _, path = route.partition(" ")
    found: SearchStrategy[Case] = schemathesis.openapi.from_dict(description)[path][method].as_strategy(
        generation_mode=mode
    )
    return found


@pytest.mark.parametrize("route", sorted(ROUTES))
def test_no_request_that_is_allowed_is_a_fault_of_the_server(
    described: Server, description: dict[str, Any], route: str
) -> None:
    @given(case=list_cases(description, route, GenerationMode.POSITIVE))
    @BOUNDED
    def run(case: Case) -> None:
        assert send(described, case, project="shop") < 500

    run()


@pytest.mark.parametrize("route", sorted(ROUTES - NEVER_WRONG))
def test_no_request_that_is_not_allowed_is_a_fault_of_the_server(
    described: Server, description: dict[str, Any], route: str
) -> None:
    @given(case=list_cases(description, route, GenerationMode.NEGATIVE))
    @BOUNDED
    def run(case: Case) -> None:
        assert send(described, case) < 500

    run()
