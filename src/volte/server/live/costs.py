"""Costs of a client's messages, so that everybody can have a budget of the server's time.

One unit is a millisecond of the one event loop that serves all tables. The figures were measured
with a server on SQLite on one of two shared cores (processor time of the server, over hundreds of
messages of most kinds; 20 hints and 5 spoken texts), and rounded up.
"""

from __future__ import annotations

from typing import Final

from volte.conversation.requests import Request, Unread
from volte.wire.messages import (
    Ask,
    Asking,
    Avoid,
    Befriend,
    Do,
    Heard,
    Hello,
    InviteFriend,
    Mute,
    Prefer,
    Question,
    Report,
    Seeking,
    Speak,
)

READING: Final = 0.05  # any message, even one that cannot be read

DOING: Final[dict[type[Asking], float]] = {
    Hello: 3.0,  # session, person and table are looked up
    Do: 1.0,  # decided and stored
    Prefer: 1.5,  # looked up, changed and stored
    Heard: 0.1,
    Seeking: 3.0,  # looked up and stored
    Befriend: 4.0,  # looked up and stored
    InviteFriend: 4.0,  # looked up and stored
    Speak: 3.0,  # looked up and stored; sending it is charged to those who receive it
    Mute: 1.5,
    Avoid: 3.0,  # names and wishes are looked up, and stored
    Report: 3.0,
}
"""Cost of a message beside reading and answering it."""

ASKING: Final = {
    Question.RULES: 0.5,  # where the sheet is not cached
    Question.CARDS: 4.0,  # the longest line, of the shortest names
    Question.FRIENDS: 3.0,  # looked up
    Question.HINT: 10.0,  # 1.5 on the loop; the rest stands for the process that thinks of it
}
"""Cost of a question beside reading and answering it; other questions cost next to nothing."""

SENDING: Final = 0.03  # a message to the client: made, encoded and sent
PER_BYTE: Final = 0.05 / 1000  # each byte of it


def cost_of(request: Request) -> float:
    """Cost of a message, charged before it is dealt with."""
    if isinstance(request, Unread):
        return READING
    if isinstance(request, Ask):
        return READING + ASKING.get(request.what, 0.0)
    return READING + DOING[type(request)]
