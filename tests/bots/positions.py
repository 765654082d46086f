"""Positions with one right play, read from the texts in `tests/positions`.

A text is a head, an empty line, and the lines by which the engine protocol tells a position: so
what its seat knows is set up by its history, and any bot can choose from it. `README.md` there says
what the head tells.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from pathlib import Path
from typing import Final, NoReturn

from volte.cards import Card, CardSet, Fault, read_cards
from volte.engine import EngineSession, EngineSettings
from volte.game import Phase
from volte.rules import make_ruleset
from volte.view import View

FOLDER: Final = Path(__file__).resolve().parent.parent / "positions"


class Theme(StrEnum):
    """What a position is about."""

    START_MOON = "start a moon"
    STOP_MOON = "stop a moon"
    GIVE_UP_MOON = "give up a moon"
    DUCK_QUEEN = "duck the queen"
    FORCE_QUEEN = "force the queen out"
    HOLD_UP = "hold up"
    KEEP_EXIT = "keep an exit card"
    FORCED_QUEEN = "the forced queen"  # T5
    KITTY = "kitty risk"
    JACK = "jack hunt"
    LAST_DEAL = "last deal"
    GUARDED_QUEEN = "guarded queen"


class Proof(StrEnum):
    """How the right play is proved; `bots.proving` says it in full."""

    EXACT = "exact"  # only one deal is left that fits
    DOMINANCE = "dominance"  # no other card is better in any deal that fits
    ENUMERATION = "enumeration"  # on the average of all deals that fit


class Judge(StrEnum):
    """What counts."""

    POINTS = "points"  # of the deal: the seat's own less the mean of the others'
    MATCH = "match"  # which ends with the deal: the part of the win, or the stakes


class PositionFault(Fault):
    """A text that is no position."""


@dataclass(frozen=True)
class Position:
    """A position.

    Attributes:
        name: of its file.
        right: the cards of which each is right.
        deals: ways in which the hidden cards may lie.
        text: the lines that tell it.
    """

    name: str
    title: str
    theme: Theme
    right: tuple[Card, ...]
    why: str
    judged_by: Judge
    proved_by: Proof
    deals: int
    text: str

    @property
    def view(self) -> View:
        """What the seat knows that has to play."""
        return _told(self.text)


_HEAD: Final = ("title", "theme", "hand", "right", "why", "judged by", "proved by", "deals")


def positions(folder: Path = FOLDER) -> tuple[Position, ...]:
    """All of a folder, by name."""
    return tuple(
        read_position(file.stem, file.read_text(encoding="utf-8"))
        for file in sorted(folder.glob("*.txt"))
    )


def read_position(name: str, text: str) -> Position:
    """The position of a text. Raises `PositionFault`."""
    head, _, body = text.partition("\n\n")
    told: dict[str, str] = {}
    for line in head.splitlines():
        key, colon, value = line.partition(":")
        if not colon or key not in (*_HEAD, "deck") or key in told or not value.strip():
            raise PositionFault("head_unreadable", name=name, line=line)
        told[key] = value.strip()
    for key in _HEAD:
        if key not in told:
            raise PositionFault("head_lacks", name=name, key=key)
    try:
        position = Position(
            name,
            told["title"],
            Theme(told["theme"]),
            read_cards(told["right"]),
            told["why"],
            Judge(told["judged by"]),
            Proof(told["proved by"]),
            int(told["deals"]),
            body,
        )
        view = position.view
    except PositionFault as fault:
        raise PositionFault(fault.reason, name=name, **fault.params) from None
    except ValueError as fault:
        raise PositionFault("head_wrong", name=name, why=str(fault)) from None
    seen = {"hand": str(view.hand), "deck": str(CardSet(view.deal.rules.deck_mask))}
    for key, expected in seen.items():
        if told.get(key, expected) != expected:
            raise PositionFault("told_wrong", name=name, key=key, expected=expected)
    wrong = [card for card in position.right if card not in view.legal]
    if wrong or len(position.right) in (0, len(view.legal)):
        raise PositionFault("no_choice", name=name, right=told["right"], legal=str(view.legal))
    return position


@lru_cache(maxsize=256)
def _told(text: str) -> View:
    line = ""

    def stop(fault: Fault) -> NoReturn:
        raise PositionFault("line_refused", line=line, why=str(fault))

    session = EngineSession(make_ruleset(), EngineSettings(), stop)
    for line in text.splitlines():
        session.hear(line)
    view = session.view
    if view is None or view.state.phase is not Phase.PLAYING or not view.my_turn:
        raise PositionFault("nothing_to_play", line=line)
    return view


def written(position: Position) -> str:
    """The text of a position; `read_position` reads it."""
    view = position.view
    head = {
        "title": position.title,
        "theme": position.theme,
        **(
            {"deck": str(CardSet(view.deal.rules.deck_mask))} if "removed=" in position.text else {}
        ),
        "hand": str(view.hand),
        "right": " ".join(map(str, position.right)),
        "why": position.why,
        "judged by": position.judged_by,
        "proved by": position.proved_by,
        "deals": position.deals,
    }
    lines = (f"{key}: {value}" for key, value in head.items())
    return "\n".join([*lines, "", position.text.rstrip("\n"), ""])
