"""Whole matches by a person who answers from the output alone, in both languages."""

from pathlib import Path

import pytest
from kit.presets import ALL_TABLES, OF_SEEDS, SOME_TABLES
from kit.spoken import EVERY
from kit.terminals import Script, Sitting, Stubborn, sit_down

from volte.console.witness import PlayStyle
from volte.game import Phase
from volte.notation import load_record
from volte.rules import EndKind, Ruleset, make_ruleset
from volte.say import Verbosity

SEEDS = [table for table in ALL_TABLES if table[0].startswith(OF_SEEDS)]
WIDER = [table for table in ALL_TABLES if table not in SEEDS]


def play_to_the_end(rules: Ruleset, folder: Path, lang: str) -> Sitting:
    sitting = sit_down(rules, Stubborn(), folder, lang=lang)
    assert sitting.state is not None
    assert sitting.state.phase is Phase.ENDED
    assert not [line for line in sitting.lines if "{" in line or "None" in line]
    (kept,) = (folder / "played").iterdir()
    assert load_record(kept).state == sitting.state
    assert not list((folder / "under-way").iterdir())
    return sitting


@pytest.mark.parametrize(("name", "players"), [table for table in SEEDS if table in SOME_TABLES])
def test_a_match_of_every_preset_is_played_to_its_end(
    name: str, players: int, folder: Path
) -> None:
    rules = make_ruleset(name, {"players": players})
    if rules.ending.match_end.kind is EndKind.LIMIT:
        rules = make_ruleset(name, {"players": players, "match_end": "limit:30"})
    play_to_the_end(rules, folder, ["fr", "en"][players % 2])


@pytest.mark.parametrize(("name", "players"), [table for table in WIDER if table in SOME_TABLES])
@pytest.mark.parametrize("lang", EVERY)
def test_a_deal_of_every_preset_of_the_wider_family_is_played_to_its_end(
    name: str, players: int, lang: str, folder: Path
) -> None:
    rules = make_ruleset(name, {"players": players, "match_end": "deals:1"})
    play_to_the_end(rules, folder, lang)


@pytest.mark.full
@pytest.mark.parametrize(("name", "players"), WIDER)
@pytest.mark.parametrize("lang", EVERY)
def test_every_match_of_the_wider_family_is_played_to_its_end(
    name: str, players: int, lang: str, folder: Path
) -> None:
    play_to_the_end(make_ruleset(name, {"players": players}), folder, lang)


@pytest.mark.parametrize("lang", EVERY)
def test_on_a_terminal_of_40_columns_no_line_is_longer(lang: str, folder: Path) -> None:
    rules = make_ruleset("coeurs-moyenne", {"players": 7, "match_end": "deals:2"})
    person = Script(["?", "r", "f", "p", "s", "l", "h", "i", "c"], Stubborn())
    sitting = sit_down(rules, person, folder, lang=lang, width=40, manner=PlayStyle(Verbosity.FULL))
    assert sitting.state is not None
    assert [line for line in sitting.lines if len(line) > 40] == []


def test_forced_cards_play_themselves_and_are_told(folder: Path) -> None:
    rules = make_ruleset("coeurs")
    all_asked, some_asked = Stubborn(), Stubborn()
    asked = sit_down(rules, all_asked, folder)
    unasked = sit_down(rules, some_asked, folder, manner=PlayStyle(auto_forced=True))
    forced = unasked.said.count("Only one card may be played.\n")
    assert forced > 0
    assert "Only one card" not in asked.said
    assert some_asked.choices == all_asked.choices - forced
    assert unasked.state == asked.state


def test_S7_the_score_sheet_stands_after_every_deal_and_the_next_waits(folder: Path) -> None:
    rules = make_ruleset("coeurs-cinq-coups")
    sitting = sit_down(rules, Stubborn(), folder)
    assert sitting.said.count("Press Enter for the next deal.") == 4
    assert sitting.said.count("\nDeal  ") == 4
    assert sitting.said.count("Points for deal") == 5


def test_brief_tells_no_hand_unasked(folder: Path) -> None:
    sitting = sit_down(
        make_ruleset("coeurs"), Script(["h"]), folder, manner=PlayStyle(Verbosity.BRIEF)
    )
    assert sitting.said.count("(.1)") == 1
