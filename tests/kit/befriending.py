"""Friends who have agreed, and invitations of one by another."""

from __future__ import annotations

from volte.friends.service import CHANGED, Friends
from volte.friends.store import Friendships
from volte.store import Listing, Person
from volte.store.schema import LISTINGS
from volte.store.store import Store
from volte.store.writer import put
from volte.table import Someone
from volte.web.room import Room


async def befriend(store: Store, one: str, two: str) -> None:
    """Make two people friends."""
    for person, other in ((one, two), (two, one)):
        await store[Friendships].agree(person, other)
    for person in (one, two):
        await store.bus.publish(CHANGED, person)


async def invited(room: Room, person: str, name: str = "Anne") -> str:
    """Have a friend of that name invite somebody to a table of which nothing is but its listing;
    return the friend's id."""
    store, friend = room.store, f"{name} {person}"[:64]
    await store.put_person(Person(friend, name, "en", {}, 1.0))
    await befriend(store, person, friend)
    table = f"of {friend}"
    await store.write(put(LISTINGS, Listing(table, "Table", friend, "private", "waiting")))
    await room[Friends].invite(Someone(friend, name), person, table)
    return friend
