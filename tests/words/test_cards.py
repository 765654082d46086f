"""What cards are called, and every way in which people type them."""

from __future__ import annotations

import pytest

from volte.cards import CARDS, PACK_SIZE, Card, CardFault, Suit, read_cards
from volte.say import Words

FR, EN = Words("fr"), Words("en")
PACK = CARDS[:PACK_SIZE]


@pytest.mark.parametrize(
    ("card", "bare", "the", "short"),
    [
        ("QS", "dame de pique", "la dame de pique", "D♠"),
        ("AH", "as de cœur", "l’as de cœur", "A♥"),
        ("TD", "10 de carreau", "le 10 de carreau", "10♦"),
        ("KC", "roi de trèfle", "le roi de trèfle", "R♣"),
        ("JD", "valet de carreau", "le valet de carreau", "V♦"),
        ("RJ", "joker rouge", "le joker rouge", "Joker rouge"),
        ("BJ", "joker noir", "le joker noir", "Joker noir"),
    ],
)
def test_french_names(card: str, bare: str, the: str, short: str) -> None:
    named = Card(card)
    assert (FR.card(named), FR.the_card(named), FR.short(named)) == (bare, the, short)


@pytest.mark.parametrize(
    ("card", "bare", "the", "short"),
    [
        ("QS", "queen of spades", "the queen of spades", "Q♠"),
        ("TD", "10 of diamonds", "the 10 of diamonds", "10♦"),
        ("BJ", "black joker", "the black joker", "Black joker"),
    ],
)
def test_english_names(card: str, bare: str, the: str, short: str) -> None:
    named = Card(card)
    assert (EN.card(named), EN.the_card(named), EN.short(named)) == (bare, the, short)


def test_lists_and_suits() -> None:
    cards = read_cards("QS 2C AH")
    assert FR.cards(cards) == "la dame de pique, le 2 de trèfle et l’as de cœur"
    assert EN.cards(cards[:2]) == "the queen of spades and the 2 of clubs"
    assert EN.cards(cards[:1]) == "the queen of spades"
    assert (FR.suit(Suit.HEARTS), EN.suit(Suit.CLUBS)) == ("cœur", "clubs")
    assert FR.t("{card:of}", card=Card("AS")) == "de l’as de pique"


def test_every_card_has_its_gender_in_every_form() -> None:
    for card in CARDS:
        bare, the, of = (FR.t(f"{{card:{form}}}", card=card) for form in ("", "the", "of"))
        article = "la " if bare.startswith("dame ") else "l’" if bare.startswith("as ") else "le "
        assert the == article + bare
        assert of == {"le ": "du ", "la ": "de la ", "l’": "de l’"}[article] + bare
        assert (
            EN.t("{card:the} {card:of}", card=card) == f"the {EN.card(card)} of {EN.the_card(card)}"
        )


@pytest.mark.parametrize("shown", [FR, EN], ids=["fr", "en"])
@pytest.mark.parametrize("typed", [FR, EN], ids=["in French", "in English"])
def test_every_name_reads_back_whatever_the_display(shown: Words, typed: Words) -> None:
    for card in PACK:
        for text in (typed.card(card), typed.the_card(card), typed.short(card)):
            assert shown.read_card(text) is card, text


@pytest.mark.parametrize(
    ("text", "card"),
    [
        ("qs", "QS"),
        ("sq", "QS"),
        ("dp", "QS"),
        ("pd", "QS"),
        ("♠Q", "QS"),
        ("Q♠", "QS"),
        ("♠D", "QS"),
        ("d♤", "QS"),
        ("Q♠\ufe0e", "QS"),
        ("DAME DE PIQUE", "QS"),
        ("dame pique", "QS"),
        ("la dame de pique", "QS"),
        ("dame de p", "QS"),
        ("the queen of spades", "QS"),
        ("reine de pique", "QS"),
        ("as coeur", "AH"),
        ("as cœur", "AH"),
        ("l'as de cœur", "AH"),
        ("l’as de cœur", "AH"),
        ("roi de carreau", "KD"),
        ("rk", "KD"),
        ("dix de trèfle", "TC"),
        ("10 trefle", "TC"),
        ("10t", "TC"),
        ("jr", "RJ"),
        ("joker noir", "BJ"),
        ("red joker", "RJ"),
        ("two of clubs", "2C"),
        ("as", "AS"),
        (" 7  de   cœur ", "7H"),
    ],
)
@pytest.mark.parametrize("words", [FR, EN], ids=["fr", "en"])
def test_what_people_type(words: Words, text: str, card: str) -> None:
    assert words.read_card(text) is Card(card)


def test_the_display_language_settles_what_both_could_mean() -> None:
    assert FR.read_card("10c") is Card("TH")
    assert EN.read_card("10c") is Card("TC")
    assert FR.read_card("dt") is Card("QC")
    assert EN.read_card("dt") is Card("TD")
    assert FR.read_card("kd") is Card("QD")
    assert EN.read_card("kd") is Card("KD")
    assert FR.read_card("dt", [Card("TD")]) is Card("QC")


def test_the_hand_settles_what_the_language_leaves_open() -> None:
    assert FR.read_card("rc") is Card("KH")
    assert FR.read_card("rc", [Card("KD"), Card("KC")]) is Card("KD")
    assert FR.read_card("rc", [Card("KD"), Card("KH")]) is Card("KH")
    assert EN.read_card("joker", [Card("BJ"), Card("QS")]) is Card("BJ")


@pytest.mark.parametrize("among", [(), read_cards("RJ BJ")])
def test_a_text_that_stays_open_names_both(among: tuple[Card, ...]) -> None:
    with pytest.raises(CardFault) as caught:
        FR.read_card("joker", among)
    assert FR.fault(caught.value) == (
        "«\u00a0joker\u00a0» peut désigner le joker rouge ou le joker noir\u00a0: dites laquelle."
    )


@pytest.mark.parametrize(
    "text", ["", " ", "x", "q", "dame", "11s", "qss", "1s", "de la", "♠", "qs!", "😀", "qs 2c", "é"]
)
@pytest.mark.parametrize("words", [FR, EN], ids=["fr", "en"])
def test_what_is_no_card(words: Words, text: str) -> None:
    with pytest.raises(CardFault, match="no_such_card"):
        words.read_card(text, PACK)


@pytest.mark.parametrize(
    ("text", "meant"),
    [("o", True), ("Oui", True), ("YES.", True), ("n", False), ("non", False), ("qs", None)],
)
def test_yes_or_no(text: str, meant: bool | None) -> None:
    assert FR.yes_or_no(text) is meant
    assert EN.yes_or_no(text) is meant
