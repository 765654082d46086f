"""The pages of an evening: planned, come to, led, followed, and taken away."""

from __future__ import annotations

import time
from functools import partial
from typing import Any, Final

from starlette.responses import Response
from starlette.routing import BaseRoute

from volte.evenings import clubs as club_pages
from volte.evenings import results as taken
from volte.evenings.clubs import ORGANISER, OWNER, TO_COME, admit, club_of, role_in
from volte.evenings.conducting import Conductor, Declined, Evenings, Judge, read_line
from volte.evenings.decide import (
    Outcome,
    begin_round,
    end,
    end_round,
    invite,
    join,
    leave,
    replan,
    sit_late,
)
from volte.evenings.disclosure import compares, withheld
from volte.evenings.evening import Evening, Stage, digest_of
from volte.evenings.form import EveningForm, form_choices
from volte.evenings.shown import (
    STATES,
    deals_told,
    hour_told,
    moment,
    people_told,
    sittings,
    standings_told,
    time_told,
)
from volte.evenings.store import Club, Clubs
from volte.rules import described
from volte.say import N_, Words
from volte.say.levels import LEVEL_WORDS
from volte.say.rulesheet.options import preset_title
from volte.table import Someone
from volte.web.addresses import shared
from volte.web.forms import Wrong
from volte.web.page import page
from volte.web.refused import Refused
from volte.web.visit import Visit, route, see_other

MOST_PLANNED: Final = 50
"""Evenings of a club that are to come."""

DONE: Final = {
    "planned": N_("The evening is planned."),
    "saved": N_("The evening is changed."),
    "come": N_("You come: that is noted."),
    "stay": N_("You do not come: that is noted."),
    "begun": N_("The round has begun."),
    "ended": N_("That is ended."),
    "invited": N_("They are invited: they see it among their clubs."),
}
"""What has just been done, by how the address says it."""


def routes() -> list[BaseRoute]:
    return [
        *club_pages.routes(),
        route("/clubs/{club}/evenings/new", new, methods=["GET"], named=True),
        route("/clubs/{club}/evenings/new", plan, methods=["POST"]),
        route("/evenings/{evening}", show, named=True),
        route("/evenings/{evening}/edit", show_edit, methods=["GET"]),
        route("/evenings/{evening}/edit", edit, methods=["POST"]),
        route("/evenings/{evening}/do", do, methods=["POST"]),
        route("/evenings/{evening}/do", to_the_evening, methods=["GET"]),
        route("/evenings/{evening}/rounds/{round:int}", show_round, named=True),
        route("/evenings/{evening}/standings.csv", standings_csv),
        route("/evenings/{evening}/deals.csv", deals_csv),
        route("/evenings/{evening}/evening.json", everything),
        route("/evenings/{evening}/evening.ics", calendar),
    ]


# Planning


async def new(visit: Visit) -> Response:
    """The form for an evening of a club; like the last one, where there was one."""
    club = await _led_club(visit)
    last = await visit.room.store[Clubs].evenings([club.id], limit=1)
    zone = read_line(last[0]).zone if last else ""
    form = EveningForm.new(visit.words, club.name, zone)
    before = await _evenings(visit).find(last[0].id) if last else None
    if before is not None:
        told = EveningForm.of(before.plan, described(before.plan.rules)[0]).fields
        form = EveningForm({**told, "date": form.fields["date"]})
    return _form_page(visit, club, "", form)


async def plan(visit: Visit) -> Response:
    """That form has been sent."""
    sent = await visit.fields()
    club, who, room = await _led_club(visit), visit.someone(), visit.room
    form = EveningForm.typed(sent)
    try:
        chosen = form.plan(club.id)
    except Wrong as wrong:
        return _form_page(visit, club, "", form, wrong)
    planned = await room.store[Clubs].evenings([club.id], TO_COME, limit=MOST_PLANNED)
    if len(planned) >= MOST_PLANNED:
        raise Refused(429, "too_many_evenings", most=MOST_PLANNED)
    await room.limits.spend("table", who.id)
    key = await room[Evenings].plan(chosen, who)
    return see_other(f"/evenings/{key}?done=planned")


async def show_edit(visit: Visit) -> Response:
    """The form of an evening that has not begun."""
    key, evening, club = await _led(visit)
    if evening.stage is not Stage.PLANNED:
        return see_other(f"/evenings/{key}")
    preset = described(evening.plan.rules)[0]
    return _form_page(visit, club, key, EveningForm.of(evening.plan, preset))


async def edit(visit: Visit) -> Response:
    """That form has been sent."""
    sent = await visit.fields()
    key, _, club = await _led(visit)
    form = EveningForm.typed(sent)
    try:
        chosen = form.plan(club.id)
        await _evenings(visit).do(key, partial(replan, plan=chosen))
    except Wrong as wrong:
        return _form_page(visit, club, key, form, wrong)
    except Declined as declined:
        return await _evening_page(visit, key, declined)
    return see_other(f"/evenings/{key}?done=saved")


async def _led_club(visit: Visit) -> Club:
    """The club of the address, for whoever may plan its evenings. Raises `Refused`."""
    club = await club_of(visit, visit.path_params["club"])
    if await role_in(visit, club) not in (OWNER, ORGANISER):
        raise Refused(403, "forbidden")
    return club


def _form_page(
    visit: Visit, club: Club, key: str, form: EveningForm, wrong: Wrong | None = None
) -> Response:
    words = visit.words
    return page(
        visit,
        "evening_form.html",
        422 if wrong is not None else 200,
        wrong={wrong.field: wrong.told(words)} if wrong is not None else {},
        club=club,
        evening=key,
        form=form.fields,
        **form_choices(words),
    )


# An evening


async def show(visit: Visit) -> Response:
    """The page of an evening."""
    return await _evening_page(visit, visit.path_params["evening"])


async def _evening_page(visit: Visit, key: str, declined: Declined | None = None) -> Response:
    """The same, with what cannot be done where something was asked for."""
    evening, club = await _shown(visit, key)
    words, who, room = visit.words, visit.someone(), visit.room
    own = _own_part(words, evening, who)
    if own["own_table"] and await room.store.listing(own["own_table"]) is None:
        await room[Conductor].attend(key)  # nobody is sent to a table that is not set
    leads = await role_in(visit, club) in (OWNER, ORGANISER)
    refused = {"evening": words.refusal(declined.refusal)} if declined is not None else {}
    return page(
        visit,
        "evening.html",
        409 if declined is not None else 200,
        wrong=refused,
        done=_done(visit),
        key=key,
        club=club,
        leads=leads,
        invitable=await _invitable(visit, evening, club) if leads else [],
        **_facts(words, evening),
        **own,
        **_round_now(words, evening, who),
        standings=standings_told(words, evening, who.id),
        rounds=list(range(1, len(evening.rounds) + 1)),
    )


def _facts(words: Words, evening: Evening) -> dict[str, Any]:
    """What an evening is."""
    plan = evening.plan
    coming, asked = people_told(words, evening)
    preset, _ = described(plan.rules)
    over = evening.stage is Stage.OVER
    return {
        "called": plan.name,
        "stage": evening.stage.value,
        "state": words.t(STATES[evening.stage.value]),
        "starts": time_told(words, plan.starts, plan.zone),
        "starts_at": moment(plan.starts),
        "rules": preset_title(words, preset),
        "plan": plan,
        "level": words.t(LEVEL_WORDS[plan.level].asked),
        "coming": coming,
        "asked": asked,
        "digest": digest_of(evening.secret).hex(),
        "secret": evening.secret.hex() if over else "",
    }


def _own_part(words: Words, evening: Evening, who: Someone) -> dict[str, Any]:
    """What whoever asks has to do with it."""
    comer, going = evening.comer(who.id), evening.round
    place = going.place_of(who.id) if going is not None else None
    late = sit_late(evening, who) if going is not None and place is None else None
    return {
        "comes": comer.comes if comer is not None else None,
        "invited": comer is not None and comer.comes is None,
        "open": evening.stage in (Stage.PLANNED, Stage.RUNNING),
        "own_table": going.tables[place[0]].table if going is not None and place else "",
        "may_sit_late": isinstance(late, tuple),
        "own_round": len(evening.rounds) if place else 0,
    }


def _round_now(words: Words, evening: Evening, who: Someone) -> dict[str, Any]:
    """The round that is played, or the break before the next one."""
    going, plan = evening.round, evening.plan
    last = evening.rounds[-1] if evening.rounds else None
    between = evening.stage is Stage.RUNNING and going is None and last is not None
    next_at = last.over + plan.pause if between and last is not None and last.over else 0
    return {
        "going": len(evening.rounds) if going is not None else 0,
        "tables": sittings(words, evening, going, who.id) if going is not None else [],
        "between": between,
        "next_at": hour_told(words, next_at, plan.zone) if between else "",
    }


async def _invitable(visit: Visit, evening: Evening, club: Club) -> list[tuple[str, str]]:
    """Members who have neither been asked nor said anything."""
    if evening.stage not in (Stage.PLANNED, Stage.RUNNING):
        return []
    members = await visit.room.store[Clubs].members(club.id)
    return [(each.person, each.name) for each in members if evening.comer(each.person) is None]


async def show_round(visit: Visit) -> Response:
    """A round deal by deal, with what it brought at every table."""
    key = visit.path_params["evening"]
    evening, _ = await _shown(visit, key)
    words, number = visit.words, visit.path_params["round"]
    if not 1 <= number <= len(evening.rounds):
        raise Refused(404, "not_found")
    reads = compares(evening, visit.someone().id)
    return page(
        visit,
        "evening_round.html",
        key=key,
        called=evening.plan.name,
        number=number,
        deals=deals_told(words, evening, number),
        seats=range(1, evening.plan.rules.players + 1),
        matches=await _matches(visit, evening, number) if reads else [],
    )


async def _matches(visit: Visit, evening: Evening, number: int) -> list[tuple[int, str]]:
    """The matches of a round that may be looked at, by the number of their table."""
    room, found = visit.room, []
    for place, sitting in enumerate(evening.rounds[number - 1].tables, start=1):
        rows = await room.store.matches_at(sitting.table)
        waiting = await withheld(room[Evenings], rows)
        found += [(place, row.id) for row in rows if row.id not in waiting]
    return found


# What is done


async def do(visit: Visit) -> Response:
    """Whatever takes one button."""
    sent = await visit.fields()
    key, asked = visit.path_params["evening"], str(sent.get("do", ""))
    _, club = await _shown(visit, key)
    who = visit.someone()
    try:
        match asked:
            case "come" | "late":
                await admit(visit, club)
                step = sit_late if asked == "late" else join
                after = await _evenings(visit).do(key, partial(step, who=who))
                await visit.room[Conductor].attend(key)
                return see_other(_where(after, who) if asked == "late" else _told(key, "come"))
            case "stay":
                await _evenings(visit).do(key, partial(leave, person=who.id))
                return see_other(_told(key, "stay"))
            case "invite":
                return await _invite(visit, key, club, sent.getlist("person"))
            case "begin" | "end_round" | "end":
                await _led(visit)
                await _evenings(visit).do(key, _led_step(asked, str(sent.get("rounds"))))
                await visit.room[Conductor].attend(key)
                return see_other(_told(key, "begun" if asked == "begin" else "ended"))
    except Declined as declined:
        return await _evening_page(visit, key, declined)
    raise Refused(400, "wrong_form")


def _led_step(asked: str, rounds: str) -> Judge:
    """What an organiser wants, who has seen so many rounds: of two who want it, one has done it."""

    def judge(evening: Evening) -> Outcome:
        if str(len(evening.rounds)) != rounds:
            return ()
        steps = {"begin": begin_round, "end_round": end_round, "end": end}
        return steps[asked](evening, time.time())

    return judge


async def _invite(visit: Visit, key: str, club: Club, people: list[Any]) -> Response:
    """Asks members to come."""
    await _led(visit)
    members = {
        each.person: Someone(each.person, each.name)
        for each in await visit.room.store[Clubs].members(club.id)
    }
    asked = [members[person] for person in map(str, people) if person in members]
    await _evenings(visit).do(key, partial(invite, people=asked))
    return see_other(_told(key, "invited"))


def _where(evening: Evening, who: Someone) -> str:
    """The table where somebody has just got a seat."""
    going = evening.round
    place = going.place_of(who.id) if going is not None else None
    assert going is not None
    assert place is not None
    return f"/tables/{going.tables[place[0]].table}"


async def to_the_evening(visit: Visit) -> Response:
    """Where somebody lands who loads the answer to a form again."""
    return see_other(f"/evenings/{visit.path_params['evening']}")


def _told(key: str, done: str) -> str:
    return f"/evenings/{key}?done={done}"


# To take away


async def standings_csv(visit: Visit) -> Response:
    """The standings as they are now."""
    evening, _ = await _shown(visit, visit.path_params["evening"])
    return _file(taken.standings_csv(evening), "text/csv", "standings.csv")


async def deals_csv(visit: Visit) -> Response:
    """All deals that count."""
    evening, _ = await _shown(visit, visit.path_params["evening"])
    return _file(taken.deals_csv(evening), "text/csv", "deals.csv")


async def everything(visit: Visit) -> Response:
    """All that may be known."""
    evening, _ = await _shown(visit, visit.path_params["evening"])
    return _file(taken.everything(evening), "application/json", "evening.json")


async def calendar(visit: Visit) -> Response:
    """The date for a calendar."""
    key = visit.path_params["evening"]
    evening, _ = await _shown(visit, key)
    site = shared(visit)
    text = taken.calendar(evening, key, f"{site}/evenings/{key}", time.time())
    return _file(text, "text/calendar", "evening.ics")


def _file(content: str | bytes, kind: str, name: str) -> Response:
    return Response(
        content,
        media_type=kind,
        headers={
            "content-disposition": f'attachment; filename="volte-{name}"',
            "cache-control": "no-store",
        },
    )


# Helpers


async def _shown(visit: Visit, key: str) -> tuple[Evening, Club]:
    """An evening and its club, for somebody to whom they are shown. Raises `Refused`."""
    visit.someone()
    evening = await _evenings(visit).find(key)
    if evening is None:
        raise Refused(404, "no_evening")
    try:
        return evening, await club_of(visit, evening.plan.club)
    except Refused:
        raise Refused(404, "no_evening") from None


async def _led(visit: Visit) -> tuple[str, Evening, Club]:
    """The evening of the address, for those who lead it. Raises `Refused`."""
    key = visit.path_params["evening"]
    evening, club = await _shown(visit, key)
    if await role_in(visit, club) not in (OWNER, ORGANISER):
        raise Refused(403, "forbidden")
    return key, evening, club


def _done(visit: Visit) -> str:
    """What has just been done, as the address says."""
    done = visit.query_params.get("done", "")
    return visit.words.t(DONE[done]) if done in DONE else ""


def _evenings(visit: Visit) -> Evenings:
    return visit.room[Evenings]
