"""The addresses by which a browser asks for messages, and no longer wants any."""

from __future__ import annotations

from typing import Final

from starlette.responses import Response
from starlette.routing import BaseRoute

from volte.people.sessions import hashed, still_here
from volte.push.door import DoorFault
from volte.push.sender import Sender
from volte.push.store import Subscriptions
from volte.store import Conflict
from volte.web.programs import json_body
from volte.web.refused import Refused
from volte.web.room import room_of
from volte.web.visit import Visit, route, see_other
from volte.wire.api import PushSubscription
from volte.wire.reading import FieldFault

SETTINGS: Final = "/me/notifications"


def routes() -> list[BaseRoute]:
    return [
        route("/api/push", subscribe, methods=["POST"]),
        route("/me/push/forget", forget, methods=["POST"]),
    ]


async def subscribe(visit: Visit) -> Response:
    """Store the subscription of the visitor's browser."""
    person, sender = visit.known(), visit.room[Sender]
    body = await json_body(visit, PushSubscription, lenient=True)
    if not sender.key:
        raise Refused(404, "no_push")
    p256dh, auth = _keys(body)
    try:
        sender.door.endpoint(body.endpoint)
    except DoorFault:
        raise FieldFault("bad_push_address", field="endpoint") from None
    subscriptions = room_of(visit).store[Subscriptions]
    try:
        await subscriptions.add(hashed(visit.token), person.id, body.endpoint, p256dh, auth)
    except Conflict:
        await still_here(visit)
        raise
    return Response(status_code=204)


def _keys(body: PushSubscription) -> tuple[bytes, bytes]:
    """The public key of a browser, and the secret that it shares. Raises `FieldFault`."""
    from volte.push.encryption import AUTH, public_key
    from volte.push.keys import from_base64url

    try:
        p256dh = from_base64url(body.keys.p256dh)
        public_key(p256dh)
    except ValueError:
        raise FieldFault("bad_push_keys", field="keys.p256dh") from None
    try:
        auth = from_base64url(body.keys.auth)
    except ValueError:
        auth = b""
    if len(auth) != AUTH:
        raise FieldFault("bad_push_keys", field="keys.auth")
    return p256dh, auth


async def forget(visit: Visit) -> Response:
    """Forget the subscription of the visitor's browser, or those of all their browsers."""
    form = await visit.fields()
    person = visit.known()
    session = None if form.get("browser") == "all" else hashed(visit.token)
    await room_of(visit).store[Subscriptions].end(person.id, session)
    return see_other(SETTINGS)
