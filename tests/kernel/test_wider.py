"""The clauses of the wider family in the kernel, one by one: small deals written out in full."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from kit.deals import after, deal_of, dealt, play
from kit.kernels import Result, Twin, one_pack
from kit.stanzas import read_stanza, stanzas

from volte.bots.protocol import takes_off
from volte.cards import CardSet, read_cards
from volte.game import MatchState, Pass
from volte.kernel import OUTCOME, Records
from volte.kernel.deals import count_moons, standings
from volte.rules import (
    EndKind,
    Kitty,
    MatchEnd,
    MoonRule,
    Points,
    Ruleset,
    Score,
    SlamRule,
    loses_by_plus,
    make_ruleset,
    totals,
)


def twin_after(state: MatchState, cards: str) -> Twin:
    twin = Twin.of(deal_of(state))
    for card in read_cards(cards):
        twin.play(card)
    return twin


def finished(state: MatchState, cards: str) -> Result:
    """The kernel's result of the deal after those cards; the readable engine scores it alike."""
    twin = twin_after(state, cards)
    result = Result.read(twin.outcomes[0], state.rules.players)
    assert result == Result.alone(deal_of(play(state, cards)))
    return result


@pytest.mark.parametrize("text", stanzas(__file__, "wider.txt"))
def test_the_kernel_knows_the_wider_family(text: str) -> None:
    before, cards, lines = read_stanza(text)
    for line in lines:
        match line.split():
            case ["allows", *allowed]:
                assert int(twin_after(before, cards).legal[0]) == CardSet(" ".join(allowed)).mask
            case ["scores", *points]:
                assert finished(before, cards).points == tuple(map(int, points))
            case ["moon" | "slam" | "minus" | "trickless" as name, number]:
                assert getattr(finished(before, cards), name) == int(number)
            case _:
                raise ValueError(line)


# W1


def test_W1_the_first_card_goes_to_the_left_and_the_others_on_clockwise() -> None:
    hands = "S: A3 D: 2", "S: K5 C: 2", "S: 96 H: 4"
    state = dealt("coeurs", *hands, pass_count=1, pass_cycle=["scatter"])
    given_cards = [read_cards(cards) for cards in ("AS 3S", "2C KS", "4H 9S")]
    twin = Twin.of(deal_of(state))
    twin.give(given_cards)
    done = after(state, *(Pass(seat, cards) for seat, cards in enumerate(given_cards)))
    assert twin.rows["hands"][0, :3].tolist() == list(deal_of(done).hands)
    coming = [str(CardSet(int(cards))) for cards in twin.rows["coming"][0, :3]]
    assert coming == [str(CardSet(cards)) for cards in ("4H KS", "AS 9S", "3S 2C")]


# W9, and the moon in a match


def scored(points: Sequence[int], moon: int = -1, slam: int = -1) -> Records:
    outcomes = np.zeros(1, OUTCOME)
    outcomes["points"][0, : len(points)] = points
    outcomes["moon"], outcomes["slam"] = moon, slam
    return outcomes


def stand(rules: Ruleset, before: Sequence[int], points: Sequence[int]) -> tuple[list[int], bool]:
    after_it = standings(rules, 5, np.array([before], np.int64), scored(points))
    return after_it.totals[0].tolist(), bool(after_it.over[0])


def test_W9_a_total_of_exactly_the_limit_falls_back_to_half_of_it() -> None:
    rules = make_ruleset("dame-de-pique", {"match_end": "limit:75", "at_limit": "halves"})
    assert stand(rules, (70, 1, 2, 3), (5, 7, 7, 7)) == ([37, 8, 9, 10], False)
    assert stand(rules, (70, 1, 2, 3), (6, 7, 7, 6)) == ([76, 8, 9, 9], True)


def test_W9_equal_lowest_totals_of_different_sides_play_on() -> None:
    rules = make_ruleset("dame-de-pique", {"ties": "play_on", "match_end": "limit:100"})
    assert stand(rules, (90, 1, 2, 3), (26, 2, 1, 0)) == ([116, 3, 3, 3], False)
    sides = make_ruleset("partnership", {"ties": "play_on", "match_end": "limit:100"})
    assert stand(sides, (90, 1, 90, 1), (26, 2, 26, 2)) == ([116, 3, 116, 3], True)


def counted(rules: Ruleset, before: Sequence[int], points: Sequence[int]) -> list[int]:
    """The points of a moon of seat 0 in a match."""
    outcomes = scored(points, moon=0)
    count_moons(rules, 5, np.array([before], np.int64), outcomes)
    minus = bool(outcomes["minus"][0])
    assert minus == (outcomes["points"][0, 0] < points[0])
    return [int(each) for each in outcomes["points"][0, : rules.players]]


def test_W7_a_moon_is_put_on_the_others_unless_that_loses_the_match() -> None:
    rules = make_ruleset("dame-de-pique", {"moon": "plus_unless_lost"})
    assert counted(rules, (40, 90, 20, 30), (0, 26, 26, 26)) == [0, 26, 26, 26]
    assert counted(rules, (50, 90, 20, 30), (0, 26, 26, 26)) == [-26, 0, 0, 0]
    assert counted(rules, (50, 70, 20, 30), (0, 26, 26, 26)) == [0, 26, 26, 26]


@st.composite
def open_moons(draw: st.DrawFn) -> Ruleset:
    """Tables where a moon may count in either way, and a total can often fall back."""
    rules = draw(one_pack())
    rule = draw(st.sampled_from((MoonRule.SHOOTER_CHOOSES, MoonRule.PLUS_UNLESS_LOST)))
    end = draw(st.sampled_from((rules.ending.match_end, MatchEnd(EndKind.LIMIT, 50))))
    return replace(
        rules,
        moon=replace(rules.moon, moon=rule),
        points=Points(no_tricks=rules.points.no_tricks),
        deck=replace(rules.deck, removed=(), kitty=Kitty.LAST_TRICK),
        ending=replace(rules.ending, match_end=end),
    )


@given(open_moons(), st.data())
def test_W7_every_choice_is_that_of_the_readable_engine(
    rules: Ruleset, data: st.DataObject
) -> None:
    total, players = rules.penalty_total, rules.players
    some = st.sampled_from((0, 1, total // 2, total - 1, total))
    before = [
        Score(tuple(data.draw(some) for _ in range(players)))
        for _ in range(data.draw(st.integers(0, 3)))
    ]
    seat = data.draw(st.integers(0, players - 1))
    slam = rules.moon.slam is SlamRule.DOUBLE and data.draw(st.booleans())
    height = total * (2 if slam else 1)
    bonus = [data.draw(st.sampled_from((0, 0, -10))) for _ in range(players)]
    swings = [height * (other not in rules.side(seat)) for other in range(players)]
    points = tuple(swing + extra for swing, extra in zip(swings, bonus, strict=True))
    plus = Score(points, None if slam else seat, seat if slam else None)
    lower = tuple(point - height for point in points)
    minus = Score(lower, plus.moon, plus.slam, minus=True)
    outcomes = scored(points, -1 if slam else seat, seat if slam else -1)
    sums = np.array([totals(rules, before)], np.int64)
    count_moons(rules, len(before) + 1, sums, outcomes)
    if rules.moon.moon is MoonRule.SHOOTER_CHOOSES:
        wanted = takes_off(rules, before, plus, minus, seat)
    else:
        wanted = loses_by_plus(rules, before, plus)
    due = minus if wanted else plus
    assert tuple(outcomes["points"][0, :players].tolist()) == due.points
    assert outcomes["minus"][0] == due.minus
