"""A simulation has one result, whichever engine plays, and each of its deals is found again."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from kit import SOME_TABLES, because, check_record, few, rulesets, seeds, wider_rulesets
from kit.lab import by_hand

from volte.bots import LEVELS, Clock, compiled, make_bot
from volte.fair import split
from volte.game import DealScored, Dealt, MatchStarted, Play, Played
from volte.kernel import KernelFault, play_deals, play_matches
from volte.lab.arena import EngineKind, Request, readable, record_of, simulate
from volte.lab.arena.request import chosen_engine, policies
from volte.notation import format_record
from volte.referee import visible
from volte.rules import Direction, Ruleset, make_ruleset
from volte.view import View

TWINS = ["random", *(level for level in LEVELS if compiled(level) is not None)]
"""Levels that both engines have."""

tables = rulesets() | wider_rulesets()


def engines(request: Request) -> list[EngineKind]:
    """Engines that can play the request."""
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
    [(*table, level) for table in SOME_TABLES for level in TWINS if both_play(*table, level)],
)
def test_every_preset_gives_the_same_outcomes(preset: str, players: int, level: str) -> None:
    rules = make_ruleset(preset, {"players": players})
    assert_same_deals(Request(rules, (level,) * players, 1, deals=9), range(few(6, 3), 9))
    short = make_ruleset(preset, {"players": players, "match_end": "limit:30"})
    assert_same_matches(Request(short, (level,) * players, 1, matches=9), range(few(8, 7), 9))


@st.composite
def requests(draw: st.DrawFn, most_cards: int = 54) -> Request:
    """A few deals or matches of any kind, between levels that both engines have."""
    rules = draw(rulesets(most_cards=most_cards) | wider_rulesets(most_cards=most_cards))
    seats = tuple(draw(st.sampled_from(TWINS)) for _ in range(rules.players))
    games = draw(st.integers(1, 5))
    if draw(st.booleans()):
        return Request(rules, seats, draw(seeds), deals=games)
    return Request(rules, seats, draw(seeds), matches=games)


@settings(max_examples=few(5, 30))
@given(tables, seeds, st.integers(0, 2**40 - 2), st.data())
def test_any_rules_give_the_same_outcomes(
    rules: Ruleset, seed: int, number: int, data: st.DataObject
) -> None:
    seats = tuple(data.draw(st.sampled_from(TWINS)) for _ in range(rules.players))
    assume(EngineKind.KERNEL in engines(Request(rules, seats, seed, deals=1)))
    assert_same_deals(Request(rules, seats, seed, deals=2**40), range(number, number + 2))
    match = number >> 8
    assert_same_matches(Request(rules, seats, seed, matches=2**32), range(match, match + 1))


@settings(max_examples=few(5, 60))
@given(requests())
def test_both_find_what_the_records_tell(request: Request) -> None:
    told = by_hand(request)
    for engine in engines(request):
        assert simulate(replace(request, engine=engine), processes=1) == told


@settings(max_examples=few(4, 40))
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


DAME = make_ruleset("dame-de-pique", {"moon": "others_plus"})


@settings(max_examples=few(5, 30))
@given(requests(most_cards=24))
def test_every_record_passes_the_check(request: Request) -> None:
    for number in range(request.games):
        log = record_of(request, number)
        report = check_record(format_record(log))
        assert report.fault is None
        assert report.record is not None
        assert report.record.log == log
        assert report.record.finished


def test_a_deal_is_a_match_of_its_own_dealt_and_passed_as_in_the_simulation() -> None:
    request = Request(DAME, ("casual", "random", "beginner", "random"), 3, deals=8)
    for number, direction in enumerate([*DAME.passing.cycle, *DAME.passing.cycle]):
        log = record_of(request, number)
        (dealt,) = (event for event in log if isinstance(event, Dealt))
        assert (dealt.dealer, dealt.direction) == (number % 4, direction)
    assert DAME.passing.cycle[3] is Direction.HOLD


def test_records_name_the_players() -> None:
    request = Request(DAME, ("casual", "random", "beginner", "random"), 3, matches=1)
    start = record_of(request, 0)[0]
    assert isinstance(start, MatchStarted)
    assert start.rules == DAME
    assert [player.level for player in start.players] == list(request.seats)
    assert len({player.name for player in start.players}) == 4


def test_what_the_statistics_point_at_is_there() -> None:
    request = Request(make_ruleset("salon", {}), ("random",) * 4, 8, deals=4000)
    found = simulate(request, processes=1)
    assert found.moons
    for number in found.moons:
        (scored,) = (each for each in record_of(request, number) if isinstance(each, DealScored))
        assert scored.moon is not None
    (scored,) = (
        each for each in record_of(request, found.highest[0]) if isinstance(each, DealScored)
    )
    assert max(scored.points) == found.most_points


@pytest.mark.parametrize("number", [-1, 8])
def test_there_is_no_record_of_what_was_not_played(number: int) -> None:
    with pytest.raises(KernelFault, check=because("kernel_range")):
        record_of(Request(DAME, ("random",) * 4, 3, deals=8), number)
