"""The kinds of pages and how people look at them, shared by the tests and by `make screenshots`."""

from typing import Any

from tests.server import Server

PLACES = {
    "projects": "/",
    "project": "/p/main/shop/",
    "pages": "/p/main/shop/pages",
    "timeline": "/p/main/shop/timeline",
    "graph": "/p/main/shop/graph",
    "lint": "/p/main/shop/lint",
    "search": "/search?q=decimal&why=1",
    "search-empty": "/search",
    "search-nothing": "/search?q=zzz&kind=rule",
    "sessions": "/sessions",
    "handoffs": "/handoffs",
    "review": "/review",
    "status": "/status",
    "sign-in": "/sign-in",
    "account": "/account",
    "error": "/nowhere",
    "absent": "/p/main/shop/page/notes/none.md",
    "right-to-left": "/p/main/shop/page/notes/arabic.md",
    "german": "/p/main/shop/page/notes/german.md",
    "gallery": "/p/main/shop/page/notes/gallery.md",
    "broken": "/p/main/shop/page/notes/broken.md",
    "revised": "/p/main/shop/history/notes/gallery.md",
}
LOOKS: dict[str, dict[str, Any]] = {
    "desktop": {"viewport": {"width": 1280, "height": 900}},
    "dark": {"viewport": {"width": 1280, "height": 900}, "color_scheme": "dark"},
    "phone": {"viewport": {"width": 390, "height": 844}},
    "without-scripts": {"viewport": {"width": 1280, "height": 900}, "java_script_enabled": False},
}


def find_session_page(site: Server) -> str:
    """Find the page of the first recorded session."""
    pages = site.get("/api/v1/recent", project="shop", limit=50)["pages"]
    return next(str(page["path"]) for page in pages if page["kind"] == "session" and page["agent"] == "claude-code")


def list_places(site: Server) -> dict[str, str]:
    """List one page of each kind."""
    path = find_session_page(site)
    session = site.get("/api/v1/sessions", limit=1)["sessions"][0]["id"]
    handoff = site.get("/api/v1/handoffs", state="all")["handoffs"][0]["id"]
    newest, oldest = (
        site.get("/api/v1/history/notes/gallery.md", project="shop")["revisions"][at]["id"] for at in (0, -1)
    )
    compared = f"/p/main/shop/diff/notes/gallery.md?from={oldest}&to={newest}"
    views = {view: f"/p/main/shop/{view}/{path}" for view in ("page", "history", "blame", "diff")}
    return {**PLACES, **views, "session": f"/sessions/{session}", "handoff": f"/handoffs/{handoff}",
            "compared": compared, "inline": f"{compared}&layout=inline"}  # fmt: skip
