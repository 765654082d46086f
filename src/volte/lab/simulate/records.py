"""`volte simulate --records`: the records of the deals or matches that somebody wants to see."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from itertools import count
from pathlib import Path
from typing import Final

from volte.console.files import SUFFIX, not_written, try_folder, write
from volte.console.parameters import Count, no_such_choice
from volte.console.terminal import Misuse
from volte.lab.arena import Request, SimulationResult, record_of
from volte.lab.simulate.telling import Found
from volte.notation import format_record

NOTABLE: Final = ("moon", "slam", "highest")
"""What can be found: the first moon, the first slam, the most points of one seat."""
MOST_KEPT: Final = 1_000
"""Records that one simulation writes."""

Kept = dict[str, Found]
"""By what `--keep` named; None where there was no such deal."""


def read_kept(words: Sequence[str], most: int) -> list[int | str]:
    """What `--keep` names: numbers from 1 to `most`, and words of `NOTABLE`. Raises `Misuse`."""
    if len(words) > MOST_KEPT:
        raise Misuse("too_many_kept", most=MOST_KEPT)
    kept: list[int | str] = []
    for word in words:
        if word not in NOTABLE and not word[:1].isdigit():
            raise no_such_choice("--keep", word, "1", "2", "…", *NOTABLE)
        kept.append(word if word in NOTABLE else Count(1, most).read("--keep", word))
    return kept


def notable(wanted: Sequence[int | str], statistics: SimulationResult) -> dict[str, int | None]:
    """The number, from 1, of each deal or match that is wanted; None where there is none."""
    firsts = {
        "moon": statistics.moons,
        "slam": statistics.slams,
        "highest": statistics.highest,
    }
    numbers: dict[str, int | None] = {}
    for each in wanted:
        if isinstance(each, int):
            numbers[str(each)] = each
        else:
            numbers[each] = firsts[each][0] + 1 if firsts[each] else None
    return numbers


class Album:
    """A folder of records.

    Args:
        folder: made where it is missing. Raises `TerminalFault` where nothing can be written.
        request: the simulation that is recorded.
    """

    def __init__(self, folder: Path, request: Request) -> None:
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except (OSError, ValueError) as error:
            not_written(folder, error)
        try_folder(folder, folder)
        self._folder = folder
        self._request = request

    def keep(self, numbers: Mapping[str, int | None]) -> Kept:
        """Writes those records. Raises `TerminalFault`."""
        return {
            name: None if number is None else (number, self._record(number))
            for name, number in numbers.items()
        }

    def _record(self, number: int) -> Path:
        """The file of that deal or match; nothing that is there already is changed."""
        text = format_record(record_of(self._request, number - 1)).encode()
        kind = "match" if self._request.whole_matches else "deal"
        stem = f"{kind}-{number}-seed-{self._request.seed}"
        path = self._folder / f"{stem}{SUFFIX}"
        for again in count(2):
            if _holds(path, text):
                break
            if not os.path.lexists(path):
                write(path, text)
                break
            path = self._folder / f"{stem}-{again}{SUFFIX}"  # that is of other rules or players
        return path


def _holds(path: Path, content: bytes) -> bool:
    try:
        return path.stat().st_size == len(content) and path.read_bytes() == content
    except OSError:
        return False
