"""Access tokens: their hash, and the check that takes the same time for every wrong one."""

import hashlib
import hmac


def hash_token(token: str) -> bytes:
    """Hash a token of at least 128 random bits; a plain SHA-256 is enough for those."""
    return hashlib.sha256(token.encode()).digest()


def is_match(token: bytes, known_hash: bytes) -> bool:
    """Tell whether a token is the one whose hash is known, in constant time."""
    return hmac.compare_digest(hashlib.sha256(token).digest(), known_hash)
