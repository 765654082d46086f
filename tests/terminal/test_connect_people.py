"""Coming to a playroom by the terminal: the match that waits, the list, and other people."""

from __future__ import annotations

import re
from datetime import datetime
from io import StringIO

import pytest
from kit import Playroom, because
from kit.terminals import Guest, Keyboard, Script, Volte

from volte.console.files import Shelf
from volte.console.terminal import Console, TerminalFault
from volte.forms.meeting import PeopleWanted
from volte.friends.service import Friends
from volte.friends.store import Friendships
from volte.say import words_of
from volte.server.tables.meeting import DONE
from volte.talk.company import Avoided
from volte.terminal import playroom as elsewhere
from volte.terminal.choosing import Destination, TableChooser, listed_line
from volte.terminal.playroom import Address
from volte.terminal.wishing import read_wish, wish_lines
from volte.wire.api import ListedTable, ListedWay

pytestmark = pytest.mark.usefixtures("nobody_waits")

WORDS = words_of("en")


# The wish


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("any", PeopleWanted()),
        ("tout", PeopleWanted()),
        ("Cœurs, calm", PeopleWanted("coeurs", "calm")),
        ("RAPIDE English french", "no_such_wish"),
        ("fr English FR", PeopleWanted(langs=("fr", "en"))),
        ("La Dame de pique, as played online near", PeopleWanted("salon", near=True)),
        ("empty  dame de pique", PeopleWanted("dame-de-pique", empty=True)),
        ("coeurs coeurs", PeopleWanted("coeurs")),
        ("coeurs omnibus", "wished_twice"),
        ("calm brisk", "wished_twice"),
        ("; drop", "no_such_wish"),
    ],
)
def test_a_wish_is_said_in_any_order_and_each_thing_once(
    typed: str, meant: PeopleWanted | str
) -> None:
    if isinstance(meant, PeopleWanted):
        assert read_wish(WORDS, typed) == meant
    else:
        with pytest.raises(TerminalFault, check=because(meant)):
            read_wish(WORDS, typed)


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_each_word_of_the_help_can_be_typed(lang: str) -> None:
    words = words_of(lang)
    _, *lines = wish_lines(words)
    wishes = [read_wish(words, line.partition(":")[0]) for line in lines]
    assert len(set(wishes)) == len(lines)


def test_what_one_looks_for_is_said_once_and_holds_until_one_says_something_else(
    volte: Volte, playroom: Playroom
) -> None:
    """By the option and at the prompt; whom nobody joins waits at their own table."""
    first = volte(
        *("play", "--connect", playroom.address, "--name", "Zoé", "--people", "coeurs calm vide"),
        answer=Script(["r", "q"]),
    )
    assert (first.status, first.err) == (0, "")
    assert "you must discard her" in first.out
    assert "Press Enter to begin the match." in first.out
    typed = Script(["people ?", "people bridge", "people", "q"])
    again = volte("play", "--connect", playroom.address, answer=typed)
    assert (again.status, again.err) == (0, "")
    assert "PEOPLE will look for Les Cœurs, no clock, no bots while I wait." in again.out
    assert "NEAR: only people about as strong as I am.\n" in again.out
    assert "“bridge” is not a game, a language or anything else" in again.out
    assert "Press Enter to begin the match." in again.out


def test_a_wish_without_meaning_or_beside_a_table_is_refused_before_anybody_comes_in(
    volte: Volte, playroom: Playroom
) -> None:
    there = ("play", "--connect", playroom.address, "--people")
    assert "bridge" in volte.refused(*there, "bridge")
    assert "--rules" in volte.refused(*there, "--rules", "coeurs")
    table = f"{playroom.address}/tables/x7"
    assert "--people" in volte.refused("play", "--connect", table, "--people")
    assert "--people" in volte.refused("play", "--people", "fr")


# The list


def test_a_line_of_the_list_says_what_is_played_by_whom_and_what_one_can_do() -> None:
    table = ListedTable(
        "x7",
        "Les amis",
        told="Les Cœurs, 4 players, 1 deal",
        pace="no clock",
        players="Zoé, Alice (bot). Free seats: 2",
        languages=("fr", "xx"),
        ways=(ListedWay("seat", "Take a seat"), ListedWay("watch", "Watch")),
    )
    assert listed_line(WORDS, 2, table) == (
        "2: Les amis. Les Cœurs, 4 players, 1 deal. No clock. Zoé, Alice (bot). Free seats: 2."
        " Languages: Français. Take a seat. Watch."
    )


def test_a_planned_table_has_its_time_in_the_time_zone_of_the_terminal() -> None:
    way, when = ListedWay("remind", "Remind me"), datetime(2099, 3, 2, 18, 30)
    table = ListedTable("x7", "Later", planned=when.timestamp(), ways=(way,))
    assert listed_line(WORDS, 1, table) == "1: Later. Monday, March 2, 2099 at 6:30\u202fPM."


def test_whoever_can_only_watch_is_asked_for_no_seat(
    playroom: Playroom, anne: Guest, paul: Guest
) -> None:
    table = anne.open("casual", "casual", "casual", name="To look at")
    anne.sit(table, begin=True, at_terminal=True)
    anne.hears("^Which 3 cards")

    def answer(printed: str) -> str | None:
        line = "^([0-9]+): To look at. Les Cœurs, 4 players, 1 deal. No clock. Anne, "
        found = re.search(line, printed, re.M)
        return found and found[1]

    screen = StringIO()
    console = Console(Keyboard(answer, screen), screen)
    going = TableChooser(WORDS, console, paul.room).choose()
    assert going == Destination(Address(playroom.address, table), watch=True)
    assert "Languages: English. Watch.\n" in screen.getvalue()
    paul.sit(table, watch=going.watch, at_terminal=True)
    paul.hears("^You are watching. SIT asks for a seat.")
    for guest in (paul, anne):
        guest.type("", "q")
        guest.leaves()
    assert "Your seat, 1 to 4?" not in paul.said


# Coming back


def test_a_match_that_waits_is_told_to_whoever_comes_and_led_to(
    volte: Volte, playroom: Playroom
) -> None:
    there = ("play", "--connect", playroom.address)
    begun = volte(*there, "--name", "Zoé", "--rules", "coeurs", answer=Script(["q"]))
    assert "The match is waiting for you: " in begun.out
    back = volte(*there, answer=Script(["perhaps", "yes", "q"]))
    question = "Go on with the match, yes or no?"
    assert f"Your match is waiting: Zoé’s table\n{question}\nPlease answer yes or no.\n" in back.out
    assert "The match goes on: deal 1" in back.out
    other = volte(*there, answer=Script(["no", "q"]))
    assert "Press Enter to open a table with bots" in other.out or "Which table, 1 to " in other.out
    people = volte(*there, "--people", "empty", answer=Script(["q"]))
    assert (
        "Your match is waiting: Zoé’s table. To go on with it: volte play --connect " in people.out
    )
    assert question not in people.out


# People met


def test_whoever_leaves_can_choose_not_to_meet_somebody_again_and_take_it_back(
    volte: Volte, playroom: Playroom, anne: Guest
) -> None:
    table = anne.open("", "", "", meeting=True)
    page = f"{playroom.address}/tables/{table}"
    store, avoided = playroom.site.room.store, list[dict[str, str]]()
    lines = iter(["", "", "q", "2", "1", "1", "1", ""])

    def answer(printed: str) -> str:
        zoe = playroom.live(table).state.seats[1].person
        if "Press Enter to leave" in printed:
            avoided.append(playroom.do(store[Avoided].of(zoe)))
        return next(lines)

    done = volte("play", "--connect", page, "--name", "Zoé", answer=answer)
    assert (done.status, done.err) == (0, "")
    _, left, parting = done.out.partition("A bot will play for you until you are back. ")
    question = (
        "You have played with {}. Press Enter to leave, or type a number to avoid being seated"
        " with that person again. Nobody is told.\n"
    )
    both, never = question.format("Anne (1)"), question.format("Anne (1, not again)")
    assert left
    assert parting.partition("\n")[2] == (
        f"{both}Type a number from 1 to 1, or just press Enter.\n{both}"
        f"{DONE['apart']}\nType the number again to change your mind.\n{never}"
        f"{DONE['together']}\n{both}"
        f"{DONE['apart']}\nType the number again to change your mind.\n{never}"
    )
    assert avoided == [{}, {}, {anne.who.id: "Anne"}, {}, {anne.who.id: "Anne"}]


def test_whoever_has_met_nobody_is_asked_nothing(volte: Volte, playroom: Playroom) -> None:
    there = ("play", "--connect", playroom.address, "--name", "Zoé", "--people", "any")
    done = volte(*there, answer=Script(["q"]))
    assert "Deal 1: " in done.out
    assert "You have played with" not in done.out


# Friends


def befriend(playroom: Playroom, one: str, other: str) -> None:
    for each in ((one, other), (other, one)):
        playroom.do(playroom.site.room.store[Friendships].agree(*each))


def person_of(playroom: Playroom, name: str) -> str:
    """The id of somebody who has come by the command."""
    room = elsewhere.Playroom(playroom.address, "en")
    _, room.cookie = elsewhere.KeyRing(Shelf().folder, playroom.address).find(name)
    me = room.me()
    assert me is not None
    return me.person


def test_a_friend_is_invited_by_name_and_asked_for_by_a_word(
    playroom: Playroom, anne: Guest, paul: Guest
) -> None:
    table = anne.open("", "casual", "casual")
    paul.sit(table, at_terminal=True)
    paul.type("^Your seat, 1 to 4", "")
    paul.hears("You sit down")
    anne.sit(table, at_terminal=True)
    befriend(playroom, anne.who.id, paul.who.id)
    anne.type("^Press Enter to begin", "befriend paul")
    anne.hears("You and Paul are now friends")
    for typed, said in (
        ("befriend", "BEFRIEND with a name or a number asks one of these"),
        ("invite Nobody", "You have no friend of that name"),
        ("inviter paul", "Paul already has a seat at this table"),
        ("amis", "friends? (is|are) here|None of your friends"),
        ("invite", "The address of this table: "),
    ):
        anne.type("", typed)
        anne.hears(said)
    for guest in (anne, paul):
        guest.type("", "q")
        guest.leaves()


def test_an_invitation_is_told_where_one_is_and_answered_by_a_word(
    volte: Volte, playroom: Playroom, anne: Guest, paul: Guest, monkeypatch: pytest.MonkeyPatch
) -> None:
    """At the list a no; from a match with bots, which waits, a yes."""
    monkeypatch.setattr("volte.terminal.news.EVERY", 0.2)
    there = ("play", "--connect", playroom.address)
    assert volte(*there, "--name", "Zoé").status == 0
    zoe, friends = person_of(playroom, "Zoé"), playroom.site.room[Friends]
    tables = {guest: guest.open("", "casual", "casual") for guest in (anne, paul)}
    for guest in tables:
        befriend(playroom, guest.who.id, zoe)
    playroom.do(friends.invite(anne.who, zoe, tables[anne]))
    lines = iter(["decline", "come", ""])

    def answer(printed: str) -> str:
        if "Anne has invited you" in printed or "Paul" not in said:
            said.append("Paul" if "Which 3 cards" in printed else "")
            if said[-1]:
                playroom.do(friends.invite(paul.who, zoe, tables[paul]))
            return "t" if said[-1] else next(lines)
        if "Your seat, 1 to 4?" in printed:
            return "q"
        return "come" if "Paul has invited you" in printed else "t"

    said = list[str]()
    done = volte(*there, answer=answer)
    assert (done.status, done.err) == (0, "")
    how = "COME takes you to that table, DECLINE turns the invitation down.\n"
    assert f"Anne has invited you to a table.\n{how}" in done.out
    assert "You have declined the invitation.\n" in done.out
    assert "You have no invitations from friends right now.\n" in done.out
    assert done.out.count(f"Paul has invited you to a table.\n{how}") == 1
    _, _, after = done.out.partition("The match is waiting for you: ")
    assert "Seat 1: Paul." in after
    assert playroom.live(tables[paul]).state.seat_of(zoe) is None
