"""The server's reports for somebody who may not see all: counts of what may be read, and one's own machines."""

from app.domain import limits
from app.entrypoints import capture_report, reports
from app.entrypoints.shapes import Shape
from app.entrypoints.visits import Visitor
from app.handoff import offers
from app.index import catalog
from app.state import handoffs, sessions
from app.state.engine import ReadConnection
from app.state.sessions import SessionFilter
from app.wiring import Runtime

# What counts everybody's work, and what names others' files, is told to administrators alone.
_QUIET_GIT: Shape = {"pending": 0, "commits": 0, "lag_seconds": 0.0, "last_error": ""}


def report_ready(runtime: Runtime, visitor: Visitor) -> Shape:
    """Tell whether events are taken."""
    report = reports.report_ready(runtime)
    return report if visitor.is_admin else _narrow_ready(runtime, visitor, report)


def report_status(runtime: Runtime, visitor: Visitor) -> Shape:
    """Tell how the server is."""
    report = reports.report_status(runtime)
    if visitor.is_admin:
        return report
    capture = report_health(runtime, visitor)
    counts, waiting = runtime.engine.read(_count, visitor)
    own: Shape = {
        "counts": counts,
        "capture": capture["agents"],
        "capture_status": capture["status"],
        "faults": capture["faults"],
        "dropped": [],
        "jobs": waiting,
        "problems": capture_report.list_lines(capture),
    }
    kept = {name: report[name] for name in ("url", "started_at", "sqlite", "version", "status")}
    return {**kept, **_narrow_ready(runtime, visitor, report), **own}


def report_health(runtime: Runtime, visitor: Visitor) -> Shape:
    """Tell of the visitor's own agents and machines what was recorded and refused."""
    report = capture_report.report_health(runtime)
    if visitor.is_admin:
        return report
    agents, faults = report["agents"], report["faults"]
    assert isinstance(agents, list), "report_health makes lists"
    assert isinstance(faults, list), "report_health makes lists"
    own = [row for row in agents if row["owner"] == visitor.person]
    wrong = [fault for fault in faults if fault["owner"] == visitor.person]
    status = "broken" if wrong else "recording" if own else "nothing captured yet"
    return {"status": status, "agents": own, "faults": wrong}


def _narrow_ready(runtime: Runtime, visitor: Visitor, report: Shape) -> Shape:
    scopes = visitor.sight.scopes
    pages = runtime.index.read(lambda index: catalog.count_pages(index, scopes))
    index, writer = report["index"], report["writer"]
    assert isinstance(index, dict), "report_ready makes dictionaries"
    assert isinstance(writer, dict), "report_ready makes dictionaries"
    kept: Shape = {name: report[name] for name in ("status", "version")}
    return {
        **kept,
        "writer": {"depth": 0, "last_error": writer["last_error"]},
        "index": {**index, "pages": pages, "done": pages, "total": pages, "vectors": _quieten(index.get("vectors"))},
        "git": _QUIET_GIT,
        "spools": {"depth": 0, "oldest_seconds": 0, "lost": 0},
        "capture_faults": [],
    }


def _quieten(vectors: object) -> Shape:
    """Keep what model there is, without how many texts it has read."""
    told = vectors if isinstance(vectors, dict) else {}
    return {**told, "done": 0, "total": 0, "last_error": ""}


def _count(conn: ReadConnection, visitor: Visitor) -> tuple[Shape, dict[str, int]]:
    ids = visitor.sight.project_ids
    found = handoffs.list_handoffs(
        conn,
        project_id=None,
        states=offers.OPEN_STATES,
        owner=visitor.person,
        limit=limits.LIST_LIMIT_MAX,
        project_ids=ids,
    )
    listed = sessions.list_sessions(conn, SessionFilter(project_ids=ids), limits.LIST_LIMIT_MAX)
    counts: Shape = {
        "projects": len(ids or ()),
        "sessions": len(listed),
        "observations": sessions.count_observed(conn, ids or ()),
        "handoffs_open": len(found),
    }
    return counts, {}
