"""Sentences around a match that the minutes do not show: views, clocks, names, refusals."""

from __future__ import annotations

from kit.tables import ANNE, BRUNO, CLEO, Table, setup, started

from volte import table
from volte.game import Phase, Refusal
from volte.referee import visible
from volte.say import Words
from volte.table import Someone
from volte.table import commands as cmd
from volte.table.status import status
from volte.table.telling import clock_words, named, tell_room
from volte.view import View

EN, FR = Words("en"), Words("fr")


def test_opening_a_table() -> None:
    (opened,) = table.open_table(setup(), ANNE)
    state = table.fold([opened])
    assert tell_room(EN, None, opened, state, ANNE.id) == ("You open the table.",)
    assert tell_room(EN, None, opened, state, BRUNO.id) == ("Anne opens the table.",)


def test_a_clock_says_what_can_be_done() -> None:
    assert clock_words(EN, 10) == "You have 10 seconds left. You can ask for more time."
    assert clock_words(EN, 1).startswith("You have 1 second left.")
    assert clock_words(FR, 10) == "Il vous reste 10 secondes. Vous pouvez demander plus de temps."


def test_where_nobody_may_watch_no_more_is_said_than_that_a_match_is_played() -> None:
    at = started()
    at.play_until(Phase.PLAYING)
    assert status(EN, at.state, None, None, frozenset({ANNE.id})) == "A match is being played."


def test_whoever_has_taken_over_a_seat_is_called_by_their_own_name() -> None:
    at = started()
    at.play_until(Phase.PLAYING)
    at.let_sit(CLEO, 2)
    players = named(View.of(0, [visible(event, 0) for event in at.match_log()]), at.state)
    names = [player.name for player in players.state.players]
    assert names == ["Anne", "Bruno", "Cléo", "Chloé"]


def test_names_are_shown_harmless() -> None:
    at = Table(seat=0)
    at.do(Someone("p-x", "Zo\n\x1bé"), cmd.Sit(1))
    before = at.state
    (stood,) = at.do(ANNE, cmd.Remove(1))
    assert tell_room(EN, before, stood, at.state, ANNE.id) == ("Zo é leaves their seat.",)


def test_refusals_at_a_table() -> None:
    assert FR.refusal(Refusal("not_host")) == "C’est réservé à l’hôte de la table."
    assert FR.refusal(Refusal("clock_out_of_range", params={"least": 5, "most": 3600})) == (
        "Donnez de 5 à 3\u202f600 secondes par coup, ou 0 pour ne pas limiter le temps."
    )
