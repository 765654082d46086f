"""Taking seats, watching, and asking the host, where the minutes do not show it."""

from __future__ import annotations

from typing import Any

import pytest
from kit.live import Guest, OpenLobby, Player, done, found, refused, together, until, with_bots
from kit.tables import ANNE, BERT, CARA, CLEO, RATED, STRANGER, Table, setup, started
from msgspec.structs import replace

from volte import game
from volte.game import Phase
from volte.table import Access, OpenSeats, Setup
from volte.table import commands as cmd
from volte.table import happenings as hap
from volte.table.admission import watch_refusal
from volte.table.lobby import Lobby
from volte.table.pacing import Timing
from volte.table.stored import listing_of, read_summary, seats_to_take

BOTS = "bots_by_invitation"


def opened(**changes: object) -> Table:
    """A table with Anne at seat 0, bots at seats 1 and 2, and seat 3 free."""
    at = Table(replace(setup(), **changes), seat=0)
    for seat in (1, 2):
        at.do(ANNE, cmd.SeatBot(seat, "casual"))
    return at


# Taking seats


@pytest.mark.parametrize(
    ("access", "open_seats", "free", "bot"),
    [
        (Access.PUBLIC, OpenSeats.ALL, "", ""),
        (Access.PUBLIC, OpenSeats.FREE, "", BOTS),
        (Access.PUBLIC, OpenSeats.INVITED, "by_invitation", "by_invitation"),
        (Access.PASSWORD, OpenSeats.FREE, "", BOTS),
        (Access.PRIVATE, OpenSeats.ALL, "by_invitation", "by_invitation"),
        *((Access.LINK, each, "", "") for each in OpenSeats),
    ],
)
def test_seats_before_a_match_go_by_the_setting(
    access: Access, open_seats: OpenSeats, free: str, bot: str
) -> None:
    """An invited person may take any free seat; at a table by link everybody counts as invited.
    A bot's seat they ask for, unless bots make room for anybody."""
    for seat, why in ((3, free), (1, bot)):
        at = opened(access=access, open_seats=open_seats)
        if why:
            assert at.refused(STRANGER, cmd.Sit(seat)) == why
        asked = seat == 1 and open_seats is not OpenSeats.ALL
        (answer,) = at.do(CLEO if why else STRANGER, cmd.Sit(seat))
        assert isinstance(answer, hap.SeatWanted if asked else hap.Sat)


def test_the_lobby_counts_the_seats_that_somebody_could_take() -> None:
    def count(at: Table, invited: bool = False) -> int:
        listing = listing_of("t", at.state, "")
        return seats_to_take(listing, read_summary(listing), invited)

    counts = {OpenSeats.ALL: 3, OpenSeats.FREE: 1, OpenSeats.INVITED: 0}
    for open_seats, free in counts.items():
        assert count(opened(open_seats=open_seats)) == free
        assert count(opened(open_seats=open_seats), invited=True) == 3
        assert count(opened(open_seats=open_seats, access=Access.LINK)) == 3


def test_nobody_but_its_people_sees_a_private_table_until_the_host_invites() -> None:
    at = started(setup(access=Access.PRIVATE))
    assert watch_refusal(at.state, ANNE.id) == ""
    assert watch_refusal(at.state, CLEO.id) == watch_refusal(at.state, STRANGER.id) == "no_table"
    at.do(ANNE, cmd.Invite())
    assert at.state.setup.access is Access.LINK
    assert watch_refusal(at.state, STRANGER.id) == ""


@pytest.mark.parametrize("open_seats", OpenSeats)
@pytest.mark.parametrize("access", [Access.PUBLIC, Access.LINK, Access.PASSWORD])
def test_in_a_deal_nobody_takes_a_bots_seat_without_the_host(
    access: Access, open_seats: OpenSeats
) -> None:
    at = opened(access=access, open_seats=open_seats)
    at.do(ANNE, cmd.Start())
    at.play_until(Phase.PLAYING)
    stranger = at.decide(STRANGER, cmd.Sit(2))
    assert not isinstance(stranger, tuple) or isinstance(stranger[0], hap.SeatWanted)
    assert at.do(CLEO, cmd.Sit(2)) == (hap.SeatWanted(2, CLEO.id, "Cléo"),)
    assert at.state.seats[2].bot
    assert CLEO.id not in at.state.saw[2]


# Live


def chosen(**changes: Any) -> Setup:
    return setup("dame-de-pique", match_end="deals:2", pass_count=0, **changes)


async def test_a_question_outlives_the_server_and_the_deal_answers_it(
    open_lobby: OpenLobby,
) -> None:
    link = chosen(access=Access.LINK, open_seats=OpenSeats.ALL)
    before = await with_bots(await open_lobby(), chosen=link, plays=False)
    await until(lambda: before.table.state.hands_are_out)
    await done(before.table, STRANGER, cmd.Sit(2))
    await before.leave()
    table = await found(await open_lobby(), before.table.id)
    assert table.state.seats[2].asker == STRANGER.id
    anne, stranger = Player(table, ANNE), Guest(table, STRANGER)
    await until(lambda: stranger.seat == 2 or not table.state.under_way)
    assert stranger.seat == 2
    await anne.up_to_date()
    assert len(anne.all_of(game.DealScored)) == 1  # the next deal has not begun


async def test_whoever_asks_and_goes_is_asked_for_no_more(open_lobby: OpenLobby) -> None:
    lobby = await open_lobby(timing=Timing(grace=0.05, bot_pace=0.0, trick_pace=0.0))
    anne = await with_bots(lobby, chosen=chosen(access=Access.LINK), plays=False)
    table, stranger = anne.table, Guest(anne.table, STRANGER)
    await until(lambda: table.state.hands_are_out)
    await done(table, STRANGER, cmd.Sit(2))
    await stranger.leave()
    await until(lambda: anne.all_of(hap.SeatForgone))
    assert table.state.hands_are_out
    assert not table.state.seats[2].asker


async def test_a_private_table_puts_out_who_watches_and_a_link_lets_them_in(lobby: Lobby) -> None:
    table = await lobby.open(chosen(), ANNE)
    Guest(table, ANNE)
    stranger = Guest(table, STRANGER)
    await done(table, ANNE, cmd.Change(chosen(access=Access.PRIVATE)))
    assert await stranger.closed() == "no_table"
    assert Guest(table, STRANGER).watcher.closed == "no_table"
    assert await lobby.listed() == []
    await done(table, ANNE, cmd.Invite())
    assert not table.subscribe(STRANGER).closed
    assert await lobby.listed() == []


async def test_it_does_not_begin_without_those_who_have_a_seat(lobby: Lobby) -> None:
    anne, bert = await together(lobby, Player, Player, chosen=RATED, begun=False)
    await bert.leave()
    for who in (ANNE, CARA):  # also CARA, who could not begin it anyway
        assert await refused(anne.table, who, cmd.Start()) == "rated_away"
    Player(anne.table, BERT)
    await done(anne.table, ANNE, cmd.Start())
