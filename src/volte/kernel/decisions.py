"""What compiled policies would do: NumPy in, NumPy out."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from volte.kernel.check import check_deals, check_policies
from volte.kernel.layout import Records
from volte.kernel.policy import RANDOM_POLICY, Policy, seated
from volte.kernel.startup import code
from volte.kernel.table import encode
from volte.rules import Ruleset


def choices(rules: Ruleset, deals: Records, policies: Sequence[Policy] = ()) -> NDArray[np.uint64]:
    """What the seat on turn would do in each of those positions.

    Args:
        deals: rows of `DEAL`, which are left as they are. `volte.kernel.position` makes them.
        policies: one per seat; without, everybody plays at random.

    Returns `uint64[len(deals)]`: mask of the card to play, or of all the cards to pass, those that
    are picked already among them; 0 where there is nothing to do. Raises `KernelFault` where a
    position breaks the rules.
    """
    check_policies(rules, policies)
    rows = check_deals(rules, deals)
    chosen = np.zeros(len(rows), np.uint64)
    seats = seated(policies or [RANDOM_POLICY] * rules.players)
    code("choosing").choose(encode(rules), seats, rows, chosen)
    return chosen
