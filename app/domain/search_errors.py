"""Why a part of a search cannot answer, as leaves of the tree in `errors.py`."""

from app.domain.errors import InvalidInput, UpstreamFailed


class EmbedderUnavailable(UpstreamFailed):
    """The local model that turns text into vectors cannot be used; all other streams go on."""

    code = "embedder_unavailable"

    def __init__(self, reason: str) -> None:
        self.reason = reason
        super().__init__(f"the local model cannot be used: {reason}")


class CursorRejected(InvalidInput):
    """A cursor is none of ours, or belongs to another question."""

    code = "cursor_rejected"

    def __init__(self) -> None:
        super().__init__("this cursor belongs to another question; ask again without it")
