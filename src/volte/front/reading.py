"""Matches that are read from their records."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from volte.fair import House
from volte.front.error import spoken
from volte.front.match import Match
from volte.game import HouseAction, MatchState, PlainChance, ProvedChance
from volte.notation import load_record, parse_record
from volte.notation.recorder import master_of


@spoken()
def read(source: str | bytes | os.PathLike[str], *, seed: int | None = None) -> Match:
    """The match of a record, where its text stops; every line is judged by the rules.

    Args:
        source: a path, or the text itself, which has more than one line.
        seed: by which the house deals on. Without one it deals no more, unless the record has the
            master of the house that has dealt so far.

    Raises `VolteError`, with the line of the first thing that is wrong.
    """
    if isinstance(source, bytes) or (isinstance(source, str) and "\n" in source):
        record = parse_record(source)
    else:
        record = load_record(Path(source))
    # Without the master a match that is proved is read as any other, and stays where it is
    master = master_of(record) if record.master is not None else None
    if master is not None:
        return Match.of(record.log, ProvedChance(House(master)), master=master)
    if seed is not None and record.state.proof is None:
        return Match.of(record.log, PlainChance(seed), seed)
    return Match.of(record.log, _NoHouse())


@dataclass(frozen=True)
class _NoHouse:
    """The house of a match that is not dealt on."""

    def act(self, _: MatchState) -> HouseAction | None:
        return None
