"""The server's keys, by which push services know it (VAPID, RFC 8292)."""

from __future__ import annotations

import re
from base64 import urlsafe_b64decode, urlsafe_b64encode
from typing import Any, Final, Self

import msgspec
from cryptography.hazmat.primitives.asymmetric.ec import (
    ECDSA,
    SECP256R1,
    EllipticCurvePrivateKey,
    EllipticCurvePublicKey,
    derive_private_key,
    generate_private_key,
)
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from volte.web.settings import SettingFault

CURVE: Final = SECP256R1()  # P-256
PRIVATE: Final = 32  # bytes of a private key
LASTING: Final = 12 * 3600  # seconds for which a push service may believe a token; a day at most

BASE64URL: Final = re.compile("[A-Za-z0-9_-]*={0,2}")


class ServerKeys:
    """The private key of a server, and its public key for browsers.

    Args:
        contact: address of whoever looks after the server, `mailto:` or `https:`; empty for none.
    """

    def __init__(self, private: EllipticCurvePrivateKey, contact: str = "") -> None:
        self._private = private
        self._contact = contact
        self.public = base64url(point(private.public_key()))

    @classmethod
    def read(cls, text: str, contact: str = "") -> Self:
        """The keys of a private key in base64url. Raises `SettingFault`."""
        try:
            data = from_base64url(text)
            if len(data) != PRIVATE:
                raise ValueError(text)
            return cls(derive_private_key(int.from_bytes(data), CURVE), contact)
        except ValueError:
            raise SettingFault("bad_push_key") from None

    def authorization(self, origin: str, now: float) -> str:
        """The header `Authorization` for a push service.

        Args:
            origin: scheme, host and port of the service.
            now: seconds since 1970.
        """
        claims: dict[str, Any] = {"aud": origin, "exp": int(now) + LASTING}
        if self._contact:
            claims["sub"] = self._contact
        head = {"typ": "JWT", "alg": "ES256"}
        signed = ".".join(base64url(msgspec.json.encode(part)) for part in (head, claims))
        r, s = decode_dss_signature(self._private.sign(signed.encode(), ECDSA(SHA256())))
        signature = base64url(r.to_bytes(PRIVATE) + s.to_bytes(PRIVATE))
        return f"vapid t={signed}.{signature}, k={self.public}"


def new_private_key() -> str:
    """A new private key, in base64url."""
    number = generate_private_key(CURVE).private_numbers().private_value
    return base64url(number.to_bytes(PRIVATE))


def point(key: EllipticCurvePublicKey) -> bytes:
    """A public key in its 65 bytes."""
    return key.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)


def base64url(data: bytes) -> str:
    """Text of base64url without padding."""
    return urlsafe_b64encode(data).rstrip(b"=").decode()


def from_base64url(text: str) -> bytes:
    """The bytes in a text of base64url, with padding or without. Raises `ValueError`."""
    bare = text.rstrip("=")
    if not BASE64URL.fullmatch(text) or len(bare) % 4 == 1:
        raise ValueError(text)
    return urlsafe_b64decode(bare + "=" * (-len(bare) % 4))
