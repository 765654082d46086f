"""Acts, sayings and requests of somebody else at the table, as a real screen reader speaks them."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Final, TypeAlias

import pytest
from kit.orca.desk import Desk
from kit.orca.ear import Ear, compare
from kit.orca.playroom import Friend, Guest, Seat
from kit.sites import Playroom
from page.orca.conftest import ByEar

from volte.game import AskUndo
from volte.referee import Object
from volte.table.commands import Act
from volte.table.turns import TurnKind

pytestmark = pytest.mark.full

LAST: Final = 3
"""The seat that plays just before the first one does."""
READING: Final = 2.0
"""Seconds until a reader is shown all of a long dialog."""


Chapter: TypeAlias = Callable[[Ear, Seat, Friend], None]


def company(name: str, *chapters: Chapter) -> Callable[[Playroom, Guest, Desk], None]:
    """Zoé and Bob at a table, with two bots; nothing has been passed, and Zoé is in her hand."""

    def listen(playroom: Playroom, guest: Guest, desk: Desk) -> None:
        friend = Friend.come(playroom)
        levels = ["casual", "casual", ""]
        table = guest.open_table(name, levels, pass_count=0, match_end="deals:1")
        friend.sit(table, LAST)
        ear, seat = Ear(desk), Seat(playroom, desk.lang, table)
        guest.open(ear, f"/tables/{table}?begin", "a table", word="to pass")
        friend.play(lambda: seat.what is TurnKind.PLAY)
        ear.seek("Tab", "hand")
        for chapter in chapters:
            chapter(ear, seat, friend)
            compare(ear)
        friend.leave()

    return listen


def test_what_somebody_else_does_is_heard(by_ear: ByEar) -> None:
    by_ear(company("coeurs", talk, ask_back, come_and_go))


def talk(ear: Ear, _: Seat, bob: Friend) -> None:
    """Bob says something; it is answered, in words and by a phrase."""
    ear.chapter("talk")
    ear.listen("Bob says something", lambda: bob.say("Bonsoir, Zoé"), "Bob says")
    ear.pass_over("m", "own words")
    ear.type("Bonsoir")
    ear.press("Return")
    ear.seek("Tab", "phrases")
    ear.press("Down", "Tab", "Return", "Escape", "t")


def ask_back(ear: Ear, seat: Seat, bob: Friend) -> None:
    """Bob asks for his card back, and has it by a key."""
    ear.chapter("undo")
    ear.listen("Bob asks", lambda: bob.do(Act(AskUndo(bob.seat))), "Bob asks")
    ear.press("t", "a", "t")
    ear.listen("Bob plays", lambda: bob.play(lambda: seat.what is TurnKind.PLAY), "my turn")


def come_and_go(ear: Ear, _: Seat, bob: Friend) -> None:
    ear.chapter("company")
    ear.listen("Bob loses the line", bob.lose, "bot plays")
    ear.press("t")
    ear.listen("Bob comes back", bob.join, "Bob is back")
    ear.press("t")
    ear.seek("Tab", "more")
    ear.seek("Right", "leave seat")
    ear.press("Return")
    ear.seek("Tab", "leave seat")
    ear.pass_over("Return", "seat left")
    ear.press("t")


def test_somebody_else_objects_and_a_revoke_is_claimed(by_ear: ByEar) -> None:
    by_ear(company("coeurs-table", claim))


def claim(ear: Ear, seat: Seat, bob: Friend) -> None:
    """Bob objects; then a revoke is claimed, line by line, with the latest trick first."""

    def objects_and_plays() -> None:
        bob.do(Act(Object(bob.seat, 0)))
        bob.play(partial(seat.holds, 12))

    def plays() -> bool:
        bob.play(partial(seat.holds, 11))
        return True

    seat.go_to(ear, seat.legal)
    ear.chapter("refereed")
    ear.until("Return", "a full trick", lambda: len(seat.trick) == 4, "")
    ear.listen("Bob objects, and plays on", objects_and_plays, "my turn")
    seat.go_to(ear, seat.legal)
    ear.until("Return", "the third trick", plays, "my turn")
    ear.press("v")
    ear.desk.settle(READING)
    ear.press("h", "Down", "space", "h", "Down")
    ear.seek("Down", "trick 1")
    ear.press("space")
    ear.seek("Tab", "claim it")
    ear.press("Return", "t")
