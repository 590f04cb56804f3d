"""The cookie of a browser's session, as every answer that gives one writes it."""

import ipaddress
from typing import Final

SESSION: Final = "memwiki_session"


def build_header(secret: str, *, seconds_max: int, path: str, is_secure: bool) -> str:
    """Write the header that gives a browser the secret of its session, which scripts and other sites never see."""
    ending = "; Secure" if is_secure else ""
    return f"{SESSION}={secret}; HttpOnly; Max-Age={seconds_max}; Path={path}; SameSite=strict{ending}"


def is_secure(scheme: str, host: str) -> bool:
    """Tell whether a browser may send its cookies encrypted only, which loopback does not need."""
    if scheme == "https":
        return True
    try:
        return not ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return host != "localhost"
