"""A match on record: the result of reading a text, and the faults that a text can have.

docs/records.md explains the notation; `writer` writes it and `reader` reads it.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Final

from volte.cards import Card, VolteError
from volte.files import read_file
from volte.game import MatchState, Phase
from volte.referee.events import Event

TITLE: Final = "Volte record"
VERSION: Final = 1
MOST_BYTES: Final = 16 * 2**20
"""Longest text read as a record, in bytes: thousands of deals."""


class RecordFault(VolteError):
    """A fault in a record, at `line` (from 1) where a line is to blame."""

    @property
    def line(self) -> int:
        """The number of the line, 0 where the file itself is to blame."""
        line = self.params.get("line", 0)
        return line if isinstance(line, int) else 0


@dataclass(frozen=True)
class Record:
    """A match read from a text, every line judged by the rules."""

    log: tuple[Event, ...]  # the events of the match, from `MatchStarted` on
    state: MatchState  # the state after the last event
    master: bytes | None = None  # of the house, in the record of an unfinished match that may go on
    # The decks given to the match, one for each deal, in such a record
    decks: tuple[tuple[Card, ...], ...] = ()

    @property
    def finished(self) -> bool:
        """Whether the match was played to its end."""
        return self.state.phase is Phase.ENDED


def all_revealed(state: MatchState) -> bool:
    """Whether a match is over, and its last secret revealed."""
    revealed = state.proof is None or state.revealed == state.proof.number
    return state.phase is Phase.ENDED and revealed


def content_of(path: Path) -> bytes:
    """The content of a file, cut one byte past `MOST_BYTES`. Raises `RecordFault`."""
    try:
        return read_file(path, MOST_BYTES + 1)
    except OSError as error:
        raise RecordFault("record_not_read", path=str(path), why=error.strerror) from None


def plain_text(text: str | bytes) -> str:
    """The text, decoded and without a byte order mark. Raises `RecordFault` where it is too long,
    or no text."""
    if len(text) > MOST_BYTES:
        raise RecordFault("too_large", line=1, most=MOST_BYTES)
    if isinstance(text, str):
        return text.removeprefix("\ufeff")
    try:
        return text.decode().removeprefix("\ufeff")
    except UnicodeDecodeError as error:
        line = text.count(b"\n", 0, error.start) + 1
        raise RecordFault("not_text", line=line) from None
