"""Refusals of the server, as HTTP errors."""

from __future__ import annotations

from starlette.exceptions import HTTPException

from volte.forms.fields import Denied


class Refused(HTTPException, Denied):
    """A request that is refused.

    The parameter `seconds`, the time until trying again is worth it, goes into a header as well;
    `field` is the field of a program's JSON that is at fault.
    """

    def __init__(self, status: int, reason: str, /, **params: object) -> None:
        wait = {"retry-after": str(params["seconds"])} if "seconds" in params else None
        super().__init__(status, reason, wait)
        self.reason = reason
        self.params = params
