"""Answers to keys (K1), and the score sheet (S7); see also stories.txt."""

from __future__ import annotations

import re

import pytest
from kit import SOME_TABLES, dealt, play
from kit.sentences import ENGLISH, FRENCH, match_log, seen, story

from volte.cards import Card, read_cards
from volte.game import MatchState, evolve
from volte.game.events import DealScored
from volte.rules import make_ruleset
from volte.say import Verbosity


@pytest.fixture
def middle() -> MatchState:
    """N, E, S; one trick has gone, and N's second lead lies on the table."""
    state = dealt("coeurs", "S: A43 H: 2", "S: K2 H: 43", "S: Q5 C: 23")
    return play(state, "AS KS QS 4S")


def test_S7_totals_and_the_score_sheet_after_every_deal(middle: MatchState) -> None:
    state = evolve(middle, DealScored((0, 3, 13)))
    assert FRENCH.scores(seen(state, 1)) == ("Totaux\u00a0: vous 3\u00a0; S 13\u00a0; N 0.",)
    view = seen(evolve(state, DealScored((1, 2, -3))))
    assert FRENCH.score_sheet(view) == FRENCH.score_sheet(view, width=None)
    assert FRENCH.score_sheet(view) == (
        "Manche   Vous      E        S",
        "     1  0 (0)  3 (3)  13 (13)",
        "     2  1 (1)  2 (5)  −3 (10)",
    )
    assert FRENCH.score_sheet(view, width=20) == (
        "Manche 1\u00a0: vous 0\u00a0; E 3\u00a0; S 13.",
        "Manche 2\u00a0: vous 1\u00a0; E 2\u00a0; S −3.",
        "Totaux\u00a0: vous 1\u00a0; E 5\u00a0; S 10.",
    )


@pytest.mark.parametrize("columns", [40, 80])
def test_S7_a_table_never_passes_the_width_it_is_given(columns: int) -> None:
    log = match_log(make_ruleset("coeurs-cinq-coups", {"players": 7}), seed=3)
    *_, last = story(log, 0, FRENCH, Verbosity.BRIEF)
    lines = FRENCH.score_sheet(last.after, columns)
    is_table = lines[0].startswith("Manche  ")
    assert is_table == (columns == 80)
    assert not is_table or max(map(len, lines)) <= columns


def test_W9_W10_totals_that_fell_to_half_and_those_of_sides() -> None:
    halves = dealt("dame-de-pique", "C: 2", "S: 2", "H: 2", at_limit="halves")
    view = seen(evolve(evolve(halves, DealScored((90, 20, 3))), DealScored((10, 0, 16))))
    assert ENGLISH.scores(view) == ("Totals: you 50; E 20; S 19.",)
    sides = dealt("partnership", "C: 2 S: A", "C: 3 S: K", "C: 4 S: Q", "C: A H: 2")
    view = seen(evolve(sides, DealScored((3, 11, 3, 11))), 1)
    assert ENGLISH.scores(view) == ("Totals: you and W 11; S and N 3.",)


def test_h_has_no_places_where_none_are_wanted_and_an_order_to_type_by() -> None:
    view = seen(dealt("coeurs", "S: A3 H: QT C: 2 RJ", "S: KQJT9 BJ", "H: 432 C: 543"))
    assert FRENCH.hand(view)[0] == "Trèfle\u00a0: 2\u00a0(.1)"
    assert FRENCH.hand(view, places=False)[1:3] == ("Pique\u00a0: as, 3", "Cœur\u00a0: dame, 10")
    assert FRENCH.hand_order(view) == read_cards("2C AS 3S QH TH RJ")
    # W11: two equal cards are named together, and their name means the one in the hand.
    hands = ("S: QT S': Q H: 2", "C: 2345", "C': 2345", "C: 6789", "C': 6789", "D: 2345")
    view = seen(dealt("cancellation", *hands))
    assert FRENCH.hand(view, places=False)[0] == "Pique\u00a0: deux dames, 10"
    assert FRENCH.hand_order(view) == read_cards("QS QS' TS 2H")
    for text, hand, card in (
        ("dame de pique", "2C QS'", "QS'"),
        ("dame de pique", "QS QS'", "QS"),
        ("10c", "TD' 2C", "TD'"),
    ):
        assert FRENCH.read_card(text, read_cards(hand)) is Card(card)
    assert ENGLISH.read_card("qs", read_cards("2C")) is Card("QS")


def test_everybody_is_told_the_same_of_a_seat() -> None:
    """Nothing is told that only a hand could show: E has no diamonds."""
    hands = ("S: A43 H: 2", "S: K2 H: 43", "D: Q C: 2 H: 56")
    state = play(dealt("coeurs", *hands), "AS KS 5H 4S 2S")
    for number in range(3):
        assert len({ENGLISH.seat(seen(state, seat), number)[1:] for seat in (0, 1, 2, None)}) == 1
    assert len(ENGLISH.seat(seen(state), 1)) == 1


@pytest.mark.parametrize(("preset", "players"), SOME_TABLES)
def test_every_key_answers_at_every_moment(preset: str, players: int) -> None:
    rules = make_ruleset(preset, {"players": players, "match_end": "deals:1"})
    log = match_log(rules, seed=players, restless=True)
    # In turn, a player is answered in French and a spectator in English, and the other way round.
    both = (ENGLISH, FRENCH)[:: 1 if players % 2 else -1]
    for seat, words in zip((0, None), both, strict=True):
        for each in story(log, seat, ENGLISH, Verbosity.BRIEF):
            view = each.after
            answers = (
                *words.table(view),
                *words.table_card(view, 2),
                *words.scores(view),
                *words.turn(view),
                *words.hand(view),
                *words.last_trick(view),
                *words.points_taken(view),
                *words.score_sheet(view),
            )
            for line in answers:
                assert line
                assert not re.search(r"[{}]|None", line)
