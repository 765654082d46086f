"""Ports that stay free for whoever has asked for one, also while nothing listens there."""

from __future__ import annotations

import os
import socket
from itertools import cycle
from typing import Final

EACH: Final = 600
"""Ports of each process that runs tests."""

WORKERS: Final = 20
"""Processes with ports of their own; more share them."""

FIRST: Final = 20_000
"""The first port. All are below those that Linux gives to connections and to port 0, one of which
another program could get between the stop and the restart of a server."""

_worker = int(os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw")) % WORKERS
_ports = cycle(range(FIRST + _worker * EACH, FIRST + (_worker + 1) * EACH))


def free_port() -> int:
    """Return the next port of this process at which nothing listens."""
    for _ in range(EACH):
        port = next(_ports)
        try:
            socket.create_server(("127.0.0.1", port)).close()
        except OSError:
            continue
        return port
    raise AssertionError("every port of this process is taken")
