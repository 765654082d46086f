"""Luck told after a match, a deal by a link, and the same cards again, as Orca speaks them."""

from __future__ import annotations

import secrets
from functools import partial
from typing import Final
from unittest.mock import patch

import pytest
from kit.boards import dealt, shared, tried
from kit.browser.backdrops import AT, luck_for
from kit.browser.states import SIXTEEN
from kit.luck import telling_luck
from kit.matches import keep
from kit.orca.desk import ZONE, Desk
from kit.orca.ear import Ear, compare
from kit.orca.playroom import Guest, Seat, stacked
from kit.sites import Playroom, Site
from page.orca.conftest import ByEar
from page.orca.test_looking_back import match
from page.orca.test_meeting import table_of

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
PARTING: Final = 11
"""A seed by whose cards those who play otherwise take other points."""


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


def test_a_deal_by_a_link_is_heard(by_ear: ByEar) -> None:
    def listen(playroom: Playroom, guest: Guest, desk: Desk) -> None:
        with stacked(playroom, PARTING):
            play_a_deal_by_a_link(playroom, guest, Ear(desk))

    by_ear(listen)


def play_a_deal_by_a_link(playroom: Playroom, guest: Guest, ear: Ear) -> None:
    """Zoé hears how Anne, whose deal it was, and Bob have played it once she has, too."""
    board = playroom.do(deal_of_anne(playroom.site))
    guest.open(ear, f"/deals/{board}", "a deal")
    ear.chapter("board")
    ear.press("h", *["Down"] * 2)
    ear.seek("Tab", "play this deal")

    def has_seat() -> bool:
        return table_of(playroom, guest) != ""

    ear.until("Return", "at the table", has_seat, "my turn")
    play_out(ear, Seat(playroom, ear.desk.lang, table_of(playroom, guest)), "scored")
    ear.seek("Tab", "to results", most=2)
    ear.chapter("compared")
    ear.turn("Return", "by a link")
    ear.press(*["Down"] * 3, "t", "Down", "Down", "t", "Down")
    compare(ear)


async def deal_of_anne(site: Site) -> str:
    """The id of a deal of Anne's that Bob has played, too; both agree to be named."""
    anne, row = await dealt(site, "Anne", setup=SHORT)
    with patch.object(secrets, "token_bytes", bytes):  # what the bots do follows from it
        board = await shared(anne, row)
    for each in (anne, await tried(site, board, "Bob", 1)):
        await each.post(f"/deals/{board}/named", {"named": "yes"})
        await each.leave()
    return board


def test_the_same_cards_are_heard_again(by_ear: ByEar) -> None:
    def listen(playroom: Playroom, guest: Guest, desk: Desk) -> None:
        with stacked(playroom, LUCKLESS):
            play_the_same_cards(playroom, guest, Ear(desk))

    by_ear(listen)


def play_the_same_cards(playroom: Playroom, guest: Guest, ear: Ear) -> None:
    """The neighbour's cards are dealt, and at the end both results are compared."""
    table = begun(playroom, guest, ear)
    play_out(ear, Seat(playroom, ear.desk.lang, table), "scored")
    ear.chapter("same-cards")
    ear.seek("Tab", "same cards", most=3)
    neighbour = Seat(playroom, ear.desk.lang, table, seat=1)
    ear.until("Return", "the same cards", partial(neighbour.holds, 4), "match before + my turn")
    play_out(ear, neighbour, "scored + with the same")
    ear.press("t")
    compare(ear)
