"""What a server does not do, as HTTP tells it."""

from __future__ import annotations

from starlette.exceptions import HTTPException


class Refused(HTTPException):
    """A request that is refused.

    Attributes:
        reason: a short name, the key of the sentence in `volte.words.serving`.
        params: what the sentence speaks of.
    """

    def __init__(self, status: int, reason: str, /, **params: object) -> None:
        super().__init__(status, reason)
        self.reason = reason
        self.params = params
