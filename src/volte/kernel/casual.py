"""`volte.bots.casual` in compiled code: from the same view the same choice."""

from __future__ import annotations

import numpy as np

from volte.kernel.bits import U, count, lowest
from volte.kernel.compiler import inlined
from volte.kernel.layout import Record


@inlined
def casual_pass(rules: Record, deal: Record, seat: int, weights: Record) -> None:
    given = deal.given[seat]
    while np.int64(count(given)) < rules.pass_count:
        given |= lowest(deal.hands[seat] & ~given)
    deal.given[seat] = given


@inlined
def casual_card(rules: Record, deal: Record, legal: U, weights: Record) -> U:
    return lowest(legal)
