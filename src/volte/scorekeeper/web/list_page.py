"""The list of a person's score sheets, and the way of a sheet from a file onto it."""

from __future__ import annotations

from datetime import date
from decimal import Decimal
from functools import partial
from typing import Final

from starlette.responses import Response
from starlette.routing import BaseRoute

from volte.forms.fields import FilledForm, Wrong
from volte.names import isolated
from volte.notation import RecordFault
from volte.say import N_
from volte.say.formats import date_text
from volte.say.rulesheet.options import preset_title
from volte.scorekeeper import model
from volte.scorekeeper.telling.stakes import money
from volte.scorekeeper.web.sheets import LONGEST_FILE
from volte.scorekeeper.web.shown import sheets_of
from volte.web.page import form_page
from volte.web.visit import Visit, route, see_other

STATES: Final = {
    "playing": N_("under way"),
    "over": N_("over, to be confirmed"),
    "accepted": N_("settled"),
}


def routes() -> list[BaseRoute]:
    return [
        route("/score", listed, named=True),
        route("/score", take_in, methods=["POST"]),
    ]


async def listed(visit: Visit) -> Response:
    """Show the visitor's sheets, the latest first."""
    return await _list_page(visit)


async def take_in(visit: Visit) -> Response:
    """Keep the sheet of a file, such as `volte score` makes, and show it."""
    who, words = visit.someone(), visit.words
    text = str((await visit.fields()).get("file", ""))
    called = words.t("This file")
    try:
        if not text.strip():
            raise Wrong("file", N_("No file was chosen, or it is empty: choose one."))
        if text.count("\n") > LONGEST_FILE:
            raise model.SheetFault("sheet_too_long", path=called, most=LONGEST_FILE)
        await visit.room.limits.spend("table", who.id)
        judge = partial(model.sheet_in, text.encode(), called)
        sheet, master = await visit.room.work.do(visit.whose, judge)
        stored = await sheets_of(visit).take_in(who.id, sheet, master)
    except Wrong as wrong:
        return await _list_page(visit, wrong)
    except (model.SheetFault, RecordFault) as fault:
        return await _list_page(visit, Wrong("file", fault))
    return see_other(f"/score/{stored.id}?taken")


async def _list_page(visit: Visit, wrong: Wrong | None = None) -> Response:
    words = visit.words
    found = await sheets_of(visit).listed(visit.someone().id)
    sheets = []
    for key, title, line in found:
        totals = ", ".join(
            words.t("{name} {count}", name=name, count=words.number(total))
            for name, total in zip(line.names, line.totals, strict=True)
        )
        day = line.date and date_text(words.lang, date.fromisoformat(line.date), "long")
        facts = [
            (words.t("Date"), day),
            (words.t("Game"), line.preset and preset_title(words, line.preset)),
            (
                words.t("What one stake is worth"),
                line.stake and money(words, Decimal(line.stake), line.currency),
            ),
            (words.t("Total"), totals),
            (words.t("Deals so far"), line.deals),
            (words.t("Status"), words.t(STATES[line.state])),
        ]
        sheets.append(
            {
                "id": key,
                "called": isolated(title) or words.listed(line.names),
                "day": day,
                "facts": facts,
                "goes_on": line.state == "playing",
            }
        )
    return form_page(visit, "score.html", FilledForm.of({}, {}), wrong, sheets=sheets)
