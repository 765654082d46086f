"""`casual`: looks one trick ahead, and knows what its hand is likely to cost.

For every legal card it adds up, in whole 1024ths of a point:

- the *relief*: how much lighter the hand is without the card (`volte.bots.burden`);
- less the *cost of taking*: the chance that the card takes the trick, times what lies there, what
  later seats are likely to add, the kitty where the trick brings it, and having to lead; what a
  partner takes costs the same, but for the lead (W10);
- while one other seat has taken every penalty card so far, a *stake*, what its moon would cost by
  how much it is to be feared (`volte.bots.moon`): saved by taking a penalty card, partly lost by
  giving that seat one, and less is made of relief; for a partner's moon the other way round;
- for a penalty card that an opponent will take, a little for the gift;
- for a lead below a dear card that an opponent holds, a little for driving it out.

When the hand takes every trick that is left and nobody else has a penalty card, it shoots the moon.
The highest sum is played; equal sums go to the lowest card. There is no chance in it, nothing is
read but the view, and no option by name: what cards cost is the penalty table of the ruleset.
"""

from __future__ import annotations

from volte.bots.advice import Hint, Reason
from volte.bots.burden import Weights
from volte.bots.choosing import chosen_moon
from volte.bots.odds import ONE
from volte.bots.passing import USUAL, burden_of, burdens, cards_to_pass, handed_out
from volte.bots.protocol import Clock
from volte.bots.reasons import reason_of
from volte.bots.taking import Taking
from volte.cards import BY_BIT
from volte.game import Pass, Phase, Play, SeatAction
from volte.rules import MoonRule
from volte.view import View

__all__ = ["Casual", "burdens", "handed_out", "hint", "reason_of"]


class Casual:
    """The second level. Same view, same choice: it needs no seed."""

    def __init__(self, weights: Weights = USUAL) -> None:
        self._weights = weights

    def choose(self, view: View, clock: Clock) -> SeatAction:
        return chosen_moon(view) or _chosen(view, self._weights)


def hint(view: View, weights: Weights = USUAL) -> Hint:
    """What `casual` does, and why. Only for a seat that has to pass or to play."""
    action = _chosen(view, weights)
    reason = reason_of(view, action)
    return Hint(action, Reason.ROUGHLY if reason is Reason.PLAYED_OUT else reason)


def _chosen(view: View, weights: Weights) -> Pass | Play:
    if view.state.phase is Phase.PASSING:
        assert view.seat is not None
        return Pass(view.seat, cards_to_pass(view, weights))
    return _Choice(view, weights).play()


class _Choice(Taking):
    """One choice of a card: what the sums are made of."""

    def __init__(self, view: View, weights: Weights) -> None:
        super().__init__(view, weights)
        self.burden = burden_of(view, self.values, self.odds, weights)

    def play(self) -> Play:
        return Play(self.seat, BY_BIT[self._best(self.shooter.share)])

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

    def _worth(self, bit: int, fear: int) -> int:
        relief = self.burden.relief(self.hand, bit) * self.weights.relief >> 10
        worth = relief - (relief * fear >> 10)
        takes = self.takes(bit)
        if takes:
            worth -= takes * self._cost(bit, fear) >> 10
        own = max(0, self.values.get(bit, 0))
        given = ONE - takes
        if self.mates:
            by_mates = self.mates_take(bit, takes)
            worth -= by_mates * self._cost_to_mates(bit, fear) >> 10
            given = max(0, given - by_mates)
        if own and given:
            gift = own * self.weights.gift
            if fear:
                stake = self.rules.penalty_total * fear * self.weights.give >> 10
                gift -= stake * self._given_away() >> 10
            worth += gift * given >> 10
        if self.deal.led is None:
            dear = self.dear_above(bit)
            worth += self.weights.flush * sum(
                cost * self._with_foes(card) >> 10 for cost, card in self.odds.costs if card & dear
            )
        return worth

    def _cost(self, bit: int, fear: int) -> int:
        """What taking the trick with that card costs."""
        own, adds = self.values.get(bit, 0), self.adds(bit)
        cost = (self.table + own) * ONE + adds + self.kitty_with(bit) + self.weights.lead
        bonus, won, gathered = self.rules.points, self.deal.won, len(self.deal.tricks)
        if bonus.no_tricks and not won[self.seat]:
            cost -= bonus.no_tricks * ONE * gathered // self.rules.hand_size
        return cost - self._stake(self.seat, own, adds, fear)

    def _cost_to_mates(self, bit: int, fear: int) -> int:
        """What it costs the side that a partner takes the trick after that card (W10)."""
        own = self.values.get(bit, 0)
        adds = self.adds(self.top(bit)[0])
        cost = (self.table + own) * ONE + adds + self.kitty_with(bit)
        return cost - self._stake(min(self.mates), own, adds, fear)

    def _stake(self, taker: int, own: int, adds: int, fear: int) -> int:
        """What is saved of a moon if that seat takes the trick; below zero what is lost."""
        if not fear:
            return 0
        any_trick = self.rules.moon.moon is MoonRule.OFF
        stopped = ONE if any_trick or self.dirty or own > 0 else min(ONE, adds)
        stake = self.rules.penalty_total * fear * stopped >> 10
        kept = taker in self.shooter.seats
        return stake if kept is self.shooter.ours else -stake

    def _shot(self, bit: int) -> int:
        """For a hand that shoots the moon: take every trick, and give nothing away."""
        return (self.takes(bit) - max(0, self.values.get(bit, 0))) * ONE + BY_BIT[bit].index

    def _with_foes(self, bit: int) -> int:
        """How much more likely a hidden card is with the opponents than with a partner."""
        return ONE - 2 * sum(self.odds.holds(mate, bit) for mate in self.mates)

    def _given_away(self) -> int:
        """That a moon gains or loses by a penalty card given to this trick, against one's side."""
        takes = self.shooter_takes()
        return ONE - takes if self.shooter.ours else takes
