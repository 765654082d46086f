"""Bots that search: every table, repeatable choices from the view alone, and advice."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace as with_option
from functools import partial
from typing import Any, Final

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from kit.bots import (
    FEW,
    Moment,
    choices,
    one_deal,
    table,
    thought,
    told_anew,
    untimed,
    where_all_lie,
    worlds,
)
from kit.deals import after, deal_of, dealt, legal, log_of, match, play, view_of
from kit.presets import SOME_TABLES
from kit.reasons import because
from kit.strategies import any_rulesets, few, rulesets, seeds, wider_rulesets
from msgspec.structs import replace

from volte import game
from volte.bots import Clock, Hint, Other, Reason, Thought, hint, make_bot, think
from volte.bots.advice import advise, dear
from volte.bots.candidates import ALIKE
from volte.bots.casual import Casual
from volte.bots.rough import Rollout, RolloutPolicy, RoughWorlds
from volte.bots.search import EXPERT, FLAT, LESS, STRONG, STYLES, Search, Style
from volte.bots.worlds import here, sight, spread
from volte.cards import Card, cards_in, mask_of
from volte.game import Phase
from volte.kernel import KernelFault, Records, encode
from volte.rules import Direction, Ruleset, Value, make_ruleset
from volte.view import KITTY, View, project

tables = rulesets() | wider_rulesets()

# Tables


def driver(rules: Ruleset, seed: int) -> game.Driver:
    """A match of all styles, side by side."""
    styles = list(STYLES.values())
    seats = range(seed, seed + rules.players)
    return table(rules, [Search(styles[seat % len(styles)], seed) for seat in seats], seed)


@pytest.mark.parametrize(("preset", "players"), SOME_TABLES)
def test_every_preset_is_played_to_its_end(preset: str, players: int) -> None:
    rules = one_deal(make_ruleset(preset, {"players": players}))
    assert driver(rules, players).run().phase is game.Phase.ENDED


@given(tables, seeds)
@settings(max_examples=few(5, 60))
def test_every_ruleset_is_played_to_its_end(rules: Ruleset, seed: int) -> None:
    assert driver(one_deal(rules), seed).run().phase is game.Phase.ENDED


def test_D7_jokers_and_S5_a_jack_and_D6_a_kitty_at_one_table() -> None:
    options: dict[str, Value] = {"players": 5, "jokers": 2, "kitty": "first_trick"}
    duties: dict[str, Value] = {"queen_discard": "forced", "pass_cycle": ["right"]}
    rules = make_ruleset("coeurs", {**options, **duties, "jack_points": -10})
    assert rules.kitty_size == 4
    assert driver(one_deal(rules), 1).run().phase is game.Phase.ENDED


def beyond_the_kernel() -> Ruleset:
    """Return a ruleset with a longer cycle of passes than compiled code has room for."""
    rules = make_ruleset("coeurs", {"match_end": "deals:1"})
    passing = with_option(rules.passing, count=3, cycle=(Direction.LEFT,) * 65)
    return with_option(rules, passing=passing)


def test_what_the_kernel_refuses_is_searched_without_it_and_passed_as_casual_does() -> None:
    rules = beyond_the_kernel()
    with pytest.raises(KernelFault, check=because("kernel_cycle")):
        encode(rules)
    match = table(rules, [Search(EXPERT)] * 4, 5)
    while not isinstance(match.log[-1], game.Dealt):
        match.step()
    view = view_of(match.state, 2)
    assert Search(STRONG).choose(view, FEW) == Casual().choose(view, FEW)
    assert match.run().phase is game.Phase.ENDED


def test_W11_two_packs_are_searched_in_worlds_as_any_others() -> None:
    """A thought repeats itself with its seed, and has an estimate for every legal card."""
    state = dealt("cancellation", *TWO_PACKS, moon="off")
    view = view_of(state, 0)
    told = [thought(EXPERT, view, Clock(simulations=300), seed) for seed in (1, 1, 2)]
    assert told[0] == told[1] != told[2]
    assert told[0].worlds
    assert {estimate.action for estimate in told[0].estimates} == {
        game.Play(0, card) for card in legal(state)
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
        states = [step.after for step in steps if step.after.phase is game.Phase.PLAYING]
        for state in states[:: len(states) // 5]:
            view = view_of(state, deal_of(state).turn)
            world = RoughWorlds(view).draw(random.Random(seed))
            assert world is not None
            for place, mask in world.items():
                assert not mask & ~view.possible[place]
            assert mask_of(cards_in(sum(world.values()))) == view.unseen
            assert world.keys() == view.possible.keys()


@given(wider_rulesets(most_cards=24), seeds)
@settings(max_examples=few(5, 15))
def test_a_deal_that_is_played_out_without_the_kernel_ends_as_the_rules_say(
    rules: Ruleset, seed: int
) -> None:
    """All hands are known, with one card in each: there is one way to go on."""
    steps = list(match(one_deal(rules), seed))
    plays = [step for step in steps if isinstance(step.action, game.Play)]
    last, [scored] = plays[-rules.players], steps[-1].after.deals
    deal, action = deal_of(last.before), last.action
    world = {**dict(enumerate(deal.hands)), KITTY: deal.kitty}
    assert isinstance(action, game.Play)
    found = Rollout(deal, world, RolloutPolicy(rules)).play(action.card)
    assert scored.minus or found == scored.points


# Thoughts


@given(tables, seeds)
@settings(max_examples=few(5, 25))
def test_estimates_are_of_what_may_be_done(rules: Ruleset, seed: int) -> None:
    for moment in choices(one_deal(rules), seed, 2):
        view = moment.view
        for style in STYLES.values():
            told = thought(style, view)
            actions = [estimate.action for estimate in told.estimates]
            assert len(set(actions)) == len(actions)
            assert told.action == (actions[0] if actions else told.action)
            if view.state.phase is game.Phase.PLAYING:
                plays = {game.Play(moment.seat, card) for card in view.legal}
                assert told.action in plays
                assert not actions or set(actions) == plays
            else:
                check_passes(view, [told.action, *actions])
            for estimate in told.estimates:
                assert abs(estimate.margin) <= 2 * most_points(rules)
                assert abs(estimate.points) <= 2 * most_points(rules)
                assert estimate.error is None or estimate.error >= 0


def most_points(rules: Ruleset) -> int:
    """Most points of a side in a deal: a doubled slam and the bonus for no tricks, by partner."""
    seat = 2 * sum(abs(points) for points in rules.values.values()) - rules.points.no_tricks
    return seat * rules.sides.partners


def check_passes(view: View, actions: list[object]) -> None:
    for action in actions:
        assert isinstance(action, game.Pass)
        assert len(set(action.cards)) == view.deal.pass_size
        assert set(action.cards) <= set(view.hand)


def test_where_there_is_nothing_to_choose_nothing_is_thought() -> None:
    """The only legal card, or cards that make no difference."""
    single = play(dealt("coeurs", "S: A2 C: 2", "S: K C: 35", "S: QJ C: 4"), "2S")
    alike = play(dealt("coeurs", "S: A2 C: 2", "S: JT H: 3", "S: 34 C: 4"), "2S")
    for style in STYLES.values():
        for state in (single, alike):
            assert thought(style, view_of(state, 1)) == Thought(play_of(state), (), 0, 0)


def play_of(state: game.MatchState) -> game.Play:
    """Return the play of the lowest legal card."""
    return game.Play(deal_of(state).turn, next(iter(legal(state))))


@pytest.mark.parametrize(
    ("preset", "players"), few([("microsoft", 4)], [("microsoft", 4), ("coeurs", 6), ("salon", 3)])
)
def test_brief_flat_chooses_what_flat_would_or_what_is_as_good(preset: str, players: int) -> None:
    """Both search the same worlds; `flat-brief` mostly needs fewer of them."""
    rules, clock = one_deal(make_ruleset(preset, {"players": players})), Clock(simulations=20_000)
    saved = 0
    moments = choices(rules, 7, few(4, 8))
    for moment in moments:
        view = moment.view
        whole, brief = (thought(style, view, clock) for style in (FLAT, LESS["flat-brief"]))
        margins: dict[object, float] = {each.action: each.margin for each in whole.estimates}
        if margins:
            assert margins[brief.action] - margins[whole.action] <= ALIKE
        saved += whole.simulations - brief.simulations
    assert saved > 2_500 * len(moments)


# Repeats


@given(rulesets(), seeds)
@settings(max_examples=few(5, 60))
def test_the_same_seed_view_and_clock_are_the_same_thought(rules: Ruleset, seed: int) -> None:
    """Neither earlier thoughts of the bot nor the origin of the view change anything."""
    log = log_of(one_deal(rules), seed)
    used = {name: Search(style, seed) for name, style in STYLES.items()}
    steps = list(match(one_deal(rules), seed))
    numbers = [sum(len(step.events) for step in steps[:count]) for count in range(len(steps))]
    for number in random.Random(seed).sample(numbers, min(5, len(numbers))):
        state = game.replay(log[: 1 + number])
        if not game.to_act(state):
            continue
        seat = game.to_act(state)[-1]
        view = view_of(state, seat)
        folded = View.of(seat, [game.visible(event, seat) for event in log[: 1 + number]])
        for name, style in STYLES.items():
            first = thought(style, view, seed=seed)
            assert thought(style, folded, seed=seed) == first
            assert untimed(used[name].think(view, FEW)) == first
            assert used[name].choose(view, FEW) == first.action
            assert untimed(think(used[name], view, FEW)) == first


def test_another_seed_has_other_worlds() -> None:
    steps = match(make_ruleset("microsoft"), 5)
    states = (step.after for step in steps if step.after.phase is Phase.PLAYING)
    views = (view_of(state, deal_of(state).turn) for state in states)
    view = next(view for view in views if len(view.legal) > 3)
    for style in STYLES.values():
        told = {repr(thought(style, view, seed=seed).estimates) for seed in (1, 2, 2**64 - 1)}
        assert len(told) == 3


CLOCK = Clock(simulations=120)


def is_searched(rules: Ruleset) -> bool:
    """Whether the kernel can play the ruleset, and `told_anew` can repeat its passes."""
    return rules.deck.packs == 1 and Direction.SCATTER not in rules.passing.cycle


searched_tables = rulesets() | wider_rulesets(st.integers(3, 7)).filter(is_searched)


def in_another_world(moment: Moment, draws: int) -> game.MatchState:
    """Return the state with the hidden cards dealt elsewhere, reached by lawful acts too."""
    [world] = worlds(moment.view, 1, draws).tolist()
    state = after(moment.undealt, *told_anew(moment, world, random.Random(draws)))
    assert where_all_lie(deal_of(state)) == world
    return state


def laid_open(state: game.MatchState, seat: int) -> View:
    """Return a view with all hands open; only the kitty is as the seat sees it."""
    deal = replace(deal_of(state), kitty=deal_of(project(state, seat)).kitty)
    return View(seat, replace(state, deal=deal))


@given(searched_tables, seeds, seeds)
@settings(max_examples=few(5, 60))
def test_no_choice_and_no_estimate_depends_on_what_is_hidden(
    rules: Ruleset, seed: int, draws: int
) -> None:
    """Given all hands, as they lie or as they might, the bot thinks as with its view alone."""
    for moment in choices(one_deal(rules), seed, 3):
        view = moment.view
        other = in_another_world(moment, draws)
        for style in STYLES.values():
            told = thought(style, view, CLOCK, seed)
            for state in (moment.state, other):
                assert thought(style, laid_open(state, moment.seat), CLOCK, seed) == told


@given(searched_tables, seeds, seeds)
def test_nothing_hidden_comes_to_the_kernel(rules: Ruleset, seed: int, draws: int) -> None:
    for moment in choices(one_deal(rules), seed, 3):
        seat = moment.seat
        view = view_of(moment.state, seat)
        for state in (moment.state, in_another_world(moment, draws)):
            opened = laid_open(state, seat)
            assert sight(opened) == sight(view)
            assert here(opened).tobytes() == here(view).tobytes()


@pytest.mark.parametrize("name", STYLES)
@pytest.mark.parametrize(
    ("preset", "players"),
    [("microsoft", 4), ("coeurs", 5), ("salon", 3), ("partnership", 4)][:: few(3, 1)],
)
def test_whatever_lies_in_the_hidden_places_of_a_row(
    name: str, preset: str, players: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    rules = one_deal(make_ruleset(preset, {"players": players}))
    moments = choices(rules, seed=1, most=100)
    passing = [moment for moment in moments if moment.state.phase is game.Phase.PASSING]
    playing = [moment for moment in moments if moment.state.phase is game.Phase.PLAYING]
    for moment in passing[:3] + playing[:8]:
        check_spoilt(STYLES[name], moment.view, monkeypatch)


def check_spoilt(style: Style, view: View, monkeypatch: pytest.MonkeyPatch) -> None:
    told = thought(style, view, CLOCK)
    for seed in (1, 2):
        draws = random.Random(seed)
        with monkeypatch.context() as patched:
            patched.setattr("volte.bots.search.here", partial(spoilt, draws))
            assert thought(style, view, CLOCK) == told


def spoilt(draws: random.Random, view: View) -> Records:
    """Return `here` with random bits in every place that the search must not read."""
    row = here(view)
    fields: Any = row[0]
    for seat in range(view.deal.rules.players):
        fields["hands"][seat] = draws.getrandbits(54)
    fields["kitty"] = draws.getrandbits(54)
    fields["chance"] = draws.getrandbits(64)
    if view.state.phase is game.Phase.PLAYING:
        fields["trick"][len(view.deal.trick) :] = draws.getrandbits(54)
    beyond = slice(view.deal.rules.players, None)
    for name in ("hands", "given", "coming", "taken", "excluded", "trick"):
        fields[name][beyond] = np.uint64(draws.getrandbits(54))
    return row


SOME = Clock(simulations=900)


def views() -> Iterator[View]:
    """Yield views of seats that have to act, at two tables."""
    for preset, players in (("microsoft", 4), ("coeurs", 5)):
        rules = one_deal(make_ruleset(preset, {"players": players}))
        for moment in choices(rules, 7, 4):
            yield moment.view


@pytest.mark.parametrize("threads", [2, 3])
def test_a_search_finds_the_same_on_any_number_of_threads(threads: int) -> None:
    for view in views():
        for style in STYLES.values():
            alone = Search(style, 5).think(view, SOME)
            together = Search(style, 5, threads).think(view, SOME)
            assert untimed(together) == untimed(alone)


def test_the_number_of_threads_does_not_matter_to_levels_that_do_not_search() -> None:
    for view in views():
        assert (
            think(make_bot("casual", threads=4), view, SOME).action
            == think(make_bot("casual"), view, SOME).action
        )


@given(st.integers(1, 5), st.integers(1, 60), st.integers(1, 20))
def test_every_row_is_done_once_in_slices_as_even_as_steps_allow(
    threads: int, count: int, step: int
) -> None:
    done: list[slice] = []
    spread(threads, done.append, count, step)
    done.sort(key=lambda some: some.start)
    assert [row for some in done for row in range(some.start, some.stop)] == list(range(count))
    assert all(some.start % step == 0 for some in done)
    sizes = [-(-(some.stop - some.start) // step) for some in done]
    assert len(done) <= threads
    assert max(sizes) <= min(sizes) + 1


@pytest.mark.parametrize("row", [0, 5])
@pytest.mark.parametrize("threads", [1, 2])
def test_what_a_slice_raises_passes_through_once_all_have_ended(threads: int, row: int) -> None:
    done: list[int] = []

    def work(some: slice) -> None:
        done.extend(range(some.start, some.stop))
        if row in done[-(some.stop - some.start) :]:
            raise ValueError("that one")

    with pytest.raises(ValueError, match="that one"):
        spread(threads, work, 6)
    assert sorted(done) == list(range(6))


LITTLE: Final = Clock(simulations=400)
DUCKING: Final = ("C: 52 H: 29", "C: K3 H: AQ", "C: 49 H: 4T", "C: AT H: 38")
"""Hands in which the second seat has the king and the 3 of clubs, and the highest hearts."""


def advised(state: game.MatchState, clock: Clock = LITTLE) -> Hint:
    """Return the advice to the seat whose turn it is."""
    return advise(on_turn(state), clock)


def on_turn(state: game.MatchState) -> View:
    return view_of(state, deal_of(state).turn)


def card(hint: Hint) -> str:
    assert isinstance(hint.action, game.Play)
    return hint.action.card.text


@given(any_rulesets(), seeds)
@settings(max_examples=few(6, 200))
def test_what_is_advised_is_legal_and_so_is_the_rest(rules: Ruleset, seed: int) -> None:
    for moment in choices(rules, seed, 2):
        told = advise(moment.view, Clock(simulations=60))
        legal = {_as_set(action) for action in game.legal_actions(moment.state, moment.seat)}
        actions = [told.action, *(other.action for other in told.others)]
        assert {_as_set(action) for action in actions} <= legal
        assert len({_as_set(action) for action in actions}) == len(actions)
        assert told.tempting is None or _as_set(told.tempting) in legal


def _as_set(action: object) -> frozenset[Card]:
    assert isinstance(action, game.Play | game.Pass)
    return frozenset((action.card,) if isinstance(action, game.Play) else action.cards)


def test_it_is_what_expert_does_and_what_it_costs_to_do_something_else() -> None:
    state = play(dealt("microsoft", *DUCKING, opening="eldest"), "5C")
    told, thought = advised(state), Search().think(on_turn(state), LITTLE)
    assert told.action == thought.action
    assert [other.action for other in told.others] == [
        estimate.action for estimate in thought.estimates[1:]
    ]
    assert [other.points for other in told.others] == pytest.approx(
        [estimate.margin - thought.estimates[0].margin for estimate in thought.estimates[1:]]
    )


def test_where_the_match_goes_on_the_chance_of_winning_is_told() -> None:
    told = advised(play(dealt("microsoft", *DUCKING, opening="eldest"), "5C"))
    assert told.wins
    assert all(other.worth is not None for other in told.others)


def test_M1_where_stakes_are_played_for_they_are_told() -> None:
    told = advised(play(dealt("coeurs", *DUCKING, settlement="difference"), "5C"))
    assert not told.wins
    assert all(other.worth is not None for other in told.others)


def test_what_looks_good_for_one_trick_is_remembered() -> None:
    state = play(dealt("microsoft", *DUCKING, opening="eldest"), "5C")
    assert advised(state).tempting == hint(on_turn(state)).action


def test_a_forced_card_needs_no_thought() -> None:
    told = advised(play(dealt("coeurs", "C: A2", "C: 3 H: 2", "C: 45", "C: 67"), "AC"))
    assert (card(told), told.reason, told.others) == ("3C", Reason.FORCED, ())


def test_cards_without_a_difference_are_told_as_such() -> None:
    state = play(dealt("coeurs", "C: A2 H: 2", "C: 45 H: 3", "C: 67 H: 4", "C: 89 H: 5"), "AC")
    told = advised(state)
    assert (told.reason, told.others) == (Reason.ALIKE, ())


def test_so_are_cards_that_come_to_the_same_whatever_happens() -> None:
    hands = "H: A C: A S: 2", "H: 2 D: 5 S: 3", "H: 3 C: 6 S: 4", "H: 4 C: 8 S: 5"
    told = advised(play(dealt("coeurs", *hands, slam="off"), "AH 2H 3H 4H AC"))
    assert told.reason is Reason.ALIKE
    assert [other.points for other in told.others] == [0]


def test_a_reason_must_not_be_as_true_of_what_costs_much() -> None:
    much, little = Other(game.Play(0, Card("2C")), 1.5, 0.2), Other(game.Play(0, Card("3C")), 0.4)
    usual = game.Play(0, Card("4C"))
    assert dear((little, much), True, usual) == [much.action]
    assert dear((little,), True, usual) == [little.action]
    assert dear((Other(usual, 0.4, 0.5),), True, usual) == []
    assert dear((Other(usual, -1.0, 0.5, 0.06),), True, usual) == [usual]


@pytest.mark.parametrize(
    ("points", "error", "worth", "as_good"),
    [
        *((0.2, 0.0, None, True), (0.3, 0.2, None, False), (0.9, 1.0, None, True)),
        *((1.0, 2.0, None, False), (0.0, 0.1, 0.01, True), (0.0, 0.1, 0.02, False)),
    ],
)
def test_what_cannot_be_told_apart_is_as_good(
    points: float, error: float, worth: float | None, as_good: bool
) -> None:
    other = Other(game.Play(0, Card("2C")), points, error, worth)
    assert other.as_good(wins=True) is as_good


def test_cards_to_pass_are_advised_too() -> None:
    hands = "S: AK5 C: 62", "S: Q43 H: 73", "S: 62 H: 845", "S: 79 H: T9J"
    state = dealt("microsoft", *hands, pass_count=2)
    assert state.phase is game.Phase.PASSING
    told = advise(view_of(state, 0), LITTLE)
    assert isinstance(told.action, game.Pass)
    assert told.others
