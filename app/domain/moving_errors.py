"""Why a project cannot be moved, or a page not be saved where it was, as leaves of the tree in `errors.py`."""

from collections.abc import Sequence

from app.domain.errors import Busy, Conflict, NotFound
from app.domain.moving import Conflict as InTheWay
from app.domain.scope import Scope

_NAMED = 5


class MoveConflicts(Conflict):
    """Something stands in the way of a move, so that nothing was moved."""

    code = "move_conflicts"

    def __init__(self, conflicts: Sequence[InTheWay]) -> None:
        self.conflicts = tuple(conflicts)
        told = "; ".join(f"{each.subject}: {each.advice}" for each in conflicts[:_NAMED])
        more = f"; and {len(conflicts) - _NAMED} more" if len(conflicts) > _NAMED else ""
        super().__init__(f"nothing was moved: {told}{more}")


class PlanOutdated(Conflict):
    """What was planned is not what would be done any more."""

    code = "plan_outdated"

    def __init__(self) -> None:
        super().__init__("something changed since the plan was shown, so nothing was moved; look at it once more")


class ProjectMoved(Conflict):
    """The project got another name while something was to be saved in it."""

    code = "project_moved"

    def __init__(self, scope: Scope) -> None:
        super().__init__(f"{scope} has another name now; ask again")


class ProjectBusy(Busy):
    """A project is being moved, or somebody is saving in one that is to be."""

    code = "project_busy"

    def __init__(self, scope: Scope, retry_after_ms: int) -> None:
        self.retry_after_ms = retry_after_ms
        super().__init__(f"{scope} is in use by a move or by whoever saves there; try again in {retry_after_ms} ms")


class NothingOfPerson(NotFound):
    """Nobody of this name has or had an account here or left anything."""

    code = "nothing_of_person"

    def __init__(self, name: str) -> None:
        super().__init__(f"there is neither an account nor anything of {name[:80]!r}")
