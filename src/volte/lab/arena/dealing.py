"""How cards are dealt in simulations and duels: deal `i` of a seed is the same everywhere."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import lru_cache, partial
from typing import Final, NamedTuple

from volte.bots import Bot, Clock, chosen_moon, make_bot
from volte.bots.levels import FOR_POINTS
from volte.cards import cards_in
from volte.fair import SplitMix64, split
from volte.game import (
    DealCards,
    HouseAction,
    MatchState,
    NameDealer,
    Pass,
    Phase,
    PlainChance,
    Play,
    SeatAction,
)
from volte.rules import Ending, EndKind, MatchEnd, Ruleset
from volte.view import View

RANDOM: Final = "random"
"""Every legal card, and every pass, is equally likely."""

BEYOND: Final = 2**32
"""Streams of a deal or match from here on are drawn by no dealer and no deal."""


class House:
    """Deals from a generator of its own for each deal, which the random players draw on from.

    Args:
        dealer: of the first deal.
        stream: the seed of a deal's generator, by the number of the deal, from 1.
        seed: for the lots that stakes need; they change nothing else.
    """

    def __init__(self, dealer: int, stream: Callable[[int], int], seed: int) -> None:
        self.draws = SplitMix64(seed)
        self._dealer = dealer
        self._stream = stream
        self._lots = PlainChance(split(seed, BEYOND - 1))

    def act(self, state: MatchState) -> HouseAction | None:
        if state.phase is Phase.DRAWING:
            return NameDealer(self._dealer)
        if state.phase is not Phase.DEALING:
            return self._lots.act(state)
        self.draws = SplitMix64(self._stream(len(state.deals) + 1))
        deck = state.rules.cards
        return DealCards(tuple(deck[place] for place in self.draws.permutation(len(deck))))


class Table(NamedTuple):
    """A deal or match that waits for its players.

    Attributes:
        rules: those of a match of one deal, where deals stand alone.
        house: who deals.
        seed: of this deal or match.
        alone: whether it is a deal that belongs to no match, of which points are all that counts.
    """

    rules: Ruleset
    house: House
    seed: int
    alone: bool

    def bot(self, level: str, seat: int) -> Bot:
        """The bot of that level for a seat; the same whoever sits elsewhere."""
        if level == RANDOM:
            return Drawing(self.house)
        played = FOR_POINTS.get(level, level) if self.alone else level
        return make_bot(played, self.seed_of(seat))

    def seed_of(self, seat: int) -> int:
        """What the player of a seat may draw from."""
        return split(self.seed, BEYOND + seat)


def table_of(rules: Ruleset, seed: int, number: int, whole_matches: bool) -> Table:
    """Deal or match `number` (from 0) of a seed, as `volte.kernel.deals` defines them."""
    seed = split(seed, number)
    if whole_matches:
        dealer = SplitMix64(split(seed, 0)).below(rules.players)
        return Table(rules, House(dealer, partial(split, seed), seed), seed, alone=False)
    rules_of_deal = _rules_of_deal(rules, number % max(1, len(rules.passing.cycle)), rules.preset)
    house = House(number % rules.players, lambda _: seed, seed)
    return Table(rules_of_deal, house, seed, alone=True)


@lru_cache(maxsize=256)
def _rules_of_deal(rules: Ruleset, turn: int, preset: str) -> Ruleset:
    """The rules of a match of one deal, which is passed as deal `turn + 1` would be.

    Args:
        preset: that of the rules, since equal ones may have been chosen by another.
    """
    cycle = rules.passing.cycle
    return replace(
        rules,
        passing=replace(rules.passing, cycle=cycle[turn:] + cycle[:turn]),
        ending=Ending(MatchEnd(EndKind.DEALS, 1)),  # shared, or a tie would be played on
        preset=preset,
    )


class Drawing:
    """The twin of the kernel's random player.

    It draws from the deal's generator, among cards in canonical order; a pass card by card.
    """

    def __init__(self, house: House) -> None:
        self._house = house

    def choose(self, view: View, clock: Clock) -> SeatAction:
        assert view.seat is not None
        asked = chosen_moon(view)
        if asked is not None:
            return asked
        draws = self._house.draws
        if view.state.phase is Phase.PASSING:
            hand = list(cards_in(view.hand.mask))
            count = view.deal.pass_size
            return Pass(view.seat, tuple(hand.pop(draws.below(len(hand))) for _ in range(count)))
        return Play(view.seat, draws.choice(cards_in(view.legal.mask)))
