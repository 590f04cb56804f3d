"""Encrypts what waits in the spool, with AES-256-GCM of the libcrypto that Python's own hashlib is linked to.

It is on where a key file is: the one that `MEMWIKI_SPOOL_KEY_FILE` names, else `spool.key` beside the spool's folder.
Its first key seals, the ones behind it are older; a line `required` forbids to keep anything in clear.
The hook client carries a copy of this module, so that it speaks Python 3.8 and imports the standard library alone.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import os
import re
from collections.abc import Sequence

from app.capture import client_files
from app.domain import limits

TYPE_CHECKING = False
if TYPE_CHECKING:
    import ctypes

KEY_BYTES, NONCE_BYTES, TAG_BYTES = 32, 12, 16
REQUIRED = "required"
_GET_TAG, _SET_TAG = 0x10, 0x11
_SEALED = re.compile(rb'(\{"at": \d{1,15}, "sealed": "([0-9a-f]{16})\.)([A-Za-z0-9+/=]+)"\}$')
_AT = re.compile(rb'\{"at": (\d{1,15})[,}]')
# What NIST's test case 14 says that AES-256-GCM makes of sixteen zeros under a key and a nonce of zeros.
_KNOWN = binascii.unhexlify("cea7403d4d606b6e074ec5d3baf39d18d0d1c8a799996bf0265b98b5d48ab919")


class Keys:
    """What a key file holds; without a key in it nothing can be sealed, which `fault` explains."""

    def __init__(self, secrets: Sequence[bytes], *, is_required: bool, fault: str = "") -> None:
        self.secrets, self.is_required, self.fault = list(secrets), is_required, fault

    @property
    def current_id(self) -> str:
        """The id of the key that seals, empty for none."""
        return name_key(self.secrets[0]) if self.secrets else ""

    def find(self, key_id: str) -> bytes:
        """Find a key by its id; an unknown one is empty."""
        return next((secret for secret in self.secrets if name_key(secret) == key_id), b"")


class Cipher:
    """AES-256-GCM by the functions of one libcrypto."""

    def __init__(self, library: ctypes.CDLL) -> None:
        import ctypes

        self._new = library.EVP_CIPHER_CTX_new
        self._new.restype = ctypes.c_void_p
        self._gcm = library.EVP_aes_256_gcm
        self._gcm.restype = ctypes.c_void_p
        self._library, self._pointer, self._integer = library, ctypes.c_void_p, ctypes.c_int
        self._buffer, self._by_reference = ctypes.create_string_buffer, ctypes.byref

    def seal(self, secret: bytes, nonce: bytes, text: bytes, bound: bytes) -> bytes:
        """Encrypt a text; `bound` stays in clear and cannot be changed either. The tag comes last."""
        return self._run("Encrypt", (secret, nonce), text, bound, self._buffer(TAG_BYTES))

    def open(self, secret: bytes, nonce: bytes, sealed: bytes, bound: bytes) -> bytes:
        """Decrypt what `seal` made.

        Raises:
            ValueError: it is not what was sealed under this key.
        """
        if len(sealed) < TAG_BYTES:
            raise ValueError("too short")
        tag = self._buffer(sealed[-TAG_BYTES:], TAG_BYTES)
        return self._run("Decrypt", (secret, nonce), sealed[:-TAG_BYTES], bound, tag)

    def _run(
        self, way: str, key: tuple[bytes, bytes], text: bytes, bound: bytes, tag: ctypes.Array[ctypes.c_char]
    ) -> bytes:
        made, size = self._buffer(len(text) + TAG_BYTES), self._integer(0)
        context = self._pointer(self._new())
        if not context:
            raise ValueError("no memory")
        names = ("EVP_%sInit_ex", "EVP_%sUpdate", "EVP_%sFinal_ex")
        init, update, final = (getattr(self._library, name % way) for name in names)
        control, length = self._library.EVP_CIPHER_CTX_ctrl, self._by_reference(size)
        try:
            steps = [
                init(context, self._pointer(self._gcm()), None, *key),
                update(context, None, length, bound, len(bound)),
                update(context, made, length, text, len(text)),
            ]
            if way == "Decrypt":
                steps.append(control(context, _SET_TAG, TAG_BYTES, tag))
            steps.append(final(context, self._buffer(TAG_BYTES), length))
            if way == "Encrypt":
                steps.append(control(context, _GET_TAG, TAG_BYTES, tag))
            if steps != [1] * len(steps):
                raise ValueError("it is not what was sealed")
            return made.raw[: len(text)] + (tag.raw if way == "Encrypt" else b"")
        finally:
            self._library.EVP_CIPHER_CTX_free(context)


def read_keys(path: str) -> Keys:
    """Read a key file; what is wrong with it is its fault."""
    try:
        lines = client_files.read_all(path, limits.SPOOL_KEYS_BYTES_MAX).decode("ascii", "replace").split()
    except OSError as error:
        return Keys([], is_required=False, fault="%s cannot be read (%s)" % (path, error.strerror))
    secrets = []
    for line in lines:
        try:
            secret = base64.b64decode(line, validate=True)
        except ValueError:
            continue
        secrets += [secret] if len(secret) == KEY_BYTES else []
    fault = "" if secrets else "%s holds no key" % path
    return Keys(secrets, is_required=REQUIRED in lines, fault=fault)


def name_key(secret: bytes) -> str:
    """Name a key by a hash of it, which tells nothing of it."""
    return hashlib.sha256(b"memwiki spool key\n" + secret).hexdigest()[:16]


def load_cipher() -> Cipher | None:
    """Find the cipher and prove it on a known answer; None where this Python has none to lend."""
    try:
        import _hashlib
        import ctypes

        cipher = Cipher(ctypes.CDLL(getattr(_hashlib, "__file__", None)))
        proof = cipher.seal(bytes(KEY_BYTES), bytes(NONCE_BYTES), bytes(16), b"")
        is_proven = proof == _KNOWN and cipher.open(bytes(KEY_BYTES), bytes(NONCE_BYTES), proof, b"") == bytes(16)
    except Exception:
        return None
    return cipher if is_proven else None


def seal_line(cipher: Cipher, secret: bytes, line: bytes) -> bytes:
    """Seal a line whose head says when its event happened; that alone stays in clear."""
    told = _AT.match(line)
    bound = b'{"at": %s, "sealed": "%s.' % (told.group(1) if told else b"0", name_key(secret).encode())
    nonce = os.urandom(NONCE_BYTES)
    return b'%s%s"}\n' % (bound, base64.b64encode(nonce + cipher.seal(secret, nonce, line.rstrip(b"\n"), bound)))


def open_line(cipher: Cipher | None, keys: Keys, line: bytes) -> bytes | None:
    """Open a sealed line; None where its key or the cipher is not to be had, or where it was changed."""
    found = _SEALED.match(line)
    if not found or cipher is None:
        return None
    secret = keys.find(found.group(2).decode())
    try:
        packed = base64.b64decode(found.group(3))
        return cipher.open(secret, packed[:NONCE_BYTES], packed[NONCE_BYTES:], found.group(1)) if secret else None
    except ValueError:
        return None
