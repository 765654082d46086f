"""Deals and matches in the readable engine, as `volte.kernel.deals` defines them.

The same numbers are drawn from the same generators in the same order: where players have a
compiled twin, outcomes are those of the kernel, bit for bit. The loop is that of `volte.game`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import lru_cache, partial
from typing import Final, NamedTuple

import numpy as np

from volte import game
from volte.bots import Bot, BotOwner, make_bot
from volte.bots.levels import FOR_POINTS, SimpleBot
from volte.cards import QUEEN, Card, cards_in
from volte.fair import SplitMix64, split
from volte.game.driver import Owner
from volte.kernel import OUTCOME, Matches, Records
from volte.kernel.encoding import check_range, step
from volte.kernel.layout import MOST_SEATS
from volte.lab.arena.request import RANDOM, Request
from volte.referee import ENGINE, Event
from volte.rules import Ending, EndKind, MatchEnd, Ruleset, Score, totals
from volte.view import View

WIDER: Final = {"points": np.dtype((np.int32, 10)), "trickless": np.dtype(np.uint16)}

WIDE: Final = np.dtype(
    [*((name, OUTCOME[name]) for name in OUTCOME.names or () if name not in WIDER), *WIDER.items()]
)
"""`OUTCOME` with room for the ten seats of two packs (W11); its queen is that of the first pack."""


def deals(request: Request, numbers: range) -> Records:
    """The outcomes of those deals, as `play_deals` returns them."""
    return np.concatenate([_outcomes(request, number) for number in numbers])


def matches(request: Request, numbers: range) -> Matches:
    """Those matches, as `play_matches` returns them."""
    return as_matches([_outcomes(request, number) for number in numbers], request.rules)


def as_matches(played: Sequence[Records], rules: Ruleset) -> Matches:
    """Matches as `play_matches` returns them, from the outcomes of the deals of each."""
    points = [outcomes["points"][:, : rules.players].tolist() for outcomes in played]
    return Matches(
        np.concatenate(played),
        np.array([len(outcomes) for outcomes in played], np.int64),
        np.array([totals(rules, [Score(tuple(row)) for row in each]) for each in points], np.int64),
    )


def record_of(request: Request, number: int) -> tuple[Event, ...]:
    """The log of deal or match `number` (from 0) of a simulation, for `format_record`.

    A deal is told as a match of that deal, its pass being the first of the cycle. Raises
    `KernelFault` `kernel_range` where the request has no such number.
    """
    check_range("number", number, 0, request.games - 1)
    return tuple(_play(request, number).log)


Listener = Callable[[game.MatchState, Sequence[Event]], None]


def _outcomes(request: Request, number: int) -> Records:
    """One row of `OUTCOME` for each deal of that deal or match."""
    return outcomes_of(lambda listener: _play(request, number, listener))


def outcomes_of(play: Callable[[Listener], object]) -> Records:
    """One row of `OUTCOME`, or of `WIDE`, for each deal that is scored while `play` tells."""
    scored: list[game.MatchState] = []

    def listen(state: game.MatchState, events: Sequence[Event]) -> None:
        if any(isinstance(event, game.DealScored) for event in events):
            scored.append(state)

    play(listen)
    seats = scored[0].rules.players if scored else 0
    outcomes = np.zeros(len(scored), OUTCOME if seats <= MOST_SEATS else WIDE)
    for outcome, state in zip(outcomes, scored, strict=True):
        _put_outcome(outcome, state)
    return outcomes


def _put_outcome(outcome: np.void, state: game.MatchState) -> None:
    deal, score = state.deal, state.deals[-1]
    assert deal is not None
    players = deal.rules.players
    queen = [seat for seat in range(players) if deal.captured(seat) & QUEEN.bit]
    outcome["points"][:players] = score.points
    outcome["moon"] = -1 if score.moon is None else score.moon
    outcome["slam"] = -1 if score.slam is None else score.slam
    outcome["queen"] = queen[0] if queen else -1
    outcome["dealer"] = deal.dealer
    outcome["step"] = step(deal.direction, players)
    outcome["minus"] = score.minus
    outcome["trickless"] = sum(1 << seat for seat in score.trickless)


def _play(request: Request, number: int, listener: Listener | None = None) -> game.Driver:
    table = table_of(request.rules, request.seed, number, request.whole_matches)
    owners = [BotOwner(table.bot(level, seat), seat) for seat, level in enumerate(request.seats)]
    return run_at(table, request.seats, owners, listener)


def run_at(
    table: SeededTable,
    levels: Sequence[str],
    owners: Sequence[Owner],
    listener: Listener | None = None,
) -> game.Driver:
    """The deal or match of that table, played to its end."""
    players = tuple(
        game.Player(f"{level} {seat}", level=level) for seat, level in enumerate(levels, start=1)
    )
    driver = game.Driver(
        [game.MatchStarted(table.rules, players)], owners, table.house, listener, ENGINE
    )
    driver.run()
    return driver


BEYOND: Final = 2**32
"""Streams of a deal or match from here on are drawn by no dealer and no deal."""


class SeededHouse:
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
        self._lots = game.PlainChance(split(seed, BEYOND - 1))

    def act(self, state: game.MatchState) -> game.HouseAction | None:
        if state.phase is game.Phase.DRAWING:
            return game.NameDealer(self._dealer)
        if state.phase is not game.Phase.DEALING:
            return self._lots.act(state)
        self.draws = SplitMix64(self._stream(len(state.deals) + 1))
        deck = state.rules.cards
        return game.DealCards(tuple(deck[place] for place in self.draws.permutation(len(deck))))


class SeededTable(NamedTuple):
    """A deal or match that waits for its players."""

    rules: Ruleset  # those of a match of one deal, where deals stand alone
    house: SeededHouse  # who deals
    seed: int  # of this deal or match
    # whether it is a deal that belongs to no match, of which points are all that counts
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


def table_of(rules: Ruleset, seed: int, number: int, whole_matches: bool) -> SeededTable:
    """Deal or match `number` (from 0) of a seed, as `volte.kernel.deals` defines them."""
    seed = split(seed, number)
    if whole_matches:
        dealer = SplitMix64(split(seed, 0)).below(rules.players)
        return SeededTable(
            rules, SeededHouse(dealer, partial(split, seed), seed), seed, alone=False
        )
    rules_of_deal = _rules_of_deal(rules, number % max(1, len(rules.passing.cycle)), rules.preset)
    house = SeededHouse(number % rules.players, lambda _: seed, seed)
    return SeededTable(rules_of_deal, house, seed, alone=True)


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


class Drawing(SimpleBot):
    """The twin of the kernel's random player.

    It draws from the deal's generator, among cards in canonical order; a pass card by card.
    """

    def __init__(self, house: SeededHouse) -> None:
        self._house = house

    def passed(self, view: View) -> list[Card]:
        hand, draws = list(cards_in(view.hand.mask)), self._house.draws
        return [hand.pop(draws.below(len(hand))) for _ in range(view.deal.pass_size)]

    def played(self, view: View) -> Card:
        return self._house.draws.choice(cards_in(view.legal.mask))
