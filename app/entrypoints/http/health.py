"""Whether the server lives, whether it is ready, and how each of its parts is."""

from fastapi import APIRouter, Request
from fastapi.responses import JSONResponse, PlainTextResponse

from app.access import grants
from app.domain import limits
from app.domain.errors import StoreUnreadable
from app.domain.person import Act
from app.domain.person_errors import ActDenied
from app.entrypoints import own_view, principals, reports, visits
from app.entrypoints.http.dependencies import TheRuntime, TheVisitor
from app.entrypoints.shapes import Shape

probes = APIRouter(tags=["health"])
router = APIRouter(tags=["health"])


@probes.get("/healthz", response_class=PlainTextResponse)
async def is_alive() -> str:
    """Answer as long as the process does."""
    return "ok\n"


@probes.get("/readyz")
async def is_ready(request: Request, runtime: TheRuntime) -> JSONResponse:
    """Tell whether events are taken (503 if not), the index's progress, git's lag, and what waits on clients."""
    try:
        visitor = await visits.meet(runtime, principals.find(request.scope))
        report = await runtime.run(own_view.report_ready, runtime, visitor)
    except StoreUnreadable as error:
        report = {"status": "failing", "reason": str(error)}
    if report["status"] == "failing":
        return JSONResponse(report, status_code=503, headers={"Retry-After": str(limits.RETRY_AFTER_MS // 1000)})
    return JSONResponse(report)


@probes.get("/metrics", response_class=PlainTextResponse)
async def show_metrics(request: Request, runtime: TheRuntime) -> PlainTextResponse:
    """Tell Prometheus how each part is, naming no project or person; an administrator's token for reading will do."""
    principal = principals.find(request.scope)
    if not grants.sees_all(principal.rights):
        raise ActDenied(Act.ADMINISTER.value)
    # Its library takes a fifth of a second to import, and most servers are never asked.
    from app.entrypoints.http import metrics  # noqa: PLC0415

    text = await runtime.run(metrics.render, runtime, request.app.state.tally)
    return PlainTextResponse(text, media_type="text/plain; version=1.0.0; charset=utf-8")


@router.get("/status")
async def show_status(runtime: TheRuntime, visitor: TheVisitor, sizes: bool = False) -> Shape:  # noqa: FBT001, FBT002 - a query parameter
    """Tell what is recorded, what waits, and what is wrong; with `sizes`, how much each table and folder takes."""
    report = await runtime.run(own_view.report_status, runtime, visitor)
    if sizes:
        visitor.check(Act.ADMINISTER)
    return {**report, "sizes": await runtime.run(reports.report_sizes, runtime)} if sizes else report


@router.get("/capture/health")
async def show_capture_health(runtime: TheRuntime, visitor: TheVisitor) -> Shape:
    """Tell of every agent, person and machine what was recorded and refused, what is wrong and what to do."""
    return await runtime.run(own_view.report_health, runtime, visitor)


@router.post("/maintenance", status_code=202)
async def look_after_stores(runtime: TheRuntime, visitor: TheVisitor) -> Shape:
    """Merge full text, give empty pages back and pack git now, in the background; the status tells what it freed."""
    visitor.check(Act.ADMINISTER)
    runtime.idle_work.call()
    return {"status": "started"}


@router.post("/reindex", status_code=202)
async def rebuild_index(runtime: TheRuntime, visitor: TheVisitor) -> Shape:
    """Drop the index and build it anew in the background; searches go on with what is there."""
    visitor.check(Act.ADMINISTER)
    runtime.watcher.request_rebuild()
    return {"status": "rebuilding"}
