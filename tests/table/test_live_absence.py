"""Who is not there: lost connections, stand-ins, empty tables, clocks."""

from __future__ import annotations

from pathlib import Path

from msgspec.structs import replace
from table.people import (
    ANNE,
    BERT,
    CARA,
    QUICK,
    Guest,
    Player,
    done,
    kinds,
    moved_on,
    room,
    seated,
    setup,
    until,
)

from volte.game import Phase
from volte.table import Why
from volte.table import commands as cmd
from volte.table import happenings as hap

BRISK = replace(QUICK, grace=0.02)


async def test_a_bot_plays_for_a_lost_connection_until_the_person_is_back(tmp_path: Path) -> None:
    async with room(tmp_path, BRISK) as lobby:
        table = await lobby.open(setup(match_end="deals:1"), ANNE)
        anne, bert = Player(table, ANNE), Player(table, BERT)
        anne.plays = bert.plays = False
        await seated(table, anne, bert)
        await done(table, ANNE, cmd.Start())
        await until(lambda: table.state.match and table.state.match.phase is Phase.PASSING)
        await bert.leave()
        await until(lambda: table.state.seats[1].stand_in is Why.CONNECTION)
        assert table.present == {"anne"}
        deal = table.state.match
        assert deal is not None
        await until(lambda: table.state.match and table.state.match.deal.passes[1])  # type: ignore[union-attr]
        bert = Player(table, BERT)
        await until(lambda: table.state.seats[1].stand_in is None)
        await until(lambda: kinds(anne, hap.CameBack))
        assert kinds(anne, hap.StoodIn) == [hap.StoodIn(1, Why.CONNECTION)]
        anne.plays = True
        await anne.moved()
        await until(lambda: not table.state.under_way)
        await anne.leave()
        await bert.leave()


async def test_whoever_is_back_within_the_grace_never_was_away(tmp_path: Path) -> None:
    async with room(tmp_path) as lobby:  # its grace is a minute
        table = await lobby.open(setup(match_end="deals:1"), ANNE)
        anne, bert = Player(table, ANNE), Player(table, BERT)
        await seated(table, anne, bert)
        await done(table, ANNE, cmd.Start())
        while table.state.under_way:
            await bert.leave()
            bert = Player(table, BERT)
            await moved_on(table, 1)
        assert kinds(anne, hap.StoodIn) == []
        await anne.leave()
        await bert.leave()


async def test_where_nobody_is_the_match_waits_and_goes_on_with_the_first(tmp_path: Path) -> None:
    async with room(tmp_path, BRISK) as lobby:
        table = await lobby.open(setup(match_end="deals:1"), ANNE)
        anne, cara = Player(table, ANNE), Guest(table, CARA)
        anne.plays = False
        await seated(table, anne)
        await done(table, ANNE, cmd.Start())
        await until(lambda: table.state.match and table.state.match.deal)
        await anne.leave()
        await until(lambda: table.state.paused)  # whoever watches does not count
        assert table.state.paused_by == ""
        assert table.state.seats[0].stand_in is None
        anne = Player(table, ANNE)
        await until(lambda: not table.state.paused)
        await until(lambda: not table.state.under_way)
        assert kinds(cara, hap.Paused) == [hap.Paused("")]
        assert kinds(cara, hap.Unpaused) == [hap.Unpaused("")]
        await anne.leave()
        await cara.leave()


async def test_a_pause_that_a_person_has_made_lasts_until_somebody_ends_it(tmp_path: Path) -> None:
    async with room(tmp_path, BRISK) as lobby:
        table = await lobby.open(setup(match_end="deals:1"), ANNE)
        anne = Player(table, ANNE)
        await seated(table, anne)
        await done(table, ANNE, cmd.Start(), cmd.Pause())
        await anne.leave()
        again = Player(table, ANNE)
        await until(lambda: again.state.paused)
        assert table.state.paused_by == "Anne"
        number = table.state.version
        await done(table, ANNE, cmd.Unpause())
        await until(lambda: not table.state.under_way)
        assert isinstance(again.heard[number + 1], hap.Unpaused)
        await again.leave()


async def test_a_pause_overnight_goes_on_from_the_same_card_after_a_restart(tmp_path: Path) -> None:
    async with room(tmp_path, BRISK) as lobby:
        table = await lobby.open(setup(match_end="deals:1"), ANNE)
        anne = Player(table, ANNE)
        anne.plays = False
        await seated(table, anne)
        await done(table, ANNE, cmd.Start())
        await until(lambda: table.state.match and table.state.match.deal)
        await anne.leave()
        await until(lambda: table.state.paused)
        evening = table.state
    async with room(tmp_path, BRISK) as lobby:
        (listing,) = await lobby.listed()
        assert listing.state == "paused"
        morning = await lobby.find(table.id)
        assert morning is not None
        assert morning.state == evening
        anne = Player(morning, ANNE)
        await until(lambda: not morning.state.under_way)
        await anne.leave()


async def test_somebody_at_a_seat_becomes_the_host_when_the_host_does_not_come_back(
    tmp_path: Path,
) -> None:
    async with room(tmp_path, replace(QUICK, host_grace=0.02)) as lobby:
        table = await lobby.open(setup(match_end="deals:1"), ANNE)
        anne, bert = Player(table, ANNE), Player(table, BERT)
        await seated(table, anne, bert)
        await anne.leave()
        await until(lambda: table.state.host == BERT.id)
        await until(lambda: kinds(bert, hap.HandedOver))
        assert kinds(bert, hap.HandedOver) == [hap.HandedOver(BERT.id, BERT.name)]
        await done(table, BERT, cmd.Start())
        await bert.leave()
