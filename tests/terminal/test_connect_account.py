"""An account at a terminal: its password is asked for once, and a wrong one lets nobody in."""

from __future__ import annotations

import io
import json
from collections.abc import Iterator
from pathlib import Path
from zipfile import ZipFile

import pytest
from cli.command import Command
from cli.conftest import folder, volte
from kit.browsing import Visitor
from terminal.people import Script
from terminal.playrooms import Playroom, open_playroom

__all__ = ["folder", "volte"]

PASSWORD = "lune rousse à midi"


@pytest.fixture
def playroom(folder: Path) -> Iterator[Playroom]:
    with open_playroom(folder) as opened:
        yield opened


def test_somebody_plays_by_their_account(folder: Path, volte: Command, playroom: Playroom) -> None:
    with Visitor(playroom.address) as zoé:
        zoé.come_in("Zoé")
        zoé.post("/account", {"login": "zoé at a terminal", "password": PASSWORD})
        to = ("play", "--connect", playroom.address, "--login", "Zoé at a terminal", "--lang", "en")
        wrong = volte(*to, answer=Script(["nothing like it"]))
        assert wrong.status == 1
        assert wrong.err == "Login and password do not go together: look at both, and try again.\n"
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
            told = json.loads(packed.read("volte.json"))
        assert len(told["known_devices"]) == 2  # the browser, and the terminal, which came back
    kept = b"".join(path.read_bytes() for path in folder.rglob("*.json"))
    assert PASSWORD.encode() not in kept


def test_a_login_goes_with_an_address(volte: Command) -> None:
    told = volte("play", "--login", "zoé", "--lang", "en")
    assert (told.status, told.out) == (2, "")
    assert "--connect" in told.err
