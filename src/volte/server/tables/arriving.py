"""Ways in for people: by a name, by an invitation, or straight to a table with bots."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Sequence
from typing import Final

from msgspec.structs import replace
from starlette.responses import Response
from starlette.routing import BaseRoute

from volte.evenings.disclosure import Outline, outlines
from volte.forms.fields import Field, FilledForm, NotTaken, Wrong, declared
from volte.forms.game import game_of, table_of
from volte.lessons.lesson_page import BEGINNERS, first_deal
from volte.names import clean_name
from volte.people.sessions import begin, new_guest
from volte.rules import make_ruleset
from volte.say.catalogue import language_of
from volte.server.run.leading import own_path
from volte.server.tables.entrance import check_there, is_invitation, open_table
from volte.server.tables.lobby import beginning_fields, first_page, suited_to
from volte.server.tables.rows import LobbyRow, row_of
from volte.table import Access, Setup
from volte.table.stored import onward_of
from volte.web.addresses import base_path
from volte.web.page import form_page, local_path
from volte.web.refused import Refused
from volte.web.room import change_person, room_of
from volte.web.visit import LANGUAGE_COOKIE, Visit, route, see_other

YEAR: Final = 365 * 86_400

BEGIN: Final = "begin"  # in the address of a table's page: begin the match once the page is loaded
SIT: Final = "sit"  # in the address of a table's page: sit down once the page is loaded
WATCH: Final = "watch"  # in the address of a table, before one has a name: the form is for watching

GUEST: Final = declared(Field("name", meant=clean_name), Field("lang"))

_TABLE: Final = re.compile(
    r"(/tables/(?!new\b)([A-Za-z0-9_-]{1,64})(?:/invited/([0-9a-f]{1,64}))?)(?:\?(\w+))?"
)


def routes() -> list[BaseRoute]:
    return [
        route("/guest", guest, methods=["POST"]),
        route("/play", play, methods=["POST"]),
        route("/play", to_the_lobby, methods=["GET"]),
        route("/language", language, methods=["POST"]),
        route("/learn/deal", deal_of_lesson, methods=["POST"]),
    ]


async def guest(visit: Visit) -> Response:
    """Make a guest of somebody who has given their name."""
    sent = await visit.fields()
    following, form = local_path(str(sent.get("next", ""))), FilledForm.typed(GUEST, sent)
    try:
        person = await new_guest(visit, **form.read())
    except Wrong as wrong:
        return await name_first(visit, following, form, wrong)
    response = see_other(following)
    await begin(visit, person, response)
    return response


async def name_first(
    visit: Visit,
    following: str,
    form: FilledForm | None = None,
    problem: NotTaken | None = None,
) -> Response:
    """The page that asks for a name, and at a table also whether to sit down.

    Raises `Refused` if the table does not exist, or has been closed.
    """
    found = _TABLE.fullmatch(following)
    outline = await _invitation(visit, found[2]) if found is not None else None
    return form_page(
        visit,
        "name.html",
        form or FilledForm.of(GUEST, {}),
        problem,
        next=following,
        way=found[1] if found is not None else "",
        watch=found is not None and found[4] == WATCH,
        table=_shown(visit, outline, found[3] or "") if found is not None and outline else None,
        full=outline is not None and _is_full(outline),
    )


async def _invitation(visit: Visit, table: str) -> Outline:
    """The table to which a stranger comes, with as much as strangers may know of it."""
    listing = check_there(await room_of(visit).store.listing(table), visit.person)
    while onward := onward_of(listing):
        listing = check_there(await room_of(visit).store.listing(onward), visit.person)
    if listing.state == "closed":
        raise Refused(410, "closed")
    (outline,) = await outlines(room_of(visit).store, [listing])
    return outline


def _shown(visit: Visit, outline: Outline, invitation: str) -> LobbyRow:
    listing = outline.listing
    invited = is_invitation(listing.table, listing.password, invitation)
    return row_of(visit.words, outline, invited=invited)


def _is_full(outline: Outline) -> bool:
    """Whether people have all seats; unknown where strangers may not know who sits there."""
    summary = outline.summary
    return summary is not None and all(seat.person for seat in summary.seats)


async def play(visit: Visit) -> Response:
    """Open a table with bots at once; somebody without a session becomes a guest."""
    words = visit.words
    form = FilledForm.typed(beginning_fields(words), await visit.fields())
    try:
        game, newcomer = game_of(form, words)
    except Wrong as wrong:
        return await first_page(visit, form, wrong)

    def setup(name: str) -> Setup:
        return Setup(table_of(words, name), make_ruleset(game.preset, {"players": game.players}))

    return await seated_table(visit, setup, game.bots(await suited_to(visit)), **newcomer)


async def to_the_lobby(_: Visit) -> Response:
    """Redirect a browser that loads the answer to a form again."""
    return see_other("/")


async def seated_table(
    visit: Visit,
    setup: Callable[[str], Setup],
    levels: Sequence[str],
    name: str = "",
    lang: str = "",
) -> Response:
    """Open a private table with bots at all its seats but one.

    The page begins the match once it is loaded, so that the person adds to the first shuffle too.

    Args:
        setup: makes the setup, from the name of the host.
        name: of somebody without a session, who becomes a guest.
        lang: language of that guest.
    """
    form = await visit.fields()

    async def opened() -> Response:
        alone = replace(setup(visit.someone().name), access=Access.PRIVATE)
        table = await open_table(visit, alone, levels, key=visit.key_of(form))
        return see_other(f"{own_path(visit)}/tables/{table}?{BEGIN}")

    return await come_in(visit, opened, name, lang)


async def come_in(
    visit: Visit, answer: Callable[[], Awaitable[Response]], name: str = "", lang: str = ""
) -> Response:
    """Answer somebody, who becomes a guest first if they have no session.

    Args:
        name: of that guest; empty for a usual one.
        lang: language of that guest.
    """
    if visit.person is not None:
        return await answer()
    person = await new_guest(visit, name or visit.words.t("Guest"), lang)
    visit.visitor.person = person
    response = await answer()
    await begin(visit, person, response)
    return response


async def language(visit: Visit) -> Response:
    """Change the language of the person and of the browser."""
    form = await visit.fields()
    lang = language_of(str(form.get("lang", "")))
    if lang is None:
        raise Refused(422, "no_such_language")
    response = see_other(local_path(str(form.get("next", ""))))
    if visit.person is not None:
        await change_person(visit, lambda person: replace(person, lang=lang))
    path = base_path(visit) or "/"
    response.set_cookie(
        LANGUAGE_COOKIE, lang, max_age=YEAR, path=path, samesite="lax", httponly=True
    )
    return response


async def deal_of_lesson(visit: Visit) -> Response:
    """Open a table for the real deal at the end of the lesson: against beginners, with hints."""
    lang = str((await visit.fields()).get("lang", ""))
    return await seated_table(visit, lambda _: first_deal(visit.words), BEGINNERS, lang=lang)
