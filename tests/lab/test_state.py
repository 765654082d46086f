"""The whole position as numbers: from either engine, at any time in a deal, and for PettingZoo."""

from __future__ import annotations

import random
import sys

import numpy as np
import pettingzoo.test  # noqa: F401 - which brings the module below
import pytest
from hypothesis import given
from hypothesis import strategies as st
from kit.kernels import Table
from kit.lab import ONE_PACK, deal_in, made, moments, sparing, tables
from kit.strategies import seeds
from numpy.typing import NDArray

from volte.cards import CardSet, mask_of
from volte.kernel.batch import Batch
from volte.lab.env import VectorEnv, hearts_v0, state_fields, state_planes
from volte.lab.env.observation import WholeState, whole_state, whole_states
from volte.rules import Ruleset

pettingzoo_tests = sys.modules["pettingzoo.test.state_test"]

SEATS = ("dealer", "leader", "turn", "kitty taker")
"""Fields that name a seat."""


def by_name(cards: NDArray[np.uint8], situation: NDArray[np.int16], players: int) -> dict[str, str]:
    """A state in words: the cards of each plane, and the numbers."""
    planes = zip(state_planes(players), cards, strict=True)
    held = {
        name: str(CardSet(sum(1 << int(card) for card in np.flatnonzero(plane))))
        for name, plane in planes
    }
    numbers = zip(state_fields(players), situation.tolist(), strict=True)
    return {**held, **{name: str(number) for name, number in numbers}}


def from_seat(seat: int, named: dict[str, str], players: int) -> dict[str, str]:
    """A state as it is counted from another seat."""
    turned = {}
    for name, text in named.items():
        word, _, number = name.rpartition(" ")
        if number.isdecimal():
            turned[f"{word} {(int(number) - seat) % players}"] = text
        elif name in SEATS and int(text) >= 0:
            turned[name] = str((int(text) - seat) % players)
        else:
            turned[name] = text
    return turned


@sparing
@given(tables, seeds, st.randoms(use_true_random=False))
def test_the_kernel_has_the_position_of_the_readable_engine(
    rules: Ruleset, seed: int, rng: random.Random
) -> None:
    """Compare from any seat, at every step of a deal."""
    batch, table, players = Batch(rules, 1, seed), Table(rules, seed), rules.players
    while True:
        due: WholeState = whole_state(table.state, mask_of(table.picked))
        assert [str(part.dtype) for part in due] == ["uint8", "int16"]
        seat = rng.randrange(players)
        found = whole_states(batch, np.array([seat]))
        assert [str(part.dtype) for part in found] == ["uint8", "int16"]
        named = by_name(due.cards, due.situation, players)
        assert by_name(found.cards[0], found.situation[0], players) == from_seat(
            seat, named, players
        )
        if table.is_over:
            break
        card = rng.choice(list(table.legal))
        table.play(card)
        batch.step(np.array([card.index]))


@pytest.mark.parametrize(("preset", "players"), [("salon", 5), ("microsoft", 4)])
def test_it_holds_the_cards_of_everybody(preset: str, players: int) -> None:
    env = made(preset, players)
    env.reset(seed=3)
    planes = len(state_planes(players)) * 54
    for _ in moments(env, random.Random(3)):
        row = env.state()
        assert row.dtype == np.int16
        assert row in env.state_space
        named = by_name(row[:planes].reshape(-1, 54).astype(np.uint8), row[planes:], players)
        deal = deal_in(env)
        for seat in range(players):
            assert named[f"hand {seat}"] == str(CardSet(deal.hands[seat]))
            assert named[f"taken {seat}"] == str(CardSet(deal.captured(seat)))
        assert named["kitty"] == str(CardSet(deal.kitty))
        assert named["turn"] == env.agent_selection.removeprefix("seat_")


@pytest.mark.parametrize(("preset", "players"), ONE_PACK)
def test_every_preset_passes_pettingzoos_state_test(preset: str, players: int) -> None:
    """It passes the parts for seats that act in turn; PettingZoo also plays illegal cards."""
    env = hearts_v0.env(preset, {"players": players})
    pettingzoo_tests.test_state_space(env)
    pettingzoo_tests.test_state(env, num_cycles=5)


def test_many_tables_count_from_whoever_is_on_turn() -> None:
    env = VectorEnv("dame-de-pique", num_envs=9, bots=None)
    seen, _ = env.reset(seed=4)
    hand, turn = state_planes(4).index("hand 0"), state_fields(4).index("turn")
    for _ in range(64):
        state = env.state()
        assert (state["cards"][:, hand] == seen["cards"][:, 0]).all()
        assert (state["cards"][:, hand : hand + 4].sum(axis=1) <= 1).all()
        going = seen["action_mask"].any(axis=1)
        assert (state["situation"][going, turn] == 0).all()
        seen = env.step(seen["action_mask"].argmax(axis=1))[0]
