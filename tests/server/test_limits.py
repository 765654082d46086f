"""Too much from one address or person is refused, or answered later; others are let in."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from itertools import count
from typing import Any, Final
from urllib.parse import urlencode

import pytest
from kit import Guest, Player, Reply, post_form, post_json, request
from kit.sites import QUICK, Site, SiteWith
from kit.talking import Talker

from volte.rules import make_ruleset
from volte.say import Words
from volte.say.faults import waiting_time
from volte.table import Access, Setup
from volte.table.commands import Act, Command, Sit, Start
from volte.web import limits
from volte.web.limits import BURST, Bucket
from volte.web.metrics import REGISTRY
from volte.web.security import csrf_of
from volte.web.settings import FIELDS
from volte.web.visit import counted_address
from volte.wire.messages import Answer, Closing, Question

LOCKED: Final = Setup("Locked", make_ruleset(), Access.PASSWORD)


async def test_new_people_from_one_address(site_with: SiteWith) -> None:
    site = await site_with(guests_per_hour=2)
    for status in (200, 200, 429, 429):
        reply = await post_json(site.address, "/api/guest", {"name": "Zoé"})
        assert reply.status == status
    assert reply.json["line"].endswith(".")
    page = await post_form(site.address, "/guest", {"name": "Zoé", "next": "/"})
    assert page.status == 429
    assert 'id="reason"' in page.text
    elsewhere = {"x-forwarded-for": "203.0.113.9"}
    other = await post_json(site.address, "/api/guest", {"name": "Zoé"}, headers=elsewhere)
    assert other.status == 200


async def test_tries_at_the_word_of_a_table(site_with: SiteWith) -> None:
    site = await site_with(tries_per_hour=3)
    host, other = [await Guest.come(site.address) for _ in range(2)]
    table, second = [await host.open_table((), LOCKED, "sesame") for _ in range(2)]
    for password, status in [("a", 403), ("b", 403), ("c", 403), ("sesame", 429)]:
        reply = await other.post(f"/api/tables/{table}/enter", {"password": password})
        assert reply.status == status
    assert (await other.post(f"/api/tables/{second}/enter", {"password": "sesame"})).status == 204


# The seconds of a refusal


class Clock:
    """The clock of the limits, which stands still until it is put forward."""

    def __init__(self) -> None:
        self.now = 4073.6334038593336  # a minute later is more than 60 seconds later, among floats

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr(limits, "monotonic", clock)
    return clock


Try = Callable[[], Awaitable[tuple[int, str]]]
"""Does something that is limited; returns the seconds to wait, or 0 if it was done, and the
text of the answer."""

ZOE: Final = {"name": "Zoé"}
X: Final = {"login": "all at one", "password": "x"}
PASSWORD: Final = "lune rousse à midi"
FEW: Final[dict[str, Any]] = {
    "requests_per_minute": 40,
    "guests_per_hour": 6,
    "tables_per_hour": 3,
    "tries_per_hour": 2,
    "sign_ins_per_hour": 6,
    "tries_per_login": 6,
    "passkeys_per_hour": 2,
    "sayings_per_minute": 2,
    "reports_per_hour": 2,
}


class Asker:
    """Somebody at an address of their own."""

    def __init__(self, site: Site, number: int) -> None:
        self.site = site
        self.cookies: dict[str, str] = {}  # by name
        self.address = f"203.0.113.{number}"

    async def asks(self, path: str, body: str = "", kind: str = "", address: str = "") -> Reply:
        headers = {"x-forwarded-for": address or self.address, "origin": self.site.address}
        headers |= {"content-type": kind, "x-volte": "1"} if kind else {}
        headers["cookie"] = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        method = "POST" if kind else "GET"
        reply = await request(self.site.address, method, path, body.encode(), headers)
        for name, value in reply.headers:
            if name == "set-cookie":
                given, _, content = value.partition(";")[0].partition("=")
                self.cookies[given] = content
        return reply

    async def sends(self, path: str, **fields: str) -> Reply:
        """A form."""
        fields["csrf"] = csrf_of(self.cookies.get("volte", ""))
        return await self.asks(path, urlencode(fields), "application/x-www-form-urlencoded")

    async def posts(self, path: str, content: Any, address: str = "") -> Reply:
        """JSON."""
        return await self.asks(path, json.dumps(content), "application/json", address)


Way = Callable[[Asker], Awaitable[Try]]


def tries(site: Site) -> dict[str, Way]:
    """For each limit, an act that comes up to it and to no other one."""

    def one(asking: Callable[[], Awaitable[Reply]]) -> Try:
        async def asks() -> tuple[int, str]:
            reply = await asking()
            wait = reply.header("retry-after")  # which is told just where it is the reason
            assert bool(wait) == (reply.status == 429), reply
            return int(wait or 0), reply.body.decode(errors="replace")

        return asks

    async def password(asker: Asker) -> Try:
        host = await Guest.come(site.address)
        locked = await host.open_table((), LOCKED, "sesame")
        await asker.posts("/api/guest", ZOE)
        return one(lambda: asker.posts(f"/api/tables/{locked}/enter", {"password": "x"}))

    async def device(asker: Asker) -> Try:
        await asker.posts("/api/guest", ZOE)
        login = f"at {asker.address}"
        assert (await asker.sends("/account", login=login, password=PASSWORD)).status == 200
        return one(lambda: asker.sends("/signin", login=login, password="x"))

    async def passkey(asker: Asker) -> Try:
        asker.site = Site(site.address.replace("127.0.0.1", "localhost"), site.room)
        return one(lambda: asker.sends("/account/passkeys/challenge", purpose="signin"))

    async def saying(asker: Asker) -> Try:
        talker = await Talker.at_table(site.address)

        async def speaks() -> tuple[int, str]:
            return answered(await talker.speak("again"))

        return speaks

    async def report(asker: Asker) -> Try:
        host = await Talker.at_table(site.address, levels=(), name="Ann")
        friend = await Talker.come(site.address, "Bob")
        await friend.join(host.table)
        await friend.speak("Hello")

        async def reports() -> tuple[int, str]:
            return answered(await host.report(friend))

        return reports

    async def foreign(asker: Asker) -> Try:
        async def dials() -> tuple[int, str]:
            nobody = Guest(site.address, "", "", "")
            headers = {"X-Forwarded-For": asker.address, "Origin": "http://elsewhere.example"}
            reply = await nobody.denied("x", **headers)
            wait = int(reply.header("retry-after") or 0)
            assert reply.status == (429 if wait else 403)
            return wait, reply.json["line"]

        return dials

    def way(ask: Callable[[Asker], Awaitable[Reply]], known: bool = False) -> Way:
        async def come(asker: Asker) -> Try:
            if known:
                await asker.posts("/api/guest", ZOE)
            return one(lambda: ask(asker))

        return come

    number, table = count(), {"setup": {"name": "x", "rules": {}}}
    signing_in = "/api/signin"
    return {
        "page": way(lambda asker: asker.asks("/rules")),
        "guest": way(lambda asker: asker.posts("/api/guest", ZOE)),
        "table": way(lambda asker: asker.posts("/api/tables", table), known=True),
        "sign_in": way(lambda asker: asker.posts(signing_in, X | {"login": f"s{next(number)}"})),
        "login": way(lambda asker: asker.posts(signing_in, X, f"192.0.2.{next(number)}")),
        "wrong": way(lambda asker: asker.sends("/signin", login="one at one", password="x")),
        "code": way(lambda asker: asker.sends("/recover", login="x", code="x", password=PASSWORD)),
        "export": way(lambda asker: asker.sends("/me/data"), known=True),
    } | {each.__name__: each for each in (foreign, password, device, passkey, saying, report)}


OF_MATCHES: Final = {"review", "why"}  # see tests/history/test_review_page.py
SHARED: Final = ("login",)  # limits of an account, whoever comes up to them


def answered(answer: Answer) -> tuple[int, str]:
    """The seconds to wait and the text of an answer on a connection."""
    seconds = answer.refusal.params["seconds"] if answer.refusal is not None else 0
    assert isinstance(seconds, int)
    return seconds, " ".join(answer.lines)


async def test_every_limit_says_how_long_it_lasts_and_lasts_no_longer(
    site_with: SiteWith, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "REFUSED_HANDSHAKES", 2)
    site = await site_with(**FEW)
    ways = tries(site)
    assert set(ways) == set(site.room.limits._limits) - OF_MATCHES
    for number, (name, way) in enumerate(ways.items()):
        clock.now += limits.HOUR  # so that all begin anew
        attempt = await way(Asker(site, number))
        seconds, text, done = 0, "", -1
        while not seconds:
            clock.now += 1 / 64
            seconds, text = await attempt()
            done += 1
        assert done > 1, name
        assert seconds <= limits.HOUR, name
        assert waiting_time(Words("en"), seconds) in text, (name, text)
        if name not in SHARED:
            another = await way(Asker(site, number + 100))
            assert (await another())[0] == 0, name
        clock.now += seconds - 1
        assert (await attempt())[0] == 1, name
        clock.now += 1
        assert (await attempt())[0] == 0, name


async def test_new_connections_count_as_requests_and_are_told_how_long(
    site_with: SiteWith, clock: Clock
) -> None:
    site = await site_with(requests_per_minute=5)
    guest, table = await Guest.with_table(site.address)
    for _ in range(3):
        await (await guest.dial(table)).close()
    reply = await guest.denied(table)
    assert reply.status == 429
    seconds = int(reply.header("retry-after"))
    assert 0 < seconds <= limits.MINUTE
    assert waiting_time(Words("en"), seconds) in reply.json["line"]
    clock.now += seconds
    await (await guest.dial(table)).close()


async def test_whoever_comes_up_to_several_limits_waits_once(
    site_with: SiteWith, clock: Clock
) -> None:
    """The longest wait is told, and the refused request has not been counted."""
    site = await site_with(tries_per_login=6, sign_ins_per_hour=6)
    asker = Asker(site, 1)
    content = {"login": "one", "password": "x"}
    statuses = []
    for _ in range(20):
        reply = await asker.posts("/api/signin", content)
        statuses.append(reply.status)
        wait = int(reply.header("retry-after") or 0)
        if wait > 900:
            break
        clock.now += wait
    assert statuses.count(422) == 6
    clock.now += wait
    assert (await asker.posts("/api/signin", content)).status == 422


@pytest.mark.parametrize(
    ("seconds", "en", "fr"),
    [
        (1, "1 second", "1 seconde"),
        (120, "120 seconds", "120 secondes"),
        (121, "3 minutes", "3 minutes"),
        (3600, "60 minutes", "60 minutes"),
    ],
)
def test_nobody_is_told_to_wait_for_less_than_it_takes(seconds: int, en: str, fr: str) -> None:
    assert waiting_time(Words("en"), seconds) == en
    assert waiting_time(Words("fr"), seconds) == fr


def test_a_connection_may_talk_much_for_a_moment_only() -> None:
    bucket = Bucket(0.1)
    assert [bucket.take() for _ in range(3)] == [True, False, False]
    bucket = Bucket(2)
    assert sum(bucket.take() for _ in range(1000)) == 2 * BURST


@pytest.mark.parametrize(
    ("host", "counted"),
    [
        ("192.0.2.1", "192.0.2.1"),
        ("::ffff:192.0.2.1", "192.0.2.1"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::"),
        ("testclient", "testclient"),
        (None, ""),
    ],
)
def test_a_household_counts_as_one_address(host: str | None, counted: str) -> None:
    assert counted_address(host) == counted


# Budgets: one who asks for much is answered later; forty people at one address never are


USUAL = {name: FIELDS[name].default for name in QUICK}
TABLES = 10
KEYS = [what for what in Question if what not in {Question.HINT, Question.CARDS}]

ASKING = 1.5  # seconds between two questions of one person
THINKING = 0.5  # seconds before each card


def hindered() -> float:
    """Number of messages that had to wait, or were refused as too many."""
    return sum(
        sample.value
        for metric in REGISTRY.collect()
        if metric.name in ("volte_slowed", "volte_limited")
        for sample in metric.samples
        if sample.name.endswith("_total")
    )


class Lively(Talker, Player):
    """Somebody who asks for much while they play."""

    thinking = 0.0

    async def do(self, command: Command, seen: int | None = None, asking: str = "") -> Answer:
        if isinstance(command, Act):
            await asyncio.sleep(self.thinking)
        return await super().do(command, seen, asking)

    async def greet(self) -> None:
        assert (await self.speak(phrase="hello")).ok

    async def ask_on(self) -> None:
        """Ask one question after the other while the match lasts; now and then a dear one."""
        for asked in count():
            await asyncio.sleep(ASKING)
            if self.over():
                return
            await self.ask(KEYS[asked % len(KEYS)])
            if asked % 4 == 0:
                await self.ask(Question.HINT)
            if asked % 5 == 0:
                await self.greet()


async def first_tricks(person: Lively) -> None:
    """Asks for every key at once, and plays the first tricks as fast as it goes."""
    for what in KEYS:
        assert (await person.ask(what)).ok
    await person.greet()
    await person.play(lambda: person.number > 40)


async def whole_match(person: Lively) -> None:
    """Play to the end at the pace of a quick person, and ask all the while."""
    person.thinking = THINKING
    await asyncio.gather(person.play(), person.ask_on())


@pytest.mark.parametrize("spend", [first_tricks, pytest.param(whole_match, marks=pytest.mark.full)])
async def test_forty_people_behind_one_address_are_never_hindered(
    site_with: SiteWith, spend: Callable[[Lively], Awaitable[None]]
) -> None:
    """At ten tables; one of each has a second connection."""
    site = await site_with(**USUAL)
    before = hindered()

    async def table(number: int) -> None:
        people = [await Lively.come(site.address, f"{number}.{seat}") for seat in range(4)]
        setup = Setup("Club", make_ruleset("microsoft", {"match_end": "deals:1"}))
        where = await people[0].open_table(("", "", ""), setup)
        for seat, person in enumerate(people):
            await person.join(where, told=True)
            assert seat == 0 or (await person.do(Sit(seat))).ok
        second = people[1].device()
        await second.join(where, told=True)
        assert (await people[0].do(Start())).ok
        await asyncio.gather(*map(spend, people))
        assert (await second.ask(Question.SCORES)).ok

    await asyncio.gather(*(table(number) for number in range(TABLES)))
    assert hindered() == before


async def test_one_who_asks_for_much_is_answered_later(site_with: SiteWith) -> None:
    site = await site_with(work_per_person=1)
    guest = await Talker.at_table(site.address)
    before = hindered()
    for _ in range(15):
        assert (await guest.ask(Question.RULES)).ok
    assert hindered() > before


async def test_a_ninth_connection_of_one_person_is_refused_with_a_sentence(
    site_with: SiteWith,
) -> None:
    site = await site_with(sockets_per_person=8)
    first = await Player.come(site.address)
    tables = [await first.open_table() for _ in range(2)]
    *devices, ninth = [first.device() for _ in range(9)]
    for place, device in enumerate(devices):
        await device.join(tables[place % 2])
    await ninth.call(tables[0])
    assert await ninth.until_closed() == Closing.TOO_FAST
    assert "8" in ninth.notices[-1].line
    await (await Player.come(site.address)).join(tables[0])
