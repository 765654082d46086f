"""The pages of an evening: plan it, come to it, lead it, follow it, and save its results."""

from __future__ import annotations

import hmac
import time
from collections.abc import AsyncIterator
from functools import partial
from typing import Any, Final

from starlette.responses import Response, StreamingResponse
from starlette.routing import BaseRoute

from volte.evenings import clubs as club_pages
from volte.evenings import decide
from volte.evenings.clubs import ORGANISER, OWNER, TO_COME, admit, club_of, led_club
from volte.evenings.conducting import Conductor, Evenings, Judge, summary_of
from volte.evenings.disclosure import compares
from volte.evenings.evening import FEWEST_PEOPLE, Evening, Stage, calendar_key, digest_of
from volte.evenings.form import FIELDS, MEANINGS, form_choices, new_plan, plan_of, values_of
from volte.evenings.results import calendar, deals_csv, everything, iso_time, standings_csv
from volte.evenings.shown import (
    STATES,
    day_and_hour,
    deals_shown,
    hour_of,
    people_coming,
    sittings,
    standings_shown,
)
from volte.evenings.store import Club, Clubs
from volte.forms.fields import Field, FilledForm, NotTaken, Several, Wrong, declared
from volte.forms.preferences import filled_in
from volte.say import N_, Words
from volte.say.levels import LEVEL_WORDS
from volte.say.rulesheet.options import game_title
from volte.store import Person, Unavailable
from volte.store.bus import within
from volte.table import Someone
from volte.web.addresses import shared
from volte.web.disclosure import Disclosure
from volte.web.page import done_text, form_page, page
from volte.web.refused import Refused
from volte.web.room import room_of
from volte.web.visit import Visit, route, see_other

MOST_PLANNED: Final = 50
"""Limit of a club's evenings that are to come."""

DONE: Final = {
    "planned": N_("The evening has been planned."),
    "saved": N_("The evening has been changed."),
    "come": N_("Noted: you are coming."),
    "stay": N_("Noted: you are not coming."),
    "begun": N_("The round has begun."),
    "ended": N_("It is over."),
    "invited": N_("The invitation has been sent: it appears on that person’s “Clubs” page."),
    "missed": N_("Noted: that player will not get a seat until they are here."),
    "calendar": N_("There is a new calendar address; the old one no longer works."),
    "seated": N_("This player has a seat: their page takes them to the table."),
}
"""Messages about what has just been done, by the value of `done` in the address."""

DOING: Final = declared(
    Field("do"), Field("rounds"), Field("missing"), Field("late"), Several("person")
)
"""Fields of the buttons on an evening's page."""

EVENTS: Final = "text/event-stream"
QUIET: Final = 25.0  # seconds after which a comment keeps a quiet line open

FILES: Final = {
    "standings.csv": "text/csv",
    "deals.csv": "text/csv",
    "evening.json": "application/json",
    "evening.ics": "text/calendar",
}


def routes() -> list[BaseRoute]:
    return [
        *club_pages.routes(),
        route("/clubs/{club}/evenings/new", new, named=True),
        route("/clubs/{club}/evenings/new", plan, methods=["POST"]),
        route("/evenings/{evening}", show, named=True),
        route("/evenings/{evening}/changes", changes),
        route("/evenings/{evening}/edit", show_edit),
        route("/evenings/{evening}/edit", edit, methods=["POST"]),
        route("/evenings/{evening}/do", do, methods=["POST"]),
        route("/evenings/{evening}/do", to_the_evening),
        route("/evenings/{evening}/rounds/{round:number}", show_round, named=True),
        *(route(f"/evenings/{{evening}}/{name}", file) for name in FILES),
        route("/evenings/{evening}/calendar/{key}.ics", subscribed),
    ]


async def _shown(visit: Visit) -> tuple[str, Evening, Club]:
    """The evening of the address, with its id and its club. Raises `Refused` for people to whom
    the club is not shown."""
    visit.someone()
    key = visit.path_params["evening"]
    evening = await visit.room[Evenings].find(key)
    if evening is None:
        raise Refused(404, "no_evening")
    try:
        return key, evening, await club_of(visit, evening.plan.club)
    except Refused:
        raise Refused(404, "no_evening") from None


async def _led(visit: Visit) -> tuple[str, Evening, Club]:
    """The evening, its id and club, for people who lead its club. Raises `Refused` for others."""
    key, evening, club = await _shown(visit)
    if not await club_pages.leads(visit, club):
        raise Refused(403, "forbidden")
    return key, evening, club


# Planning


async def new(visit: Visit) -> Response:
    """The form for an evening of a club, filled in like its last evening, if it had one."""
    club = await led_club(visit, OWNER, ORGANISER)
    last = await room_of(visit).store[Clubs].evenings([club.id], limit=1)
    zone = summary_of(last[0]).zone if last else ""
    values = values_of(new_plan(visit.words, club.name, zone))
    before = await visit.room[Evenings].find(last[0].id) if last else None
    if before is not None:
        values = values_of(before.plan) | {"date": values["date"]}
    return _form_page(visit, club, "", FilledForm.of(FIELDS, values))


async def plan(visit: Visit) -> Response:
    sent = await visit.fields()
    form, key = FilledForm.typed(FIELDS, sent), visit.key_of(sent)[:16]
    club, who, room = await led_club(visit, OWNER, ORGANISER), visit.someone(), room_of(visit)
    if await room[Evenings].find(key) is not None:  # the same form has come before
        return see_other(f"/evenings/{key}?done=planned")
    try:
        chosen = plan_of(form, club.id)
    except Wrong as wrong:
        return _form_page(visit, club, "", form, wrong)
    planned = await room.store[Clubs].evenings([club.id], TO_COME, limit=MOST_PLANNED)
    if len(planned) >= MOST_PLANNED:
        raise Refused(429, "too_many_evenings", most=MOST_PLANNED)
    await room.limits.spend("table", who.id)
    await room[Evenings].plan(chosen, who, key)
    return see_other(f"/evenings/{key}?done=planned")


async def show_edit(visit: Visit) -> Response:
    """The form of an evening that has not begun."""
    key, evening, club = await _led(visit)
    if evening.stage is not Stage.PLANNED:
        return see_other(f"/evenings/{key}")
    return _form_page(visit, club, key, FilledForm.of(FIELDS, values_of(evening.plan)))


async def edit(visit: Visit) -> Response:
    form = FilledForm.typed(FIELDS, await visit.fields())
    key, _, club = await _led(visit)

    def judge(evening: Evening) -> decide.Outcome:
        return decide.replan(evening, plan_of(form.upon(values_of(evening.plan)), club.id))

    try:
        await visit.room[Evenings].do(key, judge)
    except NotTaken as problem:
        return _form_page(visit, club, key, form, problem)
    except Refused as refused:
        return await show(visit, problem=Wrong("evening", refused))
    return see_other(f"/evenings/{key}?done=saved")


def _form_page(
    visit: Visit, club: Club, key: str, form: FilledForm, problem: NotTaken | None = None
) -> Response:
    choices = form_choices(visit.words)
    meanings = {name: dict(choices[each]) for name, each in MEANINGS.items()}
    return form_page(
        visit, "evening_form.html", form, problem, meanings, club=club, evening=key, **choices
    )


# An evening


async def show(
    visit: Visit, form: FilledForm | None = None, problem: NotTaken | None = None
) -> Response:
    """The page of an evening, with the choices beside its buttons."""
    key, evening, club = await _shown(visit)
    words, who, room = visit.words, visit.someone(), room_of(visit)
    own = _own_part(evening, who)
    if own["own_table"] and await room.store.listing(own["own_table"]) is None:
        await room[Conductor].attend(key)  # nobody is sent to a table that is not set
    leads = await club_pages.leads(visit, club)
    members = await room.store[Clubs].members(club.id) if leads and evening.open else []
    invitable = [each for each in members if evening.comer(each.person) is None]
    led = _led_part(evening) if leads and evening.open else {}
    return form_page(
        visit,
        "evening.html",
        form or FilledForm.of(DOING, {}),
        problem,
        done=done_text(visit, DONE),
        key=key,
        version=evening.version,
        calendar=f"{shared(visit)}/evenings/{key}/calendar/{calendar_key(evening)}.ics",
        sounds=_sounds(visit.known()),
        club=club,
        leads=leads,
        invitable=[(each.person, each.name) for each in invitable],
        **_facts(words, evening),
        **own,
        **led,
        **_round_now(words, evening, who),
        standings=standings_shown(words, evening, who.id),
        rounds=list(range(1, len(evening.rounds) + 1)),
    )


def _sounds(person: Person) -> str:
    """Loudness of the sound for a person's turn: a value of the setting `sounds`."""
    chosen = filled_in(person.settings)
    return str(chosen["sounds"]) if chosen["sound_turn"] else "off"


async def changes(visit: Visit) -> Response:
    """Tell the page of an evening, as long as it is open, of every change."""
    key, _, _ = await _shown(visit)
    if EVENTS not in visit.headers.get("accept", ""):
        raise Refused(406, "not_found")
    seen = visit.headers.get("last-event-id") or visit.query_params.get("seen", "")
    headers = {"cache-control": "no-store", "x-accel-buffering": "no"}
    return StreamingResponse(_told(visit, key, seen), media_type=EVENTS, headers=headers)


async def _told(visit: Visit, key: str, seen: str) -> AsyncIterator[str]:
    """An event for each change of an evening, its version as the id; comments keep the line open.

    Args:
        seen: the version that the page shows.
    """
    evenings, person = visit.room[Evenings], visit.known().id
    yield "retry: 5000\n\n"
    try:
        with room_of(visit).limits.connected("person", person):
            while not evenings.closed:
                change = evenings.change(key)
                evening = await evenings.find(key)
                if evening is not None and str(evening.version) != seen:
                    seen = str(evening.version)
                    yield f"id: {seen}\ndata:\n\n"
                elif not await within(change, QUIET):
                    yield ":\n\n"
    except (Refused, Unavailable):
        yield "retry: 60000\n\n"


def _facts(words: Words, evening: Evening) -> dict[str, Any]:
    """The facts about an evening for its page: name, time, rules, people coming."""
    plan = evening.plan
    coming, unanswered = people_coming(words, evening)
    return {
        "called": plan.name,
        "stage": evening.stage.value,
        "state": words.t(STATES[evening.stage.value]),
        "starts": day_and_hour(words, plan.starts, plan.zone),
        "starts_at": iso_time(plan.starts),
        "rules": game_title(words, plan.rules),
        "plan": plan,
        "level": words.t(LEVEL_WORDS[plan.level].asked),
        "coming": coming,
        "unanswered": unanswered,
        "digest": digest_of(evening.secret).hex(),
        "secret": evening.secret.hex() if evening.stage is Stage.OVER else "",
    }


def _own_part(evening: Evening, who: Someone) -> dict[str, Any]:
    """The visitor's part in the evening: coming, invited, own table, late seat."""
    comer, going = evening.comer(who.id), evening.round
    table = going.table_of(who.id) if going is not None else ""
    late = decide.sit_late(evening, who) if going is not None and not table else None
    return {
        "comes": comer.comes if comer is not None else None,
        "invited": comer is not None and comer.comes is None,
        "away": comer is not None and comer.away,
        "open": evening.open,
        "own_table": table,
        "may_sit_late": isinstance(late, tuple),
        "own_round": len(evening.rounds) if table else 0,
    }


def _led_part(evening: Evening) -> dict[str, Any]:
    """People of whom an organiser can say that they are not here, or whom they can seat."""
    going = evening.round
    waiting = [
        (comer.person, comer.name)
        for comer in (evening.present if going is not None else ())
        if isinstance(decide.sit_late(evening, Someone(comer.person, comer.name)), tuple)
    ]
    here = [(comer.person, comer.name) for comer in evening.present]
    return {"here": here, "waiting": waiting}


def _round_now(words: Words, evening: Evening, who: Someone) -> dict[str, Any]:
    """The round that is played, or the break before the next one."""
    going, plan = evening.round, evening.plan
    over = evening.rounds[-1].over if evening.stage is Stage.RUNNING else None
    return {
        "going": len(evening.rounds) if going is not None else 0,
        "tables": sittings(words, evening, going, who.id) if going is not None else [],
        "between": over is not None,
        "too_few": len(evening.present) < FEWEST_PEOPLE,
        "next_at": hour_of(words, over + plan.pause, plan.zone) if over is not None else "",
    }


async def show_round(visit: Visit) -> Response:
    """A round deal by deal, with its results at every table."""
    key, evening, _ = await _shown(visit)
    number, room = visit.path_params["round"], room_of(visit)
    if not 1 <= number <= len(evening.rounds):
        raise Refused(404, "not_found")
    matches = []  # ids of matches that may be looked at, with the number of their table
    tables = evening.rounds[number - 1].tables if compares(evening, visit.someone().id) else ()
    for place, sitting in enumerate(tables, start=1):
        rows = await room.store.matches_at(sitting.table)
        waiting = await room[Disclosure].withheld(rows)
        matches += [(place, row.id) for row in rows if row.id not in waiting]
    return page(
        visit,
        "evening_round.html",
        key=key,
        called=evening.plan.name,
        number=number,
        deals=deals_shown(visit.words, evening, number),
        seats=range(1, evening.plan.rules.players + 1),
        matches=matches,
    )


# Actions


async def do(visit: Visit) -> Response:
    """Do the action of one button of the page."""
    form = FilledForm.typed(DOING, await visit.fields())
    key, _, club = await _shown(visit)
    action = form["do"]
    judge, done = await _step(visit, club, form)
    try:
        after = await visit.room[Evenings].do(key, judge)
    except Refused as refused:
        return await show(visit, form, Wrong("evening", refused))
    if action in ("come", "late", "begin", "end_round", "end"):
        await visit.room[Conductor].attend(key)
    if action == "late":
        assert after.round is not None
        return see_other(f"/tables/{after.round.table_of(visit.someone().id)}")
    return see_other(f"/evenings/{key}?done={done}")


async def _step(visit: Visit, club: Club, form: FilledForm) -> tuple[Judge, str]:
    """The step of a button, and its key in `DONE`. Raises `Refused` if the visitor may not."""
    who, action = visit.someone(), form["do"]
    match action:
        case "come":
            await admit(visit, club)
            return partial(decide.join, who=who), "come"
        case "late":
            await admit(visit, club)
            return partial(decide.sit_late, who=who), ""
        case "stay":
            return partial(decide.leave, person=who.id), "stay"
    _, evening, _ = await _led(visit)
    match action:
        case "invite":
            members = await room_of(visit).store[Clubs].members(club.id)
            known = {each.person: Someone(each.person, each.name) for each in members}
            people = [known[person] for person in form["person"].split() if person in known]
            return partial(decide.invite, people=people), "invited"
        case "calendar":
            return decide.renew_calendar, "calendar"
        case "miss":
            return partial(decide.miss, person=form["missing"]), "missed"
        case "seat":
            late = evening.comer(form["late"])
            if late is None or not late.comes:
                raise Refused(400, "wrong_form")
            return partial(decide.sit_late, who=Someone(late.person, late.name)), "seated"
        case "begin" | "end_round" | "end":
            done = "begun" if action == "begin" else "ended"
            return _led_step(action, form["rounds"]), done
    raise Refused(400, "wrong_form")


def _led_step(action: str, rounds: str) -> Judge:
    """The step of an organiser who has seen so many rounds; no step if another was quicker."""
    steps = {"begin": decide.begin_round, "end_round": decide.end_round, "end": decide.end}

    def judge(evening: Evening) -> decide.Outcome:
        seen = str(len(evening.rounds)) == rounds
        return steps[action](evening, time.time()) if seen else ()

    return judge


async def to_the_evening(visit: Visit) -> Response:
    """Lead somebody who loads the answer to a form again back to the evening."""
    return see_other(f"/evenings/{visit.path_params['evening']}")


async def file(visit: Visit) -> Response:
    """Answer with a download about the evening, one of `FILES`."""
    key, evening, _ = await _shown(visit)
    name = visit.url.path.rpartition("/")[2]
    content: str | bytes
    match name:
        case "standings.csv":
            content = standings_csv(evening)
        case "deals.csv":
            content = deals_csv(evening)
        case "evening.json":
            content = everything(evening)
        case _:
            content = _calendar(visit, key, evening)
    disposition = f'attachment; filename="volte-{name}"'
    headers = {"content-disposition": disposition, "cache-control": "no-store"}
    return Response(content, media_type=FILES[name], headers=headers)


async def subscribed(visit: Visit) -> Response:
    """The date of the evening for a calendar, which has no session but knows the secret address."""
    key, given = visit.path_params["evening"], visit.path_params["key"]
    evening = await visit.room[Evenings].find(key)
    club = evening and await room_of(visit).store[Clubs].club(evening.plan.club)
    key_now = calendar_key(evening) if evening and club else ""
    if not evening or not hmac.compare_digest(key_now.encode(), given.encode(errors="replace")):
        raise Refused(404, "no_calendar")
    headers = {"cache-control": "no-store"}
    return Response(_calendar(visit, key, evening), media_type="text/calendar", headers=headers)


def _calendar(visit: Visit, key: str, evening: Evening) -> str:
    return calendar(evening, key, f"{shared(visit)}/evenings/{key}", time.time())
