"""Pages of the score-keeper: a new sheet, a sheet, and what belongs to it."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from datetime import date, datetime
from typing import Any, Final

from starlette.responses import Response
from starlette.routing import BaseRoute

from volte.forms.fields import FilledForm, Overtaken, Wrong
from volte.rules import DEFAULT, PRESETS, make_ruleset
from volte.say import N_, Words
from volte.say.formats import date_text, zone_of
from volte.say.rulesheet.options import preset_title
from volte.say.rulesheet.sheet import rule_sheet
from volte.scorekeeper import model
from volte.scorekeeper.web import list_page
from volte.scorekeeper.web.entry import CARDS, POINTS, DealForm, entry_context, field_of
from volte.scorekeeper.web.form import (
    BY_LOT,
    HEAD,
    SheetForm,
    head_fields,
    head_values,
    head_wrong,
    sheet_fields,
)
from volte.scorekeeper.web.sheets import Moved, StoredSheet
from volte.scorekeeper.web.shown import (
    PageTelling,
    next_context,
    own_sheet,
    sheet_context,
    sheets_of,
)
from volte.web.addresses import shared
from volte.web.controls import rules_form_context
from volte.web.page import form_page, page
from volte.web.refused import Refused
from volte.web.table_form import SEATS, rule_values
from volte.web.visit import Visit, route, see_other

CURRENCY: Final = "EUR"
LONGEST_SHARE: Final = 16
"""Most characters that a player may add to the chance; each has at most four bytes."""

MOVED: Final = N_(
    "Somebody else has written on this sheet, so your entry was not saved. Look at the sheet"
    " below, then send your entry again if it is still right."
)

FILES: Final[dict[str, tuple[Callable[[model.Sheet], str | bytes], str]]] = {
    "sheet.csv": (model.to_csv, "text/csv; charset=utf-8"),
    "sheet.json": (model.to_json, "application/json"),
    "sheet.volte": (model.to_record, "text/plain; charset=utf-8"),
}
"""File name → (writer, media type)."""


def routes() -> list[BaseRoute]:
    return [
        *list_page.routes(),
        route("/score/new", new, methods=["GET"], named=True),
        route("/score/new", create, methods=["POST"]),
        route("/score/{sheet}", show, named=True),
        route("/score/{sheet}/deal", enter, methods=["POST"]),
        route("/score/{sheet}/lines/{line:number}", show_line, methods=["GET"]),
        route("/score/{sheet}/lines/{line:number}", correct, methods=["POST"]),
        route("/score/{sheet}/head", show_head, methods=["GET"]),
        route("/score/{sheet}/head", amend, methods=["POST"]),
        route("/score/{sheet}/do", do, methods=["POST"]),
        *(route(f"/score/{{sheet}}/{form}", to_the_sheet) for form in ("deal", "do")),
        route("/score/{sheet}/print", printed),
        route("/score/{sheet}/files/{name}", exported),
    ]


# A new sheet


async def new(visit: Visit) -> Response:
    """Show the form for a new sheet, filled in from the visitor's last one."""
    words, who = visit.words, visit.someone()
    today = datetime.now(zone_of(words.zone)).date().isoformat()
    named = visit.room.called(visit.known())
    rules, head = make_ruleset(DEFAULT), {"seat0": named, "currency": CURRENCY}
    before = await sheets_of(visit).listed(who.id)
    with suppress(Refused, IndexError):
        last = await sheets_of(visit).find(before[0].id)
        rules, head = last.sheet.rules, head_values(last.sheet)
    values = rule_values(rules) | head | {"date": today}
    return _form_page(visit, SheetForm.of(sheet_fields(words), values))


async def create(visit: Visit) -> Response:
    """Answer the form for a new sheet: fill in a preset, show the rules, or begin the sheet."""
    who, words = visit.someone(), visit.words
    sent = await visit.fields()
    form, key = SheetForm.typed(sheet_fields(words), sent), visit.key_of(sent)[:16]
    if any(each.id == key for each in await sheets_of(visit).listed(who.id)):
        return see_other(f"/score/{key}")  # the same form has come before
    try:
        if sent.get("do") == "preset":
            return _form_page(visit, form.with_preset())
        form = form.caught_up()
        rules = form.rules()
        if sent.get("do") != "open":
            return _form_page(visit, form)
        acts = form.acts(rules)
        await visit.room.limits.spend("table", who.id)
        stored = await sheets_of(visit).open(who.id, *acts, key=key)
    except Wrong as wrong:
        return _form_page(visit, form, wrong)
    except model.SheetFault as fault:
        return _form_page(visit, form, head_wrong(fault))
    return see_other(f"/score/{stored.id}")


def _form_page(visit: Visit, form: SheetForm, wrong: Wrong | None = None) -> Response:
    words = visit.words
    return form_page(
        visit,
        "score_new.html",
        form,
        wrong,
        first=FIRST_FIELDS,
        most_players=SEATS,
        dealers=_dealers(words, form),
        preset_names=[(name, preset_title(words, name)) for name in PRESETS],
        **rules_form_context(words, form, real_cards=True),
    )


FIRST_FIELDS: Final = frozenset(
    (
        "preset",
        "players",
        "stake",
        "currency",
        "dealer",
        *(f"seat{place}" for place in range(SEATS)),
    )
)
"""Fields of a new sheet above the fold-out part."""


def _dealers(words: Words, form: SheetForm) -> list[tuple[str, str]]:
    named = [
        (str(seat), name.strip() or words.t("Player {number}", number=seat + 1))
        for seat, name in enumerate(form.names)
    ]
    return [(BY_LOT, words.t("Draw lots: the lowest card deals")), *named]


# A sheet


async def show(visit: Visit) -> Response:
    """Show the page of a sheet to its owner."""
    stored = await own_sheet(visit)
    by = visit.query_params.get("by", usual(stored))
    form = DealForm.empty(visit.words, stored.sheet.rules, POINTS if by == POINTS else CARDS)
    return _sheet_page(visit, stored, form, done=_done(visit, stored))


def _done(visit: Visit, stored: StoredSheet) -> str:
    """The sentence on the act just done, as the address names it; empty where it names none."""
    words, query = visit.words, visit.query_params
    telling = PageTelling(words, stored.sheet)
    lines = [str(line) for line in range(1, len(stored.sheet.lines) + 1)]
    if query.get("kept") in lines:
        return words.t("Written down. {line}", line=telling.line(int(query["kept"])))
    if "drawn" in query:
        return next(iter(telling.drawn()), "")
    ways = {
        "undone": N_("The last entry has been undone."),
        "done": N_("Saved."),
        "taken": N_("The sheet has been added to yours."),
    }
    return next((words.t(ways[each]) for each in ways if each in query), "")


def usual(stored: StoredSheet) -> str:
    """`points` or `cards`, as the last deal was entered."""
    lines = [
        line.report
        for line in stored.sheet.lines
        if isinstance(line.report, model.Taken | model.Counted)
    ]
    return POINTS if lines and isinstance(lines[-1], model.Counted) else CARDS


def _problem(
    stored: StoredSheet, error: Wrong | model.SheetFault | Moved, place: str
) -> tuple[StoredSheet, Wrong]:
    """The sheet to show, and the reason why a form is not done, but comes back.

    Args:
        place: field for the notice that somebody else has changed the sheet meanwhile.
    """
    match error:
        case model.SheetFault():
            return stored, Wrong(field_of(error), error)
        case Moved():
            return error.stored, Overtaken(place, MOVED)
    return stored, error


def _sheet_page(
    visit: Visit,
    stored: StoredSheet,
    form: DealForm,
    wrong: Wrong | None = None,
    done: str = "",
) -> Response:
    words = visit.words
    return form_page(
        visit,
        "score_sheet.html",
        form,
        wrong,
        done=done,
        address=address_of(visit, stored) if stored.key else "",
        owned=True,
        sections=rule_sheet(stored.sheet.rules, words, real_cards=True),
        sheet_fault="",
        **sheet_context(words, stored),
        **next_context(words, stored),
        **entry_context(words, stored.sheet, form),
    )


async def enter(visit: Visit) -> Response:
    sent = await visit.fields()  # first: a form without its token is refused
    stored = await own_sheet(visit)
    rules = stored.sheet.rules
    form = DealForm.sent(visit.words, rules, sent)
    try:
        deal = form.deal(rules, str(sent.get("do", "")))
        stored = await sheets_of(visit).do(stored, *_form_of(visit, sent), model.Enter(deal))
    except (Wrong, model.SheetFault, Moved) as error:
        stored, wrong = _problem(stored, error, "sheet-state")
        return _sheet_page(visit, stored, form.refused(error), wrong)
    return see_other(f"/score/{stored.id}?kept={len(stored.sheet.lines)}")


async def do(visit: Visit) -> Response:
    """Do the act of a single button: undo, draw lots, accept, reopen, next match."""
    sent = await visit.fields()
    stored = await own_sheet(visit)
    sheets, button = sheets_of(visit), str(sent.get("do", ""))
    done = {"undo": "undone", "draw": "drawn"}.get(button, "done")
    seen, cause = _form_of(visit, sent)
    try:
        match button.split("-"):
            case ["undo"]:
                await sheets.do(stored, seen, cause, model.Undo())
            case ["accept"]:
                await sheets.do(stored, seen, cause, model.Settle())
            case ["reopen"]:
                await sheets.do(stored, seen, cause, model.Reopen())
            case ["dealer", seat] if seat.isascii() and seat.isdecimal() and len(seat) == 1:
                await sheets.do(stored, seen, cause, model.NameFirstDealer(int(seat)))
            case ["draw"]:
                await sheets.draw(stored, seen, cause, *_shares(stored, sent))
            case ["next"]:
                await visit.room.limits.spend("table", stored.owner)
                key = visit.key_of(sent)[:16]
                after = await sheets.open(stored.owner, model.next_match(stored.sheet), key=key)
                return see_other(f"/score/{after.id}")
            case _:
                raise Refused(400, "wrong_form")
    except (model.SheetFault, Moved) as error:
        stored, wrong = _problem(stored, error, "sheet-state")
        wrong.field = "sheet-state"  # there are no fields for those acts
        empty = DealForm.empty(visit.words, stored.sheet.rules, usual(stored))
        return _sheet_page(visit, stored, empty, wrong)
    return see_other(f"/score/{stored.id}?{done}")


def _shares(stored: StoredSheet, sent: Any) -> tuple[model.Share, ...]:
    """The bytes that players add to the lots."""
    typed = ((seat, str(sent.get(f"share-{seat}", ""))) for seat in range(len(stored.sheet.names)))
    return tuple(
        model.Share(seat, text[:LONGEST_SHARE].encode(errors="replace"))
        for seat, text in typed
        if text
    )


async def to_the_sheet(visit: Visit) -> Response:
    """Redirect to the sheet when the answer to a form is loaded again."""
    return see_other(f"/score/{visit.path_params['sheet']}")


# An earlier line


async def show_line(visit: Visit) -> Response:
    """Show the form to correct a line."""
    stored = await own_sheet(visit)
    line = _line(visit, stored)
    words, rules = visit.words, stored.sheet.rules
    form = DealForm.reporting(words, rules, line.report)
    if visit.query_params.get("by") in (CARDS, POINTS):
        form = DealForm.empty(words, rules, visit.query_params["by"])
    return _line_page(visit, stored, form)


async def correct(visit: Visit) -> Response:
    """Correct a line, or strike it out."""
    sent = await visit.fields()
    stored = await own_sheet(visit)
    _line(visit, stored)
    line, rules = visit.path_params["line"], stored.sheet.rules
    form = DealForm.sent(visit.words, rules, sent)
    button = str(sent.get("do", ""))
    try:
        deal = None if button == "strike" else form.deal(rules, button)
        act = model.Correct(line, deal, why=form["reason"])
        await sheets_of(visit).do(stored, *_form_of(visit, sent), act)
    except (Wrong, model.SheetFault, Moved) as error:
        stored, wrong = _problem(stored, error, "line-form")
        return _line_page(visit, stored, form.refused(error), wrong)
    return see_other(f"/score/{stored.id}?kept={line}")


def _line(visit: Visit, stored: StoredSheet) -> Any:
    """The line of the address. Raises `Refused`."""
    line = visit.path_params["line"]
    if not 1 <= line <= len(stored.sheet.lines):
        raise Refused(404, "not_found")
    return stored.sheet.lines[line - 1]


def _line_page(
    visit: Visit, stored: StoredSheet, form: DealForm, wrong: Wrong | None = None
) -> Response:
    words, line = visit.words, visit.path_params["line"]
    telling = PageTelling(words, stored.sheet)
    before = [
        words.t("{told} – {why}", told=telling.deal(each.report), why=each.why)
        if each.why
        else telling.deal(each.report)
        for each in stored.sheet.lines[line - 1].corrections
    ]
    shown = telling.rows()[line - 1]
    return form_page(
        visit,
        "score_line.html",
        form,
        wrong,
        line=line,
        heading=shown.correct,
        struck=stored.sheet.lines[line - 1].report is None,
        now=telling.line(line),
        before=before,
        late=model.too_late(stored.sheet, line),
        **sheet_context(words, stored),
        **entry_context(words, stored.sheet, form),
    )


# The head


async def show_head(visit: Visit) -> Response:
    """Show the form to change title, names and stake."""
    stored = await own_sheet(visit)
    form = FilledForm.of(head_fields(len(stored.sheet.names)), head_values(stored.sheet))
    return _head_page(visit, stored, form)


async def amend(visit: Visit) -> Response:
    sent = await visit.fields()
    stored = await own_sheet(visit)
    names = stored.sheet.names
    form = FilledForm.typed(head_fields(len(names)), sent)
    try:
        typed = [form[f"seat{place}"] for place in range(len(names))]
        head = {name: form[name] for name in HEAD}
        act = model.Amend(model.names_typed(typed, names), **head)
        await sheets_of(visit).do(stored, *_form_of(visit, sent), act)
    except model.SheetFault as fault:
        if fault.reason != "nothing_changed":
            return _head_page(visit, stored, form, head_wrong(fault))
    except Moved as moved:
        return _head_page(visit, moved.stored, form, Overtaken("head-form", MOVED))
    return see_other(f"/score/{stored.id}?done")


def _head_page(
    visit: Visit, stored: StoredSheet, form: FilledForm, wrong: Wrong | None = None
) -> Response:
    context = sheet_context(visit.words, stored)
    return form_page(visit, "score_head.html", form, wrong, **context)


# Printed, and exported as a file


async def printed(visit: Visit) -> Response:
    """Show the sheet for printing: A4, black on white."""
    stored = await own_sheet(visit)
    words, day = visit.words, stored.sheet.date
    told = day and date_text(words.lang, date.fromisoformat(day), "long")
    return page(visit, "score_print.html", owned=False, day=told, **sheet_context(words, stored))


async def exported(visit: Visit) -> Response:
    stored = await own_sheet(visit)
    made = FILES.get(visit.path_params["name"])
    if made is None:
        raise Refused(404, "not_found")
    make, kind = made
    name = f"volte-{stored.id}.{visit.path_params['name'].rpartition('.')[2]}"
    return Response(
        make(stored.sheet),
        media_type=kind,
        headers={"content-disposition": f'attachment; filename="{name}"'},
    )


def address_of(visit: Visit, stored: StoredSheet) -> str:
    """The address at which others may watch the sheet."""
    return f"{shared(visit)}/score/{stored.id}/seen/{stored.key}"


# Fields of every form


def _form_of(visit: Visit, sent: Any) -> tuple[int, str]:
    """The version of the sheet that a form was made for, and the form's id. Raises `Refused`."""
    version, nonce = str(sent.get("version", "")), str(sent.get("nonce", ""))
    plain = version.isascii() and version.isdecimal() and len(version) <= 9
    if not plain or not (nonce.isascii() and nonce.isprintable() and 1 <= len(nonce) <= 40):
        raise Refused(400, "wrong_form")
    return int(version), f"{visit.someone().id}:{nonce}"
