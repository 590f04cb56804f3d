"""Diagrams on pages: which have any, and the sandboxed document that draws one with the vendored renderer.

A page never runs the renderer: it puts one frame for each diagram beside its code. The frame has an origin of its
own, so that what is drawn reaches neither the page nor the reader's session, and may load nothing but our two scripts.
"""

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from starlette.requests import Request
from starlette.responses import Response

from app.domain import limits_web
from app.entrypoints.web import frame, safety
from app.entrypoints.web.frame import Site

PLACE: Final = "/static/{digest}/diagram.html"
# What the frame loads; to a document of its own origin all of ours is foreign.
DRAWN_BY: Final = frozenset({"mermaid.tiny.js", "diagram.js"})
_MARK: Final = '<pre class="highlight diagram"'
_POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'unsafe-inline'; form-action 'none'; base-uri 'none'; "
    "frame-ancestors 'self'; sandbox allow-scripts"
)


@dataclass(frozen=True, slots=True)
class Sandbox:
    """How a page has its diagrams drawn: by which frame, how many, how long ones, and how long each may take."""

    frame: str
    count: int = limits_web.DIAGRAMS_PER_PAGE_MAX
    chars: int = limits_web.DIAGRAM_CHARS_MAX
    seconds: int = limits_web.DIAGRAM_SECONDS_MAX


def find_sandbox(site: Site, bodies: Iterable[str]) -> Sandbox | None:
    """Find how the diagrams in what a page shows are drawn; None where there is none, or they are to stay code."""
    if not site.runtime.draws_diagrams or not any(_MARK in body for body in bodies):
        return None
    digest = hashlib.sha256(_render_frame(site)).hexdigest()[:16]
    return Sandbox(f"{site.prefix}{PLACE.format(digest=digest)}")


async def show_frame(request: Request) -> Response:
    """Give the document that draws one diagram, whose code it is handed."""
    headers = {
        safety.CONTENT: _POLICY,
        safety.FRAMES: "SAMEORIGIN",
        "Cache-Control": f"public, max-age={limits_web.STATIC_CACHE_SECONDS}, immutable",
    }
    return Response(_render_frame(frame.find_site(request)), media_type="text/html; charset=utf-8", headers=headers)


def _render_frame(site: Site) -> bytes:
    return site.templates.get_template("diagram.html").render(chars=limits_web.DIAGRAM_CHARS_MAX).encode()
