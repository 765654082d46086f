"""Several people at one table, each at a terminal."""

from __future__ import annotations

import re
from pathlib import Path
from queue import SimpleQueue
from threading import Event
from typing import Any

import pytest
from kit import Playroom, done, open_playroom
from kit.terminals import Guest, Script, Stubborn, Volte, happenings, match_log, wait_for

from volte.console.terminal import Quit
from volte.console.witness import PlayStyle
from volte.game import Played, PlayTakenBack
from volte.rules import make_ruleset
from volte.table import Access
from volte.table import happenings as hap
from volte.table.commands import Close, Onward, Remove
from volte.table.happenings import Why, decode_happening
from volte.table.state import states
from volte.table.turns import only_play
from volte.talk.company import Avoided
from volte.terminal.connection import Connection
from volte.terminal.following import SentAway
from volte.terminal.playroom import Address
from volte.terminal.visitor import HESITATION
from volte.wire.messages import Prefer


class Host(Stubborn):
    """Begins the match once somebody has been heard to sit down."""

    def __init__(self, guest: Guest) -> None:
        super().__init__()
        self._guest = guest

    def __call__(self, heard: str) -> str:
        if "Press Enter to begin the match." in heard:
            self._guest.hears("^You sit down|^You take")
        return super().__call__(heard)


def test_two_people_and_two_bots(playroom: Playroom, anne: Guest, paul: Guest) -> None:
    table = anne.open("", "casual", "casual")
    anne.sit(table, Host(paul))
    anne.hears("^Press Enter to begin")  # else he may be there before her
    paul.sit(table, Stubborn())
    for guest in (anne, paul):
        guest.leaves()
        assert isinstance(guest.gone, Quit)
        assert "Deal 1: " in guest.said
        assert "The match is over" in guest.said or "win" in guest.said
    assert "Paul sits down." in anne.said
    assert "Seat 1: Anne.\nSeat 2: free.\n" in paul.said
    assert "Waiting for the host to begin the match." in paul.said
    assert "Stay for another match, yes or no?" in paul.said
    assert "Anne" in paul.said.partition("At the table")[2].splitlines()[0]


def test_an_only_card_that_is_played_by_itself_comes_no_sooner_than_a_bots(
    playroom: Playroom, anne: Guest, paul: Guest
) -> None:
    table = anne.open("", "casual", "casual")
    anne.sit(table, Host(paul), manner=PlayStyle(auto_forced=True))
    anne.hears("^Press Enter to begin")
    paul.sit(table, Stubborn())
    for guest in (anne, paul):
        guest.leaves()
    entries = playroom.do(playroom.site.room.store.read(table))
    log = [decode_happening(entry.data) for entry in entries]
    matches = [state.match for state in states(None, log)]
    only = [None if match is None else only_play(match) for match in matches]
    waits = [
        after.at - before.at
        for play, before, after, event in zip(only, entries, entries[1:], log[1:], strict=False)
        if play and play.seat == 0 and isinstance(event, Played)
    ]
    assert waits
    assert min(waits) >= HESITATION[0]


def test_C2_a_play_is_taken_back_when_the_others_allow_it(
    playroom: Playroom, anne: Guest, paul: Guest
) -> None:
    class Typist:
        """Takes a card back as soon as it is played, until that has been allowed."""

        def __init__(self) -> None:
            self._host = Host(paul)
            self._seen = 0

        def __call__(self, _: str) -> str:
            mine = r"^You(: | lead ).*|[?.] \Z"
            wait_for(lambda: bool(re.search(mine, anne.said[self._seen :], re.M)), str)
            heard, self._seen = anne.said[self._seen :], len(anne.said)
            if heard.endswith(("? ", ". ")):
                return self._host(heard)
            return "" if re.search("^You take the .* back", anne.said, re.M) else "undo"

    class Waiter(Stubborn):
        """Does not play after a card that somebody is about to take back."""

        allowed = False

        def __call__(self, heard: str) -> str:
            last = re.findall("^(?:Anne|Paul|You|Alice|Bruno)(?: leads?|:) ", paul.said, re.M)[-1:]
            if last in (["Anne: "], ["Anne leads "]) and not self.allowed:
                paul.hears("^May the card be taken back, yes or no")
            if "May the card be taken back" in paul.said and not self.allowed:
                self.allowed = True
                return "yes"
            return super().__call__(heard)

    rules = make_ruleset("coeurs", {"players": 4, "pass_count": 0})
    table = anne.open("", "casual", "casual", rules=rules)
    anne.sit(table, Typist(), at_terminal=True)
    paul.sit(table, Waiter())
    for guest in (anne, paul):
        guest.leaves()
    taken = [each for each in match_log(playroom, table) if isinstance(each, PlayTakenBack)]
    assert [each.seat for each in taken] == [0]
    assert "Anne asks to take" in paul.said
    assert "You agree." in paul.said


def test_a_pause_of_one_is_a_question_to_all(playroom: Playroom, anne: Guest, paul: Guest) -> None:
    class Patient(Stubborn):
        def __call__(self, heard: str) -> str:
            if re.search("Which 3 cards", heard) and "pauses" not in paul.said:
                paul.hears("^Press Enter to go on with the match")
                anne.leaves()
                return ""
            if "a bot is playing instead" in heard:
                return "44"  # clockwise from the own seat, Anne's
            return super().__call__(heard)

    table = anne.open("", "casual", "casual")
    paul.sit(table, Patient())
    paul.hears("^You sit down")
    anne.sit(table, begin=True, at_terminal=True)
    anne.type("Which 3 cards", "z")
    paul.hears("^Press Enter to go on with the match")
    anne.type("", "q")
    paul.leaves()
    assert "Anne pauses the match." in paul.said
    assert "You resume the match." in paul.said
    assert "Anne is away for a while; a bot is playing instead." in paul.said
    assert "A bot is playing in that seat for now." in paul.said
    assert "A bot will play for you until you are back. " in anne.said
    assert hap.StoodIn(0, Why.OWN) in happenings(playroom, table)


def test_whoever_is_removed_may_sit_down_again_or_watch(
    playroom: Playroom, anne: Guest, paul: Guest
) -> None:
    table = anne.open("", "casual", "casual")
    paul.sit(table, lambda _: "0" if "You no longer have a seat" in paul.said else "")
    paul.hears("^Waiting for the host")
    playroom.do(done(playroom.live(table), anne.who, Remove(1)))
    paul.hears("^You are watching")
    playroom.do(done(playroom.live(table), anne.who, Close()))
    paul.leaves()
    assert paul.gone is None
    assert paul.said.endswith("The table is closed.\n")


def test_a_table_that_looks_full_is_watched(playroom: Playroom, anne: Guest, paul: Guest) -> None:
    avoided = playroom.site.room.store[Avoided]
    playroom.do(avoided.avoid(anne.who.id, paul.who.id, "Paul"))
    table = anne.open("", "casual", "casual")
    paul.sit(table, lambda _: "")
    paul.hears("^Every seat is taken: watch, or take a seat at another table.$")
    playroom.do(done(playroom.live(table), anne.who, Close()))
    paul.leaves()
    assert paul.said.count("Your seat, 1 to") == 1


def test_whoever_is_sent_away_is_told_why(playroom: Playroom, anne: Guest, paul: Guest) -> None:
    table = anne.open("", "casual", "casual")
    paul.sit(table, Stubborn())
    paul.hears("^Waiting for the host")
    playroom.do(done(playroom.live(table), anne.who, Remove(1, bar=True)))
    paul.leaves()
    assert isinstance(paul.gone, SentAway)
    assert paul.gone.turned.reason == "barred"


def test_a_bots_seat_is_taken_in_the_middle_of_a_match(
    playroom: Playroom, anne: Guest, paul: Guest
) -> None:
    class Slow(Stubborn):
        def __call__(self, heard: str) -> str:
            if heard.rstrip().endswith("Let Paul sit down: yes or no?"):
                return "yes"
            if re.search("Your (card|lead)", heard) and "Paul" not in anne.said:
                paul.sit(table, Stubborn())
                anne.hears("Paul has asked for .* seat")
            return super().__call__(heard)

    table = anne.open("casual", "casual", "casual", access=Access.LINK)
    anne.sit(table, Slow(), begin=True)
    for guest in (anne, paul):
        guest.leaves()
        assert isinstance(guest.gone, Quit), guest.said
    assert "The match goes on: deal 1, trick" in paul.said
    assert re.search("^Paul: |^Paul leads |^Paul takes", anne.said, re.M)


@pytest.mark.usefixtures("luck_is_told")
def test_a_second_match_at_the_same_table(playroom: Playroom, anne: Guest) -> None:
    """How much of a match was luck is told while the question stands whether to play another."""

    class Again(Stubborn):
        asked = 0

        def __call__(self, heard: str) -> str:
            if "Another match" in heard:
                if not self.asked:
                    anne.hears("^In this match, luck")
                self.asked += 1
                return "yes" if self.asked == 1 else "no"
            return super().__call__(heard)

    table = anne.open("casual", "casual", "casual")
    anne.sit(table, Again(), begin=True)
    anne.leaves()
    assert anne.said.count("At the table, clockwise") == 2
    assert anne.said.count("Another match, yes or no?") == 2


def test_the_same_cards_again_at_the_same_table(playroom: Playroom, anne: Guest) -> None:
    class Again(Stubborn):
        asked = 0

        def __call__(self, heard: str) -> str:
            if "Another match" in heard:
                self.asked += 1
                return "same" if self.asked == 1 else "no"
            return super().__call__(heard)

    rules = make_ruleset("coeurs", {"pass_count": 0})
    table = anne.open("casual", "casual", "casual", rules=rules)
    anne.sit(table, Again(), begin=True)
    anne.leaves()
    assert "The cards of the match before, everybody one seat on." in anne.said
    assert re.search(r"^The same cards, before and now:$", anne.said, re.M)
    assert re.search(r"^With the same cards, \w+ had .* points?, and you have", anne.said, re.M)


@pytest.mark.full
def test_a_short_clock_binds_only_who_agrees_and_warns(playroom: Playroom, anne: Guest) -> None:
    rules = make_ruleset("coeurs", {"pass_count": 0})
    table = anne.open("casual", "casual", "casual", rules=rules, clock=5)
    anne.sit(table, begin=True)
    anne.type("do you agree", "yes")
    anne.type("(?s)^Your time is up.*Press Enter to play for yourself again", "q")
    anne.leaves()
    assert (
        "You will have only 5 seconds for each choice: is that all right, yes or no?" in anne.said
    )
    assert re.search("^You have [123] seconds? left", anne.said, re.M)


@pytest.mark.parametrize(
    ("asked", "typed", "why", "options"),
    [
        # In the first trick the last card is barred, for whichever reason the deal has: a penalty
        # card, a suit that was not led, or not the lowest club; then the question stands again.
        ("^Your (card|lead)", ".13", r"is lost.+\n.+\.\nYour (card|lead)\?", {"pass_count": 0}),
        pytest.param(
            *("^Which 3 cards", ".1 .2", "^Pass exactly 3 cards, not 2.", {}),
            marks=pytest.mark.full,
        ),
    ],
)
def test_a_playroom_that_never_comes_back_gets_no_cards_that_are_known_to_be_barred(
    asked: str, typed: str, why: str, options: dict[str, int], folder: Path
) -> None:
    lines, over = iter([typed]), Event()

    def waiting(_: str) -> str | None:
        anne.hears("^The connection is lost")
        line = next(lines, None)
        return None if line is None and over.wait(60) else line

    with open_playroom(folder) as playroom:
        anne = Guest(playroom.address, "Anne")
        rules = make_ruleset("microsoft", options)
        table = anne.open("casual", "casual", "casual", rules=rules)
        anne.sit(table, waiting, patience=4, begin=True)
        anne.hears(asked)
    anne.hears(why)
    anne.leaves()
    over.set()
    assert isinstance(anne.gone, SentAway)
    assert anne.gone.turned.code == 0


def test_a_connection_says_nothing_twice(playroom: Playroom, anne: Guest) -> None:
    """Each id is new, also after a program has been started again."""
    marks = set()
    for _ in range(2):
        address, inbox = Address(playroom.address, "none"), SimpleQueue[Any]()
        connection = Connection(address, anne.room.cookie, "en", inbox)
        marks |= {connection.send(lambda mark: Prefer(mark, bot_pace=0)) for _ in range(3)}
        connection.close()
    assert len(marks) == 6


def test_a_table_of_ones_own_is_opened_by_invite(
    playroom: Playroom, anne: Guest, paul: Guest
) -> None:
    """A stranger finds no table until the host types INVITE; then its address leads to it."""

    class Inviting(Stubborn):
        def __call__(self, heard: str) -> str:
            return "q" if "can now come to this table" in heard else "invite"

    table = anne.open("casual", "casual", "casual", access=Access.PRIVATE)
    paul.sit(table, Stubborn())
    paul.leaves()
    assert isinstance(paul.gone, SentAway)
    assert paul.gone.turned.reason == "no_table"
    anne.sit(table, Inviting(), begin=True)
    anne.leaves()
    assert "Anybody who has the address can now come to this table." in anne.said
    assert f"The address of this table: {playroom.address}/tables/{table}" in anne.said
    assert "Only this machine can open this address." in anne.said
    late = Guest(playroom.address, "Luc")
    late.sit(table, Script(["q"]))
    late.leaves()
    assert isinstance(late.gone, Quit)


# Tables of "Play with people"


def test_whoever_has_a_seat_begins_the_match(playroom: Playroom, anne: Guest, paul: Guest) -> None:
    table = anne.open("", "", "", meeting=True)
    paul.sit(table)
    paul.type("^Your seat, 1 to 4", "")
    paul.hears("If nobody else comes soon, bots will join; you can also begin at once.$")
    paul.type("^Press Enter to begin the match", "")
    paul.type(r"to [A-Z]\w+\?", "anew")
    paul.type("^A match can start again only right after", "q")
    paul.leaves()
    assert playroom.live(table).state.matches == 1


def test_whoever_is_at_a_table_that_closes_goes_on_at_the_next(
    playroom: Playroom, volte: Volte, anne: Guest, paul: Guest
) -> None:
    old, new = (guest.open("", "", "", meeting=True) for guest in (anne, paul))
    page = f"{playroom.address}/tables/{old}"
    lines = iter([""])  # which takes a seat, there or here

    def answer(_: str) -> str:
        line = next(lines, "q")
        if not line:
            playroom.do(done(playroom.live(old), anne.who, Onward(new)))
        return line

    gone = volte("play", "--connect", page, "--name", "Zoé", answer=answer)
    assert gone.status == 0
    before, _, after = gone.out.partition("The table is closed: play goes on at another one.\n")
    assert "Seat 1: Anne." in before
    assert "Seat 1: Paul." in after
    late = volte("play", "--connect", page, answer=Script(["", "q"]))
    assert late.status == 0
    assert f"volte play --connect {playroom.address}/tables/{new}" in late.out


def test_somebody_plays_with_anybody_hears_who_waits_and_stops(
    volte: Volte, playroom: Playroom
) -> None:
    typed = Script(["people", "gg", "people", "gg", "q"])
    done = volte("play", "--connect", playroom.address, "--name", "Zoé", answer=typed)
    assert (done.status, done.err) == (0, "")
    assert "type PEOPLE to find people to play with." in done.out
    assert "Deal 1: " in done.out
    alone, stopped = (
        "Nobody else is waiting for people to play with.\n",
        "You are not looking for people to play with.\n",
    )
    assert (
        done.out.index(alone)
        < done.out.index("You are no longer looking")
        < done.out.index(stopped)
    )
