"""Deals in the kernel beside the same deals in the readable engine, card by card."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from volte.cards import PACK_SIZE, QUEEN, Card
from volte.game import DealState
from volte.kernel import DEAL, OUTCOME, Records, encode, position
from volte.kernel.encoding import step
from volte.kernel.layout import PASSING
from volte.kernel.startup import code
from volte.rules import Ruleset, Score, score


class Twin:
    """Deals of one table in the kernel, a card at a time.

    Attributes:
        rows: of `DEAL`, as they lie.
        legal: `uint64`, what the seat on turn may pick or play, by row; 0 once the deal is over.
        finished: `bool`, whether the last card ended the deal.
        outcomes: rows of `OUTCOME`, of the deals that are over.
    """

    def __init__(self, rules: Ruleset, rows: Records) -> None:
        self.rows = rows
        self.legal = np.zeros(len(rows), np.uint64)
        self.finished = np.zeros(len(rows), np.bool_)
        self.outcomes = np.zeros(len(rows), OUTCOME)
        self._table = encode(rules)
        code("stepping.resume")(self._table, self.rows, self.legal)

    @classmethod
    def of(cls, deal: DealState) -> Twin:
        """The twin of one deal, from where it stands."""
        return cls(deal.rules, position(deal))

    def take(self, cards: NDArray[np.int64]) -> None:
        """One card in each row, by its index."""
        chosen = np.ascontiguousarray(cards)
        assert code("stepping.first_refused")(self.legal, chosen) == -1
        code("stepping.step")(
            self._table, self.rows, chosen, self.legal, self.outcomes, self.finished
        )

    def play(self, card: Card) -> None:
        """That card in the only row."""
        self.take(np.array([card.index]))

    def give(self, passes: Sequence[tuple[Card, ...] | None]) -> None:
        """In the only row, card by card, the passes of the seats that have not passed yet."""
        while self.rows["phase"][0] == PASSING:
            for card in passes[self.rows["turn"][0]] or ():
                self.play(card)


def told(rows: Records) -> dict[str, object]:
    """All that a row says; in `trick` cards of the trick before may lie on, and say nothing."""
    row = rows[0]
    said = {name: row[name].tolist() for name in DEAL.names or () if name != "trick"}
    return {**said, "trick": row["trick"][: row["count"]].tolist()}


class Result(NamedTuple):
    """How a deal ended, as an `OUTCOME` tells it; -1 is nobody."""

    points: tuple[int, ...]
    moon: int
    slam: int
    queen: int
    dealer: int
    step: int
    minus: int
    trickless: int

    @classmethod
    def of(cls, deal: DealState, scored: Score) -> Result:
        """What the readable engine says."""
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
    def alone(cls, deal: DealState) -> Result:
        """What it says of a deal by itself: a moon that is left open is put on the others (W7)."""
        captured = [deal.captured(seat) for seat in range(deal.rules.players)]
        return cls.of(deal, score(deal.rules, captured, deal.won))

    @property
    def score(self) -> Score:
        """As the readable engine has it."""
        moon, slam = (None if seat < 0 else seat for seat in (self.moon, self.slam))
        seats = tuple(seat for seat in range(len(self.points)) if self.trickless >> seat & 1)
        return Score(self.points, moon, slam, bool(self.minus), seats)

    @classmethod
    def read(cls, outcome: np.void, players: int) -> Result:
        """What the kernel says."""
        points, *others = (outcome[name].tolist() for name in OUTCOME.names or ())
        return cls(tuple(points[:players]), *others)


Plays = dict[tuple[int, ...], Result]
"""Ways to play a deal out, as indices of cards, and how it ends."""


def every_play(deal: DealState) -> Plays:
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
