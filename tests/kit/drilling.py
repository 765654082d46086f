"""A playroom of two nodes on a network of its own: database, proxy and nodes are hosts apart."""

from __future__ import annotations

import asyncio
import ctypes
import os
import re
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from time import monotonic, time
from typing import Any, Final, Self

import asyncpg
import pytest
from kit.people import Lost
from kit.playing import Player
from kit.postgres import Cluster, run_sql
from kit.proxies import NGINX, nginx_conf, program
from kit.requests import request
from kit.sites import Process

from volte.table import commands as cmd
from volte.wire.messages import Notice, Saying

FRONT: Final = "198.18.0"  # network of clients, proxy and nodes
BACK: Final = "198.19.0"  # network of nodes and database
NEW_NETWORK: Final = 0x40000000  # CLONE_NEWNET: a network namespace, for `setns`


class Host:
    """A host: a network namespace with no device but its own loopback."""

    def __init__(self) -> None:
        self._life = subprocess.Popen(
            ["unshare", "--net", "--", "cat"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        assert self._life.stdin is not None
        assert self._life.stdout is not None
        try:
            self._life.stdin.write(b"\n")
            self._life.stdin.flush()
            there = self._life.stdout.readline()
        except BrokenPipeError:
            there = b""
        if not there:
            self.end()
            pytest.skip("The rights to make network namespaces are lacking here.")
        self.run("ip", "link", "set", "lo", "up")

    @property
    def pid(self) -> int:
        """Id of the process with which the namespace lives and dies."""
        return self._life.pid

    @property
    def inside(self) -> list[str]:
        """Prefix of a command that is to run on the host."""
        return ["nsenter", f"--net=/proc/{self.pid}/ns/net", "--"]

    def run(self, *command: str) -> str:
        """Run a command on the host; return its output."""
        done = subprocess.run([*self.inside, *command], capture_output=True, text=True)
        assert done.returncode == 0, (command, done.stderr)
        return done.stdout

    @contextmanager
    def entered(self) -> Iterator[None]:
        """Inside the context, sockets and programs of this thread are on the host."""
        with open("/proc/thread-self/ns/net") as before:
            self._enter(f"/proc/{self.pid}/ns/net")
            try:
                yield
            finally:
                self._enter(f"/proc/self/fd/{before.fileno()}")

    def _enter(self, path: str) -> None:
        namespace = os.open(path, os.O_RDONLY)
        try:
            if ctypes.CDLL(None, use_errno=True).setns(namespace, NEW_NETWORK):
                raise OSError(ctypes.get_errno(), "setns")
        finally:
            os.close(namespace)

    def end(self) -> None:
        """Remove the host, once nothing runs on it any more."""
        self._life.kill()
        self._life.communicate()


class Network:
    """Hosts by name, at a switch in front, at one at the back, or at both.

    Args:
        front: names of the hosts with the addresses `FRONT.1`, `FRONT.2`, …
        back: names of the hosts with the addresses `BACK.1`, `BACK.2`, …
    """

    def __init__(self, front: Sequence[str], back: Sequence[str]) -> None:
        self._stack = ExitStack()
        self._places = {
            switch: {name: number for number, name in enumerate(names, 1)}
            for switch, names in ((FRONT, front), (BACK, back))
        }
        with self._stack:
            self._switch = self._host()
            self.hosts = {name: self._host() for name in dict.fromkeys((*front, *back))}
            for switch, places in self._places.items():
                self._switch.run("ip", "link", "add", _bridge(switch), "type", "bridge")
                self._switch.run("ip", "link", "set", _bridge(switch), "up")
                for name in places:
                    self._plug_in(name, switch)
            self._stack = self._stack.pop_all()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    def address(self, name: str, switch: str = FRONT) -> str:
        """Return the address of a host at a switch."""
        return f"{switch}.{self._places[switch][name]}"

    def cut(self, name: str, switch: str) -> None:
        """Drop everything between host and switch from now on; neither end notices."""
        self._switch.run("ip", "link", "set", _port(name, switch), "nomaster")

    def mend(self, name: str, switch: str) -> None:
        """Let everything through again between host and switch."""
        self._switch.run("ip", "link", "set", _port(name, switch), "master", _bridge(switch))

    def _host(self) -> Host:
        host = Host()
        self._stack.callback(host.end)
        return host

    def _plug_in(self, name: str, switch: str) -> None:
        """Connect a host to the switch.

        All hosts know each other's hardware addresses from the beginning, so one that is cut off
        shows it by silence alone, as behind a router.
        """
        host, port, device = self.hosts[name], _port(name, switch), _bridge(switch)
        own = self._places[switch][name]
        pair = f"ip link add {port} type veth peer name {device} netns {host.pid}"
        self._switch.run(*pair.split(), "address", _hardware(switch, own))
        self._switch.run("ip", "link", "set", port, "master", _bridge(switch), "up")
        host.run("ip", "address", "add", f"{switch}.{own}/24", "dev", device)
        host.run("ip", "link", "set", device, "up")
        for other in self._places[switch].values():
            if other != own:
                known = f"{switch}.{other} lladdr {_hardware(switch, other)} nud permanent"
                host.run("ip", "neighbour", "add", *known.split(), "dev", device)


def _bridge(switch: str) -> str:
    return {FRONT: "front", BACK: "back"}[switch]


def _port(name: str, switch: str) -> str:
    return f"{name}-{_bridge(switch)}"


def _hardware(switch: str, number: int) -> str:
    return f"02:00:00:00:{switch.split('.')[1]}:{number:02x}"


ROOT: Final = Path(__file__).parents[2]
NODES: Final = ("a", "b")
PORT: Final = 8150  # port of nodes and proxy, each on its host
LONGEST: Final = 100  # most seconds to wait for anything

UNTIL_DEATH: Final = ["setpriv", "--pdeathsig=KILL", "--"]
"""Prefix of a command that is to end with the tests."""

AUDIT: Final = Path(__file__).with_name("audit.sql").read_text(encoding="utf-8")


class Node(Process):
    """A node of the playroom on a host of its own."""

    def __init__(self, network: Network, cluster: Cluster, name: str, folder: Path) -> None:
        folder.mkdir()
        people, proxy = network.address("people"), network.address("proxy")
        super().__init__(
            cluster.url_from_outside(),
            folder,
            VOLTE_ORIGINS=f"http://{proxy}:{PORT}",
            VOLTE_FORWARDED_FROM=proxy,
            VOLTE_METRICS_FROM=people,
        )
        self.name = name
        self.before = [*network.hosts[name].inside, *UNTIL_DEATH]
        self.at = f"http://{network.address(name)}:{PORT}"

    def begin(self, port: int = 0, *more: str) -> None:
        super().begin(PORT, "--host", "0.0.0.0", "--node", self.name, *more)

    async def come_back(self, after: float = 0) -> None:
        """Start the node again after so many seconds, and wait until it listens."""
        await asyncio.sleep(after)
        self.begin()
        await asyncio.to_thread(self.wait)

    async def tables(self) -> int:
        """Return the number of tables that live on the node. Raises `OSError`."""
        async with asyncio.timeout(LONGEST / 10):
            reply = await request(self.at, "GET", "/metrics")
        found = re.search(r"^volte_tables(?:\{.*\})? ([\d.]+)$", reply.text, re.MULTILINE)
        return round(float(found[1])) if found else 0


class Playroom:
    """A running playroom: its network, its database cluster and its nodes."""

    def __init__(self, network: Network, cluster: Cluster, nodes: Sequence[Node]) -> None:
        self.network = network
        self.cluster = cluster
        self.nodes = nodes
        self.address = f"http://{network.address('proxy')}:{PORT}"  # base URL for people

    async def sql(self, query: str, *values: object) -> list[asyncpg.Record]:
        """Query the database over a connection that no test cuts. Raises `OSError`."""
        connection = await asyncpg.connect(self.cluster.url())
        try:
            return list(await connection.fetch(query, *values))
        finally:
            await connection.close()

    async def owned(self) -> dict[str, list[str]]:
        """Return the tables of each live node, by its id."""
        rows = await self.sql('SELECT node, "table" FROM owners JOIN nodes ON nodes.id = node')
        owned: dict[str, list[str]] = {}
        for node, table in rows:
            owned.setdefault(node, []).append(table)
        return owned

    async def ids(self) -> dict[str, str]:
        """Return the ids of the live nodes, by name."""
        return {name: node for node, name in await self.sql("SELECT id, name FROM nodes")}


@contextmanager
def playroom(folder: Path) -> Iterator[Playroom]:
    """Inside the context, a playroom runs, and this thread is on the host of the people."""
    with ExitStack() as stack:
        front, back = ("people", "proxy", *NODES), ("database", *NODES)
        network = stack.enter_context(Network(front, back))
        hosts = network.hosts
        cluster = Cluster(hosts["database"].inside, network.address("database", BACK))
        stack.callback(cluster.remove)
        nodes = [stack.enter_context(Node(network, cluster, name, folder / name)) for name in NODES]
        stack.enter_context(_proxy(network, folder / "proxy"))
        stack.enter_context(hosts["people"].entered())
        room = Playroom(network, cluster, nodes)
        asyncio.run(_answers(room.address))
        run_sql(cluster.url(), AUDIT)
        yield room


async def _answers(address: str) -> None:
    end = monotonic() + LONGEST
    while True:
        with suppress(OSError):
            if (await request(address, "GET", "/healthz")).status == 200:
                return
        assert monotonic() < end
        await asyncio.sleep(0.05)


@contextmanager
def _proxy(network: Network, folder: Path) -> Iterator[None]:
    """Run nginx with Volte's configuration, except for names and addresses."""
    folder.mkdir()
    nodes = [f"{network.address(name)}:{PORT}" for name in NODES]
    ours = nginx_conf(nodes, PORT, "", https=False).replace(f"127.0.0.1:{PORT}", str(PORT))
    (folder / "volte.conf").write_text(ours)
    around = NGINX.replace("stderr", "log").replace(
        "events {}", "events { worker_connections 8192; }"
    )
    (folder / "nginx.conf").write_text(f"user root;\n{around}")
    before = [*network.hosts["proxy"].inside, "setpriv", "--pdeathsig=TERM", "--"]
    options = ["-p", str(folder), "-c", "nginx.conf", "-e", "log"]
    running = subprocess.Popen([*before, program("nginx"), *options])
    try:
        yield
    finally:
        running.terminate()
        running.wait()


# People

PAUSES: Final = (0.5, 8.0)
"""Seconds until pages call again, at most: after the first failure, and after many."""

SPREAD: Final = 0.4
"""Seconds over which pages spread their calls when a server has announced its stop."""


class Watchful(Player):
    """A player who pauses before each command, and records how long they had to wait."""

    pace = 0.3  # seconds of the pause
    keepalive: Mapping[str, Any] = {"ping_interval": 2.0, "ping_timeout": 2.5, "close_timeout": 0.1}

    def __init__(self, *who: str) -> None:
        super().__init__(*who)
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

    async def give(self, asking: str, command: cmd.Command, seen: int) -> None:
        if asking not in self._asked:
            await asyncio.sleep(self.pace)
            if self.closed is not None:
                raise Lost(self.closed)
        began = self._asked.setdefault(asking, time())
        await super().give(asking, command, seen)
        if self.waits is None:
            self.waited.append((began, time()))

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
