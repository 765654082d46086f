"""A match that is over, told again: how each deal lay after every step, and what was said."""

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
    """With whose eyes a match is looked at again."""

    OPEN = "open"  # every card
    OWN = "own"  # what that person could see while it was played


class TrickShown(msgspec.Struct, frozen=True, omit_defaults=True):
    """Cards on the table."""

    leader: int
    cards: tuple[str, ...]  # as texts in the order played, from the leader on
    seats: tuple[int, ...] = ()  # whose they are, where that is not one seat after the other
    early: tuple[int, ...] = ()  # the seats whose cards lie there out of turn
    cancelled: tuple[str, ...] = ()  # the cards that their equals cancel (W11)
    nobody: bool = False  # whether nobody took them


class Moment(msgspec.Struct, frozen=True, omit_defaults=True):
    """A deal after one step."""

    lines: Lines  # what is said of the step
    hands: tuple[tuple[str, ...], ...]  # per seat, its cards as texts; empty where they are hidden
    held: tuple[int, ...]  # per seat, how many cards it holds, hidden or not
    taken: tuple[int, ...]  # per seat, the points taken in this deal so far
    trick: int = 0  # the number of the trick that it belongs to; 0 before the first
    table: TrickShown | None = None  # the cards that lie there
    last: TrickShown | None = None  # the trick before
    turn: int | None = None  # who plays next
    # the cards that wait for whoever takes the next trick (W11), and whose they were
    waiting: tuple[tuple[int, str], ...] = ()
    worth: int = 0  # what those count
    broken: bool = False  # whether hearts are
    scored: bool = False  # whether the deal is over
    played: int = 0  # the number of the event, from 1, where the step is a card that was played


class Retold(msgspec.Struct, frozen=True):
    """A deal of a match."""

    number: int
    players: tuple[Player, ...]  # who sat there when it ended
    moments: list[Moment]  # its steps; none where the match has no deal of that number


CHANCE: Final = (game.Committed, game.Promised, game.Contributed, game.Revealed)
"""Events for the page of the proof alone."""

AFTER_A_DEAL: Final = (game.LotsDrawn, game.Settled, game.MatchEnded)

STEPS: Final = (
    *(game.PlayStarted, game.Played, game.TrickTaken, game.TrickHeld, game.Claimed),
    *(game.PlayTakenBack, game.MoonShot, game.DealScored, referee.TakenBack),
    *(referee.RevokeClaimed, referee.TricksMixed, referee.RestTaken, referee.Reckoned),
)
"""After each of these there is a moment; what is said of other events comes with the next one."""


def retold(
    words: Words,
    log: Sequence[Happening],
    number: int,
    seat: int | None,
    eyes: Eyes,
    verbosity: Verbosity,
) -> Retold:
    """One deal of a match, step by step.

    Args:
        log: from the `MatchStarted` of the match on.
        seat: of whoever looks; None for somebody who had none.
    """
    openly, me = eyes is Eyes.OPEN, seat if eyes is Eyes.OWN else None
    tell = tell_openly if openly else Words.tell
    # In a replay one goes back and forth, so the order does not say whose a card is.
    verbosity = Verbosity.BRIEF if verbosity is Verbosity.TERSE else verbosity
    moments: list[Moment] = []
    lines: Lines = ()
    players: tuple[Player, ...] = ()
    told = _folded(log, lambda e: e if openly else referee.visible(e, me))
    for place, (before, event, after) in enumerate(told, start=1):
        if _deal_of(before, event) != number or isinstance(event, CHANCE):
            continue
        players = after.players
        # What others pass is told when it arrives.
        if not isinstance(event, game.Passed) or event.seat == me:
            view = View(me, before) if before is not None else None
            lines += tell(words, view, event, View(me, after), verbosity)
        if isinstance(event, referee.Misdealt) and before is not None:
            # The cards are gone after it.
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
    """The match before an event, all hands open, and the event; its number counts from 1.

    Raises `IndexError` where there is none, or none before it.
    """
    for place, (state, event, _) in enumerate(_folded(log, lambda event: event), start=1):
        if place == number and state is not None:
            return state, event
    raise IndexError(number)


def _folded(
    log: Sequence[Happening], see: Callable[[Event], Event]
) -> Iterator[tuple[MatchState | None, Event, MatchState]]:
    """Every event of the match as it is seen, with the states around it."""
    state: MatchState | None = None
    for happening in log:
        if isinstance(happening, TableEvent):
            state = _renamed(state, happening) if state is not None else None
            continue
        event = see(happening)
        before, state = state, referee.evolve(state, event)
        yield before, event, state


def _renamed(state: MatchState, happening: TableEvent) -> MatchState:
    """Whoever sits down in the middle of a match is called by their own name from then on."""
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
