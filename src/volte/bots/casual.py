"""`casual`: looks one trick ahead, and knows what its hand is likely to cost.

For every legal card it adds up, in whole 1024ths of a point:

- the *relief*: how much lighter the hand is without the card (`volte.bots.burden`);
- less the *cost of taking*: the chance that the card takes the trick, times what lies there, what
  later seats are likely to add, the kitty where the trick brings it, and having to lead;
- while one other seat has taken every penalty card so far, a *stake*, what its moon would cost by
  how much it is to be feared (`volte.bots.moon`): saved by taking a penalty card, partly lost by
  giving that seat one, and less is made of relief;
- for a penalty card that somebody else will take, a little for the gift;
- for a lead below a dear card that another seat holds, a little for driving it out.

When the hand takes every trick that is left and nobody else has a penalty card, it shoots the moon.
The highest sum is played; equal sums go to the lowest card. There is no chance in it, nothing is
read but the view, and no option by name: what cards cost is the penalty table of the ruleset.
"""

from __future__ import annotations

from msgspec.structs import replace

from volte.bots.advice import Hint, Reason
from volte.bots.burden import Burden, Weights, suit_around
from volte.bots.moon import feared, takes_all
from volte.bots.odds import ONE, Odds
from volte.bots.protocol import Clock
from volte.cards import BY_BIT, JOKERS, QUEEN, SPADES, SUIT_MASKS, Card, cards_in, mask_of
from volte.game import Pass, Phase, Play, SeatAction
from volte.rules import MoonRule
from volte.view import View

USUAL = Weights()


class Casual:
    """The second level. Same view, same choice: it needs no seed."""

    def __init__(self, weights: Weights = USUAL) -> None:
        self._weights = weights

    def choose(self, view: View, clock: Clock) -> SeatAction:
        return hint(view, self._weights).action


def hint(view: View, weights: Weights = USUAL) -> Hint:
    """What `casual` does, and why. Only for a seat that has to pass or to play."""
    if view.state.phase is Phase.PASSING:
        return _pass(view, weights)
    return _Choice(view, weights).hint()


def _pass(view: View, weights: Weights) -> Hint:
    """Gives the card that lightens the hand most, and so on with what is left (P1).

    A void counts for nothing here, since what comes in may fill it again.
    """
    assert view.seat is not None
    values = _values(view)
    burden = _burden(view, values, Odds(view, values), replace(weights, void=0))
    hand, given = view.hand.mask, 0
    for _ in range(view.deal.pass_size):
        best = max(cards_in(hand), key=lambda card: (burden.relief(hand, card.bit), -card.index))
        hand &= ~best.bit
        given |= best.bit
    queen = given & QUEEN.bit & view.deal.rules.penalty_mask
    return Hint(
        Pass(view.seat, cards_in(given)), Reason.PASS_QUEEN if queen else Reason.PASS_DANGER
    )


def burdens(view: View) -> list[Card]:
    """The cards of a hand that has to pass, the heaviest first."""
    values = _values(view)
    burden = _burden(view, values, Odds(view, values), replace(USUAL, void=0))
    hand = view.hand.mask
    return sorted(view.hand, key=lambda card: (-burden.relief(hand, card.bit), card.index))


def _values(view: View) -> dict[int, int]:
    return {card.bit: points for card, points in view.deal.rules.values.items()}


def _burden(view: View, values: dict[int, int], odds: Odds, weights: Weights) -> Burden:
    players = view.deal.rules.players
    others = [seat for seat in range(players) if seat != view.seat]
    dump = sum(odds.dearest(seat, odds.unseen) for seat in others) // len(others)
    return Burden(values, odds.unseen, len(others), dump, weights)


class _Choice:
    """One choice of a card: what the sums are made of."""

    def __init__(self, view: View, weights: Weights) -> None:
        deal = view.deal
        self.deal = deal
        self.rules = deal.rules
        self.weights = weights
        self.seat = deal.turn
        self.hand = deal.hands[self.seat]
        self.legal = view.legal.mask
        self.values = _values(view)
        self.odds = Odds(view, self.values)
        self.burden = _burden(view, self.values, self.odds, weights)
        players = self.rules.players
        self.later = [(self.seat + n) % players for n in range(1, players - len(deal.trick))]
        self.best = self.winner = -1
        for place, card in enumerate(deal.trick):
            if card.suit is not None and card.suit is deal.led and card.index > self.best:
                self.best, self.winner = card.index, (deal.leader + place) % players
        on_table = mask_of(deal.trick)
        self.table = self.rules.points_in(on_table)
        self.dirty = bool(on_table & self.rules.penalty_mask)
        self.kitty = self._kitty()
        self.shooter, self.fear = feared(deal, self.seat)
        self.shooting = takes_all(deal, self.seat, self.odds.unseen) and self._wins_this()

    def hint(self) -> Hint:
        bit = self._best(self.fear)
        return Hint(Play(self.seat, BY_BIT[bit]), self._reason(bit))

    def _best(self, fear: int) -> int:
        best = top = 0
        legal = self.legal
        while legal:
            bit = legal & -legal
            legal ^= bit
            worth = self._shot(bit) if self.shooting else self._worth(bit, fear)
            if not best or worth > top:
                best, top = bit, worth
        return best

    # The sums, in 1024ths of a point

    def _worth(self, bit: int, fear: int) -> int:
        relief = self.burden.relief(self.hand, bit) * self.weights.relief >> 10
        worth = relief - (relief * fear >> 10)
        takes = self._takes(bit)
        if takes:
            worth -= takes * self._cost(bit, fear) >> 10
        own = max(0, self.values.get(bit, 0))
        if own and takes < ONE:
            gift = own * self.weights.gift
            if fear:
                stake = self.rules.penalty_total * fear * self.weights.give >> 10
                gift -= stake * self._shooter_takes() >> 10
            worth += gift * (ONE - takes) >> 10
        if self.deal.led is None:
            dear = self._dear_above(bit)
            worth += self.weights.flush * sum(cost for cost, card in self.odds.costs if card & dear)
        return worth

    def _cost(self, bit: int, fear: int) -> int:
        """What taking the trick with that card costs."""
        own, adds = self.values.get(bit, 0), self._adds(bit)
        cost = (self.table + own) * ONE + adds + self.kitty + self.weights.lead
        if fear:
            any_trick = self.rules.moon.moon is MoonRule.OFF
            stopped = ONE if any_trick or self.dirty or own > 0 else min(ONE, adds)
            cost -= self.rules.penalty_total * fear * stopped >> 10
        return cost

    def _shot(self, bit: int) -> int:
        """For a hand that shoots the moon: take every trick, and give nothing away."""
        return (self._takes(bit) - max(0, self.values.get(bit, 0))) * ONE + BY_BIT[bit].index

    def _kitty(self) -> int:
        """What the kitty is likely to bring with this trick (D6)."""
        if self.deal.tricks or not self.rules.kitty_size:
            return 0
        unseen = self.odds.unseen
        return self.rules.points_in(unseen) * ONE * self.rules.kitty_size // unseen.bit_count()

    def _adds(self, bit: int) -> int:
        """What later seats are likely to put on a trick that the card takes."""
        suit = suit_around(bit)
        total = 0
        for seat in self.later:
            total += self.odds.dearest(seat, suit & (bit - 1))
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

    def _dear_above(self, bit: int) -> int:
        """Mask of the cards of its suit above all that the hand holds there."""
        suit = suit_around(bit)
        return suit & -(1 << (self.hand & suit).bit_length())

    # The chances, in 1024ths

    def _takes(self, bit: int) -> int:
        """That the card takes the trick."""
        card = BY_BIT[bit]
        led = card.suit if self.deal.led is None else self.deal.led
        if card.suit is None or card.suit is not led or card.index < self.best:
            return 0
        suit = SUIT_MASKS[card.suit]
        urge = self.weights.greedy if self.dirty else self.weights.eager
        chance = ONE
        for seat in self.later:
            under = self.odds.none_of(seat, suit & (bit - 1))
            over = ONE - self.odds.none_of(seat, suit & -(bit << 1))
            must = over * under >> 10
            chance = chance * (ONE - must - ((over - must) * urge >> 10)) >> 10
        return chance

    def _wins_this(self) -> bool:
        """Whether the hand leads, or has a card that is sure of the trick."""
        return self.deal.led is None or any(
            self._takes(card.bit) == ONE for card in cards_in(self.legal)
        )

    def _shooter_takes(self) -> int:
        """That the feared seat takes this trick, as far as it can be told from the cards on it."""
        if self.winner == self.shooter:
            return ONE
        if self.deal.led is None or self.shooter not in self.later:
            return 0
        higher = SUIT_MASKS[self.deal.led] & -(2 << self.best)
        return ONE - self.odds.none_of(self.shooter, higher)

    # The reason

    def _reason(self, bit: int) -> Reason:
        if self.legal == bit:
            return Reason.FORCED
        if self.shooting:
            return Reason.SHOOT_MOON
        if self.fear and bit != self._best(0):
            return Reason.STOP_MOON
        if self.deal.led is None:
            return self._lead_reason(bit)
        if bit & SUIT_MASKS[self.deal.led]:
            return self._follow_reason(bit)
        return self._discard_reason(bit)

    def _lead_reason(self, bit: int) -> Reason:
        if bit & JOKERS:
            return Reason.JOKER_LEAD
        hidden_queen = QUEEN.bit & self.odds.unseen & self.rules.penalty_mask
        if bit & SPADES and hidden_queen & self._dear_above(bit):
            return Reason.FLUSH_QUEEN
        return Reason.LOW_LEAD if self._takes(bit) * 2 < ONE else Reason.SAFE_LEAD

    def _follow_reason(self, bit: int) -> Reason:
        own = self.values.get(bit, 0)
        if bit < 1 << self.best:
            return Reason.DUMP_QUEEN if bit == QUEEN.bit and own > 0 else Reason.DUCK
        if self.table + own < 0:
            return Reason.TAKE_BONUS
        if not self.later and not self.table and not own and not self.kitty:
            return Reason.SAFE_TAKE
        under = self.legal & ((1 << self.best) - 1)
        return Reason.SHED_HIGH if under else Reason.TAKE_HIGH

    def _discard_reason(self, bit: int) -> Reason:
        if self.values.get(bit, 0) > 0:
            return Reason.DUMP_QUEEN if bit == QUEEN.bit else Reason.DUMP_POINTS
        alone = self.hand & suit_around(bit) == bit
        return Reason.VOID_SUIT if alone else Reason.SHED_HIGH
