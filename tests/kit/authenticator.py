"""A security key in software: makes passkeys and signs with them, or lies about it."""

from __future__ import annotations

import json
import secrets
from base64 import urlsafe_b64decode, urlsafe_b64encode
from hashlib import sha256
from typing import Any, Final

from cryptography.hazmat.primitives.asymmetric import ec, ed25519, padding, rsa
from cryptography.hazmat.primitives.hashes import SHA256
from webauthn.helpers import encode_cbor

PRESENT: Final = 0x01
VERIFIED: Final = 0x04
ATTESTED: Final = 0x40


class Elliptic:
    """ES256."""

    def __init__(self) -> None:
        self._key = ec.generate_private_key(ec.SECP256R1())

    def public(self) -> dict[int, Any]:
        numbers = self._key.public_key().public_numbers()
        x, y = (number.to_bytes(32, "big") for number in (numbers.x, numbers.y))
        return {1: 2, 3: -7, -1: 1, -2: x, -3: y}

    def sign(self, data: bytes) -> bytes:
        return self._key.sign(data, ec.ECDSA(SHA256()))


class Edwards:
    """EdDSA."""

    def __init__(self) -> None:
        self._key = ed25519.Ed25519PrivateKey.generate()

    def public(self) -> dict[int, Any]:
        return {1: 1, 3: -8, -1: 6, -2: self._key.public_key().public_bytes_raw()}

    def sign(self, data: bytes) -> bytes:
        return self._key.sign(data)


class Rivest:
    """RS256."""

    def __init__(self) -> None:
        self._key = rsa.generate_private_key(65537, 2048)

    def public(self) -> dict[int, Any]:
        numbers = self._key.public_key().public_numbers()
        return {1: 3, 3: -257, -1: numbers.n.to_bytes(256, "big"), -2: b"\x01\x00\x01"}

    def sign(self, data: bytes) -> bytes:
        return self._key.sign(data, padding.PKCS1v15(), SHA256())


Key = Elliptic | Edwards | Rivest


class Authenticator:
    """One passkey, once it has been made.

    Attributes:
        count: of its uses, as it tells; every signature adds `step`.
        flags: whether somebody touched it, and showed who they are.
        site: the RP id that it signs for; empty for the one that it is asked for.
    """

    def __init__(self, step: int = 1, key: Key | None = None) -> None:
        self.key = key or Elliptic()
        self.id = secrets.token_bytes(32)
        self.handle = b""
        self.count = 0
        self.step = step
        self.flags = PRESENT | VERIFIED
        self.site = ""

    def make(self, options: dict[str, Any], origin: str, /, **client: Any) -> str:
        """Answers `navigator.credentials.create`, as JSON."""
        self.handle = unpacked(options["user"]["id"])
        public = encode_cbor(self.key.public())
        attested = bytes(16) + len(self.id).to_bytes(2, "big") + self.id + public
        said = self._said(options["rp"]["id"], ATTESTED) + attested
        whole = encode_cbor({"fmt": "none", "attStmt": {}, "authData": said})
        data = _client("webauthn.create", options["challenge"], origin, client)
        return self._told(clientDataJSON=data, attestationObject=whole)

    def sign(self, options: dict[str, Any], origin: str, /, **client: Any) -> str:
        """Answers `navigator.credentials.get`, as JSON."""
        self.count += self.step
        data = _client("webauthn.get", options["challenge"], origin, client)
        said = self._said(options["rpId"], 0)
        signature = self.key.sign(said + sha256(data).digest())
        return self._told(
            clientDataJSON=data,
            authenticatorData=said,
            signature=signature,
            userHandle=self.handle,
        )

    def _said(self, site: str, more: int) -> bytes:
        place = sha256((self.site or site).encode()).digest()
        return place + bytes([self.flags | more]) + self.count.to_bytes(4, "big")

    def _told(self, **parts: bytes) -> str:
        response = {name: packed(part) for name, part in parts.items()}
        name = packed(self.id)
        return json.dumps({"id": name, "rawId": name, "type": "public-key", "response": response})


def _client(kind: str, challenge: str, origin: str, more: dict[str, Any]) -> bytes:
    said = {"type": kind, "challenge": challenge, "origin": origin, "crossOrigin": False}
    return json.dumps(said | more).encode()


def packed(part: bytes) -> str:
    """As base64url without padding."""
    return urlsafe_b64encode(part).decode().rstrip("=")


def unpacked(text: str) -> bytes:
    return urlsafe_b64decode(text + "===")
