"""A lock on a whole open file, which the system takes back when the program ends."""

from __future__ import annotations

import sys
from typing import BinaryIO

if sys.platform == "win32":
    import msvcrt

    _PLACE = 2**30
    """Beyond the end of any sheet, since what is locked there cannot be read by others."""

    def _take(file: BinaryIO) -> None:
        file.seek(_PLACE)
        msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)

else:
    import fcntl

    def _take(file: BinaryIO) -> None:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)


def lock(file: BinaryIO) -> bool:
    """Locks the file until it is closed; False where it is locked already.

    Raises `OSError` where nothing can be locked.
    """
    try:
        _take(file)
    except (BlockingIOError, PermissionError):
        return False
    return True
