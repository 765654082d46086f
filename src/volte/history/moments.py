"""The replay of a match that is over: each deal after every step, with the sentences for it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from enum import StrEnum
from typing import Final

import msgspec
from msgspec.structs import replace

from volte import game, referee
from volte.cards import Card, cards_in
from volte.game import DealState, MatchState, Phase, Player
from volte.game.evolve import put
from volte.referee import Event, RefereedDeal
from volte.rules import Direction
from volte.say import Verbosity, Words
from volte.say.narration import tell_openly
from volte.say.telling import Lines, spoken_order
from volte.table import Happening, TableEvent
from volte.table import happenings as hap
from volte.view import View
from volte.web.cards_shown import cancelled, waiting


class Eyes(StrEnum):
    """The cards that a replay shows."""

    OPEN = "open"  # every card
    OWN = "own"  # only cards that the person could see during the match


class TrickShown(msgspec.Struct, frozen=True, omit_defaults=True):
    """Cards on the table."""

    leader: int
    cards: tuple[str, ...]  # as texts in the order played, from the leader on
    seats: tuple[int, ...] = ()  # seats of the cards, unless they were played in turn
    early: tuple[int, ...] = ()  # seats whose cards lie there out of turn
    cancelled: tuple[str, ...] = ()  # cards cancelled by their equals (W11)
    nobody: bool = False  # whether nobody took the trick


class Moment(msgspec.Struct, frozen=True, omit_defaults=True):
    """The state of a deal after one step, as the page needs it."""

    lines: Lines  # sentences for the step
    hands: tuple[tuple[str, ...], ...]  # by seat, its cards as texts; empty where they are hidden
    held: tuple[int, ...]  # by seat, the number of its cards, hidden or not
    taken: tuple[int, ...]  # by seat, the points taken in this deal so far
    trick: int = 0  # number of the present trick, from 1; 0 before the first
    table: TrickShown | None = None  # the cards on the table
    last: TrickShown | None = None  # the trick before
    turn: int | None = None  # the seat that plays next
    # (seat, card) of the cards that go to the taker of the next trick (W11)
    waiting: tuple[tuple[int, str], ...] = ()
    worth: int = 0  # points of those cards
    broken: bool = False  # whether hearts are broken
    scored: bool = False  # whether the deal is over
    played: int = 0  # number of the event, from 1, if the step is a card played; else 0


class Retold(msgspec.Struct, frozen=True):
    """A deal of a match, step by step."""

    number: int
    players: tuple[Player, ...]  # by seat, at the end of the deal
    moments: list[Moment]  # its steps; empty if the match has no deal of that number


CHANCE: Final = (game.Committed, game.Promised, game.Contributed, game.Revealed)
"""Events that a replay leaves out: they belong to the page of the proof."""

AFTER_A_DEAL: Final = (game.LotsDrawn, game.Settled, game.MatchEnded)

STEPS: Final = (
    *(game.PlayStarted, game.Played, game.TrickTaken, game.TrickHeld, game.Claimed),
    *(game.PlayTakenBack, game.MoonShot, game.DealScored, referee.TakenBack),
    *(referee.RevokeClaimed, referee.TricksMixed, referee.RestTaken, referee.Reckoned),
)
"""Events that make a step; a misdeal and two events in `_stops` do so too. Sentences of others go
to the next step, or, from the end of a deal, to the last."""


def retold(
    words: Words,
    log: Sequence[Happening],
    number: int,
    seat: int | None,
    eyes: Eyes,
    verbosity: Verbosity,
) -> Retold:
    """A deal of a match, step by step.

    Args:
        log: the happenings from the `MatchStarted` of the match on.
        seat: the visitor's seat in the match; None without one.
    """
    openly, me = eyes is Eyes.OPEN, seat if eyes is Eyes.OWN else None
    tell = tell_openly if openly else Words.tell
    # In a replay people go back and forth, so the order does not tell whose card it is.
    verbosity = Verbosity.BRIEF if verbosity is Verbosity.TERSE else verbosity
    moments: list[Moment] = []
    lines: Lines = ()
    players: tuple[Player, ...] = ()
    told = _folded(log, lambda e: e if openly else referee.visible(e, me))
    for place, (before, event, after) in enumerate(told, start=1):
        if _deal_of(before, event) != number or isinstance(event, CHANCE):
            continue
        players = after.players
        # Cards passed by others are told when they arrive.
        if not isinstance(event, game.Passed) or event.seat == me:
            view = View(me, before) if before is not None else None
            lines += tell(words, view, event, View(me, after), verbosity)
        if isinstance(event, referee.Misdealt) and before is not None:
            # After a misdeal the cards are gone, so the state before it is shown.
            moments.append(_moment(before, lines))
        elif _stops(event):
            moment = _moment(after, lines)
            played = place if isinstance(event, game.Played) else 0
            moments.append(replace(moment, played=played))
        elif moments and isinstance(event, (*AFTER_A_DEAL, game.KittyTaken)):
            last = moments[-1]
            moment = _moment(after, last.lines + lines)
            moments[-1] = replace(moment, trick=last.trick, played=last.played)
        else:
            continue
        lines = ()
    return Retold(number, players, moments)


def before(log: Sequence[Happening], number: int) -> tuple[MatchState, Event]:
    """The state of the match before an event, all hands open, and the event.

    Args:
        number: of the event, from 1.

    Raises `IndexError` if there is no such event, or no state before it.
    """
    for place, (state, event, _) in enumerate(_folded(log, lambda event: event), start=1):
        if place == number and state is not None:
            return state, event
    raise IndexError(number)


def _folded(
    log: Sequence[Happening], see: Callable[[Event], Event]
) -> Iterator[tuple[MatchState | None, Event, MatchState]]:
    """Every event of the match, as `see` leaves it, with the states before and after it."""
    state: MatchState | None = None
    for happening in log:
        if isinstance(happening, TableEvent):
            state = _renamed(state, happening) if state is not None else None
            continue
        event = see(happening)
        before, state = state, referee.evolve(state, event)
        yield before, event, state


def _renamed(state: MatchState, happening: TableEvent) -> MatchState:
    """The state with the name of a player who sits down in the middle of the match."""
    match happening:
        case hap.Sat(seat=seat, name=name):
            player = Player(name, person=True)
        case hap.BotSat(seat=seat, name=name, level=level):
            player = Player(name, level=level)
        case _:
            return state
    return replace(state, players=put(state.players, seat, player))


def _deal_of(before: MatchState | None, event: Event) -> int:
    """The number of the deal that an event belongs to."""
    scored = len(before.deals) if before is not None else 0
    return scored if isinstance(event, AFTER_A_DEAL) else scored + 1


def _stops(event: Event) -> bool:
    if isinstance(event, game.Dealt):
        return event.direction is not Direction.HOLD  # without a pass, play has started already
    if isinstance(event, referee.Objected):
        return not event.clause  # otherwise the card is taken back next
    return isinstance(event, STEPS)


def _moment(state: MatchState, lines: Lines) -> Moment:
    deal = state.deal
    assert deal is not None
    over = isinstance(deal, RefereedDeal) and deal.reckoned is not None
    goes_on = state.phase is Phase.PLAYING and not over
    full = len(deal.trick) == deal.rules.players
    return Moment(
        lines=lines,
        hands=tuple(_texts(spoken_order(cards_in(hand))) for hand in deal.hands),
        held=deal.hand_sizes(),
        taken=tuple(deal.rules.points_in(deal.captured(seat)) for seat in range(len(deal.hands))),
        trick=len(deal.tricks) + bool(deal.trick),
        table=_table(deal),
        last=_last(deal),
        waiting=tuple((seat, card.text) for seat, card in waiting(deal)),
        worth=deal.rules.points_in(deal.held),
        turn=deal.turn if goes_on and not full and any(deal.hand_sizes()) else None,
        broken=deal.broken,
        scored=len(state.deals) == deal.number,
    )


def _table(deal: DealState) -> TrickShown | None:
    if not deal.trick:
        return None
    if not isinstance(deal, RefereedDeal):
        return TrickShown(deal.leader, _texts(deal.trick), cancelled=_cancelled(deal.trick))
    cards = [each.card for each in deal.laid]
    return TrickShown(
        deal.leader,
        _texts(cards),
        tuple(each.seat for each in deal.laid),
        tuple(each.seat for each in deal.laid if each.early),
        _cancelled(cards),
    )


def _last(deal: DealState) -> TrickShown | None:
    if not deal.tricks:
        return None
    trick = deal.tricks[-1]
    cards, gone = _texts(trick.cards), _cancelled(trick.cards)
    return TrickShown(trick.leader, cards, cancelled=gone, nobody=trick.winner is None)


def _cancelled(cards: Sequence[Card]) -> tuple[str, ...]:
    return _texts(sorted(cancelled(cards)))


def _texts(cards: Sequence[Card]) -> tuple[str, ...]:
    return tuple(card.text for card in cards)
