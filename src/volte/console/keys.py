"""What a line typed at the table means: one of the keys, or cards."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from enum import Enum
from typing import Final

from volte.say import N_


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


CARD_LINE: Final = N_("A card: its name (qs, queen of spades, ♠Q), or its place in your hand (.3).")
PASS_LINE: Final = N_("Cards to pass: several on one line (qs as 10h, or .1 .4 .7).")
SCATTER_LINE: Final = N_("Where everybody gets one of your cards: type them in the order told.")
MOON_LINE: Final = N_("A moon of yours that may count in two ways: minus (M), or plus (+).")
TABLE_OF_TEN_LINE: Final = N_(
    "C: the cards on the table. 1 to 9, and 0 for the tenth: one of them."
)

KEY_LINES: Final[Mapping[Key, str]] = {
    Key.TABLE: N_("C: the cards on the table. 1 to {players}: one of them."),
    Key.SCORES: N_("S: the scores. F: the whole score sheet."),
    Key.TURN: N_("T: whose turn it is."),
    Key.HAND: N_("H: your hand."),
    Key.LAST: N_("L: the last trick."),
    Key.POINTS: N_("P: the points taken in this deal."),
    Key.RULES: N_("R: the rules of this table."),
    Key.HINT: N_("I: a hint."),
    Key.CLAIM: N_("E: ends the deal at once, when the rest changes nothing."),
    Key.BEFORE: N_("B and N: what was told before, and after."),
    Key.KIND: N_("Y: goes through plays alone with B and N; then points, talk, the table, all."),
    Key.UNDO: N_("U: takes your last play back, as long as nobody has acted since."),
    Key.VERBOSITY: N_("J: how much is told: less, and after the least everything."),
    Key.QUIT: N_("Q: leaves the table. The match is saved."),
}
"""What the keys do, a line each; where two stand on one line, the first has it."""

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
