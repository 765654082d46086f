"""Talk at a shared table, typed and told in lines."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from terminal.playrooms import Guest, Playroom, open_playroom

from volte.terminal.talking import saying_of


@pytest.fixture
def playroom(folder: Path) -> Iterator[Playroom]:
    with open_playroom(folder) as opened:
        yield opened


class Chatter:
    """Types these lines, each once somebody has been told something."""

    def __init__(self, *turns: tuple[Guest, str, str]) -> None:
        self._turns = iter(turns)

    def __call__(self, _: str) -> str:
        turn = next(self._turns, None)
        if turn is None:
            return "q"
        guest, pattern, line = turn
        guest.hears(pattern)
        return line


def test_people_talk_while_they_wait_for_the_match(playroom: Playroom) -> None:
    anne, paul = Guest(playroom.address, "Anne"), Guest(playroom.address, "Paul")
    table = anne.open("", "casual", "casual")
    anne.sit(
        table,
        Chatter(
            (anne, "Enter to begin", "; Is anybody there?"),
            (anne, "^You: Is anybody there", "?"),
            (anne, "^Paul: Yes, I am", "say"),
            (anne, "^3: Well played", "SAY 3"),
            (anne, "^You: Well played!$", "say " + "x" * 301),
            (anne, "^That was too long", ""),
            (anne, "^Paul: Farewell", "q"),
        ),
        at_terminal=True,
    )
    anne.hears("^You: Is anybody there")
    paul.sit(
        table,
        Chatter(
            (paul, "^Anne: Is anybody there", ""),
            (paul, "^You sit down", '"Yes, I am.'),
            (paul, "^Anne: Well played!$", "dire Farewell"),
            (paul, "^You: Farewell", "q"),
        ),
        at_terminal=True,
    )
    for guest in (anne, paul):
        guest.leaves()
    assert "SAY and a text, or a semicolon before it" in anne.said
    assert "x" * 20 not in paul.said
    assert anne.said.count("Paul: Yes, I am.") == 1


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("; hello", "hello"),
        ('"hello"', "hello"),
        (" say  hello  there ", "hello  there"),
        ("DIRE 3", "3"),
        ("say", ""),
        (";", ""),
        ("s", None),
        ("sayonara", None),
        ("q♠", None),
        ("", None),
    ],
)
def test_what_is_said_is_told_from_what_is_done(line: str, said: str | None) -> None:
    assert saying_of(line) == said
