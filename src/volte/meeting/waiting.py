"""The wait of somebody, as they may know it: how many others wait, and where they go next.

Those whom one avoids count as all others do, so that no number tells of them.
"""

from __future__ import annotations

from collections import Counter
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


def waiting_of(person: str, seeks: Mapping[str, Seek]) -> Waiting | None:
    """The wait of a person among all who seek, by id; None where they do not seek."""
    own = seeks.get(person)
    if own is None or own.ends:
        return None
    here = {own.table, own.joins} - {""}
    full = {
        seek.table for seek in seeks.values() if 0 < seek.there.players <= len(seek.there.company)
    }
    counts = Counter(
        seek.wish.game
        for seek in seeks.values()
        if not seek.ends and here.isdisjoint((seek.table, seek.joins)) and seek.table not in full
    )
    names = (seek.there.names for seek in seeks.values() if own.joins == seek.table != "")
    company = zip(own.there.company, own.there.names, strict=True)
    return Waiting(
        own.table,
        tuple(
            Waiters(*each) for each in sorted(counts.items(), key=lambda each: (-each[1], each[0]))
        ),
        own.joins,
        next((each for each in names if each), ()),
        tuple(name for other, name in company if other != person),
    )


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
