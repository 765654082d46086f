"""Planned tables: how many somebody plans, and who is reminded of them."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from math import inf
from time import time
from typing import Final

from msgspec.structs import replace

from volte.cards import VolteError
from volte.say import Words
from volte.say.measures import time_told
from volte.store import Listing, Person
from volte.store.store import Store
from volte.table import Access, Setup
from volte.table.setup import check_planned
from volte.table.stored import AWAITED
from volte.web.room import Room
from volte.web.visit import NewsLine

MOST_PLANNED: Final = 3  # tables that one person may have planned at the same time

REMINDED: Final = "reminded"
"""The setting of a person with the ids of the tables of which they are to be reminded."""

MOST_REMINDED: Final = 20  # the last ones; older ones are forgotten

BEFORE: Final = 15 * 60.0  # seconds before its time from which people are reminded of a table


async def check_plan(store: Store, person: str, setup: Setup, before: Setup | None = None) -> None:
    """Raise `VolteError` if the person may not plan a table like that.

    Args:
        before: the table as it was set up until now; None for a new one.
    """
    if setup.planned is None or (before is not None and before.planned == setup.planned):
        return
    check_planned(setup, time())
    if before is not None and before.planned is not None:
        return  # it only gets another time
    if len(await store.planned(inf, host=person)) >= MOST_PLANNED:
        raise VolteError("too_many_planned", most=MOST_PLANNED).at("planned")


@asynccontextmanager
async def planning(
    room: Room, person: str, setup: Setup, before: Setup | None = None
) -> AsyncIterator[None]:
    """A turn of the person for opening a table like that, or changing theirs, so that several at
    once do not exceed the limit. Raises `VolteError` as `check_plan` does."""
    if setup.planned is None or (before is not None and before.planned is not None):
        await check_plan(room.store, person, setup, before)
        yield  # it counts for no more than it did
        return
    async with room.planning.turn(person):
        await check_plan(room.store, person, setup, before)
        yield


def with_reminder(person: Person, table: str, wanted: bool = True) -> Person:
    """The person, to be reminded of a table or no longer."""
    others = [each for each in person.settings.get(REMINDED, ()) if each != table]
    reminded = [*others, table][-MOST_REMINDED:] if wanted else others
    return replace(person, settings={**person.settings, REMINDED: reminded})


async def reminders_of(
    store: Store, person: Person, words: Words, now: float
) -> Sequence[NewsLine]:
    """The reminders that a person is to be shown on every page now. Raises `Unavailable`.

    Args:
        now: in seconds since 1970.
    """
    wanted: Sequence[str] = person.settings.get(REMINDED, ())
    if not wanted:
        return ()
    near = list[tuple[float, NewsLine]]()
    for listing in (await store.listings_at(wanted)).values():
        at = listing.planned
        hidden = listing.access == Access.PRIVATE and listing.host != person.id
        if at is not None and not hidden and at - BEFORE <= now < at + AWAITED:
            near.append((at, _reminder(listing, words, at)))
    return [reminder for _, reminder in sorted(near)]


def _reminder(listing: Listing, words: Words, at: float) -> NewsLine:
    told = {"table": listing.name, "time": time_told(words, at)}
    title, line = words.t("{time}: {table}", **told), words.t("Reminder: {table}, {time}.", **told)
    path, label = f"/tables/{listing.table}", words.t("To the table")
    return NewsLine("reminder", listing.table, path, title, line, label)
