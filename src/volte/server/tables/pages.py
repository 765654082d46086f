"""The pages of a table: for setting it up, entering it and playing there."""

from __future__ import annotations

from time import time
from typing import Final

from starlette.responses import Response
from starlette.routing import BaseRoute

from volte.cards import VolteError
from volte.forms.fields import Field, FilledForm, NotTaken, Wrong, declared
from volte.forms.game import Game, newcomers_preset
from volte.forms.settings import settings_of
from volte.forms.when import usual_zone
from volte.friends.service import Friends
from volte.history.match_page import last_over
from volte.people.sessions import begin, new_guest
from volte.rules import PRESETS
from volte.say.levels import asked_words
from volte.say.rulesheet.sheet import rule_sheet
from volte.server.run.leading import own_path
from volte.server.tables.arriving import BEGIN, SIT, WATCH
from volte.server.tables.entrance import (
    accept_invitation,
    enter_with_password,
    entrance,
    invitation_of,
    open_table,
)
from volte.server.tables.full import UNSEEN, full_page, is_full
from volte.server.tables.lobby import MOST_MATCHES, last_played
from volte.server.tables.planned import check_plan, planning
from volte.table import Access, Setup
from volte.table.admission import engines_may_sit
from volte.table.commands import Change
from volte.table.live import LiveTable
from volte.table.setup import LONGEST_GRACE
from volte.table.stored import CommandReply
from volte.talk.company import Avoided, people_at
from volte.talk.panel import panel_page
from volte.talk.store import TalkStore
from volte.web.addresses import shared
from volte.web.controls import FIRST_FIELDS, meanings, rules_context, table_form_context
from volte.web.page import as_json, form_page, page
from volte.web.pictures import picture_of
from volte.web.refused import Refused
from volte.web.room import room_of
from volte.web.table_form import TableForm, new_setup, table_fields, table_values
from volte.web.visit import Visit, route, see_other

ENTERING: Final = declared(Field("password", secret=True))


def routes() -> list[BaseRoute]:
    return [
        route("/tables", create, methods=["POST"]),
        route("/tables", to_the_form, methods=["GET"]),
        route("/tables/new", new),
        route("/tables/preview", preview, methods=["POST"]),
        route("/tables/{table}", table, named=True),
        route("/tables/{table}/invited/{invitation}", invited, named=True),
        route("/tables/{table}/enter", to_the_table, methods=["GET"]),
        route("/tables/{table}/enter", enter, methods=["POST"]),
        route("/tables/{table}/setup", show_setup, methods=["GET"]),
        route("/tables/{table}/setup", change, methods=["POST"]),
        route("/tables/{table}/rules", rules_of_table),
        route("/tables/{table}/qr.svg", qr),
        route("/tables/{table}/talk", talk_panel),
        route("/tables/{table}/people", people),
        route("/tables/{table}/record", last_match),
        route("/tables/{table}/replay", last_match),
        route("/tables/{table}/review", last_match),
        route("/tables/{table}/proof", last_match),
    ]


async def new(visit: Visit) -> Response:
    """Show the form for a new table; `preset` in the address names the rules to begin with.

    Else they are those that the person has played last, or those that newcomers know.
    """
    person, words = visit.person, visit.words
    preset, players = visit.query_params.get("preset", ""), None
    if preset not in PRESETS:
        last = await last_game(visit)
        preset, players = last[:2] if last is not None else (newcomers_preset(words), None)
    setup = new_setup(words, person.name if person is not None else "", preset, players)
    return _form_page(visit, _form_of(visit, setup))


async def create(visit: Visit) -> Response:
    """Do as the form asks: fill in other rules, show the rules, or open the table.

    Somebody without a session becomes a guest when the table opens.
    """
    sent = await visit.fields()
    form = TableForm.typed(table_fields(visit.words), sent).spelled_out()
    newcomer = visit.person is None
    try:
        if sent.get("do") == "preset":
            return _form_page(visit, form.with_preset())
        form = form.caught_up()
        named = form.of_guest(visit.words) if newcomer else form
        setup = named.setup(time())
        levels = form.asked(setup.rules.players, room_of(visit).lobby.thinking.engines)
        if not newcomer:  # who has planned none yet
            await _check_plan(visit, setup)
    except Wrong as wrong:
        return _form_page(visit, form, wrong)
    if sent.get("do") != "open":
        return _form_page(visit, form)
    if newcomer:
        name = form["guest"].strip() or visit.words.t("Guest")
        visit.visitor.person = await new_guest(visit, name, str(sent.get("lang", "")))
    table = await open_table(visit, setup, levels, form.password, visit.key_of(sent))
    begins = f"?{BEGIN}" if form["who"] == "bots" else ""
    response = see_other(f"{own_path(visit)}/tables/{table}{begins}")
    if newcomer:
        await begin(visit, visit.known(), response)
    return response


async def preview(visit: Visit) -> Response:
    """Answer with the rules that the form describes, for the script that shows them beside it."""
    sent = await visit.fields()
    words = visit.words
    form = TableForm.typed(table_fields(words), sent)
    return page(visit, "sheet.html", **rules_context(words, form, "real_cards" in sent))


async def show_setup(visit: Visit) -> Response:
    """Show the form of an open table, to its host."""
    live = await _hosted(visit)
    return _form_page(visit, _form_of(visit, live.state.setup), live=live)


async def change(visit: Visit) -> Response:
    """Change a table as its form says."""
    live = await _hosted(visit)
    sent = await visit.fields()
    typed = TableForm.typed(table_fields(visit.words), sent).at(live.state.setup)
    form = typed.spelled_out()
    try:
        if sent.get("do") == "preset":
            return _form_page(visit, form.with_preset(), live=live)
        form = form.caught_up()
        if sent.get("do") != "open":
            return _form_page(visit, form, live=live)
        reply = await _changed(visit, live, form)
    except NotTaken as problem:
        return _form_page(visit, form, problem, live=live)
    if reply.refusal is not None:
        place = "players" if reply.refusal.reason == "seats_taken" else "table-form"
        return _form_page(visit, form, Wrong(place, reply.refusal), live)
    return see_other(f"{own_path(visit)}/tables/{live.id}")


async def _changed(visit: Visit, live: LiveTable, form: TableForm) -> CommandReply:
    """Set a table up as the form says; try again if others were first. Raises `NotTaken`."""
    locked = ""
    while True:
        state = live.state
        zone = form.shown.get("zone", form["zone"])
        changed = form.upon(table_values(state.setup, zone)).at(state.setup)
        setup = changed.setup(time())
        locked = locked or (
            changed.password and await room_of(visit).passwords.hash(changed.password, visit.whose)
        )
        try:
            async with planning(room_of(visit), visit.who, setup, state.setup):
                reply = await live.do(visit.someone(), Change(setup), state.version)
        except VolteError as fault:
            raise Wrong("when", fault) from None
        if reply.refusal is None or reply.refusal.reason != "stale":
            break
    if reply.refusal is None and locked:
        await live.lock(locked)
        for seat in live.state.seats:  # those who have a seat need not enter the new password
            if seat.person:
                await room_of(visit).store.admit(live.id, seat.person)
    return reply


async def _check_plan(visit: Visit, setup: Setup) -> None:
    """Raises `Wrong` if the person may not plan a table like that."""
    try:
        await check_plan(room_of(visit).store, visit.who, setup)
    except VolteError as fault:
        raise Wrong("when", fault) from None


async def last_game(visit: Visit) -> Game | None:
    """The game of a preset that the person has played last; None for somebody new."""
    if visit.person is None:
        return None
    store = room_of(visit).store
    matches = await store.matches_of(visit.person.id, limit=MOST_MATCHES)
    return last_played(matches, await store.listings_at({match.table for match in matches}))


def _form_of(visit: Visit, setup: Setup) -> TableForm:
    words = visit.words
    values = table_values(setup, words.zone or usual_zone(words))
    return TableForm.of(table_fields(words), values).at(setup)


async def _hosted(visit: Visit) -> LiveTable:
    """Find the table of the address, for its host only. Raises `Refused`."""
    live = await entrance(visit, visit.path_params["table"])
    if live.state.host != visit.someone().id:
        raise Refused(403, "forbidden")
    return live


def _form_page(
    visit: Visit,
    form: TableForm,
    problem: NotTaken | None = None,
    live: LiveTable | None = None,
) -> Response:
    words = visit.words
    form = form.again(problem)
    return form_page(
        visit,
        "new.html",
        form,
        problem,
        meanings(words, form),
        first=FIRST_FIELDS,
        table=live.id if live is not None else "",
        grace_help=words.t(
            "After that, a bot plays there until the player is back. From 0 (at once) to "
            "{most}; if left empty, {usual}, the default in this playroom.",
            most=LONGEST_GRACE,
            usual=round(room_of(visit).settings.grace),
        ),
        **table_form_context(words, form, room_of(visit).lobby.thinking.engines),
    )


async def table(visit: Visit) -> Response:
    """Show the table itself; or the page for its password, or the ways on where it is full."""
    key = visit.path_params["table"]
    try:
        live = await entrance(visit, key)
    except Refused as refused:
        if refused.reason == UNSEEN:
            return await full_page(visit, key)
        if at := str(refused.params.get("at", "")):  # its people go on at another table
            return see_other(f"/tables/{at.rpartition('/')[2]}")
        if refused.reason != "needs_password":
            raise
        return _password_page(visit, SIT in visit.query_params)
    words = visit.words
    who = visit.someone()
    if WATCH not in visit.query_params and await is_full(room_of(visit), live, visit.known()):
        return await full_page(visit, key)
    own = own_path(visit)
    engines = room_of(visit).lobby.thinking.engines if engines_may_sit(live.state.setup) else ()
    return page(
        visit,
        "table.html",
        table=live.id,
        live_at=f"{own}/live/{live.id}" if own else "",
        setup=live.state.setup,
        here=visit.url.path,
        begin=BEGIN in visit.query_params and live.state.host == who.id,
        version=live.state.version,
        sit=SIT in visit.query_params and live.state.seat_of(who.id) is None,
        levels=asked_words(words, engines),
        sections=rule_sheet(live.state.setup.rules, words),
        sheet_fault="",
        rated=live.state.setup.rated,
        private=live.state.setup.access is Access.PRIVATE,
        hosts=live.state.host == who.id,
        address=await _address(visit, live),
        chosen=settings_of(visit.known()),
    )


async def invited(visit: Visit) -> Response:
    """Accept the host's link: from then on the seats of bots are open to the person."""
    key = visit.path_params["table"]
    await accept_invitation(visit, key, visit.path_params["invitation"])
    own = f"{own_path(visit)}/tables/{key}"
    return see_other(f"{own}?{SIT}" if SIT in visit.query_params else own)


async def enter(visit: Visit) -> Response:
    """Check the password of a table, and let the person in."""
    key = visit.path_params["table"]
    sent = await visit.fields()
    form = FilledForm.typed(ENTERING, sent)
    try:
        await enter_with_password(visit, key, form["password"])
    except Refused as refused:
        if refused.reason not in ("wrong_password", "too_many"):
            raise
        return _password_page(visit, SIT in sent, form, Wrong("password", refused))
    return see_other(f"/tables/{key}?{SIT}" if SIT in sent else f"/tables/{key}")


def _password_page(
    visit: Visit, sit: bool, form: FilledForm | None = None, wrong: Wrong | None = None
) -> Response:
    form, table = form or FilledForm.of(ENTERING, {}), visit.path_params["table"]
    return form_page(visit, "enter.html", form, wrong, table=table, sit=sit)


async def to_the_form(_: Visit) -> Response:
    return see_other("/tables/new")


async def to_the_table(visit: Visit) -> Response:
    """Redirect a browser that reloads the answer to a form."""
    return see_other(f"/tables/{visit.path_params['table']}")


async def rules_of_table(visit: Visit) -> Response:
    """Answer with the present rules, for the script, after the host has changed them."""
    live = await entrance(visit, visit.path_params["table"])
    setup = live.state.setup
    sections = rule_sheet(setup.rules, visit.words)
    return page(visit, "sheet.html", sections=sections, sheet_fault="", rated=setup.rated)


async def qr(visit: Visit) -> Response:
    """Answer with the address of the table as a QR code."""
    live = await entrance(visit, visit.path_params["table"])
    return await picture_of(visit, await _address(visit, live))


async def _address(visit: Visit, live: LiveTable) -> str:
    """The address to give to others; the host of a public table gets an invitation."""
    address = f"{shared(visit)}/tables/{live.id}"
    hosts = live.state.host == visit.someone().id
    invitation = await invitation_of(live) if hosts else ""
    return f"{address}/invited/{invitation}" if invitation else address


async def last_match(visit: Visit) -> Response:
    live = await entrance(visit, visit.path_params["table"])
    return last_over(visit, await room_of(visit).store.matches_at(live.id))


async def talk_panel(visit: Visit) -> Response:
    """Answer with the panel for talking, which the script of the table shows."""
    live = await entrance(visit, visit.path_params["table"])
    return panel_page(visit, live.state.setup.talk)


async def people(visit: Visit) -> Response:
    """Answer with the other people of the table, for the panel for talking, and with what the
    person has decided about each, or may ask."""
    live, who = await entrance(visit, visit.path_params["table"]), visit.someone()
    store, friends = room_of(visit).store, room_of(visit)[Friends]
    muted, avoided = await store[TalkStore].muted(who.id), await store[Avoided].of(who.id)
    circle = await friends.of(who.id)
    known = {each.id for each in (*circle.friends, *circle.asked)}
    return as_json(
        [
            {
                "person": each,
                "name": name,
                "muted": each in muted,
                "avoided": each in avoided,
                "befriends": each not in known and await friends.may_ask(who.id, each),
            }
            for each, name in people_at(live.state).items()
            if each != who.id
        ]
    )
