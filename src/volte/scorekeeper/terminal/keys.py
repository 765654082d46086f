"""What a line typed at a score sheet means: one of the keys, a verb, or a deal."""

from __future__ import annotations

from enum import Enum
from typing import Final

from volte.console.keys import bare


class ScoreKey(Enum):
    """The keys, the same in every language; S, T, F, R, U, ? and Q as at the table (K1)."""

    SCORES = ("s", "score", "scores")
    SHEET = ("f", "sheet", "feuille")
    NEEDS = ("n", "needs", "who leads", "besoins", "qui mene")
    TURN = ("t", "turn", "tour")
    CHART = ("g", "chart", "graph", "courbe", "graphique")
    STAKES = ("e", "stakes", "settle", "mises", "reglement")
    RULES = ("r", "rules", "regles")
    UNDO = ("u", "undo", "annuler", "reprendre")
    ACCEPT = ("accept", "accepter", "accepte")
    REOPEN = ("reopen", "rouvrir")
    NEXT = ("next", "suivante", "encore")
    PROOF = ("proof", "preuve")
    KEYS = ("?", "help", "keys", "aide", "touches")
    QUIT = ("q", "quit", "exit", "bye", "quitter", "fin")


class Verb(Enum):
    """The first word of a line that says more than a key."""

    MOON = ("m", "moon", "volte", "controle", "chelem", "lune")
    SLAM = ("slam", "grand chelem", "gc")
    REVOKE = ("revoke", "revoked", "renonce", "renonces")
    MIXED = ("mixed", "melees", "melee", "mele", "meles", "levees")
    MISDEAL = ("misdeal", "maldonne")
    POINTS = ("=", "points")
    FIX = ("fix", "correct", "corriger", "corrige")
    STRIKE = ("strike", "rayer", "raye")
    DEALER = ("dealer", "donneur", "donneuse", "donne")
    LOTS = ("lots", "lot", "draw", "tirage", "tirer")
    CLERK = ("what now", "clerk", "referee", "arbitre", "et maintenant", "que faire")
    STAKE = ("stake", "mise")
    TITLE = ("title", "titre")
    NAME = ("name", "rename", "nom", "nommer", "renommer")


_KEYS: Final = {word: key for key in ScoreKey for word in key.value}
_VERBS: Final = {word: verb for verb in Verb for word in verb.value}


def score_key_of(line: str) -> ScoreKey | None:
    """The key that a line is, if it is one.

    >>> score_key_of("F"), score_key_of("Règlement"), score_key_of("4 6q 3")
    (<ScoreKey.SHEET: ('f', 'sheet', 'feuille')>, <ScoreKey.STAKES: ('e', 'stakes', 'settle', \
'mises', 'reglement')>, None)
    """
    return _KEYS.get(" ".join(bare(line).replace("\u00a0", " ").split()))


def verb_of(line: str) -> tuple[Verb | None, str]:
    """The verb that a line begins with, and what follows it; no verb, and the line.

    >>> verb_of("moon Anne"), verb_of("=10 12 3"), verb_of("Grand chelem 2")[1], verb_of("4 6q")
    ((<Verb.MOON: ('m', 'moon', 'volte', 'controle', 'chelem', 'lune')>, 'Anne'), \
(<Verb.POINTS: ('=', 'points')>, '10 12 3'), '2', (None, '4 6q'))
    """
    line = line.strip()
    if line.startswith("="):
        return Verb.POINTS, line[1:].strip()
    words = line.split()
    for length in (2, 1):
        verb = _VERBS.get(bare(" ".join(words[:length])).rstrip(",;:?"))
        if verb is not None and len(words) >= length:
            return verb, " ".join(words[length:])
    return None, line
