"""Environments played at random, and what is in them."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import numpy as np
from hypothesis import strategies as st
from kit.deals import deal_of
from kit.rulesets import TABLES
from kit.strategies import rulesets, wider_rulesets
from numpy.typing import NDArray

from volte.cards import cards_in
from volte.game import DealState
from volte.lab.env import HeartsEnv, card_planes, hearts_v0
from volte.lab.env.spaces import Seen
from volte.rules import make_ruleset

ONE_PACK = tuple(
    (name, players)
    for name, players in TABLES
    if make_ruleset(name, {"players": players}).deck.packs == 1
)
"""The tables that environments have room for."""

tables = rulesets() | wider_rulesets(st.integers(3, 7)).filter(lambda rules: rules.deck.packs == 1)
"""Any such table."""


def made(preset: str | None = None, players: int | None = None, **more: Any) -> HeartsEnv:
    """The environment of a preset for that many, as it is."""
    return hearts_v0.raw_env(preset, {"players": players} if players else None, **more)


def legal(seen: Seen) -> list[int]:
    """The actions that the mask allows."""
    return [int(card) for card in np.flatnonzero(seen["action_mask"])]


def moments(env: HeartsEnv, rng: random.Random) -> Iterator[tuple[str, int]]:
    """An episode that has begun, played at random: whose turn it is, and the card put down next."""
    while not any(env.terminations.values()):
        agent = env.agent_selection
        action = rng.choice(legal(env.observe(agent)))
        yield agent, action
        env.step(action)


def deal_in(env: HeartsEnv) -> DealState:
    """The present deal, with nothing hidden."""
    return deal_of(env._episode.state)


def deck_of(env: HeartsEnv) -> list[int]:
    """A deck that brings a deal which has just begun (D4): each hand in order, card by card."""
    deal = deal_in(env)
    players = deal.rules.players
    around = [(deal.dealer + 1 + place) % players for place in range(players)]
    rows = zip(*(cards_in(deal.hands[seat]) for seat in around), strict=True)
    cards = [card for row in rows for card in row]
    return [card.index for card in (*cards, *cards_in(deal.kitty))]


def planes(seen: Seen, players: int) -> dict[str, NDArray[Any]]:
    """The cards of an observation, plane by plane."""
    names = card_planes(players)
    cards = seen["observation"][: len(names) * 54].reshape(len(names), 54)
    return dict(zip(names, cards, strict=True))


def same(one: Seen, other: Seen) -> bool:
    """Whether two observations are equal, number by number."""
    return all(np.array_equal(one[key], other[key]) for key in ("observation", "action_mask"))
