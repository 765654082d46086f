"""How long a seat may think, where the table has a clock."""

from __future__ import annotations

from typing import Final

from volte.game import Phase, still_to_consent
from volte.referee import to_act
from volte.table.setup import LEAST_CLOCK
from volte.table.state import TableState

PASS_TIMES: Final = 3
"""How many times as long a pass may take as any other choice: it is several cards."""

MOST_EXTENSIONS: Final = 10
"""How often more time may be had for one choice (WCAG 2.2.1)."""


def choice_due(state: TableState, seat: int) -> bool:
    """Whether the match waits for that seat: for a choice, for an answer, or for the next deal.

    At a refereed table also to turn down, to cut, or to accept.
    """
    match = state.match
    if match is None or not state.under_way:
        return False
    return seat in to_act(match) or seat in still_to_consent(match) or state.between_deals


def seconds_once(state: TableState, seat: int) -> int:
    """What the clock gives that seat for such a choice as is due; 0 without a clock."""
    clock = state.setup.clock
    if clock and not state.seats[seat].accepts_clock:
        clock = max(clock, LEAST_CLOCK)
    passing = state.match is not None and state.match.phase is Phase.PASSING
    return clock * PASS_TIMES if passing else clock


def seconds_for(state: TableState, seat: int) -> int | None:
    """All the time that seat has for the choice before it; None where nothing presses."""
    if not state.setup.clock or not choice_due(state, seat):
        return None
    return seconds_once(state, seat) + state.extra[seat]
