"""A playroom of many nodes, simulated: the way of every play, one step after another.

A play comes by the proxy; takes its turn at the loop of the node that has its table; is written
together with others; waits for the flush of the disk that all writers share; takes its turn again
to be sent, person by person; and goes back by the proxy. A person who calls another node is led to
the right one, once. The cost of each step is a measured figure (`Measured`). See `scale.py`.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from heapq import heappop, heappush, heapreplace
from itertools import count
from random import Random
from typing import Any, Final

import msgspec

ASKING: Final = 0.2
"""Part of the proxy's work for a play of four people: the way in, one message of five; assumed."""

BEFORE: Final = 0.5
"""Part of a play's work at its table that is done before it is written; assumed."""

UNEVEN: Final = 0.5
"""Unevenness of work (sigma of its logarithm): a play may end a trick, or a deal; assumed."""

TOGETHER: Final = 256
"""Most appends of one transaction: `store/writer.py`."""

TAKEN_AT_ONCE: Final = 16
"""Tables that a node takes over at a time: `server/membership.py`."""

FOUND_DEAD: Final = (1.0, 1.5)
"""Seconds until a killed node is found dead: one of silence and the next tick."""

PAUSE: Final = (0.25, 0.5)
"""Seconds until a page that has lost its line tries again: `static/connection.js`."""

LEAVING: Final = (0.0, 0.4)
"""Seconds until it tries again if the node has said that it stops."""

AGAIN: Final = 0.25
"""Seconds until a node that is asked looks up a table's owner again: `server/membership.py`."""

LOOKED_UP: Final = 4
"""Rows that are looked up for somebody who comes to a table: owner, session, mutes, talk."""

NOBODY: Final = -1


class Measured(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Measured figures: processor time of one node, of PostgreSQL, of the proxy, and sizes."""

    alone_us: float  # of a play at a table, without sockets, and almost without its transaction
    write_us: float  # of a node, for a transaction
    # of a play sent to four terminals, with a transaction of its own
    terminals_us: float
    pages_us: float  # of such a play sent to four pages
    client_terminals_us: float  # of the benchmark's own clients for such a play
    client_pages_us: float  # of the same clients with pages
    proxy_us: float  # of the proxy, for a play sent to four people
    lead_us: float  # of a node, for somebody who asks it for a table of another one
    connect_us: float  # for somebody who comes back to a table, until they know all of it
    visit_us: float  # of the pages that a person asks for before their first card
    casual_us: float  # of a choice of `casual`, on the loop's core
    expert_ms: float  # of a choice of `expert` with the usual time, on a core for bots
    commit_ms: float  # of an append to an idle PostgreSQL
    flush_ms: float  # of that, the flush of the disk
    group_us: float  # of PostgreSQL, for a transaction
    job_us: float  # of PostgreSQL, for each append in it
    read_us: float  # of PostgreSQL, for a row that is looked up
    wake_us: float  # of a node that takes over a table in the middle of a match
    wake_ms: float  # of such a takeover, with all its queries
    happenings: float  # number caused by a play, deals and passes included
    page_bytes: float  # sent to one page for a play
    entry_bytes: float  # of PostgreSQL's disk for a happening, with its index
    wal_bytes: float  # of PostgreSQL's log for a happening
    packed_bytes: float  # of a happening where a match is packed whole
    server_mib: float  # of a node without anybody
    table_kib: float  # of a table in a deal
    connection_kib: float  # of a connection that listens

    def tell_us(self, pages: bool = True) -> float:
        """Microseconds to send a play to one person."""
        told = self.pages_us if pages else self.terminals_us
        return max(told - self.alone_us - self.write_us, 0.0) / 4


class Deployment(msgspec.Struct, frozen=True):
    """A deployment to be simulated."""

    nodes: int = 1
    tables: int = 100  # of each node
    people: int = 4  # at each table
    bots: int = 0  # beside the people; they are `casual`
    pace: float = 1.0  # seconds between two plays of a table
    pages: bool = True
    # whether plays come regularly, as in the benchmark, and not by chance
    regular: bool = False
    clients: bool = False  # whether one more core plays for all the people, as in the benchmark
    watchers: int = 0  # of the first table, on pages
    database_cores: int = 2  # of PostgreSQL
    proxy_cores: int = 0  # of the proxy; with none, people call the nodes themselves


class Cores:
    """A number of cores with one queue: first come, first served."""

    def __init__(self, number: int = 1) -> None:
        self._free = [0.0] * number
        self.busy = 0.0  # seconds of work taken on

    def work(self, now: float, seconds: float) -> float:
        """Take on work; returns the time when it is done."""
        done = max(now, self._free[0]) + seconds
        heapreplace(self._free, done)
        self.busy += seconds
        return done


class Process:
    """A node: its core, and the plays that wait to be written."""

    def __init__(self) -> None:
        self.core = Cores()
        self.waiting: deque[Play] = deque()
        self.writing = False
        self.alive = True


class Play(msgspec.Struct, frozen=True):
    """A card on its way."""

    began: float  # when it was sent
    owner: int  # the node that has the table
    table: int


class Playroom:
    """A deployment that runs, from second 0 on."""

    def __init__(self, plan: Deployment, measured: Measured, seed: int = 1) -> None:
        self.plan = plan
        self.now = 0.0
        # for each play, its start, and the seconds until another seat heard it
        self.heard: list[tuple[float, float]] = []
        self.back: list[float] = []  # times when people were back who had lost their line
        self.gone = 0  # number of people who have lost their line
        self.woken: list[float] = []  # times when tables were taken over
        self.nodes = [Process() for _ in range(plan.nodes)]
        self.database = Cores(plan.database_cores)
        self.proxy = Cores(max(plan.proxy_cores, 1))
        self._clients = Cores()
        self._cost = measured
        self._chance = Random(seed)
        self._steps: list[tuple[float, int, Callable[..., object], tuple[Any, ...]]] = []
        self._order = count()
        self._owners = [place for place in range(plan.nodes) for _ in range(plan.tables)]
        self._orphans: deque[int] = deque()
        self._flushing: list[Callable[[], None]] = []
        self._disk_busy = False
        for table in range(len(self._owners)):
            first = self._chance.uniform(0, plan.pace) if plan.regular else self._until_next()
            self._at(first, self._play, table)

    @property
    def asleep(self) -> int:
        """Number of tables that are nobody's."""
        return len(self._orphans)

    def run(self, until: float) -> None:
        """Run until that time."""
        while self._steps and self._steps[0][0] <= until:
            self.now, _, do, what = heappop(self._steps)
            do(*what)
        self.now = until

    def crowd(self, people: int, within: float) -> None:
        """Let so many people come to tables from now on, in so many seconds."""
        self.gone += people
        for _ in range(people):
            table = self._chance.randrange(len(self._owners))
            self._at(self.now + self._chance.uniform(0, within), self._come, table)

    def kill(self, place: int, in_order: bool = False) -> None:
        """Stop a node: its tables are anybody's once that is found out; in good order, the other
        nodes know at once."""
        self.nodes[place].alive = False
        found, pause = self.now, LEAVING if in_order else PAUSE
        if not in_order:
            found += self._chance.uniform(*FOUND_DEAD)
        for table, owner in enumerate(self._owners):
            if owner != place:
                continue
            self._owners[table] = NOBODY
            self._orphans.append(table)
            self.gone += self.plan.people
            for _ in range(self.plan.people):
                self._at(self.now + self._chance.uniform(*pause), self._come, table)
        for other, process in enumerate(self.nodes):
            if process.alive:
                self._at(found, self._take_over, other)

    def _until_next(self) -> float:
        """Seconds from a play to the next at a table."""
        pace = self.plan.pace
        return pace if self.plan.regular else self._chance.expovariate(1 / pace)

    def _at(self, when: float, do: Callable[..., object], *what: Any) -> None:
        heappush(self._steps, (when, next(self._order), do, what))

    def _door(self) -> int:
        """The node to which the proxy leads somebody: any that lives."""
        place = self._chance.randrange(len(self.nodes))
        return place if self.nodes[place].alive else self._door()

    def _work(self, place: int, microseconds: float) -> float:
        """Time when that node has done work of such mean cost."""
        uneven = self._chance.lognormvariate(-UNEVEN * UNEVEN / 2, UNEVEN)
        return self.nodes[place].core.work(self.now, microseconds * 1e-6 * uneven)

    # A play

    def _play(self, table: int) -> None:
        plan = self.plan
        self._at(self.now + self._until_next(), self._play, table)
        owner = self._owners[table]
        if owner == NOBODY:
            return
        play = Play(self.now, owner, table)
        if self._chance.random() * (plan.people + plan.bots) < plan.bots:  # a bot has to choose
            came = self._work(owner, self._cost.casual_us)
        else:
            came = self._by_proxy(self.now, ASKING)
        self._at(came, self._judge, play)

    def _by_proxy(self, now: float, part: float) -> float:
        """Time when the proxy has done that part of its work for a play of four people."""
        if not self.plan.proxy_cores:
            return now
        return self.proxy.work(now, self._cost.proxy_us * part * 1e-6)

    def _judge(self, play: Play) -> None:
        self._at(self._work(play.owner, self._cost.alone_us * BEFORE), self._append, play)

    def _append(self, play: Play) -> None:
        process = self.nodes[play.owner]
        process.waiting.append(play)
        if not process.writing:
            self._write(play.owner)

    def _write(self, place: int) -> None:
        """Write all waiting plays in one transaction."""
        process, cost = self.nodes[place], self._cost
        group = [process.waiting.popleft() for _ in range(min(len(process.waiting), TOGETHER))]
        process.writing = bool(group)
        if not group:
            return
        work = (cost.group_us + cost.job_us * len(group)) * 1e-6
        one = (cost.group_us + cost.job_us + cost.write_us) * 1e-6
        to_and_fro = max((cost.commit_ms - cost.flush_ms) * 1e-3 - one, 0.0)

        def kept() -> None:
            for play in group:
                self._tell(play)
            self._write(place)

        def flushed() -> None:
            self._at(self._work(place, cost.write_us / 2), kept)

        asked = self._work(place, cost.write_us / 2)
        self._at(asked + to_and_fro, self._execute, work, flushed)

    def _execute(self, work: float, flushed: Callable[[], None]) -> None:
        self._at(self.database.work(self.now, work), self._flush, flushed)

    def _flush(self, flushed: Callable[[], None]) -> None:
        """Flush to disk; writers that come while it is busy share the next flush."""
        self._flushing.append(flushed)
        if not self._disk_busy:
            self._begin_flush()

    def _begin_flush(self) -> None:
        group, self._flushing = self._flushing, []
        self._disk_busy = bool(group)
        if group:
            self._at(self.now + self._cost.flush_ms * 1e-3, self._flushed, group)

    def _flushed(self, group: list[Callable[[], None]]) -> None:
        for flushed in group:
            flushed()
        self._begin_flush()

    def _tell(self, play: Play) -> None:
        """Send a play to all people, one after another; one random person's time is noted."""
        plan, cost = self.plan, self._cost
        if not self.nodes[play.owner].alive:
            return
        here = plan.people + (0 if play.table else plan.watchers)
        each = cost.tell_us(plan.pages)
        asked = self._chance.randrange(plan.people)
        heard = self._work(play.owner, cost.alone_us * (1 - BEFORE) + each * (asked + 1))
        self._work(play.owner, each * (here - asked - 1))
        self._at(heard, self._arrive, play, here)

    def _arrive(self, play: Play, told: int) -> None:
        """Bring a play to the person whose time is noted, through the proxy, which serves all."""
        plan, cost = self.plan, self._cost
        when = self._by_proxy(self.now, (1 - ASKING) / 4)
        self._by_proxy(self.now, (1 - ASKING) / 4 * (told - 1))
        if plan.clients:
            client = cost.client_pages_us if plan.pages else cost.client_terminals_us
            when = self._clients.work(when, client * 1e-6)
        self.heard.append((play.began, when - play.began))

    # Coming, and taking over

    def _come(self, table: int) -> None:
        """Call any node, which leads to the table's own; the person waits if there is none."""
        owner, cost = self._owners[table], self._cost
        if owner == NOBODY:
            self._at(self.now + AGAIN, self._come, table)
            return
        door = self._door()
        known = self.database.work(self.now, LOOKED_UP * cost.read_us * 1e-6)
        if door != owner:
            known = max(known, self._work(door, cost.lead_us))
        self._at(known, self._welcome, owner)

    def _welcome(self, owner: int) -> None:
        self.back.append(self._work(owner, self._cost.connect_us))

    def _take_over(self, place: int) -> None:
        """Take over some of the tables that are nobody's, and then some more."""
        some = [self._orphans.popleft() for _ in range(min(len(self._orphans), TAKEN_AT_ONCE))]
        cost, last = self._cost, self.now
        waiting = max(cost.wake_ms * 1e-3 - cost.wake_us * 1e-6, 0.0)
        for table in some:
            last = self._work(place, cost.wake_us) + waiting
            self._at(last, self._wake, place, table)
        if some:
            self._at(last, self._take_over, place)

    def _wake(self, place: int, table: int) -> None:
        self._owners[table] = place
        self.woken.append(self.now)
