"""Where matches are kept: every one is saved as it goes, and found again."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from datetime import datetime
from hashlib import sha256
from itertools import chain, count
from pathlib import Path
from typing import Final

import platformdirs

from volte.console.lock import lock
from volte.console.terminal import TerminalFault
from volte.fair import House

SUFFIX: Final = ".volte"


class Shelf:
    """The matches of this person on this machine: those under way, and those played.

    Args:
        folder: the data folder of Volte, unless said otherwise.
    """

    def __init__(self, folder: Path | None = None) -> None:
        self.folder = folder or _data_folder()

    def new_place(self, house: House) -> Path:
        """Where a match that begins is saved while it goes on."""
        with suppress(OSError):  # whoever saves there will say so
            self.under_way.mkdir(parents=True, exist_ok=True)
        stem = f"{datetime.now():%Y-%m-%d-%H%M%S}-{_mark(house)}"
        return free_place(self.under_way / f"{stem}{SUFFIX}")

    def places_of(self, house: House) -> list[Path]:
        """Where matches of that house are saved: a seed can begin several."""
        return [path for path in self.latest_first() if _mark(house) in path.stem]

    @contextmanager
    def held(self, path: Path) -> Iterator[None]:
        """While a match is played, no other terminal can play it too.

        Raises `TerminalFault` where one does already. Whoever holds a match lets go of it when
        the program ends, however it ends.
        """
        place = int.from_bytes(sha256(str(path.resolve()).encode()).digest()[:4]) // 2
        with ExitStack() as stack:
            with suppress(OSError):  # where nothing can be written, no match is kept either
                file = stack.enter_context((self.folder / "held").open("ab"))
                if not lock(file, place):
                    raise TerminalFault("played_elsewhere")
            yield

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

    def latest_first(self) -> list[Path]:
        """The matches under way, the one played at last before the others."""
        files = self.under_way.glob(f"*{SUFFIX}")
        return sorted(files, key=lambda path: path.stat().st_mtime_ns, reverse=True)


def free_place(path: Path) -> Path:
    """That path, or, where something is there already, the same with a number."""
    names = chain([path.name], (f"{path.stem}-{again}{path.suffix}" for again in count(2)))
    return next(path.with_name(name) for name in names if not path.with_name(name).exists())


def _mark(house: House) -> str:
    """What tells the matches of one house from all others, and nothing about their cards."""
    return house.commitment(1, ()).digest.hex()[:8]


def _data_folder() -> Path:
    """Raises `TerminalFault` for whoever has no home."""
    try:
        return platformdirs.user_data_path("volte", appauthor=False)
    except RuntimeError:
        raise TerminalFault("no_home") from None
