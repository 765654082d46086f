"""The features and odds of instinct, and deals played out with it."""

from __future__ import annotations

import json
import random
from dataclasses import replace
from itertools import islice
from math import log
from typing import Any, Final

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from kit import after, deal_of, dealt, few, play, recounted, rulesets, seeds, view_of
from kit.bots import Moment, choices, moments, one_deal, told_anew, wild_weights, worlds
from kit.kernels import (
    endings,
    expected,
    odds,
    one_pack,
    places_of,
    play_out,
    run_python,
    solvable,
    unscattered,
)
from kit.oracle import played as one_on
from msgspec.structs import asdict
from numpy.typing import NDArray

from volte.bots.candidates import passes
from volte.bots.learned import weighted
from volte.bots.odds import Weights
from volte.bots.worlds import here, past
from volte.cards import Card, CardSet, cards_in
from volte.game import DealState, MatchState, Phase, Play, legal_cards
from volte.kernel import Policy, Records, encode, play_on, position
from volte.kernel.compiler import INTERPRETED
from volte.kernel.deals import solve
from volte.kernel.features import (
    BLOCKS,
    CLOSING,
    DISCARDING,
    FOLLOWING,
    LEADING,
    MOMENT_SIZE,
    PLACES,
)
from volte.kernel.instinct import IMPOSSIBLE, WIDTH
from volte.kernel.startup import code
from volte.rules import MoonRule, Ruleset, Score, SlamRule, expected_sum, make_ruleset
from volte.view import View

CASUAL: Final = Policy.casual(asdict(Weights()))

sizes = st.sampled_from([(3, 12), (4, 12), (5, 15), (6, 12), (7, 14)])
small_rulesets = sizes.flatmap(lambda size: rulesets(st.just(size[0]), most_cards=size[1]))
small_and_wider = sizes.flatmap(lambda size: one_pack(st.just(size[0]), most_cards=size[1]))
wider = (small_and_wider if INTERPRETED else one_pack()).map(unscattered)

tables = (small_rulesets if INTERPRETED else rulesets() | recounted(rulesets())) | wider

FEW: Final = 12 if INTERPRETED else few(15, 120)


# Describing


@given(tables, seeds)
@settings(max_examples=FEW)
def test_every_card_has_a_place_in_each_block_of_its_moment(rules: Ruleset, seed: int) -> None:
    starts = np.cumsum((0, *BLOCKS))
    for moment in choices(one_deal(rules), seed, 8):
        if moment.state.phase is Phase.PLAYING:
            deal = deal_of(moment.state)
            places = places_of(deal) - moment_of(deal) * MOMENT_SIZE
            assert (starts[:-1] <= places).all()
            assert (places < starts[1:]).all()


def moment_of(deal: DealState) -> int:
    """The moment of the choice, by plain rules."""
    if deal.led is None:
        return LEADING
    if not any(card.suit is deal.led for card in cards_in(deal.hands[deal.turn])):
        return DISCARDING
    return CLOSING if len(deal.trick) == deal.rules.players - 1 else FOLLOWING


@given(tables, seeds, seeds)
@settings(max_examples=FEW)
def test_a_description_tells_nothing_that_is_hidden(rules: Ruleset, seed: int, draws: int) -> None:
    for moment in choices(one_deal(rules), seed, 3):
        if moment.state.phase is Phase.PLAYING:
            deal = deal_of(moment.state)
            other = deal_of(in_world(moment, worlds(moment.view, 1, draws)[0]))
            places = places_of(deal)
            assert (places_of(other) == places).all()
            assert (places_of(deal, here(moment.view)) == places).all()


def in_world(moment: Moment, world: NDArray[np.uint64]) -> MatchState:
    """The moment with the hidden cards placed as in a world."""
    return after(moment.undealt, *told_anew(moment, world.tolist(), random.Random(0)))


# Likelihood


def weigh(view: View, some: NDArray[np.uint64], instinct: Records, slip: float) -> list[float]:
    logs = np.full(len(some), np.nan)
    plays = past(view.deal)
    assert view.seat is not None
    code("instinct.weigh")(
        encode(view.deal.rules),
        instinct,
        plays.start,
        plays.cards,
        plays.seats,
        view.seat,
        slip,
        some,
        logs,
    )
    return list(map(float, logs))


@given(tables, seeds, seeds, st.sampled_from([0.0, 0.02, 0.5, 1.0]))
@settings(max_examples=FEW)
def test_a_world_is_as_likely_as_all_that_the_others_played_in_it(
    rules: Ruleset, seed: int, draws: int, slip: float
) -> None:
    check_likelihood(moments(one_deal(rules), seed, 2), draws, wild_weights(draws % 2**32), slip)


@pytest.mark.parametrize("seed", range(2 if INTERPRETED else 8))
def test_weights_as_far_as_can_be_do_not_run_into_each_other(seed: int) -> None:
    """Four of them lie in a word; larger weights are cut off at the limit."""
    far = np.random.default_rng(seed).choice([-1000.0, 1000.0], (PLACES, WIDTH))
    instinct = weighted(far)
    assert (instinct["weights"] == weighted(far / 100)["weights"]).all()
    rules = one_deal(make_ruleset("coeurs", {"players": 3 + seed % 5}))
    check_likelihood(moments(rules, seed, 3), seed, instinct, slip=0.1)


def check_likelihood(some: list[Moment], draws: int, instinct: Records, slip: float) -> None:
    for moment in some:
        if moment.state.phase is Phase.PLAYING:
            cards = worlds(moment.view, 2, draws)
            by_hand = [surprises(moment, world, instinct, slip) for world in cards]
            found = weigh(moment.view, cards, instinct, slip)
            assert found == pytest.approx(by_hand, rel=1e-9, abs=1e-9)


def surprises(moment: Moment, world: NDArray[np.uint64], instinct: Records, slip: float) -> float:
    """The logarithm of the chance of all plays, with the deal played once more in that world."""
    total = 0.0
    state = moment.undealt
    for action in told_anew(moment, world.tolist(), random.Random(0)):
        if isinstance(action, Play) and action.seat != moment.seat:
            chances = odds(deal_of(state), instinct)
            any_card = 1 / len(chances)
            total += log((1 - slip) * chances[action.card] + slip * any_card)
        state = after(state, action)
    return total


def test_T1_who_discarded_cannot_have_held_the_suit() -> None:
    state = play(dealt("coeurs", "S: A2 C: 5", "D: 2 H: 34", "S: 3 C: 4 H: 6"), "AS 2D 3S")
    view = view_of(state, 0)
    true, false = (
        [CardSet(hand).mask for hand in hands] + [0]
        for hands in (("S: 2 C: 5", "H: 34", "C: 4 H: 6"), ("S: 2 C: 5", "H: 3 S: 4", "C: 4 H: 6"))
    )
    some = np.array([true, false], np.uint64)
    likely, impossible = weigh(view, some, wild_weights(1), 0.02)
    assert -10 < likely <= 0
    assert impossible < IMPOSSIBLE / 2


def test_without_a_play_all_worlds_are_alike() -> None:
    state = dealt("coeurs", "S: A2 C: 5", "D: 2 H: 34", "S: 3 C: 4 H: 6")
    view = view_of(state, 0)
    assert weigh(view, worlds(view, 3, 1), wild_weights(1), 0.02) == [0.0, 0.0, 0.0]


# Playing out


@given(tables, seeds, seeds)
@settings(max_examples=FEW)
def test_casual_plays_a_candidate_out_as_it_plays_on(rules: Ruleset, seed: int, draws: int) -> None:
    for moment in choices(one_deal(rules), seed, 2):
        if moment.state.phase is not Phase.PLAYING:
            continue
        view = moment.view
        some = worlds(view, 2, draws)
        cards = list(view.legal)[:3]
        bits = [card.bit for card in cards]
        points = play_out(view.deal, here(view), some, bits, wild_weights(0), CASUAL, seed)
        for world, found in zip(some, points, strict=True):
            state = in_world(moment, world)
            rows = np.concatenate([one_card_on(state, moment.seat, card) for card in cards])
            outcomes = play_on(rules, rows, [CASUAL] * rules.players)
            assert (found == outcomes["points"][:, : rules.players]).all()


def one_card_on(state: MatchState, seat: int, card: Card) -> Records:
    """The position behind a card, in which only that seat remembers its pass."""
    later = after(state, Play(seat, card))
    deal = (later.deals[-1:] and deal_of(later)) or deal_of(later)
    row = position(deal)
    others = [other for other in range(deal.rules.players) if other != seat]
    row[0]["given"][others] = 0
    return row


@given(tables, seeds, seeds)
@settings(max_examples=FEW)
def test_casual_plays_out_a_pass_as_it_plays_on(rules: Ruleset, seed: int, draws: int) -> None:
    for moment in choices(one_deal(rules), seed, 30)[:3]:
        if moment.state.phase is not Phase.PASSING:
            continue
        view = moment.view
        some = worlds(view, 2, draws)
        sets = list(passes(view, 5))[:3]
        points = play_out(view.deal, here(view), some, sets, wild_weights(0), CASUAL, seed)
        for world, found in zip(some.tolist(), points, strict=True):
            rows = np.repeat(here(view), len(sets))
            for row, given_cards in zip(rows, sets, strict=True):
                row["hands"][: rules.players] = world[:-1]
                row["kitty"] = world[-1]
                row["given"][moment.seat] = given_cards
                row["turn"] = 0
            outcomes = play_on(rules, rows, [CASUAL] * rules.players)
            assert (found == outcomes["points"][:, : rules.players]).all()


@given(tables, seeds, st.sampled_from(["instinct", "random"]), st.integers(1, 4))
@settings(max_examples=FEW)
def test_worlds_and_candidates_keep_out_of_each_others_way(
    rules: Ruleset, seed: int, policy: str, cut: int
) -> None:
    instinct = wild_weights(seed % 2**32)
    for moment in choices(one_deal(rules), seed, 2):
        view = moment.view
        playing = moment.state.phase is Phase.PLAYING
        some = worlds(view, 5, seed)
        sets = [card.bit for card in view.legal] if playing else list(passes(view, 3))

        def points(
            worlds: NDArray[np.uint64], sets: list[int], view: View = view
        ) -> NDArray[np.float64]:
            return play_out(view.deal, here(view), worlds, sets, instinct, policy, seed)

        whole = points(some, sets)
        assert (points(some[:cut], sets) == whole[:cut]).all()
        for place, each in enumerate(sets[:3]):
            assert (points(some, [each])[:, 0] == whole[:, place]).all()
        assert np.isin(whole.sum(axis=2), fair_sums(rules)).all()


@given(tables.map(solvable), seeds)
@settings(max_examples=FEW)
def test_the_last_tricks_are_solved_where_they_are_not_played(rules: Ruleset, seed: int) -> None:
    """Values behind each candidate are those of `solve`; the policies make no difference."""
    tricks = 2 - (INTERPRETED and rules.players > 4)
    deals = [deal for deal in endings(one_deal(rules), seed, tricks)[:-1] if deal.turn >= 0]
    for deal in random.Random(seed).sample(deals, min(2, len(deals))):
        bits = [card.bit for card in cards_in(legal_cards(deal))]
        world = np.array([[*deal.hands, deal.kitty]], np.uint64)
        rows = [position(one_on(deal, card)) for card in cards_in(legal_cards(deal))]
        exact = solve(deal.rules, np.concatenate(rows))
        for policy in ("instinct", "random"):
            points = play_out(
                deal, position(deal), world, bits, wild_weights(1), policy, ending=tricks
            )
            assert points[0].tolist() == exact.tolist()


@given(wider, seeds, st.sampled_from(["instinct", "random"]))
@settings(max_examples=FEW // 3)
def test_what_cannot_be_solved_is_played_out(rules: Ruleset, seed: int, policy: str) -> None:
    rules = one_deal(replace(rules, points=replace(rules.points, no_tricks=-5)))
    deal = endings(rules, seed, tricks=2 - (rules.hand_size == 1))[0]
    bits = [card.bit for card in cards_in(legal_cards(deal))]
    world = np.array([[*deal.hands, deal.kitty]], np.uint64)
    solved, played = (
        play_out(deal, position(deal), world, bits, wild_weights(1), policy, ending=tricks)
        for tricks in (2, 0)
    )
    assert solved.tolist() == played.tolist()


def fair_sums(rules: Ruleset) -> list[int]:
    """Possible sums of the points of all seats (S6)."""
    lowers = rules.moon.moon is MoonRule.SHOOTER_MINUS
    doubled = lowers and rules.moon.slam is SlamRule.DOUBLE
    return [
        expected_sum(rules, Score((), moon, slam, minus, tuple(range(trickless))))
        for trickless in range(rules.players)
        for moon, slam, minus in ((None, None, False), (0, None, lowers), (None, 0, doubled))
    ]


@pytest.mark.parametrize("seed", range(2 if INTERPRETED else 24))
def test_instinct_plays_cards_as_often_as_their_odds_say(seed: int) -> None:
    """The last tricks in every way, by their chances; and played out often."""
    instinct = wild_weights(seed)
    rules = make_ruleset(*[("coeurs", {"players": 3}), ("microsoft", {"players": 4})][seed % 2])
    deal = endings(rules, seed, tricks=2 if INTERPRETED or seed % 2 else 3)[1]
    card = cards_in(legal_cards(deal))[0]
    times = 150 if INTERPRETED else 20_000
    world = np.array([[*deal.hands, deal.kitty]] * times, np.uint64)
    found = play_out(deal, position(deal), world, [card.bit], instinct, seed=seed)[:, 0]
    means, squares = expected(one_on(deal, card), instinct)
    spread = np.sqrt(np.maximum(squares - means**2, 0) / times)
    assert (np.abs(found.mean(axis=0) - means) <= 5 * spread + 1e-9).all()


# Compiled code, and the same read as plain Python


def results() -> list[dict[str, Any]]:
    """Results of the search at some moments of three tables, to compare both ways to run it."""
    tables = (("microsoft", 4), ("coeurs", 5), ("salon-six-jokers", 6))
    return [each for preset, players in tables for each in results_at(preset, players)]


def results_at(preset: str, players: int) -> list[dict[str, Any]]:
    rules = one_deal(make_ruleset(preset, {"players": players}))
    instinct = wild_weights(players)
    found: list[dict[str, Any]] = []
    playing = (each for each in choices(rules, players, 100) if each.state.phase is Phase.PLAYING)
    for moment in islice(playing, 3):
        view = moment.view
        some, row = worlds(view, 2, 7), here(view)
        cards = [card.bit for card in view.legal][:3]
        found.append(
            {
                "places": places_of(view.deal, row).tolist(),
                "instinct": play_out(view.deal, row, some, cards, instinct).tolist(),
                "casual": play_out(view.deal, row, some, cards, instinct, CASUAL).tolist(),
                "likelihood": weigh(view, some, instinct, 0.02),
            }
        )
    return found


@pytest.mark.full
@pytest.mark.skipif(INTERPRETED, reason="is about both ways to run")
def test_plain_python_finds_what_compiled_code_finds() -> None:
    program = "import json; from kernel.test_instinct import results; print(json.dumps(results()))"
    plain = run_python("-W", "error::RuntimeWarning", "-c", program, NUMBA_DISABLE_JIT="1")
    for one, other in zip(json.loads(plain), results(), strict=True):
        likelihood = one.pop("likelihood")
        assert likelihood == pytest.approx(other.pop("likelihood"), abs=1e-9)
        assert one == other
