"""What can be wrong with a row of `DEAL`, in the order in which it is looked for."""

from __future__ import annotations

from typing import Final

from volte.kernel.table import KernelFault

LAWFUL: Final = 0
PHASE: Final = 1
DEALER: Final = 2
NUMBER: Final = 3
STEP: Final = 4
PLAYED: Final = 5
TURN: Final = 6
HANDS: Final = 7
TRICK: Final = 8
TAKEN: Final = 9
KITTY: Final = 10
CARDS: Final = 11
OPENING: Final = 12
LEADER: Final = 13
BROKEN: Final = 14
VOIDED: Final = 15
EXCLUDED: Final = 16
GIVEN: Final = 17

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


def fault(verdict: int, row: int) -> KernelFault:
    """What is wrong with that row."""
    return KernelFault(FAULTS[verdict].reason, row=row)
