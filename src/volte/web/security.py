"""Security of requests: origins, CSRF tokens, headers against hostile pages."""

from __future__ import annotations

import hmac
from hashlib import sha256
from typing import Final

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import HTTPConnection
from starlette.types import ASGIApp, Message, Receive, Scope, Send

POLICY: Final = (
    "default-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none';"
    " object-src 'none'"
)
HEADERS: Final = {
    "content-security-policy": POLICY,
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), display-capture=(), geolocation=(), microphone=(), usb=()",
    # The address of a table can be its key; "no-referrer" would hide the origin of our own forms.
    "referrer-policy": "same-origin",
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
}
STRICT_TRANSPORT: Final = "max-age=31536000"
FOR_PROGRAMS: Final = 'attachment; filename="volte.json"'
"""Header for programs' answers: a browser led there saves a file, and shows nothing of it."""


class SecureHeaders:
    """Middleware that adds the security headers to every answer."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers.setdefault(name, value)
                if scope["scheme"] == "https":
                    headers.setdefault("strict-transport-security", STRICT_TRANSPORT)
                if scope["path"].startswith("/api/"):
                    headers.setdefault("content-disposition", FOR_PROGRAMS)
                if "etag" not in headers:  # answers made for one person are never cached
                    headers.setdefault("cache-control", "no-store")
            await send(message)

        await self._app(scope, receive, send_with_headers)


def names_origin(connection: HTTPConnection) -> bool:
    """Whether a browser tells the origin of a form; `own_origin` then says if that is ours."""
    headers: Headers = connection.headers
    return "origin" in headers or headers.get("sec-fetch-site") == "same-origin"


def own_origin(connection: HTTPConnection, origins: tuple[str, ...]) -> bool:
    """Whether a request comes from a page of ours: its Origin is the address it was sent to.

    Programs other than browsers send no origin; they carry no one else's cookies.

    Args:
        origins: the configured origins, which count instead if there are any.
    """
    headers: Headers = connection.headers
    sent = headers.getlist("origin")
    if not sent:
        return headers.get("sec-fetch-site", "same-origin") in ("same-origin", "none")
    if len(sent) > 1:
        return False
    if origins:
        return sent[0] in origins
    secure = connection.scope["scheme"] in ("https", "wss")
    scheme, usual = ("https", ":443") if secure else ("http", ":80")
    host = headers.get("host", "").lower().removesuffix(usual)  # an Origin never names that port
    return bool(host) and sent[0] == f"{scheme}://{host}"


def csrf_of(token: str) -> str:
    """CSRF token in the forms of a session: nobody can make it without the session's token."""
    return hmac.new(token.encode(), b"volte form", sha256).hexdigest() if token else ""


def mark_of(person: str) -> str:
    """Mark in the forms of a person, the same in all their sessions: it shows that a form is theirs
    and gives nothing else away; empty for nobody."""
    return sha256(b"volte form of " + person.encode()).hexdigest()[:16] if person else ""
