"""Many people at one deal by a link: how long answers take, and whether the standings are right.

    python benchmarks/boards.py [--people 200] [--kill]

A server of its own on SQLite; people by WebSockets, who each open the address, play the deal with
legal cards, thinking for one to three seconds before each, and read the standings. With `--kill`
the server is killed in the middle, and comes back. Prints seconds as a line of JSON; the time of an
answer includes what the program of the clients itself was late, which is told beside it.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import sys
import tempfile
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from statistics import quantiles
from time import perf_counter
from typing import Any, Final

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from kit.boards import Trier, board_page, press, shared
from kit.browsing import Page
from kit.playing import GONE
from kit.sites import Process

from volte.game import DealScored
from volte.table import commands as cmd
from volte.table import decode_happening
from volte.wire.messages import Answer

THINKING: Final = (1.0, 3.0)
"""Seconds that a person thinks before a card, at least and at most."""

AWAY: Final = (*GONE, IndexError)
"""Errors of clients while the server is away: an answer may end before it begins."""

COMING: Final = 20.0  # seconds in which all people come
LATE: Final = 0.05  # seconds between two looks at how late the clients' own program is


class Person(Trier):
    """A person who thinks before each card, and whose answers are timed."""

    thinks = True

    def __init__(self, *who: str) -> None:
        super().__init__(*who)
        self.answers_after: list[float] = []

    async def do(self, command: cmd.Command, seen: int | None = None, asking: str = "") -> Answer:
        if self.thinks and isinstance(command, cmd.Act):
            await asyncio.sleep(self.random.uniform(*THINKING))
        began = perf_counter()
        answer = await super().do(command, seen, asking)
        self.answers_after.append(perf_counter() - began)
        return answer

    @property
    def points(self) -> int:
        """The points of the deal, as they were told."""
        assert self.seat is not None
        for data in self.received.values():
            happening = decode_happening(data)
            if isinstance(happening, DealScored):
                return happening.points[self.seat]
        raise LookupError("the deal has no score")


def percentiles(seconds: Sequence[float]) -> dict[str, float]:
    """Median, 99th percentile and maximum, in milliseconds."""
    cuts = quantiles(seconds, n=100, method="inclusive")
    return {
        name: round(1000 * each, 1)
        for name, each in (("median", cuts[49]), ("p99", cuts[98]), ("most", max(seconds)))
    }


async def lateness(late: list[float]) -> None:
    """Note how late this program itself is, again and again."""
    while True:
        began = perf_counter()
        await asyncio.sleep(LATE)
        late.append(perf_counter() - began - LATE)


async def take_part(person: Person, board: str, pages: list[float]) -> None:
    """Open the address, play the deal whatever happens to the server, and read the standings."""
    await asyncio.sleep(person.random.uniform(0, COMING))
    while True:
        try:
            table = await press(person, board)
            await person.join(table)
            await person.hurry()
            break
        except (*AWAY, AssertionError):
            await asyncio.sleep(0.5)
    await person.stay(person.over)
    while True:
        began = perf_counter()
        try:
            await board_page(person, board)
        except AWAY:
            await asyncio.sleep(0.5)
        else:
            pages.append(perf_counter() - began)
            break


def standings(page: Page) -> Counter[str]:
    """The points in the standings of guests: how often each number stands there."""
    text = page.answer.text.partition('id="guests"')[2].partition("</section>")[0]
    rows = text.partition("<tbody>")[2].split("<tr>")[1:]
    return Counter(row.split("<td>")[2].partition("</td>")[0] for row in rows)


async def measure(people: int, kill: bool) -> dict[str, Any]:
    """Let so many people play one deal."""
    with tempfile.TemporaryDirectory() as folder, Process("", Path(folder)) as server:
        maker = await Person.begun(server.address, name="Maker")
        maker.thinks = False
        await maker.play()
        (match,) = (await maker.get("/api/matches")).json["matches"]
        row = type("Row", (), {"id": match["match"]})()
        board = await shared(maker, row)
        guests = [await Person.come(server.address, f"Guest {at}") for at in range(people)]
        for at, guest in enumerate(guests):
            guest.whim, guest.random = at % 8, random.Random(at)
        pages, late = list[float](), list[float]()
        watching = asyncio.create_task(lateness(late))
        playing = asyncio.gather(*(take_part(guest, board, pages) for guest in guests))
        if kill:
            await asyncio.sleep(COMING)
            server.kill()
            await asyncio.to_thread(server.restart)
        await playing
        watching.cancel()
        await asyncio.sleep(3.0)  # results are shown to all alike for two seconds
        shown = standings(await board_page(guests[0], board))
        expected = Counter(str(guest.points) for guest in guests)
        answers = [each for guest in guests for each in guest.answers_after]
        for guest in guests:
            await guest.leave()
        return {
            "people": people,
            "killed": kill,
            "answers": len(answers),
            "answer_ms": percentiles(answers),
            "page_ms": percentiles(pages),
            "client_late_ms": percentiles(late),
            "standings_right": shown == expected,
            "shown": sum(shown.values()),
        }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--people", type=int, default=200)
    parser.add_argument("--kill", action="store_true")
    given = parser.parse_args()
    print(json.dumps(asyncio.run(measure(given.people, given.kill))))


if __name__ == "__main__":
    main()
