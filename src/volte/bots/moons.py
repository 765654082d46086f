"""Facts about a trick and about moons, as far as the seat that is about to play can see."""

from __future__ import annotations

from collections.abc import Collection
from functools import cached_property
from typing import Final

from msgspec.structs import replace

from volte.bots.casual import Taking
from volte.bots.odds import (
    ABOVE,
    BELOW,
    NOBODY,
    ONE,
    SUIT_OF,
    TWIN,
    USUAL,
    Shooter,
    ascending,
    feared,
    height,
    losers,
    may_shoot,
)
from volte.cards import HEARTS, QUEEN, QUEENS, SPADES, SUIT_MASKS, cards_in, mask_of
from volte.game.claims import tricks_matter
from volte.rules import MoonRule
from volte.view import View

ABOVE_QUEEN: Final = ABOVE[QUEEN.bit]
"""Mask of the spades above the queen, which take her trick if they are played to it."""

THREAT: Final = 240
"""Least share, as in `odds.feared`, at which a moon is the first thing to mention: that of a seat
with about two fifths of all penalty cards and tricks."""

WARY: Final = 85
"""Least share at which a moon may be mentioned: about a quarter of both."""

MOSTLY: Final = ONE * 3 // 4
"""Least chance that counts as likely."""


class MoonGrounds(Taking):
    """Facts about the trick of a card that is about to be played, and about moons."""

    def __init__(self, view: View, bit: int) -> None:
        super().__init__(view, USUAL)
        self.view = view
        self.bit = bit
        self.suit = SUIT_OF[bit]
        self.own = self.values.get(bit, 0)
        self.chance = self.takes(bit)
        self.lower = self.hand & BELOW[bit]

    # The card and its trick

    @property
    def probable(self) -> bool:
        return self.chance * 2 >= ONE

    @property
    def chosen(self) -> bool:
        """Whether some legal card would probably not take the trick."""
        return any(self.takes(card.bit) * 2 < ONE for card in cards_in(self.legal))

    @cached_property
    def safest(self) -> bool:
        """Whether every other card is likelier to take the trick, and this one is unlikely to."""
        return not self.probable and all(
            self.takes(card.bit) > self.chance
            for card in cards_in(self.legal)
            if not self.like(card.bit)
        )

    def like(self, bit: int) -> bool:
        """Whether no card in play lies between that card and this one, so that they are alike."""
        if bit == self.bit:
            return True
        if SUIT_OF[bit] != self.suit or QUEENS & (bit | self.bit):
            return False
        between = ABOVE[bit] & BELOW[self.bit] | BELOW[bit] & ABOVE[self.bit]
        return not between & (self.odds.unseen | mask_of(self.deal.trick))

    @property
    def hidden_cover(self) -> int:
        """Mask of the spades above the queen that the seat has not seen."""
        return self.odds.unseen & ABOVE_QUEEN

    @property
    def out(self) -> int:
        """Mask of the cards of its suit that the seat has not seen."""
        return self.odds.unseen & self.suit

    @property
    def higher(self) -> int:
        """Mask of the unseen cards of its suit that are higher."""
        return self.odds.unseen & ABOVE[self.bit]

    @property
    def beaten(self) -> bool:
        """Whether the card cannot take the trick, even if equal cards cancel (W11)."""
        followed = self.deal.led is not None and self.bit & SUIT_MASKS[self.deal.led]
        rival = self.later and followed and self.odds.unseen & TWIN[self.best]
        return not self.chance and not rival

    @property
    def taker(self) -> int:
        """The seat that is certain to take this trick; -1 where that is open."""
        return self.winner if self.beaten and self.decided else -1

    @property
    def _foes(self) -> list[int]:
        side = self.rules.side(self.seat)
        return [seat for seat in range(self.rules.players) if seat not in side]

    # Moons

    def no_points_beside(self, seats: Collection[int]) -> bool:
        """Whether no other seats have any points, neither above nor below zero (S5)."""
        others = [taken for seat, taken in enumerate(self.deal.taken) if seat not in seats]
        return not any(map(self.rules.points_in, others))

    @cached_property
    def _open(self) -> bool:
        """Whether moons and slams can still come or fail: neither has all it needs already."""
        left = self.odds.unseen | self.hand | self.waiting
        return bool(left & self.rules.moon_mask) or tricks_matter(self.deal)

    # A moon of one's own

    @cached_property
    def shooting(self) -> bool:
        return self._open and super().shooting

    @property
    def _may_shoot(self) -> bool:
        return self._open and may_shoot(self.deal, self.seat)

    @cached_property
    def low(self) -> int:
        """Mask of the hand's cards that are not likely to take their tricks; 0 where no moon is
        possible."""
        if not self._may_shoot:
            return 0
        return sum(losers(self.deal, self.seat, self.odds.unseen))

    @property
    def tries(self) -> bool:
        """Whether most of the hand is likely to take tricks, and this card does or is in the way.

        No other seat has any points yet, nor any below zero.
        """
        if not self._may_shoot or not self.no_points_beside(self.rules.side(self.seat)):
            return False
        strong = self.low.bit_count() * 4 <= self.hand.bit_count()
        on_purpose = self.probable and (self.deal.led is None or self.chosen)
        return strong and (self._rid or (on_purpose and not self.bit & self.low))

    @property
    def keeps_high(self) -> bool:
        """Whether the card is useless for a moon, and half of the hand or more is useful."""
        return self._rid and self.low.bit_count() * 2 <= self.hand.bit_count()

    @property
    def _rid(self) -> bool:
        return bool(self.bit & self.low) and not self.chance and self.own <= 0

    @cached_property
    def hoards(self) -> int:
        """Share of the seat's side towards a moon, as in `odds.feared`; 0 if others have points."""
        if self.rules.moon.moon is MoonRule.OFF or not self._open:
            return 0
        mine = feared(self.deal, self._foes[0])
        return mine.share if self.seat in mine.seats else 0

    @property
    def goes_on(self) -> bool:
        """Whether the seat's side has all the points so far, and takes more on purpose."""
        has_all = self.hoards >= THREAT and self.no_points_beside(self.rules.side(self.seat))
        return has_all and self.probable and self.chosen

    @property
    def sure(self) -> bool:
        """Whether the hand wants every trick, and nobody can beat the card."""
        return self.chance == ONE and self.wants_all

    @cached_property
    def wants_all(self) -> bool:
        """Whether the hand is good for a moon, or on its way to one, and this card does not give it
        up."""
        leads = self.deal.led is None
        if (self.own > 0 and not self.chance) or (leads and not self.probable):
            return False
        good = self._may_shoot and self.low.bit_count() * 3 <= self.hand.bit_count()
        return good or self.hoards >= WARY

    @property
    def makes_way(self) -> bool:
        """Whether it is led for a moon though it may be beaten, and cards stay that cannot be."""
        kept = any(self.takes(bit) == ONE for bit in self._kept)
        return self.wants_all and kept and 0 < self.chance < ONE

    @property
    def runs(self) -> bool:
        """Whether it is led for a moon, and all cards of its suit in the hand will probably take
        tricks."""
        held = self.hand & self.suit
        return self.probable and self.wants_all and held.bit_count() > 1 and not held & self.low

    @property
    def drives(self) -> bool:
        """Whether it is led for a moon to drive out a spade above a queen in hand."""
        hidden = self.higher & ABOVE_QUEEN
        return self.wants_all and bool(
            self.bit & SPADES and not self.bit & QUEENS and self.hand & QUEENS and hidden
        )

    @property
    def clears(self) -> int:
        """Mask of the hidden cards that it draws for a moon: they cannot beat it, but could beat
        others of its suit in the hand."""
        if not self.wants_all or self.chance < ONE:
            return 0
        rest = ascending(self.hand & self.suit & ~self.bit)
        return self.out & ABOVE[rest[0]] if rest else 0

    @property
    def harmless(self) -> bool:
        """Whether it is led for a moon, may be beaten, and then gives no points of its own."""
        return self.wants_all and self.own <= 0 and self.chance < ONE

    @property
    def draws(self) -> bool:
        """Whether it is led for a moon, and others have penalty cards of its suit."""
        return self.wants_all and bool(self.out & self.rules.penalty_mask & HEARTS)

    @property
    def keeps_points(self) -> bool:
        """Whether it is discarded for a moon, where a penalty card could have been."""
        could = self.legal & self.rules.penalty_mask
        return self.wants_all and self.own <= 0 < could

    @property
    def wants_queen(self) -> bool:
        """Whether it is the queen, for a moon, and she will probably take the trick."""
        queens = QUEENS & self.rules.penalty_mask
        return self.wants_all and self.probable and bool(self.bit & queens)

    @property
    def completes(self) -> bool:
        """Whether it takes the last points that are out, and the seat has all others."""
        rules = self.rules
        left = (self.odds.unseen | self.hand & ~self.bit) & rules.penalty_mask
        more = (self.waiting | self.bit) & rules.penalty_mask
        return bool(
            more
            and not left
            and self.chance == ONE
            and may_shoot(self.deal, self.seat)
            and self.hoards
        )

    # A moon of another seat

    @cached_property
    def decided(self) -> bool:
        """Whether the seat that wins so far takes the trick, unless this card does."""
        above = ABOVE[self.best] | TWIN[self.best] if self.best else 0
        if self.winner < 0 or TWIN[self.bit] == self.best:
            return False
        return not any(self.odds.could(seat) & above for seat in self.later)

    @cached_property
    def hoarder(self) -> Shooter:
        """The other shooter, if any, counting a trick that it is certain to take."""
        if self._foiled:
            return NOBODY
        if not (self.dirty and self.decided and not self.chance):
            return self.shooter
        taken, won = list(self.deal.taken), list(self.deal.won)
        taken[self.winner] |= self.waiting
        won[self.winner] += 1
        return feared(replace(self.deal, taken=tuple(taken), won=tuple(won)), self.seat)

    @property
    def _foiled(self) -> bool:
        """Whether the shooter's moon ends with this trick, whatever is played: another seat takes
        it, and with it points (or where only the slam counts, any trick)."""
        ends = self.dirty or self.rules.moon.moon is MoonRule.OFF
        return ends and self.deal.led is not None and not self.shooter_takes()

    @property
    def threatened(self) -> bool:
        return self._against(self.shooter, WARY)

    def _against(self, shooter: Shooter, least: int) -> bool:
        return shooter.share >= least and not shooter.ours and self._open

    def stops(self, least: int) -> bool:
        """Whether it takes points from a possible shooter of the moon, or gives some to others.

        Args:
            least: least share of the shooter, as in `odds.feared`.
        """
        if self._foiled or not self._against(self.shooter, least):
            return False
        if self.probable:
            any_trick = self.rules.moon.moon is MoonRule.OFF
            return any_trick or self.dirty or self.own > 0 or self.adds(self.bit) * 4 >= ONE
        others = self.deal.led is not None and not self.shooter_takes()
        return self.own > 0 and others

    def withholds(self, least: int) -> bool:
        """Whether a possible shooter takes the trick, without a point that might have gone."""
        could = self.legal & self.rules.penalty_mask
        return (
            self._against(self.hoarder, least)
            and not self.chance
            and self.own <= 0 < could
            and TWIN[self.bit] != self.best
            and self.winner in self.hoarder.seats
        )

    def keeps_stopper(self, least: int) -> bool:
        """Whether a card is kept that should take a later trick from the shooter."""
        return self._against(self.hoarder, least) and not self.probable and bool(self.stopper)

    @cached_property
    def stopper(self) -> int:
        """The bit of the highest playable card kept that beats most hidden cards of its suit; or
        0."""
        unseen = self.odds.unseen
        for bit in sorted(self._kept, key=height, reverse=True):
            above = unseen & (ABOVE[bit] | TWIN[bit])
            if above.bit_count() < (unseen & BELOW[bit]).bit_count():
                return bit
        return 0

    @cached_property
    def entry(self) -> int:
        """The bit of `stopper`, if it is above this card and this card is the lowest legal one of
        its suit; else 0."""
        top = self.stopper
        return top if top & ABOVE[self.bit] and not self.legal & BELOW[self.bit] else 0

    @property
    def _kept(self) -> list[int]:
        """Bits of the playable cards that are kept and not equivalent to this one."""
        kept = cards_in(self.legal & ~self.bit)
        return [card.bit for card in kept if not self.like(card.bit)]

    @property
    def feeds(self) -> bool:
        """Whether the trick may go to another seat that has all the points so far."""
        theirs = self.winner in self.hoarder.seats and self.taker < 0
        return self._against(self.hoarder, WARY) and theirs
