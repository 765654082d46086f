"""The sheets of this person on this machine."""

from __future__ import annotations

from contextlib import suppress
from datetime import datetime
from pathlib import Path
from typing import Final

import msgspec
import platformdirs

from volte.fair import House
from volte.scorekeeper.model.acts import Open
from volte.scorekeeper.model.fault import SheetFault
from volte.scorekeeper.model.file import SheetFile, read_sheet
from volte.scorekeeper.model.sheet import Sheet, Summary, summary

SUFFIX: Final = ".volte-sheet"


class Listed(msgspec.Struct, frozen=True):
    """A sheet in the list.

    Attributes:
        summary: None where it cannot be read.
        fault: why it cannot.
        updated: when something was last entered, in seconds since 1970.
    """

    path: Path
    summary: Summary | None
    fault: SheetFault | None
    updated: float


class SheetShelf:
    """Where sheets are kept.

    Args:
        folder: the folder of the sheets, in the data folder of Volte unless said otherwise.
    """

    def __init__(self, folder: Path | None = None) -> None:
        self.folder = folder or _data_folder()

    def new(self, act: Open, house: House | None = None) -> SheetFile:
        """A new sheet. Raises `SheetFault`."""
        with suppress(OSError):  # whoever saves there will say so
            self.folder.mkdir(parents=True, exist_ok=True)
        stem = f"{datetime.now():%Y-%m-%d-%H%M%S}"
        path, again = self.folder / f"{stem}{SUFFIX}", 1
        while path.exists():
            again += 1
            path = self.folder / f"{stem}-{again}{SUFFIX}"
        return SheetFile.create(path, act, house)

    def open(self, path: Path) -> SheetFile:
        """A sheet, to go on with. Raises `SheetFault`."""
        return SheetFile.open(path)

    def read(self, path: Path) -> Sheet:
        """A sheet, to look at; another program may have it open. Raises `SheetFault`."""
        return read_sheet(path)

    def listed(self) -> tuple[Listed, ...]:
        """All sheets, the one written to last before the others; damaged ones say why."""
        found = []
        for path in self.folder.glob(f"*{SUFFIX}"):
            with suppress(OSError):  # it has just been deleted
                found.append(_listed(path))
        return tuple(sorted(found, key=lambda each: (each.updated, each.path.name), reverse=True))


def _listed(path: Path) -> Listed:
    updated = path.stat().st_mtime
    try:
        return Listed(path, summary(read_sheet(path)), None, updated)
    except SheetFault as fault:
        return Listed(path, None, fault, updated)


def _data_folder() -> Path:
    """Raises `SheetFault` for whoever has no home."""
    try:
        return platformdirs.user_data_path("volte", appauthor=False) / "sheets"
    except RuntimeError:
        raise SheetFault("no_home") from None
