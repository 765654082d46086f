"""Matches that can be told twice: everything sent to clients, with some cards hidden elsewhere.

One after another, people do what a script says; between two of these acts, all news is sent. The
people there ask every question now and then, and load every page. Nothing is left to chance, or to
time: told again, a match is the same to the byte. So hints are thought of here, and `expert` counts
deals for them and no milliseconds.
"""

from __future__ import annotations

import asyncio
import itertools
import re
import secrets
from collections.abc import AsyncIterator, Collection, Mapping
from contextlib import asynccontextmanager, suppress
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Final, NamedTuple

import pytest
from kit.playing import Player
from kit.requests import request
from kit.sites import Site, serving
from kit.strategies import few
from msgspec.structs import replace
from starlette.routing import Route
from websockets.asyncio.client import ClientConnection

from volte import game
from volte.bots import warm_up
from volte.bots.protocol import Clock
from volte.cards import CARDS, Card
from volte.fair import CONTRIBUTION_BYTES, House, SplitMix64
from volte.game import Pass, Phase, Play, SeatAction
from volte.referee import Event, RefereedDeal
from volte.server.app import make_app
from volte.store import MatchRow
from volte.table import OpenSeats, Setup, TableEvent, Watching, decode_happening
from volte.table import commands as cmd
from volte.table.live import LiveTable
from volte.table.lobby import Lobby
from volte.table.pacing import Timing
from volte.table.viewpoints import EVERYTHING
from volte.view import View
from volte.wire.messages import Question

MASTER: Final = bytes(range(32))
NAMES: Final = ("Anne", "Bert", "Cara", "Dora", "Emma", "Fred", "Gina")
HOST: Final = "volte.example"  # in the addresses of all pages, so that they show no port

FEW: Final = Clock(simulations=400)

Orders = Mapping[int, tuple[int, ...]]  # order of the deck, by the number of the deal


class Dealer(House):
    """A house that commits to its draws, and deals in the order that it is given."""

    def arranged(self, orders: Orders) -> Dealer:
        object.__setattr__(self, "orders", orders)
        return self

    def order(self, number: int, contributions: Mapping[int, bytes], cards: int) -> tuple[int, ...]:
        orders: Orders = self.orders  # type: ignore[attr-defined]
        return orders.get(number) or super().order(number, contributions, cards)


class Script:
    """A bot for all seats: written choices, and otherwise anything lawful."""

    def __init__(self, seed: int = 1) -> None:
        self.passes: dict[tuple[int, int], tuple[Card, ...]] = {}  # by deal and seat
        # by deal, and number of cards played before
        self.plays: dict[tuple[int, int], Card] = {}
        self._seed = seed

    def choose(self, view: View, _: Clock = FEW) -> SeatAction:
        """The choice of the seat of the view."""
        assert view.seat is not None
        deal = view.deal
        if view.state.phase is Phase.PASSING:
            key = deal.number, view.seat
            random = SplitMix64(self._seed * 1000 + sum(key))
            hand = tuple(view.hand)
            chosen = random.permutation(len(hand))[: deal.rules.passing.count]
            return Pass(view.seat, self.passes.setdefault(key, tuple(hand[i] for i in chosen)))
        key = deal.number, len(deal.tricks) * deal.rules.players + len(deal.trick)
        random = SplitMix64(self._seed * 1000 + sum(key))
        legal = tuple(view.legal)
        return Play(view.seat, self.plays.setdefault(key, legal[random.below(len(legal))]))


class Tap:
    """A connection whose messages are written down."""

    def __init__(self, socket: ClientConnection, frames: list[str]) -> None:
        self._socket = socket
        self._frames = frames

    @property
    def close_code(self) -> int | None:
        return self._socket.close_code

    async def __aiter__(self) -> AsyncIterator[str]:
        async for text in self._socket:
            self._frames.append(str(text))
            yield str(text)


class Sent(NamedTuple):
    """Everything that was sent to somebody."""

    # messages of the table, in order. A scene that only repeats the one before is left out: how
    # often that happens depends on how quickly it is read.
    frames: tuple[str, ...]
    answers: tuple[str, ...]  # to questions, in order
    pages: tuple[str, ...]  # status, headers and body


class Client(Player):
    """A person of a story, with everything that was sent to them."""

    script: Script

    def listen(self, script: Script) -> None:
        self.script = script
        self.frames: list[str] = []
        self.pages: list[str] = []

    async def _listen(self, socket: ClientConnection) -> str:
        return await super()._listen(Tap(socket, self.frames))  # type: ignore[arg-type]

    def _choice(self, match: game.MatchState, seat: int) -> SeatAction:
        return self.script.choose(self.view)

    def share(self, number: int) -> bytes:
        return (self.name.encode() * CONTRIBUTION_BYTES)[:CONTRIBUTION_BYTES]

    async def pong(self) -> None:
        """Wait until the server has taken all earlier messages."""
        assert self._socket is not None
        await (await self._socket.ping())

    @property
    def sent(self) -> Sent:
        answers = [text for text in self.frames if text.startswith('{"say":"answer"')]
        frames = [text for text in self.frames if not text.startswith('{"say":"answer"')]
        once = [text for text, _ in itertools.groupby(frames)]
        return Sent(tuple(once), tuple(answers), tuple(self.pages))


class Story(NamedTuple):
    """A match to be told."""

    setup: Setup  # the table
    # steps before which everybody asks everything and loads every page; a step is an act of a
    # person in the match, counted from 0
    moments: tuple[int, ...]
    people: int = 4  # at the first seats; scripted bots have the others
    again: tuple[int, ...] = ()  # steps before which everybody hangs up and comes back
    # step before which the last card is taken back by its player, with everybody's leave
    undo: int = -1
    rethink: int = -1  # step before which the last pass is taken back, and made anew
    late: int = -1  # step before which somebody sits down on the first bot's seat


class Told(NamedTuple):
    """A story as it was told."""

    # of the match, up to the end of the telling, with the numbers of the happenings
    log: list[tuple[int, Event]]
    sent: dict[int, list[Sent]]  # by moment, messages to everybody
    seats: dict[int, list[int | None]]  # by moment, everybody's seat; None for somebody who watches
    at: dict[int, int]  # by moment, the number of the last happening
    row: MatchRow  # the match, as the store has it


class _Enough(Exception):
    """Signal that as much has been told as is wanted."""


@asynccontextmanager
async def repeatable(
    folder: Path, script: Script, orders: Orders, watched: pytest.MonkeyPatch
) -> AsyncIterator[Site]:
    """Run a server without chance: ids are counted, the house is known, no time passes."""
    numbers = itertools.count(1)

    def hexadecimal(size: int) -> str:
        return f"{next(numbers):0{2 * size}x}"

    def text(size: int) -> str:
        return f"{next(numbers):A>{-(-4 * size // 3)}}"

    def bots(level: str, seed: int) -> Script:
        return script

    def house() -> House:
        return Dealer(MASTER).arranged(orders)

    with watched.context() as patch:
        patch.setattr(secrets, "token_hex", hexadecimal)
        patch.setattr(secrets, "token_urlsafe", text)
        patch.setattr("secrets.choice", lambda some: some[0])  # one of the puzzles
        page = SimpleNamespace(
            token_urlsafe=lambda size: "A" * 16
        )  # how many pages are made differs
        patch.setattr("volte.web.visit.secrets", page)
        patch.setattr("volte.table.stored.time", SimpleNamespace(time=lambda: 1.7e9))
        timing = Timing(promise_within=60.0, grace=60.0, gathering=0.0, crowding=0.0)
        chosen = partial(Lobby, house=house, thinkers=0, timing=timing)
        patch.setattr("volte.server.run.room.Lobby", lambda store, *_, **__: chosen(store, bots))
        patch.setattr("volte.bots.advice.ADVICE", FEW)
        patch.setattr("volte.table.thinking.PATIENCE", 60.0)
        warming = warm_up(("expert",))  # before its code is there, it plays as `casual`
        assert warming is not None
        warming.join()
        folder.mkdir()
        async with serving(folder) as site:
            yield site


async def tell(
    folder: Path,
    story: Story,
    script: Script,
    watched: pytest.MonkeyPatch,
    orders: Orders | None = None,
    until: int = -1,
    asking: Collection[int] = range(9),
) -> Told:
    """Tell the story, up to that moment or to its end; people in those places ask."""
    async with repeatable(folder, script, orders or {}, watched) as site:
        telling = _Telling(site, story, script, until, asking)
        with suppress(_Enough):
            await telling.tell()
        told = await telling.told()
        for client in telling.clients:
            await client.leave()
        return told


class _Telling:
    def __init__(
        self, site: Site, story: Story, script: Script, until: int, asking: Collection[int]
    ) -> None:
        self.site = site
        self.story = story
        self.script = script
        self.until = until
        self.asking = asking
        self.step = 0
        self.clients: list[Client] = []
        self.live: LiveTable
        self.sent: dict[int, list[Sent]] = {}
        self.seats: dict[int, list[int | None]] = {}
        self.at: dict[int, int] = {}
        self.gets = sorted(
            route.path
            for route in make_app(site.room).routes
            if isinstance(route, Route) and "GET" in (route.methods or ())
        )

    async def told(self) -> Told:
        store, table = self.site.room.store, self.live.id
        entries = await store.read(table, self.live.state.match_began - 1)
        happenings = [(entry.version, decode_happening(entry.data)) for entry in entries]
        log = [(number, each) for number, each in happenings if not isinstance(each, TableEvent)]
        return Told(log, self.sent, self.seats, self.at, (await store.matches_at(table))[0])

    async def tell(self) -> None:
        await self._gather()
        while True:
            await self._settle()
            acting = self._next()
            if acting is None:
                return
            client, command = acting
            if isinstance(command, cmd.Act) and not isinstance(command.action, game.AnswerUndo):
                if await self._between():
                    continue
                self.step += 1
            client._done = client._situation(command)
            answer = await client.do(command)
            assert answer.ok, (command, answer)

    async def _gather(self) -> None:
        """Let everybody come, and begin the match."""
        story, address = self.story, self.site.address
        for name in (*NAMES[: story.people], "Watcher"):
            client = await Client.come(address, name)
            client.listen(self.script)
            self.clients.append(client)
        host = self.clients[0]
        bots = story.setup.rules.players - story.people
        levels = ("",) * (story.people - 1) + ("casual",) * bots
        table = await host.open_table(levels, replace(story.setup, open_seats=OpenSeats.ALL))
        live = await self.site.room.lobby.find(table)
        assert live is not None
        self.live = live
        for seat, client in enumerate(self.clients):
            await client.join(table, told=True)
            await self._settle()
            await client.prefer(bot_pace=0, trick_pace=0)
            if 0 < seat < story.people:
                assert (await client.do(cmd.Sit(seat))).ok
            await self._settle()
        assert (await host.do(cmd.Start())).ok

    def _next(self) -> tuple[Client, cmd.Command] | None:
        acting = [(each, command) for each in self.clients if (command := each.next_command())]
        promises = (pair for pair in acting if isinstance(pair[1], cmd.Promise))
        return next(promises, acting[0] if acting else None)

    async def _settle(self) -> None:
        """Wait until all consequences of the last act have been sent."""
        here = [client for client in self.clients if client._socket is not None]
        async with asyncio.timeout(60):
            while not resting(self.live):
                await asyncio.sleep(0.001)
        for client in here:
            await client.until(partial(self._knows, client))
        still = 0
        while still < 3:
            before = [len(client.frames) for client in here]
            for client in here:
                await client.pong()
            still = still + 1 if before == [len(client.frames) for client in here] else 0

    def _knows(self, client: Client) -> bool:
        """Whether that person has been shown everything that they may see."""
        state = self.live.state
        lags = client.seat is None and state.setup.watching is Watching.AFTERWARDS
        number = state.version
        if lags:
            number = self.live._stored.log.since(EVERYTHING, number).after.version
        return bool(client.scenes) and client.scenes[-1].number >= number

    async def _between(self) -> bool:
        """Do the story's other acts before the next step; returns whether others must act then."""
        story, step = self.story, self.step
        if step in story.again:
            for client in self.clients:
                await client.join(told=True)
                await self._settle()
        if step in story.moments and step not in self.sent:
            for place, client in enumerate(self.clients):
                if place in self.asking:
                    await self._ask(client)
            await self._settle()
            self.sent[step] = [client.sent for client in self.clients]
            self.seats[step] = [client.seat for client in self.clients]
            self.at[step] = self.live.state.version
        if step == self.until:
            raise _Enough
        if step == story.late and len(self.clients) == story.people + 1:
            await self._come_late()
            return True
        if step == story.undo:
            self.story = story._replace(undo=-1)
            await self._take_back()
            return True
        if step == story.rethink:
            self.story = story._replace(rethink=-1)
            await self._pass_anew()
            return True
        return False

    async def _come_late(self) -> None:
        """Let somebody take a bot's seat over: from now on they know its cards."""
        client = await Client.come(self.site.address, "Late")
        client.listen(self.script)
        self.clients.append(client)
        await client.join(self.clients[0].table, told=True)
        await self._settle()
        await client.prefer(bot_pace=0, trick_pace=0)
        seat = self.story.people
        assert (await client.do(cmd.Sit(seat))).ok
        host = self.clients[0]
        assert (await host.do(cmd.AnswerSeat(seat, client.person, allow=True))).ok

    async def _take_back(self) -> None:
        last = game.last_play(match_of(self.live))
        assert last is not None
        client = next(each for each in self.clients if each.seat == last.seat)
        assert (await client.act(game.AskUndo(last.seat))).ok

    async def _pass_anew(self) -> None:
        deal = match_of(self.live).deal
        assert deal is not None
        client = next(each for each in self.clients if deal.passes[each.seat or 0] is not None)
        assert (await client.act(game.TakeBackPass(client.seat or 0))).ok

    async def _ask(self, client: Client) -> None:
        """Ask every question, play every illegal card, load every page."""
        for what in Question:
            await client.ask(what)
        for card in range(1, 8):
            await client.ask(Question.TABLE, card)
        for command in self._unlawful(client):
            answer = await client.do(command)
            assert not answer.ok, command
        assert not (await client.do(cmd.Act(Play(0, CARDS[0])), seen=1)).ok
        match = (await self.site.room.store.matches_at(self.live.id))[0].id
        for path in self.gets:
            about = "{table}" in path or "{match}" in path or ("{" in path and few(0, 1))
            if client.pages and not about and path not in ("/", "/api/tables"):
                continue  # it tells nothing of the table, as the first moment has shown
            for name, value in (("table", self.live.id), ("match", match), ("preset", "coeurs")):
                path = path.replace(f"{{{name}}}", value)
            path = re.sub("{[^}]*}", "1", path)
            headers = {"host": HOST, "cookie": client.cookie}
            page = await request(self.site.address, "GET", path, headers=headers)
            assert page.status < 500, path
            client.pages.append(f"{path} {page}")

    def _unlawful(self, client: Client) -> list[cmd.Command]:
        """Commands that are refused, wherever the hidden cards are."""
        seat = client.seat
        if seat is None:
            return [cmd.Act(Play(0, CARDS[0])), cmd.Act(game.Claim(0)), cmd.Start()]
        view = client.view
        deal = view.deal
        others = [card for card in deal.rules.cards if card not in view.hand][:3]
        early = isinstance(deal, RefereedDeal)  # there, any card of one's own may be laid (I2)
        cards = [card for card in view.hand if not early and card not in view.legal] + others
        acts: list[SeatAction] = [Play(seat, card) for card in cards]
        acts += [Pass(seat, (card,) * deal.rules.passing.count) for card in others]
        acts += [Play((seat + 1) % deal.rules.players, CARDS[0]), game.AnswerUndo(seat, True)]
        played = game.last_play(view.state)
        if played is None or played.seat != seat:
            acts.append(game.AskUndo(seat))
        return [*map(cmd.Act, acts), cmd.Sit(0), cmd.MoreTime(), cmd.Next()]


def match_of(live: LiveTable) -> game.MatchState:
    assert live.state.match is not None
    return live.state.match


def resting(live: LiveTable) -> bool:
    """Whether only people can go on: the house and the bots have done their acts."""
    state, places = live.state, [*enumerate(live.state.seats)]
    match = state.match
    if match is None or not state.under_way or match.asked is not None:
        return True
    if match.phase in (Phase.DRAWING, Phase.DEALING):
        if state.between_deals:
            return any(seat.person and place not in state.ready for place, seat in places)
        if match.proof is None:
            return False
        left = game.still_to_promise(match) or game.still_to_contribute(match)
        return bool(left) and not set(left) & set(match.proof.house)
    if match.deal is None:
        return False
    if match.phase is Phase.PASSING:
        return all(match.deal.passes[place] is not None for place, seat in places if seat.bot)
    return match.phase is Phase.PLAYING and not state.seats[match.deal.turn].bot
