"""What the published description allows to be sent, sent by everybody: no fault, and nothing of what is hidden."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from schemathesis import Case, GenerationMode
from schemathesis.core import NOT_SET

from tests.entrypoints import rights, serving
from tests.entrypoints.rights import CANARY, ROUTES, World

# None of them may change who sees the project, so that it stays hidden whatever is drawn.
STRANGERS = ("anonymous", "expired", "revoked", "member", "wrong-project", "capture-only")
READERS = ("reader", "read-only")
# Who may change that, or end the server's being closed; of those it is only asked that nothing breaks.
MASTERS = ("writer", "manager", "admin")
FEW = settings(
    max_examples=3,
    deadline=None,
    derandomize=True,
    database=None,
    phases=[Phase.generate],
    suppress_health_check=list(HealthCheck),
)
DESCRIBED = sorted(key.replace(":path}", "}") for key in ROUTES if key != "GET /api/openapi.json")


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory, template: Path) -> Iterator[World]:
    with serving.serve(tmp_path_factory.mktemp("roles") / "memwiki", template=template) as server:
        yield rights.build_world(server)


@pytest.fixture(scope="module")
def other_world(tmp_path_factory: pytest.TempPathFactory, template: Path) -> Iterator[World]:
    with serving.serve(tmp_path_factory.mktemp("masters") / "memwiki", template=template) as server:
        yield rights.build_world(server)


@pytest.fixture(scope="module")
def description(world: World) -> dict[str, Any]:
    answer = world.server.client.get("/api/openapi.json", headers=world.header("admin"))
    found: dict[str, Any] = answer.json()
    return found


def send(world: World, case: Case, role: str) -> tuple[int, str]:
    """Send a generated request as somebody, about the hidden project; gives the status and the answer."""
    headers = {name: value for name, value in (case.headers or {}).items() if value.isascii()}
    headers |= {"content-type": "application/json"} | world.header(role)
    body = (
        b"" if case.body is NOT_SET else case.body if isinstance(case.body, bytes) else json.dumps(case.body).encode()
    )
    query = {**(case.query or {}), "project": "hold"}
    answer = world.server.client.request(case.method, case.formatted_path, params=query, headers=headers, content=body)
    return answer.status_code, answer.text


@pytest.mark.parametrize("route", DESCRIBED)
def test_nothing_that_may_be_sent_shows_what_is_hidden(world: World, description: dict[str, Any], route: str) -> None:
    method, _, path = route.partition(" ")
    drawn = schemathesis.openapi.from_dict(description)[path][method]

    @given(case=drawn.as_strategy(generation_mode=GenerationMode.POSITIVE))
    @FEW
    def run(case: Case) -> None:
        told = {role: send(world, case, role) for role in (*STRANGERS, *READERS)}
        assert [role for role, (status, _) in told.items() if status >= 500] == []
        assert [role for role in STRANGERS if CANARY in told[role][1]] == []

    run()


def test_everybody_is_asked() -> None:
    assert {*STRANGERS, *READERS, *MASTERS} == set(rights.ROLES)


@pytest.mark.parametrize("route", DESCRIBED)
def test_nothing_that_may_be_sent_by_those_who_may_breaks_anything(
    other_world: World, description: dict[str, Any], route: str
) -> None:
    method, _, path = route.partition(" ")
    drawn = schemathesis.openapi.from_dict(description)[path][method]

    @given(case=drawn.as_strategy(generation_mode=GenerationMode.POSITIVE))
    @settings(FEW, max_examples=2)
    def run(case: Case) -> None:
        told = {role: send(other_world, case, role) for role in MASTERS}
        assert [role for role, (status, _) in told.items() if status >= 500] == []

    run()
