"""Playing with anybody: "Play with people", and what becomes of the people met."""

from __future__ import annotations

from functools import partial
from typing import Final

from msgspec.structs import replace
from starlette.responses import Response
from starlette.routing import BaseRoute

from volte.forms.fields import FilledForm, Wrong
from volte.forms.game import Game, game_of, table_of
from volte.forms.meeting import SETTING, PeopleWanted, wanted_of
from volte.meeting.matchmaker import Matchmaker
from volte.meeting.seeks import BRISK, Tempo, Wish
from volte.rules import make_ruleset
from volte.say import N_
from volte.server.run.leading import own_path
from volte.server.tables.arriving import BEGIN, come_in, to_the_lobby
from volte.server.tables.entrance import open_table
from volte.server.tables.lobby import beginning_fields, first_page, suited_to
from volte.store import Person
from volte.table import Setup
from volte.talk.company import APART
from volte.talk.reports import check_public
from volte.web.page import done_text, page
from volte.web.refused import Refused
from volte.web.room import change_person, room_of
from volte.web.visit import Visit, route, see_other
from volte.wire.api import Met

TALK: Final = "/me/talk"
"""The page with all whom a person would rather not meet again."""

DONE: Final = {
    "apart": APART,
    "together": N_("You and this person can sit at the same table again."),
}
"""Sentences for what the form about a person has done, by its name in the address."""


def routes() -> list[BaseRoute]:
    return [
        route("/meet", meet, methods=["POST"]),
        route("/meet", to_the_lobby, methods=["GET"]),
        route("/meet/left", left, methods=["GET"], named=True),
        route("/meet/apart", apart, methods=["POST"]),
    ]


async def meet(visit: Visit) -> Response:
    """Take the person to a table with other people, or to one where others can come; somebody
    without a session becomes a guest."""
    words = visit.words
    form = FilledForm.typed(beginning_fields(words), await visit.fields())
    try:
        usual, newcomer = game_of(form, words)
        wanted = wanted_of(form)
    except Wrong as wrong:
        return await first_page(visit, form, wrong)

    async def sought() -> Response:
        met = await people_sought(visit, wanted, wanted.game(usual))
        opened = f"{own_path(visit)}/tables/{met.table}?{BEGIN}"
        return see_other(opened if met.begin else f"/tables/{met.table}")

    return await come_in(visit, sought, **newcomer)


async def people_sought(visit: Visit, wanted: PeopleWanted, game: Game) -> Met:
    """Look for people to play with, and find the table where the person goes on: with other people,
    or one of their own, with that game. Raises `Refused` and `Unavailable`."""
    room, who = room_of(visit), visit.someone()
    await check_public(room, who.id, visit.words)
    await change_person(visit, partial(_keep, wanted))
    begins = False

    async def opened(table: str) -> str:
        nonlocal begins
        begins = not wanted.empty
        rules = make_ruleset(game.preset, {"players": game.players})
        clock = BRISK if wanted.pace == Tempo.BRISK else 0
        setup = Setup(table_of(visit.words, who.name), rules, clock=clock, meeting=True)
        levels = game.bots(await suited_to(visit)) if begins else ()
        return await open_table(visit, setup, levels, key=table)

    return Met(await room[Matchmaker].seek(who, wish_of(wanted), opened), begins)


def wish_of(wanted: PeopleWanted) -> Wish:
    """The wish of a form, by which people are paired."""
    return Wish(wanted.rules, pace=Tempo(wanted.pace), langs=wanted.langs, near=wanted.near)


def _keep(wanted: PeopleWanted, person: Person) -> Person:
    """The person with what they look for as the beginning of the next form."""
    return replace(person, settings={**person.settings, SETTING: wanted.texts})


# People met


async def left(visit: Visit) -> Response:
    """The page for somebody who has left such a table: the people who were there."""
    person = visit.known()
    return page(
        visit,
        "left.html",
        companions=await room_of(visit)[Matchmaker].companions(person.id),
        wanted=PeopleWanted.of_settings(person.settings).texts,
        done=done_text(visit, DONE),
    )


async def apart(visit: Visit) -> Response:
    """Keep two people apart from now on, or no longer; nobody else is told."""
    sent = await visit.fields()
    again = sent.get("do") == "together"
    await kept_apart(visit, str(sent.get("person", "")), not again)
    if sent.get("next") == TALK:
        return see_other(TALK)
    return see_other(f"/meet/left?done={'together' if again else 'apart'}")


async def kept_apart(visit: Visit, other: str, apart: bool) -> str:
    """Keep the person apart from another one, or no longer; return the sentence that says so.
    Raises `Refused` 404 for somebody with whom they have not played."""
    who, matchmaker = visit.someone(), room_of(visit)[Matchmaker]
    if not apart:
        await matchmaker.take_back(who.id, other)
    elif not await matchmaker.avoid(who.id, other):
        raise Refused(404, "not_met")
    return DONE["apart" if apart else "together"]
