"""Leaders and legal cards: the laws of `legal.txt`, and laws that need a match."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest
from kit.deals import after, clause, deal_of, dealt, legal, play, refused, take
from kit.laws import cells, read_laws, table_of

from volte.cards import Card, CardSet, read_cards
from volte.game import MatchState, Pass, Play, PlayStarted, TrickTaken
from volte.rules import PRESETS

LAWS: Final = read_laws(Path(__file__).with_name("legal.txt"))


@pytest.mark.parametrize("law", LAWS)
def test_law(law: str) -> None:
    table: MatchState | None = None
    for line in LAWS[law]:
        first, *others = cells(line)
        if first.partition(" ")[0] in PRESETS:
            table = table_of(line)
            continue
        assert table is not None
        state = play(table, first)
        may, *facts = others
        assert legal(state) == CardSet(may)
        for word, *values in map(str.split, facts):
            if word[0].isupper():
                assert {clause(state, card) for card in values} == {word}
            else:
                assert getattr(deal_of(state), word) == int(values[0])


def test_L2_it_is_whoever_holds_the_two_of_clubs_after_the_pass() -> None:
    state = dealt("microsoft", "C: A2", "C: 3 H: 2", "C: 54", pass_count=1, pass_cycle=["right"])
    passes = [Pass(seat, read_cards(card)) for seat, card in enumerate(("2C", "3C", "4C"))]
    started = take(after(state, *passes[1:]), passes[0]).events[-1]
    assert started == PlayStarted(2, Card("2C"))


def test_T1_a_card_that_is_not_in_the_hand_breaks_no_clause() -> None:
    state = play(dealt("coeurs", "C: 24 D: 5", "C: A3 D: 2", "D: 34 H: 2"), "2C")
    refusal = refused(state, Play(1, Card("KS")))
    assert (refusal.reason, refusal.clause) == ("not_in_hand", "")


def test_T2_the_highest_card_of_the_suit_led_wins() -> None:
    state = dealt("coeurs", "C: 92", "C: T3", "C: 84", "H: A2", "S: A2")
    step = take(play(state, "9C TC 8C AH"), Play(4, Card("AS")))
    assert step.events[-1] == TrickTaken(1)


def test_T2_nobody_plays_out_of_turn() -> None:
    refusal = refused(dealt("coeurs", "C: 92", "C: T3", "H: 84"), Play(1, Card("TC")))
    assert (refusal.reason, refusal.clause, refusal.legal) == ("not_your_turn", "T2", ())
    assert refusal.params == {"turn": 0}
