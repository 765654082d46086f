"""Lines typed at the table: the keys, and their meaning for a seat."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from volte import game, referee
from volte.console.terminal import TerminalFault
from volte.game import Phase
from volte.referee import RefereedMatch
from volte.rules import Direction, Irregularities, MoonRule, Ruleset
from volte.say import N_, Words
from volte.say.keys import (
    DIGITS,
    OF_COMPANY,
    SEATS,
    Key,
    Keys,
    bare,
    keys_of,
    listed,
    within,
)
from volte.view import View

CARD_LINE: Final = N_("A card: its name (qs, queen of spades), or its place in your hand (.3).")

WHICH_NUMBER: Final = N_("Type a number from {least} to {most}, or just press Enter.")

_MOON: Final = {
    **dict.fromkeys(("-", "−", "minus", "moins"), True),
    **dict.fromkeys(("+", "plus"), False),
}

TENTH: Final = 10
"""The number of the card on the table that the key 0 asks for, with ten players (K1)."""


def key_of(line: str) -> Key | int | None:
    """Read a line as a key: a `Key`, a number, or None.

    A digit asks for a card on the table; twice, for a seat, which is told by a negative number.

    >>> key_of("H"), key_of("3"), key_of("0"), key_of("33"), key_of(".3"), key_of("qs")
    (<Key.HAND: ('h', 'hand', 'main', 'jeu')>, 3, 10, -3, None, None)
    """
    word = bare(line)
    if word.isdecimal() and len(word) <= 2 and len(set(word)) == 1:
        number = int(word[0]) or TENTH
        return number if len(word) == 1 else -number
    return Key.of(word)


def minus_of(line: str) -> bool | None:
    """Read how a moon is to count (W7): True for minus, False for plus, None for neither.

    >>> minus_of("Moins"), minus_of("+"), minus_of("")
    (True, False, None)
    """
    return _MOON.get(bare(line))


ACTING: Final = frozenset(keys_of(Keys.ACTING))


def act_key_of(line: str) -> tuple[Key | None, str]:
    """Split a line into the key of an action that it begins with, and the text about a player.

    >>> act_key_of("o Alice")
    (<Key.OBJECT: ('o', 'object', 'contester', 'protester')>, 'Alice')
    >>> act_key_of("u 3"), act_key_of("v pique")
    ((None, ''), (None, ''))
    """
    word, _, about = line.strip().partition(" ")
    key = Key.of(word)
    if key is Key.CLAIM and about:
        key = Key.CLAIM_REVOKE
    if key not in ACTING or (about and key not in (Key.OBJECT, Key.CLAIM_REVOKE)):
        return None, ""
    if key is Key.CLAIM_REVOKE and len(word) == 1 and about and not about[-1].isdecimal():
        return None, ""  # "v pique" is a card, "v Alice 4" a claim
    return key, about.strip()


def key_lines(words: Words, rules: Ruleset, *more: Keys, claims: bool = False) -> tuple[str, ...]:
    """Help on everything that can be typed under those rules, a line each.

    Args:
        more: sorts of keys that the place adds, before those of every terminal.
        claims: whether the rest of the deal can be claimed.
    """
    lines = [CARD_LINE, N_("Cards to pass: several on one line (qs as 10h, or .1 .4 .7).")]
    if rules.passing.count and Direction.SCATTER in rules.passing.cycle:
        lines.append(
            N_("When each player gets one of your cards, type the cards in the order you are told.")
        )
    if rules.moon.moon is MoonRule.SHOOTER_CHOOSES:
        lines.append(
            N_("When you have shot the moon and may choose how it counts: minus (−) or plus (+).")
        )
    has_referee = rules.irregularities is Irregularities.REFEREED
    left_out = set[Key]() if claims else {Key.CLAIM}
    if not has_referee:
        left_out |= {Key.OBJECT, Key.CLAIM_REVOKE, Key.CUT}
    if not more:  # nobody else is there
        left_out.update(OF_COMPANY)
    if not (has_referee or more):
        left_out |= {Key.ACCEPT, Key.TURN_DOWN}
    sorts = (Keys.ASKING, Keys.HEARING, Keys.ACTING, *more, Keys.TERMINAL)
    keys = [key for key in keys_of(*sorts) if key not in left_out]
    return (*map(words.t, lines), *digit_lines(words, rules.players), *listed(words, keys))


def digit_lines(words: Words, players: int) -> tuple[str, str]:
    """Help on the digits, which ask for cards on the table, and twice for seats."""
    cards = N_("1 to {players}: {does}.")
    if players >= TENTH:
        cards = N_("1 to 9, and 0 for the tenth card: {does}.")
    seats = N_("The same digit twice, as in 22: {does}.")
    return (
        words.t(cards, players=players, does=within(words, DIGITS)),
        words.t(seats, does=within(words, SEATS)),
    )


def refereed(view: View) -> referee.RefereedMatch | None:
    """The refereed match while tricks are played, until the deal is closed; None otherwise."""
    match = view.state
    if isinstance(match, referee.RefereedMatch) and match.phase is Phase.PLAYING:
        return match
    return None


def act_of(key: Key, about: str, view: View, seat: int) -> referee.SeatAction:
    """The action of a key, which may be refused. Raises `TerminalFault`.

    Args:
        key: one of `ACTING`.
        about: the player or trick that was named.
        seat: the seat that presses the key.
    """
    match, asked = view.state, seat in game.still_to_consent(view.state)
    if key is Key.PUT_RIGHT and match.phase is Phase.PASSING:
        return game.TakeBackPass(seat)
    if key is Key.PUT_RIGHT and not isinstance(match, RefereedMatch):
        return game.AskUndo(seat)
    if asked and key in (Key.ACCEPT, Key.TURN_DOWN):
        return game.AnswerUndo(seat, key is Key.ACCEPT)
    if not isinstance(match, RefereedMatch) or key is Key.TURN_DOWN:
        return referee.TurnDown(seat)  # which says that there is no referee
    match key:
        case Key.OBJECT:
            return referee.Object(seat, _whose_card(about, view, seat))
        case Key.CLAIM_REVOKE:
            name, _, trick = about.rpartition(" ")
            if not trick.isdecimal():
                raise TerminalFault("whose_revoke")
            own = bare(name) in ("", bare(view.state.players[seat].name))  # is announced (I9)
            against = seat if own else _somebody(name, view, seat)
            return referee.ClaimRevoke(seat, against, int(trick))
        case Key.CUT:
            return referee.Cut(seat)
        case Key.ACCEPT:
            return referee.Accept(seat)
    return referee.TakeBack(seat)


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
