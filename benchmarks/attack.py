"""What an honest person notices of a crowd that asks for too much. See docs/security.md.

    python benchmarks/attack.py [--seconds N] [--rounds N] [--only KIND] [--sockets N] [--guests N]

A server with the usual limits runs as a program of its own, and the attackers as another one. They
all come from one address: 100 sockets, each of which sends nine messages a second, which no limit
on a single connection forbids. Meanwhile somebody at another address, with a table of their own,
asks and plays on, and it is measured how long each answer takes, before the attack and under it.
Nothing but this server is attacked, and each run ends after the given seconds.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
import tempfile
from asyncio import Future
from asyncio.subprocess import PIPE
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from statistics import median, quantiles
from time import perf_counter
from typing import Final, NamedTuple

ROOT: Final = Path(__file__).resolve().parent.parent
sys.path[0] = str(ROOT / "tests")  # in place of this folder, whose server.py would hide theirs
sys.path.insert(1, str(ROOT))

from kit.requests import request  # noqa: E402
from kit.sites import QUICK, Process  # noqa: E402

from benchmarks.crowd import ANSWER, Line, arrive, gathered, hello, open_table  # noqa: E402
from volte.game.codec import encode  # noqa: E402
from volte.rules import make_ruleset  # noqa: E402
from volte.server.run.serving import allow_many_files  # noqa: E402
from volte.table import Setup, Watching  # noqa: E402
from volte.table import commands as cmd  # noqa: E402
from volte.web.settings import FIELDS  # noqa: E402
from volte.wire.messages import (  # noqa: E402
    Answer,
    Ask,
    Asking,
    Do,
    Prefer,
    Question,
    Speak,
    decode_saying,
)

PER_SECOND: Final = 9
"""Messages of each socket; the usual limit is ten."""

GUESTS: Final = 13
"""Attackers: the fewest who may have 100 sockets."""

THINKING: Final = 0.05
"""Seconds between an answer and the next question of the honest person."""

ELSEWHERE: Final = {"x-forwarded-for": "203.0.113.7"}
"""The address of the attackers, as a server in front would give it."""

PATIENCE: Final = 60
"""Seconds after which an answer counts as not coming, which ends the measurement."""

AT_ONCE: Final = 8
"""Attackers who come in at the same time."""

ANY_NUMBER: Final = 2**31
"""As the last happening seen: later than any."""

SETUP: Final = Setup("Attack", make_ruleset("coeurs"), watching=Watching.HIDDEN)

KINDS: Final[dict[str, Callable[[str, int], Asking]]] = {
    "rules": lambda key, _: Ask(key, Question.RULES),
    "hints": lambda key, _: Ask(key, Question.HINT),
    "sayings": lambda key, _: Speak(key, "watchers", "", "x" * 300),
    "preferences": lambda key, count: Prefer(key, lang=("en", "fr")[count % 2]),
    "commands": lambda key, count: Do(key, (cmd.Pause(), cmd.Unpause())[count % 2], ANY_NUMBER),
}
"""What each kind of attacker says, as its message of that number."""

HANDSHAKES: Final = "handshakes"
"""The attack that says nothing: it asks for connections from another site's page."""

ONE_TABLE: Final = frozenset({"sayings"})
"""Attacks in which everybody comes to the same table."""


class Waits(NamedTuple):
    """How long answers took, in milliseconds."""

    answers: int
    middle: float
    late: float
    latest: float
    worst: float

    @classmethod
    def of(cls, taken: list[float]) -> Waits:
        cuts = quantiles(taken, n=100, method="inclusive")
        return cls(len(taken), cuts[49], cuts[89], cuts[98], max(taken))


# The honest person


class Honest:
    """Somebody who asks, pauses their match and goes on, one thing after the other."""

    def __init__(self) -> None:
        self._waiting: Future[Answer] | None = None
        self._count = 0
        self._line: Line

    @classmethod
    async def come(cls, address: str) -> Honest:
        """They open a table with bots and begin a match."""
        person = cls()
        cookie = await arrive(address, "Honest")
        table = await open_table(address, cookie, SETUP, ("casual",) * 3)
        person._line = await Line.dial(address, table, cookie, person._hear)
        person._line.say(hello(True))
        await person._say(Do("start", cmd.Start(), ANY_NUMBER))
        return person

    async def measured(self, seconds: float) -> Waits:
        """How long the answers take in so many seconds."""
        taken: list[float] = []
        ends = perf_counter() + seconds
        while perf_counter() < ends:
            for asking in self._round():
                begun = perf_counter()
                await self._say(asking)
                taken.append(1000 * (perf_counter() - begun))
                await asyncio.sleep(THINKING)
        return Waits.of(taken)

    def _round(self) -> list[Asking]:
        self._count += 1
        key = str(self._count)
        command = (cmd.Pause(), cmd.Unpause())[self._count % 2]
        return [
            Ask(f"{key}.hand", Question.HAND),
            Ask(f"{key}.rules", Question.RULES),
            Ask(f"{key}.turn", Question.TURN),
            Do(f"{key}.do", command, ANY_NUMBER),
        ]

    async def _say(self, asking: Asking) -> None:
        self._waiting = asyncio.get_running_loop().create_future()
        self._line.say(encode(asking))
        async with asyncio.timeout(PATIENCE):
            await self._waiting

    def _hear(self, data: bytes) -> None:
        if data.startswith(ANSWER) and self._waiting is not None:
            answer = decode_saying(data)
            assert isinstance(answer, Answer)
            self._waiting.set_result(answer)


# The attackers, in a program of their own


async def attack(address: str, kind: str, sockets: int, guests: int, seconds: float) -> None:
    """Says `ready` on the way in, and at the end what has come of it."""
    found: Counter[str] = Counter()
    if kind == HANDSHAKES:
        print("ready", flush=True)
        await knock(address, sockets, seconds, found)
        print(dict(found))
        return
    lines = await come(address, kind, sockets, guests, found)
    print("ready", flush=True)
    messages = KINDS[kind]
    for count in range(int(seconds * PER_SECOND)):
        due = asyncio.get_running_loop().time() + 1 / PER_SECOND
        for place, line in enumerate(lines):
            if not line.lost.is_set():
                line.say(encode(messages(f"{count}.{place}", count)))
                found["said"] += 1
        await asyncio.sleep(due - asyncio.get_running_loop().time())
    found["cut off"] = sum(line.lost.is_set() for line in lines)
    print(dict(found), flush=True)


async def come(
    address: str, kind: str, sockets: int, guests: int, found: Counter[str]
) -> list[Line]:
    """The attackers' connections; what the server answers is counted."""

    def heard(data: bytes) -> None:
        if data.startswith(ANSWER):
            found["answered" if b'"ok":true' in data[:100] else "refused"] += 1

    async def guest(number: int) -> tuple[str, str]:
        cookie = await arrive(address, f"Attacker {number}", ELSEWHERE)
        return cookie, await open_table(address, cookie, SETUP, ("casual",) * 3)

    async def connected(number: int) -> Line | None:
        cookie, table = people[number % guests]
        table = people[0][1] if kind in ONE_TABLE else table
        with suppress(ConnectionError):
            line = await Line.dial(address, table, cookie, heard, ELSEWHERE)
            line.say(hello(True))
            if number < guests and kind not in ONE_TABLE:
                line.say(encode(Do("start", cmd.Start(), ANY_NUMBER)))
            return line
        return None

    people = await gathered((guest(number) for number in range(guests)), AT_ONCE)
    lines = await gathered((connected(number) for number in range(sockets)), AT_ONCE)
    await asyncio.sleep(1)  # until the matches have begun
    return [line for line in lines if line is not None]


async def knock(address: str, sockets: int, seconds: float, found: Counter[str]) -> None:
    """Asks for connections from the page of another site, so many at a time."""
    headers = ELSEWHERE | {
        "origin": "https://elsewhere.example",
        "upgrade": "websocket",
        "connection": "upgrade",
        "sec-websocket-key": "AAAAAAAAAAAAAAAAAAAAAA==",
        "sec-websocket-version": "13",
    }
    loop = asyncio.get_running_loop()
    ends = loop.time() + seconds

    async def knocking() -> None:
        while (now := loop.time()) < ends:
            reply = await request(address, "GET", "/live/x", b"", headers)
            found[str(reply.status)] += 1
            await asyncio.sleep(now + 1 / PER_SECOND - loop.time())

    await asyncio.gather(*(knocking() for _ in range(sockets)))


# What is measured


class Row(NamedTuple):
    """One kind of attack.

    Attributes:
        came: what the attackers were answered.
    """

    kind: str
    before: Waits
    under: Waits
    came: str
    logged: int


async def measured(kind: str, sockets: int, guests: int, seconds: float) -> Row:
    """The honest person's waits at a fresh server, before that attack and under it."""
    usual = {f"VOLTE_{name.upper()}": str(FIELDS[name].default) for name in QUICK}
    with tempfile.TemporaryDirectory() as folder, Process("", Path(folder), **usual) as process:
        honest = await Honest.come(process.address)
        before = await honest.measured(seconds / 4)
        attackers = await asyncio.create_subprocess_exec(
            *(sys.executable, __file__, f"--attack={process.address}", f"--kind={kind}"),
            *(f"--sockets={sockets}", f"--guests={guests}", f"--seconds={seconds}"),
            stdout=PIPE,
        )
        assert attackers.stdout is not None
        try:
            assert await attackers.stdout.readline() == b"ready\n"
            under = await honest.measured(seconds)
            came = (await attackers.stdout.read()).decode().strip()
        except BaseException:
            with suppress(ProcessLookupError):
                attackers.kill()
            raise
        finally:
            await attackers.wait()
        process.stop()
        logged = sum(" error " in line for line in process.output)
    return Row(kind, before, under, came, logged)


def shown(kind: str, rows: list[Row]) -> str:
    """A line of the table: the medians of all rounds, and the worst of all."""
    cells = [kind]
    for waits in ([row.before for row in rows], [row.under for row in rows]):
        middle, late, latest = (
            median(getattr(each, name) for each in waits) for name in ("middle", "late", "latest")
        )
        worst = max(each.worst for each in waits)
        cells += [f"{each:,.1f}" for each in (middle, late, latest, worst)]
    return "| " + " | ".join([*cells, f"{median(row.under.answers for row in rows):,.0f}"]) + " |"


async def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--seconds", type=float, default=20)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--only", choices=[*KINDS, HANDSHAKES])
    parser.add_argument("--sockets", type=int, default=100)
    parser.add_argument("--guests", type=int, default=GUESTS)
    parser.add_argument("--kind", help=argparse.SUPPRESS)
    parser.add_argument("--attack", help=argparse.SUPPRESS)
    asked = parser.parse_args()
    allow_many_files()
    if asked.attack:
        await attack(asked.attack, asked.kind, asked.sockets, asked.guests, asked.seconds)
        return
    print("| attack | p50 before | p90 | p99 | worst | p50 under | p90 | p99 | worst | answers |")
    for kind in [asked.only] if asked.only else [*KINDS, HANDSHAKES]:
        rows = []
        for _ in range(asked.rounds):
            rows.append(await measured(kind, asked.sockets, asked.guests, asked.seconds))
            print(f"  {kind}: {rows[-1].came}, {rows[-1].logged} errors logged", file=sys.stderr)
        print(shown(kind, rows), flush=True)


if __name__ == "__main__":
    asyncio.run(main())
