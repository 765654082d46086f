"""Lines typed at the table: the keys, and their meaning for a seat."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping, Sequence
from enum import Enum
from itertools import chain
from typing import Final, Self

from volte import referee
from volte.console.terminal import TerminalFault
from volte.game import Phase
from volte.rules import Direction, Irregularities, MoonRule, Ruleset
from volte.say import N_, Words
from volte.view import View


def bare(text: str) -> str:
    """The text in lower case, without accents."""
    letters = unicodedata.normalize("NFD", text.strip().casefold())
    return "".join(sign for sign in letters if not unicodedata.combining(sign))


class TypedWord(Enum):
    """Things that can be typed, each with its words in every language."""

    @classmethod
    def of(cls, text: str) -> Self | None:
        """Find the member that the text names, whatever its case and accents; None for none.

        >>> Key.of("Règles"), Key.of("qs")
        (<Key.RULES: ('r', 'rules', 'regles')>, None)
        """
        word = " ".join(bare(text).split())
        return next((each for each in cls if word in each.value), None)


class Key(TypedWord):
    """The keys at a table (K1, and ours beside them): letter or sign, then words."""

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
        """The letter or sign to type, as help shows it."""
        return str(self.value[0]).upper()


CARD_LINE: Final = N_("A card: its name (qs, queen of spades, ♠Q), or its place in your hand (.3).")

WHICH_NUMBER: Final = N_("Type a number from {least} to {most}, or only Enter.")

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
"""Help on each key; a line about two keys stands at the first of them."""

_MOON: Final = {
    **dict.fromkeys(("m", "-", "−", "minus", "moins"), True),
    **dict.fromkeys(("+", "plus"), False),
}

TENTH: Final = 10
"""The number of the card on the table that the key 0 asks for, with ten players (K1)."""


def key_of(line: str) -> Key | int | None:
    """Read a line as a key: a `Key`, the number of a card on the table, or None.

    >>> key_of("H"), key_of("3"), key_of("0"), key_of(".3"), key_of("qs")
    (<Key.HAND: ('h', 'hand', 'main', 'jeu')>, 3, 10, None, None)
    """
    word = bare(line)
    if word.isdecimal() and len(word) == 1:
        return int(word) or TENTH
    return Key.of(word)


def minus_of(line: str) -> bool | None:
    """Read how a moon is to count (W7): True for minus, False for plus, None for neither.

    >>> minus_of("Moins"), minus_of("+"), minus_of("")
    (True, False, None)
    """
    return _MOON.get(bare(line))


class RefereeKey(TypedWord):
    """The keys that a referee adds: letter, then words."""

    OBJECT = ("o", "object", "contester", "protester")
    REVOKE = ("v", "revoke", "claim", "renonce", "denoncer")
    BACK = ("u", "undo", "back", "annuler", "reprendre", "reparer")
    DOWN = ("d", "down", "retourner")
    CUT = ("k", "cut", "couper")
    ACCEPT = ("a", "accept", "accepter")
    TRICKS = ("g", "tricks", "levees")


RULING_LINES: Final = (
    N_("O and a name or a place (O Alice, O 2): objects to a card on the table."),
    N_("V, a name and a trick (V Alice 4): claims a revoke. V 4: announces one of your own."),
    N_("U: puts a revoke of yours right, until the trick is turned down."),
    N_("D, or Enter when asked: turns the trick down."),
    N_("K, or Enter when asked: cuts for the next deal."),
    N_("A, or Enter when asked: accepts the scores after the last deal."),
    N_("G: the tricks turned down in this deal."),
)
"""Help on the keys of a refereed table, a line each."""


def referee_key_of(line: str) -> tuple[RefereeKey | None, str]:
    """Split a line into the key that it begins with, and the text about a player or trick.

    >>> referee_key_of("o Alice")
    (<RefereeKey.OBJECT: ('o', 'object', 'contester', 'protester')>, 'Alice')
    >>> referee_key_of("u 3"), referee_key_of("v pique")
    ((None, ''), (None, ''))
    """
    word, _, about = line.strip().partition(" ")
    key = RefereeKey.of(word)
    if key is None or (about and key not in (RefereeKey.OBJECT, RefereeKey.REVOKE)):
        return None, ""
    if key is RefereeKey.REVOKE and len(word) == 1 and about and not about[-1].isdecimal():
        return None, ""  # "v pique" is a card, "v Alice 4" a claim
    return key, about.strip()


def key_lines(words: Words, rules: Ruleset) -> tuple[str, ...]:
    """Help on everything that can be typed under those rules, a line each."""
    lines: dict[Key, Sequence[str]] = {key: [line] for key, line in KEY_LINES.items()}
    if rules.irregularities is Irregularities.REFEREED:
        lines |= {Key.CLAIM: RULING_LINES, Key.UNDO: ()}
    if rules.players >= TENTH:
        lines[Key.TABLE] = [
            N_("C: the cards on the table. 1 to 9, and 0 for the tenth: one of them.")
        ]
    first = [CARD_LINE, N_("Cards to pass: several on one line (qs as 10h, or .1 .4 .7).")]
    if rules.passing.count and Direction.SCATTER in rules.passing.cycle:
        first.append(N_("Where everybody gets one of your cards: type them in the order told."))
    if rules.moon.moon is MoonRule.SHOOTER_CHOOSES:
        first.append(N_("A moon of yours that may count in two ways: minus (M), or plus (+)."))
    return tuple(words.t(line, players=rules.players) for line in chain(first, *lines.values()))


def refereed(view: View) -> referee.RefereedMatch | None:
    """The refereed match while tricks are played, until the deal is closed; None otherwise."""
    match = view.state
    if isinstance(match, referee.RefereedMatch) and match.phase is Phase.PLAYING:
        return match
    return None


def act_of(key: RefereeKey, about: str, view: View, seat: int) -> referee.RefereedSeatAction | None:
    """The action of a key; None for a key that only asks. Raises `TerminalFault`.

    Args:
        view: a refereed match as the seat sees it.
        seat: the seat that presses the key.
    """
    match key:
        case RefereeKey.BACK:
            return referee.TakeBack(seat)
        case RefereeKey.OBJECT:
            return referee.Object(seat, _whose_card(about, view, seat))
        case RefereeKey.REVOKE:
            name, _, trick = about.rpartition(" ")
            if not trick.isdecimal():
                raise TerminalFault("whose_revoke")
            own = bare(name) in ("", bare(view.state.players[seat].name))  # is announced (I9)
            against = seat if own else _somebody(name, view, seat)
            return referee.ClaimRevoke(seat, against, int(trick))
        case RefereeKey.DOWN:
            return referee.TurnDown(seat)
        case RefereeKey.CUT:
            return referee.Cut(seat)
        case RefereeKey.ACCEPT:
            return referee.Accept(seat)
    return None


def awaited(view: View, seat: int) -> referee.RefereedSeatAction | None:
    """The action other than a card that the others wait for; Enter does it. None for none."""
    match = refereed(view)
    if match is None or match.shooter is not None or seat not in referee.to_act(match):
        return None
    if match.reckoned is not None:
        return referee.Accept(seat) if match.last else referee.Cut(seat)
    return referee.TurnDown(seat) if match.lying.full else None


def _whose_card(about: str, view: View, seat: int) -> int:
    """Seat of a card on the table, named by its place as the keys 1 to 7 count, or by player."""
    match = refereed(view)
    laid = match.lying.laid if match is not None else ()
    others = [each.seat for each in laid if each.seat != seat]
    if about.isdecimal():
        if not 1 <= int(about) <= len(laid):
            raise TerminalFault("whose_card")
        return laid[int(about) - 1].seat
    if about:
        return _somebody(about, view, seat)
    if len(others) != 1:
        raise TerminalFault("whose_card")
    return others[0]


def _somebody(name: str, view: View, seat: int) -> int:
    """The seat of another player. Raises `TerminalFault`."""
    others = {at: each.name for at, each in enumerate(view.state.players) if at != seat}
    found = called(name, others)
    if len(found) != 1:
        raise TerminalFault("nobody_called", name=name, players=tuple(others.values()))
    return found[0]


def called(name: str, names: Mapping[int, str]) -> list[int]:
    """The places of the people with that name, or else of those whose names begin with it."""
    typed = bare(name)
    spelt = {place: bare(each) for place, each in names.items()}
    found = [place for place, each in spelt.items() if each == typed]
    return found or [place for place, each in spelt.items() if each.startswith(typed)]
