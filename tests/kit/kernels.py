"""Deals in the kernel and in the readable engine, the tables it plays, instinct in plain words."""

from __future__ import annotations

import dataclasses
import os
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import takewhile
from math import exp, fsum
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np
from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy
from kit.deals import Step, after, deal_of, match, start, take
from kit.oracle import played
from kit.presets import ALL_TABLES, OF_SEEDS, SOME_TABLES
from kit.strategies import rulesets, wider_rulesets
from msgspec.structs import replace
from numpy.typing import NDArray

from volte import game
from volte.cards import PACK_SIZE, QUEEN, Card, CardSet, cards_in, mask_of
from volte.fair import SplitMix64, split
from volte.kernel import DEAL, OUTCOME, Records, encode, position
from volte.kernel.encoding import Policy, seated, step
from volte.kernel.features import FEATURES, PLACES
from volte.kernel.instinct import FOR, LEVEL, PLAIN, SCALE, WIDTH
from volte.kernel.layout import CASUAL, INSTINCT, PASSING, RANDOM
from volte.kernel.startup import code
from volte.lab.env.observation import Observation, observe, turn_of
from volte.rules import PRESETS, Direction, Kitty, Ruleset, Score, Sides, score
from volte.view import View

ROOT: Final = Path(__file__).parents[2]


class Twin:
    """Deals of one table in the kernel, a card at a time."""

    def __init__(self, rules: Ruleset, rows: Records) -> None:
        self.rows = rows  # of `DEAL`, as they stand
        # `uint64`, cards that the seat on turn may pick or play, by row; 0 once the deal is over
        self.legal = np.zeros(len(rows), np.uint64)
        # `bool`, whether the last card ended the deal
        self.finished = np.zeros(len(rows), np.bool_)
        # rows of `OUTCOME`, of the deals that are over
        self.outcomes = np.zeros(len(rows), OUTCOME)
        self._table = encode(rules)
        code("stepping.resume")(self._table, self.rows, self.legal)

    @classmethod
    def of(cls, deal: game.DealState) -> Twin:
        """The twin of one deal, from where it stands."""
        return cls(deal.rules, position(deal))

    def take(self, cards: NDArray[np.int64]) -> None:
        """Play one card in each row, by its index."""
        chosen = np.ascontiguousarray(cards)
        assert code("stepping.first_refused")(self.legal, chosen) == -1
        code("stepping.step")(
            self._table, self.rows, chosen, self.legal, self.outcomes, self.finished
        )

    def play(self, card: Card) -> None:
        """Play a card in the only row."""
        self.take(np.array([card.index]))

    def give(self, passes: Sequence[tuple[Card, ...] | None]) -> None:
        """Make the passes that are still due in the only row, card by card."""
        while self.rows["phase"][0] == PASSING:
            for card in passes[self.rows["turn"][0]] or ():
                self.play(card)


def told(rows: Records) -> dict[str, object]:
    """Values of a row; `trick` without the cards that may be left in it from the trick before."""
    row = rows[0]
    said = {name: row[name].tolist() for name in DEAL.names or () if name != "trick"}
    return {**said, "trick": row["trick"][: row["count"]].tolist()}


class Result(NamedTuple):
    """End of a deal, as an `OUTCOME` holds it; -1 is nobody."""

    points: tuple[int, ...]
    moon: int
    slam: int
    queen: int
    dealer: int
    step: int
    minus: int
    trickless: int

    @classmethod
    def of(cls, deal: game.DealState, scored: Score) -> Result:
        """The result by the readable engine."""
        seats = range(deal.rules.players)
        return cls(
            scored.points,
            -1 if scored.moon is None else scored.moon,
            -1 if scored.slam is None else scored.slam,
            next((seat for seat in seats if deal.captured(seat) & QUEEN.bit), -1),
            deal.dealer,
            step(deal.direction, deal.rules.players),
            int(scored.minus),
            sum(1 << seat for seat in scored.trickless),
        )

    @classmethod
    def alone(cls, deal: game.DealState) -> Result:
        """The result of a deal by itself: a moon that is left open is put on the others (W7)."""
        captured = [deal.captured(seat) for seat in range(deal.rules.players)]
        return cls.of(deal, score(deal.rules, captured, deal.won))

    @property
    def score(self) -> Score:
        """The score in the form of the readable engine."""
        moon, slam = (None if seat < 0 else seat for seat in (self.moon, self.slam))
        seats = tuple(seat for seat in range(len(self.points)) if self.trickless >> seat & 1)
        return Score(self.points, moon, slam, bool(self.minus), seats)

    @classmethod
    def read(cls, outcome: np.void, players: int) -> Result:
        """The result by the kernel."""
        points, *others = (outcome[name].tolist() for name in OUTCOME.names or ())
        return cls(tuple(points[:players]), *others)


Plays = dict[tuple[int, ...], Result]
"""Ways to play a deal out, as indices of cards, and how it ends."""


def every_play(deal: game.DealState) -> Plays:
    """Every way to play a deal out in the kernel.

    They are played side by side, so they must not be many.
    """
    twin = Twin.of(deal)
    plays = np.zeros((1, 0), np.int64)
    bits = np.uint64(1) << np.arange(PACK_SIZE, dtype=np.uint64)
    while twin.legal.any():
        parents, cards = np.nonzero(twin.legal[:, None] & bits)
        twin = Twin(deal.rules, twin.rows[parents])
        twin.take(cards)
        plays = np.column_stack([plays[parents], cards])
    ends = [Result.read(outcome, deal.rules.players) for outcome in twin.outcomes]
    return dict(zip(map(tuple, plays.tolist()), ends, strict=True))


class Table:
    """Deal number `index` (from 0) of a seed, a card at a time; passes are picked card by card."""

    def __init__(self, rules: Ruleset, seed: int, index: int = 0) -> None:
        players = rules.players
        drawn = after(game.replay([start(rules)]), game.NameDealer(index % players))
        self.state = replace(drawn, deals=(Score((0,) * players),) * index)  # nothing hidden
        self.views = [View(seat, self.state) for seat in range(players)]  # by seat
        # cards that the seat on turn has picked to pass, in order
        self.picked: tuple[Card, ...] = ()
        self.chance = SplitMix64(split(seed, index))  # the deal's generator, behind the shuffle
        order = self.chance.permutation(len(rules.cards))
        self._take(game.DealCards(tuple(rules.cards[place] for place in order)))

    @property
    def turn(self) -> int:
        """The seat that has to pick or to play; -1 once the deal is over."""
        return turn_of(self.views[0])

    @property
    def is_over(self) -> bool:
        return self.turn < 0

    @property
    def legal(self) -> CardSet:
        """Cards that the seat on turn may pick or play."""
        view = self.views[self.turn]
        if self.state.phase is game.Phase.PASSING:
            return CardSet(view.hand.mask & ~mask_of(self.picked))
        return view.legal

    @property
    def points(self) -> tuple[int, ...]:
        """Points of the finished deal by itself."""
        return Result.alone(deal_of(self.state)).points

    def play(self, card: Card) -> None:
        """Pick a card to pass, or play it, for the seat on turn."""
        if self.state.phase is not game.Phase.PASSING:
            self._take(game.Play(self.turn, card))
            return
        self.picked += (card,)
        if len(self.picked) == deal_of(self.state).pass_size:
            cards, self.picked = self.picked, ()
            self._take(game.Pass(self.turn, cards))

    def play_at_random(self) -> None:
        """Choose for the seat on turn as the compiled random policy does."""
        cards = list(self.legal)
        self.play(cards[self.chance.below(len(cards))])

    def observe(self, seat: int) -> Observation:
        """The observation of a seat."""
        return observe(self.views[seat], mask_of(self.picked) if seat == self.turn else 0)

    def _take(self, action: game.Action) -> None:
        step = take(self.state, action)
        self.state = step.after
        self.views = [
            view.see(*(game.visible(event, view.seat) for event in step.events))
            for view in self.views
        ]


KNOWN: Final = tuple(
    (name, players) for name, players in SOME_TABLES if "packs" not in PRESETS[name].options
)
"""Tables of the presets that the kernel plays."""

EVERY: Final = tuple(
    (name, players)
    for name, players in ALL_TABLES
    if "packs" not in PRESETS[name].options
    and (name.startswith(OF_SEEDS) or players == PRESETS[name].players[0])
)
"""Every such table, alike ones included, so that draws are the same in the gate and in full."""


def one_pack(
    players: SearchStrategy[int] | None = None, most_cards: int = 54
) -> SearchStrategy[Ruleset]:
    """Any table of the wider family that the kernel plays."""
    seats = st.integers(3, 7) if players is None else players
    return wider_rulesets(seats, most_cards).filter(lambda rules: rules.deck.packs == 1)


def any_table(most_cards: int = 54) -> SearchStrategy[Ruleset]:
    """Any table that the kernel plays, the wider ones with long hands and with short ones."""
    fewer = one_pack(most_cards=min(20, most_cards))
    return rulesets(most_cards=most_cards) | one_pack(most_cards=most_cards) | fewer


def tiny(tricks: Mapping[int, int]) -> tuple[SearchStrategy[Ruleset], SearchStrategy[Ruleset]]:
    """Tables, of the seeds and of the wider family, with decks so small that a deal is all ending.

    Args:
        tricks: the most tricks of a deal, by number of seats.
    """

    def of(tables: Callable[..., SearchStrategy[Ruleset]]) -> SearchStrategy[Ruleset]:
        return st.sampled_from(sorted(tricks)).flatmap(
            lambda seats: tables(st.just(seats), seats * (tricks[seats] + 1) - 1)
        )

    return of(rulesets), of(one_pack)


# Nearly the same table, without rules that some part of the kernel does not know


def unscattered(rules: Ruleset) -> Ruleset:
    """The rules with a pass to the left in the place of every scatter (W1)."""
    ways = (way if way is not Direction.SCATTER else Direction.LEFT for way in rules.passing.cycle)
    return dataclasses.replace(rules, passing=dataclasses.replace(rules.passing, cycle=tuple(ways)))


def solvable(rules: Ruleset) -> Ruleset:
    """The rules changed so that last tricks can be solved: see `volte.kernel.endgame.can_solve`."""
    return dataclasses.replace(
        rules,
        deck=dataclasses.replace(rules.deck, kitty=Kitty.FIRST_TRICK),
        points=dataclasses.replace(rules.points, no_tricks=0),
        sides=Sides(),
    )


def with_twin(rules: Ruleset) -> Ruleset:
    """The rules changed so that the readable `casual` has a compiled twin."""
    rules = unscattered(solvable(rules))
    return dataclasses.replace(rules, moon=dataclasses.replace(rules.moon, needs_jack=False))


CODES: Final = {"instinct": INSTINCT, "casual": CASUAL, "random": RANDOM}


def places_of(deal: game.DealState, row: Records | None = None) -> NDArray[np.int64]:
    """The places of each card that the seat on turn may play, from the lowest on."""
    legal = game.legal_cards(deal)
    places = np.zeros((legal.bit_count(), FEATURES), np.int64)
    where = position(deal) if row is None else row
    code("features.describe_cards")(encode(deal.rules), where, np.uint64(legal), places)
    return places


def likings(places: NDArray[np.int64], instinct: Records) -> list[float]:
    """Values that the instinct gives to each card, computed in plain Python."""
    steps = instinct["weights"][0].view(np.uint16).astype(np.int64) - LEVEL
    weights = steps.reshape(PLACES, WIDTH) / SCALE
    found = []
    for card in places:
        sums = [fsum(column) for column in weights[card].T]
        speak = [max(total, 0.0) for total in sums]
        found.append(sums[PLAIN] + fsum(speak[:FOR]) - fsum(speak[FOR:PLAIN]))
    return found


def odds(deal: game.DealState, instinct: Records) -> dict[Card, float]:
    """The chance of each card that the seat on turn may play."""
    worth = [exp(liking) for liking in likings(places_of(deal), instinct)]
    total = fsum(worth)
    cards = cards_in(game.legal_cards(deal))
    return {card: each / total for card, each in zip(cards, worth, strict=True)}


def expected(
    deal: game.DealState, instinct: Records
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The points of every seat if all play by instinct: their means, and means of squares."""
    if len(deal.tricks) == deal.rules.hand_size:
        taken = [deal.captured(seat) for seat in range(deal.rules.players)]
        points = np.array(score(deal.rules, taken, deal.won).points, np.float64)
        return points, points**2
    means, squares = np.zeros((2, deal.rules.players))
    for card, chance in odds(deal, instinct).items():
        mean, square = expected(played(deal, card), instinct)
        means += chance * mean
        squares += chance * square
    return means, squares


def play_out(
    deal: game.DealState,
    here: Records,
    worlds: NDArray[np.uint64],
    candidates: list[int],
    instinct: Records,
    policy: Policy | str = "instinct",
    seed: int = 0,
    ending: int = 0,
) -> NDArray[np.float64]:
    """The points of every seat, by world and candidate."""
    player = Policy(CODES[policy]) if isinstance(policy, str) else policy
    points = np.zeros((len(worlds), len(candidates), deal.rules.players))
    code("playouts.play_out")(
        encode(deal.rules),
        seated([player] * deal.rules.players),
        instinct,
        here,
        np.ascontiguousarray(worlds),
        np.array(candidates, np.uint64),
        np.uint64(seed),
        ending,
        points,
    )
    return points


def endings(rules: Ruleset, seed: int, tricks: int) -> list[game.DealState]:
    """The positions in the last tricks of a deal that is played at random, and its end."""
    steps = takewhile(lambda step: not step.before.deals, match(rules, seed))
    states = [step.after for step in steps]
    deals = [deal_of(each) for each in states if each.phase is game.Phase.PLAYING or each.deals]
    return [deal for deal in deals if len(deal.tricks) >= rules.hand_size - tricks]


def first_deal(rules: Ruleset, seed: int) -> Iterator[Step]:
    """A match at random as long as its first deal is not over."""
    return takewhile(lambda step: not step.after.deals, match(rules, seed))


def run_python(*arguments: str, **environment: str) -> str:
    """Output of a fresh Python, which may import tests; it must end well."""
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), **environment}
    done = subprocess.run([sys.executable, *arguments], env=env, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout
