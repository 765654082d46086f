"""Words of the game: what they mean, and what the rules of a table say about them."""

from __future__ import annotations

import re
from functools import cache
from typing import Final, NamedTuple

from volte.names import plain
from volte.rules import Ruleset
from volte.say.catalogue import LANGUAGES
from volte.say.keys import MOON_WORDS, SLAM_WORDS
from volte.say.language import N_
from volte.say.rulesheet.sheet import rule_sheet
from volte.say.words import Words, words_of


class Term(NamedTuple):
    """A word of the game, what it means, and where the rules speak of it."""

    name: str  # as players say it, which differs by language
    meaning: str
    clauses: tuple[str, ...] = ()  # of the rules that are about it
    also: tuple[str, ...] = ()  # other names, alike in all languages
    typed: tuple[str, ...] = ()  # other forms that people type


MOON: Final = Term(
    N_("to shoot the moon"),
    N_("to take every penalty card"),
    ("S3", "W7"),
    ("volte", "contrôle", "chelem", "grand chelem", "déménager à la cloche de bois"),
    MOON_WORDS,
)
SLAM: Final = Term(
    N_("a slam"), N_("taking every trick"), ("S4", "W8"), ("grand chelem",), SLAM_WORDS
)

TERMS: Final = (
    Term(N_("a match"), N_("all the deals until somebody wins"), ("E1", "E2")),
    Term(
        N_("a deal"),
        N_("one dealing of the cards, and the tricks that follow"),
        ("D4",),
        ("donne",),
    ),
    Term(N_("a trick"), N_("one card from each player"), ("T2",), ("pli", "levée")),
    Term(N_("the eldest hand"), N_("the player to the dealer’s left"), ("L1",)),
    Term(N_("to lead"), N_("to play the first card of a trick"), ("L1", "L2")),
    Term(N_("to follow suit"), N_("to play a card of the suit led"), ("T1",)),
    Term(
        N_("to discard"),
        N_("to play another suit because you have none of the suit led"),
        ("T1",),
        ("écarter",),
    ),
    Term(N_("to be void"), N_("to have no card left of a suit"), ("T1",)),
    Term(
        N_("the queen of spades, the black lady"),
        N_("the card that costs most"),
        ("S2", "T5"),
        ("dame de pique",),
    ),
    Term(
        N_("a penalty card"),
        N_("a card that costs points: every heart, and the queen of spades"),
        ("S1", "S2"),
    ),
    Term(N_("to break hearts"), N_("to play the first heart of a deal"), ("T4",)),
    MOON,
    SLAM,
    Term(N_("the kitty"), N_("the cards left over after the deal"), ("D5", "D6", "W4"), ("talon",)),
    Term(N_("the pass"), N_("the exchange of cards before play"), ("P1", "P2", "P3", "R-PASS")),
    Term(N_("a scatter"), N_("a pass of one card to each of the others"), ("W1",)),
    Term(N_("a side"), N_("partners, who score together"), ("W10",)),
    Term(N_("a partner"), N_("a player of the same side"), ("W10",)),
    Term(
        N_("to cancel"),
        N_("said of two identical cards in a trick: neither can take it"),
        ("W11",),
    ),
    Term(
        N_("a waiting trick"),
        N_("a trick that nobody has taken yet: it goes with the next"),
        ("W11",),
    ),
    Term(
        N_("a revoke"),
        N_("failing to follow suit, or to discard the queen, when you must"),
        ("I3", "I4", "I5"),
        ("renonce",),
    ),
    Term(
        N_("a misdeal"),
        N_("a faulty deal: the next player deals"),
        ("I1",),
        ("maldonne", "fausse donne"),
    ),
    Term(
        N_("a stake"),
        N_("what one point is worth when the players pay for points"),
        ("M1",),
        ("mise",),
    ),
    Term(N_("the pot"), N_("the stakes that lie on the table"), ("M5", "M6"), ("cagnotte",)),
    Term(
        N_("the score sheet"),
        N_("where you note every deal and the running totals"),
        ("S7",),
        ("feuille de marque", "feuille de pointage"),
    ),
)
"""Terms that players use, in the order in which a match meets them."""

_LITTLE: Final = re.compile(r"^(?:(?:the|an?|to|be|les?|la|une?|du|des?|se|faire|reussir) |[ls]')")


def meant(text: str) -> tuple[Term, ...]:
    """Terms that a typed text may mean, in any language; the moon before the slam.

    >>> [term.name for term in meant("Grand chelem")], [term.name for term in meant("le contrôle")]
    (['to shoot the moon', 'a slam'], ['to shoot the moon'])
    """
    wanted = _bare(text)
    return tuple(term for term in TERMS if wanted and wanted in _names(term))


def explained(words: Words, rules: Ruleset, text: str) -> tuple[str, ...]:
    """The meaning of a typed word of the game, and the rules about it; () for any other text."""
    return tuple(line for term in meant(text) for line in _told(words, rules, term))


def called(words: Words, term: Term) -> str:
    """The names of a term: "to shoot the moon (volte, contrôle, chelem)"."""
    name = words.t(term.name)
    others = [each for each in term.also if plain(each) not in plain(name)]
    if not others:
        return name
    return words.t("{name} ({others})", name=name, others=", ".join(others))


def all_terms(words: Words) -> list[tuple[str, str]]:
    """Names and meaning of every term."""
    return [(called(words, term), words.t(term.meaning)) for term in TERMS]


def _told(words: Words, rules: Ruleset, term: Term) -> list[str]:
    meaning = words.t("{name}: {meaning}.", name=called(words, term), meaning=words.t(term.meaning))
    found = [
        line.text
        for section in rule_sheet(rules, words)
        for line in section.lines
        if line.clauses[0] in term.clauses
    ]
    silent = words.t("The rules of this table do not mention it.")
    return [words.sentence(meaning), *(found or [silent])]


@cache
def _names(term: Term) -> frozenset[str]:
    named = (each for lang in LANGUAGES for each in words_of(lang).t(term.name).split(", "))
    return frozenset(map(_bare, (*named, *term.also, *term.typed)))


def _bare(text: str) -> str:
    """The text without accents, capitals, punctuation and little words at its beginning."""
    bare = " ".join(re.sub(r"[^\w']+", " ", plain(text)).split())
    while (shorter := _LITTLE.sub("", bare)) != bare:
        bare = shorter
    return bare
