"""The table from each viewpoint, with the log added one by one, by actions, or from a store."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from kit.tables import ANNE, BERT, Table, setup
from msgspec.structs import replace

from volte import game
from volte.game import Refusal
from volte.table import Happening, TableState, Watching, fold
from volte.table import commands as cmd
from volte.table import happenings as hap
from volte.table.state import states
from volte.table.viewpoints import EVERYTHING, MatchLog, Update, Viewpoint
from volte.view import project

SIGHTS: tuple[Viewpoint, ...] = (None, 0, 1, 2, 3, EVERYTHING)


class Story(Table):
    """A table, and its log in parts, one for each action."""

    def __init__(self) -> None:
        super().__init__(setup(match_end="deals:2", watching=Watching.AFTERWARDS))
        self.parts = [tuple(self.log)]

    def take(self, outcome: tuple[Happening, ...] | Refusal) -> tuple[Happening, ...]:
        self.parts.append(super().take(outcome))
        return self.parts[-1]

    def play(self) -> None:
        """Play a whole match."""
        self.do(ANNE, cmd.Start())
        self.play_on()


def two_matches() -> Story:
    """Two matches, with comings and goings, and a table that is set up anew between them."""
    story = Story()
    story.do(ANNE, cmd.Sit(0))
    story.play()
    story.do(ANNE, cmd.Change(setup(name="Again")))
    story.do(ANNE, cmd.Stand())
    story.do(ANNE, cmd.Sit(3))
    story.play()
    return story


STORY = two_matches()


@given(st.lists(st.integers(1, 40), min_size=1))
def test_a_log_shows_the_same_in_whatever_parts_it_comes(sizes: list[int]) -> None:
    log, sights, place = STORY.log, MatchLog(), 0
    steps = iter(sizes * len(log))
    while place < len(log):
        step = next(steps)
        sights.add(log[place : place + step])
        place += step
    assert sights.state == STORY.state
    assert STORY.state.match is not None
    for seat in (None, 0, 1, 2, 3):
        assert sights.fold(seat).match == project(STORY.state.match, seat)
    assert sights.fold(EVERYTHING) == STORY.state


@pytest.mark.parametrize("sight", SIGHTS)
def test_news_are_the_log_as_the_sight_may_see_it(sight: Viewpoint) -> None:
    sights, heard, known = MatchLog(), list[Happening](), None
    for part in STORY.parts:
        sights.add(part)
        if sights.reach(sight) > len(heard):
            update = sights.news(sight, len(heard))
            assert update.first == len(heard) + 1
            assert update.before == known or not heard
            known = update.after
            heard += update.happenings
    seen = STORY.log if sight == EVERYTHING else [hap.seen_by(each, sight) for each in STORY.log]
    assert heard == seen
    assert known == fold(seen)


@pytest.mark.parametrize("seed", range(5))
def test_it_does_not_matter_when_somebody_looks_at_the_table(seed: int) -> None:
    """Only an earlier match is forgotten, if nobody has looked while it lasted."""
    sights, rng = MatchLog(), Random(seed)
    shown = dict[Viewpoint, TableState]()
    waiting: list[tuple[Update, TableState, bool]] = []
    for part in STORY.parts:
        sights.add(part)
        for sight in SIGHTS:
            so_far = shown.get(sight)
            heard = so_far.version if so_far is not None else 0
            if sights.reach(sight) > heard:
                update = sights.news(sight, heard)
                shown[sight] = state = list(states(so_far, update.happenings))[-1]
                waiting.append((update, state, state.match_began <= sights.began))
        while waiting and rng.random() < 0.7:
            update, state, old = waiting.pop(rng.randrange(len(waiting)))
            if old and update.after.match is None:
                state = replace(state, match=None, match_began=0)
            assert update.after == state


def after_each(story: Story) -> Iterator[tuple[MatchLog, int]]:
    """The log as folded after each part, and the number of the last happening."""
    sights, number = MatchLog(), 0
    for part in story.parts:
        sights.add(part)
        number += len(part)
        yield sights, number


def test_everything_is_shown_only_once_the_secret_of_the_deal_is_told() -> None:
    dealt = revealed = 0
    for (sights, number), part in zip(after_each(STORY), STORY.parts, strict=True):
        for place, each in zip(count(number - len(part) + 1), part, strict=False):
            if isinstance(each, game.Dealt) and not dealt:
                dealt = place
            if isinstance(each, game.Revealed) and dealt:
                dealt, revealed = 0, place
        match = sights.fold(EVERYTHING).match
        if dealt:
            assert sights.reach(EVERYTHING) == dealt - 1
            hidden = match is None or match.deal is None or match.phase is not game.Phase.PLAYING
            assert hidden
        else:
            assert sights.reach(EVERYTHING) == number
    assert revealed


@pytest.mark.parametrize("sight", [None, 0])
def test_nothing_is_told_of_the_match_before(sight: Viewpoint) -> None:
    for sights, number in after_each(STORY):
        assert sights.state is not None
        update = sights.since(sight, 0)
        assert update.after.version == number
        if sights.state.match is not None:
            assert update.first == sights.state.match_began
            assert isinstance(update.happenings[0], game.MatchStarted)
            assert update.before is None or update.before.match is None
        else:
            assert update.happenings == ()


def test_a_table_where_people_come_and_go_for_ever_keeps_little(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("volte.table.viewpoints.MOST_BEFORE_A_MATCH", 10)
    story, sights = Story(), MatchLog()
    sights.add(story.parts[0])
    told = 1
    for _ in range(30):
        for command in (cmd.Sit(0), cmd.Stand()):
            story.do(ANNE, command)
            sights.add(story.parts[-1])
            update = sights.news(None, told)
            assert update.happenings == story.parts[-1]
            told = update.last
    assert sights.version - sights.began <= 10
    assert sights.fold(None) == sights.state == story.state


def test_seats_that_are_gone_take_their_match_with_them() -> None:
    story = two_matches()
    story.do(ANNE, cmd.Stand())
    story.do(ANNE, cmd.Change(setup("coeurs", players=5)))
    story.do(BERT, cmd.Sit(4))
    *_, (sights, number) = after_each(story)
    for sight in (*SIGHTS, 4):
        assert sights.fold(sight) == story.state
        assert sights.fold(sight).match is None
    assert sights.since(4, number - 1).happenings == story.parts[-1]
