"""The pages of the playroom beside its tables: settings, rules, and all that explains."""

from __future__ import annotations

from functools import partial
from typing import Final

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from volte.rules import PRESETS, make_ruleset, preset
from volte.server import arriving, lesson_page, table_pages
from volte.server.controls import presets_told
from volte.server.lobby_page import lobby
from volte.server.page import page
from volte.server.preferences import USUAL
from volte.server.refused import Refused
from volte.server.settings_page import keep_helped, keep_settings, settings_of, show_settings
from volte.store import Person
from volte.words import Words
from volte.words.accessibility import accessibility_page
from volte.words.fairness import Section, fairness_page
from volte.words.origins import origins_page
from volte.words.pages import page_sentence
from volte.words.sheet import rule_sheet
from volte.words.sheet_options import preset_summary, preset_title

MOVES: Final = ("arrows", "suits", "ends", "enter", "escape")
QUESTIONS: Final = (
    *("table", "scores", "turn", "hand", "last", "points", "sheet", "rules", "hint", "talk"),
    "keys",
)
REVIEWS: Final = ("repeat", "before", "after")
RULINGS: Final = ("turn_down", "put_right", "object", "claim_revoke", "cut", "accept")


def routes() -> list[BaseRoute]:
    """Every page."""
    return [
        Route("/", lobby),
        Route("/lobby", lobby),
        Route("/me", show_settings, methods=["GET"]),
        Route("/me", keep_settings, methods=["POST"]),
        Route("/me/helped", keep_helped, methods=["POST"]),
        Route("/help", help_page),
        Route("/rules", rules),
        Route("/rules/{preset}", rules_of),
        Route("/history", history),
        Route("/fair", fair),
        Route("/accessibility", accessibility),
        *arriving.routes(),
        *lesson_page.routes(),
        *table_pages.routes(),
    ]


async def help_page(request: Request) -> Response:
    """Where everything is explained."""
    words: Words = request.state.words
    return page(
        request,
        "help.html",
        presets=presets_told(words),
        keys_told=_keys(words, request.state.person),
    )


def _keys(words: Words, person: Person | None) -> list[tuple[str, list[tuple[str, str]]]]:
    """The keys at the table under their headings, the letters as that person has them."""
    chosen = USUAL if person is None else settings_of(person)
    say = partial(page_sentence, words)

    def letter(name: str) -> tuple[str, str]:
        return str(chosen[f"key_{name}"]).upper(), say(f"set_key_{name}")

    moves = [(say(f"name_{each}"), say(f"key_{each}")) for each in MOVES]
    digits = (say("name_digits"), say("key_digits"))
    return [
        (say("keys_moving"), moves),
        (say("keys_asking"), [digits, *map(letter, QUESTIONS)]),
        (say("keys_again"), [*map(letter, REVIEWS)]),
        (say("keys_at_referee"), [*map(letter, RULINGS)]),
    ]


# Rules


async def rules(request: Request) -> Response:
    return page(request, "rules.html", presets=presets_told(request.state.words))


async def rules_of(request: Request) -> Response:
    words: Words = request.state.words
    name = request.path_params["preset"]
    if name not in PRESETS:
        raise Refused(404, "not_found")
    chosen = preset(name)
    asked = request.query_params.get("players", "")
    players = next((each for each in chosen.players if str(each) == asked), chosen.players[0])
    return page(
        request,
        "preset.html",
        name=name,
        title=preset_title(words, name),
        summary=preset_summary(words, name),
        numbers=sorted(chosen.players),
        players=players,
        sections=rule_sheet(make_ruleset(name, {"players": players}), words),
        sheet_fault="",
    )


# Texts


async def history(request: Request) -> Response:
    """Where the game comes from."""
    return _text(request, "history", origins_page(request.state.words))


async def fair(request: Request) -> Response:
    """How cards are dealt so that nobody can choose them."""
    return _text(request, "fair_title", fairness_page(request.state.words))


async def accessibility(request: Request) -> Response:
    """What was built for whom, what was tested, and what was not."""
    return _text(request, "accessibility", accessibility_page(request.state.words))


def _text(request: Request, title: str, sections: tuple[Section, ...]) -> Response:
    heading = page_sentence(request.state.words, title)
    return page(request, "text.html", title=heading, sections=sections)
