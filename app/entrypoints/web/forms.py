"""Forms that change something: each carries a token that only our own pages can have read."""

import hashlib
import hmac
from typing import Final
from urllib.parse import parse_qs

from starlette.requests import Request

from app.domain import limits_web
from app.domain.errors import BodyTooLarge, OriginRefused
from app.entrypoints import principals
from app.entrypoints.web import frame

FIELD: Final = "form_token"


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
    return fields
