"""Requests of the pages of a browser, as its room answers them."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from kit.solo import OpenRoom, SlowKeeper

from volte.forms.fields import FilledForm
from volte.forms.preferences import ALONE, OF_COMPANY, PREFERENCES, USUAL
from volte.forms.settings import form_of, settings_of
from volte.rules import make_ruleset
from volte.say import words_of
from volte.say.rulesheet.sheet import rule_sheet
from volte.solo.requests import JSON, respond
from volte.solo.room import ME, SoloRoom
from volte.store import Person
from volte.web.page import rendered

ID = "0123456789abcdef0123"


@pytest.fixture
def room(room_over: OpenRoom) -> SoloRoom:
    return room_over(SlowKeeper())


async def ask(room: SoloRoom, path: str, **fields: str) -> tuple[int, Any]:
    """The status and the content of an answer; a form is sent if there are fields."""
    sent = {name: [text] for name, text in fields.items()}
    answer = await respond(room, "POST" if fields else "GET", path, sent)
    assert answer is not None
    body = msgspec.json.decode(answer.body) if answer.type == JSON else answer.body
    return answer.status, body


async def test_a_match_is_opened_once_under_the_id_of_its_page(room: SoloRoom) -> None:
    game = {"match": ID, "preset": "omnibus", "players": "5", "level": "strong", "name": "Anne"}
    for _ in range(2):  # its page is loaded again
        assert await ask(room, "/play", **game) == (200, "")
    (listing,) = await room.tables()
    live = await room.find(ID)
    assert live is not None
    assert (listing.table, live.state.setup.name) == (ID, "Anne’s table")
    assert live.state.setup.rules == make_ruleset("omnibus", {"players": 5})
    assert [seat.level for seat in live.state.seats] == ["", *["strong"] * 4]


@pytest.mark.parametrize(
    ("field", "text"),
    [("match", "../me"), ("match", ""), ("preset", "poker"), ("players", "11"), ("level", "x")],
)
async def test_an_address_that_asks_for_what_there_is_not_opens_nothing(
    room: SoloRoom, field: str, text: str
) -> None:
    status, _ = await ask(room, "/play", **{"match": ID, "preset": "microsoft", field: text})
    assert status in (404, 422)
    assert await ask(room, "/play", match=ID) == (404, "")  # no such match is kept
    assert await room.tables() == []


async def test_settings_are_kept_as_at_a_server(room: SoloRoom) -> None:
    form = form_of(await room.person(), ALONE)
    _, texts = await ask(room, "/me/form")
    assert {name: texts[name] for name in form.texts} == form.texts
    changed = {**form.texts, "verbosity": "terse", "key_hint": "Z", "shown": texts["shown"]}
    sent = {name: text for name, text in changed.items() if text}
    status, kept = await ask(room, "/me", **sent)
    assert (status, kept["verbosity"], kept["key_hint"]) == (200, "terse", "z")
    assert kept == settings_of(await room.person())
    assert all(kept[name] == USUAL[name] for name in OF_COMPANY)  # nobody was asked
    assert (await ask(room, "/me", **{**sent, "key_hint": "q"}))[0] == 409  # another tab was first
    _, texts = await ask(room, "/me/form")
    again = {**sent, "shown": texts["shown"], "key_hint": sent["key_table"]}
    status, wrong = await ask(room, "/me", **again)
    assert status == 422
    assert [*wrong["wrong"]] in (["key_hint"], ["key_table"])
    assert await ask(room, "/me/helped", csrf="") == (200, "")
    assert await ask(room, "/me/reader_rate", reader_rate="250") == (200, "")
    assert (await ask(room, "/me/reader_rate", reader_rate="9"))[0] == 422
    _, kept = await ask(room, "/me")
    assert (kept["helped"], kept["reader_rate"]) == (True, 250)
    assert FilledForm.of(PREFERENCES, kept).texts["key_hint"] == "Z"


async def test_rules_are_told_as_at_a_server(room: SoloRoom) -> None:
    await ask(room, "/play", match=ID, preset="microsoft")
    words = words_of("en")
    sheet = rule_sheet(make_ruleset("microsoft"), words)
    page = rendered("sheet.html", words, "", None, sections=sheet, sheet_fault="")
    status, told = await ask(room, f"/tables/{ID}/rules")
    assert (status, told) == (200, page.strip())
    assert await ask(room, "/tables/unknown/rules") == (404, "")


async def test_settings_that_are_damaged_are_the_usual_ones_and_the_others_stay(
    room: SoloRoom,
) -> None:
    damaged = {"bot_pace": "x", "key_talk": 5, "verbosity": {}, "hue": ["red"]}
    sound = {"theme": "dark", "trick_pace": 0, "reader_rate": None, "helped": True}
    await room.store.put_person(Person(ME, "Anne", "en", damaged | sound, 1.0))
    assert await ask(room, "/me") == (200, settings_of(Person(ME, "Anne", "en", sound, 1.0)))
    assert (await ask(room, "/me/form"))[0] == 200
