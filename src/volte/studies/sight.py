"""Sight: the part of a match that an attendee of a review sees. All its secrecy is here.

Whoever may open the match sees every card. Others see the seats of those who agreed, and of the
rest only what lay on the table: the events of those seats and the public ones, and nothing else.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import Final, TypeAlias, TypeVar

from msgspec.structs import replace

from volte import referee
from volte.game import Dealt, Exchanged, KittyTaken, MatchStarted, Passed, Player
from volte.game.evolve import put
from volte.referee import Event
from volte.table import Happening, TableEvent
from volte.table import happenings as hap

UNKNOWN: Final = ""
"""Id of a person who has been forgotten, and so agrees to nothing."""

Seats: TypeAlias = frozenset[int] | None
"""Seats whose names and hands somebody sees; None for whoever may open the match."""

Item = TypeVar("Item")


def sitters(log: Sequence[Happening], beginners: Sequence[str]) -> tuple[frozenset[str], ...]:
    """By seat, ids of the people who sat there during the match; none where only bots did.

    Args:
        log: the happenings from `MatchStarted` on.
        beginners: ids by seat when the match began, as far as they are known.
    """
    started = log[0]
    assert isinstance(started, MatchStarted)
    found = [
        {beginners[seat] if seat < len(beginners) else UNKNOWN} if player.person else set[str]()
        for seat, player in enumerate(started.players)
    ]
    for each in log:
        if isinstance(each, hap.Sat):
            found[each.seat].add(each.person)
    return tuple(map(frozenset, found))


def open_seats(sitters: Sequence[frozenset[str]], agreed: Collection[str]) -> frozenset[int]:
    """The seats that everybody in the review sees.

    A seat is open once all the people who sat there agreed. Bots' seats are open once everybody
    did: before, their hands would tell too much of those that are closed.
    """
    all_agreed = all(people <= set(agreed) for people in sitters)
    return frozenset(
        seat
        for seat, people in enumerate(sitters)
        if all_agreed or (people and people <= set(agreed))
    )


def shown(
    log: Sequence[Happening], seats: Seats, called: Callable[[int], str]
) -> Sequence[Happening]:
    """The log as somebody sees it: without the names and cards of closed seats.

    Args:
        called: gives the name of a closed seat.
    """
    if seats is None:
        return log
    return [
        _as_seen(each, seats, called)
        for each in log
        if not isinstance(each, TableEvent) or isinstance(each, hap.Sat | hap.BotSat)
    ]


def _as_seen(
    happening: Happening, seats: frozenset[int], called: Callable[[int], str]
) -> Happening:
    match happening:
        case hap.Sat(seat=seat) if seat not in seats:
            return replace(happening, person=UNKNOWN, name=called(seat))
        case MatchStarted(players=players):
            for seat, player in enumerate(players):
                if player.person and seat not in seats:
                    players = put(players, seat, Player(called(seat), person=True))
            return replace(happening, players=players)
    return happening if isinstance(happening, TableEvent) else seen_from(happening, seats)


def seen_from(event: Event, seats: Collection[int]) -> Event:
    """The event as the people at some seats know it together.

    Made of `referee.visible` alone, once for the public and once for each seat.
    """
    known = referee.visible(event, None)
    for seat in seats:
        known = _joined(known, referee.visible(event, seat))
    return known


def _joined(one: Event, other: Event) -> Event:
    """An event that two know differently, with the cards that either knows."""
    match one, other:
        case Dealt(), Dealt():
            return replace(one, hands=tuple(map(_either, one.hands, other.hands)))
        case Exchanged(), Exchanged():
            pairs = zip(one.transfers, other.transfers, strict=True)
            return Exchanged(tuple(b if a.cards is None else a for a, b in pairs))
        case ((Passed() | KittyTaken()), (Passed() | KittyTaken())):
            return other if one.cards is None else one
    return one


def _either(one: Item | None, other: Item | None) -> Item | None:
    return other if one is None else one
