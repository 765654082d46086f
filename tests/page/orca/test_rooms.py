"""Pages beside the tables, as a real screen reader speaks them: each where it is particular."""

from __future__ import annotations

import pytest
from kit.browser.backdrops import club_of
from kit.orca.desk import Desk
from kit.orca.ear import Ear, compare
from kit.orca.playroom import Guest
from kit.sites import Playroom
from page.orca.conftest import ByEar

from volte.lessons.puzzles import collection
from volte.table import Someone

pytestmark = pytest.mark.full


def test_the_pages_beside_the_tables_are_heard(by_ear: ByEar) -> None:
    def listen(playroom: Playroom, guest: Guest, desk: Desk) -> None:
        for chapter in (settings, account, club, puzzle, score):
            chapter(playroom, guest, desk)

    by_ear(listen)


def settings(playroom: Playroom, guest: Guest, desk: Desk) -> None:
    """The headings of all groups, the name of one before its first field, and a change."""
    ear = Ear(desk)
    ear.chapter("settings")
    guest.open(ear, "/me")
    ear.seek("h", "what is told")
    ear.press("Tab", "Tab", "Down", "Tab")
    ear.seek("b", "save")
    ear.pass_over("Return", "saved")
    ear.press(*"hhhhhhhhhh")
    compare(ear)


def account(playroom: Playroom, guest: Guest, desk: Desk) -> None:
    ear = Ear(desk)
    ear.chapter("account")
    guest.open(ear, "/account")
    ear.press("h")
    ear.seek("Tab", "login")
    ear.press("Tab", "Tab", "Tab")
    ear.pass_over("Return", "fault")
    ear.press("Tab", "Return")
    compare(ear)


def club(playroom: Playroom, guest: Guest, desk: Desk) -> None:
    ear = Ear(desk)
    who = Someone(guest.person, guest.name)
    key = playroom.do(club_of(playroom.site.room, who)).id
    ear.chapter("club")
    guest.open(ear, f"/clubs/{key}")
    ear.press(*"hhhhl")
    compare(ear)


def puzzle(playroom: Playroom, guest: Guest, desk: Desk) -> None:
    """A position is looked at from the hand, and a card played."""
    ear = Ear(desk)
    ear.chapter("puzzle")
    guest.open(ear, f"/puzzle/{collection()[0].number}")
    ear.press("h", "Down", "Down")
    ear.seek("Tab", "hand")
    ear.press("c", "s", "Right", "Return", "Tab")
    compare(ear)


def score(playroom: Playroom, guest: Guest, desk: Desk) -> None:
    """An evening with real cards: three names beside one's own, and one deal."""
    ear = Ear(desk)
    guest.open(ear, "/score/new")
    ear.seek("Tab", {"fr": "Joueur 1 ", "en": "Player 1 "}[desk.lang])
    ear.chapter("score")
    ear.press("Tab")
    for name in ("Anne", "Bruno", "Cara"):
        ear.type(name)
        ear.press("Tab")
    ear.press("Down")
    ear.seek("Tab", "begin the sheet")
    ear.pass_over("Return", "none yet")
    compare(ear)
    ear = Ear(desk)
    ear.seek("Tab", guest.name)
    ear.chapter("scored")
    for count in "346":
        ear.type(count)
        ear.press("Tab")
    ear.seek("Tab", "queen")
    ear.press("space")
    ear.seek("Tab", "write")
    ear.pass_over("Return", "written")
    ear.press("Tab")
    compare(ear)
