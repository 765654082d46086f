"""The cost of a choice: simulations within the limit, and time too, as far as it is predictable."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from kit import few, match, rulesets, seeds, view_of
from kit.bots import choices, one_deal

from volte.bots import Clock, StoppableClock, Thought
from volte.bots.candidates import unlike
from volte.bots.protocol import Budget
from volte.bots.search import SLICE, SLICES, STYLES, Search
from volte.game import Phase, to_act
from volte.rules import Ruleset, make_ruleset
from volte.view import View


class Watch:
    """A clock that goes on only when it is set, and by a fixed step at each reading."""

    def __init__(self, milliseconds: float = 0.0) -> None:
        self.now = 1000.0
        self.by_itself = milliseconds / 1000

    def __call__(self) -> float:
        self.now += self.by_itself
        return self.now


@contextmanager
def on_a_watch(each: float = 0.0) -> Iterator[Watch]:
    """Let bots read a `Watch` that goes on by `each` milliseconds at each reading."""
    with pytest.MonkeyPatch.context() as patched:
        watch = Watch(each)
        patched.setattr("volte.bots.protocol.perf_counter", watch)
        yield watch


# Counting


@given(st.integers(0, 10_000), st.lists(st.integers(1, 900), max_size=30))
def test_all_simulations_together_are_not_more_than_the_clock_says(
    most: int, wanted: list[int]
) -> None:
    budget = Budget(Clock(simulations=most))
    for count in wanted:
        granted = budget.affords(count)
        assert 0 <= granted <= count
        assert granted == count or budget.spent + granted == most
        budget.spent += granted
    assert budget.spent <= most


@given(st.integers(1, 5000), st.floats(1e-4, 3), st.floats(0, 20), st.integers(1, 900))
def test_what_takes_as_long_as_before_ends_in_time(
    most: int, each: float, before: float, count: int
) -> None:
    """Except for the first slice: nothing tells yet how long it will take.

    Two milliseconds, or a fifth of fewer than ten, are left to the system.
    """
    planned = most - min(2, most / 5)
    with on_a_watch() as watch:
        budget = Budget(Clock(milliseconds=most))
        watch.now += before / 1000
        slices = 0
        while (granted := budget.affords(count)) and slices < 200:
            assert granted == count
            watch.now += granted * each / 1000
            budget.spent += granted
            slices += 1
        assert slices <= 1 or budget.milliseconds <= planned * (1 + 1e-9)
        another = budget.milliseconds + count * each
        assert slices == 200 or another > planned * (1 - 1e-9)


def test_both_limits_hold() -> None:
    with on_a_watch() as watch:
        budget = Budget(Clock(milliseconds=100, simulations=1000))
        assert budget.affords(400) == 400
        budget.spent = 800
        assert budget.affords(400) == 200
        watch.now += 0.09
        assert budget.affords(400) == 0
        assert budget.affords(50) == 50


@pytest.mark.parametrize("processor", [False, True])
def test_milliseconds_are_of_the_wall_or_of_the_processor(processor: bool) -> None:
    with pytest.MonkeyPatch.context() as patched:
        wall, work = Watch(), Watch()
        patched.setattr("volte.bots.protocol.perf_counter", wall)
        patched.setattr("volte.bots.protocol.process_time", work)
        budget = Budget(Clock(milliseconds=50, processor=processor))
        (wall if processor else work).now += 60
        assert budget.allows(1)
        (work if processor else wall).now += 0.049
        assert budget.allows(1) is processor, "nothing of the processor's time is left to others"
        (work if processor else wall).now += 60
        assert not budget.allows(1)


# Searching


@given(rulesets(), seeds, st.integers(1, 600))
@settings(max_examples=few(5, 50))
def test_a_search_keeps_to_its_simulations(rules: Ruleset, seed: int, most: int) -> None:
    """Each candidate is played out once, whatever the clock says: an estimate needs that."""
    for moment in choices(one_deal(rules), seed, 1):
        view = moment.view
        for name, style in STYLES.items():
            told = Search(style).think(view, Clock(simulations=most))
            least = len(unlike(view)) if view.legal else len(told.estimates)
            assert told.simulations <= max(most, least)
            assert told.worlds <= (style.most_worlds if view.legal else most)
            if name == "flat" and told.estimates:
                assert told.simulations > most - least


@cache
def view_of_many_cards() -> View:
    steps = match(make_ruleset("microsoft"), 5)
    states = (step.after for step in steps if step.after.phase is Phase.PLAYING)
    views = (view_of(state, to_act(state)[0]) for state in states if to_act(state))
    return next(view for view in views if len(unlike(view)) > 3)


@pytest.mark.parametrize(("most", "each"), [(1, 0.3), (10, 0.3), (2, 7), (10, 7), (100, 2.5)])
@pytest.mark.parametrize("name", STYLES)
def test_a_search_ends_when_its_time_is_up(name: str, each: float, most: int) -> None:
    """The watch goes on by `each` milliseconds at each reading."""
    told = thought_on_a_watch(name, Clock(milliseconds=most), each)
    assert told.estimates
    assert told.simulations <= played_between(looks=2 + int(most / each))
    assert told.milliseconds <= most + 5 * each


def played_between(looks: int) -> int:
    done = 0
    for _ in range(looks):
        done += max(SLICE, done // SLICES)
    return done


def thought_on_a_watch(name: str, clock: Clock, each: float) -> Thought:
    with on_a_watch(each):
        return Search(STYLES[name]).think(view_of_many_cards(), clock)


@pytest.mark.parametrize("name", STYLES)
def test_a_watch_that_leaps_ends_it_as_well(name: str) -> None:
    told = thought_on_a_watch(name, Clock(milliseconds=50), 60_000)
    assert told.simulations <= SLICE
    assert len(told.estimates) == len(view_of_many_cards().legal)


@pytest.mark.parametrize("name", STYLES)
def test_who_has_heard_enough_gets_the_choice_at_once(name: str) -> None:
    """Each candidate is still played out once: an estimate needs that."""
    view, most = view_of_many_cards(), 20_000
    at_once = StoppableClock(simulations=most, stopped=lambda: True)
    told = Search(STYLES[name]).think(view, at_once)
    assert told.simulations <= len(view.legal)
    looks = iter([False] * 50)
    later = StoppableClock(simulations=most, stopped=lambda: next(looks, True))
    assert told.simulations < Search(STYLES[name]).think(view, later).simulations < most


def test_with_more_time_more_is_played_out() -> None:
    for name in ("flat", "expert"):
        few, many = (thought_on_a_watch(name, Clock(milliseconds=most), 1) for most in (10, 40))
        assert few.simulations < many.simulations
