"""The door: what does not fit is refused here, by name, before compiled code sees it.

Compiled code trusts what it is given. So whatever could make it loop, read or write outside of its
rows, or give points that do not add up (S6) is refused, and with it whatever a position says twice
and not alike. What is merely unlikely may pass: nobody asks whether play could have come to where
the cards lie.
"""

from __future__ import annotations

from collections.abc import Sequence
from operator import index
from typing import Final

import numpy as np

from volte.kernel.layout import CASUAL, DEAL, RANDOM, SEAT, Records
from volte.kernel.policy import Policy
from volte.kernel.startup import code
from volte.kernel.table import KernelFault, encode
from volte.kernel.verdict import fault
from volte.rules import Ruleset

WEIGHTS: Final = frozenset(SEAT.names or ()) - {"policy"}

MOST_WEIGHT: Final = 2**13
"""Of `casual`, up to which its sums stay far from the end of a word."""


def check_rules(rules: Ruleset) -> Records:
    """The encoded ruleset. Raises `KernelFault` for anything else."""
    if not isinstance(rules, Ruleset):
        raise KernelFault("kernel_type", name="rules", type=type(rules).__name__)
    return encode(rules)


def check_range(name: str, value: int, least: int, most: int) -> int:
    """The number as Python's own, of whatever kind of whole number it was."""
    try:
        number = index(value)
    except TypeError:
        raise KernelFault("kernel_type", name=name, type=type(value).__name__) from None
    if not least <= number <= most:
        raise KernelFault("kernel_range", name=name, value=number, least=least, most=most)
    return number


def check_policies(rules: Ruleset, policies: Sequence[Policy]) -> None:
    """One policy for each seat, or none at all, that compiled code knows."""
    check_rules(rules)
    if not isinstance(policies, list | tuple):
        raise KernelFault("kernel_type", name="policies", type=type(policies).__name__)
    if policies and len(policies) != rules.players:
        raise KernelFault("kernel_policies", given=len(policies), players=rules.players)
    for seat, policy in enumerate(policies):
        if not _is_known(policy):
            raise KernelFault("kernel_policy", seat=seat + 1)


def _is_known(policy: Policy) -> bool:
    if not isinstance(policy, Policy) or policy.code not in (RANDOM, CASUAL):
        return False
    return all(
        name in WEIGHTS and type(weight) is int and abs(weight) <= MOST_WEIGHT
        for name, weight in policy.weights
    )


def check_deals(rules: Ruleset, deals: Records) -> Records:
    """A copy of the rows, each of them a position of this ruleset.

    The cards of the deck lie in hands of the right size, the trick, the tricks taken and the kitty;
    all that follows from them does; `excluded` spares the cards that a seat holds; and what `given`
    names has gone where it should. Raises `KernelFault` for the first row that is none.
    """
    table = check_rules(rules)
    if not isinstance(deals, np.ndarray) or deals.dtype != DEAL or deals.ndim != 1:
        raise KernelFault("kernel_deals", type=_told(deals))
    rows = np.array(deals, DEAL, order="C", subok=False)
    verdict = np.zeros(1, np.int64)
    row = code("judging").first_unlawful(table, rows, verdict)
    if row >= 0:
        raise fault(int(verdict[0]), int(row))
    return rows


def _told(value: object) -> str:
    """What an array is, or that it is none."""
    if not isinstance(value, np.ndarray):
        return type(value).__name__
    kind = "records" if value.dtype.names else str(value.dtype)
    return f"ndarray[{kind}, {value.ndim}d]"
