"""Builds the bytes of HTTP requests before a clock runs, so that sending one costs the client next to nothing."""

from collections.abc import Mapping
from urllib.parse import urlsplit


def build_request(method: str, target: str, headers: Mapping[str, str], body: bytes = b"") -> bytes:
    """Build one HTTP/1.1 request that keeps its connection."""
    lines = [f"{method} {target} HTTP/1.1", *(f"{name}: {value}" for name, value in headers.items())]
    if body:
        lines += ["Content-Type: application/json", f"Content-Length: {len(body)}"]
    return "\r\n".join([*lines, "", ""]).encode("latin-1") + body


def parse_address(url: str) -> tuple[str, int]:
    """Take host and port out of a server's address."""
    parts = urlsplit(url)
    assert parts.hostname is not None, "our own server told the address"
    assert parts.port is not None, "our own server told the address"
    return parts.hostname, parts.port


def build_headers(url: str, token: str) -> dict[str, str]:
    """Build what every request of a client with an access token carries."""
    host, port = parse_address(url)
    headers = {"Host": f"{host}:{port}", "User-Agent": "memwiki-bench", "Accept": "*/*"}
    return {**headers, "Authorization": f"Bearer {token}"} if token else headers
