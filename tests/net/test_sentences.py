"""Every sentence as it is said, in both languages: by its message, and by the key of its table.

The first part goes through the catalogue, whatever asks for a sentence. The second goes with the
tables that it reads. VOLTE_REMAKE_GOLDENS=1 writes the files in `sentences` anew.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import cache, partial
from string import Formatter
from typing import Any, Final

import pytest
from babel.messages.catalog import Catalog, Message
from babel.messages.pofile import read_po
from net.held import HERE, hold

from volte.cards import Card, Fault
from volte.game import Player, Refusal
from volte.say import Words
from volte.say.faults import AT_TABLES, BREACHES, FAULTS, OF_A_SEAT, RECORDS, REFUSALS, SERVING
from volte.say.levels import LEVEL_WORDS
from volte.say.rulesheet.clauses import CLAUSES, clause
from volte.say.rulesheet.options import OPTION_VALUES
from volte.say.talk import PHRASES, phrase_line
from volte.web.assets import client_sentences

pytestmark = pytest.mark.full

SOURCE: Final = HERE.parents[1] / "src" / "volte"
LANGUAGES: Final = pytest.mark.parametrize("lang", ["en", "fr"])
CARD_FORMS: Final = frozenset(("the", "rank", "short"))
COUNTS: Final = (0, 1, 2, 5)

CARDS: Final = (Card("AH"), Card("RJ"), Card("2C"))
PEOPLE_NAMED: Final = (Player("le chat"), Player("Paul"))


@cache
def french() -> Catalog:
    (path,) = SOURCE.rglob("fr/LC_MESSAGES/volte.po")
    with path.open("rb") as source:
        return read_po(source, locale="fr", abort_invalid=True)


def texts(said: object) -> tuple[str, ...]:
    return tuple(said) if isinstance(said, tuple | list) else (str(said),)


def places(sentences: Iterable[str]) -> dict[str, set[str]]:
    """The names in braces, each with the forms in which it is said in either language."""
    found: dict[str, set[str]] = {}
    for sentence in sentences:
        for _, name, form, _ in Formatter().parse(sentence):
            if name is not None:
                found.setdefault(name, set()).add(form or "")
    return found


def one(name: str, forms: set[str]) -> object:
    """Something that can be said in those forms: a card, somebody, or a text."""
    if forms & CARD_FORMS:
        return Card("QS")
    if "or" in forms:
        return CARDS
    return Player("Anne") if forms - {""} else f"‹{name}›"


def other(_: str, forms: set[str]) -> object:
    """Something else: several cards, several people, or a number."""
    if forms & {*CARD_FORMS, "or"}:
        return CARDS
    return PEOPLE_NAMED if forms - {""} else -1234


def filled(sentences: Iterable[str], fill: Callable[[str, set[str]], object] = one) -> Any:
    """Parameters for all places of these sentences."""
    return {name: fill(name, forms) for name, forms in sorted(places(sentences).items())}


# By message


def said(words: Words, message: Message) -> Iterator[str]:
    """The message with one filling and with another; with a plural, for several counts."""
    identifiers, translations = texts(message.id), texts(message.string)
    everywhere = (*identifiers, *translations)
    if len(identifiers) == 2:
        params = filled(everywhere)
        params.pop("count", None)
        for count in COUNTS:
            yield f"{count}: {words.n(*identifiers, count, **params)}"
        return
    message_said = partial(words.p, message.context) if message.context else words.t
    first, second = (
        message_said(*identifiers, **filled(everywhere, fill)) for fill in (one, other)
    )
    yield "=" if first == identifiers[0] else first
    if second != first:
        yield second


@LANGUAGES
def test_every_message_is_said_as_it_was(lang: str) -> None:
    words, lines = Words(lang), []
    entries = [entry for entry in french() if entry.id]
    assert len(entries) > 3000
    for entry in sorted(entries, key=lambda each: (texts(each.id), each.context or "")):
        lines += [*texts(entry.id), *(f"    {line}" for line in said(words, entry))]
    hold("\n".join(lines) + "\n", "sentences", f"by-message.{lang}.txt")


# By key


def filling(message: str) -> Any:
    """Parameters for a message in both languages."""
    entry = french().get(message)
    return filled((message, *(texts(entry.string) if entry is not None else ())))


def faults(words: Words) -> Iterator[tuple[str, str]]:
    for reason, message in FAULTS.items():
        yield reason, words.fault(Fault(reason, **filling(message)))
    for reason, message in RECORDS.items():
        params = filling(message)
        if reason == "refused":
            params["refusal"] = Refusal("breach", "T1", CARDS, {"led": "S"})
        if reason == "bad_rules":
            params["fault"] = Fault("removed_twice")
        yield f"line.{reason}", words.fault(Fault(reason, **params, line=12))


def refusals(words: Words) -> Iterator[tuple[str, str]]:
    for clause_broken in BREACHES:
        params: dict[str, Any] = {"led": "S", "trick": 3}
        yield clause_broken, words.refusal(Refusal("breach", clause_broken, CARDS, params))
    for name, message in {**REFUSALS, **AT_TABLES}.items():
        yield name, words.refusal(Refusal(name, "", (), filling(message)))
    by_seat: dict[str, Any] = {"card": "QS", "turn": 1, "seat": 4, "count": 3, "given": 2}
    for name in (*OF_A_SEAT, "not_in_hand", "not_your_turn", "pass_count", "no_such_seat"):
        yield name, words.refusal(Refusal(name, "", CARDS, by_seat))


def tables(words: Words) -> Iterator[tuple[str, dict[str, str]]]:
    """Every table, as it is said by its keys."""
    yield "client", client_sentences(words)
    yield "serving", {name: words.why(name, **filling(text)) for name, text in SERVING.items()}
    yield (
        "serving, otherwise",
        {
            "unknown": words.why("unheard_of"),
            "in seconds": words.why("too_many", seconds=90),
            "in minutes": words.why("too_many", seconds=1234),
        },
    )
    yield "phrase", {name: phrase_line(words, name) for name in (*PHRASES, "unheard_of")}
    yield "clause", {name: clause(words, name) for name in CLAUSES}
    yield "level", {name: words.t(each.asked) for name, each in LEVEL_WORDS.items()}
    yield (
        "option",
        {
            f"{option}={value}": words.t(text)
            for option, values in OPTION_VALUES.items()
            for value, text in values.items()
        },
    )
    yield "fault", dict(faults(words))
    yield "refusal", dict(refusals(words))


@LANGUAGES
def test_every_key_is_said_as_it_was(lang: str) -> None:
    lines = [
        f"{table} {name}: {sentence}"
        for table, sentences in tables(Words(lang))
        for name, sentence in sorted(sentences.items())
    ]
    hold("\n".join(lines) + "\n", "sentences", f"by-key.{lang}.txt")
