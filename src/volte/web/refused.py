"""What a server does not do, as HTTP tells it."""

from __future__ import annotations

from starlette.exceptions import HTTPException


class Refused(HTTPException):
    """A request that is refused.

    Attributes:
        reason: a short name, the key of the sentence in `volte.say.faults`.
        params: what the sentence speaks of; `seconds` until it is done if it is asked for again
            are told in the head of the answer as well.
    """

    def __init__(self, status: int, reason: str, /, **params: object) -> None:
        wait = {"retry-after": str(params["seconds"])} if "seconds" in params else None
        super().__init__(status, reason, wait)
        self.reason = reason
        self.params = params
