"""Carries who makes a request from the guard to whatever answers it."""

from contextvars import ContextVar
from typing import Final

from starlette.types import Scope

from app.domain.person import Principal

_KEY: Final = "memwiki.principal"
# The tools of MCP run below a library that knows nothing of us, in tasks that inherit this.
_current: ContextVar[Principal] = ContextVar("principal")


def place(scope: Scope, principal: Principal) -> None:
    """Say who makes a request."""
    scope[_KEY] = principal


def find(scope: Scope) -> Principal:
    """Tell who makes a request; the guard has said so of every one that gets past it."""
    principal = scope[_KEY]
    assert isinstance(principal, Principal), "placed above"
    return principal


def find_known(scope: Scope) -> Principal | None:
    """Tell who makes a request that may have been refused by the guard."""
    return scope.get(_KEY)


def enter(scope: Scope) -> None:
    """Make who makes this request known to all that is called from here on."""
    _current.set(find(scope))


def find_current() -> Principal:
    """Tell who makes the request that is being answered; `enter` was called for it."""
    return _current.get()
