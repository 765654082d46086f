"""What a rated match does not allow, so that it tells who plays better, and nothing else.

Its rules stand, those who began it finish it or leave it, and no host can change that.
"""

from __future__ import annotations

from collections.abc import Collection

from volte import game
from volte.game import Refusal
from volte.table import commands as cmd
from volte.table.commands import Command, Someone
from volte.table.state import TableState


def not_when_rated(state: TableState, who: Someone, command: Command) -> Refusal | None:
    """Why a rated table does not do what any other would; None where it does."""
    if not state.setup.rated:
        return None
    if not state.under_way:
        lacking = isinstance(command, cmd.Start) and not _opponents(state)
        return Refusal("rated_needs_people") if lacking else None
    match command:
        case cmd.Act(action=game.AskUndo()):
            return Refusal("rated_no_undo", "C2")
        case cmd.Sit() if not _began(state, who, command.seat):
            return Refusal("rated_seat")
        case cmd.Remove() | cmd.Replace() if state.seats[command.seat].person not in ("", who.id):
            return Refusal("rated_stays")
        case cmd.Close() if any(seat.person not in ("", who.id) for seat in state.seats):
            return Refusal("rated_goes_on")
    return None


def away_when_rated(state: TableState, command: Command, here: Collection[str]) -> Refusal | None:
    """Why a rated match cannot begin: nobody is rated for one that they do not see begin."""
    if not (state.setup.rated and isinstance(command, cmd.Start)) or state.under_way:
        return None
    people = [seat for seat in state.seats if seat.person]
    away = any(seat.person not in here or seat.stand_in is not None for seat in people)
    return Refusal("rated_away") if away else None


def _opponents(state: TableState) -> bool:
    """Whether people play against each other: there are some on two sides at least."""
    people = [{state.seats[seat].person for seat in side} for side in state.setup.rules.all_sides]
    return sum(bool(side - {""}) for side in people) > 1


def _began(state: TableState, who: Someone, seat: int) -> bool:
    """Whether it is the seat at which that person began the match."""
    return seat < len(state.began) and state.began[seat] == who.id
