"""People, groups, and what they may do; all of it is for administrators, and grants for whoever manages the project."""

from fastapi import APIRouter
from pydantic import Field, SecretStr

from app.access import accounts, issuing, linking, sharing, signing_in
from app.access.accounts import NewPerson
from app.domain import limits, limits_people
from app.domain.person import Access, Act, Role
from app.domain.provider_errors import NoProvider
from app.entrypoints import people_shapes, reports, shapes
from app.entrypoints.http.dependencies import JsonBody, MaybeProject, OneProject, ThePeople, TheRuntime, TheVisitor
from app.entrypoints.shapes import Shape
from app.state import accounts as account_rows
from app.state import grants as grant_rows
from app.state import provider_subjects, tokens

router = APIRouter(tags=["people"])


class PersonBody(JsonBody):
    """Who is to have an account; without a password it can only use access tokens."""

    name: str = Field(max_length=limits.NAME_CHARS_MAX)
    role: Role = Role.MEMBER
    password: SecretStr = SecretStr("")
    with_token: bool = Field(default=False, description="Also make an access token, which the answer shows once.")


class RoleBody(JsonBody):
    """What a person is to be."""

    role: Role


class PasswordBody(JsonBody):
    """A new password."""

    password: SecretStr


class LinkBody(JsonBody):
    """Whom the provider means: the claim `sub` of its tokens; the issuer is that of the settings unless it is said."""

    subject: str = Field(max_length=limits_people.PROVIDER_SUBJECT_CHARS_MAX)
    issuer: str = Field("", max_length=limits.PATH_CHARS_MAX)


class GroupBody(JsonBody):
    """A group to be made."""

    name: str = Field(max_length=limits.NAME_CHARS_MAX)


class GrantBody(JsonBody):
    """Who is to have which access; a group is written as `@name`."""

    holder: str = Field(max_length=limits.NAME_CHARS_MAX)
    access: Access


class HolderBody(JsonBody):
    """Whose access is taken."""

    holder: str = Field(max_length=limits.NAME_CHARS_MAX)


@router.get("/whoami")
async def tell_who(runtime: TheRuntime, visitor: TheVisitor) -> Shape:
    """Tell who asks, by which token, what it is good for and until when."""
    principal = visitor.principal
    token = await runtime.read(tokens.get_token, principal.token_id) if principal.token_id else None
    end = shapes.shape_moment(token.expires_at) if token else None
    return {**people_shapes.shape_principal(principal), "expires_at": end}


@router.get("/people")
async def list_people(runtime: TheRuntime, visitor: TheVisitor) -> Shape:
    """List the accounts by name."""
    visitor.check(Act.ADMINISTER)
    found = await runtime.read(accounts.list_people)
    linked = {link.account_id for link in await runtime.read(provider_subjects.list_subjects)}
    return {"people": [{**people_shapes.shape_person(each), "has_provider": each.id in linked} for each in found]}


@router.post("/people", status_code=201)
async def add_person(runtime: TheRuntime, people: ThePeople, visitor: TheVisitor, body: PersonBody) -> Shape:
    """Make an account; the first one is an administrator's, and closes the server to everybody else."""
    visitor.check(Act.ADMINISTER)
    new = NewPerson(body.name, body.role, body.password.get_secret_value())
    added = await runtime.run(accounts.add_person, people, visitor.principal, new)
    if people.is_trial or not body.with_token:
        return people_shapes.shape_person(added)
    issued = await runtime.run(issuing.issue_first_token, people, visitor.principal, added.name)
    return {**people_shapes.shape_person(added), "token": issued.secret}


@router.post("/people/{name}/disable")
async def disable_person(runtime: TheRuntime, people: ThePeople, visitor: TheVisitor, name: str) -> Shape:
    """Refuse a person from this moment on, in browsers and with every token."""
    visitor.check(Act.ADMINISTER)
    by = visitor.principal
    changed = await runtime.run(accounts.switch_person, people, by, name, is_enabled=False)
    return people_shapes.shape_person(changed)


@router.post("/people/{name}/enable")
async def enable_person(runtime: TheRuntime, people: ThePeople, visitor: TheVisitor, name: str) -> Shape:
    """Let a person in again."""
    visitor.check(Act.ADMINISTER)
    by = visitor.principal
    changed = await runtime.run(accounts.switch_person, people, by, name, is_enabled=True)
    return people_shapes.shape_person(changed)


@router.post("/people/{name}/role")
async def change_role(runtime: TheRuntime, people: ThePeople, visitor: TheVisitor, name: str, body: RoleBody) -> Shape:
    """Make a person an administrator or a member."""
    visitor.check(Act.ADMINISTER)
    changed = await runtime.run(accounts.change_role, people, visitor.principal, name, body.role)
    return people_shapes.shape_person(changed)


@router.post("/people/{name}/password")
async def reset_password(
    runtime: TheRuntime, people: ThePeople, visitor: TheVisitor, name: str, body: PasswordBody
) -> Shape:
    """Give a person a new password; browsers are signed out, access tokens stay."""
    visitor.check(Act.ADMINISTER)
    password = body.password.get_secret_value()
    changed = await runtime.run(accounts.reset_password, people, visitor.principal, name, password)
    return people_shapes.shape_person(changed)


@router.delete("/people/{name}")
async def remove_person(runtime: TheRuntime, people: ThePeople, visitor: TheVisitor, name: str) -> Shape:
    """Remove an account with its tokens and grants; what the person wrote stays, and the name is not given again."""
    visitor.check(Act.ADMINISTER)
    return people_shapes.shape_person(await runtime.run(accounts.remove_person, people, visitor.principal, name))


@router.post("/people/{name}/link")
async def link_person(runtime: TheRuntime, people: ThePeople, visitor: TheVisitor, name: str, body: LinkBody) -> Shape:
    """Have somebody whom the identity provider names come in as this person; the role here stays as it is."""
    visitor.check(Act.ADMINISTER)
    issuer = body.issuer or (runtime.provider.provider.settings.issuer if runtime.provider else "")
    if not issuer:
        raise NoProvider
    by, subject = visitor.principal, body.subject
    linked = await runtime.run(linking.link, people, by, name, issuer=issuer, subject=subject)
    return people_shapes.shape_person(linked)


@router.post("/people/{name}/unlink")
async def unlink_person(runtime: TheRuntime, people: ThePeople, visitor: TheVisitor, name: str) -> Shape:
    """Have nobody come in as this person by an identity provider any more; its browsers are signed out."""
    visitor.check(Act.ADMINISTER)
    return people_shapes.shape_person(await runtime.run(linking.unlink, people, visitor.principal, name))


@router.get("/groups")
async def list_groups(runtime: TheRuntime, visitor: TheVisitor) -> Shape:
    """List the groups with their members."""
    visitor.check(Act.ADMINISTER)
    return {"groups": [people_shapes.shape_group(group) for group in await runtime.read(sharing.list_groups)]}


@router.post("/groups", status_code=201)
async def add_group(runtime: TheRuntime, people: ThePeople, visitor: TheVisitor, body: GroupBody) -> Shape:
    """Make a group without members."""
    visitor.check(Act.ADMINISTER)
    return people_shapes.shape_group(await runtime.run(sharing.add_group, people, visitor.principal, body.name))


@router.delete("/groups/{name}", status_code=204)
async def remove_group(runtime: TheRuntime, people: ThePeople, visitor: TheVisitor, name: str) -> None:
    """Remove a group and what it was granted."""
    visitor.check(Act.ADMINISTER)
    await runtime.run(sharing.remove_group, people, visitor.principal, name)


@router.post("/groups/{name}/members/{person}")
async def add_member(runtime: TheRuntime, people: ThePeople, visitor: TheVisitor, name: str, person: str) -> Shape:
    """Put a person into a group."""
    visitor.check(Act.ADMINISTER)
    by = visitor.principal
    changed = await runtime.run(sharing.change_member, people, by, name, person, is_member=True)
    return people_shapes.shape_group(changed)


@router.delete("/groups/{name}/members/{person}")
async def remove_member(runtime: TheRuntime, people: ThePeople, visitor: TheVisitor, name: str, person: str) -> Shape:
    """Take a person out of a group."""
    visitor.check(Act.ADMINISTER)
    by = visitor.principal
    changed = await runtime.run(sharing.change_member, people, by, name, person, is_member=False)
    return people_shapes.shape_group(changed)


@router.get("/grants")
async def list_grants(runtime: TheRuntime, visitor: TheVisitor, project: MaybeProject) -> Shape:
    """List who was granted what, in one project or in all."""
    if project is None:
        visitor.check(Act.ADMINISTER)
    else:
        visitor.check(Act.MANAGE, project.id)
    found = await runtime.read(grant_rows.list_grants, project.id if project else None)
    names = await reports.name_projects(runtime, (grant.project_id for grant in found))
    return {"grants": [people_shapes.shape_grant(grant, names) for grant in found]}


@router.post("/grants", status_code=201)
async def add_grant(
    runtime: TheRuntime, people: ThePeople, visitor: TheVisitor, project: OneProject, body: GrantBody
) -> Shape:
    """Give a person, or a group as `@name`, access to a project."""
    visitor.check(Act.MANAGE, project.id)
    by = visitor.principal
    made = await runtime.run(sharing.add_grant, people, by, project, body.holder, body.access)
    return people_shapes.shape_grant(made, {project.id: str(project.scope)})


@router.post("/grants/remove", status_code=204)
async def remove_grant(
    runtime: TheRuntime, people: ThePeople, visitor: TheVisitor, project: OneProject, body: HolderBody
) -> None:
    """Take a person's or group's access to a project."""
    visitor.check(Act.MANAGE, project.id)
    await runtime.run(sharing.remove_grant, people, visitor.principal, project, body.holder)


@router.post("/projects/restrict")
async def restrict_project(runtime: TheRuntime, people: ThePeople, visitor: TheVisitor, project: OneProject) -> Shape:
    """Hide a project from everybody who was granted nothing in it."""
    visitor.check(Act.MANAGE, project.id)
    await runtime.run(sharing.restrict_project, people, visitor.principal, project, is_restricted=True)
    return {"project": str(project.scope), "is_restricted": True}


@router.post("/projects/open")
async def open_project(runtime: TheRuntime, people: ThePeople, visitor: TheVisitor, project: OneProject) -> Shape:
    """Open a project to everybody who signs in."""
    visitor.check(Act.MANAGE, project.id)
    await runtime.run(sharing.restrict_project, people, visitor.principal, project, is_restricted=False)
    return {"project": str(project.scope), "is_restricted": False}


@router.post("/projects/archive")
async def archive_project(runtime: TheRuntime, people: ThePeople, visitor: TheVisitor, project: OneProject) -> Shape:
    """Leave a project out of lists and refuse changes to it; reading goes on, and so does capture."""
    visitor.check(Act.MANAGE, project.id)
    by = visitor.principal
    return shapes.shape_project(await runtime.run(sharing.archive_project, people, by, project, is_archived=True))


@router.post("/projects/unarchive")
async def unarchive_project(runtime: TheRuntime, people: ThePeople, visitor: TheVisitor, project: OneProject) -> Shape:
    """Take a project back from the archive."""
    visitor.check(Act.MANAGE, project.id)
    by = visitor.principal
    return shapes.shape_project(await runtime.run(sharing.archive_project, people, by, project, is_archived=False))


@router.get("/sign-ins")
async def list_sign_ins(runtime: TheRuntime, visitor: TheVisitor) -> Shape:
    """List who is signed in with a browser, the last seen first."""
    visitor.check(Act.ADMINISTER)
    found = await runtime.read(signing_in.list_sign_ins, runtime.clock.now())
    names = await runtime.read(account_rows.name_people)
    return {"sign_ins": [people_shapes.shape_sign_in(session, names) for session in found]}


@router.post("/sign-ins/{sign_in_id}/end")
async def end_sign_in(runtime: TheRuntime, people: ThePeople, visitor: TheVisitor, sign_in_id: str) -> Shape:
    """Sign a browser out; access tokens stay good."""
    visitor.check(Act.ADMINISTER)
    ended = await runtime.run(signing_in.end_sign_in, people, visitor.principal, sign_in_id)
    return people_shapes.shape_sign_in(ended, await runtime.read(account_rows.name_people))
