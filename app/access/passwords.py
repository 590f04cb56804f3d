"""Passwords: argon2id, with what a new one must be like, and how many are checked at once."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from threading import BoundedSemaphore

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

from app.domain import limits, limits_people
from app.domain.errors import InvalidValue
from app.domain.person_errors import SignInsThrottled


@dataclass(frozen=True, slots=True)
class Cost:
    """How much work one hash is: rounds over so much memory, by so many threads."""

    rounds: int = limits_people.PASSWORD_ROUNDS
    memory_kib: int = limits_people.PASSWORD_MEMORY_KIB
    threads: int = limits_people.PASSWORD_THREADS


class Passwords:
    """Hashes and checks passwords; each takes its memory and time, so that only some are at it at once."""

    def __init__(self, cost: Cost) -> None:
        self.change(cost)
        self._turns = BoundedSemaphore(limits_people.PASSWORD_CHECKS_AT_ONCE)

    def change(self, cost: Cost) -> None:
        """Hash from now on with other work; what was hashed before is still known."""
        self._hasher = PasswordHasher(cost.rounds, cost.memory_kib, cost.threads)

    @contextmanager
    def take_turn(self) -> Iterator[None]:
        """Wait a moment until few others are checking.

        Raises:
            SignInsThrottled: too many are.
        """
        if not self._turns.acquire(timeout=limits_people.PASSWORD_WAIT_SECONDS):
            raise SignInsThrottled(1000)
        try:
            yield
        finally:
            self._turns.release()

    def hash_new(self, password: str) -> str:
        """Hash a new password.

        Raises:
            InvalidValue: it is too short or too long.
        """
        if not limits.PASSWORD_CHARS_MIN <= len(password) <= limits.PASSWORD_CHARS_MAX:
            reason = f"it must have {limits.PASSWORD_CHARS_MIN} to {limits.PASSWORD_CHARS_MAX} characters"
            raise InvalidValue("password", reason)
        return self._hasher.hash(password)

    def is_match(self, password: str, password_hash: str) -> bool:
        """Tell whether a password is the one that was hashed; without a hash it takes as long and is not."""
        try:
            is_right = self._hasher.verify(password_hash or self._decoy, password[: limits.PASSWORD_CHARS_MAX])
        except (VerificationError, InvalidHashError):
            return False
        return is_right and bool(password_hash)

    def is_dated(self, password_hash: str) -> bool:
        """Tell whether a password was hashed with other work than new ones are."""
        return self._hasher.check_needs_rehash(password_hash)

    @cached_property
    def _decoy(self) -> str:
        """A hash that nobody's password has, so that unknown names cost what known ones do."""
        return self._hasher.hash("")
