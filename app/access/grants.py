"""Who may do what: the one decision that every door asks, and what follows from it for lists."""

from collections.abc import Iterable
from typing import Final

from app.domain.person import Access, Act, Principal, Reach, Right, Rights, Sight
from app.domain.person_errors import ActDenied
from app.domain.scope import Scope

_USE_NEEDED: Final = {
    Act.CAPTURE: Right.CAPTURE,
    Act.READ: Right.READ,
    Act.WRITE: Right.WRITE,
    Act.MANAGE: Right.ADMIN,
    Act.ADMINISTER: Right.ADMIN,
}
_ACCESS_NEEDED: Final = {
    Act.CAPTURE: Access.WRITE,
    Act.READ: Access.READ,
    Act.WRITE: Access.WRITE,
    Act.MANAGE: Access.MANAGE,
}
_RANKS: Final = {access: rank for rank, access in enumerate(Access, 1)}
_INCLUDED: Final = {
    Right.CAPTURE: frozenset({Right.CAPTURE}),
    Right.READ: frozenset({Right.READ}),
    Right.WRITE: frozenset({Right.READ, Right.WRITE}),
    Right.ADMIN: frozenset(Right),
}


def decide(rights: Rights, act: Act, project_id: str = "") -> bool:
    """Decide whether a caller may do something, in a project or to the whole server.

    Whoever signs in may read and write open projects; restricted ones need a grant. Managing needs one everywhere.
    """
    if _USE_NEEDED[act] not in rights.uses:
        return False
    if act is Act.ADMINISTER:
        return rights.is_admin and rights.only is None
    if rights.only is not None and project_id not in rights.only:
        return False
    if rights.is_admin:
        return True
    granted = _RANKS[rights.granted[project_id]] if project_id in rights.granted else 0
    open_to_all = 0 if project_id in rights.restricted else _RANKS[Access.WRITE]
    return max(granted, open_to_all) >= _RANKS[_ACCESS_NEEDED[act]]


def check(principal: Principal, act: Act, project_id: str = "") -> None:
    """Let a caller through who may do this.

    Raises:
        ActDenied: the caller may not.
    """
    if not decide(principal.rights, act, project_id):
        raise ActDenied(act.value)


def sees_all(rights: Rights) -> bool:
    """Tell whether a caller may read every project there is or will be."""
    return rights.is_admin and rights.only is None and Right.READ in rights.uses


def build_sight(rights: Rights, known: Iterable[tuple[str, Scope]]) -> Sight:
    """Tell which of the known projects a caller may read; one that state does not know is the administrators'."""
    if sees_all(rights):
        return Sight()
    readable = [(project_id, scope) for project_id, scope in known if decide(rights, Act.READ, project_id)]
    return Sight(frozenset(project_id for project_id, _ in readable), frozenset(scope for _, scope in readable))


def build_reach(rights: Rights) -> Reach:
    """Tell into which projects a caller may capture; those to come are open, unless a token is for some alone."""
    barred = (project_id for project_id in rights.restricted if not decide(rights, Act.CAPTURE, project_id))
    return Reach(frozenset(barred), rights.only)


def expand_rights(given: Iterable[Right]) -> frozenset[Right]:
    """Add to a token's rights those that they include."""
    return frozenset().union(*(_INCLUDED[right] for right in given))
