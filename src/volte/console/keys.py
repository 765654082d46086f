"""What a line typed at the table means: one of the keys, or cards."""

from __future__ import annotations

import unicodedata
from enum import Enum
from typing import Final


class Key(Enum):
    """The keys, the same in every language (K1, and ours beside them): letter, then words."""

    TABLE = ("c", "cards", "table", "cartes")
    SCORES = ("s", "score", "scores")
    TURN = ("t", "turn", "tour")
    HAND = ("h", "hand", "main", "jeu")
    LAST = ("l", "last", "trick", "derniere", "levee", "pli")
    POINTS = ("p", "points")
    SHEET = ("f", "sheet", "feuille")
    RULES = ("r", "rules", "regles")
    HINT = ("i", "hint", "indice", "conseil")
    CLAIM = ("e", "claim", "rest", "reste", "etaler")
    BEFORE = ("b", "before", "back", "avant")
    AFTER = ("n", "after", "next", "apres")
    KIND = ("y", "kind", "genre")
    UNDO = ("u", "undo", "annuler", "reprendre")
    VERBOSITY = ("j", "verbosity", "words", "verbosite", "mots")
    KEYS = ("?", "help", "keys", "aide", "touches")
    QUIT = ("q", "quit", "exit", "bye", "quitter", "fin")

    @property
    def letter(self) -> str:
        """What is typed, as it is shown."""
        return str(self.value[0]).upper()


_KEYS: Final = {word: key for key in Key for word in key.value}
_MOON: Final = {
    **dict.fromkeys(("m", "-", "−", "minus", "moins"), True),
    **dict.fromkeys(("+", "plus"), False),
}

TENTH: Final = 10
"""The card on the table that the key 0 tells, where ten play (K1)."""


def key_of(line: str) -> Key | int | None:
    """The key that a line is: a `Key`, the number of a card on the table, or neither.

    >>> key_of("H"), key_of("Règles"), key_of("3"), key_of(".3"), key_of("qs")
    (<Key.HAND: ('h', 'hand', 'main', 'jeu')>, <Key.RULES: ('r', 'rules', 'regles')>, 3, None, None)
    >>> key_of("0")
    10
    """
    word = bare(line)
    if word.isdecimal() and len(word) == 1:
        return int(word) or TENTH
    return _KEYS.get(word)


def minus_of(line: str) -> bool | None:
    """How a moon is to count (W7): True for minus, False for plus, None for neither.

    >>> minus_of("Moins"), minus_of("+"), minus_of("")
    (True, False, None)
    """
    return _MOON.get(bare(line))


def bare(text: str) -> str:
    """The text in lower case, without accents."""
    letters = unicodedata.normalize("NFD", text.strip().casefold())
    return "".join(sign for sign in letters if not unicodedata.combining(sign))
