"""Closing the connection to a table: a sentence with the reason, and a code."""

from __future__ import annotations

import asyncio
from contextlib import suppress

from starlette.websockets import WebSocket, WebSocketDisconnect, WebSocketState

from volte.conversation.ending import CLOSINGS, farewell
from volte.game.codec import encode
from volte.say import Words
from volte.wire.messages import Closing


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
    with suppress(TimeoutError, WebSocketDisconnect, RuntimeError, OSError):
        async with asyncio.timeout(patience):
            await socket.send_text(encode(farewell(words, reason, at, **params)).decode())
            await socket.close(CLOSINGS.get(reason, Closing.FAILED), reason)
