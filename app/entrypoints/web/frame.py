"""Puts a page together: the template with what every page shows, an entity tag, and the headers that keep it safe."""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from importlib import resources
from urllib.parse import quote, urlencode

from jinja2 import Environment, PackageLoader, StrictUndefined, select_autoescape
from starlette.requests import Request
from starlette.responses import Response

from app.access import grants
from app.domain.person import Act
from app.domain.scope import Scope
from app.entrypoints import principals
from app.entrypoints.visits import Visitor
from app.entrypoints.web import safety, wording
from app.wiring import Runtime

_HTML = "text/html; charset=utf-8"


@dataclass(frozen=True, slots=True)
class Viewer:
    """Who looks; `scopes` are the projects that this person may read, and `project_ids` the same, None for all."""

    visitor: Visitor

    @property
    def person(self) -> str:
        """The person's name."""
        return self.visitor.person

    @property
    def scopes(self) -> frozenset[Scope] | None:
        """The names of the projects that may be read."""
        return self.visitor.sight.scopes

    @property
    def project_ids(self) -> frozenset[str] | None:
        """The ids of the projects that may be read."""
        return self.visitor.sight.project_ids

    @property
    def is_admin(self) -> bool:
        """Whether this person may administer the server."""
        return self.visitor.is_admin


@dataclass(frozen=True, slots=True)
class Site:
    """What all pages share."""

    runtime: Runtime
    templates: Environment
    prefix: str

    def url(self, *parts: str, **query: object) -> str:
        """Write the address of a page of this site; each part is one or more path segments."""
        path = "/".join(quote(part, safe="/~") for part in parts)
        given = {key: value for key, value in query.items() if value not in (None, "", False)}
        return f"{self.prefix}/{path}" + (f"?{urlencode(given, doseq=True)}" if given else "")

    def url_of_page(self, scope: Scope, path: str, view: str = "page", **query: object) -> str:
        """Write the address of one view of a wiki page."""
        return self.url("p", scope.workspace, scope.project, view, path, **query)

    def url_of_project(self, scope: Scope, view: str = "", **query: object) -> str:
        """Write the address of a project, or of one of its views."""
        return self.url("p", scope.workspace, scope.project, *([view] if view else [""]), **query)

    def static(self, name: str) -> str:
        """Write the address of a file of ours, which names its content so that browsers may keep it for good."""
        return f"{self.prefix}/static/{find_digest(name)}/{name}"


def build_site(runtime: Runtime) -> Site:
    """Build what all pages share."""
    templates = Environment(
        loader=PackageLoader("app.entrypoints.web"),
        autoescape=select_autoescape(default=True),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    site = Site(runtime, templates, runtime.url_prefix)
    templates.filters |= {
        "moment": wording.render_moment,
        "clock": wording.render_clock,
        "ago": wording.render_age,
        "age": wording.tell_age,
        "said_moment": lambda text: wording.render_moment(datetime.fromisoformat(text) if text else None),
        "said_ago": lambda text, now: wording.render_age(datetime.fromisoformat(text) if text else None, now),
        "size": wording.tell_size,
        "of": wording.count_of,
        "marked": wording.mark_spans,
        "marked_snippet": wording.mark_snippet,
        "redacted": wording.mark_redacted,
        "inline": wording.render_inline,
        "plain": wording.tell_plainly,
        "first_line": wording.cut_line,
    }
    templates.globals.update(site=site, version=runtime.version)
    return site


def find_site(request: Request) -> Site:
    """Find what the application was built with."""
    site = request.app.state.site
    assert isinstance(site, Site), "build_web put it there"
    return site


def answer(request: Request, template: str, status: int = 200, **facts: object) -> Response:
    """Render a page; a browser that has these very bytes is told so instead."""
    site = find_site(request)
    now = site.runtime.clock.now()
    principal = principals.find_known(request.scope)
    is_admin = principal is not None and grants.decide(principal.rights, Act.ADMINISTER)
    shown: Mapping[str, object] = {"here": request.url.path, "now": now, "query": "", "title": "", "is_admin": is_admin}
    given = {"sandbox": None, **shown, **facts}
    body = site.templates.get_template(template).render(given).encode("utf-8", "replace")
    tag = f'"{hashlib.sha256(body).hexdigest()[:32]}"'
    headers = {"ETag": tag, "Cache-Control": "private, no-cache"}
    if given["sandbox"]:
        headers[safety.CONTENT] = f"{safety.POLICY}; frame-src 'self'"
    if status == 200 and request.headers.get("if-none-match") == tag:  # noqa: PLR2004 - HTTP's own number
        return Response(status_code=304, headers=headers)
    return Response(body, status_code=status, media_type=_HTML, headers=headers)


@dataclass(frozen=True, slots=True)
class Asset:
    """A file of ours, as it is stored."""

    content: bytes
    is_packed: bool = False


@cache
def read_asset(name: str) -> Asset:
    """Read a file of ours; a large one is stored packed with gzip.

    Raises:
        FileNotFoundError: there is none of that name.
    """
    if name.startswith(".") or "/" in name or "\\" in name:
        raise FileNotFoundError(name)
    folder = resources.files("app.entrypoints.web").joinpath("static")
    packed = folder.joinpath(f"{name}.gz")
    if packed.is_file():
        return Asset(packed.read_bytes(), is_packed=True)
    return Asset(folder.joinpath(name).read_bytes())


@cache
def find_digest(name: str) -> str:
    """Tell a file of ours by its content."""
    return hashlib.sha256(read_asset(name).content).hexdigest()[:16]
