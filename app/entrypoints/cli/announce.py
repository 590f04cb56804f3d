"""What the server says when it answers: where the data is, what is listening, and the next command to type."""

import shutil
from collections.abc import Callable
from importlib.metadata import version

from app.config import Settings
from app.entrypoints.cli import output

_DEFAULT_PORT = 7470


def build(settings: Settings, *, as_json: bool) -> Callable[[str], None]:
    """Build the announcement for a server with these settings."""
    return lambda url: _print_json(settings, url) if as_json else _print_text(settings, url)


def _print_json(settings: Settings, url: str) -> None:
    output.print_json_line({"url": url, "data_dir": str(settings.data_dir), "version": version("memwiki")})


def _print_text(settings: Settings, url: str) -> None:
    command = "memwiki" if shutil.which("memwiki") else ".venv/bin/memwiki"
    option = "" if settings.port == _DEFAULT_PORT and settings.is_loopback else f" --url {url}"
    console = output.open_console()
    console.print(f"[bold]memwiki[/] {version('memwiki')} is listening on [bold]{url}[/]")
    console.print(f"  wiki     {settings.data_dir / 'wiki'}")
    console.print(f"  all data {settings.data_dir}")
    console.print(f"  next     {command} install claude-code --apply{option}      (or codex)")
    console.print(f"           {command} demo      shows what it does with recorded sessions, apart from your data")
    console.print("  Ctrl-C stops it; nothing that was acknowledged is lost.")
