"""Requests of the pages of a browser, answered by its room."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any, Final

import msgspec
from msgspec.structs import replace

from volte.cards import VolteError
from volte.forms.fields import FilledForm, NotTaken, Wrong
from volte.forms.game import game_fields, game_of, table_of
from volte.forms.preferences import ALONE, PREFERENCES
from volte.forms.settings import (
    AT_TABLE,
    changed_at_table,
    form_of,
    outcome,
    settings_of,
    with_settings,
)
from volte.rules import make_ruleset
from volte.say import Words, words_of
from volte.say.rulesheet.sheet import rule_sheet
from volte.scene.clauses import sheet_in_html
from volte.solo.answer import SoloAnswer
from volte.solo.room import ME, SoloRoom
from volte.store import Conflict, Person, Unavailable
from volte.table import Access, Setup
from volte.table.setup import Talk

JSON: Final = "application/json"
TEXT: Final = "text/plain; charset=utf-8"
HTML: Final = "text/html; charset=utf-8"

TABLE_ID: Final = re.compile("[0-9a-f]{20}")

DONE: Final = SoloAnswer(200, TEXT, "")
NOT_FOUND: Final = SoloAnswer(404, TEXT, "")


async def respond(
    room: SoloRoom, method: str, path: str, fields: Mapping[str, list[str]]
) -> SoloAnswer | None:
    """Answer a request about a table, the settings or the list of matches; return None for others.

    Args:
        path: from the slash on, with its query.
        fields: of the form that is sent, each with its values.
    """
    words = words_of(room.lang)
    sent = {name: texts[-1] for name, texts in fields.items() if texts}
    try:
        match method, *path.partition("?")[0].strip("/").split("/"):
            case "POST", "play":
                return await _play(room, words, sent)
            case "GET", "me":
                return _json(settings_of(await _person(room)))
            case "GET", "me", "form":
                return _settings_texts(await _person(room))
            case "POST", "me":
                return await _keep_settings(room, words, sent)
            case "POST", "me", place if place in AT_TABLE:
                changes = changed_at_table(place, sent)
                await _change(room, lambda me: replace(me, settings=me.settings | changes))
                return DONE
            case "GET", "tables", table, "rules":
                return await _rules(room, words, table)
            case "POST", "tables", table, "delete":
                await room.drop(table)
                return DONE
    except VolteError as fault:
        return SoloAnswer(422, TEXT, words.fault(fault))
    except Wrong as wrong:
        return SoloAnswer(422, TEXT, wrong.told(words))
    except Unavailable:
        return SoloAnswer(503, TEXT, words.why("unavailable"))
    return None


async def _play(room: SoloRoom, words: Words, sent: Mapping[str, str]) -> SoloAnswer:
    """Open a table under the id that the page has drawn, unless it is there already."""
    table = sent.get("match", "")
    if TABLE_ID.fullmatch(table) and await room.store.listing(table) is not None:
        return DONE
    if not TABLE_ID.fullmatch(table) or "preset" not in sent:
        return NOT_FOUND
    game, newcomer = game_of(FilledForm.typed(game_fields(words), sent), words)
    if newcomer["name"]:
        await _change(room, lambda me: replace(me, name=newcomer["name"]))
    person = await _person(room)
    rules = make_ruleset(game.preset, {"players": game.players})
    name = table_of(words, person.name)
    setup = Setup(name, rules, access=Access.PRIVATE, talk=Talk.NOBODY)
    with suppress(Conflict):
        await room.open(setup, game.bots("casual"), table)
    return DONE


async def _rules(room: SoloRoom, words: Words, table: str) -> SoloAnswer:
    live = await room.find(table)
    if live is None:
        return NOT_FOUND
    return SoloAnswer(200, HTML, sheet_in_html(rule_sheet(live.state.setup.rules, words)))


# Settings


async def _person(room: SoloRoom) -> Person:
    """The person, who reads the language of the page now."""
    return replace(await room.person(), lang=room.lang)


async def _change(room: SoloRoom, change: Callable[[Person], Person]) -> Person:
    """Change the person, and keep them so."""
    await room.person()  # a newcomer is kept first
    changed = await room.store.change_person(ME, change)
    assert changed is not None
    return changed


async def _keep_settings(room: SoloRoom, words: Words, sent: Mapping[str, str]) -> SoloAnswer:
    form = FilledForm.typed(PREFERENCES, sent)

    def change(person: Person) -> Person:
        return with_settings(replace(person, lang=room.lang), form, words)

    try:
        return _json(settings_of(await _change(room, change)))
    except NotTaken as problem:
        return SoloAnswer(problem.status, JSON, _text(outcome(words, problem)))


def _settings_texts(person: Person) -> SoloAnswer:
    """The texts of the form of the settings at a table, by field."""
    form, chosen = form_of(person, ALONE), settings_of(person)
    pace = f"{chosen['bot_pace']} {chosen['trick_pace']}"
    return _json({**form.texts, "shown": form.carried, "pace": pace})


def _json(content: Any) -> SoloAnswer:
    return SoloAnswer(200, JSON, _text(content))


def _text(content: Any) -> str:
    return msgspec.json.encode(content).decode()
