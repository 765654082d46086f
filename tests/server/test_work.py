"""The queue of dear work: in turn, bounded, and with a true word of how long it takes."""

from __future__ import annotations

import asyncio
import threading
from asyncio import Event, Task
from collections.abc import Sequence
from typing import Any
from urllib.parse import urlencode

import pytest
from kit import Guest, keep, played, post_json, request
from kit.accounts import WORDS
from kit.sites import Site, SiteWith, until

from volte.history import match_page
from volte.rules import make_ruleset
from volte.table import Someone
from volte.web import work as module
from volte.web.limits import REFUSALS, Limits
from volte.web.refused import Refused
from volte.web.settings import Settings
from volte.web.work import SHARE, Whose, WorkQueue

MOST = 64
OF_ADDRESS = MOST // SHARE
OF_PERSON = OF_ADDRESS // SHARE


class Work:
    """A queue with pieces named such as `aa`: an address and a person. A piece is done when the
    test says so, and has taken a second by the clock of the queue."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, at_once: int = 1) -> None:
        self.queue = WorkQueue("test", at_once, MOST, usual=1.0)
        self.now = 0.0
        self.begun: list[str] = []
        self.tasks: list[Task[None]] = []
        self._doing: list[Event] = []
        monkeypatch.setattr(module, "monotonic", lambda: self.now)

    async def ask(self, *names: str) -> None:
        self.tasks += [asyncio.create_task(self._ask(name, (name[0], name))) for name in names]
        await self._settle()

    async def done(self) -> None:
        """Finish the pieces that have begun, a second later."""
        self.now += 1.0
        for each in self._doing:
            each.set()
        await self._settle()

    async def all_done(self) -> list[str]:
        while len(self.queue):
            await self.done()
        return self.begun

    def refusals(self) -> list[tuple[int, object]]:
        errors = [task.exception() for task in self.tasks if task.done()]
        return [(e.status_code, e.params["seconds"]) for e in errors if isinstance(e, Refused)]

    async def _ask(self, name: str, whose: Whose) -> None:
        async with self.queue.turn(whose):
            self.begun.append(name)
            done = Event()
            self._doing.append(done)
            await done.wait()
            self._doing.remove(done)

    async def _settle(self) -> None:
        for _ in range(5):
            await asyncio.sleep(0)


@pytest.fixture
def work(monkeypatch: pytest.MonkeyPatch) -> Work:
    return Work(monkeypatch)


@pytest.mark.parametrize(
    ("asked", "done"),
    [
        ("aa aa aa ba", "aa aa ba aa"),
        ("aa aa aa ab ba ba", "aa aa ba ab ba aa"),
        ("aa aa ab ac ba ca", "aa aa ba ca ab ac"),
    ],
)
async def test_addresses_take_turns_and_their_people_do(work: Work, asked: str, done: str) -> None:
    for name in asked.split():
        await work.ask(name)
    assert await work.all_done() == done.split()


async def test_an_address_has_one_thing_done_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    work = Work(monkeypatch, at_once=2)
    await work.ask("aa", "ab", "aa", "ba")
    assert work.begun == ["aa", "ba"]
    assert await work.all_done() == ["aa", "ba", "ab", "aa"]


@pytest.mark.parametrize(
    "names",
    [
        ["aa"] * (OF_PERSON + 2),
        [f"a{number % 8}" for number in range(OF_ADDRESS + 2)],
    ],
    ids=["person", "address"],
)
async def test_whoever_asks_for_too_much_is_told_how_long_it_takes(
    work: Work, names: Sequence[str]
) -> None:
    """When the time is over, their pieces are done; others are served meanwhile."""
    await work.ask(*names)
    await work.ask("ba", "ba")
    [(status, seconds)] = work.refusals()
    assert status == 429
    assert seconds == len(names) - 1
    await work.ask("aa")
    assert work.refusals()[-1] == (429, len(names) + 1)  # two turns are those of somebody else
    while work.now < len(names) + 1:
        await work.done()
    assert not len(work.queue)


async def test_where_too_many_wait_whoever_has_most_loses_the_last_of_it(work: Work) -> None:
    first = [f"{address}{person}" for address in "abcd" for person in range(4)]
    await work.ask("z0", *first * OF_PERSON)
    assert work.refusals() == []
    await work.ask("y0")
    [(status, seconds)] = work.refusals()
    assert status == 503
    assert isinstance(seconds, int)
    assert seconds >= OF_ADDRESS
    assert "y0" in (await work.all_done())[:6]
    assert len(work.begun) == 1 + MOST


async def test_whoever_would_lose_their_place_may_just_have_left_it(work: Work) -> None:
    names = [f"{address}{person}" for address in "abcd" for person in range(4)] * OF_PERSON
    await work.ask("z0", *names)
    assert work.queue._queue.longest == ("a", "a0")
    coming = asyncio.create_task(work.ask("y0"))
    await asyncio.sleep(0)  # its turn comes before that of whoever leaves
    work.tasks[len(names) - names[::-1].index("a0")].cancel()
    await coming
    assert not work.tasks[-1].done()
    assert "y0" in await work.all_done()


async def test_whoever_leaves_the_line_is_not_waited_for(work: Work) -> None:
    await work.ask("aa", "ba", "ca")
    work.tasks[1].cancel()
    await work.ask()
    assert await work.all_done() == ["aa", "ca"]


async def test_whoever_leaves_as_they_are_called_makes_room(work: Work) -> None:
    await work.ask("aa", "ba", "ca")
    work.now += 1.0
    work._doing[0].set()
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    work.tasks[1].cancel()
    await work.ask()
    assert "ca" in await work.all_done()
    assert not work.queue._took


# At a server


ELSEWHERE = {"x-forwarded-for": "203.0.113.7"}


async def test_nobody_keeps_others_from_signing_in_by_asking_for_hashes(
    site_with: SiteWith, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Although none of 40 requests sent at once is done."""
    site, go_on = await site_with(), threading.Event()
    owner, guest = await Guest.come(site.address), await Guest.come(site.address)
    assert (await owner.post("/account", {"login": "anne", "password": WORDS})).status == 200
    passwords = site.room.passwords
    hasher = passwords.hasher
    await passwords.nobody(("", ""))

    class Held:
        verify, check_needs_rehash = hasher.verify, hasher.check_needs_rehash

        def hash(self, text: str) -> str:
            assert go_on.wait(30)
            return hasher.hash(text)

    monkeypatch.setattr(passwords, "hasher", Held())
    form = urlencode({"csrf": guest.csrf, "login": "anne", "password": WORDS}).encode()
    headers = ELSEWHERE | {"cookie": guest.cookie, "origin": site.address}
    headers["content-type"] = "application/x-www-form-urlencoded"
    asking = [
        asyncio.create_task(request(site.address, "POST", "/account", form, headers))
        for _ in range(40)
    ]
    await until(lambda: len(passwords._work) > 16)
    content = {"login": "anne", "password": WORDS}
    assert (await post_json(site.address, "/api/signin", content)).status == 200
    go_on.set()
    replies = await asyncio.gather(*asking)
    assert {reply.status for reply in replies} == {422, 429}
    assert {reply.status == 429 for reply in replies if reply.header("retry-after")} == {True}


async def test_nobody_keeps_others_from_their_records_by_asking_for_a_long_one(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    go_on, write = threading.Event(), match_page.written
    player = await Guest.come(site.address)
    log = played(make_ruleset("coeurs", {"match_end": "deals:1"}))
    match = await keep(site.room.store, Someone(player.person, player.name), log)
    path = f"/matches/{match.id}/record"
    calls: list[Any] = []

    def held(log: Any) -> str:
        calls.append(log)
        if len(calls) == 1:
            assert go_on.wait(30)
        return write(log)

    monkeypatch.setattr(match_page, "written", held)
    asking = [asyncio.create_task(player.get(path, **ELSEWHERE)) for _ in range(10)]
    await until(lambda: len(site.room.work) == 10)
    assert (await player.get(path)).status == 200
    go_on.set()
    assert {(await each).status for each in asking} == {200}
    assert len(calls) == 11


def test_whoever_is_refused_again_and_again_waits_for_it() -> None:
    limits = Limits(Settings())
    waits = [limits.refused("203.0.113.7") for _ in range(100 * REFUSALS)]
    assert waits[0] == 0.0
    assert 1.0 < waits[-1] <= 2.0
    assert limits.refused("203.0.113.8") == 0.0
