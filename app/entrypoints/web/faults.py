"""Which status and heading a family of errors has for a person in a browser."""

from app.domain import errors
from app.domain.errors import AppError

_FAMILIES: tuple[tuple[type[AppError], int, str], ...] = (
    (errors.NotFound, 404, "There is no such page"),
    (errors.InvalidInput, 422, "That cannot be understood"),
    (errors.LimitExceeded, 413, "That is too large"),
    (errors.Unauthenticated, 401, "Please sign in"),
    (errors.Forbidden, 403, "You may not do that"),
    (errors.Conflict, 409, "Something changed meanwhile"),
    (errors.Busy, 503, "Busy: please try again in a moment"),
    (errors.UpstreamFailed, 502, "Another program did not answer"),
    (errors.Corrupt, 500, "Something stored cannot be read"),
)


def find_status(error: AppError) -> tuple[int, str]:
    """Find the status and heading of an error."""
    return next((number, text) for family, number, text in _FAMILIES if isinstance(error, family))
