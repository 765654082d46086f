"""SimulationResult counted a second time, from what the records of all deals tell, with plain Python."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from volte.cards import QUEEN, Card
from volte.game import (
    DealScored,
    Dealt,
    KittyTaken,
    MatchEnded,
    Played,
    TrickTaken,
)
from volte.lab.arena import (
    FIRST,
    WHOLE_WIN,
    Frequencies,
    Request,
    SimulationResult,
    Tally,
    record_of,
)
from volte.referee import Event
from volte.rules import Direction


class Scored(NamedTuple):
    """A deal, as its record tells it; `number` is that of the deal or match."""

    number: int
    direction: Direction
    queen: int | None
    points: tuple[int, ...]
    moon: int | None
    slam: int | None
    minus: bool


def by_hand(request: Request) -> SimulationResult:
    """What `simulate` must find."""
    logs = [record_of(request, number) for number in range(request.games)]
    deals = [deal for number, log in enumerate(logs) for deal in deals_in(number, log)]
    ends = [event for log in logs for event in log if isinstance(event, MatchEnded)]
    lengths = [sum(isinstance(event, DealScored) for event in log) for log in logs]
    if request.matches is None:
        ends, lengths = [], []

    def tally(seats: Sequence[int]) -> Tally:
        return Tally(
            len(seats),
            counts(sum(deal.points[seat] for seat in seats) for deal in deals),
            sum(deal.queen in seats for deal in deals),
            sum(deal.moon in seats for deal in deals),
            sum(deal.slam in seats for deal in deals),
            sum(deal.minus and {deal.moon, deal.slam} & set(seats) != set() for deal in deals),
            counts(sum(end.totals[seat] for seat in seats) for end in ends),
            counts(
                len(set(end.winners) & set(seats)) * WHOLE_WIN // len(end.winners) for end in ends
            ),
        )

    table = range(request.rules.players)
    most = max(max(deal.points) for deal in deals)
    return SimulationResult(
        len(deals),
        len(ends),
        tuple(tally([seat]) for seat in table),
        {
            level: tally([seat for seat in table if request.seats[seat] == level])
            for level in request.seats
        },
        {
            direction: tuple(
                counts(deal.points[seat] for deal in deals if deal.direction is direction)
                for seat in table
            )
            for direction in {deal.direction for deal in deals}
        },
        sum(deal.queen is None for deal in deals),
        counts(lengths),
        first(deal.number for deal in deals if deal.moon is not None),
        first(deal.number for deal in deals if deal.slam is not None),
        first(deal.number for deal in deals if max(deal.points) == most),
    )


def deals_in(number: int, log: Iterable[Event]) -> Iterable[Scored]:
    direction, queen, trick = Direction.HOLD, None, set[Card]()
    for event in log:
        match event:
            case Dealt():
                direction, queen = event.direction, None
            case Played():
                trick.add(event.card)
            case TrickTaken() | KittyTaken():
                taken = trick if isinstance(event, TrickTaken) else set(event.cards or ())
                queen = event.seat if QUEEN in taken else queen
                trick = set()
            case DealScored():
                done = event.moon, event.slam, event.minus
                yield Scored(number, direction, queen, event.points, *done)


def counts(numbers: Iterable[int]) -> Frequencies:
    return Frequencies(dict(Counter(numbers)))


def first(numbers: Iterable[int]) -> tuple[int, ...]:
    return tuple(sorted(set(numbers))[:FIRST])
