"""A security key in software: makes passkeys and signs with them, or lies about it."""

from __future__ import annotations

import json
import secrets
from base64 import urlsafe_b64decode, urlsafe_b64encode
from hashlib import sha256
from typing import Any, Final

import httpx
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, padding, rsa
from cryptography.hazmat.primitives.hashes import SHA256
from kit.browsing import Visitor
from kit.sites import Playroom
from webauthn.helpers import encode_cbor

from volte.people.passkeys import PAGE
from volte.web.security import csrf_of

JSON: Final = {"accept": "application/json", "x-volte": "1"}

PRESENT: Final = 0x01
VERIFIED: Final = 0x04
ATTESTED: Final = 0x40


class Elliptic:
    """A key of the algorithm ES256."""

    def __init__(self) -> None:
        self._key = ec.generate_private_key(ec.SECP256R1())

    def public(self) -> dict[int, Any]:
        numbers = self._key.public_key().public_numbers()
        x, y = (number.to_bytes(32, "big") for number in (numbers.x, numbers.y))
        return {1: 2, 3: -7, -1: 1, -2: x, -3: y}

    def sign(self, data: bytes) -> bytes:
        return self._key.sign(data, ec.ECDSA(SHA256()))


class Edwards:
    """A key of the algorithm EdDSA."""

    def __init__(self) -> None:
        self._key = ed25519.Ed25519PrivateKey.generate()

    def public(self) -> dict[int, Any]:
        return {1: 1, 3: -8, -1: 6, -2: self._key.public_key().public_bytes_raw()}

    def sign(self, data: bytes) -> bytes:
        return self._key.sign(data)


class Rivest:
    """A key of the algorithm RS256."""

    def __init__(self) -> None:
        self._key = rsa.generate_private_key(65537, 2048)

    def public(self) -> dict[int, Any]:
        numbers = self._key.public_key().public_numbers()
        return {1: 3, 3: -257, -1: numbers.n.to_bytes(256, "big"), -2: b"\x01\x00\x01"}

    def sign(self, data: bytes) -> bytes:
        return self._key.sign(data, padding.PKCS1v15(), SHA256())


Key = Elliptic | Edwards | Rivest


class Authenticator:
    """One passkey, once it has been made."""

    def __init__(self, step: int = 1, key: Key | None = None) -> None:
        self.key = key or Elliptic()
        self.id = secrets.token_bytes(32)
        self.handle = b""
        self.count = 0  # counter of uses, as sent; every signature adds `step`
        self.step = step
        self.flags = PRESENT | VERIFIED  # whether somebody touched it, and showed who they are
        self.site = ""  # the RP id that it signs for; empty for the requested one

    def make(self, options: dict[str, Any], origin: str, /, **client: Any) -> str:
        """Answer `navigator.credentials.create`, as JSON."""
        self.handle = unpacked(options["user"]["id"])
        public = encode_cbor(self.key.public())
        attested = bytes(16) + len(self.id).to_bytes(2, "big") + self.id + public
        proven = self._proven(options["rp"]["id"], ATTESTED) + attested
        whole = encode_cbor({"fmt": "none", "attStmt": {}, "authData": proven})
        data = _client("webauthn.create", options["challenge"], origin, client)
        return self._answer(clientDataJSON=data, attestationObject=whole)

    def sign(self, options: dict[str, Any], origin: str, /, **client: Any) -> str:
        """Answer `navigator.credentials.get`, as JSON."""
        self.count += self.step
        data = _client("webauthn.get", options["challenge"], origin, client)
        proven = self._proven(options["rpId"], 0)
        signature = self.key.sign(proven + sha256(data).digest())
        more = {"signature": signature, "userHandle": self.handle}
        return self._answer(clientDataJSON=data, authenticatorData=proven, **more)

    def _proven(self, site: str, more: int) -> bytes:
        """Return the authenticator data: hash of the RP id, flags and counter."""
        place = sha256((self.site or site).encode()).digest()
        return place + bytes([self.flags | more]) + self.count.to_bytes(4, "big")

    def _answer(self, **parts: bytes) -> str:
        response = {name: packed(part) for name, part in parts.items()}
        name = packed(self.id)
        return json.dumps({"id": name, "rawId": name, "type": "public-key", "response": response})


def _client(kind: str, challenge: str, origin: str, more: dict[str, Any]) -> bytes:
    usual = {"type": kind, "challenge": challenge, "origin": origin, "crossOrigin": False}
    return json.dumps(usual | more).encode()


def packed(part: bytes) -> str:
    """Encode as base64url without padding."""
    return urlsafe_b64encode(part).decode().rstrip("=")


def unpacked(text: str) -> bytes:
    return urlsafe_b64decode(text + "===")


class Browser(Visitor):
    """A browser with scripts, at `localhost`: passkeys need a name, not an IP address."""

    def __init__(self, playroom: Playroom, name: str = "") -> None:
        super().__init__(playroom.address.replace("127.0.0.1", "localhost"))
        self.origin = str(self.client.base_url).rstrip("/")
        if name:
            self.come_in(name)

    def sends(self, path: str, **fields: str) -> httpx.Response:
        sent = {"csrf": csrf_of(self.client.cookies.get("volte") or "")} | fields
        return self.client.post(f"{PAGE}/{path}", data=sent, headers=JSON | {"origin": self.origin})

    def asked(self, path: str, **fields: str) -> Any:
        """Return the options that the server sends for the authenticator."""
        answer = self.sends(path, **fields)
        assert answer.status_code == 200, answer.text
        return answer.json()["options"]

    def makes(self, key: Authenticator, name: str = "Phone", **fields: str) -> httpx.Response:
        options = self.asked("options", name=name, **fields)
        return self.sends("add", name=name, credential=key.make(options, self.origin))

    def challenged(self) -> Any:
        return self.asked("challenge", purpose="signin")

    def signs_in(self, key: Authenticator, next: str = "/me") -> httpx.Response:
        proof = key.sign(self.challenged(), self.origin)
        return self.sends("signin", proof=proof, next=next)

    def confirms(self, key: Authenticator) -> str:
        return key.sign(self.asked("challenge", purpose="confirm"), self.origin)

    def who(self) -> str:
        """Return the name of the visitor, as the server knows it."""
        return str(self.client.get("/api/me").json().get("name", ""))
