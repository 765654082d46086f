"""`volte play --connect`: matches played at a real playroom, and the way to it.

The questions before a match are in the transcript `playroom.en.txt`.
"""

from __future__ import annotations

import io
import json
import re
from collections.abc import Iterator
from pathlib import Path
from threading import Thread
from zipfile import ZipFile

import pytest
from kit import Playroom, Process, browsing, open_playroom
from kit.ports import free_port
from kit.terminals import (
    Guest,
    Script,
    Stubborn,
    Volte,
    answering,
    happenings,
    heard_locally,
    match_log,
)

from volte.console.terminal import command_line
from volte.console.witness import PlayStyle
from volte.game import Contributed, MatchEnded, MatchStarted, Played, Promised, Revealed
from volte.table import Access
from volte.table import happenings as hap

OF_CONNECTIONS = (
    "The connection is lost; Volte is trying to restore it.",
    "Connected again.",
    "Nobody is here: the match is waiting.",
    "The match goes on.",
)
ONE_DEAL = ("--rules", "coeurs", "--name", "Zoé")
PASSWORD = "lune rousse à midi"


@pytest.fixture
def playroom(folder: Path) -> Iterator[Playroom]:
    """A new playroom; its tables are listed."""
    with open_playroom(folder) as opened:
        yield opened


def table_in(said: str) -> str:
    """The id of the table whose address was told."""
    found = re.search(r"/tables/([\w-]+)(?:/invited/\w+)?$", said, re.M)
    assert found is not None, said
    return found[1]


@pytest.mark.parametrize(
    ("lang", "options", "manner"),
    [
        ("fr", (), PlayStyle()),
        ("en", ("--auto-forced",), PlayStyle(auto_forced=True)),
        pytest.param("en", (), PlayStyle(), marks=pytest.mark.full),
        pytest.param(
            *("fr", ("--auto-forced",), PlayStyle(auto_forced=True)), marks=pytest.mark.full
        ),
    ],
)
def test_a_match_elsewhere_is_heard_as_at_a_table_of_ones_own(
    lang: str, options: tuple[str, ...], manner: PlayStyle, volte: Volte, playroom: Playroom
) -> None:
    connect = ("play", "--connect", playroom.address, *ONE_DEAL, "--lang", lang)
    done = volte(*connect, *options, answer=Stubborn())
    assert (done.status, done.err) == (0, "")
    assert done.out.startswith({"fr": "Ici, vous êtes Zoé.\n", "en": "You are Zoé here.\n"}[lang])
    log = match_log(playroom, table_in(done.out))
    heard = re.split(r"^“same”: |^«\s+mêmes\s+»", done.out, flags=re.M)[0]
    heard = heard.partition(table_in(done.out) + "\n")[2]
    assert heard == heard_locally(log, 0, Stubborn(), lang, manner)


def test_D3_a_person_adds_to_every_shuffle(volte: Volte, playroom: Playroom) -> None:
    options = ("--rules", "coeurs", "--set", "match_end=deals:2", "--name", "Zoé")
    done = volte("play", "--connect", playroom.address, *options, answer=Stubborn())
    log = match_log(playroom, table_in(done.out))
    mine = [event for event in log if isinstance(event, Promised | Contributed) and not event.seat]
    assert [type(event) for event in mine] == [Promised, Contributed] * 2
    assert all(event.digest for event in mine if isinstance(event, Promised))
    shares = {event.data for event in mine if isinstance(event, Contributed)}
    assert len(shares) == 2
    assert None not in shares


def test_whoever_leaves_is_told_how_to_come_back_and_is_known_again(
    volte: Volte, playroom: Playroom
) -> None:
    done = volte("play", "--connect", playroom.address, *ONE_DEAL, answer=Script([".1 .2 .3", "q"]))
    assert done.status == 0
    table = table_in(done.out.split("The match is waiting")[0])
    page = f"{playroom.address}/tables/{table}"
    last = done.out.splitlines()[-1]
    assert last == f"The match is waiting for you: {command_line('play', '--connect', page)}"
    assert happenings(playroom, table)[-1] == hap.Paused("Zoé")
    back = volte("play", "--connect", page, answer=Stubborn())
    assert back.status == 0
    assert back.out.startswith("You are Zoé here.\nThe match goes on: deal 1")
    log = match_log(playroom, table)
    assert sum(isinstance(each, MatchEnded) for each in log) == 1
    assert sum(isinstance(each, Played) for each in log) == 52


@pytest.mark.full
def test_a_server_that_is_killed_and_comes_back_loses_nothing(volte: Volte, folder: Path) -> None:
    class Killer(Stubborn):
        """Kills the server before the second card, and once more a few cards after it is back."""

        cards = 0
        back = False
        restarting: Thread | None = None

        def __call__(self, heard: str) -> str:
            self.back = self.back or "Connected again." in heard
            if re.search(r"Your (card|lead)\?\n\Z", heard):
                self.cards += 1
                if self.cards == 2:
                    server.kill()
                    server.restart()
                # So that the card is played before anybody can hear of it
                if self.cards >= 5 and self.back and self.restarting is None:
                    server.kill()
                    self.restarting = Thread(target=server.restart)
                    self.restarting.start()
            return super().__call__(heard)

    with Process(f"sqlite:///{folder / 'playroom.sqlite'}", folder) as server:
        killer = Killer()
        done = volte("play", "--connect", server.address, *ONE_DEAL, answer=killer)
        table = table_in(done.out)
        assert killer.restarting is not None
        killer.restarting.join()
        server.kill()
        with open_playroom(folder) as playroom:
            log = match_log(playroom, table)
    assert (done.status, done.err) == (0, "")
    assert done.out.count("The connection is lost; Volte is trying to restore it.\n") == 2
    assert done.out.count("Connected again.\n") == 2
    assert sum(isinstance(each, MatchStarted) for each in log) == 1
    assert sum(isinstance(each, Played) for each in log) == 52
    assert isinstance(log[-1], Revealed)
    heard = done.out.partition(table + "\n")[2].partition("“same”: ")[0]
    lines = [line for line in heard.splitlines() if line not in OF_CONNECTIONS]
    once = [line for line, before in zip(lines, ["", *lines], strict=False) if line != before]
    assert once == heard_locally(log, 0, Stubborn(), "en", PlayStyle()).splitlines()


def test_a_table_with_a_password(volte: Volte, playroom: Playroom, anne: Guest) -> None:
    table = anne.open("", "", "", password="sésame", access=Access.PASSWORD)
    page = f"{playroom.address}/tables/{table}"
    done = volte(
        "play", "--connect", page, "--name", "Zoé", answer=Script(["simsim", "sésame", "q"])
    )
    assert done.status == 0
    question = "The password of this table?\n"
    assert done.out.count(question) == 2
    assert f"{question}That is not the password.\n{question}Seat 1: Anne." in done.out
    again = volte("play", "--connect", page, answer=Script(["q"]))
    assert question not in again.out


# Refusals


def test_no_playroom(volte: Volte) -> None:
    address = f"http://127.0.0.1:{free_port()}"
    sentence = volte.refused("play", "--connect", address, "--name", "Zoé", status=1)
    assert sentence.startswith(f"Cannot reach {address} (Connection refused)")


# An account


def test_somebody_plays_by_their_account(folder: Path, volte: Volte, playroom: Playroom) -> None:
    with browsing.Visitor(playroom.address) as zoé:
        zoé.come_in("Zoé")
        zoé.post("/account", {"login": "zoé at a terminal", "password": PASSWORD})
        to = ("play", "--connect", playroom.address, "--login", "Zoé at a terminal", "--lang", "en")
        wrong = volte(*to, answer=Script(["nothing like it"]))
        assert wrong.status == 1
        assert wrong.err == "Wrong username or password: check both, and try again.\n"
        right = volte(*to, answer=Script([PASSWORD, "q"]))
        assert right.status == 0
        assert "Your password?\nYou are Zoé here." in right.out
        assert PASSWORD not in right.out
        again = volte(*to, answer=Script(["q"]))
        assert "Your password?" not in again.out
        assert "You are Zoé here." in again.out
        assert "Volte in a terminal" in zoé.get("/me/sessions").text
        zoé.post("/me/sessions", {"others": "1"})
        anew = volte(*to, answer=Script([PASSWORD, "q"]))
        assert "Your password?\nYou are Zoé here." in anew.out
        with ZipFile(io.BytesIO(zoé.post("/me/data").answer.content)) as packed:
            data = json.loads(packed.read("volte.json"))
        assert len(data["known_devices"]) == 2  # the browser, and the terminal, which came back
    kept = b"".join(path.read_bytes() for path in folder.rglob("*.json"))
    assert PASSWORD.encode() not in kept


# A playroom that means harm, or none at all: one sentence, and nothing that a terminal obeys


@pytest.mark.parametrize(
    "body",
    [
        *(b"", b"hi", b"null", b"[" * 100_000, b'{"person":' * 50_000, b'"\xff"', b"NaN"),
        b"\x00" * 100,
        *(b'{"person":1,"name":2}', b'{"person":"' + b"9" * 10**6 + b'"}', b"9" * 10_000),
    ],
)
def test_answers_that_are_none(body: bytes, volte: Volte) -> None:
    with answering(200, body) as (address, _):
        sentence = volte.refused("play", "--connect", address, "--name", "Zoé", status=1)
    assert sentence.startswith((address, f"Cannot reach {address}"))


def test_nothing_in_a_sentence_moves_the_cursor(volte: Volte) -> None:
    line = "No.\x1b[2J\x1b]0;mine\x07\x9b2J\u202e\r\x08 Really"
    with answering(403, json.dumps({"reason": "x", "line": line}).encode()) as (address, _):
        done = volte("play", "--connect", address, "--name", "Zoé")
    assert done.status == 1
    assert "Really" in done.err
    for sign in "\x1b\x07\x9b\u202e\r\x08":
        assert sign not in done.err + done.out
