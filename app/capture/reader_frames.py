"""How the server and the process that reads events for it speak: a length, and so many bytes, each way in turn."""

import socket
import struct
from typing import Final

from app.domain.limits_reading import READING_FRAME_BYTES_MAX

_LENGTH: Final = struct.Struct(">I")
_CHUNK_BYTES: Final = 1024 * 1024
# What the child says when it can be asked, and in place of an answer where it has none.
READY: Final = b"ready"
NO_ANSWER: Final = b""


def send_frame(channel: socket.socket, content: bytes) -> None:
    """Send a frame; raises what the socket does."""
    if len(content) < _CHUNK_BYTES:
        channel.sendall(_LENGTH.pack(len(content)) + content)
    else:
        channel.sendall(_LENGTH.pack(len(content)))
        channel.sendall(content)


def receive_frame(channel: socket.socket) -> bytes | None:
    """Receive a frame; None where the other side has gone before one began.

    Raises:
        OSError: the other side has gone in the middle of one, says nothing in time, or speaks otherwise.
    """
    head = _receive(channel, _LENGTH.size)
    if head is None:
        return None
    (length,) = _LENGTH.unpack(head)
    if length > READING_FRAME_BYTES_MAX:
        raise OSError(f"a frame of {length} bytes")
    content = _receive(channel, length)
    if content is None:
        raise ConnectionResetError("a frame ended before it was complete")
    return bytes(content)


def _receive(channel: socket.socket, length: int) -> bytearray | None:
    content = bytearray(length)
    view, filled = memoryview(content), 0
    while filled < length:
        count = channel.recv_into(view[filled:])
        if not count:
            if filled:
                raise ConnectionResetError("a frame ended before it was complete")
            return None
        filled += count
    return content
