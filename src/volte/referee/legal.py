"""Who is to act, and what carries the deal forward: at a refereed table, for who plays honestly."""

from __future__ import annotations

from volte import game
from volte.game import ChooseMoon, MatchState, Phase
from volte.referee.actions import Accept, Cut, SeatAction, TurnDown
from volte.referee.events import Reckoned
from volte.referee.state import RefereedMatch


def to_act(state: MatchState) -> tuple[int, ...]:
    """The seats that are waited for; empty when the house has to act, or nobody any more.

    At a refereed table any seat may act besides: play out of turn, object, claim a revoke.
    """
    if not isinstance(state, RefereedMatch) or state.phase is not Phase.PLAYING:
        return game.to_act(state)
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
    """Whether a moon has just been reckoned that its shooter is still to choose for (W7).

    Args:
        before: the match before the event.
    """
    return before.shooter is None and game.asked_shooter(before.rules, event.score) is not None


def legal_actions(state: MatchState, seat: int) -> tuple[SeatAction, ...]:
    """Every lawful play or pass that is open to the seat now, or what else it is waited for."""
    if not isinstance(state, RefereedMatch) or state.phase is not Phase.PLAYING:
        return game.legal_actions(state, seat)
    if seat not in to_act(state):
        return ()
    if state.shooter is not None:
        return (ChooseMoon(seat, minus=False), ChooseMoon(seat, minus=True))
    if state.reckoned is not None:
        return (Accept(seat) if state.last else Cut(seat),)
    return (TurnDown(seat),) if state.lying.full else game.legal_actions(state, seat)
