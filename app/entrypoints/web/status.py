"""Is my work being recorded? Per agent, person and machine, with plain advice for what is wrong."""

from starlette.requests import Request
from starlette.responses import Response

from app.entrypoints import reports
from app.entrypoints.web import frame


async def show_status(request: Request) -> Response:
    """Show what is recorded, what waits, and how large things are."""
    site = frame.find_site(request)
    report = await site.runtime.run(reports.report_status, site.runtime)
    sizes = await site.runtime.run(reports.report_sizes, site.runtime)
    return frame.answer(request, "status.html", title="Recording status", report=report, sizes=sizes)
