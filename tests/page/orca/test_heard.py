"""The page as a real screen reader speaks it, held against what stands in `goldens/`.

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
from kit.orca.desk import Desk, missing
from kit.orca.ear import Ear, compare, twice
from kit.orca.playroom import Guest, Seat, door, stacked
from kit.sites import House, open_house

from volte.table.turns import TurnKind

pytestmark = pytest.mark.skipif(missing() != "", reason=f"missing for Orca: {missing()}")

SEED: Final = 7

READ_ON: Final = "KP_Add"
"""Has Orca read the page from where one is."""
SPOKEN: Final = 9.0
"""Seconds of silence after which whoever hears the greeting at the usual speed has heard it."""

NAME: Final = {"fr": "zone de saisie", "en": "entry"}
PLAY_NOW: Final = {"fr": "Jouer tout de suite", "en": "Play now"}
HAND: Final = {"fr": "Votre main", "en": "Your hand"}
PASS: Final = {"fr": "Passer", "en": "Pass"}
HELPED: Final = {"fr": "compris", "en": "Got it"}
BUTTON: Final = {"fr": "bouton", "en": "button"}
TO_PASS: Final = {"fr": "Passez", "en": "Pass"}
MY_TURN: Final = {"fr": "À vous.", "en": "Your turn."}
NEXT_WAITS: Final = {"fr": "vous attend", "en": "waits for you"}
NEXT: Final = {"fr": "Manche suivante", "en": "Next deal"}


@contextmanager
def playroom(folder: Path) -> Iterator[House]:
    with open_house(folder) as house, stacked(house, SEED):
        yield house


@pytest.mark.full
@pytest.mark.parametrize("lang", ["fr", "en"])
def test_a_guest_arrives(tmp_path_factory: pytest.TempPathFactory, lang: str) -> None:
    twice(lambda: arrive(tmp_path_factory.mktemp("house"), lang))


def arrive(folder: Path, lang: str) -> None:
    with playroom(folder) as house, Desk(lang) as desk:
        ear, seat = Ear(desk), Seat(house)
        ear.chapter("arriving")
        ear.open(house.address, "the first page")
        ear.press(READ_ON)
        ear.seek("Tab", PLAY_NOW[lang])
        ear.seek("Tab", NAME[lang])
        ear.type("Zoe")
        ear.until("Return", "at the table", lambda: seat.what is TurnKind.PASS, TO_PASS[lang])
        desk.settle(SPOKEN)  # the page would say it again, and its log comes a moment later
        ear.chapter("newcomer")
        ear.press(READ_ON)
        ear.seek("shift+Tab", HELPED[lang])
        ear.press("Return", "t")
        compare(ear)


@pytest.mark.parametrize(
    ("lang", "whole"),
    [("fr", False), *(pytest.param(lang, True, marks=pytest.mark.full) for lang in ("fr", "en"))],
)
def test_a_deal_is_played(tmp_path_factory: pytest.TempPathFactory, lang: str, whole: bool) -> None:
    """The table, the pass and a trick; all keys, and on to the next deal, which takes a while."""
    twice(lambda: play(tmp_path_factory.mktemp("house"), lang, whole))


def play(folder: Path, lang: str, whole: bool) -> None:
    with playroom(folder) as house, Guest(house, lang) as guest, Desk(lang) as desk:
        ear, seat = Ear(desk), Seat(house, lang)
        table = guest.open_table("coeurs", match_end="deals:2")
        with door(guest.cookie, f"{house.address}/tables/{table}?begin") as address:
            listen_to_the_table(ear, address)
        keys, rest = ([listen_to_the_keys], [listen_to_the_rest]) if whole else ([], [])
        for listen in (listen_to_the_pass, *keys, listen_to_a_trick, *rest):
            listen(ear, seat)
            compare(ear)  # what was not caught is listened for again at once


def listen_to_the_table(ear: Ear, address: str) -> None:
    """From heading to heading, and from landmark to landmark."""
    ear.chapter("table")
    ear.open(address, "a table")
    ear.seek("h", HAND[ear.desk.lang])
    ear.press("m", "m")


def listen_to_the_pass(ear: Ear, seat: Seat) -> None:
    ear.chapter("passing")
    ear.seek("Tab", HAND[ear.desk.lang])
    ear.press("space", "Right", "Return", "Right", "space", "t", "h")
    ear.seek("Tab", PASS[ear.desk.lang])
    ear.until("Return", "my turn", partial(seat.holds, 13), MY_TURN[ear.desk.lang])


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
    ear.until("Return", "my turn", partial(seat.holds, 12), MY_TURN[ear.desk.lang])
    ear.press("l", "e", "b")
    ear.chapter("dialog")
    ear.press("question", "Escape", "t")


def listen_to_the_rest(ear: Ear, seat: Seat) -> None:
    ear.chapter("ending")
    for left in range(11, 0, -1):
        seat.go_to(ear, seat.legal)
        ear.until("Return", "my turn", partial(seat.holds, left), MY_TURN[ear.desk.lang])
    ear.until(
        "Return",
        "the end of the deal",
        lambda: seat.what is TurnKind.NEXT,
        NEXT_WAITS[ear.desk.lang],
    )
    ear.press("s", "l", "p")
    ear.seek("Tab", NEXT[ear.desk.lang])
    ear.until("Return", "the next deal", lambda: seat.what is TurnKind.PASS, TO_PASS[ear.desk.lang])
    ear.press("h")


@pytest.mark.full
@pytest.mark.parametrize("lang", ["fr", "en"])
def test_an_objection_is_made_and_ruled_on(
    tmp_path_factory: pytest.TempPathFactory, lang: str
) -> None:
    """The dialog is heard once, then the ruling; the hand answers its keys again at once."""
    twice(lambda: object_to_a_card(tmp_path_factory.mktemp("house"), lang))


def object_to_a_card(folder: Path, lang: str) -> None:
    with (
        playroom(folder) as house,
        Guest(house, lang) as guest,
        Desk(lang) as desk,
    ):
        ear, seat = Ear(desk), Seat(house, lang)
        table = guest.open_table("coeurs-table", pass_count=0, match_end="deals:1")
        with door(guest.cookie, f"{house.address}/tables/{table}?begin") as address:
            ear.open(address, "a table")
        ear.seek("Tab", HAND[lang])
        if not seat.trick:
            seat.go_to(ear, seat.legal)
            ear.until("Return", "a full trick", lambda: len(seat.trick) == 4, MY_TURN[lang])
        ear.chapter("objecting")
        ear.press("o")
        ear.seek("Down", BUTTON[lang])
        ear.press("Return", "t", "o", "Escape", "t")
        compare(ear)
