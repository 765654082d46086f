"""Facts about cards that are about to be played or passed, as far as their seat can see.

Reasons (`volte.bots.reasons`) are made of them; sentences name the seats and cards found here.
"""

from __future__ import annotations

from functools import cached_property
from typing import Final

from volte.bots.candidates import burdens
from volte.bots.moons import ABOVE_QUEEN, MOSTLY, THREAT, MoonGrounds
from volte.bots.odds import (
    ABOVE,
    BELOW,
    ONE,
    SUIT_OF,
    TWIN,
    USUAL,
    ascending,
    burden_of,
    height,
    highest,
)
from volte.cards import (
    HEARTS,
    JOKERS,
    QUEEN,
    QUEENS,
    SPADES,
    SUIT_MASKS,
    Rank,
    cards_in,
    mask_of,
)
from volte.game import Pass
from volte.view import View

GUARDS: Final = 3
"""Most low spades beside high ones of which none can be spared."""

LITTLE: Final = ONE
"""Most points, in 1024ths, that a cheap trick is likely to cost."""


def covered(held: int, unseen: int) -> tuple[int, int]:
    """Return the bits of a low and a high card if they are all that is held of a suit; else (0, 0).
    Most unseen cards of the suit are above the low one, and most are below the high one."""
    if held.bit_count() == 2:
        low, high = ascending(held)
        if _lean(unseen, low) > 0 > _lean(unseen, high):
            return low, high
    return 0, 0


def _lean(unseen: int, bit: int) -> int:
    """Number of unseen cards above a card, less the number below it in its suit."""
    return (unseen & ABOVE[bit]).bit_count() - (unseen & BELOW[bit]).bit_count()


class Grounds(MoonGrounds):
    """Facts about a card that is about to be played."""

    # Hidden cards

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
        """Whether it is the hand's last card of a suit of which other cards are out."""
        return self.hand & self.suit == self.bit and bool(self.out)

    @property
    def nearly_last(self) -> bool:
        """Whether the hand keeps one more card of its suit, and enough others are out."""
        left = self.hand & self.suit & ~self.bit
        others = self.rules.players - 1
        return left.bit_count() == 1 and self.out.bit_count() >= others and not self.wants_all

    @property
    def high(self) -> bool:
        """Whether it beats most hidden cards of its suit, and as many as the hand's highest there.

        Only while points are still to come, and the hand does not want to take tricks.
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
        """Whether it spares the few low spades beside the queen, or beside ace or king."""
        dear = self.hand & QUEENS & self.rules.penalty_mask
        if self.hidden_queen:
            dear |= self.hand & ABOVE_QUEEN
        few = 0 < (self.legal & BELOW[QUEEN.bit]).bit_count() <= GUARDS
        return bool(dear) and few and not (self.bit & SPADES or self.wants_all)

    @property
    def spades_out(self) -> tuple[int, int]:
        """Number of unseen spades, and the most of them that one hand can hold."""
        out, sizes = self.odds.unseen & SPADES, self.deal.hand_sizes()
        others = [seat for seat in range(self.rules.players) if seat != self.seat]
        most = max(min(sizes[seat], (self.odds.could(seat) & out).bit_count()) for seat in others)
        return out.bit_count(), most

    @property
    def keeps_queen(self) -> bool:
        """Whether a queen that counts is kept for a void, though she could be played."""
        queens = QUEENS & self.rules.penalty_mask
        led = self.deal.led
        void = led is not None and not self.legal & SUIT_MASKS[led]
        return bool(queens & self.legal and not self.bit & queens) and not void

    @cached_property
    def cover(self) -> tuple[int, int]:
        """The bits of the last low card beside a single high one, if it could be played but is
        kept, and of the high one; else (0, 0)."""
        for suit in SUIT_MASKS:
            low, high = covered(self.hand & suit, self.odds.unseen)
            if low & self.legal and not self.bit & suit:
                return low, high
        return 0, 0

    @cached_property
    def kept_exits(self) -> int:
        """Mask of the playable cards kept that no hidden card of their suit is below; 0 if this
        card is such an exit itself, and where exits would be of no use."""
        if self._is_exit(self.bit) or self.hand.bit_count() < 3 or self.wants_all:
            return 0
        return mask_of(card for card in cards_in(self.legal) if self._is_exit(card.bit))

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
        """Whether it is led, and other seats have cards of its suit, all of them higher."""
        return not self.deal.trick and self._is_exit(self.bit)

    @property
    def traps(self) -> bool:
        """Whether it is a counting queen led when every spade in another hand takes her."""
        return self.exits and bool(self.bit & QUEENS & self.rules.penalty_mask)

    @property
    def catches(self) -> bool:
        """Whether it is a spade led when no other spade but a queen is out, who must follow."""
        hidden = QUEENS & self.rules.penalty_mask
        return self.exits and bool(self.suit & SPADES) and not self.out & ~hidden

    @property
    def cheap(self) -> bool:
        """Whether taking the trick with it will probably cost little, when tricks are unwanted."""
        cost = (self.table + self.own) * ONE + self.adds(self.bit) + self.kitty_with(self.bit)
        return cost <= LITTLE and not self._first and not self.wants_all

    @property
    def followed(self) -> bool:
        """Whether it is led, and all others probably have a card of its suit."""
        chance = ONE
        for seat in self.later:
            chance = chance * (ONE - self.odds.none_of(seat, self.suit)) >> 10
        return not self.deal.trick and chance >= MOSTLY

    @property
    def highest_under(self) -> bool:
        """Whether it is the highest card that still stays under, lower ones being kept."""
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
        """Points that the trick is likely to cost if the card is played, in 1024ths."""
        kitty = self.kitty_with(self.bit)
        return self.chance * ((self.table + self.own) * ONE + self.adds(self.bit) + kitty) >> 10

    @property
    def relief(self) -> int:
        """Burden that the hand loses with the card, in 1024ths of a point."""
        return burden_of(self.view, self.values, self.odds, USUAL).relief(self.hand, self.bit)

    # Above the card that wins, or below

    @property
    def free(self) -> bool:
        """Whether it is the last card of a trick that costs nothing."""
        dirty = self.dirty or self.own > 0
        return not (self.later or dirty or self.kitty_with(self.bit) or self._first)

    @property
    def _first(self) -> bool:
        """Whether taking the trick would lose the bonus for a hand without tricks (W6)."""
        return bool(self.rules.points.no_tricks) and not self.deal.won[self.seat]

    @property
    def dumps(self) -> bool:
        """Whether its points go to an opponent."""
        mates = self.mates_take(self.bit, self.chance)
        return self.own > 0 and self.beaten and mates * 2 < ONE

    @property
    def burdens_leader(self) -> bool:
        """Whether an opponent alone in front in the match takes points now."""
        points = self.table + max(0, self.own)
        if self.taker not in self._foes or points <= 0 or not self.view.state.deals:
            return False
        totals = self.view.state.totals
        return all(
            totals[self.taker] < total for seat, total in enumerate(totals) if seat != self.taker
        )


class PassGrounds:
    """Facts about cards that are about to be passed. Suits are masks of all their cards."""

    def __init__(self, view: View, action: Pass) -> None:
        self.view = view
        self.hand = view.hand.mask
        self.given = mask_of(action.cards)
        self.kept = self.hand & ~self.given
        self.queens = QUEENS & view.deal.rules.penalty_mask
        self.suits = [suit for suit in SUIT_MASKS if suit & self.given]  # of the cards given

    @property
    def heaviest(self) -> bool:
        """Whether all cards given are among the heaviest of the hand."""
        few = self.given.bit_count() + 2
        return not self.given & ~mask_of(burdens(self.view)[:few])

    @property
    def emptied(self) -> int:
        """Mask of the suits of which the pass leaves no card in the hand."""
        return sum(suit for suit in self.suits if not suit & self.kept)

    @property
    def alone(self) -> int:
        """Mask of cards left alone in a suit given of, each with its equal of the other pack."""
        left = (self.kept & suit for suit in self.suits)
        return sum(bit | TWIN[bit] for bit in left if bit.bit_count() == 1)

    @property
    def low(self) -> bool:
        """Whether all cards given are lower than half of the hand."""
        ranks = sorted(card.rank or 0 for card in self.view.hand)
        return max(height(card.bit) for card in cards_in(self.given)) < ranks[len(ranks) // 2]

    @property
    def lowest(self) -> bool:
        """Whether no card kept is lower than a card given."""
        return bool(self.kept) and self._heights(self.given)[-1] <= self._heights(self.kept)[0]

    @property
    def highest(self) -> bool:
        """Whether no card kept is higher than a card given."""
        return bool(self.kept) and self._heights(self.given)[0] >= self._heights(self.kept)[-1]

    @property
    def clears(self) -> int:
        """Mask of the suits given of, if court cards and aces are kept of each, and no others;
        else 0."""
        left = [self._heights(self.kept & suit) for suit in self.suits]
        return sum(self.suits) if all(some and some[0] >= Rank.JACK for some in left) else 0

    @property
    def tops(self) -> int:
        """Mask of the suits given of, if their highest cards go and none is emptied; else 0."""
        cards = cards_in(self.given & ~JOKERS)
        over = self.emptied or any(ABOVE[card.bit] & self.kept for card in cards)
        return 0 if over else sum(self.suits)

    @property
    def whole(self) -> int:
        """Mask of the suits kept whole, with a court card or an ace and two cards below the ten."""
        found = 0
        for suit in SUIT_MASKS:
            ranks = self._heights(self.kept & suit)
            if suit not in self.suits and len(ranks) > 2:
                found |= suit if ranks[1] < Rank.TEN and ranks[-1] >= Rank.JACK else 0
        return found

    @property
    def spades(self) -> bool:
        """Whether the hand gives its last high spades away."""
        dear = self.queens | ABOVE_QUEEN
        return bool(dear & self.given) and not dear & self.kept

    @property
    def guards(self) -> bool:
        """Whether the hand keeps high spades, and all its low ones beside them."""
        guards = self.hand & SPADES & BELOW[QUEEN.bit]
        return bool((self.queens | ABOVE_QUEEN) & self.kept and guards) and not guards & self.given

    @property
    def cover(self) -> tuple[int, int]:
        """The bits of a low card, and of a court card or an ace, if they are all that is kept of a
        suit given of; else (0, 0)."""
        pairs = (covered(self.kept & suit, self.view.unseen) for suit in self.suits)
        return next((pair for pair in pairs if pair[1] and height(pair[1]) >= Rank.JACK), (0, 0))

    @property
    def top_heart(self) -> int:
        """The bit of the highest heart of all hands, if the hand keeps it; else 0."""
        top = highest(self.hand & HEARTS)
        return top if top & self.kept and not ABOVE[top] & self.view.unseen else 0

    @property
    def hearts(self) -> bool:
        """Whether the hand holds hearts, and the pass leaves all of them in it."""
        return bool(self.hand & HEARTS) and not self.given & HEARTS

    def _heights(self, mask: int) -> list[int]:
        return sorted(height(card.bit) for card in cards_in(mask))
