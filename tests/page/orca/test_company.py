"""Somebody else at the table: what they do, say and ask, as a real screen reader speaks it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import pytest
from kit.orca.desk import Desk, missing
from kit.orca.ear import Ear, compare, twice
from kit.orca.playroom import Friend, Guest, Seat, door
from page.orca.test_heard import HAND, MY_TURN, playroom

from volte.game import AskUndo
from volte.referee import Object
from volte.table.commands import Act
from volte.table.turns import TurnKind

pytestmark = [
    pytest.mark.full,
    pytest.mark.skipif(missing() != "", reason=f"missing for Orca: {missing()}"),
]

LAST: Final = 3
"""The seat that plays just before the first one does."""

GONE: Final = {"fr": "un robot joue", "en": "a bot plays"}
BACK: Final = {"fr": "Bob est de retour", "en": "Bob is back"}
UNDO: Final = {"fr": "Bob demande", "en": "Bob asks"}
ALLOW: Final = {"fr": "Permettre", "en": "Allow it"}
SAID: Final = {"fr": "Bonsoir", "en": "Bonsoir"}
OBJECTS: Final = {"fr": "Bob conteste", "en": "Bob objects"}
MORE: Final = {"fr": "Autres actions", "en": "More actions"}
LEFT: Final = {"fr": "Vous n’avez plus de place", "en": "You no longer have a seat"}
STAND: Final = {"fr": "Quitter ma place", "en": "Leave my seat"}
CLAIM: Final = {"fr": "Dénoncer bouton", "en": "Claim it push button"}
OWN_WORDS: Final = {"fr": "Vos propres mots", "en": "Your own words"}
PHRASES: Final = {"fr": "liste déroulante", "en": "combo box"}


@contextmanager
def company(folder: Path, desk: Desk, name: str) -> Iterator[tuple[Ear, Seat, Friend]]:
    """Zoé and Bob at a table, with two bots; nothing has been passed, and Zoé is in her hand."""
    lang = desk.lang
    with playroom(folder) as house, Guest(house, lang) as guest:
        friend = Friend.come(house)
        levels = ["casual", "casual", ""]
        table = guest.open_table(name, levels, pass_count=0, match_end="deals:1")
        friend.sit(table, LAST)
        ear, seat = Ear(desk), Seat(house, lang, table)
        with door(guest.cookie, f"{house.address}/tables/{table}?begin") as address:
            ear.open(address, "a table")
        friend.play(lambda: seat.what is TurnKind.PLAY)
        ear.seek("Tab", HAND[lang])
        yield ear, seat, friend
        friend.leave()


@pytest.mark.parametrize("lang", ["fr", "en"])
def test_what_somebody_else_does_is_heard(
    tmp_path_factory: pytest.TempPathFactory, lang: str
) -> None:
    def listen() -> None:
        folder = tmp_path_factory.mktemp("house")
        with Desk(lang) as desk, company(folder, desk, "coeurs") as (ear, seat, bob):
            talk(ear, bob)
            compare(ear)
            ask_back(ear, seat, bob)
            compare(ear)
            come_and_go(ear, bob)
            compare(ear)

    twice(listen)


def talk(ear: Ear, bob: Friend) -> None:
    """Bob says something; it is answered, in words and by a phrase."""
    lang = ear.desk.lang
    ear.chapter("talk")
    ear.listen("Bob says something", lambda: bob.say("Bonsoir, Zoé"), SAID[lang])
    ear.pass_over("m", OWN_WORDS[lang])
    ear.type("Bonsoir")
    ear.press("Return")
    ear.seek("Tab", PHRASES[lang])
    ear.press("Down", "Tab", "Return", "Escape", "t")


def ask_back(ear: Ear, seat: Seat, bob: Friend) -> None:
    """Bob asks for his card back, and has it."""
    lang = ear.desk.lang
    ear.chapter("undo")
    ear.listen("Bob asks", lambda: bob.do(Act(AskUndo(bob.seat))), UNDO[lang])
    ear.press("t")
    ear.seek("shift+Tab", ALLOW[lang])
    ear.press("Return", "t")
    ear.listen("Bob plays", lambda: bob.play(lambda: seat.what is TurnKind.PLAY), MY_TURN[lang])


def come_and_go(ear: Ear, bob: Friend) -> None:
    lang = ear.desk.lang
    ear.chapter("company")
    ear.listen("Bob loses the line", bob.lose, GONE[lang])
    ear.press("t")
    ear.listen("Bob comes back", bob.join, BACK[lang])
    ear.press("t")
    ear.seek("Tab", MORE[lang])
    ear.seek("Right", STAND[lang])
    ear.press("Return")
    ear.seek("Tab", STAND[lang])
    ear.pass_over("Return", LEFT[lang])
    ear.press("t")


@pytest.mark.parametrize("lang", ["fr", "en"])
def test_somebody_else_objects_and_a_revoke_is_claimed(
    tmp_path_factory: pytest.TempPathFactory, lang: str
) -> None:
    def listen() -> None:
        folder = tmp_path_factory.mktemp("house")
        with Desk(lang) as desk, company(folder, desk, "coeurs-table") as (ear, seat, bob):
            claim(ear, seat, bob)
            compare(ear)

    twice(listen)


def claim(ear: Ear, seat: Seat, bob: Friend) -> None:
    lang = ear.desk.lang
    seat.go_to(ear, seat.legal)
    ear.chapter("refereed")
    ear.until("Return", "a full trick", lambda: len(seat.trick) == 4, "")
    ear.listen("Bob objects", lambda: bob.do(Act(Object(bob.seat, 0))), OBJECTS[lang])
    ear.listen(
        "the next trick", lambda: bob.play(lambda: seat.what is TurnKind.PLAY), MY_TURN[lang]
    )
    ear.press("v", "Tab", "space", "Tab", "space")
    ear.seek("Tab", CLAIM[lang])
    ear.press("Return", "t")
