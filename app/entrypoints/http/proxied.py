"""Believes proxies that are named in the settings of who asks, by which name and how; nobody else is believed."""

import ipaddress
from collections.abc import Iterable, Sequence
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network
from typing import Final

from starlette.types import ASGIApp, Receive, Scope, Send

Network = IPv4Network | IPv6Network

_FOR: Final = b"x-forwarded-for"
_PROTO: Final = b"x-forwarded-proto"
_HOST: Final = b"x-forwarded-host"
# By these a request shows that something passed it on.
MARKS: Final = frozenset({_FOR, _PROTO, _HOST, b"forwarded", b"x-real-ip"})
_SCHEMES: Final = frozenset({"http", "https"})


class Proxied:
    """Puts into each request of a trusted proxy what it says of the one who asked it; drops what it said that with."""

    def __init__(self, app: ASGIApp, trusted: Sequence[Network]) -> None:
        self._app = app
        self._trusted = tuple(trusted)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass one request on."""
        client = scope.get("client")
        if scope["type"] == "http" and client is not None and self._is_trusted(_parse_address(client[0])):
            scope = self._believe(scope)
        await self._app(scope, receive, send)

    def _believe(self, scope: Scope) -> Scope:
        said = {name: _list_values(scope["headers"], name) for name in (_FOR, _PROTO, _HOST)}
        headers = [(name, value) for name, value in scope["headers"] if name not in MARKS]
        believed = {**scope, "headers": headers, "client": self._find_client(said[_FOR], scope["client"])}
        scheme = said[_PROTO][-1].lower() if said[_PROTO] else ""
        if scheme in _SCHEMES:
            believed["scheme"] = scheme
        if said[_HOST]:
            # What the last proxy said; further to the left stands what it was told itself.
            own = [(name, value) for name, value in headers if name != b"host"]
            believed["headers"] = [*own, (b"host", said[_HOST][-1].encode("latin-1"))]
        return believed

    def _find_client(self, hops: Sequence[str], peer: tuple[str, int]) -> tuple[str, int]:
        """Find who asked: the nearest address that is no trusted proxy; what stands behind it anybody can write."""
        found = peer[0]
        for hop in reversed(hops):
            address = _parse_address(hop)
            if address is None:
                break
            found = str(address)
            if not self._is_trusted(address):
                break
        return found, peer[1] if found == peer[0] else 0

    def _is_trusted(self, address: IPv4Address | IPv6Address | None) -> bool:
        return address is not None and any(address in network for network in self._trusted)


def _list_values(headers: Iterable[tuple[bytes, bytes]], wanted: bytes) -> list[str]:
    """List what a header says, the same header given twice being one."""
    given = ",".join(value.decode("latin-1") for name, value in headers if name == wanted)
    return [value.strip() for value in given.split(",") if value.strip()]


def _parse_address(text: str) -> IPv4Address | IPv6Address | None:
    """Read an address as proxies write it: alone, with a port, or in brackets."""
    text = text.strip('"')
    if text.startswith("["):
        text = text[1:].partition("]")[0]
    elif text.count(":") == 1:
        text = text.partition(":")[0]
    try:
        address = ipaddress.ip_address(text)
    except ValueError:
        return None
    mapped = address.ipv4_mapped if isinstance(address, IPv6Address) else None
    return mapped or address
