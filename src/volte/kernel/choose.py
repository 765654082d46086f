"""The compiled policies: what a seat passes and plays."""

from __future__ import annotations

import numpy as np

from volte.kernel.bits import U, below, count, nth
from volte.kernel.compiler import inlined
from volte.kernel.layout import Record
from volte.kernel.play import give, pass_size


@inlined
def random_card(deal: Record, mask: U) -> U:
    """A card of the mask, each equally likely, by the deal's generator."""
    chance, n = below(deal.chance, count(mask))
    deal.chance = chance
    return nth(mask, n)


@inlined
def random_pass(rules: Record, deal: Record, seat: int) -> None:
    """A pass, each equally likely: card by card from what is left of the hand."""
    while np.int64(count(deal.given[seat])) < pass_size(rules, deal):
        give(rules, deal, seat, random_card(deal, deal.hands[seat] & ~deal.given[seat]))
