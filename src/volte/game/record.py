"""A match on record: what a text tells once it has been read, and what can be wrong with one.

The notation itself is told in docs/records.md; `record_write` writes it and `record_read` reads it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from volte.cards import Fault
from volte.game.events import Event
from volte.game.state import MatchState, Phase

TITLE: Final = "Volte record"
VERSION: Final = 1
MOST_BYTES: Final = 16 * 2**20
"""The longest text that is read as a record: thousands of deals."""


class RecordFault(Fault):
    """What is wrong with a record, at `line` (from 1) where a line is to blame."""

    @property
    def line(self) -> int:
        """The number of the line, 0 where the file itself is to blame."""
        line = self.params.get("line", 0)
        return line if isinstance(line, int) else 0


@dataclass(frozen=True)
class Record:
    """A record that has been read, lawful to its last line.

    Attributes:
        log: the events of the match, from `MatchStarted` on.
        state: where they lead.
        master: of the house, in a record of an unfinished match that may go on.
    """

    log: tuple[Event, ...]
    state: MatchState
    master: bytes | None = None

    @property
    def finished(self) -> bool:
        """Whether the match was played to its end."""
        return self.state.phase is Phase.ENDED


def all_told(state: MatchState) -> bool:
    """Whether a match is over, its last secret included."""
    told = state.proof is None or state.revealed == state.proof.number
    return state.phase is Phase.ENDED and told


@dataclass(frozen=True)
class Report:
    """What `volte check` found: a lawful record, or its first fault."""

    record: Record | None
    fault: RecordFault | None = None
