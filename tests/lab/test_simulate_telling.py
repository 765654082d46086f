"""Reports of a simulation, for eyes and for ears, in French and in English.

VOLTE_REMAKE_GOLDENS=1 writes the goldens anew.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from kit import ENGLISH, FRENCH, TABLES, first_deal, golden, languages

from volte.console.progress import time_left
from volte.lab.arena import EngineKind, Mean, Request, chosen_engine, simulate
from volte.lab.report import places_for, with_margin
from volte.lab.simulate.telling import (
    Simulation,
    SimulationReport,
    heading,
    played,
    record_sentence,
    served,
)
from volte.rules import Ruleset, Value, make_ruleset
from volte.say import Words
from volte.say.measures import decimal, duration, percent

GOLDENS = Path(__file__).parent / "goldens"
SALON = make_ruleset("salon", {"match_end": "limit:60"})
MATCHES = Request(SALON, ("random", "casual", "beginner", "casual"), 4711, matches=8)
FIVE = make_ruleset("coeurs", {"players": 5})
DEALS = Request(FIVE, ("casual",) * 5, 4711, deals=40, engine=EngineKind.READABLE)


@cache
def came_of(request: Request) -> Simulation:
    engine, why = chosen_engine(request)
    statistics = simulate(request, processes=1)
    return Simulation(request, engine, why, statistics, 3.21)


def told(words: Words, simulation: Simulation, width: int | None) -> tuple[str, ...]:
    return (
        played(words, simulation),
        served(words, simulation),
        *SimulationReport(words, simulation).lines(width),
        record_sentence(words, simulation, "17", (17, Path("deal-17.volte"))),
        record_sentence(words, simulation, "highest", (3, Path("deal-3.volte"))),
        record_sentence(words, simulation, "slam", None),
    )


@languages
@pytest.mark.parametrize(("name", "request_"), [("matches", MATCHES), ("deals", DEALS)])
def test_statistics_are_told_as_they_stand_in_their_golden(
    name: str, request_: Request, words: Words
) -> None:
    text = "\n".join(
        [*told(words, came_of(request_), 100), "", "", *told(words, came_of(request_), 0), ""]
    )
    golden(GOLDENS / f"statistics-{name}.{words.lang}.txt", text)


def request_of(rules: Ruleset) -> Request:
    return Request(rules, ("random",) * rules.players, 1, deals=1, engine=EngineKind.READABLE)


@languages
@pytest.mark.parametrize(("preset", "players"), TABLES)
def test_every_table_can_be_told(preset: str, players: int, words: Words) -> None:
    request = request_of(make_ruleset(preset, {"players": players}))
    for width in (None, 0, 30, 80):
        lines = SimulationReport(words, came_of(request)).lines(width)
        assert not re.search(r"[{}]|None", "\n".join(lines))
        assert len(lines) >= players
        assert not re.search("margin|marge|±", " ".join(lines))  # one deal gives no margin


SHOWN = [
    # preset and options, columns that are there, columns that are not
    ("greek", {}, {"Queen", "Moons"}, {"Slams", "Minus"}),
    ("black-maria", {}, {"Queen"}, {"Moons", "Slams", "Minus"}),
    ("cancellation", {}, {"Moons"}, {"Queen"}),  # W11: takers of two queens are not counted
    ("microsoft", {"moon": "shooter_minus", "slam": "double"}, {"Moons", "Slams"}, {"Minus"}),
    ("microsoft", {"moon": "shooter_chooses"}, {"Moons", "Minus"}, {"Slams"}),
    ("microsoft", {"moon": "plus_unless_lost"}, {"Moons", "Minus"}, {"Slams"}),
]


@pytest.mark.parametrize(("preset", "options", "there", "missing"), SHOWN)
def test_W7_W8_the_columns_are_those_of_what_can_happen(
    preset: str, options: dict[str, Value], there: set[str], missing: set[str]
) -> None:
    words, request = ENGLISH, request_of(make_ruleset(preset, options))
    _, heads, *_ = SimulationReport(words, came_of(request)).lines(None)
    assert {head for head in there | missing if head in heads} == there


def test_W7_moons_taken_off_the_own_points_are_told_apart() -> None:
    """The taker of the queen has shot the moon, as there are so few cards, and is behind."""
    options: dict[str, Value] = {"opening": "eldest", "moon": "shooter_chooses"}
    hands = "C: 23", "C: 45", "C: 6 S: Q"
    few = first_deal("microsoft", hands, options={**options, "match_end": "deals:30"})
    request = Request(few.rules, ("random",) * 3, 1, matches=1, engine=EngineKind.READABLE)
    simulation = came_of(request)
    minus = [tally.minus for tally in simulation.statistics.seats]
    assert 0 < sum(minus) < sum(tally.moons for tally in simulation.statistics.seats) == 30
    lines = SimulationReport(ENGLISH, simulation).lines(0)
    for seat, count in enumerate(minus):
        assert (f"{count} of them taken off the shooter’s own score" in lines[1 + seat]) == bool(
            count
        )


def test_W10_partners_are_told_together() -> None:
    lines = SimulationReport(ENGLISH, came_of(request_of(make_ruleset("partnership")))).lines(None)
    assert (
        "Partners: seats 1 and 3; 2 and 4. They score what their side scores, and share what it"
        " wins."
    ) in lines
    alone = SimulationReport(ENGLISH, came_of(request_of(make_ruleset("microsoft")))).lines(None)
    assert not any(line.startswith("Partners") for line in alone)


def test_the_end_of_a_match_is_told_where_matches_are_played() -> None:
    assert heading(ENGLISH, came_of(request_of(SALON))) == "1 deal of salon, seed 1"
    assert "of salon match_end=limit:60," in heading(ENGLISH, came_of(MATCHES))


def test_a_table_has_columns_one_below_the_other() -> None:
    report = SimulationReport(FRENCH, came_of(MATCHES)).lines(None)
    start = next(place for place, line in enumerate(report) if line == "") + 1
    table = report[start : report.index("", start)]
    assert len(table) == 1 + 4 + 1  # a heading, the seats, and the player who has two
    assert len({line.index(" ± ") for line in table[1:]}) == 1
    assert len(set(map(len, table))) == 1


def test_what_the_rules_do_not_know_is_not_told() -> None:
    """The rules have no queen in the pack, no moon, no slam, no pass."""
    queenless = make_ruleset(
        "coeurs", {"removed": "QS,2D,2C,2H", "moon": "off", "pass_count": 0, "slam": "off"}
    )
    words, request = ENGLISH, request_of(queenless)
    for width in (None, 0):
        text = "\n".join(SimulationReport(words, came_of(request)).lines(width))
        assert not re.search(r"queen|moon|slam|pass", text, re.IGNORECASE)


# Numbers


@pytest.mark.parametrize(
    ("value", "places", "english", "french"),
    [
        (6.5, 2, "6.50", "6,50"),
        (-1234.567, 1, "−1,234.6", "−1\u202f234,6"),
        (-0.001, 2, "0.00", "0,00"),
        (1e9, 0, "1,000,000,000", "1\u202f000\u202f000\u202f000"),
    ],
)
def test_decimals(value: float, places: int, english: str, french: str) -> None:
    assert decimal(ENGLISH, value, places) == english
    assert decimal(FRENCH, value, places) == french


def test_percent() -> None:
    assert percent(ENGLISH, 0.1234) == "12.3%"
    assert percent(FRENCH, 0.1234, 2) == "12,34\u00a0%"
    assert percent(ENGLISH, 1, 0) == "100%"


@pytest.mark.parametrize(
    ("seconds", "english", "french"),
    [
        (0, "0.1 seconds", "0,1 seconde"),
        (1.04, "1 second", "1 seconde"),
        (7.26, "7.3 seconds", "7,3 secondes"),
        (119, "119 seconds", "119 secondes"),
        (3599, "60 minutes", "60 minutes"),
        (7200, "2 hours", "2 heures"),
    ],
)
def test_durations(seconds: float, english: str, french: str) -> None:
    assert duration(ENGLISH, seconds) == english
    assert duration(FRENCH, seconds) == french


def test_time_that_is_left() -> None:
    assert time_left(ENGLISH, 0.4, 12.3) == "40% done, about 12 seconds left"


@given(
    value=st.floats(-100, 100),
    margins=st.lists(st.floats(1e-5, 50), min_size=1, max_size=7),
)
def test_a_margin_is_told_with_two_digits_at_least(value: float, margins: list[float]) -> None:
    estimates = [Mean(value, (value - half, value + half)) for half in margins]
    places = places_for(estimates)
    for estimate in estimates:
        shown = with_margin(ENGLISH, estimate, places).split(" ± ")[1]
        assert len(shown.replace(".", "").lstrip("0")) >= 2


def test_a_mean_without_a_margin_stands_alone() -> None:
    assert with_margin(ENGLISH, Mean(3.0, None), places_for([])) == "3.00"
