"""Detector libraries as redactors, to be measured beside ours where they are installed; none of them is needed."""

import importlib
from collections.abc import Callable, Iterable, Iterator
from typing import Any, Final

from app.bench.scale import Note

_PLACEHOLDER: Final = "[redacted:found]"


def list_libraries(note: Note) -> Iterator[tuple[str, Callable[[str], str]]]:
    """List the libraries that can be imported here, by name, each as a function that redacts a text."""
    for name, module, build in _LIBRARIES:
        try:
            loaded = importlib.import_module(module)
        except ModuleNotFoundError:
            continue
        note(f"getting {name} ready")
        yield name, build(loaded)


def _build_kingfisher(library: Any) -> Callable[[str], str]:  # noqa: ANN401 - a module without types here
    scanner = library.Scanner(library.Rules())

    def redact(text: str) -> str:
        raw = text.encode("utf-8", "replace")
        found = [finding for finding in scanner.scan(raw) if finding.visible]
        # What was found inside base64 has to go with all of it.
        wrapped = [finding.location for finding in found if finding.is_base64_encoded]
        for place in sorted(wrapped, key=lambda place: -int(place["start_offset"])):
            raw = raw[: place["start_offset"]] + _PLACEHOLDER.encode() + raw[place["end_offset"] :]
        return _replace(raw.decode("utf-8", "replace"), (finding.secret for finding in found))

    return redact


def _build_detect_secrets(library: Any) -> Callable[[str], str]:  # noqa: ANN401 - a module without types here
    scan = importlib.import_module("detect_secrets.core.scan")
    settings = importlib.import_module("detect_secrets.settings")

    def redact(text: str) -> str:
        with settings.default_settings():
            found = [finding for line in text.splitlines() for finding in scan.scan_line(line)]
        return _replace(text, (finding.secret_value or "" for finding in found))

    assert library, "the package itself holds nothing that is needed"
    return redact


def _replace(text: str, secrets: Iterable[str]) -> str:
    for secret in sorted({secret for secret in secrets if secret}, key=len, reverse=True):
        text = text.replace(secret, _PLACEHOLDER)
    return text


_LIBRARIES: Final = (
    ("kingfisher", "kingfisher_sdk", _build_kingfisher),
    ("detect_secrets", "detect_secrets", _build_detect_secrets),
)
