"""Episodes that follow each other: the deals, or the matches, of a seed."""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

from volte.bots import LEVELS, Bot, Drifter, make_bot
from volte.cards import CARDS, Card, Fault
from volte.fair import SplitMix64, read_seed, split
from volte.game import DealCards, HouseAction, MatchState, NameDealer, Phase, PlainChance
from volte.lab.env.episode import EnvFault, Episode
from volte.rules import Ending, EndKind, MatchEnd, Ruleset

RANDOM: Final = "random"
"""What a bot is called that plays any legal card."""

_BOTS: Final = 2**32
"""The stream of an episode that seeds the bot of seat 0: above those of all its deals."""


class Series:
    """The episodes of a table, one after the other.

    Deal number `i` of a seed, from 0, is that of `volte.kernel.play_deals`: dealt by seat
    `i % players`, and passed as deal `i + 1` of a match would be. Match number `m` is that of
    `play_matches`.

    Args:
        match: whether an episode is a whole match, rather than one deal.
        bots: a level, or a bot, by seat. Raises `Fault` `no_such_level`.
    """

    def __init__(self, rules: Ruleset, match: bool, bots: Mapping[int, str | Bot]) -> None:
        self._rules = [rules] if match else lone_deals(rules)
        self._match = match
        self._bots = bots
        for bot in bots.values():
            made(bot, 0)
        self._seed = secrets.randbits(64)
        self._index = -1

    def next(self, seed: int | None = None, deck: Sequence[int] = ()) -> Episode:
        """The next episode; the first one of the seed, where one is given.

        Args:
            seed: 0 to 2**64 - 1.
            deck: the cards of its first deal, in the order in which they are dealt.

        Raises `EnvFault` `env_deck`, and `Fault` `not_a_seed`.
        """
        seed, index = (self._seed, self._index + 1) if seed is None else (read_seed(seed), 0)
        rules = self._rules[index % len(self._rules)]
        own = split(seed, index)
        dealer = index % rules.players
        if self._match:
            dealer = SplitMix64(split(own, 0)).below(rules.players)
        chance = SeriesChance(dealer, own, self._match, read_deck(rules, deck))
        bots = {seat: made(bot, split(own, _BOTS + seat)) for seat, bot in self._bots.items()}
        self._seed, self._index = seed, index
        return Episode(rules, chance, bots)


class SeriesChance:
    """The house of one episode.

    Args:
        dealer: of the first deal.
        seed: of the episode.
        match: whether each deal has a stream of the seed; a lone deal has it all.
        deck: of the first deal, where it is not left to chance.
    """

    def __init__(self, dealer: int, seed: int, match: bool, deck: tuple[Card, ...]) -> None:
        self._dealer = dealer
        self._seed = seed
        self._match = match
        self._deck = deck
        self._plain = PlainChance(seed)

    def act(self, state: MatchState) -> HouseAction | None:
        if state.phase is Phase.DRAWING:
            return NameDealer(self._dealer)
        if state.phase is Phase.DEALING:
            number = len(state.deals) + 1
            if number == 1 and self._deck:
                return DealCards(self._deck)
            if self._match:
                self._plain = PlainChance(split(self._seed, number))
        return self._plain.act(state)


def lone_deals(rules: Ruleset) -> list[Ruleset]:
    """The rules of matches of one deal, the first passed as deal 1, and so on round the cycle."""
    cycle = rules.passing.cycle
    return [
        replace(
            rules,
            passing=replace(rules.passing, cycle=cycle[start:] + cycle[:start]),
            ending=Ending(MatchEnd(EndKind.DEALS, 1)),
        )
        for start in range(max(1, len(cycle)))
    ]


def read_deck(rules: Ruleset, deck: Sequence[int]) -> tuple[Card, ...]:
    """The cards of those indices. Raises `EnvFault` `env_deck`."""
    if len(deck) and sorted(deck) != [card.index for card in rules.cards]:
        raise EnvFault("env_deck", count=len(rules.cards))
    return tuple(CARDS[index] for index in deck)


def made(bot: str | Bot, seed: int) -> Bot:
    """The bot itself, or one of that level. Raises `Fault` `no_such_level`."""
    if not isinstance(bot, str):
        return bot
    if bot == RANDOM:
        return Drifter(seed)
    if bot not in LEVELS:
        raise Fault("no_such_level", level=bot, levels=(RANDOM, *LEVELS))
    return make_bot(bot, seed)
