"""What is answered in place of a page that cannot be had: one sentence that says what to do."""

from __future__ import annotations

from typing import Final

import msgspec
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from volte.cards import Fault
from volte.store import Unavailable
from volte.web.logs import cause_of, get_logger
from volte.web.page import page
from volte.web.refused import Refused
from volte.web.visit import Visit

REASONS: Final = {404: "not_found", 405: "not_found"}
"""By HTTP status: the reasons for what Starlette itself refuses."""

log = get_logger("volte.server")


class Refusing(msgspec.Struct, frozen=True):
    """Why something is not done, for programs."""

    reason: str
    line: str


async def refusal(request: Request, error: Exception) -> Response:
    """The answer to a request that is refused or has failed, for a person or for a program."""
    visit = Visit(request.scope)
    status, reason = 500, "failed"
    params: dict[str, object] = {}
    line = ""
    match error:
        case Refused():
            status, reason, params = error.status_code, error.reason, error.params
        case HTTPException():
            status, reason = error.status_code, REASONS.get(error.status_code, error.detail)
        case Unavailable():
            status, reason = 503, "unavailable"
            log.warning("database_unavailable", why=cause_of(error))
        case Fault():
            status, reason = 422, error.reason
            line = visit.words.fault(error)
    headers = dict(getattr(error, "headers", None) or {})
    if status == 503:  # where it is a limit, the time is known
        headers.setdefault("retry-after", "10")
    line = line or visit.words.why(reason, **params)
    if wants_json(visit):
        content = msgspec.json.encode(Refusing(reason, line))
        return Response(content, status, headers, "application/json")
    if reason == "no_session" and visit.method == "GET":
        response = page(visit, "name.html", status)
    else:
        table = params.get("table", "")
        response = page(visit, "refused.html", status, reason=reason, sentence=line, table=table)
    response.headers.update(headers)
    return response


def wants_json(request: Request) -> bool:
    """Whether a program sends the request, and no browser."""
    return request.url.path.startswith("/api/") or (
        "application/json" in request.headers.get("accept", "")
        and "text/html" not in request.headers.get("accept", "")
    )
