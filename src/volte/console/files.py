"""Where a simulation writes: found out before it begins, not at its end."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryFile
from typing import Final, NoReturn

from volte.console.terminal import TerminalFault
from volte.rules.file import NO_FILE, replace_file

ROOM: Final = 2**20
"""Bytes that must have room where something will be written."""


def try_folder(folder: Path, path: Path) -> None:
    """Writes to the folder, and leaves nothing. Raises `TerminalFault` about `path`."""
    try:
        with TemporaryFile(dir=folder) as file:
            file.write(bytes(ROOM))
            file.flush()
    except (OSError, ValueError) as error:
        not_written(path, error)


def try_file(path: Path) -> None:
    """Whether the file could be written now. Raises `TerminalFault`."""
    try:
        if path.exists() and not path.is_file():
            raise OSError(0, NO_FILE)
    except (OSError, ValueError) as error:
        not_written(path, error)
    try_folder(path.parent, path)


def write(path: Path, content: bytes) -> None:
    """`replace_file`. Raises `TerminalFault`."""
    try:
        replace_file(path, content)
    except OSError as error:
        not_written(path, error)


def not_written(path: Path, error: OSError | ValueError) -> NoReturn:
    """Raises the `TerminalFault` that says so; a name with a NUL in it is no file's."""
    why = error.strerror or str(error) if isinstance(error, OSError) else NO_FILE
    raise TerminalFault("file_not_written", path=path, why=why) from None
