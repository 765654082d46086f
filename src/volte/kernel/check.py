"""Arguments are checked here, before compiled code sees them.

Compiled code trusts what it is given. So whatever could make it loop, read or write outside of its
rows, or give points that do not add up (S6) is refused, and so is a position that contradicts
itself. What is merely unlikely may pass: whether play could have led to a position is not checked.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from volte.kernel.encoding import KernelFault, Policy, encode
from volte.kernel.layout import CASUAL, DEAL, RANDOM, SEAT, Records
from volte.kernel.startup import code
from volte.rules import Ruleset

WEIGHTS: Final = frozenset(SEAT.names or ()) - {"policy"}

MOST_WEIGHT: Final = 2**13
"""The largest weight of `casual`: its sums stay far from the end of a word."""


def check_rules(rules: Ruleset) -> Records:
    """The encoded ruleset. Raises `KernelFault` for anything else."""
    if not isinstance(rules, Ruleset):
        raise KernelFault("kernel_type", name="rules", type=type(rules).__name__)
    return encode(rules)


def check_policies(rules: Ruleset, policies: Sequence[Policy]) -> None:
    """Raises `KernelFault` unless there is a policy that compiled code knows for each seat, or none
    at all."""
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
        raise KernelFault("kernel_deals", type=_kind_of(deals))
    rows = np.array(deals, DEAL, order="C", subok=False)
    verdict = np.zeros(1, np.int64)
    row = code("judging.first_unlawful")(table, rows, verdict)
    if row >= 0:
        raise KernelFault(FAULTS[int(verdict[0])].reason, row=int(row))
    return rows


def _kind_of(value: object) -> str:
    """Element type and dimensions of an array, or the type of anything else."""
    if not isinstance(value, np.ndarray):
        return type(value).__name__
    kind = "records" if value.dtype.names else str(value.dtype)
    return f"ndarray[{kind}, {value.ndim}d]"


# What can be wrong with a row of `DEAL`, in the order in which `judging` looks for it
LAWFUL, PHASE, DEALER, NUMBER, STEP, PLAYED, TURN, HANDS, TRICK = range(9)
TAKEN, KITTY, CARDS, OPENING, LEADER, BROKEN, VOIDED, EXCLUDED, GIVEN = range(9, 18)

FAULTS: Final = {
    PHASE: KernelFault("kernel_phase", row=0),
    DEALER: KernelFault("kernel_dealer", row=0),
    NUMBER: KernelFault("kernel_number", row=0),
    STEP: KernelFault("kernel_step", row=0),
    PLAYED: KernelFault("kernel_played", row=0),
    TURN: KernelFault("kernel_turn", row=0),
    HANDS: KernelFault("kernel_hands", row=0),
    TRICK: KernelFault("kernel_trick", row=0),
    TAKEN: KernelFault("kernel_taken", row=0),
    KITTY: KernelFault("kernel_kitty", row=0),
    CARDS: KernelFault("kernel_cards", row=0),
    OPENING: KernelFault("kernel_opening", row=0),
    LEADER: KernelFault("kernel_leader", row=0),
    BROKEN: KernelFault("kernel_broken", row=0),
    VOIDED: KernelFault("kernel_voided", row=0),
    EXCLUDED: KernelFault("kernel_excluded", row=0),
    GIVEN: KernelFault("kernel_given", row=0),
}
"""The fault for each, but for the number of its row."""
