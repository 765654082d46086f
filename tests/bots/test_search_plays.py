"""Bots that search play every table, repeat themselves, and tell what they weighed."""

from __future__ import annotations

import random
from dataclasses import replace as with_option

import pytest
from bots.moments import choices, seen_by
from bots.searching import FEW, one_deal, thought, untimed
from hypothesis import given, settings
from kit.deals import deal_of, dealt, legal, log_of, match, play, start
from kit.rulesets import TABLES
from kit.strategies import few, rulesets, seeds, wider_rulesets

from volte.bots import BotOwner, Clock, Thought, think
from volte.bots.casual import Casual
from volte.bots.race import ALIKE
from volte.bots.rough import Rollout, draw_world
from volte.bots.search import EXPERT, FLAT, LESS, STRONG, STYLES, Search
from volte.cards import cards_in, mask_of
from volte.game import (
    Dealt,
    Driver,
    Event,
    MatchState,
    Pass,
    Phase,
    PlainChance,
    Play,
    replay,
    to_act,
    visible,
)
from volte.kernel import KernelFault, encode
from volte.rules import Direction, Ruleset, make_ruleset
from volte.view import KITTY, View

tables = rulesets() | wider_rulesets()

# Tables


def driver(rules: Ruleset, seed: int, log: list[Event] | None = None) -> Driver:
    """A match of all styles, side by side, from its start or from a log."""
    styles = list(STYLES.values())
    owners = [
        BotOwner(Search(styles[(seat + seed) % len(styles)], seed), seat, FEW)
        for seat in range(rules.players)
    ]
    return Driver(log or [start(rules)], owners, PlainChance(seed))


@pytest.mark.parametrize(("preset", "players"), TABLES)
def test_every_preset_is_played_to_its_end(preset: str, players: int) -> None:
    rules = one_deal(make_ruleset(preset, {"players": players}))
    assert driver(rules, players).run().phase is Phase.ENDED


@given(tables, seeds)
@settings(max_examples=few(12, 60))
def test_every_ruleset_is_played_to_its_end(rules: Ruleset, seed: int) -> None:
    assert driver(one_deal(rules), seed).run().phase is Phase.ENDED


def test_D7_jokers_and_S5_a_jack_and_D6_a_kitty_at_one_table() -> None:
    rules = one_deal(
        make_ruleset(
            "coeurs",
            {
                "players": 5,
                "jokers": 2,
                "kitty": "first_trick",
                "jack_points": -10,
                "queen_discard": "forced",
                "pass_cycle": ["right"],
            },
        )
    )
    assert rules.kitty_size == 4
    assert driver(rules, 1).run().phase is Phase.ENDED


def beyond_the_kernel() -> Ruleset:
    """A table whose passes go round more ways than compiled code has room for."""
    rules = make_ruleset("coeurs", {"match_end": "deals:1"})
    passing = with_option(rules.passing, count=3, cycle=(Direction.LEFT,) * 65)
    return with_option(rules, passing=passing)


def test_what_the_kernel_refuses_is_searched_without_it_and_passed_as_casual_does() -> None:
    rules = beyond_the_kernel()
    with pytest.raises(KernelFault, match="kernel_cycle"):
        encode(rules)
    owners = [BotOwner(Search(EXPERT), seat, FEW) for seat in range(4)]
    table = Driver([start(rules)], owners, PlainChance(5))
    while not table.log[-1:] or not isinstance(table.log[-1], Dealt):
        table.step()
    view = seen_by(2, table.state)
    assert Search(STRONG).choose(view, FEW) == Casual().choose(view, FEW)
    assert table.run().phase is Phase.ENDED


def test_W11_two_packs_are_searched_in_worlds_as_any_others() -> None:
    """The same worlds by the same seed; a simulation for each candidate in each."""
    state = dealt("cancellation", *TWO_PACKS, moon="off")
    view = seen_by(0, state)
    told = [thought(EXPERT, view, Clock(simulations=300), seed) for seed in (1, 1, 2)]
    assert told[0] == told[1] != told[2]
    assert told[0].worlds
    assert {estimate.action for estimate in told[0].estimates} == {
        Play(0, card) for card in legal(state)
    }


TWO_PACKS = (
    "C: A2 H: 5",
    "C: 35 S: Q",
    "C': 35 D: 9",
    "C: K4 D': 9",
    "H: 29 C': K",
    "S': Q C': 26",
)


def test_W11_a_world_is_one_that_the_view_allows() -> None:
    for seed in range(3):
        steps = list(match(one_deal(make_ruleset("cancellation", {"players": 6})), seed))
        states = [step.after for step in steps if step.after.phase is Phase.PLAYING]
        for state in states[:: len(states) // 5]:
            view = seen_by(deal_of(state).turn, state)
            world = draw_world(view, random.Random(seed))
            assert world is not None
            for place, mask in world.items():
                assert not mask & ~view.possible[place]
            assert mask_of(cards_in(sum(world.values()))) == view.unseen
            assert world.keys() == view.possible.keys()


@given(wider_rulesets(most_cards=24), seeds)
@settings(max_examples=15)
def test_a_deal_that_is_played_out_without_the_kernel_ends_as_the_rules_say(
    rules: Ruleset, seed: int
) -> None:
    """With all hands known, and one card left to each: there is one way to go on."""
    steps = list(match(one_deal(rules), seed))
    plays = [step for step in steps if isinstance(step.action, Play)]
    last, [scored] = plays[-rules.players], steps[-1].after.deals
    deal, action = deal_of(last.before), last.action
    world = {**dict(enumerate(deal.hands)), KITTY: deal.kitty}
    assert isinstance(action, Play)
    assert scored.minus or Rollout(deal, world).play(action.card) == scored.points


# What is told


@given(tables, seeds)
@settings(max_examples=few(15, 25))
def test_estimates_are_of_what_may_be_done(rules: Ruleset, seed: int) -> None:
    for moment in choices(one_deal(rules), seed, 2):
        view = seen_by(moment.seat, moment.state)
        for style in STYLES.values():
            told = thought(style, view)
            actions = [estimate.action for estimate in told.estimates]
            assert len(set(actions)) == len(actions)
            assert told.action == (actions[0] if actions else told.action)
            if view.state.phase is Phase.PLAYING:
                plays = {Play(moment.seat, card) for card in view.legal}
                assert told.action in plays
                assert not actions or set(actions) == plays
            else:
                check_passes(view, [told.action, *actions])
            for estimate in told.estimates:
                assert abs(estimate.margin) <= 2 * most_points(rules)
                assert abs(estimate.points) <= 2 * most_points(rules)
                assert estimate.error is None or estimate.error >= 0


def most_points(rules: Ruleset) -> int:
    """Of a deal: twice all there is for a slam, of every partner, and what no trick brings."""
    seat = 2 * sum(abs(points) for points in rules.values.values()) - rules.points.no_tricks
    return seat * rules.sides.partners


def check_passes(view: View, actions: list[object]) -> None:
    for action in actions:
        assert isinstance(action, Pass)
        assert len(set(action.cards)) == view.deal.pass_size
        assert set(action.cards) <= set(view.hand)


def test_where_there_is_nothing_to_choose_nothing_is_thought() -> None:
    """A single card, or cards that it makes no difference between."""
    single = play(dealt("coeurs", "S: A2 C: 2", "S: K C: 35", "S: QJ C: 4"), "2S")
    alike = play(dealt("coeurs", "S: A2 C: 2", "S: JT H: 3", "S: 34 C: 4"), "2S")
    for style in STYLES.values():
        for state in (single, alike):
            assert thought(style, seen_by(1, state)) == Thought(play_of(state), (), 0, 0)


def play_of(state: MatchState) -> Play:
    """The lowest card that may be played."""
    return Play(deal_of(state).turn, next(iter(legal(state))))


@pytest.mark.parametrize(("preset", "players"), [("microsoft", 4), ("coeurs", 6), ("salon", 3)])
def test_brief_flat_chooses_what_flat_would_or_what_is_as_good(preset: str, players: int) -> None:
    """In the same worlds, of which it mostly needs fewer."""
    rules, clock = one_deal(make_ruleset(preset, {"players": players})), Clock(simulations=20_000)
    saved = 0
    for moment in choices(rules, 7, 8):
        view = seen_by(moment.seat, moment.state)
        whole, brief = (thought(style, view, clock) for style in (FLAT, LESS["flat-brief"]))
        margins: dict[object, float] = {each.action: each.margin for each in whole.estimates}
        if margins:
            assert margins[brief.action] - margins[whole.action] <= ALIKE
        saved += whole.simulations - brief.simulations
    assert saved > 20_000


# Repeats


@given(rulesets(), seeds)
@settings(max_examples=few(12, 60))
def test_the_same_seed_view_and_clock_are_the_same_thought(rules: Ruleset, seed: int) -> None:
    """Whatever the bot has thought of before, and however the view came about."""
    log = log_of(one_deal(rules), seed)
    used = {name: Search(style, seed) for name, style in STYLES.items()}
    steps = list(match(one_deal(rules), seed))
    numbers = [sum(len(step.events) for step in steps[:count]) for count in range(len(steps))]
    for number in random.Random(seed).sample(numbers, min(5, len(numbers))):
        state = replay(log[: 1 + number])
        if not to_act(state):
            continue
        seat = to_act(state)[-1]
        view = seen_by(seat, state)
        folded = View.of(seat, [visible(event, seat) for event in log[: 1 + number]])
        for name, style in STYLES.items():
            first = thought(style, view, seed=seed)
            assert thought(style, folded, seed=seed) == first
            assert untimed(used[name].think(view, FEW)) == first
            assert used[name].choose(view, FEW) == first.action
            assert untimed(think(used[name], view, FEW)) == first


def test_another_seed_has_other_worlds() -> None:
    steps = match(make_ruleset("microsoft"), 5)
    views = (seen_by(deal_of(step.after).turn, step.after) for step in steps if step.after.deal)
    view = next(view for view in views if len(view.legal) > 3)
    for style in STYLES.values():
        told = {repr(thought(style, view, seed=seed).estimates) for seed in (1, 2, 2**64 - 1)}
        assert len(told) == 3


def test_a_match_that_is_resumed_goes_on_as_it_would_have() -> None:
    rules = one_deal(make_ruleset("salon", {"players": 5}))
    whole = driver(rules, 4)
    while len(whole.log) < 20:
        whole.step()
    log = list(whole.log)
    resumed = driver(rules, 4, log)
    assert whole.run().phase is resumed.run().phase is Phase.ENDED
    assert resumed.log == whole.log != log
