"""Who sees what, and when: views that change, spectators, slow connections, secrecy."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path

from table.people import (
    ANNE,
    BERT,
    CARA,
    Guest,
    Player,
    done,
    kinds,
    let_sit,
    room,
    seated,
    setup,
    until,
)

from volte import game
from volte.table import Someone, TableState, Watching, evolve, fold
from volte.table import commands as cmd
from volte.table import happenings as hap
from volte.table.live import LiveTable
from volte.table.subscriptions import MOST_WAITING
from volte.view import View, project


def dealt(table: LiveTable) -> Callable[[], object]:
    return lambda: table.state.match is not None and table.state.match.deal is not None


async def test_every_view_is_the_projection_of_the_whole(tmp_path: Path) -> None:
    async with room(tmp_path) as lobby:
        table = await lobby.open(setup("coeurs", match_end="deals:1"), ANNE)
        anne, cara = Player(table, ANNE), Guest(table, CARA)
        await seated(table, anne)
        await done(table, ANNE, cmd.Start())
        while table.state.under_way:
            number = table.state.version
            await moved_past(table, number)
            match = table.state.match
            assert match is not None
            for seat in (None, 0, 1, 2, 3):
                assert table.view(seat) == View(seat, project(match, seat))
        await until(lambda: cara.state.version == table.state.version)
        assert table.state.match is not None
        assert cara.match == project(table.state.match, None)
        await anne.leave()
        await cara.leave()


async def moved_past(table: LiveTable, number: int) -> None:
    await until(lambda: table.state.version > number or not table.state.under_way)


async def test_whoever_takes_a_bots_seat_sees_its_cards_from_then_on(tmp_path: Path) -> None:
    async with room(tmp_path) as lobby:
        table = await lobby.open(setup(match_end="deals:1"), ANNE)
        anne, cara = Player(table, ANNE), Player(table, CARA)
        anne.plays = False
        await seated(table, anne)
        await done(table, ANNE, cmd.Start())
        await until(lambda: cara.state.match and cara.state.match.deal)
        assert cara.seat is None
        assert not any(cara.view.deal.hands)
        await let_sit(table, CARA, 2)
        await until(lambda: cara.seat == 2)
        assert table.state.match is not None
        assert cara.match == project(table.state.match, 2)
        assert len(cara.view.hand) in (10, 13)
        anne.plays = True
        await anne.moved()
        await until(lambda: not table.state.under_way)
        await done(table, CARA, cmd.Stand())
        await until(lambda: cara.seat is None)
        assert cara.match == project(table.state.match, None)
        (row,) = await lobby.store.matches_of("cara")
        assert row.players == ("anne", "", "cara", "")
        await anne.leave()
        await cara.leave()


async def test_afterwards_every_card_is_shown_once_its_secret_is_told(tmp_path: Path) -> None:
    async with room(tmp_path) as lobby:
        chosen = setup(match_end="deals:2", watching=Watching.AFTERWARDS)
        table = await lobby.open(chosen, ANNE)
        anne, cara = Player(table, ANNE), Guest(table, CARA)
        anne.plays = False
        await seated(table, anne)
        await done(table, ANNE, cmd.Start())
        await until(lambda: table.state.match and table.state.match.phase is game.Phase.PASSING)
        await let_sit(table, BERT, 1)
        await done(table, BERT, cmd.Stand())
        later = Guest(table, BERT)
        await until(
            lambda: kinds(anne, hap.BotSat)[-1:] and anne.state.version == table.state.version
        )
        assert not kinds(cara, game.Dealt)
        assert cara.match.deal is None
        assert later.state.version == cara.state.version < table.state.version
        anne.plays = True
        await anne.moved()
        await until(lambda: len(kinds(cara, game.Dealt)) == 1)
        assert cara.match.revealed == 1
        (first,) = kinds(cara, game.Dealt)
        assert isinstance(first, game.Dealt)
        assert all(first.hands)
        await until(lambda: not table.state.under_way)
        await until(lambda: cara.state == later.state == table.state)
        for guest in (anne, cara, later):
            await guest.leave()


async def test_where_nobody_may_watch_whoever_has_no_seat_goes_as_a_match_begins(
    tmp_path: Path,
) -> None:
    async with room(tmp_path) as lobby:
        table = await lobby.open(setup(watching=Watching.NOBODY), ANNE)
        host, bert, cara = Guest(table, ANNE), Player(table, BERT), Guest(table, CARA)
        await seated(table, bert)
        await done(table, ANNE, cmd.Start())
        assert await cara.closed() == "nobody_watches"
        assert table.subscribe(CARA).closed == "nobody_watches"
        await until(lambda: kinds(bert, game.Dealt) and kinds(host, game.Dealt))
        assert table.present == {"anne", "bert"}
        await host.leave()
        await bert.leave()


async def test_whoever_is_barred_is_shown_out(tmp_path: Path) -> None:
    async with room(tmp_path) as lobby:
        table = await lobby.open(setup(), ANNE)
        bert = Guest(table, BERT)
        await seated(table, bert)
        await done(table, ANNE, cmd.Remove(0, bar=True))
        assert await bert.closed() == "barred"
        assert isinstance(bert.heard[table.state.version], hap.Barred)
        assert table.subscribe(BERT).closed == "barred"


async def test_a_connection_that_does_not_listen_is_cut_off(tmp_path: Path) -> None:
    async with room(tmp_path) as lobby:
        table = await lobby.open(setup(), ANNE)
        watcher = table.subscribe(BERT)
        for _ in range(MOST_WAITING):
            await done(table, ANNE, cmd.Sit(0), cmd.Stand())
        assert watcher.closed == "too_slow"
        assert [update async for update in watcher] == []
        assert table.present == frozenset()


async def test_whoever_comes_back_is_told_just_what_they_missed(tmp_path: Path) -> None:
    async with room(tmp_path) as lobby:
        table = await lobby.open(setup(match_end="deals:1"), ANNE)
        anne = Player(table, ANNE)
        await seated(table, anne)
        await done(table, ANNE, cmd.Start())
        await until(lambda: not table.state.under_way)
        last = table.state.version
        await until(lambda: anne.state.version == last)
        assert sorted(anne.heard) == list(range(2, last + 1))
        began = table.state.match_began
        states: list[TableState | None] = [None]
        entries = await lobby.store.read(table.id)
        for entry in entries:
            seen = hap.seen_by(hap.decode_happening(entry.data), 0)
            states.append(evolve(states[-1], seen))
        for number in range(began, last + 1, 7):
            watcher = table.subscribe(ANNE)
            update = watcher.catch_up(number)
            told = dict(enumerate(update.happenings, update.first))
            assert told == {n: each for n, each in anne.heard.items() if n > number}
            assert update.before == states[number]
            assert update.after == watcher.state == states[last]
            watcher.close()
        for lost in (0, last + 1, began - 3):
            watcher = table.subscribe(ANNE)
            update = watcher.catch_up(lost)
            assert update.first == began
            assert len(update.happenings) == last + 1 - began
            watcher.close()
        await anne.leave()


async def test_a_new_match_lets_go_of_the_one_before(tmp_path: Path) -> None:
    """Whoever comes then is told nothing of it; whoever was there is told all in order."""

    async with room(tmp_path) as lobby:
        table = await lobby.open(setup(match_end="deals:1"), ANNE)
        anne = Player(table, ANNE)
        await seated(table, anne)
        await done(table, ANNE, cmd.Start())
        await until(lambda: not table.state.under_way)
        await done(table, ANNE, cmd.Start())
        await until(lambda: not table.state.under_way and table.state.matches == 2)
        await until(lambda: anne.state.version == table.state.version)
        watcher = table.subscribe(BERT)
        update = watcher.catch_up(1)
        assert update.first == table.state.match_began
        assert update.before is not None
        assert update.before.match is None
        entries = await lobby.store.read(table.id)
        seen = [hap.seen_by(hap.decode_happening(entry.data), 0) for entry in entries]
        assert anne.state == fold(seen)
        rows = await lobby.store.matches_at(table.id)
        assert [row.last for row in rows] == [rows[1].first - 1, table.state.version]
        watcher.close()
        await anne.leave()


async def test_who_is_there_is_shown_without_anything_happening(tmp_path: Path) -> None:
    async with room(tmp_path) as lobby:
        table = await lobby.open(setup(), ANNE)
        watcher = table.subscribe(ANNE)
        await anext(watcher)
        bert = table.subscribe(BERT)
        update = await anext(watcher)
        assert update.happenings == ()
        assert update.before == update.after == table.state
        assert table.present == {"anne", "bert"}
        bert.close()
        bert.close()
        assert (await anext(watcher)).first == 2
        assert table.present == {"anne"}
        watcher.close()


class Onlooker(Guest):
    """Somebody who counts what they are shown."""

    shown = 0

    async def moved(self) -> None:
        self.shown += 1


async def test_a_crowd_that_comes_is_shown_together(tmp_path: Path) -> None:
    async with room(tmp_path) as lobby:
        table = await lobby.open(setup(), ANNE)
        first = Onlooker(table, ANNE)
        crowd = []
        for number in range(200):
            crowd.append(Guest(table, Someone(f"guest{number}", f"Guest {number}")))
            await asyncio.sleep(0)  # each comes by themselves
        await until(lambda: len(table.present) == 201 and first.shown > 1)
        assert first.shown < 50
        for each in (first, *crowd):
            await each.leave()
