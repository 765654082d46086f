"""A playroom in which every match is the same, its guests, and an address that signs them in."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Final, Self

import httpx
from kit.browser.players import at_once
from kit.browsing import Visitor
from kit.dealing import Stacker
from kit.orca.ear import Ear
from kit.playing import Player
from kit.sites import Playroom, Process

from volte.cards import Card
from volte.forms.preferences import PREFERENCES, USUAL
from volte.game.codec import encode
from volte.rules import make_ruleset, preset
from volte.rules.options import Value
from volte.say import Words
from volte.table import Setup
from volte.table.commands import Command, Sit
from volte.table.live import LiveTable
from volte.table.turns import TurnKind, current_turns
from volte.view import View
from volte.web.visit import ZONE_COOKIE
from volte.wire.messages import InviteFriend, Speak


@contextmanager
def stacked(playroom: Playroom, seed: int) -> Iterator[None]:
    """While the context lasts, new tables deal the cards of a seed, and wait for nobody.

    The page does not know that, and joins the plays of bots into one message as usual.
    """
    with at_once(playroom, lambda: Stacker.from_seed(seed)):
        yield


class Guest:
    """A guest of the playroom, who has no browser yet.

    Args:
        zone: time zone that the browser has told; empty if it has not.
        settings: the guest's settings; `say_again` is off unless given, as the voice is so fast.
    """

    def __init__(
        self,
        playroom: Playroom | Process,
        lang: str,
        name: str = "Zoé",
        *,
        zone: str = "",
        **settings: Any,
    ) -> None:
        self.name = name
        self._zone = zone
        self._address = playroom.address
        self.visitor = Visitor(playroom.address, lang)  # their browser, without scripts
        self._client = self.visitor.client
        self._post("/api/guest", json={"name": name, "lang": lang})
        chosen = {**USUAL, "say_again": False, "helped": True, "lang": lang, **settings}
        helped = chosen.pop("helped")
        texts = {name: PREFERENCES[name].shown(value) for name, value in chosen.items()}
        csrf = self._csrf()
        self._post("/me", data={name: text for name, text in texts.items() if text} | csrf)
        if helped:
            self._post("/me/helped", data=csrf)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._client.close()

    @property
    def _cookie(self) -> str:
        return f"volte={self._client.cookies['volte']}"

    def open_table(
        self, name: str = "coeurs", levels: Sequence[str] | None = None, **options: Value
    ) -> str:
        """Open a table with bots that always do the same; return its id.

        Args:
            levels: of the bots at the other seats, "" for nobody; by default all casual.
        """
        setup = Setup("Essai", make_ruleset(preset(name).name, options))
        return self.open_setup(setup, levels)

    def open_setup(self, setup: Setup, levels: Sequence[str] | None = None) -> str:
        """Open a table set up like that; see `open_table`."""
        seated = list(levels or ["casual"] * (setup.rules.players - 1))
        content = {"setup": json.loads(encode(setup)), "levels": seated, "password": ""}
        table: str = self._post("/api/tables", json=content).json()["table"]
        return table

    @property
    def person(self) -> str:
        """The guest's id."""
        found: str = self._client.get("/api/me").json()["person"]
        return found

    def open(self, ear: Ear, path: str, what: str = "", at: str = "", word: str = "") -> None:
        """Open a page, perhaps at another address (`at`) of the playroom, and listen to it, until
        it says a word if one is given.

        The step is recorded as `what`, or by its path.
        """
        told = (f"{ZONE_COOKIE}={self._zone}",) if self._zone else ()
        with door((at or self._address) + path, self._cookie, *told) as address:
            ear.open(address, what or path, word)

    def device(self, playroom: Playroom) -> Friend:
        """Another device of the guest, without a browser."""
        return Friend(playroom, Player(playroom.address, self._cookie, self.person, self.name))

    def _csrf(self) -> dict[str, str]:
        text = self._client.get("/rules").text
        return {"csrf": text.partition('name="csrf" value="')[2].partition('"')[0], "next": "/me"}

    def _post(self, path: str, **content: Any) -> httpx.Response:
        headers = {"origin": self._address, "x-volte": "1"}
        answer = self._client.post(path, headers=headers, **content)
        answer.raise_for_status()
        return answer


class Friend:
    """Another person in the playroom, without a browser, who does what a test says."""

    def __init__(self, playroom: Playroom, person: Player) -> None:
        self._playroom = playroom
        self._person = person

    @classmethod
    def come(cls, playroom: Playroom, name: str = "Bob") -> Self:
        """A new person."""
        return cls(playroom, playroom.do(Player.come(playroom.address, name)))

    @property
    def seat(self) -> int:
        assert self._person.seat is not None
        return self._person.seat

    def meet(self, rules: str) -> str:
        """Press "Play with people", and come to the table to which that leads; return its id."""
        met = self._playroom.do(self._person.post("/api/meet", {"rules": rules})).json
        self.join(met["table"])
        return str(met["table"])

    def sit(self, table: str, seat: int) -> None:
        """Come to a table and take a seat."""
        self.join(table)
        self.do(Sit(seat))

    def join(self, table: str = "") -> None:
        """Come to a table; without an id, back to the last one."""
        self._playroom.do(self._person.join(table))

    def lose(self) -> None:
        """Lose the connection."""
        self._playroom.do(self._lost())

    async def _lost(self) -> None:
        self._person.drop()

    def leave(self) -> None:
        self._playroom.do(self._person.leave())

    def do(self, command: Command) -> None:
        answer = self._playroom.do(self._person.do(command))
        assert answer.ok, answer

    def say(self, text: str) -> None:
        """Say something to the others at the table."""
        self._ask(lambda key: Speak(key, "table", text=text))

    def invite(self, friend: str) -> None:
        """Invite the friend with that id to the table."""
        self._ask(lambda key: InviteFriend(key, friend))

    def _ask(self, asking: Callable[[str], Speak | InviteFriend]) -> None:
        person = self._person
        said = encode(asking(key := person.next_id())).decode()
        answer = self._playroom.do(person.say(key, said))
        assert answer.ok, answer

    def play(self, enough: Callable[[], bool]) -> None:
        """Play any legal cards until `enough` holds."""
        self._playroom.do(self._person.play(enough))


@contextmanager
def door(to: str, *cookies: str) -> Iterator[str]:
    """An address that sets cookies, and redirects to `to`.

    Cookies know no ports: those of this address are good for all servers of the machine.
    """

    class Door(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(303)
            for cookie in cookies:
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


# A seat, as the server knows it

MINE: Final = 0


class Seat:
    """A seat, by default the first, of the table with id `table`, or else of the only table of a
    playroom."""

    def __init__(
        self, playroom: Playroom, lang: str = "en", table: str = "", seat: int = MINE
    ) -> None:
        self._playroom = playroom
        self._words = Words(lang)
        self._id = table
        self._seat = seat

    @property
    def _table(self) -> LiveTable | None:
        tables = self._playroom.site.room.lobby.tables
        return next((each for each in tables if self._id in ("", each.id)), None)

    @property
    def what(self) -> TurnKind | None:
        """The kind of turn of the seat; None if it has none."""
        turns = {} if self._table is None else current_turns(self._table.state, {}, 0.0)
        return turns[self._seat].kind if self._seat in turns else None

    @property
    def view(self) -> View:
        """The view of the seat."""
        assert self._table is not None
        return self._table.view(self._seat)

    def holds(self, cards: int) -> bool:
        """Whether the seat is to play with so many cards in hand; for 0, whether no match is on."""
        if cards == 0:
            return self._table is not None and not self._table.state.under_way
        return self.what is TurnKind.PLAY and len(self.view.hand) == cards

    @property
    def cards(self) -> int:
        """Number of cards in hand."""
        return len(self.view.hand)

    @property
    def trick(self) -> tuple[Card, ...]:
        """The cards on the table."""
        return self.view.deal.trick

    @property
    def legal(self) -> list[Card]:
        """The legal cards of the hand, from left to right."""
        return [card for card in self._words.hand_order(self.view) if card in self.view.legal]

    @property
    def barred(self) -> list[Card]:
        """The other cards of the hand, from left to right."""
        return [card for card in self._words.hand_order(self.view) if card not in self.view.legal]

    def go_to(self, ear: Ear, cards: list[Card]) -> None:
        """Press arrow keys to the nearest of the cards, from the card that was heard last."""
        order = list(self._words.hand_order(self.view))
        names = [self._words.card(each) for each in order]
        heard = [text for text in ear.heard if text in names]
        assert heard, "no card of this hand was heard yet"
        here = names.index(heard[-1])
        steps = min((order.index(card) - here for card in cards), key=abs)
        ear.press(*["Right" if steps > 0 else "Left"] * abs(steps))
