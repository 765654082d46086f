"""Advice, and a reason for every kind of it."""

from __future__ import annotations

import doctest

import pytest

from volte.bots import Hint, Reason
from volte.cards import Card, read_cards
from volte.game import Pass, Play
from volte.words import Words, words


def test_a_card_is_advised_with_its_reason() -> None:
    hint = Hint(Play(0, Card("QS")), Reason.DUMP_QUEEN)
    assert Words("fr").hint(hint) == (
        "Jouez la dame de pique\u00a0: la dame de pique va chez quelqu’un d’autre."
    )


def test_cards_to_pass_are_advised() -> None:
    hint = Hint(Pass(0, read_cards("QS AS KH")), Reason.PASS_QUEEN)
    assert Words("en").hint(hint) == (
        "Pass the ace of spades, the queen of spades and the king of hearts:"
        " the queen of spades and the cards most likely to take points."
    )


@pytest.mark.parametrize("lang", ["fr", "en"])
@pytest.mark.parametrize("reason", list(Reason))
def test_every_reason_is_said(lang: str, reason: Reason) -> None:
    sentence = Words(lang).hint(Hint(Play(0, Card("2C")), reason))
    assert sentence.endswith(".")
    assert reason not in sentence


def test_the_example_in_words_holds() -> None:
    results = doctest.testmod(words)
    assert results.attempted
    assert not results.failed
