"""Locks on one byte of a file, which the system takes back when the program ends."""

from __future__ import annotations

import sys
from typing import BinaryIO

if sys.platform == "win32":
    import msvcrt

    def _take(file: BinaryIO, place: int) -> None:
        file.seek(place)
        msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)

else:
    import fcntl

    def _take(file: BinaryIO, place: int) -> None:
        fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB, 1, place)


def lock(file: BinaryIO, place: int) -> bool:
    """Locks that byte, which need not exist; False where another program has locked it.

    Raises `OSError` where nothing can be locked.
    """
    try:
        _take(file, place)
    except (BlockingIOError, PermissionError):
        return False
    return True
