"""A refusal tells the rule in plain words, and the cards that would be legal."""

from __future__ import annotations

import re
from typing import Any

import pytest
from kit.deals import dealt, play, refused
from words.source import calls, reason

from volte.cards import Card
from volte.game import AskUndo, Claim, MatchState, Pass, Play, Refusal
from volte.say import Words
from volte.view import View, project

FR, EN = Words("fr"), Words("en")


def told(state: MatchState, words: Words, card: str, seat: int | None = None) -> str:
    """What the seat on turn, or another, is told of a card that it may not play."""
    assert state.deal is not None
    seat = state.deal.turn if seat is None else seat
    view = View(seat, project(state, seat))
    return words.refusal(refused(state, Play(seat, Card(card))), view)


def test_T1_names_the_suit_and_the_cards_that_follow() -> None:
    state = play(dealt("coeurs", "S: A3 C: 3", "S: K2 H: 3", "C: 2 H: 2 S: Q"), "AS")
    assert told(state, FR, "3H") == (
        "Il faut fournir la couleur demandée\u00a0: pique."
        " Vous pouvez jouer le roi de pique ou le 2 de pique."
    )
    assert told(state, EN, "3H") == (
        "The suit led must be followed: spades. You may play the king of spades or the 2 of spades."
    )


def test_T5_the_queen_must_go() -> None:
    state = play(dealt("coeurs", "D: A3", "S: Q C: 3", "C: 2 H: 2"), "AD")
    assert told(state, FR, "3C") == (
        "La dame de pique doit partir à la première occasion. Vous pouvez jouer la dame de pique."
    )


def test_a_card_that_is_not_in_the_hand() -> None:
    state = dealt("coeurs", "S: A3", "S: K2", "C: 2 H: 2")
    assert told(state, EN, "QH") == (
        "You do not hold the queen of hearts. You may play the ace of spades or the 3 of spades."
    )


def test_somebody_elses_turn() -> None:
    state = dealt("coeurs", "S: A3", "S: K2", "C: 2 H: 2")
    assert told(state, FR, "KS", seat=1) == "C’est au tour de N."
    assert told(state, EN, "KS", seat=1) == "It is N's turn."


def test_P1_the_hand_is_not_told_again_for_a_pass() -> None:
    state = dealt("coeurs", "S: A32", "S: KQJ", "H: 432", pass_count=2)
    refusal = refused(state, Pass(0, (Card("AS"),)))
    view = View(0, project(state, 0))
    assert FR.refusal(refusal, view) == "Il faut passer exactement 2 cartes, et non 1."


@pytest.mark.parametrize(
    ("action", "french"),
    [
        (AskUndo(0), "Aucune carte ne peut être reprise maintenant."),
        (Claim(0), "La suite peut encore changer les points\u00a0: il faut la jouer."),
    ],
)
def test_what_else_is_refused(action: Any, french: str) -> None:
    state = dealt("coeurs", "S: A3 H: K", "S: K2 H: A", "H: 2 C: 2 D: 2")
    assert FR.refusal(refused(state, action), View(0, project(state, 0))) == french


@pytest.mark.parametrize("lang", ["fr", "en"])
def test_every_refusal_and_every_clause_has_a_sentence(lang: str) -> None:
    state = dealt("coeurs", "S: A3", "S: K2", "C: 2 H: 2")
    view = View(0, project(state, 0))
    reasons = {reason(call) for call in calls(re.compile("Refusal"))}
    clauses = {reason(call) for call in calls(re.compile("Duty"))}
    assert {"breach", "pass_count"} <= reasons
    assert {"L2", "T1", "T3", "T4", "T5", "T6", "T7"} <= clauses
    params: dict[str, int | str] = {
        "card": "QS",
        "led": "S",
        "turn": 1,
        "seat": 8,
        "count": 3,
        "given": 2,
        "trick": 3,
        "least": 2,
        "most": 64,
    }
    for refusal in [
        *(Refusal(name, params=params) for name in reasons - {"breach"}),
        *(Refusal("breach", clause, (Card("2C"),), params) for clause in clauses),
    ]:
        sentence = Words(lang).refusal(refusal, view)
        assert sentence.endswith("."), refusal
        assert not re.search(r"[{}]|None", sentence), sentence
