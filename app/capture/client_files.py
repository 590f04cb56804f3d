"""The small files of the hook client: where its folder is, and reading, appending and locking in it.

The hook client carries a copy of this module, so that it speaks Python 3.8 and imports the standard library alone.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Mapping

from app.domain.limits_client import CLIENT_READ_BYTES_MAX


def find_spool_folder(environ: Mapping[str, str]) -> str:
    """Find the folder in which events wait, and what else this machine's hooks have to remember."""
    state = environ.get("XDG_STATE_HOME") or os.path.join(os.path.expanduser("~"), ".local", "state")
    state = (environ.get("LOCALAPPDATA") if os.name == "nt" else "") or state
    if not os.path.isabs(state):
        # Nobody's home is known: the folder is made for this user alone, and one that is another's is refused.
        state = "/tmp/memwiki-%d" % os.getuid()  # noqa: S108
    return os.path.abspath(environ.get("MEMWIKI_SPOOL_DIR") or os.path.join(state, "memwiki", "spool"))


def find_key_file(environ: Mapping[str, str], folder: str) -> str:
    """Find the file with the keys that seal a spool; empty where none is named and none is beside its folder."""
    named = environ.get("MEMWIKI_SPOOL_KEY_FILE", "")
    usual = name_key_file(folder)
    return os.path.expanduser(named) if named else usual if os.path.exists(usual) else ""


def name_key_file(folder: str) -> str:
    """Name the file with a spool's keys where no other is named."""
    return os.path.join(os.path.dirname(folder), "spool.key")


def find_token(environ: Mapping[str, str]) -> str:
    """Find the access token as it is now; one that no header can carry counts as none."""
    token_file = environ.get("MEMWIKI_ACCESS_TOKEN_FILE", "")
    token = environ.get("MEMWIKI_ACCESS_TOKEN", "").strip()
    if not token and token_file:
        token = read_text(os.path.expanduser(token_file)).partition("\n")[0].strip()
    return token if token.isprintable() else ""


def read_bytes(path: str, size: int = CLIENT_READ_BYTES_MAX) -> bytes:
    """Read the beginning of a file; one that is missing or closed to us is empty."""
    try:
        return read_all(path, size)
    except OSError:
        return b""


def read_all(path: str, size: int = -1) -> bytes:
    """Read a file.

    Raises:
        OSError: it cannot be read, which is not the same as empty.
    """
    with open(path, "rb") as opened:
        return opened.read(size)


def read_text(path: str) -> str:
    """Read the beginning of a text file, without its byte order mark."""
    return read_bytes(path).decode("utf-8", "replace").lstrip("\ufeff")


def append_file(path: str, text: bytes) -> bool:
    """Append a text to a file that only this user may read, whole or not at all."""
    try:
        os.makedirs(os.path.dirname(path), 0o700, exist_ok=True)
        opened = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND | getattr(os, "O_BINARY", 0), 0o600)
        try:
            size = os.fstat(opened).st_size
            is_whole = os.write(opened, text) == len(text)
            if not is_whole:
                os.ftruncate(opened, size)
        finally:
            os.close(opened)
    except OSError:
        return False
    return is_whole


def remove_file(path: str) -> None:
    """Remove a file; one that is gone already is no fault."""
    try:
        os.unlink(path)
    except OSError:
        pass


def lock_file(path: str, until: float) -> int | None:
    """Take the lock that a file stands for, and give up at a moment of the monotonic clock; closing it frees it.

    Raises:
        OSError: there is no such folder, or it is another's.
    """
    folder = os.path.dirname(path)
    os.makedirs(folder, 0o700, exist_ok=True)
    os.chmod(folder, 0o700)
    opened = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    while True:
        try:
            if sys.platform == "win32":
                import msvcrt

                msvcrt.locking(opened, msvcrt.LK_NBLCK, 1)
            else:
                import fcntl

                fcntl.flock(opened, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            if time.monotonic() >= until:
                os.close(opened)
                return None
            time.sleep(0.002)
        else:
            return opened


def render_time(moment: float) -> str:
    """Write a moment as the ISO text that events carry."""
    return time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(moment)) + ".%06dZ" % (moment % 1 * 1_000_000)
