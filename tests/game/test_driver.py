"""The one loop that runs matches."""

from __future__ import annotations

import pytest
from kit import because, start
from kit.owners import Obliging, seated

from volte import game
from volte.cards import Card, VolteError
from volte.referee import SeatAction
from volte.rules import make_ruleset
from volte.view import project


class Stubborn(Obliging):
    """Tries a card that it does not hold first."""

    def ask(self) -> SeatAction:
        if self.state.phase is game.Phase.PLAYING and not self.refusals:
            return game.Play(self.seat, Card("RJ"))
        return super().ask()


class Meddling(Obliging):
    """Answers for somebody else."""

    def ask(self) -> SeatAction:
        return game.AskUndo(self.seat + 1)


def test_it_runs_a_whole_match_and_tells_everybody_what_they_may_see() -> None:
    rules = make_ruleset("coeurs-cinq-coups", {"players": 5})
    owners = seated(5)
    listened: list[game.Event] = []
    driver = game.Driver(
        [start(rules)], owners, game.PlainChance(5), lambda _, events: listened.extend(events)
    )
    end = driver.run()
    assert (end.phase, len(end.deals)) == (game.Phase.ENDED, 5)
    assert driver.log == [start(rules), *listened]
    assert game.replay(driver.log) == end
    for owner in owners:
        assert owner.state == project(end, owner.seat)
        assert not owner.refusals


def test_it_goes_on_from_any_log() -> None:
    rules = make_ruleset("coeurs")
    whole = game.Driver([start(rules)], seated(4), game.PlainChance(5))
    whole.run()
    owners = seated(4)
    resumed = game.Driver(whole.log[:30], owners, game.PlainChance(5))
    assert resumed.run() == whole.state
    assert all(owner.state == project(whole.state, owner.seat) for owner in owners)


def test_whoever_is_refused_hears_why_and_is_asked_again() -> None:
    owners = [Stubborn(seat) for seat in range(4)]
    end = game.Driver([start(make_ruleset("coeurs"))], owners, game.PlainChance(5)).run()
    assert end.phase is game.Phase.ENDED
    assert [owner.refusals[0].reason for owner in owners] == ["not_in_hand"] * 4


def test_the_people_are_asked_whether_they_allow_an_undo() -> None:
    owners = seated(4)
    driver = game.Driver(
        [start(make_ruleset("coeurs"), people=(1, 2))], owners, game.PlainChance(5)
    )
    while driver.state.before is None:
        driver.step()
    assert driver.submit(game.AskUndo(driver.state.before.turn)) is None
    asking = game.still_to_consent(driver.state)
    while game.still_to_consent(driver.state):
        driver.step()
    assert asking
    assert driver.state.deal is not None
    assert driver.state.deal.trick == ()


def test_nobody_acts_for_another() -> None:
    owners = [Meddling(seat) for seat in range(4)]
    driver = game.Driver([start(make_ruleset("coeurs"))], owners, game.PlainChance(5))
    with pytest.raises(VolteError, check=because("other_seat")):
        driver.run()
