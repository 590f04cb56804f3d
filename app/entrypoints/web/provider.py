"""Signing in with a browser by the identity provider, or linking one's account: going there, and coming back."""

from typing import Final

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from app.access import linking, provider_sign_in, signing_in
from app.access.provider_sign_in import ProviderParts, Return
from app.access.signing_in import Attempt
from app.domain import limits, limits_people
from app.domain.errors import Busy, Conflict, Forbidden, InvalidInput, NotFound, Unauthenticated, UpstreamFailed
from app.domain.person import Principal
from app.domain.provider_errors import BrowserNeeded, NoProvider
from app.entrypoints import principals
from app.entrypoints.web import entry, forms, frame
from app.entrypoints.web.faults import find_status

# Binds a sign-in to the browser that began it. It must come along when the provider sends the browser back.
_COOKIE: Final = "memwiki_signing_in"


async def begin_sign_in(request: Request) -> Response:
    """Send a browser to the identity provider."""
    site, parts = frame.find_site(request), _find_provider(request)
    begin, wanted = provider_sign_in.begin_browser, request.query_params.get("next", "/")
    try:
        departure = await site.runtime.run(begin, parts, _find_return_url(request), wanted)
    except (UpstreamFailed, Busy) as error:
        return entry.show_form(request, str(error), find_status(error)[0])
    answer = RedirectResponse(departure.url, 303, headers={"Cache-Control": "no-store"})
    _bind(request, answer, departure.browser)
    return answer


async def begin_link(request: Request) -> Response:
    """Send somebody who is signed in to the identity provider, to link the account with whom that names."""
    fields = await forms.check_token(request)
    site, linker = frame.find_site(request), _find_linker(request)
    parts, runtime = _find_provider(request), site.runtime
    attempt = Attempt(linker.address, linker.person, fields.get("password", ""))
    begin, back = provider_sign_in.begin_browser, _find_return_url(request)
    try:
        # Who finds a browser open must not be able to make a way in that stays.
        await runtime.run(signing_in.confirm, runtime.people, runtime.throttle, attempt)
        departure = await runtime.run(begin, parts, back, "/account?told=linked", linker)
    except (UpstreamFailed, Busy, Unauthenticated) as error:
        forms.note_fault(request, error)
        return await entry.show_account(request)
    # By a page and not by a redirect: a form of ours may lead to no other site.
    answer = frame.answer(request, "signed_in.html", title="To the identity provider", place=departure.url)
    answer.headers["Cache-Control"] = "no-store"
    _bind(request, answer, departure.browser)
    return answer


async def end_link(request: Request) -> Response:
    """End the link of one's own account; whoever did that signs in again, by its password."""
    await forms.check_token(request)
    site, linker = frame.find_site(request), _find_linker(request)
    try:
        await site.runtime.run(linking.unlink, site.runtime.people, linker, linker.person, keeps_way=True)
    except (Conflict, NotFound) as error:
        forms.note_fault(request, error)
        return await entry.show_account(request)
    return RedirectResponse(site.url("sign-in"), 303)


def _find_linker(request: Request) -> Principal:
    """Find whose account is to be linked: a token, which programs have too, is not enough."""
    principal = principals.find(request.scope)
    if not principal.web_session_id or not principal.account_id:
        raise BrowserNeeded
    return principal


def _bind(request: Request, answer: Response, secret: str) -> None:
    """Give the browser what it must bring back from the provider."""
    answer.set_cookie(
        _COOKIE,
        secret,
        max_age=limits_people.PROVIDER_SIGN_IN_SECONDS,
        path=f"{frame.find_site(request).prefix}/sign-in/oidc",
        secure=entry.is_secure(request),
        httponly=True,
        samesite="lax",
    )


async def finish_sign_in(request: Request) -> Response:
    """Take a browser back from the identity provider, and begin its session."""
    site, parts, query = frame.find_site(request), _find_provider(request), request.query_params
    back = Return(
        state=query.get("state", ""),
        code=query.get("code", ""),
        browser=request.cookies.get(_COOKIE, ""),
        redirect_uri=_find_return_url(request),
        issuer=query.get("iss", ""),
        refusal=query.get("error", ""),
        address=request.client.host if request.client else "",
        cookie=request.cookies.get(entry.COOKIE, "")[: limits.TOKEN_CHARS_MAX],
    )
    try:
        secret, place = await site.runtime.run(provider_sign_in.finish_browser, parts, back)
    except (Unauthenticated, Forbidden, InvalidInput, UpstreamFailed, Busy, Conflict) as error:
        answer = entry.show_form(request, str(error), find_status(error)[0])
    else:
        # A browser that was sent here by another site does not send a strict cookie along when it is sent on.
        answer = frame.answer(request, "signed_in.html", title="Signed in", place=f"{site.prefix}{place}")
        if secret:
            entry.place_cookie(request, answer, secret, limits_people.PROVIDER_SESSION_SECONDS_MAX)
    answer.headers["Cache-Control"] = "no-store"
    answer.delete_cookie(_COOKIE, path=f"{site.prefix}/sign-in/oidc")
    return answer


def _find_provider(request: Request) -> ProviderParts:
    parts = frame.find_site(request).runtime.provider
    if parts is None:
        raise NoProvider
    return parts


def _find_return_url(request: Request) -> str:
    """Find the address of ours that the provider knows; what a request says of itself has no part in it."""
    return f"{frame.find_site(request).runtime.find_address()}/sign-in/oidc/back"
