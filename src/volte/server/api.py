"""The JSON addresses for programs other than browsers: identities and tables."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
from msgspec.structs import replace
from starlette.responses import Response
from starlette.routing import BaseRoute

from volte.cards import VolteError
from volte.evenings.disclosure import Outline, outlines
from volte.forms.fields import Choice, FilledForm, Wrong
from volte.forms.game import usual_game
from volte.forms.meeting import MEETING, wanted_of
from volte.people.passwords import signed_in
from volte.people.sessions import begin, give_cookies, new_guest
from volte.say import Words
from volte.say.rulesheet.options import typed_value
from volte.server.tables.entrance import (
    accept_invitation,
    enter_with_password,
    find,
    invitation_of,
    is_invited,
    open_table,
)
from volte.server.tables.meeting import people_sought
from volte.server.tables.rows import rules_told
from volte.store import Listing, Person
from volte.table import Access, Setup
from volte.talk.company import Avoided
from volte.talk.store import TalkStore
from volte.web.page import as_json
from volte.web.programs import sent
from volte.web.refused import Refused
from volte.web.room import room_of
from volte.web.visit import Visit, route
from volte.wire.api import (
    Entering,
    Guest,
    Identity,
    Invitation,
    ListedTable,
    Meet,
    NewTable,
    SigningIn,
)
from volte.wire.reading import FieldFault


def routes() -> list[BaseRoute]:
    return [
        route("/api/me", me),
        route("/api/guest", guest, methods=["POST"]),
        route("/api/signin", sign_in, methods=["POST"]),
        route("/api/tables", tables, methods=["GET"]),
        route("/api/tables", open_one, methods=["POST"]),
        route("/api/meet", meet, methods=["POST"]),
        route("/api/tables/{table}", table),
        route("/api/tables/{table}/enter", enter, methods=["POST"]),
        route("/api/tables/{table}/invited", invited, methods=["POST"]),
    ]


async def me(visit: Visit) -> Response:
    return as_json(_me(visit.known()))


async def guest(visit: Visit) -> Response:
    body = await sent(visit, Guest)
    person = await new_guest(visit, body.name, body.lang)
    response = as_json(_me(person))
    await begin(visit, person, response)
    return response


async def sign_in(visit: Visit) -> Response:
    body = await sent(visit, SigningIn)
    person, cookies = await signed_in(visit, body.login, body.password)
    response = as_json(_me(person))
    give_cookies(visit, response, cookies)
    return response


async def tables(visit: Visit) -> Response:
    found = await _outlines(visit, await room_of(visit).lobby.listed())
    found = [each for each in found if not each.full or each.ways()]
    return as_json({"tables": await _tables(visit, found)})


async def open_one(visit: Visit) -> Response:
    body = await sent(visit, NewTable)
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
    body = await sent(visit, Meet)
    try:
        wanted = wanted_of(FilledForm.of(MEETING, msgspec.structs.asdict(body)))
    except Wrong as wrong:
        choice = MEETING[wrong.field]
        values = filter(None, choice.values) if isinstance(choice, Choice) else ()
        raise FieldFault("field_one_of", field=wrong.field, values=tuple(values)) from None
    return as_json(await people_sought(visit, wanted, wanted.game(usual_game(visit.words))))


async def table(visit: Visit) -> Response:
    """Answer with one table, even one that is not listed, for anybody with its address."""
    room, who = room_of(visit), visit.someone()
    live = await find(visit, visit.path_params["table"])
    listing = await room.store.listing(live.id)
    if listing is None:
        raise Refused(404, "no_table")
    found = await _outlines(visit, [listing])
    (shown,) = await _tables(visit, found, await is_invited(room, live, who.id))
    invitation = await invitation_of(live) if live.state.host == who.id else ""
    return as_json(replace(shown, invitation=invitation))


async def enter(visit: Visit) -> Response:
    body = await sent(visit, Entering)
    await enter_with_password(visit, visit.path_params["table"], body.password)
    return Response(status_code=204)


async def invited(visit: Visit) -> Response:
    body = await sent(visit, Invitation)
    await accept_invitation(visit, visit.path_params["table"], body.invitation)
    return Response(status_code=204)


def _me(person: Person) -> Identity:
    return Identity(person.id, person.name, person.lang)


async def _outlines(visit: Visit, listings: Sequence[Listing]) -> list[Outline]:
    """The tables as the person may know them."""
    store = room_of(visit).store
    return await outlines(store, listings, visit.who, await store[Avoided].apart_from(visit.who))


async def _tables(
    visit: Visit, found: Sequence[Outline], invited: bool = False
) -> list[ListedTable]:
    """The tables for programs. `invited`: whether their hosts have invited the person."""
    hosts = await room_of(visit).store[TalkStore].names({each.listing.host for each in found})
    return [_table(visit.words, each, hosts.get(each.listing.host, ""), invited) for each in found]


def _table(words: Words, outline: Outline, host: str, invited: bool) -> ListedTable:
    """A table for programs; if its host has left, `host` is the name of a person seated there."""
    listing, summary = outline.listing, outline.summary
    plain = ListedTable(listing.table, listing.name, listing.access, outline.needs_password)
    if summary is None:
        return plain
    people = [seat.name for seat in summary.seats if seat.person]
    changes = (f"{name}={typed_value(value)}" for name, value in summary.changes.items())
    return replace(
        plain,
        host=host or (people[0] if people else ""),
        state=listing.state,
        rules=" ".join([summary.preset, *changes]),
        told=rules_told(words, summary),
        seats=len(summary.seats),
        free=outline.seats(invited),
    )
