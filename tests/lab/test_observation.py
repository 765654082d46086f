"""A learner's observation: in words, from either engine, and without hidden cards."""

from __future__ import annotations

import copy
import pickle
import random
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from kit import deal_of, dealt, seeds, view_of
from kit.kernels import Table, run_python
from kit.lab import deal_in, deck_of, legal, moments, same, sparing, tables
from kit.stanzas import read_stanza, stanzas
from msgspec.structs import replace
from numpy.typing import NDArray

from volte.cards import CARDS, Card, CardSet, cards_in, mask_of
from volte.game import Phase, legal_cards
from volte.kernel import Records, encode
from volte.kernel.batch import Batch, Observations
from volte.kernel.layout import PASSING
from volte.kernel.startup import code
from volte.lab.env import EnvFault, HeartsEnv
from volte.lab.env.observation import (
    MOST_NUMBER,
    Observation,
    card_planes,
    observe,
    situation_fields,
)
from volte.rules import Ruleset

# Meaning of the planes and the numbers


@pytest.mark.parametrize("text", stanzas(__file__, "sights.txt"))
def test_what_a_seat_sees_in_words(text: str) -> None:
    """Planes and the mask are read as cards, fields of the situation as numbers."""
    stanza, picked = read_stanza(text), 0
    for line in stanza.lines:
        if line.startswith("picked "):
            picked = CardSet(line.removeprefix("picked ")).mask
            continue
        words, _, expected = line.partition(" =")
        seat, _, name = words.partition(" ")
        seen = observe(view_of(stanza.state, int(seat)), picked)
        numbers = dict(
            zip(situation_fields(stanza.state.rules.players), seen.situation, strict=True)
        )
        planes = dict(zip(card_planes(stanza.state.rules.players), seen.cards, strict=True))
        if name in numbers:
            assert numbers[name] == int(expected), line
        else:
            plane = seen.mask if name == "mask" else planes[name]
            assert np.flatnonzero(plane).tolist() == [each.index for each in CardSet(expected)], (
                line
            )


def test_the_number_of_a_deal_stops_where_sixteen_bits_end() -> None:
    """It does in the readable engine and in the kernel."""
    state = dealt("coeurs", "S: A2 H: K", "S: K3 H: A", "C: 2 H: 2 S: 4")
    late = replace(state, deal=replace(deal_of(state), number=10**6))
    readable = observe(view_of(late, 0))
    batch = Batch(state.rules, 1)
    rows = batch.deals.copy()
    rows["number"] = 10**6
    for situation in (readable.situation, look(state.rules, rows, seat=0).situation[0]):
        assert situation[situation_fields(3).index("deal")] == MOST_NUMBER


# The kernel's observation is the same

ROWS = 2
"""Number of deals side by side."""


@sparing
@given(tables, seeds, st.randoms(use_true_random=False))
def test_the_kernel_sees_what_the_readable_engine_sees(
    rules: Ruleset, seed: int, rng: random.Random
) -> None:
    check(rules, seed, rng)


def check(rules: Ruleset, seed: int, rng: random.Random) -> None:
    """Compare at every step of some deals, for every seat."""
    batch = Batch(rules, ROWS, seed)
    tables = [Table(rules, seed, row) for row in range(ROWS)]
    check_rows(batch, tables)
    while not all(table.is_over for table in tables):
        cards = [Card("2C") if table.is_over else rng.choice(list(table.legal)) for table in tables]
        for table, card in zip(tables, cards, strict=True):
            if not table.is_over:
                table.play(card)
        batch.step(np.array([card.index for card in cards]))
        check_rows(batch, tables)


def check_rows(batch: Batch, tables: list[Table]) -> None:
    """Compare every row, for every seat and, by default, for the seat on turn."""
    everybody = [np.full(batch.size, seat) for seat in range(batch.rules.players)]
    looks = [(seats, batch.observe(seats)) for seats in everybody]
    for seats, seen in [*looks, (batch.turn, batch.observe())]:
        for row, table in enumerate(tables):
            check_same(table.observe(int(seats[row])), seen, row)


def check_same(readable: Observation, compiled: Observations, row: int) -> None:
    for name, due in readable._asdict().items():
        seen = getattr(compiled, name)
        assert seen.dtype == due.dtype
        assert seen[row].tolist() == due.tolist()


@pytest.mark.full
@pytest.mark.parametrize(
    "preset", ["salon-six-jokers", pytest.param("coeurs", marks=pytest.mark.full)]
)
def test_so_it_does_with_the_compiler_off(preset: str) -> None:
    program = (
        "from random import Random; from lab.test_observation import check;"
        "from volte.rules import make_ruleset;"
        f"check(make_ruleset({preset!r}), 5, Random(5))"
    )
    run_python("-c", program, NUMBA_DISABLE_JIT="1")


def test_the_room_in_the_kernel_is_the_room_that_is_named() -> None:
    for players in range(3, 8):
        cards, situation, _ = Observations.room(players, rows=2)
        assert cards.shape == (2, len(card_planes(players)), 54)
        assert situation.shape == (2, len(situation_fields(players)))


# Hidden cards


@sparing
@given(tables, seeds, st.randoms(use_true_random=False))
def test_hidden_cards_dealt_otherwise_look_the_same(
    rules: Ruleset, seed: int, rng: random.Random
) -> None:
    """They do for any seat, at any point of the deals."""
    batch = Batch(rules, ROWS, seed)
    for _ in range(rng.randrange(rules.players * (rules.hand_size + rules.passing.count))):
        batch.step(choose(batch, rng))
    for seat in range(rules.players):
        seen = look(rules, batch.deals.copy(), seat)
        again = look(rules, dealt_otherwise(batch.deals, seat, rng, rules.players), seat)
        for name, part in seen._asdict().items():
            assert part.tolist() == getattr(again, name).tolist()


def choose(batch: Batch, rng: random.Random) -> NDArray[np.int64]:
    """A legal card in every row."""
    hands = [cards_in(int(mask)) for mask in batch.legal]
    return np.array([rng.choice(hand).index if hand else 0 for hand in hands])


def look(rules: Ruleset, deals: Records, seat: int) -> Observations:
    """The observations of that seat in deals at any point."""
    legal_now = np.zeros(len(deals), np.uint64)
    code("stepping.resume")(encode(rules), deals, legal_now)
    seen = Observations.room(rules.players, len(deals))
    code("stepping.observe")(
        encode(rules),
        deals,
        legal_now,
        np.full(len(deals), seat),
        seen.cards.reshape(-1),
        seen.situation,
        seen.mask.view(np.uint8).reshape(-1),
    )
    return seen


def dealt_otherwise(deals: Records, seat: int, rng: random.Random, players: int) -> Records:
    """The deals with those cards that the seat does not see exchanged at random in each.

    The others' passes change too, but for the cards passed to the seat; so does the generator.
    """
    changed = deals.copy()
    for row in range(len(changed)):
        deal = changed[row]
        others = [other for other in range(players) if other != seat]
        places = [(deal["hands"], other) for other in others]
        if deal["kitty_taker"] != seat:
            places.append((changed["kitty"], row))
        hidden = [card for masks, place in places for card in cards_in(int(masks[place]))]
        moved = dict(zip(hidden, rng.sample(hidden, len(hidden)), strict=True))
        giver = (seat - deal["step"]) % players if deal["phase"] != PASSING else seat
        places += [(deal["given"], other) for other in others if other != giver]
        for masks, place in places:
            cards = cards_in(int(masks[place]))
            masks[place] = CardSet(moved.get(card, card) for card in cards).mask
        deal["chance"] = rng.getrandbits(64)
    return changed


@sparing
@given(tables, seeds)
def test_an_agent_sees_just_what_follows_from_its_view(rules: Ruleset, seed: int) -> None:
    env = HeartsEnv(rules)
    env.reset(seed=seed)
    for agent, _ in moments(env, random.Random(seed)):
        seat, row = env.possible_agents.index(agent), env.observe(agent)["observation"]
        cards, situation, _ = observe(
            env._series.episode.view(seat), env._series.episode._learners[seat].picked
        )
        assert row.dtype == np.int16
        assert np.array_equal(row, [*cards.ravel(), *situation])
        assert env.observe(agent) in env.observation_space(agent)


@sparing
@given(tables, seeds)
def test_only_the_seat_to_act_has_a_mask_and_it_is_the_legal_cards(
    rules: Ruleset, seed: int
) -> None:
    env = HeartsEnv(rules)
    env.reset(seed=seed)
    picked: list[int] = []
    for agent, action in moments(env, random.Random(seed)):
        deal = deal_in(env)
        if env._series.episode.state.phase is Phase.PASSING:
            hand = deal.hands[env.possible_agents.index(agent)]
            may = hand & ~mask_of(CARDS[card] for card in picked)
            picked = [*picked, action] if len(picked) + 1 < deal.pass_size else []
        else:
            may = legal_cards(deal)
        for each in env.agents:
            mask = sum(1 << card for card in legal(env.observe(each)))
            assert mask == (may if each == agent else 0)
    assert not any(legal(env.observe(agent)) for agent in env.agents)


@sparing
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
    """Everything that an agent can get from an environment, before and after each action."""
    everything = []
    for _ in steps(env, deck, actions):
        shared = (env.agents, env.rewards, env.infos, env.terminations, env.truncations)
        view = pickle.dumps(env._series.episode.view(env.possible_agents.index(agent)))
        everything.append(
            (env.observe(agent), env.last(observe=False), copy.deepcopy(shared), view)
        )
    return everything


def steps(env: HeartsEnv, deck: list[int], actions: list[int]) -> Iterator[None]:
    """Play a deal of that deck; yields before and after each of those actions."""
    env.reset(seed=0, options={"deck": deck})
    yield
    for action in actions:
        env.step(action)
        yield


def redealt(
    env: HeartsEnv, deck: list[int], seat: int, actions: list[int], rng: random.Random
) -> list[int]:
    """The deck with the cards hidden from that seat, and not put down, in other places.

    The same actions are open to the same seats. It is the given deck if a few tries find none.
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
    """The seat on turn at every step, and the card that has to be led (L2)."""
    return [(env.agent_selection, deal_in(env).opening) for _ in steps(env, deck, actions)]


@sparing
@given(tables, seeds)
def test_nobody_sees_what_another_picks_to_pass(rules: Ruleset, seed: int) -> None:
    assume(0 < rules.pass_size(rules.direction(1)) < rules.hand_size)
    one, two = HeartsEnv(rules), HeartsEnv(rules)
    one.reset(seed=seed)
    two.reset(seed=seed)
    picker = one.agent_selection
    while one._series.episode.state.phase is Phase.PASSING and one.agent_selection == picker:
        one.step(legal(one.observe(picker))[0])
        two.step(legal(two.observe(picker))[-1])
        for agent in one.possible_agents:
            assert same(one.observe(agent), two.observe(agent)) == (agent != picker)
