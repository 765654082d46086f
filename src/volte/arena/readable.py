"""Deals and matches in the readable engine, as `volte.kernel.deals` defines them.

The same numbers are drawn from the same generators in the same order: where players have a
compiled twin, outcomes are those of the kernel, bit for bit. The loop is that of `volte.game`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import lru_cache, partial
from typing import Final

import numpy as np

from volte.arena.request import RANDOM, Request
from volte.bots import Bot, BotOwner, Clock, make_bot
from volte.cards import QUEEN, cards_in
from volte.fair import SplitMix64, split
from volte.game import (
    DealCards,
    DealScored,
    Driver,
    Event,
    HouseAction,
    MatchStarted,
    MatchState,
    NameDealer,
    Pass,
    Phase,
    PlainChance,
    Play,
    Player,
    SeatAction,
)
from volte.kernel import OUTCOME, Matches, Records
from volte.kernel.check import check_range
from volte.rules import EndKind, MatchEnd, Ruleset
from volte.view import View

BEYOND: Final = 2**32
"""Streams of a deal or match from here on are drawn by no dealer and no deal."""


def deals(request: Request, numbers: range) -> Records:
    """The outcomes of those deals, as `play_deals` returns them."""
    return np.concatenate([_outcomes(request, number) for number in numbers])


def matches(request: Request, numbers: range) -> Matches:
    """Those matches, as `play_matches` returns them."""
    played = [_outcomes(request, number) for number in numbers]
    points = [outcomes["points"][:, : request.rules.players] for outcomes in played]
    return Matches(
        np.concatenate(played),
        np.array([len(outcomes) for outcomes in played], np.int64),
        np.array([each.sum(axis=0, dtype=np.int64) for each in points]),
    )


def record_of(request: Request, number: int) -> tuple[Event, ...]:
    """The log of deal or match `number` (from 0) of a simulation, for `format_record`.

    A deal is told as a match of that deal, its pass being the first of the cycle. Raises
    `KernelFault` `kernel_range` where the request has no such number.
    """
    check_range("number", number, 0, request.games - 1)
    return tuple(_play(request, number).log)


def _outcomes(request: Request, number: int) -> Records:
    """One row of `OUTCOME` for each deal of that deal or match."""
    scored: list[MatchState] = []

    def listen(state: MatchState, events: Sequence[Event]) -> None:
        if any(isinstance(event, DealScored) for event in events):
            scored.append(state)

    _play(request, number, listen)
    outcomes = np.zeros(len(scored), OUTCOME)
    for outcome, state in zip(outcomes, scored, strict=True):
        _put_outcome(outcome, state)
    return outcomes


def _put_outcome(outcome: np.void, state: MatchState) -> None:
    deal, score = state.deal, state.deals[-1]
    assert deal is not None
    players = deal.rules.players
    queen = [seat for seat in range(players) if deal.captured(seat) & QUEEN.bit]
    outcome["points"][:players] = score.points
    outcome["moon"] = -1 if score.moon is None else score.moon
    outcome["slam"] = -1 if score.slam is None else score.slam
    outcome["queen"] = queen[0] if queen else -1
    outcome["dealer"] = deal.dealer
    outcome["step"] = deal.direction.target(0, players)


Listener = Callable[[MatchState, Sequence[Event]], None]


def _play(request: Request, number: int, listener: Listener | None = None) -> Driver:
    """That deal or match, played to its end."""
    seed = split(request.seed, number)
    if request.whole_matches:
        rules = request.rules
        house = _House(SplitMix64(split(seed, 0)).below(rules.players), partial(split, seed), seed)
    else:
        rules = _rules_of_deal(request.rules, number % max(1, len(request.rules.passing.cycle)))
        house = _House(number % rules.players, lambda _: seed, seed)
    players, owners = [], []
    for seat, level in enumerate(request.seats):
        players.append(Player(f"{level} {seat + 1}", level=level))
        owners.append(BotOwner(_bot(level, house, split(seed, BEYOND + seat)), seat))
    driver = Driver([MatchStarted(rules, tuple(players))], owners, house, listener)
    driver.run()
    return driver


@lru_cache(maxsize=256)
def _rules_of_deal(rules: Ruleset, turn: int) -> Ruleset:
    """The rules of a match of one deal, which is passed as deal `turn + 1` would be."""
    cycle = rules.passing.cycle
    return replace(
        rules,
        passing=replace(rules.passing, cycle=cycle[turn:] + cycle[:turn]),
        ending=replace(rules.ending, match_end=MatchEnd(EndKind.DEALS, 1)),
    )


class _House:
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


def _bot(level: str, house: _House, seed: int) -> Bot:
    return _Drawing(house) if level == RANDOM else make_bot(level, seed)


class _Drawing:
    """The twin of the kernel's random player.

    It draws from the deal's generator, among cards in canonical order; a pass card by card.
    """

    def __init__(self, house: _House) -> None:
        self._house = house

    def choose(self, view: View, clock: Clock) -> SeatAction:
        assert view.seat is not None
        draws = self._house.draws
        if view.state.phase is Phase.PASSING:
            hand = list(cards_in(view.hand.mask))
            count = view.deal.rules.passing.count
            return Pass(view.seat, tuple(hand.pop(draws.below(len(hand))) for _ in range(count)))
        return Play(view.seat, draws.choice(cards_in(view.legal.mask)))
