"""Disclosure of matches and tables to each kind of person, at every address, in every file."""

from __future__ import annotations

import base64
import html
import io
import re
import time
from collections.abc import Mapping, Sequence
from itertools import chain, product
from typing import Final, NamedTuple
from zipfile import ZipFile

import pytest
from kit import Reply, Site, SiteWith
from kit.evenings import begun, come, over, play, seated, who
from kit.people import Guest, Lost
from kit.playing import Player
from starlette.routing import Route
from websockets.exceptions import InvalidHandshake

from volte import game
from volte.evenings.conducting import Conductor, Evenings
from volte.evenings.decide import join
from volte.evenings.evening import Plan
from volte.evenings.store import Club, Clubs
from volte.extras import strong_installed
from volte.history.luck_reckoner import LuckReckoner
from volte.history.reckoner import Reckoner
from volte.history.store import StoredLuck
from volte.notation import format_record
from volte.people.store import Accounts
from volte.rules import Value, make_ruleset
from volte.server.app import make_app
from volte.store import MatchRow
from volte.studies.service import Studies
from volte.table import Access, Setup, TableEvent, Watching, decode_happening
from volte.table import commands as cmd

WORTH: Final = {"AC": 961, "KC": 967, "QC": 971, "AD": 977, "KD": 983, "KS": 991}
"""Points of cards. One seat has at least two of them, with a sum that occurs nowhere by chance."""

# If one seat takes all points of a deal, its total is a number in the table's rules, and is left
# out; a second deal brings others.
COUNTED: Final[dict[str, Value]] = {
    "card_points": [f"{card}={points}" for card, points in WORTH.items()],
    "moon": "off",
}
RULES: Final = make_ruleset("microsoft", COUNTED | {"match_end": "deals:2"})
LONGER: Final = make_ruleset("microsoft", COUNTED | {"match_end": "deals:3"})

whole_or_not = pytest.mark.parametrize(
    "whole", [False, pytest.param(True, marks=pytest.mark.full)], ids=["part", "whole"]
)
"""In the gate some people ask for the important part."""


# All addresses of the application

LEAVING: Final = "/logout"  # left out, as it ends the session of the visitor
OWN: Final = (
    *("/", "/matches", "/matches/statistics", "/clubs"),
    *("/api/tables", "/api/matches", "/api/statistics"),
)
"""Addresses of lists: all that is public, and the visitor's own."""

PARAMETER: Final = re.compile(r"\{(\w+)(?::\w+)?\}")

Filling = Mapping[str, Sequence[str]]
"""Values for the parameters of addresses, by name."""


class Answered(NamedTuple):
    path: str  # of the route
    asked: str
    status: int
    text: str  # all of it that can be read, files of an archive too


async def everything(site: Site, guest: Guest, filling: Filling, whole: bool) -> list[Answered]:
    """The answers to a person for every page, every empty form, and every file.

    Args:
        whole: False for requests without a form only, about `filling` and the visitor's own.
    """
    found = []
    for path, method in routes_of(site):
        names: list[str] = PARAMETER.findall(path)
        own = path in OWN or any(name in filling for name in names)
        if not (whole or (own if method == "GET" else path == "/me/data")):
            continue
        for values in product(*(filling.get(name, ("x",)) for name in names)):
            asked = PARAMETER.sub("{}", path).format(*values)
            reply = await (guest.get(asked) if method == "GET" else guest.post(asked))
            assert reply.status < 500, (method, asked)
            found.append(Answered(path, f"{method} {asked}", reply.status, readable(reply)))
    return found


def routes_of(site: Site) -> list[tuple[str, str]]:
    """The routes of the application: path and method."""
    routes = [route for route in make_app(site.room).routes if isinstance(route, Route)]
    found = [
        (route.path, method)
        for route in routes
        for method in sorted((route.methods or set()) - {"HEAD"})
        if route.path != LEAVING
    ]
    assert len(found) > 100
    return found


def readable(reply: Reply) -> str:
    """The body as text; of an archive, the texts of all its files."""
    if reply.header("content-type") == "application/zip":
        with ZipFile(io.BytesIO(reply.body)) as packed:
            return "\n".join(packed.read(name).decode() for name in packed.namelist())
    return html.unescape(reply.body.decode(errors="replace"))


async def is_let_in(guest: Guest, table: str) -> bool:
    """Whether the socket of a table lets that person in."""
    visitor = guest.device()
    try:
        await visitor.join(table)
    except (Lost, InvalidHandshake):
        return False
    await visitor.leave()
    return True


SVG: Final = "http://www.w3.org/2000/svg"
"""The name of the format of pictures, with a number as seats may have it in points."""


class Traces(NamedTuple):
    """Traces of a match: texts that only its record or results contain."""

    record: tuple[str, ...]  # lines of its record, and the secrets of its deals
    points: tuple[re.Pattern[str], ...]  # that seats have in a deal, and in all

    def shows_record(self, text: str) -> bool:
        return any(trace in text for trace in self.record)

    def shows_points(self, text: str) -> bool:
        text = text.replace(SVG, "")
        return any(pattern.search(text) for pattern in self.points)


async def traces_of(site: Site, row: MatchRow) -> Traces:
    """The traces of a match, as far as it has been played."""
    entries = await site.room.store.read(row.table, row.first - 1, row.last or None)
    log = [decode_happening(entry.data) for entry in entries]
    events = [each for each in log if not isinstance(each, TableEvent)]
    lines = [line for line in format_record(events).splitlines() if "Trick" in line]
    secrets = [each.secret for each in events if isinstance(each, game.Revealed)]
    texts = [text for s in secrets for text in (s.hex(), base64.b64encode(s).decode())]
    scored = [each.points for each in events if isinstance(each, game.DealScored)]
    totals = map(sum, zip(*scored, strict=True))
    high = {points for points in (*totals, *chain(*scored)) if points > 1500}
    assert high
    high.discard(RULES.penalty_total)  # the rules tell it; two moons leave nothing else
    # as they stand in pages and files, and in no id nor among the metrics, which are fractions
    numbers = [re.compile(rf"(?<![\w.-])(?:{each}|{each:,})(?![\w-]|\.\d)") for each in high]
    return Traces((*lines, *texts), tuple(numbers))


def nobody(site: Site) -> Player:
    """Somebody without a session."""
    return Player(site.address, "", "", "")


# An evening


class Friday(NamedTuple):
    """An evening where one of two tables is through."""

    key: str
    people: dict[str, Player]  # by their role
    filling: Filling  # addresses of all that there is about it
    finished: MatchRow


async def friday(site: Site) -> Friday:
    """Anne and Bert play the same cards each against bots; Anne has played them."""
    names = ("Anne", "Bert", "Cleo", "Olga", "Mia", "Hugo", "Eve")
    anne, bert, comer, member, judge, host, stranger = await come(site, *names)
    store = site.room.store
    await store[Accounts].put_role(judge.person, "moderator")
    club = Club("a" * 16, "Club", host.person, "", False, time.time(), "k" * 16)
    await store[Clubs].put(club)
    for each in (anne, bert, comer, member):
        await store[Clubs].admit(club.id, each.person)
    plan = Plan("Friday", club.id, time.time(), "UTC", RULES, 1, "beginner", True, by_itself=False)
    key = await begun(site, [anne, bert], plan, host)
    await site.room[Evenings].do(key, lambda evening: join(evening, who(comer)))
    tables = [await seated(site, key, 1, each) for each in (anne, bert)]
    await bert.join(tables[1])
    await play(anne, tables[0])
    matches = [(await store.matches_at(table))[0] for table in tables]
    filling = {
        "table": tables,
        "match": [row.id for row in matches],
        "evening": [key],
        "round": ["1"],
        "deal": ["1"],
        "place": ["1"],
        "number": ["40"],
        "club": [club.id],
        "ladder": ["microsoft"],
    }
    people = {"nobody": nobody(site), "stranger": stranger, "member": member, "comer": comer}
    people |= {"host": host, "moderator": judge, "played": anne, "plays": bert}
    return Friday(key, people, filling, matches[0])


@whole_or_not
async def test_while_a_round_is_played_nobody_is_told_of_a_table_that_is_through(
    site_with: SiteWith, whole: bool
) -> None:
    site = await site_with(conducting=0.1, assembling=60.0, luck=True)
    evening, luck = await friday(site), site.room.store[StoredLuck]
    await site.room[Reckoner].idle()
    await site.room[LuckReckoner].idle()
    assert not await luck.known(evening.finished.id)
    assert not [each for each in evening.people["played"].notices if "luck" in each.reason]
    traces = await traces_of(site, evening.finished)
    everybody = set(evening.people)
    # A review that was made all the same, by whatever fault, shows nothing
    anne = evening.people["played"]
    study = await site.room[Studies].make(evening.finished, anne.person, "key")
    filling = {**evening.filling, "study": [study.id]}
    asked = await anne.post("/studies", {"match": evening.finished.id})
    assert asked.status == 403
    for role in sorted(everybody if whole else {"nobody", "played", "plays"}):
        guest = evening.people[role]
        for answer in await everything(site, guest, filling, whole):
            assert not traces.shows_record(answer.text), (role, answer.asked)
            assert not traces.shows_points(answer.text), (role, answer.asked)
            assert not (answer.status == 200 and "{match}" in answer.path), (role, answer.asked)
        if role not in ("played", "plays"):
            for table in evening.filling["table"]:
                assert not await is_let_in(guest, table), role
    await play(evening.people["plays"], evening.filling["table"][1])
    await over(site, evening.key, 1)
    await site.room[Conductor].idle()
    await site.room[Reckoner].idle()
    await site.room[LuckReckoner].idle()
    assert await luck.known(evening.finished.id) is strong_installed()
    after = everybody if whole else {"nobody", "member", "played"}
    reads, counts = set[str](), set[tuple[str, str]]()
    for role in after:
        for answer in await everything(site, evening.people[role], evening.filling, whole):
            reads |= {role} if traces.shows_record(answer.text) else set()
            counts |= {(role, answer.path)} if traces.shows_points(answer.text) else set()
    assert reads == after & {"played", "plays", "comer"}
    counted = {role for role, _ in counts}
    assert counted == after & {"played", "plays", "comer", "member", "host"}
    why = f"/matches/{evening.finished.id}/why/40"
    assert (await evening.people["played"].get(why)).status == 200
    own = {path for role, path in counts if role == "played"}
    assert own >= {"/me/data", "/matches", "/api/matches", "/matches/{match}"}


# Tables with a password, and matches that go on


NAMES: Final = ("Xanthippe", "Quentin")
"""People whom a table with a password must not name."""


async def halfway(player: Player, table: str) -> None:
    """Let a player begin a match, play two of its three deals, and stop there."""
    await player.join(table)
    await player.hurry()
    assert (await player.do(cmd.Start())).ok

    def two_are_over() -> bool:
        state = player.state
        if state is None or state.match is None:
            return False
        return state.between_deals and len(state.match.deals) == 2

    await player.play(two_are_over)
    await player.leave()


@whole_or_not
async def test_of_a_locked_table_and_of_a_match_that_goes_on_strangers_know_little(
    site_with: SiteWith, whole: bool
) -> None:
    site = await site_with(grace=60.0)
    host, guest, other, stranger = await come(site, *NAMES, "Otto", "Eve")
    locked = Setup("Locked", LONGER, Access.PASSWORD, Watching.HIDDEN)
    shut = await host.open_table(("", "casual", "casual"), locked, "sesame")
    entered = await guest.post(f"/api/tables/{shut}/enter", {"password": "sesame"})
    assert entered.status == 204
    alone = Setup("Alone", LONGER, Access.PUBLIC, Watching.NOBODY)
    unseen = await other.open_table(setup=alone)
    await halfway(host, shut)
    await halfway(other, unseen)
    rows = [(await site.room.store.matches_at(table))[0] for table in (shut, unseen)]
    traces = [await traces_of(site, row) for row in rows]
    matches = [row.id for row in rows]
    filling = {"table": [shut, unseen], "match": matches, "deal": ["1"], "number": ["40"]}
    for visitor in (nobody(site), stranger):
        for answer in await everything(site, visitor, filling, whole):
            assert not any(name in answer.text for name in NAMES), answer.asked
            assert not any(each.shows_points(answer.text) for each in traces), answer.asked
            assert not any(each.shows_record(answer.text) for each in traces), answer.asked
        await told_alike(visitor, shut, locked=True)
    for player in (host, guest, other):
        for answer in await everything(site, player, filling, whole and player is host):
            assert not any(each.shows_record(answer.text) for each in traces), answer.asked
            assert not (answer.status == 200 and "{match}" in answer.path), answer.asked
    for player in (guest, host):
        await told_alike(player, shut, locked=False)


async def told_alike(visitor: Guest, table: str, locked: bool) -> None:
    """Check that a table is the same in the list and by its address, also about who may come."""
    listed = await visitor.get("/api/tables")
    (line,) = [each for each in listed.json["tables"] if each["table"] == table]
    if visitor.cookie:
        assert (await visitor.get(f"/api/tables/{table}")).json == line
    assert line["needs_password"] is locked
    known = {name for name, value in line.items() if value}
    if locked:
        assert known == {"table", "name", "access", "needs_password", "ways"}
    else:
        assert known >= {"table", "name", "access", "host", "state", "rules", "seats", "free"}
