"""Who sits where: sitting down, getting up, and the host's rights over seats."""

from __future__ import annotations

import dataclasses

import pytest
from kit.tables import ANNE, BRUNO, CLEO, DENIS, Table, reason, seats, setup, started
from msgspec.structs import replace

from volte import bots, table
from volte.cards import Fault
from volte.game import Phase, Refusal
from volte.table import LEVELS, Setup, Someone, Why
from volte.table import commands as cmd
from volte.table import happenings as hap
from volte.table.setup import check_setup, game_of
from volte.table.stored import listing_of, read_summary

NOBODY = ["", "", "", ""]


def test_whoever_opens_a_table_is_its_host_and_may_sit_at_once() -> None:
    assert seats(Table().state) == NOBODY
    at = Table(seat=2)
    assert seats(at.state) == ["", "", "Anne", ""]
    assert (at.state.host, at.state.host_name) == (ANNE.id, "Anne")
    assert at.state.version == 2


@pytest.mark.parametrize("name", ["", "x" * 41, "two\nlines", " Anne", "Anne "])
def test_a_table_has_a_name_that_can_be_shown(name: str) -> None:
    with pytest.raises(Fault) as caught:
        table.open_table(setup(name=name), ANNE)
    assert caught.value.reason == "bad_table_name"


@pytest.mark.parametrize("clock", [-1, 1, 4, 3601])
def test_a_clock_gives_from_five_seconds_to_an_hour(clock: int) -> None:
    with pytest.raises(Fault) as caught:
        table.open_table(setup(clock=clock), ANNE)
    assert caught.value.reason == "clock_out_of_range"
    for fine in (0, 5, 3600):
        table.check_setup(setup(clock=fine))


@pytest.mark.parametrize("grace", [-1, 601])
def test_a_seat_is_kept_for_ten_minutes_at_most(grace: int) -> None:
    with pytest.raises(Fault) as caught:
        table.open_table(replace(setup(), grace=grace), ANNE)
    assert (caught.value.reason, caught.value.params) == ("grace_out_of_range", {"most": 600})
    for fine in (None, 0, 600):
        table.check_setup(replace(setup(), grace=fine))


def test_levels_are_those_of_the_bots() -> None:
    assert tuple(bots.LEVELS) == LEVELS


# Sitting down and getting up


def test_a_person_sits_down_on_a_free_seat_or_a_bots() -> None:
    at = Table()
    at.do(ANNE, cmd.Sit(1))
    at.do(ANNE, cmd.SeatBot(2, "expert"))
    at.do(BRUNO, cmd.Sit(2))
    assert seats(at.state) == ["", "Anne", "Bruno", ""]
    assert not at.state.seats[2].level


def test_nobody_sits_down_twice_or_on_somebody() -> None:
    at = Table(seat=0)
    assert at.refused(ANNE, cmd.Sit(1)) == "already_seated"
    assert at.refused(ANNE, cmd.Sit(0)) == "already_seated"
    assert at.refused(BRUNO, cmd.Sit(0)) == "seat_taken"


@pytest.mark.parametrize("seat", [-1, 4, 2**60])
def test_there_are_no_other_seats(seat: int) -> None:
    at = Table(seat=0)
    for command in (
        cmd.Sit(seat),
        cmd.SeatBot(seat, "casual"),
        cmd.Remove(seat),
        cmd.Replace(seat),
        cmd.HandOver(seat),
        cmd.AnswerSeat(seat, "p-bruno", allow=True),
        cmd.Swap(0, seat),
    ):
        assert at.refused(ANNE, command) == "no_such_seat" or isinstance(command, cmd.Sit)
    assert at.refused(BRUNO, cmd.Sit(seat)) == "no_such_seat"


def test_before_a_match_a_seat_given_up_is_free() -> None:
    at = Table(seat=0)
    assert at.do(ANNE, cmd.Stand()) == (hap.Stood(0),)
    assert seats(at.state) == NOBODY
    assert at.refused(ANNE, cmd.Stand()) == "not_seated"


def test_in_a_match_a_bot_gets_the_seat_at_once() -> None:
    at = started()
    stood, bot = at.do(BRUNO, cmd.Stand())
    assert stood == hap.Stood(1)
    assert isinstance(bot, hap.BotSat)
    assert (bot.seat, bot.level) == (1, "casual")
    assert bot.name not in ("Anne", "Bruno")
    at.play_on()
    assert at.match.phase is Phase.ENDED


def test_in_a_match_somebody_takes_a_bots_seat_and_plays_its_cards_on() -> None:
    at = started()
    at.play_until(Phase.PLAYING)
    at.play_on(3)
    at.let_sit(CLEO, 2)
    at.play_on()
    assert at.match.phase is Phase.ENDED
    assert seats(at.state)[:3] == ["Anne", "Bruno", "Cléo"]


def test_nobody_who_has_seen_a_hand_sits_down_at_another_in_the_same_deal() -> None:
    at = started(setup(match_end="deals:2"))
    at.play_until(Phase.PASSING)
    at.do(BRUNO, cmd.Stand())
    assert at.refused(BRUNO, cmd.Sit(2)) == "seen_other_hand"
    at.let_sit(CLEO, 2)
    at.do(ANNE, cmd.Remove(2))
    assert at.refused(CLEO, cmd.Sit(1)) == "seen_other_hand"
    at.do(CLEO, cmd.Sit(2))
    at.do(CLEO, cmd.Stand())
    at.do(BRUNO, cmd.Sit(1))
    while not at.state.between_deals:
        at.step()
    at.do(CLEO, cmd.Sit(3))


def test_whoever_is_called_like_somebody_else_is_told_apart() -> None:
    at = Table(seat=0)
    at.do(Someone("p-2", " anne "), cmd.Sit(1))
    at.do(Someone("p-3", "Anne"), cmd.Sit(2))
    assert seats(at.state) == ["Anne", "anne 2", "Anne 3", ""]
    away = Table()
    away.do(Someone("p-2", "Anne"), cmd.Sit(1))
    away.do(ANNE, cmd.Sit(0))
    assert seats(away.state) == ["Anne", "Anne 2", "", ""]


# Bots


def test_start_puts_bots_with_names_of_their_own_on_the_free_seats() -> None:
    at = Table(setup("salon", players=6), seat=0)
    at.do(Someone("p-2", "Alice"), cmd.Sit(3))
    at.do(ANNE, cmd.SeatBot(5, "strong"))
    at.do(ANNE, cmd.Start())
    assert seats(at.state) == ["Anne", "Chloé", "David", "Alice", "Emma", "Bruno"]
    levels = ["", "casual", "casual", "", "casual", "strong"]
    assert [seat.level for seat in at.state.seats] == levels
    assert [player.person for player in at.match.players] == [not level for level in levels]
    assert at.match.players[5].level == "strong"


def test_seven_people_leave_a_name_for_every_bot() -> None:
    at = Table(setup("coeurs", players=7))
    for seat, name in enumerate(("alice", "BRUNO", "Chloé", "David", "Emma", "Félix")):
        at.do(Someone(f"p-{name}", name), cmd.Sit(seat))
    at.do(ANNE, cmd.Start())
    assert at.state.seats[6].name == "Gaëlle"
    at.do(Someone("p-alice", "alice"), cmd.Stand())
    assert at.state.seats[0].name == "Hugo"


def test_the_host_chooses_the_level_of_a_bot_and_changes_it() -> None:
    at = Table()
    at.do(ANNE, cmd.SeatBot(0, "beginner"))
    at.do(ANNE, cmd.SeatBot(0, "expert"))
    assert [(seat.name, seat.level) for seat in at.state.seats[:1]] == [("Alice", "expert")]
    assert at.refused(ANNE, cmd.SeatBot(1, "random")) == "no_such_level"
    at.do(BRUNO, cmd.Sit(2))
    assert at.refused(ANNE, cmd.SeatBot(2, "casual")) == "seat_taken"
    at.do(ANNE, cmd.Start())
    assert at.refused(ANNE, cmd.SeatBot(0, "casual")) == "under_way"


# The host


HOSTS: list[cmd.Command] = [
    cmd.Start(),
    cmd.SeatBot(0, "casual"),
    cmd.Remove(1),
    cmd.Replace(1),
    cmd.Swap(0, 1),
    cmd.HandOver(1),
    cmd.Change(setup()),
    cmd.Invite(),
    cmd.AnswerSeat(0, "p-bruno", allow=True),
    cmd.Close(),
]


@pytest.mark.parametrize("command", HOSTS, ids=lambda command: type(command).__name__)
def test_what_is_the_hosts_is_nobody_elses(command: cmd.Command) -> None:
    at = Table(seat=0)
    at.do(BRUNO, cmd.Sit(1))
    assert at.refused(BRUNO, command) == "not_host"
    assert at.refused(CLEO, command) == "not_host"
    at.do(ANNE, cmd.HandOver(1))
    assert at.refused(ANNE, command) == "not_host"


def test_a_host_who_gets_up_stays_host() -> None:
    at = Table(seat=0)
    at.do(ANNE, cmd.Stand())
    at.do(ANNE, cmd.Start())
    assert at.state.under_way


def test_the_host_hands_the_table_over_to_a_person_at_a_seat() -> None:
    at = Table(seat=0)
    at.do(BRUNO, cmd.Sit(1))
    at.do(ANNE, cmd.SeatBot(2, "casual"))
    assert at.refused(ANNE, cmd.HandOver(0)) == "own_seat"
    assert at.refused(ANNE, cmd.HandOver(2)) == "no_person_there"
    assert at.refused(ANNE, cmd.HandOver(3)) == "no_person_there"
    at.do(ANNE, cmd.HandOver(1))
    assert (at.state.host, at.state.host_name) == (BRUNO.id, "Bruno")


def test_the_host_frees_a_seat() -> None:
    at = Table(seat=0)
    at.do(BRUNO, cmd.Sit(1))
    at.do(ANNE, cmd.SeatBot(2, "casual"))
    assert at.refused(ANNE, cmd.Remove(0)) == "own_seat"
    assert at.refused(ANNE, cmd.Remove(3)) == "seat_free"
    assert at.refused(ANNE, cmd.Remove(2, bar=True)) == "no_person_there"
    at.do(ANNE, cmd.Remove(1))
    at.do(ANNE, cmd.Remove(2))
    assert seats(at.state) == ["Anne", "", "", ""]
    at.do(BRUNO, cmd.Sit(3))


def test_in_a_match_a_person_is_removed_for_a_bot_and_a_bot_for_nobody() -> None:
    at = started()
    assert at.refused(ANNE, cmd.Remove(2)) == "under_way"
    at.do(ANNE, cmd.Remove(1))
    assert at.state.seats[1].level == "casual"


def test_whoever_is_sent_away_can_do_nothing_there_any_more() -> None:
    at = Table(seat=0)
    at.do(BRUNO, cmd.Sit(1))
    assert at.do(ANNE, cmd.Remove(1, bar=True)) == (
        hap.Stood(1),
        hap.Barred(BRUNO.id, "Bruno"),
    )
    for command in (cmd.Sit(1), cmd.Stand(), cmd.Start(), cmd.Pause(), cmd.Close()):
        assert at.refused(BRUNO, command) == "barred"
    again = started()
    again.do(ANNE, cmd.Remove(1, bar=True))
    assert again.refused(BRUNO, cmd.Sit(2)) == "barred"
    again.play_on()


def test_the_host_lets_a_bot_play_for_somebody_who_may_come_back() -> None:
    at = started()
    assert at.do(ANNE, cmd.Replace(1)) == (hap.StoodIn(1, Why.HOST),)
    assert at.refused(ANNE, cmd.Replace(1)) == "away_already"
    assert at.refused(ANNE, cmd.Replace(0)) == "own_seat"
    assert at.refused(ANNE, cmd.Replace(2)) == "no_person_there"
    assert at.do(BRUNO, cmd.Back()) == (hap.CameBack(1),)


def test_seats_change_places_before_a_match() -> None:
    at = Table(seat=0)
    at.do(BRUNO, cmd.Sit(1))
    at.do(ANNE, cmd.SeatBot(2, "strong"))
    at.do(ANNE, cmd.Swap(0, 2))
    at.do(ANNE, cmd.Swap(1, 3))
    assert seats(at.state) == ["Alice", "", "Anne", "Bruno"]
    assert at.state.seats[0].level == "strong"
    assert at.refused(ANNE, cmd.Swap(1, 1)) == "same_seat"
    at.do(ANNE, cmd.Start())
    assert at.refused(ANNE, cmd.Swap(0, 1)) == "under_way"


# The set-up


def test_the_host_sets_the_table_up_differently_between_matches() -> None:
    at = Table(seat=0)
    at.do(BRUNO, cmd.Sit(1))
    five = setup("coeurs-cagnotte", players=5)
    at.do(ANNE, cmd.Change(five))
    assert seats(at.state) == ["Anne", "Bruno", "", "", ""]
    assert at.do(ANNE, cmd.Change(five)) == (hap.Changed(five),)
    at.do(ANNE, cmd.Start())
    assert at.refused(ANNE, cmd.Change(setup())) == "under_way"
    at.play_on()
    at.do(ANNE, cmd.Change(setup()))
    assert seats(at.state) == ["Anne", "Bruno", "Alice", "Chloé"]
    assert at.state.match is None
    at.do(ANNE, cmd.Start())
    at.play_on()
    assert at.state.matches == 2


def test_seats_where_people_sit_do_not_go() -> None:
    at = Table(seat=0)
    at.do(BRUNO, cmd.Sit(3))
    three = setup("coeurs-moyenne", players=3)
    assert at.refused(ANNE, cmd.Change(three)) == "seats_taken"
    at.do(ANNE, cmd.Swap(1, 3))
    at.do(ANNE, cmd.SeatBot(3, "casual"))
    at.do(ANNE, cmd.Change(three))
    assert seats(at.state) == ["Anne", "Bruno", ""]


def test_a_set_up_that_cannot_be_is_refused() -> None:
    at = Table(seat=0)
    assert at.refused(ANNE, cmd.Change(setup(name=""))) == "bad_table_name"
    outcome = at.decide(ANNE, cmd.Change(setup(clock=3)))
    assert isinstance(outcome, Refusal)
    assert (outcome.reason, outcome.params) == ("clock_out_of_range", {"least": 5, "most": 3600})


def test_the_preset_that_the_host_chose_goes_with_the_rules_and_changes_nothing() -> None:
    at = Table(setup("dame-de-pique", match_end="limit:100"), seat=0)
    named = setup("microsoft", match_end="limit:100")
    assert at.do(ANNE, cmd.Change(named)) == (hap.Changed(named),)
    at.do(ANNE, cmd.Start())
    assert at.match.rules.preset == "microsoft"
    assert read_summary(listing_of("t", at.state, "")).preset == "microsoft"
    assert game_of(at.match.rules) == "dame-de-pique"
    other = Setup("Ici", dataclasses.replace(named.rules, preset="x" * 9))
    assert at.refused(ANNE, cmd.Change(other)) == "under_way"
    with pytest.raises(Fault) as caught:
        check_setup(other)
    assert caught.value.reason == "rules_without_options"


def test_who_has_agreed_to_a_clock_has_not_agreed_to_another() -> None:
    at = Table(setup(clock=20), seat=0)
    at.do(ANNE, cmd.AcceptClock(True))
    renamed = Setup("Ailleurs", at.state.setup.rules, clock=20)
    at.do(ANNE, cmd.Change(renamed))
    assert at.state.seats[0].accepts_clock
    at.do(ANNE, cmd.Change(setup(clock=10)))
    assert not at.state.seats[0].accepts_clock


# The end


def test_a_closed_table_stays_closed() -> None:
    at = started()
    at.do(ANNE, cmd.Close())
    others = [cmd.Sit(2), cmd.Stand(), cmd.Next(), cmd.Unpause(), cmd.MoreTime()]
    commands: list[cmd.Command] = [*others, *HOSTS]
    for who in (ANNE, BRUNO, CLEO, DENIS):
        assert {at.refused(who, command) for command in commands} == {"closed"}
    for outcome in (
        table.stand_in(at.state, 0, Why.CLOCK),
        table.come_back(at.state, 0),
        table.pause_empty(at.state),
        table.resume_present(at.state),
        table.play_forced(at.state, 0),
        table.close_table(at.state),
    ):
        assert reason(outcome) == "closed"
