"""Whether a position has one right play: weighed in every deal that its seat may be in.

All deals that fit what the seat has seen are as likely. In each of them, behind each card that may
be played, the rest is played twice: by seats that all know every card and play for themselves,
which `bots.oracle` defines and compiled code works out, and by `casual` at every seat. A card is
right if both ways it costs less on the average, by `CLEAR` at least, than any that is not named.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Final

import numpy as np
from bots.oracle import Ends, World, played, within, worlds, worth
from bots.positions import Judge, Position, Proof
from msgspec.structs import asdict
from numpy.typing import NDArray

from volte.bots.odds import Weights
from volte.cards import Card
from volte.kernel import Policy, Records, play_on, position
from volte.kernel.deals import solve
from volte.rules import Ruleset, Score, Settlement
from volte.view import KITTY, View

CLEAR: Final = 1.0
"""Points, or stakes, by which a right card is better than one that is not."""

CLEAR_WIN: Final = 0.1
"""The same as a part of the win."""

SOMETIMES: Final = 0.25
"""In what part of the deals another card may turn out to have been better."""

Costs = NDArray[np.float64]
"""`float64[deals, cards]`, what each card costs its seat in each deal."""


@dataclass(frozen=True)
class Weighed:
    """What the cards that may be played cost.

    Attributes:
        cards: as the columns are.
        perfect, casual: by who plays the rest.
        ends, casual_ends: `int64[deals, cards, players]`, the points of everybody.
    """

    cards: tuple[Card, ...]
    perfect: Costs
    casual: Costs
    ends: NDArray[np.int64]
    casual_ends: NDArray[np.int64]

    def behind(self, right: tuple[Card, ...]) -> float:
        """By how much any other card is worse on the average, at least, whoever plays the rest."""
        named, others = self._columns(right)
        return min(
            float(costs.mean(axis=0)[others].min() - costs.mean(axis=0)[named].max())
            for costs in (self.perfect, self.casual)
        )

    def sometimes(self, right: tuple[Card, ...]) -> float:
        """In what part of the deals some other card is better, at most, if all play perfectly."""
        named, others = self._columns(right)
        worst = self.perfect[:, named].max(axis=1, keepdims=True)
        return float((self.perfect[:, others] < worst - 1e-9).mean(axis=0).max())

    def _columns(self, right: tuple[Card, ...]) -> tuple[list[int], list[int]]:
        named = [place for place, card in enumerate(self.cards) if card in right]
        return named, [place for place in range(len(self.cards)) if place not in named]


def proof_of(weighed: Weighed, right: tuple[Card, ...], clear: float) -> Proof | None:
    """The strongest proof that those cards are right; None where they are not clearly so."""
    if weighed.behind(right) < clear - 1e-9 or weighed.sometimes(right) > SOMETIMES:
        return None
    if len(weighed.perfect) == 1:
        return Proof.EXACT
    return Proof.ENUMERATION if weighed.sometimes(right) else Proof.DOMINANCE


def clear(rules: Ruleset, judge: Judge) -> float:
    """By how much a right card must be better."""
    win = judge is Judge.MATCH and rules.stakes.settlement is Settlement.NONE
    return CLEAR_WIN if win else CLEAR


def proved(told: Position) -> Proof | None:
    """What proves a position."""
    view = told.view
    return proof_of(
        weighed(view, told.judged_by), told.right, clear(view.state.rules, told.judged_by)
    )


def weighed(view: View, judge: Judge, deals: list[World] | None = None) -> Weighed:
    """What each card costs in each deal that fits."""
    deals = deals or list(worlds(view))
    cards = tuple(view.legal)
    shape = (len(deals), len(cards), view.deal.rules.players)
    ends, casual = np.zeros(shape, np.int64), np.zeros(shape, np.int64)
    for place, card in enumerate(cards):
        rows = rows_behind(view, deals, card)
        casual[:, place] = play_on(view.deal.rules, rows, policies(view.deal.rules))["points"][
            :, : shape[2]
        ]
        if judge is Judge.POINTS:
            ends[:, place] = solve(view.deal.rules, rows)
    if judge is Judge.MATCH:
        ends = perfect_for_match(view, deals)
    perfect, usual = (costs_of(each, view, judge) for each in (ends, casual))
    return Weighed(cards, perfect, usual, ends, casual)


def rows_behind(view: View, deals: list[World], card: Card) -> Records:
    """One row of the kernel for each deal, that card played."""
    rows: Records = np.repeat(position(played(within(view.deal, deals[0]), card)), len(deals))
    for place in deals[0]:
        masks = np.array([world[place] for world in deals], np.uint64)
        if place == KITTY:
            rows["kitty"] = masks
        else:
            rows["hands"][:, place] = masks
    return rows


def perfect_for_match(view: View, deals: list[World]) -> NDArray[np.int64]:
    """The points of everybody where seats that know all cards play for the match."""
    found = []
    for world in deals:
        behind = Ends(view.state).behind(within(view.deal, world))
        found.append([behind[card].points for card in view.legal])
    return np.array(found, np.int64)


def costs_of(ends: NDArray[np.int64], view: View, judge: Judge) -> Costs:
    """What ends cost the seat: its margin, or what it loses by them."""
    seat, rules = view.seat, view.deal.rules
    assert seat is not None
    if judge is Judge.POINTS:
        others: Costs = (ends.sum(axis=2) - ends[:, :, seat]) / (rules.players - 1)
        return ends[:, :, seat] - others
    kinds, places = np.unique(ends.reshape(-1, rules.players), axis=0, return_inverse=True)
    lost = [-worth(view.state, as_scored(rules, tuple(kind.tolist())))[seat] for kind in kinds]
    return np.array(lost)[places].reshape(ends.shape[:2])


@lru_cache(maxsize=100_000)
def as_scored(rules: Ruleset, points: tuple[int, ...]) -> Score:
    """A deal that ended with those points; a moon shows in that all others have the total."""
    full = [seat for seat, each in enumerate(points) if each >= rules.penalty_total]
    alone = [seat for seat in range(rules.players) if seat not in full]
    moon = alone[0] if len(alone) == 1 and rules.players > 2 else None
    return Score(points, moon)


def policies(rules: Ruleset) -> list[Policy]:
    """`casual` at every seat."""
    return [Policy.casual(asdict(Weights()))] * rules.players
