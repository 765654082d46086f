"""Deals played out without compiled code, where the kernel cannot play: two packs (W11).

The same worlds-and-margins as `volte.bots.search`, small enough for plain Python: some worlds are
drawn, and in each every candidate is played out by a simple policy: duck, throw the dearest away,
lead low. A deal takes about half a millisecond.
"""

from __future__ import annotations

from random import Random
from typing import Final

import numpy as np

from volte.bots.odds import ABOVE, winning_place
from volte.bots.protocol import Budget, Estimate, Thought, opponents_of
from volte.bots.race import Race, unlike
from volte.bots.reasons import hint
from volte.cards import CARDS, HEARTS, QUEENS, SUIT_MASKS, Card, cards_in
from volte.game import DealState, Play
from volte.rules import Kitty, legal_mask, score
from volte.view import KITTY, View

CLEAR: Final = 1.5
"""Standard errors by which another card must be better than that of `casual`."""

BATCH: Final = 6
"""Worlds between two looks at the clock."""

TRIES: Final = 20
"""How often a world is begun anew where the cards have not found room."""

World = dict[int, int]
"""By seat, and `KITTY`, the mask of what is hidden there."""


def draw_world(view: View, random: Random) -> World | None:
    """A way in which the hidden cards may lie, by the view; None where none has been found.

    Each card goes to a place that it can be in with a chance in proportion to the room there, the
    cards that can be in the fewest places first.
    """
    possible = view.possible
    deal = view.deal
    sizes = dict(enumerate(deal.hand_sizes())) | {KITTY: deal.rules.kitty_size}
    places = {
        card.bit: [place for place, mask in possible.items() if mask & card.bit]
        for card in cards_in(view.unseen)
    }
    for _ in range(TRIES):
        room = {place: sizes[place] for place in possible}
        world = dict.fromkeys(possible, 0)
        bits = list(places)
        random.shuffle(bits)
        bits.sort(key=lambda bit: len(places[bit]))
        for bit in bits:
            weights = [room[place] for place in places[bit]]
            if not any(weights):
                break
            place = random.choices(places[bit], weights)[0]
            room[place] -= 1
            world[place] |= bit
        else:
            return world
    return None


def search_roughly(view: View, budget: Budget, most: int, random: Random) -> Thought | None:
    """The card that does best in some worlds, and what each is expected to come to.

    They are few, so the card that `casual` plays is left only for one that is clearly better.

    Args:
        most: worlds that are looked at, at most.

    None where no world has been found: somebody has broken a rule.
    """
    seat = view.seat
    assert seat is not None
    options = list(unlike(view).values())
    if len(options) == 1:
        return Thought(Play(seat, options[0][0]))
    race = Race(len(options), seat, opponents_of(view.deal.rules, seat))
    while race.worlds < most and not race.settled:
        running = race.running
        count = min(BATCH, most - race.worlds, budget.affords(BATCH * len(running)) // len(running))
        if count < 1 and race.worlds:
            break
        worlds = [draw_world(view, random) for _ in range(max(1, count))]
        found = [world for world in worlds if world is not None]
        if not found:
            return None
        race.add(
            np.array(
                [
                    [Rollout(view.deal, world).play(options[number][0]) for number in running]
                    for world in found
                ],
                np.float64,
            )
        )
        budget.spent = race.simulations
        race.rule_out()
    usual = hint(view).action
    home = next(number for number, cards in enumerate(options) if usual in plays(seat, cards))
    order = race.order
    if not race.is_behind(home, CLEAR):
        order.sort(key=lambda number: number != home)
    estimates = tuple(
        Estimate(play, *map(float, (points, margin, error)))
        for number in order
        for play in plays(seat, options[number])
        for points, margin, error in [
            (race.points[number], race.margins[number], race.errors[number])
        ]
    )
    return Thought(estimates[0].action, estimates, race.worlds, race.simulations)


def plays(seat: int, cards: tuple[Card, ...]) -> tuple[Play, ...]:
    """The action of playing each of those cards."""
    return tuple(Play(seat, card) for card in cards)


class Rollout:
    """A deal in a world, from where it stands to its end."""

    def __init__(self, deal: DealState, world: World) -> None:
        self.rules = deal.rules
        self.players = deal.rules.players
        self.hands = [world.get(seat, hand) for seat, hand in enumerate(deal.hands)]
        self.kitty = world.get(KITTY, deal.kitty)
        self.kitty_taker = deal.kitty_taker
        self.leader, self.turn = deal.leader, deal.turn
        self.trick = list(deal.trick)
        self.suit = deal.led
        self.gathered = len(deal.tricks)
        self.taken, self.won = list(deal.taken), list(deal.won)
        if self.kitty_taker is not None:
            self.taken[self.kitty_taker] |= self.kitty
        self.held = deal.held
        self.broken, self.voided = deal.broken, deal.voided

    def play(self, card: Card) -> tuple[int, ...]:
        """The points of everybody once that card and all others have been played."""
        self._play(card)
        while any(self.hands):
            self._play(self._choose())
        return score(self.rules, self.taken, self.won).points

    def _play(self, card: Card) -> None:
        seat = self.turn
        self.hands[seat] &= ~card.bit
        if self.suit is None:
            self.suit = card.suit
        elif card.suit is not self.suit:
            self.voided |= 1 << seat
        self.broken = self.broken or bool(card.bit & self.rules.breaking_mask)
        self.trick.append(card)
        self.turn = (seat + 1) % self.players
        if len(self.trick) == self.players:
            self._gather()

    def _gather(self) -> None:
        for card in self.trick:
            self.held |= card.bit
        place = winning_place(self.trick, self.suit)
        self.gathered += 1
        last = self.gathered == self.rules.hand_size
        if place < 0 and last:
            place = 0  # the last trick is its leader's where all cancel (W11)
        if place >= 0:
            winner = self.turn = (self.leader + place) % self.players
            self.leader = winner
            self.taken[winner] |= self.held
            self.won[winner] += 1
            self._give_kitty(winner, last)
            self.held = 0
        self.turn = self.leader
        self.trick.clear()
        self.suit = None

    def _give_kitty(self, winner: int, last: bool) -> None:
        if self.kitty_taker is not None or not self.rules.kitty_size:
            return
        kind = self.rules.deck.kitty
        heart = kind is Kitty.FIRST_HEART and self.held & HEARTS
        if last or heart or kind is Kitty.FIRST_TRICK:
            self.kitty_taker = winner
            self.taken[winner] |= self.kitty

    # The policy

    def _choose(self) -> Card:
        hand, rules = self.hands[self.turn], self.rules
        if not hand & hand - 1:
            return CARDS[hand.bit_length() - 1]
        if self.suit is None:
            legal = legal_mask(hand, rules.leader_duties[self.gathered][self.broken])
            return min(cards_in(legal), key=lambda card: (bool(card.bit & QUEENS), card.rank or 0))
        follow = hand & SUIT_MASKS[self.suit]
        if follow:
            return self._follow(follow)
        had = bool(self.voided >> self.turn & 1)
        duties = rules.follower_duties[self.gathered][self.suit][self.broken][had]
        values = rules.values
        cards = cards_in(legal_mask(hand, duties))
        return max(cards, key=lambda card: (values.get(card, 0), card.rank or 0))

    def _follow(self, legal: int) -> Card:
        place = winning_place(self.trick, self.suit)
        cards = cards_in(legal)
        if place >= 0:
            best = self.trick[place].bit
            safe = legal & ~ABOVE[best]
            if safe:
                values = self.rules.values
                return max(cards_in(safe), key=lambda card: (values.get(card, 0), card.rank or 0))
        if len(self.trick) == self.players - 1:
            return max(cards, key=lambda card: (not card.bit & QUEENS, card.rank or 0))
        return min(cards, key=lambda card: (bool(card.bit & QUEENS), card.rank or 0))
