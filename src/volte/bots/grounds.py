"""What is true of a card that is about to be played, as far as its seat can see.

Reasons are made of it (`volte.bots.reasons`), and the sentences that tell them name whom and what
it finds.
"""

from __future__ import annotations

from functools import cached_property
from typing import Final

from volte.bots.casual import USUAL, burden_of
from volte.bots.moons import ABOVE_QUEEN, MOSTLY, THREAT, MoonGrounds
from volte.bots.odds import (
    ABOVE,
    BELOW,
    ONE,
    SUIT_OF,
    ascending,
    highest,
)
from volte.cards import QUEEN, QUEENS, SPADES, SUIT_MASKS, cards_in

GUARDS: Final = 3
"""Low spades beside high ones, up to which none of them is to spare."""

LITTLE: Final = ONE
"""What a trick that costs little is likely to cost at most."""


class Grounds(MoonGrounds):
    """What is true of a card that is about to be played."""

    # What lies hidden

    @property
    def hidden_queen(self) -> int:
        """Mask of the queens of spades that count and that an opponent may hold."""
        queens = QUEENS & self.rules.penalty_mask & self.odds.unseen
        could = 0
        for seat in self._foes:
            could |= self.odds.could(seat)
        return queens & could

    @property
    def last_of_suit(self) -> bool:
        """Whether its holder may discard on others of that suit from now on."""
        return self.hand & self.suit == self.bit and bool(self.out)

    @property
    def nearly_last(self) -> bool:
        """Whether its holder then has one more of that suit, and others may have more."""
        left = self.hand & self.suit & ~self.bit
        others = self.rules.players - 1
        return left.bit_count() == 1 and self.out.bit_count() >= others and not self.wants_all

    @property
    def high(self) -> bool:
        """Whether it beats most of what is hidden of its suit, and no less than the hand has there.

        Only as long as there are points to come, and high cards are not what is wanted.
        """
        if not self.suit or self.wants_all or self._against(self.shooter, THREAT):
            return False
        unseen = self.odds.unseen
        below, above = unseen & BELOW[self.bit], unseen & ABOVE[self.bit]
        left = (unseen | self.hand & ~self.bit) & self.rules.penalty_mask
        top = highest(self.legal & self.suit)
        return bool(left) and not above & BELOW[top] and below.bit_count() > above.bit_count()

    @property
    def covers(self) -> bool:
        """Whether it is a spade that would have to take a queen who cannot fall on this trick."""
        later = any(self.odds.could(seat) & QUEENS for seat in self.later)
        return bool(self.bit & ABOVE_QUEEN and self.hidden_queen and not (self.chance and later))

    @property
    def guards(self) -> bool:
        """Whether it spares the few low spades beside high ones that the queen makes dear."""
        dear = self.hand & QUEENS & self.rules.penalty_mask
        if self.hidden_queen:
            dear |= self.hand & ABOVE_QUEEN
        few = 0 < (self.legal & BELOW[QUEEN.bit]).bit_count() <= GUARDS
        return bool(dear) and few and not (self.bit & SPADES or self.wants_all)

    @property
    def keeps_queen(self) -> bool:
        """Whether a queen that counts stays, though she could be played."""
        queens = QUEENS & self.rules.penalty_mask
        return bool(queens & self.legal and not self.bit & queens)

    @cached_property
    def cover(self) -> tuple[int, int]:
        """The bits of the last low card beside a single high one, could it be played but stays;
        and of the high one. (0, 0) without."""
        unseen = self.odds.unseen
        for suit in SUIT_MASKS:
            held = ascending(self.hand & suit)
            if len(held) != 2 or self.bit & suit or not held[0] & self.legal:
                continue
            low, high = held
            if (unseen & BELOW[high]).bit_count() > (unseen & ABOVE[high]).bit_count() and (
                unseen & BELOW[low]
            ).bit_count() < (unseen & ABOVE[low]).bit_count():
                return low, high
        return 0, 0

    @cached_property
    def exit(self) -> int:
        """The bit of a card that could be played and stays, under which all hidden ones of its suit
        are not; 0 without one, and where it would be of no use."""
        if self._is_exit(self.bit) or self.hand.bit_count() < 3 or self.wants_all:
            return 0
        kept = (card.bit for card in cards_in(self.legal & ~self.bit) if self._is_exit(card.bit))
        return next(kept, 0)

    def _is_exit(self, bit: int) -> bool:
        unseen = self.odds.unseen & SUIT_OF[bit]
        return (
            self.rules.deck.packs == 1
            and not unseen & BELOW[bit]
            and unseen.bit_count() > (0 if self.deal.kitty else self.rules.kitty_size)
        )

    # Leads

    @property
    def exits(self) -> bool:
        """Whether somebody else has cards of its suit, and none but higher ones."""
        return not self.deal.trick and self._is_exit(self.bit)

    @property
    def traps(self) -> bool:
        """Whether it is a queen who counts, and whoever has a spade has to take her."""
        return self.exits and bool(self.bit & QUEENS & self.rules.penalty_mask)

    @property
    def catches(self) -> bool:
        """Whether nothing but a queen is left of its suit, and she must be played."""
        hidden = QUEENS & self.rules.penalty_mask
        return self.exits and bool(self.suit & SPADES) and not self.out & ~hidden

    @property
    def cheap(self) -> bool:
        """Whether taking the trick with it will probably cost little, and costs are what counts."""
        cost = (self.table + self.own) * ONE + self.adds(self.bit) + self.kitty_with(self.bit)
        return cost <= LITTLE and not self._first and not self.wants_all

    @property
    def followed(self) -> bool:
        """Whether everybody probably has a card of its suit."""
        chance = ONE
        for seat in self.later:
            chance = chance * (ONE - self.odds.none_of(seat, self.suit)) >> 10
        return not self.deal.trick and chance >= MOSTLY

    @property
    def highest_under(self) -> bool:
        """Whether lower cards stay, and none that is higher but for those that do the same."""
        under = self.legal & BELOW[self.best] & ABOVE[self.bit]
        above = all(self.like(card.bit) for card in cards_in(under))
        return above and any(not self.like(card.bit) for card in cards_in(self.legal & self.lower))

    @property
    def just_enough(self) -> bool:
        """Whether it will probably take the trick, no lower card would, and a higher one stays."""
        higher = self.legal & ABOVE[self.bit]
        return (
            self.chance >= MOSTLY
            and any(not self.like(card.bit) for card in cards_in(higher))
            and all(
                self.takes(card.bit) < MOSTLY
                for card in cards_in(self.legal & self.lower)
                if not self.like(card.bit)
            )
        )

    # Beside other cards

    @property
    def cost(self) -> int:
        """What this trick is likely to cost, if the card is played."""
        kitty = self.kitty_with(self.bit)
        return self.chance * ((self.table + self.own) * ONE + self.adds(self.bit) + kitty) >> 10

    @property
    def relief(self) -> int:
        """How much lighter the hand is without it."""
        return burden_of(self.view, self.values, self.odds, USUAL).relief(self.hand, self.bit)

    # Above the card that wins, or below

    @property
    def free(self) -> bool:
        """Whether the trick is its own, and costs nothing."""
        dirty = self.dirty or self.own > 0
        return not (self.later or dirty or self.kitty_with(self.bit) or self._first)

    @property
    def _first(self) -> bool:
        """Whether the trick would cost what a hand without any is worth (W6)."""
        return bool(self.rules.points.no_tricks) and not self.deal.won[self.seat]

    @property
    def dumps(self) -> bool:
        """Whether its points go to an opponent."""
        mates = self.mates_take(self.bit, self.chance)
        return self.own > 0 and self.beaten and mates * 2 < ONE

    @property
    def burdens_leader(self) -> bool:
        """Whether an opponent who has the fewest points of the match takes some now."""
        points = self.table + max(0, self.own)
        if self.taker not in self._foes or points <= 0 or not self.view.state.deals:
            return False
        totals = self.view.state.totals
        return all(
            totals[self.taker] < total for seat, total in enumerate(totals) if seat != self.taker
        )
