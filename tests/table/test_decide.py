"""Playing at a table: acts and what they have seen, pauses, stand-ins, clocks, one match more."""

from __future__ import annotations

import pytest
from kit.tables import ANNE, BRUNO, CLEO, Table, reason, setup, started

from volte import game, table
from volte.fair import Verdict, commit_bytes
from volte.game import (
    AnswerUndo,
    AskUndo,
    Pass,
    Phase,
    Play,
    Refusal,
    TakeBackPass,
    legal_actions,
    to_act,
)
from volte.notation.prove import prove_record
from volte.notation.reader import check_record
from volte.notation.writer import format_record
from volte.referee import DeclareMisdeal, Misdeal, decide, replay, visible
from volte.table import Someone, Why
from volte.table import commands as cmd
from volte.table import happenings as hap

# Playing at a table: acts and what they have seen, pauses, stand-ins, clocks, one match more.


def turn_of(at: Table, *people: Someone) -> Someone:
    """Plays on until it is one of these people's turn, and something can be chosen."""
    while True:
        if at.match.phase is Phase.PLAYING:
            (seat,) = to_act(at.match)
            who = at.person(seat)
            if who in people and len(legal_actions(at.match, seat)) > 1:
                return who
        assert at.step()


def play(at: Table, who: Someone, choice: int = 0) -> cmd.Act:
    seat = at.seat_of(who)
    return cmd.Act(legal_actions(at.match, seat)[choice])


# Acts


def test_nobody_acts_before_a_match_or_after_it() -> None:
    at = Table(seat=0)
    claim = cmd.Act(game.Claim(0))
    assert at.refused(ANNE, claim) == "no_match"
    assert at.refused(BRUNO, claim) == "not_seated"
    at.do(ANNE, cmd.Start())
    at.play_on()
    assert at.refused(ANNE, claim) == "no_match"


def test_nobody_acts_for_another_seat() -> None:
    at = started()
    who = turn_of(at, ANNE, BRUNO)
    other = BRUNO if who == ANNE else ANNE
    assert at.refused(other, play(at, who)) == "not_your_seat"
    assert at.refused(CLEO, play(at, who)) == "not_seated"
    at.do(who, play(at, who))


def test_an_act_that_has_not_seen_the_last_play_changes_nothing() -> None:
    at = started()
    who = turn_of(at, ANNE, BRUNO)
    command = play(at, who)
    assert at.refused(who, command, at.state.moved - 1) == "stale"
    assert at.refused(who, command, at.state.version + 1) == "ahead"
    at.do(who, command, at.state.moved)
    assert at.refused(who, command, at.state.moved - 1) == "stale"


def test_P1_the_passes_of_others_make_no_pass_stale() -> None:
    at = started()
    at.play_until(Phase.PASSING)
    dealt = at.state.version
    assert at.state.moved == dealt
    hands = [legal_actions(at.match, seat)[0] for seat in range(2)]
    at.do(BRUNO, cmd.Act(hands[1]), dealt)
    at.do(ANNE, cmd.Act(hands[0]), dealt)
    at.do(ANNE, cmd.Act(TakeBackPass(0)), dealt)
    at.do(ANNE, cmd.Act(hands[0]), dealt)
    at.play_until(Phase.PLAYING)
    assert at.refused(ANNE, cmd.Act(TakeBackPass(0)), dealt) == "stale"


def test_an_illegal_card_is_refused_by_the_game() -> None:
    at = started()
    who = turn_of(at, ANNE, BRUNO)
    seat = at.seat_of(who)
    others = next(card for card in at.match.rules.cards if not at.hand(seat) & card.bit)
    assert at.refused(who, cmd.Act(Play(seat, others))) == "not_in_hand"
    assert at.refused(who, cmd.Act(Pass(seat, ()))) == "not_passing_now"


def test_C2_an_undo_is_allowed_by_the_people_and_a_stale_answer_is_none() -> None:
    at = started()
    who = turn_of(at, ANNE)
    before = at.match.deal
    at.do(who, play(at, who))
    at.do(who, cmd.Act(AskUndo(0)))
    asked = at.state.version
    at.do(BRUNO, cmd.Act(AnswerUndo(1, True)), asked)
    assert at.match.deal == before
    assert at.refused(BRUNO, cmd.Act(AnswerUndo(1, True)), asked) == "stale"


def test_C2_where_somebody_has_come_late_nothing_is_taken_back() -> None:
    """The match knows a bot at that seat, and would not ask them."""
    at = started()
    who = turn_of(at, ANNE)
    at.let_sit(CLEO, 2)
    at.do(who, play(at, who))
    assert at.refused(ANNE, cmd.Act(AskUndo(0))) == "cannot_be_asked"
    at.take(table.stand_in(at.state, 2, Why.CONNECTION))
    at.do(ANNE, cmd.Act(AskUndo(0)))


# Stand-ins


def test_whoever_acts_while_a_bot_stands_in_is_back() -> None:
    at = started()
    who = turn_of(at, ANNE, BRUNO)
    seat = at.seat_of(who)
    at.take(table.stand_in(at.state, seat, Why.CLOCK))
    assert at.state.seats[seat].bot
    happened = at.do(who, play(at, who))
    assert happened[0] == hap.CameBack(seat)
    assert not at.state.seats[seat].bot


def test_an_act_that_is_refused_brings_nobody_back() -> None:
    at = started()
    who = turn_of(at, ANNE, BRUNO)
    seat = at.seat_of(who)
    at.take(table.stand_in(at.state, seat, Why.CONNECTION))
    assert at.refused(who, cmd.Act(AskUndo(seat))) == "nothing_to_undo"


def test_a_bot_stands_in_only_while_a_match_goes_on_and_once() -> None:
    at = Table(seat=0)
    assert reason(table.stand_in(at.state, 0, Why.CONNECTION)) == "no_match"
    assert at.refused(ANNE, cmd.Away()) == "no_match"
    at.do(ANNE, cmd.Start())
    assert at.do(ANNE, cmd.Away()) == (hap.StoodIn(0, Why.OWN),)
    assert at.refused(ANNE, cmd.Away()) == "away_already"
    assert reason(table.stand_in(at.state, 0, Why.CLOCK)) == "away_already"
    assert reason(table.stand_in(at.state, 1, Why.CLOCK)) == "no_person_there"
    at.take(table.come_back(at.state, 0))
    assert reason(table.come_back(at.state, 0)) == "not_away"
    assert at.refused(ANNE, cmd.Back()) == "not_away"


def test_bots_play_at_their_own_seats_and_for_the_absent_alone() -> None:
    at = started()
    who = turn_of(at, ANNE, BRUNO)
    seat = at.seat_of(who)
    action = legal_actions(at.match, seat)[0]
    assert reason(table.decide_bot(at.state, action)) == "not_your_seat"
    assert reason(table.decide_bot(at.state, Play(9, at.match.rules.cards[0]))) == "no_such_seat"
    at.take(table.stand_in(at.state, seat, Why.CONNECTION))
    at.take(table.decide_bot(at.state, action))


def test_the_table_plays_a_card_that_is_the_only_one() -> None:
    at = started()
    at.play_until(Phase.PLAYING)
    for _ in range(at.match.rules.hand_size * 4):
        if at.match.phase is not Phase.PLAYING:
            break
        (seat,) = to_act(at.match)
        choices = legal_actions(at.match, seat)
        outcome = table.play_forced(at.state, seat)
        if len(choices) == 1:
            assert not isinstance(outcome, Refusal)
            assert isinstance(outcome[0], game.Played)
        else:
            assert reason(outcome) == "not_forced"
        assert reason(table.play_forced(at.state, (seat + 1) % 4)) == "not_forced"
        at.step()


# Pauses


def test_who_has_a_seat_and_the_host_may_pause_and_nobody_else() -> None:
    at = started(people=(BRUNO,))
    assert at.refused(CLEO, cmd.Pause()) == "not_seated"
    for who in (BRUNO, ANNE):
        assert at.do(who, cmd.Pause()) == (hap.Paused(who.name),)
        assert at.state.paused_by == who.name
        assert at.refused(CLEO, cmd.Unpause()) == "not_seated"
        assert at.refused(BRUNO, cmd.Pause()) == "paused"
        assert at.do(BRUNO, cmd.Unpause()) == (hap.Unpaused("Bruno"),)
    assert at.refused(BRUNO, cmd.Unpause()) == "not_paused"


def test_there_is_nothing_to_pause_before_a_match() -> None:
    at = Table(seat=0)
    assert at.refused(ANNE, cmd.Pause()) == "no_match"
    assert reason(table.pause_empty(at.state)) == "no_match"


def test_in_a_pause_nobody_plays_but_people_come_and_go() -> None:
    at = started(setup(clock=60))
    who = turn_of(at, ANNE, BRUNO)
    command = play(at, who)
    at.do(BRUNO, cmd.Pause())
    assert at.refused(who, command) == "paused"
    assert at.refused(who, cmd.MoreTime()) == "paused"
    assert at.refused(who, cmd.Next()) == "paused"
    assert reason(table.decide_bot(at.state, game.Claim(2))) == "paused"
    assert reason(table.decide_house(at.state, game.NameDealer(0))) == "paused"
    assert reason(table.pause_empty(at.state)) == "paused"
    at.let_sit(CLEO, 2)
    at.do(CLEO, cmd.Stand())
    at.do(ANNE, cmd.Replace(1))
    at.do(ANNE, cmd.Remove(1))
    at.do(ANNE, cmd.Unpause())
    if who == ANNE:
        at.do(who, command)


def test_a_match_that_waits_for_people_goes_on_when_one_is_there() -> None:
    at = started()
    at.take(table.pause_empty(at.state))
    assert at.state.paused_by == ""
    assert at.take(table.resume_present(at.state)) == (hap.Unpaused(""),)
    assert reason(table.resume_present(at.state)) == "not_paused"
    at.do(ANNE, cmd.Pause())
    assert reason(table.resume_present(at.state)) == "paused"


# Between deals


def test_the_next_deal_is_asked_for_when_one_is_over() -> None:
    at = started(setup(match_end="deals:2"))
    assert at.refused(ANNE, cmd.Next()) == "not_between_deals"
    while not at.state.between_deals:
        at.step()
    assert at.do(ANNE, cmd.Next()) == (hap.Readied(0),)
    assert at.refused(ANNE, cmd.Next()) == "ready_already"
    assert at.refused(ANNE, cmd.Next(), at.state.moved - 1) == "stale"
    assert at.refused(CLEO, cmd.Next()) == "not_seated"
    at.do(BRUNO, cmd.Away())
    assert at.do(BRUNO, cmd.Next()) == (hap.CameBack(1), hap.Readied(1))
    at.step()
    assert at.refused(ANNE, cmd.Next()) == "not_between_deals"
    at.play_on()
    assert at.refused(ANNE, cmd.Next()) == "no_match"


# Clocks (WCAG 2.2.1)


def test_without_a_clock_there_is_no_time_to_ask_for() -> None:
    at = started()
    assert at.refused(ANNE, cmd.MoreTime()) == "no_clock"
    assert at.refused(ANNE, cmd.AcceptClock(True)) == "no_clock"
    assert table.seconds_for(at.state, 0) is None


def test_a_short_clock_binds_those_who_have_agreed_to_it() -> None:
    at = started(setup(clock=10))
    who = turn_of(at, ANNE, BRUNO)
    seat = at.seat_of(who)
    assert table.seconds_for(at.state, seat) == 30
    assert at.do(who, cmd.AcceptClock(True)) == (hap.ClockAccepted(seat, True),)
    assert at.do(who, cmd.AcceptClock(True)) == (hap.ClockAccepted(seat, True),)
    assert table.seconds_for(at.state, seat) == 10
    at.do(who, cmd.AcceptClock(False))
    assert table.seconds_for(at.state, seat) == 30
    assert table.seconds_for(at.state, (seat + 1) % 4) is None


def test_a_pass_has_three_times_the_time() -> None:
    at = started(setup(clock=40))
    at.play_until(Phase.PASSING)
    assert table.seconds_for(at.state, 0) == 120
    at.do(ANNE, cmd.MoreTime())
    assert table.seconds_for(at.state, 0) == 240
    assert table.seconds_for(at.state, 1) == 120


def test_more_time_may_be_had_ten_times_for_a_choice() -> None:
    at = started(setup(clock=60))
    who = turn_of(at, ANNE, BRUNO)
    seat = at.seat_of(who)
    for times in range(1, 11):
        assert at.do(who, cmd.MoreTime()) == (hap.TimeGiven(seat, 60),)
        assert table.seconds_for(at.state, seat) == 60 * (times + 1)
    assert at.refused(who, cmd.MoreTime()) == "no_more_time"
    other = BRUNO if who == ANNE else ANNE
    assert at.refused(other, cmd.MoreTime()) == "nothing_due"
    at.do(who, play(at, who))
    assert set(at.state.extra) == {0}


def test_asking_for_more_time_brings_back() -> None:
    at = started(setup(clock=60))
    who = turn_of(at, ANNE, BRUNO)
    seat = at.seat_of(who)
    at.take(table.stand_in(at.state, seat, Why.CLOCK))
    assert at.do(who, cmd.MoreTime()) == (hap.CameBack(seat), hap.TimeGiven(seat, 60))


# The shuffle (D3)


def test_D3_people_promise_and_then_tell_and_only_for_themselves() -> None:
    at = started()
    at.take(table.decide_house(at.state, at.chance()))  # seats 2 and 3 are the house's
    mine = b"sixteen bytes of"
    promise = cmd.Promise(1, commit_bytes(1, 0, mine))
    assert at.refused(CLEO, promise) == "not_seated"
    assert at.refused(ANNE, cmd.Promise(2, promise.digest)) == "no_contribution_due"
    assert at.refused(ANNE, cmd.Contribute(1, mine)) == "promises_missing"
    at.do(ANNE, promise)
    assert at.refused(ANNE, promise) == "no_promise_due"
    assert at.refused(ANNE, cmd.Contribute(1, mine)) == "promises_missing"
    at.take(table.decide_house(at.state, game.Promise(1, None)))
    assert at.refused(ANNE, cmd.Contribute(1, b"sixteen bytes or")) == "promise_broken"
    assert at.refused(BRUNO, cmd.Contribute(1, mine)) == "promise_broken"
    at.do(ANNE, cmd.Contribute(1, mine))
    assert at.refused(ANNE, cmd.Contribute(1, mine)) == "no_contribution_due"


def test_D3_for_a_bots_seat_the_house_has_spoken_whoever_sits_down_there() -> None:
    at = started()
    at.take(table.decide_house(at.state, at.chance()))
    at.do(CLEO, cmd.Sit(2))
    digest = commit_bytes(1, 2, bytes(16))
    assert at.refused(CLEO, cmd.Promise(1, digest)) == "no_contribution_due"
    assert at.refused(CLEO, cmd.Contribute(1, bytes(16))) == "no_contribution_due"
    at.play_on()


def test_D3_adding_to_the_shuffle_is_no_coming_back() -> None:
    at = started()
    at.do(ANNE, cmd.Away())
    sealed = game.Commit(1, bytes(32), (2, 3))
    at.take(table.decide_house(at.state, sealed))
    at.do(ANNE, cmd.Promise(1, commit_bytes(1, 0, bytes(16))))
    assert at.state.seats[0].stand_in is Why.OWN


# What clients know


def test_a_client_that_comes_later_folds_on_from_what_it_is_told_of_the_table() -> None:
    """It knows who sits where, and the match as its seat may see it; see `wire.Welcome`."""
    at = started(setup(clock=60))
    at.play_until(Phase.PASSING)
    known = table.TableState(
        at.state.setup,
        at.state.host,
        at.state.host_name,
        at.state.version,
        at.state.seats,
        match=replay(visible(event, 1) for event in at.match_log()),
        match_began=at.state.match_began,
        matches=1,
        moved=at.state.moved,
    )
    since = len(at.log)
    at.let_sit(CLEO, 2)
    at.do(BRUNO, cmd.MoreTime())
    at.do(BRUNO, cmd.Pause())
    at.do(BRUNO, cmd.Unpause())
    at.play_on()
    for happening in at.log[since:]:
        known = table.evolve(known, table.seen_by(happening, 1))
    assert known.seats == at.state.seats
    assert (known.version, known.moved, known.extra) == (
        at.state.version,
        at.state.moved,
        at.state.extra,
    )
    assert known.match is not None
    assert known.match.deals == at.match.deals
    assert not known.under_way


def test_seats_see_of_a_happening_what_they_may() -> None:
    at = started()
    at.play_until(Phase.PASSING)
    dealt = at.log[-1]
    assert isinstance(dealt, game.Dealt)
    for seat in (0, 1, None):
        seen = table.seen_by(dealt, seat)
        assert isinstance(seen, game.Dealt)
        assert [place for place, hand in enumerate(seen.hands) if hand is not None] == (
            [] if seat is None else [seat]
        )
    assert table.seen_by(at.log[0], None) == at.log[0]


# One match after another at a table: what goes on from the one to the next.


def test_a_match_begins_once() -> None:
    at = started()
    assert at.refused(ANNE, cmd.Start()) == "under_way"
    assert at.state.match_began == at.state.moved


def test_a_match_whose_last_secret_is_untold_is_not_over() -> None:
    at = started()
    at.play_until(Phase.ENDED)
    assert at.state.under_way
    assert at.refused(ANNE, cmd.Start()) == "under_way"
    assert isinstance(at.chance(), game.Reveal)
    at.play_on()
    assert not at.state.under_way


@pytest.mark.parametrize("lawful", [True, False])
def test_M6_a_pot_that_nobody_has_taken_opens_the_next_match(lawful: bool) -> None:
    """Matches of one deal, until one leaves a pot."""
    at = started(setup("coeurs-cagnotte", players=5))
    for _ in range(200):
        at.play_on()
        if at.match.pot:
            break
        at.do(ANNE, cmd.Start())
    pot = at.match.pot
    assert pot
    if not lawful:  # at a table that plays for no pot, it is not on it
        at.do(ANNE, cmd.Change(setup("coeurs", players=5)))
    at.do(ANNE, cmd.Start())
    began = at.match_log()[0]
    assert isinstance(began, game.MatchStarted)
    assert began.pot == (pot if lawful else 0)


def began(at: Table) -> game.MatchStarted:
    """How the next match begins, once this one is over."""
    at.play_on()
    at.do(ANNE, cmd.Start())
    started = at.match_log()[0]
    assert isinstance(started, game.MatchStarted)
    return started


@pytest.mark.parametrize("preset", ["coeurs", "coeurs-table"])
def test_D2_the_same_company_passes_the_deal_to_the_left(preset: str) -> None:
    at = started(setup(preset))
    first = at.match_log()[0]
    assert isinstance(first, game.MatchStarted)
    assert first.dealer is None
    at.play_until(Phase.PASSING)
    dealers = [at.match.dealer]
    at.do(BRUNO, cmd.Away())  # and comes back to their seat
    for _ in range(2):
        dealers.append(began(at).dealer or 0)
        assert not any(isinstance(event, game.DealerDrawn) for event in at.match_log())
        at.play_until(Phase.PASSING)
        assert at.match.dealer == dealers[-1]
        if at.state.seats[1].stand_in:
            at.do(BRUNO, cmd.Back())
    assert dealers == [(dealers[0] + number) % 4 for number in range(3)]
    report = check_record(format_record(at.match_log()))
    assert report.record is not None, report.fault


def test_D2_after_a_misdeal_too_the_next_match_goes_on_from_who_dealt_last() -> None:
    at = started(setup("coeurs-table"))
    at.play_until(Phase.PASSING)
    dealer = at.match.dealer
    at.take(decide(at.match, DeclareMisdeal(Misdeal.EXPOSED)))
    assert began(at).dealer == (dealer + 2) % 4


@pytest.mark.parametrize("what", ["person", "bot", "level", "places", "left and back", "rules"])
def test_D1_D2_a_changed_seat_is_a_new_company_and_draws_lots(what: str) -> None:
    at = started()
    at.play_until(Phase.PLAYING)
    if what == "left and back":
        at.do(BRUNO, cmd.Stand())
        at.do(BRUNO, cmd.Sit(1))
    at.play_on()
    match what:
        case "person":
            at.do(BRUNO, cmd.Stand())
            at.do(CLEO, cmd.Sit(1))
        case "bot":
            at.do(CLEO, cmd.Sit(3))
        case "level":
            at.do(ANNE, cmd.SeatBot(3, "strong"))
        case "places":
            at.do(ANNE, cmd.Swap(0, 1))
        case "rules":
            at.do(ANNE, cmd.Change(setup("coeurs", queen_points=13)))
    same = what in ("left and back", "rules")
    assert (began(at).dealer is None) != same


def test_every_match_of_a_table_is_a_lawful_record() -> None:
    at = started(setup(match_end="deals:2"))
    for number in (1, 2):
        at.play_on(60, restless=True)
        at.let_sit(CLEO, 3)
        at.play_on(30, restless=True)
        at.do(CLEO, cmd.Stand())
        at.do(BRUNO, cmd.Away())
        at.play_on(restless=True)
        report = check_record(format_record(at.match_log()))
        assert report.record is not None, report.fault
        assert report.record.log == tuple(at.match_log())
        assert {proof.verdict for proof in prove_record(report.record)} == {Verdict.PROVED}
        assert at.state.matches == number
        at.do(ANNE, cmd.Start())
        if BRUNO.id in {seat.person for seat in at.state.seats if seat.stand_in}:
            at.do(BRUNO, cmd.Back())
