"""Why a handoff or a message cannot be changed so, as leaves of the tree in `errors.py`."""

from app.domain.errors import Conflict, Forbidden, LimitExceeded, NotFound


class ClaimTokenRejected(Forbidden):
    """The claim that the caller speaks of is not, or no longer, the one that holds the thing."""

    code = "claim_token_rejected"

    def __init__(self, what: str, thing_id: str, holder: str) -> None:
        self.what, self.thing_id, self.holder = what, thing_id, holder
        held = f"it is held by {holder} now" if holder else "nobody holds it now"
        super().__init__(f"{what} {thing_id}: the token is not that of its claim; {held}")


class HandoffOfAnother(Forbidden):
    """Only who made a handoff, or an administrator, may withdraw it; only who is concerned may free it."""

    code = "handoff_of_another"

    def __init__(self, handoff_id: str, owner: str, act: str) -> None:
        self.handoff_id, self.owner, self.act = handoff_id, owner, act
        super().__init__(f"handoff {handoff_id} was made by {owner}: {owner} or an administrator may {act} it")


class MessageNotFound(NotFound):
    """No message has this id, or it is not the caller's."""

    code = "message_not_found"

    def __init__(self, message_id: str) -> None:
        self.message_id = message_id
        super().__init__(f"there is no message {message_id[:80]}")


class MessageClosed(Conflict):
    """The message was read, withdrawn, or is too old."""

    code = "message_closed"

    def __init__(self, message_id: str, state: str) -> None:
        self.message_id, self.state = message_id, state
        super().__init__(f"message {message_id} is {state}")


class InboxFull(LimitExceeded):
    """A project has as many messages waiting as it may."""

    code = "inbox_full"

    def __init__(self, project: str, waiting_max: int) -> None:
        self.project, self.waiting_max = project, waiting_max
        super().__init__(f"{project} has {waiting_max} messages waiting; let them be read or withdraw some first")
