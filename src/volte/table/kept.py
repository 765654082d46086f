"""A table as the store has it: read anew whenever a process begins, or is in doubt."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Sequence
from typing import Final

import msgspec

from volte.game import Refusal
from volte.store import Entry, MatchRow, Store
from volte.table.happenings import Happening, decode_happening
from volte.table.sights import Sights
from volte.table.state import TableState

MOST_CAUSES: Final = 200
"""Answers that are remembered for a person: later than that, nobody asks again."""

MOST_PERSONS: Final = 100
"""People whose answers are remembered at a table."""

AT_A_TIME: Final = 500
"""Entries that are read before others have their turn."""


class Reply(msgspec.Struct, frozen=True):
    """What became of a command.

    Attributes:
        number: of the last happening at the table, when it had been done or refused.
        refusal: why it was not done; None where it was.
    """

    number: int
    refusal: Refusal | None = None


class Causes:
    """The answers given, by person and message, so that nothing is done twice."""

    def __init__(self) -> None:
        self._replies: OrderedDict[str, OrderedDict[str, Reply]] = OrderedDict()

    def get(self, cause: str) -> Reply | None:
        """The answer that this cause has had."""
        return self._replies.get(_person(cause), OrderedDict()).get(cause)

    def put(self, cause: str, reply: Reply) -> None:
        """Remembers an answer; nothing for no cause."""
        if not cause:
            return
        replies = self._replies.setdefault(_person(cause), OrderedDict())
        self._replies.move_to_end(_person(cause))
        replies[cause] = reply
        if len(replies) > MOST_CAUSES:
            replies.popitem(last=False)
        if len(self._replies) > MOST_PERSONS:
            self._replies.popitem(last=False)

    def learn(self, other: Causes) -> None:
        """Takes over what another one remembers."""
        for replies in other._replies.values():
            for cause, reply in replies.items():
                self.put(cause, reply)


def _person(cause: str) -> str:
    return cause.partition(":")[0]


class Kept:
    """All that a live table goes on from.

    Attributes:
        sights: the present match, and the state.
        causes: the answers given.
        row: of the present match, or of the last one.
    """

    def __init__(self) -> None:
        self.sights = Sights()
        self.causes = Causes()
        self.row: MatchRow | None = None

    @property
    def state(self) -> TableState:
        assert self.sights.state is not None
        return self.sights.state

    def take(self, entries: Sequence[Entry]) -> tuple[Happening, ...]:
        """Folds what the store has besides; what one action brought about stays together.

        Raises `msgspec.ValidationError` for what is no happening.
        """
        happenings = [decode_happening(entry.data) for entry in entries]
        self.sights.add(happenings)
        for entry in entries:
            self.causes.put(entry.cause, Reply(entry.version))
        return tuple(happenings)

    def become(self, other: Kept) -> None:
        """Takes over what has been read anew; answers that are not in any log stay."""
        self.sights.become(other.sights)
        self.causes.learn(other.causes)
        self.row = other.row


async def read_table(store: Store, table: str) -> Kept | None:
    """A table from the store; None where there is none. Raises `Unavailable`."""
    entries = await store.read(table)
    if not entries:
        return None
    kept = Kept()
    for first in range(0, len(entries), AT_A_TIME):
        kept.take(entries[first : first + AT_A_TIME])
        await asyncio.sleep(0)
    kept.row = row_of(await store.matches_at(table), kept.state)
    return kept


def row_of(rows: Sequence[MatchRow], state: TableState) -> MatchRow | None:
    """Of the matches of a table, the one that it plays, or played last."""
    return next((row for row in rows if row.first == state.match_began), None)
