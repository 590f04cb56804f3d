"""Forms that change something: each carries a token that only our own pages can have read, and says why it failed."""

import hashlib
import hmac
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final
from urllib.parse import parse_qs

from starlette.requests import Request

from app.domain import limits_web
from app.domain.errors import AppError, BodyTooLarge, OriginRefused
from app.entrypoints import principals
from app.entrypoints.web import frame
from app.entrypoints.web.faults import find_status

FIELD: Final = "form_token"
# What is typed there is never shown again.
_SECRET: Final = frozenset({FIELD, "password", "secret", "token"})


@dataclass(frozen=True, slots=True)
class Fault:
    """Why a form was not taken: with which status and words, which form by the parts of its address, what was typed."""

    status: int = 200
    told: str = ""
    place: list[str] = field(default_factory=list)
    given: Mapping[str, str] = field(default_factory=dict)

    def kept(self, place: list[str], name: str, otherwise: str = "") -> str:
        """Tell what was typed into a field of a form; of another form than the one that failed it is as it was."""
        return self.given.get(name, otherwise) if place == self.place else otherwise


def make_token(request: Request) -> str:
    """Make the token of the forms of this person in this browser; it lasts until the session or the server ends."""
    site, principal = frame.find_site(request), principals.find(request.scope)
    whose = f"{principal.person}\n{principal.web_session_id}"
    return hmac.new(site.runtime.form_key, whose.encode(), hashlib.sha256).hexdigest()


async def check_token(request: Request) -> dict[str, str]:
    """Read a form of ours.

    Raises:
        BodyTooLarge: it is larger than any form of ours.
        OriginRefused: it does not carry the token, so it may be another site's.
    """
    body = b""
    async for part in request.stream():
        body += part
        if len(body) > limits_web.WEB_FORM_BYTES_MAX:
            raise BodyTooLarge(limits_web.WEB_FORM_BYTES_MAX)
    fields = {name: values[0] for name, values in parse_qs(body.decode("utf-8", "replace")).items()}
    if not hmac.compare_digest(fields.get(FIELD, ""), make_token(request)):
        raise OriginRefused("a form without its token; open the page again")
    request.state.given = {name: value for name, value in fields.items() if name not in _SECRET}
    return fields


def note_fault(request: Request, error: AppError) -> None:
    """Say why a form was not taken, for the page that is shown again with what was typed."""
    request.state.fault = error


def find_fault(request: Request) -> Fault:
    """Find why a form was not taken, and what was typed; nothing where a page is only looked at."""
    error: AppError | None = getattr(request.state, "fault", None)
    if error is None:
        return Fault()
    return Fault(find_status(error)[0], str(error), request.url.path.strip("/").split("/"), request.state.given)
