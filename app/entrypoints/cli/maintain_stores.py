"""The command that has the server look after its stores now, instead of in a quiet moment."""

import time
from typing import Any

from app.domain.limits_upkeep import MAINTAIN_SECONDS_MAX
from app.entrypoints.cli import output
from app.entrypoints.cli.options import AsJson, Url

_POLL_S = 0.2


def maintain(url: Url = None, as_json: AsJson = False) -> None:
    """Merge full text, give empty pages back and pack git now; the server does so itself in quiet moments."""
    from app.entrypoints.cli import views
    from app.entrypoints.cli.remote import Remote

    remote = Remote(url)
    remote.post("/api/v1/maintenance")
    answer = _wait(remote)
    output.emit(answer, as_json=as_json, render=lambda console: console.print(views.describe_maintenance(answer)))


def _wait(remote: Any) -> dict[str, Any]:  # noqa: ANN401 - imported late
    """Wait for the end, at which the status has the figures; a very long one goes on without us."""
    deadline = time.monotonic() + MAINTAIN_SECONDS_MAX
    with output.open_console(is_error=True).status("looking after the stores"):
        while True:
            found: dict[str, Any] = remote.get("/api/v1/status")["maintenance"]
            if not found["is_running"] or time.monotonic() > deadline:
                return found
            time.sleep(_POLL_S)
