"""Closing the connection to a table: a sentence with the reason, and a code."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import Final

from starlette.websockets import WebSocket, WebSocketDisconnect, WebSocketState

from volte.game.codec import encode
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


async def close(
    socket: WebSocket, words: Words, patience: float, reason: str, at: str = "", **params: object
) -> None:
    """Send the reason and close the connection; give up on a client that reads nothing.

    Args:
        patience: seconds that the client has to read it.
        reason: empty if the client has gone.
        at: the path at which the client is to connect next, if it is another one.
        params: values for the sentence of the reason, or as `line` the sentence itself.
    """
    if not reason or socket.application_state is not WebSocketState.CONNECTED:
        return
    line = str(params.get("line") or words.why(reason, **params))
    with suppress(TimeoutError, WebSocketDisconnect, RuntimeError, OSError):
        async with asyncio.timeout(patience):
            await socket.send_text(encode(Notice(reason, line, at)).decode())
            await socket.close(CLOSINGS.get(reason, Closing.FAILED), reason)
