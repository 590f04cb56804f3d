"""What every request of the API passes is called where the request is answered."""

import inspect
from collections.abc import Iterator

from fastapi.dependencies.models import Dependant
from fastapi.routing import APIRoute

from app.entrypoints.http import app as http_app
from app.entrypoints.http import dependencies


def list_calls(dependant: Dependant) -> Iterator[object]:
    yield dependant.call
    for below in dependant.dependencies:
        yield from list_calls(below)


def test_no_request_waits_for_another_thread_before_it_is_understood() -> None:
    routers = [*http_app.list_routers(), *(router for router, _ in http_app.list_open_routers())]
    routes = [route for router in routers for route in router.routes if isinstance(route, APIRoute)]
    calls = {call for route in routes for call in list_calls(route.dependant)}

    assert dependencies.find_runtime in calls
    plain = {call for call in calls if not inspect.iscoroutinefunction(call)}
    assert plain == set()
    assert inspect.iscoroutinefunction(dependencies.refuse_unknown_parameters)
