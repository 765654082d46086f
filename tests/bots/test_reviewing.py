"""A match looked back on: what cost most, and what the cards were worth."""

from __future__ import annotations

from functools import cache

import pytest

from volte.bots import BotOwner, Clock, make_bot
from volte.bots.reviewing import Judged, Review, review
from volte.game import Driver, MatchStarted, Pass, Passed, PlainChance, Play, Played, Player
from volte.referee import Event
from volte.rules import make_ruleset

BRIEF = Clock(simulations=400)


@cache
def played(preset: str = "microsoft", players: int = 4) -> tuple[Event, ...]:
    """A match of two deals, in which the first seat plays as badly as a bot can."""
    rules = make_ruleset(preset, {"players": players, "match_end": "deals:2"})
    levels = ["random", *["casual"] * (players - 1)]
    owners = [BotOwner(make_bot(level, 1), seat) for seat, level in enumerate(levels)]
    people = tuple(Player(f"p{seat}") for seat in range(players))
    driver = Driver([MatchStarted(rules, people)], owners, PlainChance(2))
    driver.run()
    return tuple(driver.log)


@cache
def reviewed(seats: tuple[int, ...] = (0, 1)) -> Review:
    return review(played(), seats, BRIEF)


def done_by(judged: Judged) -> Play | Pass:
    event = played()[judged.number - 1]
    if isinstance(event, Played):
        return Play(event.seat, event.card)
    assert isinstance(event, Passed)
    assert event.cards is not None
    return Pass(event.seat, event.cards)


def test_what_is_judged_is_what_was_done() -> None:
    for each in reviewed().judged:
        assert each.seat == each.view.seat == each.done.action.seat
        if isinstance(each.done.action, Play):
            assert each.done.action == done_by(each)
            assert each.done.action.card in each.view.hand


def test_only_choices_are_judged() -> None:
    for each in reviewed().judged:
        assert each.trick == 0 or len(each.view.legal) > 1
    assert {each.seat for each in reviewed().judged} == {0, 1}


def test_nothing_costs_less_than_nothing_and_the_best_costs_nothing() -> None:
    for each in reviewed().judged:
        assert each.points >= 0
        if each.done.action == each.best.action:
            assert each.points == 0


def test_the_costliest_come_first_and_cost_more_than_chance() -> None:
    worst = reviewed().costliest(0)
    assert len(worst) == 3
    assert [each.points for each in worst] == sorted((each.points for each in worst), reverse=True)
    assert all(each.points > each.error for each in worst)


def test_who_plays_at_random_loses_more_by_it() -> None:
    cost = [sum(each.points for each in reviewed().judged if each.seat == seat) for seat in (0, 1)]
    assert cost[0] > cost[1]


def test_the_points_are_those_of_the_match_and_the_cards_share_them() -> None:
    told = reviewed().deals
    assert [each.number for each in told] == [1, 2]
    for each in told:
        assert sum(each.points) in (26, 78)
        assert each.cards is not None
        assert sum(each.cards) == pytest.approx(26, abs=26)  # some of them are moons


@pytest.mark.parametrize(("preset", "players"), [("coeurs", 3), ("salon", 5), ("coeurs-table", 4)])
def test_every_table_can_be_looked_back_on(preset: str, players: int) -> None:
    found = review(played(preset, players), range(players), Clock(simulations=40))
    assert len(found.deals) == 2
    assert len(found.judged) > 10


def test_it_is_the_same_again() -> None:
    again = [each.points for each in review(played(), (1,), BRIEF).judged]
    assert again == [each.points for each in reviewed().judged if each.seat == 1]
    assert any(again)
