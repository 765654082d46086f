"""Tables as people come to them: opened, entered, and closed to those who may not."""

from __future__ import annotations

from collections.abc import Sequence

from starlette.requests import HTTPConnection, Request

from volte.cards import Fault
from volte.server.evenings import seat_at_evening
from volte.server.measures import check_public
from volte.server.refused import Refused
from volte.server.room import Room
from volte.server.visit import room_of, someone
from volte.table import Access, Setup, Someone, Watching
from volte.table.commands import SeatBot, Sit
from volte.table.live import LiveTable
from volte.table.setup import LEVELS


async def open_table(
    request: Request, setup: Setup, levels: Sequence[str] = (), password: str = ""
) -> LiveTable:
    """A new table; whoever asks is its host, at the first seat.

    Args:
        levels: of the bots at the seats after it; empty for one that is left free.

    Raises `Refused` and `Fault`.
    """
    room, who = room_of(request), someone(request)
    for level in levels:
        if level and level not in LEVELS:
            raise Fault("no_such_level", level=level, levels=LEVELS)
    if setup.access is Access.PUBLIC:
        await check_public(room, who.id, request.state.words)
    await room.limits.spend("table", who.id)
    hashed = ""
    if setup.access is Access.PASSWORD:
        hashed = await room.passwords.hash(password)
    live = await room.lobby.open(setup, who, hashed)
    await live.do(who, Sit(0), live.state.version)
    for seat, level in enumerate(levels[: setup.rules.players - 1], start=1):
        if level:
            await live.do(who, SeatBot(seat, level), live.state.version)
    return live


async def entrance(connection: HTTPConnection, table: str) -> LiveTable:
    """The table of that id, for somebody who may come in. Raises `Refused`."""
    live = await find(connection, table)
    await check_entrance(room_of(connection), someone(connection), live)
    return live


async def find(connection: HTTPConnection, table: str) -> LiveTable:
    """The table of that id. Raises `Refused` 404, and 410 where it has been closed."""
    room = room_of(connection)
    live = await room.lobby.find(table) if table.isascii() and len(table) <= 64 else None
    if live is None:
        listing = await room.store.listing(table) if table.isascii() else None
        raise Refused(404, "no_table") if listing is None else Refused(410, "closed")
    return live


async def check_entrance(room: Room, who: Someone, live: LiveTable) -> None:
    """Raises `Refused` where that person may not come to that table."""
    state = live.state
    if who.id in state.barred:
        raise Refused(403, "barred")
    if who.id == state.host or state.seat_of(who.id) is not None:
        return
    if state.setup.evening:
        await seat_at_evening(room, who, live)
        return
    if state.setup.access is Access.PASSWORD and not await room.store.admitted(live.id, who.id):
        raise Refused(403, "needs_password")
    if state.setup.watching is Watching.NOBODY and state.under_way:
        raise Refused(403, "nobody_watches")


async def enter_with_password(request: Request, table: str, password: str) -> LiveTable:
    """Lets somebody in for good who knows the password. Raises `Refused`."""
    room, who = room_of(request), someone(request)
    live = await find(request, table)
    if live.state.setup.access is Access.PASSWORD:
        await room.limits.spend("password", f"{request.state.address} {table}")
        if not await room.passwords.verify(live.password, password):
            raise Refused(403, "wrong_password")
        await room.store.admit(table, who.id)
    await check_entrance(room, who, live)
    return live
