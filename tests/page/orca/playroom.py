"""A playroom in which every match is the same, and a door through which somebody comes in."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Self
from unittest.mock import patch

import httpx
from msgspec.structs import replace
from server.visiting import House as Playroom
from server.visiting import Visitor

from volte.fair import House as Dealer
from volte.game.codec import encode
from volte.rules import make_ruleset, preset
from volte.rules.options import Value
from volte.server.preferences import USUAL
from volte.table import Setup
from volte.table.live import LiveTable


class Stacker(Dealer):
    """Deals the cards of its seed, whatever the others add to the shuffle."""

    def order(self, number: int, contributions: Mapping[int, bytes], cards: int) -> tuple[int, ...]:
        return super().order(number, {}, cards)

    def lot(
        self, number: int, draw: int, contributions: Mapping[int, bytes], cards: int
    ) -> tuple[int, ...]:
        return super().lot(number, draw, {}, cards)


@contextmanager
def stacked(playroom: Playroom, seed: int) -> Iterator[None]:
    """Tables that are opened meanwhile deal the cards of a seed, and wait for nobody.

    The page does not know that, and joins what bots do into one message as it usually would.
    """
    lobby = playroom.site.room.lobby
    before = lobby._setting
    at_once = replace(before.timing, bot_pace=0.0, trick_pace=0.0)
    lobby._setting = replace(before, house=lambda: Stacker.from_seed(seed), timing=at_once)
    try:
        with patch.object(LiveTable, "manner", lambda table, who, *paces: None):
            yield
    finally:
        lobby._setting = before


class Guest:
    """Somebody who has come in and opened a table, without a browser so far.

    Args:
        settings: theirs. Without any, nothing is said again: the voice has spoken it long ago.
    """

    def __init__(self, playroom: Playroom, lang: str, name: str = "Zoé", **settings: Any) -> None:
        self.playroom = playroom
        self._client = Visitor(playroom.address, lang).client
        self._post("/api/guest", json={"name": name, "lang": lang})
        chosen = {**USUAL, "say_again": False, "helped": True, "lang": lang, **settings}
        helped = chosen.pop("helped")
        sent = {name: "on" if value is True else str(value) for name, value in chosen.items()}
        csrf = self._csrf()
        off = [name for name, value in chosen.items() if value is False]
        self._post("/me", data={n: v for n, v in sent.items() if n not in off} | csrf)
        if helped:
            self._post("/me/helped", data=csrf)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._client.close()

    @property
    def cookie(self) -> str:
        return f"volte={self._client.cookies['volte']}"

    def open_table(self, name: str = "coeurs", **options: Value) -> str:
        """A table with bots that always do the same; its id."""
        rules = make_ruleset(preset(name).name, options)
        setup = json.loads(encode(Setup("Essai", rules)))
        levels = ["casual"] * (rules.players - 1)
        content = {"setup": setup, "levels": levels, "password": ""}
        table: str = self._post("/api/tables", json=content).json()["table"]
        return table

    def _csrf(self) -> dict[str, str]:
        text = self._client.get("/rules").text
        return {"csrf": text.partition('name="csrf" value="')[2].partition('"')[0], "next": "/me"}

    def _post(self, path: str, **content: Any) -> httpx.Response:
        origin = str(self._client.base_url).rstrip("/")
        answer = self._client.post(path, headers={"origin": origin, "x-volte": "1"}, **content)
        answer.raise_for_status()
        return answer


@contextmanager
def door(cookie: str, to: str) -> Iterator[str]:
    """An address that gives whoever comes there a cookie, and sends them on.

    Cookies know no ports: the one of this address is good for all servers of the machine.
    """

    class Door(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(303)
            self.send_header("Set-Cookie", f"{cookie}; Path=/; HttpOnly; SameSite=Lax")
            self.send_header("Location", to)
            self.end_headers()

        def log_message(self, *_: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Door) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}/"
        finally:
            server.shutdown()
            thread.join()
