"""Says at a session's start that it begins without its memory, in the form in which its agent takes a brief.

The hook client carries a copy of this module, so that it speaks Python 3.8 and imports the standard library alone.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping

from app.capture import native_kinds
from app.domain.limits_client import NOTICE_URL_CHARS_MAX

_REFUSED = {401, 403}
_BUSY = {429, 503}
_OTHERS = {*range(200, 400), 404}
_SILENT = {"off", "one-shot"}


def render_notice(facts: Mapping[str, str], wishes: Mapping[str, object], status: int, waiting: int) -> bytes:
    """Write what the hook prints: nothing for an agent that takes nothing at its start, or a person who wants nothing.

    `facts` name the `agent`, the `event` and the server's `url`; `wishes` are the `brief` and `run` of a start. A
    status of 0 is no answer at all, and `waiting` counts the events of this machine that are not sent yet.
    """
    form = native_kinds.NOTICES.get(facts["agent"], {}).get(facts["event"], "")
    if not form or wishes.get("brief") == "off" or wishes.get("run") in _SILENT:
        return b""
    text = "<memwiki-brief>\n%s %s\n</memwiki-brief>" % (_tell_fault(facts["url"], status), _tell_waiting(waiting))
    shown = json.dumps(text, ensure_ascii=False)[1:-1] if form.startswith("{") else text
    return form.replace(native_kinds.NOTICE_PLACE, shown).encode("utf-8", "replace")


def _tell_fault(url: str, status: int) -> str:
    place = re.sub(r"[\s<>]", "?", re.sub(r"://[^/@]*@", "://", url))[:NOTICE_URL_CHARS_MAX]
    if status in _REFUSED:
        fault = "refuses the access token of this machine (%d at %s)" % (status, place)
    elif status in _BUSY:
        fault = "is too busy to answer (%d at %s)" % (status, place)
    elif status in _OTHERS:
        fault = "is not what answers at %s (status %d)" % (place, status)
    elif status:
        fault = "answers with an error (%d at %s)" % (status, place)
    else:
        fault = "does not answer at %s" % place
    return "memwiki, where the memory of this work is kept, %s: this session starts without it." % fault


def _tell_waiting(waiting: int) -> str:
    if not waiting:
        return "What is said here may not be kept. The person sees why with `memwiki status`."
    events = "1 event waits" if waiting == 1 else "%d events wait" % waiting
    kept = "What is said here is kept on this machine, where %s, and sent when it answers." % events
    return kept + " `memwiki serve` starts it where it runs; `memwiki status` says what is wrong."
