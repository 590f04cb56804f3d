"""Makes the first administrator of a server that is reachable before it has one: by a secret, which is good once."""

import hmac
from dataclasses import dataclass, field

from app.access import accounts, issuing
from app.access.accounts import NewPerson, PeopleParts
from app.access.issuing import Issued
from app.access.signing_in import Throttle
from app.domain.person import Principal, Rights, Role
from app.domain.person_errors import SetupOver, SetupRefused

# All attempts are at the same door, from wherever they come.
_DOOR = "@setup"


@dataclass(frozen=True, slots=True)
class Founding:
    """Who wants to be the first administrator, from where, and by which secret."""

    address: str
    secret: str = field(repr=False)
    name: str
    password: str = field(default="", repr=False)


def found(parts: PeopleParts, throttle: Throttle, expected: bytes, wish: Founding) -> Issued:
    """Make the first administrator; gives its first access token.

    Raises:
        SetupOver: there is an administrator already, or nobody has set a secret.
        SetupRefused: it is not the secret.
        SignInsThrottled: too many attempts failed before.
        InvalidName: the name breaks the grammar.
        InvalidValue: the name is reserved, or the password no good.
    """
    now = parts.clock.now()
    if not expected or parts.engine.read(accounts.has_admin):
        raise SetupOver
    throttle.check(_DOOR, wish.address, now)
    if not hmac.compare_digest(wish.secret.strip().encode(), expected):
        throttle.note_failure(_DOOR, wish.address, now)
        raise SetupRefused
    by = Principal("setup", Rights(), address=wish.address)
    new = NewPerson(wish.name, Role.ADMIN, wish.password, is_first=True)
    person = accounts.add_person(parts, by, new)
    return issuing.issue_first_token(parts, by, person.name)
