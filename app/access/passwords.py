"""Passwords: argon2id, with what a new one must be like."""

from functools import cache

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

from app.domain import limits
from app.domain.errors import InvalidValue


def hash_password(password: str) -> str:
    """Hash a new password.

    Raises:
        InvalidValue: it is too short or too long.
    """
    if not limits.PASSWORD_CHARS_MIN <= len(password) <= limits.PASSWORD_CHARS_MAX:
        reason = f"it must have {limits.PASSWORD_CHARS_MIN} to {limits.PASSWORD_CHARS_MAX} characters"
        raise InvalidValue("password", reason)
    return _hasher().hash(password)


def is_match(password: str, password_hash: str) -> bool:
    """Tell whether a password is the one that was hashed; without a hash it takes as long and is not."""
    try:
        return _hasher().verify(password_hash or _find_decoy(), password[: limits.PASSWORD_CHARS_MAX]) and bool(
            password_hash
        )
    except (VerificationError, InvalidHashError):
        return False


def is_dated(password_hash: str) -> bool:
    """Tell whether a password was hashed with less work than new ones are."""
    return _hasher().check_needs_rehash(password_hash)


@cache
def _hasher() -> PasswordHasher:
    return PasswordHasher()


@cache
def _find_decoy() -> str:
    """Find a hash that nobody's password has, so that unknown names cost what known ones do."""
    return _hasher().hash("")
