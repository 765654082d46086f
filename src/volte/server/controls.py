"""The controls of the form for tables, as its template draws them."""

from __future__ import annotations

from typing import Any

from volte.rules import OPTIONS, PRESETS
from volte.server.forms import (
    CYCLE_PLACES,
    RANGES,
    SEATS,
    SHORTEST_PASSWORD,
    TableForm,
)
from volte.table import Access, Watching
from volte.table.setup import LEAST_CLOCK, LEVELS, LONGEST_CLOCK, SHORTEST_CLOCK
from volte.words import Words
from volte.words.pages import OPTION_VALUES, level_name, page_sentence, value_meaning
from volte.words.sheet_options import option_meaning, preset_title

PLAYERS = tuple(str(number) for number in range(3, SEATS + 1))


def form_context(words: Words, form: TableForm) -> dict[str, Any]:
    """All that the template of the form needs but its rule sheet."""
    fields = form.fields
    return {
        "form": fields,
        "presets": [(name, preset_title(words, name)) for name in PRESETS],
        "player_numbers": [(number, number) for number in PLAYERS],
        "players_label": words.sentence(option_meaning(words, "players")),
        "options": [_control(words, form, name) for name in OPTIONS if name != "players"],
        "cycle": _cycle(words, form),
        "accesses": [(str(each), page_sentence(words, f"access_{each}")) for each in Access],
        "watchings": [(str(each), page_sentence(words, f"watching_{each}")) for each in Watching],
        "clock_help": page_sentence(
            words,
            "clock_help",
            shortest=SHORTEST_CLOCK,
            longest=LONGEST_CLOCK,
            least=LEAST_CLOCK,
        ),
        "password_help": _password_help(words, form),
        "seats": [
            (f"seat{place}", page_sentence(words, "seat_number", number=place + 1), level)
            for place, level in enumerate(form.levels)
            if place
        ],
        "levels": [
            ("", page_sentence(words, "seat_free")),
            *((level, level_name(words, level)) for level in LEVELS),
        ],
    }


def _password_help(words: Words, form: TableForm) -> str:
    text = page_sentence(words, "password_help", least=SHORTEST_PASSWORD)
    return f"{text} {page_sentence(words, 'keep_password')}" if form.password_kept else text


def _control(words: Words, form: TableForm, name: str) -> dict[str, Any]:
    """One option: its label, what kind of control it is, its value and choices."""
    kind = "choice"
    choices: list[tuple[str, str]] = []
    if name in OPTION_VALUES:
        choices = [(value, value_meaning(words, name, value)) for value in OPTION_VALUES[name]]
    elif name == "pass_count":
        choices = [(str(number), str(number)) for number in range(5)]
    else:
        kind = "text"
    if name == "pass_cycle":
        kind = "cycle"
    return {
        "name": name,
        "label": words.sentence(option_meaning(words, name)),
        "kind": "end" if name == "match_end" else kind,
        "value": form.fields.get(name, ""),
        "choices": choices,
        "number": name in RANGES,
    }


def _cycle(words: Words, form: TableForm) -> dict[str, Any]:
    """The directions of the pass, a place for each deal."""
    places = max(CYCLE_PLACES, len(form.cycle))
    values = form.cycle + ("",) * (places - len(form.cycle))
    choices = [("", page_sentence(words, "cycle_end"))]
    choices += [
        (value, value_meaning(words, "pass_cycle", value)) for value in OPTION_VALUES["pass_cycle"]
    ]
    return {
        "places": [
            (place, page_sentence(words, "cycle_place", number=place), value)
            for place, value in enumerate(values, start=1)
        ],
        "choices": choices,
    }
