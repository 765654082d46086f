"""Any deal or match of a simulation is found again, whole, by its number."""

from __future__ import annotations

import pytest
from arena.test_engines_agree import requests
from hypothesis import given, settings

from volte.game import DealScored, Dealt, MatchStarted
from volte.kernel import KernelFault
from volte.lab.arena import Request, record_of, simulate
from volte.notation import check_record, format_record
from volte.rules import Direction, make_ruleset

DAME = make_ruleset("dame-de-pique", {"moon": "others_plus"})


@settings(max_examples=30)
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
    with pytest.raises(KernelFault) as caught:
        record_of(Request(DAME, ("random",) * 4, 3, deals=8), number)
    assert caught.value.reason == "kernel_range"
