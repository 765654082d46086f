"""Asking people to be friends, and inviting friends to a table."""

from __future__ import annotations

from typing import Final

from volte.friends.service import Friends
from volte.people.store import Accounts
from volte.say import N_, Words
from volte.table import Access, OpenSeats, Someone, TableState, Watching
from volte.table.commands import Invite
from volte.table.live import LiveTable
from volte.web.refused import Refused
from volte.web.room import Room

FRIEND_INVITED: Final = N_("You have invited {name}, who has a quarter of an hour to answer.")
FRIENDS_NOW: Final = N_("You and {name} are now friends.")
FRIEND_ASKED: Final = N_("Request sent to {name}: you will be friends once it is accepted.")
GUESTS_FRIENDS: Final = N_(
    "Without an account, you lose your list of friends if this browser forgets you."
)


async def ask_to_be_friends(room: Room, who: Someone, other: str, words: Words) -> str:
    """Ask another person to be friends, or agree to it; return the sentence about that. Raises
    `Refused`."""
    friends = await room[Friends].ask(who.id, other)
    circle = await room[Friends].of(who.id)
    name = next((each.name for each in (*circle.friends, *circle.asked) if each.id == other), "")
    lines = [words.t(FRIENDS_NOW if friends else FRIEND_ASKED, name=name)]
    if await room.store[Accounts].account(who.id) is None:
        lines.append(words.t(GUESTS_FRIENDS))
    return " ".join(lines)


def inviting_refusal(state: TableState, person: str) -> str:
    """The reason why a person may not invite friends to a table; empty where they may.

    Everybody with a seat may, where others come in by the address alone; else the host.
    """
    hosts = state.host == person
    if state.setup.evening:
        return "evening_invites"
    if not hosts and state.seat_of(person) is None:
        return "players_invite"
    if state.setup.board or not _takes_somebody(state):
        return "nobody_invited"
    setup = state.setup
    asks = setup.access in (Access.PRIVATE, Access.PASSWORD)
    if not hosts and (asks or setup.open_seats is OpenSeats.INVITED):
        return "host_invites"
    return ""


def _takes_somebody(state: TableState) -> bool:
    """Whether a newcomer whom the host has invited could come in and take a seat now, or ask."""
    setup = state.setup
    shut = setup.rated or setup.watching is Watching.NOBODY
    return not (state.under_way and shut) and not all(seat.person for seat in state.seats)


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
