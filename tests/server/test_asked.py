"""Queries to the database depend on what happens, and not on how much is stored."""

from __future__ import annotations

import time
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import msgspec
import pytest
from kit.people import Guest
from kit.playing import Player, play_on
from kit.sites import SiteWith, until
from kit.stores import queries
from msgspec.structs import replace

from volte.boards.keeper import BoardKeeper
from volte.evenings.conducting import Conductor, Evenings
from volte.evenings.decide import begin_round, join
from volte.evenings.evening import Plan, Stage
from volte.evenings.store import stream_of
from volte.history.reckoner import Reckoner
from volte.people.sessions import hashed
from volte.rules import make_ruleset
from volte.say import Words
from volte.server.run import membership
from volte.store import Listing, MatchRow
from volte.store.store import Store
from volte.table import Setup, Someone, Watching
from volte.table import commands as cmd
from volte.table.stored import TableSummary
from volte.table.telling import who_watches
from volte.talk.store import TalkStore
from volte.web.room import MOST_NAMED, Connections
from volte.wire.messages import Closing

DEAL = make_ruleset("microsoft", {"match_end": "deals:1"})
LONG = 3600  # seconds that no test lasts


def about(sent: list[str], what: str) -> int:
    """Number of the queries that contain a text."""
    return sum(what in query for query in sent)


# A crowd


@dataclass(eq=False)
class Caller:
    """Somebody who is connected to the table `t`."""

    person: str
    name: str
    session: bytes = b""
    table: str = "t"
    seated: bool = True
    gone: Any = None

    def hang_up(self, reason: str) -> None:
        raise AssertionError(reason)


def test_of_a_crowd_some_are_named_and_the_others_counted() -> None:
    live = Connections()
    crowd = [Caller(f"p{number}", f"P{number}") for number in range(5000)]
    for caller in crowd:
        live.add(caller)
        assert live.watching("t") == ([], 0)  # not before they have come in
    for caller in crowd:
        live.sits(caller, False)
    first = [caller.name for caller in crowd[:MOST_NAMED]]
    assert live.watching("t") == (first, 4980)
    english, french = [who_watches(Words(lang), *live.watching("t")) for lang in ("en", "fr")]
    assert english.startswith("Watching: P0, P1, ")
    assert english.endswith("P18, P19 and 4,980 others")
    assert french.startswith("Spectateurs\u00a0: P0, P1, ")
    assert french.endswith("P18, P19 et 4\u202f980 autres")
    for caller in crowd[5:]:
        live.remove(caller)
    live.sits(crowd[0], True)
    assert live.watching("t") == (["P1", "P2", "P3", "P4"], 0)
    assert who_watches(Words("en"), *live.watching("t")) == "Watching: P1, P2, P3, P4"


def test_whoever_is_muted_is_counted_among_those_who_watch_and_not_named() -> None:
    live = Connections()
    for name in ("Zoe", "Max", "Eve"):
        caller = Caller(name.lower(), name)
        live.add(caller)
        live.sits(caller, False)
    assert live.watching("t", {"max"}) == (["Zoe", "Eve"], 1)
    nobody = live.watching("t", {"zoe", "max", "eve"})
    assert nobody == ([], 3)
    english, french = [who_watches(Words(lang), *nobody) for lang in ("en", "fr")]
    assert (english, french) == ("3 people are watching", "3 personnes regardent")


def test_who_watches_twice_is_one_until_both_are_gone() -> None:
    live = Connections()
    calls = [Caller("zoe", "Zoe"), Caller("zoe", "Zoe")]
    for caller in calls:
        live.add(caller)
        live.sits(caller, False)
    for caller in calls:
        assert live.watching("t") == (["Zoe"], 0)
        live.remove(caller)
    assert live.watching("t") == ([], 0)
    assert who_watches(Words("en"), [], 0) == ""


# The first page


async def have_played(store: Store, person: str, matches: int) -> None:
    """Matches of somebody, each at a table of its own; the last one goes on."""
    summary = msgspec.json.encode(
        TableSummary("microsoft", {}, (), 1, True, Watching.HIDDEN, 0, True)
    )
    for number in range(matches):
        table = f"{matches}-{number}"
        row = MatchRow(f"m{table}", table, 1, b"\0" * 32, float(number), (person, "", "", ""))
        over = replace(row, last=1, ended=number + 1.0) if number < matches - 1 else row
        listing = Listing(table, f"Table {number}", "host", "link", "playing", summary)
        await store.append(table, 0, [b"x"], listing=listing, matches=[over])


async def test_the_first_page_asks_no_more_of_who_has_played_more(
    site_with: SiteWith, tmp_path: Path
) -> None:
    site = await site_with()
    for looks_around in (Reckoner, BoardKeeper):
        await site.room[looks_around].idle()
    asked = []
    async with await Store.open(f"sqlite:///{tmp_path / 'playroom.sqlite'}") as another:
        for matches in (3, 40):
            guest = await Guest.come(site.address)
            await have_played(another, guest.person, matches)
            with queries(site.room.store) as sent:
                page = await guest.get("/")
            assert f'"/tables/{matches}-{matches - 1}"' in page.text
            asked.append(about(sent, "match"))
    assert asked[0] == asked[1]


# Evenings


async def test_an_evening_is_looked_at_when_its_own_matches_end(site_with: SiteWith) -> None:
    """And not when others do."""
    site = await site_with(conducting=LONG)
    anne, bert = await Player.come(site.address, "Anne"), await Player.come(site.address)
    evenings, conductor = site.room[Evenings], site.room[Conductor]
    plan = Plan("Friday", "", time.time(), "UTC", DEAL, 1, "beginner", pause=0)
    key = await evenings.plan(plan, Someone(anne.person, anne.name))
    for player in (anne, bert):
        await evenings.do(key, partial(join, who=Someone(player.person, player.name)))
    await evenings.do(key, partial(begin_round, now=time.time()))
    await conductor.attend(key)
    with queries(site.room.store) as sent:
        host = await Player.at_table(site.address, name="Cleo", setup=Setup("Table", DEAL))
        for command in (cmd.Start(), cmd.Close()):
            assert (await host.do(command)).ok
        await host.until_closed()
        await conductor.idle()
    assert not about(sent, stream_of(key))
    evening = await evenings.find(key)
    assert evening is not None
    assert evening.round is not None
    for player in (anne, bert):
        place = evening.round.place_of(player.person)
        assert place is not None
        await player.join(evening.round.tables[place[0]].table)
        await player.hurry()
    await play_on(anne, bert)
    await conductor.idle()
    evening = await evenings.find(key)
    assert evening is not None
    assert evening.stage is Stage.OVER


# Several processes


async def test_where_nobody_dies_nobody_looks_for_the_tables_of_the_dead(
    postgres_url: str, site_with: SiteWith, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(membership, "LOOKING", 0.01)
    one = await site_with(postgres_url)
    with queries(one.room.store) as sent:
        await until(lambda: about(sent, "owners.node =") > 20)
        assert about(sent, "nodes.id IS NULL") <= 1
        await (await site_with(postgres_url, node="other")).stop()
        await until(lambda: about(sent, "nodes.id IS NULL") > 1)


async def test_after_a_gap_one_query_asks_for_all_who_are_here(site_with: SiteWith) -> None:
    """It asks which sessions are over, and another one for the mutes of all."""
    site = await site_with()
    table = await (await Guest.come(site.address, "Host")).open_table()
    guests = [await Guest.come(site.address, f"P{number}") for number in range(5)]
    for guest in guests:
        await guest.join(table)
    store = site.room.store
    await store[TalkStore].mute(guests[0].person, guests[1].person, guests[1].name)
    await store.drop_session(hashed(guests[2].token))
    with queries(store) as sent:
        for topic in ("sessions", "mutes"):
            await store.bus.publish(topic, "")
        assert await guests[2].until_closed() == Closing.NO_SESSION
        await until(lambda: about(sent, "FROM mutes") > 0)
    assert about(sent, "FROM sessions") == 1
    assert about(sent, "FROM mutes") == 1
