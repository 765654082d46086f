"""The page as a real screen reader speaks it, compared with `goldens/`.

Each golden is part of what one person hears: a line with `>` is what they press, or in brackets
what comes to pass; below it stands every sentence that Orca sent to the synthesiser. They are read
as prose: where sentences are joined into one message, and how a browser tells that a page is
loading, is left out of them. VOLTE_REMAKE_GOLDENS=1 writes them anew.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Final

import pytest
from kit.orca.desk import Desk
from kit.orca.ear import Ear, compare
from kit.orca.playroom import Guest, Seat, stacked
from kit.sites import Playroom, open_playroom
from page.orca.conftest import SEED, ByEar

from volte.table.turns import TurnKind

READ_ON: Final = "KP_Add"
"""The key that makes Orca read the page from the present place."""
SPOKEN: Final = 9.0
"""Seconds of silence after which the greeting has been heard at the usual speed."""


@contextmanager
def heard_playroom(folder: Path) -> Iterator[Playroom]:
    """The playroom of `by_ear`, for a visitor without a name."""
    with open_playroom(folder) as playroom, stacked(playroom, SEED):
        yield playroom


@pytest.mark.full
def test_a_guest_arrives(tmp_path_factory: pytest.TempPathFactory, lang: str) -> None:
    arrive(tmp_path_factory.mktemp("playroom"), lang)


def arrive(folder: Path, lang: str) -> None:
    with heard_playroom(folder) as playroom, Desk(lang) as desk:
        ear, seat = Ear(desk), Seat(playroom)
        ear.chapter("arriving")
        ear.open(playroom.address, "the first page")
        ear.press(READ_ON)
        ear.seek("Tab", "play now")
        ear.seek("Tab", "name")
        ear.type("Zoe")
        ear.until("Return", "at the table", lambda: seat.what is TurnKind.PASS, "to pass")
        desk.settle(SPOKEN)  # the page would say it again, and its log comes a moment later
        ear.chapter("newcomer")
        ear.press(READ_ON)
        ear.seek("shift+Tab", "helped")
        ear.press("Return", "t")
        compare(ear)


@pytest.mark.parametrize(
    ("lang", "whole"),
    [("fr", False), *(pytest.param(lang, True, marks=pytest.mark.full) for lang in ("fr", "en"))],
    indirect=["lang"],
)
def test_a_deal_is_played(by_ear: ByEar, whole: bool) -> None:
    """The table, the pass and a trick; all keys, and on to the next deal, which takes a while."""

    def listen(playroom: Playroom, guest: Guest, desk: Desk) -> None:
        ear, seat = Ear(desk), Seat(playroom, desk.lang)
        table = guest.open_table("coeurs", match_end="deals:2")
        ear.chapter("table")
        guest.open(ear, f"/tables/{table}?begin", "a table", word="to pass")
        listen_to_the_table(ear)
        keys, rest = ([listen_to_the_keys], [listen_to_the_rest]) if whole else ([], [])
        for chapter in (listen_to_the_pass, *keys, listen_to_a_trick, *rest):
            chapter(ear, seat)
        compare(ear)

    by_ear(listen)


def listen_to_the_table(ear: Ear) -> None:
    """From heading to heading, and from landmark to landmark."""
    ear.seek("h", "hand")
    ear.press("m", "m")


def listen_to_the_pass(ear: Ear, seat: Seat) -> None:
    ear.chapter("passing")
    ear.seek("Tab", "hand")
    ear.press("space", "Right", "Return", "Right", "space", "t", "h")
    ear.seek("Tab", "pass")
    ear.until("Return", "my turn", partial(seat.holds, 13), "my turn")


def listen_to_the_keys(ear: Ear, _: Seat) -> None:
    """All the questions."""
    ear.chapter("keys")
    ear.press(*"c1234thslp")


def listen_to_a_trick(ear: Ear, seat: Seat) -> None:
    """A card that may not be played, and one that may."""
    ear.chapter("illegal")
    seat.go_to(ear, seat.barred)
    ear.press("Return")
    ear.chapter("trick")
    seat.go_to(ear, seat.legal)
    ear.until("Return", "my turn", partial(seat.holds, 12), "my turn")
    ear.press("l", "e")
    ear.chapter("dialog")
    ear.press("question", "Escape", "t")


def listen_to_the_rest(ear: Ear, seat: Seat) -> None:
    ear.chapter("ending")
    for left in range(11, 0, -1):
        seat.go_to(ear, seat.legal)
        ear.until("Return", "my turn", partial(seat.holds, left), "my turn")
    ear.until("Return", "the end of the deal", lambda: seat.what is TurnKind.NEXT, "next waits")
    ear.press("s", "l", "p")
    ear.seek("Tab", "next")
    ear.until("Return", "the next deal", lambda: seat.what is TurnKind.PASS, "to pass")
    ear.press("h")


@pytest.mark.full
def test_an_objection_is_made_and_ruled_on(by_ear: ByEar) -> None:
    """The dialog is heard once, then the ruling; the hand answers its keys again at once."""
    by_ear(object_to_a_card)


def object_to_a_card(playroom: Playroom, guest: Guest, desk: Desk) -> None:
    ear, seat = Ear(desk), Seat(playroom, desk.lang)
    table = guest.open_table("coeurs-table", pass_count=0, match_end="deals:1")
    guest.open(ear, f"/tables/{table}?begin", "a table", word="to pass")
    ear.seek("Tab", "hand")
    if not seat.trick:
        seat.go_to(ear, seat.legal)
        ear.until("Return", "a full trick", lambda: len(seat.trick) == 4, "my turn")
    ear.chapter("objecting")
    ear.press("o")
    ear.seek("Down", "button")
    ear.press("Return", "t", "o", "Escape", "t")
    compare(ear)
