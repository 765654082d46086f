"""A match as a simulated screen reader speaks it: how much is said again that has been heard."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, Final

from kit.matches import played
from playwright.sync_api import Page

from volte.forms.preferences import USUAL
from volte.game import Event, Passed, Phase, Played, TrickTaken, visible
from volte.rules import make_ruleset
from volte.say import Verbosity, Words
from volte.view import View
from volte.web.assets import client_sentences, static

READER: Final = (Path(__file__).parent / "reader.js").read_text(encoding="utf-8")
BOT_PACE: Final = 800
TRICK_PACE: Final = 1500
"""Usual milliseconds before a bot's card, and before one after a full trick."""


@cache
def steps(lang: str, deals: int, seed: int = 3) -> tuple[dict[str, Any], ...]:
    """What happens in a match to the person at seat 0, with its sentences."""
    log = played(make_ruleset("coeurs", {"match_end": f"deals:{deals}"}), seed)
    return tuple(_steps(Words(lang), log))


def _steps(words: Words, log: list[Event]) -> Iterator[dict[str, Any]]:
    before: View | None = None
    for number, event in enumerate(log):
        seen = visible(event, 0)
        view = View.of(0, [seen]) if before is None else before.see(seen)
        lies = number > 0 and isinstance(log[number - 1], TrickTaken)
        yield {
            "wait": TRICK_PACE if lies else BOT_PACE if isinstance(event, Played) else 0,
            "mine": isinstance(event, Played | Passed) and event.seat == 0,
            "event": {"event": type(event).__name__, "seat": getattr(event, "seat", None)},
            "lines": words.tell(before, seen, view, Verbosity.NORMAL),
            "scene": _scene(view),
        }
        before = view


def _scene(view: View) -> dict[str, Any]:
    """As much of a scene as what is said depends on."""
    deal = view.state.deal
    playing = view.state.phase is Phase.PLAYING and deal is not None
    mine = view.my_turn and ("Pass" if view.state.phase is Phase.PASSING else "Play")
    return {
        "seat": 0,
        "deal": deal.number if deal is not None else 0,
        "hand": [0] * len(view.hand) if deal is not None else [],
        "status": "",
        "phase": "playing",
        "turn": view.deal.turn if playing else None,
        "may": [mine] if mine else [],
        "seats": [{"name": each.name, "state": "bot"} for each in view.state.players],
    }


def read(page: Page, address: str, lang: str, deals: int, **how: Any) -> dict[str, int]:
    """Counts of what a reader spoke in a match, and of what it said again.

    Args:
        how: `rate` of the reader, `setting` of the page (None: not known), and how the listener
            acts: see `reader.js`.
    """
    page.goto(f"{address}/fair")
    chosen = {**USUAL, "bot_pace": BOT_PACE, "reader_rate": how.pop("setting", None)}
    modules = f"{address}{static('', lang)}".rstrip("/")
    given = [modules, json.dumps(client_sentences(Words(lang))), json.dumps(chosen)]
    found: dict[str, int] = page.evaluate(f"({READER})", [*given, steps(lang, deals), how])
    return found
