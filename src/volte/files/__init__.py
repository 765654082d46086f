"""Files: reading them, replacing them whole, adding to their end, and locking them."""

from __future__ import annotations

import os
import stat
import sys
from contextlib import suppress
from errno import EISDIR
from functools import partial
from itertools import chain, count
from pathlib import Path
from typing import BinaryIO, Final

NO_FILE: Final = "Not a file"


def read_file(path: Path, most: int = -1) -> bytes:
    """The first `most` bytes of a file, or all. Raises `OSError`, also for a pipe or a folder."""
    # Without blocking: a pipe may have nobody at its other end
    with open(_opened(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0)), "rb") as file:
        return file.read(most)


def open_file(path: Path, flags: int = 0, mode: int = 0o600) -> BinaryIO:
    """Open a file for reading and writing, without a buffer.

    Args:
        flags: besides `os.O_RDWR`.
        mode: who may read and write a new file, before the umask of the process.

    Raises `OSError`, also for a pipe or a folder.
    """
    return open(_opened(path, os.O_RDWR | flags, mode), "r+b", buffering=0)


def _opened(path: Path, flags: int, mode: int = 0) -> int:
    """The number of an open file. Raises `OSError`, also for a pipe or a folder."""
    try:
        number = os.open(path, flags | getattr(os, "O_BINARY", 0), mode)
    except ValueError:  # a NUL in its name
        raise OSError(0, NO_FILE) from None
    kind = os.fstat(number).st_mode
    if stat.S_ISREG(kind):
        return number
    os.close(number)
    raise OSError(EISDIR, os.strerror(EISDIR)) if stat.S_ISDIR(kind) else OSError(0, NO_FILE)


def replace_file(path: Path, content: bytes, mode: int = 0o666) -> None:
    """Put a whole file in the place of the old one, or leave that alone and raise `OSError`.

    Where the path is a link, the file it leads to is replaced.

    Args:
        mode: who may read and write it, before the umask of the process.
    """
    try:
        path = Path(os.path.realpath(path))
        part = path.parent / f"{path.name}.part"
        if os.path.lexists(path) and not path.is_file():
            raise OSError(0, NO_FILE)
        part.unlink(missing_ok=True)
        file = open(part, "xb", opener=partial(os.open, mode=mode))  # noqa: SIM115
        try:
            with file:
                file.write(content)
                file.flush()
                os.fsync(file.fileno())
            part.replace(path)
        except BaseException:
            with suppress(OSError):
                part.unlink()
            raise
    except ValueError:  # a NUL in its name
        raise OSError(0, NO_FILE) from None


def free_place(path: Path) -> Path:
    """The path, or, if it exists already, one with a number added to its name."""
    names = chain([path.name], (f"{path.stem}-{again}{path.suffix}" for again in count(2)))
    return next(path.with_name(name) for name in names if not os.path.lexists(path.with_name(name)))


def append(file: BinaryIO, size: int, data: bytes) -> int:
    """Write the data through to the disk, behind the bytes of a file that stand.

    On failure the data are removed again, and `OSError` is raised.

    Args:
        file: from `open_file`.
        size: bytes that stand; others behind them, left by a write that failed, are dropped.

    Returns the bytes that stand now.
    """
    left = data
    try:
        file.truncate(size)
        file.seek(size)
        while left:
            left = left[file.write(left) :]
        os.fsync(file.fileno())
    except OSError:
        with suppress(OSError):
            file.truncate(size)
        raise
    return size + len(data)


def sync(path: Path) -> None:
    """Wait until a file, or the names in a folder, are on the disk. Raises `OSError`."""
    with suppress(PermissionError):  # Windows opens no folders
        number = os.open(path, os.O_RDONLY)
        try:
            os.fsync(number)
        finally:
            os.close(number)


if sys.platform == "win32":
    import msvcrt

    _FAR = 2**30
    """Offset of the byte locked for a whole file, beyond its end: nobody could read it."""

    def _take(file: BinaryIO, place: int | None) -> None:
        file.seek(_FAR if place is None else place)
        msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)

else:
    import fcntl

    def _take(file: BinaryIO, place: int | None) -> None:
        alone = fcntl.LOCK_EX | fcntl.LOCK_NB
        if place is None:
            fcntl.flock(file, alone)
        else:
            fcntl.lockf(file, alone, 1, place)


def lock(file: BinaryIO, place: int | None = None) -> bool:
    """Lock a file until it is closed or the program ends; False if another program has locked it.

    Args:
        place: of the one byte to lock, which need not exist; None for the whole file.

    Raises `OSError` if the file cannot be locked at all.
    """
    try:
        _take(file, place)
    except (BlockingIOError, PermissionError):
        return False
    return True
