"""Who sits where in a round, so that people meet others than before.

Everybody has a lot, which nobody can choose. In its order each takes the chair where they have met
the others least, and has sat least; then two people change chairs for as long as that is better.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import combinations
from typing import Final

from volte.evenings.evening import FEWEST_PEOPLE, Evening, Seating, lot_of, table_id

MET: Final = 10
"""What it costs to meet somebody again, for each time they have met; against the same seat once."""

MOST_TURNS: Final = 8
"""How often all pairs of people are looked at."""

Chair = tuple[int, int]
"""A table, by its place in the round, and a seat."""


def tables_for(people: int, players: int, alone: bool = False) -> int:
    """How many tables there are for so many people: two at least, so that there is something to
    compare, and none without anybody."""
    if alone:
        return people
    return max(min(FEWEST_PEOPLE, people), -(-people // players))


def seats_for(evening: Evening) -> tuple[Seating, ...]:
    """The tables of the next round; bots have the last seats, as many at each table as can be."""
    number = len(evening.rounds) + 1
    players = evening.plan.rules.players
    people = sorted(
        (comer.person for comer in evening.coming),
        key=lambda person: lot_of(evening.secret, number, person),
    )
    tables = tables_for(len(people), players, evening.plan.alone)
    chairs = [(place % tables, place // tables) for place in range(len(people))]
    if evening.plan.alone:
        chairs = [(table, (number - 1) % players) for table, _ in chairs]
    else:
        people = _Movement(evening).seated(people, chairs)
    seats = [[""] * players for _ in range(tables)]
    for person, (table, seat) in zip(people, chairs, strict=True):
        seats[table][seat] = person
    return tuple(
        Seating(table_id(evening.secret, number, table), tuple(row))
        for table, row in enumerate(seats)
    )


class _Movement:
    """What has been so far, and what a seating would repeat of it."""

    def __init__(self, evening: Evening) -> None:
        self._met: Counter[frozenset[str]] = Counter()
        self._sat: Counter[tuple[str, int]] = Counter()
        for each in evening.rounds:
            for sitting in each.tables:
                people = [person for person in sitting.seats if person]
                self._met.update(map(frozenset, combinations(people, 2)))
                placed = enumerate(sitting.seats)
                self._sat.update((person, seat) for seat, person in placed if person)

    def seated(self, people: Sequence[str], chairs: Sequence[Chair]) -> list[str]:
        """Who has each of the chairs."""
        if not self._met:
            return list(people)
        return self._improved(self._taken(people, chairs), chairs)

    def _taken(self, people: Sequence[str], chairs: Sequence[Chair]) -> list[str]:
        """Everybody in turn takes the chair that is best for them."""
        taken = [""] * len(chairs)
        for person in people:
            free = [place for place, there in enumerate(taken) if not there]
            best = min(free, key=lambda place: self._cost(person, place, taken, chairs))
            taken[best] = person
        return taken

    def _improved(self, taken: list[str], chairs: Sequence[Chair]) -> list[str]:
        """Two people change chairs wherever that repeats less."""
        for _ in range(MOST_TURNS):
            better = False
            for one, other in combinations(range(len(taken)), 2):
                better |= self._change(one, other, taken, chairs)
            if not better:
                break
        return taken

    def _change(self, one: int, other: int, taken: list[str], chairs: Sequence[Chair]) -> bool:
        """Lets two change chairs where that is better."""
        before = self._both(one, other, taken, chairs)
        if not before:
            return False
        taken[one], taken[other] = taken[other], taken[one]
        if self._both(one, other, taken, chairs) < before:
            return True
        taken[one], taken[other] = taken[other], taken[one]
        return False

    def _both(self, one: int, other: int, taken: list[str], chairs: Sequence[Chair]) -> int:
        return self._cost(taken[one], one, taken, chairs) + self._cost(
            taken[other], other, taken, chairs
        )

    def _cost(self, person: str, place: int, taken: list[str], chairs: Sequence[Chair]) -> int:
        """What that person repeats in that chair: encounters weigh by how many there were."""
        table, seat = chairs[place]
        cost = self._sat[person, seat]
        step = _tables(chairs)
        for beside in range(table, len(chairs), step):
            there = taken[beside]
            if there and there != person:
                cost += MET * self._met[frozenset((person, there))] ** 2
        return cost


def _tables(chairs: Sequence[Chair]) -> int:
    """How many tables the chairs stand at; those of one table lie as far apart in the list."""
    return max(table for table, _ in chairs) + 1
