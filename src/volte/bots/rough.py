"""Search in plain Python, where compiled code is not installed or cannot play: two packs (W11).

It uses worlds and margins as `volte.bots.search` does, on a smaller scale: some worlds are drawn,
and in each every candidate is played out by a simple policy: duck, discard the dearest card, lead
low. A deal takes a tenth of a millisecond, of two packs a sixth.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import sqrt
from random import Random
from statistics import fmean
from typing import Final

from msgspec.structs import replace

from volte.bots.candidates import ALIKE, CARE, unlike
from volte.bots.casual import Casual
from volte.bots.odds import ABOVE, SUIT_OF, TWIN, height
from volte.bots.protocol import Budget, Clock, Estimate, Thought, moon_thought, opponents_of
from volte.bots.reasons import hint
from volte.cards import HEARTS, QUEENS, SUIT_MASKS, Card, Suit, cards_in, mask_of
from volte.fair import read_seed, split
from volte.game import DealState, Phase, Play, SeatAction
from volte.referee import RefereedDeal
from volte.rules import Kitty, Ruleset, legal_mask, score
from volte.view import KITTY, View

MILLISECONDS: Final = 400
"""Time limit where the clock sets none."""

WORLDS: Final = 120
"""Most worlds that candidates are played in."""

CLEAR: Final = 1.5
"""Standard errors by which another card must be better than the choice of `casual`."""

BATCH: Final = 6
"""Worlds between two looks at the clock."""

TRIES: Final = 20
"""Number of attempts at drawing a world where cards find no room."""

SUIT_NUMBER: Final = {SUIT_MASKS[suit]: suit for suit in Suit}

World = dict[int, int]
"""Mask of the hidden cards by seat, and by `KITTY`."""


class RoughSearch:
    """A bot that searches in plain Python, for plays only: it passes as `casual` does.

    It also plays as `casual` where no world agrees with the plays, as a rule has been broken, while
    a card lies on the table before its turn (I2), and where one is missing (I8).
    """

    def __init__(self, seed: int = 0, worlds: int = WORLDS) -> None:
        """
        Args:
            worlds: most worlds that candidates are played in.
        """
        self._seed = read_seed(seed)
        self._worlds = worlds
        self._casual = Casual()

    def choose(self, view: View, clock: Clock) -> SeatAction:
        return self.think(view, clock).action

    def think(self, view: View, clock: Clock) -> Thought:
        """Return the choice, with an estimate of each candidate."""
        moon = moon_thought(view)
        if moon is not None:
            return moon
        if clock.milliseconds is None and clock.simulations is None:
            clock = replace(clock, milliseconds=MILLISECONDS)
        budget = Budget(clock)
        deal, thought = view.deal, None
        amiss = isinstance(deal, RefereedDeal) and (deal.waiting or deal.short)
        if view.state.phase is Phase.PLAYING and not amiss:
            thought = self._search(view, budget)
        thought = thought or Thought(self._casual.choose(view, clock))
        return replace(thought, milliseconds=budget.milliseconds)

    def _search(self, view: View, budget: Budget) -> Thought | None:
        """Return the card that does best in some worlds, with an estimate of each.

        Worlds are few, so the choice of `casual` gives way only to a card that is clearly better.
        None where no world is found, as a rule has been broken.
        """
        seat = view.seat
        options = list(unlike(view).values())
        if len(options) == 1:
            return Thought(Play(seat, options[0][0]))
        random = Random(split(split(self._seed, seat), view.state.version))
        worlds, policy = RoughWorlds(view), RolloutPolicy(view.deal.rules)
        race = SmallRace(len(options), seat, opponents_of(view.deal.rules, seat))
        while race.worlds < self._worlds and not race.settled:
            running = len(race.running)
            count = min(BATCH, self._worlds - race.worlds)
            count = min(count, budget.affords(BATCH * running) // running)
            if count < 1 and race.worlds:
                break
            for _ in range(max(1, count)):
                world = worlds.draw(random)
                if world is None:
                    return None
                race.add(
                    Rollout(view.deal, world, policy).play(options[number][0])
                    for number in race.running
                )
            budget.spent = race.simulations
            race.rule_out()
        usual = hint(view).action
        home = next(number for number, cards in enumerate(options) if usual in plays(seat, cards))
        order = race.order
        if not race.is_behind(home, CLEAR):
            order.sort(key=lambda number: number != home)
        estimates = tuple(
            Estimate(play, fmean(race.points[number]), *mean_and_error(race.margins[number]))
            for number in order
            for play in plays(seat, options[number])
        )
        return Thought(estimates[0].action, estimates, race.worlds, race.simulations)


class RoughWorlds:
    """Worlds of a view: possible deals of its hidden cards."""

    def __init__(self, view: View) -> None:
        possible, deal = view.possible, view.deal
        sizes = dict(enumerate(deal.hand_sizes())) | {KITTY: deal.rules.kitty_size}
        self._room = {place: sizes[place] for place in possible}
        places = (
            (card.bit, [place for place, mask in possible.items() if mask & card.bit])
            for card in cards_in(view.unseen)
        )
        self._places = sorted(places, key=lambda each: len(each[1]))

    def draw(self, random: Random) -> World | None:
        """Draw a world; None where none has been found.

        Each card goes to a possible place with a chance in proportion to the room there, cards with
        the fewest places first.
        """
        for _ in range(TRIES):
            world = self._try(random)
            if world is not None:
                return world
        return None

    def _try(self, random: Random) -> World | None:
        room, world = self._room.copy(), dict.fromkeys(self._room, 0)
        for bit, places in self._places:
            drawn = random.random() * sum([room[place] for place in places])
            for place in places:
                drawn -= room[place]
                if drawn < 0:
                    room[place] -= 1
                    world[place] |= bit
                    break
            else:
                return None
        return world


def plays(seat: int, cards: tuple[Card, ...]) -> tuple[Play, ...]:
    """Return the plays of the cards."""
    return tuple(Play(seat, card) for card in cards)


class SmallRace:
    """Comparison of candidates in the same worlds; `volte.bots.race` does it for many more."""

    def __init__(self, candidates: int, seat: int, opponents: Sequence[int]) -> None:
        """
        Args:
            opponents: seats whose mean points are subtracted.
        """
        self.running = list(range(candidates))  # candidates that are not ruled out
        self.worlds = 0  # number of worlds in which these have been played
        self.simulations = 0  # number of deals played out
        # By candidate and world: the seat's points, and its margin
        self.points: list[list[int]] = [[] for _ in range(candidates)]
        self.margins: list[list[float]] = [[] for _ in range(candidates)]
        self._seat = seat
        self._opponents = opponents

    def add(self, results: Iterable[Sequence[int]]) -> None:
        """Add the points of every seat in one more world, for each running candidate."""
        for number, points in zip(self.running, results, strict=True):
            own = points[self._seat]
            others = sum(points[seat] for seat in self._opponents)
            self.points[number].append(own)
            self.margins[number].append(own - others / len(self._opponents))
        self.worlds += 1
        self.simulations += len(self.running)

    def rule_out(self) -> None:
        """Stop candidates that are surely worse than the best so far."""
        if self.worlds >= CARE.worlds:
            self.running = [each for each in self.running if not self.is_behind(each, CARE.errors)]

    @property
    def settled(self) -> bool:
        """Whether more worlds could hardly change the choice by an amount that matters."""
        if self.worlds < CARE.worlds:
            return False
        found = [self._behind(number) for number in self.running]
        return all(behind + CARE.errors * error <= ALIKE for behind, error in found)

    def is_behind(self, candidate: int, errors: float) -> bool:
        """Whether a candidate is worse than the best by more than `errors` standard errors."""
        if candidate not in self.running:
            return True
        behind, error = self._behind(candidate)
        return behind > errors * error

    @property
    def order(self) -> list[int]:
        """Candidates, the running ones first, each part from the best on."""
        numbers = range(len(self.margins))
        return sorted(
            numbers, key=lambda number: (number not in self.running, fmean(self.margins[number]))
        )

    def _behind(self, candidate: int) -> tuple[float, float]:
        """Cost of a running candidate beyond the best, and its standard error."""
        best = min(self.running, key=lambda number: sum(self.margins[number]))
        pairs = zip(self.margins[candidate], self.margins[best], strict=True)
        return mean_and_error([one - other for one, other in pairs])


def mean_and_error(values: Sequence[float]) -> tuple[float, float]:
    """Return the mean, and its standard error.

    >>> mean_and_error([1, 3])
    (2.0, 0.7071067811865476)
    """
    mean = fmean(values)
    square = fmean([value * value for value in values]) - mean * mean
    return mean, sqrt(max(square, 0.0) / len(values))


# Deals played out


class First(dict[int, int]):
    """Lookup, by mask, of the bit of the card that comes first in an order."""

    def __init__(self, order: Sequence[Card]) -> None:
        self._order = [card.bit for card in order]

    def __missing__(self, mask: int) -> int:
        for bit in self._order:
            if bit & mask:
                self[mask] = bit
                return bit
        raise KeyError(mask)


class RolloutPolicy:
    """Policy of all seats in deals that are played out."""

    def __init__(self, rules: Ruleset) -> None:
        cards, values = rules.cards, rules.values

        def rank(card: Card) -> int:
            return card.rank or 0

        self.lowest = First(sorted(cards, key=lambda card: (card.bit & QUEENS > 0, rank(card))))
        self.highest = First(sorted(cards, key=lambda card: (card.bit & QUEENS > 0, -rank(card))))
        self.dearest = First(sorted(cards, key=lambda card: (-values.get(card, 0), -rank(card))))
        self.leading = rules.leader_duties
        self.discarding = rules.follower_duties


class Rollout:
    """A deal in a world, played from where it stands to its end. Cards are bits, suits masks."""

    def __init__(self, deal: DealState, world: World, policy: RolloutPolicy) -> None:
        self.rules = deal.rules
        self.policy = policy
        self.hands = [world.get(seat, hand) for seat, hand in enumerate(deal.hands)]
        self.kitty = world.get(KITTY, deal.kitty)
        self.kitty_taker = deal.kitty_taker
        self.leader, self.turn = deal.leader, deal.turn
        self.trick = [card.bit for card in deal.trick]
        self.table = mask_of(deal.trick)
        self.led = 0 if deal.led is None else SUIT_MASKS[deal.led]
        self.gathered = len(deal.tricks)
        self.taken, self.won = list(deal.taken), list(deal.won)
        if self.kitty_taker is not None:
            self.taken[self.kitty_taker] |= self.kitty
        self.held = deal.held
        self.broken, self.voided = deal.broken, deal.voided

    def play(self, card: Card) -> tuple[int, ...]:
        """Return the points of all seats once the card and all others have been played."""
        policy, hands, trick = self.policy, self.hands, self.trick  # a search is mostly this loop
        players, breaking = self.rules.players, self.rules.breaking_mask
        turn, led, table = self.turn, self.led, self.table
        broken, voided = self.broken, self.voided
        higher, winner = self._winning(led, table)
        bit = card.bit
        while bit:
            suit = SUIT_OF[bit]
            hands[turn] ^= bit
            trick.append(bit)
            table |= bit
            if not led:
                led = higher = suit
            if suit != led:
                voided |= 1 << turn
            elif TWIN[bit] & table:
                higher, winner = self._winning(led, table)
            elif bit & higher:
                higher, winner = ABOVE[bit], turn
            if bit & breaking:
                broken = True
            if len(trick) < players:
                turn = (turn + 1) % players
            else:
                turn = self._gather(table, winner)
                trick.clear()
                led = table = higher = 0
                winner = -1
            hand = hands[turn]
            if not hand & hand - 1:
                bit = hand
            elif not led:
                bit = policy.lowest[legal_mask(hand, policy.leading[self.gathered][broken])]
            elif follow := hand & led:
                if safe := follow & ~higher:
                    bit = policy.dearest[safe]
                elif len(trick) == players - 1:
                    bit = policy.highest[follow]
                else:
                    bit = policy.lowest[follow]
            else:
                duties = policy.discarding[self.gathered][SUIT_NUMBER[led]][broken]
                bit = policy.dearest[legal_mask(hand, duties[voided >> turn & 1])]
        return score(self.rules, self.taken, self.won).points

    def _winning(self, led: int, table: int) -> tuple[int, int]:
        """Cards that would win the trick as it stands, and the seat that wins it; -1 for none."""
        alone = [bit for bit in self.trick if bit & led and not TWIN[bit] & table]
        best = max(alone, key=height, default=0)
        if not best:
            return led, -1
        return ABOVE[best], (self.leader + self.trick.index(best)) % self.rules.players

    def _gather(self, table: int, winner: int) -> int:
        """Gather the trick, and return the seat that leads the next one."""
        self.held |= table
        self.gathered += 1
        last = self.gathered == self.rules.hand_size
        if winner < 0 and last:
            winner = self.leader  # the leader takes the last trick where all cancel (W11)
        if winner >= 0:
            self.leader = winner
            self.taken[winner] |= self.held
            self.won[winner] += 1
            if self.kitty and self.kitty_taker is None:
                self._give_kitty(last)
            self.held = 0
        return self.leader

    def _give_kitty(self, last: bool) -> None:
        kind = self.rules.deck.kitty
        heart = kind is Kitty.FIRST_HEART and self.held & HEARTS
        if last or heart or kind is Kitty.FIRST_TRICK:
            self.kitty_taker = self.leader
            self.taken[self.leader] |= self.kitty
