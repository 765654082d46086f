"""What is true of cards that are about to be played or passed, as far as their seat can see.

Reasons are made of it (`volte.bots.reasons`), and the sentences that tell them name whom and what
it finds.
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
"""Low spades beside high ones, up to which none of them is to spare."""

LITTLE: Final = ONE
"""What a trick that costs little is likely to cost at most."""


def covered(held: int, unseen: int) -> tuple[int, int]:
    """The bits of a low card and of a high one, where these are all that is held of a suit; else
    (0, 0). Of what is unseen of it, most is above the one, and below the other."""
    if held.bit_count() == 2:
        low, high = ascending(held)
        if _lean(unseen, low) > 0 > _lean(unseen, high):
            return low, high
    return 0, 0


def _lean(unseen: int, bit: int) -> int:
    """How many more cards of its suit are above a card than below it."""
    return (unseen & ABOVE[bit]).bit_count() - (unseen & BELOW[bit]).bit_count()


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
    def spades_out(self) -> tuple[int, int]:
        """How many spades the seat has not seen, and how many of them one hand has at most."""
        out, sizes = self.odds.unseen & SPADES, self.deal.hand_sizes()
        others = [seat for seat in range(self.rules.players) if seat != self.seat]
        most = max(min(sizes[seat], (self.odds.could(seat) & out).bit_count()) for seat in others)
        return out.bit_count(), most

    @property
    def keeps_queen(self) -> bool:
        """Whether a queen that counts stays, though she could be played."""
        queens = QUEENS & self.rules.penalty_mask
        return bool(queens & self.legal and not self.bit & queens)

    @cached_property
    def cover(self) -> tuple[int, int]:
        """The bits of the last low card beside a single high one, could it be played but stays;
        and of the high one. (0, 0) without."""
        for suit in SUIT_MASKS:
            low, high = covered(self.hand & suit, self.odds.unseen)
            if low & self.legal and not self.bit & suit:
                return low, high
        return 0, 0

    @cached_property
    def kept_exits(self) -> int:
        """Mask of the cards that could be played and stay, under which all hidden ones of their
        suits are not; 0 where this is one itself, and where they would be of no use."""
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


class PassGrounds:
    """What is true of cards that are about to be passed. Suits are masks of all their cards."""

    def __init__(self, view: View, action: Pass) -> None:
        self.view = view
        self.hand = view.hand.mask
        self.given = mask_of(action.cards)
        self.kept = self.hand & ~self.given
        self.queens = QUEENS & view.deal.rules.penalty_mask
        self.suits = [suit for suit in SUIT_MASKS if suit & self.given]  # of what is given

    @property
    def heaviest(self) -> bool:
        """Whether all of them are among those that weigh most."""
        few = self.given.bit_count() + 2
        return not self.given & ~mask_of(burdens(self.view)[:few])

    @property
    def emptied(self) -> int:
        """Mask of the suits of which the pass leaves no card in the hand."""
        return sum(suit for suit in self.suits if not suit & self.kept)

    @property
    def alone(self) -> int:
        """Mask of the cards that stay alone of a suit, each with its equal of the other pack."""
        left = (self.kept & suit for suit in self.suits)
        return sum(bit | TWIN[bit] for bit in left if bit.bit_count() == 1)

    @property
    def low(self) -> bool:
        """Whether all of them are lower than half of the hand."""
        ranks = sorted(card.rank or 0 for card in self.view.hand)
        return max(height(card.bit) for card in cards_in(self.given)) < ranks[len(ranks) // 2]

    @property
    def lowest(self) -> bool:
        """Whether nothing that stays is lower."""
        return bool(self.kept) and self._heights(self.given)[-1] <= self._heights(self.kept)[0]

    @property
    def highest(self) -> bool:
        """Whether nothing that stays is higher."""
        return bool(self.kept) and self._heights(self.given)[0] >= self._heights(self.kept)[-1]

    @property
    def clears(self) -> int:
        """The suits of which court cards and aces stay, and nothing else; 0 if any of those that
        are given stays otherwise."""
        left = [self._heights(self.kept & suit) for suit in self.suits]
        return sum(self.suits) if all(some and some[0] >= Rank.JACK for some in left) else 0

    @property
    def tops(self) -> int:
        """Their suits, if they are the highest of those, and none is emptied."""
        cards = cards_in(self.given & ~JOKERS)
        over = self.emptied or any(ABOVE[card.bit] & self.kept for card in cards)
        return 0 if over else sum(self.suits)

    @property
    def whole(self) -> int:
        """The suits that stay as they are, with a court card or an ace, and two below the ten."""
        found = 0
        for suit in SUIT_MASKS:
            ranks = self._heights(self.kept & suit)
            if suit not in self.suits and len(ranks) > 2:
                found |= suit if ranks[1] < Rank.TEN and ranks[-1] >= Rank.JACK else 0
        return found

    @property
    def spades(self) -> bool:
        """Whether the last high spades go."""
        dear = self.queens | ABOVE_QUEEN
        return bool(dear & self.given) and not dear & self.kept

    @property
    def guards(self) -> bool:
        """Whether low spades stay beside high ones, all of them."""
        guards = self.hand & SPADES & BELOW[QUEEN.bit]
        return bool((self.queens | ABOVE_QUEEN) & self.kept and guards) and not guards & self.given

    @property
    def cover(self) -> tuple[int, int]:
        """The bits of a low card, and of a court card or an ace, that stay alone of a suit; (0, 0)
        without."""
        pairs = (covered(self.kept & suit, self.view.unseen) for suit in self.suits)
        return next((pair for pair in pairs if pair[1] and height(pair[1]) >= Rank.JACK), (0, 0))

    @property
    def top_heart(self) -> int:
        """The bit of the highest heart of all hands, if it stays; else 0."""
        top = highest(self.hand & HEARTS)
        return top if top & self.kept and not ABOVE[top] & self.view.unseen else 0

    @property
    def hearts(self) -> bool:
        """Whether the hand holds hearts, and the pass leaves all of them in it."""
        return bool(self.hand & HEARTS) and not self.given & HEARTS

    def _heights(self, mask: int) -> list[int]:
        return sorted(height(card.bit) for card in cards_in(mask))
