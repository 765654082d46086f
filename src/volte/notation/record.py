"""A match on record: what a text tells once it has been read, and what can be wrong with one.

The notation itself is told in docs/records.md; `record_write` writes it and `record_read` reads it.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Final, Generic, TypeVar

from volte.cards import Fault
from volte.game.events import Event
from volte.game.state import MatchState, Phase
from volte.rules.file import read_file

TITLE: Final = "Volte record"
VERSION: Final = 1
E = TypeVar("E", covariant=True)
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
class RecordOf(Generic[E]):
    """A record that has been read, by the rules to its last line.

    Attributes:
        log: the events of the match, from `MatchStarted` on.
        state: where they lead.
        master: of the house, in a record of an unfinished match that may go on.
    """

    log: tuple[E, ...]
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
class ReportOf(Generic[E]):
    """What `volte check` found: a record by the rules, or its first fault."""

    record: RecordOf[E] | None
    fault: RecordFault | None = None


Record = RecordOf[Event]
Report = ReportOf[Event]


def content_of(path: Path) -> bytes:
    """What is in the file, as far as it may be a record. Raises `RecordFault`."""
    try:
        return read_file(path, MOST_BYTES + 1)
    except OSError as error:
        raise RecordFault("record_not_read", path=str(path), why=error.strerror) from None


def plain_text(text: str | bytes) -> str:
    """The text without what no line says. Raises `RecordFault` for what is too long or no text."""
    if len(text) > MOST_BYTES:
        raise RecordFault("too_large", line=1, most=MOST_BYTES)
    plain = _decoded(text) if isinstance(text, bytes) else text
    return plain.removeprefix("\ufeff")


def _decoded(content: bytes) -> str:
    try:
        return content.decode()
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise RecordFault("not_text", line=line) from None
