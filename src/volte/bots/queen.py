"""Reasons for keeping the queen of spades, where a void seat might discard her or in a pass.

Most people throw her at the first void, and wonder where a bot does not. What is said follows from
the view; where a search has judged her discard, only if it speaks for the cost that it found.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Final

from volte.bots.grounds import Grounds
from volte.bots.hints import OF_MOON, OFTEN, Other, Reason
from volte.bots.moons import WARY
from volte.bots.odds import ABOVE, BELOW, TWIN, USUAL
from volte.cards import QUEEN, QUEENS, SPADES, SUIT_MASKS, mask_of
from volte.game import Pass, Phase, Play
from volte.rules import MoonRule
from volte.view import View


def queens_to_discard(view: View) -> int:
    """Mask of the queens of spades that count and that a void seat may discard; 0 for others."""
    if view.state.phase is not Phase.PLAYING or view.deal.led is None:
        return 0
    legal = view.legal.mask
    if legal & SUIT_MASKS[view.deal.led]:
        return 0
    return legal & QUEENS & view.deal.rules.penalty_mask


def keeps_queen(view: View, action: Play | Pass) -> bool:
    """Whether the action keeps all queens that count, though one could be passed or discarded."""
    if isinstance(action, Play):
        return bool(queens_to_discard(view)) and not action.card.bit & QUEENS
    queens = view.hand.mask & QUEENS & view.deal.rules.penalty_mask
    return bool(queens) and not mask_of(action.cards) & QUEENS


def discard_of_queen(view: View, action: Play | Pass, others: Sequence[Other]) -> Other | None:
    """Return the discard of the queen among other actions, if the action holds her back."""
    if not keeps_queen(view, action):
        return None
    queens = queens_to_discard(view)
    discards = (
        each for each in others if isinstance(each.action, Play) and each.action.card.bit & queens
    )
    return next(discards, None)


def kept_queen(
    view: View,
    action: Play | Pass,
    told: Collection[Reason] = (),
    discard: Other | None = None,
    wins: bool = True,
    moon: float | None = None,
) -> Reason | None:
    """Return the reason for keeping the queen, if that is what the action does, and if a reason is
    known that is not told yet.

    Args:
        told: reasons for the action, which may say as much.
        discard: her discard beside the action, as a search has judged it.
        wins: whether worth is a part of the win; else it is stakes.
        moon: part of the search's worlds in which the seat takes all after the action.
    """
    if not keeps_queen(view, action):
        return None
    if discard is not None and discard.as_good(wins):
        return None
    if OF_MOON.intersection(told) or (moon or 0) >= OFTEN:
        reason: Reason | None = Reason.QUEEN_WANTED
    elif isinstance(action, Pass):
        guards = view.hand.mask & ~mask_of(action.cards) & SPADES & BELOW[QUEEN.bit]
        reason = Reason.QUEEN_GUARDED if guards.bit_count() >= USUAL.guards else None
    else:
        reason = _reason(HeldBack(view, action.card.bit), discard, wins)
    return None if reason in AS_MUCH and AS_MUCH[reason].intersection(told) else reason


AS_MUCH: Final = {
    Reason.QUEEN_WANTED: frozenset({Reason.KEEP_POINTS, Reason.SPARE_QUEEN}),
    Reason.QUEEN_FEARED: frozenset({Reason.NO_POINT}),
    Reason.QUEEN_GUARDED: frozenset({Reason.GUARD}),
}
"""By reason for holding her back, other reasons that say as much."""


def _reason(back: HeldBack, discard: Other | None, wins: bool) -> Reason | None:
    """Return a reason of a hand that does not want her."""
    if back.takers & back.mates:
        return Reason.QUEEN_MATE
    if back.feared_takes:
        return Reason.QUEEN_FEARED
    if discard is not None and discard.of_match(wins) and not discard.costs:
        return Reason.QUEEN_BEHIND if back.behind else None
    if not back.spades_out[1]:
        return Reason.QUEEN_FREE
    if back.guarded:
        return Reason.QUEEN_GUARDED
    return Reason.QUEEN_LATER if back.later_suit else None


class HeldBack(Grounds):
    """Facts about a discard in place of the queen."""

    @property
    def unseen(self) -> int:
        """Mask of the cards that the seat has not seen."""
        return self.odds.unseen

    @property
    def takers(self) -> set[int]:
        """Seats that may take the trick."""
        assert self.deal.led is not None
        over = ABOVE[self.best] if self.best else SUIT_MASKS[self.deal.led]
        if not self.best or any(self.odds.could(seat) & TWIN[self.best] for seat in self.later):
            return set(range(self.rules.players)) - {self.seat}  # cards may cancel (W11)
        return {self.winner} | {seat for seat in self.later if self.odds.could(seat) & over}

    @property
    def feared_takes(self) -> bool:
        """Whether an opponent that has all the points so far may take the trick."""
        feared = self._against(self.shooter, WARY) and self.rules.moon.moon is not MoonRule.OFF
        return feared and not self.takers.isdisjoint(self.shooter.seats)

    @property
    def behind(self) -> bool:
        """Whether each seat that may take the trick has more points in the match, with those of
        this deal, than some other opponent."""
        points = [self.rules.points_in(taken) for taken in self.deal.taken]
        totals = [a + b for a, b in zip(self.view.state.totals, points, strict=True)]
        least = min(totals[seat] for seat in self._foes)
        return all(totals[seat] > least for seat in self.takers)

    @property
    def guards_below(self) -> int:
        """Mask of the low spades that stay."""
        return self.hand & SPADES & BELOW[QUEEN.bit] & ~self.bit

    @property
    def guarded(self) -> bool:
        """Whether the low spades that stay are as many as any other hand can lead."""
        return self.guards_below.bit_count() >= self.spades_out[1]

    @property
    def later_suit(self) -> int:
        """Mask of the suit of which most cards are out and the hand keeps none, if two are out or
        more; else 0."""
        suits = [suit for suit in SUIT_MASKS if not suit & self.hand & ~self.bit]
        most = max(suits, key=lambda suit: (suit & self.unseen).bit_count(), default=0)
        return most if (most & self.unseen).bit_count() > 1 else 0
