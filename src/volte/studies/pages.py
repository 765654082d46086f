"""The pages of reviews together: made, followed, led, talked at, and ended."""

from __future__ import annotations

import re
from typing import Final

import msgspec
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import BaseRoute

from volte import game
from volte.cards import VolteError, read_cards
from volte.forms.fields import Field, FilledForm, declared
from volte.game import Refusal
from volte.game.codec import card_text
from volte.history.match_page import made_from, outline_of
from volte.history.moments import steps_by_deal
from volte.history.rows import MatchStore
from volte.people.settings_shown import wishes
from volte.say import N_
from volte.say.measures import day_and_time
from volte.say.rulesheet.options import game_title
from volte.scene.chart import chart_of
from volte.scene.faces import faces_of
from volte.studies import study as acts
from volte.studies.admission import Admitted, admitted, eye_of, opened, sitters_at
from volte.studies.following import EVENTS, follow
from volte.studies.retelling import LineShown, line, steps
from volte.studies.service import Judge, Studies
from volte.studies.store import talk_of
from volte.studies.talking import Asking, say_here
from volte.studies.telling import sight_of
from volte.table import Talk
from volte.talk.panel import panel_page
from volte.talk.store import TalkStore
from volte.web.addresses import shared
from volte.web.page import as_json, done_text, page, wants_json
from volte.web.refused import Refused
from volte.web.room import room_of
from volte.web.visit import Visit, route, see_other
from volte.wire.reading import read

DONE: Final = {
    "ended": N_("The review has ended: its address no longer works."),
    "shown": N_("Noted: everybody here sees your name and your hand."),
    "hidden": N_("Noted: only people who can open the match see your name and your hand."),
}
"""Messages about what has just been done, by the value of `done` in the address."""

MAKING: Final = declared(Field("match"))
DOING: Final = declared(
    *map(Field, ("do", "deal", "step", "to", "card", "place")),
)
"""Fields of the buttons of a review, and of what its script sends."""

NUMBER: Final = re.compile("[0-9]{1,6}")
LONGEST_ASKING: Final = 4096  # characters


def routes() -> list[BaseRoute]:
    return [
        route("/studies", mine, named=True),
        route("/studies", make, methods=["POST"]),
        route("/studies/{study}", show, named=True),
        route("/studies/{study}/changes", changes),
        route("/studies/{study}/deals/{deal:number}", deal),
        route("/studies/{study}/line", tried),
        route("/studies/{study}/do", do, methods=["POST"]),
        route("/studies/{study}/do", to_the_study),
        route("/studies/{study}/talk", talk_panel),
        route("/studies/{study}/talk", talk, methods=["POST"]),
        route("/studies/{study}/people", people),
    ]


# Making, and the list


async def make(visit: Visit) -> Response:
    """Make a review of a match, and lead to it."""
    sent = await visit.fields()
    who, key = visit.someone(), visit.key_of(sent)
    row = await opened(visit, FilledForm.typed(MAKING, sent)["match"])
    await visit.room.limits.spend("table", who.id)
    study = await visit.room[Studies].make(row, who.id, key)
    return see_other(f"/studies/{study.id}")


async def mine(visit: Visit) -> Response:
    """`/studies`: the reviews that the visitor has made, each with its address and its end."""
    words, made = visit.words, await visit.room[Studies].made_by(visit.someone().id)
    rows = [await visit.room[MatchStore].match(each.match) for each in made]
    return page(
        visit,
        "studies.html",
        done=done_text(visit, DONE),
        studies=[
            (each.id, day_and_time(words, row.begun), day_and_time(words, each.ends))
            for each, row in zip(made, rows, strict=True)
            if row is not None
        ],
    )


# The page


async def show(visit: Visit) -> Response:
    """The page of a review, as its visitor may see it."""
    at = await admitted(visit)
    eye = await eye_of(visit, at)
    outline, sheet = await made_from(visit, at.row, lambda log: outline_of(eye.log(log)))
    started = outline[0]
    assert isinstance(started, game.MatchStarted)
    words, seat = visit.words, eye.own
    called = [player.name for player in started.players]
    if seat is not None:
        called[seat] = words.sentence(words.t("you"))
    faces = faces_of(started.players, eye.open_faces.at())
    chart = chart_of(words, called, [face.hue for face in faces], sheet, seat)
    return page(
        visit,
        "study.html",
        study=at.study,
        sight=sight_of(eye.seats),
        talked=await room_of(visit).store[TalkStore].last(talk_of(at.id)),
        date=day_and_time(words, at.row.begun),
        ends=day_and_time(words, at.study.ends),
        address=f"{shared(visit)}/studies/{at.id}",
        done=done_text(visit, DONE),
        whole=at.whole,
        makes=at.study.maker == at.person,
        shows=await _shows(visit, at),
        rules=game_title(words, started.rules),
        seat=seat,
        chart=chart,
        outline=msgspec.to_builtins(outline, enc_hook=card_text),
        sheet=msgspec.to_builtins(sheet, enc_hook=card_text),
        chosen=wishes(visit),
    )


async def _shows(visit: Visit, at: Admitted) -> bool | None:
    """Whether the visitor agrees to be shown; None where they need not be asked."""
    people = await sitters_at(visit, at.row)
    if at.person == at.study.maker or not any(at.person in each for each in people):
        return None
    attendees = await visit.room[Studies].attendees(at.id)
    return any(each.person == at.person and each.shows for each in attendees)


async def changes(visit: Visit) -> Response:
    """Tell the page of a review, while it is open, of every change; see `follow`."""
    at = await admitted(visit)
    if EVENTS not in visit.headers.get("accept", ""):
        raise Refused(406, "not_found")
    heard = number(visit.query_params.get("heard", "0"))
    headers = {"cache-control": "no-store", "x-accel-buffering": "no"}
    return StreamingResponse(follow(visit, at, heard), media_type=EVENTS, headers=headers)


async def deal(visit: Visit) -> Response:
    """A deal of the match, step by step, as JSON."""
    at, wanted = await admitted(visit), visit.path_params["deal"]
    eye = await eye_of(visit, at)
    moments = await made_from(visit, at.row, lambda log: steps(eye, log, wanted))
    if not moments:
        raise Refused(404, "not_found")
    return JSONResponse({"number": wanted, "moments": moments})


async def tried(visit: Visit) -> Response:
    """The line that is tried, and the cards with which the visitor may go on, as JSON."""
    at = await admitted(visit)
    return as_json(await _line_of(visit, at))


async def _line_of(visit: Visit, at: Admitted) -> LineShown:
    """The line that is tried, as the visitor sees it. Raises `Refused` where there can be none."""
    study, eye, cards = at.study, await eye_of(visit, at), read_cards(at.study.cards)
    found = await made_from(
        visit, at.row, lambda log: line(eye, log, study.deal, study.step, cards)
    )
    if isinstance(found, Refusal):
        raise Refused(409, found.reason)
    return found


# Doing


async def do(visit: Visit) -> Response:
    """Do what a button says, or a script of the page."""
    form = FilledForm.typed(DOING, await visit.fields())
    at, studies = await admitted(visit), visit.room[Studies]
    done, action = "", form["do"]
    if action == "end":
        if at.person != at.study.maker:
            raise Refused(403, "forbidden")
        await studies.end(at.study)
        return see_other("/studies?done=ended")
    if action in ("show", "hide"):
        await studies.attend(at.id, at.person)
        await studies.show(at.id, at.person, action == "show")
        done = "?done=shown" if action == "show" else "?done=hidden"
    else:
        await studies.do(at.id, await _judge(visit, at, form))
    return as_json({}) if wants_json(visit) else see_other(f"/studies/{at.id}{done}")


async def _judge(visit: Visit, at: Admitted, form: FilledForm) -> Judge:
    """The act that a form asks for. Raises `Refused`."""
    me, card, place = at.person, form["card"], number(form["place"])
    deal, step = number(form["deal"], 1), number(form["step"])
    match form["do"]:
        case "lead":
            await _check_step(visit, at, deal, step)
            return lambda study, here: acts.lead(study, me, deal, step)
        case "hand":
            return lambda study, here: acts.hand_over(study, me, form["to"], here)
        case "try":
            await _check_line(visit, at, "")
            return lambda study, here: acts.begin_line(study, me, deal, step)
        case "card":
            if card not in at.study.line[place : place + 1]:  # else it has been sent before
                if place != len(at.study.line):
                    raise Refused(409, "study_moved_on")
                await _check_line(visit, at, card)
            return lambda study, here: acts.add_card(study, me, card, place, at.study)
        case "take":
            return lambda study, here: acts.take_card_back(study, me, place)
        case "back":
            return lambda study, here: acts.end_line(study, me)
    raise Refused(400, "wrong_form")


async def _check_step(visit: Visit, at: Admitted, deal: int, step: int) -> None:
    """Raise `Refused` where the match has no such step."""
    known = visit.room[Studies].steps
    steps = known.get(at.row.id)
    if steps is None:
        steps = known[at.row.id] = await made_from(visit, at.row, steps_by_deal)
    if step >= steps.get(deal, 0):
        raise Refused(409, "no_such_step")


async def _check_line(visit: Visit, at: Admitted, card: str) -> None:
    """Raise `Refused` where the visitor may not go on with a line by this card, or by any.

    Args:
        card: empty before the first one.
    """
    found = await _line_of(visit, at)
    if found.turn is None:
        raise Refused(403, "line_closed")
    if card and card not in [each.card.text for each in found.legal]:
        raise Refused(409, "line_not_legal")


def number(text: str, usual: int = 0) -> int:
    """The number that was sent; the usual one in place of anything else."""
    return int(text) if NUMBER.fullmatch(text) else usual


async def to_the_study(visit: Visit) -> Response:
    """Lead somebody who loads the answer to a form again back to the review."""
    return see_other(f"/studies/{visit.path_params['study']}")


# Talk


async def talk_panel(visit: Visit) -> Response:
    """Answer with the panel for talking, which the script of the page shows."""
    await admitted(visit)
    return panel_page(visit, Talk.ALL, at_table=False)


async def talk(visit: Visit) -> Response:
    """Do what the panel for talking asks for, and say what came of it."""
    sent = await visit.fields()
    at = await admitted(visit)
    try:
        asking = read(Asking, str(sent.get("message", "")))
    except (VolteError, msgspec.DecodeError, msgspec.ValidationError):
        raise Refused(400, "wrong_form") from None
    refusal, lines = await say_here(visit, at, asking)
    return as_json({"ok": refusal is None, "lines": lines})


async def people(visit: Visit) -> Response:
    """The other attendees, for the panel for talking, and whether the visitor has muted each."""
    at = await admitted(visit)
    muted = await room_of(visit).store[TalkStore].muted(at.person)
    attendees = await visit.room[Studies].attendees(at.id)
    return as_json(
        [
            {"person": each.person, "name": each.name, "muted": each.person in muted}
            for each in sorted(attendees, key=lambda each: (-each.seen, each.person))
            if each.person != at.person
        ]
    )
