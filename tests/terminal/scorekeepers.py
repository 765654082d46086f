"""People who keep the score at a terminal, for tests."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from io import StringIO
from pathlib import Path

from terminal.people import Keyboard, Script

from volte.console.terminal import Console, Left
from volte.fair import House
from volte.rules import Ruleset, make_ruleset
from volte.say import Words
from volte.scorekeeper.model import NameFirstDealer, Open, Sheet, SheetFile, SheetShelf
from volte.scorekeeper.terminal.sitting import SheetSitting

FOUR = ("Anne", "Bruno", "Chloé", "David")
SEVEN = ("Anne-Sophie", "Bruno", "Chloé", "David", "Emmanuelle", "Félix", "Guillaume")


@dataclass
class Evening:
    """What was said while a sheet was kept, line by line, and the sheet at the end.

    Attributes:
        replies: what was said after each line that was typed, up to the next question.
        path: where the sheet is kept; that of the last one, where others followed.
    """

    said: str
    sheet: Sheet
    replies: list[str]
    path: Path

    @property
    def lines(self) -> list[str]:
        return self.said.splitlines()


def opened(
    folder: Path,
    rules: Ruleset | str = "coeurs-moyenne",
    names: Sequence[str] = FOUR,
    dealer: int | None = 0,
    title: str = "",
    stake: str = "",
    currency: str = "",
) -> SheetFile:
    """A new sheet whose lots fall the same way every time."""
    if isinstance(rules, str):
        rules = make_ruleset(rules, {"players": len(names)})
    opening = Open(rules, tuple(names), title, stake, currency)
    file = SheetShelf(folder).new(opening, House(bytes(32)))
    if dealer is not None:
        file.do(NameFirstDealer(dealer))
    return file


def keep(
    file: SheetFile,
    typed: Sequence[str | bytes],
    lang: str = "en",
    width: int | None = None,
    plain: bool = False,
    new: bool = False,
) -> Evening:
    """Keeps the sheet by those lines, and leaves at the end of them."""
    screen = StringIO()
    replies: list[str] = []
    script = Script(typed)

    def answer(heard: str) -> str | bytes | None:
        replies.append(heard)
        return script(heard)

    console = Console(Keyboard(answer, screen), screen, width, plain=plain)
    sitting = SheetSitting(Words(lang), console, SheetShelf(file.path.parent), file)
    try:
        sitting.run(new)
    except Left:
        return Evening(screen.getvalue(), sitting.sheet, replies, sitting.file.path)
    raise AssertionError("nobody leaves otherwise")
