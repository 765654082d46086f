"""Which puzzles somebody has solved at this machine, and on how many days in a row."""

from __future__ import annotations

from datetime import date, timedelta
from pathlib import Path
from typing import Final

import msgspec

from volte.console.terminal import TerminalFault
from volte.rules.file import read_file, replace_file

NAME: Final = "puzzles.json"
MOST_BYTES: Final = 2**20


class Solved(msgspec.Struct, frozen=True):
    """What has been solved.

    Attributes:
        numbers: of puzzles.
        days: on which the puzzle of the day was.
    """

    numbers: frozenset[int] = frozenset()
    days: frozenset[date] = frozenset()

    def and_also(self, number: int, day: date | None = None) -> Solved:
        """With that puzzle, as the one of that day."""
        return Solved(self.numbers | {number}, self.days | ({day} if day is not None else set()))

    def streak(self, today: date) -> int:
        """Days in a row up to today; or up to yesterday, while today's is still to be solved."""
        day = today if today in self.days else today - timedelta(days=1)
        count = 0
        while day in self.days:
            count, day = count + 1, day - timedelta(days=1)
        return count


class Progress:
    """The file that tells of it, in the folder where matches are kept."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / NAME

    def read(self) -> Solved:
        """What has been solved so far. Raises `TerminalFault` for a file that tells nothing."""
        try:
            content = read_file(self.path, MOST_BYTES)
        except FileNotFoundError:
            return Solved()
        except OSError as error:
            raise self._fault("progress_not_read", error.strerror or str(error)) from None
        try:
            return msgspec.json.decode(content, type=Solved)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
            raise self._fault("progress_not_read", str(error)) from None

    def add(self, number: int, day: date | None = None) -> Solved:
        """That puzzle has been solved, as the one of that day. Raises `TerminalFault`."""
        solved = self.read().and_also(number, day)
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            replace_file(self.path, msgspec.json.encode(solved, order="sorted"))
        except OSError as error:
            raise self._fault("progress_not_kept", error.strerror or str(error)) from None
        return solved

    def _fault(self, reason: str, why: str) -> TerminalFault:
        return TerminalFault(reason, path=self.path, why=why)
