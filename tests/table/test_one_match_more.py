"""One match after another at a table: what goes on from the one to the next."""

from __future__ import annotations

import pytest
from table.acting import ANNE, BRUNO, CLEO, Table, setup, started

from volte import game
from volte.fair import Verdict
from volte.game import Phase
from volte.notation.prove import prove_record
from volte.notation.reader import check_record
from volte.notation.writer import format_record
from volte.referee import DeclareMisdeal, Misdeal, decide
from volte.table import commands as cmd


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
