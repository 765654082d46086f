"""The catalogues keep to the glossary in docs/words.md, and to how sentences are set."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import Final

import pytest
from babel.messages.catalog import Message
from babel.messages.pofile import read_po
from kit.sentences import CODE, ROOT, SOURCE, badly_set

from volte.say import Words
from volte.say.catalogue import LANGUAGES, chain, folder
from volte.say.texts import table

GLOSSARY: Final = ROOT / "docs" / "words.md"
COLUMNS: Final = ("English", "French", "French of Québec", "never", "source")

LONGEST: Final = 30
"""Characters of a button, places for names left out."""

LONGEST_NOTE: Final = 42
NOTES: Final = re.compile("(click|tap|note)_")
"""Names of the notes in `script.ini`, and their most characters."""

LONG: Final = {
    "Already have an account? Sign in.",  # links that say for whom they are
    "Keep your name: create an account",
    "People and chat: your lists, reports, sanctions",
    "Turn off notifications in this browser",  # in this one alone
    "Turn on notifications in this browser",
    "Déjà un compte\u00a0? Connectez-vous.",
    "Gardez votre nom\u00a0: créez un compte",
    "Joueurs et discussion\u00a0: vos listes, signalements, sanctions",
    "Joueurs et clavardage\u00a0: vos listes, signalements, sanctions",
    "Désactiver les notifications dans ce navigateur",
    "Activer les notifications dans ce navigateur",
    "Ouvrir une table avec ces règles",  # French takes a word or two more
    "Redevenir visible pour mes amis",
    "Résultats des essais de volontaires",
    "Se connecter avec une clé d’accès",
}
"""Longer buttons and links in the shape of one."""

OTHERWISE: Final = re.compile(r"sanction est (?:déjà )?levée|^levée par \{name\}")
"""Words that are meant otherwise: a sanction is lifted."""


def rows() -> list[tuple[str, ...]]:
    """The cells of the glossary's first table, row by row."""
    lines = GLOSSARY.read_text(encoding="utf-8").split("\n\n")
    (found,) = (each for each in lines if each.startswith(f"| {COLUMNS[0]} |"))
    split = [line.strip("|").split("|") for line in found.split("\n")]
    cells = [tuple(map(str.strip, each)) for each in split]
    assert cells[0] == COLUMNS
    return cells[2:]


def barred() -> Iterator[tuple[str, str]]:
    """Each language with a word that is never said in it."""
    for *_, never, _ in rows():
        for part in filter(None, never.split("; ")):
            lang, _, words = part.partition(" ")
            assert lang in LANGUAGES, part
            found = re.findall("`([^`]+)`", words)
            assert found, part
            yield from ((lang, word) for word in found)


@cache
def catalogue(lang: str) -> tuple[Message, ...]:
    """The messages of a language's own catalogue; of English, those of all sentences."""
    name = "fr" if lang == "en" else folder(lang).name
    with (folder(name.replace("_", "-")) / "LC_MESSAGES" / "volte.po").open("rb") as source:
        return tuple(message for message in read_po(source, locale=name) if message.id)


def texts(message: Message, lang: str) -> list[str]:
    """A message in that language, in all its forms, without what is typed as it stands."""
    found = message.id if lang == "en" else message.string
    forms = found if isinstance(found, list | tuple) else [found]
    return [CODE.sub("", str(form)) for form in forms]


@cache
def said(lang: str) -> tuple[str, ...]:
    """All texts that somebody may read in a language: its own, and those that it falls back to."""
    found: dict[tuple[str | None, str], list[str]] = {}
    for each in reversed(chain(lang)):
        for message in catalogue(each):
            first = message.id if isinstance(message.id, str) else message.id[0]
            found[message.context, first] = texts(message, each)
    return tuple(text for forms in found.values() for text in forms)


def test_every_row_names_sources_that_are_listed() -> None:
    text = GLOSSARY.read_text(encoding="utf-8")
    listed = set(re.findall(r"^\| ([A-Z]) \|", text, re.MULTILINE))
    used = {source for *_, sources in rows() for source in sources.split(", ") if source}
    assert used == listed


@pytest.mark.parametrize(("lang", "word"), [*barred()])
def test_nobody_reads_a_word_that_is_never_said(lang: str, word: str) -> None:
    spelt = re.escape(word).replace("’", "['’]")
    never = re.compile(rf"(?<![\w-]){spelt}[sx]?(?![\w-])", re.IGNORECASE)
    found = [text for text in said(lang) if never.search(OTHERWISE.sub("", text))]
    assert found == []


@pytest.mark.parametrize("lang", LANGUAGES)
def test_apostrophes_and_quotes_are_those_of_print(lang: str) -> None:
    straight = re.compile("['\"]")
    typed = re.compile(r"\{[^{}]*\}|&\w+;")
    assert [text for text in said(lang) if straight.search(typed.sub("", text))] == []


def test_spaces_before_punctuation_are_those_of_the_language() -> None:
    assert [text for lang in ("fr", "fr-CA") for text in said(lang) if badly_set(text)] == []
    french = re.compile("[\u00a0\u202f]|\\w [;:!](?:\\s|$)")
    assert [text for text in said("en") if french.search(text)] == []


# Buttons


BUTTON: Final = re.compile(
    r"<(button|a)\b(?P<tag>(?:[^<>]|\{%[^%]*%\}|\{\{.*?\}\})*)>(?P<text>(?:(?!</).)*)</\1>",
    re.DOTALL,
)
ASKED: Final = re.compile(r"""\b_\("((?:[^"\\]|\\.)*)"|\bp\("([^"]*)", "([^"]*)"\)""")
SCRIPTED: Final = re.compile(r"""(?:make\("button",[^;]*?\bsay\(|#button\()"(\w+)\"""")


def buttons() -> set[tuple[str, str]]:
    """The context, or none, and the sentence of each button of pages and scripts."""
    found = set[tuple[str, str]]()
    for path in SOURCE.glob("*/templates/*.html"):
        for each in BUTTON.finditer(path.read_text(encoding="utf-8")):
            if each[1] == "button" or re.search('class="[^"]*button', each["tag"]):
                for plain, context, message in ASKED.findall(each["text"]):
                    found.add((context, plain or message))
    script = table("script")["script"]
    for path in SOURCE.rglob("static/*.js"):
        for name in SCRIPTED.findall(path.read_text(encoding="utf-8")):
            if name in script:
                found.add(("", script[name]))
    return found


def test_there_are_buttons() -> None:
    assert len(buttons()) > 100
    assert ("", "Save") in buttons()


@pytest.mark.parametrize("lang", LANGUAGES)
def test_buttons_are_short(lang: str) -> None:
    words = Words(lang)
    named = [
        words.p(context, text) if context else words.unfilled(text) for context, text in buttons()
    ]
    sizes = {text: len(re.sub(r"\{[^{}]*\}", "", text)) for text in named}
    longer = {text for text, size in sizes.items() if size > LONGEST}
    assert sorted(longer - LONG) == []


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_note_for_newcomers_fits_on_one_line(lang: str) -> None:
    """On a narrow felt there is room for no more (`aside.css`)."""
    words, named = Words(lang), table("script")["script"]
    notes = [words.unfilled(text) for name, text in named.items() if NOTES.match(name)]
    assert len(notes) > 10
    assert [note for note in notes if len(note.replace("{key}", "?")) > LONGEST_NOTE] == []


def test_long_buttons_are_still_there() -> None:
    said_by = {text for lang in LANGUAGES for text in said(lang)}
    assert said_by >= LONG
