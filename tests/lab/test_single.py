"""Gymnasium: one seat against bots."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from hypothesis import given
from hypothesis import strategies as st
from kit import because, golden, seeds
from kit.lab import ONE_PACK, legal, same, sparing, tables

from volte.bots import Clock, chosen_moon
from volte.cards import VolteError
from volte.game import Pass, Play, SeatAction
from volte.lab.env import HEARTS, HEARTS_VECTOR, EnvFault, HeartsEnv, SeatEnv
from volte.lab.env.single import register
from volte.rules import Ruleset
from volte.view import View


def play(env: gymnasium.Env[Any, Any], rng: random.Random, seed: int | None = None) -> list[Any]:
    """Play an episode at random; returns all that the learner gets, beginning with the reset."""
    seen, info = env.reset(seed=seed)
    everything: list[Any] = [(seen, info)]
    over = False
    while not over:
        seen, reward, over, cut, info = env.step(rng.choice(legal(seen)))
        assert not cut
        everything.append((seen, reward, over, info))
    return everything


# Gymnasium's checks


@pytest.mark.parametrize(("preset", "players"), ONE_PACK)
@pytest.mark.parametrize("bots", [pytest.param("random", marks=pytest.mark.full), "casual"])
def test_every_preset_passes_the_checks_of_gymnasium(
    preset: str, players: int, bots: str, capsys: pytest.CaptureFixture[str]
) -> None:
    settings = {"players": players}
    check_env(gymnasium.make(HEARTS, rules=preset, settings=settings, bots=bots).unwrapped)
    assert capsys.readouterr().out.count("deal 1:") == 1  # in the mode "human", at the reset


def test_matches_pass_the_checks_of_gymnasium() -> None:
    check_env(gymnasium.make(HEARTS, match=True, reward="difference", seat=3).unwrapped)


def test_it_is_found_under_its_versioned_name() -> None:
    env = gymnasium.make("volte.lab.env:volte/Hearts-v0", rules="salon", bots="beginner")
    assert isinstance(env.unwrapped, SeatEnv)
    assert len(play(env, random.Random(1), seed=1)) > 13  # through Gymnasium's own wrappers


def test_to_be_registered_twice_does_no_harm() -> None:
    register()  # Gymnasium warns if a name is taken
    assert HEARTS in gymnasium.registry


def test_thousands_of_tables_are_found_under_theirs() -> None:
    env = gymnasium.make_vec(HEARTS_VECTOR, num_envs=3, bots="random")
    seen, _ = env.reset(seed=1)
    assert seen["action_mask"].shape == (3, 54)


# One seat of the same game


class Lowest:
    """A person's own bot, which plays the lowest card there is. It notes its seats."""

    def __init__(self) -> None:
        self.seats: set[int | None] = set()

    def choose(self, view: View, clock: Clock) -> SeatAction:
        self.seats.add(view.seat)
        assert view.seat is not None
        if view.legal:
            return Play(view.seat, min(view.legal))
        choice = chosen_moon(view)
        if choice is not None:
            return choice
        return Pass(view.seat, tuple(view.hand)[: view.deal.pass_size])


@sparing
@given(tables, seeds, st.booleans(), st.data())
def test_it_tells_a_seat_what_the_environment_of_all_seats_tells_it(
    rules: Ruleset, seed: int, match: bool, data: Any
) -> None:
    seat = data.draw(st.integers(0, rules.players - 1), "seat")
    alone = SeatEnv(rules, seat=seat, bots=Lowest(), match=match)
    together = HeartsEnv(rules, match=match)
    seen, _ = alone.reset(seed=seed)
    together.reset(seed=seed)
    agent, rng, over = together.possible_agents[seat], random.Random(seed), False
    while not over:
        others_put_down_their_lowest(together, agent)
        assert same(seen, together.observe(agent))
        action = rng.choice(legal(seen))
        together.step(action)
        seen, reward, over, _, info = alone.step(action)
        others_put_down_their_lowest(together, agent)
        assert reward == together._cumulative_rewards[agent]
        assert info == {}
    assert all(together.terminations.values())
    assert same(seen, together.observe(agent))


def others_put_down_their_lowest(env: Any, agent: str) -> None:
    while env.agent_selection != agent and not any(env.terminations.values()):
        env.step(legal(env.observe(env.agent_selection))[0])


def test_the_same_seed_brings_the_same_episodes_bots_included() -> None:
    one, other = SeatEnv(bots="random"), SeatEnv(bots="random")
    other.reset(seed=4)
    for number in range(3):
        seed = 5 if number == 0 else None
        episodes = [play(env, random.Random(number), seed) for env in (one, other)]
        for (seen, *rest), (seen_there, *rest_there) in zip(*episodes, strict=True):
            assert same(seen, seen_there)
            assert rest == rest_there


def test_bots_sit_from_the_left_of_the_learner_on() -> None:
    bots = [Lowest() for _ in range(4)]
    play(SeatEnv("salon", {"players": 5}, seat=3, bots=bots), random.Random(1), seed=1)
    assert [bot.seats for bot in bots] == [{4}, {0}, {1}, {2}]


def test_stronger_bots_leave_a_random_learner_more_points() -> None:
    def points(bots: str) -> float:
        env, rng = SeatEnv(bots=bots), random.Random(2)
        rewards = [play(env, rng, 2 if deal == 0 else None)[-1][1] for deal in range(40)]
        return -float(np.mean(rewards))

    assert points("random") + 2 < points("casual")


# What is refused


@sparing
@given(tables, seeds)
def test_a_card_that_is_not_legal_changes_nothing_and_says_so(rules: Ruleset, seed: int) -> None:
    env = SeatEnv(rules, bots="random", illegal_reward=-3)
    rng = random.Random(seed)
    seen, _ = env.reset(seed=seed)
    over = False
    while not over:
        state = env._series.episode.state
        assert np.flatnonzero(env.action_masks()).tolist() == legal(seen)
        for wrong in (rng.choice([card for card in range(54) if card not in legal(seen)]), -1, 54):
            again, *rest = env.step(wrong)
            assert same(again, seen)
            assert rest == [-3, False, False, {"illegal": True}]
            assert env._series.episode.state is state
        seen, _, over, _, _ = env.step(rng.choice(legal(seen)))


def test_nothing_can_be_done_before_the_first_reset_or_after_the_end() -> None:
    env = SeatEnv(bots="random", render_mode="ansi")
    for act in (env.action_masks, env.render, lambda: env.step(0)):
        with pytest.raises(EnvFault, check=because("env_reset_first")):
            act()
    play(env, random.Random(1))
    assert not env.action_masks().any()
    with pytest.raises(EnvFault, check=because("env_reset_first")):
        env.step(0)


@pytest.mark.parametrize(
    ("reason", "arguments"),
    [
        ("env_seat", {"seat": 4}),
        ("env_seat", {"seat": -1}),
        ("env_seat", {"seat": None}),
        ("env_seat", {"seat": 1.0}),
        ("env_bots", {"bots": ["casual", "random"]}),
        ("env_bot", {"bots": None}),
        ("env_bot", {"bots": ["casual", max, "casual"]}),
        ("no_such_level", {"bots": "grandmother"}),
        ("no_such_level", {"bots": ["casual", "random", "grandmother"]}),
        ("env_reward", {"reward": "glory"}),
        ("wrong_type", {"reward": ["points"]}),
        ("env_render_mode", {"render_mode": "rgb_array"}),
        ("no_such_option", {"settings": {"joker": 1}}),
    ],
)
def test_what_cannot_be_made_is_refused_by_name(reason: str, arguments: dict[str, Any]) -> None:
    with pytest.raises(VolteError, check=because(reason)):
        SeatEnv(**arguments)


@pytest.mark.parametrize("action", [None, 3.0, "3", np.array([3])])
def test_an_action_is_a_whole_number_of_any_kind(action: Any) -> None:
    env = SeatEnv(bots="random")
    seen, _ = env.reset(seed=1)
    with pytest.raises(EnvFault, check=because("env_action")):
        env.step(action)
    assert same(env.step(np.array(-1))[0], seen)  # type: ignore[arg-type]


# What is shown


def test_lines_show_what_the_seat_sees() -> None:
    env = SeatEnv("coeurs", {"players": 3}, seat=1, bots=Lowest(), render_mode="ansi")
    env.reset(options={"deck": [card.index for card in env.rules.cards]})
    golden(Path(__file__).parent / "goldens" / "seat.txt", f"{env.render()}\n")
