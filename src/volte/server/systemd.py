"""What systemd is told, where it has started us: that we serve, and that we stop."""

from __future__ import annotations

import os
import socket
from contextlib import suppress
from typing import Final

VARIABLE: Final = "NOTIFY_SOCKET"


def tell_system(message: str) -> None:
    """Says `READY=1` or `STOPPING=1` to the system that waits for it; elsewhere, nothing.

    Nothing that goes wrong with it is worth stopping for.
    """
    address = os.environ.get(VARIABLE, "")
    if address[:1] not in ("/", "@") or not hasattr(socket, "AF_UNIX"):
        return
    with suppress(OSError), socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as telling:
        telling.setblocking(False)
        telling.sendto(message.encode(), address.replace("@", "\0", 1))
