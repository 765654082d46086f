"""What the cards of a deal are worth, apart from how they are played: its luck.

With all hands known, the deal is played out many times by the same company for every seat.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

import msgspec
import numpy as np

from volte.bots.casual import hint
from volte.bots.learned import PLAYS, learned
from volte.bots.search import company
from volte.fair import split
from volte.game import DealState, Play
from volte.kernel import KernelFault, position
from volte.kernel.encoding import encode
from volte.kernel.startup import code
from volte.referee import RefereedDeal
from volte.view import View

PLAYED_OUT: Final = 400
"""How often a deal is, to tell what its cards are worth."""


class Parts(msgspec.Struct, frozen=True):
    """What the points of a seat are made of: the share, luck and play come to them together.

    Attributes:
        points: that it had.
        share: what a hand at that table was worth on average.
        luck: by how much its cards were worse than that.
        play: what it had beyond the worth of its cards, by what it did and the others did.
    """

    points: float
    share: float
    luck: float
    play: float

    @property
    def cards(self) -> float:
        """What its cards were worth."""
        return self.share + self.luck


class DealTold(msgspec.Struct, frozen=True):
    """A deal that has been played.

    Attributes:
        points: by seat.
        totals: by seat, with these.
        cards: by seat, what its cards would have come to, had everybody played alike; None where
            it cannot be told.
    """

    number: int
    points: tuple[int, ...]
    totals: tuple[int, ...]
    cards: tuple[float, ...] | None

    def parts(self, seat: int) -> Parts | None:
        """What the points of a seat are made of; None where nobody can tell."""
        if self.cards is None:
            return None
        share, cards = float(np.mean(self.cards)), self.cards[seat]
        return Parts(self.points[seat], share, cards - share, self.points[seat] - cards)


def together(deals: Iterable[DealTold], seat: int) -> Parts | None:
    """What the points of a seat are made of, of all deals where that can be told."""
    told = [parts for deal in deals if (parts := deal.parts(seat)) is not None]
    if not told:
        return None
    return Parts(
        sum(each.points for each in told),
        sum(each.share for each in told),
        sum(each.luck for each in told),
        sum(each.play for each in told),
    )


def worth_of_cards(deal: DealState, leader: View) -> tuple[float, ...] | None:
    """What every seat has in the end on average, if all play alike from the first card on.

    Args:
        deal: with all hands, before the first card.
        leader: what whoever leads to it knows.

    None where compiled code cannot play it, and where cards are missing from the hands (I8).
    """
    if isinstance(deal, RefereedDeal) and deal.short:
        return None
    try:
        rules = encode(deal.rules)
    except KernelFault:
        return None
    players = deal.rules.players
    row = position(deal)
    worlds = np.array([[*deal.hands, deal.kitty]] * PLAYED_OUT, np.uint64)
    first = hint(leader).action
    assert isinstance(first, Play)
    points = np.empty((PLAYED_OUT, 1, players))
    code("playouts.play_out")(
        rules,
        company(players),
        learned(PLAYS),
        row,
        worlds,
        np.array([first.card.bit], np.uint64),
        np.uint64(split(deal.number, players)),
        0,
        points,
    )
    return tuple(float(mean) for mean in points[:, 0].mean(axis=0))
