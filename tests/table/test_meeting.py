"""Live tables of "Play with people": who comes while bots fill them, and who goes on elsewhere."""

from __future__ import annotations

from typing import Final

from kit.live import QUICK, Guest, Lingering, OpenLobby, Player, done, found, refused, until
from kit.tables import ANNE, BERT, CARA, DORA, STRANGER, setup
from msgspec.structs import replace

from volte import game
from volte.game import Phase
from volte.referee import SeatAction
from volte.table import Setup
from volte.table import commands as cmd
from volte.table import happenings as hap
from volte.table.live import LiveTable
from volte.table.lobby import Lobby
from volte.table.state import evolve
from volte.table.stored import can_be_entered, onward_of, read_summary, read_table, seats_to_take

SHORT: Final = replace(QUICK, fill=0.02, anew=0.02)


def meeting() -> Setup:
    """Setup of a meeting table for four, with two deals and a pass."""
    return setup("microsoft", match_end="deals:2", meeting=True)


async def opened(lobby: Lobby) -> LiveTable:
    """A meeting table where Anne has the first seat."""
    table = await lobby.open(meeting(), ANNE)
    await done(table, ANNE, cmd.Sit(0))
    return table


async def passing(table: LiveTable) -> None:
    await until(lambda: table.state.match and table.state.match.phase is Phase.PASSING)


async def between(table: LiveTable) -> None:
    await until(lambda: table.state.between_deals)


class Passing(Player):
    """A player who passes, and then does nothing."""

    def chosen(self, seat: int, match: game.MatchState) -> SeatAction | None:
        return super().chosen(seat, match) if match.phase is Phase.PASSING else None


# The empty table


async def test_bots_come_to_an_empty_table_once_somebody_is_there(open_lobby: OpenLobby) -> None:
    table = await opened(await open_lobby(timing=SHORT))
    assert table.meeting_left() is None
    anne = Player(table, ANNE)
    await until(lambda: table.state.matches)
    assert [seat.level for seat in table.state.seats] == ["", "casual", "casual", "casual"]
    await until(lambda: anne.all_of(game.MatchEnded))
    assert table.meeting_left() is None  # nothing begins by itself after a match


async def test_it_begins_at_once_when_people_have_all_seats(lobby: Lobby) -> None:
    table = await opened(lobby)
    people = [Player(table, who) for who in (ANNE, BERT, CARA, DORA)]
    for seat, who in enumerate((BERT, CARA), start=1):
        await done(table, who, cmd.Sit(seat))
    assert (left := table.meeting_left()) is not None
    assert 50 < left <= QUICK.fill
    await done(table, DORA, cmd.Sit(3))
    await until(lambda: people[3].all_of(game.MatchStarted))
    assert all(seat.person for seat in table.state.seats)


# Somebody comes


async def test_bots_leave_people_their_seats_until_a_person_has_passed(lobby: Lobby) -> None:
    table = await opened(lobby)
    anne = Passing(table, ANNE)
    anne.plays = False
    await done(table, ANNE, cmd.Start())
    await passing(table)
    await until(lambda: len(table._bots.decided) == 3)  # all of them know what to pass
    stranger = Guest(table, STRANGER)
    await done(table, STRANGER, cmd.Sit(2))
    await until(lambda: stranger.seat == 2 and stranger.state.match)
    assert table.state.saw[2] == {STRANGER.id}
    assert len(stranger.view.hand) == 13
    await anne.play_on()
    await until(lambda: table.state.touched)
    await done(table, BERT, cmd.Sit(3))
    assert table.state.seats[3].asker == BERT.id


async def test_who_waits_elsewhere_gets_the_seat_whatever_happens_to_the_server(
    open_lobby: OpenLobby,
) -> None:
    table = await opened(await open_lobby())
    Passing(table, ANNE)
    await done(table, ANNE, cmd.Start())
    await until(lambda: table.state.touched)
    await done(table, BERT, cmd.Sit(1))
    await done(table, CARA, cmd.Sit(2))
    table = await found(await open_lobby(), table.id)
    assert [seat.asker for seat in table.state.seats] == ["", BERT.id, CARA.id, ""]
    Lingering(table, ANNE)
    await until(lambda: {BERT.id, CARA.id} <= {seat.person for seat in table.state.seats})
    assert not table.state.hands_are_out
    assert table.state.anew == frozenset()


async def test_who_no_longer_waits_gets_no_seat(lobby: Lobby) -> None:
    table = await opened(lobby)
    anne = Passing(table, ANNE)
    await done(table, ANNE, cmd.Start())
    await until(lambda: table.state.touched)
    await done(table, BERT, cmd.Sit(1), cmd.Stand())
    await anne.leave()
    Lingering(table, ANNE)
    await between(table)
    assert table.state.seats[1].level


# Anew


async def test_what_is_broken_off_ends_where_the_next_match_begins(lobby: Lobby) -> None:
    table = await opened(lobby)
    anne, bert = Lingering(table, ANNE), Lingering(table, BERT)
    await done(table, ANNE, cmd.Start())
    await between(table)
    await done(table, BERT, cmd.Sit(1))
    await done(table, ANNE, cmd.Anew())
    await done(table, BERT, cmd.Anew())
    await until(lambda: table.state.matches == 2)
    first, second = await lobby.store.matches_at(table.id)
    assert (first.last, first.ended is None) == (second.first - 1, False)
    assert (second.last, second.began) == (0, (ANNE.id, BERT.id, "", ""))
    assert first.master != second.master
    await between(table)
    await bert.up_to_date()
    assert len(bert.match.deals) == 1
    stored = await read_table(lobby.store, table.id)
    assert stored is not None
    assert (stored.state, stored.row) == (table.state, second)
    await anne.up_to_date()
    assert not anne.all_of(game.MatchEnded)


async def joined(lobby: Lobby) -> LiveTable:
    """A table where two people have come in the match of a first one."""
    table = await opened(lobby)
    for who in (ANNE, BERT, CARA):
        Lingering(table, who)
    await done(table, ANNE, cmd.Start())
    await between(table)
    await done(table, BERT, cmd.Sit(1))
    await done(table, CARA, cmd.Sit(2))
    return table


async def test_who_comes_back_to_their_seat_is_nobody_new_for_whom_others_are_asked_again(
    lobby: Lobby,
) -> None:
    table = await joined(lobby)
    await done(table, BERT, cmd.Anew())
    await done(table, ANNE, cmd.Stand(), cmd.Sit(0))
    assert table.state.anew == frozenset({1})


async def test_a_client_that_has_come_in_the_middle_follows_who_comes(lobby: Lobby) -> None:
    """It does not know who began the match, as at a terminal."""
    table = await opened(lobby)
    Lingering(table, ANNE)
    await done(table, ANNE, cmd.Start())
    await between(table)
    known = replace(table.state, began=(), saw=())
    seen = evolve(known, hap.Sat(1, BERT.id, BERT.name))
    assert seen.seats[1].person == BERT.id


async def test_whoever_has_come_is_one_offer_to_begin_anew_however_often_they_sit_down(
    lobby: Lobby,
) -> None:
    table = await joined(lobby)
    await done(table, ANNE, cmd.Anew())
    await done(table, BERT, cmd.Stand(), cmd.Sit(3))
    assert table.state.anew == frozenset({0})
    await done(table, BERT, cmd.Anew())
    await done(table, CARA, cmd.Anew())
    await until(lambda: table.state.matches == 2)
    await between(table)
    await done(table, BERT, cmd.Stand(), cmd.Sit(1))
    assert table.state.anew == frozenset()


async def test_an_offer_to_begin_anew_that_has_lapsed_does_not_come_back_with_the_same_person(
    open_lobby: OpenLobby,
) -> None:
    table = await opened(await open_lobby(timing=SHORT))
    _, bert = Lingering(table, ANNE), Lingering(table, BERT)
    await between(table)
    await done(table, BERT, cmd.Sit(1))
    await until(lambda: bert.all_of(hap.AnewLapsed))
    await done(table, BERT, cmd.Stand(), cmd.Sit(1))
    assert await refused(table, BERT, cmd.Anew()) == "anew_not_offered"


async def test_the_match_goes_on_where_not_all_wish_to_begin_anew(open_lobby: OpenLobby) -> None:
    table = await opened(await open_lobby(timing=SHORT))
    anne, bert = Lingering(table, ANNE), Player(table, BERT)
    await between(table)
    await done(table, BERT, cmd.Sit(1))
    await until(lambda: bert.all_of(hap.AnewLapsed))
    assert await refused(table, BERT, cmd.Anew()) == "anew_not_offered"
    await anne.do(cmd.Next())
    await until(lambda: table.state.hands_are_out or not table.state.under_way)
    assert table.state.matches == 1


# Onward


async def test_people_of_a_closed_table_are_told_where_they_go_on(lobby: Lobby) -> None:
    table = await opened(lobby)
    anne = Player(table, ANNE)
    await done(table, ANNE, cmd.Start(), cmd.Onward("f" * 20))
    assert await anne.closed() == "closed"
    assert anne.all_of(hap.Closed) == [hap.Closed("f" * 20)]
    listing = await lobby.store.listing(table.id)
    assert listing is not None
    assert (listing.state, onward_of(listing)) == ("closed", "f" * 20)
    (row,) = await lobby.store.matches_at(table.id)
    assert row.last == anne.state.version


async def test_nobody_is_closed_out_by_somebody_who_goes_on(lobby: Lobby) -> None:
    table = await opened(lobby)
    await done(table, BERT, cmd.Sit(1))
    assert await refused(table, ANNE, cmd.Onward("f" * 20)) == "meeting_goes_on"
    await done(table, ANNE, cmd.Stand())
    assert await refused(table, ANNE, cmd.Onward("f" * 20)) == "meeting_goes_on"


# The list


async def test_the_list_offers_each_bots_seat_once(lobby: Lobby) -> None:
    table = await opened(lobby)
    Passing(table, ANNE)
    await done(table, ANNE, cmd.Start())
    await until(lambda: table.state.touched)
    for seat, who in enumerate((BERT, CARA), start=1):
        await done(table, who, cmd.Sit(seat))
    (listing,) = await lobby.listed()
    summary = read_summary(listing)
    assert (summary.meeting, can_be_entered(listing)) == (True, True)
    assert [seat.asked for seat in summary.seats] == [False, True, True, False]
    assert seats_to_take(listing, summary) == 1
