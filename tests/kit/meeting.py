"""People who would play with anybody, at nodes of this process."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from contextlib import suppress
from functools import partial
from typing import Final

from kit.live import LIMIT, Player
from kit.sites import Site, until
from msgspec.structs import replace

from volte.meeting.matchmaker import Matchmaker
from volte.meeting.seeks import Seek, Wish
from volte.meeting.store import Seeks
from volte.meeting.waiting import Waiting
from volte.rules import make_ruleset
from volte.store import Person
from volte.store.store import Store
from volte.table import Setup, Someone
from volte.table import commands as cmd
from volte.table.live import LiveTable
from volte.table.lobby import OnAnotherNode
from volte.table.pacing import Pace
from volte.table.stored import read_summary
from volte.talk.store import Measure, TalkReport, TalkStore

HEARTS: Final = "spot-hearts"
MARIA: Final = "black-maria"
ANY: Final = Wish()


def meeting_setup(name: str, preset: str = HEARTS, clock: int = 0) -> Setup:
    """The setup of a meeting table."""
    return Setup(name, make_ruleset(preset), clock=clock, meeting=True)


class Stranger:
    """Somebody who presses "Play with people", and goes where that leads.

    Args:
        nodes: the nodes of the playroom.
        plays: whether they play; else they only look, and their deal does not end.

    Attributes:
        table: id of the table where their page is; empty before it is anywhere.
        went: ids of all the tables where it has been, in order.
        opened: ids of the tables that they have opened.
    """

    def __init__(self, nodes: Sequence[Site], name: str, *, plays: bool = False) -> None:
        self.nodes = nodes
        self.who = Someone(name.lower(), name)
        self.table = ""
        self.went: list[str] = []
        self.opened: list[str] = []
        self.player: Player | None = None
        self._plays = plays
        self._here: asyncio.Task[None] | None = None

    @classmethod
    async def come(cls, nodes: Sequence[Site], *names: str, plays: bool = False) -> list[Stranger]:
        """People of those names, who are at no table yet."""
        for name in names:
            await nodes[0].room.store.put_person(Person(name.lower(), name, "en", {}, 1.0))
        return [cls(nodes, name, plays=plays) for name in names]

    def matchmaker(self, node: int = 0) -> Matchmaker:
        return self.nodes[node].room[Matchmaker]

    async def press(
        self,
        wish: Wish = ANY,
        *,
        node: int = 0,
        preset: str = "",
        begin: bool = True,
        stay: bool = True,
        levels: Sequence[str] = ("casual",) * 3,
    ) -> str:
        """Press the button at a node, and go to the table; return its id.

        Args:
            preset: the game of their own table, if one is opened; else what they wish.
            begin: whether a match begins at their own table.
            stay: whether they stay at the table, or lose the connection at once.
            levels: of the bots at their own table.
        """
        game = preset or wish.preset or HEARTS
        opened = partial(self._open, self.nodes[node], game, begin, levels)
        table = await self.matchmaker(node).seek(self.who, wish, opened)
        if stay and self._here is None:
            self.table = table
            self._here = asyncio.create_task(self._stay())
        return table

    async def _open(
        self, site: Site, preset: str, begin: bool, levels: Sequence[str], table: str
    ) -> str:
        self.opened.append(table)
        setup = meeting_setup(f"At {self.who.name}’s", preset)
        live = await site.room.lobby.open(setup, self.who, "", table)
        seats = zip(range(1, setup.rules.players), levels, strict=False)
        doing: list[cmd.TableCommand] = [cmd.Sit(0)]
        doing += [cmd.SeatBot(seat, level) for seat, level in seats]
        for command in (*doing, cmd.Start()) if begin else doing:
            reply = await live.do(self.who, command, live.state.version)
            assert reply.refusal is None, reply.refusal
        return table

    async def fails(self, table: str) -> str:
        """Open no table: this must not be asked of them."""
        raise AssertionError(table)

    async def leave(self) -> None:
        """Lose the connection, for good."""
        if self._here is not None:
            here, self._here = self._here, None
            here.cancel()
            await asyncio.wait({here})
        self._hang_up()

    async def at(self, table: str) -> None:
        """Wait until the person has a seat at a table, and their page is there."""
        await until(lambda: self.table == table and self.seated)

    @property
    def seated(self) -> bool:
        """Whether their page is at a table where they have a seat."""
        player = self.player
        return player is not None and not player.table.ended and player.seat is not None

    async def seek(self) -> Seek | None:
        """Their seek, as it is stored."""
        return await self.nodes[0].room.store[Seeks].of(self.who.id)

    def waiting(self, node: int = 0) -> Waiting | None:
        return self.matchmaker(node).waiting(self.who.id)

    async def _stay(self) -> None:
        """Be at the table, and go on where its people go on."""
        while True:
            live = await self._found()
            if live is None:
                listing = await self.nodes[0].room.store.listing(self.table)
                onward = read_summary(listing).onward if listing is not None else ""
                if not onward:
                    await asyncio.sleep(0.01)
                    continue
                self.table = onward
                continue
            if self.went[-1:] != [self.table]:
                self.went.append(self.table)
            self.player = Player(live, self.who)
            self.player.plays = self._plays
            live.set_pace(self.who, Pace(0.0, 0.0))
            await self.player.moved()
            with suppress(TimeoutError):
                await asyncio.shield(self.player.task)
            self._hang_up()

    def _hang_up(self) -> None:
        player, self.player = self.player, None
        if player is not None and not player.watcher.closed:
            player.watcher.close()

    async def _found(self) -> LiveTable | None:
        """The table at the node that has it; None where it is closed."""
        async with asyncio.timeout(LIMIT):
            while True:
                for site in self.nodes:
                    with suppress(OnAnotherNode):
                        return await site.room.lobby.find(self.table)
                await asyncio.sleep(0.01)

    async def act(self) -> None:
        """Pass, or play a card: the first that is legal."""
        player = self.player
        assert player is not None
        seat = player.seat
        assert seat is not None
        await until(lambda: player.chosen(seat, player.match) is not None)
        action = player.chosen(seat, player.match)
        assert action is not None
        await player.do(cmd.Act(action))

    async def play_on(self) -> None:
        """Play from now on."""
        self._plays = True
        if self.player is not None:
            await self.player.play_on()

    async def dealt(self) -> None:
        """Wait until they hold cards that they may pass or play."""
        await until(lambda: self.seated and self.player and self._acts(self.player))

    @staticmethod
    def _acts(player: Player) -> bool:
        match, seat = player.state.match, player.seat
        return match is not None and seat is not None and bool(player.chosen(seat, match))


async def parted(*people: Stranger) -> None:
    """Have all of them stop and leave."""
    for each in people:
        await each.matchmaker().stop(each.who.id)
        await each.leave()


async def exclude(store: Store, person: str) -> None:
    """Exclude a person from public tables."""
    talk = store[TalkStore]
    await talk.report(TalkReport("r", "t", "mod", person, "insult", "", b"{}", 1.0))
    (report,) = await talk.open_reports()
    decided = replace(report, decision="exclusion", decided_by="mod", decided=2.0)
    await talk.decide(decided, Measure("m", person, "exclusion", "", "mod", "r", 2.0))


def people_at(nodes: Sequence[Site], table: str) -> list[str]:
    """Ids of the people who have a seat at a live table."""
    lives = (site.room.lobby.living(table) for site in nodes)
    live = next(each for each in lives if each is not None)
    return [seat.person for seat in live.state.seats if seat.person]
