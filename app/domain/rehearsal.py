"""The workspace of rehearsals: made-up sessions that prove that capture works, and of which nothing is to be left."""

from typing import Final

from app.domain.scope import Scope

# No one's own: what lies in it is never committed, and is removed by whoever finds it.
WORKSPACE: Final = "memwiki-rehearsal"


def is_rehearsal(workspace: str) -> bool:
    """Tell whether a workspace, as a marker names it, is that of rehearsals."""
    return workspace == WORKSPACE


def is_rehearsal_place(place: str) -> bool:
    """Tell whether a place in the wiki belongs to a rehearsal, which git never hears of."""
    return place.startswith(f"{WORKSPACE}/")


def build_scope(name: str) -> Scope:
    """Build the scope of one rehearsal from a name of the grammar of projects."""
    return Scope(WORKSPACE, name)
