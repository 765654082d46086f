"""What the playroom costs: latency, events a second, memory. Makes the tables of docs/playroom.md.

    python benchmarks/server.py [--seconds N] [--rounds N] [--only TEXT] [--write]

The server is a program of its own, on SQLite and on a throw-away PostgreSQL; its clients, who
fold all they are told, run in this program, on the same processors. What is told of a row is its
best round: other programs make it slower, and never faster. `--only` measures the rows whose name
contains the text; `--write` puts what was found into docs/playroom.md.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import signal
import sys
import tempfile
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
from pathlib import Path
from time import perf_counter, time
from typing import Final

ROOT: Final = Path(__file__).resolve().parent.parent
sys.path[0] = str(ROOT / "tests")  # in place of this folder, whose server.py would hide theirs

import uvloop  # noqa: E402
from postgres import Cluster, new_schema  # noqa: E402
from server.guests import Guest, Player  # noqa: E402
from server.harness import Process  # noqa: E402
from websockets.asyncio.client import ClientConnection  # noqa: E402
from websockets.exceptions import ConnectionClosed  # noqa: E402

from volte import game  # noqa: E402
from volte.bots import make_bot  # noqa: E402
from volte.fair import CONTRIBUTION_BYTES, commit_bytes  # noqa: E402
from volte.rules import make_ruleset  # noqa: E402
from volte.store import Store  # noqa: E402
from volte.table import Setup, Someone  # noqa: E402
from volte.table import commands as cmd  # noqa: E402
from volte.table.live import LiveTable  # noqa: E402
from volte.table.lobby import Lobby  # noqa: E402
from volte.table.watching import Watcher  # noqa: E402
from volte.wire.messages import Answer, Happened, Saying, decode_saying  # noqa: E402

PAGE: Final = ROOT / "docs/playroom.md"
BEGIN: Final = "<!-- made by benchmarks/server.py: begin -->"
END: Final = "<!-- made by benchmarks/server.py: end -->"

SETUP: Final = Setup("Benchmark", make_ruleset("microsoft", {"match_end": "deals:1000"}))
SEATS: Final = 4
SETTLING: Final = 2.0
"""Seconds after the first plays, before anything is measured."""

TABLES: Final = 50
"""Where it goes as fast as it can."""


class Person(Player):
    """Plays, at a pace, and notes how long a play takes to others.

    Attributes:
        every: seconds between two plays of a table; 0 for as fast as it goes.
        others: who sit at the same table.
        heard: how many happenings came.
    """

    def __init__(self, address: str, cookie: str, person: str, name: str) -> None:
        super().__init__(address, cookie, person, name)
        self.every = 0.0
        self.others: list[Person] = []
        self.heard = 0
        self.begun = 0.0
        self.latencies: list[float] = []
        self.sent: dict[game.Played, float] = {}

    async def go_on(self, stop: asyncio.Event) -> None:
        """Plays until that is set."""
        await self.play(stop.is_set)

    async def act_at_pace(self, command: cmd.Command) -> None:
        """A play waits for its moment; everything else is done at once."""
        if isinstance(command, cmd.Act) and isinstance(command.action, game.Play):
            if self.every:
                now = perf_counter()
                due = max(self.begun + self.every, now)
                await asyncio.sleep(due - now)
            played = game.Played(command.action.seat, command.action.card)
            now = perf_counter()
            for person in self.others:
                person.begun = now
                person.sent[played] = now
            self.begun = now

    async def do(self, command: cmd.Command, seen: int | None = None, asking: str = "") -> Answer:
        await self.act_at_pace(command)
        return await super().do(command, seen, asking)

    def _due(self) -> cmd.Command | None:
        playing = self.match is not None and self.match.phase is game.Phase.PLAYING
        if playing and self.seat is not None and not self.view.hand:
            return None  # the deal is over, and its end is still on its way
        return super()._due()

    async def _read(self, socket: ClientConnection) -> None:
        """Scenes are taken, and not looked at."""
        try:
            async for text in socket:
                if not str(text).startswith('{"say":"scene"'):
                    async with self._news:
                        self._hear(decode_saying(text))
                        self._news.notify_all()
        except ConnectionClosed:
            pass
        finally:
            async with self._news:
                self.closed = socket.close_code or 1006
                self._news.notify_all()

    def _hear(self, saying: Saying) -> None:
        if isinstance(saying, Happened):
            self.heard += 1
            if isinstance(saying.happening, game.Played):
                sent = self.sent.pop(saying.happening, None)
                if sent is not None:
                    self.latencies.append(perf_counter() - sent)
        super()._hear(saying)
        self.told.clear()


async def company(address: str, name: str, told: bool) -> list[Person]:
    """Four people at a table of their own, a match begun."""
    people = [await Person.come(address, f"{name}.{seat}") for seat in range(SEATS)]
    table = await people[0].open_table((), SETUP)
    for seat, person in enumerate(people):
        await person.join(table, told=told)
        if seat:
            assert (await person.do(cmd.Sit(seat))).ok
        person.others = [other for other in people if other is not person]
    for person in people:
        await person.prefer(bot_pace=0, trick_pace=0)
    assert (await people[0].do(cmd.Start())).ok
    return people


async def playing(
    process: Process, tables: int, seconds: float, *, told: bool, every: float = 0.0
) -> tuple[list[Person], float, float]:
    """So many tables play for so long; their people, how long, and how busy the server was."""
    seated = [await company(process.address, f"{table}", told) for table in range(tables)]
    people = [person for each in seated for person in each]
    for place, each in enumerate(seated):
        for person in each:
            person.every, person.begun = every, perf_counter() + every * place / tables
    stop = asyncio.Event()
    async with asyncio.TaskGroup() as group:
        for person in people:
            group.create_task(person.go_on(stop))
        while not all(each[0].latencies for each in seated):
            await asyncio.sleep(0.1)
        await asyncio.sleep(SETTLING)
        for person in people:
            person.latencies.clear()
            person.heard = 0
        begun, busy = perf_counter(), processor(process)
        await asyncio.sleep(seconds)
        lasted, busy = perf_counter() - begun, processor(process) - busy
        found = [person.heard for person in people]
        stop.set()
        for person in people:
            person.drop()
        for task in list(group._tasks):
            task.cancel()
    for person, heard in zip(people, found, strict=True):
        person.heard = heard
        await person.leave()
    return people, lasted, busy / lasted


# What is measured: each answers with the cells of a row


async def latency(database: str, seconds: float, tables: int, told: bool) -> str:
    """Of a play, from the message to where another seat has it."""
    with serving(database) as process:
        people, _, busy = await playing(process, tables, seconds, told=told, every=1.0)
    taken = sorted(each for person in people for each in person.latencies)
    median, most = (taken[int(len(taken) * share)] * 1000 for share in (0.5, 0.99))
    return f"{median:.1f} | {most:.1f} | {busy * 100:.0f} | {len(taken)}"


async def throughput(database: str, seconds: float, told: bool) -> str:
    """Happenings a second at many tables, over sockets."""
    with serving(database) as process:
        people, lasted, _ = await playing(process, TABLES, seconds, told=told)
    hosts = sum(person.heard for person in people[::SEATS])
    return f"{hosts / lasted:,.0f}"


async def throughput_without_sockets(database: str, seconds: float) -> str:
    """The same in one process: table and store, and watchers who take what they are told."""
    async with await Store.open(database) as store:
        lobby = Lobby(store, make_bot)
        stop = asyncio.Event()
        tables = [await lobby.open(SETUP, someone(0)) for _ in range(TABLES)]
        watchers = [table.watch(someone(seat)) for table in tables for seat in range(SEATS)]
        listening = [asyncio.create_task(listen(watcher)) for watcher in watchers]
        driving = [asyncio.create_task(drive(table, stop)) for table in tables]
        await asyncio.sleep(SETTLING)
        begun, before = perf_counter(), sum(table.state.version for table in tables)
        await asyncio.sleep(seconds)
        kept = sum(table.state.version for table in tables) - before
        lasted = perf_counter() - begun
        stop.set()
        await asyncio.gather(*driving)
        await lobby.close()
        await asyncio.gather(*listening)
    return f"{kept / lasted:,.0f}"


async def throughput_of_the_store(database: str, seconds: float) -> str:
    """Entries a second: one at a time on as many streams."""
    entry = b'{"event":"Played","seat":1,"card":"QS"}'

    async def fill(stream: str) -> int:
        end, version = perf_counter() + seconds, 0
        while perf_counter() < end:
            await store.append(stream, version, [entry], cause="somebody:message")
            version += 1
        return version

    async with await Store.open(database) as store:
        kept = sum(await asyncio.gather(*(fill(f"{stream}") for stream in range(TABLES))))
    return f"{kept / seconds:,.0f}"


async def memory(database: str) -> str:
    """KiB of a table in the middle of a deal, and of a connection that only listens."""
    many = 200
    with serving(database) as process:
        host = await Person.come(process.address)
        await host.join(await host.open_table((), SETUP), told=True)
        await host.leave()
        nothing = resident(process)
        hosts = [await Guest.come(process.address) for _ in range(many)]
        for person in hosts:
            await person.join(await person.open_table(setup=SETUP))
            await person.prefer(bot_pace=0, trick_pace=0)
            assert (await person.do(cmd.Start())).ok
        await asyncio.gather(*map(dealt, hosts))
        with_tables = resident(process)
        watching = [await Guest.come(process.address) for _ in range(many)]
        for person in watching:
            await person.join(hosts[0].table, told=True)
        with_watchers = resident(process)
        for person in (*hosts, *watching):
            await person.leave()
    table = (with_tables - nothing) - (with_watchers - with_tables)
    connection = with_watchers - with_tables
    return f"{nothing / 2**20:.0f} | {table / many / 1024:.0f} | {connection / many / 1024:.0f}"


async def dealt(person: Guest) -> None:
    await person.until(lambda: person.match is not None and person.match.deal is not None)


# People without sockets


def someone(seat: int) -> Someone:
    return Someone(f"p{seat}", f"P{seat}")


async def listen(watcher: Watcher) -> None:
    watcher.catch_up(0)
    async for _ in watcher:
        pass


async def drive(table: LiveTable, stop: asyncio.Event) -> None:
    """Plays for all the seats of a table."""
    for seat in range(SEATS):
        await table.do(someone(seat), cmd.Sit(seat), table.state.version)
        table.manner(someone(seat), 0, 0, False)
    await table.do(someone(0), cmd.Start(), table.state.version)
    number = 0
    while not stop.is_set():
        due = next(due_now(table), None)
        if due is None:
            await asyncio.sleep(0)
            continue
        number += 1
        seat, command = due
        await table.do(someone(seat), command, table.state.version, f"p{seat}:{number}")


def due_now(table: LiveTable) -> Iterator[tuple[int, cmd.Command]]:
    """Who has to do what."""
    state, match = table.state, table.state.match
    if match is None:
        return
    proof = match.proof
    own = bytes(CONTRIBUTION_BYTES)
    if proof is not None and not proof.used:
        promises = game.still_to_promise(match)
        for seat in promises:
            yield seat, cmd.Promise(proof.number, commit_bytes(proof.number, seat, own))
        for seat in game.still_to_contribute(match) if not promises else ():
            yield seat, cmd.Contribute(proof.number, own)
    elif state.between_deals:
        for seat in sorted(set(range(SEATS)) - table.ready):
            yield seat, cmd.Next()
    else:
        for seat in game.to_act(match):
            yield seat, cmd.Act(game.legal_actions(match, seat)[0])


# The server


@contextmanager
def serving(database: str) -> Iterator[Process]:
    """`volte serve` with no limit that these clients could meet."""
    with tempfile.TemporaryDirectory() as folder, Process(database, Path(folder)) as process:
        yield process


def resident(process: Process) -> int:
    """Bytes of memory."""
    status = Path(f"/proc/{process.pid}/statm").read_text()
    return int(status.split()[1]) * os.sysconf("SC_PAGE_SIZE")


def processor(process: Process) -> float:
    """Seconds of processor time that it has used."""
    fields = Path(f"/proc/{process.pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


# Tables

Measure = Callable[[str, float], Coroutine[None, None, str]]

LATENCY: Final[dict[str, Measure]] = {
    f"{tables} tables, {client}": (
        lambda url, seconds, tables=tables, told=told: latency(url, seconds, tables, told)  # type: ignore[misc]
    )
    for tables in (10, 100)
    for client, told in (("terminals", False), ("pages", True))
}
THROUGHPUT: Final[dict[str, Measure]] = {
    "store alone": throughput_of_the_store,
    "table and store": throughput_without_sockets,
    "table, store and sockets, terminals": lambda url, n: throughput(url, n, told=False),
    "table, store and sockets, pages": lambda url, n: throughput(url, n, told=True),
}
MEMORY: Final[dict[str, Measure]] = {"memory": lambda url, n: memory(url)}

PARTS: Final[tuple[tuple[str, dict[str, Measure], Callable[..., str]], ...]] = (
    (
        "| a play a second at each table | database | median ms | 99th in 100 | processor % | n |\n"
        "|---|---|---|---|---|---|",
        LATENCY,
        min,
    ),
    ("| as fast as it goes | database | happenings a second |\n|---|---|---|", THROUGHPUT, max),
    (
        "| | database | server alone MiB | table in a deal KiB | idle connection KiB |\n"
        "|---|---|---|---|---|",
        MEMORY,
        min,
    ),
)


def measured(measure: Measure, kind: str, cluster: Cluster, seconds: float) -> str:
    """The cells of a row, with an empty database."""
    if kind == "PostgreSQL":
        with new_schema(cluster.url()) as url:
            return run(measure(url, seconds))
    with tempfile.TemporaryDirectory() as folder:
        return run(measure(f"sqlite:///{folder}/p.sqlite", seconds))


def run(measuring: Coroutine[None, None, str]) -> str:
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        return runner.run(measuring)


def first_number(cells: str) -> float:
    """By which rounds are compared."""
    return float(cells.partition(" |")[0].replace(",", ""))


def write(text: str) -> None:
    """Puts it into the page."""
    before, _, rest = PAGE.read_text(encoding="utf-8").partition(BEGIN)
    _, _, after = rest.partition(END)
    PAGE.write_text(f"{before}{BEGIN}\n\n{text}\n\n{END}{after}", encoding="utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--seconds", type=float, default=20.0, help="of each row")
    parser.add_argument("--rounds", type=int, default=2, help="of which the best is told")
    parser.add_argument("--only", default="", help="rows whose name contains this")
    parser.add_argument("--write", action="store_true", help="puts it into docs/playroom.md")
    options = parser.parse_args()
    begun, lines = time(), []
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # so that no server is left behind
    cluster = Cluster()
    try:
        for head, rows, best in PARTS:
            lines += ["", *head.split("\n")]
            for name, measure in rows.items():
                for kind in ("SQLite", "PostgreSQL") if options.only in name else ():
                    rounds = range(options.rounds)
                    found = [measured(measure, kind, cluster, options.seconds) for _ in rounds]
                    cells = best(found, key=first_number)
                    lines.append(f"| {name} | {kind} | {cells} |")
                    print(lines[-1], flush=True)
    finally:
        cluster.remove()
    load = os.getloadavg()[2]
    print(f"{time() - begun:.0f} s, load {load:.1f}")
    if options.write:
        write("\n".join(lines[1:]))


if __name__ == "__main__":
    main()
