"""What the forms of administrators change; each carries the token of our own pages, and leads back to its page."""

from collections.abc import Awaitable, Callable
from typing import Final

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from app.access import accounts, issuing, sharing, signing_in
from app.access.accounts import NewPerson, PeopleParts
from app.domain.errors import InvalidValue, ProjectNotFound
from app.domain.person import Access, Principal, Role
from app.domain.scope import Project, Scope
from app.entrypoints import principals
from app.entrypoints.web import forms, frame
from app.state import projects

Fields = dict[str, str]
Change = Callable[[PeopleParts, Principal, str, Fields], object]

# What a page says at its head once something is done, by the word in its address.
TOLD: Final = {
    "added": "Added.",
    "changed": "Changed.",
    "removed": "Removed.",
    "revoked": "Revoked: whoever has the token is refused from now on.",
    "ended": "Signed out.",
}


def list_actions() -> list[tuple[str, Callable[[Request], Awaitable[Response]]]]:
    """List the addresses of the forms."""
    return [
        ("/admin/people", add_person),
        ("/admin/people/{name}/{action}", change_person),
        ("/admin/groups", add_group),
        ("/admin/groups/{name}/{action}", change_group),
        ("/admin/tokens/{token_id}/revoke", revoke_token),
        ("/admin/projects/{workspace}/{project}/{action}", change_project),
        ("/admin/sign-ins/{sign_in_id}/end", end_sign_in),
    ]


async def add_person(request: Request) -> Response:
    """Make an account; the first one closes the server to whoever does not sign in."""
    fields = await forms.check_token(request)
    new = NewPerson(fields.get("name", ""), _parse_role(fields), fields.get("password", ""))
    site = frame.find_site(request)
    if not site.runtime.gate.has_people and not new.password:
        raise InvalidValue("password", "without one you could not sign in here any more")
    await site.runtime.run(accounts.add_person, site.runtime.people, principals.find(request.scope), new)
    return _go_back(request, "people", "added")


async def change_person(request: Request) -> Response:
    """Do one thing to an account."""
    fields, name = await forms.check_token(request), request.path_params["name"]
    change = PEOPLE.get(request.path_params["action"])
    if change is None:
        raise InvalidValue("action", "there is no such change")
    site = frame.find_site(request)
    await site.runtime.run(change, site.runtime.people, principals.find(request.scope), name, fields)
    return _go_back(request, "people", "removed" if request.path_params["action"] == "remove" else "changed")


async def add_group(request: Request) -> Response:
    """Make a group."""
    fields, site = await forms.check_token(request), frame.find_site(request)
    by = principals.find(request.scope)
    await site.runtime.run(sharing.add_group, site.runtime.people, by, fields.get("name", ""))
    return _go_back(request, "groups", "added")


async def change_group(request: Request) -> Response:
    """Put somebody into a group, take somebody out, or remove it."""
    fields, site = await forms.check_token(request), frame.find_site(request)
    action, name = request.path_params["action"], request.path_params["name"]
    change = GROUPS.get(action)
    if change is None:
        raise InvalidValue("action", "there is no such change")
    await site.runtime.run(change, site.runtime.people, principals.find(request.scope), name, fields)
    return _go_back(request, "groups", "removed" if action == "remove" else "changed")


async def revoke_token(request: Request) -> Response:
    """Make an access token worthless."""
    await forms.check_token(request)
    site, by = frame.find_site(request), principals.find(request.scope)
    await site.runtime.run(issuing.revoke_token, site.runtime.people, by, request.path_params["token_id"])
    return _go_back(request, "tokens", "revoked")


async def change_project(request: Request) -> Response:
    """Grant or take access to a project, restrict, open or archive it."""
    fields, site, given = await forms.check_token(request), frame.find_site(request), request.path_params
    project = await site.runtime.read(projects.find_project, Scope(given["workspace"], given["project"]))
    if project is None:
        raise ProjectNotFound(f"{given['workspace']}/{given['project']}")
    change = PROJECTS.get(given["action"])
    if change is None:
        raise InvalidValue("action", "there is no such change")
    await site.runtime.run(change, site.runtime.people, principals.find(request.scope), project, fields)
    return _go_back(request, "projects", "changed")


async def end_sign_in(request: Request) -> Response:
    """Sign a browser out from afar."""
    await forms.check_token(request)
    site, by = frame.find_site(request), principals.find(request.scope)
    await site.runtime.run(signing_in.end_sign_in, site.runtime.people, by, request.path_params["sign_in_id"])
    return _go_back(request, "sign-ins", "ended")


def _switch(*, is_enabled: bool) -> Change:
    return lambda parts, by, name, _: accounts.switch_person(parts, by, name, is_enabled=is_enabled)


def _move(*, is_member: bool) -> Change:
    def move(parts: PeopleParts, by: Principal, name: str, fields: Fields) -> object:
        return sharing.change_member(parts, by, name, fields.get("person", ""), is_member=is_member)

    return move


def _restrict(*, is_restricted: bool) -> Callable[[PeopleParts, Principal, Project, Fields], object]:
    return lambda parts, by, project, _: sharing.restrict_project(parts, by, project, is_restricted=is_restricted)


def _archive(*, is_archived: bool) -> Callable[[PeopleParts, Principal, Project, Fields], object]:
    return lambda parts, by, project, _: sharing.archive_project(parts, by, project, is_archived=is_archived)


def _grant(parts: PeopleParts, by: Principal, project: Project, fields: Fields) -> object:
    try:
        access = Access(fields.get("access", ""))
    except ValueError as error:
        raise InvalidValue("access", f"one of {', '.join(Access)}") from error
    return sharing.add_grant(parts, by, project, fields.get("holder", ""), access)


def _take(parts: PeopleParts, by: Principal, project: Project, fields: Fields) -> None:
    sharing.remove_grant(parts, by, project, fields.get("holder", ""))


# What each form does, by the last part of its address.
PEOPLE: Final[dict[str, Change]] = {
    "enable": _switch(is_enabled=True),
    "disable": _switch(is_enabled=False),
    "remove": lambda parts, by, name, _: accounts.remove_person(parts, by, name),
    "role": lambda parts, by, name, fields: accounts.change_role(parts, by, name, _parse_role(fields)),
    "password": lambda parts, by, name, fields: accounts.reset_password(parts, by, name, fields.get("password", "")),
}
GROUPS: Final[dict[str, Change]] = {
    "join": _move(is_member=True),
    "leave": _move(is_member=False),
    "remove": lambda parts, by, name, _: sharing.remove_group(parts, by, name),
}
PROJECTS: Final = {
    "grant": _grant,
    "take": _take,
    "restrict": _restrict(is_restricted=True),
    "open": _restrict(is_restricted=False),
    "archive": _archive(is_archived=True),
    "unarchive": _archive(is_archived=False),
}


def _parse_role(fields: Fields) -> Role:
    try:
        return Role(fields.get("role", Role.MEMBER))
    except ValueError as error:
        raise InvalidValue("role", f"one of {', '.join(Role)}") from error


def _go_back(request: Request, page: str, told: str) -> Response:
    """Lead back to the page of the form, so that loading it again sends nothing again."""
    return RedirectResponse(frame.find_site(request).url("admin", page, told=told), 303)
