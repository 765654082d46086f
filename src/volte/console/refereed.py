"""What is typed at a refereed table: acts of one's own, and whom and what they are about."""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from typing import Final

from volte.console.keys import bare
from volte.console.terminal import TerminalFault
from volte.game import Phase
from volte.referee import (
    Accept,
    ClaimRevoke,
    Cut,
    Object,
    RefereedMatch,
    RefereedSeatAction,
    TakeBack,
    TurnDown,
    to_act,
)
from volte.say import N_
from volte.view import View


class RefereeKey(Enum):
    """The same in every language: letter, then words; they stand beside those of `keys`."""

    OBJECT = ("o", "object", "contester", "protester")
    REVOKE = ("v", "revoke", "claim", "renonce", "denoncer")
    BACK = ("u", "undo", "back", "annuler", "reprendre", "reparer")
    DOWN = ("d", "down", "retourner")
    CUT = ("k", "cut", "couper")
    ACCEPT = ("a", "accept", "accepter")
    TRICKS = ("g", "tricks", "levees")


RULING_LINES: Final[Mapping[RefereeKey, str]] = {
    RefereeKey.OBJECT: N_(
        "O and a name or a place (O Alice, O 2): objects to a card on the table."
    ),
    RefereeKey.REVOKE: N_(
        "V, a name and a trick (V Alice 4): claims a revoke. V 4: announces one of your own."
    ),
    RefereeKey.BACK: N_("U: puts a revoke of yours right, until the trick is turned down."),
    RefereeKey.DOWN: N_("D, or Enter when asked: turns the trick down."),
    RefereeKey.CUT: N_("K, or Enter when asked: cuts for the next deal."),
    RefereeKey.ACCEPT: N_("A, or Enter when asked: accepts the scores after the last deal."),
    RefereeKey.TRICKS: N_("G: the tricks turned down in this deal."),
}
"""What they do, a line each."""

_KEYS: Final = {word: key for key in RefereeKey for word in key.value}
_ABOUT_SOMEBODY: Final = frozenset({RefereeKey.OBJECT, RefereeKey.REVOKE})


def referee_key_of(line: str) -> tuple[RefereeKey | None, str]:
    """The key that a line begins with, and whom or what it is about.

    >>> referee_key_of("o Alice")
    (<RefereeKey.OBJECT: ('o', 'object', 'contester', 'protester')>, 'Alice')
    >>> referee_key_of("u 3"), referee_key_of("v pique")
    ((None, ''), (None, ''))
    """
    word, _, about = line.strip().partition(" ")
    key = _KEYS.get(bare(word))
    if key is None or (about and key not in _ABOUT_SOMEBODY):
        return None, ""
    if key is RefereeKey.REVOKE and len(word) == 1 and about and not about[-1].isdecimal():
        return None, ""  # "v pique" is a card, "v Alice 4" a claim
    return key, about.strip()


def refereed(view: View) -> RefereedMatch | None:
    """The match while its tricks are played and until the deal is closed, with a referee."""
    match = view.state
    playing = isinstance(match, RefereedMatch) and match.phase is Phase.PLAYING
    return match if playing and isinstance(match, RefereedMatch) else None


def act_of(key: RefereeKey, about: str, view: View, seat: int) -> RefereedSeatAction | None:
    """What that key does; None for one that only asks. Raises `TerminalFault`.

    Args:
        view: of a refereed match.
        seat: whose key.
    """
    match key:
        case RefereeKey.BACK:
            return TakeBack(seat)
        case RefereeKey.OBJECT:
            return Object(seat, _whose_card(about, view, seat))
        case RefereeKey.REVOKE:
            name, _, trick = about.rpartition(" ")
            if not trick.isdecimal():
                raise TerminalFault("whose_revoke")
            return ClaimRevoke(seat, _whose_revoke(name, view, seat), int(trick))
        case RefereeKey.DOWN:
            return TurnDown(seat)
        case RefereeKey.CUT:
            return Cut(seat)
        case RefereeKey.ACCEPT:
            return Accept(seat)
    return None


def awaited(view: View, seat: int) -> RefereedSeatAction | None:
    """What the seat is waited for where it is no card: Enter does it."""
    match = refereed(view)
    if match is None or match.shooter is not None or seat not in to_act(match):
        return None
    if match.reckoned is not None:
        return Accept(seat) if match.last else Cut(seat)
    return TurnDown(seat) if match.lying.full else None


def _whose_card(about: str, view: View, seat: int) -> int:
    """A card that lies there: by its place, as the keys 1 to 7 count, or by whose it is."""
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


def _whose_revoke(name: str, view: View, seat: int) -> int:
    """Somebody else's; one's own where nobody is named, or oneself (I9)."""
    own = bare(name) in ("", bare(view.state.players[seat].name))
    return seat if own else _somebody(name, view, seat)


def _somebody(name: str, view: View, seat: int) -> int:
    """Who is called so, or begins so. Raises `TerminalFault`."""
    names = {place: bare(player.name) for place, player in enumerate(view.state.players)}
    others = {place: called for place, called in names.items() if place != seat}
    wanted = bare(name)
    found = [place for place, called in others.items() if called == wanted]
    found = found or [place for place, called in others.items() if called.startswith(wanted)]
    if len(found) != 1:
        players = tuple(view.state.players[place].name for place in others)
        raise TerminalFault("nobody_called", name=name, players=players)
    return found[0]
