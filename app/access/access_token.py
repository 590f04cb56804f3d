"""Access tokens: how they look, their keyed hash, and how they are read from a request."""

import hmac
from typing import Final

from app.domain import limits, limits_people

PREFIX: Final = "mw_"
_SCHEME: Final = b"bearer"
_FOREIGN_DOTS: Final = 2


def build_token(secret: str) -> str:
    """Make a token of a secret of 256 random bits; its beginning lets people and scanners know it."""
    return PREFIX + secret


def make_hint(token: str) -> str:
    """Tell how a token begins, by which its owner knows it again."""
    return token[: limits.TOKEN_HINT_CHARS]


def hash_token(token: bytes, key: bytes) -> str:
    """Hash a token under the server's key; what is looked up by it tells nothing by the time it takes."""
    return hmac.digest(key, token, "sha256").hex()


def hash_cookie(secret: bytes, key: bytes) -> str:
    """Hash the secret of a browser's session; as an access token it is worth nothing, nor the other way round."""
    return hash_token(b"browser " + secret, key)


def parse_header(header: bytes) -> bytes:
    """Read the token of an `Authorization` header; empty where there is none."""
    scheme, _, token = header.partition(b" ")
    token = token.strip()
    most = limits_people.PROVIDER_TOKEN_CHARS_MAX if is_foreign(token) else limits.TOKEN_CHARS_MAX
    return token if scheme.lower() == _SCHEME and len(token) <= most else b""


def is_foreign(token: bytes) -> bool:
    """Tell whether a token can only be an identity provider's: three parts, and not begun as ours are."""
    return token.count(b".") == _FOREIGN_DOTS and token.isascii() and not token.startswith(PREFIX.encode())
