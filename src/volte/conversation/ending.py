"""The end of a conversation: its reason, with a sentence, and a code."""

from __future__ import annotations

from typing import Any, Final

from volte.say import Words
from volte.wire.messages import Closing, Notice

CLOSINGS: Final = {
    "malformed": Closing.MALFORMED,
    "no_session": Closing.NO_SESSION,
    "barred": Closing.NOT_ADMITTED,
    "needs_password": Closing.NOT_ADMITTED,
    "nobody_watches": Closing.NOT_ADMITTED,
    "not_your_table": Closing.NOT_ADMITTED,
    "no_table": Closing.NO_TABLE,
    "closed": Closing.CLOSED,
    "no_hello": Closing.TOO_SLOW,
    "too_slow": Closing.TOO_SLOW,
    "too_big": Closing.TOO_BIG,
    "too_many": Closing.TOO_FAST,
    "too_many_tables": Closing.TOO_FAST,
    "old_protocol": Closing.OLD_PROTOCOL,
    "elsewhere": Closing.MOVED_AWAY,
    "moved_away": Closing.MOVED_AWAY,
    "idle": Closing.MOVED_AWAY,
    "unavailable": Closing.MOVED_AWAY,
    "stopping": Closing.STOPPING,
    "failed": Closing.FAILED,
}
"""The code for each reason."""


class ConversationEnded(Exception):
    """The conversation is over, for that reason; the reason is empty if the client has gone."""

    def __init__(self, reason: str = "", **params: object) -> None:
        super().__init__(reason)
        self.reason = reason
        self.params: dict[str, Any] = params


def farewell(words: Words, reason: str, at: str = "", **params: object) -> Notice:
    """The last message to a client, with the reason in words.

    Args:
        at: the path at which the client is to connect next, if it is another one.
        params: values for the sentence of the reason, or as `line` the sentence itself.
    """
    return Notice(reason, str(params.get("line") or words.why(reason, **params)), at=at)
