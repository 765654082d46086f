"""Who may take which seat, how the host is asked in the middle of a deal, and what rated tables
refuse."""

from __future__ import annotations

import pytest
from kit.live import Guest, OpenLobby, Player, done, found, refused, together, until, with_bots
from kit.tables import (
    ANNE,
    BERT,
    BRUNO,
    CARA,
    CLEO,
    DENIS,
    RATED,
    STRANGER,
    Table,
    seats,
    setup,
    started,
)
from msgspec.structs import replace

from volte import game
from volte.cards import Fault
from volte.game import Phase
from volte.rules import make_ruleset
from volte.table import Access, OpenSeats, Setup, Someone, Watching
from volte.table import commands as cmd
from volte.table import happenings as hap
from volte.table.admission import watch_refusal
from volte.table.house import settle_asker
from volte.table.lobby import Lobby
from volte.table.pacing import Timing
from volte.table.setup import check_setup
from volte.table.stored import listing_of, read_summary, seats_to_take

# Seats of bots: who may take one, and how the host is asked in the middle of a deal.


BOTS = "bots_by_invitation"


def opened(deals: int = 2, **changes: object) -> Table:
    """Anne at seat 0, bots at seats 1 and 2, and seat 3 free."""
    at = Table(replace(setup(match_end=f"deals:{deals}"), **changes), seat=0)
    for seat in (1, 2):
        at.do(ANNE, cmd.SeatBot(seat, "casual"))
    return at


def in_a_deal(deals: int = 2, denis: int | None = None, **changes: object) -> Table:
    """The same, playing; with Denis at a seat, if it is named."""
    at = opened(deals, **changes)
    if denis is not None:
        at.do(DENIS, cmd.Sit(denis))
    at.do(ANNE, cmd.Start())
    at.play_until(Phase.PLAYING)
    return at


def asked(at: Table, who: Someone = CLEO, seat: int = 2) -> Table:
    assert at.do(who, cmd.Sit(seat)) == (hap.SeatWanted(seat, who.id, who.name),)
    return at


def answer(who: Someone, allow: bool, seat: int = 2) -> cmd.AnswerSeat:
    return cmd.AnswerSeat(seat, who.id, allow)


# Who may take which seat


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
    """Whoever is invited may take any; at a table by link everybody is, who knows its address."""
    for seat, why in ((3, free), (1, bot)):
        at = opened(access=access, open_seats=open_seats)
        if why:
            assert at.refused(STRANGER, cmd.Sit(seat)) == why
        at.do(CLEO if why else STRANGER, cmd.Sit(seat))


def test_the_lobby_counts_the_seats_that_somebody_could_take() -> None:
    def count(at: Table, invited: bool = False) -> int:
        listing = listing_of("t", at.state, "")
        return seats_to_take(listing, read_summary(listing), invited)

    counts = {OpenSeats.ALL: 3, OpenSeats.FREE: 1, OpenSeats.INVITED: 0}
    for open_seats, free in counts.items():
        assert count(opened(open_seats=open_seats)) == free
        assert count(opened(open_seats=open_seats), invited=True) == 3
        assert count(opened(open_seats=open_seats, access=Access.LINK)) == 3


def test_a_setup_from_before_there_was_the_setting_opens_free_seats_alone() -> None:
    old = setup()
    assert Setup(old.name, old.rules).open_seats is OpenSeats.FREE


def test_nobody_but_its_people_comes_to_a_private_table_until_the_host_invites() -> None:
    at = in_a_deal(access=Access.PRIVATE, watching=Watching.HIDDEN)
    assert watch_refusal(at.state, ANNE.id) == ""
    assert watch_refusal(at.state, CLEO.id) == watch_refusal(at.state, STRANGER.id) == "no_table"
    assert at.refused(STRANGER, cmd.Invite()) == "not_host"
    before = at.match
    at.do(ANNE, cmd.Invite())
    assert at.state.setup.access is Access.LINK
    assert at.match == before
    assert watch_refusal(at.state, STRANGER.id) == ""
    assert at.refused(ANNE, cmd.Invite()) == "open_already"
    asked(at, STRANGER)


# In the middle of a deal


@pytest.mark.parametrize("open_seats", OpenSeats)
def test_in_a_deal_nobody_takes_a_bots_seat_without_the_host(open_seats: OpenSeats) -> None:
    for access in (Access.PUBLIC, Access.LINK, Access.PASSWORD):
        at = in_a_deal(access=access, open_seats=open_seats)
        stranger = at.decide(STRANGER, cmd.Sit(2))
        assert not isinstance(stranger, tuple) or isinstance(stranger[0], hap.SeatWanted)
        asked(at)
        assert seats(at.state).count("Cléo") == 0
        assert CLEO.id not in at.state.saw[2]


def test_the_host_allows_it_and_they_play_the_cards_on() -> None:
    at = asked(in_a_deal())
    assert at.do(ANNE, answer(CLEO, allow=True)) == (hap.Sat(2, CLEO.id, "Cléo"),)
    assert not at.state.seats[2].asker
    at.play_on()


def test_the_host_says_no_for_this_deal() -> None:
    at = asked(in_a_deal())
    assert at.do(ANNE, answer(CLEO, allow=False)) == (hap.SeatDenied(2),)
    assert at.refused(CLEO, cmd.Sit(1)) == "seat_denied"
    while at.state.hands_are_out:
        at.step()
    at.do(CLEO, cmd.Sit(2))  # that is what the invitation gives


def test_only_the_host_answers_and_only_who_still_asks() -> None:
    at = asked(in_a_deal())
    assert at.refused(CLEO, answer(CLEO, allow=True)) == "not_host"
    assert at.refused(ANNE, answer(DENIS, allow=True)) == "nobody_asks"
    assert at.refused(ANNE, answer(CLEO, allow=True, seat=1)) == "nobody_asks"
    assert at.refused(ANNE, cmd.AnswerSeat(1, "", allow=True)) == "nobody_asks"
    at.do(ANNE, answer(CLEO, allow=True))
    assert at.refused(ANNE, answer(CLEO, allow=True)) == "nobody_asks"


def test_of_two_who_want_one_seat_the_second_is_told_and_nobody_asks_for_two() -> None:
    at = asked(in_a_deal())
    assert at.refused(DENIS, cmd.Sit(2)) == "seat_wanted"
    assert at.refused(CLEO, cmd.Sit(1)) == "seat_asked"
    asked(at, DENIS, 1)
    at.do(ANNE, answer(DENIS, allow=True, seat=1))
    assert at.state.seats[2].asker == CLEO.id


def test_whoever_had_the_seat_takes_it_back_and_the_question_is_gone() -> None:
    at = in_a_deal(denis=2)
    at.do(DENIS, cmd.Stand())
    asked(at)
    at.do(DENIS, cmd.Sit(2))
    assert at.refused(ANNE, answer(CLEO, allow=True)) == "nobody_asks"
    assert not at.state.seats[2].asker


def test_a_seat_where_a_bot_stands_in_is_its_persons() -> None:
    at = in_a_deal(denis=2)
    at.do(DENIS, cmd.Away())
    assert at.refused(CLEO, cmd.Sit(2)) == "seat_taken"
    at.do(DENIS, cmd.Back())


def test_the_host_asks_nobody() -> None:
    at = in_a_deal()
    at.do(ANNE, cmd.Stand())
    assert at.do(ANNE, cmd.Sit(0)) == (hap.Sat(0, ANNE.id, "Anne"),)


def test_a_new_host_is_asked_in_place_of_the_old_one() -> None:
    at = in_a_deal(denis=3)
    asked(at)
    at.do(ANNE, cmd.HandOver(3))
    assert at.refused(ANNE, answer(CLEO, allow=True)) == "not_host"
    at.do(DENIS, answer(CLEO, allow=True))
    assert at.state.seats[2].person == CLEO.id


@pytest.mark.parametrize("here", [True, False])
def test_without_an_answer_they_sit_down_after_the_deal_if_they_are_there(here: bool) -> None:
    at = asked(in_a_deal(deals=1))
    assert settle_asker(at.state, 2, ()) == (hap.SeatForgone(2),)
    while at.state.hands_are_out:
        at.step()
    assert at.state.seats[2].asker == CLEO.id
    at.take(settle_asker(at.state, 2, {CLEO.id} if here else ()))
    assert at.state.seats[2].person == (CLEO.id if here else "")
    assert not at.state.seats[2].asker


# Live


def chosen(**changes: object) -> Setup:
    return setup("dame-de-pique", match_end="deals:2", pass_count=0, **changes)


async def test_a_question_outlives_the_server_and_the_deal_answers_it(
    open_lobby: OpenLobby,
) -> None:
    link = chosen(access=Access.LINK)
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


# Rated tables


def rated_table() -> Table:
    """Anne and Bruno have begun a rated match, with two bots."""
    return started(RATED)


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"hints": True}, "rated_with_hints"),
        ({"rules": make_ruleset("coeurs", {"queen_points": 13})}, "rated_with_own_rules"),
    ],
)
def test_a_rated_table_has_no_hints_and_the_rules_of_a_game(
    changes: dict[str, object], reason: str
) -> None:
    with pytest.raises(Fault) as caught:
        check_setup(replace(RATED, **changes))
    assert caught.value.reason == reason
    assert Table().refused(ANNE, cmd.Change(replace(RATED, **changes))) == reason


def test_it_may_have_any_number_of_players_that_its_game_has() -> None:
    for players in (3, 5, 7):
        check_setup(replace(RATED, rules=make_ruleset("coeurs", {"players": players})))


def test_a_rated_match_needs_two_people() -> None:
    at = Table(RATED)
    assert at.refused(ANNE, cmd.Start()) == "rated_needs_people"
    at.do(ANNE, cmd.Sit(0))
    assert at.refused(ANNE, cmd.Start()) == "rated_needs_people"
    at.do(BRUNO, cmd.Sit(1))
    at.do(ANNE, cmd.Start())


def test_partners_are_no_opponents() -> None:
    at = Table(replace(RATED, rules=make_ruleset("partnership")))
    at.do(ANNE, cmd.Sit(0))
    at.do(BRUNO, cmd.Sit(2))
    assert at.refused(ANNE, cmd.Start()) == "rated_needs_people"
    at.do(CLEO, cmd.Sit(1))
    at.do(ANNE, cmd.Start())


def test_no_card_is_taken_back() -> None:
    at = rated_table()
    at.play_until(game.Phase.PLAYING)
    assert at.refused(ANNE, cmd.Act(game.AskUndo(0))) == "rated_no_undo"


def test_only_who_began_it_sits_down_again() -> None:
    at = rated_table()
    assert at.refused(CLEO, cmd.Sit(2)) == "rated_seat"
    at.do(BRUNO, cmd.Stand())
    assert at.refused(CLEO, cmd.Sit(1)) == "rated_seat"
    assert at.refused(BRUNO, cmd.Sit(2)) == "rated_seat"
    at.do(BRUNO, cmd.Sit(1))
    at.play_on()
    at.do(DENIS, cmd.Sit(3))


def test_no_host_sends_anybody_away_or_breaks_it_off() -> None:
    at = rated_table()
    for command in (cmd.Remove(1), cmd.Remove(1, bar=True), cmd.Replace(1)):
        assert at.refused(ANNE, command) == "rated_stays"
    assert at.refused(ANNE, cmd.Close()) == "rated_goes_on"
    at.do(BRUNO, cmd.Stand())
    at.do(ANNE, cmd.Close())


def test_afterwards_a_host_may_do_what_any_host_may() -> None:
    at = rated_table()
    at.play_on()
    at.do(ANNE, cmd.Remove(1, bar=True))
    at.do(ANNE, cmd.Close())


async def test_it_does_not_begin_without_those_who_have_a_seat(lobby: Lobby) -> None:
    anne, bert = await together(lobby, Player, Player, chosen=RATED, begun=False)
    await bert.leave()
    for who in (ANNE, CARA):  # also whoever could not begin it anyway
        assert await refused(anne.table, who, cmd.Start()) == "rated_away"
    Player(anne.table, BERT)
    await done(anne.table, ANNE, cmd.Start())
