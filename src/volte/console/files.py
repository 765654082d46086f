"""Files on this machine: checks that they can be written, and places to save matches."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from datetime import datetime
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryFile
from typing import Final, NoReturn

import platformdirs

from volte.console.terminal import TerminalFault
from volte.fair import House
from volte.files import NO_FILE, free_place, lock, replace_file

ROOM: Final = 2**20
"""Bytes that must be free in a folder before something is written there."""


def try_folder(folder: Path, path: Path) -> None:
    """Check that a file can be written in the folder. Raises `TerminalFault` about `path`."""
    try:
        with TemporaryFile(dir=folder) as file:
            file.write(bytes(ROOM))
            file.flush()
    except (OSError, ValueError) as error:
        not_written(path, error)


def try_file(path: Path) -> None:
    """Check that the file can be written. Raises `TerminalFault`."""
    try:
        if path.exists() and not path.is_file():
            raise OSError(0, NO_FILE)
    except (OSError, ValueError) as error:
        not_written(path, error)
    try_folder(path.parent, path)


def write(path: Path, content: bytes) -> None:
    """Write a file, in place of an old one. Raises `TerminalFault`."""
    try:
        replace_file(path, content)
    except OSError as error:
        not_written(path, error)


def not_written(path: Path, error: OSError | ValueError) -> NoReturn:
    """Raise the `TerminalFault` for a path that cannot be written to."""
    why = error.strerror or str(error) if isinstance(error, OSError) else NO_FILE
    raise TerminalFault("file_not_written", path=path, why=why) from None


SUFFIX: Final = ".volte"


class Shelf:
    """The matches of this person on this machine: those under way, and those played.

    Args:
        folder: the data folder of Volte, unless said otherwise.

    Raises `TerminalFault` for a user without a home.
    """

    def __init__(self, folder: Path | None = None) -> None:
        try:
            self.folder = folder or platformdirs.user_data_path("volte", appauthor=False)
        except RuntimeError:
            raise TerminalFault("no_home") from None

    def new_place(self, house: House) -> Path:
        """Path at which to save a new match while it is under way."""
        with suppress(OSError):  # saving there will report it
            self.under_way.mkdir(parents=True, exist_ok=True)
        stem = f"{datetime.now():%Y-%m-%d-%H%M%S}-{_mark(house)}"
        return free_place(self.under_way / f"{stem}{SUFFIX}")

    def places_of(self, house: House) -> list[Path]:
        """Paths of the saved matches of a house: a seed can begin several."""
        return [path for path in self.latest_first() if _mark(house) in path.stem]

    @contextmanager
    def held(self, path: Path) -> Iterator[None]:
        """Lock a match, so that no other terminal can play it meanwhile.

        Raises `TerminalFault` if one is playing it. The lock goes when the program ends, in
        whatever way.
        """
        place = int.from_bytes(sha256(str(path.resolve()).encode()).digest()[:4]) // 2
        with ExitStack() as stack:
            with suppress(OSError):  # if nothing can be written, no match is saved either
                file = stack.enter_context((self.folder / "held").open("ab"))
                if not lock(file, place):
                    raise TerminalFault("played_elsewhere")
            yield

    def put_away(self, path: Path) -> None:
        """Move a finished match from those under way to those played."""
        if path.parent != self.under_way:
            return
        with suppress(OSError):
            self.played.mkdir(parents=True, exist_ok=True)
            os.replace(path, self.played / path.name)

    @property
    def under_way(self) -> Path:
        """The folder of the matches under way."""
        return self.folder / "under-way"

    @property
    def played(self) -> Path:
        """The folder of the matches played to their end."""
        return self.folder / "played"

    def latest_first(self) -> list[Path]:
        """Paths of the matches under way, the most recently played first."""
        return _latest_first(self.under_way)

    def played_latest_first(self) -> list[Path]:
        """Paths of the matches played to their end, the last one first."""
        return _latest_first(self.played)


def _latest_first(folder: Path) -> list[Path]:
    files = folder.glob(f"*{SUFFIX}")
    return sorted(files, key=lambda path: path.stat().st_mtime_ns, reverse=True)


def _mark(house: House) -> str:
    """A short mark for the matches of one house, which tells nothing about their cards."""
    return house.commitment(1, ()).digest.hex()[:8]
