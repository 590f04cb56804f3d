"""Why knowledge cannot be changed so, as leaves of the tree in `errors.py`."""

from app.domain.errors import Conflict, InvalidInput, NotFound


class ProposalNotFound(NotFound):
    """No proposal has this id, or it is not the caller's to see."""

    code = "proposal_not_found"

    def __init__(self, proposal_id: str) -> None:
        self.proposal_id = proposal_id
        super().__init__(f"there is no proposal {proposal_id[:80]}")


class ProposalDecided(Conflict):
    """A person has approved or rejected it already."""

    code = "proposal_decided"

    def __init__(self, proposal_id: str, state: str) -> None:
        self.proposal_id, self.state = proposal_id, state
        super().__init__(f"proposal {proposal_id} is {state} already")


class PersonsWordMissing(InvalidInput):
    """An agent would decide what only a person may, and no prompt of its session says so."""

    code = "persons_word_missing"

    def __init__(self, proposal_id: str) -> None:
        self.proposal_id = proposal_id
        super().__init__(
            f"only a person decides {proposal_id}: quote in words what they wrote in this session, or have them decide"
            " in the browser or by `memwiki proposal`"
        )


class PlanRefused(InvalidInput):
    """A planned change of pages is not one that memwiki makes."""

    code = "plan_refused"

    def __init__(self, path: str, reason: str) -> None:
        self.path, self.reason = path, reason
        super().__init__(f"the change of {path[:200]} is refused: {reason}")


class BundleRefused(InvalidInput):
    """What was given to be imported is no bundle that can be taken as it is."""

    code = "bundle_refused"

    def __init__(self, reason: str) -> None:
        self.reason = reason
        super().__init__(f"the bundle is refused: {reason}")
