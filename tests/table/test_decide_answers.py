"""The answer to every command of everybody in every situation, as a table to be read by eye.

`VOLTE_REMAKE_GOLDENS=1` writes it anew.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest
from kit.minutes import Minutes

from volte.game import Refusal, legal_actions

TABLES: Final = {"answers.txt": "", "answers_meeting.txt": " meeting=true"}
"""Golden of the answers at a table, and how that is set up."""

PEOPLE: Final = {"host": "Anne", "player": "Bruno", "guest": "Cléo", "stranger": "Else"}
BEFORE: Final = "Bruno Sit 1, Anne SeatBot 2 casual"
"""Anne has seat 0, Bruno seat 1, a bot seat 2; seat 3 is free."""

BARRED: Final = "Denis Sit 3, Anne Remove 3 bar=true"

SITUATIONS: Final = {
    "before": "note",
    "cut": "Anne Start, house",
    "pass": "Anne Start, until passing",
    "player's turn": "Anne Start, turn Bruno",
    "same with stand-in": "Anne Start, turn Bruno, Bruno Away",
    "bot's turn": "Anne Start, turn Alice",
    "paused": "Anne Start, turn Bruno, Anne Pause",
    "between deals": "Anne Start, until state.between_deals",
    "after": "Anne Start, until passing, until not.state.under_way",
}
COMMANDS: Final = {
    "Sit: free seat": "Sit 3",
    "Sit: bot's seat": "Sit 2",
    "Sit: player's seat": "Sit 1",
    "Stand": "Stand",
    "Promise": "Promise 1 …",
    "Contribute": "Contribute 1 …",
    "Anew": "Anew",
    "Next": "Next",
    "Away": "Away",
    "Back": "Back",
    "MoreTime": "MoreTime",
    "AcceptClock": "AcceptClock true",
    "Pause": "Pause",
    "Unpause": "Unpause",
    "Start": "Start",
    "DealAgain": "DealAgain",
    "SeatBot: free seat": "SeatBot 3 strong",
    "SeatBot: player's seat": "SeatBot 1 strong",
    "Remove: player": "Remove 1",
    "Remove: bot": "Remove 2",
    "Remove and bar: player": "Remove 1 true",
    "Replace: player": "Replace 1",
    "Swap": "Swap 0 2",
    "HandOver: player": "HandOver 1",
    "Change": "Change name=Ailleurs",
    "Invite": "Invite",
    "AnswerSeat": "AnswerSeat 3 else true",
    "Close": "Close",
    "Act: own, lawful": "lawful",
}
"""In a match seat 3 is a bot's as well."""


def standing(situation: str, setup: str = "", before: str = BEFORE) -> Minutes:
    minutes = Minutes(f"table clock=60 match_end=deals:2{setup}")
    minutes.line(f"given {before}, {SITUATIONS[situation]}")
    return minutes


def lawful(minutes: Minutes, who: str) -> bool:
    """Whether there is a lawful action at a person's seat; without a seat, at the host's."""
    state = minutes.at.state
    seat = state.seat_of(minutes.person(who).id) or 0
    return state.match is not None and bool(legal_actions(state.match, seat))


def answer(minutes: Minutes, who: str, command: str) -> str:
    """The reason of the refusal, or the kinds of the happenings; a dash for none."""
    outcome = minutes.step(f"{who} {command}")
    if isinstance(outcome, Refusal):
        return outcome.reason
    return " ".join(type(happening).__name__ for happening in outcome) or "-"


def sheet(setup: str) -> Iterator[str]:
    """The lines of the table, by command: roles, answers, situations."""
    tables = {situation: standing(situation, setup) for situation in SITUATIONS}
    for name, command in COMMANDS.items():
        yield name
        roles: dict[str, list[str]] = {}
        for role, who in PEOPLE.items():
            answers: dict[str, list[str]] = {}
            for situation, minutes in tables.items():
                if command != "lawful" or lawful(minutes, who):
                    answers.setdefault(answer(minutes, who, command), []).append(situation)
            roles.setdefault("\n".join(_rows(answers)), []).append(role)
        for rows, alike in roles.items():
            yield f"  {', '.join(alike)}"
            yield rows
        yield ""


def _rows(answers: dict[str, list[str]]) -> Iterator[str]:
    for given, situations in answers.items():
        everywhere = len(situations) == len(SITUATIONS)
        yield f"    {given:<28}{'' if everywhere else ', '.join(situations)}".rstrip()


@pytest.mark.parametrize(("golden", "setup"), TABLES.items())
def test_every_command_has_its_answer_in_every_situation(golden: str, setup: str) -> None:
    text, path = "\n".join(sheet(setup)), Path(__file__).parent / golden
    if os.environ.get("VOLTE_REMAKE_GOLDENS"):
        path.write_text(text, encoding="utf-8")
    assert text == path.read_text(encoding="utf-8")


@pytest.mark.parametrize("situation", SITUATIONS)
def test_at_a_closed_table_and_to_who_was_sent_away_every_answer_is_the_same(
    situation: str,
) -> None:
    minutes = standing(situation, before=f"{BARRED}, {BEFORE}")
    commands = [each for each in COMMANDS.values() if each != "lawful"]
    assert {answer(minutes, "Denis", each) for each in commands} == {"barred"}
    minutes.line("given Anne Close")
    for who in (*PEOPLE.values(), "Denis"):
        assert {answer(minutes, who, each) for each in commands} == {"closed"}
