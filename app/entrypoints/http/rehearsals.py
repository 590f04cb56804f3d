"""Removes the made-up sessions by which `memwiki doctor` proves that capture works."""

from fastapi import APIRouter

from app.compile import rehearsal
from app.domain import rehearsal as domain
from app.domain import scope
from app.domain.person import Act
from app.entrypoints import visits
from app.entrypoints.http.dependencies import TheRuntime, TheVisitor
from app.entrypoints.shapes import Shape

router = APIRouter(tags=["health"])


@router.delete("/rehearsals/{name}")
async def remove_rehearsal(runtime: TheRuntime, visitor: TheVisitor, name: str) -> Shape:
    """Remove a rehearsal of `memwiki doctor` from every store; nothing else can be removed by this."""
    checked = scope.parse_name(name)
    await visits.get_project(runtime, visitor, str(domain.build_scope(checked)), Act.WRITE)
    await runtime.run(rehearsal.remove_rehearsal, runtime.compiling, checked)
    return {"removed": checked}
