"""Reader of the files of tests/perft: a table and a deal, and the number of ways to play it.

Each is plain text. The deck consists of the cards named, seat 0 is the eldest hand, and nothing is
passed. Then follows, for each number of cards, the number of ways to play that many; and if the
deal can be played out, the number of ways to reach each score.
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
    """The content of a file."""

    preset: str  # name of the preset
    state: MatchState  # the deal, nothing played
    plays: list[int]  # number of ways to play one card, two cards, and so on
    # points at the end → number of ways to reach them; empty if the deal is not played out
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
