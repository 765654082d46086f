"""Opening, finding and entering of tables, with the checks of who may come in."""

from __future__ import annotations

import hmac
import secrets
from collections.abc import Sequence
from contextlib import suppress
from functools import partial
from typing import Final

from starlette.requests import HTTPConnection

from volte.bots import check_level
from volte.cards import VolteError
from volte.evenings.conducting import seat_at_evening
from volte.server.run.membership import Membership
from volte.server.tables.planned import planning, with_reminder
from volte.store import Conflict, Listing, Person
from volte.table import Access, Setup, Someone, Watching
from volte.table.admission import engines_may_sit, watch_refusal
from volte.table.commands import SeatBot, Sit
from volte.table.live import LiveTable
from volte.table.lobby import OnAnotherNode
from volte.table.stored import onward_of
from volte.talk.company import Avoided
from volte.talk.reports import check_public
from volte.web.addresses import base_path
from volte.web.refused import Refused
from volte.web.room import Room, change_person, room_of
from volte.web.visit import Visit, visitor_of

INVITATION_SIGNS: Final = 32

SECRET_BYTES: Final = 16


async def open_table(
    visit: Visit, setup: Setup, levels: Sequence[str] = (), password: str = "", key: str = ""
) -> str:
    """Open a table with the person as its host, at the first seat; return its id.

    Args:
        levels: levels of the bots at the seats after the first; empty for a free seat.
        key: key of the form that asks for it, which opens one table however often it comes.

    Raises `Refused` and `VolteError`.
    """
    room, who = room_of(visit), visit.someone()
    before = await room.store.listing(key[:20]) if key else None
    if before is not None and before.state != "closed":
        return before.table
    engines = room.lobby.thinking.engines
    for level in levels:
        if level:
            check_level(level, guests=engines)
        if level in engines and not engines_may_sit(setup):
            raise VolteError("rated_own_bots").at("level")
    table = key[:20] if before is None else ""
    async with planning(room, who.id, setup):
        if setup.access is Access.PUBLIC:
            await check_public(room, who.id, visit.words)
        await room.limits.spend("table", who.id)
        hashed = secrets.token_hex(SECRET_BYTES) if setup.access is Access.PUBLIC else ""
        if setup.access is Access.PASSWORD:
            hashed = await room.passwords.hash(password, visit.whose)
        try:
            live = await room.lobby.open(setup, who, hashed, table)
        except Conflict:  # the same form has come twice at once
            return table
    await live.do(who, Sit(0), live.state.version)
    for seat, level in enumerate(levels[: setup.rules.players - 1], start=1):
        if level:
            await live.do(who, SeatBot(seat, level), live.state.version)
    if setup.planned is not None:
        await change_person(visit, partial(with_reminder, table=live.id))
    return live.id


async def entrance(connection: HTTPConnection, table: str) -> LiveTable:
    """Find the table of an id, for a person who may come in. Raises `Refused`."""
    live = await find(connection, table)
    await check_entrance(room_of(connection), visitor_of(connection).someone(), live)
    return live


async def find(connection: HTTPConnection, table: str) -> LiveTable:
    """Find the table of an id. Raises `Refused` 404, and 410 if it has been closed; that has `at`,
    the path of the live connection of another table, where its people go on there.

    For people who have no part in it, a private table does not exist.
    """
    room, person = room_of(connection), visitor_of(connection).person
    try:
        live = await room.lobby.find(table) if table.isascii() and len(table) <= 64 else None
    except OnAnotherNode:
        if not await room.store.may_know(table, person.id if person is not None else ""):
            raise Refused(404, "no_table") from None
        raise
    if live is None:
        found = await room.store.listing(table) if table.isascii() else None
        onward = onward_of(check_there(found, person))
        to = {"at": f"{base_path(connection)}/live/{onward}"} if onward else {}
        raise Refused(410, "closed", **to)
    if watch_refusal(live.state, person.id if person is not None else "") == "no_table":
        raise Refused(404, "no_table")
    return live


def check_there(listing: Listing | None, person: Person | None) -> Listing:
    """Return the listing of a table if the person may know of it. Raises `Refused` 404."""
    host = listing is not None and person is not None and listing.host == person.id
    if listing is None or (listing.access == Access.PRIVATE and not host):
        raise Refused(404, "no_table")
    return listing


async def check_entrance(room: Room, who: Someone, live: LiveTable) -> None:
    """Raise `Refused` if the person may not come to the table."""
    state = live.state
    if who.id in state.barred:
        raise Refused(403, "barred")
    if state.setup.evening:
        await seat_at_evening(room, who, live)
        return
    if who.id == state.host or state.seat_of(who.id) is not None:
        return
    if state.setup.access is Access.PASSWORD and not await room.store.admitted(live.id, who.id):
        raise Refused(403, "needs_password")
    if state.setup.watching is Watching.NOBODY and state.under_way:
        raise Refused(403, "nobody_watches")


async def enter_with_password(visit: Visit, table: str, password: str) -> None:
    """Admit a person who knows the password for good, whichever node has the table. Raises
    `Refused`; for reasons other than the password only if this node has the table."""
    room, who = room_of(visit), visit.someone()
    found = await room.store.listing(table) if table.isascii() else None
    listing = check_there(found, visit.person)
    if listing.state == "closed":
        raise Refused(410, "closed")
    if listing.access == Access.PASSWORD:
        await room.limits.spend("password", f"{visit.address} {table}")
        if not await room.passwords.verify(listing.password, password, visit.whose):
            raise Refused(403, "wrong_password", field="password")
        await room.store.admit(table, who.id)
    if await room[Membership].elsewhere(table) is None:
        await check_entrance(room, who, await find(visit, table))


async def is_invited(room: Room, live: LiveTable, person: str) -> bool:
    """Whether a person has the invitation to a listed table, or knows its password."""
    listed = live.state.setup.access in (Access.PUBLIC, Access.PASSWORD)
    return listed and await room.store.admitted(live.id, person)


async def known_at(room: Room, live: LiveTable, person: Person) -> Someone:
    """A person as that table knows them."""
    invited = await is_invited(room, live, person.id)
    apart = await room.store[Avoided].apart_from(person.id)
    return Someone(person.id, person.name, invited, apart)


async def invitation_of(live: LiveTable) -> str:
    """The invitation in the link of a public table's host; empty for other tables.

    Everybody can know the address of a public table; the address of others is an invitation.
    """
    if live.state.setup.access is not Access.PUBLIC:
        return ""
    if not live.password:  # it was not public when it was opened
        with suppress(Conflict):
            await live.lock(secrets.token_hex(SECRET_BYTES))
    return invitation_from(live.id, live.password)


def invitation_from(table: str, secret: str) -> str:
    """The invitation to a table, made from its id and its secret."""
    if not secret:
        return ""
    digest = hmac.digest(secret.encode(), b"volte invitation 1 " + table.encode(), "sha256")
    return digest.hex()[:INVITATION_SIGNS]


def is_invitation(table: str, secret: str, given: str) -> bool:
    """Whether the given text is the invitation to the table."""
    expected = invitation_from(table, secret)
    return bool(expected) and hmac.compare_digest(expected.encode(), given.encode())


async def accept_invitation(visit: Visit, table: str, given: str) -> LiveTable:
    """Admit an invited person for good. Raises `Refused`."""
    room, who = room_of(visit), visit.someone()
    live = await find(visit, table)
    await check_entrance(room, who, live)
    if live.state.setup.access is Access.PUBLIC:
        if not is_invitation(table, live.password, given):
            raise Refused(404, "no_invitation", field="invitation")
        await room.store.admit(table, who.id)
    return live
