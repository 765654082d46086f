"""Ways on for somebody who finds no seat at a table: another table with the same rules, a table of
their own, or watching."""

from __future__ import annotations

from time import time
from typing import Final

from msgspec.structs import replace
from starlette.responses import Response
from starlette.routing import BaseRoute

from volte.evenings.disclosure import Outline, outlines
from volte.forms.game import table_of
from volte.server.run.leading import own_path
from volte.server.tables.entrance import check_entrance, find, known_at, open_table
from volte.server.tables.planned import BEFORE
from volte.server.tables.rows import LobbyRow, row_of, rules_told
from volte.store import Listing, Person
from volte.table import Access, Setup, Watching
from volte.table.admission import looks_full
from volte.table.live import LiveTable
from volte.table.setup import game_of
from volte.table.stored import TableSummary, listing_of, read_summary
from volte.talk.company import Avoided
from volte.web.page import page
from volte.web.refused import Refused
from volte.web.room import Room, room_of
from volte.web.visit import Visit, route, see_other

MOST_OFFERED: Final = 3  # other tables on the page of a full one

UNSEEN: Final = "nobody_watches"
"""The refusal of a table that is looked at by nobody but its players while a match goes on."""


def routes() -> list[BaseRoute]:
    return [route("/tables/{table}/another", another, methods=["POST"])]


async def is_full(room: Room, live: LiveTable, person: Person) -> bool:
    """Whether a table has no seat for a person, who is neither at one nor the host: people have all
    of them, or it looks as if they had.

    The seats of an evening are given by the evening: there, somebody may get a taken one.
    """
    state = live.state
    if person.id == state.host or state.seat_of(person.id) is not None or state.setup.evening:
        return False
    who = await known_at(room, live, person)
    return looks_full(live.state, who) or all(seat.person for seat in live.state.seats)


async def full_page(visit: Visit, table: str) -> Response:
    """The page of a table without a seat for the person: other tables, their own, or watching."""
    live = await find(visit, table)
    setup = live.state.setup
    unseen = setup.watching is Watching.NOBODY and live.state.under_way
    own = listing_of(live.id, live.state, "")
    return page(
        visit,
        "full.html",
        403 if unseen else 200,
        table=live.id,
        name=setup.name,
        rules=rules_told(visit.words, read_summary(own)),
        full=await is_full(room_of(visit), live, visit.known()),
        watch=not unseen,
        meeting=game_of(setup.rules) if setup.meeting else "",
        players=setup.rules.players,
        others=await _others(visit, own),
    )


async def _others(visit: Visit, own: Listing) -> list[LobbyRow]:
    """The listed tables with the same rules where the person can sit down by one press; those that
    wait for players first, and among them those where most people are."""
    room = room_of(visit)
    wanted, known = read_summary(own), list[tuple[bool, int, Outline]]()
    listed = [each for each in await room.lobby.listed() if each.table != own.table]
    apart = await room.store[Avoided].apart_from(visit.who)
    for each in await outlines(room.store, listed, visit.who, apart):
        found = each.summary
        if found is None or not _same_game(found, wanted) or each.needs_password or each.inside:
            continue
        if each.listing.planned is not None and each.listing.planned > time() + BEFORE:
            continue  # nobody plays there for now
        if each.seats():
            people = sum(seat.person for seat in found.seats)
            known.append((each.listing.state != "waiting", -people, each))
    known.sort(key=lambda one: one[:2])
    return [row_of(visit.words, each) for _, _, each in known[:MOST_OFFERED]]


def _same_game(one: TableSummary, other: TableSummary) -> bool:
    """Whether two tables are played by the same rules, with the same number of players."""
    return (one.preset, one.changes, len(one.seats), one.rated) == (
        *(other.preset, other.changes, len(other.seats), other.rated),
    )


async def another(visit: Visit) -> Response:
    """Open a table of the person's own, set up as the one where they found no seat."""
    live = await find(visit, visit.path_params["table"])
    try:
        await check_entrance(room_of(visit), visit.someone(), live)
    except Refused as refused:
        if refused.reason != UNSEEN:
            raise
    form = await visit.fields()
    setup = _own(live.state.setup, table_of(visit.words, visit.known().name))
    table = await open_table(visit, setup, key=visit.key_of(form))
    return see_other(f"{own_path(visit)}/tables/{table}")


def _own(setup: Setup, name: str) -> Setup:
    """The setup of another table like that one; a password is its host's alone, so that a table
    which had one is open to everybody with its address."""
    locked = setup.access is Access.PASSWORD
    access = Access.LINK if locked else setup.access
    return replace(setup, name=name, evening="", meeting=False, planned=None, access=access)
