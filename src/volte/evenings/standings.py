"""Who has played the same cards best: all pairs of tables compared, deal by deal, seat by seat."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

import msgspec

from volte.evenings.evening import Evening, Result, Round


class Compared(msgspec.Struct, frozen=True):
    """A deal that counts: what it brought at every table that has played it.

    Attributes:
        round: its number, from 1.
        deal: its number in the round, from 1.
        results: by the place of the table in the round; None where it was not played to the end.
    """

    round: int
    deal: int
    results: tuple[Result | None, ...]

    def differences(self, table: int, seat: int) -> tuple[int, ...]:
        """How many points more there were at that seat than with the same cards elsewhere, for
        every other table; nothing where the table has not played the deal."""
        own = self.results[table]
        if own is None:
            return ()
        others = (each for place, each in enumerate(self.results) if place != table)
        return tuple(own.points[seat] - each.points[seat] for each in others if each is not None)


class Standing(msgspec.Struct, frozen=True):
    """How somebody stands. Less is better.

    Attributes:
        place: from 1; whoever is as good shares it. None for somebody not compared yet.
        name: as the evening calls them.
        difference: points more than others had with the same cards, added up.
        comparisons: with how many results theirs were compared.
        points: that they have had.
        deals: that they have played and that count.
    """

    place: int | None
    person: str
    name: str
    difference: int
    comparisons: int
    points: int
    deals: int

    @property
    def average(self) -> Fraction | None:
        """The difference in a comparison, by which people are ranked."""
        return Fraction(self.difference, self.comparisons) if self.comparisons else None


def compared(evening: Evening) -> tuple[Compared, ...]:
    """The deals that count, in their order.

    While a round is played, a deal counts once it is over at every table: what it brought
    elsewhere would tell something about its cards.
    """
    found: list[Compared] = []
    for number, each in enumerate(evening.rounds, start=1):
        found += _compared(number, each)
    return tuple(found)


def _compared(number: int, played: Round) -> Iterator[Compared]:
    counts = [len(sitting.results) for sitting in played.tables]
    for deal in range(min(counts) if played.over is None else max(counts)):
        results = tuple(
            sitting.results[deal] if deal < len(sitting.results) else None
            for sitting in played.tables
        )
        yield Compared(number, deal + 1, results)


def standings(evening: Evening) -> tuple[Standing, ...]:
    """Everybody who comes or has played, the best first; those without a comparison last."""
    sums: dict[str, list[int]] = {comer.person: [0, 0, 0, 0] for comer in evening.coming}
    for each in compared(evening):
        for table, result in enumerate(each.results):
            for seat, person in enumerate(result.people if result is not None else ()):
                if result is None or not person:
                    continue
                differences = each.differences(table, seat)
                total = sums.setdefault(person, [0, 0, 0, 0])
                total[0] += sum(differences)
                total[1] += len(differences)
                total[2] += result.points[seat]
                total[3] += 1
    found = [Standing(None, person, evening.name_of(person), *row) for person, row in sums.items()]
    found.sort(key=lambda each: (each.average is None, each.average or 0, each.name.casefold()))
    return tuple(_placed(found))


def _placed(found: list[Standing]) -> Iterator[Standing]:
    """The same with their places."""
    place, before = 0, None
    for number, each in enumerate(found, start=1):
        if each.average is None:
            yield each
            continue
        if each.average != before:
            place, before = number, each.average
        yield msgspec.structs.replace(each, place=place)
