"""The JSON addresses for programs other than browsers: identities and tables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec
from msgspec.structs import replace
from starlette.responses import Response
from starlette.routing import BaseRoute

from volte.cards import VolteError
from volte.evenings.disclosure import Outline, outlines
from volte.forms.fields import Choice, FilledForm, Wrong
from volte.forms.game import usual_game
from volte.forms.meeting import MEETING, PeopleWanted, wanted_of
from volte.friends.service import Friends
from volte.meeting.matchmaker import Matchmaker
from volte.people.passwords import signed_in
from volte.people.sessions import begin, give_cookies, new_guest
from volte.say.rulesheet.options import typed_value
from volte.server.tables.entrance import (
    accept_invitation,
    enter_with_password,
    find,
    invitation_of,
    is_invited,
    open_table,
)
from volte.server.tables.meeting import kept_apart, people_sought
from volte.server.tables.open_tables import OpenTables, groups_of
from volte.server.tables.rows import LobbyRow, row_of
from volte.store import Listing, Person
from volte.table import Access, Setup
from volte.talk.company import Avoided
from volte.talk.store import TalkStore
from volte.web.page import as_json
from volte.web.programs import json_body
from volte.web.refused import Refused
from volte.web.room import room_of
from volte.web.visit import Visit, route
from volte.wire.api import (
    DoneLine,
    Entering,
    FriendAnswer,
    Guest,
    Identity,
    Invitation,
    KeepApart,
    ListedTable,
    ListedTables,
    ListedWay,
    Meet,
    Met,
    NewTable,
    PeopleMet,
    PersonMet,
    SigningIn,
    WaitingTable,
)
from volte.wire.reading import FieldFault


def routes() -> list[BaseRoute]:
    return [
        route("/api/me", me),
        route("/api/guest", guest, methods=["POST"]),
        route("/api/signin", sign_in, methods=["POST"]),
        route("/api/tables", tables, methods=["GET"]),
        route("/api/tables", open_one, methods=["POST"]),
        route("/api/meet", wanted, methods=["GET"]),
        route("/api/meet", meet, methods=["POST"]),
        route("/api/companions", companions, methods=["GET"]),
        route("/api/companions", keep_apart, methods=["POST"]),
        route("/api/friends/invited/{by}", answer_friend, methods=["POST"]),
        route("/api/tables/{table}", table),
        route("/api/tables/{table}/enter", enter, methods=["POST"]),
        route("/api/tables/{table}/invited", invited, methods=["POST"]),
    ]


async def me(visit: Visit) -> Response:
    return as_json(_me(visit.known()))


async def guest(visit: Visit) -> Response:
    body = await json_body(visit, Guest)
    person = await new_guest(visit, body.name, body.lang)
    response = as_json(_me(person))
    await begin(visit, person, response)
    return response


async def sign_in(visit: Visit) -> Response:
    body = await json_body(visit, SigningIn)
    person, cookies = await signed_in(visit, body.login, body.password)
    response = as_json(_me(person))
    give_cookies(visit, response, cookies)
    return response


async def tables(visit: Visit) -> Response:
    """Answer with the open tables in the order of the first page, after the person's own, and with
    the match that waits for them."""
    store, words = room_of(visit).store, visit.words
    found = await room_of(visit)[OpenTables].read()
    seen = await _outlines(visit, [each.outline.listing for each in found])
    known = {each.listing.table: each for each in seen}
    open_now = [each._replace(outline=known[each.outline.listing.table]) for each in found]
    own = await _own(visit, seen)
    rows = [
        row_of(words, each.outline, own=True, languages=each.languages)
        for each in open_now
        if each.outline.listing.table in own
    ]
    for _, _, group in groups_of(words, open_now, own, visit.who):
        rows += group
    hosts = await store[TalkStore].names({each.listing.host for each in seen})
    waits = visit.visitor.waits
    return as_json(
        ListedTables(
            tuple(_table(known[row.id], row, hosts) for row in rows),
            WaitingTable(waits.path.rpartition("/")[2], waits.table) if waits is not None else None,
        )
    )


async def open_one(visit: Visit) -> Response:
    body = await json_body(visit, NewTable)
    most = body.setup.rules.players - 1
    if len(body.levels) > most:
        raise FieldFault("too_many_levels", field="levels", given=len(body.levels), most=most)
    if body.password and body.setup.access is not Access.PASSWORD:
        raise FieldFault("password_unasked", field="password")
    try:
        table = await open_table(visit, body.setup, body.levels, body.password)
    except VolteError as fault:
        place = f"setup.{fault.field}" if fault.field in Setup.__struct_fields__ else ""
        raise fault.at("levels" if fault.field == "level" else place) from None
    return as_json({"table": table}, 201)


async def meet(visit: Visit) -> Response:
    body = await json_body(visit, Meet)
    try:
        wanted = wanted_of(FilledForm.of(MEETING, msgspec.structs.asdict(body)))
    except Wrong as wrong:
        choice = MEETING[wrong.field]
        values = filter(None, choice.values) if isinstance(choice, Choice) else ()
        raise FieldFault("field_one_of", field=wrong.field, values=tuple(values)) from None
    return as_json(await people_sought(visit, wanted, wanted.game(usual_game(visit.words))))


async def wanted(visit: Visit) -> Response:
    """Answer with the people and the game that the person looked for last."""
    return as_json(Meet(*PeopleWanted.of_settings(visit.known().settings)))


async def companions(visit: Visit) -> Response:
    """Answer with the people of the person's last meeting table."""
    found = await room_of(visit)[Matchmaker].companions(visit.someone().id)
    return as_json(PeopleMet(tuple(PersonMet(each.id, each.name, each.avoided) for each in found)))


async def keep_apart(visit: Visit) -> Response:
    """Keep the person apart from somebody from now on, or no longer."""
    body = await json_body(visit, KeepApart)
    return as_json(DoneLine(visit.words.t(await kept_apart(visit, body.person, body.apart))))


async def answer_friend(visit: Visit) -> Response:
    """Answer a friend's invitation; a yes admits the person to the table."""
    body, who = await json_body(visit, FriendAnswer), visit.someone()
    table = await room_of(visit)[Friends].answer(who.id, visit.path_params["by"], body.yes)
    return as_json(Met(table))


async def table(visit: Visit) -> Response:
    """Answer with one table, even one that is not listed, for anybody with its address."""
    room, who = room_of(visit), visit.someone()
    live = await find(visit, visit.path_params["table"])
    listing = await room.store.listing(live.id)
    if listing is None:
        raise Refused(404, "no_table")
    (outline,) = await _outlines(visit, [listing])
    invited = await is_invited(room, live, who.id)
    own = bool(await _own(visit, [outline]))
    languages = await room[OpenTables].languages([listing])
    row = row_of(visit.words, outline, own, invited, languages[live.id])
    hosts = await room.store[TalkStore].names({listing.host})
    invitation = await invitation_of(live) if live.state.host == who.id else ""
    return as_json(replace(_table(outline, row, hosts, invited), invitation=invitation))


async def enter(visit: Visit) -> Response:
    body = await json_body(visit, Entering)
    await enter_with_password(visit, visit.path_params["table"], body.password)
    return Response(status_code=204)


async def invited(visit: Visit) -> Response:
    body = await json_body(visit, Invitation)
    await accept_invitation(visit, visit.path_params["table"], body.invitation)
    return Response(status_code=204)


def _me(person: Person) -> Identity:
    return Identity(person.id, person.name, person.lang)


async def _outlines(visit: Visit, listings: Sequence[Listing]) -> list[Outline]:
    """The tables as the person may know them."""
    store = room_of(visit).store
    return await outlines(store, listings, visit.who, await store[Avoided].apart_from(visit.who))


async def _own(visit: Visit, seen: Sequence[Outline]) -> set[str]:
    """Ids of the tables of which the person is the host, or where they play."""
    if not visit.who:
        return set()
    played = {each.table for each in await room_of(visit).store.played_by(visit.who)}
    listings = [each.listing for each in seen]
    return {each.table for each in listings if each.host == visit.who or each.table in played}


def _table(
    outline: Outline, row: LobbyRow, hosts: Mapping[str, str], invited: bool = False
) -> ListedTable:
    """A table for programs; if its host has left, `host` is the name of a person seated there.

    Args:
        hosts: names of hosts, by id.
        invited: whether the host has invited the person.
    """
    listing, summary = outline.listing, outline.summary
    ways = tuple(ListedWay(way.kind, way.name) for way in row.ways)
    plain = ListedTable(listing.table, listing.name, listing.access, outline.needs_password)
    if summary is None:
        return replace(plain, ways=ways)
    people = [seat.name for seat in summary.seats if seat.person]
    changes = (f"{name}={typed_value(value)}" for name, value in summary.changes.items())
    return replace(
        plain,
        host=hosts.get(listing.host, "") or (people[0] if people else ""),
        state=listing.state,
        rules=" ".join([summary.preset, *changes]),
        told=row.rules,
        pace=row.pace,
        players=row.players if row.ways else "",  # so that one that looks full is as a full one
        going="" if row.waits else row.state,
        languages=tuple(lang for lang, _ in row.languages),
        planned=row.planned,
        ways=ways,
        seats=len(summary.seats),
        free=outline.seats(invited),
    )
