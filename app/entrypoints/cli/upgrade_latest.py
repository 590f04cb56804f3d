"""Asks an index of packages for the latest release, when a person says so; bounded in time and size."""

import re
from typing import Any, Final

import httpx2
import msgspec

from app.domain.limits_faces import INDEX_ANSWER_BYTES_MAX, INDEX_SECONDS_MAX
from app.domain.upkeep_errors import ReleaseUnknown
from app.entrypoints.cli.remote import build_trust

_NUMBERS: Final = re.compile(r"\d+(?:\.\d+)*")


class _Release(msgspec.Struct):
    version: str


class _Answer(msgspec.Struct):
    release: _Release = msgspec.field(name="info")


def ask_latest(url: str, own: str) -> dict[str, Any]:
    """Ask once, by the person's own proxies.

    Raises:
        ReleaseUnknown: nobody answers, or what answers says no version.
    """
    try:
        latest = msgspec.json.decode(_fetch(url), type=_Answer).release.version
    except (httpx2.HTTPError, httpx2.InvalidURL, msgspec.DecodeError) as error:
        raise ReleaseUnknown(url, str(error) or type(error).__name__) from error
    if not _NUMBERS.match(latest):
        raise ReleaseUnknown(url, "it names no version")
    return {"asked": url, "version": latest, "is_newer": _split(latest) > _split(own)}


def _fetch(url: str) -> bytes:
    content = b""
    options = {"timeout": INDEX_SECONDS_MAX, "headers": {"Accept": "application/json"}}
    with httpx2.Client(verify=build_trust(url)) as client, client.stream("GET", url, **options) as answer:  # type: ignore[arg-type]
        answer.raise_for_status()
        for piece in answer.iter_bytes():
            content += piece
            if len(content) > INDEX_ANSWER_BYTES_MAX:
                raise ReleaseUnknown(url, f"its answer has more than {INDEX_ANSWER_BYTES_MAX} bytes")
    return content


def _split(version: str) -> tuple[int, ...]:
    """Take the numbers that a version begins with, without zeros at their end."""
    found = _NUMBERS.match(version)
    numbers = [int(part) for part in found[0].split(".")] if found else []
    while numbers and not numbers[-1]:
        numbers.pop()
    return tuple(numbers)
