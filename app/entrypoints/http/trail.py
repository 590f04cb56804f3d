"""The audit trail: who did what, whether it is whole, and all of it for programs; for administrators alone."""

from collections.abc import AsyncIterator
from typing import Annotated

import msgspec
from fastapi import APIRouter, Depends, Query
from fastapi.responses import StreamingResponse

from app.domain import limits
from app.domain.limits_trail import TRAIL_FILTER_CHARS_MAX
from app.domain.person import Act
from app.entrypoints import people_shapes
from app.entrypoints.http.dependencies import TheRuntime, TheVisitor
from app.entrypoints.shapes import Shape
from app.state import audit
from app.state.audit import TrailFilter
from app.wiring import Runtime

router = APIRouter(tags=["people"])

_LINES = "application/x-ndjson"


async def find_filter(
    actor: Annotated[str, Query(max_length=TRAIL_FILTER_CHARS_MAX, description="Who did it.")] = "",
    action: Annotated[str, Query(max_length=TRAIL_FILTER_CHARS_MAX, description="How the action begins.")] = "",
    outcome: Annotated[str, Query(max_length=TRAIL_FILTER_CHARS_MAX, description="How it ended: `denied`, …")] = "",
    scope: Annotated[str, Query(max_length=TRAIL_FILTER_CHARS_MAX, description="In which `workspace/project`.")] = "",
    before: Annotated[int, Query(ge=0, lt=1 << 63, description="Only rows with a smaller id, to lead on.")] = 0,
) -> TrailFilter:
    """Read which rows are wanted."""
    return TrailFilter(actor, action, outcome, scope, before)


@router.get("/audit")
async def list_audit(
    runtime: TheRuntime,
    visitor: TheVisitor,
    wanted: Annotated[TrailFilter, Depends(find_filter)],
    limit: Annotated[int, Query(ge=1, le=limits.LIST_LIMIT_MAX)] = limits.AUDIT_ROWS_SHOWN,
) -> Shape:
    """List who did what, newest first; `next_before` leads on where there is more."""
    visitor.check(Act.ADMINISTER)
    await runtime.run(runtime.trail.take_left)
    found = await runtime.read(audit.list_audit, limit + 1, wanted)
    shown = found[:limit]
    return {
        "entries": [people_shapes.shape_entry(entry) for entry in shown],
        "next_before": shown[-1].id if len(found) > limit else None,
    }


@router.get("/audit/verify")
async def verify_audit(runtime: TheRuntime, visitor: TheVisitor) -> Shape:
    """Walk the whole trail, compare it with the wiki's history, and tell the first row that is not as written."""
    visitor.check(Act.ADMINISTER)
    return people_shapes.shape_check(await runtime.run(runtime.trail.verify))


@router.get("/audit/export", response_class=StreamingResponse)
async def export_audit(
    runtime: TheRuntime,
    visitor: TheVisitor,
    after: Annotated[int, Query(ge=0, lt=1 << 63, description="Only rows with a greater id.")] = 0,
) -> StreamingResponse:
    """Give the whole trail, oldest first, as JSON, one row a line."""
    visitor.check(Act.ADMINISTER)
    await runtime.run(runtime.trail.take_left)
    return StreamingResponse(_write_lines(runtime, after), media_type=_LINES)


async def _write_lines(runtime: Runtime, after: int) -> AsyncIterator[bytes]:
    while rows := await runtime.read(audit.list_audit_after, after):
        yield b"".join(msgspec.json.encode(people_shapes.shape_entry(entry)) + b"\n" for entry in rows)
        after = rows[-1].id
