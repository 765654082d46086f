"""Features that only some tables have, as a real screen reader speaks them."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import pytest
from kit.browser.states import TWELVE
from kit.orca.desk import Desk
from kit.orca.ear import Ear, compare
from kit.orca.playroom import MINE, Guest, Seat
from kit.sites import Playroom
from page.orca.conftest import ByEar

from volte.cards import QUEENS
from volte.game import ChooseMoon
from volte.rules.options import Value
from volte.table.commands import Act, Start
from volte.table.turns import TurnKind
from volte.view import settled

pytestmark = pytest.mark.full


def test_what_only_some_tables_have_is_heard(by_ear: ByEar) -> None:
    def listen(playroom: Playroom, guest: Guest, desk: Desk) -> None:
        for chapter in (moon, claim, jokers, packs):
            chapter(playroom, guest, desk)

    by_ear(listen)


def begun(playroom: Playroom, guest: Guest, ear: Ear, name: str, **options: Value) -> Seat:
    """A table at which the cards have been dealt, heard from the hand."""
    lang = ear.desk.lang
    table = guest.open_table(name, None, **options)
    guest.open(ear, f"/tables/{table}?begin", "a table")
    ear.seek("Tab", "hand")
    return Seat(playroom, lang, table)


def played_on(
    playroom: Playroom,
    guest: Guest,
    ear: Ear,
    enough: Callable[[Seat], bool],
    name: str = "coeurs",
    **options: Value,
) -> Seat:
    """A table that somebody comes back to, when it is as they want it."""
    lang = ear.desk.lang
    table, device = guest.open_table(name, None, **options), guest.device(playroom)
    seat = Seat(playroom, lang, table)
    device.join(table)
    device.do(Start())
    reached = False
    while not reached:
        device.play(
            lambda: seat.what is TurnKind.CHOOSE or (seat.what is TurnKind.PLAY and enough(seat))
        )
        reached = seat.what is TurnKind.PLAY
        if not reached:
            device.do(Act(ChooseMoon(MINE, minus=True)))
    guest.open(ear, f"/tables/{table}", "a table")
    device.leave()
    ear.seek("Tab", "hand")
    return seat


def jokers(playroom: Playroom, guest: Guest, desk: Desk) -> None:
    """Six with jokers: the hand, the pass, and a trick."""
    ear = Ear(desk)
    seat = begun(playroom, guest, ear, "salon-six-jokers", match_end="deals:1")
    ear.chapter("jokers")
    ear.press("h", "space", "Right", "space", "Right", "space")
    ear.seek("Tab", "pass")
    ear.until("Return", "my turn", lambda: seat.what is TurnKind.PLAY, "my turn")
    lead(ear, seat)
    ear.press("l")
    compare(ear)


def packs(playroom: Playroom, guest: Guest, desk: Desk) -> None:
    """Ten with two packs: a trick in which cards cancel each other out."""
    ear = Ear(desk)
    seat = begun(playroom, guest, ear, "cancellation", players=10, match_end="deals:1")
    ear.chapter("packs")
    ear.press("c")
    lead(ear, seat)
    ear.press("l")
    compare(ear)


def lead(ear: Ear, seat: Seat) -> None:
    """Plays a card, and hears the others until it is their turn again."""
    seat.go_to(ear, seat.legal)
    ear.until("Return", "my turn", partial(seat.holds, seat.cards - 1), "my turn")


def moon(playroom: Playroom, guest: Guest, desk: Desk) -> None:
    """The person has shot the moon, and chooses how the points count."""

    def last_of_a_moon(seat: Seat) -> bool:
        return seat.cards == 1 and bool(seat.view.deal.taken[MINE] & QUEENS)

    ear = Ear(desk)
    seat = played_on(
        playroom,
        guest,
        ear,
        last_of_a_moon,
        name="microsoft",
        players=3,
        removed=TWELVE,
        pass_count=0,
        moon="shooter_chooses",
        match_end="deals:30",
    )
    ear.chapter("moon")
    ear.until("Return", "the choice", lambda: seat.what is TurnKind.CHOOSE, "choose")
    ear.press("t")
    ear.seek("Tab", "choose")
    ear.press("Return", "Tab", "shift+Tab")
    ear.until("Return", "the deal is over", lambda: seat.what is not TurnKind.CHOOSE, "scored")
    ear.press("t")
    compare(ear)


def claim(playroom: Playroom, guest: Guest, desk: Desk) -> None:
    """The rest of the deal changes nothing any more, and is laid down."""
    ear = Ear(desk)
    played_on(playroom, guest, ear, lambda seat: settled(seat.view), match_end="deals:3")
    ear.chapter("claim")
    ear.press("t")
    ear.seek("Tab", "end the deal")
    ear.press("Return")
    ear.seek("Tab", "end the deal")
    ear.pass_over("Return", "scored")
    ear.press("e", "t")
    compare(ear)
