"""The controls of the form for tables, as its template draws them."""

from __future__ import annotations

from typing import Any, Final

from volte.rules import PRESETS, Preset
from volte.say import Words
from volte.say.pages import OPTION_VALUES, level_name, page_sentence, value_meaning
from volte.say.rulesheet.options import option_meaning, preset_summary, preset_title
from volte.table import Access, OpenSeats, Watching
from volte.table.setup import LEAST_CLOCK, LEVELS, LONGEST_CLOCK, SHORTEST_CLOCK, Talk
from volte.web.forms import CYCLE_PLACES, RANGES, SEATS, SHORTEST_PASSWORD, TableForm

PLAYERS: Final = tuple(str(number) for number in range(3, SEATS + 1))
SEAT_FIELDS: Final = tuple(f"seat{place}" for place in range(1, SEATS))
FIRST_FIELDS: Final = frozenset(("preset", "players", "access", "password", *SEAT_FIELDS))
"""What stands before the options that few people want to change."""

PARTS: Final = {
    "part_sides": ("partners",),
    "part_pack": ("packs", "removed", "kitty", "jokers"),
    "part_pass": ("pass_count", "pass_cycle"),
    "part_play": (
        "opening",
        "first_trick_points",
        "hearts_lead",
        "queen_breaks_hearts",
        "hearts_from_trick",
        "queen_play",
        "queen_discard",
    ),
    "part_points": ("heart_points", "queen_points", "jack_points", "card_points", "no_tricks"),
    "part_moon": ("moon", "moon_needs_jack", "moon_by", "slam"),
    "part_end": ("match_end", "at_limit", "ties", "settlement", "irregularities"),
}
"""The options of the rules, by the headings under which they stand."""


HELP: Final = {
    "removed": "removed_help",
    "card_points": "card_points_help",
    "no_tricks": "no_tricks_help",
    "partners": "partners_help",
    "packs": "packs_help",
    "irregularities": "refereed_note",
}
"""What is said beside a control."""


def form_context(words: Words, form: TableForm) -> dict[str, Any]:
    """All that the template of the form needs but its rule sheet."""
    fields = form.fields
    return {
        "form": fields,
        "presets": presets_told(words),
        "player_numbers": [(number, number) for number in PLAYERS],
        "players_label": words.sentence(option_meaning(words, "players")),
        "parts": [
            (page_sentence(words, part), [_control(words, form, name) for name in names])
            for part, names in PARTS.items()
        ],
        "cycle": _cycle(words, form),
        "accesses": [(str(each), page_sentence(words, f"access_{each}")) for each in Access],
        "watchings": [(str(each), page_sentence(words, f"watching_{each}")) for each in Watching],
        "talks": [(str(each), page_sentence(words, f"talk_setup_{each}")) for each in Talk],
        "open_seats": [
            (str(each), page_sentence(words, f"open_seats_{each}")) for each in OpenSeats
        ],
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


def presets_told(words: Words) -> list[dict[str, str]]:
    """The presets, each with what tells it apart."""
    return [
        {
            "name": name,
            "title": preset_title(words, name),
            "summary": preset_summary(words, name),
            "players": _players(words, each),
        }
        for name, each in PRESETS.items()
    ]


def _players(words: Words, preset: Preset) -> str:
    least, most = min(preset.players), max(preset.players)
    if least == most:
        return page_sentence(words, "players_of", players=least)
    return page_sentence(words, "players_range", least=least, most=most)


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
        "number": name in RANGES and RANGES[name][0] >= 0,  # telephones have no minus among digits
        "help": page_sentence(words, HELP[name]) if name in HELP else "",
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
