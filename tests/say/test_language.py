"""Names, cards, numbers and plurals in sentences, typed text, and the choice of a language."""

from __future__ import annotations

import doctest
import inspect
import pickle
from fractions import Fraction
from types import ModuleType

import pytest
from kit import ENGLISH as EN
from kit import FRENCH as FR
from kit import because, languages

from volte.cards import CARDS, PACK_SIZE, Card, CardFault, Suit, VolteError, read_cards
from volte.game import Player
from volte.say import Words, grammar
from volte.say import words as words_module
from volte.say.language import system_language

PACK = CARDS[:PACK_SIZE]


# Names


@pytest.mark.parametrize(
    ("name", "of", "to"),
    [
        ("Anne", "d’Anne", "à Anne"),
        ("Élise", "d’Élise", "à Élise"),
        ("Œdipe", "d’Œdipe", "à Œdipe"),
        ("Paul", "de Paul", "à Paul"),
        ("Hélène", "d’Hélène", "à Hélène"),
        ("Hans", "de Hans", "à Hans"),
        ("Yves", "d’Yves", "à Yves"),
        ("Yann", "de Yann", "à Yann"),
        ("Hugo", "d’Hugo", "à Hugo"),
        ("Hector", "d’Hector", "à Hector"),
        ("Helmut", "de Helmut", "à Helmut"),
        ("l’Abbé", "de l’Abbé", "à l’Abbé"),
        ("Le Gall", "de Le Gall", "à Le Gall"),
        ("O’Brien", "d’O’Brien", "à O’Brien"),
        ("A", "de A", "à A"),
        ("H", "de H", "à H"),
        ("Y", "de Y", "à Y"),
        ("1", "de 1", "à 1"),
        ("le chat", "du chat", "au chat"),
        ("les voisins", "des voisins", "aux voisins"),
        ("Le Corbusier", "de Le Corbusier", "à Le Corbusier"),
        ("李雷", "de 李雷", "à 李雷"),
        ("2Pac", "de 2Pac", "à 2Pac"),
        ("{x}", "de {x}", "à {x}"),
        ("a\x1b[2Jb\nc", "d’a [2Jb c", "à a [2Jb c"),
        (" ", "d’une personne sans nom", "à une personne sans nom"),
    ],
)
def test_de_and_a_before_any_name(name: str, of: str, to: str) -> None:
    assert FR.t("{player:of}", player=Player(name)) == of
    assert FR.t("{player:to}", player=Player(name)) == to


@pytest.mark.parametrize("module", [grammar, words_module])
def test_the_doctests_hold(module: ModuleType) -> None:
    results = doctest.testmod(module)
    assert results.attempted
    assert not results.failed


def test_que_before_a_name() -> None:
    anne, paul, cat = Player("Anne"), Player("Paul"), Player("le chat")
    assert [FR.t("{player:that}", player=each) for each in (anne, paul, cat)] == [
        "qu’Anne",
        "que Paul",
        "que le chat",
    ]
    assert EN.t("{player:that}", player=anne) == "Anne"


def test_what_somebody_does_not_have() -> None:
    one, three = (Suit.CLUBS,), (Suit.CLUBS, Suit.DIAMONDS, Suit.HEARTS)
    assert FR.t("n’a plus {suits:nor}", suits=one) == "n’a plus de trèfle"
    assert FR.t("n’a plus {suits:nor}", suits=three) == "n’a plus ni trèfle ni carreau ni cœur"
    assert EN.t("has no {suits:nor} left", suits=one) == "has no clubs left"
    assert EN.t("has no {suits:nor} left", suits=three) == "has no clubs, diamonds or hearts left"


def test_english_people() -> None:
    assert EN.t("{player:of}", player=Player("Paul")) == "Paul’s"
    assert EN.t("{player:to}", player=Player("le chat")) == "to le chat"
    assert EN.t("{players}", players=[Player("A"), Player("B"), Player("C")]) == "A, B and C"


@pytest.mark.parametrize(
    ("count", "french", "english"),
    [
        (0, "0 point", "0 points"),
        (1, "1 point", "1 point"),
        (Fraction(3, 2), "1,5 point", "1.5 points"),
        (2, "2 points", "2 points"),
        (-1, "−1 point", "−1 point"),
        (-10, "−10 points", "−10 points"),
        (Fraction(91, 2), "45,5 points", "45.5 points"),
        (Fraction(130, 7), "18,57 points", "18.57 points"),
        (100, "100 points", "100 points"),
    ],
)
def test_points(count: int | Fraction, french: str, english: str) -> None:
    assert FR.points(count) == french
    assert EN.points(count) == english


def test_stakes() -> None:
    assert [FR.stakes(count) for count in (0, 1, 3)] == ["0 mise", "1 mise", "3 mises"]
    assert [EN.stakes(count) for count in (0, 1, 3)] == ["0 stakes", "1 stake", "3 stakes"]
    assert FR.stakes(1200) == "1\u202f200 mises"


def test_another_language_is_a_fault() -> None:
    with pytest.raises(VolteError, check=because("no_such_language")) as caught:
        Words("de")
    assert EN.fault(caught.value) == "Volte does not speak “de”: choose one of fr, fr-CA, en."


@pytest.mark.parametrize(
    ("environ", "lang"),
    [
        ({"LANG": "fr_CA.UTF-8"}, "fr-CA"),
        ({"LANG": "en_CA.UTF-8", "LANGUAGE": "fr_CA:fr:en"}, "fr-CA"),
        ({"LANG": "French_Canada.1252"}, "fr-CA"),
        ({"LANG": "en_CA.UTF-8"}, "en"),
        ({"LANG": "fr_BE.UTF-8@euro"}, "fr"),
        ({"LANG": "fr_FR.UTF-8", "LC_MESSAGES": "en_GB.UTF-8"}, "en"),
        ({"LANG": "en_US.UTF-8", "LC_ALL": "fr_CH"}, "fr"),
        ({"LANG": "de_CH.UTF-8"}, "en"),
        ({"LANG": "de_CH.UTF-8", "LANGUAGE": "de:fr:en"}, "fr"),
        ({"LANG": "en_US.UTF-8", "LANGUAGE": "fr"}, "fr"),
        ({"LANG": "C", "LANGUAGE": "fr"}, "en"),
        ({"LANG": "C.UTF-8"}, "en"),
        ({"LC_ALL": "", "LANG": "fr"}, "fr"),
    ],
)
def test_the_language_of_the_system(environ: dict[str, str], lang: str) -> None:
    assert system_language(environ) == lang


def test_its_methods_are_pickled_wherever_their_code_stands() -> None:
    methods = [name for name, each in vars(Words).items() if inspect.isfunction(each)]
    assert {"fault", "tell", "hint"} <= {*methods}
    for name in methods:
        copied = pickle.loads(pickle.dumps(getattr(EN, name)))
        assert copied.__func__ is getattr(Words, name)


# Cards


@pytest.mark.parametrize(
    ("words", "card", "bare", "the", "short"),
    [
        (FR, "QS", "dame de pique", "la dame de pique", "D♠"),
        (FR, "AH", "as de cœur", "l’as de cœur", "A♥"),
        (FR, "TD", "10 de carreau", "le 10 de carreau", "10♦"),
        (FR, "KC", "roi de trèfle", "le roi de trèfle", "R♣"),
        (FR, "JD", "valet de carreau", "le valet de carreau", "V♦"),
        (FR, "RJ", "joker rouge", "le joker rouge", "Joker rouge"),
        (FR, "BJ", "joker noir", "le joker noir", "Joker noir"),
        (EN, "QS", "queen of spades", "the queen of spades", "Q♠"),
        (EN, "TD", "10 of diamonds", "the 10 of diamonds", "10♦"),
        (EN, "BJ", "black joker", "the black joker", "Black joker"),
    ],
)
def test_names_of_cards(words: Words, card: str, bare: str, the: str, short: str) -> None:
    named = Card(card)
    assert (words.card(named), words.the_card(named), words.short(named)) == (bare, the, short)


def test_lists_and_suits() -> None:
    cards = read_cards("QS 2C AH")
    assert FR.cards(cards) == "la dame de pique, le 2 de trèfle et l’as de cœur"
    assert EN.cards(cards[:2]) == "the queen of spades and the 2 of clubs"
    assert EN.cards(cards[:1]) == "the queen of spades"
    assert FR.t("{cards:or}", cards=cards[:2]) == "la dame de pique ou le 2 de trèfle"
    assert EN.t("{cards:or}", cards=cards[:2]) == "the queen of spades or the 2 of clubs"
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


QUEENS = "qs|sq|dp|pd|♠Q|Q♠|♠D|d♤|Q♠\ufe0e|DAME DE PIQUE|dame pique|la dame de pique|dame de p"


@pytest.mark.parametrize(
    ("card", "texts"),
    [
        ("QS", f"{QUEENS}|the queen of spades|reine de pique"),
        ("AH", "as coeur|as cœur|l'as de cœur|l’as de cœur"),
        ("KD", "roi de carreau|rk"),
        ("TC", "dix de trèfle|10 trefle|10t"),
        ("RJ", "jr|red joker"),
        ("BJ", "joker noir"),
        ("2C", "two of clubs"),
        ("AS", "as"),
        ("7H", " 7  de   cœur "),
    ],
)
@languages
def test_what_people_type(words: Words, card: str, texts: str) -> None:
    for text in texts.split("|"):
        assert words.read_card(text) is Card(card), text


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
        "« joker » peut être le joker rouge ou le joker noir : quelle carte ?"
    )


@pytest.mark.parametrize(
    "text", ["", " ", "x", "q", "dame", "11s", "qss", "1s", "de la", "♠", "qs!", "😀", "qs 2c", "é"]
)
@languages
def test_what_is_no_card(words: Words, text: str) -> None:
    with pytest.raises(CardFault, check=because("not_a_card")):
        words.read_card(text, PACK)


@pytest.mark.parametrize(
    ("text", "meant"),
    [("o", True), ("Oui", True), ("YES.", True), ("n", False), ("non", False), ("qs", None)],
)
def test_yes_or_no(text: str, meant: bool | None) -> None:
    assert FR.yes_or_no(text) is meant
    assert EN.yes_or_no(text) is meant
