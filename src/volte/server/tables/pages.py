"""The pages of a table: where it is set up, entered and played."""

from __future__ import annotations

from typing import Any, Final

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from volte.people.settings_page import settings_of
from volte.rules import DEFAULT, PRESETS
from volte.say import N_, Words
from volte.say.rulesheet.options import LEVEL_NAMES
from volte.say.rulesheet.sheet import rule_sheet
from volte.say.talk import PHRASES, REASONS
from volte.server.run.leading import own_path
from volte.server.tables.arriving import BEGIN, SIT
from volte.server.tables.entrance import (
    accept_invitation,
    enter_with_password,
    entrance,
    invitation_of,
    open_table,
)
from volte.table import Access
from volte.table.commands import Change
from volte.table.live import LiveTable
from volte.table.setup import LEVELS, LONGEST_GRACE
from volte.talk.service import LONGEST_SAYING
from volte.talk.session import LONGEST_NOTE
from volte.web.addresses import shared
from volte.web.controls import FIRST_FIELDS, form_context
from volte.web.forms import TableForm, Wrong
from volte.web.page import here, page
from volte.web.pictures import picture_of
from volte.web.refused import Refused
from volte.web.security import hash_password
from volte.web.visit import NameWanted, read_form, room_of, see_other, someone


def routes() -> list[BaseRoute]:
    return [
        Route("/tables", create, methods=["POST"]),
        Route("/tables", to_the_lobby, methods=["GET"]),
        Route("/tables/new", new),
        Route("/tables/preview", preview, methods=["POST"]),
        Route("/tables/{table}", table),
        Route("/tables/{table}/invited/{invitation}", invited),
        Route("/tables/{table}/enter", to_the_table, methods=["GET"]),
        Route("/tables/{table}/enter", enter, methods=["POST"]),
        Route("/tables/{table}/setup", show_setup, methods=["GET"]),
        Route("/tables/{table}/setup", change, methods=["POST"]),
        Route("/tables/{table}/rules", rules_of_table),
        Route("/tables/{table}/qr.svg", qr),
        Route("/tables/{table}/talk", talk_panel),
        Route("/tables/{table}/record", last_match),
        Route("/tables/{table}/replay", last_match),
        Route("/tables/{table}/proof", last_match),
    ]


async def new(request: Request) -> Response:
    """The form for a new table; `preset` in the address names the rules to begin with."""
    if request.state.person is None:
        raise NameWanted(here(request))
    wanted = request.query_params.get("preset", DEFAULT)
    chosen = wanted if wanted in PRESETS else DEFAULT
    return _form_page(request, TableForm.new(_words(request), request.state.person.name, chosen))


async def create(request: Request) -> Response:
    """Does what the form asks for: fills in other rules, shows the rules, or opens the table."""
    someone(request)
    words = _words(request)
    sent = await read_form(request)
    form = TableForm.typed(sent)
    try:
        if sent.get("do") == "preset":
            return _form_page(request, form.with_preset(words))
        form = form.caught_up(words)
        setup = form.setup(words)
        levels = form.asked(setup.rules.players)
    except Wrong as wrong:
        return _form_page(request, form, wrong, 422)
    if sent.get("do") != "open":
        return _form_page(request, form)
    live = await open_table(request, setup, levels, form.password)
    return see_other(f"{own_path(request)}/tables/{live.id}")


async def preview(request: Request) -> Response:
    """The rules of the form as it stands, for the script that shows them beside it."""
    form = TableForm.typed(await read_form(request))
    return page(request, "sheet.html", **_sheet(_words(request), form))


async def show_setup(request: Request) -> Response:
    """The form of an open table, for its host."""
    live = await _hosted(request)
    setup = live.state.setup
    form = TableForm.of(_words(request), setup, password_kept=setup.access is Access.PASSWORD)
    return _form_page(request, form, live=live)


async def change(request: Request) -> Response:
    """Changes a table by that form."""
    live = await _hosted(request)
    words = _words(request)
    sent = await read_form(request)
    protected = live.state.setup.access is Access.PASSWORD
    form = TableForm.typed(sent, password_kept=protected)
    try:
        if sent.get("do") == "preset":
            return _form_page(request, form.with_preset(words), live=live)
        form = form.caught_up(words)
        setup = form.setup(words)
    except Wrong as wrong:
        return _form_page(request, form, wrong, 422, live)
    if sent.get("do") != "open":
        return _form_page(request, form, live=live)
    locked = await hash_password(request, form.password) if form.password else ""
    reply = await live.do(someone(request), Change(setup), live.state.version)
    if reply.refusal is not None:
        place = "players" if reply.refusal.reason == "seats_taken" else "table-form"
        refused = {place: words.refusal(reply.refusal)}
        return _form_page(request, form, None, 409, live, refused)
    if locked:
        await live.lock(locked)
        for seat in live.state.seats:  # those who have a seat need not enter the new password
            if seat.person:
                await room_of(request).store.admit(live.id, seat.person)
    return see_other(f"{own_path(request)}/tables/{live.id}")


async def _hosted(request: Request) -> LiveTable:
    """The table, for its host alone. Raises `Refused`."""
    live = await entrance(request, request.path_params["table"])
    if live.state.host != someone(request).id:
        raise Refused(403, "forbidden")
    return live


def _form_page(
    request: Request,
    form: TableForm,
    wrong: Wrong | None = None,
    status: int = 200,
    live: LiveTable | None = None,
    refused: dict[str, str] | None = None,
) -> Response:
    words = _words(request)
    errors = {wrong.field: wrong.told(words)} if wrong is not None else (refused or {})
    return page(
        request,
        "new.html",
        status,
        wrong=errors,
        more=bool(set(errors) - FIRST_FIELDS),
        table=live.id if live is not None else "",
        grace_help=words.t(
            "Only then does a bot play there, until the player is back. From 0, for at once, to"
            " {most}; left empty it is {usual}, as usual in this playroom.",
            most=LONGEST_GRACE,
            usual=round(room_of(request).settings.grace),
        ),
        **form_context(words, form),
        **_sheet(words, form),
    )


def _sheet(words: Words, form: TableForm) -> dict[str, Any]:
    """The rules of a form, or the sentence that says what is wrong with them."""
    try:
        rules = form.caught_up(words).rules(words)
        rated = bool(form.fields["rated"])
        return {"sections": rule_sheet(rules, words), "sheet_fault": "", "rated": rated}
    except Wrong as wrong:
        return {"sections": (), "sheet_fault": wrong.told(words)}


async def table(request: Request) -> Response:
    """The table itself; before it, the page for a name or a password."""
    if request.state.person is None:
        raise NameWanted(here(request))
    key = request.path_params["table"]
    try:
        live = await entrance(request, key)
    except Refused as refused:
        if refused.reason != "needs_password":
            raise
        return page(request, "enter.html", table=key, sit=SIT in request.query_params)
    words = _words(request)
    who = someone(request)
    own = own_path(request)
    return page(
        request,
        "table.html",
        table=live.id,
        live_at=f"{own}/live/{live.id}" if own else "",
        setup=live.state.setup,
        here=request.url.path,
        begin=BEGIN in request.query_params and live.state.host == who.id,
        version=live.state.version,
        sit=SIT in request.query_params and live.state.seat_of(who.id) is None,
        levels=[(level, words.t(LEVEL_NAMES[level])) for level in LEVELS],
        sections=rule_sheet(live.state.setup.rules, words),
        sheet_fault="",
        rated=live.state.setup.rated,
        private=live.state.setup.access is Access.PRIVATE,
        hosts=live.state.host == who.id,
        address=await _address(request, live),
        chosen=settings_of(request.state.person),
    )


async def invited(request: Request) -> Response:
    """Follows the host's link: from then on the seats of bots are open to the person."""
    if request.state.person is None:
        raise NameWanted(here(request))
    key = request.path_params["table"]
    await accept_invitation(request, key, request.path_params["invitation"])
    own = f"{own_path(request)}/tables/{key}"
    return see_other(f"{own}?{SIT}" if SIT in request.query_params else own)


async def enter(request: Request) -> Response:
    """Takes the password of a table."""
    key = request.path_params["table"]
    sent = await read_form(request)
    try:
        await enter_with_password(request, key, str(sent.get("password", "")))
    except Refused as refused:
        if refused.reason != "wrong_password":
            raise
        wrong = {"password": _words(request).why(refused.reason)}
        sit = SIT in sent
        return page(request, "enter.html", 403, table=key, wrong=wrong, sit=sit)
    return see_other(f"/tables/{key}?{SIT}" if SIT in sent else f"/tables/{key}")


async def to_the_lobby(_: Request) -> Response:
    return see_other("/")


async def to_the_table(request: Request) -> Response:
    """For people who reload the answer to a form."""
    return see_other(f"/tables/{request.path_params['table']}")


async def rules_of_table(request: Request) -> Response:
    """The rules as they are now, for the script, after the host has changed them."""
    live = await entrance(request, request.path_params["table"])
    setup = live.state.setup
    sections = rule_sheet(setup.rules, _words(request))
    return page(request, "sheet.html", sections=sections, sheet_fault="", rated=setup.rated)


async def qr(request: Request) -> Response:
    """The address of the table as a picture."""
    live = await entrance(request, request.path_params["table"])
    return picture_of(await _address(request, live))


async def _address(request: Request, live: LiveTable) -> str:
    """The address to give to others: that of a public table's host is an invitation."""
    address = f"{shared(request)}/tables/{live.id}"
    hosts = live.state.host == someone(request).id
    invitation = await invitation_of(live) if hosts else ""
    return f"{address}/invited/{invitation}" if invitation else address


def _words(request: Request) -> Words:
    words: Words = request.state.words
    return words


async def last_match(request: Request) -> Response:
    """`/tables/{table}/record`, `replay`, `proof`: of the last match that is over."""
    live = await entrance(request, request.path_params["table"])
    over = [row for row in await room_of(request).store.matches_at(live.id) if row.last]
    if not over:
        raise Refused(404, "no_match")
    wanted = request.url.path.rpartition("/")[2]
    return see_other(f"/matches/{max(over, key=lambda row: row.first).id}/{wanted}")


TALK_SCRIPT: Final = {
    "talk_about": N_("About what {name} said"),
    "talk_mute": N_("Do not read {name} any more"),
    "talk_report": N_("Report {name}"),
    "talk_report_title": N_("Report {name}"),
    "talk_report_about": N_(
        "Moderators read what was said before and after. They decide; {name} does not learn who has"
        " reported."
    ),
    "talk_watchers_mark": N_("(watchers)"),
    "talk_you": N_("You"),
}
"""What the script of the panel says; it fills in the name."""


async def talk_panel(request: Request) -> Response:
    """The panel for talking, which the script of the table shows."""
    live = await entrance(request, request.path_params["table"])
    words: Words = request.state.words
    return page(
        request,
        "talk_panel.html",
        phrases=[(name, words.t(line)) for name, line in PHRASES.items()],
        reasons=[(name, words.t(line)) for name, line in REASONS.items()],
        talk=live.state.setup.talk.value,
        longest_saying=LONGEST_SAYING,
        longest_note=LONGEST_NOTE,
        client={key: words.t(text, name="{name}") for key, text in TALK_SCRIPT.items()},
    )
