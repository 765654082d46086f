"""Matches played from the terminal at a real playroom."""

from __future__ import annotations

import re
import socket
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from threading import Thread

import pytest
from cli.command import Command
from cli.conftest import folder, volte
from kit.sites import Process
from terminal.people import Script, Stubborn
from terminal.playrooms import Guest, Playroom, heard_locally, open_playroom

from volte.console.person import PlayStyle
from volte.console.terminal import command_line
from volte.game import Contributed, MatchEnded, MatchStarted, Played, Promised, Revealed
from volte.table import Access
from volte.table import happenings as hap

__all__ = ["folder", "volte"]

OF_CONNECTIONS = (
    "The connection is lost; it is being looked for.",
    "Connected again.",
    "Nobody is here: the match waits.",
    "The match goes on.",
)
ONE_DEAL = ("--rules", "coeurs", "--name", "Zoé")


@pytest.fixture
def playroom(folder: Path) -> Iterator[Playroom]:
    with open_playroom(folder) as opened:
        yield opened


def table_in(said: str) -> str:
    """The id of the table whose address was told."""
    found = re.search(r"/tables/([\w-]+)(?:/invited/\w+)?$", said, re.M)
    assert found is not None, said
    return found[1]


@pytest.mark.parametrize("lang", ["fr", "en"])
@pytest.mark.parametrize(
    ("options", "manner"), [((), PlayStyle()), (("--auto-forced",), PlayStyle(auto_forced=True))]
)
def test_a_match_elsewhere_is_heard_as_at_a_table_of_ones_own(
    options: tuple[str, ...], manner: PlayStyle, lang: str, volte: Command, playroom: Playroom
) -> None:
    connect = ("play", "--connect", playroom.address, *ONE_DEAL, "--lang", lang)
    told = volte(*connect, *options, answer=Stubborn())
    assert (told.status, told.err) == (0, "")
    assert told.out.startswith({"fr": "Ici, vous êtes Zoé.\n", "en": "You are Zoé here.\n"}[lang])
    log = playroom.log(table_in(told.out))
    heard = re.split(r"^Another match|^Une autre partie", told.out, flags=re.M)[0]
    heard = heard.partition(table_in(told.out) + "\n")[2]
    assert heard == heard_locally(log, 0, Stubborn(), lang, manner)


def test_D3_a_person_adds_to_every_shuffle(volte: Command, playroom: Playroom) -> None:
    options = ("--rules", "coeurs", "--set", "match_end=deals:2", "--name", "Zoé")
    told = volte("play", "--connect", playroom.address, *options, answer=Stubborn())
    log = playroom.log(table_in(told.out))
    mine = [event for event in log if isinstance(event, Promised | Contributed) and not event.seat]
    assert [type(event) for event in mine] == [Promised, Contributed] * 2
    assert all(event.digest for event in mine if isinstance(event, Promised))
    shares = {event.data for event in mine if isinstance(event, Contributed)}
    assert len(shares) == 2
    assert None not in shares


def test_whoever_leaves_is_told_how_to_come_back_and_is_known_again(
    volte: Command, playroom: Playroom
) -> None:
    told = volte("play", "--connect", playroom.address, *ONE_DEAL, answer=Script([".1 .2 .3", "q"]))
    assert told.status == 0
    table = table_in(told.out.split("The match waits")[0])
    page = f"{playroom.address}/tables/{table}"
    last = told.out.splitlines()[-1]
    assert last == f"The match waits for you: {command_line('play', '--connect', page)}"
    assert playroom.happenings(table)[-1] == hap.Paused("Zoé")
    back = volte("play", "--connect", page, answer=Stubborn())
    assert back.status == 0
    assert back.out.startswith("You are Zoé here.\nThe match goes on: deal 1")
    log = playroom.log(table)
    assert sum(isinstance(each, MatchEnded) for each in log) == 1
    assert sum(isinstance(each, Played) for each in log) == 52


def test_a_server_that_is_killed_and_comes_back_loses_nothing(volte: Command, folder: Path) -> None:
    class Killer(Stubborn):
        """Kills the server before the second card, and once more while it plays the fifth."""

        cards = 0
        restarting: Thread | None = None

        def __call__(self, heard: str) -> str:
            if re.search(r"Your (card|lead)\?\n\Z", heard):
                self.cards += 1
                if self.cards == 2:
                    server.kill()
                    server.restart()
                if self.cards == 5:  # and so the card is played before anybody can hear it
                    server.kill()
                    self.restarting = Thread(target=server.restart)
                    self.restarting.start()
            return super().__call__(heard)

    with Process(f"sqlite:///{folder / 'playroom.sqlite'}", folder) as server:
        killer = Killer()
        told = volte("play", "--connect", server.address, *ONE_DEAL, answer=killer)
        table = table_in(told.out)
        assert killer.restarting is not None
        killer.restarting.join()
        server.kill()
        with open_playroom(folder) as playroom:
            log = playroom.log(table)
    assert (told.status, told.err) == (0, "")
    assert told.out.count("The connection is lost; it is being looked for.\n") == 2
    assert told.out.count("Connected again.\n") == 2
    assert sum(isinstance(each, MatchStarted) for each in log) == 1
    assert sum(isinstance(each, Played) for each in log) == 52
    assert isinstance(log[-1], Revealed)
    heard = told.out.partition(table + "\n")[2].partition("Another match, yes or no?")[0]
    lines = [line for line in heard.splitlines() if line not in OF_CONNECTIONS]
    once = [line for line, before in zip(lines, ["", *lines], strict=False) if line != before]
    assert once == heard_locally(log, 0, Stubborn(), "en", PlayStyle()).splitlines()


def test_each_name_is_somebody_else(volte: Command, playroom: Playroom) -> None:
    connect = ("play", "--connect", playroom.address)
    for name in ("Zoé", "Anne", "Zoé"):
        told = volte(*connect, "--name", name, answer=Script(["q"]))
        assert told.out.startswith(f"You are {name} here.\n")
    assert volte(*connect, answer=Script(["q"])).out.startswith("You are Zoé here.\n")
    tables = set(re.findall(r"/tables/([\w-]+)", told.out))
    assert len(tables) == 1


def test_a_stranger_without_a_name_is_asked_for_one(volte: Command, playroom: Playroom) -> None:
    answers = Script(["", "x" * 41, "Zoé", "q"])
    told = volte("play", "--connect", playroom.address, answer=answers)
    assert told.out.startswith("Your name?\nA name has 1 to 40 letters")
    assert told.out.count("Your name?\n") == 3
    assert "You are Zoé here.\n" in told.out


def test_a_seat_is_left_open_for_a_friend(volte: Command, playroom: Playroom) -> None:
    seats = ("--rules", "coeurs", "--seats", "open,strong,me,beginner")
    told = volte(
        "play", "--connect", playroom.address, "--name", "Zoé", *seats, answer=Script(["w", "q"])
    )
    lines = told.out.splitlines()
    assert re.fullmatch(r"Seat 2: \w+, a bot \(beginner\)\.", lines[5])
    assert lines[6] == "Seat 3: free."
    assert re.fullmatch(r"Seat 4: \w+, a bot \(strong\)\.", lines[7])

    friend = volte(
        "play", "--connect", playroom.address, "--name", "Anne", answer=Script(["9", "1", "q"])
    )
    assert friend.out.splitlines()[1:5] == [
        "Tables to join:",
        "1: Zoé's table (coeurs). 1 of 4 seats is free.",
        "Which table, 1 to 1? Enter opens a new one.",
        "Type a number from 1 to 1, or only Enter.",
    ]
    assert "Your seat, 1 to 4? Enter takes seat 3, and 0 watches." in friend.out


def test_a_table_with_a_password(volte: Command, playroom: Playroom) -> None:
    anne = Guest(playroom.address, "Anne")
    table = anne.open("", "", "", password="sésame", access=Access.PASSWORD)
    page = f"{playroom.address}/tables/{table}"
    told = volte(
        "play", "--connect", page, "--name", "Zoé", answer=Script(["simsim", "sésame", "q"])
    )
    assert told.status == 0
    question = "The password of this table?\n"
    assert told.out.count(question) == 2
    assert f"{question}That is not the password.\n{question}Seat 1: Anne." in told.out
    again = volte("play", "--connect", page, answer=Script(["q"]))
    assert question not in again.out


# What cannot be


def test_no_such_table(volte: Command, playroom: Playroom) -> None:
    told = volte("play", "--connect", f"{playroom.address}/tables/none", "--name", "Zoé")
    assert (told.status, told.err) == (1, "There is no such table, or no longer.\n")


def test_no_playroom(volte: Command) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    told = volte("play", "--connect", f"http://127.0.0.1:{port}", "--name", "Zoé")
    assert told.status == 1
    assert told.err.startswith(f"http://127.0.0.1:{port} cannot be reached (Connection refused)")


def test_another_server(volte: Command) -> None:
    class Other(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            self.send_response(200)
            self.send_header("Content-Length", "2")
            self.end_headers()
            self.wfile.write(b"hi")

        def log_message(self, *_: object) -> None:
            pass

    with HTTPServer(("127.0.0.1", 0), Other) as server:
        thread = Thread(target=server.serve_forever)
        thread.start()
        try:
            address = f"http://127.0.0.1:{server.server_port}"
            told = volte("play", "--connect", address, "--name", "Zoé")
        finally:
            server.shutdown()
            thread.join()
    assert told.status == 1
    assert told.err == f"What answers at {address} is no playroom of Volte, or another Volte.\n"


@pytest.mark.parametrize(
    ("args", "sentence"),
    [
        (("h", "--seed", "1"), "The playroom sees to that: leave out --seed."),
        (("h", "--record", "f"), "The playroom sees to that: leave out --record."),
        (("h", "--resume"), "The playroom sees to that: leave out --resume."),
        (("h/tables/x", "--rules", "coeurs"), "This table has its rules and seats: leave out"),
        (("h/tables/x", "--players", "4"), "This table has its rules and seats: leave out"),
        (("h", "--name", ""), "A name has 1 to 40"),
        (("ftp://h",), "“ftp://h” is no address of a playroom"),
    ],
)
def test_what_does_not_go_together(args: tuple[str, ...], sentence: str, volte: Command) -> None:
    told = volte("play", "--connect", *args)
    assert (told.status, told.out) == (2, "")
    assert told.err.startswith(sentence)


@pytest.mark.parametrize(
    ("seats", "sentence"),
    [
        ("casual,casual,casual,casual", "Only one person can sit at this terminal"),
        ("me,me,casual,casual", "Only one person can sit at this terminal"),
        ("me,nobody,casual,casual", "Nobody called “nobody” can sit down"),
        ("me,casual", "2 cannot play"),
    ],
)
def test_seats_that_cannot_be(seats: str, sentence: str, volte: Command) -> None:
    told = volte("play", "--connect", "http://127.0.0.1:9", "--seats", seats)
    assert (told.status, told.out) == (2, "")
    assert told.err.startswith(sentence)
