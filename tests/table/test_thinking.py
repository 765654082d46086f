"""Bots think beside the table, which goes on even if they fail."""

from __future__ import annotations

import asyncio
import threading
from dataclasses import dataclass, field

import pytest
from kit.live import QUICK, OpenLobby, Player, done, found, over, until, with_bots
from kit.tables import ANNE, setup
from msgspec.structs import replace

from volte import game
from volte.bots import make_bot
from volte.bots.protocol import Bot, Clock
from volte.fair import House
from volte.game import Play, SeatAction
from volte.referee.codec import encode
from volte.table import commands as cmd
from volte.table import fold, open_table
from volte.table import happenings as hap
from volte.table.decide import new_match
from volte.table.stored import listing_of, row_after
from volte.table.thinking import ChoiceMade
from volte.view import View


class Failing:
    """A bot that raises where it should choose."""

    def choose(self, view: View, clock: Clock) -> SeatAction:
        raise ValueError(f"it holds {view.hand}")


class Cheating:
    """A bot that plays for another seat."""

    def choose(self, view: View, clock: Clock) -> SeatAction:
        return Play((view.seat or 0) + 1, next(iter(view.hand)))


@dataclass
class Thoughtful:
    """A bot that notes its clock, and chooses as `casual` does once the test allows it."""

    may: threading.Event = field(default_factory=threading.Event)
    clocks: list[Clock] = field(default_factory=list)

    def choose(self, view: View, clock: Clock) -> SeatAction:
        self.clocks.append(clock)
        self.may.wait(20)
        return make_bot("casual").choose(view, clock)


@pytest.mark.parametrize("fault", [Failing, Cheating])
async def test_a_bot_at_fault_plays_something_legal(
    fault: type[Bot], open_lobby: OpenLobby, caplog: pytest.LogCaptureFixture
) -> None:
    anne = await with_bots(await open_lobby(bots=lambda level, seed: fault()))
    await over(anne.table)
    assert "bot" in caplog.text
    assert "it holds" not in caplog.text


async def test_a_table_is_not_held_up_by_a_bot_that_thinks(open_lobby: OpenLobby) -> None:
    bot = Thoughtful()
    anne = await with_bots(await open_lobby(bots=lambda level, seed: bot))
    await until(lambda: anne.all_of(game.Passed))
    await done(anne.table, ANNE, cmd.Pause(), cmd.Unpause(), cmd.Away(), cmd.Back())
    bot.may.set()
    await over(anne.table)


async def test_a_choice_that_comes_too_late_is_thrown_away(open_lobby: OpenLobby) -> None:
    """Somebody sits down in the bot's place while it thinks, and passes themselves."""
    bot = Thoughtful()
    anne = await with_bots(await open_lobby(bots=lambda level, seed: bot), plays=False)
    table = anne.table
    await until(lambda: anne.state.match and anne.state.match.deal)
    await done(table, ANNE, cmd.Away())
    await until(lambda: 0 in table._bots._tasks)
    await done(table, ANNE, cmd.Back())
    action = game.legal_actions(anne.match, 0)[-1]
    assert isinstance(action, game.Pass)
    await done(table, ANNE, cmd.Act(action))
    bot.may.set()
    await until(lambda: anne.all_of(game.Passed))
    await anne.play_on()
    await over(table)
    await anne.up_to_date()
    assert [each for each in anne.all_of(game.Passed) if each.seat == 0] == [
        game.Passed(0, action.cards)
    ]


async def test_a_bot_that_thinks_for_ever_is_not_waited_for(
    open_lobby: OpenLobby, caplog: pytest.LogCaptureFixture
) -> None:
    bot = Thoughtful()
    stuck = iter([bot, bot])

    def bots(level: str, seed: int) -> Bot:
        return next(stuck, make_bot("casual"))

    lobby = await open_lobby(timing=replace(QUICK, longest_thought=0.05), bots=bots)
    anne = await with_bots(lobby)
    await over(anne.table)
    bot.may.set()
    lost = [record.__dict__ for record in caplog.records if record.message == "bot_lost"]
    assert {each["why"] for each in lost} == {"it thinks for too long"}


async def test_bots_have_less_time_while_others_wait(open_lobby: OpenLobby) -> None:
    """Three bots pass at once; afterwards one plays after the other."""
    bot = Thoughtful()
    bot.may.set()
    timing = replace(QUICK, hurried=100.0)
    anne = await with_bots(await open_lobby(timing=timing, bots=lambda level, seed: bot))
    await over(anne.table)
    first, second, *others = (clock.milliseconds for clock in bot.clocks)
    assert first is not None
    assert second is not None
    assert 0 < first <= 100_000 / 3
    assert first < second <= 100_000 / 2
    assert set(others) == {None}


@pytest.mark.parametrize("board", ["", "b" * 32])
async def test_on_a_board_no_bot_is_hurried_or_given_up(open_lobby: OpenLobby, board: str) -> None:
    """Elsewhere three bots that pass at once share the time, and one that waits too long plays any
    card; on a board each has all its usual simulations, however long it takes."""
    bot, told = Thoughtful(), list[ChoiceMade]()
    timing = replace(QUICK, hurried=100.0, longest_thought=0.2)
    lobby = await open_lobby(timing=timing, bots=lambda level, seed: bot)
    lobby.thinking.on_choice = told.append
    happened = open_table(replace(setup("dame-de-pique"), board=""), ANNE, 0)
    begun = fold(happened)
    table = "ab" * 10
    started = new_match(begun)
    opened = (hap.Opened(replace(begun.setup, board=board), ANNE.id, ANNE.name), *happened[1:])
    state = fold((*opened, *started))
    row = row_after(None, table, started, state, House.fresh)
    assert row is not None
    entries = [encode(each) for each in (*opened, *started)]
    listing = listing_of(table, state, "")
    await lobby.store.append(table, 0, entries, listing=listing, matches=[row])
    live = await found(lobby, table)
    anne = Player(live, ANNE)
    if board:
        await until(lambda: bot.clocks)
        await asyncio.sleep(0.5)  # longer than any other bot is waited for
        assert not told
    bot.may.set()
    await anne.play_on()
    await over(live)
    hows = {each.how for each in told}
    assert (hows == {"usual"}) is bool(board)
    assert ({clock.milliseconds for clock in bot.clocks} == {None}) is bool(board)


async def test_a_table_that_ends_leaves_no_bot_thinking(open_lobby: OpenLobby) -> None:
    """Requests that have not begun are dropped."""
    bot, made = Thoughtful(), list[str]()

    def bots(level: str, seed: int) -> Bot:
        made.append(level)
        return bot

    lobby = await open_lobby(bots=bots)
    table = await lobby.open(setup("dame-de-pique"), ANNE)
    await done(table, ANNE, cmd.Sit(0), cmd.Start())
    await until(lambda: lobby.thinking.waiting == 2 and made)
    await done(table, ANNE, cmd.Close())
    await until(lambda: not lobby.thinking.waiting)
    bot.may.set()
    await until(lambda: not lobby.thinking.busy)
    assert len(made) == 1
