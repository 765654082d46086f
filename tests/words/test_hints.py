"""Advice, a reason for every kind of it, and what something else would cost."""

from __future__ import annotations

import doctest

import pytest
from hypothesis import given
from hypothesis import strategies as st

from volte.bots import Hint, Other, Reason
from volte.cards import Card, read_cards
from volte.game import Pass, Play
from volte.say import Words, words

FR, EN = Words("fr"), Words("en")
ADVICE = "Play the 4 of clubs: it stays under the card that wins."
CONSEIL = "Jouez le 4 de trèfle\u00a0: cette carte reste sous la carte maîtresse."


def card(text: str, points: float, error: float = 0.0, worth: float | None = None) -> Other:
    return Other(Play(0, Card(text)), points, error, worth)


def cards(text: str, points: float, error: float = 0.0, worth: float | None = None) -> Other:
    return Other(Pass(0, read_cards(text)), points, error, worth)


def told(*others: Other, lang: str = "en", wins: bool = True, tempting: str = "") -> str:
    """What is said after the advice to play the 4 of clubs."""
    usual = Play(0, Card(tempting)) if tempting else None
    hint = Hint(Play(0, Card("4C")), Reason.DUCK, others, wins, usual)
    sentence = Words(lang).hint(hint)
    advice = CONSEIL if lang == "fr" else ADVICE
    assert sentence.startswith(advice)
    return sentence.removeprefix(advice).lstrip()


def told_pass(*others: Other, lang: str = "en", tempting: str = "") -> str:
    """What is said after the advice to pass three cards."""
    usual = Pass(0, read_cards(tempting)) if tempting else None
    hint = Hint(Pass(0, read_cards("KC QS AH")), Reason.PASS_QUEEN, others, tempting=usual)
    return Words(lang).hint(hint).split(". ", 1)[1]


# The advice


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
    assert f": {reason}." not in sentence


def test_every_reason_has_words_of_its_own() -> None:
    for words_of in FR, EN:
        said = {words_of.hint(Hint(Play(0, Card("2C")), reason)) for reason in Reason}
        assert len(said) == len(Reason)


# What else could be played


def test_what_the_others_cost_is_told_in_points() -> None:
    others = card("QC", 3.1, 0.4), card("AC", 5.2, 0.5)
    assert told(*others) == (
        "The queen of clubs would cost about 3 points more; the ace of clubs, about 5 points."
    )
    assert told(*others, lang="fr") == (
        "La dame de trèfle coûterait environ 3 points de plus\u00a0;"
        " l’as de trèfle, environ 5 points."
    )


def test_small_costs_are_told_as_such() -> None:
    assert told(card("QC", 0.4, 0.1)) == "The queen of clubs would cost a little more."
    assert told(card("QC", 0.6, 0.1)) == "The queen of clubs would cost about half a point more."
    assert told(card("QC", 0.9, 0.1)) == "The queen of clubs would cost about 1 point more."
    assert told(card("QC", 0.6, 0.1), lang="fr") == (
        "La dame de trèfle coûterait environ un demi-point de plus."
    )


def test_what_is_not_sure_is_not_told_as_sure() -> None:
    assert told(card("QC", 1.2, 1.4)) == "The queen of clubs would cost perhaps 1 point more."
    assert told(card("QC", 6.0, 3.5)) == "The queen of clubs would cost clearly more."
    assert told(card("QC", 2.0, 2.5)) == "The queen of clubs would probably cost more."
    assert told(card("QC", 1.2, 1.4), lang="fr") == (
        "La dame de trèfle coûterait peut-être 1 point de plus."
    )


def test_cards_that_cost_the_same_are_told_together() -> None:
    same = card("TD", 2.2, 0.3), card("JD", 2.2, 0.3), card("9D", 2.2, 0.3)
    assert told(*same) == ("The jack, the 10 or the 9 of diamonds would cost about 2 points more.")
    assert told(*same, lang="fr") == (
        "Le valet, le 10 ou le 9 de carreau coûterait environ 2 points de plus."
    )
    assert told(*same, card("8D", 2.2, 0.3)) == (
        "The jack or the 8 of diamonds would cost about 2 points more."
    )


def test_what_is_as_good_within_the_error_is_told_first() -> None:
    others = card("3C", 0.2, 0.3), card("5C", 0.3, 0.4), card("AC", 5.0, 0.4)
    assert told(*others) == (
        "The 5 or the 3 of clubs would be as good. The ace of clubs would cost about 5 points more."
    )
    assert told(*others, lang="fr") == (
        "Le 5 ou le 3 de trèfle vaudrait autant. L’as de trèfle coûterait environ 5 points de plus."
    )


def test_of_many_that_are_as_good_two_are_named() -> None:
    many = [card(text, 0.1, 0.3) for text in ("5C", "TD", "2H", "3H")]
    assert told(*many, card("AH", 3, 0.3)).startswith(
        "4 other cards are as good, such as the 5 of clubs and the 10 of diamonds."
    )
    assert told(*many) == "Any other card that you may play is as good."
    assert told(*many, lang="fr") == "Toute autre carte permise vaut autant."


def test_besides_the_next_best_the_natural_mistake_is_told_or_else_the_dearest() -> None:
    others = card("QC", 1.0, 0.2), card("KC", 2.0, 0.2), card("AC", 5.0, 0.3)
    assert told(*others, tempting="KC") == (
        "The queen of clubs would cost about 1 point more; the king of clubs, about 2 points."
    )
    assert told(*others, tempting="QC").endswith("more; the ace of clubs, about 5 points.")
    assert told(*others, tempting="4C").endswith("more; the ace of clubs, about 5 points.")


def test_where_the_cards_make_no_difference_nothing_else_is_said() -> None:
    hint = Hint(Play(0, Card("2C")), Reason.ALIKE, (card("3C", 0.0),))
    assert EN.hint(hint) == (
        "Play the 2 of clubs: the cards that you may play are all worth the same here."
    )


def test_W11_an_equal_card_is_nothing_else() -> None:
    assert told(card("4C'", 0.0), card("QC", 3, 0.2), card("QC'", 3.2, 0.2)) == (
        "The queen of clubs would cost about 3 points more."
    )


def test_D7_jokers_have_no_suit_to_share() -> None:
    assert told(card("RJ", 2, 0.1), card("BJ", 2, 0.1)) == (
        "The red joker or the black joker would cost about 2 points more."
    )


# What it is worth in the match


def test_chances_of_winning_are_told_beside_points() -> None:
    others = card("QC", 3, 0.3, 0.04), card("AC", 9, 0.4, 0.101)
    assert told(*others) == (
        "The queen of clubs would cost about 3 points more, that is about 4 chances in 100 of"
        " winning the match; the ace of clubs, about 9 points, that is about 10 chances in 100."
    )
    assert told(*others, lang="fr") == (
        "La dame de trèfle coûterait environ 3 points de plus, soit environ 4 chances sur 100 de"
        " gagner la partie\u00a0; l’as de trèfle, environ 9 points,"
        " soit environ 10 chances sur 100."
    )


def test_they_are_told_instead_where_points_would_mislead() -> None:
    assert told(card("QC", 0.1, 0.3, 0.05)) == (
        "The queen of clubs would cost about 5 chances in 100 of winning the match."
    )
    assert told(card("QC", -2.1, 0.3, 0.05)) == (
        "The queen of clubs would save about 2 points,"
        " but cost about 5 chances in 100 of winning the match."
    )
    assert told(card("QC", -2.1, 0.3, 0.05), lang="fr") == (
        "La dame de trèfle épargnerait environ 2 points,"
        " mais coûterait environ 5 chances sur 100 de gagner la partie."
    )


def test_what_is_worth_next_to_nothing_is_left_out() -> None:
    assert told(card("QC", 3, 0.3, 0.004)) == "The queen of clubs would cost about 3 points more."


def test_M1_stakes_are_told_as_stakes() -> None:
    assert told(card("QC", 3, 0.3, 9.2), wins=False) == (
        "The queen of clubs would cost about 3 points more, that is about 9 stakes."
    )
    assert told(card("QC", 0.2, 0.3, 0.9), wins=False, lang="fr") == (
        "La dame de trèfle coûterait environ 1 mise."
    )


# The pass


def test_what_else_could_be_passed_is_told_by_what_differs() -> None:
    assert told_pass(cards("JC QS AH", 0.1, 0.3), cards("KC QS 7D", 2.0, 0.4)) == (
        "Keeping the king of clubs and passing the jack of clubs would be as good."
        " Keeping the ace of hearts and passing the 7 of diamonds would cost about 2 points more."
    )
    assert told_pass(cards("JC QS AH", 2, 0.3), lang="fr") == (
        "Garder le roi de trèfle et passer le valet de trèfle coûterait environ 2 points de plus."
    )


def test_a_pass_of_quite_other_cards_is_named_alone() -> None:
    assert told_pass(cards("2C 3C 4C", 9, 0.5)) == (
        "Passing the 4 of clubs, the 3 of clubs and the 2 of clubs would cost about 9 points more."
    )


def test_what_is_easily_passed_instead_is_told_before_the_next_best() -> None:
    others = cards("KC QS 7D", 1.0, 0.4), cards("KC AH 7D", 4.0, 0.4)
    assert told_pass(*others, tempting="KC AH 7D") == (
        "Keeping the queen of spades and passing the 7 of diamonds would cost about 4 points more."
    )


# Whatever is found

numbers = st.floats(-40, 40, allow_nan=False)


@given(
    others=st.lists(
        st.builds(
            card,
            st.sampled_from(["2C", "3C", "QC", "AC", "QS", "KH", "RJ", "AC'"]),
            numbers,
            st.floats(0, 30),
            st.none() | st.floats(-1, 1) | numbers,
        ),
        unique_by=lambda other: other.action,
    ),
    wins=st.booleans(),
    lang=st.sampled_from(["fr", "en"]),
)
def test_whatever_is_found_is_said_in_a_few_sentences(
    others: list[Other], wins: bool, lang: str
) -> None:
    said = told(*others, wins=wins, lang=lang)
    assert said.count(".") <= 2
    assert bool(said) == bool(others)
    assert not said or ((said[0].isupper() or said[0].isdigit()) and said.endswith("."))
    assert not {"{", "}"} & set(said)
    assert "−" not in said, "no cost is told as a number below zero"


def test_the_example_in_words_holds() -> None:
    results = doctest.testmod(words)
    assert results.attempted
    assert not results.failed
