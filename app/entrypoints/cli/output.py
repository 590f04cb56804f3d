"""All printing of the command line: text for people by rich, JSON for programs."""

import json
import sys
from collections.abc import Callable
from dataclasses import asdict, is_dataclass
from datetime import datetime
from enum import Enum
from pathlib import Path
from types import TracebackType
from typing import Self

from rich.console import Console
from rich.filesize import decimal
from rich.progress import DownloadColumn, Progress, SpinnerColumn, TextColumn, TransferSpeedColumn


def open_console(*, is_error: bool = False) -> Console:
    """Open a console on standard output or error that knows whether a person is looking."""
    return Console(stderr=is_error, soft_wrap=True, highlight=False)


class Countdown:
    """Shows on standard error how much of a piece of work is left, where a person is looking."""

    def __init__(self, what: str) -> None:
        console = open_console(is_error=True)
        self.total = 0
        self._bar = Progress(console=console, transient=True, disable=not console.is_terminal)
        self._task = self._bar.add_task(what, total=None)

    def __enter__(self) -> Self:
        self._bar.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._bar.stop()

    def tell_left(self, left: int) -> None:
        """Move on; what is left at first is the whole."""
        self.total = self.total or left
        self._bar.update(self._task, total=self.total, completed=self.total - left)


class Gauge:
    """Shows on standard error how much of a file has been read, where a person is looking."""

    def __init__(self, what: str) -> None:
        console = open_console(is_error=True)
        columns = (TextColumn("{task.description}"), SpinnerColumn(), DownloadColumn(), TransferSpeedColumn())
        self._bar = Progress(*columns, console=console, transient=True, disable=not console.is_terminal)
        self._task = self._bar.add_task(what, total=None)

    def __enter__(self) -> Self:
        self._bar.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._bar.stop()

    def tell_more(self, count: int) -> None:
        """Move on by so many bytes."""
        self._bar.advance(self._task, count)


def emit(value: object, *, as_json: bool, render: Callable[[Console], None]) -> None:
    """Print a result: as one JSON document, or as `render` draws it for a person."""
    if as_json:
        print_json(value)
    else:
        render(open_console())


def print_json(value: object) -> None:
    """Print one JSON document with stable key order."""
    sys.stdout.write(json.dumps(value, default=_to_plain, ensure_ascii=False, indent=2) + "\n")
    sys.stdout.flush()


def print_json_tightly(value: object) -> None:
    """Print one JSON document with nothing around it, as the server that counted its characters wrote it."""
    sys.stdout.write(json.dumps(value, ensure_ascii=False, separators=(",", ":")))
    sys.stdout.flush()


def print_json_line(value: object) -> None:
    """Print one JSON document on one line, for a program that reads lines."""
    sys.stdout.write(json.dumps(value, default=_to_plain, ensure_ascii=False) + "\n")
    sys.stdout.flush()


def print_text(text: str) -> None:
    """Print text exactly as it is."""
    sys.stdout.write(text)
    if not text.endswith("\n"):
        sys.stdout.write("\n")
    sys.stdout.flush()


def tell_change(text: str, *, is_dry: bool) -> str:
    """Say of a change whether it was made, or only would be."""
    return f"dry run, nothing was changed: {text}" if is_dry else text


def tell_size(count: int) -> str:
    """Say how many bytes something has, in the unit that suits it."""
    return decimal(count)


def print_error(message: str) -> None:
    """Print one line for a person on standard error."""
    open_console(is_error=True).print(f"[bold red]error[/] {_escape(message)}")


def print_note(message: str) -> None:
    """Print one line of ours on standard error, beside what another program prints."""
    open_console(is_error=True).print(f"[dim]memwiki:[/] {_escape(message)}")


def is_error_watched() -> bool:
    """Tell whether a person sees standard error."""
    return open_console(is_error=True).is_terminal


def _escape(text: str) -> str:
    return text.replace("[", r"\[")


def _to_plain(value: object) -> object:
    if is_dataclass(value) and not isinstance(value, type):
        return asdict(value)
    if isinstance(value, datetime):
        return value.isoformat().replace("+00:00", "Z")
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, Path):
        return str(value)
    if isinstance(value, set | frozenset | tuple):
        return list(value)
    raise TypeError(f"{type(value).__name__} has no JSON form")
