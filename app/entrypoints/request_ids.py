"""The id of the request that is being answered, for logs and problem documents."""

import itertools
from contextvars import ContextVar, Token
from typing import Final

_PREFIX_CHARS: Final = 16

_CURRENT: ContextVar[str] = ContextVar("memwiki_request_id", default="")


class Numbers:
    """Numbers the requests of one run: its start's time with something random, and then a number.

    An id of its own for each request would be dear.
    """

    def __init__(self, run_id: str) -> None:
        self._prefix, self._numbers = run_id[:_PREFIX_CHARS], itertools.count()

    def take(self) -> str:
        """Take the next one."""
        return f"{self._prefix}{next(self._numbers):010x}"


def find_current() -> str:
    """Tell the id; empty outside of a request."""
    return _CURRENT.get()


def enter(request_id: str) -> "Token[str]":
    """Begin to answer a request."""
    return _CURRENT.set(request_id)


def leave(token: "Token[str]") -> None:
    """End answering it."""
    _CURRENT.reset(token)
