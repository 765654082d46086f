"""A simulation has one result, whichever engine serves it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from arena.by_hand import by_hand
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from rulesets import TABLES, rulesets, seeds, wider_rulesets
from strategies import few

from volte.bots import LEVELS, Clock, compiled, make_bot
from volte.fair import split
from volte.game import Play, Played
from volte.kernel import play_deals, play_matches
from volte.lab.arena import EngineKind, Request, readable, record_of, simulate
from volte.lab.arena.request import chosen_engine, policies
from volte.referee import visible
from volte.rules import Ruleset, make_ruleset
from volte.view import View

TWINS = ["random", *(level for level in LEVELS if compiled(level) is not None)]
"""Whom both engines have."""

tables = rulesets() | wider_rulesets()


def engines(request: Request) -> list[EngineKind]:
    """Those that can serve it."""
    kernel = chosen_engine(request)[0] is EngineKind.KERNEL
    return [engine for engine in EngineKind if kernel or engine is not EngineKind.KERNEL]


def both_play(preset: str, players: int, level: str) -> bool:
    rules = make_ruleset(preset, {"players": players})
    return EngineKind.KERNEL in engines(Request(rules, (level,) * players, 1, deals=1))


def assert_same_deals(request: Request, numbers: range) -> None:
    kernel = play_deals(
        request.rules, request.seed, len(numbers), policies(request), first=numbers.start
    )
    np.testing.assert_array_equal(readable.deals(request, numbers), kernel)


def assert_same_matches(request: Request, numbers: range) -> None:
    kernel = play_matches(
        request.rules, request.seed, len(numbers), policies(request), first=numbers.start
    )
    for mine, theirs in zip(readable.matches(request, numbers), kernel, strict=True):
        np.testing.assert_array_equal(mine, theirs)


@pytest.mark.parametrize(
    ("preset", "players", "level"),
    [(*table, level) for table in TABLES for level in TWINS if both_play(*table, level)],
)
def test_every_preset_gives_the_same_outcomes(preset: str, players: int, level: str) -> None:
    rules = make_ruleset(preset, {"players": players})
    assert_same_deals(Request(rules, (level,) * players, 1, deals=9), range(few(6, 3), 9))
    short = make_ruleset(preset, {"players": players, "match_end": "limit:30"})
    assert_same_matches(Request(short, (level,) * players, 1, matches=9), range(few(8, 7), 9))


@st.composite
def requests(draw: st.DrawFn, most_cards: int = 54) -> Request:
    """A few deals or matches of anything, among those whom both engines have."""
    rules = draw(rulesets(most_cards=most_cards) | wider_rulesets(most_cards=most_cards))
    seats = tuple(draw(st.sampled_from(TWINS)) for _ in range(rules.players))
    games = draw(st.integers(1, 5))
    if draw(st.booleans()):
        return Request(rules, seats, draw(seeds), deals=games)
    return Request(rules, seats, draw(seeds), matches=games)


@settings(max_examples=few(20, 30))
@given(tables, seeds, st.integers(0, 2**40 - 2), st.data())
def test_any_rules_give_the_same_outcomes(
    rules: Ruleset, seed: int, number: int, data: st.DataObject
) -> None:
    seats = tuple(data.draw(st.sampled_from(TWINS)) for _ in range(rules.players))
    assume(EngineKind.KERNEL in engines(Request(rules, seats, seed, deals=1)))
    assert_same_deals(Request(rules, seats, seed, deals=2**40), range(number, number + 2))
    match = number >> 8
    assert_same_matches(Request(rules, seats, seed, matches=2**32), range(match, match + 1))


@settings(max_examples=few(12, 60))
@given(requests())
def test_both_find_what_the_records_tell(request: Request) -> None:
    told = by_hand(request)
    for engine in engines(request):
        assert simulate(replace(request, engine=engine), processes=1) == told


@settings(max_examples=few(8, 40))
@given(tables, seeds, st.integers(1, 3), st.data())
def test_players_that_only_the_readable_engine_has_are_served(
    rules: Ruleset, seed: int, games: int, data: st.DataObject
) -> None:
    some = st.sampled_from(["random", "beginner", "casual"])
    seats = ["beginner", *(data.draw(some) for _ in range(9))]
    request = Request(rules, tuple(seats[: rules.players]), seed, matches=games)
    assert simulate(request, processes=1) == by_hand(request)


@pytest.mark.parametrize(("deals", "matches"), [(9, None), (None, 9)])
def test_every_bot_has_a_seed_of_its_own_beyond_the_streams_that_deal(
    deals: int | None, matches: int | None
) -> None:
    rules = make_ruleset("salon", {"match_end": "deals:2"})
    request = Request(rules, ("random", "beginner", "casual", "beginner"), 5, deals, matches)
    log = record_of(request, 8)
    for seat, level in enumerate(request.seats):
        if level == "random":
            continue
        bot = make_bot(level, split(split(5, 8), 2**32 + seat))
        told = [visible(event, seat) for event in log]
        for place, event in enumerate(log):
            if isinstance(event, Played) and event.seat == seat:
                choice = bot.choose(View.of(seat, told[:place]), Clock())
                assert choice == Play(seat, event.card)
