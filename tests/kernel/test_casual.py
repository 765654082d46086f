"""The compiled `casual` makes the readable one's choices, by the same sums."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace
from itertools import permutations
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from kit import deal_of, few, match, recounted, rulesets, seeds, view_of
from kit.bots import one_deal
from kit.kernels import KNOWN, Table, any_table, run_python, with_twin
from kit.stanzas import read_stanza
from msgspec.structs import asdict, fields
from msgspec.structs import replace as with_deals
from numba import from_dtype, types

from volte import kernel
from volte.bots import LEVELS, Casual, Clock, Weights, compiled
from volte.bots.odds import LEARNED, Burden, Odds, burden_of, feared, hope, shoots
from volte.cards import JOKERS, SUIT_MASKS, cards_in, mask_of
from volte.game import MatchState, Pass, Phase, Play, to_act
from volte.kernel import casual_moons, casual_odds
from volte.kernel.casual_moons import shoots as shoots_compiled
from volte.kernel.casual_odds import MIND
from volte.kernel.compiler import ONE, U, entry, scratch
from volte.kernel.encoding import MOST_WEIGHT, seated
from volte.kernel.layout import MOST_CARDS, MOST_SEATS, OVER, PASSING
from volte.kernel.startup import code
from volte.rules import MoonRule, Ruleset, Score, SlamRule, make_ruleset
from volte.view import View

ADVICE: Final = Path(__file__).parents[1] / "bots" / "advice.txt"
USUAL: Final = Weights()

TWINS: Final = tuple(
    (name, players)
    for name, players in KNOWN
    if compiled("casual", make_ruleset(name, {"players": players}))
)
"""The tables of the presets for which `casual` has a twin."""

_a_weight = st.integers(-MOST_WEIGHT, MOST_WEIGHT)
_passing = st.randoms(use_true_random=False).map(
    lambda rng: tuple(rng.randint(-MOST_WEIGHT, MOST_WEIGHT) for _ in LEARNED)
)
some_weights = st.builds(
    Weights,
    **{field.name: _passing if field.name == "passing" else _a_weight for field in fields(Weights)},
)


class Choice(NamedTuple):
    """A position with a seat that has to choose, and the choice of the readable `casual`."""

    row: kernel.Records
    mask: int


def choices_in(state: MatchState, weights: Weights = USUAL) -> Iterator[Choice]:
    """Yield the choice of every seat that is to pass or to play."""
    for seat in to_act(state) if state.phase is not Phase.CHOOSING else ():
        row = kernel.position(deal_of(state), totals=state.totals)
        row["turn"] = seat
        yield Choice(row, chosen(view_of(state, seat), weights))


def chosen(view: View, weights: Weights = USUAL) -> int:
    action = Casual(weights).choose(view, Clock())
    assert isinstance(action, Pass | Play)
    return mask_of(action.cards) if isinstance(action, Pass) else action.card.bit


def choices_of(rules: Ruleset, seed: int, weights: Weights = USUAL) -> list[Choice]:
    """Every choice of a match that is played in all styles."""
    return [each for step in match(rules, seed) for each in choices_in(step.before, weights)]


def rows_of(found: list[Choice]) -> kernel.Records:
    return np.concatenate([choice.row for choice in found])


def casual(rules: Ruleset, weights: Weights = USUAL) -> list[kernel.Policy]:
    return [kernel.Policy.casual(asdict(weights))] * rules.players


def check(rules: Ruleset, seed: int, weights: Weights = USUAL) -> None:
    check_choices(rules, choices_of(rules, seed, weights), weights)


def check_choices(rules: Ruleset, found: list[Choice], weights: Weights = USUAL) -> None:
    same = kernel.choices(rules, rows_of(found), casual(rules, weights))
    assert same.tolist() == [choice.mask for choice in found]


# The same choice


@given(any_table().map(with_twin), seeds)
def test_the_same_view_brings_the_same_choice(rules: Ruleset, seed: int) -> None:
    assert compiled("casual", rules) is not None
    check(rules, seed)


@given(any_table().map(with_twin), seeds, some_weights)
def test_so_it_does_by_whatever_weights(rules: Ruleset, seed: int, weights: Weights) -> None:
    check(rules, seed, weights)


@given(recounted(rulesets()), seeds, st.just(USUAL) | some_weights)
def test_so_it_does_whatever_the_cards_count(rules: Ruleset, seed: int, weights: Weights) -> None:
    check(rules, seed, weights)


@given(rulesets(), seeds)
@settings(max_examples=few(5, 20))
def test_S4_so_it_does_where_only_the_slam_is_feared(rules: Ruleset, seed: int) -> None:
    check(replace(rules, moon=replace(rules.moon, moon=MoonRule.OFF, slam=SlamRule.REVERSAL)), seed)


def test_E2_so_it_does_wherever_the_match_stands() -> None:
    """Check the choices of a match played again from totals near its end; some depend on them."""
    rules, alone = make_ruleset("dame-de-pique"), Weights(decisive=0)
    played, others = list(match(rules, seed=1)), 0
    for totals in permutations((95, 40, 70, 60)):
        before = [with_deals(step.before, deals=(Score(totals),)) for step in played]
        found = [choice for state in before for choice in choices_in(state)]
        check_choices(rules, found)
        same = kernel.choices(rules, rows_of(found), casual(rules, alone)).tolist()
        others += same != [choice.mask for choice in found]
    assert others > 0


def test_so_it_does_where_much_hangs_on_one_of_the_sums() -> None:
    """Check every position in which the readable `casual` gives advice (S3, S4, S5 and others)."""
    for text in ADVICE.read_text("utf-8").strip().split("\n\n"):
        state = read_stanza(text).state
        if compiled("casual", state.rules):
            check_choices(state.rules, list(choices_in(state)))


# Whole deals


def readable_points(rules: Ruleset, seed: int, index: int) -> tuple[int, ...]:
    """Points of a deal that the readable `casual` plays at every seat."""
    table = Table(one_deal(rules), seed, index)
    while not table.is_over:
        for card in cards_in(chosen(table.views[table.turn])):
            table.play(card)
    return table.points


def check_deals(rules: Ruleset, seed: int, deals: int) -> None:
    points = kernel.play_deals(rules, seed, deals, casual(rules))["points"][:, : rules.players]
    assert points.tolist() == [list(readable_points(rules, seed, deal)) for deal in range(deals)]


@given(any_table().map(with_twin), seeds)
@settings(max_examples=few(5, 30))
def test_it_plays_the_same_deals(rules: Ruleset, seed: int) -> None:
    check_deals(rules, seed, deals=2)


@pytest.mark.parametrize(("preset", "players"), TWINS)
def test_it_plays_the_same_deals_at_every_table(preset: str, players: int) -> None:
    check_deals(make_ruleset(preset, {"players": players}), seed=players, deals=few(3, 6))


def test_W1_seven_scatter_six_cards_each() -> None:
    """This is the largest pass of a seat."""
    rules = make_ruleset("coeurs", {"players": 7, "pass_count": 1, "pass_cycle": ["scatter"]})
    check(rules, seed=1)
    check_deals(rules, seed=1, deals=few(3, 6))


@pytest.mark.full
@pytest.mark.parametrize(("preset", "players"), TWINS)
def test_it_plays_the_same_deals_at_every_table_for_long(preset: str, players: int) -> None:
    check_deals(make_ruleset(preset, {"players": players}), seed=players, deals=200)


# What is hidden


def dealt_otherwise(row: kernel.Records, players: int, rng: random.Random) -> kernel.Records:
    """The position with random content where the seat on turn cannot see it."""
    other, seat = row.copy(), int(row["turn"][0])
    for place in range(players):
        if place != seat:
            other["hands"][0, place] = rng.getrandbits(54)
            other["given"][0, place] = rng.getrandbits(54)
            known = int(row["given"][0, seat])
            hidden = rng.getrandbits(54) & ~known
            other["coming"][0, place] = hidden | int(row["coming"][0, place]) & known
    if row["kitty_taker"][0] != seat:
        other["kitty"] = rng.getrandbits(54)
    other["chance"] = rng.getrandbits(64)
    return other


@given(any_table(), seeds)
@settings(max_examples=few(5, 30))
def test_no_hidden_card_is_looked_at(rules: Ruleset, seed: int) -> None:
    rng = random.Random(seed)
    states = [step.before for step in match(rules, seed)]
    where = [choice.row for state in states for choice in choices_in(state)]
    others = [dealt_otherwise(row, rules.players, rng) for row in where]
    same = np.zeros(len(where), np.uint64)
    rows = np.concatenate(others)
    code("playing.choose")(kernel.encode(rules), seated(casual(rules)), rows, same)
    assert same.tolist() == kernel.choices(rules, np.concatenate(where), casual(rules)).tolist()


# `choices`


@given(any_table(), seeds)
@settings(max_examples=few(5, 30))
def test_random_choices_are_lawful(rules: Ruleset, seed: int) -> None:
    rows = rows_of(choices_of(rules, seed))
    rows["chance"] = np.arange(len(rows))
    for row, mask in zip(rows, kernel.choices(rules, rows).tolist(), strict=True):
        passed = rules.pass_size(rules.direction(int(row["number"])))
        assert mask.bit_count() == (passed if row["phase"] == PASSING else 1)
        assert not mask & ~int(row["hands"][row["turn"]])


def test_every_seat_has_its_own_policy() -> None:
    rules = make_ruleset("microsoft")
    found = choices_of(rules, 1)[:300]
    policies = [*casual(rules)[:2], kernel.RANDOM_POLICY, kernel.RANDOM_POLICY]
    mixed = kernel.choices(rules, rows_of(found), policies).tolist()
    same = [mask == choice.mask for mask, choice in zip(mixed, found, strict=True)]
    ours = [choice.row["turn"][0] < 2 for choice in found]
    assert all(same[place] for place in range(len(found)) if ours[place])
    assert not all(same)


def first_pass(count: int) -> Choice:
    """The first pass in the first deal of a seed, with so many cards to pass."""
    rules = make_ruleset("microsoft", {"pass_count": count})
    state = next(step.after for step in match(rules, 1) if step.after.phase is Phase.PASSING)
    return next(choices_in(state))


def test_P1_what_has_been_picked_stays_picked() -> None:
    whole = first_pass(3)
    first = cards_in(whole.mask)[0].bit
    rules = make_ruleset("microsoft")
    whole.row["given"][0, 0] = first
    assert kernel.choices(rules, whole.row, casual(rules)).tolist() == [whole.mask]
    unwanted = cards_in(int(whole.row["hands"][0, 0]) & ~whole.mask)[0].bit
    whole.row["given"][0, 0] = unwanted
    [picked] = kernel.choices(rules, whole.row, casual(rules)).tolist()
    assert picked & unwanted
    assert picked.bit_count() == 3


def test_where_there_is_nothing_to_do_no_card_is_chosen() -> None:
    rules = make_ruleset("coeurs", {"pass_count": 0})
    rows = np.zeros(1, kernel.DEAL)
    rows["number"] = 1
    assert kernel.choices(rules, rows, casual(rules)).tolist() == [0]
    states = [step.after for step in match(rules, 1)]
    row = kernel.position(deal_of(next(state for state in states if state.deals)))
    assert row["phase"][0] == OVER
    assert kernel.choices(rules, row, casual(rules)).tolist() == [0]


# Levels


def test_levels_have_their_twins() -> None:
    assert compiled("casual") == kernel.Policy.casual(asdict(USUAL))
    assert compiled("random") == kernel.RANDOM_POLICY
    assert compiled("beginner") is None
    assert "random" not in LEVELS


def test_levels_are_named_without_waiting_for_numpy() -> None:
    program = "import sys, volte.bots; print(*sorted({'numba', 'numpy'} & set(sys.modules)))"
    assert run_python("-c", program).split() == []


ONE_PACK: Final = (1 << MOST_CARDS) - 1
_EVERY_CARD: Final = U(ONE_PACK)

SUMS: Final = np.dtype(
    [
        ("none_above", np.int64, (MOST_SEATS, MOST_CARDS)),
        ("dearest_below", np.int64, (MOST_SEATS, MOST_CARDS)),
        ("relief", np.int64, MOST_CARDS),
        ("fear", np.int64),
        ("shooter", np.int64),
        ("shoots", np.int64),
        ("hope", np.int64),
    ]
)
"""Sums of a seat in a position: for every seat and card, the chance that the seat has no higher one
of its suit, and the expected points of its dearest lower card; the relief of its own cards; the
seat it fears, and how much; whether it goes for the moon, and how far it could hope to."""


@entry(
    types.void(
        types.Array(from_dtype(kernel.RULES), 1, "C", readonly=True),
        types.Array(from_dtype(kernel.SEAT), 1, "C"),
        types.Array(from_dtype(kernel.DEAL), 1, "C"),
        types.Array(from_dtype(SUMS), 1, "C"),
    )
)
def add_up(table: kernel.Records, seats: kernel.Records, deals: kernel.Records, sums: Any) -> None:
    rules = table[0]
    mind = scratch(1, MIND)[0]
    for row in range(len(deals)):
        deal = deals[row]
        told = sums[row]
        casual_odds.look(rules, deal, deal.turn, _EVERY_CARD, mind)
        casual_odds.weigh_threat(rules, mind)
        mind.void = seats[0].void
        casual_odds.weigh_hand(rules, mind, seats[0], deal.hands[deal.turn], _EVERY_CARD)
        casual_moons.weigh_fear(rules, deal, mind)
        told.fear = mind.fear
        told.shooter = mind.shooter
        hand = deal.hands[deal.turn]
        casual_moons.weigh_moon(rules, deal, mind)
        told.shoots = shoots_compiled(rules, mind, hand)
        _, beaters = casual_moons.beaten(rules, mind, hand)
        told.hope = casual_moons.hope(hand, beaters)
        for card in range(MOST_CARDS):
            told.relief[card] = mind.relief[card]
            suit = card // 13
            lower = (ONE << U(card)) - ONE
            above = casual_odds.suit_mask(suit) & ~lower & ~(ONE << U(card))
            for seat in range(rules.players):
                told.none_above[seat, card] = casual_odds.none_of(rules, mind, seat, suit, above)
                told.dearest_below[seat, card] = casual_odds.dearest(rules, mind, seat, lower)


compiled_add_up = add_up()


class Readable(NamedTuple):
    """A position with the sums of `volte.bots`."""

    view: View
    odds: Odds
    burden: Burden

    @classmethod
    def of(cls, view: View, weights: Weights) -> Readable:
        values = {card.bit: points for card, points in view.deal.rules.values.items()}
        odds = Odds(view, values, guesses=True)
        return cls(view, odds, burden_of(view, values, odds, weights))

    def check_sums(self, sums: np.void) -> None:
        """Check that the compiled sums are the same."""
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
        assert sums["shoots"] == shoots(deal, me, self.odds.unseen)
        assert sums["hope"] == hope(deal.rules, self.view.hand.mask, self.odds.unseen)

    def none_above(self, seat: int) -> list[int]:
        suits = [mask for mask in SUIT_MASKS for _ in range(13)] + [JOKERS] * 2
        return [
            self.odds.none_of(seat, suit & ONE_PACK & -(2 << card))
            for card, suit in enumerate(suits)
        ]

    def dearest_below(self, seat: int) -> list[int]:
        return [self.odds.dearest(seat, (1 << card) - 1) for card in range(MOST_CARDS)]


def check_sums(rules: Ruleset, seed: int, weights: Weights = USUAL) -> None:
    """Check that the sums are the same in every third position of a match."""
    views, rows = [], []
    for step in list(match(rules, seed))[::3]:
        for seat in to_act(step.before)[: step.before.phase is not Phase.CHOOSING]:
            views.append(view_of(step.before, seat))
            rows.append(kernel.position(deal_of(step.before)))
            rows[-1]["turn"] = seat
    if rows:
        sums = np.zeros(len(rows), SUMS)
        compiled_add_up(
            kernel.encode(rules), seated(casual(rules, weights)), np.concatenate(rows), sums
        )
        for view, told in zip(views, sums, strict=True):
            Readable.of(view, weights).check_sums(told)


@given(any_table().map(with_twin), seeds, st.just(USUAL) | some_weights)
@settings(max_examples=few(5, 30))
def test_the_sums_are_the_same(rules: Ruleset, seed: int, weights: Weights) -> None:
    check_sums(rules, seed, weights)


@given(recounted(rulesets()), seeds)
@settings(max_examples=few(5, 30))
def test_the_sums_are_the_same_whatever_the_cards_count(rules: Ruleset, seed: int) -> None:
    check_sums(rules, seed)
