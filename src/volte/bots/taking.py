"""A seat that has to play a card: what lies on the table, and who is likely to take it."""

from __future__ import annotations

from functools import cached_property

from volte.bots.odds import (
    ABOVE,
    BELOW,
    ONE,
    SUIT_OF,
    TWIN,
    Odds,
    Weights,
    feared,
    highest,
    takes_all,
    winning_place,
)
from volte.cards import BY_BIT, HEARTS, SUIT_MASKS, cards_in, mask_of
from volte.rules import Kitty
from volte.view import View


def values_of(view: View) -> dict[int, int]:
    """Points by bit of every counting card."""
    return {card.bit: points for card, points in view.deal.rules.values.items()}


class Taking:
    """The trick as it lies, seen by the seat whose turn it is. Chances are in 1024ths."""

    def __init__(self, view: View, weights: Weights) -> None:
        deal = view.deal
        self.deal = deal
        self.rules = deal.rules
        self.weights = weights
        self.seat = deal.turn
        self.hand = deal.hands[self.seat]
        self.legal = view.legal.mask
        self.values = values_of(view)  # points by bit of every counting card
        self.odds = Odds(view, self.values)
        players = self.rules.players
        # The seats that play after this one
        self.later = [(self.seat + n) % players for n in range(1, players - len(deal.trick))]
        self.mates = set(self.rules.side(self.seat)) - {self.seat}  # the seat's partners
        place = winning_place(deal.trick, deal.led)
        # The bit of the card that wins so far, and whose it is
        self.best = 0 if place < 0 else deal.trick[place].bit
        self.winner = -1 if place < 0 else (deal.leader + place) % players
        self.waiting = mask_of(deal.trick) | deal.held  # what the trick brings so far
        self.table = self.rules.points_in(self.waiting)
        self.dirty = bool(self.waiting & self.rules.penalty_mask)
        self.kitty = self._kitty()
        self.shooter = feared(deal, self.seat)  # who may be on the way to taking everything

    def _kitty(self) -> int:
        """What the kitty is likely to bring to whoever takes it (D6)."""
        unseen, size = self.odds.unseen, self.rules.kitty_size
        if not size or not unseen or self.deal.kitty_taker is not None:
            return 0
        return self.rules.points_in(unseen) * ONE * size // unseen.bit_count()

    def kitty_with(self, bit: int) -> int:
        """What it is likely to bring with this trick, if that card is played to it (W4)."""
        kitty = self.rules.deck.kitty
        comes = kitty is Kitty.FIRST_TRICK or self.deal.trick_number == self.rules.hand_size
        if kitty is Kitty.FIRST_HEART:
            comes = comes or bool((self.waiting | bit) & HEARTS)
        return self.kitty if comes else 0

    def adds(self, bit: int) -> int:
        """What later seats are likely to put on a trick that the card takes."""
        suit = SUIT_OF.get(bit, 0)
        if not suit:
            return 0
        total = 0
        for seat in self.later:
            if seat in self.mates:
                continue
            total += self.odds.dearest(seat, BELOW[bit])
            void = self.odds.none_of(seat, suit)
            if void:
                total += void * self.odds.dearest(seat, self._discards(seat, bit) & ~suit) >> 10
        return total

    def _discards(self, seat: int, bit: int) -> int:
        """Mask of what a void seat may throw on the suit of that card (T3, T6, T7)."""
        suit = BY_BIT[bit].suit
        assert suit is not None
        had_chance, broken = self.deal.voided >> seat & 1, self.deal.broken
        mask = self.odds.could(seat)
        duties = self.rules.follower_duties[len(self.deal.tricks)][suit][broken][had_chance]
        for clause, prefer in duties:
            if clause in ("T3", "W3", "T6", "T7"):
                mask &= prefer
        return mask

    def dear_above(self, bit: int) -> int:
        """Mask of the cards of its suit above all that the hand holds there."""
        suit = SUIT_OF[bit]
        return ABOVE[highest(self.hand & suit)] if suit else 0

    def takes(self, bit: int) -> int:
        """The chance that the card takes the trick."""
        card = BY_BIT[bit]
        led = card.suit if self.deal.led is None else self.deal.led
        if card.suit is None or card.suit is not led or (self.best and not ABOVE[self.best] & bit):
            return 0
        chance = ONE
        for seat in self.later:
            chance = chance * (ONE - self._beats(seat, bit)) >> 10
        return chance

    def _beats(self, seat: int, bit: int) -> int:
        """The chance that a later seat beats the card, or cancels it (W11)."""
        urge = self.weights.greedy if self.dirty else self.weights.eager
        under = self.odds.none_of(seat, BELOW[bit])
        over = ONE - self.odds.none_of(seat, ABOVE[bit])
        must = over * under >> 10
        beats = must + ((over - must) * urge >> 10)
        if TWIN[bit] & self.odds.unseen:
            beats += (ONE - beats) * self.odds.holds(seat, TWIN[bit]) >> 11
        return beats

    def mates_take(self, bit: int, takes: int) -> int:
        """The chance that a partner takes the trick, if this card is played.

        Args:
            takes: the chance that the card itself does.
        """
        top, holder = self.top(bit)
        if not top:
            return 0
        stays, by_mates = ONE, 0
        for seat in self.later:
            beats = self._beats(seat, top)
            stays = stays * (ONE - beats) >> 10
            by_mates = by_mates * (ONE - beats) >> 10
            if seat in self.mates:
                by_mates += beats
        by_mates += stays if holder in self.mates else 0
        return min(ONE - takes, by_mates)

    def top(self, bit: int) -> tuple[int, int]:
        """The card that wins the trick once this one is played, and whose it is; (0, -1)."""
        card = BY_BIT[bit]
        trick = (*self.deal.trick, card)
        place = winning_place(trick, card.suit if self.deal.led is None else self.deal.led)
        if place < 0:
            return 0, -1
        return trick[place].bit, (self.deal.leader + place) % self.rules.players

    def shooter_takes(self) -> int:
        """The chance that the possible shooter takes this trick, as far as the cards on it show."""
        if self.winner in self.shooter.seats:
            return ONE
        if self.deal.led is None:
            return 0
        higher = ABOVE[self.best] if self.best else SUIT_MASKS[self.deal.led]
        return max(
            (
                ONE - self.odds.none_of(seat, higher)
                for seat in self.shooter.seats
                if seat in self.later
            ),
            default=0,
        )

    @cached_property
    def shooting(self) -> bool:
        """Whether the hand is on the way to taking everything, and can win this trick."""
        return takes_all(self.deal, self.seat, self.odds.unseen) and self._wins_this()

    def _wins_this(self) -> bool:
        """Whether the hand leads, or has a card that is sure of the trick."""
        return self.deal.led is None or any(
            self.takes(card.bit) == ONE for card in cards_in(self.legal)
        )
