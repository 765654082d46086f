"""Waits of an honest person under a crowd that asks for too much. See docs/security.md.

    python benchmarks/attack.py [--seconds N] [--rounds N] [--only KIND] [--sockets N] [--guests N]

A server with the usual limits runs as a program of its own, and the attackers as another one. They
all come from one address. Most have 100 sockets, each of which sends nine messages a second, which
no limit on a single connection forbids; or one guest makes 40 costly requests at once (`hashes`,
`records`); or 96 tables play on while their hosts are away (`absent`).
Meanwhile somebody at another address asks for their own: at a table, or by forms if forms are
attacked. The time of each answer is measured, before the attack and under it. Only this server is
attacked, and each run ends after the given seconds.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
import tempfile
from abc import ABC, abstractmethod
from asyncio import Future
from asyncio.subprocess import PIPE
from collections import Counter
from collections.abc import Awaitable, Callable
from contextlib import suppress
from functools import partial
from pathlib import Path
from statistics import median, quantiles
from time import perf_counter
from typing import Final, NamedTuple
from urllib.parse import urlencode

from sqlalchemy import func, select

ROOT: Final = Path(__file__).resolve().parent.parent
sys.path[0] = str(ROOT / "tests")  # in place of this folder, whose server.py would hide theirs
sys.path.insert(1, str(ROOT))

from kit.matches import keep, played  # noqa: E402
from kit.requests import Reply, post_form, post_json, request  # noqa: E402
from kit.sites import QUICK, Process  # noqa: E402

from benchmarks.crowd import ANSWER, Line, arrive, gathered, hello, open_table  # noqa: E402
from volte.game.codec import encode  # noqa: E402
from volte.rules import make_ruleset  # noqa: E402
from volte.server.run.serving import allow_many_files  # noqa: E402
from volte.store.schema import ENTRIES  # noqa: E402
from volte.store.store import Store  # noqa: E402
from volte.table import Setup, Someone, Watching  # noqa: E402
from volte.table import commands as cmd  # noqa: E402
from volte.web.security import csrf_of  # noqa: E402
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
"""Messages a second of each socket; the usual limit is ten."""

GUESTS: Final = 13
"""Attackers: the fewest who may have 100 sockets."""

THINKING: Final = 0.05
"""Seconds between an answer and the next question of the honest person."""

ELSEWHERE: Final = {"x-forwarded-for": "203.0.113.7"}
"""Header with the address of the attackers, as a server in front would send it."""

PATIENCE: Final = 60
"""Seconds after which an answer counts as missing, which ends the measurement."""

AT_ONCE: Final = 8
"""Attackers who come in at the same time."""

ANY_NUMBER: Final = 2**31
"""Number for the last happening seen: later than any."""

SETUP: Final = Setup("Attack", make_ruleset("coeurs"), watching=Watching.HIDDEN)

KINDS: Final[dict[str, Callable[[str, int], Asking]]] = {
    "rules": lambda key, _: Ask(key, Question.RULES),
    "hints": lambda key, _: Ask(key, Question.HINT),
    "sayings": lambda key, _: Speak(key, "watchers", "", "x" * 300),
    "preferences": lambda key, count: Prefer(key, lang=("en", "fr")[count % 2]),
    "commands": lambda key, count: Do(key, (cmd.Pause(), cmd.Unpause())[count % 2], ANY_NUMBER),
}
"""Messages of each kind of attack, by table and number."""

HANDSHAKES: Final = "handshakes"
"""The attack without messages: it asks for connections from another site's page."""

ONE_TABLE: Final = frozenset({"sayings"})
"""Attacks in which everybody comes to the same table."""

DEAR: Final = ("hashes", "records")
"""Attacks in which one guest makes the same costly request, so many at once."""

AT_A_TIME: Final = 40

ABSENT: Final = "absent"
"""The attack of tables whose hosts are away: the entries stored for them are counted."""

LEFT: Final = 96  # tables
EACH: Final = 8  # tables for each guest: as many as one may be connected to
DEALING: Final = 8.0  # seconds until cards are dealt at all of them

ENDLESS: Final = Setup("Left", make_ruleset("coeurs", {"match_end": "deals:500"}))

LONG: Final = 170  # deals of the match whose record is asked for: some 12,800 happenings

WORDS: Final = "lune rousse à midi"
FORM: Final = "application/x-www-form-urlencoded"

EVERY: Final = (*KINDS, HANDSHAKES, *DEAR, ABSENT)


class Waits(NamedTuple):
    """Times of answers, in milliseconds."""

    answers: int
    middle: float
    late: float
    latest: float
    worst: float
    refused: int  # number of refused answers

    @classmethod
    def of(cls, taken: list[float], refused: int) -> Waits:
        cuts = quantiles(taken, n=100, method="inclusive")
        return cls(len(taken), cuts[49], cuts[89], cuts[98], max(taken), refused)


# The honest person


class Honest(ABC):
    """Somebody who makes one request after the other."""

    async def measured(self, seconds: float) -> Waits:
        """Measure the answers of so many seconds."""
        taken, refused = list[float](), 0
        ends = perf_counter() + seconds
        while perf_counter() < ends or len(taken) < 2:
            for ask in self._round():
                begun = perf_counter()
                refused += not await ask()
                taken.append(1000 * (perf_counter() - begun))
                await asyncio.sleep(THINKING)
        return Waits.of(taken, refused)

    @abstractmethod
    def _round(self) -> list[Callable[[], Awaitable[bool]]]:
        """The requests of one round; they return whether they were granted."""


class Signing(Honest):
    """Somebody who signs in again and again, at a known device."""

    def __init__(self, address: str, cookies: str) -> None:
        self._address = address
        self._headers = {"cookie": cookies, "x-volte": "1"}

    @classmethod
    async def come(cls, address: str, database: str) -> Signing:
        cookie = await arrive(address, "Honest")
        fields = {"login": "honest", "password": WORDS, "csrf": csrf_of(cookie[len("volte=") :])}
        made = await post_form(address, "/account", fields, cookie)
        assert made.status == 200, made
        given = [value.partition(";")[0] for name, value in made.headers if name == "set-cookie"]
        return cls(address, "; ".join(each for each in given if each.startswith("volte_device=")))

    def _round(self) -> list[Callable[[], Awaitable[bool]]]:
        async def sign_in() -> bool:
            content = {"login": "honest", "password": WORDS}
            reply = await post_json(self._address, "/api/signin", content, headers=self._headers)
            return reply.status == 200

        return [sign_in]


class Reading(Honest):
    """Somebody who looks at the record of a match of theirs."""

    def __init__(self, address: str, cookie: str, path: str) -> None:
        self._address, self._cookie, self._path = address, cookie, path

    @classmethod
    async def come(cls, address: str, database: str) -> Reading:
        cookie = await arrive(address, "Honest")
        return cls(address, cookie, await record_of(address, cookie, database, 3))

    def _round(self) -> list[Callable[[], Awaitable[bool]]]:
        async def read() -> bool:
            headers = {"cookie": self._cookie}
            return (await request(self._address, "GET", self._path, b"", headers)).status == 200

        return [read]


async def record_of(address: str, cookie: str, database: str, deals: int) -> str:
    """Give somebody a finished match of so many deals; returns the address of its record."""
    me = (await request(address, "GET", "/api/me", b"", {"cookie": cookie})).json
    log = played(make_ruleset("coeurs", {"match_end": f"deals:{deals}"}))
    async with await Store.open(database) as store:
        row = await keep(store, Someone(me["person"], me["name"]), log)
    return f"/matches/{row.id}/record"


class Sitting(Honest):
    """Somebody at a table who asks, pauses their match and goes on."""

    def __init__(self) -> None:
        self._waiting: Future[Answer] | None = None
        self._count = 0
        self._line: Line

    @classmethod
    async def come(cls, address: str, database: str) -> Sitting:
        """Open a table with bots and begin a match."""
        person = cls()
        cookie = await arrive(address, "Honest")
        table = await open_table(address, cookie, SETUP, ("casual",) * 3)
        person._line = await Line.dial(address, table, cookie, person._hear)
        person._line.say(hello(True))
        await person._say(Do("start", cmd.Start(), ANY_NUMBER))
        return person

    def _round(self) -> list[Callable[[], Awaitable[bool]]]:
        self._count += 1
        key = str(self._count)
        command = (cmd.Pause(), cmd.Unpause())[self._count % 2]
        asked: list[Asking] = [
            Ask(f"{key}.hand", Question.HAND),
            Ask(f"{key}.rules", Question.RULES),
            Ask(f"{key}.turn", Question.TURN),
            Do(f"{key}.do", command, ANY_NUMBER),
        ]
        return [partial(self._say, each) for each in asked]

    async def _say(self, asking: Asking) -> bool:
        self._waiting = asyncio.get_running_loop().create_future()
        self._line.say(encode(asking))
        async with asyncio.timeout(PATIENCE):
            await self._waiting
        return True

    def _hear(self, data: bytes) -> None:
        if data.startswith(ANSWER) and self._waiting is not None:
            answer = decode_saying(data)
            assert isinstance(answer, Answer)
            self._waiting.set_result(answer)


WHO: Final[dict[str, type[Signing | Reading | Sitting]]] = {"hashes": Signing, "records": Reading}
"""Honest person for each attack; by default, `Sitting`."""


# The attackers, in a program of their own


async def attack(
    address: str, kind: str, sockets: int, guests: int, seconds: float, database: str
) -> None:
    """Attack the server; prints `ready` when it is under way, and the results at the end."""
    found: Counter[str] = Counter()
    if kind == HANDSHAKES:
        print("ready", flush=True)
        await knock(address, sockets, seconds, found)
        print(dict(found))
        return
    if kind in DEAR:
        await ask_dearly(address, kind, database, seconds, found)
        print(dict(found))
        return
    if kind == ABSENT:
        await be_away(address, database, seconds, found)
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
    """Connect the attackers; answers of the server are counted."""

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
    """Ask for connections from the page of another site, so many at a time."""
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


async def ask_dearly(
    address: str, kind: str, database: str, seconds: float, found: Counter[str]
) -> None:
    """Make the same costly request again and again for one guest, so many at once."""
    cookie = await arrive(address, "Attacker", ELSEWHERE)
    ask: Callable[[], Awaitable[Reply]]
    if kind == "hashes":  # for an account with a login that somebody else has
        token = cookie.partition("=")[2]
        form = urlencode({"csrf": csrf_of(token), "login": "honest", "password": WORDS})
        headers = ELSEWHERE | {"cookie": cookie, "content-type": FORM, "origin": address}
        ask = partial(request, address, "POST", "/account", form.encode(), headers)
    else:
        path = await record_of(address, cookie, database, LONG)
        ask = partial(request, address, "GET", path, b"", ELSEWHERE | {"cookie": cookie})
    print("ready", flush=True)
    ends = perf_counter() + seconds

    async def asking() -> None:
        while perf_counter() < ends:
            found[str((await ask()).status)] += 1
            await asyncio.sleep(1 / PER_SECOND)

    await asyncio.gather(*(asking() for _ in range(AT_A_TIME)))


async def be_away(address: str, database: str, seconds: float, found: Counter[str]) -> None:
    """Begin matches at many tables, where others are to play, and count the stored entries."""

    async def opened(number: int) -> Line:
        cookie = cookies[number // EACH]
        table = await open_table(address, cookie, ENDLESS, ("casual",) * 3)
        line = await Line.dial(address, table, cookie, lambda _: None, ELSEWHERE)
        line.say(hello(True))
        line.say(encode(Prefer("haste", bot_pace=0, trick_pace=0)))
        line.say(encode(Do("start", cmd.Start(), ANY_NUMBER)))
        return line

    async def stored() -> int:
        async with await Store.open(database) as store:
            return int(await store._value(select(func.count()).select_from(ENTRIES), 0))

    cookies = [await arrive(address, f"Host {n}", ELSEWHERE) for n in range(LEFT // EACH)]
    lines = await gathered((opened(number) for number in range(LEFT)), AT_ONCE)
    await asyncio.sleep(DEALING)
    for line in lines:
        line.say(encode(Do("away", cmd.Away(), ANY_NUMBER)))
    await asyncio.sleep(float(FIELDS["grace"].default) + 5)  # until no seat is kept any more
    before = await stored()
    print("ready", flush=True)
    await asyncio.sleep(seconds)
    found["stored a second"] = round((await stored() - before) / seconds)


# Measurements


class Row(NamedTuple):
    """One kind of attack."""

    kind: str
    before: Waits
    under: Waits
    came: str  # answers that the attackers got
    logged: int


async def measured(kind: str, sockets: int, guests: int, seconds: float) -> Row:
    """The honest person's waits at a fresh server, before that attack and under it."""
    usual = {f"VOLTE_{name.upper()}": str(FIELDS[name].default) for name in QUICK}
    with tempfile.TemporaryDirectory() as folder:
        database = f"sqlite:///{folder}/playroom.sqlite"
        with Process(database, Path(folder), **usual) as process:
            return await attacked(process, database, kind, sockets, guests, seconds)


async def attacked(
    process: Process, database: str, kind: str, sockets: int, guests: int, seconds: float
) -> Row:
    honest = await WHO.get(kind, Sitting).come(process.address, database)
    before = await honest.measured(seconds / 4)
    attackers = await asyncio.create_subprocess_exec(
        *(sys.executable, __file__, f"--attack={process.address}", f"--kind={kind}"),
        *(f"--sockets={sockets}", f"--guests={guests}", f"--seconds={seconds}"),
        f"--database={database}",
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
    """A line of the table: medians and worst of all rounds."""
    cells = [kind]
    for waits in ([row.before for row in rows], [row.under for row in rows]):
        middle, late, latest = (
            median(getattr(each, name) for each in waits) for name in ("middle", "late", "latest")
        )
        worst = max(each.worst for each in waits)
        cells += [f"{each:,.1f}" for each in (middle, late, latest, worst)]
    cells.append(f"{median(row.under.answers for row in rows):,.0f}")
    return "| " + " | ".join([*cells, f"{sum(row.under.refused for row in rows):,}"]) + " |"


async def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--seconds", type=float, default=20)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--only", choices=EVERY)
    parser.add_argument("--sockets", type=int, default=100)
    parser.add_argument("--guests", type=int, default=GUESTS)
    parser.add_argument("--kind", help=argparse.SUPPRESS)
    parser.add_argument("--attack", help=argparse.SUPPRESS)
    parser.add_argument("--database", help=argparse.SUPPRESS)
    asked = parser.parse_args()
    allow_many_files()
    if asked.attack:
        how = asked.sockets, asked.guests, asked.seconds
        await attack(asked.attack, asked.kind, *how, asked.database)
        return
    under = "p50 under | p90 | p99 | worst | answers | refused"
    print(f"| attack | p50 before | p90 | p99 | worst | {under} |")
    for kind in [asked.only] if asked.only else EVERY:
        rows = []
        for _ in range(asked.rounds):
            rows.append(await measured(kind, asked.sockets, asked.guests, asked.seconds))
            print(f"  {kind}: {rows[-1].came}, {rows[-1].logged} errors logged", file=sys.stderr)
        print(shown(kind, rows), flush=True)


if __name__ == "__main__":
    asyncio.run(main())
