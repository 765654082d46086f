"""Deals and matches of a seed, as `volte.kernel.deals` numbers them, in the readable engine."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Final, NamedTuple

from volte import game
from volte.bots import Bot, make_bot
from volte.bots.levels import FOR_POINTS, SimpleBot
from volte.cards import Card, cards_in
from volte.fair import SplitMix64, split
from volte.rules import Ending, EndKind, MatchEnd, Ruleset
from volte.view import View

RANDOM: Final = "random"
"""Name of the player for whom every legal card, and every pass, is equally likely."""

BEYOND: Final = 2**32
"""First stream of a deal or match that no dealer and no deal draws from."""


@dataclass
class SeededHouse:
    """A house that deals from one generator per deal, which the random players draw on from."""

    dealer: int  # of the first deal
    seed: int  # of the deal or match; lots are drawn from it without changing anything else
    match: bool  # whether each deal has a stream of the seed; a lone deal has all of it
    deck: tuple[Card, ...] = ()  # of the first deal, unless it is left to chance

    def __post_init__(self) -> None:
        self.draws = SplitMix64(self.seed)
        self._lots = game.PlainChance(split(self.seed, BEYOND - 1))

    def act(self, state: game.MatchState) -> game.HouseAction | None:
        if state.phase is game.Phase.DRAWING:
            return game.NameDealer(self.dealer)
        if state.phase is not game.Phase.DEALING:
            return self._lots.act(state)
        number, cards = len(state.deals) + 1, state.rules.cards
        self.draws = SplitMix64(split(self.seed, number) if self.match else self.seed)
        deck = tuple(cards[place] for place in self.draws.permutation(len(cards)))
        return game.DealCards(self.deck if self.deck and number == 1 else deck)


class SeededTable(NamedTuple):
    """A deal or match that waits for its players."""

    rules: Ruleset  # for lone deals, the rules of a match of one deal
    house: SeededHouse  # dealer and lots
    seed: int  # of this deal or match
    # whether it is a deal of no match, in which only points count
    alone: bool

    def bot(self, level: str, seat: int) -> Bot:
        """The bot of that level for a seat, whoever sits elsewhere."""
        if level == RANDOM:
            return Drawing(self.house)
        played = FOR_POINTS.get(level, level) if self.alone else level
        # The compiled twin of `casual` has one seed for all deals.
        return make_bot(played, 0 if played == "casual" else self.seed_of(seat))

    def seed_of(self, seat: int) -> int:
        """The seed for the player of a seat."""
        return split(self.seed, BEYOND + seat)


def table_of(
    rules: Ruleset, seed: int, number: int, whole_matches: bool, deck: tuple[Card, ...] = ()
) -> SeededTable:
    """Deal or match `number` (from 0) of a seed.

    Args:
        deck: of its first deal, unless it is left to chance.
    """
    seed, dealer = split(seed, number), number % rules.players
    if whole_matches:
        dealer = SplitMix64(split(seed, 0)).below(rules.players)
    else:
        turn = number % max(1, len(rules.passing.cycle))
        rules = _rules_of_deal(rules, turn, rules.preset, rules.name)
    house = SeededHouse(dealer, seed, whole_matches, deck)
    return SeededTable(rules, house, seed, alone=not whole_matches)


@lru_cache(maxsize=256)
def _rules_of_deal(rules: Ruleset, turn: int, preset: str, name: str) -> Ruleset:
    """The rules of a match of one deal, with the pass of deal `turn + 1`.

    Args:
        preset, name: of the rules; they are part of the key, since equal rules may differ in them.
    """
    cycle = rules.passing.cycle
    return replace(
        rules,
        passing=replace(rules.passing, cycle=cycle[turn:] + cycle[:turn]),
        ending=Ending(MatchEnd(EndKind.DEALS, 1)),  # shared, or a tie would be played on
        preset=preset,
        name=name,
    )


class Drawing(SimpleBot):
    """The twin of the kernel's random player.

    It draws from the deal's generator, among cards in canonical order; a pass card by card.
    """

    def __init__(self, house: SeededHouse) -> None:
        self._house = house

    def _passed(self, view: View) -> list[Card]:
        hand, draws = list(cards_in(view.hand.mask)), self._house.draws
        return [hand.pop(draws.below(len(hand))) for _ in range(view.deal.pass_size)]

    def _played(self, view: View) -> Card:
        return self._house.draws.choice(cards_in(view.legal.mask))
