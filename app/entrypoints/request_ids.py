"""The id of the request that is being answered, for logs and problem documents."""

from contextvars import ContextVar, Token

_CURRENT: ContextVar[str] = ContextVar("memwiki_request_id", default="")


def find_current() -> str:
    """Tell the id; empty outside of a request."""
    return _CURRENT.get()


def enter(request_id: str) -> "Token[str]":
    """Begin to answer a request."""
    return _CURRENT.set(request_id)


def leave(token: "Token[str]") -> None:
    """End answering it."""
    _CURRENT.reset(token)
