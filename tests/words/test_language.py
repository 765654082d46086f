"""Names, numbers and plurals in sentences, and which language is spoken."""

from __future__ import annotations

import doctest
from fractions import Fraction

import pytest

from volte.cards import Card, Fault
from volte.game import Player
from volte.say import Words, grammar
from volte.say.language import system_language

FR, EN = Words("fr"), Words("en")


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


def test_the_doctests_of_grammar_hold() -> None:
    assert doctest.testmod(grammar).attempted
    assert doctest.testmod(grammar).failed == 0


def test_english_names() -> None:
    assert EN.t("{player:of}", player=Player("Paul")) == "Paul's"
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


def test_cards_to_choose_from() -> None:
    cards = (Card("QS"), Card("2S"))
    assert FR.t("{cards:or}", cards=cards) == "la dame de pique ou le 2 de pique"
    assert EN.t("{cards:or}", cards=cards) == "the queen of spades or the 2 of spades"


def test_another_language_is_a_fault() -> None:
    with pytest.raises(Fault, match="no_such_language") as caught:
        Words("de")
    assert EN.fault(caught.value) == "Volte does not speak “de”: choose one of fr, en."


@pytest.mark.parametrize(
    ("environ", "lang"),
    [
        ({"LANG": "fr_CA.UTF-8"}, "fr"),
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


def test_words_of_the_system(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LC_ALL", "fr_FR.UTF-8")
    monkeypatch.delenv("LANGUAGE", raising=False)
    assert Words.of_system().lang == "fr"
