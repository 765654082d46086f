"""The kernel counts the ways to play that `tests/perft/*.txt` tell, to the last line."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Final

import numpy as np
import pytest
from kernel.lockstep import every_play
from kit.deals import deal_of
from perft.files import PATHS, read_counts

from volte.game import DealState
from volte.kernel import DEAL, encode, position
from volte.kernel.compiler import INTERPRETED
from volte.kernel.startup import code

MOST_PLAYS: Final = 3000 if INTERPRETED else 10**9
"""The ways to play that many cards that are counted."""

ONE_PACK: Final = [path for path in PATHS if read_counts(path).state.rules.deck.packs == 1]
PLAYED_OUT: Final = [path for path in ONE_PACK if read_counts(path).ends]


@pytest.mark.parametrize("path", ONE_PACK, ids=lambda path: path.stem)
def test_the_kernel_counts_as_many_ways_to_play(path: Path) -> None:
    expected = read_counts(path)
    plays = [ways for ways in expected.plays if ways <= MOST_PLAYS]
    assert count_plays(deal_of(expected.state), len(plays)) == plays


@pytest.mark.parametrize("path", PLAYED_OUT, ids=lambda path: path.stem)
def test_the_kernel_counts_as_many_ways_to_end(path: Path) -> None:
    expected = read_counts(path)
    plays = every_play(deal_of(expected.state))
    assert Counter(result.points for result in plays.values()) == expected.ends


def count_plays(deal: DealState, depth: int) -> list[int]:
    """In how many ways one card can be played, two, and so on."""
    rows = np.zeros(depth, DEAL)
    rows[:1] = position(deal)
    ways = np.zeros(depth, np.int64)
    code("stepping.count_plays")(encode(deal.rules), rows, ways)
    return [int(number) for number in ways]
