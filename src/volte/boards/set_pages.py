"""The pages of sets of deals: playing through one, making, changing, ending and reporting it."""

from __future__ import annotations

import re
import secrets
import time
from contextlib import suppress
from typing import Any, Final, NamedTuple

from msgspec.structs import replace
from starlette.responses import Response
from starlette.routing import BaseRoute

from volte.boards.board import Board, Try
from volte.boards.called import rules_called
from volte.boards.keeper import BoardKeeper
from volte.boards.pages import to_table
from volte.boards.set_form import (
    LONGEST_SENTENCE,
    MOST_DEALS,
    fields_for,
    read_set,
    rows_shown,
    values_of,
)
from volte.boards.sets import DealSet, PlacedDeal, Sets, found_by, place_of, texts_of
from volte.boards.store import Boards
from volte.evenings.conducting import MOST_TRIES
from volte.forms.fields import Choice, Field, FilledForm, NotTaken, Overtaken, Wrong, declared
from volte.say import N_, Words
from volte.say.measures import day_and_time
from volte.say.texts.talk import REASONS
from volte.store import Conflict, Unavailable
from volte.talk.reports import refused_line
from volte.talk.service import TalkService, line_field
from volte.talk.session import LONGEST_NOTE, TalkPlace, report
from volte.talk.store import TalkStore
from volte.web.addresses import shared
from volte.web.page import done_text, form_page, page
from volte.web.refused import Refused
from volte.web.room import room_of
from volte.web.visit import Visit, route, see_other
from volte.wire import messages as wire

ADDRESS: Final = re.compile(r"[0-9a-f]{32}")
"""The id of a set: 128 random bits."""

MOST_SETS: Final = 50  # sets of one person

DONE: Final = {
    "made": N_("The set is ready: give its address to anybody you like."),
    "saved": N_("Saved."),
    "reported": N_("Thank you. A moderator will look at your report."),
}
"""Messages about what has just been done, by the value of `done` in the address."""

REPORTING: Final = declared(
    Choice("why", "insult", values=tuple(REASONS)),
    line_field("note", LONGEST_NOTE),
    Field("version"),
)
"""The fields of a report; `version` is that of the texts that the form showed."""


def routes() -> list[BaseRoute]:
    return [
        route("/deals/sets/new", new, named=True),
        route("/deals/sets/new", make, methods=["POST"]),
        route("/deals/sets/{set}", show),
        route("/deals/sets/{set}/play", play, methods=["POST"]),
        route("/deals/sets/{set}/edit", show_edit),
        route("/deals/sets/{set}/edit", edit, methods=["POST"]),
        route("/deals/sets/{set}/end", end, methods=["POST"]),
        route("/deals/sets/{set}/report", show_report, named=True),
        route("/deals/sets/{set}/report", send_report, methods=["POST"]),
        *(route(f"/deals/sets/{{set}}/{form}", to_the_set) for form in ("play", "end")),
    ]


async def set_of(visit: Visit) -> DealSet:
    """The set of the address. Raises `Refused` 404 where there is none, or it has ended."""
    name = visit.path_params["set"]
    found = await room_of(visit).store[Sets].deal_set(name) if ADDRESS.fullmatch(name) else None
    if found is None:
        raise Refused(404, "no_set")
    return found


async def own_set(visit: Visit) -> DealSet:
    """The set of the address, for its maker. Raises `Refused` for others."""
    found = await set_of(visit)
    if found.maker != visit.known().id:
        raise Refused(403, "forbidden")
    return found


# Playing through a set


class Walk(NamedTuple):
    """The way of the visitor through a set."""

    deal_set: DealSet
    past: list[PlacedDeal]  # the deals that they have played
    here: PlacedDeal | None  # the first that they have not; None after the last
    goes_on: bool  # whether they have begun to play it
    most: int  # number of deals that they can play, or have played
    removed: bool  # whether moderators have removed the texts
    muted: bool  # whether the visitor has muted the maker

    @property
    def seen(self) -> list[int]:
        """The numbers of the texts that the visitor is shown; see `texts_of`."""
        if self.removed:
            return []
        if self.muted:
            return [1]
        at = {step.board: number for number, step in enumerate(self.deal_set.steps, start=2)}
        sights = [*self.past, *([self.here] if self.here is not None else [])]
        last = [] if self.here is not None else [len(at) + 2]
        return [1, *(at[each.step.board] for each in sights), *last]

    def sentence(self, text: str) -> str:
        """A sentence of the set, as it is shown; empty where it is not."""
        return "" if self.removed or self.muted else text


async def walk_of(visit: Visit) -> Walk:
    """The way of the visitor through the set of the address. Raises `Refused`."""
    found, store = await set_of(visit), room_of(visit).store
    keys = [step.board for step in found.steps]
    tries = list[Try]()
    for each in await store[Boards].tries_of(keys, visit.who) if visit.who else []:
        tries.append(await visit.room[BoardKeeper].finish(each))
    own = {each.board: each for each in reversed(tries) if each.finished is not None}
    sights = [*found_by(found.steps, await store[Boards].some(keys), own)]
    here = next((each for each in sights if each.own is None), None)
    muted = await store[TalkStore].muted(visit.who) if visit.who else {}
    return Walk(
        found,
        [each for each in sights if each.own is not None],
        here,
        here is not None and any(each.goes_on and each.board == here.board.id for each in tries),
        len(sights),
        bool(await store[TalkStore].removed([place_of(found.id)])),
        found.maker in muted,
    )


async def show(visit: Visit) -> Response:
    """`/deals/sets/{set}`: the sentence before the next deal, and the results so far."""
    walk, words = await walk_of(visit), visit.words
    found, here = walk.deal_set, walk.here
    return page(
        visit,
        "set.html",
        key=found.id,
        title="" if walk.removed else found.title,
        removed=walk.removed,
        number=len(walk.past),
        most=walk.most,
        deal={"number": here.number, "board": here.board.id} if here is not None else None,
        before=walk.sentence(here.step.before) if here is not None else "",
        rules=rules_called(words, here.board) if here is not None else "",
        goes_on=walk.goes_on,
        last=walk.sentence(found.last) if here is None else "",
        past=[_past(words, walk, each) for each in walk.past],
        left_out=len(found.steps) - walk.most,
        mine=found.maker == visit.who,
        seen=bool(walk.seen),
        to_share=f"{shared(visit)}/deals/sets/{found.id}",
        done=done_text(visit, DONE),
    )


def _past(words: Words, walk: Walk, sight: PlacedDeal) -> dict[str, Any]:
    """A deal that the visitor has played, in words; where its address has ended, without it."""
    assert sight.own is not None
    points = words.points(sight.own.played.points)
    return {
        "number": sight.number,
        "before": walk.sentence(sight.step.before),
        "told": words.t("You took {points} in this deal.", points=points),
        "board": sight.board.id if sight.board.ended is None else "",
    }


async def play(visit: Visit) -> Response:
    """Open the table of the next deal, or lead back to the one that is not over.

    The form names the deal that it showed: another one is not begun before its sentence was read.
    """
    sent, walk = await visit.fields(), await walk_of(visit)
    if walk.here is None or str(sent.get("board", "")) != walk.here.board.id:
        return see_other(f"/deals/sets/{walk.deal_set.id}")
    return await to_table(visit, sent, walk.here.board, walk.deal_set.id)


async def to_the_set(visit: Visit) -> Response:
    """Redirect a browser that loads the answer to a form again."""
    return see_other(f"/deals/sets/{(await set_of(visit)).id}")


# Making and changing


async def new(visit: Visit) -> Response:
    """`/deals/sets/new`: the form for a new set."""
    boards = await _choices(visit, None)
    return _form_page(visit, "", FilledForm.of(fields_for(boards), {}), boards)


async def make(visit: Visit) -> Response:
    """Make a set, or find the one that the same form has made."""
    sent, person, sets = await visit.fields(), visit.known(), room_of(visit).store[Sets]
    boards, origin = await _choices(visit, None), visit.key_of(sent)
    form = FilledForm.typed(fields_for(boards), sent)
    made = await sets.from_origin(origin)
    if made is None:
        try:
            values = read_set(form)
            await _may_write(visit)
            if len(await sets.made_by(person.id)) >= MOST_SETS:
                raise Wrong("title", Refused(429, "too_many_sets", most=MOST_SETS))
        except Wrong as wrong:
            return _form_page(visit, "", form, boards, wrong)
        key, now = secrets.token_hex(16), time.time()
        fresh = DealSet(
            id=key, maker=person.id, **values, version=1, made=now, changed=now, origin=origin
        )
        with suppress(Conflict):  # the same press has come twice at once
            await sets.make(fresh)
        made = await sets.from_origin(origin) or fresh
    return see_other(f"/deals/sets/{made.id}?done=made")


async def show_edit(visit: Visit) -> Response:
    """`/deals/sets/{set}/edit`: the form of a set, for its maker."""
    found = await _open_to_change(visit)
    boards = await _choices(visit, found)
    form = FilledForm.of(fields_for(boards), values_of(found))
    return _form_page(visit, found.id, form, boards)


async def edit(visit: Visit) -> Response:
    """Change a set; of two forms each keeps what it has changed."""
    sent = await visit.fields()
    for attempt in range(MOST_TRIES):
        found = await _open_to_change(visit)
        boards = await _choices(visit, found)
        form = FilledForm.typed(fields_for(boards), sent)
        try:
            values = read_set(form.upon(values_of(found)))
            if not attempt:
                await _may_write(visit)
        except NotTaken as problem:
            return _form_page(visit, found.id, form, boards, problem)
        after = replace(found, **values, version=found.version + 1, changed=time.time())
        with suppress(Conflict):
            await room_of(visit).store[Sets].change(found, after)
            return see_other(f"/deals/sets/{found.id}?done=saved")
    raise Unavailable("too many write to one set")


async def _open_to_change(visit: Visit) -> DealSet:
    """The set of the address, for its maker, unless moderators have removed its texts."""
    found = await own_set(visit)
    if await room_of(visit).store[TalkStore].removed([place_of(found.id)]):
        raise Refused(403, "set_removed")
    return found


async def _choices(visit: Visit, deal_set: DealSet | None) -> dict[str, Board]:
    """The boards that the visitor may choose: their own, and those that are in the set."""
    boards = room_of(visit).store[Boards]
    mine = {each.id: each for each in await boards.made_by(visit.who)}
    chosen = [step.board for step in deal_set.steps] if deal_set is not None else []
    return await boards.some(chosen) | mine


async def _may_write(visit: Visit) -> None:
    """Raise `Wrong` for somebody who may not talk now: moderators have barred them, or too fast."""
    try:
        await room_of(visit)[TalkService].allow(visit.known().id)
    except Refused as refused:
        refusal, _ = refused_line(visit.words, refused)
        why = Refused(refused.status_code, refusal.reason, **refusal.params)
        raise Wrong("title", why) from None


def _form_page(
    visit: Visit,
    key: str,
    form: FilledForm,
    boards: dict[str, Board],
    problem: NotTaken | None = None,
) -> Response:
    words = visit.words
    deals = [
        ("", words.t("No deal")),
        *((each.id, _called(words, each)) for each in boards.values()),
    ]
    rows = rows_shown(form.again(problem))
    return form_page(
        visit,
        "set_form.html",
        form,
        problem,
        meanings={f"deal{row}": dict(deals) for row in rows},
        key=key,
        rows=rows,
        deals=deals,
        most_deals=MOST_DEALS,
        longest_sentence=LONGEST_SENTENCE,
    )


def _called(words: Words, board: Board) -> str:
    """A board in the list of those that may be chosen."""
    called = words.t(
        "Deal {number}: {rules}, {date}",
        number=words.number(board.number),
        rules=rules_called(words, board),
        date=day_and_time(words, board.made),
    )
    return called if board.ended is None else words.t("{deal} (ended)", deal=called)


async def end(visit: Visit) -> Response:
    """End a set with its texts, for its maker. Its deals keep their addresses."""
    await visit.fields()
    found = await own_set(visit)
    await room_of(visit).store[Sets].end(found.id)
    return see_other("/deals?done=set_ended")


# Reporting


async def show_report(visit: Visit) -> Response:
    """`/deals/sets/{set}/report`: the form for reporting the texts of a set."""
    walk = await walk_of(visit)
    version = str(walk.deal_set.version)
    return await _report_page(visit, walk, FilledForm.of(REPORTING, {"version": version}))


async def send_report(visit: Visit) -> Response:
    """Store a report, with the texts as they are now."""
    sent, who, walk = await visit.fields(), visit.someone(), await walk_of(visit)
    form, found = FilledForm.typed(REPORTING, sent), walk.deal_set
    try:
        values = form.read()
        if values["version"] != str(found.version):
            form = replace_version(form, found.version)
            raise Overtaken("changed", N_("Its maker has changed the texts: look at them again."))
    except Wrong as wrong:
        return await _report_page(visit, walk, form, wrong)
    maker = await room_of(visit).store.person(found.maker)
    if maker is None:
        raise Refused(404, "no_set")
    place = TalkPlace(
        *(place_of(found.id), found.title, {maker.id: maker.name}, ("table",)),
        texts=texts_of(found, maker.name),
    )
    asking = wire.Report(
        visit.key_of(sent)[:32], found.maker, values["why"], tuple(walk.seen), values["note"]
    )
    await report(room_of(visit), place, who, asking, visit.words)
    return see_other(f"/deals/sets/{found.id}?done=reported")


def replace_version(form: FilledForm, version: int) -> FilledForm:
    """The form of a report for the texts as they are now."""
    return FilledForm(form.kinds, {**form.fields, "version": str(version)})


async def _report_page(
    visit: Visit, walk: Walk, form: FilledForm, wrong: Wrong | None = None
) -> Response:
    words, found = visit.words, walk.deal_set
    return form_page(
        visit,
        "set_report.html",
        form,
        wrong,
        key=found.id,
        texts=[each.text for each in texts_of(found, "") if each.number in walk.seen],
        reasons=[(name, words.t(line)) for name, line in REASONS.items()],
        longest_note=LONGEST_NOTE,
    )
