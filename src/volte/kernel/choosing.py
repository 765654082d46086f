"""What compiled policies would do, in many positions at once."""

from __future__ import annotations

from numba import from_dtype, types

from volte.kernel.bits import NONE, U
from volte.kernel.casual import casual_card, casual_pass, scratch
from volte.kernel.choose import random_card, random_pass
from volte.kernel.compiler import compiled, hold, inlined
from volte.kernel.layout import DEAL, PASSING, PLAYING, RANDOM, RULES, SEAT, Record, Records
from volte.kernel.play import legal_cards

_RULES = types.Array(from_dtype(RULES), 1, "C", readonly=True)
_SEATS = types.Array(from_dtype(SEAT), 1, "C")
_DEALS = types.Array(from_dtype(DEAL), 1, "C")


@inlined
def choice(rules: Record, seats: Records, deal: Record, mind: Record) -> U:
    """Mask of what the seat on turn passes or plays; 0 where it has nothing to do."""
    player = seats[deal.turn]
    if deal.phase == PASSING and deal.step:
        if player.policy == RANDOM:
            random_pass(rules, deal, deal.turn)
        else:
            casual_pass(rules, deal, deal.turn, player, mind)
        return deal.given[deal.turn]  # type: ignore[no-any-return]
    if deal.phase == PLAYING:
        legal = legal_cards(rules, deal)
        if player.policy == RANDOM:
            return random_card(deal, legal)
        return casual_card(rules, deal, legal, player, mind)
    return NONE


@compiled(types.void(_RULES, _SEATS, _DEALS, types.uint64[::1]))
def choose(table: Records, seats: Records, deals: Records, chosen: Record) -> None:
    """One choice for each deal; passes are written into the deals."""
    rules = table[0]
    minds = scratch()
    mind = minds[0]
    for row in range(len(deals)):
        chosen[row] = choice(rules, seats, deals[row], mind)
    hold(minds)
