"""Inviting friends to a table."""

from __future__ import annotations

from volte.friends.service import Friends
from volte.table import Access, OpenSeats, Someone, TableState
from volte.table.commands import Invite
from volte.table.live import LiveTable
from volte.web.refused import Refused
from volte.web.room import Room


def inviting_refusal(state: TableState, person: str) -> str:
    """The reason why a person may not invite friends to a table; empty where they may.

    Everybody with a seat may, where others come in by the address alone; else the host.
    """
    hosts = state.host == person
    if state.setup.evening:
        return "evening_invites"
    if not hosts and state.seat_of(person) is None:
        return "players_invite"
    if all(seat.person for seat in state.seats):
        return "nobody_invited"
    setup = state.setup
    asks = setup.access in (Access.PRIVATE, Access.PASSWORD)
    if not hosts and (asks or setup.open_seats is OpenSeats.INVITED):
        return "host_invites"
    return ""


async def invite_friend(room: Room, who: Someone, live: LiveTable, friend: str) -> str:
    """Invite a friend to a table; return the friend's name. A private table becomes open to its
    address. Raises `Refused`.

    Args:
        friend: the friend's id, or name.
    """
    state = live.state
    if reason := inviting_refusal(state, who.id):
        raise Refused(403, reason)
    circle = await room[Friends].of(who.id)
    known = circle.friend(friend)
    found = circle.named(friend) if known is None else (known,)
    if not found:
        raise Refused(404, "no_friend")
    if len(found) > 1:
        raise Refused(409, "friends_alike", name=found[0].name)
    if state.seat_of(found[0].id) is not None:
        raise Refused(409, "friend_at_table", name=found[0].name)
    name = await room[Friends].invite(who, found[0].id, live.id)
    if state.setup.access is Access.PRIVATE:
        await live.do(who, Invite(), live.state.version)
    return name
