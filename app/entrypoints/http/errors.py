"""Maps the error families to HTTP statuses and problem documents (RFC 9457), in one table."""

from typing import Final

import msgspec
from fastapi.responses import Response

from app.domain import capture_errors, errors, person_errors
from app.domain.errors import AppError
from app.domain.provider_errors import ProofRejected
from app.domain.redact import redact_text
from app.entrypoints import request_ids

PROBLEM_TYPE: Final = "application/problem+json"

# The first family that an error belongs to decides; leaves with a status of their own stand before their family.
STATUSES: Final[tuple[tuple[type[AppError], int], ...]] = (
    (errors.MalformedPayload, 400),
    (errors.UnsupportedBody, 415),
    (errors.DiskRefused, 507),
    (errors.InvalidInput, 422),
    (errors.LimitExceeded, 413),
    (errors.Unauthenticated, 401),
    (errors.Forbidden, 403),
    (capture_errors.EventPurged, 410),
    (errors.NotFound, 404),
    (errors.Conflict, 409),
    (errors.QueueFull, 429),
    (capture_errors.RateLimited, 429),
    (person_errors.SignInsThrottled, 429),
    (errors.Busy, 503),
    (errors.UpstreamFailed, 502),
    (errors.Corrupt, 500),
)


def find_status(error: AppError) -> int:
    """Find the status of an error's family."""
    return next(status for family, status in STATUSES if isinstance(error, family))


def build_problem(status: int, code: str, detail: str, **facts: object) -> bytes:
    """Write a problem document; `facts` are further members such as the field that was wrong.

    A refusal names what it refuses, which may hold a secret, and is kept by clients and in reports.
    """
    told = {"title": code.replace("_", " "), "status": status, "code": code, "detail": redact_text(detail)}
    request_id = request_ids.find_current()
    # By this a person finds the lines of the log that belong to the answer.
    if request_id:
        facts = {**facts, "request_id": request_id}
    body = {"type": "about:blank", **told, **facts}
    return msgspec.json.encode(body)


def list_headers(error: AppError) -> dict[str, str]:
    """List the headers that an error's answer carries: when to try again, how to prove who one is."""
    if isinstance(error, errors.Busy):
        return {"Retry-After": str(max(1, -(-error.retry_after_ms // 1000)))}
    if isinstance(error, errors.Unauthenticated):
        return {"WWW-Authenticate": _build_challenge(error)}
    return {}


def _build_challenge(error: errors.Unauthenticated) -> str:
    """Ask for a token; a client that sent one is told what is wrong with it (RFC 6750)."""
    challenge = 'Bearer realm="memwiki"'
    reason = error.reason if isinstance(error, errors.TokenRejected | ProofRejected) else error.code
    return f'{challenge}, error="invalid_token", error_description="{reason}"' if reason else challenge


def build_answer(error: AppError) -> Response:
    """Turn an error into a complete answer."""
    status = find_status(error)
    return Response(
        build_problem(status, error.code, str(error)),
        status_code=status,
        media_type=PROBLEM_TYPE,
        headers=list_headers(error),
    )
