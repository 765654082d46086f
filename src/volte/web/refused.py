"""What a server does not do, as HTTP tells it."""

from __future__ import annotations

from starlette.exceptions import HTTPException


class Refused(HTTPException):
    """A request that is refused.

    The parameter `seconds`, until it is worth trying again, goes into a header as well; `field` is
    the one of a program's JSON that is to blame.
    """

    def __init__(self, status: int, reason: str, /, **params: object) -> None:
        wait = {"retry-after": str(params["seconds"])} if "seconds" in params else None
        super().__init__(status, reason, wait)
        self.reason = reason  # a short name, the key of the sentence in `volte.say.faults`
        self.params = params  # what the sentence speaks of
