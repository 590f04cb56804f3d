"""Made-up secrets for the tests of redaction: those of the corpus that the bench measures redaction on."""

from app.bench.redaction_fakes import VENDOR_KEYS, make_private_key, make_text

# Class and secret of keys that their prefix gives away.
KEYS: tuple[tuple[str, str], ...] = tuple((fake.kind, fake.secret) for fake in VENDOR_KEYS)
GITHUB: tuple[str, str] = next(key for key in KEYS if key[0] == "github-token")


def make_letters(count: int, seed: str = "x") -> str:
    """Make letters and digits of both cases."""
    return make_text("L", count, seed)


def make_hex(count: int, seed: str = "x") -> str:
    """Make hexadecimal digits."""
    return make_text("H", count, seed)


def make_pem(kind: str = "RSA ", lines: int = 6) -> str:
    """Make a block that looks like a private key."""
    return make_private_key(kind, lines)
