"""Is my work being recorded? Per agent, person and machine, with plain advice for what is wrong."""

from starlette.requests import Request
from starlette.responses import Response

from app.entrypoints import own_view, reports
from app.entrypoints.web import frame, subject


async def show_status(request: Request) -> Response:
    """Show what is recorded, what waits, and how large things are."""
    site = frame.find_site(request)
    viewer = await subject.find_viewer(request)
    report = await site.runtime.run(own_view.report_status, site.runtime, viewer.visitor)
    sizes = await site.runtime.run(reports.report_sizes, site.runtime) if viewer.is_admin else {}
    return frame.answer(request, "status.html", title="Recording status", report=report, sizes=sizes)
