"""People, tokens, groups, grants and the trail as JSON-ready dictionaries, the same for HTTP and the command line."""

from collections.abc import Mapping

import msgspec

from app.access.gate import find_session_end
from app.access.issuing import Issued
from app.domain.person import LOCAL_PERSON, AccessToken, Grant, Group, Person, Principal
from app.entrypoints.shapes import Shape, shape_moment
from app.state.audit import AuditEntry, TrailCheck
from app.state.tokens import WebSession


def shape_principal(principal: Principal) -> Shape:
    """Shape who asks, and what the proof that came along is good for."""
    rights = principal.rights
    return {
        "person": principal.person,
        "role": "admin" if rights.is_admin else "member",
        "token_id": principal.token_id,
        "rights": sorted(rights.uses),
        "is_limited_to_projects": rights.only is not None,
    }


def shape_person(person: Person) -> Shape:
    """Shape an account."""
    return {
        "name": person.name,
        "role": str(person.role),
        "has_password": person.has_password,
        "created_at": shape_moment(person.created_at),
        "disabled_at": shape_moment(person.disabled_at),
        "removed_at": shape_moment(person.removed_at),
    }


def shape_token(token: AccessToken, names: Mapping[str, str], people: Mapping[str, str]) -> Shape:
    """Shape what is known of a token; `names` are projects by id, `people` are names by account."""
    projects = None if token.project_ids is None else sorted(names.get(key, "") for key in token.project_ids)
    return {
        "id": token.id,
        "name": token.name,
        "person": people.get(token.account_id, ""),
        "hint": f"{token.hint}…",
        "rights": sorted(token.rights),
        "projects": projects,
        "created_at": shape_moment(token.created_at),
        "expires_at": shape_moment(token.expires_at),
        "last_used_at": shape_moment(token.last_used_at),
        "revoked_at": shape_moment(token.revoked_at),
    }


def shape_issued(issued: Issued, names: Mapping[str, str], people: Mapping[str, str]) -> Shape:
    """Shape a token that was just made, with its secret, which is shown here and never again."""
    return {**shape_token(issued.token, names, people), "token": issued.secret}


def shape_sign_in(session: WebSession, people: Mapping[str, str]) -> Shape:
    """Shape a browser that is signed in; `people` names persons by account."""
    return {
        "id": session.id,
        "person": people.get(session.account_id, LOCAL_PERSON),
        "address": session.address,
        "created_at": shape_moment(session.created_at),
        "seen_at": shape_moment(session.seen_at),
        "expires_at": shape_moment(find_session_end(session)),
    }


def shape_login(issued: Issued) -> Shape:
    """Shape the token of a machine on which a person has just signed in."""
    token = issued.token
    return {
        "person": issued.person,
        "id": token.id,
        "expires_at": shape_moment(token.expires_at),
        "token": issued.secret,
    }


def shape_group(group: Group) -> Shape:
    """Shape a group."""
    return {"name": group.name, "members": list(group.members), "created_at": shape_moment(group.created_at)}


def shape_grant(grant: Grant, names: Mapping[str, str]) -> Shape:
    """Shape a grant."""
    return {
        "holder": grant.holder,
        "project": names.get(grant.project_id, ""),
        "access": str(grant.access),
        "created_at": shape_moment(grant.created_at),
    }


def shape_check(found: TrailCheck) -> Shape:
    """Shape what a walk along the trail found."""
    return {
        "is_whole": found.broken_at is None,
        "broken_at": found.broken_at,
        "reason": found.reason,
        "rows": found.rows,
        "first_id": found.first_id,
        "last_id": found.last_id,
        "checkpoints": found.checkpoints,
    }


def shape_entry(entry: AuditEntry) -> Shape:
    """Shape a row of the trail."""
    context = msgspec.json.decode(entry.context, type=dict[str, str]) if entry.context else {}
    return {
        "id": entry.id,
        "at": shape_moment(entry.at),
        "actor": entry.actor,
        "action": entry.action,
        "subject": entry.subject,
        "detail": entry.detail,
        **context,
    }
