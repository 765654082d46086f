"""Encryption of a message for one browser (RFC 8291: aes128gcm of RFC 8188, in one record)."""

from __future__ import annotations

import hmac
import secrets
from hashlib import sha256
from typing import Final

from cryptography.hazmat.primitives.asymmetric.ec import (
    ECDH,
    EllipticCurvePrivateKey,
    EllipticCurvePublicKey,
    generate_private_key,
)
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from volte.push.keys import CURVE, point

POINT: Final = 65  # bytes of a browser's public key
AUTH: Final = 16  # bytes of the secret that a browser shares with the server
SALT: Final = 16  # bytes
RECORD: Final = 4096  # bytes of a message at most, all told: push services need not take more
LAST: Final = b"\2"  # ends the text of the last record; zeros may follow

BLOCK: Final = 512
"""A text is filled up to a multiple of this many bytes, so that its length tells little."""


def public_key(data: bytes) -> EllipticCurvePublicKey:
    """A browser's public key. Raises `ValueError` for what is no point on the curve."""
    if len(data) != POINT:
        raise ValueError("no point of 65 bytes")
    return EllipticCurvePublicKey.from_encoded_point(CURVE, data)


def encrypted(
    text: bytes,
    p256dh: bytes,
    auth: bytes,
    *,
    key: EllipticCurvePrivateKey | None = None,
    salt: bytes = b"",
    block: int = BLOCK,
) -> bytes:
    """The body of a request by which a browser gets a text, which nobody else can read.

    Args:
        text: the message, up to `volte.push.sender.LONGEST` bytes.
        p256dh: the browser's public key.
        auth: the secret that it shares with the server.
        key: the key for this message alone, made anew if there is none; likewise `salt`.
    """
    key, salt = key or generate_private_key(CURVE), salt or secrets.token_bytes(SALT)
    browser, own = public_key(p256dh), point(key.public_key())
    shared = _hmac(auth, key.exchange(ECDH(), browser))
    secret = _hmac(salt, _expanded(shared, b"WebPush: info\0" + p256dh + own, 32))
    content = _expanded(secret, b"Content-Encoding: aes128gcm\0", 16)
    nonce = _expanded(secret, b"Content-Encoding: nonce\0", 12)
    ended = text + LAST
    filled = ended + bytes(-len(ended) % block)
    head = salt + RECORD.to_bytes(4) + bytes([len(own)]) + own
    return head + AESGCM(content).encrypt(nonce, filled, None)


def _hmac(key: bytes, data: bytes) -> bytes:
    return hmac.digest(key, data, sha256)


def _expanded(key: bytes, info: bytes, size: int) -> bytes:
    """The one block that HKDF makes of a key (RFC 5869)."""
    return _hmac(key, info + b"\1")[:size]
