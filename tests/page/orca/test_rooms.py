"""Pages beside the tables, as a real screen reader speaks them: each where it is particular."""

from __future__ import annotations

from typing import Final

import pytest
from kit.sites import House, open_house
from page.evenings import club_of
from page.orca.desk import Desk, missing
from page.orca.ear import Ear, compare, twice
from page.orca.playroom import Guest, door
from page.orca.test_heard import HAND

from volte.lessons.puzzles import collection
from volte.table import Someone

pytestmark = [
    pytest.mark.full,
    pytest.mark.skipif(missing() != "", reason=f"missing for Orca: {missing()}"),
]

LOGIN: Final = {"fr": "Identifiant", "en": "Login"}
SAVE: Final = {"fr": "Enregistrer", "en": "Save"}
SAVED: Final = {"fr": "Vos réglages sont enregistrés", "en": "Your settings are saved"}
FAULT: Final = {"fr": "Un identifiant a de 2 à 64", "en": "A login has 2 to 64"}
NONE_YET: Final = {"fr": "0 cœurs sur 13", "en": "0 of 13 hearts"}
WRITTEN: Final = {"fr": "C’est noté", "en": "Written down"}
GROUP: Final = {"fr": "Ce qui est dit", "en": "What is told"}
SEAT: Final = {"fr": "Joueur 1 ", "en": "Player 1 "}
BEGIN: Final = {"fr": "Commencer la feuille", "en": "Begin the sheet"}
QUEEN: Final = {"fr": "dame de pique", "en": "queen of spades"}
WRITE: Final = {"fr": "Noter", "en": "Write"}


@pytest.mark.parametrize("lang", ["fr", "en"])
def test_the_pages_beside_the_tables_are_heard(
    tmp_path_factory: pytest.TempPathFactory, lang: str
) -> None:
    def listen() -> None:
        folder = tmp_path_factory.mktemp("house")
        with open_house(folder) as house, Desk(lang) as desk, Guest(house, lang) as guest:
            for chapter in (settings, account, club, puzzle, score):
                chapter(house, guest, desk)

    twice(listen)


def come(house: House, guest: Guest, ear: Ear, path: str) -> None:
    with door(guest.cookie, f"{house.address}{path}") as address:
        ear.open(address, path)


def settings(house: House, guest: Guest, desk: Desk) -> None:
    """The headings of all groups, the name of one before its first field, and a change."""
    ear, lang = Ear(desk), desk.lang
    ear.chapter("settings")
    come(house, guest, ear, "/me")
    ear.seek("h", GROUP[lang])
    ear.press("Tab", "Tab", "Down", "Tab")
    ear.seek("b", SAVE[lang])
    ear.pass_over("Return", SAVED[lang])
    ear.press(*"hhhhhhhhhh")
    compare(ear)


def account(house: House, guest: Guest, desk: Desk) -> None:
    ear, lang = Ear(desk), desk.lang
    ear.chapter("account")
    come(house, guest, ear, "/account")
    ear.press("h")
    ear.seek("Tab", LOGIN[lang])
    ear.press("Tab", "Tab", "Tab")
    ear.pass_over("Return", FAULT[lang])
    ear.press("Tab", "Return")
    compare(ear)


def club(house: House, guest: Guest, desk: Desk) -> None:
    ear = Ear(desk)
    who = Someone(guest.person, guest.name)
    key = house.do(club_of(house.site.room, who)).id
    ear.chapter("club")
    come(house, guest, ear, f"/clubs/{key}")
    ear.press(*"hhhhl")
    compare(ear)


def puzzle(house: House, guest: Guest, desk: Desk) -> None:
    """A position is looked at from the hand, and a card played."""
    ear = Ear(desk)
    ear.chapter("puzzle")
    come(house, guest, ear, f"/puzzle/{collection()[0].number}")
    ear.press("h", "Down", "Down")
    ear.seek("Tab", HAND[desk.lang])
    ear.press("c", "s", "Right", "Return", "Tab")
    compare(ear)


def score(house: House, guest: Guest, desk: Desk) -> None:
    """An evening with real cards: three names beside one's own, and one deal."""
    ear, lang = Ear(desk), desk.lang
    come(house, guest, ear, "/score/new")
    ear.seek("Tab", SEAT[lang])
    ear.chapter("score")
    ear.press("Tab")
    for name in ("Anne", "Bruno", "Cara"):
        ear.type(name)
        ear.press("Tab")
    ear.press("Down")
    ear.seek("Tab", BEGIN[lang])
    ear.pass_over("Return", NONE_YET[lang])
    compare(ear)
    ear = Ear(desk)
    ear.seek("Tab", guest.name)
    ear.chapter("scored")
    for count in "346":
        ear.type(count)
        ear.press("Tab")
    ear.seek("Tab", QUEEN[lang])
    ear.press("space")
    ear.seek("Tab", WRITE[lang])
    ear.pass_over("Return", WRITTEN[lang])
    ear.press("Tab")
    compare(ear)
