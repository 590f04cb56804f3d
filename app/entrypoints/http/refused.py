"""Counts the events that hooks sent and were refused, wherever that was decided, for a person to see."""

import re
from collections.abc import Mapping
from http import HTTPStatus
from typing import Final
from urllib.parse import parse_qs

import msgspec
from starlette.types import ASGIApp, Receive, Scope, Send

from app.capture import hook_request
from app.domain import redact
from app.domain.capture_errors import EventPurged
from app.domain.person import LOCAL_PERSON
from app.entrypoints import principals
from app.entrypoints.http import watched
from app.state.refusals import OTHERS
from app.wiring import Runtime

_PATHS: Final = frozenset({"/hook", "/hook/batch"})
_CLIENT_FAULTS: Final = range(400, 500)
_NAME: Final = re.compile(r"[a-z][a-z0-9-]{0,31}")
_SPOOL: Final = "spool"
# What comes late for something that was purged is not to be kept; that is no fault.
_EXPECTED_CODES: Final = frozenset({EventPurged.code})


class RefusalCounter:
    """Looks at the statuses of the hook routes; stands outside the guard, so that a wrong token counts as well."""

    def __init__(self, app: ASGIApp, runtime: Runtime) -> None:
        self._app = app
        self._runtime = runtime

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on; a busy server's 429 is no refusal, since the client keeps the event."""
        if scope["type"] != "http" or scope["path"] not in _PATHS or scope["method"] != "POST":
            await self._app(scope, receive, send)
            return
        await self._app(scope, receive, send)
        answer = watched.find_answer(scope)
        if answer.status in _CLIENT_FAULTS and answer.status != HTTPStatus.TOO_MANY_REQUESTS:
            self._note(scope, answer.problem)

    def _note(self, scope: Scope, body: bytes) -> None:
        problem = _read_problem(body)
        code, reason = problem.get("code", "refused"), problem.get("detail", "")
        if code in _EXPECTED_CODES:
            return
        headers = dict(scope["headers"])
        machine = hook_request.parse_checkout_header(headers.get(b"memwiki-checkout", b"")).machine
        # Whoever was refused by the guard is nobody we know.
        principal = principals.find_known(scope)
        key = (_find_agent(scope), principal.person if principal else LOCAL_PERSON, machine)
        self._runtime.refusals.note(key, str(code), redact.redact_text(str(reason)), self._runtime.clock.now())


def _find_agent(scope: Scope) -> str:
    """Name the agent as it named itself, if that can be a name."""
    if scope["path"] != "/hook":
        return _SPOOL
    named = parse_qs(scope["query_string"].decode("latin-1")).get("agent", [""])[0]
    return named if _NAME.fullmatch(named) else OTHERS


def _read_problem(body: bytes) -> Mapping[str, object]:
    try:
        problem = msgspec.json.decode(body)
    except msgspec.DecodeError:
        return {}
    return problem if isinstance(problem, dict) else {}
