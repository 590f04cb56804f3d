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
    "GET /.well-known/oauth-protected-resource",
    "GET /.well-known/oauth-protected-resource/{resource}",
    "GET /api/v1/login",
    "POST /api/v1/login/device",
    "POST /api/v1/login/device/poll",
    "POST /api/v1/login/first",
    "POST /api/v1/login/password",
    "POST /api/v1/logout",
    "GET /api/v1/audit",
    "GET /api/v1/audit/export",
    "GET /api/v1/audit/verify",
    "GET /api/v1/backlinks/{path}",
    "POST /api/v1/bootstrap",
    "GET /api/v1/brief",
    "POST /api/v1/capture/check",
    "GET /api/v1/capture/health",
    "POST /api/v1/confirm",
    "POST /api/v1/curate",
    "GET /api/v1/feedback",
    "POST /api/v1/feedback",
    "DELETE /api/v1/feedback/{path}",
    "GET /api/v1/grants",
    "POST /api/v1/grants",
    "POST /api/v1/grants/remove",
    "GET /api/v1/groups",
    "POST /api/v1/groups",
    "DELETE /api/v1/groups/{name}",
    "DELETE /api/v1/groups/{name}/members/{person}",
    "POST /api/v1/groups/{name}/members/{person}",
    "GET /api/v1/handoffs",
    "POST /api/v1/handoffs",
    "GET /api/v1/handoffs/{handoff_id}",
    "POST /api/v1/handoffs/{handoff_id}/cancel",
    "POST /api/v1/handoffs/{handoff_id}/claim",
    "POST /api/v1/handoffs/{handoff_id}/done",
    "POST /api/v1/handoffs/{handoff_id}/release",
    "GET /api/v1/history/{path}",
    "GET /api/v1/lint",
    "GET /api/v1/messages",
    "POST /api/v1/messages",
    "POST /api/v1/messages/pop",
    "POST /api/v1/messages/{message_id}/acknowledge",
    "POST /api/v1/messages/{message_id}/cancel",
    "POST /api/v1/messages/{message_id}/reply",
    "GET /api/v1/messages/{message_id}/thread",
    "GET /api/v1/okf",
    "POST /api/v1/okf",
    "DELETE /api/v1/pages/{path}",
    "GET /api/v1/pages/{path}",
    "PUT /api/v1/pages/{path}",
    "GET /api/v1/people",
    "POST /api/v1/people",
    "DELETE /api/v1/people/{name}",
    "POST /api/v1/people/{name}/disable",
    "POST /api/v1/people/{name}/enable",
    "POST /api/v1/people/{name}/password",
    "POST /api/v1/people/{name}/role",
    "GET /api/v1/projects",
    "POST /api/v1/projects/archive",
    "POST /api/v1/projects/open",
    "POST /api/v1/projects/restrict",
    "POST /api/v1/projects/unarchive",
    "GET /api/v1/proposals",
    "GET /api/v1/proposals/{proposal_id}",
    "POST /api/v1/proposals/{proposal_id}/approve",
    "POST /api/v1/proposals/{proposal_id}/reject",
    "POST /api/v1/purge",
    "GET /api/v1/recent",
    "DELETE /api/v1/rehearsals/{name}",
    "POST /api/v1/reindex",
    "GET /api/v1/related/{path}",
    "POST /api/v1/restore",
    "GET /api/v1/search",
    "GET /api/v1/sessions",
    "GET /api/v1/sessions/{session_id}",
    "POST /api/v1/sessions/{session_id}/capture",
    "POST /api/v1/sessions/{session_id}/compile",
    "POST /api/v1/sessions/{session_id}/end",
    "POST /api/v1/sessions/{session_id}/finalize",
    "POST /api/v1/sessions/{session_id}/forget",
    "POST /api/v1/sessions/{session_id}/reopen",
    "GET /api/v1/sign-ins",
    "POST /api/v1/sign-ins/{sign_in_id}/end",
    "GET /api/v1/status",
    "GET /api/v1/timeline",
    "GET /api/v1/tokens",
    "POST /api/v1/tokens",
    "POST /api/v1/tokens/{token_id}/revoke",
    "POST /api/v1/tokens/{token_id}/rotate",
    "GET /api/v1/where",
    "GET /api/v1/whoami",
    "GET /healthz",
    "GET /metrics",
    "GET /readyz",
    "GET /api/v1/people/{name}/export",
    "POST /api/v1/maintenance",
    "POST /api/v1/people/{name}/link",
    "POST /api/v1/people/{name}/unlink",
    "POST /api/v1/projects/merge",
    "POST /api/v1/projects/move",
    "POST /api/v1/projects/rename",
}
# Routes after which nobody is let in unasked, or nothing is there any more: each has a server of its own.
ALONE = (
    "POST /api/v1/people",
    "POST /api/v1/projects/archive",
    "POST /api/v1/purge",
    "POST /api/v1/restore",
    "POST /api/v1/projects/restrict",
)
# Routes that take nothing, or a text that cannot be wrong, leave nothing that is not allowed.
NEVER_WRONG = {
    "GET /api/v1/people/{name}/export",
    "POST /api/v1/maintenance",
    "GET /.well-known/oauth-protected-resource",
    "GET /.well-known/oauth-protected-resource/{resource}",
    "GET /api/v1/login",
    "POST /api/v1/logout",
    "GET /api/v1/audit/verify",
    "GET /api/v1/capture/health",
    "GET /api/v1/groups",
    "DELETE /api/v1/groups/{name}",
    "DELETE /api/v1/groups/{name}/members/{person}",
    "POST /api/v1/groups/{name}/members/{person}",
    "GET /api/v1/handoffs/{handoff_id}",
    "GET /api/v1/messages/{message_id}/thread",
    "GET /api/v1/people",
    "DELETE /api/v1/people/{name}",
    "POST /api/v1/people/{name}/disable",
    "POST /api/v1/people/{name}/enable",
    "GET /api/v1/projects",
    "GET /api/v1/proposals/{proposal_id}",
    "POST /api/v1/proposals/{proposal_id}/approve",
    "POST /api/v1/proposals/{proposal_id}/reject",
    "DELETE /api/v1/rehearsals/{name}",
    "POST /api/v1/reindex",
    "POST /api/v1/sessions/{session_id}/capture",
    "POST /api/v1/sessions/{session_id}/compile",
    "POST /api/v1/sessions/{session_id}/end",
    "POST /api/v1/sessions/{session_id}/finalize",
    "POST /api/v1/sessions/{session_id}/forget",
    "POST /api/v1/sessions/{session_id}/reopen",
    "GET /api/v1/sign-ins",
    "GET /api/v1/status",
    "POST /api/v1/tokens/{token_id}/revoke",
    "GET /api/v1/whoami",
    "GET /healthz",
    "GET /metrics",
    "GET /readyz",
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


def find_server(request: pytest.FixtureRequest, route: str) -> Server:
    """Find the server that a route may be tried on."""
    found: Server = request.getfixturevalue("server" if route.startswith(ALONE) else "described")
    return found


def list_cases(description: dict[str, Any], route: str, mode: GenerationMode) -> SearchStrategy[Case]:
    method, _, path = route.partition(" ")
    found: SearchStrategy[Case] = schemathesis.openapi.from_dict(description)[path][method].as_strategy(
        generation_mode=mode
    )
    return found


@pytest.mark.parametrize("route", sorted(ROUTES))
def test_no_request_that_is_allowed_is_a_fault_of_the_server(
    request: pytest.FixtureRequest, description: dict[str, Any], route: str
) -> None:
    described = find_server(request, route)

    @given(case=list_cases(description, route, GenerationMode.POSITIVE))
    @BOUNDED
    def run(case: Case) -> None:
        assert send(described, case, project="shop") < 500

    run()


@pytest.mark.parametrize("route", sorted(ROUTES - NEVER_WRONG))
def test_no_request_that_is_not_allowed_is_a_fault_of_the_server(
    request: pytest.FixtureRequest, description: dict[str, Any], route: str
) -> None:
    described = find_server(request, route)

    @given(case=list_cases(description, route, GenerationMode.NEGATIVE))
    @BOUNDED
    def run(case: Case) -> None:
        assert send(described, case) < 500

    run()
