"""People at many tables of a server that goes away again and again: they come back and play on."""

from __future__ import annotations

import asyncio
import random
from collections import Counter
from collections.abc import Callable, Coroutine, Mapping, Sequence
from itertools import groupby, pairwise
from time import monotonic, time
from typing import Any, Final, NamedTuple

from kit.people import Lost, Player
from kit.records import check_record
from kit.tables import setup
from websockets.exceptions import WebSocketException

from volte import game
from volte.fair import Verdict
from volte.game import Phase
from volte.game.codec import encode
from volte.notation import format_record, prove_record
from volte.rules.options import Value
from volte.store import MatchRow, Store
from volte.table import Happening, Setup, TableEvent, Watching, decode_happening, fold
from volte.table import commands as cmd
from volte.table.happenings import CameBack, seen_by
from volte.wire.messages import Answer, Closing, Happened, Notice, Saying

AGAIN: Final = frozenset({"not_saved", "table_busy", "table_failed"})
"""Refusals after which the same message is sent once more."""

OUT_OF_DATE: Final = frozenset(
    {
        *("stale", "paused", "under_way", "no_match", "not_between_deals"),
        *("no_promise_due", "promises_missing", "no_contribution_due"),
        *("already_passed", "ready_already"),  # done by a message whose answer was lost
    }
)
"""Refusals that an honest client may get while its news is late; `ahead` is never one."""

GONE: Final = (Lost, OSError, WebSocketException)  # errors of a client while the server is away
LONGEST: Final = 100  # seconds in which tables must make progress
LONGEST_PAUSE: Final = 0.5  # seconds between two tries to come back

PAUSES: Final = (0.5, 8.0)
"""Seconds until pages call again, at most: after the first failure, and after many."""

SPREAD: Final = 0.4
"""Seconds over which pages spread their calls when a server has announced its stop."""


class Shape(NamedTuple):
    """The ruleset of a table, and the numbers of its people."""

    preset: str
    settings: dict[str, Value]
    people: int  # at the first seats; bots have the others
    watching: int = 0  # number of people who only watch
    sight: Watching = Watching.HIDDEN

    @property
    def setup(self) -> Setup:
        return setup(self.preset, self.preset, watching=self.sight, **self.settings)


SHAPES: Final = (
    Shape("coeurs", {"players": 3}, 2, 1, Watching.AFTERWARDS),
    Shape("salon-six-jokers", {"players": 6}, 2),
    Shape("microsoft", {"match_end": "deals:2"}, 4),
    Shape("coeurs-cagnotte", {"players": 5}, 1, 1),
    Shape("coeurs", {"players": 7}, 3),
    Shape("salon", {"players": 3}, 1),
    Shape("coeurs-moyenne", {"players": 4, "match_end": "deals:2"}, 1),
    Shape("salon-valet", {"players": 4}, 3),
    Shape("coeurs", {"players": 5}, 5),
    Shape("salon", {"players": 6}, 1, 1, Watching.AFTERWARDS),
)
"""Tables with kitties and jokers, passes and holds, stakes, pots and lots."""


class Regular(Player):
    """A player who reconnects whenever the server is gone, and repeats unanswered commands."""

    def __init__(self, address: str, cookie: str, person: str, name: str) -> None:
        super().__init__(address, cookie, person, name)
        # By number, the happenings received; one that comes again must be the same
        self.received: dict[int, bytes] = {}
        # By id of the message, the command that was done, and the answer
        self.acknowledged: dict[str, tuple[cmd.Command, Answer]] = {}
        self.refused: Counter[str] = Counter()  # number of refusals by reason
        # The message that has not been answered: id, command, number seen
        self.waits: tuple[str, cmd.Command, int] | None = None
        # Whether the person begins a match where none is under way
        self.starts: Callable[[], bool] = lambda: False
        self.returns = 0  # number of reconnections
        self.random = random.Random(name)

    async def stay(self, enough: Callable[[], bool]) -> None:
        """Play until `enough` holds, whatever happens to the server."""
        failures = 0
        while not enough():
            try:
                await self.come_back()
                failures = 0
                await self._go_on(enough)
            except GONE:
                stops = self.closed == Closing.STOPPING
                await asyncio.sleep(self.pause_after(failures, stops))
                failures += not stops

    def pause_after(self, failures: int, stops: bool) -> float:
        """Seconds until the next call; `stops`: the server has announced its stop."""
        return min(failures / 20, LONGEST_PAUSE)

    async def come_back(self) -> None:
        """Connect again; now and then as a client that has seen nothing yet."""
        forgetful = self.random.random() < 0.3
        await self.join(seen=0 if forgetful else None)
        self.returns += 1

    async def _go_on(self, enough: Callable[[], bool]) -> None:
        while not enough():
            command = self.next_command()
            if self.waits is not None:
                asking, command, seen = self.waits
                await self.do(command, seen, asking)
            elif command is None:
                await self._until_news(enough)
            else:
                self._done = self._situation(command)
                await self.do(command)

    async def do(self, command: cmd.Command, seen: int | None = None, asking: str = "") -> Answer:
        """Send a command; now and then twice, which must change nothing."""
        asking, seen = asking or self.next_id(), self.number if seen is None else seen
        self.waits = asking, command, seen
        answer = await super().do(command, seen, asking)
        reason = answer.refusal.reason if answer.refusal is not None else ""
        if reason in AGAIN:
            self.refused[reason] += 1
            await asyncio.sleep(LONGEST_PAUSE / 10)
            return answer
        if self.random.random() < 0.1:
            assert await super().do(command, seen, asking) == answer
        self.waits = None
        if answer.ok:
            self.acknowledged[asking] = command, answer
        else:
            self.refused[reason] += 1
        return answer

    def _due(self) -> cmd.Command | None:
        state = self.state
        if state is not None and not state.under_way and self.starts():
            return cmd.Start()
        if self._between():
            return None
        return super()._due()

    def _between(self) -> bool:
        """Whether the last trick is over, and the events after it are still on their way."""
        playing = self.match is not None and self.match.phase is Phase.PLAYING
        return playing and self.seat is not None and not self.view.hand

    def _hear(self, saying: Saying) -> None:
        if isinstance(saying, Happened):
            data = encode(saying.happening)
            assert self.received.setdefault(saying.number, data) == data, saying.number
        super()._hear(saying)
        self.told.clear()

    async def wake(self) -> None:
        """Make the person check again whether it is enough."""
        async with self._news:
            self._news.notify_all()


class Watchful(Regular):
    """A player who pauses before each command, and records how long they had to wait."""

    pace = 0.3  # seconds of the pause
    keepalive: Mapping[str, Any] = {"ping_interval": 2.0, "ping_timeout": 2.5, "close_timeout": 0.1}

    def __init__(self, address: str, cookie: str, person: str, name: str) -> None:
        super().__init__(address, cookie, person, name)
        # Begin and end of waits, by the clock: for the answer to a command; for a connection; at a
        # seat, for news, beyond the pace at which people at the table act
        self.waited: list[tuple[float, float]] = []
        self._asked: dict[str, float] = {}
        self._news_at = self._gone_at = 0.0

    def pause_after(self, failures: int, stops: bool) -> float:
        """Seconds until the next call, chosen as pages do: see `PAUSES` and `SPREAD`."""
        first, longest = PAUSES
        pause = min(longest, first * 2**failures)
        return self.random.uniform(0, SPREAD) if stops else self.random.uniform(pause / 2, pause)

    async def come_back(self) -> None:
        self._gone_at = self._gone_at or time()
        await super().come_back()
        self.waited.append((self._gone_at, time()))
        self._gone_at = 0.0

    async def do(self, command: cmd.Command, seen: int | None = None, asking: str = "") -> Answer:
        if not asking:
            asking, seen = self.next_id(), self.number
            await asyncio.sleep(self.pace)
            if self.closed is not None:
                raise Lost(self.closed)
        began = self._asked.setdefault(asking, time())
        answer = await super().do(command, seen, asking)
        if self.waits is None:
            self.waited.append((began, time()))
        return answer

    def _hear(self, saying: Saying) -> None:
        super()._hear(saying)
        if isinstance(saying, Notice):
            return
        now, due = time(), self._news_at + self.pace
        if self._news_at and now > due and self.seat is not None:
            self.waited.append((due, now))
        self._news_at = now

    def longest_wait(self, since: float) -> float:
        """The longest wait in seconds, of which only the time after `since` counts."""
        return max(
            (end - max(begin, since) for begin, end in self.waited if end > since), default=0.0
        )


class Company:
    """The people of one table; the first of them is its host."""

    def __init__(self, shape: Shape, table: str, people: Sequence[Regular]) -> None:
        self.shape = shape
        self.table = table  # its id
        self.people = people
        self.last = 0  # number of the last happening, once they have stopped

    @classmethod
    async def come(
        cls, address: str, shape: Shape, name: str, kind: type[Regular] = Regular
    ) -> Company:
        """Open a table that all its people join. The server must not go away meanwhile."""
        names = (f"{name}.{place}" for place in range(shape.people + shape.watching))
        people = await kind.gathered(address, *names, setup=shape.setup, watching=shape.watching)
        return cls(shape, people[0].table, people)

    async def play(self, go_on: Callable[[], bool]) -> None:
        """Play match after match while `go_on` holds; the last one is played to its end."""
        host = self.people[0]
        host.starts = go_on

        def enough() -> bool:
            numbers = (answer.number for _, answer in host.acknowledged.values())
            done = host.waits is None and host.number >= max(numbers, default=0)
            return done and host.over() and not go_on()

        async with asyncio.TaskGroup() as group:
            for person in self.people[1:]:
                group.create_task(person.stay(lambda p=person: self._stopped(p)))  # type: ignore[misc]
            await host.stay(enough)
            self.last = host.number
            for person in self.people:
                await person.wake()

    def _stopped(self, person: Regular) -> bool:
        return bool(self.last) and person.number >= self.last and person.waits is None

    def __str__(self) -> str:
        """The progress of each person, for the message when a table gets stuck."""
        said = [f"{each.name} at {each.number}, {each.waits}" for each in self.people]
        return f"{self.table}: {'; '.join(said)}"

    async def leave(self) -> None:
        for person in self.people:
            await person.leave()

    @property
    def heard(self) -> int:
        """Number of happenings at the table that its host has received."""
        return len(self.people[0].received)


async def companies(address: str, tables: int, kind: type[Regular] = Regular) -> list[Company]:
    """Open so many tables with their people, of all shapes in turn."""
    shapes = [SHAPES[table % len(SHAPES)] for table in range(tables)]
    coming = (Company.come(address, shape, f"{table}", kind) for table, shape in enumerate(shapes))
    return list(await asyncio.gather(*coming))


class Found(NamedTuple):
    """Numbers of happenings, acknowledged commands, matches and deals judged."""

    happenings: int = 0
    acknowledged: int = 0
    matches: int = 0
    deals: int = 0


async def judge(database: str, companies: Sequence[Company]) -> Found:
    """Check the stored logs of all the tables. Nobody may be using the database."""
    async with await Store.open(database) as store:
        for company in companies:
            assert all(row.last for row in await store.matches_at(company.table))
        judged = [await _judge_table(store, company) for company in companies]
    return Found(*map(sum, zip(*judged, strict=True)))


async def _judge_table(store: Store, company: Company) -> Found:
    entries = await store.read(company.table)
    assert [entry.version for entry in entries] == list(range(1, len(entries) + 1))
    happenings = [decode_happening(entry.data) for entry in entries]
    state = fold(happenings)
    assert not state.under_way
    # Somebody whose line was cut may still come back after all others have left.
    late = happenings[company.last :]
    assert all(isinstance(each, CameBack) for each in late), (company.last, late)
    for person in company.people:
        _judge_told(company, person, happenings)
    causes: dict[str, list[int]] = {}
    for cause, same in groupby(entries, key=lambda entry: entry.cause):
        if cause:
            assert cause not in causes, f"{cause} was done twice"
            causes[cause] = [entry.version for entry in same]
    done = [_judge_done(person, causes, happenings) for person in company.people]
    rows = await store.matches_at(company.table)
    assert len(rows) == state.matches
    deals = sum(_judge_match(row, happenings) for row in rows)
    return Found(len(entries), sum(done), len(rows), deals)


def _judge_told(company: Company, person: Regular, log: Sequence[Happening]) -> None:
    """Check that a person received the log as they may see it, with no gap within a match.

    A gap is allowed up to the start of a match: the end of a missed one is not sent again.
    """
    numbers = sorted(person.received)
    assert numbers[-1] == len(log)
    for number, following in pairwise(numbers):
        begins = isinstance(log[following - 1], game.MatchStarted)
        assert following == number + 1 or begins, (number, following)
    seat = fold(log).seat_of(person.person)
    everything = seat is None and company.shape.sight is Watching.AFTERWARDS
    for number, data in person.received.items():
        happening = log[number - 1]
        assert data == encode(happening if everything else seen_by(happening, seat)), number


def _judge_done(person: Regular, causes: dict[str, list[int]], log: Sequence[Happening]) -> int:
    """Check that each acknowledged command is in the log, under its cause, in one place."""
    for asking, (command, answer) in person.acknowledged.items():
        versions = causes.get(f"{person.person}:{asking}", [])
        assert versions, (asking, command)
        assert versions == list(range(versions[0], versions[-1] + 1))
        assert versions[-1] == answer.number
        done = [log[version - 1] for version in versions]
        match command:
            case cmd.Act(game.Play(seat, card)):
                assert done.count(game.Played(seat, card)) >= 1
            case cmd.Act(game.Pass(seat, cards)):
                assert game.Passed(seat, cards) in done
            case cmd.Promise(_, digest):
                assert any(
                    isinstance(each, game.Promised) and each.digest == digest for each in done
                )
            case cmd.Contribute(_, data):
                assert any(
                    isinstance(each, game.Contributed) and each.data == data for each in done
                )
            case cmd.Start():
                assert any(isinstance(each, game.MatchStarted) for each in done)
    return len(person.acknowledged)


def _judge_match(row: MatchRow, log: Sequence[Happening]) -> int:
    """Check that a match is whole, lawful, dealt once, and proved; return its number of deals."""
    assert row.ended is not None
    assert row.last
    part = log[row.first - 1 : row.last]
    events = [each for each in part if not isinstance(each, TableEvent)]
    assert isinstance(events[0], game.MatchStarted)
    dealt = [each for each in events if isinstance(each, game.Dealt)]
    assert [each.number for each in dealt] == list(range(1, len(dealt) + 1))
    committed = [each.number for each in events if isinstance(each, game.Committed)]
    assert committed == list(range(1, len(dealt) + 1))
    assert sum(isinstance(each, game.MatchEnded) for each in events) == 1
    report = check_record(format_record(events))
    assert report.record is not None, report.fault
    assert list(report.record.log) == events
    proofs = prove_record(report.record)
    assert [proof.verdict for proof in proofs] == [Verdict.PROVED] * len(dealt)
    return len(dealt)


# Together


async def while_playing(tables: Sequence[Company], acting: Coroutine[Any, Any, None]) -> None:
    """Let people play while `acting` runs, then to the end of their match, and leave."""
    async with asyncio.TaskGroup() as group:
        task = group.create_task(acting)
        for each in tables:
            group.create_task(each.play(lambda: not task.done()))
    for each in tables:
        await each.leave()


async def got_on(tables: Sequence[Company], happenings: int) -> None:
    """Wait until all tables together have had so many more happenings."""
    goal = sum(table.heard for table in tables) + happenings
    await _comes(tables, lambda: sum(table.heard for table in tables) >= goal)


async def all_got_on(tables: Sequence[Company], happenings: int = 1) -> float:
    """Wait until each table has had so many more happenings; return the seconds that took."""
    began, goals = monotonic(), {table: table.heard + happenings for table in tables}
    await _comes(tables, lambda: all(table.heard >= goal for table, goal in goals.items()))
    return monotonic() - began


async def _comes(tables: Sequence[Company], holds: Callable[[], bool]) -> None:
    end = monotonic() + LONGEST
    while not holds():
        assert monotonic() < end, "\n".join(map(str, tables))
        await asyncio.sleep(0.002)


def refusals(tables: Sequence[Company]) -> Counter[str]:
    """Number of refusals that people at these tables got, by reason."""
    return sum((person.refused for table in tables for person in table.people), Counter[str]())
