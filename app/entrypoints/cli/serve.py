"""Runs the server until it is told to stop, and says where it is."""

import ctypes
import gc
import os
import signal
import socket
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import uvicorn

from app import wiring
from app.config import Settings
from app.domain import limits
from app.domain.errors import InvalidValue
from app.domain.person_errors import AddressOpen
from app.entrypoints.cli import log_lines, reloading
from app.entrypoints.http import app as http_app
from app.entrypoints.http.hook_protocol import HookProtocol

_BACKLOG = 2048
_GC_THRESHOLDS = (100_000, 20, 50)
# glibc's number for how many pools of memory there are (M_ARENA_MAX), and how many: two threads may still ask at once.
_POOLS_OPTION, _POOLS_MAX = -8, 2


class AnnouncedServer(uvicorn.Server):
    """A server that tells when it listens."""

    def __init__(self, config: uvicorn.Config, announce: Callable[[], None]) -> None:
        super().__init__(config)
        self._announce = announce

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start listening, then tell."""
        await super().startup(sockets=sockets)
        if self.started:
            self._announce()


def run_server(
    read: Callable[[], Settings],
    announce: Callable[[str], None],
    *,
    build: Callable[[Settings], wiring.Runtime] = wiring.build_runtime,
) -> None:
    """Serve until a signal comes; `announce` is called once with the address when it answers.

    `read` gives the settings, now and whenever SIGHUP says that they have changed.

    Raises:
        AddressOpen: the address is not loopback, and there is neither an administrator nor a secret.
        InvalidValue: the address cannot be listened on.
        DirectoryInUse: another server holds the data directory.
    """
    # Both ways of being told to stop end in the same clean exit; uvicorn raises the signal again when it has stopped.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    _share_memory()
    settings = read()
    reloader = reloading.Reloader(
        read, settings, lambda wanted, running: check_posture(wanted, has_admin=running.gate.has_admin)
    )
    reloader.listen()
    if not settings.data_dir.exists():
        # Where nothing is yet there is no administrator either, and a refusal leaves nothing behind.
        check_posture(settings, has_admin=False)
    runtime = build(settings)
    # What was made so far stays as long as the process: the collector need not look at it again and again.
    gc.collect()
    gc.freeze()
    # Almost nothing here makes cycles, and looking for some after every 700 objects costs each event dearly. The first
    # number is more than the events of all batches under way are made of.
    gc.set_threshold(*_GC_THRESHOLDS)
    try:
        check_posture(settings, has_admin=runtime.gate.has_admin)
        log_lines.open_log(settings.data_dir / "logs", settings.log_format, settings.log_level)
        with _bind(settings) as listener:
            url = _describe(settings.host, listener.getsockname()[1])
            runtime.announce(url)
            reloader.start(runtime)
            server = AnnouncedServer(_configure(runtime), lambda: announce(url))
            server.run(sockets=[listener])
    except KeyboardInterrupt:
        pass
    finally:
        reloader.stop()
        runtime.close()


def _share_memory() -> None:
    """Have all threads take memory from two pools: glibc gives each its own, and what one frees no other can use."""
    if sys.platform == "linux":
        # Another C library has no such setting.
        with suppress(OSError, AttributeError):
            ctypes.CDLL(None).mallopt(_POOLS_OPTION, _POOLS_MAX)


def check_posture(settings: Settings, *, has_admin: bool) -> None:
    """Refuse to serve other machines to whoever asks; a proxy in front of loopback is another machine.

    Raises:
        AddressOpen: nobody would have to prove anything, or nobody could let anybody in.
    """
    can_let_in = has_admin or settings.access_token or settings.setup_secret
    can_come_in = settings.oidc_issuer and settings.oidc_admin_groups
    exposure = settings.find_exposure()
    if exposure and not can_let_in and not can_come_in:
        raise AddressOpen(exposure, in_container=_is_in_container())


def _is_in_container() -> bool:
    """Tell by what engines leave behind whether this is a container, where a person types other commands."""
    marks = (Path("/.dockerenv"), Path("/run/.containerenv"))
    return bool(os.environ.get("KUBERNETES_SERVICE_HOST")) or any(mark.exists() for mark in marks)


def _configure(runtime: wiring.Runtime) -> uvicorn.Config:
    return uvicorn.Config(
        http_app.build_app(runtime),
        http=HookProtocol,
        ws="none",
        access_log=False,
        log_config=None,
        lifespan="on",
        server_header=False,
        proxy_headers=False,
        timeout_graceful_shutdown=limits.SHUTDOWN_SECONDS_MAX,
    )


def _bind(settings: Settings) -> socket.socket:
    try:
        family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
        return socket.create_server((settings.host, settings.port), family=family, backlog=_BACKLOG)
    except OSError as error:
        reason = f"{settings.host}:{settings.port} cannot be listened on ({error.strerror}); choose another with --port"
        raise InvalidValue("setting port", reason) from error


def _describe(host: str, port: int) -> str:
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"
