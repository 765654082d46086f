"""What is known of the next deal while one is over: who deals it, and where cards will go."""

from __future__ import annotations

from typing import Final

from volte.rules import Direction
from volte.say.language import N_
from volte.say.telling import Telling
from volte.say.words import Words
from volte.view import View

PASSED: Final = {
    Direction.LEFT: N_("Cards are passed to the left."),
    Direction.RIGHT: N_("Cards are passed to the right."),
    Direction.SECOND_LEFT: N_("Cards are passed to the second on the left."),
    Direction.SECOND_RIGHT: N_("Cards are passed to the second on the right."),
    Direction.ACROSS: N_("Cards are passed across."),
    Direction.SCATTER: N_("Everybody gives one card to each of the others."),
    Direction.HOLD: N_("No card is passed."),
}


def next_deal(words: Words, view: View) -> str:
    """Who deals next (D2), and where cards are passed, if this table ever passes any (P2, P3)."""
    telling = Telling(words, view)
    state = view.state
    deals = telling.by(state.dealer, N_("You deal next."), N_("{player} deals next."))
    if not state.rules.passing.count:
        return deals
    return f"{deals} {words.t(PASSED[state.rules.direction(len(state.deals) + 1)])}"
