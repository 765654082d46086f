"""What a bot is: a choice from a view, and nothing more."""

from __future__ import annotations

from typing import Protocol

import msgspec

from volte.game import SeatAction
from volte.view import View


class Clock(msgspec.Struct, frozen=True):
    """What a bot may spend on one choice; None where it may spend what it likes.

    Attributes:
        milliseconds: of thinking.
        simulations: deals played out in the head.
    """

    milliseconds: int | None = None
    simulations: int | None = None


class Bot(Protocol):
    """A player that is a program. It knows what its view tells, and keeps nothing between choices.

    The same bot, made from the same seed, chooses the same from the same view.
    """

    def choose(self, view: View, clock: Clock) -> SeatAction:
        """The pass or the play of the seat whose view it is; only when that seat has to act."""
        ...
