"""Attending: people for whom a match goes on, and their return by connecting."""

from __future__ import annotations

from typing import Final

import pytest
from kit.live import QUICK, Guest, OpenLobby, Player, dealt, done, over, together, until, with_bots
from kit.tables import ANNE, BERT, Table, setup
from msgspec.structs import replace

from volte.table import Why, pacing
from volte.table import commands as cmd
from volte.table import happenings as hap
from volte.table.lobby import attended
from volte.table.pacing import Presence, TableContext, Timing, next_step
from volte.table.turns import current_turns

FAST_CLOCK: Final = replace(QUICK, tick=0.004)


@pytest.mark.parametrize("noticed", [True, False])
async def test_whoever_was_cut_off_when_the_clock_ran_out_is_back_by_connecting(
    noticed: bool, open_lobby: OpenLobby
) -> None:
    """This holds even where the server has not noticed yet that their line is dead."""
    lobby = await open_lobby(timing=FAST_CLOCK)  # with a minute's grace
    anne, bert = await together(lobby, Player, Player, clock=5, plays=False)
    table = anne.table
    await dealt(table)
    if noticed:
        await bert.leave()
    await until(lambda: table.state.seats[1].stand_in)
    assert table.state.seats[1].stand_in is (Why.CONNECTION if noticed else Why.CLOCK)
    Guest(table, BERT)
    await until(lambda: hap.CameBack(1) in anne.all_of(hap.CameBack))


@pytest.mark.parametrize(("leaves", "why"), [(True, Why.CONNECTION), (False, Why.HOST)])
async def test_so_is_whomever_the_host_has_replaced_meanwhile(
    leaves: bool, why: Why, open_lobby: OpenLobby
) -> None:
    anne, bert = await together(await open_lobby(), Player, Player, plays=False)
    table = anne.table
    await dealt(table)
    if leaves:
        await bert.leave()
    await done(table, ANNE, cmd.Replace(1))
    assert table.state.seats[1].stand_in is why


async def test_where_everybody_is_away_the_match_waits_until_somebody_is_back(
    open_lobby: OpenLobby,
) -> None:
    """They may be connected or not; so a rated match can be broken off."""
    anne = await with_bots(await open_lobby(timing=replace(QUICK, grace=0)), plays=False)
    table = anne.table
    await dealt(table)
    await done(table, ANNE, cmd.Away())
    await until(lambda: table.state.paused or not table.state.under_way)
    assert anne.all_of(hap.Paused) == [hap.Paused("")]
    assert not attended(table)
    await done(table, ANNE, cmd.Back())
    await until(lambda: not table.state.paused)
    assert attended(table)
    await anne.play_on()
    await over(table)


@pytest.mark.parametrize("evening", ["", "friday"])
def test_only_at_an_evening_a_match_goes_on_though_everybody_is_gone(evening: str) -> None:
    at = Table(setup(), seat=0)
    at.do(ANNE, cmd.Start())
    at.play_on(20)
    state = replace(at.state, setup=replace(at.state.setup, evening=evening))
    presence = Presence(0)
    presence.attend(state, 0)
    timing = Timing(grace=10, assembling=90)
    context = TableContext(presence, current_turns(state, {}, 0), {})
    waits = pacing.ScheduledStep(10, pacing.PauseEmpty())
    stands_in = pacing.ScheduledStep(90, pacing.StandIn(0, Why.CONNECTION))
    assert next_step(state, context, timing) == (stands_in if evening else waits)
    if evening:
        rests = replace(state, paused=True)
        resumes = next_step(rests, replace(context, turns={}), timing)
        assert resumes == pacing.ScheduledStep(0, pacing.Resume())
