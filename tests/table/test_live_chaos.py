"""People who come, go and meddle at random, over a store that fails: no table is ever stuck."""

from __future__ import annotations

import asyncio
import random
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Final

import pytest
from msgspec.structs import replace
from table.people import ANNE, BERT, CARA, QUICK, Player, done, kill, room, run, setup, until
from table.test_live_kills import Unsteady, unsteady

from volte import game, referee
from volte.cards import cards_in
from volte.game import Refusal
from volte.store import Unavailable
from volte.table import Someone, Watching, fold
from volte.table import commands as cmd
from volte.table.happenings import decode_happening, seen_by
from volte.table.live import LiveTable
from volte.table.lobby import Lobby

PEOPLE: Final = (ANNE, BERT, CARA)
HASTY: Final = replace(QUICK, grace=0.01, promise_within=0.05, undo_within=0.03)


class Meddler(Player):
    """Forgives every refusal."""

    async def do(self, command: cmd.Command, cause: str = "") -> None:  # type: ignore[override]
        await self.table.do(self.who, command, self.state.version, cause)

    async def _once(self, what: object, command: cmd.Command, *forgiven: str) -> None:
        await self.do(command)


def any_cards(draws: random.Random, table: LiveTable, seat: int) -> list[game.Play]:
    """Cards that the seat could play where nothing is refused."""
    deal = table.state.match.deal if table.state.match is not None else None
    hand = cards_in(deal.hands[seat]) if deal is not None and seat < len(deal.hands) else ()
    return [game.Play(seat, card) for card in draws.sample(hand, min(4, len(hand)))]


def meddling(draws: random.Random, table: LiveTable, who: Someone) -> cmd.Command:
    seat, other = draws.randrange(5), draws.randrange(4)
    own = table.state.seat_of(who.id) or 0
    commands: list[cmd.Command] = [
        cmd.Sit(seat),
        cmd.Sit(other),
        cmd.Stand(),
        cmd.Away(),
        cmd.Back(),
        cmd.Pause(),
        cmd.Unpause(),
        cmd.Replace(other),
        cmd.Remove(other),
        cmd.SeatBot(other, "beginner"),
        cmd.Swap(seat, other),
        cmd.HandOver(other),
        cmd.Next(),
        cmd.MoreTime(),
        cmd.AcceptClock(draws.random() < 0.5),
        cmd.Act(game.AskUndo(own)),
        cmd.Act(game.AnswerUndo(own, draws.random() < 0.5)),
        cmd.Act(game.Claim(own)),
        cmd.Act(game.TakeBackPass(own)),
        cmd.Act(game.Claim(seat)),
        cmd.Act(referee.Object(own, other)),
        cmd.Act(referee.TakeBack(own)),
        cmd.Act(referee.ClaimRevoke(own, other, draws.randrange(1, 14))),
        *(cmd.Act(play) for play in any_cards(draws, table, own)),
        cmd.Promise(draws.randrange(3), bytes(32)),
        cmd.Contribute(draws.randrange(3), bytes(16)),
        cmd.Start(),
    ]
    return draws.choice(commands)


async def found(lobby: Lobby, table: str) -> LiveTable:
    """The table, as soon as the store can be read."""
    while True:
        with suppress(Unavailable):
            live = await lobby.find(table)
            assert live is not None
            return live


def over(table: LiveTable) -> bool:
    """Whether it lives here no more, or its match has been played."""
    return bool(table.ended) or (table.state.match is not None and not table.state.under_way)


class Chaos:
    """One table, and what befalls it."""

    def __init__(self, lobby: Lobby, table: LiveTable, draws: random.Random) -> None:
        self.lobby = lobby
        self.table = table
        self.draws = draws
        self.guests: dict[str, Meddler] = {}
        self.replies: dict[str, Refusal | None] = {}
        self.messages = 0

    async def befall(self) -> None:
        """One more thing."""
        draws, table = self.draws, self.table
        if table.ended:
            self.table = await found(self.lobby, table.id)
            for guest in self.guests.values():
                await guest.closed()
            self.guests.clear()
            return
        who = draws.choice(PEOPLE)
        match draws.randrange(12):
            case 0 | 1 | 2 if who.id in self.guests:
                await self.guests.pop(who.id).leave()
            case 0 | 1 | 2 | 3 | 4 if who.id not in self.guests:
                self.guests[who.id] = Meddler(table, who)
            case 5:
                store = unsteady(self.lobby)
                store.before, store.after, store.blind = draws.choices((0, 0, 0, 1, 2), k=3)
            case 6 if draws.random() < 0.2:
                await kill(table)
            case 7 | 8:
                await asyncio.sleep(0.005)
            case _:
                cause = f"{who.id}:{self.messages - draws.randrange(2)}"
                self.messages += 1
                seen = max(table.state.version - draws.choice((0, 0, 0, 1, 5)), 0)
                await table.do(who, meddling(draws, table, who), seen, cause)

    async def calm(self) -> None:
        """Everybody comes back and plays: the match must come to its end."""
        store = unsteady(self.lobby)
        store.before = store.after = store.blind = 0
        for meddler in self.guests.values():
            await meddler.leave()
        while True:
            table = await found(self.lobby, self.table.id)
            guests = [Meddler(table, who) for who in PEOPLE]
            host = next(guest.who for guest in guests if guest.who.id == table.state.host)
            for command in (cmd.Unpause(), cmd.Start()):
                refused = True
                while refused:
                    reply = await table.do(host, command, table.state.version)
                    refused = reply.refusal is not None and reply.refusal.reason == "not_saved"
                    await asyncio.sleep(0)
            await until(partial(over, table))
            if not table.ended:
                break
        there = [guest for guest in guests if guest.watcher.closed != "nobody_watches"]
        await until(lambda: all(g.state.version == table.state.version for g in there))
        for guest in guests:
            await guest.leave()
        self.table = table


async def befallen(folder: Path, seed: int, watching: Watching) -> None:
    draws = random.Random(seed)
    async with room(folder, HASTY, store=Unsteady) as lobby:
        chosen = setup(
            match_end="deals:2",
            watching=watching,
            clock=draws.choice((0, 30)),
            irregularities=draws.choice(("enforced", "refereed")),
        )
        table = await lobby.open(chosen, ANNE)
        await done(table, ANNE, cmd.Sit(0), cmd.Start())
        chaos = Chaos(lobby, table, draws)
        for _ in range(150):
            await chaos.befall()
        await chaos.calm()
        entries = await lobby.store.read(table.id)
        log = [decode_happening(entry.data) for entry in entries]
        assert fold(log) == chaos.table.state
        for row in await lobby.store.matches_at(table.id):
            assert isinstance(log[row.first - 1], game.MatchStarted)
            assert row.ended is not None
        causes: list[str] = []
        for entry in entries:
            if entry.cause and entry.cause != (causes or [""])[-1]:
                causes.append(entry.cause)
        assert len(causes) == len(set(causes)), "something was done twice"
        assert fold(seen_by(each, None) for each in log).version == len(log)


@pytest.mark.parametrize("seed", range(3))
def test_no_table_is_ever_stuck(seed: int, tmp_path: Path) -> None:
    run(befallen(tmp_path, seed, list(Watching)[seed % 3]))


@pytest.mark.full
@pytest.mark.parametrize("seed", range(3, 203))
def test_no_table_is_ever_stuck_whatever_befalls_it(seed: int, tmp_path: Path) -> None:
    run(befallen(tmp_path, seed, list(Watching)[seed % 3]))
