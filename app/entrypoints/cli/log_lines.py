"""The log: what a line looks like, for people or as JSON, with the request's id and never a secret; and its file."""

import logging
import logging.handlers
import os
from functools import partial
from io import TextIOWrapper
from pathlib import Path
from typing import Literal

from app.domain import limits
from app.domain.redact import redact_text
from app.entrypoints import request_ids

LogForm = Literal["console", "json"]

_FILES_KEPT = 3

_FORM = "%(asctime)s %(levelname)s %(name)s %(message)s"


class CleanFormatter(logging.Formatter):
    """Writes a record without secrets: what failed may have had one in its hands, and tracebacks show it."""

    def __init__(self, form: str = _FORM, inner: logging.Formatter | None = None) -> None:
        super().__init__(form)
        self._inner = inner

    def format(self, record: logging.LogRecord) -> str:
        """Write the record with its traceback and the request that it belongs to, redacted."""
        if self._inner is not None:
            return redact_text(self._inner.format(record))
        request_id = request_ids.find_current()
        return redact_text(super().format(record) + (f" request={request_id}" if request_id else ""))


class PrivateLog(logging.handlers.RotatingFileHandler):
    """A log of a few files of a bounded size, each of which only its owner can read, those to come as well."""

    def _open(self) -> TextIOWrapper:
        # Only this `open` takes an opener.
        private = partial(os.open, mode=0o600)
        return open(self.baseFilename, "a", encoding=self.encoding, errors=self.errors, opener=private)


def build_formatter(form: LogForm) -> CleanFormatter:
    """Build the formatter of a log for people, or for programs that read a JSON object a line."""
    return CleanFormatter(inner=_build_json()) if form == "json" else CleanFormatter()


def open_log(folder: Path, form: LogForm, level: str) -> None:
    """Write the log to a bounded file that only its owner can read; warnings also go to standard error."""
    folder.mkdir(mode=0o700, exist_ok=True)
    to_file = PrivateLog(
        folder / "memwiki.log", maxBytes=limits.LOG_BYTES_MAX, backupCount=_FILES_KEPT, encoding="utf-8"
    )
    to_person = logging.StreamHandler()
    to_person.setLevel(logging.WARNING)
    to_file.setFormatter(build_formatter(form))
    to_person.setFormatter(build_formatter("console"))
    logging.basicConfig(level=level.upper(), handlers=[to_file, to_person], force=True)


def change_log(form: LogForm, level: str) -> None:
    """Go on with the log in another form, or with more or less in it."""
    root = logging.getLogger()
    root.setLevel(level.upper())
    for to_file in root.handlers:
        if isinstance(to_file, logging.handlers.RotatingFileHandler):
            to_file.setFormatter(build_formatter(form))


def _build_json() -> logging.Formatter:
    # It takes a third of a second to import, which the start of most servers should not pay.
    import structlog

    def add_request_id(_logger: object, _method: str, event: structlog.typing.EventDict) -> structlog.typing.EventDict:
        if request_id := request_ids.find_current():
            event["request_id"] = request_id
        return event

    return structlog.stdlib.ProcessorFormatter(
        foreign_pre_chain=[
            structlog.stdlib.add_log_level,
            structlog.stdlib.add_logger_name,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            add_request_id,
        ],
        processors=[
            structlog.stdlib.ProcessorFormatter.remove_processors_meta,
            structlog.processors.format_exc_info,
            structlog.processors.JSONRenderer(ensure_ascii=False),
        ],
    )
