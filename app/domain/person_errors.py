"""Why somebody may not do something, or cannot be given rights, as leaves of the tree in `errors.py`."""

from app.domain.errors import Busy, Conflict, Forbidden, InvalidInput, NotFound, Unauthenticated


class ActDenied(Forbidden):
    """The caller may see the thing and not do this to it, or may not do this at all."""

    code = "act_denied"

    def __init__(self, act: str) -> None:
        self.act = act
        super().__init__(f"you may not {act} here; ask an administrator of this server for the right to")


class AddressOpen(InvalidInput):
    """The server would be reachable by other machines, and nobody would have to prove who they are."""

    code = "address_open"

    def __init__(self, reason: str, *, in_container: bool = False) -> None:
        self.reason = reason
        command = "memwiki user add NAME --admin --data-dir FOLDER"
        if in_container:
            command = "docker compose run --rm memwiki user add NAME --admin --data-dir /data"
        super().__init__(
            f"{reason}, so that other machines can reach this server, and nobody would have to prove who they are. "
            f"Either make an administrator first: {command}; or start with a secret of your own in the file that "
            "MEMWIKI_SETUP_SECRET_FILE names, by which you make the first administrator at /sign-in, once. "
            "For this machine alone, listen on 127.0.0.1"
        )


class ForwardedOpen(Forbidden):
    """A proxy passed a request on to a server that asks nobody who they are."""

    code = "forwarded_open"

    def __init__(self) -> None:
        super().__init__(
            "a proxy passed this on, and this server asks nobody who they are, as nobody but its own machine should "
            "reach it: make an administrator (memwiki user add NAME --admin), then name the proxy in trusted_proxies"
        )


class SetupRefused(Unauthenticated):
    """It is not the secret with which the first administrator is made."""

    code = "setup_refused"

    def __init__(self) -> None:
        super().__init__("that is not the secret which this server was started with (setup_secret)")


class SetupOver(Conflict):
    """There is an administrator, or no secret was set with which to make the first one."""

    code = "setup_over"

    def __init__(self) -> None:
        super().__init__("the first administrator is made already, or setup_secret is not set; sign in")


class AccountDisabled(Unauthenticated):
    """The caller proved who it is, and the account is disabled or gone."""

    code = "account_disabled"

    def __init__(self) -> None:
        super().__init__("this account cannot be used any more; ask an administrator of this server")


class SignInRefused(Unauthenticated):
    """No account has this name and password; which of both is wrong is not told."""

    code = "sign_in_refused"

    def __init__(self) -> None:
        super().__init__("that name and password do not belong together")


class SignInsThrottled(Busy):
    """Too many attempts failed for this account or from this address."""

    code = "sign_ins_throttled"

    def __init__(self, retry_after_ms: int) -> None:
        self.retry_after_ms = retry_after_ms
        super().__init__(f"too many attempts failed; try again in {max(1, retry_after_ms // 1000)} seconds")


class PersonNotFound(NotFound):
    """No account has this name."""

    code = "person_not_found"

    def __init__(self, name: str) -> None:
        self.name = name
        super().__init__(f"there is no person {name[:80]!r}")


class PersonExists(Conflict):
    """An account has this name, or had it before it was removed."""

    code = "person_exists"

    def __init__(self, name: str) -> None:
        self.name = name
        super().__init__(f"the name {name!r} is taken, perhaps by an account that was removed")


class LastAdministrator(Conflict):
    """Without this account nobody could administer the server."""

    code = "last_administrator"

    def __init__(self, name: str) -> None:
        self.name = name
        super().__init__(f"{name} is the only administrator who can sign in; make another one first")


class GroupNotFound(NotFound):
    """No group has this name."""

    code = "group_not_found"

    def __init__(self, name: str) -> None:
        self.name = name
        super().__init__(f"there is no group {name[:80]!r}")


class GroupExists(Conflict):
    """A group has this name."""

    code = "group_exists"

    def __init__(self, name: str) -> None:
        self.name = name
        super().__init__(f"there is a group {name!r} already")


class AccessTokenNotFound(NotFound):
    """No access token has this id, or it is not the caller's."""

    code = "access_token_not_found"

    def __init__(self, token_id: str) -> None:
        self.token_id = token_id
        super().__init__(f"there is no access token {token_id[:80]!r}")


class SignInNotFound(NotFound):
    """No browser is signed in under this id."""

    code = "sign_in_not_found"

    def __init__(self, sign_in_id: str) -> None:
        self.sign_in_id = sign_in_id
        super().__init__(f"nobody is signed in as {sign_in_id[:80]!r}")


class ProjectArchived(Conflict):
    """The project is archived, so that it is only read."""

    code = "project_archived"

    def __init__(self) -> None:
        super().__init__("this project is archived and only read; `memwiki project unarchive` opens it for changes")


class GrantNotFound(NotFound):
    """The person or group has no grant in the project."""

    code = "grant_not_found"

    def __init__(self, holder: str, project: str) -> None:
        self.holder, self.project = holder, project
        super().__init__(f"{holder} has no grant in {project}")
