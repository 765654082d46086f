"""Whether what somebody does comes too late: what they have seen is there no more."""

from __future__ import annotations

from volte import game, referee
from volte.game import Phase, Refusal
from volte.referee import RefereedMatch
from volte.table import commands as cmd
from volte.table.state import TableState


def too_late(state: TableState, command: cmd.Act | cmd.Next, seen: int) -> Refusal | None:
    """Why the command is not even judged, if what the seats are asked to do is something else now.

    At a refereed table people act at the same time: what others do matters only to acts that it
    makes mean something else.

    Args:
        seen: number of the last happening that the person had before them.
    """
    action = command.action if isinstance(command, cmd.Act) else None
    if isinstance(action, referee.ClaimRevoke) and isinstance(state.match, RefereedMatch):
        # it names a trick, be it gathered long ago; but not one of a deal that is over
        return Refusal("too_late_to_claim", "I6") if seen < state.play_began else None
    return Refusal("stale") if seen < _since(state, action) else None


def _since(state: TableState, action: referee.SeatAction | None) -> int:
    """Number of the happening since when it means what it means now."""
    match = state.match
    if not isinstance(match, RefereedMatch) or match.phase is not Phase.PLAYING:
        return state.moved
    deal = match.lying
    match action:
        case referee.Object(against=seat) | referee.TakeBack(seat=seat) if seat < len(state.laid):
            return state.laid[seat]  # that very card
        case game.Play() if match.reckoned is None and not deal.full:
            return state.laid[deal.leader] if deal.laid else max(state.laid)  # that very trick
    return state.moved
