"""Pages beside the tables, as a real screen reader speaks them: each where it is particular."""

from __future__ import annotations

import re
import secrets
from typing import Final
from unittest.mock import patch

import pytest
from kit.browser.backdrops import club_of, evening_of
from kit.orca.desk import Desk
from kit.orca.ear import Ear, compare
from kit.orca.lone import Lone
from kit.orca.playroom import Guest
from kit.sheet_pages import write
from kit.sites import Playroom
from page.orca.conftest import ByEar

from volte.cards import Card
from volte.lessons.lesson import STEPS
from volte.lessons.puzzles import collection
from volte.say import Words
from volte.store import Person
from volte.table import Someone

STEP: Final = {"fr": "Étape", "en": "Step"}

pytestmark = pytest.mark.full


def test_the_pages_beside_the_tables_are_heard(by_ear: ByEar) -> None:
    def listen(playroom: Playroom, guest: Guest, desk: Desk) -> None:
        for chapter in (settings, account, club, evening, puzzle, score):
            chapter(playroom, guest, desk)

    by_ear(listen)


def test_the_lesson_is_heard_to_its_end(by_ear: ByEar) -> None:
    """Each step is read line by line, and answered; one card is a wrong one."""

    def listen(_: Playroom, guest: Guest, desk: Desk) -> None:
        listen_to_the_lesson(guest, Ear(desk))

    by_ear(listen)


def listen_to_the_lesson(guest: Guest | Lone, ear: Ear) -> None:
    lang, words = ear.desk.lang, Words(ear.desk.lang)
    ear.chapter("lesson")
    guest.open(ear, "/learn/1")
    ear.press("h")
    for number, step in enumerate(STEPS, start=1):
        heard = ear.press(*["Down"] * len(step.tells))
        if number == 3:
            ear.seek("Tab", words.card(Card("KC")))
            ear.press("Return")
        for turn in [turn for scene in step.scenes for turn in scene.turns]:
            several = len(turn.right_cards) > 1
            for card in turn.right_cards:
                if f"{words.card(card)} {ear.word('push button')}" not in heard:
                    ear.seek("Tab", words.card(card))
                heard = ear.press("space" if several else "Return")
            if several:
                ear.seek("Tab", "button")
                ear.press("Return")
        if step.scenes:
            ear.turn("Return", f"{STEP[lang]} {number + 1}")
    ear.seek("Tab", "button")
    compare(ear)


def test_rules_and_the_clerk_are_heard(by_ear: ByEar) -> None:
    by_ear(lambda _, guest, desk: listen_to_the_clerk(guest, Ear(desk)))


def listen_to_the_clerk(guest: Guest | Lone, ear: Ear) -> None:
    """Rules are read, then what they say of a revoke."""
    ear.chapter("clerk")
    guest.open(ear, "/rules/coeurs")
    ear.press("h", "Down", "Down", "h", "h", "Down")
    guest.open(ear, "/clerk")
    ear.press("h", "Down")
    ear.seek("Tab", "revoke")
    ear.turn("Return", "what now")
    ear.press("Down", "Down", "Down", "h", "h", "Down")
    ear.seek("shift+Tab", "all questions")
    ear.turn("Return", "went wrong")
    ear.seek("Tab", "rules of it")
    ear.turn("Return", "its title")
    ear.press("Down", "h")
    compare(ear)


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


def evening(playroom: Playroom, guest: Guest, desk: Desk) -> None:
    """An evening in its second round, to which somebody comes late: its standings and people."""
    ear, room, host = Ear(desk), playroom.site.room, Someone("host", "Gérard")
    playroom.do(room.store.put_person(Person(host.id, host.name, "fr", {}, 1.0)))
    with patch.object(secrets, "token_bytes", bytes):  # the seats follow from the secret
        key = playroom.do(evening_of(room, host, playroom.do(club_of(room, host))))
    ear.chapter("evening")
    guest.open(ear, f"/evenings/{key}", "/evenings/…")
    ear.press(*"hhhh")
    ear.press("t", *["Down"] * 7)
    ear.press("h", "Down", "Down", "Down")
    ear.seek("shift+Tab", "I am coming")
    ear.pass_over("Return", "You are coming")
    ear.press("h", "Down", "Down")
    compare(ear)


def puzzle(playroom: Playroom, guest: Guest, desk: Desk) -> None:
    listen_to_the_puzzle(guest, Ear(desk))


def listen_to_the_puzzle(guest: Guest | Lone, ear: Ear) -> None:
    """A position is looked at from the hand, and a card played."""
    ear.chapter("puzzle")
    guest.open(ear, f"/puzzle/{collection()[0].number}")
    ear.press("h", "Down", "Down")
    ear.seek("Tab", "hand")
    ear.press("c", "s", "Right", "Return", "Tab")
    compare(ear)


def score(playroom: Playroom, guest: Guest, desk: Desk) -> None:
    """An evening with real cards, and the sheet after three deals."""
    ear = Ear(desk)
    guest.open(ear, "/score/new")
    listen_to_the_sheet(guest, keep_score(ear))


def keep_score(ear: Ear) -> Ear:
    """Fill in the form for a sheet with four names, and write one deal down."""
    ear.seek("Tab", {"fr": "Joueur 1 ", "en": "Player 1 "}[ear.desk.lang], most=60)
    ear.type("Zoe")
    ear.chapter("score")
    ear.press("Tab")
    for other in ("Anne", "Bruno", "Cara"):
        ear.type(other)
        ear.press("Tab")
    ear.press("Down")
    ear.seek("Tab", "begin the sheet")
    ear.pass_over("Return", "none yet")
    compare(ear)
    ear = Ear(ear.desk)
    ear.seek("Tab", "Zoe")
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
    return ear


def listen_to_the_sheet(guest: Guest, ear: Ear) -> None:
    """The sheet with three deals, from its head to its table."""
    links = [each["href"] for each in guest.visitor.get("/score").all("a")]
    sheet = next(each for each in links if re.fullmatch(r"/score/[^/]+(?<!new)", each))
    write(guest.visitor, sheet, 0, 13, 0, 0, queen="1")
    write(guest.visitor, sheet, 2, 2, 2, 7, queen="3")
    ear.chapter("sheet")
    guest.open(ear, sheet, "a sheet")
    ear.seek("h", "Deal 4")
    ear.press("h", "t", *["Down"] * 4, "h", *["Down"] * 4)
    compare(ear)
