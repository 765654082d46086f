"""The files of tests/perft, read: a table and a deal, and in how many ways it can be played.

Each is plain text. The deck is made of the cards that are named, seat 0 is the eldest hand, and
nothing is passed. Then follow, for each number of cards played, in how many ways that many can be;
and where the deal can be played out, in how many ways each score comes.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final, NamedTuple

from kit.deals import first_deal

from volte.game import MatchState
from volte.rules import Value, read_setting

PATHS: Final = sorted((Path(__file__).parents[1] / "perft").glob("*.txt"))

Points = tuple[int, ...]


class Counts(NamedTuple):
    """What a file says."""

    preset: str  # its name
    state: MatchState  # the deal, nothing played
    plays: list[int]  # in how many ways one card can be played, two, and so on
    # in how many ways the deal ends with those points; empty where it is not played out
    ends: dict[Points, int]


def read_counts(path: Path) -> Counts:
    preset, kitty = "", ""
    hands: list[str] = []
    options: dict[str, Value] = {}
    plays: list[int] = []
    ends: dict[Points, int] = {}
    for line in path.read_text("utf-8").splitlines():
        word, rest = line.split(maxsplit=1)
        match word:
            case "preset":
                preset = rest
            case "set":
                name, value = read_setting(rest)
                options[name] = value
            case "hand":
                hands.append(rest)
            case "kitty":
                kitty = rest
            case "plays":
                number, ways = map(int, rest.split())
                plays.append(ways)
                assert number == len(plays)
            case "points":
                points, _, ways_to_end = rest.partition(" in ")
                ends[tuple(map(int, points.split()))] = int(ways_to_end)
            case _:
                raise ValueError(line)
    return Counts(preset, first_deal(preset, hands, kitty, options), plays, ends)
