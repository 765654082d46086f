"""Friends, invitations, company and notifications, as Orca speaks them."""

from __future__ import annotations

import pytest
from kit.befriending import befriend
from kit.orca.desk import Desk
from kit.orca.ear import Ear, compare
from kit.orca.playroom import Friend, Guest
from kit.sites import Playroom
from page.orca.conftest import ByEar
from page.orca.test_meeting import FREE

from volte.friends.service import CHANGED
from volte.friends.store import Friendships
from volte.rules import make_ruleset, preset
from volte.table import Access, Setup

pytestmark = pytest.mark.full


def make_friends(playroom: Playroom, one: Guest, two: Guest) -> None:
    playroom.do(befriend(playroom.site.room.store, one.person, two.person))


def test_the_page_of_friends_is_heard(by_ear: ByEar) -> None:
    def listen(playroom: Playroom, guest: Guest, desk: Desk) -> None:
        with Guest(playroom, desk.lang, "Ana") as ana:
            agree_and_end(playroom, guest, ana, Ear(desk))

    by_ear(listen)


def agree_and_end(playroom: Playroom, guest: Guest, ana: Guest, ear: Ear) -> None:
    """Nobody is there; Ana asks, is agreed with, does not see Zoé, and is no friend any more."""
    rules = make_ruleset(preset("coeurs").name)
    device = ana.device(playroom)
    guest.open(ear, "/friends", "no friends", word="skip")
    ear.chapter("no-friends")
    ear.press("h", *["Down"] * 4, "h", "Down", "h", "Down", "h", "Down", "Tab")
    store = playroom.site.room.store
    playroom.do(store[Friendships].agree(ana.person, guest.person))
    playroom.do(store.bus.publish(CHANGED, ana.person))
    guest.open(ear, "/friends", "Ana asks", word="skip")
    ear.chapter("asking-friend")
    ear.press("h", "h", "Down")
    ear.seek("Tab", "agree", most=3)
    device.join(ana.open_setup(Setup("Chez Ana", rules, access=Access.PUBLIC), FREE))
    ear.pass_over("Return", "friends now")
    ear.chapter("friends")
    ear.press("h", *["Down"] * 5, "h", *["Down"] * 4)
    ear.seek("shift+Tab", "invisible to Ana", most=4)
    ear.pass_over("Return", "Ana sees not")
    ear.seek("b", "end friendship", most=4)
    ear.press("Return")
    ear.seek("Tab", "end it", most=2)
    ear.pass_over("Return", "friends no more")
    ear.seek("b", "invisible to all", most=4)
    ear.pass_over("Return", "none sees")
    ear.seek("b", "seen by all", most=8)
    compare(ear)
    device.leave()


def test_friends_are_invited_and_people_kept_away_at_a_table(by_ear: ByEar) -> None:
    def listen(playroom: Playroom, guest: Guest, desk: Desk) -> None:
        bob = Friend.come(playroom)
        with Guest(playroom, desk.lang, "Ana") as ana:
            table = invite(playroom, guest, ana, bob, Ear(desk))
        keep_away(guest, table, Ear(desk))
        bob.leave()

    by_ear(listen)


def invite(playroom: Playroom, guest: Guest, ana: Guest, bob: Friend, ear: Ear) -> str:
    """Bob sits at the table, and Ana is here, and is invited; return the id of the table."""
    make_friends(playroom, guest, ana)
    assert ana.visitor.client.get("/friends").status_code == 200  # so she is here
    table = guest.open_setup(Setup("Essai", make_ruleset(preset("coeurs").name)), FREE)
    bob.sit(table, 3)
    guest.open(ear, f"/tables/{table}", "a table", word="skip")
    ear.chapter("inviting")
    ear.press("shift+f")
    ear.seek("Tab", "invite a friend", most=25)
    ear.press("Return", "Tab")
    ear.until("Return", "Ana is invited", None, "Zoé invited")
    compare(ear)
    return table


def keep_away(guest: Guest, table: str, ear: Ear) -> None:
    """Bob is asked to be friends, and is kept away, and no longer is."""
    guest.open(ear, f"/tables/{table}?begin", word="to pass")
    ear.seek("Tab", "hand")
    ear.pass_over("m", "own words")
    ear.chapter("people-here")
    ear.seek("Tab", "people here")
    ear.press("Return", "Tab", "Return", "Tab", "Tab", "Return", "Return", "Tab", "Escape", "t")
    compare(ear)


def test_invitations_are_said_once_and_answered(by_ear: ByEar) -> None:
    def listen(playroom: Playroom, guest: Guest, desk: Desk) -> None:
        with (
            Guest(playroom, desk.lang, "Ana") as ana,
            Guest(playroom, desk.lang, "Bob") as bob,
        ):
            be_invited(playroom, guest, ana, bob, Ear(desk))

    by_ear(listen)


def be_invited(playroom: Playroom, guest: Guest, ana: Guest, bob: Guest, ear: Ear) -> None:
    """Ana invites while a page stands open, and Bob at a table: to the one a no, to the other a
    yes."""
    rules = make_ruleset(preset("coeurs").name)
    hosts = []
    for each in (ana, bob):
        make_friends(playroom, guest, each)
        host = each.device(playroom)
        host.join(each.open_setup(Setup(f"Chez {each.name}", rules), FREE))
        hosts.append(host)
    guest.open(ear, "/help", word="skip")
    ear.chapter("invited-page")
    ear.listen("Ana invites", lambda: hosts[0].invite(guest.person), "Ana invites")
    ear.seek("b", "not now", most=4)
    ear.pass_over("Return", "said no")
    ear.press("Tab")
    compare(ear)
    ear = Ear(ear.desk)
    table = guest.open_table(pass_count=0)
    guest.open(ear, f"/tables/{table}?begin", "a table", word="my turn")
    ear.seek("Tab", "hand")
    ear.chapter("invited-table")
    ear.listen("Bob invites", lambda: hosts[1].invite(guest.person), "Bob invites")
    ear.press("t")
    ear.seek("shift+Tab", "yes I come", most=14)
    ear.pass_over("Return", "sits down")
    compare(ear)
    for host in hosts:
        host.leave()


def test_notifications_are_chosen(by_ear: ByEar) -> None:
    by_ear(lambda playroom, guest, desk: choose_notifications(guest, Ear(desk)))


def choose_notifications(guest: Guest, ear: Ear) -> None:
    """One switch is turned on, and kept; the browser is asked by a button alone."""
    guest.open(ear, "/me/notifications", word="skip")
    ear.chapter("notifications")
    ear.press("h", "Down")
    ear.seek("Tab", "check box", most=20)
    ear.press("Tab", "Tab", "Tab", "space", "Tab", "Tab", "Tab")
    ear.pass_over("Return", "kept")
    ear.press("h", "h", *["Down"] * 2)
    ear.press("h", "Down")
    compare(ear)
