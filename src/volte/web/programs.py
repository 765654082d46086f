"""Requests in JSON, of programs and scripts.

A request that changes something must have the content type of JSON and the header `X-Volte: 1`: a
page of another site cannot make a browser send either without asking the server first.
"""

from __future__ import annotations

from typing import Final, TypeVar

import msgspec

from volte.web.refused import Refused
from volte.web.security import own_origin
from volte.web.visit import Visit
from volte.wire.reading import read

HEADER: Final = "x-volte"

Body = TypeVar("Body")


async def json_body(visit: Visit, kind: type[Body], *, lenient: bool = False) -> Body:
    """The body of a request. Raises `Refused` and `VolteError`.

    Args:
        lenient: ignore unknown fields, of what browsers make by themselves.
    """
    content = visit.headers.get("content-type", "").partition(";")[0].strip().lower()
    if content != "application/json" or visit.headers.get(HEADER) != "1":
        raise Refused(415, "not_json")
    if not own_origin(visit, visit.room.origins):
        raise Refused(403, "wrong_origin")
    try:
        body: Body = read(kind, await visit.body(), lenient=lenient)
    except msgspec.DecodeError:
        raise Refused(400, "not_json") from None
    return body
