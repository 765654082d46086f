"""Controls of the forms with rules, in the shape that their templates draw."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from time import time
from typing import Any, Final

from volte.forms.fields import WHOLE, Wrong
from volte.forms.when import zone_title, zones_shown
from volte.rules import OPTIONS, PRESETS, Preset
from volte.say import N_, Words
from volte.say.levels import asked_words, introductions
from volte.say.rulesheet.options import (
    OPTION_VALUES,
    option_meaning,
    preset_summary,
    preset_title,
)
from volte.say.rulesheet.sheet import rule_sheet
from volte.table.setup import LEAST_CLOCK, LONGEST_CLOCK, SHORTEST_CLOCK
from volte.web.table_form import (
    BY_HAND,
    CYCLE_PLACES,
    NUMBERS,
    PACES,
    SEAT_FIELDS,
    SEATS,
    SENTENCES,
    SHORTEST_PASSWORD,
    RulesForm,
    TableForm,
)
from volte.web.table_time import proposed_time

PLAYERS: Final = tuple(str(number) for number in range(3, SEATS + 1))
FIRST_FIELDS: Final = frozenset(
    ("who", "preset", "players", "pace", "when", "date", "time", "zone", "guest")
)
"""Fields above the fold-out part; that part has the options which few people change."""

PARTS: Final = {
    N_("Rules: partners"): ("sides",),
    N_("Rules: the pack"): ("deck",),
    N_("Rules: the pass"): ("passing",),
    N_("Rules: the play"): ("play",),
    N_("Rules: the points"): ("table", "points"),
    N_("Rules: the moon and the slam"): ("moon",),
    N_("Rules: the end of the match, and stakes"): ("ending", "stakes", ""),
}
"""The groups of a ruleset, by the headings under which their options stand."""


def rules_form_context(words: Words, form: RulesForm, real_cards: bool = False) -> dict[str, Any]:
    """Context of a template with the controls of rules, and the rule sheet."""
    options = [(name, each.group) for name, each in OPTIONS.items() if name != "players"]
    return rules_context(words, form, real_cards) | {
        "player_numbers": [(number, number) for number in PLAYERS],
        "players_label": words.sentence(option_meaning(words, "players")),
        "parts": [
            (words.t(part), [_control(words, form, name) for name, of in options if of in groups])
            for part, groups in PARTS.items()
        ],
        "cycle": _cycle(words, form),
    }


def table_form_context(
    words: Words, form: TableForm, engines: Iterable[str] = ()
) -> dict[str, Any]:
    """Context of the template of a table's form, with its rule sheet.

    Args:
        engines: names of outside engines that can be seated.
    """
    presets = presets_told(words)
    return rules_form_context(words, form) | {
        "presets": presets,
        "game": next((each for each in presets if each["name"] == form["preset"]), presets[0]),
        "companies": _companies(words, form),
        "abouts": dict(_choices(words, SENTENCES["who_help"])),
        "paces": _paces(words, form),
        **_times(words, form),
        "accesses": _choices(words, SENTENCES["access"]),
        "watchings": _choices(words, SENTENCES["watching"]),
        "talks": _choices(words, SENTENCES["talk"]),
        "open_seats": _choices(words, SENTENCES["open_seats"]),
        "clock_help": words.t(
            "0 for no clock. Otherwise {shortest} to {longest}; a clock shorter than {least} is "
            "only for players who agree to it. You can always ask for more time.",
            shortest=SHORTEST_CLOCK,
            longest=LONGEST_CLOCK,
            least=LEAST_CLOCK,
        ),
        "password_help": _password_help(words, form),
        "seats": [
            (name, words.t("Seat {number}", number=place), form[name])
            for place, name in enumerate(SEAT_FIELDS, start=2)
        ],
        "levels": [
            ("", words.t("Free seat")),
            *asked_words(words, engines),
        ],
        "characters": introductions(words),
    }


def _choices(words: Words, meanings: Mapping[Any, str]) -> list[tuple[str, str]]:
    return [(str(value), words.t(meaning)) for value, meaning in meanings.items()]


def _companies(words: Words, form: TableForm) -> list[tuple[str, str]]:
    choices = _choices(words, SENTENCES["who"])
    return [each for each in choices if each[0] != BY_HAND or form["who"] == BY_HAND]


def _times(words: Words, form: TableForm) -> dict[str, Any]:
    """Controls of the time, with a choice of zones where the browser tells none."""
    zone = form["zone"] or words.zone
    proposed = proposed_time(zone, time())
    return {
        "whens": _choices(words, SENTENCES["when"]),
        "day_shown": form["date"] or proposed["date"],
        "hour_shown": form["time"] or proposed["time"],
        "zones": [] if words.zone else zones_shown(words),
        "clocks": words.t("Time zone: {place}.", place=zone_title(words, zone)),
    }


def _paces(words: Words, form: TableForm) -> list[tuple[str, str]]:
    """The paces; that of another clock only where the form has one."""
    told, clocks = {**SENTENCES["pace"]}, {**PACES}
    if form["pace"] == BY_HAND:
        clocks[BY_HAND] = form["clock"].strip()
        if WHOLE.fullmatch(clocks[BY_HAND]):
            told[BY_HAND] = told["brisk"]
    return [(pace, words.t(told[pace], seconds=clock)) for pace, clock in clocks.items()]


def meanings(words: Words, form: TableForm) -> dict[str, dict[str, str]]:
    """Words for the values of each field that is a choice; of the pass, for those of the form."""
    tables = {
        name: SENTENCES[name] for name in ("access", "watching", "talk", "open_seats", "when")
    }
    named = {name: dict(_choices(words, each)) for name, each in (tables | OPTION_VALUES).items()}
    passes = named["pass_cycle"]
    cycles = (form.shown.get("pass_cycle", ""), form["pass_cycle"])
    named["pass_cycle"] = {
        text: ", ".join(passes.get(each, each) for each in text.split()) for text in cycles
    }
    zones = {zone: zone_title(words, zone) for zone in (form["zone"], form.shown.get("zone", ""))}
    return named | {"preset": {name: preset_title(words, name) for name in PRESETS}, "zone": zones}


def rules_context(words: Words, form: RulesForm, real_cards: bool = False) -> dict[str, Any]:
    """The rules of a form, or the sentence that says why there are none."""
    try:
        rules = form.caught_up().rules()
    except Wrong as wrong:
        return {"sections": (), "sheet_fault": wrong.told(words)}
    rated = bool(form["rated"])
    sections = rule_sheet(rules, words, real_cards)
    return {"sections": sections, "sheet_fault": "", "rated": rated}


def presets_told(words: Words) -> list[dict[str, str]]:
    """The presets, each with its title, a summary and its numbers of players."""
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
        return words.t("For {players} players.", players=least)
    return words.t("For {least} to {most} players.", least=least, most=most)


def _password_help(words: Words, form: TableForm) -> str:
    text = words.t(
        "Only for a table with a password: at least {least} characters.", least=SHORTEST_PASSWORD
    )
    kept = words.t("Leave it empty to keep the current one.")
    return f"{text} {kept}" if form.password_kept else text


def _control(words: Words, form: RulesForm, name: str) -> dict[str, Any]:
    """One option for the template: label, kind of control, value and choices."""
    kind, helps = "choice", SENTENCES["help"]
    choices: list[tuple[str, str]] = []
    if name in OPTION_VALUES:
        choices = _choices(words, OPTION_VALUES[name])
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
        "value": form[name],
        "choices": choices,
        # Telephones have no minus among digits
        "number": name in NUMBERS and OPTIONS[name].least >= 0,
        "help": words.t(helps[name]) if name in helps else "",
    }


def _cycle(words: Words, form: RulesForm) -> dict[str, Any]:
    """The directions of the pass, a place for each deal."""
    values = form["pass_cycle"].split(" ")
    values += [""] * (CYCLE_PLACES - len(values))
    return {
        "places": [
            (place, words.t("Deal {number}", number=place), value)
            for place, value in enumerate(values, start=1)
        ],
        "choices": [("", words.t("(starts over)")), *_choices(words, OPTION_VALUES["pass_cycle"])],
    }
