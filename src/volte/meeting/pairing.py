"""Pairing: who goes on at whose table. A pure function of all who wait.

Only somebody who sits alone moves, and not while somebody else is on the way to them. The eldest
comes first: to people who sit together already, else to the eldest other who sits alone, at the
table of the one or of the other. So no two people remain alone who would play together.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from itertools import chain
from typing import Final, NamedTuple

from volte.meeting.seeks import MeetingTable, Seek, agree

NOBODY: Final = frozenset[str]()


class Pairing(NamedTuple):
    """A person who is to go on at another table."""

    person: str  # id
    table: str  # id


class _Place:
    """A table to which people can come, with everybody who sits there or is on the way."""

    def __init__(self, table: str, first: Seek) -> None:
        self.table = table
        self.there: MeetingTable = first.there
        self.age = first.age
        self.seeks = list[Seek]()  # of people there and on the way
        self.people = set[str]()  # ids of all of them, also of those who do not seek

    def settle(self, seek: Seek) -> None:
        self.seeks.append(seek)
        self.people.add(seek.person)

    @property
    def has_room(self) -> bool:
        return len(self.people) < self.there.players


def pairings(seeks: Iterable[Seek], apart: Mapping[str, Collection[str]]) -> tuple[Pairing, ...]:
    """The moves that bring people together now, in the order of those who gain by them.

    Args:
        seeks: everybody who waits, in any order.
        apart: by id of a person, ids of people whom they would rather not meet.
    """
    return tuple(_Pairer(sorted(seeks, key=lambda seek: seek.age), apart).moves())


def destination(newcomer: Seek, seeks: Iterable[Seek], apart: Collection[str]) -> str:
    """The id of the table where somebody without a table can go; empty where there is none.

    Args:
        apart: ids of the people whom the newcomer would rather not meet, and the other way round.
    """
    around = {newcomer.person: apart}
    places = [
        place
        for place in _places(sorted(seeks, key=lambda seek: seek.age)).values()
        if _can_come(newcomer, place, around)
    ]
    best = min(places, key=lambda each: (-len(each.people), each.age), default=None)
    return best.table if best is not None else ""


def compatible(mover: Seek, host: Seek, apart: Mapping[str, Collection[str]]) -> bool:
    """Whether somebody who sits alone, or nowhere yet, could come to another who sits alone."""
    place = _Place(host.table, host)
    place.settle(host)
    return _can_come(mover, place, apart)


def _can_come(mover: Seek, place: _Place, apart: Mapping[str, Collection[str]]) -> bool:
    """Whether somebody may come to a table: it is what all of them wish."""
    if not place.has_room or place.table in (mover.table, *mover.refused):
        return False
    if not mover.wish.suits(place.there):
        return False
    if not all(agree(mover, seek) for seek in place.seeks):
        return False
    others = place.people - {mover.person}
    return not any(are_apart(mover.person, other, apart) for other in others)


def are_apart(one: str, other: str, apart: Mapping[str, Collection[str]]) -> bool:
    """Whether one of two people would rather not meet the other."""
    return other in apart.get(one, NOBODY) or one in apart.get(other, NOBODY)


class _Pairer:
    """Everybody who can move or be joined, sorted by age, while pairings are found."""

    def __init__(self, seeks: Collection[Seek], apart: Mapping[str, Collection[str]]) -> None:
        self._apart = apart
        places = _places(seeks)
        shared = {place.table for place in places.values() if len(place.seeks) > 1}
        self._single = {
            seek.person: seek
            for seek in seeks
            if not (seek.joins or seek.ends or seek.table in shared)
            and (seek.alone or not seek.table)
        }  # they can move, and be joined if they have a table
        alone = {seek.table for seek in self._single.values()}
        self._companies = defaultdict[str, list[_Place]](list)  # by the rules of their tables
        for table, place in places.items():
            if table not in alone and place.has_room:
                self._companies[place.there.preset].append(place)
        self._wishing = defaultdict[str, list[Seek]](list)  # by the rules that they wish
        self._sitting = defaultdict[str, list[Seek]](list)  # by those of their table
        for seek in self._single.values():
            self._wishing[seek.wish.game].append(seek)
            self._sitting[seek.there.preset].append(seek)

    def moves(self) -> Iterator[Pairing]:
        for seek in [*self._single.values()]:
            if seek.person not in self._single:
                continue
            place = self._company(seek)
            if place is not None:
                yield self._moved(seek, place)
            elif (found := self._partner(seek)) is not None:
                mover, host = found
                del self._single[host.person]
                place = _Place(host.table, host)
                place.settle(host)
                self._companies[place.there.preset].append(place)
                yield self._moved(mover, place)

    def _moved(self, mover: Seek, place: _Place) -> Pairing:
        del self._single[mover.person]
        place.settle(mover)
        return Pairing(mover.person, place.table)

    def _company(self, seek: Seek) -> _Place | None:
        """The table where most people sit together, the eldest's among equal ones."""
        wished = seek.wish.game
        places = [self._companies[wished]] if wished else self._companies.values()
        suits = (each for each in chain(*places) if _can_come(seek, each, self._apart))
        return min(suits, key=lambda each: (-len(each.people), each.age), default=None)

    def _partner(self, seek: Seek) -> tuple[Seek, Seek] | None:
        """The eldest of the others who sit alone and suit: the one of the two who moves, and the
        one to whom they move."""
        for other in self._others(seek):
            if seek.table and compatible(other, seek, self._apart):
                return other, seek
            if other.table and compatible(seek, other, self._apart):
                return seek, other
        return None

    def _others(self, seek: Seek) -> Iterator[Seek]:
        """The others who sit alone and may suit, the eldest first."""
        found: Iterable[Seek] = self._single.values()  # sorted by age
        if seek.wish.game:
            lists = self._wishing[""], self._wishing[seek.there.preset or "?"]
            some = {each.person: each for each in chain(*lists, self._sitting[seek.wish.game])}
            found = sorted(some.values(), key=lambda each: each.age)
        return (each for each in found if each.person in self._single and each is not seek)


def _places(seeks: Iterable[Seek]) -> dict[str, _Place]:
    """The tables where somebody stays who seeks company, by id, with all who are on the way."""
    places = dict[str, _Place]()
    staying = [seek for seek in seeks if seek.table and not (seek.joins or seek.ends)]
    for seek in staying:  # by age, so that the eldest gives a table its age
        if seek.there.company:
            place = places.get(seek.table)
            if place is None:
                place = places[seek.table] = _Place(seek.table, seek)
            place.people.update(seek.there.company)
    for seek in staying:
        if seek.table in places:
            places[seek.table].settle(seek)
    for seek in seeks:
        if seek.joins in places and (seek.sat or not (seek.ends or seek.back)):
            places[seek.joins].settle(seek)
    return places
