"""Players that search, in duels: their budgets, what they looked at, and when they are timed."""

from __future__ import annotations

import pytest

from volte.bots import LEVELS, Bot, Casual, Clock, Thought
from volte.game import SeatAction
from volte.lab.arena import Contest, Contestant, Duel, play_duel
from volte.lab.arena.duel import HASTE
from volte.rules import make_ruleset
from volte.view import View

SALON = make_ruleset("salon", {})


class Thinking:
    """Chooses as `casual` does, and claims to have looked at much."""

    asked: list[Clock]

    def __init__(self, seed: int) -> None:
        self._bot = Casual()

    def choose(self, view: View, clock: Clock) -> SeatAction:
        return self.think(view, clock).action

    def think(self, view: View, clock: Clock) -> Thought:
        self.asked.append(clock)
        return Thought(self._bot.choose(view, clock), worlds=3, simulations=clock.simulations or 0)


@pytest.fixture
def thinker(monkeypatch: pytest.MonkeyPatch) -> Contestant:
    """A level of its own, with a budget of 70 simulations."""
    monkeypatch.setattr("volte.lab.arena.duel._WARM", set())
    Thinking.asked = []
    make: type[Bot] = Thinking
    monkeypatch.setitem(LEVELS, "thinker", make)
    return Contestant.of("thinker@70")


def test_what_it_looked_at_is_told_for_each_choice(thinker: Contestant) -> None:
    duel = Duel(SALON, (thinker, Contestant.of("casual")), 3, 2, 2)
    side, other = play_duel(duel, processes=1).standing.sides
    assert side.choices.worlds_per_choice == 3
    assert side.choices.simulations_per_choice == 70
    assert other.choices.worlds == other.choices.simulations == 0


def test_a_first_deal_counts_for_nothing(thinker: Contestant) -> None:
    """What is compiled at the first choice would be taken for thinking."""
    duel = Duel(SALON, (thinker, Contestant.of("casual")), 3, 2, 2)
    side, _ = play_duel(duel, processes=1).standing.sides
    warming = [clock for clock in Thinking.asked if clock == HASTE]
    assert len(warming) == 4 * 14
    assert Thinking.asked[: len(warming)] == warming
    assert len(Thinking.asked) - len(warming) == side.choices.number + side.choices.forced


def test_who_thinks_is_kept_seating_by_seating(thinker: Contestant) -> None:
    duel = Duel(SALON, (thinker, Contestant.of("casual")), 3, 2, 4)
    contest = Contest([duel])
    done: list[int] = []
    contest.play(processes=1, progress=lambda games, _: done.append(games))
    assert done == list(range(9))


def test_who_plays_as_casual_does_is_even_with_it(thinker: Contestant) -> None:
    result = play_duel(Duel(SALON, (thinker, Contestant.of("casual")), 3, 2), processes=1)
    assert result.margin().value == 0
