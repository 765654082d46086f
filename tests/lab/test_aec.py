"""PettingZoo: its own tests, further properties of an environment of Hearts, and its seeds."""

from __future__ import annotations

import copy
import importlib
import pickle
import random
import subprocess
import sys
from collections.abc import Callable
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from gymnasium import spaces
from hypothesis import given
from hypothesis import strategies as st
from kit import because, first_deal, golden, seeds
from kit.lab import ONE_PACK, deal_in, deck_of, legal, made, moments, planes, same, sparing, tables
from msgspec.structs import replace
from pettingzoo import AECEnv
from pettingzoo.test import api_test, render_test, seed_test
from pettingzoo.test.save_obs_test import test_save_obs as save_test
from pettingzoo.utils.wrappers import BaseWrapper
from PIL import Image

from volte.bots.protocol import takes_off
from volte.cards import VolteError
from volte.extras import install_command
from volte.fair import SplitMix64, split
from volte.game import Phase
from volte.kernel import play_matches
from volte.kernel.batch import Batch
from volte.lab.env import EnvFault, HeartsEnv, card_planes, hearts_v0
from volte.rules import Ruleset, Value, make_ruleset

warned = pytest.mark.filterwarnings(
    "ignore:Observation is not a NumPy array",
    "ignore:Observation space for each agent probably should be",
    "ignore:Action mask numpy array is all zeros",
)
"""Filter of PettingZoo's warnings about every observation with a mask, but for its own card games
by name; and about a mask where no card is legal, as once a deal is over."""


# PettingZoo's tests


@warned
@pytest.mark.parametrize(("preset", "players"), ONE_PACK)
def test_every_preset_passes_the_api_test(preset: str, players: int) -> None:
    api_test(hearts_v0.env(preset, {"players": players}), num_cycles=25)


@warned
@pytest.mark.parametrize("match", [False, True])
def test_deals_and_matches_pass_the_api_test_to_their_end(match: bool) -> None:
    api_test(hearts_v0.env("coeurs-cinq-coups", match=match, reward="difference"), num_cycles=1000)


@pytest.mark.parametrize("match", [False, True])
def test_it_passes_the_seed_test(match: bool) -> None:
    seed_test(lambda: hearts_v0.env("salon", {"match_end": "limit:40"}, match=match))


def test_it_passes_the_render_test(capsys: pytest.CaptureFixture[str]) -> None:
    render_test(hearts_v0.env, {"ansi": lambda text: text.count("\n") == 5})
    assert "seat_3 is to pick" in capsys.readouterr().out


class Picture(BaseWrapper):  # type: ignore[misc]
    """A seat's observation as a picture: a line for each plane, its cards in white."""

    def observation_space(self, agent: str) -> spaces.Box:
        return spaces.Box(0, 255, (len(card_planes(4)), 54), np.uint8)

    def observe(self, agent: str) -> Any:
        return np.array(list(planes(super().observe(agent), 4).values()), np.uint8) * 255


def test_its_planes_pass_the_save_test_as_pictures(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    env = Picture(made())
    env.reset(seed=1)
    save_test(env)
    for agent in env.agents:
        (file,) = tmp_path.rglob(f"{agent}.png")
        assert np.array_equal(np.asarray(Image.open(file)), env.observe(agent))


@pytest.mark.parametrize("twin", [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))])
def test_a_saved_environment_goes_on_alike(twin: Callable[[HeartsEnv], HeartsEnv]) -> None:
    env = made("coeurs-cinq-coups", match=True)
    env.reset(seed=3)
    for _ in islice(moments(env, random.Random(3)), 77):
        pass
    saved = twin(env)
    assert list(moments(env, random.Random(4))) == list(moments(saved, random.Random(4)))
    assert env._series.episode.state == saved._series.episode.state


# Name and dependencies


def test_it_goes_by_a_versioned_name() -> None:
    module = importlib.import_module("volte.lab.env.hearts_v0")
    assert str(module.env()) == str(module.raw_env()) == "volte_hearts_v0"
    assert isinstance(module.raw_env(), HeartsEnv)
    assert isinstance(module.env(), AECEnv)


def import_without(module: str) -> str:
    """The interpreter's last words when the environments are imported without that module."""
    code = f"import sys; sys.modules[{module!r}] = None; import volte.lab.env"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 1
    return done.stderr.strip().splitlines()[-1]


@pytest.mark.parametrize("module", ["pettingzoo", "gymnasium", "numpy"])
def test_without_the_extra_one_sentence_says_what_to_install(module: str) -> None:
    assert import_without(module) == (
        f"ImportError: Environments need the extra “env”. To install it: {install_command('env')}"
    )


def test_any_other_missing_module_is_told_as_it_is() -> None:
    assert "import of volte.rules halted" in import_without("volte.rules")


# Rewards and episodes


@sparing
@given(tables, seeds, st.booleans())
def test_what_an_agent_is_given_adds_up_to_minus_its_points(
    rules: Ruleset, seed: int, match: bool
) -> None:
    env = HeartsEnv(rules, match=match)
    env.reset(seed=seed)
    rng = random.Random(seed)
    given = dict.fromkeys(env.agents, 0.0)
    for agent in env.agent_iter():
        seen, reward, over, cut, _ = env.last()
        assert not cut
        given[agent] += reward
        env.step(None if over else rng.choice(legal(seen)))
    state = env._series.episode.state
    sums = np.array([scored.points for scored in state.deals]).sum(axis=0)
    assert given == {agent: -points for agent, points in zip(given, sums, strict=True)}
    assert match or len(state.deals) == 1
    assert not match or rules.ending.match_end.number == len(state.deals) or max(state.totals)


@sparing
@given(tables, seeds)
def test_only_the_end_of_a_deal_is_rewarded(rules: Ruleset, seed: int) -> None:
    env = HeartsEnv(rules, match=True)
    env.reset(seed=seed)
    scored = 0
    for _ in moments(env, random.Random(seed)):
        deals = env._series.episode.state.deals
        expected = [-points for points in deals[-1].points] if len(deals) > scored else 0
        assert np.all(np.array(list(env.rewards.values())) == expected)
        scored = len(deals)


@sparing
@given(tables, seeds)
def test_differences_add_up_to_nothing_and_keep_the_order(rules: Ruleset, seed: int) -> None:
    env = HeartsEnv(rules, reward="difference")
    env.reset(seed=seed)
    for _ in moments(env, random.Random(seed)):
        pass
    points = np.array(env._series.episode.state.totals)
    rewards = np.array([env.rewards[agent] for agent in env.possible_agents])
    assert np.isclose(rewards.sum(), 0)
    for seat, reward in enumerate(rewards):
        assert np.isclose(reward, np.delete(points, seat).mean() - points[seat])


# The wider family


def test_W1_the_first_card_picked_of_a_scatter_goes_to_the_left_and_so_on() -> None:
    env = hearts_v0.raw_env("microsoft", {"pass_cycle": ["scatter"]})
    env.reset(seed=3)
    rng = random.Random(3)
    picked: dict[str, list[int]] = {agent: [] for agent in env.agents}
    for agent, action in moments(env, rng):
        picked[agent].append(action)
        if sum(map(len, picked.values())) == 12:
            break
    for gone in deal_in(env).transfers:
        place = (gone.taker - gone.giver - 1) % 4
        assert [card.index for card in gone.cards or ()] == [picked[f"seat_{gone.giver}"][place]]


@pytest.mark.parametrize("seed", range(3))
def test_W7_a_moon_counts_as_every_bot_would_have_it(seed: int) -> None:
    """The taker of the queen has shot it, as there are so few cards."""
    options: dict[str, Value] = {"opening": "eldest", "moon": "shooter_chooses"}
    hands = "C: 23", "C: 45", "C: 6 S: Q"
    table = first_deal("microsoft", hands, options={**options, "match_end": "limit:30"})
    env = HeartsEnv(table.rules, match=True)
    env.reset(seed=seed)
    for _ in moments(env, random.Random(seed)):
        assert env._series.episode.state.phase is Phase.PLAYING
    state = env._series.episode.state
    for number, scored in enumerate(state.deals):
        assert scored.moon is not None
        plus, lower = [13] * 3, [0] * 3
        plus[scored.moon], lower[scored.moon] = 0, -13
        ways = [
            replace(scored, minus=minus, points=tuple(points))
            for minus, points in ((False, plus), (True, lower))
        ]
        before = state.deals[:number]
        assert scored == ways[takes_off(state.rules, before, ways[0], ways[1], scored.moon)]


# What is refused


@sparing
@given(tables, seeds, st.integers())
def test_a_card_that_is_not_legal_changes_nothing(rules: Ruleset, seed: int, wild: int) -> None:
    env = HeartsEnv(rules)
    env.reset(seed=seed)
    rng = random.Random(seed)
    for agent, _ in moments(env, rng):
        if rng.random() < 0.8:
            continue
        seen, state = env.observe(agent), env._series.episode.state
        unlike = [card for card in range(54) if card not in legal(seen)]
        for wrong in {rng.choice(unlike), wild} - set(legal(seen)):
            with pytest.raises(EnvFault, check=because("env_not_legal")):
                env.step(wrong)
        with pytest.raises(EnvFault, check=because("env_not_legal")):
            env.step(None)
        assert env._series.episode.state is state
        assert env.agent_selection == agent
        assert same(env.observe(agent), seen)


def test_in_its_wrappers_such_a_card_ends_the_episode_and_costs_all_points() -> None:
    env = hearts_v0.env("dame-de-pique")
    env.reset(seed=1)
    agent = env.agent_selection
    env.step(int(np.flatnonzero(env.observe(agent)["action_mask"] == 0)[0]))
    assert all(env.terminations.values())
    assert env.rewards == {each: -26.0 if each == agent else 0.0 for each in env.agents}
    while env.agents:
        env.step(None)
    env.reset(seed=1)
    assert not any(env.terminations.values())


def test_nothing_can_be_done_before_the_first_reset_or_after_the_end() -> None:
    env = made(render_mode="ansi")
    for act in (lambda: env.observe("seat_0"), env.state, env.render, lambda: env.step(0)):
        with pytest.raises(EnvFault, check=because("env_reset_first")):
            act()
    env.reset(seed=1)
    for _ in moments(env, random.Random(1)):
        pass
    while env.agents:
        assert not legal(env.observe(env.agent_selection))
        env.step(None)
    with pytest.raises(EnvFault, check=because("env_reset_first")):
        env.step(0)


@pytest.mark.parametrize(
    ("reason", "arguments"),
    [
        ("env_reward", {"reward": "glory"}),
        ("env_render_mode", {"render_mode": "rgb_array"}),
        ("no_such_preset", {"rules": "bridge"}),
        ("players_out_of_range", {"rules": "salon", "settings": {"players": 9}}),
        ("env_option", {"rules": "cancellation"}),
    ],
)
def test_what_cannot_be_made_is_refused_by_name(reason: str, arguments: dict[str, Any]) -> None:
    with pytest.raises(VolteError, check=because(reason)):
        hearts_v0.env(**arguments)


def test_an_agent_that_is_not_there_is_refused_by_name() -> None:
    env = made()
    env.reset(seed=1, options={"of": "others"})
    for act in (env.observe, env.action_space, env.observation_space):
        with pytest.raises(EnvFault, check=because("env_agent")):
            act("seat_9")
    with pytest.raises(EnvFault, check=because("env_options")):
        env.reset(options=["deck"])  # type: ignore[arg-type]


def test_a_deck_can_be_dealt_as_it_lies() -> None:
    env = made("coeurs", 5)
    deck = [card.index for card in env.rules.cards]
    env.reset(options={"deck": np.array(deck)})
    assert deal_in(env).hands[1] == sum(1 << card for card in deck[:50:5])
    assert deck_of(env) == deck
    for wrong in (deck[1:], [*deck[1:], 1], [*deck[1:], 53], 3, [*map(float, deck)]):
        with pytest.raises(EnvFault, check=because("env_deck")):
            env.reset(options={"deck": wrong})
    assert deck_of(env) == deck


# What is shown


def test_lines_show_the_whole_table() -> None:
    env = made("coeurs", 3, render_mode="ansi")
    env.reset(options={"deck": [card.index for card in env.rules.cards]})
    shown = [env.render()]
    while not any(env.terminations.values()):
        env.step(legal(env.observe(env.agent_selection))[0])
        shown.append(env.render())
    text = "\n\n".join(map(str, (shown[0], shown[9 + 2], shown[-1])))
    golden(Path(__file__).parent / "goldens" / "table.txt", f"{text}\n")


def test_nothing_is_shown_unless_it_was_asked_for(capsys: pytest.CaptureFixture[str]) -> None:
    env = made()
    env.reset(seed=1)
    with pytest.warns(UserWarning, match="render_mode"):
        assert env.render() is None
    assert capsys.readouterr().out == ""


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
    """They have their dealers, and the streams that `play_matches` deals from."""
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
