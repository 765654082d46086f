"""The French catalogue: complete, never fuzzy, with the same places, and well set."""

from __future__ import annotations

import gettext
import os
import re
import shutil
from pathlib import Path
from string import Formatter
from typing import Final

import pytest
from babel.messages.catalog import Catalog
from babel.messages.pofile import read_po, write_po
from kit.sentences import badly_set, marked, sentences

from volte.cards import Card
from volte.forms.settings import own_name
from volte.say import Words, catalogue
from volte.say.catalogue import LANGUAGES, TONGUES
from volte.say.formats import path_of
from volte.say.language import Language

PO = catalogue.CATALOGUES / "fr" / "LC_MESSAGES" / "volte.po"
NBSP = "\u00a0"


@pytest.fixture(scope="module")
def french() -> Catalog:
    with PO.open("rb") as source:
        return read_po(source, locale="fr", abort_invalid=True)


def texts(translation: object) -> list[str]:
    return list(translation) if isinstance(translation, tuple | list) else [str(translation)]


def places(text: str) -> set[str]:
    """The names in braces, without the forms behind them."""
    return {name for _, name, _, _ in Formatter().parse(text) if name is not None}


def test_there_are_sentences_to_translate() -> None:
    assert len(sentences()) > 300
    assert "{player} takes the trick." in sentences()


def test_every_sentence_has_its_french(french: Catalog) -> None:
    missing = []
    for context, message in marked():
        entry = french.get(message if isinstance(message, str) else message[0], context)
        plural = isinstance(message, tuple)
        if (
            entry is None
            or entry.fuzzy
            or entry.pluralizable != plural
            or not all(texts(entry.string))
        ):
            missing.append(message)
    assert missing == []


def test_no_french_is_left_from_a_sentence_that_has_gone(french: Catalog) -> None:
    used = {(context, texts(message)[0]) for context, message in marked()}
    left = {(entry.context, texts(entry.id)[0]) for entry in french if entry.id}
    assert left - used == set()


def test_the_french_has_the_places_of_the_english(french: Catalog) -> None:
    other = [
        (source, translation)
        for entry in french
        if entry.id
        for source, translation in zip(texts(entry.id), texts(entry.string), strict=True)
        if places(source) != places(translation)
    ]
    assert other == []


def test_french_typography(french: Catalog) -> None:
    wrong = [
        text for entry in french if entry.id for text in texts(entry.string) if badly_set(text)
    ]
    assert wrong == []


def test_no_french_sentence_is_said_twice_over(french: Catalog) -> None:
    """A merge of two catalogues once left such sentences."""
    twice = re.compile(r"(.{8,}\S)\1")
    assert [text for entry in french for text in texts(entry.string) if twice.search(text)] == []


def test_no_french_sentence_means_something_else_when_it_is_heard(french: Catalog) -> None:
    """ "On retire" is also "one takes away", "pas de sens" also "nonsense"."""
    two_meanings = re.compile(r"on retire\u00a0:|pas de sens|donner ou compter|Apprend le jeu")
    assert [
        text for entry in french for text in texts(entry.string) if two_meanings.search(text)
    ] == []


PEOPLE = "player|name|names|other|others|host|taker|bot|better|worse|leader|winner|shooter"
"""Places that people's names are put into."""

BARE_NAMES = {
    "Vos cartes vont à {name}.": "filled by a script, which knows no forms",
    "Le serveur ne peut pas écouter à {host}, port {port}\u00a0: {why}.": "a machine's name",
    "Proposer à {name} de devenir amis": "filled by a script, which knows no forms",
}
"""Sentences that put a name without its form after a word that changes before it, and why."""


def test_french_words_change_before_names(french: Catalog) -> None:
    """« d’Anne », « au chat », « qu’Anne »: the form of the place writes the word itself."""
    word = r"\b(?:de|à|[Qq]ue|jusque|lorsque|puisque)[ \u00a0]"
    bare = re.compile(rf"{word}\{{(?:{PEOPLE})\}}|{word}\{{\w+:(?:of|to|that)\}}")
    found = {text for entry in french for text in texts(entry.string) if bare.search(text)}
    assert found <= BARE_NAMES.keys()


def test_the_catalogue_is_compiled_here_when_the_compiled_one_is_missing_or_old(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "fr" / "LC_MESSAGES"
    folder.mkdir(parents=True)
    shutil.copy(PO, folder / "volte.po")
    monkeypatch.setattr(catalogue, "CATALOGUES", tmp_path)
    catalogue.catalogue.cache_clear()
    try:
        assert Words("fr").t("The match is over.") == "La partie est finie."
        old = folder / "volte.mo"
        old.write_bytes(b"of no use")
        os.utime(old, (0, 0))
        catalogue.catalogue.cache_clear()
        assert Words("fr").t("The match is over.") == "La partie est finie."
    finally:
        catalogue.catalogue.cache_clear()


def test_a_word_with_two_meanings_has_a_context_for_each() -> None:
    french, english = Words("fr"), Words("en")
    assert french.p("a session", "Sign out") == "Déconnecter"
    assert french.p("matches", "Left") == "Quittées"
    assert french.p("a context that is not", "End") == english.p("no such context", "End") == "End"


def test_two_people_at_one_table_each_hear_their_language() -> None:
    french, english = Words("fr"), Words("en")
    assert french.t("The match is over.") == "La partie est finie."
    assert english.t("The match is over.") == "The match is over."
    assert gettext.gettext("The match is over.") == "The match is over."


# Countries: what they say otherwise than their language


COUNTRIES = [lang for lang in LANGUAGES if lang not in TONGUES]


def own(lang: str) -> Catalog:
    """The catalogue of a language alone."""
    folder = catalogue.folder(lang)
    with (folder / "LC_MESSAGES" / "volte.po").open("rb") as source:
        return read_po(source, locale=folder.name, abort_invalid=True)


@pytest.mark.parametrize("lang", COUNTRIES)
def test_a_country_has_only_sentences_that_differ_and_with_the_same_places(lang: str) -> None:
    usual = own(catalogue.tongue(lang))
    for entry in own(lang):
        if not entry.id:
            continue
        first = texts(entry.id)[0]
        there = usual.get(first, entry.context)
        assert there is not None, first
        assert not entry.fuzzy, first
        said, before = texts(entry.string), texts(there.string)
        assert len(said) == len(before), first
        assert said != before, first
        assert all(said), first
        assert [*map(places, said)] == [*map(places, before)], first


def test_quebec_falls_back_message_by_message(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also in plurals, and in words with a context."""
    for lang in ("fr", "fr-CA"):
        folder = tmp_path / lang.replace("-", "_") / "LC_MESSAGES"
        folder.mkdir(parents=True)
        shutil.copy(path_of(lang), folder.parent)
        made = Catalog(locale=folder.parent.name)
        made.add("trick", f"trick in {lang}")
        made.add(("{count} trick", "{count} tricks"), (f"{lang}: {{count}}", f"{lang}s: {{count}}"))
        if lang == "fr":
            made.add("sheet", "feuille")
            made.add("End", "Déconnecter", context="a session")
            made.add(("{count} card", "{count} cards"), ("{count} carte", "{count} cartes"))
        else:
            made.add("End", "Terminer", context="a match")
        with (folder / "volte.po").open("wb") as file:
            write_po(file, made)
    monkeypatch.setattr(catalogue, "CATALOGUES", tmp_path)
    catalogue.catalogue.cache_clear()
    try:
        quebec, french = Language("fr-CA"), Language("fr")
        assert [words.t("trick") for words in (quebec, french)] == ["trick in fr-CA", "trick in fr"]
        assert quebec.t("sheet") == "feuille"
        assert quebec.t("in no catalogue") == "in no catalogue"
        assert quebec.p("a match", "End") == "Terminer"
        assert quebec.p("a session", "End") == "Déconnecter"
        assert french.p("a match", "End") == "End"
        cards = [quebec.n("{count} card", "{count} cards", count) for count in (0, 1, 2)]
        assert cards == ["0 carte", "1 carte", "2 cartes"]
        tricks = [quebec.n("{count} trick", "{count} tricks", count) for count in (0, 2)]
        assert tricks == ["fr-CA: 0", "fr-CAs: 2"]
    finally:
        catalogue.catalogue.cache_clear()


def test_quebec_has_the_cards_names_and_typed_words_of_french() -> None:
    quebec, french = Words("fr_CA.UTF-8"), Words("fr")
    assert quebec.lang == "fr-CA"
    assert quebec.grammar is french.grammar
    assert quebec.t("{card:short}", card=Card("QS")) == "D♠"
    assert quebec.t("{player:of}", player="Anne") == "d’Anne"
    assert quebec.read_card("10c") == french.read_card("10c") == Card("TH")
    assert quebec.stakes(1200) == "1\u00a0200 mises"  # by the data for Canada
    assert own_name("fr-CA") == "Français (Québec)"


CLAUSES: Final = re.compile(r"\b(?:[DPLTSEMICW]\d{1,2}|K1|R-DECK|R-PASS)\b")
"""Numbers of rules, as those who ask for them see them."""


def test_no_sentence_holds_the_number_of_a_rule(french: Catalog) -> None:
    """A number follows a rule where somebody asks for it: `volte rules --clauses`, the manual."""
    every = [
        text
        for entry in french
        if "decisions.ini" not in str(entry.locations)  # stand beside the rules with their numbers
        for text in (*texts(entry.id), *texts(entry.string))
    ]
    assert [text for text in every if CLAUSES.search(re.sub("`[^`]*`", "", text))] == []
