"""Thousands of tables for Gymnasium: the same game, in the form of vector environments."""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import data_equivalence
from gymnasium.vector import AutoresetMode
from gymnasium.wrappers.vector import RecordEpisodeStatistics
from hypothesis import given
from hypothesis import strategies as st
from kit import because, few, seeds
from kit.kernels import Table
from kit.lab import ONE_PACK, sparing, tables
from numpy.typing import NDArray

from volte.bots import Bot, Clock, make_bot
from volte.cards import CARDS, VolteError
from volte.game import Pass, Phase, Play, SeatAction
from volte.kernel import RANDOM_POLICY, KernelFault
from volte.lab.env import HEARTS_VECTOR
from volte.lab.env.observation import Observation, situation_fields
from volte.lab.env.vector import Seen, VectorEnv
from volte.rules import Ruleset, Value, make_ruleset
from volte.view import View

PRESET = make_ruleset("dame-de-pique")
TINY = make_ruleset("coeurs", {"removed": [str(card) for card in CARDS[:44]], "pass_count": 0})
"""Rules with two cards in each hand."""

CASUAL = make_bot("casual")

randoms = st.randoms(use_true_random=False)


def choose(seen: Seen, rng: random.Random) -> NDArray[np.int64]:
    """A legal card at every table; any card if the episode is over."""
    cards = [np.flatnonzero(mask).tolist() for mask in seen["action_mask"]]
    return np.array([rng.choice(legal or range(54)) for legal in cards])


# The same game as elsewhere


class Learning:
    """A table of the readable engine at which the bots play until the learner is on turn.

    Args:
        bots: by seat; the other seats play at random.
    """

    def __init__(self, table: Table, learner: int, bots: Mapping[int, Bot]) -> None:
        self.table = table
        self.learner = learner
        self._bots = bots
        self._go_on()

    def play(self, card: int) -> None:
        """Play the learner's next card."""
        self.table.play(CARDS[card])
        self._go_on()

    def _go_on(self) -> None:
        while not self.table.is_over and self.table.turn != self.learner:
            if self.table.turn in self._bots:
                self._ask(self._bots[self.table.turn])
            else:
                self.table.play_at_random()

    def _ask(self, bot: Bot) -> None:
        action = bot.choose(self.table.views[self.table.turn], Clock())
        assert isinstance(action, Pass | Play)
        for card in action.cards if isinstance(action, Pass) else [action.card]:
            self.table.play(card)

    def reward(self, name: str) -> float:
        """The learner's reward for the deal, once it is over."""
        points = list(self.table.points)
        own = points.pop(self.learner)
        return -own if name == "points" else sum(points) / len(points) - own


def check_row(seen: Seen, row: int, readable: Observation) -> None:
    """Compare that table as a seat sees it, as the first deal of a match."""
    readable.situation[situation_fields(3).index("deal")] = 1
    assert seen["cards"][row].tolist() == readable.cards.tolist()
    assert seen["situation"][row].tolist() == readable.situation.tolist()
    assert seen["action_mask"][row].tolist() == readable.mask.tolist()


def check(
    env: VectorEnv,
    seed: int,
    rng: random.Random,
    seat: int | None,
    reward: str = "points",
    bots: Mapping[int, Bot] | None = None,
) -> None:
    """Compare every table with the readable engine, until each has been dealt anew.

    Args:
        bots: by number of places to the learner's left; other seats play at random.
    """
    rules, size = env.rules, env.num_envs

    def deal(index: int) -> Learning:
        learner = index // rules.players % rules.players if seat is None else seat
        seated = {(learner + place) % rules.players: bot for place, bot in (bots or {}).items()}
        return Learning(Table(rules, seed, index), learner, seated)

    seen, info = env.reset(seed=seed)
    assert info == {}
    indices = list(range(size))
    tables = [deal(index) for index in indices]
    while min(indices) < size:
        for row in range(size):
            assert env.seats[row] == tables[row].learner
            check_row(seen, row, tables[row].table.observe(tables[row].learner))
        cards = choose(seen, rng)
        seen, rewards, terminations, truncations, info = env.step(cards)
        for row in range(size):
            worth = 0.0
            if tables[row].table.is_over:
                indices[row] += size
                tables[row] = deal(indices[row])
            else:
                tables[row].play(int(cards[row]))
                worth = tables[row].reward(reward) if tables[row].table.is_over else 0.0
            assert rewards[row] == pytest.approx(worth)
            assert terminations[row] == tables[row].table.is_over
        assert not truncations.any()
        assert info == {}


@sparing
@given(tables, seeds, randoms, st.sampled_from(["points", "difference"]), st.booleans())
def test_the_tables_are_those_of_the_readable_engine(
    rules: Ruleset, seed: int, rng: random.Random, reward: str, moves: bool
) -> None:
    seat = None if moves else rng.randrange(rules.players)
    env = VectorEnv(rules, num_envs=2, seat=seat, bots="random", reward=reward)
    check(env, seed, rng, seat, reward)


@pytest.mark.parametrize("preset", ["coeurs", "dame-de-pique", "salon"])
def test_compiled_bots_play_as_the_bots_of_the_house_do(preset: str) -> None:
    env = VectorEnv(preset, num_envs=6, bots="casual")
    check(env, 11, random.Random(11), None, bots=dict.fromkeys([1, 2, 3], CASUAL))


@pytest.mark.parametrize("seat", [None, 2])
def test_every_bot_has_its_place_from_the_learners_left(seat: int | None) -> None:
    env = VectorEnv(PRESET, num_envs=6, seat=seat, bots=["casual", RANDOM_POLICY, "random"])
    check(env, 12, random.Random(12), seat, bots={1: CASUAL})


@pytest.mark.parametrize(
    ("preset", "settings", "option"),
    [
        ("coeurs", {"no_tricks": -5}, "no_tricks"),
        ("partnership", {}, "partners"),
        ("scatter", {}, "pass_cycle"),
    ],
)
def test_an_option_that_compiled_casual_does_not_know_is_named(
    preset: str, settings: dict[str, Value], option: str
) -> None:
    with pytest.warns(UserWarning, match=f"“casual” plays as if {option} changed nothing") as told:
        VectorEnv(preset, settings, bots=["Casual", "random", "casual"])
    assert len(told) == 1
    VectorEnv(preset, settings, bots="random")  # warnings are errors


# Several learners, and policies of one's own


@sparing
@given(tables, seeds, randoms)
def test_every_seat_may_be_a_learners(rules: Ruleset, seed: int, rng: random.Random) -> None:
    """Each sees the same as alone, and all are rewarded, also those that did not end the deal."""
    env = VectorEnv(rules, num_envs=2, bots=None)
    seen, _ = env.reset(seed=seed)
    playing = [Table(rules, seed, row) for row in range(2)]
    while not all(table.is_over for table in playing):
        acting = env.seats
        for row, table in enumerate(playing):
            if not table.is_over:
                assert env.seats[row] == table.turn
                check_row(seen, row, table.observe(table.turn))
        cards = choose(seen, rng)
        over = [table.is_over for table in playing]
        seen, rewards, terminations, _, _ = env.step(cards)
        for row, table in enumerate(playing):
            if not over[row]:
                table.play(CARDS[cards[row]])
                points = table.points if table.is_over else (0,) * rules.players
                assert env.rewards[row].tolist() == [-each for each in points]
                assert rewards[row] == env.rewards[row, acting[row]]
                assert terminations[row] == table.is_over
        if any(over):
            break  # that table has been dealt anew


def highest(seen: Seen) -> NDArray[np.int64]:
    """The highest legal card at each table."""
    cards: NDArray[np.int64] = 53 - seen["action_mask"][:, ::-1].argmax(axis=1)
    return cards


class Highest:
    """A bot of the readable engine that plays the highest legal card."""

    def choose(self, view: View, clock: Clock) -> SeatAction:
        assert view.seat is not None
        if view.state.phase is Phase.PASSING:
            return Pass(view.seat, tuple(list(view.hand)[::-1][: view.deal.pass_size]))
        return Play(view.seat, list(view.legal)[-1])


@sparing
@given(tables, seeds, randoms, st.booleans())
def test_a_function_plays_as_a_bot_does(
    rules: Ruleset, seed: int, rng: random.Random, moves: bool
) -> None:
    """It does beside compiled bots, and wherever the learner sits."""
    places = [place for place in range(1, rules.players) if rng.random() < 0.5]
    seat = None if moves else rng.randrange(rules.players)
    bots = [highest if place in places else "random" for place in range(1, rules.players)]
    env = VectorEnv(rules, num_envs=2, seat=seat, bots=bots)
    check(env, seed, rng, seat, bots=dict.fromkeys(places, Highest()))


def test_a_function_is_asked_for_all_its_seats_together() -> None:
    asked: list[int] = []

    def watching(seen: Seen) -> NDArray[np.int64]:
        assert seen["action_mask"].any(axis=1).all()
        one = {name: part[0] for name, part in seen.items()}
        assert one in env.single_observation_space
        asked.append(len(seen["cards"]))
        return highest(seen)

    env = VectorEnv("coeurs", {"pass_count": 0}, num_envs=6, bots=watching)
    env.reset(seed=1)
    leads = [Table(env.rules, 1, row).turn for row in range(6)]
    before = (env.seats - leads) % 4
    assert [sum(before > done) for done in range(max(before))] == asked


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        (np.full(2, 53), "kernel_not_legal"),
        (np.full(2, 5.5), "env_chosen"),
        (np.full((2, 1), 5), "env_chosen"),
        (5, "env_chosen"),
        (None, "env_chosen"),
        ([[5], [5, 6]], "env_chosen"),
        ([2**70, 5], "env_chosen"),
    ],
)
def test_a_function_that_errs_is_told_of(answer: Any, reason: str) -> None:
    """It is asked at once, since it sits to the left of the first dealer."""
    env = VectorEnv("coeurs", {"pass_count": 0}, num_envs=2, bots=lambda seen: answer)
    with pytest.raises(VolteError, check=because(reason)):
        env.reset(seed=1)


# As Gymnasium wants it


@pytest.mark.parametrize("copy", [True, False])
def test_what_comes_out_lies_in_the_spaces(copy: bool) -> None:
    env = VectorEnv("salon", {"players": 6}, num_envs=5, bots="random", copy=copy)
    rng = random.Random(1)
    seen, _ = env.reset(seed=1)
    for _ in range(30):
        assert seen in env.observation_space
        one = {name: part[0] for name, part in seen.items()}
        assert one in env.single_observation_space
        cards = choose(seen, rng)
        assert cards in env.action_space
        seen, rewards, terminations, truncations, _ = env.step(cards)
        assert [str(part.dtype) for part in (rewards, terminations, truncations)] == [
            "float64",
            "bool",
            "bool",
        ]
        assert rewards.shape == terminations.shape == truncations.shape == (5,)


def test_it_says_when_it_deals_anew_and_keeps_to_it() -> None:
    assert VectorEnv.metadata["autoreset_mode"] is AutoresetMode.NEXT_STEP
    env = VectorEnv(PRESET, num_envs=4, bots="random")
    rng = random.Random(2)
    seen, _ = env.reset(seed=2)
    ended = np.zeros(4, bool)
    for _ in range(60):
        assert (seen["action_mask"].any(axis=1) == ~ended).all()
        hands = seen["cards"][:, 0].sum(axis=1)
        seen, rewards, terminations, _, _ = env.step(choose(seen, rng))
        assert not (ended & terminations).any()
        assert (rewards[~terminations] == 0).all()
        assert (seen["cards"][ended, 0].sum(axis=1) == 13).all()
        assert (hands[ended] == 0).all()
        ended = terminations


def test_the_same_seed_and_actions_bring_the_same() -> None:
    one, other, threads = (
        VectorEnv(PRESET, num_envs=7, bots="random", threads=threads) for threads in (1, 1, 3)
    )
    rng = random.Random(3)
    results: list[Any] = [env.reset(seed=3) for env in (one, other, threads)]
    for _ in range(40):
        assert data_equivalence(results[0], results[1], exact=True)
        assert data_equivalence(results[0], results[2], exact=True)
        cards = choose(results[0][0], rng)
        results = [env.step(cards) for env in (one, other, threads)]


def test_resets_without_a_seed_follow_from_the_last_one() -> None:
    env = VectorEnv(PRESET, num_envs=2)
    first, second = env.reset(seed=5)[0], env.reset()[0]
    assert not data_equivalence(first, second)
    env.reset(seed=5)
    assert data_equivalence(second, env.reset()[0], exact=True)
    assert not data_equivalence(VectorEnv(PRESET).reset()[0], VectorEnv(PRESET).reset()[0])


def test_what_was_seen_stays_unless_it_may_be_written_over() -> None:
    for copy in (True, False):
        env = VectorEnv(PRESET, num_envs=2, bots="random", copy=copy)
        seen, _ = env.reset(seed=1)
        before = {name: part.copy() for name, part in seen.items()}
        again = env.step(choose(seen, random.Random(1)))[0]
        assert data_equivalence(seen, before if copy else again, exact=True)


def test_arrays_that_are_written_over_are_the_same_at_every_step() -> None:
    """So other libraries need to be handed them only once, without a copy."""
    env = VectorEnv(PRESET, num_envs=2, bots="random", copy=False)
    seen, _ = env.reset(seed=1)
    handed = {name: np.from_dlpack(part) for name, part in seen.items()}
    for _ in range(5):
        again = env.step(choose(seen, random.Random(1)))[0]
        for name, part in again.items():
            assert part is seen[name]
            assert np.shares_memory(part, handed[name])
            assert (part == handed[name]).all()


@pytest.mark.parametrize("copy", [True, False])
def test_arrays_begin_where_others_can_share_them(copy: bool) -> None:
    """JAX wants a multiple of 64 bytes."""
    env = VectorEnv(PRESET, num_envs=3, bots="random", copy=copy)
    seen, _ = env.reset(seed=1)
    for _ in range(5):
        assert {part.ctypes.data % 64 for part in seen.values()} == {0}
        seen = env.step(choose(seen, random.Random(1)))[0]


def test_jax_shares_the_memory() -> None:
    jax = pytest.importorskip("jax")
    seen, _ = VectorEnv(PRESET, num_envs=3, bots="random").reset(seed=1)
    for part in seen.values():
        shared = jax.dlpack.from_dlpack(part, copy=False)
        assert shared.unsafe_buffer_pointer() == part.ctypes.data


def test_torch_shares_the_memory() -> None:
    torch = pytest.importorskip("torch")
    env = VectorEnv(PRESET, num_envs=2, bots="random", copy=False)
    seen, _ = env.reset(seed=1)
    tensors = {name: torch.from_dlpack(part) for name, part in seen.items()}
    env.step(choose(seen, random.Random(1)))
    for name, part in seen.items():
        assert tensors[name].data_ptr() == part.ctypes.data
        assert (tensors[name].numpy() == part).all()


def test_episodes_are_counted_by_gymnasium_itself() -> None:
    env = RecordEpisodeStatistics(VectorEnv(TINY, num_envs=2, bots="random"))
    rng, points = random.Random(4), []
    seen, _ = env.reset(seed=4)
    for _ in range(20):
        seen, rewards, terminations, _, info = env.step(choose(seen, rng))
        if terminations.any():
            assert (info["episode"]["l"][terminations] == 2).all()
            assert (info["episode"]["r"] == rewards)[terminations].all()
            points.append(rewards)
    assert len(points) > 5


def test_every_table_may_have_a_seed_of_its_own() -> None:
    """It then plays as it would alone, deal after deal, whatever the others play."""
    env = VectorEnv(TINY, num_envs=3, bots="random", threads=2)
    seeds, rng = [5, 2**64 - 1, 5], random.Random(8)
    alone = [VectorEnv(TINY, bots="random") for _ in seeds]
    seen = env.reset(seed=seeds)[0]
    each = [one.reset(seed=seed)[0] for one, seed in zip(alone, seeds, strict=True)]
    for _ in range(20):
        for row, one in enumerate(each):
            assert all((seen[name][row] == part[0]).all() for name, part in one.items())
        cards = choose(seen, rng)
        cards[2] = cards[0]
        seen = env.step(cards)[0]
        each = [one.step(cards[row : row + 1])[0] for row, one in enumerate(alone)]
    first = env.reset(seed=np.array(seeds, np.uint64))[0]["cards"][0]
    assert (first == env.reset(seed=5)[0]["cards"][0]).all()
    after = [env.reset(seed=seeds) and env.reset()[0] for _ in range(2)]
    assert data_equivalence(after[0], after[1], exact=True)
    assert env.reset(seed=[1, None, None])[0] in env.observation_space


def test_some_tables_may_be_dealt_anew_while_others_go_on() -> None:
    env, other = (VectorEnv(PRESET, num_envs=3, bots="random") for _ in range(2))
    seen = env.reset(seed=1)[0]
    other.reset(seed=1)
    cards = choose(seen, random.Random(1))
    seen, there = env.step(cards)[0], other.step(cards)[0]
    chosen = np.array([False, True, False])
    for seed in (None, 9, [7, 8, 9]):
        again = env.reset(seed=seed, options={"reset_mask": chosen})[0]
        assert (again["cards"][~chosen] == there["cards"][~chosen]).all()
        assert again["cards"][1, 0].sum() == 13
        assert (again["cards"][1] != seen["cards"][1]).any()
        seen = again


@pytest.mark.parametrize("number", [1, True, np.int64(1)])
def test_it_is_made_and_closed_as_every_vector_environment(number: int) -> None:
    env = gymnasium.make_vec(HEARTS_VECTOR, num_envs=number, rules=PRESET, render_mode=None)
    assert (env.num_envs, env.render_mode) == (1, None)
    assert env.spec is not None
    again = gymnasium.make_vec(env.spec)
    assert data_equivalence(again.reset(seed=1)[0], env.reset(seed=1)[0], exact=True)
    env.close(timeout=1)
    assert env.closed


# What is refused


def test_a_card_that_is_not_legal_changes_nothing() -> None:
    env, other = (VectorEnv(PRESET, num_envs=3, bots="random") for _ in range(2))
    seen, _ = env.reset(seed=6)
    other.reset(seed=6)
    cards = choose(seen, random.Random(6))
    wrong = cards.copy()
    wrong[2] = np.flatnonzero(seen["action_mask"][2] == 0)[0]
    with pytest.raises(KernelFault, check=because("kernel_not_legal")):
        env.step(wrong)
    assert data_equivalence(env.step(cards), other.step(cards), exact=True)


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        ({"seat": 4}, "env_seat"),
        ({"bots": ["random"]}, "env_bots"),
        ({"bots": "beginner"}, "env_compiled"),
        ({"reward": "tricks"}, "env_reward"),
        ({"num_envs": 0}, "kernel_range"),
        ({"num_envs": -1}, "kernel_range"),
        ({"num_envs": 2**25}, "kernel_range"),
        ({"num_envs": 2.5}, "wrong_type"),
        ({"render_mode": "ansi"}, "env_renders_nothing"),
        ({"seat": 1.0}, "env_seat"),
        ({"bots": ["random", 3, "random"]}, "env_compiled"),
        ({"seat": np.array([1, 2])}, "env_seat"),
        ({"rules": "bridge"}, "no_such_preset"),
        ({"rules": "cancellation"}, "kernel_seats"),
        ({"rules": "cancellation", "settings": {"players": 6}}, "kernel_packs"),
    ],
)
def test_tables_that_cannot_be_are_refused(arguments: dict[str, Any], reason: str) -> None:
    with pytest.raises(VolteError, check=because(reason)):
        VectorEnv(**arguments)


def test_nobody_plays_before_the_cards_are_dealt() -> None:
    env = VectorEnv(PRESET)
    for act in (env.state, lambda: env.step(np.zeros(1, int))):
        with pytest.raises(VolteError, check=because("env_reset_first")):
            act()
    with pytest.raises(VolteError, check=because("env_renders_nothing")):
        env.render()


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        ({"seed": [1]}, "env_seeds"),
        ({"seed": [1, -1]}, "not_a_seed"),
        ({"seed": "1"}, "not_a_seed"),
        ({"options": {"deck": [*range(52)]}}, "env_no_deck"),
        ({"options": 5}, "env_options"),
        ({"options": {"reset_mask": [True, False]}}, "env_mask"),
        ({"options": {"reset_mask": np.zeros(2, bool)}}, "env_mask"),
        ({"seed": 1, "options": {"reset_mask": np.ones(2, bool)}}, "env_reset_first"),
    ],
)
def test_what_cannot_be_dealt_is_refused(arguments: dict[str, Any], reason: str) -> None:
    with pytest.raises(VolteError, check=because(reason)):
        VectorEnv(PRESET, num_envs=2).reset(**arguments)


# Rewards on average


@pytest.mark.parametrize("preset", sorted({name for name, _ in ONE_PACK}))
def test_a_random_learner_takes_no_more_and_no_less_than_its_neighbours(preset: str) -> None:
    env = VectorEnv(preset, num_envs=few(500, 2000), bots="random", reward="difference", copy=False)
    rng = np.random.default_rng(7)
    seen, _ = env.reset(seed=7)
    worth: list[float] = []
    while len(worth) < few(1000, 4000):
        mask = seen["action_mask"]
        cards = (mask * rng.random(mask.shape)).argmax(axis=1)
        seen, rewards, terminations, _, _ = env.step(cards)
        worth += rewards[terminations].tolist()
    assert abs(np.mean(worth)) < 5 * np.std(worth) / len(worth) ** 0.5
