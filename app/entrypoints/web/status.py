"""Is my work being recorded? Per agent, person and machine, with plain advice for what is wrong."""

from starlette.requests import Request
from starlette.responses import Response

from app.entrypoints import own_view, reports
from app.entrypoints.shapes import Shape
from app.entrypoints.web import frame, subject

_SUMMED = ("events_today", "events", "spooled", "refused", "lost")


async def show_status(request: Request) -> Response:
    """Show what is recorded, what waits, and how large things are."""
    site = frame.find_site(request)
    viewer = await subject.find_viewer(request)
    report = await site.runtime.run(own_view.report_status, site.runtime, viewer.visitor)
    sizes = await site.runtime.run(reports.report_sizes, site.runtime) if viewer.is_admin else {}
    agents = {"agents": report["capture"]}
    return frame.answer(
        request, "status.html", title="Recording status", report=report, sizes=sizes, latest=find_latest(agents),
        sums=sum_rows(agents),
    )  # fmt: skip


def find_latest(health: Shape) -> Shape | None:
    """Find the agent that was heard last; None where none ever was."""
    heard = [row for row in _list_agents(health) if row["last_event_at"]]
    return max(heard, key=lambda row: str(row["last_event_at"]), default=None)


def sum_rows(health: Shape) -> Shape:
    """Add up what all agents say."""
    return {name: sum(_count(row, name) for row in _list_agents(health)) for name in _SUMMED}


def _list_agents(health: Shape) -> list[Shape]:
    agents = health["agents"]
    assert isinstance(agents, list), "report_health makes a list"
    return agents


def _count(row: Shape, name: str) -> int:
    value = row[name]
    assert isinstance(value, int), "report_health counts"
    return value
