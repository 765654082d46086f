"""Luck told after a match, as Orca speaks it."""

from __future__ import annotations

from functools import partial
from typing import Final

import pytest
from kit.browser.backdrops import AT, luck_for
from kit.browser.states import SIXTEEN
from kit.luck import telling_luck
from kit.matches import keep
from kit.orca.desk import ZONE, Desk
from kit.orca.ear import Ear, compare
from kit.orca.playroom import Guest, Seat, stacked
from kit.sites import Playroom
from page.orca.conftest import ByEar
from page.orca.test_looking_back import match

from volte.rules import make_ruleset, preset
from volte.rules.options import Value
from volte.table import Setup, Someone

pytestmark = pytest.mark.full

ONE_DEAL: Final[dict[str, Value]] = {"pass_count": 0, "removed": SIXTEEN, "match_end": "deals:1"}
SHORT: Final = Setup("Essai", make_ruleset(preset("microsoft").name, ONE_DEAL))
"""A table for matches of one deal of four cards each."""
MONTH: Final = 31 * 24 * 3600.0
LUCKLESS: Final = 10
"""A seed whose cards cost the listener points."""


def begun(playroom: Playroom, guest: Guest, ear: Ear) -> str:
    """A short match, of which the listener has the hand; the id of its table."""
    table = guest.open_setup(SHORT)
    guest.open(ear, f"/tables/{table}?begin", "a table", word="my turn")
    ear.seek("Tab", "hand")
    return table


def play_out(ear: Ear, seat: Seat, word: str) -> None:
    """Play the cards to the end of the match, at which the word is heard."""
    for left in reversed(range(seat.cards)):
        seat.go_to(ear, seat.legal)
        what, told = ("my turn", "my turn") if left else ("the end of the match", word)
        ear.until("Return", what, partial(seat.holds, left), told)


def test_luck_is_heard(by_ear: ByEar) -> None:
    def listen(playroom: Playroom, guest: Guest, desk: Desk) -> None:
        with (
            telling_luck(playroom),
            stacked(playroom, LUCKLESS),
            Guest(playroom, desk.lang, "Ana", zone=ZONE) as ana,
        ):
            be_told_of_luck(playroom, guest, Ear(desk))
            read_of_luck(playroom, ana, Ear(desk))

    by_ear(listen)


def be_told_of_luck(playroom: Playroom, guest: Guest, ear: Ear) -> None:
    """At the end of a match, after its result, and once."""
    seat = Seat(playroom, ear.desk.lang, begun(playroom, guest, ear))
    ear.chapter("luck")
    play_out(ear, seat, "scored + luck told")
    ear.press("t")
    assert sum(ear.word("luck told") in each for each in ear.heard) == 1
    compare(ear)


def read_of_luck(playroom: Playroom, guest: Guest, ear: Ear) -> None:
    """The statistics over two matches: sentences and tables, and nothing of the drawing."""
    who = Someone(guest.person, guest.name)
    for at in (AT, AT + MONTH):
        luck_for(playroom, playroom.do(keep(playroom.site.room.store, who, match(), at=at)).id)
    guest.open(ear, "/matches/statistics", "statistics")
    ear.chapter("statistics")
    ear.seek("h", "luck and play", most=4)
    ear.press(*["Down"] * 3, "t")
    ear.seek("Down", "other rules", most=3)
    ear.seek("h", "luck over time", most=2)
    ear.press(*["Down"] * 4)
    compare(ear)
