"""Signing in and out with a browser, and what somebody who is signed in may know of its own access."""

from typing import Final

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from app.access import founding, signing_in
from app.access.founding import Founding
from app.access.signing_in import Attempt
from app.domain import limits
from app.domain.errors import Busy, Conflict, InvalidInput, InvalidValue, Unauthenticated
from app.entrypoints import cookies, people_shapes, principals, reports, traces
from app.entrypoints.web import forms, frame, subject
from app.entrypoints.web.faults import find_status
from app.state import accounts, provider_subjects, tokens

COOKIE: Final = cookies.SESSION


async def show_sign_in(request: Request) -> Response:
    """Show the form to sign in with."""
    return show_form(request, "")


async def take_sign_in(request: Request) -> Response:
    """Sign in by name and password, or by an access token, for a form of ours."""
    fields = await forms.check_token(request)
    address = request.client.host if request.client else ""
    former = request.cookies.get(COOKIE, "")[: limits.TOKEN_CHARS_MAX]
    attempt = Attempt(address, fields.get("name", ""), fields.get("password", ""), fields.get("token", ""), former)
    return await _sign_in(request, attempt)


async def _sign_in(request: Request, attempt: Attempt) -> Response:
    site = frame.find_site(request)
    runtime = site.runtime
    try:
        with traces.note_throttled():
            secret = await runtime.run(signing_in.sign_in, runtime.people, runtime.gate, runtime.throttle, attempt)
    except (Unauthenticated, Busy) as error:
        return show_form(request, str(error), 401)
    answer = RedirectResponse(site.url(""), 303)
    place_cookie(request, answer, secret, limits.WEB_SESSION_SECONDS_MAX)
    return answer


async def take_first(request: Request) -> Response:
    """Make the first administrator by the secret that the server was started with, and sign it in."""
    runtime, fields = frame.find_site(request).runtime, await forms.check_token(request)
    address = request.client.host if request.client else ""
    name, password = fields.get("name", ""), fields.get("password", "")
    wish = Founding(address, fields.get("secret", ""), name, password)
    try:
        if not password:
            raise InvalidValue("password", "choose one, to sign in with from now on")
        with traces.note_throttled():
            await runtime.run(founding.found, runtime.people, runtime.throttle, runtime.setup_secret, wish)
    except (Unauthenticated, Busy, InvalidInput, Conflict) as error:
        return show_form(request, str(error), find_status(error)[0])
    return await _sign_in(request, Attempt(address, name, password))


def place_cookie(request: Request, answer: Response, secret: str, seconds_max: int) -> None:
    """Give a browser the secret of its session, which scripts and other sites never see."""
    path = frame.find_site(request).prefix or "/"
    told = cookies.build_header(secret, seconds_max=seconds_max, path=path, is_secure=is_secure(request))
    answer.headers.append("set-cookie", told)


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
    links = await site.runtime.read(provider_subjects.list_subjects, principal.account_id)
    known = await site.runtime.read(accounts.find_credentials, principal.person)
    fault = forms.find_fault(request)
    return frame.answer(
        request, "account.html", fault.status, fault=fault, title=f"You: {viewer.person}",
        who=people_shapes.shape_principal(principal), tokens=listed, token=forms.make_token(request),
        is_signed_in=bool(principal.web_session_id),
        has_provider=site.runtime.provider is not None, links=links,
        has_password=known is not None and bool(known.password_hash), told=request.query_params.get("told") == "linked",
    )  # fmt: skip


def show_form(request: Request, fault: str, status: int = 200) -> Response:
    """Show the form to sign in with, and what went wrong at the last attempt."""
    token, runtime = forms.make_token(request), frame.find_site(request).runtime
    return frame.answer(
        request, "sign_in.html", status, title="Sign in", token=token, fault=fault,
        has_provider=runtime.provider is not None, given=getattr(request.state, "given", {}),
        is_new=bool(runtime.setup_secret) and not runtime.gate.has_admin,
    )  # fmt: skip


def is_secure(request: Request) -> bool:
    """Tell whether a browser may send its cookies encrypted only, which loopback does not need."""
    return cookies.is_secure(request.url.scheme, request.url.hostname or "")
