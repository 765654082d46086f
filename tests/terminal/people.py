"""People at a terminal, for tests: each answers from what it has just read."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from io import BytesIO, StringIO
from pathlib import Path

from volte.console.files import Shelf
from volte.console.person import PlayStyle
from volte.console.terminal import Console, Left
from volte.game import MatchState
from volte.rules import Ruleset
from volte.say import Words
from volte.terminal.table import LocalMatch, LocalTable, new_match, players_at

Answer = Callable[[str], "str | bytes | None"]
"""What is typed after what has been said since the last answer; None at the end of the input."""


class Keyboard(BytesIO):
    """Standard input that is typed while the output is read."""

    def __init__(self, answer: Answer, screen: StringIO) -> None:
        super().__init__()
        self._answer = answer
        self._screen = screen
        self._heard = 0

    def readline(self, _: int | None = -1, /) -> bytes:
        said = self._screen.getvalue()
        heard, self._heard = said[self._heard :], len(said)
        answer = self._answer(heard)
        if answer is None:
            return b""
        return (answer if isinstance(answer, bytes) else answer.encode()) + b"\n"


class Stubborn:
    """Passes the first cards of the hand, tries card after card, takes a moon off its own points,
    and wants no second match.
    """

    def __init__(self) -> None:
        self._place = 0
        self._typed = ""

    def __call__(self, heard: str) -> str:
        question = heard.rstrip().rsplit("\n", 1)[-1]
        passing = re.match(
            r"(?:Your|Vos|Votre) ?(\d*) (?:cards?|cartes?),? (?:to|in|à|au|dans)", question
        )
        if passing:
            return " ".join(f".{place}" for place in range(1, int(passing[1] or 1) + 1))
        if re.match(r"Your (card|lead)|Votre (carte|entame)", question):
            # Cards are told with every new question, and not after a refusal.
            first = re.search(r"\u00a0\(\.(\d+)[),]", heard)
            self._place = int(first[1]) if first else self._place + 1
            return f".{self._place}"
        if re.match(r"Minus|Moins", question):
            return question.split()[0]
        return "no" if re.search("yes or no|oui ou non", question) else ""


class Script:
    """Types these lines whatever is said, and then what `after` types, or nothing more."""

    def __init__(self, lines: Iterable[str | bytes], after: Answer | None = None) -> None:
        self._lines = iter(lines)
        self._after = after

    def __call__(self, heard: str) -> str | bytes | None:
        line = next(self._lines, None)
        if line is None and self._after is not None:
            return self._after(heard)
        return line


@dataclass
class Sitting:
    """A match that somebody has sat through.

    Attributes:
        said: all that was told.
        state: the end of the match, None where the person left before.
        match: as it began.
    """

    said: str
    state: MatchState | None
    match: LocalMatch

    @property
    def lines(self) -> list[str]:
        return self.said.splitlines()


def sit_down(
    rules: Ruleset,
    answer: Answer,
    folder: Path,
    *,
    lang: str = "en",
    manner: PlayStyle | None = None,
    width: int | None = None,
    seed: str = "1",
    words: Words | None = None,
) -> Sitting:
    """Plays that match with `casual` bots, the person answering."""
    screen = StringIO()
    console = Console(Keyboard(answer, screen), screen, width)
    table = LocalTable(words or Words(lang), console, manner or PlayStyle(), Shelf(folder))
    players = players_at(["me"] + ["casual"] * (rules.players - 1), "Zoé")
    match = new_match(rules, players, table.shelf, seed)
    try:
        state = table.play(match)
    except Left:
        return Sitting(screen.getvalue(), None, match)
    return Sitting(screen.getvalue(), state, match)
