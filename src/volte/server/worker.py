"""One of the processes of `volte serve --workers N`; only the supervisor starts it.

Its standard input is a socket: by it comes what it is to do, and it answers once it serves. Where
that socket ends, so does the supervisor, and the worker with it, in good order.
"""

from __future__ import annotations

import asyncio
import os
import socket
import sys
from contextlib import suppress
from typing import Final

import msgspec

from volte.cards import Fault
from volte.server.logs import configure
from volte.server.room import open_room
from volte.server.serving import (
    Server,
    allow_many_files,
    look_seldom_for_cycles,
    loop_factory,
)
from volte.server.supervisor import READY, Order
from volte.words import Words

CONTROL: Final = 0
"""Number of the file that is the socket."""


def main() -> int:
    """Serves until it is stopped; the exit status."""
    with os.fdopen(os.dup(CONTROL), "rb") as control:
        order = msgspec.json.decode(control.readline(), type=Order)
    configure(order.settings)
    allow_many_files()
    try:
        with asyncio.Runner(loop_factory=loop_factory()) as runner:
            runner.run(_work(order))
    except Fault as fault:
        print(Words(order.lang).fault(fault), file=sys.stderr)
        return 1
    return 0


async def _work(order: Order) -> None:
    with socket.socket(fileno=order.listening) as listening:
        async with open_room(order.settings) as room:
            look_seldom_for_cycles()
            server = Server(room, _say_ready)
            loop = asyncio.get_running_loop()

            def end() -> None:
                loop.remove_reader(CONTROL)
                server.stop()

            loop.add_reader(CONTROL, end)
            await server.serve([listening])


def _say_ready() -> None:
    with suppress(OSError):  # the supervisor is gone, and so are we in a moment
        os.write(CONTROL, READY)


if __name__ == "__main__":
    sys.exit(main())
