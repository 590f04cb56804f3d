"""Maps the error families to exit codes, in one table."""

from typing import Final

from app.domain import errors
from app.domain.errors import AppError

EXIT_CODES: Final[tuple[tuple[type[AppError], int], ...]] = (
    (errors.InvalidInput, 2),
    (errors.LimitExceeded, 2),
    (errors.Unauthenticated, 4),
    (errors.Forbidden, 4),
    (errors.NotFound, 5),
    (errors.Conflict, 6),
    (errors.Busy, 7),
    (errors.UpstreamFailed, 8),
    (errors.Corrupt, 3),
)


def find_exit_code(error: AppError) -> int:
    """Find the exit code of an error's family."""
    return next(code for family, code in EXIT_CODES if isinstance(error, family))
