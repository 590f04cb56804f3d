"""The table of web pages, and what stands before and behind each: headers, and errors told as pages."""

import gzip
import re
from collections.abc import Awaitable, Callable
from typing import Final

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp

from app.domain import limits_web
from app.domain.errors import AppError
from app.entrypoints.web import (
    administration,
    board,
    diagrams,
    entry,
    frame,
    graph,
    histories,
    pages,
    projects,
    provider,
    rules,
    safety,
    searching,
    sessions,
    status,
)
from app.entrypoints.web.faults import find_status
from app.wiring import Runtime

_TYPES: Final = {"css": "text/css; charset=utf-8", "js": "text/javascript; charset=utf-8", "svg": "image/svg+xml"}
_PROJECT: Final = "/p/{workspace}/{project}"

View = Callable[[Request], Awaitable[Response]]


def build_web(runtime: Runtime) -> ASGIApp:
    """Build the application that shows the wiki to people."""
    app = Starlette(
        routes=[
            *list_routes(),
            Route(diagrams.PLACE, diagrams.show_frame),
            Route("/static/{digest}/{name}", show_asset),
            Route("/favicon.ico", show_icon),
        ],
        exception_handlers={AppError: _tell_fault, HTTPException: _tell_refusal},
    )
    app.state.site = frame.build_site(runtime)
    return safety.SafeHeaders(app)


def list_routes() -> list[Route]:
    """List the pages by their addresses."""
    views: tuple[tuple[str, View], ...] = (
        ("/", projects.show_projects),
        ("/search", searching.show_search),
        ("/sessions", sessions.show_sessions),
        ("/sessions/{session_id}", sessions.show_session),
        ("/handoffs", board.show_board),
        ("/handoffs/{handoff_id}", board.show_handoff),
        ("/review", rules.show_proposals),
        ("/status", status.show_status),
        ("/sign-in", entry.show_sign_in),
        ("/sign-in/oidc", provider.begin_sign_in),
        ("/sign-in/oidc/back", provider.finish_sign_in),
        ("/account", entry.show_account),
        (_PROJECT + "/", projects.show_project),
        (_PROJECT + "/pages", projects.show_pages),
        (_PROJECT + "/timeline", histories.show_timeline),
        (_PROJECT + "/graph", graph.show_graph),
        (_PROJECT + "/lint", rules.show_lint),
        (_PROJECT + "/page/{path:path}", pages.show_page),
        (_PROJECT + "/raw/{path:path}", pages.show_raw),
        (_PROJECT + "/history/{path:path}", histories.show_history),
        (_PROJECT + "/diff/{path:path}", histories.show_diff),
        (_PROJECT + "/blame/{path:path}", histories.show_blame),
    )
    actions = (
        Route("/sign-in", entry.take_sign_in, methods=["POST"]),
        Route("/sign-in/first", entry.take_first, methods=["POST"]),
        Route("/sign-out", entry.take_sign_out, methods=["POST"]),
        Route("/account/link", provider.begin_link, methods=["POST"]),
        Route("/account/unlink", provider.end_link, methods=["POST"]),
        Route("/handoffs/{handoff_id}/{action}", board.change_handoff, methods=["POST"]),
        Route("/review/{proposal_id}/{action}", rules.decide_proposal, methods=["POST"]),
    )
    return [*(Route(place, view, methods=["GET"]) for place, view in views), *actions, *administration.list_routes()]


async def show_asset(request: Request) -> Response:
    """Give a file of ours; under another digest it may be a newer one, which is not to be kept."""
    name = request.path_params["name"]
    try:
        asset = frame.read_asset(name)
    except (FileNotFoundError, IsADirectoryError, NotADirectoryError) as error:
        raise HTTPException(404) from error
    is_exact = request.path_params["digest"] == frame.find_digest(name)
    kept = f"public, max-age={limits_web.STATIC_CACHE_SECONDS}, immutable" if is_exact else "no-cache"
    kind = _TYPES.get(name.rpartition(".")[2], "text/plain; charset=utf-8")
    headers = {"Cache-Control": kept}
    if name in diagrams.DRAWN_BY:
        headers[safety.RESOURCES] = "cross-origin"
    if not asset.is_packed:
        return Response(asset.content, media_type=kind, headers=headers)
    headers["Vary"] = "Accept-Encoding"
    if not takes_gzip(request.headers.get("accept-encoding", "")):
        return Response(gzip.decompress(asset.content), media_type=kind, headers=headers)
    return Response(asset.content, media_type=kind, headers={**headers, "Content-Encoding": "gzip"})


def takes_gzip(accepted: str) -> bool:
    """Tell whether who asks can unpack what is packed with gzip, by the header that says so."""
    for part in accepted.lower().split(","):
        coding, _, weight = part.replace(" ", "").partition(";q=")
        if coding in {"gzip", "*"}:
            return not re.fullmatch(r"0(\.0*)?", weight)
    return False


async def show_icon(request: Request) -> Response:
    """Lead browsers that look for an icon at its old place to it."""
    return RedirectResponse(frame.find_site(request).static("icon.svg"), 302)


async def _tell_fault(request: Request, error: Exception) -> Response:
    assert isinstance(error, AppError), "registered for this family only"
    number, heading = find_status(error)
    return frame.answer(request, "error.html", number, title=heading, heading=heading, detail=str(error))


async def _tell_refusal(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException), "registered for this kind only"
    if error.headers and "Location" in error.headers:
        return RedirectResponse(error.headers["Location"], error.status_code)
    heading = "There is no such page" if error.status_code == 404 else "This does not work"  # noqa: PLR2004 - HTTP's own number
    detail = f"{request.url.path}: {error.detail}"
    return frame.answer(request, "error.html", error.status_code, title=heading, heading=heading, detail=detail)
