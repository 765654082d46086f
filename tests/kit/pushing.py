"""A push service with real TLS, and browsers that subscribe there and read what they are sent.

It reads messages by the RFCs in its own way, with another HKDF than Volte's.
"""

from __future__ import annotations

import asyncio
import json
import secrets
import ssl
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final, NamedTuple

import h11
import pytest
from cryptography import x509
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    PublicFormat,
)
from cryptography.x509.oid import NameOID

from volte.push.door import PushDoor
from volte.push.keys import ServerKeys, new_private_key
from volte.push.sender import Sender
from volte.store.store import Store

CURVE: Final = ec.SECP256R1()
CREATED: Final = b"HTTP/1.1 201 Created\r\nLocation: /m/1\r\nContent-Length: 0\r\n\r\n"
CONTACT: Final = "mailto:anne@volte.example"


def answer(status: str, *headers: str) -> bytes:
    """An answer without a body."""
    return "\r\n".join([f"HTTP/1.1 {status}", "Content-Length: 0", *headers, "", ""]).encode()


def text_of(data: bytes) -> str:
    return urlsafe_b64encode(data).rstrip(b"=").decode()


def data_of(text: str) -> bytes:
    return urlsafe_b64decode(text + "=" * (-len(text) % 4))


class Browser:
    """A browser that wants messages.

    Args:
        endpoint: its address at a push service.
    """

    def __init__(self, endpoint: str) -> None:
        self.endpoint = endpoint
        self.auth = secrets.token_bytes(16)
        self._key = ec.generate_private_key(CURVE)
        self.p256dh = self._key.public_key().public_bytes(
            Encoding.X962, PublicFormat.UncompressedPoint
        )

    @property
    def subscription(self) -> dict[str, Any]:
        """What it gives the page: `PushSubscription.toJSON()`."""
        keys = {"p256dh": text_of(self.p256dh), "auth": text_of(self.auth)}
        return {"endpoint": self.endpoint, "expirationTime": None, "keys": keys}

    def reads(self, body: bytes) -> bytes:
        """The text of a message (RFC 8291 and 8188)."""
        salt, size, length = body[:16], int.from_bytes(body[16:20]), body[20]
        sender, record = body[21 : 21 + length], body[21 + length :]
        assert len(body) <= size == 4096
        shared = self._key.exchange(
            ec.ECDH(), ec.EllipticCurvePublicKey.from_encoded_point(CURVE, sender)
        )
        secret = _derived(shared, self.auth, b"WebPush: info\0" + self.p256dh + sender, 32)
        key = _derived(secret, salt, b"Content-Encoding: aes128gcm\0", 16)
        nonce = _derived(secret, salt, b"Content-Encoding: nonce\0", 12)
        text = AESGCM(key).decrypt(nonce, record, None).rstrip(b"\0")
        assert text[-1:] == b"\2"
        return text[:-1]


def _derived(secret: bytes, salt: bytes, info: bytes, length: int) -> bytes:
    return HKDF(SHA256(), length, salt, info).derive(secret)


def proved(authorization: str) -> dict[str, Any]:
    """The claims of a header `Authorization` whose signature is that of its key (RFC 8292).

    Raises `InvalidSignature`.
    """
    scheme, _, parameters = authorization.partition(" ")
    assert scheme == "vapid"
    named = dict(each.split("=", 1) for each in parameters.split(", "))
    signed, _, signature = named["t"].rpartition(".")
    head, claims = (json.loads(data_of(part)) for part in signed.split("."))
    assert head == {"typ": "JWT", "alg": "ES256"}
    r, s = data_of(signature)[:32], data_of(signature)[32:]
    key = ec.EllipticCurvePublicKey.from_encoded_point(CURVE, data_of(named["k"]))
    numbers = encode_dss_signature(int.from_bytes(r), int.from_bytes(s))
    key.verify(numbers, signed.encode(), ec.ECDSA(SHA256()))
    found: dict[str, Any] = claims
    return found


class Pushed(NamedTuple):
    """A message as the push service has got it."""

    path: str
    headers: dict[str, str]
    body: bytes


class PushService:
    """A push service at a port of this machine, which anybody may ask."""

    def __init__(self, port: int, context: ssl.SSLContext) -> None:
        self.place = f"localhost:{port}"
        self.context = context  # of a client that believes its certificate
        self.answers: dict[str, bytes | None] = {}  # by path, else 201; None for no answer
        self.pushed: list[Pushed] = []
        self.connections = 0  # how often it was connected to, also without TLS
        self._browsers: dict[str, Browser] = {}
        self._more = asyncio.Event()

    def browser(self, path: str = "", answering: bytes | None = CREATED) -> Browser:
        """A browser that has subscribed here."""
        path = path or f"/{secrets.token_urlsafe(8)}"
        self.answers[path] = answering
        return self._browsers.setdefault(path, Browser(f"https://{self.place}{path}"))

    async def got(self, number: int) -> list[str]:
        """The texts of the messages, once there are that many; which are then forgotten."""
        async with asyncio.timeout(60):
            while len(self.pushed) < number:
                self._more.clear()
                await self._more.wait()
        texts = [self._browsers[each.path].reads(each.body).decode() for each in self.pushed]
        self.pushed.clear()
        return texts

    def sender(self, store: Store, *, seconds: float = 60, pause: float = 0.0) -> Sender:
        """A sender with keys of its own, which may ask this service."""
        door = PushDoor([self.place], context=self.context, seconds=seconds)
        return Sender(store, ServerKeys.read(new_private_key(), CONTACT), door, pause=pause)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            connection = h11.Connection(h11.SERVER)
            request, body = None, b""
            while True:
                event = connection.next_event()
                if event is h11.NEED_DATA:
                    connection.receive_data(await reader.read(65536))
                elif isinstance(event, h11.Request):
                    request = event
                elif isinstance(event, h11.Data):
                    body += event.data
                else:
                    break
            if request is None:
                return
            assert request.method == b"POST"
            path = request.target.decode()
            headers = {name.decode(): value.decode() for name, value in request.headers}
            self.pushed.append(Pushed(path, headers, body))
            self._more.set()
            answering = self.answers.get(path, CREATED)
            if answering is None:
                await reader.read()  # until the other side has enough
            else:
                writer.write(answering)
                await writer.drain()
        except ConnectionError:
            pass
        finally:
            writer.transport.abort()

    def _count(self) -> asyncio.StreamReaderProtocol:
        self.connections += 1
        return asyncio.StreamReaderProtocol(asyncio.StreamReader(), self._serve)


@cache
def _certificate() -> tuple[bytes, bytes]:
    """The certificate of a server called localhost, and its key."""
    key, now = ec.generate_private_key(CURVE), datetime.now(UTC)
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "localhost")])
    made = (
        x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName("localhost")]), False)
        .add_extension(x509.BasicConstraints(True, None), True)
        .add_extension(x509.AuthorityKeyIdentifier.from_issuer_public_key(key.public_key()), False)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), False)
        .sign(key, SHA256())
    )
    secret = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    return made.public_bytes(Encoding.PEM), secret


def certificate(folder: Path) -> Path:
    """A file with the certificate of the push service, for programs that shall believe it."""
    file = folder / "localhost.pem"
    file.write_bytes(_certificate()[0])
    return file


@cache
def _contexts() -> tuple[ssl.SSLContext, ssl.SSLContext]:
    """Contexts of the push service, and of a client that believes it."""
    server = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    with TemporaryDirectory() as folder:
        chain = Path(folder) / "chain.pem"
        chain.write_bytes(b"".join(_certificate()))
        server.load_cert_chain(chain)
    return server, ssl.create_default_context(cadata=_certificate()[0].decode())


@pytest.fixture
async def push_service() -> AsyncIterator[PushService]:
    """A push service at this machine."""
    server_side, client_side = _contexts()
    service = PushService(0, client_side)
    loop = asyncio.get_running_loop()
    server = await loop.create_server(service._count, "127.0.0.1", 0, ssl=server_side)
    service.place = f"localhost:{server.sockets[0].getsockname()[1]}"
    async with server:
        yield service
