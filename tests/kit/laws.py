"""Laws worked by hand, in text files: a title with its clause, and below it the examples.

Laws are parted by empty lines. What stands behind a semicolon is for the reader.
"""

from __future__ import annotations

from pathlib import Path

from kit.deals import first_deal

from volte.game import MatchState
from volte.rules import read_setting


def read_laws(path: Path) -> dict[str, list[str]]:
    """The examples of each law, by its title."""
    lines = [line.partition(";")[0].strip() for line in path.read_text("utf-8").splitlines()]
    blocks = [block.strip().split("\n") for block in "\n".join(lines).split("\n\n")]
    return {title: examples for title, *examples in blocks if title}


def cells(line: str, sign: str = "|") -> list[str]:
    """The parts of a line, where `-` stands for nothing."""
    return ["" if cell.strip() == "-" else cell.strip() for cell in line.split(sign)]


def preset_and_settings(cell: str) -> tuple[str, dict[str, str]]:
    """`coeurs moon=off` as a name and options."""
    name, *settings = cell.split()
    return name, dict(map(read_setting, settings))


def table_of(line: str) -> MatchState:
    """`coeurs moon=off | C: A | C: 2 | C: 3 | kitty H: 2`, dealt; see `kit.deals.dealt`."""
    setting, *piles = cells(line)
    preset, options = preset_and_settings(setting)
    kitty = "".join(pile.removeprefix("kitty") for pile in piles if pile.startswith("kitty"))
    hands = [pile for pile in piles if not pile.startswith("kitty")]
    return first_deal(preset, hands, kitty, options)
