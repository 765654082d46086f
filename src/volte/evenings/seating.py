"""Who sits where in a round, so that people meet others than before.

Everybody has a lot, which nobody can choose. In the order of the lots each takes the chair where
they have met the others least, and sat least; then two people change chairs for as long as that
makes it better.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import combinations
from typing import Final

from volte.evenings.evening import FEWEST_PEOPLE, Evening, Seating, lot_of, table_id

MET: Final = 10
"""Cost of meeting somebody again, times the square of how often; the same seat again costs 1."""

MOST_TURNS: Final = 8
"""How often all pairs of people are looked at."""


def tables_for(people: int, players: int, alone: bool = False) -> int:
    """How many tables there are for so many people: two at least, so that there is something to
    compare, and none without anybody."""
    if alone:
        return people
    return max(min(FEWEST_PEOPLE, people), -(-people // players))


def seats_for(evening: Evening) -> tuple[Seating, ...]:
    """The tables of the next round; bots have the last seats, as evenly spread as possible."""
    number = len(evening.rounds) + 1
    players, alone = evening.plan.rules.players, evening.plan.alone
    people = sorted(
        (comer.person for comer in evening.coming),
        key=lambda person: lot_of(evening.secret, number, person),
    )
    tables = tables_for(len(people), players, alone)
    if alone:
        chairs = [(table, (number - 1) % players) for table in range(tables)]
    else:
        chairs = [(place % tables, place // tables) for place in range(len(people))]
        people = _Movement(evening, chairs, tables).seat(people)
    seats = [[""] * players for _ in range(tables)]
    for person, (table, seat) in zip(people, chairs, strict=True):
        seats[table][seat] = person
    return tuple(
        Seating(table_id(evening.secret, number, table), tuple(row))
        for table, row in enumerate(seats)
    )


class _Movement:
    """Seats people so that as little as possible of the rounds so far is repeated.

    Args:
        chairs: each a table and a seat; those of one table lie `tables` apart in the list.
    """

    def __init__(self, evening: Evening, chairs: Sequence[tuple[int, int]], tables: int) -> None:
        self._chairs = chairs
        self._tables = tables
        self._seated = [""] * len(chairs)  # who has each chair
        self._met: Counter[frozenset[str]] = Counter()
        self._sat: Counter[tuple[str, int]] = Counter()
        for each in evening.rounds:
            for sitting in each.tables:
                people = [person for person in sitting.seats if person]
                self._met.update(map(frozenset, combinations(people, 2)))
                self._sat.update((person, seat) for seat, person in enumerate(sitting.seats))

    def seat(self, people: list[str]) -> list[str]:
        """Who has each of the chairs; people come in the order of their lots."""
        if not self._met:
            return people
        for person in people:
            free = [place for place, there in enumerate(self._seated) if not there]
            best = min(free, key=lambda place: self._cost(person, place))
            self._seated[best] = person
        for _ in range(MOST_TURNS):
            pairs = combinations(range(len(self._seated)), 2)
            if not sum(self._change(one, other) for one, other in pairs):
                break
        return self._seated

    def _change(self, one: int, other: int) -> bool:
        """Lets the people of two chairs change them where that is better."""
        before = self._cost_of_both(one, other)
        if not before:
            return False
        seated = self._seated
        seated[one], seated[other] = seated[other], seated[one]
        if self._cost_of_both(one, other) < before:
            return True
        seated[one], seated[other] = seated[other], seated[one]
        return False

    def _cost_of_both(self, one: int, other: int) -> int:
        return self._cost(self._seated[one], one) + self._cost(self._seated[other], other)

    def _cost(self, person: str, place: int) -> int:
        """How much that person repeats in that chair."""
        table, seat = self._chairs[place]
        cost = self._sat[person, seat]
        for there in self._seated[table :: self._tables]:
            if there and there != person:
                cost += MET * self._met[frozenset((person, there))] ** 2
        return cost
