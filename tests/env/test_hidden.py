"""Secrecy: what a seat cannot know is nowhere in what its learner gets."""

from __future__ import annotations

import copy
import pickle
import random
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import numpy as np
from env.playing import deal_in, deck_of, legal, moments, same, tables
from hypothesis import assume, given
from hypothesis import strategies as st
from kit.strategies import seeds

from volte.cards import CARDS, mask_of
from volte.game import Phase, legal_cards
from volte.lab.env import EnvFault, HeartsEnv
from volte.lab.env.observation import observe
from volte.rules import Ruleset


@given(tables, seeds)
def test_an_agent_sees_just_what_follows_from_its_view(rules: Ruleset, seed: int) -> None:
    env = HeartsEnv(rules)
    env.reset(seed=seed)
    for agent, _ in moments(env, random.Random(seed)):
        seat, row = env.possible_agents.index(agent), env.observe(agent)["observation"]
        cards, situation, _ = observe(env._episode.view(seat), env._episode._learners[seat].picked)
        assert row.dtype == np.int16
        assert np.array_equal(row, [*cards.ravel(), *situation])
        assert env.observe(agent) in env.observation_space(agent)


@given(tables, seeds)
def test_only_the_seat_to_act_has_a_mask_and_it_is_the_legal_cards(
    rules: Ruleset, seed: int
) -> None:
    env = HeartsEnv(rules)
    env.reset(seed=seed)
    picked: list[int] = []
    for agent, action in moments(env, random.Random(seed)):
        deal = deal_in(env)
        if env._episode.state.phase is Phase.PASSING:
            hand = deal.hands[env.possible_agents.index(agent)]
            may = hand & ~mask_of(CARDS[card] for card in picked)
            picked = [*picked, action] if len(picked) + 1 < deal.pass_size else []
        else:
            may = legal_cards(deal)
        for each in env.agents:
            mask = sum(1 << card for card in legal(env.observe(each)))
            assert mask == (may if each == agent else 0)
    assert not any(legal(env.observe(agent)) for agent in env.agents)


@given(tables, seeds, st.data())
def test_two_deals_that_differ_in_what_is_hidden_are_the_same_to_a_seat(
    rules: Ruleset, seed: int, data: Any
) -> None:
    env = HeartsEnv(rules)
    env.reset(seed=seed)
    deck = deck_of(env)
    actions = [action for _, action in moments(env, random.Random(seed))]
    seat = data.draw(st.integers(0, rules.players - 1), "seat")
    actions = actions[: data.draw(st.integers(0, len(actions) - 1), "steps")]
    other = redealt(env, deck, seat, actions, random.Random(seed))
    assume(other != deck)
    agent = env.possible_agents[seat]
    pairs = zip(told(env, deck, actions, agent), told(env, other, actions, agent), strict=True)
    for (seen, *rest), (seen_there, *rest_there) in list(pairs):
        assert same(seen, seen_there)
        assert rest == rest_there


def told(env: HeartsEnv, deck: list[int], actions: list[int], agent: str) -> list[Any]:
    """All that an agent can get out of an environment, before and after each of those actions."""
    everything = []
    for _ in steps(env, deck, actions):
        shared = (env.agents, env.rewards, env.infos, env.terminations, env.truncations)
        view = pickle.dumps(env._episode.view(env.possible_agents.index(agent)))
        everything.append(
            (env.observe(agent), env.last(observe=False), copy.deepcopy(shared), view)
        )
    return everything


def steps(env: HeartsEnv, deck: list[int], actions: list[int]) -> Iterator[None]:
    """A deal of that deck, before and after each of those actions."""
    env.reset(seed=0, options={"deck": deck})
    yield
    for action in actions:
        env.step(action)
        yield


def redealt(
    env: HeartsEnv, deck: list[int], seat: int, actions: list[int], rng: random.Random
) -> list[int]:
    """The deck with what is hidden from that seat, and has not been put down, in other places.

    The same actions are open to the same seats. It is the same deck where a few tries bring none.
    """
    public = what_all_know(env, deck, actions)
    players, dealt = env.rules.players, env.rules.hand_size * env.rules.players
    has_kitty = deal_in(env).kitty_taker == seat
    hidden = [
        place
        for place, card in enumerate(deck)
        if card not in actions
        and (not has_kitty if place >= dealt else (place + 1) % players != seat)
    ]
    for _ in range(20):
        cards = rng.sample([deck[place] for place in hidden], len(hidden))
        moved = dict(zip(hidden, cards, strict=True))
        other = [moved.get(place, card) for place, card in enumerate(deck)]
        with suppress(EnvFault):
            if other != deck and what_all_know(env, other, actions) == public:
                return other
    return deck


def what_all_know(env: HeartsEnv, deck: list[int], actions: list[int]) -> list[Any]:
    """Whose turn it is at every step, and what has to be led (L2)."""
    return [(env.agent_selection, deal_in(env).opening) for _ in steps(env, deck, actions)]


@given(tables, seeds)
def test_nobody_sees_what_another_picks_to_pass(rules: Ruleset, seed: int) -> None:
    assume(0 < rules.pass_size(rules.direction(1)) < rules.hand_size)
    one, two = HeartsEnv(rules), HeartsEnv(rules)
    one.reset(seed=seed)
    two.reset(seed=seed)
    picker = one.agent_selection
    while one._episode.state.phase is Phase.PASSING and one.agent_selection == picker:
        one.step(legal(one.observe(picker))[0])
        two.step(legal(two.observe(picker))[-1])
        for agent in one.possible_agents:
            assert same(one.observe(agent), two.observe(agent)) == (agent != picker)
