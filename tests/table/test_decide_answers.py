"""What each may do, and when: every command in every situation, as a table to be read by eye.

`VOLTE_REMAKE_GOLDENS=1` writes it anew.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

from kit.tables import ANNE, BRUNO, CLEO, DENIS, Table, setup

from volte.game import Phase, Refusal, legal_actions, to_act
from volte.table import Setup, Someone
from volte.table import commands as cmd

GOLDEN: Final = Path(__file__).parent / "answers.txt"
CLOCK: Final = setup(match_end="deals:2", clock=60)

STRANGER: Final = Someone("p-else", "Else")
PEOPLE: Final = {"host": ANNE, "player": BRUNO, "guest": CLEO, "stranger": STRANGER}


def waiting() -> Table:
    """Anne has seat 0, Bruno seat 1, a bot seat 2; seat 3 is free, Denis is barred."""
    at = Table(CLOCK, seat=0)
    at.do(BRUNO, cmd.Sit(1))
    at.do(DENIS, cmd.Sit(3))
    at.do(ANNE, cmd.Remove(3, bar=True))
    at.do(ANNE, cmd.SeatBot(2, "casual"))
    return at


def playing(seat: int) -> Callable[[], Table]:
    """In the first trick that this seat leads."""

    def make() -> Table:
        at = passing()
        at.play_until(Phase.PLAYING)
        while to_act(at.match) != (seat,) or len(legal_actions(at.match, seat)) < 2:
            at.step()
        return at

    return make


def cutting() -> Table:
    at = waiting()
    at.do(ANNE, cmd.Start())
    at.step()
    return at


def passing() -> Table:
    at = cutting()
    at.play_until(Phase.PASSING)
    return at


def with_stand_in() -> Table:
    at = playing(1)()
    at.do(BRUNO, cmd.Away())
    return at


def paused() -> Table:
    at = playing(1)()
    at.do(ANNE, cmd.Pause())
    return at


def between() -> Table:
    at = passing()
    while not at.state.between_deals:
        at.step()
    return at


def ended() -> Table:
    at = passing()
    at.play_on()
    return at


SITUATIONS: Final[dict[str, Callable[[], Table]]] = {
    "before": waiting,
    "cut": cutting,
    "pass": passing,
    "player's turn": playing(1),
    "same with stand-in": with_stand_in,
    "bot's turn": playing(2),
    "paused": paused,
    "between deals": between,
    "after": ended,
}


def commands(at: Table, who: Someone) -> Iterator[tuple[str, cmd.Command]]:
    """Every command; in a match seat 3 is a bot's as well."""
    seat = at.state.seat_of(who.id)
    actions = legal_actions(at.match, seat or 0) if at.state.match is not None else ()
    yield "Sit: free seat", cmd.Sit(3)
    yield "Sit: bot's seat", cmd.Sit(2)
    yield "Sit: player's seat", cmd.Sit(1)
    yield "Stand", cmd.Stand()
    if actions:
        yield "Act: own, lawful", cmd.Act(actions[0])
    yield "Promise", cmd.Promise(1, bytes(32))
    yield "Contribute", cmd.Contribute(1, bytes(16))
    yield "Next", cmd.Next()
    yield "Away", cmd.Away()
    yield "Back", cmd.Back()
    yield "MoreTime", cmd.MoreTime()
    yield "AcceptClock", cmd.AcceptClock(True)
    yield "Pause", cmd.Pause()
    yield "Unpause", cmd.Unpause()
    yield "Start", cmd.Start()
    yield "SeatBot: free seat", cmd.SeatBot(3, "strong")
    yield "SeatBot: player's seat", cmd.SeatBot(1, "strong")
    yield "Remove: player", cmd.Remove(1)
    yield "Remove: bot", cmd.Remove(2)
    yield "Remove and bar: player", cmd.Remove(1, bar=True)
    yield "Replace: player", cmd.Replace(1)
    yield "Swap", cmd.Swap(0, 2)
    yield "HandOver: player", cmd.HandOver(1)
    yield "Change", cmd.Change(Setup("Ailleurs", at.state.setup.rules))
    yield "Invite", cmd.Invite()
    yield "AnswerSeat", cmd.AnswerSeat(3, "p-else", allow=True)
    yield "Close", cmd.Close()


def answer(at: Table, who: Someone, command: cmd.Command) -> str:
    """The reason of the refusal, or the kinds of what happens; a dash for nothing to be kept."""
    outcome = at.decide(who, command)
    if isinstance(outcome, Refusal):
        return outcome.reason
    return " ".join(type(happening).__name__ for happening in outcome) or "-"


def sheet() -> Iterator[str]:
    """Command by command: who gets which answer, and where."""
    told: dict[str, dict[str, dict[str, list[str]]]] = {}
    for situation, make in SITUATIONS.items():
        at = make()
        for role, who in PEOPLE.items():
            for name, command in commands(at, who):
                answers = told.setdefault(name, {}).setdefault(role, {})
                answers.setdefault(answer(at, who, command), []).append(situation)
    for name, by_role in told.items():
        yield name
        roles: dict[str, list[str]] = {}
        for role, answers in by_role.items():
            roles.setdefault("\n".join(_rows(answers)), []).append(role)
        for rows, alike in roles.items():
            yield f"  {', '.join(alike)}"
            yield rows
        yield ""


def _rows(answers: dict[str, list[str]]) -> Iterator[str]:
    for given, situations in answers.items():
        everywhere = len(situations) == len(SITUATIONS)
        yield f"    {given:<28}{'' if everywhere else ', '.join(situations)}".rstrip()


def test_every_command_has_its_answer_in_every_situation() -> None:
    text = "\n".join(sheet())
    if os.environ.get("VOLTE_REMAKE_GOLDENS"):
        GOLDEN.write_text(text, encoding="utf-8")
    assert text == GOLDEN.read_text(encoding="utf-8")


def test_at_a_closed_table_and_to_who_was_sent_away_every_answer_is_the_same() -> None:
    for make in SITUATIONS.values():
        at = make()
        assert {answer(at, DENIS, command) for _, command in commands(at, DENIS)} == {"barred"}
        at.do(ANNE, cmd.Close())
        for who in (*PEOPLE.values(), DENIS):
            assert {answer(at, who, command) for _, command in commands(at, who)} == {"closed"}
