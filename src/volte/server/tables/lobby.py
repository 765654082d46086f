"""The first page: "Play now", the open tables, and the person's own matches."""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

import msgspec
from starlette.responses import Response

from volte.bots import OFFERED, company_of
from volte.evenings.disclosure import outlines
from volte.forms.fields import Field, FilledForm, NotTaken
from volte.forms.game import ADAPTS, STYLED, Game, game_choices, game_fields
from volte.forms.meeting import MEETING, PeopleWanted, meeting_choices, read_wanted, wanted_phrase
from volte.friends.service import Friends
from volte.history.results import ADAPTING, suited_level
from volte.history.store import Results
from volte.meeting.matchmaker import Matchmaker
from volte.meeting.waiting import Tablemate
from volte.rules import PRESETS
from volte.say import Words
from volte.say.levels import level_called
from volte.say.measures import day_and_time
from volte.server.tables.open_tables import OpenTables, groups_of
from volte.server.tables.rows import row_of
from volte.store import OPEN, Listing, MatchRow
from volte.table.stored import read_summary
from volte.web.disclosure import Disclosure
from volte.web.page import form_page
from volte.web.room import Room, room_of
from volte.web.visit import Visit

REMEMBERED: Final = 86_400.0
"""Seconds for which the first page names the people of one's last match at a meeting table."""

MOST_MATCHES: Final = 10
"""The person's matches on the first page, the latest first; another page has them all."""


class LobbyMatch(msgspec.Struct, frozen=True):
    """A match of the person's own, in words."""

    id: str
    table: str
    where: str
    date: str
    over: bool


async def first_page(
    visit: Visit, form: FilledForm | None = None, problem: NotTaken | None = None
) -> Response:
    """The first page, with the form of "Play now" and "Play with people"; None for the person's
    last game, or the game that newcomers know, and for what they looked for last.
    """
    room = room_of(visit)
    words = visit.words
    person = visit.person
    mine: dict[str, Listing] = {}  # tables of the person as host, or with their match
    matches: list[MatchRow] = []
    at: dict[str, Listing] = {}
    who = ""
    if person is not None:
        who = person.id
        matches = await room.store.matches_of(who, limit=MOST_MATCHES)
        at = await room.store.listings_at({match.table for match in matches})
        hosted = await room.store.listings(OPEN, host=who)
        played = await room.store.played_by(who)
        mine = {each.table: each for each in (*hosted, *played) if not _has_been_played(each)}
    own = await outlines(room.store, list(mine.values()), who)
    if form is None:
        game = last_played(matches, at)
        wanted = PeopleWanted.of_settings(person.settings if person is not None else {})
        values = wanted._asdict() | (game._asdict() if game is not None else {})
        form = FilledForm.of(beginning_fields(words), values)
    suited = await suited_to(visit)
    return form_page(
        visit,
        "lobby.html",
        form,
        problem,
        **game_choices(words, form["preset"], (STYLED, ADAPTS, *OFFERED)),
        **meeting_choices(words, form["rules"]),
        meeting=wanted_phrase(words, read_wanted(form.texts)),
        suited=level_called(words, suited),
        asking=await room[Friends].asking(who) if who else (),
        companions=await _just_met(room, who, matches, at),
        mine=[row_of(words, each, own=True) for each in own],
        groups=groups_of(words, await room[OpenTables].read(), mine, who),
        matches=await _played(room, words, matches, at),
    )


def _has_been_played(listing: Listing) -> bool:
    """Whether a table was for one deal by a link, which is over: nothing more comes there."""
    return listing.state == "waiting" and bool(read_summary(listing).board)


def beginning_fields(words: Words) -> dict[str, Field]:
    """The fields of "Play now" and of "Play with people", which are one form."""
    return game_fields(words) | MEETING


async def suited_to(visit: Visit) -> str:
    """The level of bots that suits the person, by their matches."""
    person = visit.person
    results = (
        await room_of(visit).store[Results].all_of(person.id, RECENT) if person is not None else ()
    )
    return suited_level(results)


async def _just_met(
    room: Room, person: str, matches: Sequence[MatchRow], listings: Mapping[str, Listing]
) -> tuple[Tablemate, ...]:
    """The people of somebody's last match, if it was at a meeting table and is not long ago."""
    last = matches[0] if matches else None
    listing = listings.get(last.table) if last is not None else None
    if last is None or listing is None or time.time() - last.begun > REMEMBERED:
        return ()
    meeting = read_summary(listing).meeting
    return await room[Matchmaker].companions(person) if meeting else ()


async def _played(
    room: Room, words: Words, matches: Sequence[MatchRow], listings: Mapping[str, Listing]
) -> list[LobbyMatch]:
    waiting = await room[Disclosure].withheld(matches)
    rows = []
    for match in matches:
        listing = listings.get(match.table)
        open_still = listing is not None and listing.state != "closed"
        rows.append(
            LobbyMatch(
                match.id,
                match.table if open_still else "",
                listing.name if listing is not None else "",
                day_and_time(words, match.begun),
                match.id not in waiting,
            )
        )
    return rows


RECENT: Final = 50
"""The most matches from which a suitable level is found."""


def last_played(matches: Iterable[MatchRow], listings: Mapping[str, Listing]) -> Game | None:
    """The game of somebody's latest match that was played by a preset; None if there is none.

    Args:
        matches: the latest first.
        listings: the listings of their tables, by id.
    """
    for match in matches:
        listing = listings.get(match.table)
        if listing is None:
            continue
        summary = read_summary(listing)
        players = len(summary.seats)
        found = PRESETS.get(summary.preset)
        if found is None or players not in found.players or set(summary.changes) - {"players"}:
            continue
        levels = [seat.level for seat in summary.seats if seat.level]
        usual = next((level for level in levels if level in OFFERED), STYLED)
        adapted = any(levels == [*company_of(each, len(levels))] for each in ADAPTING)
        return Game(found.name, players, ADAPTS if adapted and levels else usual)
    return None
