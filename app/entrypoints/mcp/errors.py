"""Maps the error families to what an agent reads when a tool fails."""

from app.domain import errors
from app.domain.errors import AppError
from app.domain.redact import redact_text


def build_text(error: AppError) -> str:
    """Say what went wrong, by its stable code, and whether trying again can help."""
    hint = " Try again in a moment." if isinstance(error, errors.Busy) else ""
    return redact_text(f"{error.code}: {error}.{hint}")
