"""What the keys answer (K1), and the score sheet (S7)."""

from __future__ import annotations

import re

import pytest
from kit.deals import after, dealt, play
from kit.rulesets import TABLES
from words.story import match_log, story

from volte.cards import read_cards
from volte.game import AskUndo, MatchState, Pass, evolve
from volte.game.events import DealScored
from volte.rules import make_ruleset
from volte.say import Verbosity, Words
from volte.view import View, project

FR, EN = Words("fr"), Words("en")


def seen(state: MatchState, seat: int | None = 0) -> View:
    return View(seat, project(state, seat))


@pytest.fixture
def middle() -> MatchState:
    """N, E, S; one trick has gone, and N's second lead lies on the table."""
    state = dealt("coeurs", "S: A43 H: 2", "S: K2 H: 43", "S: Q5 C: 23")
    return play(state, "AS KS QS 4S")


def test_K1_c_tells_the_table_in_the_order_played(middle: MatchState) -> None:
    state = play(middle, "2S")
    assert FR.table(seen(state)) == ("Vous\u00a0: le 4 de pique", "E\u00a0: le 2 de pique")
    assert EN.table(seen(state, 2)) == ("N: the 4 of spades", "E: the 2 of spades")
    assert FR.table(seen(dealt("coeurs", "S: A", "S: 2", "H: 2"))) == (
        "Il n’y a pas de carte sur la table.",
    )


def test_K1_a_digit_tells_one_card_or_that_there_is_none(middle: MatchState) -> None:
    view = seen(middle)
    assert EN.table_card(view, 1) == ("You: the 4 of spades",)
    assert EN.table_card(view, 2) == ("Only 1 card is on the table.",)
    assert FR.table_card(view, 7) == ("Il n’y a que 1 carte sur la table.",)
    assert FR.table_card(view, 0) == ("Il n’y a que 1 carte sur la table.",)


def test_K1_s_tells_totals_stakes_and_the_pot(middle: MatchState) -> None:
    assert FR.scores(seen(middle)) == ("Aucune manche n’est encore comptée.",)
    state = evolve(middle, DealScored((0, 3, 13)))
    assert FR.scores(seen(state, 1)) == ("Totaux\u00a0: vous 3\u00a0; S 13\u00a0; N 0.",)
    pot = dealt("coeurs-cagnotte", "S: A", "S: 2", "H: 2", pot=25)
    assert EN.scores(seen(pot))[-1] == "In the pot: 25 stakes."


def test_K1_t_tells_whose_turn_it_is(middle: MatchState) -> None:
    assert FR.turn(seen(middle)) == ("C’est au tour de E, levée 2 sur 4.",)
    assert FR.turn(seen(middle, 1)) == ("C’est à vous, levée 2 sur 4.",)
    assert EN.turn(seen(middle)) == ("It is E's turn, in trick 2 of 4.",)


def test_t_in_the_pass_tells_who_is_still_choosing() -> None:
    state = dealt("coeurs", "S: A32", "S: KQJ", "H: 432", pass_count=2)
    state = after(state, Pass(1, read_cards("KS QS")))
    assert EN.turn(seen(state)) == (
        "You have 2 cards to pass.",
        "Still choosing cards to pass: S.",
    )
    assert EN.turn(seen(state, 1)) == ("Still choosing cards to pass: S and N.",)
    assert FR.turn(seen(state, 1)) == ("On attend encore les cartes de S et de N.",)


def test_t_tells_who_must_answer_an_undo() -> None:
    state = play(dealt("coeurs", "S: A3", "S: K2", "H: 2 C: 2", people=(0, 2)), "AS")
    state = after(state, AskUndo(0))
    assert FR.turn(seen(state, 2)) == (
        "N a demandé à reprendre une carte.",
        "Qui doit encore répondre\u00a0: vous.",
        "C’est au tour de E, levée 1 sur 2.",
    )


def test_h_tells_the_hand_by_suit_from_high_to_low_with_places() -> None:
    view = seen(dealt("coeurs", "S: A3 H: QT C: 2 RJ", "S: KQJT9 BJ", "H: 432 C: 543"))
    assert FR.hand(view) == (
        "Trèfle\u00a0: 2\u00a0(.1)",
        "Pique\u00a0: as\u00a0(.2), 3\u00a0(.3)",
        "Cœur\u00a0: dame\u00a0(.4), 10\u00a0(.5)",
        "Jokers\u00a0: joker rouge\u00a0(.6)",
    )
    assert FR.hand(view, places=False)[1:3] == ("Pique\u00a0: as, 3", "Cœur\u00a0: dame, 10")
    assert FR.hand_order(view) == read_cards("2C AS 3S QH TH RJ")
    assert EN.hand(seen(dealt("coeurs", "S: A", "S: 2", "H: 2"), None)) == ("You hold no cards.",)


def test_l_tells_the_last_trick_and_who_took_it(middle: MatchState) -> None:
    assert EN.last_trick(seen(middle, 2)) == (
        "The last trick went to N: 12 points.",
        "N: the ace of spades",
        "E: the king of spades",
        "You: the queen of spades",
    )
    nothing = seen(dealt("coeurs", "S: A", "S: 2", "H: 2"))
    assert FR.last_trick(nothing) == ("Aucune levée n’a encore été faite.",)


def test_p_tells_what_is_taken_and_what_is_out(middle: MatchState) -> None:
    assert FR.points_taken(seen(middle)) == (
        "Vous\u00a0: 12 points, dame de pique.",
        "Encore en jeu\u00a0: 3 cœurs.",
    )
    fresh = seen(dealt("salon-valet", "S: Q C: 2", "D: J H: 2", "C: 34"))
    assert EN.points_taken(fresh) == (
        "Nobody has taken a card that counts.",
        "Still out: the jack of diamonds, the queen of spades and 1 heart.",
    )


def test_p_does_not_know_a_kitty_that_is_hidden() -> None:
    state = dealt("coeurs", "S: A2", "S: K3", "S: Q4", kitty="H: 2")
    state = play(state, "AS KS QS")
    assert "Some of it may lie in the kitty." in EN.points_taken(seen(state, 1))
    assert EN.points_taken(seen(state, 0)) == (
        "You: 13 points, queen of spades and 2 of hearts.",
        "Nothing that counts is still out.",
    )


def test_S7_the_score_sheet_shows_every_deal_and_the_running_totals(middle: MatchState) -> None:
    state = evolve(evolve(middle, DealScored((0, 3, 13))), DealScored((1, 2, -3)))
    view = seen(state)
    assert FR.score_sheet(view) == (
        "Manche   Vous      E        S",
        "     1  0 (0)  3 (3)  13 (13)",
        "     2  1 (1)  2 (5)  −3 (10)",
    )
    assert FR.score_sheet(view, width=20) == (
        "Manche 1\u00a0: vous 0\u00a0; E 3\u00a0; S 13.",
        "Manche 2\u00a0: vous 1\u00a0; E 2\u00a0; S −3.",
        "Totaux\u00a0: vous 1\u00a0; E 5\u00a0; S 10.",
    )
    assert FR.score_sheet(view, width=None) == FR.score_sheet(view)
    assert EN.score_sheet(seen(middle)) == ("No deal has been scored yet.",)


@pytest.mark.parametrize("columns", [40, 80])
def test_S7_a_table_never_passes_the_width_it_is_given(columns: int) -> None:
    log = match_log(make_ruleset("coeurs-cinq-coups", {"players": 7}), seed=3)
    *_, heard = story(log, 0, FR, Verbosity.BRIEF)
    lines = FR.score_sheet(heard.after, columns)
    is_table = lines[0].startswith("Manche  ")
    assert is_table == (columns == 80)
    assert not is_table or max(map(len, lines)) <= columns


@pytest.mark.parametrize(("preset", "players"), TABLES)
def test_every_key_answers_at_every_moment(preset: str, players: int) -> None:
    rules = make_ruleset(preset, {"players": players, "match_end": "deals:1"})
    log = match_log(rules, seed=players, restless=True)
    for seat in (0, None):
        for heard in story(log, seat, EN, Verbosity.BRIEF):
            view = heard.after
            answers = [
                answer(view)
                for words in (FR, EN)
                for answer in (
                    words.table,
                    words.scores,
                    words.turn,
                    words.hand,
                    words.last_trick,
                    words.points_taken,
                    words.score_sheet,
                )
            ]
            for line in (*sum(answers, ()), *FR.table_card(view, 2)):
                assert line
                assert not re.search(r"[{}]|None", line)
