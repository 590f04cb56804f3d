"""Signing in and out with a browser, and what somebody who is signed in may know of its own access."""

import ipaddress
from typing import Final

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from app.access import signing_in
from app.access.signing_in import Attempt
from app.domain import limits
from app.domain.errors import Busy, Unauthenticated
from app.entrypoints import people_shapes, principals, reports
from app.entrypoints.web import forms, frame, subject
from app.state import tokens

COOKIE: Final = "memwiki_session"  # as the guard reads it


async def show_sign_in(request: Request) -> Response:
    """Show the form to sign in with."""
    return _show_form(request, "")


async def take_sign_in(request: Request) -> Response:
    """Sign in by name and password, or by an access token, for a form of ours."""
    site, fields = frame.find_site(request), await forms.check_token(request)
    address = request.client.host if request.client else ""
    attempt = Attempt(address, fields.get("name", ""), fields.get("password", ""), fields.get("token", ""))
    runtime = site.runtime
    try:
        secret = await runtime.run(signing_in.sign_in, runtime.people, runtime.gate, runtime.throttle, attempt)
    except (Unauthenticated, Busy) as error:
        return _show_form(request, str(error), 401)
    answer = RedirectResponse(site.url(""), 303)
    answer.set_cookie(
        COOKIE,
        secret,
        max_age=limits.WEB_SESSION_SECONDS_MAX,
        path=site.prefix or "/",
        secure=not _is_loopback(request.url.hostname or ""),
        httponly=True,
        samesite="strict",
    )
    return answer


async def take_sign_out(request: Request) -> Response:
    """End this browser's session, for a form of ours."""
    site, principal = frame.find_site(request), principals.find(request.scope)
    await forms.check_token(request)
    if principal.web_session_id:
        await site.runtime.run(signing_in.sign_out, site.runtime.people, principal)
    answer = RedirectResponse(site.url("sign-in"), 303)
    answer.delete_cookie(COOKIE, path=site.prefix or "/")
    return answer


async def show_account(request: Request) -> Response:
    """Show who one is, and one's access tokens by how they begin."""
    site, viewer = frame.find_site(request), await subject.find_viewer(request)
    principal = viewer.visitor.principal
    found = await site.runtime.read(tokens.list_tokens, principal.account_id, limits.LIST_LIMIT_MAX)
    names = await reports.name_projects(site.runtime, {key for token in found for key in token.project_ids or ()})
    listed = [people_shapes.shape_token(token, names, {principal.account_id: principal.person}) for token in found]
    return frame.answer(
        request, "account.html", title=f"You: {viewer.person}", who=people_shapes.shape_principal(principal),
        tokens=listed, token=forms.make_token(request), is_signed_in=bool(principal.web_session_id),
    )  # fmt: skip


def _show_form(request: Request, fault: str, status: int = 200) -> Response:
    token = forms.make_token(request)
    return frame.answer(request, "sign_in.html", status, title="Sign in", token=token, fault=fault)


def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
