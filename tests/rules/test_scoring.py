"""The score of a deal, and who wins: S1 to S7, E1, E2."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rulesets import deal_of, deal_out, dealt, play

from volte.cards import HEARTS, QUEEN, CardSet, mask_of
from volte.rules import (
    BooksFault,
    Ruleset,
    Score,
    Value,
    check_books,
    make_ruleset,
    match_over,
    score,
    totals,
    winners,
)


def scored(
    preset: str,
    *taken: str,
    tricks: tuple[int, ...] = (),
    options: Mapping[str, Value] | None = None,
    **more: Value,
) -> Score:
    """The score when those cards are taken, and the rest of the deck by the last seat."""
    rules = make_ruleset(preset, {"players": len(taken), **(options or {}), **more})
    masks = [CardSet(cards).mask for cards in taken]
    masks[-1] |= rules.deck_mask & ~sum(masks)
    won = tricks or (1,) * (rules.players - 1) + (rules.hand_size - rules.players + 1,)
    return score(rules, masks, won)


ALL_HEARTS = "H: AKQJT98765432"

# S1 to S3


def test_S1_each_heart_counts_one_point() -> None:
    assert scored("microsoft", "H: 2A", "H: 3", "C: 2", "D: 2").points == (2, 1, 0, 23)


@pytest.mark.parametrize(
    ("preset", "queen"),
    [("coeurs", 12), ("coeurs-moyenne", 13), ("dame-de-pique", 13), ("salon", 13)],
)
def test_S2_the_queen_counts_12_or_13(preset: str, queen: int) -> None:
    assert scored(preset, "QS", "H: 2", "", "").points == (queen, 1, 0, 12)


@pytest.mark.parametrize(
    ("preset", "players", "total"),
    [("coeurs", 4, 25), ("coeurs", 7, 25), ("salon", 3, 26), ("microsoft", 4, 26)],
)
def test_S3_shooting_the_moon(preset: str, players: int, total: int) -> None:
    moon = scored(preset, f"S: Q {ALL_HEARTS}", *[""] * (players - 1))
    assert moon == Score((0, *[total] * (players - 1)), moon=0)


def test_S3_needs_every_heart_and_the_queen() -> None:
    assert scored("coeurs", ALL_HEARTS, "QS", "", "").points == (13, 12, 0, 0)
    assert scored("coeurs", f"S: Q {ALL_HEARTS[:-1]}", "2H", "", "").points == (24, 1, 0, 0)


def test_S3_can_be_switched_off() -> None:
    off = scored("coeurs", f"S: Q {ALL_HEARTS}", "", "", "", moon="off")
    assert off == Score((25, 0, 0, 0))


def test_S3_all_means_all_that_are_in_the_deck() -> None:
    moon = scored("salon", "S: Q H: AKQJT987654 H: 2", *[""] * 5)
    assert moon == Score((0, *[25] * 5), moon=0)


def test_S3_the_kitty_counts_for_it() -> None:
    state = dealt("coeurs", "C: A H: A", "C: 2 H: 2", "C: 3 H: 3", kitty="S: Q D: 2")
    state = play(state, "AC 2C 3C AH 2H 3H")
    assert state.deals == (Score((0, 15, 15), moon=0),)


# S4 to S6


def test_S4_a_slam_turns_the_points_round() -> None:
    slam = scored("salon", "", "", "", "", tricks=(0, 0, 0, 13))
    assert slam == Score((26, 26, 26, -26), slam=3)


def test_S4_is_no_moon_with_one_trick_given_away() -> None:
    moon = scored("salon", "", "", "", "", tricks=(0, 1, 0, 12))
    assert moon == Score((26, 26, 26, 0), moon=3)


def test_S4_is_off_elsewhere() -> None:
    moon = scored("dame-de-pique", "", "", "", "", tricks=(0, 0, 0, 13))
    assert moon == Score((26, 26, 26, 0), moon=3)


def test_S4_counts_where_the_moon_is_off() -> None:
    slam = scored("salon", "", "", "", tricks=(0, 0, 17), moon="off")
    assert slam == Score((26, 26, -26), slam=2)


def test_S5_the_jack_counts_minus_ten_to_whoever_takes_it() -> None:
    assert scored("salon-valet", "D: J H: 2", "", "", "").points == (-9, 0, 0, 25)


def test_S5_is_not_needed_for_the_moon_and_added_after_it() -> None:
    moon = scored("salon-valet", f"S: Q {ALL_HEARTS}", "JD", "", "")
    assert moon == Score((0, 16, 26, 26), moon=0)


def test_S5_is_added_after_the_slam() -> None:
    slam = scored("salon-valet", "", "", "", "", tricks=(0, 0, 0, 13))
    assert slam == Score((26, 26, 26, -36), slam=3)


def test_S5_a_jack_out_of_the_deck_counts_nothing() -> None:
    gone = scored("salon-valet", "H: 2", "", "", "", removed=["JD", "2C", "3C", "4C"])
    assert sum(gone.points) == 26


@given(
    st.integers(3, 7),
    st.lists(st.integers(0, 6), min_size=52, max_size=52),
    st.sampled_from([0, -10]),
)
def test_S6_every_deal_adds_up(players: int, takers: list[int], jack: int) -> None:
    rules = make_ruleset("coeurs", {"players": players, "jack_points": jack})
    taken = [0] * players
    for card, taker in zip(rules.cards, takers, strict=True):
        taken[taker % players] |= card.bit
    points = score(rules, taken, (1,) * players).points
    moon = any(not (HEARTS & rules.deck_mask | QUEEN.bit) & ~mask for mask in taken)
    assert sum(points) == (players - 1 if moon else 1) * 25 + jack


@pytest.mark.parametrize("points", [(26, 0, 0, 1), (0, 0, 0, 0), (26, 26, 26, 0)])
def test_S6_points_that_do_not_add_up_are_a_fault(points: tuple[int, ...]) -> None:
    with pytest.raises(BooksFault, match="points_do_not_add_up"):
        check_books(make_ruleset("microsoft"), Score(points))


def test_S6_cards_that_are_missing_are_a_fault() -> None:
    with pytest.raises(BooksFault):
        score(make_ruleset("microsoft"), [mask_of([QUEEN]), 0, 0, 0], (1, 0, 0, 0))


# S7


def test_S7_the_score_sheet_shows_every_deal_and_the_totals() -> None:
    hands = ("C: A H: A", "C: 2 H: 2", "C: 3 H: 3")
    state = play(dealt("coeurs", *hands, match_end="deals:2"), "AC 2C 3C AH 2H 3H")
    assert [deal.points for deal in state.deals] == [(0, 3, 3)]
    state = play(deal_out(state, *hands), "2C 3C AC AH 2H 3H")
    assert [deal.points for deal in state.deals] == [(0, 3, 3), (0, 3, 3)]
    assert state.totals == (0, 6, 6)


@given(
    st.integers(3, 7).flatmap(
        lambda players: st.lists(
            st.tuples(*[st.integers(-36, 26)] * players), min_size=1, max_size=9
        )
    )
)
def test_S7_totals_are_sums(sheet: list[tuple[int, ...]]) -> None:
    deals = [Score(points) for points in sheet]
    rules = make_ruleset("coeurs", {"players": len(sheet[0])})
    assert list(totals(rules, deals)) == [
        sum(points[seat] for points in sheet) for seat in range(rules.players)
    ]


# E1, E2


def sheet(*deals: tuple[int, ...], moon: int | None = None) -> list[Score]:
    return [Score(points, moon=moon) for points in deals]


def over(rules: Ruleset, *deals: tuple[int, ...]) -> bool:
    return match_over(rules, sheet(*deals))


def test_E1_a_match_of_coeurs_is_one_deal_or_five() -> None:
    deal = (25, 0, 0, 0)
    assert over(make_ruleset("coeurs"), deal)
    five = make_ruleset("coeurs-cinq-coups")
    assert not over(five, *[deal] * 4)
    assert over(five, *[deal] * 5)


def test_E1_the_lowest_total_wins() -> None:
    assert winners(make_ruleset("coeurs"), sheet((12, 3, 4, 6))) == (1,)


def test_E1_whoever_shoots_the_moon_in_a_match_of_one_deal_wins() -> None:
    rules = make_ruleset(
        "coeurs",
        {
            "jack_points": -10,
            "queen_points": 5,
            "removed": ["AH", "KH", "QH", "JH", "TH", "9H", "8H", "7H", "6H", "5H", "4H", "3H"],
        },
    )
    assert rules.penalty_total == 6
    moon = sheet((0, -4, 6, 6), moon=0)
    assert winners(rules, moon) == (0,)
    five = make_ruleset("coeurs-cinq-coups")
    assert winners(five, moon) == (1,)


@pytest.mark.parametrize(
    ("last", "ended"), [((99, 1, 4, 0), False), ((100, 0, 4, 0), True), ((0, 0, 104, 0), True)]
)
def test_E2_when_a_total_reaches_the_limit(last: tuple[int, ...], ended: bool) -> None:
    assert over(make_ruleset("dame-de-pique"), last) is ended
    assert over(make_ruleset("salon"), (0, 0, 0, 0), last) is ended


def test_E2_any_limit() -> None:
    rules = make_ruleset("salon", {"match_end": "limit:50"})
    assert not over(rules, (49, 2, 0, 1))
    assert over(rules, (49, 2, 0, 1), (1, 25, 0, 0))


def test_E2_equal_lowest_share_the_win() -> None:
    rules = make_ruleset("dame-de-pique")
    assert over(rules, (100, 40, 40, 80))
    assert winners(rules, sheet((100, 40, 40, 80))) == (1, 2)
    assert winners(rules, sheet((100, 40, 40, 40))) == (1, 2, 3)


def test_E2_a_match_ends_by_itself() -> None:
    state = dealt("microsoft", "C: 2", "H: 2", "H: 3", match_end="limit:2", moon="off")
    state = play(state, "2C 2H 3H")
    assert (state.totals, state.winners) == ((2, 0, 0), (1, 2))
    assert deal_of(state).trick_number == 2
