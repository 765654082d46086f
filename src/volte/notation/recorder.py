"""Keeping the record of a match in a file while it is played, and going on from it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from volte.cards import NeverCopied
from volte.fair import House
from volte.game import MatchState
from volte.game.events import Committed
from volte.notation.reader import parse_record
from volte.notation.record import Record, RecordFault, all_revealed
from volte.notation.writer import RecordWriter
from volte.referee.events import Event
from volte.rules.file import replace_file


class Recorder(NeverCopied):
    """A listener of `Driver` that saves the match after every action.

    The file is replaced whole: whenever the program or the machine stops, it holds a complete
    record up to some action. When it cannot be written the match goes on, and the next action
    tries again.

    Args:
        path: of the file; beside it stands a `.part` file while it is written.
        log: what has happened so far, from `MatchStarted` on; it is saved at once.
        master: of the house; it stays in the file until the match is over, to resume it.
        failed: called with the first failure, and with the first after each success.
    """

    def __init__(
        self,
        path: Path,
        log: Sequence[Event],
        master: bytes | None = None,
        failed: Callable[[RecordFault], None] | None = None,
    ) -> None:
        self._path = path
        self._master = master
        self._failed = failed
        self._failing = False
        self._writer = RecordWriter()
        self._writer.add(log)
        self._save()

    def __call__(self, state: MatchState, events: Sequence[Event]) -> None:
        """Writes what has happened, and saves."""
        self._writer.add(events)
        if all_revealed(state):
            self._master = None
        self._save()

    def _save(self) -> None:
        try:
            replace_file(self._path, self._writer.text(self._master).encode())
        except OSError as error:
            if self._failed is not None and not self._failing:
                why = error.strerror or str(error)
                self._failed(RecordFault("record_not_saved", path=str(self._path), why=why))
            self._failing = True
        else:
            self._failing = False


def resume(text: str | bytes) -> tuple[tuple[Event, ...], bytes | None]:
    """The log of a match that goes on, and the master of the house that deals it.

    Without commitments there is no master. Raises `RecordFault`, also when the master is needed
    to go on and is missing, or is not the one that this match has been dealt by.
    """
    record = parse_record(text)
    return record.log, master_of(record)


def master_of(record: Record) -> bytes | None:
    """The master of the house that deals what is left of that match; see `resume`."""
    if record.state.proof is not None and not all_revealed(record.state):
        if record.master is None:
            raise RecordFault("no_master", line=1)
        if not _dealt_by(House(record.master), record.log):
            raise RecordFault("wrong_master", line=1)
    return record.master


def _dealt_by(house: House, log: Sequence[Event]) -> bool:
    """Whether every commitment on the log is that house's."""
    digest = b""
    for event in log:
        if isinstance(event, Committed):
            expected = house.commitment(event.number, event.house, digest)
            digest = event.digest
            if expected.digest != digest:
                return False
    return True
