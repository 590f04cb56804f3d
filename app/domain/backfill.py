"""Sessions that were told afterwards, from the transcripts that their agents keep themselves."""

from app.domain.checkout import Checkout

# How the checkout of an event says so, in the place where a run without a person says what it is.
RUN = "backfill"
CAPTURED_REASON = "its session was captured while it ran"


def is_backfilled(checkout: Checkout) -> bool:
    """Tell whether an event, or the session that it began, was told afterwards."""
    return checkout.run == RUN
