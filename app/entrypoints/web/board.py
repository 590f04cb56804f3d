"""The handoff board: open, claimed and closed; release and cancel are the only things that it changes."""

from collections.abc import Callable
from typing import Final

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from app.domain import limits_web
from app.domain.errors import HandoffNotFound
from app.domain.handoff import Handoff, HandoffState
from app.domain.person import Act
from app.entrypoints import reports, visits
from app.entrypoints.web import forms, frame, subject
from app.entrypoints.web.frame import Viewer
from app.handoff import offers
from app.handoff.offers import Caller, OfferParts
from app.state import handoffs

ACTIONS: Final[dict[str, Callable[[OfferParts, Caller, str], object]]] = {
    "release": offers.release,
    "cancel": offers.cancel,
}

_NOTHING_OPEN: Final = "Nothing waits. A session that ends with work left puts one here."


async def show_board(request: Request) -> Response:
    """Show all handoffs that the viewer may see, in three columns."""
    site, viewer = frame.find_site(request), await subject.find_viewer(request)
    found = await site.runtime.read(
        handoffs.list_handoffs, project_id=None, states=frozenset(HandoffState), owner=viewer.person,
        limit=limits_web.WEB_SESSION_ROWS, project_ids=viewer.project_ids,
    )  # fmt: skip
    names = await reports.name_projects(site.runtime, (handoff.project_id for handoff in found))
    columns = (
        ("Open", [h for h in found if h.state in {HandoffState.OFFERED, HandoffState.RELEASED}], _NOTHING_OPEN),
        ("Claimed", [h for h in found if h.state is HandoffState.CLAIMED], "Nobody holds one."),
        ("Closed", [h for h in found if h.state not in offers.OPEN_STATES], "None yet."),
    )
    return frame.answer(request, "board.html", title="Handoffs", columns=columns, names=names)


async def show_handoff(request: Request) -> Response:
    """Show one handoff with all that it says; looking changes nothing."""
    site, viewer = frame.find_site(request), await subject.find_viewer(request)
    await visits.check_handoff(site.runtime, viewer.visitor, request.path_params["handoff_id"])
    handoff: Handoff = await site.runtime.run(
        offers.show, site.runtime.offers, _find_caller(viewer), request.path_params["handoff_id"]
    )
    names = await reports.name_projects(site.runtime, [handoff.project_id])
    return frame.answer(
        request, "handoff.html", title="Handoff", handoff=handoff, project=names[handoff.project_id],
        token=forms.make_token(request), is_open=handoff.state in offers.OPEN_STATES,
        may_cancel=viewer.is_admin or viewer.person == handoff.owner,
        is_claimed=handoff.state is HandoffState.CLAIMED,
    )  # fmt: skip


async def change_handoff(request: Request) -> Response:
    """Release or cancel a handoff, for a form of ours."""
    site, viewer = frame.find_site(request), await subject.find_viewer(request)
    action = ACTIONS.get(request.path_params["action"])
    handoff_id = request.path_params["handoff_id"]
    await forms.check_token(request)
    if action is None:
        raise HandoffNotFound(handoff_id)
    await visits.check_handoff(site.runtime, viewer.visitor, handoff_id, Act.WRITE)
    await site.runtime.run(action, site.runtime.offers, _find_caller(viewer), handoff_id)
    return RedirectResponse(site.url("handoffs", handoff_id), 303)


def _find_caller(viewer: Viewer) -> Caller:
    return Caller(viewer.person, is_admin=viewer.is_admin)
