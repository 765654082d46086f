"""What stands in the playroom before a story begins: matches, evenings, sheets, always the same."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, Final

import msgspec
from msgspec.structs import replace
from net.playroom import Net, Visitor

from volte.evenings.conducting import EveningSummary
from volte.evenings.decide import plan_evening, seats_for
from volte.evenings.evening import (
    DealPlayed,
    DealResult,
    Ended,
    Evening,
    Joined,
    Plan,
    RoundOver,
    Seated,
)
from volte.evenings.evening import Event as EveningEvent
from volte.evenings.evening import evolve as evolve_evening
from volte.evenings.evening import fold as fold_evening
from volte.evenings.store import Club, Clubs, EveningRow
from volte.fair import House
from volte.game import MatchStarted, Phase, Player
from volte.game.codec import encode
from volte.history.reckoner import Reckoner, reckon
from volte.notation.reader import load_record
from volte.referee import Event, to_act
from volte.referee import replay as replayed
from volte.rules import make_ruleset
from volte.scorekeeper.model import (
    Act,
    Header,
    NameFirstDealer,
    Open,
    Sheet,
    SheetFault,
    decide,
    draw_all,
    evolve,
    lots_due,
    open_seal,
    summary,
)
from volte.scorekeeper.web.sheets import StoredSummary
from volte.store import Listing, MatchRow
from volte.table import Access, Happening, OpenSeats, Setup, Someone, Watching, fold
from volte.table import happenings as hap
from volte.table.stored import listing_of

TESTS: Final = Path(__file__).parent.parent
LONG_AGO: Final = 1_614_632_400.0
"""Monday, 1 March 2021, 21:00 in Greenwich."""

ONE_DAY: Final = 1_906_833_600.0
"""A Tuesday in June 2030, 20:00 in Greenwich."""

LAWFUL: Final = TESTS / "notation" / "goldens"
REFEREED: Final = TESTS / "referee" / "goldens"
NAMES: Final = ("Anne", "Jean", "Zoé", "Luc")


@cache
def log_of(path: Path) -> tuple[Event, ...]:
    """The match of a record."""
    return load_record(path).log


async def match(
    net: Net,
    key: str,
    path: Path,
    people: Mapping[int, Visitor],
    *,
    hour: int = 0,
    cut: int | None = None,
    table: str = "",
    **setup: Any,
) -> MatchRow:
    """A match of a record, at a table of its own, whose host sits at the first of those seats.

    Args:
        hour: when it began, after the first one.
        cut: events after which it goes on; None where it is over.
        setup: what else there is to say of the table.
    """
    log = list(log_of(path))
    started = log[0]
    assert isinstance(started, MatchStarted)
    log[0] = started = replace(
        started,
        players=tuple(
            Player(people[seat].name, person=True)
            if seat in people
            else Player(each.name, level="casual")
            for seat, each in enumerate(started.players)
        ),
    )
    log = log[:cut]
    usual: dict[str, Any] = {"watching": Watching.HIDDEN, "access": Access.PUBLIC}
    usual |= {"name": f"Table of {key}"}
    told = Setup(rules=started.rules, **(usual | setup))
    host = people[min(people)]
    before: list[Happening] = [hap.Opened(told, host.id, host.name)]
    for seat, each in enumerate(started.players):
        sat = hap.Sat(seat, people[seat].id, each.name) if each.person else None
        before.append(sat or hap.BotSat(seat, each.name, each.level))
    happenings = [*before, *log]
    seats = tuple(people[seat].id if seat in people else "" for seat in range(told.rules.players))
    begun = LONG_AGO + 3600 * hour
    row = MatchRow(
        *(f"match-{key}", table or f"table-{key}", len(before) + 1, House.from_seed(1).master),
        *(begun, seats, 0 if cut else len(happenings), None if cut else begun + 1800),
        began=seats,
        rated=told.rated,
    )
    listing = listing_of(row.table, fold(happenings), "")
    data = [encode(each) for each in happenings]
    await net.store.append(row.table, 0, data, listing=listing, matches=[row])
    await net.room[Reckoner].idle()
    if not cut:
        await reckon(net.store, row)
    return row


def turn_of(path: Path, seat: int, least: int = 30) -> int:
    """Events of a record after which that seat is to play a card."""
    log = log_of(path)
    for count in range(least, len(log)):
        state = replayed(log[:count])
        if state.phase is Phase.PLAYING and tuple(to_act(state)) == (seat,):
            return count
    raise AssertionError(path)


# Waiting tables


async def waiting(net: Net, key: str, host: Visitor, bots: int = 2, **setup: Any) -> None:
    """A table where nothing has begun."""
    usual: dict[str, Any] = {
        "name": f"Table of {key}",
        "rules": make_ruleset("coeurs"),
        "open_seats": OpenSeats.ALL,
    }
    told = Setup(**(usual | setup))
    happenings: list[Happening] = [hap.Opened(told, host.id, host.name)]
    happenings.append(hap.Sat(0, host.id, host.name))
    happenings += [hap.BotSat(seat, NAMES[seat], "casual") for seat in range(1, 1 + bots)]
    hashed = await net.room.passwords.hash("sesame") if told.access is Access.PASSWORD else ""
    listing = listing_of(f"table-{key}", fold(happenings), hashed)
    data = [encode(each) for each in happenings]
    await net.store.append(f"table-{key}", 0, data, listing=listing)


# Clubs


async def club(net: Net, key: str, owner: Visitor, members: Mapping[str, str], **more: Any) -> None:
    """A club, its members by their ids, with what they are there."""
    told: dict[str, Any] = {"about": "Every Friday.\nAt <eight>.", "listed": True}
    told |= {"name": f"Club of {key}"} | more
    await net.store[Clubs].put(
        Club(id=f"club-{key}", owner=owner.id, made=LONG_AGO, key=f"key-{key}", **told)
    )
    for person, role in members.items():
        await net.store[Clubs].admit(f"club-{key}", person, role)


async def evening(
    net: Net,
    key: str,
    of: str,
    people: Sequence[Visitor],
    *,
    rounds: Sequence[Sequence[Sequence[Sequence[int]]]] = (),
    going: bool = False,
    more: Sequence[EveningEvent] = (),
    **plan: Any,
) -> Evening:
    """An evening of a club, planned by the first of those people.

    Args:
        rounds: by table, the points of each deal; the last round goes on if `going`.
        more: what has happened besides, before the first round.
    """
    rules = make_ruleset("microsoft", {"match_end": "deals:2", "ties": "share"})
    usual: dict[str, Any] = {"starts": ONE_DAY, "zone": "Europe/Paris", "by_itself": False}
    usual |= {"pause": 120, "name": f"Evening {key}", "rounds": 2, "level": "beginner"}
    told = Plan(club=f"club-{of}", rules=rules, **(usual | plan))
    host = Someone(people[0].id, people[0].name)
    events: list[EveningEvent] = [*plan_evening(told, host, bytes(range(32)))]
    events += [Joined(each.id, each.name) for each in people]
    events += more
    for number, tables in enumerate(rounds, start=1):
        now = fold_evening(events)
        last = going and number == len(rounds)
        events.append(Seated(seats_for(now), time.time() if last else LONG_AGO))
        now = evolve_evening(now, events[-1])
        for table, deals in enumerate(tables):
            seats = now.rounds[-1].tables[table].seats
            events += [DealPlayed(table, DealResult(tuple(points), seats)) for points in deals]
        if not last:
            events.append(RoundOver(LONG_AGO + 1800))
    if rounds and not going and len(rounds) == told.rounds:
        events.append(Ended())
    after = fold_evening(events)
    line = EveningSummary(told.name, told.zone, len(after.coming), told.rounds, len(after.rounds))
    data = msgspec.json.encode(line)
    row = EveningRow(f"evening-{key}", told.club, after.stage.value, told.starts, data)
    comers = [comer.person for comer in after.comers]
    await net.store[Clubs].append(row, 0, [encode(each) for each in events], comers)
    return after


# Sheets


async def sheet(net: Net, key: str, owner: Visitor, preset: str, *acts: Act, **head: Any) -> str:
    """A score sheet for real cards; its address.

    Args:
        acts: what was done on it after it was opened.
        head: options of the rules, and what stands at the head of the sheet; `dealer` 0 unless
            it is to be drawn by lots (None).
    """
    above = {
        name: head.pop(name) for name in ("title", "stake", "currency", "date") if name in head
    }
    dealer = head.pop("dealer", 0)
    names = head.pop("names", NAMES)
    rules = make_ruleset(preset, head)
    opening: list[Act] = [Open(rules, tuple(names), **above)]
    if dealer is not None:
        opening.append(NameFirstDealer(dealer))
    house = House.from_seed(7)
    data = [encode(Header(house.master))]
    now: Sheet | None = None
    todo = [*opening, *acts]
    while todo:
        done = decide(now, act := todo.pop(0))
        assert not isinstance(done, SheetFault), (done, act)
        for entry in done:
            now = evolve(now, entry)
            data.append(encode(entry))
        if not todo and now is not None and lots_due(now) and open_seal(now) is None:
            todo = [*draw_all(now, house)[:1]]
    assert now is not None
    told = summary(now)
    line = msgspec.json.encode(StoredSummary(told.names, told.state, told.deals, told.totals, ""))
    listing = Listing(
        *(f"sheet/sheet-{key}", told.title, owner.id, "private", "sheet"),
        summary=line,
        updated=time.time(),
    )
    await net.store.append(f"sheet/sheet-{key}", 0, data, listing=listing)
    return f"/score/sheet-{key}"
