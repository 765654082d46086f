"""What the compiled `casual` adds up is what the readable one does: chances, burdens, fears.

A choice seldom hangs on the last of 1024 parts; so the sums are held against each other besides.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from kernel.tables import any_table, with_twin
from kernel.test_casual_twin import USUAL, casual, penalty_tables, some_weights
from numba import from_dtype, types
from rulesets import deal_of, match, seeds

from volte.bots import Weights
from volte.bots.odds import Burden, Odds, feared, takes_all
from volte.cards import JOKERS, SUIT_MASKS
from volte.game import Phase, to_act
from volte.kernel import DEAL, RULES, SEAT, Records, encode, position
from volte.kernel.casual import MIND
from volte.kernel.casual_odds import (
    dearest,
    look,
    none_of,
    suit_mask,
    weigh_fear,
    weigh_hand,
    weigh_threat,
)
from volte.kernel.casual_odds import (
    takes_all as takes_all_compiled,
)
from volte.kernel.compiler import ONE, U, entry, scratch
from volte.kernel.encoding import seated
from volte.kernel.layout import MOST_CARDS, MOST_SEATS
from volte.rules import Ruleset
from volte.view import View, project

PACK: Final = (1 << MOST_CARDS) - 1
_EVERY_CARD: Final = U(PACK)

SUMS: Final = np.dtype(
    [
        ("none_above", np.int64, (MOST_SEATS, MOST_CARDS)),
        ("dearest_below", np.int64, (MOST_SEATS, MOST_CARDS)),
        ("relief", np.int64, MOST_CARDS),
        ("fear", np.int64),
        ("shooter", np.int64),
        ("all", np.int64),
    ]
)
"""What a seat adds up in a position: of every seat and card, the chance that the seat has no higher
one of its suit, and what the dearest it has of all lower cards costs; the relief of its own cards;
whom it fears, and how much; whether it takes all that is left."""


@entry(
    types.void(
        types.Array(from_dtype(RULES), 1, "C", readonly=True),
        types.Array(from_dtype(SEAT), 1, "C"),
        types.Array(from_dtype(DEAL), 1, "C"),
        types.Array(from_dtype(SUMS), 1, "C"),
    )
)
def add_up(table: Records, seats: Records, deals: Records, sums: Any) -> None:
    rules = table[0]
    mind = scratch(1, MIND)[0]
    for row in range(len(deals)):
        deal = deals[row]
        told = sums[row]
        look(rules, deal, deal.turn, _EVERY_CARD, mind)
        weigh_threat(rules, mind)
        mind.void = seats[0].void
        weigh_hand(rules, mind, seats[0], deal.hands[deal.turn], _EVERY_CARD)
        weigh_fear(rules, deal, mind)
        told.fear = mind.fear
        told.shooter = mind.shooter
        told.all = takes_all_compiled(rules, deal, mind)
        for card in range(MOST_CARDS):
            told.relief[card] = mind.relief[card]
            suit = card // 13
            lower = (ONE << U(card)) - ONE
            above = suit_mask(suit) & ~lower & ~(ONE << U(card))
            for seat in range(rules.players):
                told.none_above[seat, card] = none_of(rules, mind, seat, suit, above)
                told.dearest_below[seat, card] = dearest(rules, mind, seat, lower)


compiled_add_up = add_up()


class Readable(NamedTuple):
    """The same sums by `volte.bots`."""

    view: View
    odds: Odds
    burden: Burden

    @classmethod
    def of(cls, view: View, weights: Weights) -> Readable:
        values = {card.bit: points for card, points in view.deal.rules.values.items()}
        odds = Odds(view, values)
        others = [seat for seat in range(view.deal.rules.players) if seat != view.seat]
        dump = sum(odds.dearest(seat, odds.unseen) for seat in others) // len(others)
        return cls(view, odds, Burden(values, odds.unseen, len(others), dump, weights))

    def check(self, sums: np.void) -> None:
        """Whether the compiled ones are the same."""
        deal, me = self.view.deal, self.view.seat
        assert me is not None
        for seat in range(deal.rules.players):
            if seat != me:
                assert sums["none_above"][seat].tolist() == self.none_above(seat)
                assert sums["dearest_below"][seat].tolist() == self.dearest_below(seat)
        for card in self.view.hand:
            assert sums["relief"][card.index] == self.burden.relief(self.view.hand.mask, card.bit)
        feared_by_me = feared(deal, me)
        assert sums["fear"] == feared_by_me.share
        assert not feared_by_me.share or (sums["shooter"],) == feared_by_me.seats
        assert sums["all"] == takes_all(deal, me, self.odds.unseen)

    def none_above(self, seat: int) -> list[int]:
        suits = [mask for mask in SUIT_MASKS for _ in range(13)] + [JOKERS] * 2
        return [
            self.odds.none_of(seat, suit & PACK & -(2 << card)) for card, suit in enumerate(suits)
        ]

    def dearest_below(self, seat: int) -> list[int]:
        return [self.odds.dearest(seat, (1 << card) - 1) for card in range(MOST_CARDS)]


def check(rules: Ruleset, seed: int, weights: Weights = USUAL) -> None:
    """In every third position of a match the sums are the same."""
    views, rows = [], []
    for step in list(match(rules, seed))[::3]:
        for seat in to_act(step.before)[: step.before.phase is not Phase.CHOOSING]:
            views.append(View(seat, project(step.before, seat)))
            rows.append(position(deal_of(step.before)))
            rows[-1]["turn"] = seat
    if rows:
        sums = np.zeros(len(rows), SUMS)
        compiled_add_up(encode(rules), seated(casual(rules, weights)), np.concatenate(rows), sums)
        for view, told in zip(views, sums, strict=True):
            Readable.of(view, weights).check(told)


@given(any_table().map(with_twin), seeds, st.just(USUAL) | some_weights)
@settings(max_examples=30)
def test_the_sums_are_the_same(rules: Ruleset, seed: int, weights: Weights) -> None:
    check(rules, seed, weights)


@given(penalty_tables(), seeds)
@settings(max_examples=30)
def test_the_sums_are_the_same_whatever_the_cards_count(rules: Ruleset, seed: int) -> None:
    check(rules, seed)
