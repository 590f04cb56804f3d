"""People and what they may do: roles, rights of access tokens, access to projects, and who makes a request."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Final

from app.domain.scope import Scope

# Who acts where no accounts exist, and by the token of the settings: the person in front of the server's machine.
LOCAL_PERSON: Final = "local"


class Role(StrEnum):
    """What an account is to the whole server."""

    ADMIN = "admin"
    MEMBER = "member"


class Right(StrEnum):
    """What an access token may be used for; each but capture includes those before it."""

    CAPTURE = "capture"
    READ = "read"
    WRITE = "write"
    ADMIN = "admin"


class Access(StrEnum):
    """What a grant gives in one project; each includes those before it."""

    READ = "read"
    WRITE = "write"
    MANAGE = "manage"


class Act(StrEnum):
    """What a request wants to do."""

    CAPTURE = "capture"
    READ = "read"
    WRITE = "write"
    MANAGE = "manage"
    ADMINISTER = "administer"


@dataclass(frozen=True, slots=True)
class Person:
    """An account; a removed one keeps its name, so that nobody inherits what it left."""

    id: str
    name: str
    role: Role
    created_at: datetime
    disabled_at: datetime | None = None
    removed_at: datetime | None = None
    has_password: bool = False

    @property
    def is_active(self) -> bool:
        """Whether the person may sign in."""
        return self.disabled_at is None and self.removed_at is None


@dataclass(frozen=True, slots=True)
class AccessToken:
    """What is known of an access token once it was shown: all but the token itself; `hint` is how it begins."""

    id: str
    account_id: str
    name: str
    hint: str
    rights: frozenset[Right]
    created_at: datetime
    project_ids: frozenset[str] | None = None
    expires_at: datetime | None = None
    last_used_at: datetime | None = None
    revoked_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class Group:
    """People who are given access together; `members` are their names."""

    id: str
    name: str
    created_at: datetime
    members: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Grant:
    """What a person, or a group as `@name`, may do in a project."""

    holder: str
    project_id: str
    access: Access
    created_at: datetime


@dataclass(frozen=True, slots=True)
class Rights:
    """All that decides what a caller may do; `only` is a token's list of projects, None for all.

    `restricted` are the projects that take and show nothing without a grant, `archived` those that are only read.
    """

    is_admin: bool = False
    uses: frozenset[Right] = frozenset(Right)
    restricted: frozenset[str] = frozenset()
    granted: Mapping[str, Access] = field(default_factory=dict)
    only: frozenset[str] | None = None
    archived: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Reach:
    """Into which projects a caller may capture: none of `barred`, and only those of `only` where that is said."""

    barred: frozenset[str] = frozenset()
    only: frozenset[str] | None = None

    def takes(self, project_id: str) -> bool:
        """Tell whether a project takes what the caller sends; one that is yet to be made has no id."""
        return project_id not in self.barred and (self.only is None or project_id in self.only)


@dataclass(frozen=True, slots=True)
class Principal:
    """Who makes a request, by which proof and from where; the ids are empty where none was needed."""

    person: str
    rights: Rights
    reach: Reach = Reach()
    account_id: str = ""
    token_id: str = ""
    web_session_id: str = ""
    address: str = ""
    request_id: str = ""


@dataclass(frozen=True, slots=True)
class Sight:
    """The projects that a caller may read, as state and as the index name them; None for all."""

    project_ids: frozenset[str] | None = None
    scopes: frozenset[Scope] | None = None

    def has_project(self, project_id: str) -> bool:
        """Tell whether a project is among them."""
        return self.project_ids is None or project_id in self.project_ids

    def has_scope(self, scope: Scope) -> bool:
        """Tell whether a project is among them, by its name."""
        return self.scopes is None or scope in self.scopes
