"""The play sequences of fixed deals, counted by depth and by how they end: `tests/perft/*.txt`.

Each file is a table and a deal in plain text. The deck is made of the cards that are named, seat 0
is the eldest hand, and nothing is passed. Then follow, for each number of cards played, in how many
ways that many can be; and where the deal can be played out, in how many ways each score comes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from rulesets import deal_of, first_deal

from volte.game import MatchState, decide, evolve, legal_actions
from volte.rules import Value, read_setting

FILES = sorted(Path(__file__).parents[1].joinpath("perft").glob("*.txt"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_the_ways_to_play_are_as_many_as_they_were(path: Path) -> None:
    lines = [line.split(maxsplit=1) for line in path.read_text("utf-8").splitlines() if line]
    given = [(word, rest) for word, rest in lines if word in {"preset", "set", "hand", "kitty"}]
    counts = [f"{word} {rest}" for word, rest in lines if word in {"plays", "points"}]
    assert len(given) + len(counts) == len(lines)
    depth = sum(line.startswith("plays") for line in counts)
    assert list(counted(position(given), depth)) == counts


def position(given: list[tuple[str, str]]) -> MatchState:
    """The deal that the upper lines of a file tell."""
    (preset,) = (rest for word, rest in given if word == "preset")
    hands = [rest for word, rest in given if word == "hand"]
    kitty = "".join(rest for word, rest in given if word == "kitty")
    options: dict[str, Value] = dict(read_setting(rest) for word, rest in given if word == "set")
    return first_deal(preset, hands, kitty, options)


def counted(state: MatchState, depth: int) -> Iterator[str]:
    """The lower lines of a file."""
    ways: Counter[int] = Counter()
    ends: Counter[tuple[int, ...]] = Counter()
    count(state, depth, ways, ends)
    for plays in range(1, depth + 1):
        yield f"plays {plays} {ways[plays]}"
    for points in sorted(ends):
        yield f"points {' '.join(map(str, points))} in {ends[points]}"


def count(
    state: MatchState, depth: int, ways: Counter[int], ends: Counter[tuple[int, ...]]
) -> None:
    """Adds what follows in the first deal: `ways` by cards played, `ends` by points."""
    if state.deals:
        ends[state.deals[0].points] += 1
        return
    deal = deal_of(state)
    played = len(deal.trick) + len(deal.hands) * len(deal.tricks)
    if played == depth:
        return
    for action in legal_actions(state, deal.turn):
        ways[played + 1] += 1
        outcome = decide(state, action)
        assert isinstance(outcome, tuple)
        after = state
        for event in outcome:
            after = evolve(after, event)
        count(after, depth, ways, ends)
