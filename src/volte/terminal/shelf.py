"""Where matches are kept: every one is saved as it goes, and found again."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import suppress
from datetime import datetime
from itertools import chain, count
from pathlib import Path
from typing import Final

import platformdirs

from volte.fair import House

SUFFIX: Final = ".volte"


class Shelf:
    """The matches of this person on this machine: those under way, and those played.

    Args:
        folder: the data folder of Volte, unless said otherwise.
    """

    def __init__(self, folder: Path | None = None) -> None:
        self.folder = folder or platformdirs.user_data_path("volte", appauthor=False)

    def new_place(self, house: House) -> Path:
        """Where a match that begins is saved while it goes on."""
        with suppress(OSError):  # whoever saves there will say so
            self.under_way.mkdir(parents=True, exist_ok=True)
        stem = f"{datetime.now():%Y-%m-%d-%H%M%S}-{_mark(house)}"
        names = (f"{stem}{again}{SUFFIX}" for again in chain([""], map("-{}".format, count(2))))
        return next(self.under_way / name for name in names if not (self.under_way / name).exists())

    def place_of(self, house: House) -> Path:
        """Where the match of that house has been saved, also when it comes from another file."""
        found = [path for path in self._files() if _mark(house) in path.stem]
        return found[0] if found else self.new_place(house)

    def latest(self) -> Path | None:
        """The match under way that was played at last."""
        return max(self._files(), key=lambda path: path.stat().st_mtime_ns, default=None)

    def put_away(self, path: Path) -> None:
        """Moves a match that is over to those played."""
        if path.parent != self.under_way:
            return
        with suppress(OSError):
            self._played.mkdir(parents=True, exist_ok=True)
            os.replace(path, self._played / path.name)

    @property
    def under_way(self) -> Path:
        """The folder of the matches that go on."""
        return self.folder / "under-way"

    @property
    def _played(self) -> Path:
        return self.folder / "played"

    def _files(self) -> Iterator[Path]:
        return self.under_way.glob(f"*{SUFFIX}")


def _mark(house: House) -> str:
    """What tells the matches of one house from all others, and nothing about their cards."""
    return house.commitment(1, ()).digest.hex()[:8]
