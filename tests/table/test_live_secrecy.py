"""Secrecy at live tables: views that change, spectators, slow connections."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Final

import pytest
from kit.live import (
    QUICK,
    Guest,
    OpenLobby,
    Player,
    dealt,
    done,
    found,
    let_sit,
    over,
    refused,
    seated,
    together,
    until,
    with_bots,
)
from kit.tables import ANNE, BERT, CARA, DORA, setup
from msgspec.structs import replace

from volte import game
from volte.fair import House, Verdict
from volte.game import Event
from volte.game.codec import encode
from volte.notation import Record, prove_record
from volte.referee import SeatAction
from volte.table import Someone, TableState, Watching, evolve, fold
from volte.table import commands as cmd
from volte.table import happenings as hap
from volte.table.lobby import Lobby
from volte.table.subscriptions import MOST_WAITING
from volte.view import View, project


async def test_every_view_is_the_projection_of_the_whole(lobby: Lobby) -> None:
    anne = await with_bots(lobby, chosen=setup("coeurs"))
    table, cara = anne.table, Guest(anne.table, CARA)
    while table.state.under_way:
        number = table.state.version
        await until(lambda: table.state.version > number or not table.state.under_way)  # noqa: B023
        match = table.state.match
        assert match is not None
        for seat in (None, 0, 1, 2, 3):
            assert table.view(seat) == View(seat, project(match, seat))
    await cara.up_to_date()
    assert table.state.match is not None
    assert cara.match == project(table.state.match, None)


async def test_whoever_takes_a_bots_seat_sees_its_cards_from_then_on(lobby: Lobby) -> None:
    anne = await with_bots(lobby, plays=False)
    table, cara = anne.table, Player(anne.table, CARA)
    await until(lambda: cara.state.match and cara.state.match.deal)
    assert cara.seat is None
    assert not any(cara.view.deal.hands)
    await let_sit(table, CARA, 2)
    await until(lambda: cara.seat == 2)
    assert table.state.match is not None
    assert cara.match == project(table.state.match, 2)
    assert len(cara.view.hand) in (10, 13)
    await anne.play_on()
    await over(table)
    await done(table, CARA, cmd.Stand())
    await until(lambda: cara.seat is None)
    assert cara.match == project(table.state.match, None)
    (row,) = await lobby.store.matches_at(table.id)
    assert row.players == ("anne", "", "cara", "")


async def test_afterwards_every_card_is_shown_once_its_secret_is_revealed(lobby: Lobby) -> None:
    anne = await with_bots(lobby, match_end="deals:2", watching=Watching.AFTERWARDS, plays=False)
    table, cara = anne.table, Guest(anne.table, CARA)
    await until(lambda: table.state.match and table.state.match.phase is game.Phase.PASSING)
    await let_sit(table, BERT, 1)
    await done(table, BERT, cmd.Stand())
    later = Guest(table, BERT)
    await until(lambda: anne.all_of(hap.BotSat)[-1:])
    await anne.up_to_date()
    assert not cara.all_of(game.Dealt)
    assert cara.match.deal is None
    assert later.state.version == cara.state.version < table.state.version
    await anne.play_on()
    await until(lambda: len(cara.all_of(game.Dealt)) == 1)
    assert cara.match.revealed == 1
    (first,) = cara.all_of(game.Dealt)
    assert all(first.hands)
    await over(table)
    await until(lambda: cara.state == later.state == table.state)


async def test_where_nobody_may_watch_whoever_has_no_seat_goes_as_a_match_begins(
    lobby: Lobby,
) -> None:
    table = await lobby.open(setup(watching=Watching.NOBODY), ANNE)
    host, bert, cara = Guest(table, ANNE), Player(table, BERT), Guest(table, CARA)
    await seated(table, bert)
    await done(table, ANNE, cmd.Start())
    assert await cara.closed() == "nobody_watches"
    assert table.subscribe(CARA).closed == "nobody_watches"
    await until(lambda: bert.all_of(game.Dealt) and host.all_of(game.Dealt))
    assert table.present == {"anne", "bert"}


async def test_whoever_is_barred_is_shown_out(lobby: Lobby) -> None:
    table = await lobby.open(setup(), ANNE)
    bert = Guest(table, BERT)
    await seated(table, bert)
    await done(table, ANNE, cmd.Remove(0, bar=True))
    assert await bert.closed() == "barred"
    assert isinstance(bert.heard[table.state.version], hap.Barred)
    assert table.subscribe(BERT).closed == "barred"


async def test_a_connection_that_does_not_listen_is_cut_off(lobby: Lobby) -> None:
    table = await lobby.open(setup(), ANNE)
    watcher = table.subscribe(BERT)
    for _ in range(MOST_WAITING):
        await done(table, ANNE, cmd.Sit(0), cmd.Stand())
    assert watcher.closed == "too_slow"
    assert [update async for update in watcher] == []
    assert table.present == frozenset()


async def test_whoever_comes_back_is_sent_just_what_they_missed(lobby: Lobby) -> None:
    anne = await with_bots(lobby)
    table = anne.table
    await over(table)
    await anne.up_to_date()
    last, began = table.state.version, table.state.match_began
    assert sorted(anne.heard) == list(range(2, last + 1))
    states: list[TableState | None] = [None]
    for entry in await lobby.store.read(table.id):
        states.append(evolve(states[-1], hap.seen_by(hap.decode_happening(entry.data), 0)))
    for number in range(began, last + 1, 7):
        watcher = table.subscribe(ANNE)
        update = watcher.catch_up(number)
        missed = dict(enumerate(update.happenings, update.first))
        assert missed == {n: each for n, each in anne.heard.items() if n > number}
        assert update.before == states[number]
        assert update.after == watcher.state == states[last]
        watcher.close()
    for lost in (0, last + 1, began - 3):
        watcher = table.subscribe(ANNE)
        update = watcher.catch_up(lost)
        assert update.first == began
        assert len(update.happenings) == last + 1 - began
        watcher.close()


async def test_a_new_match_lets_go_of_the_one_before(lobby: Lobby) -> None:
    """Newcomers hear nothing of the old one; people who were there hear everything in order."""
    anne = await with_bots(lobby)
    table = anne.table
    await over(table)
    await done(table, ANNE, cmd.Start())
    await over(table)
    await anne.up_to_date()
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


async def test_who_is_there_is_shown_without_anything_happening(lobby: Lobby) -> None:
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


class Onlooker(Guest):
    """A guest who counts the updates that they get."""

    shown = 0

    async def moved(self) -> None:
        self.shown += 1


async def test_a_crowd_that_comes_is_shown_together(lobby: Lobby) -> None:
    table = await lobby.open(setup(), ANNE)
    first = Onlooker(table, ANNE)
    for number in range(200):
        Guest(table, Someone(f"guest{number}", f"Guest {number}"))
        await asyncio.sleep(0)  # each comes by themselves
    await until(lambda: len(table.present) == 201 and first.shown > 1)
    assert first.shown < 50


# Hidden cards are dealt anew, and people who may not know them see no change: the house deals as
# the test arranges, below its commitments, which stay the same.


WATCHER: Final = 4
"""The index of the lines of somebody without a seat, after those of the four seats."""


class Arranging(House):
    """A house that deals with two cards of the deck swapped."""

    swapped: tuple[int, int] = (0, 0)

    def order(self, number: int, contributions: Mapping[int, bytes], cards: int) -> tuple[int, ...]:
        order = list(super().order(number, contributions, cards))
        one, other = self.swapped
        order[one], order[other] = order[other], order[one]
        return tuple(order)


class Passing(Player):
    """A player who passes, and plays no card."""

    def chosen(self, seat: int, match: game.MatchState) -> SeatAction | None:
        return super().chosen(seat, match) if match.phase is game.Phase.PASSING else None


async def shown(
    open_lobby: OpenLobby, watching: Watching, swapped: tuple[int, int]
) -> tuple[int, list[list[bytes]]]:
    """The dealer, and the sorted messages to everybody, until it is time to play."""

    def house() -> House:
        arranging = Arranging(bytes(range(32)))
        object.__setattr__(arranging, "swapped", swapped)
        return arranging

    lobby = await open_lobby(house=house)
    chosen = setup("dame-de-pique", watching=watching, opening="eldest", pass_cycle=["left"])
    table = await lobby.open(chosen, ANNE)
    players = [Passing(table, who) for who in (ANNE, BERT, CARA, DORA)]
    guests: list[Guest] = [*players, Guest(table, Someone("emma", "Emma"))]
    await seated(table, *players)
    await done(table, ANNE, cmd.Start())
    await until(lambda: table.state.match and table.state.match.phase is game.Phase.PLAYING)
    for player in players:
        await player.up_to_date()
    assert table.state.match is not None
    # Sorted, as the order in which people are quicker tells nothing.
    return table.state.match.dealer, [sorted(map(encode, each.heard.values())) for each in guests]


@pytest.mark.parametrize("watching", [Watching.HIDDEN, Watching.AFTERWARDS])
async def test_nothing_sent_depends_on_cards_that_may_not_be_known(
    watching: Watching, open_lobby: OpenLobby
) -> None:
    """This holds to the byte, until the first card is played."""
    dealer, usual = await shown(open_lobby, watching, (0, 0))
    for place in range(3):
        _, other = await shown(open_lobby, watching, (place, place + 1))
        one, two, three, four = ((dealer + 1 + place + step) % 4 for step in range(4))
        assert other[one] != usual[one]
        assert other[two] != usual[two]
        assert before_exchange(other[three]) == before_exchange(usual[three])
        assert other[four] == usual[four]
        assert other[WATCHER] == usual[WATCHER]


def before_exchange(lines: list[bytes]) -> list[bytes]:
    """The lines without the cards passed to the seat, whose giver holds other cards."""
    return [line for line in lines if b"Exchanged" not in line]


# The shuffle: everybody promises, everybody reveals, nobody is waited for in vain


async def whole_log(lobby: Lobby, table: str) -> tuple[Event, ...]:
    """The events of the only match of a table."""
    happenings = [hap.decode_happening(entry.data) for entry in await lobby.store.read(table)]
    return tuple(each for each in happenings if isinstance(each, Event))


async def test_D3_every_shuffle_of_a_match_is_proved(lobby: Lobby) -> None:
    anne, _ = await together(lobby, Player, Player, chosen=setup("coeurs", match_end="deals:2"))
    await over(anne.table)
    log = await whole_log(lobby, anne.table.id)
    proofs = prove_record(Record(log, game.replay(log)))
    assert [proof.verdict for proof in proofs] == [Verdict.PROVED] * 2
    assert len([each for each in log if isinstance(each, game.Promised)]) == 4


@pytest.mark.parametrize("promises", [False, True])
async def test_D3_whoever_does_not_promise_or_reveal_in_time_is_left_out(
    open_lobby: OpenLobby, promises: bool
) -> None:
    lobby = await open_lobby(timing=replace(QUICK, promise_within=0.2 if promises else 0.1))
    table = await lobby.open(setup(), ANNE)
    anne = Guest(table, ANNE)
    await seated(table, anne)
    await done(table, ANNE, cmd.Start())
    if promises:
        await until(lambda: table.state.match and game.still_to_promise(table.state.match))
        await table.do(ANNE, cmd.Promise(1, bytes(32)), table.state.version)
    await until(lambda: anne.all_of(game.Dealt))
    assert game.Contributed(0, None) in anne.all_of(game.Contributed)
    if not promises:
        assert anne.all_of(game.Promised) == [game.Promised(0, None)]
        assert await refused(table, ANNE, cmd.Promise(1, bytes(32))) == "no_promise_due"


async def test_D3_the_house_adds_bytes_for_bots_and_for_those_who_are_not_there(
    lobby: Lobby,
) -> None:
    """It names these seats before anybody adds bytes, so it has no choice afterwards."""
    table = await lobby.open(setup(), ANNE)
    anne = Player(table, ANNE)
    await done(table, BERT, cmd.Sit(1))
    await done(table, ANNE, cmd.Sit(0), cmd.Start())
    await dealt(table)
    await until(lambda: anne.all_of(game.Committed))
    assert [each.house for each in anne.all_of(game.Committed)] == [(1, 2, 3)]


async def test_a_match_goes_on_with_the_house_that_began_it(open_lobby: OpenLobby) -> None:
    """After a restart its secrets still fit its commitments."""
    anne = await with_bots(await open_lobby(), plays=False)
    await dealt(anne.table)
    await anne.leave()
    lobby = await open_lobby()
    again = await found(lobby, anne.table.id)
    Player(again, ANNE)
    await over(again)
    log = await whole_log(lobby, again.id)
    (proof,) = prove_record(Record(log, game.replay(log)))
    assert proof.verdict is Verdict.PROVED
    (row,) = await lobby.store.matches_at(again.id)
    assert row.last == again.state.version
    assert row.ended is not None
