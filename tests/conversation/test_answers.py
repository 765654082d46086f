"""The keys by state: each answers in each state, and the same on the page and at the terminal."""

from __future__ import annotations

from collections.abc import Callable
from io import BytesIO, StringIO
from pathlib import Path
from typing import Final

import pytest
from kit.tables import ANNE, BRUNO, Table, dealt, setup, started
from kit.terminals import folder

from volte.cards import Card
from volte.console.person import TerminalPlayer
from volte.console.terminal import Console
from volte.conversation.answers import answer
from volte.conversation.updates import view_of
from volte.game import AskUndo, Phase, Play, Refusal
from volte.say import Words
from volte.say.keys import Keys, keys_of
from volte.table import commands as cmd
from volte.table.telling import seat_lines
from volte.wire.messages import Ask, Question

__all__ = ["folder"]


def played(*cards: str, **options: str) -> Table:
    """A table at which those cards lie, Anne having led."""
    at = dealt(**options)
    for seat, card in enumerate(cards):
        at.act(Play(seat, Card(card)))
    return at


def passing() -> Table:
    at = started(setup("microsoft"))
    at.play_until(Phase.PASSING)
    return at


def undo_asked() -> Table:
    at = played("4C", "5C", irregularities="enforced")
    at.do(BRUNO, cmd.Act(AskUndo(1)))
    return at


def over(**options: str) -> Table:
    at = dealt(**options)
    while at.state.under_way and not at.state.between_deals and at.step():
        pass
    return at


STATES: Final[dict[str, Callable[[], Table]]] = {
    "the pass": passing,
    "my lead": lambda: dealt(irregularities="enforced"),
    "another's turn": lambda: played("4C", irregularities="enforced"),
    "an undo asked of me": undo_asked,
    "between deals": lambda: over(irregularities="enforced"),
    "the end": lambda: over(irregularities="enforced", match_end="deals:1"),
    "with a referee": lambda: played("4C"),
    "with a referee, a full trick": lambda: played("4C", "5C", "6C", "7C"),
}
ALIKE: Final = ("table", "scores", "hand", "last", "tricks", "points", "sheet")
"""Questions answered in the same sentences whatever is waited for."""


class Typist:
    """Anne at a terminal, looking at a table."""

    def __init__(self, at: Table, lang: str) -> None:
        self.at, self.words, self.screen = at, Words(lang), StringIO()
        console = Console(BytesIO(), self.screen, plain=True)
        self.player = TerminalPlayer(0, self.words, console)
        self.player._view = view_of(at.state, 0)
        for key in self.player.moved:
            self.player.has_moved(str(key.value[0]))

    def types(self, line: str) -> str:
        """The answer to a typed line; that of the table, if it is an act."""
        self.screen.truncate(self.screen.seek(0))
        action = self.player._typed(line)
        if action is None:
            return self.screen.getvalue()
        return self.answer_to(cmd.Act(action))

    def answer_to(self, command: cmd.Act) -> str:
        outcome = self.at.decide(ANNE, command)
        if not isinstance(outcome, Refusal):
            return "done"
        return self.words.refusal(outcome, self.player.view)


@pytest.mark.parametrize("lang", ["en", "fr"])
@pytest.mark.parametrize("state", STATES)
def test_each_key_answers_in_each_state_and_the_same_on_page_and_terminal(
    state: str, lang: str, folder: Path
) -> None:
    at = STATES[state]()
    typist, words, view = Typist(at, lang), Words(lang), view_of(at.state, 0)
    silent = [
        key.name
        for key in keys_of(Keys.ASKING, Keys.HEARING, Keys.ACTING, Keys.PLAYROOM)
        if not typist.types(str(key.value[0])).strip()
    ]
    assert silent == []
    alike = {*ALIKE, *(["turn", "situation"] if state in ("my lead", "another's turn") else [])}
    for name in alike:
        asked = answer(words, Ask("1", Question(name)), at.state, view, "")
        assert typist.types(name).splitlines() == [*asked], name
    for place in range(len(at.state.seats)):
        there = answer(words, Ask("1", Question.SEAT, seat=place), at.state, view, "")
        assert typist.types(f"{place + 1}" * 2).splitlines() == [*there]
    assert typist.types("ww").splitlines() == [*seat_lines(words, at.state.seats, 0)]
    if state == "an undo asked of me":
        assert [typist.types(key) for key in "ad"] == ["done", "done"]


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_a_seat_tells_that_a_bot_plays_there(lang: str) -> None:
    """On the page; `Shift` and a digit ask about a seat."""
    at, words = played("4C", irregularities="enforced"), Words(lang)
    at.do(BRUNO, cmd.Away())
    told = [
        answer(words, Ask("1", Question.SEAT, seat=seat), at.state, view_of(at.state, 0), "")[-1]
        for seat in range(4)
    ]
    sentence = {
        "en": "A bot is playing in that seat for now.",
        "fr": "Un robot tient cette place pour l’instant.",
    }[lang]
    assert [each == sentence for each in told] == [False, True, False, False]
