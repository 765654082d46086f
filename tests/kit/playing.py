"""Players over the wire, who play by themselves and come back to a server that goes away."""

from __future__ import annotations

import asyncio
import random
from collections import Counter
from collections.abc import Callable
from typing import Any, Final, Self

from kit import tables
from kit.people import Guest, Lost, one_deal_table
from websockets.exceptions import WebSocketException

from volte import game, referee
from volte.fair import CONTRIBUTION_BYTES, SplitMix64
from volte.game import MatchState, Pass, Phase, Play
from volte.game.codec import encode
from volte.referee import RefereedMatch
from volte.table import Setup
from volte.table import commands as cmd
from volte.wire.messages import Answer, Closing, Happened, Saying

AGAIN: Final = frozenset({"not_saved", "table_busy", "table_failed"})
"""Refusals after which the same message is sent once more."""

GONE: Final = (Lost, OSError, WebSocketException)  # errors of a client while the server is away
LONGEST_PAUSE: Final = 0.5  # seconds between two tries to come back

FORGETFUL: Final = 0.3  # chance that somebody comes back as a client that has seen nothing yet
TWICE: Final = 0.1  # chance that they send a message twice


class Player(Guest):
    """A guest who plays by themselves: any legal card, any pass, honest bytes."""

    def __init__(self, *who: str) -> None:
        super().__init__(*who)
        # By number, the happenings received; to somebody who stays one comes again as it was
        self.received: dict[int, bytes] = {}
        # By id of the message, the command that was done, and the answer
        self.acknowledged: dict[str, tuple[cmd.Command, Answer]] = {}
        self.refused: Counter[str] = Counter()  # number of refusals by reason
        # The message that has not been answered: id, command, number seen
        self.waits: tuple[str, cmd.Command, int] | None = None
        # Whether the person begins a match where none is under way
        self.starts: Callable[[], bool] = lambda: False
        self.returns = 0  # number of connections that `stay` has made
        self.random = random.Random(self.name)
        self._done: tuple[object, ...] = ()

    async def call(self, table: str, *, told: bool = False, seen: int | None = None) -> None:
        self._done = ()  # the last command may never have arrived
        if table != self.table:
            self.received.clear()
        await super().call(table, told=told, seen=seen)

    @classmethod
    async def begun(cls, address: Any, **more: Any) -> Self:
        """A new person alone with bots in a match that has begun; see `at_table`."""
        host = await cls.at_table(address, **more)
        await host.hurry()
        assert (await host.do(cmd.Start())).ok
        return host

    @classmethod
    async def gathered(
        cls,
        address: Any,
        *names: str,
        setup: Setup | None = None,
        told: bool = False,
        watching: int = 0,
    ) -> list[Self]:
        """People at the first seats of a new table, the first its host, and bots at the others.

        Args:
            address: of the server; or what `come` of a subclass takes in its place.
            watching: how many of the people only watch, the last ones.
        """
        people = [await cls.come(address, name) for name in names]
        host, setup, seated = people[0], setup or one_deal_table(), len(names) - watching
        bots = setup.rules.players - seated
        table = await host.open_table(("",) * (seated - 1) + ("casual",) * bots, setup)
        for seat, person in enumerate(people):
            await person.join(table, told=told)
            if seat < seated:
                await person.hurry()
            if 0 < seat < seated:
                assert (await person.do(cmd.Sit(seat))).ok
        await host.until(lambda: host.number == people[-1].number)
        return people

    async def play(self, enough: Callable[[], object] | None = None) -> None:
        """Play until `enough` holds, or without it until the match is over. Raises `Lost`."""
        enough = enough or self.over
        while not enough():
            command = self.next_command()
            if self.waits is not None:
                await self.give(*self.waits)
            elif command is None:
                await self._until_news(enough)
            else:
                self._done = self._situation(command)
                await self.give(self.next_id(), command, self.number)

    async def stay(self, enough: Callable[[], object]) -> None:
        """Play until `enough` holds, whatever happens to the server."""
        failures = 0
        while not enough():
            try:
                await self.come_back()
                failures = 0
                await self.play(enough)
            except GONE:
                stops = self.closed == Closing.STOPPING
                await asyncio.sleep(self.pause_after(failures, stops))
                failures += not stops

    def pause_after(self, failures: int, stops: bool) -> float:
        """Seconds until the next call; `stops`: the server has announced its stop."""
        return min(failures / 20, LONGEST_PAUSE)

    async def come_back(self) -> None:
        """Connect again; now and then as a client that has seen nothing yet."""
        await self.join(seen=0 if self.random.random() < FORGETFUL else None)
        self.returns += 1

    async def give(self, asking: str, command: cmd.Command, seen: int) -> None:
        """Give a command under that id. Somebody who stays sends it now and then twice, which must
        change nothing, and again where it may not have arrived."""
        self.waits = asking, command, seen
        answer = await self.do(command, seen, asking)
        reason = answer.refusal.reason if answer.refusal is not None else ""
        if reason in AGAIN:
            self.refused[reason] += 1
            await asyncio.sleep(LONGEST_PAUSE / 10)
            return
        if self.returns and self.random.random() < TWICE:
            assert await self.do(command, seen, asking) == answer
        self.waits = None
        if answer.ok:
            self.acknowledged[asking] = command, answer
        else:
            self.refused[reason] += 1

    async def wake(self) -> None:
        """Make the person check again whether it is enough."""
        async with self._news:
            self._news.notify_all()

    async def _until_news(self, enough: Callable[[], object]) -> None:
        known = self.number
        await self.until(lambda: self.number != known or enough())

    def view_is_mine(self) -> bool:
        """Whether it is this person's turn to play a card."""
        match = self.match
        playing = match is not None and match.phase is Phase.PLAYING
        return playing and self.state is not None and self.view.my_turn

    def over(self) -> bool:
        """Whether the match is over for this person, its last secret revealed."""
        state = self.state
        return state is not None and state.match is not None and not state.under_way

    def next_command(self) -> cmd.Command | None:
        """The command that is due now; None if there is none, or it has been sent already."""
        command = self._due()
        if command is None or self._situation(command) == self._done:
            return None
        return command

    def _situation(self, command: cmd.Command) -> tuple[object, ...]:
        return (self.number, type(command))

    def _due(self) -> cmd.Command | None:
        state, seat = self.state, self.seat
        if state is not None and not state.under_way and self.starts():
            return cmd.Start()
        if state is None or state.match is None or seat is None or not state.under_way:
            return None
        if state.paused:
            return None
        match = state.match
        if seat in game.still_to_consent(match):
            return cmd.Act(game.AnswerUndo(seat, True))
        if (command := tables.due(state, seat, self.share)) is not None or state.between_deals:
            return command
        if isinstance(match, RefereedMatch) and self._waited_for(match):
            return cmd.Act(referee.legal_actions(match, seat)[0])
        # Between the last trick and the score of a deal, the winner has nothing left to lead.
        if self.view.my_turn and self.view.hand:
            return cmd.Act(self._choice(match, seat))
        return None

    def _waited_for(self, match: RefereedMatch) -> bool:
        """Whether this person is to turn a trick down, to cut, or to accept the sheet."""
        held_up = match.phase is Phase.PLAYING and (match.reckoned is not None or match.lying.full)
        return held_up and self.seat in referee.to_act(match)

    def share(self, number: int) -> bytes:
        """The bytes that the person adds to a shuffle."""
        return bytes([number % 256]) * CONTRIBUTION_BYTES

    def _choice(self, match: MatchState, seat: int) -> game.SeatAction:
        """A pass or a card chosen by the number of happenings, so that a repeat is the same."""
        random = SplitMix64(self.number)
        if match.phase is Phase.PASSING:
            hand = sorted(self.view.hand, key=lambda card: card.index)
            return Pass(seat, tuple(hand[: match.rules.passing.count]))
        cards = tuple(self.view.legal)
        return Play(seat, cards[random.below(len(cards))])

    def _hear(self, saying: Saying) -> None:
        if isinstance(saying, Happened):
            data, before = encode(saying.happening), self.received.get(saying.number)
            assert not self.returns or before in (None, data), saying.number
            self.received[saying.number] = data
        super()._hear(saying)


async def play_on(*players: Player) -> None:
    """Let all players play to the end of the match."""
    await asyncio.gather(*(player.play() for player in players))
