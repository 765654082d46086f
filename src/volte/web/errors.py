"""What a person sees in place of a page: one sentence that says what to do."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response

from volte.web.page import page


def error_page(
    request: Request, status: int, reason: str, line: str = "", /, **params: object
) -> Response:
    """The page for a request that is refused, or that failed.

    Args:
        line: the sentence, where somebody has made it already.
    """
    sentence = line or request.state.words.why(reason, **params)
    if reason == "no_session" and request.method == "GET":
        return page(request, "name.html", status)
    table = params.get("table", "")
    return page(request, "refused.html", status, reason=reason, sentence=sentence, table=table)
