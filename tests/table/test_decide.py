"""Decisions of a table that the minutes do not show: the shuffle, states of clients, matches in a
row."""

from __future__ import annotations

import pytest
from kit.records import check_record
from kit.tables import ANNE, BRUNO, CLEO, reason, setup, started

from volte import game, table
from volte.fair import Verdict, commit_bytes
from volte.notation.prove import prove_record
from volte.notation.writer import format_record
from volte.referee import DeclareMisdeal, Misdeal, decide, replay, visible
from volte.table import OpenSeats, Why, pacing
from volte.table import commands as cmd


def test_the_table_plays_a_card_that_is_the_only_one() -> None:
    at = started()
    at.play_until(game.Phase.PLAYING)
    while at.match.phase is game.Phase.PLAYING:
        (seat,) = game.to_act(at.match)
        outcome = table.outcome_of(at.state, pacing.PlayForced(seat))
        if len(game.legal_actions(at.match, seat)) == 1:
            assert isinstance(outcome, tuple)
            assert isinstance(outcome[0], game.Played)
        else:
            assert reason(outcome) == "not_forced"
        another = pacing.PlayForced((seat + 1) % 4)
        assert reason(table.outcome_of(at.state, another)) == "not_forced"
        at.step()


# A person who is deleted


def test_whoever_is_forgotten_leaves_the_table_to_others_and_their_cards_to_a_bot() -> None:
    at = started()
    at.do(ANNE, cmd.Vanish())
    assert (at.state.host, at.state.host_name) == (BRUNO.id, BRUNO.name)
    assert at.state.seats[0].level
    assert at.state.under_way
    assert at.refused(ANNE, cmd.Vanish()) == "not_seated"
    at.do(BRUNO, cmd.Vanish())
    assert at.state.closed


def test_whoever_is_forgotten_no_longer_asks_for_a_seat() -> None:
    at = started(setup(access=table.Access.LINK))
    at.play_until(game.Phase.PLAYING)
    at.do(CLEO, cmd.Sit(2))
    assert at.state.seats[2].asker == CLEO.id
    at.do(CLEO, cmd.Vanish())
    assert not at.state.seats[2].asker
    assert at.state.host == ANNE.id


# The shuffle (D3)


def test_D3_people_promise_and_then_tell_and_only_for_themselves() -> None:
    at = started()
    at.take(table.decide_house(at.state, at.chance()))  # the house adds bytes for seats 2 and 3
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
    at = started(setup(open_seats=OpenSeats.ALL))
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


# The state that clients fold


def test_a_client_that_comes_later_folds_on_from_what_it_is_told_of_the_table() -> None:
    """It knows the seats, and the match as its own seat may see it; see `wire.Welcome`."""
    at = started(setup(clock=60))
    at.play_until(game.Phase.PASSING)
    state = at.state
    known = table.TableState(
        *(state.setup, state.host, state.host_name, state.version, state.seats),
        match=replay(visible(event, 1) for event in at.match_log()),
        match_began=state.match_began,
        matches=1,
        moved=state.moved,
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
    for name in ("version", "moved", "extra"):
        assert getattr(known, name) == getattr(at.state, name)
    assert known.match is not None
    assert known.match.deals == at.match.deals
    assert not known.under_way


def test_seats_see_of_a_happening_what_they_may() -> None:
    at = started()
    at.play_until(game.Phase.PASSING)
    dealt = at.log[-1]
    assert isinstance(dealt, game.Dealt)
    for seat in (0, 1, None):
        seen = table.seen_by(dealt, seat)
        assert isinstance(seen, game.Dealt)
        assert [place for place, hand in enumerate(seen.hands) if hand is not None] == (
            [] if seat is None else [seat]
        )
    assert table.seen_by(at.log[0], None) == at.log[0]


# One match after another


@pytest.mark.parametrize("lawful", [True, False])
def test_M6_a_pot_that_nobody_has_taken_opens_the_next_match(lawful: bool) -> None:
    """Matches of one deal are played until one leaves a pot."""
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
    began = at.do(ANNE, cmd.Start())[-1]
    assert isinstance(began, game.MatchStarted)
    assert began.pot == (pot if lawful else 0)


def test_D2_after_a_misdeal_too_the_next_match_goes_on_from_who_dealt_last() -> None:
    at = started(setup("coeurs-table"))
    at.play_until(game.Phase.PASSING)
    dealer = at.match.dealer
    at.take(decide(at.match, DeclareMisdeal(Misdeal.EXPOSED)))
    at.play_on()
    began = at.do(ANNE, cmd.Start())[-1]
    assert isinstance(began, game.MatchStarted)
    assert began.dealer == (dealer + 2) % 4


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
