"""Bots think beside the table, and whatever they do there, it goes on."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest
from msgspec.structs import replace
from table.people import (
    ANNE,
    QUICK,
    Player,
    done,
    kinds,
    room,
    run,
    seated,
    setup,
    until,
)

from volte import game
from volte.bots import make_bot
from volte.bots.protocol import Bot, Clock
from volte.game import Play, SeatAction
from volte.table import commands as cmd
from volte.view import View


class Failing:
    """Raises where it should choose."""

    def choose(self, view: View, clock: Clock) -> SeatAction:
        raise ValueError(f"it holds {view.hand}")


class Cheating:
    """Plays for somebody else."""

    def choose(self, view: View, clock: Clock) -> SeatAction:
        return Play((view.seat or 0) + 1, next(iter(view.hand)))


@pytest.mark.parametrize("fault", [Failing, Cheating])
def test_a_bot_at_fault_plays_something_legal(
    fault: type[Bot], tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async def story() -> None:
        async with room(tmp_path, bots=lambda level, seed: fault()) as lobby:
            table = await lobby.open(setup(match_end="deals:1"), ANNE)
            anne = Player(table, ANNE)
            await seated(table, anne)
            await done(table, ANNE, cmd.Start())
            await until(lambda: not table.state.under_way)
            await anne.leave()

    run(story())
    assert "bot" in caplog.text
    assert "it holds" not in caplog.text


class Waiting:
    """Chooses when it is told to."""

    def __init__(self, may: threading.Event) -> None:
        self.may = may

    def choose(self, view: View, clock: Clock) -> SeatAction:
        self.may.wait(20)
        return make_bot("casual").choose(view, clock)


async def test_a_table_is_not_held_up_by_a_bot_that_thinks(tmp_path: Path) -> None:
    may = threading.Event()
    async with room(tmp_path, bots=lambda level, seed: Waiting(may)) as lobby:
        table = await lobby.open(setup(match_end="deals:1"), ANNE)
        anne = Player(table, ANNE)
        await seated(table, anne)
        await done(table, ANNE, cmd.Start())
        await until(lambda: kinds(anne, game.Passed))
        await done(table, ANNE, cmd.Pause(), cmd.Unpause(), cmd.Away(), cmd.Back())
        may.set()
        await until(lambda: not table.state.under_way)
        await anne.leave()


async def test_a_choice_that_comes_too_late_is_thrown_away(tmp_path: Path) -> None:
    """Somebody sits down in the bot's place while it thinks, and passes themselves."""

    may = threading.Event()
    async with room(tmp_path, bots=lambda level, seed: Waiting(may)) as lobby:
        table = await lobby.open(setup(match_end="deals:1", players=4), ANNE)
        anne = Player(table, ANNE)
        anne.plays = False
        await seated(table, anne)
        await done(table, ANNE, cmd.Start())
        await until(lambda: anne.state.match and anne.state.match.deal)
        await done(table, ANNE, cmd.Away())
        await until(lambda: 0 in table._bots._tasks)
        await done(table, ANNE, cmd.Back())
        action = game.legal_actions(anne.match, 0)[-1]
        await done(table, ANNE, cmd.Act(action))
        may.set()
        await until(lambda: game.Passed(0, action.cards) in kinds(anne, game.Passed))  # type: ignore[union-attr]
        anne.plays = True
        await anne.moved()
        await until(lambda: not table.state.under_way)
        assert len([p for p in kinds(anne, game.Passed) if p.seat == 0]) == 1  # type: ignore[attr-defined]
        await anne.leave()


def test_a_bot_that_thinks_for_ever_is_not_waited_for(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async def story() -> None:
        never = threading.Event()
        timing = replace(QUICK, longest_thought=0.05)
        stuck = iter([Waiting(never), Waiting(never)])

        def bots(level: str, seed: int) -> Bot:
            return next(stuck, make_bot("casual"))

        async with room(tmp_path, timing, bots) as lobby:
            table = await lobby.open(setup(match_end="deals:1"), ANNE)
            anne = Player(table, ANNE)
            await seated(table, anne)
            await done(table, ANNE, cmd.Start())
            await until(lambda: not table.state.under_way)
            never.set()
            await anne.leave()

    run(story())
    lost = [record.__dict__ for record in caplog.records if record.message == "bot_lost"]
    assert {each["why"] for each in lost} == {"it thinks for too long"}


class Timed:
    """Notes what it may spend."""

    def __init__(self, clocks: list[Clock]) -> None:
        self.clocks = clocks

    def choose(self, view: View, clock: Clock) -> SeatAction:
        self.clocks.append(clock)
        return make_bot("casual").choose(view, clock)


def test_bots_have_less_time_while_others_wait(tmp_path: Path) -> None:
    """Three pass at once; afterwards one plays after the other."""
    clocks: list[Clock] = []

    async def story() -> None:
        timing = replace(QUICK, hurried=100.0)
        async with room(tmp_path, timing, lambda level, seed: Timed(clocks)) as lobby:
            table = await lobby.open(setup(match_end="deals:1"), ANNE)
            anne = Player(table, ANNE)
            await seated(table, anne)
            await done(table, ANNE, cmd.Start())
            await until(lambda: not table.state.under_way)
            await anne.leave()

    run(story())
    first, second, *others = (clock.milliseconds for clock in clocks)
    assert first is not None
    assert second is not None
    assert 0 < first <= 100_000 / 3
    assert first < second <= 100_000 / 2
    assert set(others) == {None}


def test_a_table_that_ends_leaves_no_bot_thinking(tmp_path: Path) -> None:
    """What has not begun is dropped."""
    asked: list[str] = []

    async def story() -> None:
        may = threading.Event()

        def bots(level: str, seed: int) -> Bot:
            asked.append(level)
            return Waiting(may)

        async with room(tmp_path, bots=bots) as lobby:
            table = await lobby.open(setup(match_end="deals:1"), ANNE)
            await done(table, ANNE, cmd.Sit(0), cmd.Start())
            await until(lambda: lobby.thinking.waiting == 2 and asked)
            await done(table, ANNE, cmd.Close())
            await until(lambda: not lobby.thinking.waiting)
            may.set()
            await until(lambda: not lobby.thinking.busy)

    run(story())
    assert len(asked) == 1
