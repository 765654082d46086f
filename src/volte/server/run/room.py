"""Opening and closing of the playroom with the services of all its features."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Final

from volte.boards.keeper import BoardKeeper
from volte.boards.sets import Sets
from volte.boards.store import Boards
from volte.bots import make_bot
from volte.engine.named import check_program
from volte.evenings.conducting import Conductor, Evenings
from volte.evenings.disclosure import EveningDisclosure
from volte.evenings.openings import Openings
from volte.evenings.store import Clubs
from volte.friends.service import Friends
from volte.friends.store import Friendships
from volte.friends.whereabouts import Sightings, Whereabouts
from volte.history.luck_reckoner import LuckReckoner
from volte.history.reckoner import Reckoner
from volte.history.reviewer import Reviewer
from volte.history.rows import MatchLuck, MatchResults, MatchStore
from volte.history.store import Results, Reviews, StoredLuck
from volte.meeting.matchmaker import Matchmaker
from volte.meeting.store import Seeks
from volte.news.desk import NewsDesk
from volte.news.store import NewsStore
from volte.people.passwords import breached
from volte.people.sessions import Sessions
from volte.people.store import Accounts, Passkeys
from volte.push.sender import Sender
from volte.push.store import Subscriptions
from volte.scorekeeper.web.sheets import Sheets
from volte.server.run.clocks import Clocks
from volte.server.run.health import Pulse
from volte.server.run.membership import Membership
from volte.server.run.plans import Plans
from volte.server.run.reporting import Reporter
from volte.server.run.tidying import Tidying
from volte.server.tables.departing import Departures
from volte.server.tables.open_tables import OpenTables
from volte.server.tables.waits import WaitingMatches
from volte.server.trials import Trials
from volte.store.backup import check_whole
from volte.store.store import Store
from volte.studies.service import Studies
from volte.studies.store import StudyStore
from volte.table.engines import EnginePool
from volte.table.lobby import Lobby
from volte.table.pacing import Timing
from volte.table.workers import usual_number
from volte.talk.company import Avoided
from volte.talk.service import TalkService
from volte.talk.store import TalkStore
from volte.web.disclosure import Disclosure
from volte.web.limits import Limits
from volte.web.room import Room
from volte.web.settings import Settings

PARTS: Final = (
    Accounts,
    TalkStore,
    Trials,
    Passkeys,
    Results,
    Clubs,
    Reviews,
    StoredLuck,
    Seeks,
    Avoided,
    NewsStore,
    Friendships,
    Subscriptions,
    Sightings,
    Openings,
    Boards,
    Sets,
    StudyStore,
)
"""Parts of the store, one for each feature, in the order of an export."""


@asynccontextmanager
async def open_room(settings: Settings) -> AsyncIterator[Room]:
    """The playroom, open for as long as the context lasts. Raises `VolteError`."""
    breached(settings.breached)  # so that a file that cannot be read fails before anybody comes
    for command in settings.engine_commands.values():
        check_program(command)
    await asyncio.to_thread(check_whole, settings.database_url)
    store = await Store.open(settings.database_url, PARTS)
    store.second_look.seconds = settings.second_look
    try:
        timing = Timing(
            promise_within=settings.promise_within,
            grace=settings.grace,
            turn_down=settings.turn_down,
            cut=settings.cut,
            assembling=settings.assembling,
        )
        lobby = Lobby(
            store,
            make_bot,
            timing=timing,
            thinkers=settings.thinkers or usual_number(),
            engines=EnginePool(settings.engine_commands, settings.engine_terms),
        )
        room = make_room(settings, store, lobby)
        room.live.attend(store)
        room[Pulse].begin()
        room[Clocks].begin()
        room[NewsDesk].begin()
        room[Reporter].begin()
        room[TalkService].begin()
        if settings.luck:
            room[LuckReckoner].begin()
        room[Reckoner].begin()
        room[Conductor].begin()
        room[BoardKeeper].begin()
        room[Matchmaker].begin()
        room[Tidying].begin()
        room[Plans].begin()
        room[Departures].begin()
        room[WaitingMatches].begin()
        room[Sender].begin()
        room[Friends].begin()
        room[Whereabouts].begin()
        try:
            yield room
        finally:
            await room[Pulse].end()
            await room[Clocks].end()
            await room[Reporter].close()
            await room[Tidying].close()
            await room[Plans].close()
            await room[Departures].close()
            await room[Whereabouts].close()
            await room[TalkService].close()
            await room[Conductor].close()
            await room[BoardKeeper].close()
            await room[Matchmaker].close()
            await free_tables(room)
            await room.lobby.close()
            await room[Reckoner].close()
            await room[LuckReckoner].close()
            await room[Reviewer].close()
            await room[Sender].close()
    finally:
        await store.close()


def make_room(settings: Settings, store: Store, lobby: Lobby) -> Room:
    """The playroom with a store, a lobby and every service, none of them started."""
    room = Room(settings, store, lobby, Limits(settings))
    room.add(Sessions(store, settings.session_days))
    room.add(TalkService(store, room.limits))
    sender = room.add(Sender.of(store, settings))
    room.add(NewsDesk(store, sender))
    luck = room.add(LuckReckoner(store))
    room.add(Reckoner(store, then=luck.take))
    room.add(Reviewer(store))
    membership = room.add(Membership(store, lobby, settings.node))
    evenings = room.add(Evenings(store))
    room.add(EveningDisclosure(evenings), Disclosure)
    room.add(store, MatchStore)
    room.add(store[Results], MatchResults)
    room.add(store[StoredLuck], MatchLuck)
    room.add(lobby.thinking)
    room.add(Conductor(store, evenings, settings.conducting, membership.wake))
    room.add(BoardKeeper(store, evenings))
    room.add(Reporter(room))
    room.add(Matchmaker(store, lobby, membership.wake))
    room.add(Friends(store, room.limits, room[NewsDesk]))
    room.add(Studies(store))
    room.add(Whereabouts(store, room[NewsDesk]))
    room.add(Sheets(store))
    room.add(Pulse(room))
    room.add(Clocks(store))
    room.add(Tidying(room))
    room.add(Plans(room))
    room.add(Departures(room))
    room.add(OpenTables(store, lobby))
    room.add(WaitingMatches(store))
    return room


async def free_tables(room: Room) -> None:
    """Stop the tables, and leave them to other nodes. May be called twice."""
    await room[Membership].rest()
    await room.lobby.stop()
    await room[Membership].leave()
