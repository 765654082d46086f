"""`casual`: looks one trick ahead, and estimates the cost of its hand.

For every legal card it adds up, in whole 1024ths of a point:

- the *relief*: how much lighter the hand is without the card (`volte.bots.odds.Burden`);
- less the *cost of taking*: the chance that the card takes the trick, times the points on it, the
  points that later seats are likely to add, the kitty where the trick brings it, and the lead; a
  trick that a partner takes costs the same, but for the lead (W10);
- while one other seat has taken every penalty card so far, a *stake*, the cost of its moon by how
  far it is to be feared (`odds.feared`): saved by taking a penalty card, partly lost by giving that
  seat one, lost with a high card that could still have stopped it; relief then counts less; for a
  partner's moon the other way round;
- for a penalty card that an opponent will take, a little for the gift; less the cost of bringing
  that opponent near the total that ends the match, or to it, while another seat is in front;
- for a lead below a dear card that an opponent holds, a little for driving it out;
- for the cards that stay, their *exits*: the lowest of a suit gives the lead away as far as unseen
  cards are above it; less the danger of having the lead and no exit, which costs all points that
  are still out. So it counts the suits that nobody else has;
- for a lead once an opponent has penalty cards, the cards that stay in suits that nobody else has;
  less the danger that it takes its trick and leaves no sure exit (`CardChoice._lead`);
- while no other seat has a penalty card, the *hope* that stays for a moon of its own.

Hope and stake depend on the match (`volte.bots.standing`).

When the hand takes every trick that is left but one at most, few unseen cards beat the one, and no
other seat has a penalty card, it shoots the moon: from the top, the loser last, or first where
waiting does not help (`CardChoice._loser_to_lead`).
The card with the highest sum is played, of equal ones the lowest. The pass is chosen by
`volte.bots.candidates.cards_to_pass`, where the seed of the bot decides between sets that cost
nearly the same; there is no other chance in it. It reads the view alone, and no option by name:
costs of cards come from the penalty table of the ruleset.
"""

from __future__ import annotations

from functools import cached_property
from typing import Final

from volte.bots.candidates import cards_to_pass
from volte.bots.odds import (
    ABOVE,
    BELOW,
    NOBODY,
    ONE,
    SUIT_OF,
    TWIN,
    USUAL,
    Odds,
    Weights,
    ascending,
    beaten,
    burden_of,
    draws,
    feared,
    highest,
    hope,
    losers,
    may_shoot,
    shoots,
    values_of,
    winning_place,
)
from volte.bots.protocol import Clock, asked, chosen_moon
from volte.bots.standing import MatchMoons
from volte.cards import BY_BIT, HEARTS, SUIT_MASKS, cards_in, mask_of
from volte.cards.public import explain
from volte.fair.chance import read_seed
from volte.game import Pass, Phase, Play, SeatAction
from volte.rules import Kitty, MoonBy, MoonRule
from volte.view import View

ENDING: Final = 3
"""Number of leads from which on an exit has its full worth."""

LIKELY: Final = ONE * 4 // 5
"""Least chance to keep its trick with which the loser of a moon is led first."""

POSSIBLE: Final = ONE // 3
"""Least such chance for a loser that is the only card of its suit."""


class Casual:
    """Bot of the second level; its seed matters in the pass alone."""

    def __init__(self, weights: Weights = USUAL, seed: int = 0) -> None:
        self._weights = weights
        self._seed = read_seed(seed)

    def choose(self, view: View, clock: Clock) -> SeatAction:
        try:
            return chosen_moon(view) or chosen_action(view, self._weights, self._seed)
        except Exception as error:
            explain(error, Casual.choose, self, view, clock)
            asked(view)
            raise


def chosen_action(view: View, weights: Weights, seed: int = 0) -> Pass | Play:
    if view.state.phase is Phase.PASSING:
        return Pass(view.seat, cards_to_pass(view, weights, seed))
    return CardChoice(view, weights).play()


class Taking:
    """The trick as it stands, seen by the seat whose turn it is. Chances are in 1024ths."""

    guesses = False  # whether it guesses from plays who holds the queen (`Odds`)

    def __init__(self, view: View, weights: Weights) -> None:
        deal = view.deal
        self.deal = deal
        self.rules = deal.rules
        self.weights = weights
        self.seat = deal.turn
        self.hand = deal.hands[self.seat]
        self.legal = view.legal.mask
        self.values = values_of(view)  # points by bit of every counting card
        self.odds = Odds(view, self.values, self.guesses)
        players = self.rules.players
        # The seats that play after this one
        self.later = [(self.seat + n) % players for n in range(1, players - len(deal.trick))]
        self.mates = set(self.rules.side(self.seat)) - {self.seat}  # the seat's partners
        place = winning_place(deal.trick, deal.led)
        # Bit of the card that wins so far, and its seat; 0 and -1 for none
        self.best = 0 if place < 0 else deal.trick[place].bit
        self.winner = -1 if place < 0 else (deal.leader + place) % players
        self.waiting = mask_of(deal.trick) | deal.held  # mask of the cards that the trick brings
        self.table = self.rules.points_in(self.waiting)
        self.dirty = bool(self.waiting & self.rules.penalty_mask)
        self.kitty = self._kitty()
        self.shooter = feared(deal, self.seat)  # seats on the way to taking everything, if any

    def _kitty(self) -> int:
        """Points that the kitty is likely to bring its taker (D6), in 1024ths."""
        unseen, size = self.odds.unseen, self.rules.kitty_size
        if not size or not unseen or self.deal.kitty_taker is not None:
            return 0
        return self.rules.points_in(unseen) * ONE * size // unseen.bit_count()

    def kitty_with(self, bit: int) -> int:
        """Points that the kitty adds to this trick if the card is played (W4), in 1024ths."""
        kitty = self.rules.deck.kitty
        comes = kitty is Kitty.FIRST_TRICK or self.deal.trick_number == self.rules.hand_size
        if kitty is Kitty.FIRST_HEART:
            comes = comes or bool((self.waiting | bit) & HEARTS)
        return self.kitty if comes else 0

    def adds(self, bit: int) -> int:
        """Points that later seats are likely to add to a trick that the card takes, in 1024ths."""
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
        """Mask of the cards that a void seat may discard on the card's suit (T3, T6, T7)."""
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
        """Mask of the cards above the hand's highest in the card's suit."""
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
            takes: the chance that the card itself takes it.
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
        """Bit and seat of the card that wins once this one is played; (0, -1) for none."""
        card = BY_BIT[bit]
        trick = (*self.deal.trick, card)
        place = winning_place(trick, card.suit if self.deal.led is None else self.deal.led)
        if place < 0:
            return 0, -1
        return trick[place].bit, (self.deal.leader + place) % self.rules.players

    def shooter_takes(self) -> int:
        """The chance that the feared seat takes this trick, as far as the cards on it tell."""
        if self.winner in self.shooter.seats:
            return ONE
        if self.deal.led is None:
            return 0
        higher = ABOVE[self.best] if self.best else SUIT_MASKS[self.deal.led]
        later = [seat for seat in self.shooter.seats if seat in self.later]
        return max((ONE - self.odds.none_of(seat, higher) for seat in later), default=0)

    @cached_property
    def shooting(self) -> bool:
        """Whether the hand goes for the moon, and leads or is sure to take the trick."""
        if not shoots(self.deal, self.seat, self.odds.unseen):
            return False
        cards = cards_in(self.legal)
        return self.deal.led is None or any(self.takes(card.bit) == ONE for card in cards)


class CardChoice(Taking):
    """One choice of a card, by the sums of `casual`."""

    guesses = True

    def __init__(self, view: View, weights: Weights) -> None:
        super().__init__(view, weights)
        if self.deal.led is not None and self.dirty and not self.shooter_takes():
            self.shooter = NOBODY  # somebody else gets points, and that ends the moon
        self._moons = MatchMoons(self.rules, view.state.totals)
        self.shooter = self._moons.feared(self.seat, self.shooter)
        self.burden = burden_of(view, self.values, self.odds, weights)
        share = 0 if self.shooter.ours else self.shooter.share
        self._stopper = self.rules.penalty_total * share  # worth of a card that could stop a moon
        side = self.rules.side
        # Totals by seat, with the points that its side has taken in this deal
        points = [self.rules.points_in(taken) for taken in self.deal.taken]
        self._reached = [
            total + sum(points[member] for member in side(seat))
            for seat, total in enumerate(view.state.totals)
        ]

    def play(self) -> Play:
        best = top = 0
        legal = (self.shooting and self._loser_to_lead()) or self.legal
        while legal:
            bit = legal & -legal
            legal ^= bit
            worth = self._shot(bit) if self.shooting else self.worth(bit)
            if not best or worth > top:
                best, top = bit, worth
        return Play(self.seat, BY_BIT[best])

    def worth(self, bit: int) -> int:
        """Worth of playing the card, in 1024ths of a point."""
        fear = self.shooter.share
        relief = self.burden.relief(self.hand, bit) * self.weights.relief >> 10
        worth = relief - (relief * fear >> 10)
        takes = self.takes(bit)
        if takes:
            worth -= takes * self._cost(bit) >> 10
        own = max(0, self.values.get(bit, 0))
        given = ONE - takes
        if self.mates:
            by_mates = self.mates_take(bit, takes)
            worth -= by_mates * self._cost_to_mates(bit) >> 10
            given = max(0, given - by_mates)
        if own and given:
            gift = own * self.weights.gift
            if fear:
                stake = self.rules.penalty_total * fear * self.weights.give >> 10
                theirs = self.shooter_takes()
                gift -= stake * (ONE - theirs if self.shooter.ours else theirs) >> 10
            gift -= self._end_cost(own) * ONE
            worth += gift * given >> 10
        if self._stopper and self._could_stop(bit):
            worth -= self._stopper * (ONE - takes) >> 10
        if self.deal.led is None:
            dear = self.dear_above(bit)
            worth += self.weights.flush * sum(
                cost * self._with_foes(card) >> 10 for cost, card in self.odds.costs if card & dear
            )
            worth += self._lead(bit, takes)
        return worth + self._outlook(bit, takes) + self._promise(bit, takes)

    @cached_property
    def _may_shoot(self) -> bool:
        return may_shoot(self.deal, self.seat)

    @cached_property
    def _shared(self) -> bool:
        """Whether an opponent has taken penalty cards."""
        ours = self.rules.side(self.seat)
        taken = (cards for seat, cards in enumerate(self.deal.taken) if seat not in ours)
        return any(cards & self.rules.penalty_mask for cards in taken)

    def _promise(self, bit: int, takes: int) -> int:
        """Worth of the hope that stays for a moon of one's own, in 1024ths of a point.

        A trick with points that another seat takes ends the hope, a clean one that is lost costs
        half of it; a hand that cannot follow sheds, and hopes for nothing.

        Args:
            takes: the chance that the card takes the trick.
        """
        led, suit = self.deal.led, SUIT_OF[bit]
        follows = bool(suit) and (led is None or suit == SUIT_MASKS[led])
        if not self._may_shoot or not follows:
            return 0
        hopes = hope(self.rules, self.hand & ~bit, self.odds.unseen)
        clean = not self.dirty and self.values.get(bit, 0) <= 0
        lives = takes + ((ONE - takes >> 1) if clean else 0)
        pressed = self.weights.press * takes if led is None else 0
        return (hopes * hopes >> 10) * (self._hoped * lives + pressed) >> 10

    @cached_property
    def _hoped(self) -> int:
        """Points that full hope for a moon is worth in the match."""
        together = self.rules.moon.by is MoonBy.SIDE
        shooters = self.rules.side(self.seat) if together else (self.seat,)
        return self._moons.hoped(self.weights, self.seat, shooters)

    def _lead(self, bit: int, takes: int) -> int:
        """Worth of a lead for the cards that stay in the hand, in 1024ths of a point.

        A hand that may still shoot the moon keeps its dear card. Once an opponent has penalty
        cards, it keeps the cards of suits that nobody else has, which are safe until it leads them,
        and wants no trick that leaves it without a sure exit.

        Args:
            takes: the chance that the card takes the trick.
        """
        weights = self.weights
        if not self._shared:
            return -weights.keep if self._may_shoot and bit & self.burden.dear else 0
        rest, unseen = self.hand & ~bit, self._unseen_after(bit)
        suits = [(rest & suit, unseen & suit) for suit in SUIT_MASKS if rest & suit]
        safe = sum(held.bit_count() for held, hidden in suits if not hidden)
        lows = [(ascending(held)[0], hidden) for held, hidden in suits]
        leaves = any(hidden & ABOVE[low] and not hidden & BELOW[low] for low, hidden in lows)
        return weights.safe * safe - (0 if leaves else takes * weights.caught >> 10)

    def _outlook(self, bit: int, takes: int) -> int:
        """Worth of the cards that stay in the hand for giving the lead away, in 1024ths of a point.

        The lowest card of a suit is an exit as far as unseen cards are above it; with the last few
        cards it is worth less, with the last one nothing. A hand that has the lead and no exit
        takes all the points that are out.

        Args:
            takes: the chance that the card takes the trick.
        """
        weights = self.weights
        rest, unseen = self.hand & ~bit, self._unseen_after(bit)
        more = rest.bit_count() - 1  # leads that may still be given away
        exits = followers = 0
        stuck = ONE if more > 0 else 0  # the chance that every card of the hand keeps the lead
        for suit in SUIT_MASKS:
            held, hidden = rest & suit, unseen & suit
            if held and hidden:
                low, count = ascending(held)[0], hidden.bit_count()
                above = (hidden & ABOVE[low]).bit_count()
                below = (hidden & BELOW[low]).bit_count()
                exits += above * above * ONE // (count * count)
                stuck = min(stuck, below * below * ONE // (count * count))
                followers += count
        comes = followers * ONE // max(1, unseen.bit_count())
        leads = takes + ((ONE - takes) * comes * weights.back >> 20)
        out = self.rules.points_in((unseen | rest) & self.rules.penalty_mask)
        danger = (out * stuck * leads >> 10) * weights.stuck >> 10
        return (exits * (weights.exit * min(more, ENDING) // ENDING) >> 10) - danger

    def _unseen_after(self, bit: int) -> int:
        """Mask of the cards that stay unseen: the last one of the trick's suit has to be played."""
        led = self.deal.led
        hidden = self.odds.unseen & (SUIT_OF[bit] if led is None else SUIT_MASKS[led])
        drawn = hidden if self.later and hidden.bit_count() == 1 else 0
        return self.odds.unseen & ~drawn

    def _cost(self, bit: int) -> int:
        """Cost of taking the trick with the card, in 1024ths of a point."""
        own, adds = self.values.get(bit, 0), self.adds(bit)
        cost = (self.table + own) * ONE + adds + self.kitty_with(bit) + self.weights.lead
        bonus, won, gathered = self.rules.points, self.deal.won, len(self.deal.tricks)
        if bonus.no_tricks and not won[self.seat]:
            cost -= bonus.no_tricks * ONE * gathered // self.rules.hand_size
        return cost - self._stake(self.seat, own, adds)

    def _cost_to_mates(self, bit: int) -> int:
        """Cost to the side if a partner takes the trick after the card (W10), in 1024ths."""
        own = self.values.get(bit, 0)
        adds = self.adds(self.top(bit)[0])
        cost = (self.table + own) * ONE + adds + self.kitty_with(bit)
        return cost - self._stake(min(self.mates), own, adds)

    def _stake(self, taker: int, own: int, adds: int) -> int:
        """Part of a feared moon's cost saved if `taker` takes the trick; lost, if below zero."""
        fear = self.shooter.share
        if not fear:
            return 0
        any_trick = self.rules.moon.moon is MoonRule.OFF
        stopped = ONE if any_trick or self.dirty or own > 0 else min(ONE, adds)
        stake = self.rules.penalty_total * fear * stopped >> 10
        theirs = taker in self.shooter.seats
        return stake if theirs is self.shooter.ours else -stake

    def _end_cost(self, own: int) -> int:
        """Cost of bringing the end of the match nearer, in points.

        The seat that wins so far gets the card's points. Each point that brings it closer than a
        deal's points to the total that ends the match costs one, and the end itself costs a
        deal's points; there is no cost where this seat has the lowest total.

        Args:
            own: the points of the card that is added to the trick.
        """
        if self.winner < 0 or min(self._reached) == self._reached[self.seat]:
            return 0
        reached = self._reached[self.winner] + self.table
        return self._nearness(reached + own) - self._nearness(reached)

    def _nearness(self, total: int) -> int:
        """Nearness of a total to the end of the match: 0 to twice the points of a deal."""
        end, most = self.rules.ending_total, self.rules.penalty_total
        if not end:
            return 0
        return min(most, max(0, total - end + most)) + (most if total >= end else 0)

    def _could_stop(self, bit: int) -> bool:
        """Whether the card could still take a trick from a shooter, and no higher one of the hand.

        It beats an unseen card of its suit, and one unseen card beats it at most.
        """
        unseen = self.odds.unseen
        beaten_by = unseen & (ABOVE[bit] | TWIN[bit])
        stops = beaten_by.bit_count() <= 1 and bool(unseen & BELOW[bit])
        return stops and not self.hand & ABOVE[bit]

    def _shot(self, bit: int) -> int:
        """Worth of a card to a hand that shoots the moon: take every trick, give no points away.

        Of cards alike in that the highest goes first; but the last to play takes with a card
        without which the fewest others are beaten, and with the lowest of those.
        """
        worth = (self.takes(bit) - max(0, self.values.get(bit, 0))) * ONE * ONE
        if self.deal.led is None or self.later:
            return worth + BY_BIT[bit].index
        rest = beaten(self.rules, self.hand & ~bit, self.odds.unseen)
        return worth - sum(number for _, number in rest) * ONE - BY_BIT[bit].index

    def _loser_to_lead(self) -> int:
        """Bit of the loser that a hand which shoots the moon leads first; 0 where it goes last.

        A loser that is likely to keep its trick goes first. A bare one needs no more than some
        chance: no lead draws its suit, and whoever can beat it keeps that card, unless it is a dear
        one to be rid of. A dear loser goes last, and so does one that the moon can do without, as
        the hand's other cards draw all that it needs.
        """
        loser = next(losers(self.deal, self.seat, self.odds.unseen), 0)
        suit, dear, rest = SUIT_OF.get(loser, 0), self.burden.dear, self.hand & ~loser
        if self.deal.led is not None or not loser & self.legal & ~dear or not suit:
            return 0
        if not loser & self.rules.moon_mask and draws(self.rules, rest, self.odds.unseen):
            return 0
        bare = not rest & suit and not self.odds.unseen & ABOVE[loser] & dear
        return loser if self.takes(loser) >= (POSSIBLE if bare else LIKELY) else 0

    def _with_foes(self, bit: int) -> int:
        """Chance that opponents have a hidden card, less the chance that partners do."""
        return ONE - 2 * sum(self.odds.holds(mate, bit) for mate in self.mates)
