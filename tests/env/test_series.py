"""Seeds: the episodes of an environment are the deals and the matches of the kernel."""

from __future__ import annotations

import random

import pytest
from env.playing import ONE_PACK, deal_in, deck_of, made, moments
from hypothesis import given
from hypothesis import strategies as st
from kit.strategies import seeds

from volte.fair import SplitMix64, split
from volte.kernel import play_matches
from volte.kernel.batch import Batch
from volte.lab.env import HeartsEnv
from volte.rules import make_ruleset


@given(st.sampled_from(ONE_PACK), seeds, st.booleans())
def test_the_same_seed_brings_the_same_episodes(
    table: tuple[str, int], seed: int, match: bool
) -> None:
    one, other = made(*table, match=match), made(*table, match=match)
    other.reset(seed=seed ^ 1)
    decks = []
    for follows in (False, True, True):
        for env in (one, other):
            env.reset(seed=None if follows else seed)
        assert deck_of(one) == deck_of(other)
        decks.append(deck_of(one))
    assert decks[0] != decks[1] != decks[2] != decks[0]


def test_without_a_seed_chance_differs() -> None:
    one, other = made(), made()
    one.reset()
    other.reset()
    assert deck_of(one) != deck_of(other)


def test_deals_follow_each_other_round_the_cycle_of_passes_and_dealers() -> None:
    env = made("salon", 5)
    deals = []
    for number in range(6):
        env.reset(seed=7 if number == 0 else None)
        deals.append(deal_in(env))
    assert [deal.direction.target(0, 5) for deal in deals] == [1, 4, 2, 3, 0, 1]
    assert [deal.dealer for deal in deals] == [0, 1, 2, 3, 4, 0]
    assert {deal.number for deal in deals} == {1}


@pytest.mark.parametrize(("preset", "players"), [("salon", 3), ("coeurs", 5), ("salon", 6)])
def test_its_deals_are_those_of_the_kernel(preset: str, players: int) -> None:
    env = made(preset, players)
    for number, row in enumerate(Batch(env.rules, 8, seed=2**64 - 1).deals):
        env.reset(seed=2**64 - 1 if number == 0 else None)
        deal = deal_in(env)
        assert deal.hands == tuple(row["hands"][:players])
        assert (deal.kitty, deal.dealer) == (row["kitty"], row["dealer"])
        assert deal.direction.target(0, players) == row["step"]


def test_its_matches_are_those_of_the_kernel() -> None:
    """Their dealers, and the streams that `play_matches` says its deals are dealt from."""
    rules = make_ruleset("microsoft", {"match_end": "deals:3"})
    dealers = play_matches(rules, 11, 4).outcomes["dealer"].reshape(4, 3)
    env = HeartsEnv(rules, match=True)
    for match in range(4):
        env.reset(seed=11 if match == 0 else None)
        seen: dict[int, tuple[int, list[int]]] = {}
        for _ in moments(env, random.Random(0)):
            deal = deal_in(env)
            if deal.number not in seen:
                seen[deal.number] = deal.dealer, deck_of(env)
        for number, (dealer, deck) in seen.items():
            order = SplitMix64(split(split(11, match), number)).permutation(52)
            assert dealer == dealers[match, number - 1]
            for place in range(4):
                assert deck[place::4] == sorted(order[place::4])
        assert list(seen) == [1, 2, 3]
