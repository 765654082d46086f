"""The wait of somebody, as they may know it: how many others wait, and where they go next.

Those whom one avoids count as all others do, so that no number tells of them.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping
from typing import Final

import msgspec

from volte.meeting.seeks import Seek
from volte.store.store import Store
from volte.table.stored import read_summary
from volte.talk.company import Avoided
from volte.talk.store import TalkStore

LATEST: Final = 10  # matches among which the last one at a meeting table is looked for


class Waiters(msgspec.Struct, frozen=True):
    """People who wait for the same game."""

    preset: str  # the first preset with its rules; empty for any
    count: int


class Waiting(msgspec.Struct, frozen=True):
    """The wait of somebody who would play with anybody."""

    table: str  # id of the table where they are; empty while one is being found
    others: tuple[Waiters, ...] = ()
    """Everybody else who waits and could be joined or come, by the game that they wish: the most
    wished one first."""
    joins: str = ""  # id of the table where they go on at its next deal; empty for none
    names: tuple[str, ...] = ()  # of the people there
    company: tuple[str, ...] = ()  # names of the others at their own table

    @property
    def count(self) -> int:
        """The number of others who wait."""
        return sum(each.count for each in self.others)


class Tablemate(msgspec.Struct, frozen=True):
    """Somebody with whom a person has played."""

    id: str
    name: str
    avoided: bool  # whether the person would rather not meet them again


class WaitingList:
    """The waiting list: everybody who seeks, and how each of them waits.

    What all of them have in common is counted once, so that each is found by looking at the people
    around one person alone.

    Args:
        seeks: everybody who seeks, by id.
    """

    def __init__(self, seeks: Mapping[str, Seek]) -> None:
        self._seeks = seeks
        self._around = defaultdict[str, list[Seek]](list)  # by table: people there, and coming
        full = set[str]()  # ids of tables
        for seek in seeks.values():
            for table in {seek.table, seek.joins} - {""}:
                self._around[table].append(seek)
            if 0 < seek.there.players <= len(seek.there.company):
                full.add(seek.table)
        self._counted = {  # games by the ids of those who could be joined, or come
            person: seek.wish.game
            for person, seek in seeks.items()
            if not seek.ends and seek.table not in full
        }
        self._counts = Counter(self._counted.values())

    def of(self, person: str) -> Waiting | None:
        """The wait of a person; None where they do not seek."""
        own = self._seeks.get(person)
        if own is None or own.ends:
            return None
        here = {own.table, own.joins} - {""}
        around = {seek.person for table in here for seek in self._around[table]} | {person}
        counts = self._counts - Counter(
            self._counted[each] for each in around if each in self._counted
        )
        joined = (each for each in self._around[own.joins] if each.table == own.joins)
        company = zip(own.there.company, own.there.names, strict=True)
        return Waiting(
            own.table,
            tuple(Waiters(*each) for each in sorted(counts.items(), key=_most_wished)),
            own.joins,
            next((each.there.names for each in joined if each.there.names), ()),
            tuple(name for other, name in company if other != person),
        )


def _most_wished(waiters: tuple[str, int]) -> tuple[int, str]:
    preset, count = waiters
    return -count, preset


async def companions_of(store: Store, person: str) -> tuple[Tablemate, ...]:
    """The people with whom a person played in their last match at a meeting table, by seat."""
    matches = await store.matches_of(person, limit=LATEST)
    listings = await store.listings_at({match.table for match in matches})
    for match in matches:
        listing = listings.get(match.table)
        if listing is None or not read_summary(listing).meeting:
            continue
        people = dict.fromkeys((*match.players, *match.began))
        names = await store[TalkStore].names([each for each in people if each not in ("", person)])
        avoided = await store[Avoided].of(person)
        there = [each for each in people if each in names]
        return tuple(Tablemate(each, names[each], each in avoided) for each in there)
    return ()
