"""The engine that runs every match, refereed or not: turns, lawful actions and secrecy."""

from __future__ import annotations

from typing import Final, cast, get_args

from volte import game
from volte.game import ChooseMoon, Engine, MatchState, Phase
from volte.game.legal import legal_actions as lawful_actions
from volte.game.legal import to_act as lawful_to_act
from volte.game.visible import visible as lawfully_visible
from volte.referee.actions import Accept, Cut, SeatAction, TurnDown
from volte.referee.decide import decide
from volte.referee.events import Event, Reckoned, RefereedEvent
from volte.referee.evolve import evolve
from volte.referee.state import RefereedMatch


def visible(event: Event, seat: int | None) -> Event:
    """Return the event as the seat may see it; None is the public, which holds no cards.

    Events of the referee are open to all.
    """
    return event if type(event) in _OPEN else lawfully_visible(cast("game.Event", event), seat)


_OPEN: Final = frozenset(get_args(RefereedEvent))


def to_act(state: MatchState) -> tuple[int, ...]:
    """Seats that have to act; empty when the house has to, or when the match is over.

    At a refereed table any other seat may act too: play out of turn, object, claim a revoke.
    """
    if not isinstance(state, RefereedMatch) or state.phase is not Phase.PLAYING:
        return lawful_to_act(state)
    if state.reckoned is None:
        deal = state.lying
        return (deal.turner,) if deal.full else (deal.turn,)
    if state.shooter is not None:
        return (state.shooter,)
    if not state.last:
        return (state.cutter,)
    seats = range(len(state.players))
    return tuple(seat for seat in seats if not state.accepted >> seat & 1)


def choice_follows(before: MatchState, event: Reckoned) -> bool:
    """Whether the shooter of a moon just reckoned has yet to choose how it counts (W7).

    Args:
        before: the match before the event.
    """
    return before.shooter is None and game.asked_shooter(before.rules, event.score) is not None


def legal_actions(state: MatchState, seat: int) -> tuple[SeatAction, ...]:
    """Every lawful play or pass open to the seat now, or the other action that it has to take."""
    if not isinstance(state, RefereedMatch) or state.phase is not Phase.PLAYING:
        return lawful_actions(state, seat)
    if seat not in to_act(state):
        return ()
    if state.shooter is not None:
        return (ChooseMoon(seat, minus=False), ChooseMoon(seat, minus=True))
    if state.reckoned is not None:
        return (Accept(seat) if state.last else Cut(seat),)
    return (TurnDown(seat),) if state.lying.full else lawful_actions(state, seat)


ENGINE: Final = Engine(decide, evolve, visible, to_act)
