"""Reports of the arena, for eyes and for ears, in French and in English.

VOLTE_REMAKE_GOLDENS=1 writes the goldens anew.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from kit.sentences import ENGLISH, golden, languages

from volte.lab.arena import (
    WHOLE_WIN,
    Choices,
    Contestant,
    DeckScore,
    Duel,
    DuelEnding,
    DuelResult,
    DuelStanding,
    Mean,
    SideTotals,
    Stop,
)
from volte.lab.arena.meeting import Meeting
from volte.lab.arena.telling import (
    Arena,
    ArenaReport,
    interrupted,
    leading,
    milliseconds,
    played,
    verdict,
)
from volte.rules import Ruleset, make_ruleset
from volte.say import Words

GOLDENS = Path(__file__).parent / "goldens"
CASUAL, BEGINNER = Contestant.of("casual"), Contestant.of("beginner")
ENGINE = Contestant.outside("xinxin=/opt/xinxin")
SALON = make_ruleset("salon", {})


def choices(microseconds: int, simulations: int = 0, **forfeits: int) -> Choices:
    """A thousand choices, all alike."""
    worlds = 30 * 1000 if simulations else 0
    times = {{1_000: 349, 38_000: 533}[microseconds]: 1000}
    took = microseconds * 1000, 2 * microseconds
    return Choices(1000, 200, worlds, simulations * 1000, dict(forfeits), *took, times)


def side(points: int, moons: int, took: Choices, wins: int = 0) -> SideTotals:
    return SideTotals(160, points, 40, moons, 1, 160 if wins else 0, wins, took)


def standing(
    points: tuple[int, int], sides: tuple[SideTotals, SideTotals], wins: bool
) -> DuelStanding:
    """Forty decks that are not all alike."""
    scores = {
        number: DeckScore(
            2,
            10 if wins else 2,
            (12 * points[0] + 12 * (number % 4), 12 * points[1]),
            (6 * WHOLE_WIN + number % 2 * WHOLE_WIN, 12 * WHOLE_WIN) if wins else (),
        )
        for number in range(40)
    }
    return DuelStanding(12, sides, scores)


def result(
    sides: tuple[Contestant, Contestant],
    found: DuelStanding,
    ending: DuelEnding,
    matches: bool,
    rules: Ruleset = SALON,
) -> DuelResult:
    duel = Duel(rules, sides, 4711, 100, 2, matches)
    return DuelResult(duel, found, ending, Stop())


def pair(matches: bool) -> Arena:
    """Casual against an engine that searches, and fails now and then."""
    wins = WHOLE_WIN * 40 if matches else 0
    sides = (
        side(1150, 12, choices(1_000), wins),
        side(800, 0, choices(38_000, 2_000, died=1, late=20), 2 * wins),
    )
    found = standing((15, 10), sides, matches)
    ending = DuelEnding.DECIDED if matches else DuelEnding.NARROW
    asked = (result((CASUAL, ENGINE), found, ending, matches),)
    return Arena(Meeting((CASUAL, ENGINE), asked), Stop(), 321.0)


def three() -> Arena:
    """Duels of three contestants, all against all."""
    contestants = (CASUAL, BEGINNER, ENGINE)
    plain = (side(900, 3, choices(1_000)), side(1180, 1, choices(1_000)))
    results = (
        result((CASUAL, BEGINNER), standing((8, 14), plain, False), DuelEnding.PLAYED, False),
        result((CASUAL, ENGINE), standing((14, 8), plain, False), DuelEnding.NARROW, False),
        result((BEGINNER, ENGINE), standing((20, 4), plain, False), DuelEnding.PLAYED, False),
    )
    return Arena(Meeting(contestants, results), Stop(), 12.0)


def told(words: Words, arena: Arena, width: int | None) -> list[str]:
    return [played(words, arena), *ArenaReport(words, arena).lines(width)]


@languages
@pytest.mark.parametrize(
    ("name", "arena"), [("deals", pair(False)), ("matches", pair(True)), ("three", three())]
)
def test_the_arena_is_told_as_it_stands_in_its_golden(
    name: str, arena: Arena, words: Words
) -> None:
    text = "\n".join([*told(words, arena, 100), "", "", *told(words, arena, 0), ""])
    golden(GOLDENS / f"arena-{name}.{words.lang}.txt", text)


@languages
@pytest.mark.parametrize("arena", [pair(False), pair(True), three()])
def test_for_ears_everything_is_a_sentence(arena: Arena, words: Words) -> None:
    lines = told(words, arena, 0)
    assert all(line.endswith(".") for line in lines)
    assert not re.search(r"±|  |[{}]", " ".join(lines))


def test_a_table_that_has_no_room_is_told_in_sentences() -> None:
    lines = told(ENGLISH, three(), 12)
    assert not any("  " in line for line in lines)


def test_who_is_better_is_said_only_where_it_is_clear() -> None:
    margins = Mean(2.0, (1.5, 2.5)), Mean(-2.0, (-2.5, -1.5)), Mean(0.3, (-0.2, 0.8)), Mean(1, None)
    leads = Mean(-0.25, (-0.35, -0.15)), Mean(0.25, None)
    lines = [verdict(ENGLISH, CASUAL, BEGINNER, margin) for margin in margins]
    lines += [leading(ENGLISH, CASUAL, BEGINNER, lead) for lead in leads]
    golden(GOLDENS / "verdicts.en.txt", "\n".join([*lines, ""]))


def test_W11_nobody_is_told_to_take_the_queen_where_there_are_two() -> None:
    two_packs = make_ruleset("cancellation", {"players": 6})
    plain = (side(900, 3, choices(1_000)), side(1180, 1, choices(1_000)))
    sides = (CASUAL, BEGINNER)
    found = result(sides, standing((8, 14), plain, False), DuelEnding.PLAYED, False, two_packs)
    arena = Arena(Meeting(sides, (found,)), Stop(), 1.0)
    assert not any("queen" in line.lower() for line in told(ENGLISH, arena, 0))


@pytest.mark.parametrize("kept", [False, True])
def test_who_stops_is_told_how_it_goes_on(kept: bool) -> None:
    sentence = interrupted(ENGLISH, pair(False), kept)
    assert sentence.startswith("Stopped after 40.0% of the total.")
    assert ("--keep" in sentence) is not kept


@pytest.mark.parametrize(
    ("time", "text"), [(0.0213, "0.02"), (5.31, "5.3"), (99.96, "100.0"), (1234.5, "1,234")]
)
def test_times_have_the_digits_that_say_something(time: float, text: str) -> None:
    assert milliseconds(ENGLISH, time) == text
