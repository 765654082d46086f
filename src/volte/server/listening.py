"""A socket that listens, or one sentence that says why there is none."""

from __future__ import annotations

import errno
import os
import socket
from typing import Final

from volte.cards import Fault

UNREAD: Final = 60_000
"""Milliseconds after which the system drops a client that takes nothing it is sent."""


class ServingFault(Fault):
    """Why the server cannot be started."""


def listen(host: str, port: int) -> socket.socket:
    """A socket that listens there. Raises `ServingFault`."""
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(
            host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
    except (OSError, UnicodeError):
        raise ServingFault("address_unknown", host=host) from None
    listening = socket.socket(family, kind, protocol)
    try:
        if os.name == "posix":  # elsewhere that would let two servers have one port
            listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if hasattr(socket, "TCP_USER_TIMEOUT"):
            listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, UNREAD)
        listening.bind(address)
        listening.listen(2048)
    except OSError as error:
        listening.close()
        raise _not_listening(error, host, port) from None
    listening.setblocking(False)
    return listening


def _not_listening(error: OSError, host: str, port: int) -> ServingFault:
    match error.errno:
        case errno.EADDRINUSE:
            return ServingFault("port_taken", port=str(port))
        case errno.EACCES:
            return ServingFault("port_forbidden", port=str(port))
        case errno.EADDRNOTAVAIL:
            return ServingFault("address_unknown", host=host)
    why = error.strerror or str(error)
    return ServingFault("not_listening", host=host, port=str(port), why=why)
