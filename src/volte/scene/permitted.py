"""Actions and commands that a person may give at a table now, by name."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from volte import game
from volte.cards import CardSet
from volte.game import MatchState, Phase, Refusal
from volte.referee import RefereedDeal, RefereedMatch, TakeBack, to_act
from volte.referee import decide as referee_decide
from volte.table import Someone, TableState, decide
from volte.table import commands as cmd
from volte.table.happenings import SeatWanted
from volte.table.setup import LEAST_CLOCK
from volte.view import View, settled


def actions(match: MatchState, view: View, seat: int) -> Iterator[str]:
    """The actions of the seat in a match whose cards are out."""
    if match.phase is Phase.PASSING:
        yield "Pass" if seat in game.to_act(match) else "TakeBackPass"
        return
    if seat == match.shooter:
        yield "ChooseMoon"
    if match.phase is Phase.CHOOSING:
        return
    if isinstance(match, RefereedMatch):
        yield from refereed_actions(view, match, seat)
        return
    if seat in game.to_act(match):
        yield "Play"
    if settled(view):
        yield "Claim"
    if not isinstance(game.decide(match, game.AskUndo(seat)), Refusal):
        yield "AskUndo"
    if seat in game.still_to_consent(match):
        yield "AnswerUndo"


# Refereed tables, where almost no action is refused (I1–I9)


def playable(view: View) -> CardSet:
    """The cards that the seat can lay on the table now, in turn or out of turn.

    Any card of its hand while it has none there; after taking a card back, only legal ones.
    """
    deal, seat = view.deal, view.seat
    assert isinstance(deal, RefereedDeal)
    if seat is None or deal.reckoned is not None:
        return CardSet()
    if deal.full:  # the next lead turns the trick down
        return view.hand if deal.turner == seat else CardSet()
    if deal.lies(seat) is not None:
        return CardSet()
    return view.legal if deal.bound >> seat & 1 else view.hand


def refereed_actions(view: View, match: RefereedMatch, seat: int) -> Iterator[str]:
    """The actions of the seat at a refereed table, during the tricks of a deal and after them."""
    deal = match.lying
    if match.reckoned is None:
        if deal.full and deal.turner == seat:
            yield "TurnDown"
        if playable(view):
            yield "Play" if seat in to_act(match) else "PlayEarly"
        if not isinstance(referee_decide(match, TakeBack(seat)), Refusal):
            yield "TakeBack"
        if any(each.seat != seat for each in deal.laid):
            yield "Object"
    elif match.shooter is None and seat in to_act(match):
        yield "Accept" if match.last else "Cut"
    if deal.tricks:
        yield "ClaimRevoke"


# Commands to the table


def open_seats(state: TableState, who: Someone) -> Iterator[int]:
    """The seats that somebody without a seat may take, or ask for."""
    return (place for place in range(len(state.seats)) if _may(state, who, cmd.Sit(place)))


def seats_to_ask(state: TableState, who: Someone, open_now: tuple[int, ...]) -> Iterator[int]:
    """The open seats that somebody does not get at once, but has to ask or wait for."""
    for place in open_now:
        outcome = decide(state, who, cmd.Sit(place), state.version)
        if not isinstance(outcome, Refusal) and isinstance(outcome[0], SeatWanted):
            yield place


def commands(
    state: TableState, who: Someone, seat: int | None, open_now: tuple[int, ...], person_cuts: bool
) -> Iterator[str]:
    """The commands that would not be refused.

    Args:
        open_now: the `open_seats`, for somebody without a seat.
        person_cuts: whether the next deal waits for a person's cut, and for nothing else.
    """
    for command in _candidates(state, who, seat, open_now, person_cuts):
        if _may(state, who, command):
            yield type(command).__name__


def _may(state: TableState, who: Someone, command: cmd.Command) -> bool:
    return not isinstance(decide(state, who, command, state.version), Refusal)


def _candidates(
    state: TableState, who: Someone, seat: int | None, open_now: tuple[int, ...], person_cuts: bool
) -> Iterator[cmd.Command]:
    """Commands to try, one of each kind that may be allowed."""
    seats = range(len(state.seats))
    if seat is None:
        yield from map(cmd.Sit, open_now[:1])
        yield cmd.Stand()
    else:
        yield from (cmd.Stand(), cmd.Away(), cmd.Back())
        if seat not in state.ready and not person_cuts:
            yield cmd.Next()
        yield from (cmd.Anew(), cmd.Start(), cmd.DealAgain())
        if state.seats[seat].stand_in is None:
            yield cmd.MoreTime()
        if state.setup.clock and state.setup.clock < LEAST_CLOCK:
            yield cmd.AcceptClock(not state.seats[seat].accepts_clock)
    yield from (cmd.Pause(), cmd.Unpause())
    if who.id == state.host:
        if seat is None:
            yield from (cmd.Start(), cmd.DealAgain())
        yield from (cmd.Swap(0, 1), cmd.Change(state.setup), cmd.Close())
        yield cmd.Invite()
        for place, sitting in enumerate(state.seats):
            if sitting.asker:
                yield cmd.AnswerSeat(place, sitting.asker, allow=True)
        for kind in (cmd.Remove, cmd.Replace, cmd.HandOver):
            yield from _first_allowed(state, who, map(kind, seats))
        yield from _first_allowed(state, who, (cmd.SeatBot(place, "casual") for place in seats))


def _first_allowed(
    state: TableState, who: Someone, commands: Iterator[cmd.Command]
) -> Iterator[cmd.Command]:
    """The first of the commands that is not refused, if any."""
    return islice((command for command in commands if _may(state, who, command)), 1)


# Hints


def no_hint(state: TableState, view: View | None) -> str:
    """The reason why no hint is given now; empty if one may be asked for."""
    if not state.setup.hints:
        return "no_hints"
    on_turn = view is not None and view.my_turn and state.under_way and not state.paused
    return "" if on_turn else "no_hint_now"
